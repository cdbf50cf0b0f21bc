#include "sensor/sampled.h"

#include "base/random.h"
#include "sensor/sensor.h"

double ib_sampled_limit(const ib_SensorConfig *config, double z)
{
    if (config->quantum > 0) z = config->quantum * rint(z / config->quantum);
    // Not fmin and fmax: of -0 and +0 they return either, and they would hide a NaN.
    return z < config->low ? config->low : z > config->high ? config->high : z;
}

double ib_sampled_noise(const ib_SensorTick *tick, double sd)
{
    if (!(sd > 0)) return 0;
    return sd * ib_random_normal(tick->seed, tick->stream + IB_NOISE_SAMPLE, (uint64_t)tick->index);
}

// z = saturate(quantise(scale y + bias + noise))
static double measure(const ib_SensorConfig *config, double truth, double noise)
{
    return ib_sampled_limit(config, config->scale * truth + config->bias + noise);
}

static double reset(const ib_SensorConfig *config, double truth, double *memory)
{
    (void)memory;
    return measure(config, truth, 0);
}

static double update(const ib_SensorConfig *config, const ib_SensorTick *tick, double truth,
                     double *memory)
{
    (void)memory;
    return measure(config, truth, ib_sampled_noise(tick, config->noise));
}

#define NUMBER(key, fallback, min, max, field, sentence)                                           \
    IB_SENSOR_PARAM(key, IB_PARAM_NUMBER, "1", fallback, min, max, NULL, field, sentence)

static const ib_Param params[] = {
    NUMBER("scale", "1", -1e6, 1e6, scale, "factor on the true value"),
    NUMBER("noise", "0", 0, 1e300, noise,
           "standard deviation of one sample, in the unit of the signal"),
    NUMBER("bias", "0", -1e300, 1e300, bias, "added to every sample, in the unit of the signal"),
    NUMBER("quantum", "0", 0, 1e300, quantum,
           "smallest step of the value, in the unit of the signal; 0: none"),
};

const ib_SensorKind ib_sampled_kind = {
    .name = "sampled",
    .sentence = "any signal, with scale, bias, noise, steps and a range",
    .shows = "as measured",
    .params = {params, sizeof params / sizeof params[0]},
    .fixed = 1,
    .range = true,
    .reset = reset,
    .update = update,
};
