// scenario/sensors.c: `robot.sensors: {gyro: {noise: 0.01 rad/s, period: 5 ms}}`
#include "base/quote.h"
#include "scenario/scenario_inside.h"
#include "scenario/schemas.h"

#include <math.h>
#include <string.h>

// Values of the keys of every kind.
typedef struct SensorValues {
    double period, latency, loss;
} SensorValues;

static const ib_Param params[] = {
    {"period", IB_PARAM_NUMBER, "s", "1 ms", 1e-6, 1e7, NULL, offsetof(SensorValues, period), false,
     "time between two samples"},
    {"latency", IB_PARAM_NUMBER, "s", "0 s", 0, 1e7, NULL, offsetof(SensorValues, latency), false,
     "time from the instant measured to the value seen, whole periods, at most 64"},
    {"loss", IB_PARAM_NUMBER, "1", "0", 0, 1, NULL, offsetof(SensorValues, loss), false,
     "probability that a sample is lost on its way: what was seen before stays"},
};

const ib_Schema ib_sensor_schema = IB_SCHEMA(params);

enum { MOST_KEYS = 96 }; // of all kinds together

// Sensors with a default quantity.
static const struct {
    const char *name;
    ib_SignalRole measures;
} usual[] = {{"gyro", IB_ROLE_YAW_RATE}};

// -------------------------------------------------------------------------------------- the signal

static const ib_SignalDef *find_signal(const ib_RobotPorts *ports, const char *name)
{
    for (int i = 0; i < ports->signal_count; i++)
        if (strcmp(ports->signals[i].name, name) == 0) return &ports->signals[i];
    return NULL;
}

static const ib_SignalDef *find_role(const ib_RobotPorts *ports, ib_SignalRole role)
{
    for (int i = 0; role != IB_ROLE_NONE && i < ports->signal_count; i++)
        if (ports->signals[i].means.role == role) return &ports->signals[i];
    return NULL;
}

// Finds all signals of a kind of several, and names their configs, as imu.pose.pitch. Returns the
// first; NULL: some are missing, or the robot is unknown.
static const ib_SignalDef *read_channels(ib_Reader *reader, const ib_Node *sensor,
                                         const ib_SensorKind *kind, const ib__Robot *robot,
                                         ib_SensorConfig *configs)
{
    const ib_RobotPorts *ports = robot->config.kind ? &robot->made.ports : NULL;
    const ib_SignalDef *first = NULL;
    bool all = true;
    for (int k = ib_sensor_channels(kind) - 1; k >= 0; k--) {
        const char *role = ib_role_name(kind->all[k]);
        first = ports ? find_role(ports, kind->all[k]) : NULL;
        all &= first != NULL;
        configs[k].signal = first ? first->name : role; // stands in where there is none
        configs[k].channel = k;
        configs[k].name = ib_arena_format(reader->arena, "%s.%s", sensor->key, configs[k].signal);
        if (!configs[k].name) configs[k].name = sensor->key;
    }
    if (ports && !all && !ib__is_unsure(robot, ""))
        ib_wrong_gap(reader, sensor,
                     "the robot has no attitude, rates and accelerations in space, which this "
                     "sensor measures: expected one of bodies that MuJoCo moves");
    return all ? first : NULL;
}

// Gives the keys that were read to all channels.
static void copy_to_channels(const ib_SensorKind *kind, ib_SensorConfig *configs)
{
    for (int k = ib_sensor_channels(kind) - 1; k > 0; k--) {
        ib_SensorConfig channel = configs[k];
        configs[k] = configs[0];
        configs[k].name = channel.name;
        configs[k].signal = channel.signal;
        configs[k].channel = channel.channel;
    }
}

static void refuse_signal(ib_Reader *reader, const ib_Node *node, const ib_RobotPorts *ports)
{
    const char **names =
        ib_arena_array(reader->arena, (size_t)ports->signal_count + 1, sizeof *names);
    for (int i = 0; names && i < ports->signal_count; i++) names[i] = ports->signals[i].name;
    const char *near = names ? ib_nearest_word(node->text, names) : NULL;
    const char *closest = near || !names ? near : ib_closest_word(node->text, names);
    ib_wrong_value(reader, node, "the robot has no signal '%s'; %s '%s'%s",
                   ib_quote(node->text).text, near ? "did you mean" : "the nearest is",
                   closest ? closest : ports->signals[0].name, near ? "?" : "");
}

