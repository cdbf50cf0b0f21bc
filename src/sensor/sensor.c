#include "sensor/sensor.h"

#include "base/random.h"

#include <math.h>

// Samples between the instant measured and the value seen.
static int delay(const ib_SensorConfig *config)
{
    return (int)(config->latency / config->period);
}

int ib_sensor_states(const ib_SensorConfig *config)
{
    return 1 + delay(config);
}

// z = saturate(quantise(scale y + bias + noise)); a quantum of q rounds to the nearest multiple of
// q.
static double measure(const ib_SensorConfig *config, double truth, double noise)
{
    double z = config->scale * truth + config->bias + config->noise * noise;
    if (config->quantum > 0) z = config->quantum * rint(z / config->quantum);
    // Not fmin and fmax: of -0 and +0 they return either, and they would hide a NaN.
    return z < config->low ? config->low : z > config->high ? config->high : z;
}

void ib_sensor_reset(const ib_SensorConfig *config, double truth, double *state)
{
    double z = measure(config, truth, 0);
    for (int i = 0; i < ib_sensor_states(config); i++) state[i] = z;
}

void ib_sensor_update(const ib_SensorConfig *config, uint64_t seed, uint64_t stream, int64_t index,
                      double truth, double *state)
{
    // The line of samples moves up by one; the newest joins at its end.
    int last = delay(config);
    for (int i = 0; i < last; i++) state[i] = state[i + 1];
    double noise = config->noise > 0 ? ib_random_normal(seed, stream, (uint64_t)index) : 0;
    state[last] = measure(config, truth, noise);
}
