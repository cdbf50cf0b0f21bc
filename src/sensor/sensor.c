// sensor/sensor.c: what all kinds of sensors share: the line of samples that are on their way.
#include "sensor/sensor.h"

#include <string.h>

extern const ib_SensorKind ib_sampled_kind, ib_encoder_kind, ib_gyro_kind, ib_tap_kind;

const ib_SensorKind *const ib_sensor_kinds[] = {
    &ib_sampled_kind, &ib_encoder_kind, &ib_gyro_kind, &ib_tap_kind, NULL,
};

const ib_SensorKind *ib_sensor_kind_find(const char *name)
{
    for (int i = 0; ib_sensor_kinds[i]; i++)
        if (strcmp(ib_sensor_kinds[i]->name, name) == 0) return ib_sensor_kinds[i];
    return NULL;
}

const ib_SensorKind *ib_sensor_kind(const ib_SensorConfig *config)
{
    return config->kind ? config->kind : &ib_sampled_kind;
}

// Samples between the instant measured and the value seen.
static int delay(const ib_SensorConfig *config)
{
    return (int)(config->latency / config->period);
}

ib_Status ib_sensor_check(ib_SensorConfig *config, const char *unit, const char **key,
                          ib_Error *error)
{
    const ib_SensorKind *kind = ib_sensor_kind(config);
    *key = "";
    return kind->check ? kind->check(config, unit, key, error) : IB_OK;
}

int ib_sensor_states(const ib_SensorConfig *config)
{
    return 1 + delay(config) + ib_sensor_kind(config)->states;
}

void ib_sensor_reset(const ib_SensorConfig *config, double truth, double *state)
{
    int line = 1 + delay(config);
    double z = ib_sensor_kind(config)->reset(config, truth, state + line);
    for (int i = 0; i < line; i++) state[i] = z;
}

void ib_sensor_update(const ib_SensorConfig *config, uint64_t seed, uint64_t stream, int64_t index,
                      double truth, double *state)
{
    // The line of samples moves up by one; the newest joins at its end.
    int last = delay(config);
    for (int i = 0; i < last; i++) state[i] = state[i + 1];
    ib_SensorTick tick = {seed, stream, index};
    state[last] = ib_sensor_kind(config)->update(config, &tick, truth, state + last + 1);
}
