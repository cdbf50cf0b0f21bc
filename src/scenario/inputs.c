// scenario/inputs.c: `inputs: {hold: step, left: [[0 s, 2.7 N], [2.4 s, 1.4 N]], right: 2.7 N}`, or
// `inputs: {source: viewer}`. Waves: wave.c
#include "base/quote.h"
#include "base/units.h"
#include "scenario/scenario_inside.h"
#include "scenario/schemas.h"
#include "sim/loop/control.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const holds[] = {"step", "linear", NULL};

static const char *const sources[] = {"script", "viewer", NULL};

typedef struct Manner {
    int hold, source;
} Manner;

static const ib_Param params[] = {
    {"hold", IB_PARAM_CHOICE, "1", "step", 0, 1, holds, offsetof(Manner, hold), false,
     "between the knots of a timeline: keep the last value, or go straight to the next"},
    {"source", IB_PARAM_CHOICE, "1", "script", 0, 1, sources, offsetof(Manner, source), false,
     "who sets the inputs without a timeline: nobody, or the viewer of ironbird serve"},
};
enum { MANNERS = sizeof params / sizeof params[0] };

const ib_Schema ib_inputs_schema = {.params = params, .count = MANNERS};

static bool is_manner(const char *key)
{
    for (int i = 0; i < MANNERS; i++)
        if (strcmp(key, params[i].key) == 0) return true;
    return false;
}

// -------------------------------------------------------------------------------- an unknown robot

static void check_inputs(ib_Reader *reader, const ib_Node *node);

// An input of which nothing is known: in any unit, with times that make sense.
static void check_input(ib_Reader *reader, const ib_Node *node)
{
    static const ib_InputDef any = {0};
    ib_Timeline timeline;
    if (ib__node_is_wave(node))
        ib__read_wave(reader, node, &any, &timeline);
    else if (node->type == IB_NODE_MAP && !ib_node_is_random(node) && !ib__node_is_repeat(node))
        check_inputs(reader, node); // {arm: …, claw: …}
    else
        ib__read_timeline(reader, node, &any, &timeline);
}

// Checks the inputs of a robot of unknown kind: any name. Recursion is limited by the levels of
// a file.
static void check_inputs(ib_Reader *reader, const ib_Node *node)
{
    for (const ib_Node *child = node->first; child; child = child->next)
        if (!is_manner(child->key)) check_input(reader, child);
}

// True if a robot with refused parts may have an input of this name, or if this one (NULL: none)
// may be another. Inputs of bases have fixed names; those of mechanisms, and of joints of legs,
// depend on their actuators.
static bool is_unsure(const ib__Robot *robot, const ib_InputDef *input, const char *name)
{
    bool fixed = input && !robot->config.kind->integrator;
    return fixed ? ib__is_of_unsure_part(robot, name) : ib__is_unsure(robot, name);
}

// -------------------------------------------------------------------------------------- all inputs

typedef struct Walk {
    ib_Reader *reader;
    ib__Robot *robot;
    const char **keys;         ///< dotted, NULL-terminated
    const ib_Node **given;     ///< one per input; NULL: not given
    const ib_InputDef *driver; ///< the first input given that belongs to a set
    bool mixed;                ///< inputs of another set have been refused
} Walk;

static bool prepare(ib_Reader *reader, ib__Robot *robot, Walk *walk)
{
    const ib_RobotPorts *ports = &robot->made.ports;
    size_t count = (size_t)ports->input_count;
    *walk = (Walk){.reader = reader, .robot = robot};
    walk->keys = ib_arena_array(reader->arena, 3 * count + MANNERS + 1, sizeof *walk->keys);
    walk->given = ib_arena_array(reader->arena, count, sizeof *walk->given);
    if (!walk->keys || !walk->given) return false;
    int used = 0;
    for (int i = 0; i < MANNERS; i++) walk->keys[used++] = params[i].key;
    for (int i = 0; i < ports->input_count; i++) {
        const ib_InputDef *input = &ports->inputs[i];
        if (input->role != IB_INPUT_COMMAND) continue;
        walk->keys[used++] = input->name;
        for (int k = 0; k < 2; k++)
            if (input->also[k]) walk->keys[used++] = input->also[k];
    }
    return true;
}

// The number of the command with this name, or -1.
static int find_input(const ib_RobotPorts *ports, const char *name)
{
    for (int i = 0; i < ports->input_count; i++)
        if (ports->inputs[i].role == IB_INPUT_COMMAND && ib_input_is(&ports->inputs[i], name))
            return i;
    return -1;
}

