// scenario/disturbances.c: `disturbances: [{at: 3 s, for: 0.1 s, force: 2 N, direction: 90 deg}]`
#include "base/quote.h"
#include "scenario/scenario_inside.h"
#include "scenario/schemas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UPRIGHT_TILT 1.5707963267948966 ///< 90 degrees
#define WIDEST_TILT  1e4                ///< that is read, to be refused in degrees
// The values of a disturbance's keys.
typedef struct Values {
    double at, length, force, torque, impulse, tilt, scale, direction;
} Values;

#define FIELD(key, unit, fallback, min, max, field, sentence)                                      \
    {                                                                                              \
        key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, offsetof(Values, field), false,      \
            sentence                                                                               \
    }

static const ib_Param params[] = {
    FIELD("at", "s", "0 s", 0, 1e7, at, "time at which it begins"),
    FIELD("for", "s", "1e7 s", 1e-9, 1e7, length, "time for which it lasts; omitted: to the end"),
    FIELD("force", "N", "0 N", -1e9, 1e9, force, "force of a push that lasts"),
    FIELD("torque", "N*m", "0 N*m", -1e9, 1e9, torque,
          "torque of a push on a part that turns, with `on`"),
    FIELD("impulse", "N*s", "0 N*s", -1e9, 1e9, impulse, "impulse of a sudden push"),
    FIELD("tilt", "rad", "0 rad", -WIDEST_TILT, WIDEST_TILT, tilt,
          "slope of the floor, less than 90 deg"),
    FIELD("scale", "1", "1", -1e3, 1e3, scale, "factor on the signal that `signal` names"),
    FIELD("direction", "rad", "0 rad", -1e4, 1e4, direction,
          "direction of the push, or downhill; counter-clockwise from field x"),
};

const ib_Schema ib_disturbance_schema = IB_SCHEMA(params);

// The types in the order of ib_DisturbanceType, and which other keys make sense with each.
static const struct {
    const char *key;
    bool lasts, directed, placed;
} types[] = {
    [IB_DISTURBANCE_FORCE] = {"force", true, true, true},
    [IB_DISTURBANCE_IMPULSE] = {"impulse", false, true, true},
    [IB_DISTURBANCE_TILT] = {"tilt", true, true, false},
    [IB_DISTURBANCE_SCALE] = {"signal", true, false, false},
    [IB_DISTURBANCE_PART] = {"on", true, false, false},
};

enum { TYPES = sizeof types / sizeof types[0] };

// --------------------------------------------------------------------------------------- the parts

static bool read_type(ib_Reader *reader, const ib_Node *node, ib_DisturbanceType *type)
{
    int found = 0;
    bool part = ib_node_get(node, "on") != NULL;
    for (int i = 0; i < TYPES; i++) {
        const ib_Node *given = ib_node_get(node, types[i].key);
        if (!given || (part && i == IB_DISTURBANCE_FORCE)) continue; // the force is on the part
        if (++found == 1) *type = (ib_DisturbanceType)i;
        if (found > 1)
            ib_wrong_key(reader, given,
                         "already '%s': expected one of force, impulse, tilt, "
                         "signal",
                         types[*type].key);
    }
    if (!found)
        ib_wrong_value(reader, node,
                       "its effect is missing: expected one of force, impulse, "
                       "tilt, signal, or on with force or torque");
    return found == 1;
}

static void refuse_if(ib_Reader *reader, const ib_Node *node, const char *key, bool refuse,
                      const char *with)
{
    const ib_Node *given = refuse ? ib_node_get(node, key) : NULL;
    if (given) ib_wrong_key(reader, given, "has no meaning with '%s'", with);
}

static void check_companions(ib_Reader *reader, const ib_Node *node, ib_DisturbanceType type)
{
    const char *with = types[type].key;
    refuse_if(reader, node, "for", !types[type].lasts, with);
    refuse_if(reader, node, "direction", !types[type].directed, with);
    refuse_if(reader, node, "point", !types[type].placed, with);
    refuse_if(reader, node, "scale", type != IB_DISTURBANCE_SCALE, with);
    refuse_if(reader, node, "torque", type != IB_DISTURBANCE_PART, with);
    if (type == IB_DISTURBANCE_SCALE && !ib_node_get(node, "scale"))
        ib_wrong_value(reader, node, "'scale' is missing: expected the factor on the signal");
}

