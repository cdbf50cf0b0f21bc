// scenario/control_loop.c: controllers that read sensors:
//   control: {design: ../designs/elevator.json, sensors: [height], inputs: [motor]}
//   control: {kind: drive, design: ../designs/kitbot_drive.yaml, sensors: [left, right, gyro],
//             half_track: 12 in}
//   control: {plugin: ./drive.so}
#include "base/quote.h"
#include "control/drive_controller.h"
#include "control/feedback_controller.h"
#include "scenario/design_file.h"
#include "scenario/design_json.h"
#include "scenario/reader.h"
#include "scenario/schemas.h"
#include "sim/control.h"

#include <string.h>

static const char *const kinds[] = {"feedback", "drive", NULL};
enum { FEEDBACK, DRIVE };

typedef struct LoopValues {
    int kind;
    double half_track, radius, top_speed, pivot_rate, pivot_below, voltage, lowest, wheel_radius;
} LoopValues;

#define NUMBER(key, unit, fallback, low, high, field, sentence)                                    \
    {                                                                                              \
        key, IB_PARAM_NUMBER, unit, fallback, low, high, NULL, offsetof(LoopValues, field), false, \
            sentence                                                                               \
    }

static const ib_Param params[] = {
    {"kind", IB_PARAM_CHOICE, "1", "feedback", 0, 1, kinds, offsetof(LoopValues, kind), false,
     "hold the states given as inputs goal.<state>, or drive by throttle and turn"},
    NUMBER("half_track", "m", "0 m", 0, 10, half_track, "drive: half the distance of the sides"),
    NUMBER("radius", "m", "0.6 m", 0.01, 100, radius,
           "drive: of the tightest turn, with the wheel fully turned"),
    NUMBER("top_speed", "m/s", "0 m/s", 0, 100, top_speed,
           "drive: at full throttle; 0: what the full voltage gives in each gear"),
    NUMBER("pivot_rate", "rad/s", "0 rad/s", 0, 100, pivot_rate,
           "drive: on the spot, with the wheel fully turned; 0: what the full voltage gives"),
    NUMBER("pivot_below", "1", "0.05", 0, 1, pivot_below,
           "drive: throttle below which the wheel turns on the spot"),
    NUMBER("voltage", "V", "12 V", 0.1, 1000, voltage, "drive: nominal, of commands"),
    NUMBER("lowest_voltage", "V", "5 V", 0.1, 1000, lowest,
           "drive: readings of the battery below are not believed"),
    NUMBER("wheel_radius", "m", "0 m", 0, 10, wheel_radius,
           "drive: where encoders measure angles; 0: they measure distances"),
};

const ib_Schema ib_loop_schema = {params, sizeof params / sizeof params[0]};

// ------------------------------------------------------------------------------------------ design

static bool ends_in(const char *text, const char *ending)
{
    size_t length = strlen(text), tail = strlen(ending);
    return length > tail && !strcmp(text + length - tail, ending);
}

// A design file is worked out here and now; what it leaves is a loop.
static bool design_now(ib__Reader *reader, const ib_Node *node, const char *path, ib_Loop *loop)
{
    ib_ScenarioOptions options = {.data = reader->data};
    ib_DesignFile *file = ib_design_file_read(path, &options, reader->diagnostics);
    bool good = file && file->loop;
    if (good) *loop = *file->loop;
    if (file && !good)
        ib__wrong_value(reader, node, "'%s' designs no feedback: expected `lqr:` or `poles:` in it",
                        ib_quote(node->text).text);
    ib_design_file_destroy(file);
    return good;
}

static const ib_Loop *read_design(ib__Reader *reader, const ib_Node *map)
{
    const ib_Node *node = ib_node_get(map, "design");
    if (!node) {
        ib__wrong_gap(reader, map,
                      "'design' is missing: expected a design file, or the JSON of one");
        return NULL;
    }
    ib_Error error;
    const char *text = ib__read_text(reader, node, "the name of a design file");
    const char *path = text ? ib__resolve(reader, node) : NULL;
    ib_Loop *loop = ib_arena_alloc(reader->arena, sizeof *loop);
    if (!text || !path || !loop) return NULL;
    bool yaml = ends_in(path, ".yaml") || ends_in(path, ".yml");
    if (yaml && !design_now(reader, node, path, loop)) return NULL;
    if (!yaml && ib_design_json_read(path, loop, &error) != IB_OK) {
        ib__wrong_value(reader, node, "%s", error.text);
        return NULL;
    }
    if (!(loop->period >= 1e-6 && loop->period <= 1000)) {
        ib__wrong_value(reader, node, "its period is %g s: expected 1 us to 1000 s", loop->period);
        return NULL;
    }
    return ib__add_file(reader, path) ? loop : NULL;
}

