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

// A converter rounds to one of 2^bits codes from the lower end of its range on:
//   code = round((z - low)/q), 0 .. 2^bits - 1,   q = (high - low)/2^bits
// so that the largest value it shows is high - q.
double ib_sampled_convert(double low, double high, int bits, double z)
{
    if (bits == 0) return z < low ? low : z > high ? high : z;
    double codes = (double)(UINT64_C(1) << bits);
    double q = (high - low) / codes;
    double code = rint((z - low) / q);
    code = code < 0 ? 0 : code > codes - 1 ? codes - 1 : code;
    return low + q * code;
}

// An error of which no more is known than how large it is at most: even within +- `most`, with the
// standard deviation most/sqrt(3).
static double spread(const ib_SensorTick *tick, double most)
{
    if (!(most > 0)) return 0;
    double u = ib_random_uniform(tick->seed, tick->stream + IB_NOISE_SPREAD, (uint64_t)tick->index);
    return most * (2 * u - 1);
}

// z = saturate(quantise(scale y + bias + noise + spread))
static double update(const ib_SensorConfig *config, const ib_SensorTick *tick, double truth,
                     double *memory)
{
    (void)memory;
    double noise = ib_sampled_noise(tick, config->noise) + spread(tick, config->spread);
    return ib_sampled_limit(config, config->scale * truth + config->bias + noise);
}

static const ib_Param params[] = {
    IB_SENSOR_FAULT_ROWS,
    IB_SENSOR_PARAM("spread", IB_PARAM_NUMBER, "Y", "0", 0, 1e300, NULL, spread,
                    "largest error of a sample, even within +- of this; beside noise"),
};

const ib_SensorKind ib_sampled_kind = {
    .name = "sampled",
    .sentence = "any signal, with scale, bias, noise, steps and a range",
    .shows = "as measured",
    .params = IB_SCHEMA(params),
    .range = true,
    .update = update,
};
