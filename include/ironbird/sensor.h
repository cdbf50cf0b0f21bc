// ironbird/sensor.h: everything public of src/sensor.
#ifndef IRONBIRD_SENSOR_H
#define IRONBIRD_SENSOR_H

#include "sensor/sensor.h"

#endif
