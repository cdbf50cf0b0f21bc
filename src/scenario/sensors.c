// scenario/sensors.c: `robot.sensors: {gyro: {noise: 0.01 rad/s, period: 5 ms}}`
#include "base/quote.h"
#include "scenario/reader.h"
#include "scenario/schemas.h"

#include <math.h>
#include <string.h>

// What the keys of a sensor are read into; noise, bias and quantum in the unit of its signal.
typedef struct SensorValues {
    double scale, bias, noise, quantum, period, latency;
} SensorValues;

#define FIELD(key, unit, fallback, min, max, field, sentence)                                      \
    {                                                                                              \
        key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, offsetof(SensorValues, field),       \
            false, sentence                                                                        \
    }

static const ib_Param params[] = {
    FIELD("scale", "1", "1", -1e6, 1e6, scale, "factor on the true value"),
    FIELD("period", "s", "1 ms", 1e-9, 1e7, period, "time between samples"),
    FIELD("latency", "s", "0 s", 0, 1e7, latency,
          "from the instant measured to the value seen, a whole number of periods, at most 64"),
    FIELD("noise", "1", "0", 0, 1e300, noise,
          "standard deviation of one sample, in the unit of the signal"),
    FIELD("bias", "1", "0", -1e300, 1e300, bias,
          "added to every sample, in the unit of the signal"),
    FIELD("quantum", "1", "0", 0, 1e300, quantum,
          "smallest step of the value, in the unit of the signal; 0: none"),
};

const ib_Schema ib_sensor_schema = {params, sizeof params / sizeof params[0]};

enum { FIXED_UNIT = 3 }; // the first of `params` whose unit is that of the signal

// Sensors that need not say what they measure.
static const struct {
    const char *name, *signal;
} usual[] = {{"gyro", "velocity.heading"}};

// ------------------------------------------------------------------------------------- the signal

static const ib_SignalDef *find_signal(const ib_RobotPorts *ports, const char *name)
{
    for (int i = 0; i < ports->signal_count; i++)
        if (strcmp(ports->signals[i].name, name) == 0) return &ports->signals[i];
    return NULL;
}

static void refuse_signal(ib__Reader *reader, const ib_Node *node, const ib_RobotPorts *ports)
{
    const char **names =
        ib_arena_array(reader->arena, (size_t)ports->signal_count + 1, sizeof *names);
    for (int i = 0; names && i < ports->signal_count; i++) names[i] = ports->signals[i].name;
    const char *near = names ? ib_nearest_word(node->text, names) : NULL;
    const char *closest = near || !names ? near : ib__closest_word(node->text, names);
    ib__wrong_value(reader, node, "the robot has no signal '%s'; %s '%s'%s",
                    ib_quote(node->text).text, near ? "did you mean" : "the nearest is",
                    closest ? closest : ports->signals[0].name, near ? "?" : "");
}

// What the sensor measures; NULL where that is wrong, or where the robot is unknown (no `ports`).
static const ib_SignalDef *read_signal(ib__Reader *reader, const ib_Node *sensor,
                                       const ib_RobotPorts *ports)
{
    const ib_Node *node = ib_node_get(sensor, "signal");
    const char *name = node ? ib__read_text(reader, node, "the name of a signal") : NULL;
    for (size_t i = 0; !node && i < sizeof usual / sizeof usual[0]; i++)
        if (strcmp(sensor->key, usual[i].name) == 0) name = usual[i].signal;

    const ib_SignalDef *signal = name && ports ? find_signal(ports, name) : NULL;
    if (!node && (!name || (ports && !signal)))
        ib__wrong_gap(reader, sensor,
                      "'signal' is missing: expected what the sensor measures, "
                      "such as %s",
                      ports ? ports->signals[0].name : usual[0].signal);
    else if (node && name && ports && !signal)
        refuse_signal(reader, node, ports);
    return signal;
}

// -------------------------------------------------------------------------------------- its values