// True if the robot's controller sets it.
static bool is_controlled(const ib_RobotPorts *ports, const char *name)
{
    for (int i = 0; i < ports->input_count; i++)
        if (ports->inputs[i].role == IB_INPUT_CONTROLLED && ib_input_is(&ports->inputs[i], name))
            return true;
    return false;
}

// True if it is a loop's own output, without another loop on it.
static bool is_set(const ib_RobotConfig *config, const char *name)
{
    for (int i = 0; i < config->controller_count; i++)
        for (int k = 0; k < config->controllers[i]->ports.output_count; k++)
            if (strcmp(config->controllers[i]->ports.outputs[k], name) == 0) return true;
    return false;
}

static bool leads_on(const Walk *walk, const char *path)
{
    size_t length = strlen(path);
    for (int i = 0; walk->keys[i]; i++)
        if (strncmp(walk->keys[i], path, length) == 0 && walk->keys[i][length] == '.') return true;
    return false;
}

// "left and right": the inputs that a set needs.
static void name_set(const ib_RobotPorts *ports, int set, char *text, size_t size)
{
    int count = 0, left = 0;
    for (int i = 0; i < ports->input_count; i++)
        left += ports->inputs[i].set == set && ports->inputs[i].required;
    text[0] = '\0';
    for (int i = 0; i < ports->input_count; i++) {
        const ib_InputDef *input = &ports->inputs[i];
        size_t used = strlen(text);
        if (input->set != set || !input->required) continue;
        left--;
        snprintf(text + used, size - used, "%s%s",
                 !count++ ? ""
                 : left   ? ", "
                          : " and ",
                 input->name);
    }
}

// Two ways to drive exclude each other; one message is enough.
static void check_set(Walk *walk, const ib_Node *node, const ib_InputDef *input)
{
    char first[200], second[200];
    if (!input->set || walk->mixed) return;
    if (!walk->driver) walk->driver = input;
    if (walk->driver->set == input->set) return;
    walk->mixed = true;
    name_set(&walk->robot->made.ports, walk->driver->set, first, sizeof first);
    name_set(&walk->robot->made.ports, input->set, second, sizeof second);
    ib_wrong_key(walk->reader, node, "'%s' is given already: expected either %s, or %s",
                 walk->driver->name, first, second);
}

// Deep at most as many levels as the longest name of an input has parts.
static void read_level(Walk *walk, const ib_Node *map, const char *prefix)
{
    for (const ib_Node *child = map->first; child; child = child->next) {
        char path[128], deeper[129];
        int length = snprintf(path, sizeof path, "%s%s", prefix, child->key);
        if (is_manner(path)) continue;
        bool plain = length < (int)sizeof path;
        int i = plain ? find_input(&walk->robot->made.ports, path) : -1;
        bool wave = ib__node_is_wave(child);
        bool nested = child->type == IB_NODE_MAP && !ib_node_is_random(child) && !wave &&
                      !ib__node_is_repeat(child);
        const ib_InputDef *known = i < 0 ? NULL : &walk->robot->made.ports.inputs[i];
        bool within = nested && plain && leads_on(walk, path);
        if (!within && is_unsure(walk->robot, known, path)) {
            check_input(walk->reader, child);
            continue;
        }
        if (i >= 0 && walk->given[i] && !(nested && leads_on(walk, path))) {
            ib_wrong_key(walk->reader, child, "'%s' is given already: expected it once", path);
        } else if (i >= 0 && !(nested && leads_on(walk, path))) {
            const ib_InputDef *input = &walk->robot->made.ports.inputs[i];
            walk->given[i] = child;
            if (walk->robot->config.path && input->required)
                ib_wrong_key(walk->reader, child,
                             "'control' sets this input: expected one of the two");
            else
                check_set(walk, child, input);
            (wave ? ib__read_wave : ib__read_timeline)(walk->reader, child, input,
                                                       &walk->robot->timelines[i]);
        } else if (plain && is_controlled(&walk->robot->made.ports, path) &&
                   !(nested && leads_on(walk, path))) {
            ib_wrong_key(walk->reader, child,
                         is_set(&walk->robot->config, path)
                             ? "'control' sets this input: expected one of the two"
                             : "'control' drives in another way, which excludes this input");
        } else if (plain && leads_on(walk, path)) {
            snprintf(deeper, sizeof deeper, "%s.", path);
            if (ib_check_map(walk->reader, child, "a map of inputs"))
                read_level(walk, child, deeper);
        } else {
            ib_refuse_key(walk->reader, child, walk->keys, prefix);
        }
    }
}

// ---------------------------------------------------------------------------------------- required

