// sensor/analog_gyro.h: a rate gyro with its voltage at the port of a converter, through a level
// shifter, perhaps an unsuitable one. The derivation is in docs/sensor/sensor.md.
#ifndef IB_SENSOR_ANALOG_GYRO_H
#define IB_SENSOR_ANALOG_GYRO_H

#include "sensor/kind.h"

// The level shifter between the gyro and the port.
enum {
    IB_SHIFTER_NONE,    ///< a wire: the port cuts what is above its range
    IB_SHIFTER_DIVIDER, ///< two resistors: port/supply of the voltage
    IB_SHIFTER_FET,     ///< a shifter of logic levels, made for 0 and 1
};

typedef struct ib_AnalogGyroConfig {
    double sensitivity; ///< S [V s/rad], not 0
    double zero;        ///< v0, voltage at rest [V], 0 .. supply
    double supply;      ///< vs, of the gyro: its voltage stays within 0 .. supply [V], > 0
    double port;        ///< vp, range of the converter: 0 .. port [V], > 0
    int bits;           ///< of the converter, 0: no steps
    int shifter;        ///< IB_SHIFTER_NONE …
    double threshold;   ///< vt, at which the FET shuts [V]
    double band;        ///< h, scatter of the threshold, either way [V], >= 0
    double diode;       ///< vd, largest port voltage above the gyro's with the FET blocked [V],
                        ///< >= 0
} ib_AnalogGyroConfig;

#endif
