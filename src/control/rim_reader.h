// control/rim_reader.h: where a base takes itself to be, from what its sensors say of its rims.
// It wires encoders and a gyro to odometry of any wheels: docs/control/odometry.md, "Any wheels".
#ifndef IB_CONTROL_RIM_READER_H
#define IB_CONTROL_RIM_READER_H

#include "control/site.h"

enum { IB_RIM_READINGS = IB_WHEEL_ODOMETRY_RIMS + 1 };

// What it shows: where it takes the robot to be, and how fast; the first signals of a controller.
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

// Immutable. Its state is an ib_wheel_odometry's.
typedef struct ib_RimReader {
    ib_WheelOdometryModel odometry;
    double scale[IB_WHEEL_ODOMETRY_RIMS]; ///< from what is measured of a rim to m or m/s
    bool gyro;                            ///< measured behind the rims
    int count;                            ///< of readings
    const char *reads[IB_RIM_READINGS];   ///< as a controller's ports name them
    ib_Gather gathers[IB_RIM_READINGS];   ///< of these
} ib_RimReader;

// `sensors`: one for each rim in the order of the motors, and one for a gyro; none: the rims
// ideally, and a sensor called gyro where there is one. Of `odometry` period, filter and settle are
// set. An error begins with the key at fault: "sensors.2: …".
ib_Status ib_rim_reader_init(const ib_Words *sensors, const ib_ControlSite *site,
                             const ib_WheelOdometryConfig *odometry, ib_RimReader *reader,
                             ib_Error *error);

// The same from two free wheels, which only measure and so never slip under torque. `tracking`: a
// sensor of one on the robot's x axis that rolls ahead, and of one on its y axis that rolls to the
// left, in m or m/s; turning moves neither. `sensors`: a gyro, without which one called so is used.
ib_Status ib_rim_reader_init_free(const ib_Words *tracking, const ib_Words *sensors,
                                  const ib_ControlSite *site,
                                  const ib_WheelOdometryConfig *odometry, ib_RimReader *reader,
                                  ib_Error *error);

// One period, of reader->count measurements; `sum`: of those that it gathers their integrals, NULL:
// it has none.
void ib_rim_reader_step(const ib_RimReader *reader, const double *measurement, const double *sum,
                        double *state);

// Its IB_RIM_SIGNALS.
void ib_rim_reader_show(const double *state, double *shown);

#endif
