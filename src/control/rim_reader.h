// control/rim_reader.h: where a base takes itself to be, from what its sensors say of its rims.
// It wires encoders and a gyro to odometry of any wheels: docs/control/odometry.md, "Any wheels".
#ifndef IB_CONTROL_RIM_READER_H
#define IB_CONTROL_RIM_READER_H

#include "control/site.h"

enum { IB_RIM_READINGS = IB_WHEEL_ODOMETRY_RIMS + 1 };

// Immutable. Its state is an ib_wheel_odometry's.
typedef struct ib_RimReader {
    ib_WheelOdometryModel odometry;
    double scale[IB_WHEEL_ODOMETRY_RIMS]; ///< from what is measured of a rim to m or m/s
    bool gyro;                            ///< measured behind the rims
    int count;                            ///< of readings
    const char *reads[IB_RIM_READINGS];   ///< as a controller's ports name them
} ib_RimReader;

// `sensors`: one for each rim in the order of the motors, and one for a gyro; none: the rims
// ideally, and a sensor called gyro where there is one. Of `odometry` period, filter and settle are
// set. An error begins with the key at fault: "sensors.2: …".
ib_Status ib_rim_reader_init(const ib_Words *sensors, const ib_ControlSite *site,
                             const ib_WheelOdometryConfig *odometry, ib_RimReader *reader,
                             ib_Error *error);

// One period, of reader->count measurements.
void ib_rim_reader_step(const ib_RimReader *reader, const double *measurement, double *state);

#endif
