// scenario/unknown.c: names that a scenario may have beside the known ones, because a part of it
// was refused. A use of such a name is not reported as a mistake.
#include "scenario/scenario_inside.h"

#include <string.h>

#define ENDS ". <>=" // the end of a word in a signal's name, and of the name

// True if a name, or a pattern such as `*.hits`, may begin like this.
static bool may_begin(const char *name, const char *beginning)
{
    for (; *beginning; name++, beginning++) {
        if (*name == '*') return true;
        if (*name != *beginning) return false;
    }
    return true;
}

// True if the first `length` characters of `word` are the first word of a signal's name.
static bool begins_with(const char *signal, const char *word, size_t length)
{
    return strncmp(signal, word, length) == 0 && (!signal[length] || signal[length] == '.');
}

// --------------------------------------------------------------------------------------- the field

static const ib_Node *find_field(const ib__ScenarioReader *scenario)
{
    return ib_node_get(scenario->root, "field");
}

bool ib__lacks_bodies(const ib__ScenarioReader *scenario)
{
    const ib_Node *field = find_field(scenario), *bodies = ib_node_get(field, "bodies");
    return (field && field->refused) || (bodies && bodies->refused);
}

// True for the signal of a robot, without the robot's name, that a refused part of the scenario
// may have.
static bool is_of_refused_part(const ib__ScenarioReader *scenario, const char *signal)
{
    static const struct {
        const char *path, *signals;
    } parts[] = {{"disturbances", "disturbance."}, {"field.contact", "contact."},
                 {"field.walls", "contact."},      {"field.elements", "contact."},
                 {"field.elements", "field."},     {"field.zones", "in_"},
                 {"field.ridges", "ridge."},       {"field.bodies", "contact."}};
    const ib_Node *field = find_field(scenario);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const ib_Node *part = ib_node_find(scenario->root, parts[i].path);
        bool inside = strncmp(parts[i].path, "field.", 6) == 0;
        bool refused = (part && part->refused) || (inside && field && field->refused);
        if (refused && may_begin(signal, parts[i].signals)) return true;
    }
    return false;
}

// True if the first word of a name, of so many characters, belongs to a robot of the scenario.
// Signals of the robot without a name begin with that word.
static bool has_owner(const ib__ScenarioReader *scenario, const char *name, size_t length)
{
    for (int i = 0; i < scenario->robot_count; i++) {
        const ib__Robot *robot = &scenario->robots[i];
        const ib_RobotPorts *ports = &robot->made.ports;
        const char *own = robot->config.name;
        if (strlen(own) == length && strncmp(own, name, length) == 0) return true;
        for (int k = 0; !own[0] && robot->config.kind && k < ports->signal_count; k++)
            if (begins_with(ports->signals[k].name, name, length)) return true;
    }
    return false;
}

// ----------------------------------------------------------------------------------------- a robot

// The parts that a robot has by their names, such as mechanisms: the map of each such parameter.
static const ib_Node *find_parts(const ib_Node *robot, const ib_Schema *params, int i)
{
    const ib_NamedDef *named = params->params[i].detail;
    bool parts = params->params[i].type == IB_PARAM_NAMED && !named->listed;
    return parts ? ib_node_find(robot, params->params[i].key) : NULL;
}

// True if anything was refused in it outside of one of its parts.
static bool is_base_refused(const ib_Node *node, const ib_Node *robot, const ib_Schema *params)
{
    if (node->refused) return true;
    for (int i = 0; i < params->count; i++)
        if (node == find_parts(robot, params, i)) return false;
    for (const ib_Node *child = node->first; child; child = child->next)
        if (is_base_refused(child, robot, params)) return true;
    return false;
}

bool ib__is_base_open(const ib_Node *robot, const ib_Schema *params)
{
    static const char *const apart[] = {"sensors", "start", "inputs", "control", "carried"};
    bool open = robot->refused;
    if (!ib_node_is_refused(robot)) return false; // as most are
    for (const ib_Node *child = robot->first; child && !open; child = child->next) {
        size_t i = 0, count = sizeof apart / sizeof apart[0];
        while (i < count && strcmp(child->key, apart[i]) != 0) i++;
        open = i == count && is_base_refused(child, robot, params);
    }
    return open;
}