enum { EVERY = -1, UNKNOWN = -2 }; ///< robots

static bool is_target(int target, int robot)
{
    return target == EVERY || target == robot;
}

// The robot by its name; every one where none is named.
static int read_target(const ib__ScenarioReader *scenario, const ib_Node *node)
{
    ib_Reader *reader = scenario->reader;
    const ib__Robot *robots = scenario->robots;
    int count = scenario->robot_count;
    const ib_Node *given = ib_node_get(node, "robot");
    const char *name = given ? ib_read_text(reader, given, "the name of a robot") : NULL;
    const char *names[IB__MAX_ROBOTS + 1];
    int known = 0;
    if (!given) return EVERY;
    if (!name || count == 0) return UNKNOWN; // where all were refused, nobody knows their names
    for (int i = 0; i < count; i++) {
        if (!robots[i].config.name[0]) continue;
        if (strcmp(robots[i].config.name, name) == 0) return i;
        names[known++] = robots[i].config.name;
    }
    names[known] = NULL;
    if (ib__lacks_bodies(scenario)) return UNKNOWN;
    if (!known) {
        ib_wrong_key(reader, given, "the only robot has no name: leave this key out");
        return EVERY;
    }
    const char *near = ib_nearest_word(name, names);
    ib_wrong_value(reader, given, "there is no robot '%s'; %s '%s'%s", ib_quote(name).text,
                   near ? "did you mean" : "the nearest is",
                   near ? near : ib_closest_word(name, names), near ? "?" : "");
    return UNKNOWN;
}

// A push, a kick and a slope move bodies on the floor; a bench is bolted to it. One moving robot
// is enough.
static void refuse_unmoved(const ib__ScenarioReader *scenario, const ib_Node *node,
                           const ib_Disturbance *d)
{
    const char *bolted = NULL;
    bool has_parts = false, stands = true;
    for (int i = 0; i < scenario->robot_count; i++) {
        const ib__Robot *robot = &scenario->robots[i];
        if (!is_target(d->robot, i)) continue;
        if (ib__is_unsure(robot, "") || robot->made.ports.planar) return;
        if (robot->made.ports.pushed && d->type != IB_DISTURBANCE_IMPULSE) return;
        if (robot->made.kind->integrator && d->type == IB_DISTURBANCE_TILT)
            return; // by its gravity
        stands &= robot->made.ports.pushed;
        bolted = robot->config.kind->name;
        for (int k = 0; k < robot->made.ports.input_count; k++)
            has_parts |= robot->made.ports.inputs[k].role == IB_INPUT_PUSH;
    }
    const ib_Node *given = ib_node_get(node, types[d->type].key);
    if (bolted && given && stands)
        ib_wrong_key(scenario->reader, given,
                     "a %s takes no sudden push: its contacts need time to answer; expected force "
                     "and for",
                     bolted);
    else if (bolted && given)
        ib_wrong_key(scenario->reader, given,
                     "moves nothing: a %s is bolted to the floor; expected signal%s", bolted,
                     has_parts ? ", or on with force or torque" : "");
}

// The file is written in degrees.
static void refuse_upright(const ib__ScenarioReader *scenario, const ib_Node *node, double tilt)
{
    const ib_Node *given = ib_node_get(node, "tilt");
    if (!given || fabs(tilt) < UPRIGHT_TILT) return;
    ib_wrong_value(scenario->reader, given,
                   "out of range: expected an angle of less than 90 deg, got %.7g deg",
                   tilt * (180 / M_PI));
}

// A disturbance after the end of the run changes nothing.
static void warn_of_late(const ib__ScenarioReader *scenario, const ib_Node *node, ib_Time at)
{
    const ib_Node *given = ib_node_get(node, "at");
    if (!given || scenario->duration == 0 || at < scenario->duration) return;
    ib_warn_value(scenario->reader, given,
                  "begins at or after the end of the run, %g s, and has no effect",
                  ib_time_to_seconds(scenario->duration));
}

// ----------------------------------------------------------------------------------------- scaling

