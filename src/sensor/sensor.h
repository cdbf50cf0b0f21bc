// sensor/sensor.h: a sampled measurement of one signal, with the faults that real ones have.
//
//   z = saturate(quantise(scale * y(t - latency) + bias + noise))
//
// read every `period`, held in between. The noise is a function of (seed, stream, sample number),
// so that a run can be restored anywhere. The state of a sensor is its held value and the samples
// still on their way.
#ifndef IB_SENSOR_SENSOR_H
#define IB_SENSOR_SENSOR_H

#include "base/clock.h"

#include <stdint.h>

enum { IB_SENSOR_DELAY_MAX = 64 }; ///< samples on their way at most: latency <= 64 periods

typedef struct ib_SensorConfig {
    const char *name;   ///< its signal is sensor.<name>
    const char *signal; ///< what it measures, relative to its robot
    double scale;       ///< factor on the truth [1]
    double bias;        ///< added to the truth [unit of the signal]
    double noise;       ///< standard deviation of one sample [unit of the signal], >= 0
    double quantum;     ///< smallest step [unit of the signal], 0: none
    double low, high;   ///< saturation [unit of the signal]
    ib_Time period;     ///< between samples, > 0
    ib_Time
        latency; ///< from the instant measured to the value seen, a whole number of periods, >= 0
} ib_SensorConfig;

// How many doubles of state a sensor needs: the held value, then the samples on their way, oldest
// first.
int ib_sensor_states(const ib_SensorConfig *config);

// Fills a sensor's state before its first sample: it has always seen `truth`.
void ib_sensor_reset(const ib_SensorConfig *config, double truth, double *state);

// Takes sample number `index` of the truth; state[0] is then the value seen.
void ib_sensor_update(const ib_SensorConfig *config, uint64_t seed, uint64_t stream, int64_t index,
                      double truth, double *state);

#endif