// ------------------------------------------------------------------------------------------ wiring

// A list of `count` names. False: it is not there, or wrong.
static bool read_names(ib__Reader *reader, const ib_Node *map, const char *key, int count,
                       const char *what, const char **names)
{
    const ib_Node *node = ib_node_get(map, key);
    if (!node) {
        ib__wrong_gap(reader, map, "'%s' is missing: expected a list of %d, one per %s", key, count,
                      what);
        return false;
    }
    if (!ib__is_list(reader, node, "a list of names")) return false;
    if (node->count != count) {
        ib__wrong_value(reader, node, "expected %d names, one per %s, got %d", count, what,
                        node->count);
        return false;
    }
    for (const ib_Node *child = node->first; child; child = child->next) {
        names[child->index] = ib__read_text(reader, child, "a name");
        if (!names[child->index]) return false;
    }
    return true;
}

// A sensor of this robot by its name, as the controller reads it: "sensor.gyro".
static const char *read_sensor(ib__Reader *reader, const ib__Robot *robot, const ib_Node *node)
{
    const char *known[IB__MAX_SENSORS + 1] = {NULL};
    const char *text = ib__read_text(reader, node, "the name of a sensor");
    if (!text) return NULL;
    for (int i = 0; i < robot->sensor_count; i++) {
        known[i] = robot->sensors[i].name;
        if (!strcmp(known[i], text)) return ib_arena_format(reader->arena, "sensor.%s", text);
    }
    const char *near = known[0] ? ib_nearest_word(text, known) : NULL;
    ib__wrong_value(reader, node, "the robot has no sensor '%s'%s%s%s", ib_quote(text).text,
                    near ? "; did you mean '" : ": expected one of robot.sensors", near ? near : "",
                    near ? "'?" : "");
    return NULL;
}

// The unit of what a sensor of this robot shows ("sensor.gyro"); NULL where that is not known.
static const char *sensor_unit(const ib__Robot *robot, const char *sensor)
{
    for (int i = 0; i < robot->sensor_count; i++) {
        const ib_SensorConfig *config = &robot->sensors[i];
        if (strcmp(config->name, sensor + strlen("sensor.")) != 0) continue;
        if (config->unit) return config->unit;
        for (int k = 0; k < robot->ports.signal_count; k++)
            if (!strcmp(robot->ports.signals[k].name, config->signal))
                return robot->ports.signals[k].unit;
    }
    return NULL;
}

// A sensor must show what the loop expects of it.
static bool check_unit(ib__Reader *reader, const ib__Robot *robot, const ib_Node *node,
                       const char *sensor, const char *expected, const char *of)
{
    const char *unit = sensor_unit(robot, sensor);
    if (!unit || !expected || !strcmp(unit, expected)) return true;
    ib__wrong_value(reader, node, "'%s' is in %s, but %s is in %s", sensor, unit, of, expected);
    return false;
}

// The sensors of a loop; without a list those with the names of its outputs (or states).
static bool read_sensors(ib__Reader *reader, const ib__Robot *robot, const ib_Loop *loop,
                         const char **sensors)
{
    const ib_Node *map = robot->control, *node = ib_node_get(map, "sensors");
    const ib_StateSpace *plant = &loop->gear[0].plant;
    const char *what = loop->observer ? "output of the design" : "state of the design";
    int count = ib_loop_measured(loop), found = 0;
    for (int i = 0; !node && i < count; i++) {
        const char *name = loop->observer ? plant->output[i] : plant->state[i];
        sensors[i] = ib_arena_format(reader->arena, "sensor.%s", name);
        for (int k = 0; k < robot->sensor_count; k++)
            found += !strcmp(robot->sensors[k].name, name);
    }
    if (!node && found == count) return true;
    if (!read_names(reader, map, "sensors", count, what, sensors)) return false;
    bool good = true;
    for (const ib_Node *child = node->first; child; child = child->next) {
        sensors[child->index] = read_sensor(reader, robot, child);
        good &= sensors[child->index] != NULL;
    }
    return good;
}

