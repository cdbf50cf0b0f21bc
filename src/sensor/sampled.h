// sensor/sampled.h: the plain sensor: any signal with scale, bias, noise, steps and a range.
#ifndef IB_SENSOR_SAMPLED_H
#define IB_SENSOR_SAMPLED_H

#include "sensor/kind.h"

// saturate(quantise(z)): to the nearest multiple of the quantum (0: none), then into the range.
double ib_sampled_round(double quantum, double low, double high, double z);
double ib_sampled_limit(const struct ib_SensorConfig *config, double z);

// The noise of one sample with standard deviation `sd`.
double ib_sampled_noise(const ib_SensorTick *tick, double sd);

// The output of a first-order lag with the time constant `tau` [s] (0: none), at this sample. Its
// memory: the output, the signal one sample ago; both are the first truth at the start.
enum { IB_LAG_VALUE, IB_LAG_BEFORE, IB_LAG_STATES };
double ib_sampled_lag(const struct ib_SensorConfig *config, const ib_SensorTick *tick, double tau,
                      double u, double *memory);

#endif
