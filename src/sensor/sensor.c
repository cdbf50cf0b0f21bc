// sensor/sensor.c: the delay line of samples, shared by all kinds of sensors.
#include "sensor/sensor.h"

#include "base/random.h"

#include <string.h>

// Each kind has an entry in both lists.
extern const ib_SensorKind ib_sampled_kind;
extern const ib_SensorKind ib_encoder_kind;
extern const ib_SensorKind ib_gyro_kind;
extern const ib_SensorKind ib_analog_gyro_kind;
extern const ib_SensorKind ib_tap_kind;
extern const ib_SensorKind ib_transducer_kind;
extern const ib_SensorKind ib_imu_kind;
extern const ib_SensorKind ib_contact_switch_kind;

// clang-format off
const ib_SensorKind *const ib_sensor_kinds[] = {
    &ib_sampled_kind,
    &ib_encoder_kind,
    &ib_gyro_kind,
    &ib_analog_gyro_kind,
    &ib_tap_kind,
    &ib_transducer_kind,
    &ib_imu_kind,
    &ib_contact_switch_kind,
    NULL,
};
// clang-format on

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

int ib_sensor_channels(const ib_SensorKind *kind)
{
    int count = 0;
    while (kind && kind->all && kind->all[count] != IB_ROLE_NONE) count++;
    return count > 0 ? count : 1;
}

// The latency in samples.
static int delay(const ib_SensorConfig *config)
{
    return (int)(config->latency / config->period);
}

bool ib_sensor_has_signals_unit(const ib_Param *row)
{
    return strcmp(row->unit, "Y") == 0;
}

// The default of a row in the unit of the signal is a plain number in that SI unit.
ib_Status ib_sensor_default(const ib_SensorKind *kind, ib_SensorConfig *config, ib_Error *error)
{
    for (int i = 0; i < kind->params.count; i++) {
        ib_Param row = kind->params.params[i];
        if (ib_sensor_has_signals_unit(&row)) row.unit = "1";
        ib_Status status =
            ib_schema_default(&(ib_Schema){.params = &row, .count = 1}, config, error);
        if (status != IB_OK) return status;
    }
    return IB_OK;
}

ib_Status ib_sensor_check(ib_SensorConfig *config, const char *unit, const char **key,
                          ib_Error *error)
{
    const ib_SensorKind *kind = ib_sensor_kind(config);
    *key = "";
    IB_ASSERT_SAY(kind->all ? kind->start && kind->sample : kind->update != NULL,
                  "the table of the sensor '%s' has no .update, or no .start and .sample",
                  kind->name);
    IB_ASSERT_SAY(kind->shows, "the table of the sensor '%s' has no .shows", kind->name);
    return kind->check ? kind->check(config, unit, key, error) : IB_OK;
}

int ib_sensor_states(const ib_SensorConfig *config)
{
    const ib_SensorKind *kind = ib_sensor_kind(config);
    if (config->channel > 0) return 0;
    return ib_sensor_channels(kind) * (1 + delay(config)) + kind->states;
}

void ib_sensor_reset(const ib_SensorConfig *config, const double *truth, double *state)
{
    const ib_SensorKind *kind = ib_sensor_kind(config);
    int channels = ib_sensor_channels(kind), line = channels * (1 + delay(config));
    double *memory = state + line;
    for (int i = 0; i < kind->states; i++) memory[i] = 0;
    if (kind->start) {
        kind->start(config, truth, memory, state);
    } else if (kind->reset) {
        state[0] = kind->reset(config, truth[0], memory);
    } else {
        ib_SensorConfig quiet = *config;
        quiet.noise = quiet.spread = 0;
        state[0] = kind->update(&quiet, &(ib_SensorTick){0}, truth[0], memory);
    }
    for (int i = channels; i < line; i++) state[i] = state[i - channels];
}

void ib_sensor_update(const ib_SensorConfig *config, uint64_t seed, uint64_t stream, int64_t index,
                      const double *truth, double *state)
{
    // The delay line moves up by one; the newest sample joins at its end.
    const ib_SensorKind *kind = ib_sensor_kind(config);
    int channels = ib_sensor_channels(kind), last = channels * delay(config);
    double z[IB_SENSOR_CHANNELS], *memory = state + last + channels;
    for (int i = 0; i < last; i++) state[i] = state[i + channels];
    ib_SensorTick tick = {seed, stream, index};
    if (kind->sample)
        kind->sample(config, &tick, truth, memory, z);
    else
        z[0] = kind->update(config, &tick, truth[0], memory);
    // A lost sample repeats the one before it.
    bool lost = config->loss > 0 &&
                ib_random_uniform(seed, stream + IB_NOISE_LOSS, (uint64_t)index) < config->loss;
    if (!lost) memcpy(state + last, z, (size_t)channels * sizeof *z);
}