// Returns the measured signal; NULL if that is wrong, or the robot is unknown (no `ports`).
static const ib_SignalDef *read_signal(ib_Reader *reader, const ib_Node *sensor,
                                       const ib_SensorKind *kind, const ib__Robot *robot)
{
    const ib_RobotPorts *ports = robot->config.kind ? &robot->made.ports : NULL;
    const ib_Node *node = ib_node_get(sensor, "signal");
    if (node) {
        const char *name = ib_read_text(reader, node, "the name of a signal");
        const ib_SignalDef *signal = name && ports ? find_signal(ports, name) : NULL;
        bool open = name && ib__is_unsure(robot, name);
        if (name && ports && !signal && !open) refuse_signal(reader, node, ports);
        return open ? NULL : signal;
    }
    if (!kind) return NULL; // one of unknown kind may have a default quantity
    ib_SignalRole role = kind->measures;
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (strcmp(sensor->key, usual[i].name) == 0) role = usual[i].measures;
    const ib_SignalDef *signal = ports ? find_role(ports, role) : NULL;
    if (role == IB_ROLE_NONE || (ports && !signal && !ib__is_unsure(robot, "")))
        ib_wrong_gap(reader, sensor, "'signal' is missing: expected what the sensor measures%s%s",
                     ports ? ", such as " : "", ports ? ports->signals[0].name : "");
    return signal;
}

// -------------------------------------------------------------------------------------- its values

// Its kind, or NULL where that is wrong.
static const ib_SensorKind *read_kind(ib_Reader *reader, const ib_Node *sensor,
                                      ib_SensorConfig *config)
{
    const ib_Node *node = ib_node_get(sensor, "kind");
    const char *names[IB_MAX_WORDS + 1] = {NULL};
    if (!node) return ib_sensor_kind(config);
    for (int i = 0; ib_sensor_kinds[i] && i < IB_MAX_WORDS; i++)
        names[i] = ib_sensor_kinds[i]->name;
    const char *text = ib_read_word(reader, node, names);
    config->kind = text ? ib_sensor_kind_find(text) : NULL;
    return config->kind;
}

// Lists the keys that `params` does not read: those of the kind, or of all kinds if it is unknown.
static void list_others(const ib_SensorKind *kind, const char *others[MOST_KEYS + 1])
{
    int count = 0;
    others[count++] = "kind";
    if (!kind || !kind->all) others[count++] = "signal";
    if (!kind || kind->range) others[count++] = "range";
    for (int i = 0; ib_sensor_kinds[i]; i++) {
        const ib_Schema *own = &ib_sensor_kinds[i]->params;
        if (kind && kind != ib_sensor_kinds[i]) continue;
        for (int k = 0; k < own->count && count < MOST_KEYS; k++)
            others[count++] = own->params[k].key;
    }
    others[count] = NULL;
}

// Noise, bias and quantum are steps of the signal's unit: 2 degF of noise are 1.1 K. Without a unit
// they must be plain numbers.
static void read_step(ib_Reader *reader, const ib_Node *node, const ib_Param *row, const char *unit,
                      ib_SensorConfig *config)
{
    ib_Param param = *row;
    param.unit = unit;
    double value;
    ib_Error error;
    if (ib_read_number(reader, node, unit, true, &value) && unit &&
        ib_schema_set_read(&param, value, node->type == IB_NODE_SCALAR ? node->text : NULL, config,
                           &error) != IB_OK)
        ib_wrong_value(reader, node, "%s", error.text);
}

static void read_own(ib_Reader *reader, const ib_Node *sensor, const ib_SensorKind *kind,
                     const char *unit, ib_SensorConfig *config)
{
    ib_Error error;
    IB_ASSERT_SAY(ib_sensor_default(kind, config, &error) == IB_OK,
                  "the table of the sensor '%s' has a wrong default: %s", kind->name, error.text);
    for (int i = 0; i < kind->params.count; i++) {
        const ib_Param *param = &kind->params.params[i];
        const ib_Node *node = ib_node_get(sensor, param->key);
        if (node && ib_sensor_has_signals_unit(param))
            read_step(reader, node, param, unit, config);
        else if (node)
            ib_read_param(reader, node, param, config);
    }
}

static void read_range(ib_Reader *reader, const ib_Node *sensor, const char *unit,
                       ib_SensorConfig *config)
{
    const ib_Node *node = ib_node_get(sensor, "range");
    double low, high;
    config->low = -INFINITY;
    config->high = INFINITY;
    if (!node || !ib_read_pair(reader, node, unit, "[-5 rad/s, 5 rad/s]", &low, &high)) return;
    if (low < high || !unit) {
        config->low = low;
        config->high = high;
    } else {
        char first[IB_QUOTE_LENGTH + 8], last[IB_QUOTE_LENGTH + 8];
        ib_node_describe(node->first, first, sizeof first);
        ib_node_describe(node->last, last, sizeof last);
        ib_wrong_value(reader, node, "the range is empty: expected [lowest, highest], got %s to %s",
                       first, last);
    }
}

