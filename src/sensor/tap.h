// sensor/tap.h: an analogue input: a filter and a converter with so many bits. It measures a
// voltage, a current or a transducer's output. The derivation is in docs/sensor/sensor.md.
#ifndef IB_SENSOR_TAP_H
#define IB_SENSOR_TAP_H

#include "sensor/kind.h"

typedef struct ib_TapConfig {
    int bits;      ///< of the converter over its range, 0: no steps
    double filter; ///< time constant R C [s], >= 0; 0: none
} ib_TapConfig;

#endif
