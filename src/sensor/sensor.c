// sensor/sensor.c: what all kinds of sensors share: the line of samples that are on their way.
#include "sensor/sensor.h"

#include "sensor/sampled.h"

const ib_SensorKind *const ib_sensor_kinds[] = {
    [IB_SENSOR_SAMPLED] = &ib_sampled_kind,
    [IB_SENSOR_ENCODER] = &ib_encoder_kind,
    [IB_SENSOR_GYRO] = &ib_gyro_kind,
    [IB_SENSOR_TAP] = &ib_tap_kind,
    [IB_SENSOR_TYPES] = NULL,
};

static const ib_SensorKind *kind_of(const ib_SensorConfig *config)
{
    IB_ASSERT(config->type >= 0 && config->type < IB_SENSOR_TYPES);
    return ib_sensor_kinds[config->type];
}

// Samples between the instant measured and the value seen.
static int delay(const ib_SensorConfig *config)
{
    return (int)(config->latency / config->period);
}

ib_Status ib_sensor_check(ib_SensorConfig *config, const char *unit, const char **key,
                          ib_Error *error)
{
    const ib_SensorKind *kind = kind_of(config);
    *key = "";
    return kind->check ? kind->check(config, unit, key, error) : IB_OK;
}

int ib_sensor_states(const ib_SensorConfig *config)
{
    return 1 + delay(config) + kind_of(config)->states;
}

void ib_sensor_reset(const ib_SensorConfig *config, double truth, double *state)
{
    int line = 1 + delay(config);
    double z = kind_of(config)->reset(config, truth, state + line);
    for (int i = 0; i < line; i++) state[i] = z;
}

void ib_sensor_update(const ib_SensorConfig *config, uint64_t seed, uint64_t stream, int64_t index,
                      double truth, double *state)
{
    // The line of samples moves up by one; the newest joins at its end.
    int last = delay(config);
    for (int i = 0; i < last; i++) state[i] = state[i + 1];
    ib_SensorTick tick = {seed, stream, index};
    state[last] = kind_of(config)->update(config, &tick, truth, state + last + 1);
}
