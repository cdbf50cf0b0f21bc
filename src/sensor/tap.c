#include "sensor/tap.h"

#include "base/converter.h"
#include "sensor/sampled.h"
#include "sensor/sensor.h"

static const ib_TapConfig *own(const ib_SensorConfig *config)
{
    return (const void *)config->own;
}

static double convert(const ib_SensorConfig *config, double z)
{
    return ib_convert(config->low, config->high, own(config)->bits, z);
}

static double reset(const ib_SensorConfig *config, double truth, double *memory)
{
    memory[IB_LAG_VALUE] = memory[IB_LAG_BEFORE] = truth;
    return convert(config, config->scale * truth + config->bias);
}

static double update(const ib_SensorConfig *config, const ib_SensorTick *tick, double truth,
                     double *memory)
{
    double x = ib_sampled_lag(config, tick, own(config)->filter, truth, memory);
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
    IB_SENSOR_OWN("bits", IB_PARAM_COUNT, "1", "0", 0, IB_CONVERTER_BITS, NULL, ib_TapConfig, bits,
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
    .states = IB_LAG_STATES,
    IB_SENSOR_FUNCTIONS,
};
