#include "sensor/contact_switch.h"

#include "base/maths.h"
#include "sensor/sampled.h"
#include "sensor/sensor.h"

static const ib_SwitchConfig *own(const ib_SensorConfig *config)
{
    return (const void *)config->own;
}

enum {
    CLOSED,  ///< shown
    CHANGED, ///< samples in a row on the other side
    STATES
};

static double measure(const ib_SensorConfig *config, const ib_SensorTick *tick, double truth)
{
    return config->scale * truth + config->bias + ib_sampled_noise(tick, config->noise);
}

static double reset(const ib_SensorConfig *config, double truth, double *memory)
{
    ib_SensorConfig quiet = *config;
    quiet.noise = 0;
    return memory[CLOSED] = measure(&quiet, &(ib_SensorTick){0}, truth) > own(config)->on;
}

// The switch changes once every sample has been on the other side for the time `debounce`: at the
// first one where that is 0. Between `off` and `on` nothing begins.
static double update(const ib_SensorConfig *config, const ib_SensorTick *tick, double truth,
                     double *memory)
{
    const ib_SwitchConfig *s = own(config);
    double z = measure(config, tick, truth), T = ib_time_to_seconds(config->period);
    bool other = memory[CLOSED] > 0 ? z < s->off : z > s->on;
    memory[CHANGED] = other ? memory[CHANGED] + 1 : 0;
    if (other && (memory[CHANGED] - 1) * T >= s->debounce - 1e-9) {
        memory[CLOSED] = 1 - memory[CLOSED];
        memory[CHANGED] = 0;
    }
    return memory[CLOSED];
}

static ib_Status check(ib_SensorConfig *config, const char *unit, const char **key, ib_Error *error)
{
    (void)unit;
    config->unit = "1";
    config->quantum = 1;
    if (own(config)->off <= own(config)->on) return IB_OK;
    *key = "off";
    return ib_error_set(error, IB_BAD_INPUT, "it opens above the value at which it closes");
}

static const ib_Param params[] = {
    IB_SENSOR_OWN("on", IB_PARAM_NUMBER, "Y", "0", -1e300, 1e300, NULL, ib_SwitchConfig, on,
                  "it closes above this"),
    IB_SENSOR_OWN("off", IB_PARAM_NUMBER, "Y", "0", -1e300, 1e300, NULL, ib_SwitchConfig, off,
                  "it opens below this, at most the value at which it closes"),
    IB_SENSOR_OWN("debounce", IB_PARAM_NUMBER, "s", "0 s", 0, 1e3, NULL, ib_SwitchConfig, debounce,
                  "time for which all samples are on the other side before it changes"),
    IB_SENSOR_ERROR_ROWS,
};

_Static_assert(sizeof(ib_SwitchConfig) <= sizeof((ib_SensorConfig){0}.own), "it fits in there");

const ib_SensorKind ib_contact_switch_kind = {
    .name = "switch",
    .sentence = "1 while a signal is large, such as the force on a foot: threshold, debounced",
    .shows = "is large, by the switch: 1, else 0",
    .params = IB_SCHEMA(params),
    .binary = true,
    .states = STATES,
    IB_SENSOR_FUNCTIONS,
};
