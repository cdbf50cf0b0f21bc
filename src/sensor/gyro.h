// sensor/gyro.h: a rate gyro: a sampled sensor with a drifting bias. The derivation is
// in docs/sensor/sensor.md.
#ifndef IB_SENSOR_GYRO_H
#define IB_SENSOR_GYRO_H

#include "sensor/kind.h"

typedef struct ib_GyroConfig {
    double noise_density; ///< N [rad/s/sqrt(Hz)], >= 0: the angle's error grows as N sqrt(t); 0:
                          ///< the noise of a sample is given
    double drift;         ///< K [rad/s/sqrt(s)], >= 0: the bias drifts as K sqrt(t)
} ib_GyroConfig;

#endif
