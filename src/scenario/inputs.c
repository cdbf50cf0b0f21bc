// scenario/inputs.c: `inputs: {hold: step, left: [[0 s, 2.7 N], [2.4 s, 1.4 N]], right: 2.7 N}`
#include "base/quote.h"
#include "base/units.h"
#include "scenario/reader.h"
#include "scenario/schemas.h"

#include <stdio.h>
#include <string.h>

static const char *const holds[] = {"step", "linear", NULL};

static const ib_Param params[] = {
    {"hold", IB_PARAM_CHOICE, "1", "step", 0, 1, holds, 0, false,
     "between the knots of a timeline: keep the last value, or go straight to the next"},
};

const ib_Schema ib_inputs_schema = {params, 1};

enum { LONGEST_S = 10000000 };

// --------------------------------------------------------------------------------------- timelines

// The time of a knot, later than the one before it.
static bool read_time(ib__Reader *reader, const ib_Node *node, const ib_Time *before, ib_Time *time)
{
    double seconds;
    if (node->type != IB_NODE_SCALAR) {
        ib__read_text(reader, node, "a time");
        return false;
    }
    if (!ib__read_number(reader, node, "s", false, &seconds)) return false;
    if (!(seconds >= 0 && seconds <= LONGEST_S)) {
        ib__wrong_value(reader, node, "out of range: expected a time, 0 s to 1e7 s, got '%s'",
                        ib_quote(node->text).text);
        return false;
    }
    *time = ib_time_from_seconds(seconds);
    if (before && *time <= *before) {
        ib__wrong_value(reader, node,
                        "expected a time later than the one before it (%.9g s), got "
                        "'%s'",
                        ib_time_to_seconds(*before), ib_quote(node->text).text);
        return false;
    }
    return true;
}

static bool read_knot(ib__Reader *reader, const ib_Node *knot, const char *unit,
                      const ib_Time *before, ib_Time *time, double *value)
{
    if (!ib__is_list(reader, knot, "a knot [time, value]")) return false;
    if (knot->count != 2) {
        ib__wrong_value(reader, knot, "expected a knot [time, value], got a list of %d",
                        knot->count);
        return false;
    }
    bool timed = read_time(reader, knot->first, before, time);
    return ib__read_number(reader, knot->last, unit, false, value) && timed;
}

// A list of knots, or one value from the start on.
static void read_timeline(ib__Reader *reader, const ib_Node *node, const ib_InputDef *input,
                          ib_Timeline *timeline)
{
    bool list = node->type == IB_NODE_LIST;
    if (list && node->count == 0) {
        ib__wrong_value(reader, node, "an empty timeline: expected [[time, value], …]");
        return;
    }
    size_t count = list ? (size_t)node->count : 1;
    ib_Time *times = ib_arena_array(reader->arena, count, sizeof *times);
    double *values = ib_arena_array(reader->arena, count, sizeof *values);
    if (!times || !values) {
        ib__wrong_value(reader, node, "out of memory");
        return;
    }
    bool good = true;
    const ib_Time *before = NULL;
    if (!list) good = ib__read_number(reader, node, input->unit, false, &values[0]);
    for (const ib_Node *knot = list ? node->first : NULL; knot; knot = knot->next) {
        int i = knot->index;
        bool fine = read_knot(reader, knot, input->unit, before, &times[i], &values[i]);
        if (fine) before = &times[i];
        good &= fine;
    }
    if (!good) return;
    timeline->times = times;
    timeline->values = values;
    timeline->count = (int)count;
}

// ------------------------------------------------------------------------------------- all inputs

// Of a robot whose kind is unknown: any input, in any unit, with times that make sense.
static void check_inputs(ib__Reader *reader, const ib_Node *node)
{
    static const ib_InputDef any = {0};
    for (const ib_Node *child = node->first; child; child = child->next) {
        ib_Timeline timeline;
        if (strcmp(child->key, "hold") != 0) read_timeline(reader, child, &any, &timeline);
    }
}

static void known_inputs(const ib_RobotPorts *ports, const char *words[IB__MAX_WORDS + 1])
{
    int count = 0;
    words[count++] = "hold";
    for (int i = 0; i < ports->input_count && count < IB__MAX_WORDS; i++)
        if (ports->inputs[i].role == IB_INPUT_COMMAND) words[count++] = ports->inputs[i].name;
    words[count] = NULL;
}

static void require_input(ib__Reader *reader, const ib__Robot *robot, const ib_InputDef *input)
{
    char unit[100] = "";
    ib_Dimension dimension;
    if (ib_units_dimension(input->unit, &dimension, NULL) == IB_OK)
        ib_dimension_describe(dimension, unit, sizeof unit);
    const char *prefix = robot->config.name[0] || robot->inputs ? "" : "inputs.";
    const ib_Node *at = robot->inputs ? robot->inputs : robot->config.name[0] ? robot->node : NULL;
    if (at) {
        ib__wrong_gap(reader, at,
                      "%s'%s' is missing: expected %s, or a timeline [[time, value], …]",
                      at == robot->node ? "inputs: " : prefix, input->name, unit);
        return;
    }
    ib_diagnostics_add(reader->diagnostics, (ib_Place){reader->file, 1, 1},
                       "'inputs.%s' is missing: expected %s, or a timeline [[time, value], …]",
                       input->name, unit);
}

void ib__read_inputs(ib__Reader *reader, ib__Robot *robot)
{
    const ib_RobotPorts *ports = &robot->ports;
    const ib_Node *node = robot->inputs;
    const char *words[IB__MAX_WORDS + 1];
    int hold = 0;
    robot->timelines =
        ib_arena_array(reader->arena, (size_t)ports->input_count, sizeof *robot->timelines);
    bool map = node && ib__is_map(reader, node, "a map of inputs");
    if (!robot->timelines || (node && !map)) return;

    const ib_Node *hold_node = ib_node_get(node, "hold");
    if (hold_node) ib__read_param(reader, hold_node, &params[0], &hold);
    if (!robot->config.kind) {
        if (map) check_inputs(reader, node);
        return;
    }
    known_inputs(ports, words);
    if (map) ib__check_keys(reader, node, words);

    for (int i = 0; i < ports->input_count; i++) {
        const ib_InputDef *input = &ports->inputs[i];
        if (input->role != IB_INPUT_COMMAND) continue;
        const ib_Node *given = ib_node_get(node, input->name);
        if (given && robot->control && input->required)
            ib__wrong_key(reader, given, "'control' sets this input: expected one of the two");
        if (given) read_timeline(reader, given, input, &robot->timelines[i]);
        if (!given && !robot->control && input->required) require_input(reader, robot, input);
        robot->timelines[i].linear = hold == 1;
    }
}