// The commands that a loop sets; without a list those with the names of its inputs.
static bool read_inputs(ib__Reader *reader, const ib__Robot *robot, const ib_Loop *loop,
                        const char **inputs)
{
    if (ib_node_get(robot->control, "inputs"))
        return read_names(reader, robot->control, "inputs", loop->inputs, "input of the design",
                          inputs);
    for (int i = 0; i < loop->inputs; i++) inputs[i] = loop->gear[0].plant.input[i];
    return true;
}

// Does the robot shift, by a command of this name?
static const char *find_gear(const ib__Robot *robot, const ib_Loop *loop)
{
    for (int i = 0; loop->gears > 1 && i < robot->ports.input_count; i++)
        if (robot->ports.inputs[i].role == IB_INPUT_COMMAND &&
            !strcmp(robot->ports.inputs[i].name, "gear"))
            return "gear";
    return NULL;
}

// `gears: [low_low, high_high]`: entries of the schedule for the robot's two gears; without it the
// first and the last one.
static bool read_gears(ib__Reader *reader, const ib_Node *map, const ib_Loop *loop, int gears[2])
{
    const ib_Node *node = ib_node_get(map, "gears");
    const char *names[2];
    gears[0] = 0;
    gears[1] = loop->gears - 1;
    if (!node) return true;
    if (!read_names(reader, map, "gears", 2, "gear of the robot", names)) return false;
    for (int i = 0; i < 2; i++) {
        gears[i] = -1;
        for (int k = 0; k < loop->gears; k++)
            if (!strcmp(loop->gear[k].name, names[i])) gears[i] = k;
        if (gears[i] >= 0) continue;
        ib__wrong_value(reader, ib_node_at(node, i),
                        "the design has no gear '%s'; its first is '%s'", ib_quote(names[i]).text,
                        loop->gear[0].name);
        return false;
    }
    return true;
}

// Keys that only driving knows.
static void refuse_drive_keys(ib__Reader *reader, const ib_Node *map)
{
    static const char *const own[] = {"battery",        "gears",       "half_track",  "radius",
                                      "top_speed",      "pivot_rate",  "pivot_below", "voltage",
                                      "lowest_voltage", "wheel_radius"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        const ib_Node *node = ib_node_get(map, own[i]);
        if (node) ib__wrong_key(reader, node, "belongs to `kind: drive` only");
    }
}

static const ib_Controller *read_feedback(ib__Reader *reader, ib__Robot *robot, const ib_Loop *loop)
{
    refuse_drive_keys(reader, robot->control);
    ib_FeedbackController *self = ib_arena_alloc(reader->arena, sizeof *self);
    ib_FeedbackWiring wiring = {.gear = find_gear(robot, loop)};
    bool sensed = read_sensors(reader, robot, loop, wiring.sensors);
    bool driven = read_inputs(reader, robot, loop, wiring.inputs);
    if (!self || !sensed || !driven) return NULL;
    ib_feedback_controller_init(self, loop, &wiring);
    return &self->controller;
}

