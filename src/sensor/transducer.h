// sensor/transducer.h: a sensor of a test rig for any signal, such as a pressure, a position or a
// force: an element with a lag, a converter, a filter. The derivation is in docs/sensor/sensor.md.
#ifndef IB_SENSOR_TRANSDUCER_H
#define IB_SENSOR_TRANSDUCER_H

#include "linear/filter.h"
#include "sensor/kind.h"

typedef struct ib_TransducerConfig {
    double lag; ///< time constant of the element [s], >= 0; 0: none
    int bits;   ///< of the converter over its range, 0: no steps
    ib_FilterConfig filter;

    ib_Filter made; ///< derived by ib_sensor_check, for the period
} ib_TransducerConfig;

#endif
