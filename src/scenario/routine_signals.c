// scenario/routine_signals.c: steps that wait for a signal, or set an input.
#include "base/word.h"
#include "control/odometry/rim_reader.h"
#include "scenario/expectation.h"
#include "scenario/routine_inside.h"

#include <string.h>

// Returns the number of a name in a list, added if new; -1: the list is full.
static int number_of(const char *name, const char **names, int *count, int most)
{
    for (int i = 0; i < *count; i++)
        if (strcmp(names[i], name) == 0) return i;
    if (*count == most) return -1;
    names[*count] = name;
    return (*count)++;
}

// ------------------------------------------------------------------------------------------- until

// True for place, velocity, and forces on the base.
static bool has_true_role(const ib_SignalDef *signal)
{
    ib_SignalRole role = signal->means.role;
    return role >= IB_ROLE_POSE_X && role <= IB_ROLE_CONTACT_TORQUE;
}

// A signal of the base that no robot knows: one of such a role, or beside one in the same group,
// as velocity.forward is beside velocity.x.
static bool is_truth(const ib__Routine *routine, int signal)
{
    const ib_SignalDef *items = routine->seen.items, *own = &items[signal];
    size_t stem = ib_signal_stem(own->name);
    if (signal < routine->site->sensor_count || signal >= routine->first_own) return false;
    if (has_true_role(own)) return true;
    for (int i = routine->site->sensor_count; stem > 0 && i < routine->first_own; i++)
        if (has_true_role(&items[i]) && ib_signal_stem(items[i].name) == stem &&
            strncmp(items[i].name, own->name, stem) == 0)
            return true;
    return false;
}

static ib_StepRelation relation_of(ib_Relation relation)
{
    if (relation == IB_EQUAL) return IB_STEP_WITHIN;
    return relation == IB_GREATER || relation == IB_AT_LEAST ? IB_STEP_ABOVE : IB_STEP_BELOW;
}

// The reading of a signal; IB_ROUTINE_CLOCK: the routine's own time; below that: a mistake.
static int find_reading(ib__Routine *routine, const ib_Node *node, int signal)
{
    ib_RoutineDraft *draft = routine->draft;
    const char *name = routine->seen.items[signal].name;
    if (signal == routine->seen.count - 1) return IB_ROUTINE_CLOCK;
    if (is_truth(routine, signal)) {
        ib_wrong_value(routine->reader, node,
                       "'%s' is the truth, which no robot knows: expected a sensor, or where the "
                       "routine takes the robot to be, such as '%s'",
                       name, routine->seen.items[routine->seen.count - 1 - IB_RIM_SIGNALS].name);
        return IB_ROUTINE_CLOCK - 1;
    }
    int reading = number_of(name, draft->readings, &draft->reading_count, IB_ROUTINE_READINGS);
    if (reading >= 0) return reading;
    ib_wrong_value(routine->reader, node, "more than %d different signals", IB_ROUTINE_READINGS);
    return IB_ROUTINE_CLOCK - 1;
}

void ib__read_until(ib__Routine *routine, const ib__StepNode *at)
{
    ib_Reader *reader = routine->reader;
    ib_Expectation met;
    ib_Error error;
    const char *text = ib_read_text(reader, at->node, "a condition such as 'sensor.lift >= 20 cm'");
    const char *sentence = text ? ib_arena_format(reader->arena, "always: %s", text) : NULL;
    if (!sentence) return;
    if (ib_expectation_read(sentence, &routine->seen, reader->arena, &met, &error) != IB_OK) {
        ib_wrong_value(reader, at->node, "%s", error.text);
        return;
    }
    int reading = find_reading(routine, at->node, met.signal);
    if (reading < IB_ROUTINE_CLOCK) return;
    ib__routine_add(routine, at,
                    (ib_RoutineStep){.kind = IB_STEP_UNTIL,
                                     .label = ib__routine_label(routine, "until", at->node),
                                     .reading = reading,
                                     .relation = relation_of(met.relation),
                                     .value = met.value,
                                     .tolerance = met.tolerance});
}

// --------------------------------------------------------------------------------------------- set