// True if `word` is one of the words of a name, as lift is of lift.position
// and branch.lift.current.
static bool has_word(const char *name, const char *word)
{
    size_t length = strlen(word), own;
    for (;; name += own + 1) {
        own = strcspn(name, ENDS);
        if (memchr(name, '*', own) || (own == length && strncmp(name, word, own) == 0)) return true;
        if (name[own] != '.') return false;
    }
}

// True if the robot has an input or a signal whose name begins with the first word of this one.
static bool has_group(const ib__Robot *robot, const char *name)
{
    const ib_RobotPorts *ports = &robot->made.ports;
    size_t length = strcspn(name, ENDS);
    for (int i = 0; i < ports->signal_count; i++)
        if (begins_with(ports->signals[i].name, name, length)) return true;
    for (int i = 0; i < ports->input_count; i++)
        if (begins_with(ports->inputs[i].name, name, length)) return true;
    return false;
}

// A part in which something was refused may lead to all that is called after it, and to a group of
// which the robot has nothing, such as the signals of an air supply.
bool ib__is_of_unsure_part(const ib__Robot *robot, const char *name)
{
    const ib_Schema *params = &robot->config.kind->params;
    for (int i = 0; i < params->count; i++) {
        const ib_Node *parts = find_parts(robot->node, params, i);
        for (const ib_Node *part = parts ? parts->first : NULL; part; part = part->next) {
            if (!ib_node_is_refused(part)) continue;
            if (!name[0] || has_word(name, part->key) || !has_group(robot, name)) return true;
        }
    }
    return false;
}

// True if the sensor of a signal was refused, or the map of all of them.
static bool is_of_refused_sensor(const ib__Robot *robot, const char *signal)
{
    static const char beginning[] = "sensor.";
    const ib_Node *sensors = ib_node_get(robot->node, "sensors");
    if (!sensors || !may_begin(signal, beginning)) return false;
    if (sensors->refused) return true;
    bool any = strchr(signal, '*') != NULL;
    const char *name = any ? "" : signal + sizeof beginning - 1;
    size_t length = strcspn(name, ENDS);
    for (const ib_Node *sensor = sensors->first; sensor; sensor = sensor->next) {
        bool meant = any || (strlen(sensor->key) == length && !strncmp(sensor->key, name, length));
        if (meant && sensor->refused) return true;
    }
    return false;
}

bool ib__is_unsure(const ib__Robot *robot, const char *name)
{
    return !robot->config.kind || robot->open || ib__is_of_unsure_part(robot, name) ||
           is_of_refused_sensor(robot, name);
}

// ------------------------------------------------------------------------------------- all of them

bool ib__is_open(const ib__ScenarioReader *scenario, const char *name)
{
    size_t length = strcspn(name, ENDS);
    const char *rest = name + length + (name[length] == '.');
    bool any = memchr(name, '*', length) != NULL; // a pattern for several robots
    bool touches = may_begin(name, "contact.") || may_begin(rest, "contact.");
    for (int i = 0; i < scenario->robot_count; i++) {
        const ib__Robot *robot = &scenario->robots[i];
        const char *own = robot->config.name;
        bool meant = any || !own[0] || (strlen(own) == length && !strncmp(own, name, length));
        // Contact signals depend on the other robots, those of a carried robot on its carrier.
        if (!robot->config.kind && touches) return true;
        bool rides = own[0] && ib_node_get(robot->node, "carried");
        if (!meant) continue;
        if (robot->lost || (rides && !robot->carried)) return true;
        if (ib__is_unsure(robot, own[0] ? rest : name)) return true;
    }
    if (is_of_refused_part(scenario, name) || is_of_refused_part(scenario, rest)) return true;
    bool dotted = name[length] == '.';
    return ib__lacks_bodies(scenario) && (any || (dotted && !has_owner(scenario, name, length)));
}