static const ib_Controller *read_drive(ib__Reader *reader, ib__Robot *robot, const ib_Loop *loop,
                                       const LoopValues *values)
{
    ib_DriveController *self = ib_arena_alloc(reader->arena, sizeof *self);
    ib_DriveWiring wiring = {.gear = find_gear(robot, loop), .lowest = values->lowest};
    const ib_Node *map = robot->control;
    ib_DriveConfig config = {values->half_track, values->radius,      values->top_speed,
                             values->pivot_rate, values->pivot_below, values->voltage};
    if (!(values->half_track > 0))
        ib__wrong_gap(reader, map,
                      "'half_track' is missing: expected half the distance of the "
                      "sides, such as 12 in");
    bool sensed = read_sensors(reader, robot, loop, wiring.sensors);
    const ib_Node *battery = ib_node_get(map, "battery");
    if (battery) wiring.battery = read_sensor(reader, robot, battery);
    bool geared = read_gears(reader, map, loop, wiring.gears);
    if (!self || !sensed || !geared || !(values->half_track > 0)) return NULL;
    if (battery && !wiring.battery) return NULL;
    if (battery && !check_unit(reader, robot, battery, wiring.battery, "V", "a voltage"))
        return NULL;

    const ib_StateSpace *plant = &loop->gear[0].plant;
    for (int i = 0; i < loop->outputs; i++) {
        bool way = !strncmp(plant->output[i], "x_", 2), turns = values->wheel_radius > 0;
        const char *unit = way ? turns ? "rad" : "m" : NULL;
        if (!strcmp(plant->output[i], "yaw_rate")) unit = "rad/s";
        const ib_Node *list = ib_node_get(map, "sensors");
        if (!check_unit(reader, robot, list ? ib_node_at(list, i) : map, wiring.sensors[i], unit,
                        way && turns ? "an angle (wheel_radius is given)" : plant->output[i]))
            return NULL;
        wiring.scale[i] = way && turns ? values->wheel_radius : 1;
    }
    ib_Error error;
    if (ib_drive_init(loop, &config, &self->drive, &error) != IB_OK) {
        ib__wrong_value(reader, ib_node_get(map, "design"), "%s", error.text);
        return NULL;
    }
    ib_drive_controller_init(self, &wiring);
    return &self->controller;
}

// ------------------------------------------------------------------------------------------
// plug-in

static const ib_Controller *read_plugin(ib__Reader *reader, const ib_Node *map, const ib_Node *node)
{
    static const char *const keys[] = {"plugin", "period", NULL};
    const ib_Controller *controller = NULL;
    ib_Error error;
    double period = 0;
    ib__check_keys(reader, map, keys);
    const ib_Node *own = ib_node_get(map, "period");
    const char *text = ib__read_text(reader, node, "the name of a shared object");
    const char *path = text ? ib__resolve(reader, node) : NULL;
    if (own && !ib__read_number(reader, own, "s", false, &period)) return NULL;
    if (own && !(period >= 1e-6 && period <= 10)) {
        ib__wrong_value(reader, own, "out of range: expected a period, 1 us to 10 s");
        return NULL;
    }
    if (!path) return NULL;
    if (!reader->plugins) {
        ib__wrong_value(reader, node,
                        "a plug-in is foreign code that runs in this process: expected the option "
                        "--allow-plugins, if you trust it");
        return NULL;
    }
    if (reader->plugins->open(reader->plugins->self, path, period, reader->arena, &controller,
                              &error) == IB_OK)
        return ib__add_file(reader, path) ? controller : NULL;
    ib__wrong_value(reader, node, "%s", error.text);
    return NULL;
}

// ------------------------------------------------------------------------------------------- whole

static const ib_Controller *read_controller(ib__Reader *reader, ib__Robot *robot)
{
    static const char *const others[] = {"design", "sensors", "inputs", "battery", "gears", NULL};
    const ib_Node *map = robot->control, *plugin = ib_node_get(map, "plugin");
    if (plugin) return read_plugin(reader, map, plugin);
    LoopValues values = {0};
    ib__read_schema(reader, map, &ib_loop_schema, others, &values);
    // Of a kind that is wrong nothing else can be judged.
    const ib_Node *kind = ib_node_get(map, "kind");
    if (kind && (kind->type != IB_NODE_SCALAR || strcmp(kind->text, kinds[values.kind]) != 0))
        return NULL;
    const ib_Loop *loop = read_design(reader, map);
    if (!loop) return NULL;
    return values.kind == DRIVE ? read_drive(reader, robot, loop, &values)
                                : read_feedback(reader, robot, loop);
}

bool ib__is_loop(const ib_Node *control)
{
    return ib_node_get(control, "kind") || ib_node_get(control, "design") ||
           ib_node_get(control, "plugin");
}

void ib__read_loop(ib__Reader *reader, ib__Robot *robot)
{
    ib_Error error;
    const ib_Controller *controller = read_controller(reader, robot);
    if (!controller || !robot->config.kind) {
        robot->control->refused = true; // what it would have taken is unknown
        return;
    }
    if (ib_control_extend(controller, reader->arena, &robot->ports, &error) != IB_OK)
        ib__wrong_value(reader, robot->control, "%s", error.text);
    else
        robot->config.controller = controller;
}
