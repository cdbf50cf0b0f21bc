// control/odometry/rim_reader.h: the estimated pose of a base from sensors of its rims. Wires
// encoders and a gyro to odometry: docs/control/odometry.md
#ifndef IB_CONTROL_ODOMETRY_RIM_READER_H
#define IB_CONTROL_ODOMETRY_RIM_READER_H

#include "control/site.h"

enum { IB_RIM_READINGS = IB_ODOMETRY_ROWS + 1 };

// Its signals: estimated pose and velocity; the first signals of a controller.
enum {
    IB_RIM_X,
    IB_RIM_Y,
    IB_RIM_HEADING,
    IB_RIM_FORWARD,
    IB_RIM_LEFT,
    IB_RIM_YAW_RATE,
    IB_RIM_SIGNALS,
};
#define IB_RIM_SIGNAL_ROWS                                                                         \
    [IB_RIM_X] = {"x", "m", "where it takes the robot to be, field x", 1e7},                       \
    [IB_RIM_Y] = {"y", "m", "the same, field y", 1e7},                                             \
    [IB_RIM_HEADING] = {"heading", "rad", "its heading, continuous", 1e7,                          \
                        IB_MEANS(.shown = "deg")},                                                 \
    [IB_RIM_FORWARD] = {"forward", "m/s", "velocity along the heading, by the rims", 0},           \
    [IB_RIM_LEFT] = {"left", "m/s", "the same, to the left", 0},                                   \
    [IB_RIM_YAW_RATE] = {"turning", "rad/s", "yaw rate, by the gyro or the rims", 0,               \
                         IB_MEANS(.shown = "deg/s")}

// Its sensors.
typedef struct ib_RimReaderConfig {
    const ib_Words *sensors;  ///< one for each rim in the order of the motors, one for the angle of
                              ///< each module that turns one, and one for a gyro; none: the rims
                              ///< ideally, and a sensor called gyro; without one, of two
                              ///< sides that slip the yaw rate ideally
    const ib_Words *tracking; ///< sensors of two free wheels in the place of rims, which never
                              ///< slip, as they have no torque: one on the robot's x axis that
                              ///< rolls ahead, one on its y axis that rolls to the left, in m or
                              ///< m/s; turning moves neither. With a gyro. NULL, none: the rims
    bool named; ///< without `sensors` those called left, right and gyro, where a base with two
                ///< sides has them; else the rims and the yaw rate ideally
} ib_RimReaderConfig;

// Its state is an ib_odometry's.
typedef struct ib_RimReader {
    int rims;                           ///< measured first
    double scale[IB_ODOMETRY_ROWS];     ///< from a rim's measurement to m or m/s
    bool gyro;                          ///< measured behind the rims
    bool ideal;                         ///< nothing is measured by a sensor
    int count;                          ///< of readings
    double step;                        ///< the largest way that an encoder shows as one count [m]
    const char *reads[IB_RIM_READINGS]; ///< as a controller's ports name them
    ib_Gather gathers[IB_RIM_READINGS]; ///< of these
} ib_RimReader;

// Finds the readings, `pins`; fills the parts of `odometry` that follow from them. An error begins
// with the key at fault: "sensors.2: …".
ib_Status ib_rim_reader_wire(const ib_RimReaderConfig *config, const ib_ControlSite *site,
                             ib_RimReader *reader, ib_OdometryConfig *odometry,
                             ib_ControlPin pins[IB_RIM_READINGS], ib_Error *error);

// Sets its gathers, once a period [s].
void ib_rim_reader_gather(const ib_ControlPin *pins, double period, ib_RimReader *reader);

// Both, and the odometry; of its config period, filter and settle are set.
ib_Status ib_rim_reader_init(const ib_RimReaderConfig *config, const ib_ControlSite *site,
                             const ib_OdometryConfig *odometry, ib_RimReader *reader,
                             ib_OdometryModel *model, ib_Error *error);

// One period of its odometry, of reader->count measurements; `sum`: of those that it gathers their
// integrals, NULL: it has none.
void ib_rim_reader_step(const ib_RimReader *reader, const ib_OdometryModel *odometry,
                        const double *measurement, const double *sum, double *state);

// Its IB_RIM_SIGNALS.
void ib_rim_reader_show(const double *state, double *shown);

#endif