// Noise, bias and quantum are steps of the signal's unit: 2 degF of noise are 1.1 K. Without a unit
// they must be numbers at least.
static void read_steps(ib__Reader *reader, const ib_Node *sensor, const char *unit,
                       SensorValues *values)
{
    for (int i = FIXED_UNIT; i < ib_sensor_schema.count; i++) {
        ib_Param param = params[i];
        param.unit = unit;
        const ib_Node *node = ib_node_get(sensor, param.key);
        double value;
        ib_Error error;
        if (node && ib__read_number(reader, node, unit, true, &value) && unit &&
            ib_schema_set_read(&param, value, node->type == IB_NODE_SCALAR ? node->text : NULL,
                               values, &error) != IB_OK)
            ib__wrong_value(reader, node, "%s", error.text);
    }
}

static void read_range(ib__Reader *reader, const ib_Node *sensor, const char *unit,
                       ib_SensorConfig *config)
{
    const ib_Node *node = ib_node_get(sensor, "range");
    double low, high;
    config->low = -INFINITY;
    config->high = INFINITY;
    if (!node || !ib__read_pair(reader, node, unit, "[-5 rad/s, 5 rad/s]", &low, &high)) return;
    if (low < high || !unit) {
        config->low = low;
        config->high = high;
    } else {
        char first[IB_QUOTE_LENGTH + 8], last[IB_QUOTE_LENGTH + 8];
        ib_node_describe(node->first, first, sizeof first);
        ib_node_describe(node->last, last, sizeof last);
        ib__wrong_value(reader, node,
                        "the range is empty: expected [lowest, highest], got %s to %s", first,
                        last);
    }
}

static void read_times(ib__Reader *reader, const ib_Node *sensor, const SensorValues *values,
                       ib_SensorConfig *config)
{
    config->period = ib_time_from_seconds(values->period);
    ib_Time latency = ib_time_from_seconds(values->latency);
    const ib_Node *node = ib_node_get(sensor, "latency");
    bool whole = latency % config->period == 0;
    bool few = latency / config->period <= IB_SENSOR_DELAY_MAX;
    if (whole && few) config->latency = latency;
    if (node && !whole)
        ib__wrong_value(reader, node, "expected a whole number of periods of %g s, got '%s'",
                        values->period, ib_quote(node->text).text);
    else if (node && !few)
        ib__wrong_value(reader, node, "expected at most %d periods of %g s, got '%s'",
                        IB_SENSOR_DELAY_MAX, values->period, ib_quote(node->text).text);
}

static void read_sensor(ib__Reader *reader, const ib_Node *sensor, const ib_RobotPorts *ports,
                        ib_SensorConfig *config)
{
    static const char *const others[] = {"signal", "range", "noise", "bias", "quantum", NULL};
    static const ib_Schema fixed = {params, FIXED_UNIT};
    SensorValues values = {0};
    config->name = sensor->key;
    config->period = IB_SECOND / 1000;
    config->signal = ports ? ports->signals[0].name : ""; // stands in where that is wrong
    if (!ib__is_map(reader, sensor, "a map with signal, noise and so on")) return;

    const ib_SignalDef *signal = read_signal(reader, sensor, ports);
    const char *unit = signal ? signal->unit : NULL;
    ib__read_schema(reader, sensor, &fixed, others, &values);
    read_steps(reader, sensor, unit, &values);
    read_range(reader, sensor, unit, config);
    read_times(reader, sensor, &values, config);
    if (signal) config->signal = signal->name;
    config->scale = values.scale;
    config->bias = values.bias;
    config->noise = values.noise;
    config->quantum = values.quantum;
}

void ib__read_sensors(ib__Reader *reader, ib__Robot *robot)
{
    const ib_Node *node = ib_node_get(robot->node, "sensors");
    if (!node || !ib__is_map(reader, node, "a map of sensors, each by its name")) return;
    if (node->count > IB__MAX_SENSORS) {
        ib__wrong_value(reader, node, "%d sensors: expected at most %d", node->count,
                        IB__MAX_SENSORS);
        return;
    }
    robot->sensors = ib_arena_array(reader->arena, (size_t)node->count, sizeof *robot->sensors);
    if (!robot->sensors) {
        ib__wrong_value(reader, node, "out of memory");
        return;
    }
    const ib_RobotPorts *ports = robot->config.kind ? &robot->ports : NULL;
    for (const ib_Node *child = node->first; child; child = child->next) {
        ib__is_name(reader, child, "a sensor");
        read_sensor(reader, child, ports, &robot->sensors[child->index]);
    }
    robot->sensor_count = node->count;
}
