#include "sensor/sampled.h"

#include "base/maths.h"
#include "base/random.h"
#include "sensor/sensor.h"

double ib_sampled_round(double quantum, double low, double high, double z)
{
    if (quantum > 0) z = quantum * rint(z / quantum);
    // Not ib_min and ib_max, which would hide a NaN.
    return z < low ? low : z > high ? high : z;
}

double ib_sampled_limit(const ib_SensorConfig *config, double z)
{
    return ib_sampled_round(config->quantum, config->low, config->high, z);
}

double ib_sampled_noise(const ib_SensorTick *tick, double sd)
{
    if (!(sd > 0)) return 0;
    return sd * ib_random_normal(tick->seed, tick->stream + IB_NOISE_SAMPLE, (uint64_t)tick->index);
}

// tau dx/dt = u - x, solved exactly for a signal that is a straight line between two samples:
//   x <- e x + u - e u0 - (u - u0) (1 - e) tau/T,   e = exp(-T/tau)
// Limits: a constant is unchanged; a ramp is delayed by tau.
double ib_sampled_lag(const ib_SensorConfig *config, const ib_SensorTick *tick, double tau,
                      double u, double *memory)
{
    double u0 = memory[IB_LAG_BEFORE], x = u;
    memory[IB_LAG_BEFORE] = u;
    if (tau > 0) {
        double ratio = ib_time_to_seconds(config->period) / tau;
        double e = ib_exp(-ratio), slope = (1 - e) / ratio;
        x = tick->index > 0 ? e * memory[IB_LAG_VALUE] + u - e * u0 - (u - u0) * slope
                            : memory[IB_LAG_VALUE];
    }
    memory[IB_LAG_VALUE] = x;
    return x;
}

// An error with a known bound only: uniform within +- `most`, with the standard
// deviation most/sqrt(3).
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