// A number in the input's unit and range, or one of its words.
static bool read_value(ib_Reader *reader, const ib_Node *node, const ib_ControlPin *pin,
                       double *value)
{
    if (pin->words) {
        const char *word = ib_read_word(reader, node, pin->words);
        for (int i = 0; word && pin->words[i]; i++)
            if (strcmp(pin->words[i], word) == 0) *value = i;
        return word != NULL;
    }
    if (!ib_read_number(reader, node, pin->unit, false, value)) return false;
    if (*value >= pin->low && *value <= pin->high) return true;
    ib_wrong_value(reader, node, "out of range: expected %g to %g %s", pin->low, pin->high,
                   pin->unit);
    return false;
}

// True if some input is that of `part`, or belongs to it: "lift", "lift.brake".
static bool has_part(const ib_ControlSite *site, const char *part, size_t length)
{
    for (int i = 0; i < site->command_count; i++) {
        const char *name = site->commands[i].name;
        if (strncmp(name, part, length) == 0 && (name[length] == '.' || !name[length])) return true;
    }
    return false;
}

// Refuses an input that the robot does not have: names those it has, and the place of a mechanism
// or a loop that is missing.
static void refuse_setting(ib__Routine *routine, const ib__StepNode *at, const char *name)
{
    const ib_ControlSite *site = routine->site;
    ib_Arena *arena = routine->reader->arena;
    const char **names = ib_arena_array(arena, (size_t)site->command_count + 1, sizeof *names);
    if (!names) return;
    for (int i = 0; i < site->command_count; i++) names[i] = site->commands[i].name;
    names[site->command_count] = NULL;
    size_t stem = strcspn(name, ".");
    const char *missing = "";
    if (!has_part(site, name, stem))
        missing = ib_arena_format(
            arena, "; a mechanism of that name stands in 'robot: {mechanisms: {%.*s: …}}'%s",
            (int)stem, name, name[stem] ? ", a loop in 'control:'" : "");
    ib_wrong_key(routine->reader, at->node, "the robot has no input '%s'%s; its inputs: %s", name,
                 missing ? missing : "", site->command_count ? ib_word_list(names).text : "none");
}

static void read_setting(ib__Routine *routine, const ib__StepNode *at, const char *name)
{
    ib_Reader *reader = routine->reader;
    ib_RoutineDraft *draft = routine->draft;
    const ib_ControlPin *pin = ib_site_command(routine->site, name);
    double value = 0;
    if (!pin) {
        refuse_setting(routine, at, name);
        return;
    }
    if (!read_value(reader, at->node, pin, &value)) return;
    int output = number_of(pin->name, draft->outputs, &draft->output_count, IB_ROUTINE_OUTPUTS);
    if (output < 0) {
        ib_wrong_key(reader, at->node, "more than %d different inputs", IB_ROUTINE_OUTPUTS);
        return;
    }
    draft->neutral[output] = pin->neutral;
    const char *word = ib_arena_format(reader->arena, "set %s", pin->name);
    ib__routine_add(
        routine, at,
        (ib_RoutineStep){.kind = IB_STEP_SET,
                         .label = ib__routine_label(routine, word ? word : "set", at->node),
                         .output = output,
                         .value = value});
}

// {lift: 6 V, arm: {goal: 30 deg}}
static void read_settings(ib__Routine *routine, const ib__StepNode *at, const char *prefix)
{
    ib_Arena *arena = routine->reader->arena;
    if (!ib_check_map(routine->reader, at->node, "a map of inputs such as {lift: 6 V}")) return;
    for (const ib_Node *child = at->node->first; child; child = child->next) {
        const char *name = ib_arena_format(arena, "%s%s", prefix, child->key);
        ib__StepNode inner = {at->word, child, at->parent, at->timeout};
        if (!name) return;
        if (child->type == IB_NODE_MAP && !ib_node_is_random(child))
            read_settings(routine, &inner, ib_arena_format(arena, "%s.", name));
        else
            read_setting(routine, &inner, name);
    }
}

void ib__read_set(ib__Routine *routine, const ib__StepNode *at)
{
    read_settings(routine, at, "");
}
