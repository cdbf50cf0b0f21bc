// sensor/imu.h: an inertial measurement unit: three gyros, three accelerometers and the attitude
// by a complementary filter of both. The derivation is in docs/sensor/sensor.md.
#ifndef IB_SENSOR_IMU_H
#define IB_SENSOR_IMU_H

#include "sensor/kind.h"

// Three gyros [rad/s] or three accelerometers [m/s^2], along the body's axes.
typedef struct ib_ImuAxes {
    double scale;   ///< factor on the truth [1]
    double bias[3]; ///< added to the truth, of x, y, z
    double drift;   ///< K, >= 0: each bias drifts as K sqrt(t) [.../sqrt(s)]
    double noise;   ///< standard deviation of one sample, >= 0
    double quantum; ///< smallest step, 0: none
    double range;   ///< largest value either way, > 0; infinite: none
} ib_ImuAxes;

typedef struct ib_ImuConfig {
    ib_ImuAxes gyro, accelerometer;
    double place[3]; ///< of the accelerometers from the body's origin, in its frame [m]
    double time;     ///< tau of the filter [s], at least a period
    double gravity;  ///< g that the filter expects [m/s^2], > 0
    double band;     ///< accelerations whose size is farther from g are left out [1], of g
} ib_ImuConfig;

#endif
