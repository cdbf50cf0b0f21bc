// ironbird/sensor.h: everything public of src/sensor.
#ifndef IRONBIRD_SENSOR_H
#define IRONBIRD_SENSOR_H

#include "sensor/analog_gyro.h"
#include "sensor/encoder.h"
#include "sensor/gyro.h"
#include "sensor/kind.h"
#include "sensor/sampled.h"
#include "sensor/sensor.h"
#include "sensor/tap.h"

#endif
