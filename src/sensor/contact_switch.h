// sensor/contact_switch.h: a switch that tells whether a signal, such as the force on a foot, is
// large. The derivation is in docs/sensor/sensor.md.
#ifndef IB_SENSOR_CONTACT_SWITCH_H
#define IB_SENSOR_CONTACT_SWITCH_H

#include "sensor/kind.h"

typedef struct ib_SwitchConfig {
    double on, off;  ///< closes above `on`, opens below `off` [unit of the signal], off <= on
    double debounce; ///< for how long the other side has to last before it shows [s], >= 0
} ib_SwitchConfig;

#endif