// Lists the scalable names of a robot: signals with a gain, and its sensors. Texts go to the arena.
static int scalable(ib_Reader *reader, const ib__Robot *robot, const char *words[])
{
    int count = 0;
    for (int i = 0; i < robot->made.ports.input_count && count < IB_MAX_WORDS / 2; i++)
        if (robot->made.ports.inputs[i].role == IB_INPUT_GAIN)
            words[count++] = robot->made.ports.inputs[i].name;
    for (int i = 0; i < robot->sensor_count && count < IB_MAX_WORDS; i++) {
        const char *word = ib_arena_format(reader->arena, "sensor.%s", robot->sensors[i].name);
        if (word) words[count++] = word;
    }
    words[count] = NULL;
    return count;
}

static bool is_scalable(const ib__Robot *robot, const char *name)
{
    for (int i = 0; i < robot->made.ports.input_count; i++)
        if (robot->made.ports.inputs[i].role == IB_INPUT_GAIN &&
            strcmp(robot->made.ports.inputs[i].name, name) == 0)
            return true;
    for (int i = 0; i < robot->sensor_count; i++)
        if (strncmp(name, "sensor.", 7) == 0 && strcmp(robot->sensors[i].name, name + 7) == 0)
            return true;
    return false;
}

static void refuse_scaled(ib_Reader *reader, const ib_Node *node, const ib__Robot *robot)
{
    const char *words[IB_MAX_WORDS + 1];
    if (ib_is_full(reader)) { // mistakes are only counted
        ib_wrong_value(reader, node, "cannot be scaled");
        return;
    }
    int count = scalable(reader, robot, words);
    ib_WordHint hint = ib_word_hint(';', node->text, words);
    ib_wrong_value(reader, node, "'%s' cannot be scaled%s%s expected one of %s",
                   ib_quote(node->text).text, hint.text, hint.text[0] ? " Otherwise" : ";",
                   count ? ib_word_list(words).text : "(nothing can be)");
}

static const char *read_scaled(ib_Reader *reader, const ib_Node *node, const ib__Robot *robots,
                               int robot_count, int target)
{
    const ib_Node *given = ib_node_get(node, "signal");
    if (!ib_read_text(reader, given, "the name of a signal")) return "";
    // One robot that cannot is enough.
    for (int i = 0; i < robot_count; i++) {
        if (!is_target(target, i) || ib__is_unsure(&robots[i], given->text)) continue;
        if (is_scalable(&robots[i], given->text)) continue;
        refuse_scaled(reader, given, &robots[i]);
        break;
    }
    return given->text;
}

// ------------------------------------------------------------------------------------------- parts

// The push on a part of this name; NULL: the robot has no such part.
static const ib_InputDef *find_push(const ib__Robot *robot, const char *name)
{
    for (int i = 0; i < robot->made.ports.input_count; i++)
        if (robot->made.ports.inputs[i].role == IB_INPUT_PUSH &&
            strcmp(robot->made.ports.inputs[i].name, name) == 0)
            return &robot->made.ports.inputs[i];
    return NULL;
}

static void refuse_part(ib_Reader *reader, const ib_Node *node, const ib__Robot *robot)
{
    const char *words[IB_MAX_WORDS + 1];
    int count = 0;
    for (int i = 0; i < robot->made.ports.input_count && count < IB_MAX_WORDS; i++)
        if (robot->made.ports.inputs[i].role == IB_INPUT_PUSH)
            words[count++] = robot->made.ports.inputs[i].name;
    words[count] = NULL;
    ib_WordHint hint = ib_word_hint(';', node->text, words);
    ib_wrong_value(reader, node, "the robot has no mechanism '%s'%s", ib_quote(node->text).text,
                   hint.text[0] ? hint.text : ": expected one of robot.mechanisms");
}

// `on: lift, force: 50 N` or `on: arm, torque: 3 N*m`: the push, in the unit of the part.
static bool read_push(ib_Reader *reader, const ib_Node *node, const ib__Robot *robots,
                      int robot_count, const Values *values, ib_Disturbance *d)
{
    const ib_Node *on = ib_node_get(node, "on");
    const ib_InputDef *push = NULL;
    if (!ib_read_text(reader, on, "the name of a mechanism")) return false;
    for (int i = 0; i < robot_count; i++) {
        if (!is_target(d->robot, i) || ib__is_unsure(&robots[i], on->text)) continue;
        push = find_push(&robots[i], on->text);
        if (push) continue;
        refuse_part(reader, on, &robots[i]);
        return false;
    }
    bool turns = push && strcmp(push->unit, "N*m") == 0;
    const char *key = turns ? "torque" : "force", *other = turns ? "force" : "torque";
    const ib_Node *wrong = push ? ib_node_get(node, other) : NULL;
    if (wrong)
        ib_wrong_key(reader, wrong, "'%s' %s: expected '%s'", on->text,
                     turns ? "turns" : "goes along a line", key);
    else if (push && !ib_node_get(node, key))
        ib_wrong_gap(reader, node, "'%s' is missing: expected how hard '%s' is pushed", key,
                     on->text);
    d->signal = on->text;
    d->size = turns ? values->torque : values->force;
    return true;
}