// "; or give throttle and turn": the other ways to drive in place of the set.
static void name_others(const ib_RobotPorts *ports, int set, char *text, size_t size)
{
    int last = set;
    text[0] = '\0';
    for (int i = 0; set && i < ports->input_count; i++) {
        const ib_InputDef *input = &ports->inputs[i];
        if (!input->set || input->set == set || input->set == last || !input->required) continue;
        char names[200];
        size_t used = strlen(text);
        last = input->set;
        name_set(ports, last, names, sizeof names);
        snprintf(text + used, size - used, "; or give %s", names);
    }
}

static void require_input(ib_Reader *reader, const ib__Robot *robot, const ib_InputDef *input,
                          const char *or_else)
{
    char unit[sizeof(ib_WordList) + 8] = "";
    ib_Dimension dimension;
    if (input->words)
        snprintf(unit, sizeof unit, "one of %s", ib_word_list(input->words).text);
    else if (ib_units_dimension(input->unit, &dimension, NULL) == IB_OK)
        ib_dimension_describe(dimension, input->unit, unit, sizeof unit);
    const char *prefix = robot->config.name[0] || robot->inputs ? "" : "inputs.";
    const ib_Node *at = robot->inputs ? robot->inputs : robot->config.name[0] ? robot->node : NULL;
    if (at) {
        ib_wrong_gap(reader, at,
                     "%s'%s' is missing: expected %s, or a timeline [[time, value], …]%s",
                     at == robot->node ? "inputs: " : prefix, input->name, unit, or_else);
        return;
    }
    ib_diagnostics_add(reader->diagnostics, (ib_Place){reader->file, 1, 1},
                       "'inputs.%s' is missing: expected %s, or a timeline [[time, value], …]%s",
                       input->name, unit, or_else);
}

// The set in use must be complete; without one the first set is required.
static void require_inputs(const Walk *walk)
{
    const ib_RobotPorts *ports = &walk->robot->made.ports;
    const ib_RobotConfig *config = &walk->robot->config;
    int set = walk->driver ? walk->driver->set : 0, own = ports->input_count;
    for (int i = 0; i < config->controller_count; i++)
        own -= config->controllers[i]->ports.command_count;
    for (int i = 0; i < ports->input_count && !set; i++)
        if (ports->inputs[i].required) set = ports->inputs[i].set;
    char or_else[400] = "";
    if (!walk->driver) name_others(ports, set, or_else, sizeof or_else);
    for (int i = 0; i < ports->input_count; i++) {
        const ib_InputDef *input = &ports->inputs[i];
        bool planned = walk->robot->config.path && i < own; // a plan sets all that is required
        bool wanted = input->role == IB_INPUT_COMMAND && input->required && !walk->given[i];
        if (planned) continue;
        if (!wanted || (input->set && (input->set != set || walk->mixed))) continue;
        require_input(walk->reader, walk->robot, input, input->set ? or_else : "");
    }
}

void ib__read_inputs(const ib__ScenarioReader *scenario, ib__Robot *robot)
{
    ib_Reader *reader = scenario->reader;
    const ib_RobotPorts *ports = &robot->made.ports;
    const ib_Node *node = robot->inputs;
    Walk walk;
    Manner manner = {0};
    robot->timelines =
        ib_arena_array(reader->arena, (size_t)ports->input_count, sizeof *robot->timelines);
    bool map = node && ib_check_map(reader, node, "a map of inputs");
    if (!robot->timelines || (node && !map)) return;

    int before = ib_diagnostics_seen(reader->diagnostics);
    for (int i = 0; i < MANNERS; i++) {
        const ib_Node *own = ib_node_get(node, params[i].key);
        if (own) ib_read_param(reader, own, &params[i], &manner);
    }
    // No input is missing if its source is unknown.
    bool known = ib_diagnostics_seen(reader->diagnostics) == before;
    robot->config.viewer = manner.source == 1;
    // The inputs of a loop that could not be read are unknown.
    if (!robot->config.kind || robot->lost) {
        if (map) check_inputs(reader, node);
        return;
    }
    if (!prepare(reader, robot, &walk)) return;
    if (map) read_level(&walk, node, "");
    if (!robot->config.viewer && known && !ib__is_unsure(robot, "")) require_inputs(&walk);
    for (int i = 0; i < ports->input_count; i++) {
        robot->timelines[i].linear = manner.hold == 1 && !ports->inputs[i].held;
        if (walk.given[i])
            ib__warn_of_late_knots(reader, walk.given[i], &robot->timelines[i], scenario->duration);
    }
}
