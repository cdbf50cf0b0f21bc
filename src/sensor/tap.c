#include "sensor/tap.h"

#include "base/maths.h"
#include "sensor/sampled.h"
#include "sensor/sensor.h"

//   symbol    meaning                                         unit
//   u, u0     the signal now and one period ago               of the signal
//   x         behind the filter                               of the signal
//   T, tau    period, time constant of the filter             s

static const ib_TapConfig *own(const ib_SensorConfig *config)
{
    return (const void *)config->own;
}

enum { FILTERED, BEFORE, STATES };
enum { MOST_BITS = 32 };

// tau dx/dt = u - x, solved exactly for a signal that is a straight line between two samples:
//   x <- e x + u - e u0 - (u - u0) (1 - e) tau/T,   e = exp(-T/tau)
// Limits: a constant is left alone; a ramp comes out late by tau.
static double filter(const ib_SensorConfig *config, const ib_SensorTick *tick, double u,
                     double *memory)
{
    double tau = own(config)->filter, u0 = memory[BEFORE], x = u;
    memory[BEFORE] = u;
    if (tau > 0) {
        double ratio = ib_time_to_seconds(config->period) / tau;
        double e = ib_exp(-ratio), slope = (1 - e) / ratio;
        x = tick->index > 0 ? e * memory[FILTERED] + u - e * u0 - (u - u0) * slope
                            : memory[FILTERED];
    }
    memory[FILTERED] = x;
    return x;
}

static double convert(const ib_SensorConfig *config, double z)
{
    return ib_sampled_convert(config->low, config->high, own(config)->bits, z);
}

static double reset(const ib_SensorConfig *config, double truth, double *memory)
{
    memory[FILTERED] = memory[BEFORE] = truth;
    return convert(config, config->scale * truth + config->bias);
}

static double update(const ib_SensorConfig *config, const ib_SensorTick *tick, double truth,
                     double *memory)
{
    double x = filter(config, tick, truth, memory);
    return convert(config,
                   config->scale * x + config->bias + ib_sampled_noise(tick, config->noise));
}

static ib_Status check(ib_SensorConfig *config, const char *unit, const char **key, ib_Error *error)
{
    (void)unit;
    if (own(config)->bits == 0 || (isfinite(config->low) && isfinite(config->high))) return IB_OK;
    *key = "bits";
    return ib_error_set(error, IB_BAD_INPUT,
                        "a converter needs its range: 'range' is missing, such as [0 V, 15 V]");
}

static const ib_Param params[] = {
    IB_SENSOR_OWN("bits", IB_PARAM_COUNT, "1", "0", 0, MOST_BITS, NULL, ib_TapConfig, bits,
                  "number of bits of the converter, over its range; 0: no steps"),
    IB_SENSOR_OWN("filter", IB_PARAM_NUMBER, "s", "0 s", 0, 1e7, NULL, ib_TapConfig, filter,
                  "time constant R*C of the filter in front of it; 0: none"),
    IB_SENSOR_ERROR_ROWS,
};

_Static_assert(sizeof(ib_TapConfig) <= sizeof((ib_SensorConfig){0}.own), "it fits in there");

const ib_SensorKind ib_tap_kind = {
    .name = "tap",
    .sentence = "an analogue input (voltage, current, pressure): filter, noise, bits and a range",
    .shows = "as the analogue input reads it",
    .params = IB_SCHEMA(params),
    .range = true,
    .states = STATES,
    IB_SENSOR_FUNCTIONS,
};