static void read_times(ib_Reader *reader, const ib_Node *sensor, const SensorValues *values,
                       bool good, ib_SensorConfig *config)
{
    config->period = ib_time_from_seconds(values->period);
    if (!good) return; // times that stand in for wrong ones are no reason to refuse others
    ib_Time latency = ib_time_from_seconds(values->latency);
    const ib_Node *node = ib_node_get(sensor, "latency");
    bool whole = latency % config->period == 0;
    bool few = latency / config->period <= IB_SENSOR_DELAY_MAX;
    if (whole && few) config->latency = latency;
    if (node && !whole)
        ib_wrong_value(reader, node, "expected a whole number of periods of %g s, got '%s'",
                       values->period, ib_quote(node->text).text);
    else if (node && !few)
        ib_wrong_value(reader, node, "expected at most %d periods of %g s, got '%s'",
                       IB_SENSOR_DELAY_MAX, values->period, ib_quote(node->text).text);
}

// Checks that need all keys and the unit of the signal together.
static void check_sensor(ib_Reader *reader, const ib_Node *sensor, const char *unit,
                         ib_SensorConfig *config)
{
    const char *key;
    ib_Error error;
    if (ib_sensor_check(config, unit, &key, &error) == IB_OK) return;
    const ib_Node *node = key[0] ? ib_node_get(sensor, key) : NULL;
    if (node)
        ib_wrong_value(reader, node, "%s", error.text);
    else
        ib_wrong_gap(reader, sensor, "%s", error.text);
}

// False: its quantity, or the unit of its signal, is unknown.
static bool read_sensor(ib_Reader *reader, const ib_Node *sensor, const ib__Robot *robot,
                        ib_SensorConfig *config)
{
    const ib_RobotPorts *ports = robot->config.kind ? &robot->made.ports : NULL;
    const char *others[MOST_KEYS + 1];
    SensorValues values = {0};
    int before = ib_diagnostics_seen(reader->diagnostics);
    config->name = sensor->key;
    config->period = IB_SECOND / 1000;
    config->signal = ports ? ports->signals[0].name : ""; // stands in where that is wrong
    if (!ib_check_map(reader, sensor, "a map with signal, noise and so on")) return false;

    const ib_SensorKind *kind = read_kind(reader, sensor, config);
    const ib_SignalDef *signal = kind && kind->all
                                     ? read_channels(reader, sensor, kind, robot, config)
                                     : read_signal(reader, sensor, kind, robot);
    const char *unit = signal ? signal->unit : NULL;
    list_others(kind, others);
    int seen = ib_diagnostics_seen(reader->diagnostics);
    ib_read_schema(reader, sensor, &ib_sensor_schema, others, &values);
    bool good = ib_diagnostics_seen(reader->diagnostics) == seen;
    if (kind) read_own(reader, sensor, kind, unit, config);
    if (!kind || kind->range) read_range(reader, sensor, unit, config);
    read_times(reader, sensor, &values, good, config);
    config->loss = values.loss;
    if (signal) config->signal = signal->name;
    if (unit && ib_diagnostics_seen(reader->diagnostics) == before)
        check_sensor(reader, sensor, unit, config);
    copy_to_channels(kind, config);
    return signal && ib_diagnostics_seen(reader->diagnostics) == before;
}

static int count_channels(const ib_Node *sensor)
{
    const ib_Node *kind = ib_node_get(sensor, "kind");
    bool told = kind && kind->type == IB_NODE_SCALAR;
    return ib_sensor_channels(told ? ib_sensor_kind_find(kind->text) : NULL);
}

// Makes room for all of them. False: the sensors are unknown.
static bool make_sensors(ib_Reader *reader, const ib_Node *node, ib__Robot *robot)
{
    if (!ib_check_map(reader, node, "a map of sensors, each by its name")) return false;
    if (node->count > IB__MAX_SENSORS) {
        ib_wrong_value(reader, node, "%d sensors: expected at most %d", node->count,
                       IB__MAX_SENSORS);
        return false;
    }
    size_t channels = 0;
    for (const ib_Node *child = node->first; child; child = child->next)
        channels += (size_t)count_channels(child);
    robot->sensors = ib_arena_array(reader->arena, channels, sizeof *robot->sensors);
    if (!robot->sensors) ib_wrong_value(reader, node, "out of memory");
    return robot->sensors != NULL;
}

void ib__read_sensors(ib_Reader *reader, ib__Robot *robot)
{
    ib_Node *node = ib_node_get(robot->node, "sensors");
    if (!node) return;
    if (!make_sensors(reader, node, robot)) {
        robot->blind = node->refused = true;
        return;
    }
    for (ib_Node *child = node->first; child; child = child->next) {
        if (!ib_check_name(reader, child, "a sensor")) node->refused = true;
        ib_SensorConfig *config = &robot->sensors[robot->sensor_count];
        robot->sensor_count += count_channels(child);
        if (read_sensor(reader, child, robot, config)) continue;
        child->refused = robot->blind = true;
    }
}
