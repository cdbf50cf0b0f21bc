#include "sensor/transducer.h"

#include "base/converter.h"
#include "sensor/sampled.h"
#include "sensor/sensor.h"

static const ib_TransducerConfig *own(const ib_SensorConfig *config)
{
    return (const void *)config->own;
}

// Its memory: of the lag, then of the filter, for every order.
enum { FILTER = IB_LAG_STATES, STATES = IB_LAG_STATES + IB_FILTER_ORDER };

static double convert(const ib_SensorConfig *config, double z)
{
    return ib_convert(config->low, config->high, own(config)->bits, z);
}

static double reset(const ib_SensorConfig *config, double truth, double *memory)
{
    double z = convert(config, config->scale * truth + config->bias);
    memory[IB_LAG_VALUE] = memory[IB_LAG_BEFORE] = truth;
    ib_filter_settle(&own(config)->made, z, memory + FILTER);
    return z;
}

// z = filter(convert(scale x + bias + noise)),   x behind the lag
static double update(const ib_SensorConfig *config, const ib_SensorTick *tick, double truth,
                     double *memory)
{
    double x = ib_sampled_lag(config, tick, own(config)->lag, truth, memory);
    double noise = ib_sampled_noise(tick, config->noise);
    double z = convert(config, config->scale * x + config->bias + noise);
    return ib_filter_step(&own(config)->made, z, memory + FILTER);
}

static ib_Status check(ib_SensorConfig *config, const char *unit, const char **key, ib_Error *error)
{
    (void)unit;
    ib_TransducerConfig *transducer = (void *)config->own;
    if (transducer->bits > 0 && !(isfinite(config->low) && isfinite(config->high))) {
        *key = "bits";
        return ib_error_set(error, IB_BAD_INPUT,
                            "a converter needs its range: 'range' is missing, such as [0 psig, "
                            "150 psig]");
    }
    double rate = 1 / ib_time_to_seconds(config->period);
    return ib_filter_init(&transducer->filter, rate, &transducer->made, key, error);
}

static const ib_Param params[] = {
    IB_SENSOR_OWN("lag", IB_PARAM_NUMBER, "s", "0 s", 0, 1e7, NULL, ib_TransducerConfig, lag,
                  "time constant with which the element follows; 0: none"),
    IB_SENSOR_OWN("bits", IB_PARAM_COUNT, "1", "0", 0, IB_CONVERTER_BITS, NULL, ib_TransducerConfig,
                  bits, "number of bits of the converter, over its range; 0: no steps"),
    IB_SENSOR_ERROR_ROWS,
    IB_FILTER_ROWS(offsetof(ib_SensorConfig, own) + offsetof(ib_TransducerConfig, filter)),
};

_Static_assert(sizeof(ib_TransducerConfig) <= sizeof((ib_SensorConfig){0}.own), "it fits in there");

const ib_SensorKind ib_transducer_kind = {
    .name = "transducer",
    .sentence = "a sensor of a test rig (pressure, position, force): lag, noise, bits, filter",
    .shows = "as the transducer shows it",
    .params = IB_SCHEMA(params),
    .range = true,
    .states = STATES,
    IB_SENSOR_FUNCTIONS,
};
