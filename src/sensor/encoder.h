// sensor/encoder.h: an incremental encoder: a counter of passing marks. The derivation is
// in docs/sensor/sensor.md.
#ifndef IB_SENSOR_ENCODER_H
#define IB_SENSOR_ENCODER_H

#include "sensor/kind.h"

enum { IB_ENCODER_FORWARD, IB_ENCODER_REVERSE };

typedef struct ib_EncoderConfig {
    int counts;                ///< per revolution, >= 1; 0: distance_per_count is given
    double distance_per_count; ///< [m], > 0; 0: counts are given
    double radius;             ///< of the wheel on its shaft [m], > 0; 0: none, it shows an angle
    double missed;             ///< probability that a count is lost, 0 .. 1
    int direction;             ///< IB_ENCODER_FORWARD …
    bool velocity;             ///< shows the counts of the last period over the period

    // Derived by ib_sensor_check.
    double scale;     ///< from the signal to the shown value: 1 or the radius, negative in reverse
    double per_count; ///< angle or distance of one count [rad or m]
    bool integrates;  ///< the signal is a speed
} ib_EncoderConfig;

#endif
