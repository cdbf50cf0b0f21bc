// sensor/sampled.h: the plain sensor: any signal with scale, bias, noise, steps and a range.
#ifndef IB_SENSOR_SAMPLED_H
#define IB_SENSOR_SAMPLED_H

#include "sensor/kind.h"

// saturate(quantise(z)): to the nearest multiple of the quantum, then into the range.
double ib_sampled_limit(const struct ib_SensorConfig *config, double z);

// The noise of one sample with standard deviation `sd`.
double ib_sampled_noise(const ib_SensorTick *tick, double sd);

// The nearest of the 2^bits codes of a converter from `low` on, as a value; 0 bits: z itself,
// within the range.
double ib_sampled_convert(double low, double high, int bits, double z);

#endif