// ------------------------------------------------------------------------------------- all of them

static bool read_one(const ib__ScenarioReader *scenario, const ib_Node *node, ib_Disturbance *d)
{
    static const char *const others[] = {"signal", "point", "robot", "on", NULL};
    ib_Reader *reader = scenario->reader;
    const ib__Robot *robots = scenario->robots;
    int robot_count = scenario->robot_count;
    Values values = {0};
    if (!ib_check_map(reader, node, "a map such as {at: 3 s, for: 0.1 s, force: 2 N}"))
        return false;
    ib_read_schema(reader, node, &ib_disturbance_schema, others, &values);
    d->robot = read_target(scenario, node);
    const ib_Node *point = ib_node_get(node, "point");
    if (point) ib_read_pair(reader, point, "m", "[0.1 m, 0 m]", &d->x, &d->y);
    if (!read_type(reader, node, &d->type)) return false;
    // The robot without a name is meant, not a loose body; but a floor is one for all.
    if (d->robot == EVERY && robot_count > 1 && !robots[0].config.name[0])
        d->robot = d->type == IB_DISTURBANCE_TILT ? EVERY : 0;

    int before = ib_diagnostics_seen(reader->diagnostics);
    check_companions(reader, node, d->type);
    bool clear = ib_diagnostics_seen(reader->diagnostics) == before;
    if (clear && types[d->type].directed) refuse_unmoved(scenario, node, d);
    if (d->type == IB_DISTURBANCE_SCALE)
        d->signal = read_scaled(reader, node, robots, robot_count, d->robot);
    const double sizes[] = {values.force, values.impulse, values.tilt, values.scale, 0};
    d->size = sizes[d->type];
    if (d->type == IB_DISTURBANCE_PART && !read_push(reader, node, robots, robot_count, &values, d))
        return false;
    if (d->robot == UNKNOWN) d->robot = EVERY; // a stand-in
    d->direction = values.direction;
    d->at = ib_time_from_seconds(values.at);
    d->until = d->at + ib_time_from_seconds(values.length);
    if (d->type == IB_DISTURBANCE_IMPULSE) d->until = d->at;
    warn_of_late(scenario, node, d->at);
    refuse_upright(scenario, node, values.tilt);
    return true;
}

static void read_all(const ib__ScenarioReader *scenario, const ib_Node *node, ib_SimConfig *config)
{
    ib_Reader *reader = scenario->reader;
    if (!ib_check_list(reader, node, "a list of disturbances")) return;
    if (node->count > IB__MAX_DISTURBANCES) {
        ib_wrong_value(reader, node, "%d disturbances: expected at most %d", node->count,
                       IB__MAX_DISTURBANCES);
        return;
    }
    ib_Disturbance *all = ib_arena_array(reader->arena, (size_t)node->count, sizeof *all);
    if (!all) {
        ib_wrong_value(reader, node, "out of memory");
        return;
    }
    for (const ib_Node *child = node->first; child; child = child->next)
        if (read_one(scenario, child, &all[config->disturbance_count])) config->disturbance_count++;
    config->disturbances = all;
}

void ib__read_disturbances(const ib__ScenarioReader *scenario, ib_Node *node, ib_SimConfig *config)
{
    if (!node) return;
    int before = ib_diagnostics_seen(scenario->reader->diagnostics);
    read_all(scenario, node, config);
    if (ib_diagnostics_seen(scenario->reader->diagnostics) == before)
        ib__check_slopes(scenario, node, config);
    // The disturbances, and so their signals, are unknown.
    bool wrong = ib_diagnostics_seen(scenario->reader->diagnostics) != before;
    if (wrong || ib_node_is_refused(node)) node->refused = true;
}
