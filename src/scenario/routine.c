// scenario/routine.c: `routine:`, a list of steps. docs/control/routine.md
//   routine:
//     - set: {lift: 6 V}
//     - until: "sensor.lift >= 20 cm"
//       timeout: 2 s
//     - drive: {forward: 1 m, speed: 0.5 m/s}
//     - turn: 90 deg
//     - repeat: {times: 3, steps: [{wait: 1 s}]}
#include "scenario/control.h"
#include "scenario/expectation.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef struct Routine {
    ib_Reader *reader;
    const ib_ControlSite *site;
    ib_RoutineDraft *draft;
    ib_SignalTable seen;                    ///< what a condition may name
    const ib_Node *nodes[IB_ROUTINE_STEPS]; ///< of the steps
} Routine;

static void read_list(Routine *routine, const ib_Node *list, int parent);

// ------------------------------------------------------------------------------------------- steps

// One more step inside `parent`, behind all others there; -1: there is no more room.
static int add(Routine *routine, const ib_Node *node, int parent, ib_RoutineStep step)
{
    ib_RoutineDraft *draft = routine->draft;
    if (draft->count == IB_ROUTINE_STEPS) {
        ib_wrong_value(routine->reader, node, "more than %d steps", IB_ROUTINE_STEPS);
        return -1;
    }
    int number = draft->count++;
    step.child = step.next = -1;
    step.line = node->place.line;
    if (!(step.timeout > 0)) step.timeout = INFINITY;
    draft->steps[number] = step;
    routine->nodes[number] = node;
    if (parent < 0) return number;
    int *link = &draft->steps[parent].child;
    while (*link >= 0) link = &draft->steps[*link].next;
    *link = number;
    return number;
}

static bool read_time(Routine *routine, const ib_Node *node, double *time)
{
    if (!ib_read_number(routine->reader, node, "s", false, time)) return false;
    if (*time >= 0 && *time <= 1e6) return true;
    ib_wrong_value(routine->reader, node, "out of range: expected a time, 0 s to 1000000 s");
    return false;
}

// ------------------------------------------------------------------------------------- drive, turn

typedef struct LegKeys {
    double forward, left, x, y, by;
    double speed, acceleration, turn_speed, turn_acceleration, near, near_angle;
} LegKeys;

#define ROW(key, unit, high, field, sentence)                                                      \
    IB_PARAM_ROW(key, IB_PARAM_NUMBER, unit, "0 " unit, -(high), high, NULL, LegKeys, field,       \
                 false, sentence)
#define LIMIT(key, unit, high, field, sentence)                                                    \
    IB_PARAM_ROW(key, IB_PARAM_NUMBER, unit, "0 " unit, 0, high, NULL, LegKeys, field, false,      \
                 sentence)
#define LIMITS                                                                                     \
    LIMIT("speed", "m/s", 100, speed, "how fast; 0: as the routine"),                              \
        LIMIT("acceleration", "m/s^2", 1000, acceleration,                                         \
              "how fast it speeds up; 0: as the "                                                  \
              "routine"),                                                                          \
        LIMIT("turn_speed", "rad/s", 100, turn_speed, "how fast it turns; 0: as the routine"),     \
        LIMIT("turn_acceleration", "rad/s^2", 1000, turn_acceleration,                             \
              "how fast turning speeds up; 0: as the routine"),                                    \
        LIMIT("near", "m", 10, near, "what is near enough to a place; 0: as the routine"),         \
        LIMIT("near_angle", "rad", 3, near_angle, "the same of a heading; 0: as the routine")

static const ib_Param drive_params[] = {
    ROW("forward", "m", 1e4, forward, "a way along the robot's own heading"),
    ROW("left", "m", 1e4, left, "a way to the robot's left"),
    ROW("x", "m", 1e4, x, "a way along the field's x"),
    ROW("y", "m", 1e4, y, "a way along the field's y"),
    LIMITS,
};
static const ib_Param turn_params[] = {
    ROW("by", "rad", 1e4, by, "how far, to the left"),
    LIMITS,
};
static const ib_Schema drive_schema = IB_SCHEMA(drive_params), turn_schema = IB_SCHEMA(turn_params);

static ib_LegConfig leg_of(const LegKeys *keys)
{
    return (ib_LegConfig){.kind = IB_LEG_AHEAD,
                          .speed = keys->speed,
                          .acceleration = keys->acceleration,
                          .turn_speed = keys->turn_speed,
                          .turn_quickness = keys->turn_acceleration,
                          .near = keys->near,
                          .near_angle = keys->near_angle};
}

// `heading: 90 deg`, or `any`.
static void read_heading(Routine *routine, const ib_Node *node, ib_LegConfig *leg)
{
    if (!node) return;
    bool any = node->type == IB_NODE_SCALAR && strcmp(node->text, "any") == 0;
    leg->end = any ? IB_LEG_ANY_WAY : IB_LEG_FACES;
    if (!any) ib_read_number(routine->reader, node, "rad", false, &leg->heading);
}

static void read_drive(Routine *routine, const ib_Node *node, int parent, double timeout)
{
    static const char *const others[] = {"to", "heading", NULL};
    ib_Reader *reader = routine->reader;
    if (!ib_check_map(reader, node, "a map such as {forward: 1 m} or {to: [1 m, 2 m]}")) return;
    LegKeys keys = {0};
    int before = ib_diagnostics_seen(reader->diagnostics);
    ib_read_schema(reader, node, &drive_schema, others, &keys);
    ib_LegConfig leg = leg_of(&keys);
    const ib_Node *to = ib_node_get(node, "to");
    bool own = ib_node_get(node, "forward") || ib_node_get(node, "left");
    bool field = ib_node_get(node, "x") || ib_node_get(node, "y");
    read_heading(routine, ib_node_get(node, "heading"), &leg);
    if ((to != NULL) + own + field != 1 && ib_diagnostics_seen(reader->diagnostics) == before)
        ib_wrong_value(reader, node,
                       "expected one of: 'forward' and 'left' (the robot's), 'x' and 'y' (a way on "
                       "the field), 'to' (a point of it)");
    leg.x = own ? keys.forward : keys.x;
    leg.y = own ? keys.left : keys.y;
    if (field) leg.kind = IB_LEG_BY;
    if (to) {
        leg.kind = IB_LEG_TO;
        ib_read_pair(reader, to, "m", "[1 m, 2 m]", &leg.x, &leg.y);
    }
    add(routine, node, parent,
        (ib_RoutineStep){.kind = IB_STEP_MOVE, .label = "drive", .timeout = timeout, .leg = leg});
}

static void read_turn(Routine *routine, const ib_Node *node, int parent, double timeout)
{
    static const char *const others[] = {"to", NULL};
    ib_Reader *reader = routine->reader;
    LegKeys keys = {0};
    bool map = node->type == IB_NODE_MAP && !ib_node_is_random(node);
    if (map)
        ib_read_schema(reader, node, &turn_schema, others, &keys);
    else if (!ib_read_number(reader, node, "rad", false, &keys.by))
        return;
    ib_LegConfig leg = leg_of(&keys);
    const ib_Node *to = map ? ib_node_get(node, "to") : NULL;
    bool by = !map || ib_node_get(node, "by");
    if (by == (to != NULL))
        ib_wrong_value(reader, node,
                       "expected one of 'by' (an angle, to the left) and 'to' (a "
                       "heading)");
    leg.end = to ? IB_LEG_FACES : IB_LEG_TURNS;
    leg.heading = keys.by;
    if (to) ib_read_number(reader, to, "rad", false, &leg.heading);
    add(routine, node, parent,
        (ib_RoutineStep){.kind = IB_STEP_MOVE, .label = "turn", .timeout = timeout, .leg = leg});
}

// -------------------------------------------------------------------------------------- until, set

// The number of a name in a list, added where it is new; -1: the list is full.
static int number_of(const char *name, const char **names, int *count, int most)
{
    for (int i = 0; i < *count; i++)
        if (strcmp(names[i], name) == 0) return i;
    if (*count == most) return -1;
    names[*count] = name;
    return (*count)++;
}

static bool is_truth(const ib_SignalDef *signal)
{
    ib_SignalRole role = signal->means.role;
    return role == IB_ROLE_POSE_X || role == IB_ROLE_POSE_Y || role == IB_ROLE_POSE_HEADING;
}

static void read_until(Routine *routine, const ib_Node *node, int parent, double timeout)
{
    ib_Reader *reader = routine->reader;
    ib_Expectation met;
    ib_Error error;
    const char *text = ib_read_text(reader, node, "a condition such as 'sensor.lift >= 20 cm'");
    const char *sentence = text ? ib_arena_format(reader->arena, "always: %s", text) : NULL;
    if (!sentence) return;
    if (ib_expectation_read(sentence, &routine->seen, reader->arena, &met, &error) != IB_OK) {
        ib_wrong_value(reader, node, "%s", error.text);
        return;
    }
    const ib_SignalDef *signal = &routine->seen.items[met.signal];
    if (is_truth(signal)) {
        ib_wrong_value(reader, node,
                       "'%s' is the truth, which no robot knows: expected a sensor, or where the "
                       "routine takes the robot to be, by 'drive'",
                       signal->name);
        return;
    }
    int reading = number_of(signal->name, routine->draft->readings, &routine->draft->reading_count,
                            IB_ROUTINE_READINGS);
    if (reading < 0) {
        ib_wrong_value(reader, node, "more than %d different signals", IB_ROUTINE_READINGS);
        return;
    }
    bool above = met.relation == IB_GREATER || met.relation == IB_AT_LEAST;
    add(routine, node, parent,
        (ib_RoutineStep){.kind = IB_STEP_UNTIL,
                         .label = ib_arena_format(reader->arena, "until %s", text),
                         .timeout = timeout,
                         .reading = reading,
                         .relation = met.relation == IB_EQUAL ? IB_STEP_WITHIN
                                     : above                  ? IB_STEP_ABOVE
                                                              : IB_STEP_BELOW,
                         .value = met.value,
                         .tolerance = met.tolerance});
}

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

static void read_setting(Routine *routine, const ib_Node *node, const char *name, int parent)
{
    ib_Reader *reader = routine->reader;
    ib_RoutineDraft *draft = routine->draft;
    const ib_ControlPin *pin = ib_site_command(routine->site, name);
    double value = 0;
    if (!pin) {
        ib_wrong_key(reader, node, "the robot has no input '%s': 'ironbird list' shows them", name);
        return;
    }
    if (!read_value(reader, node, pin, &value)) return;
    int output = number_of(pin->name, draft->outputs, &draft->output_count, IB_ROUTINE_OUTPUTS);
    if (output < 0) {
        ib_wrong_key(reader, node, "more than %d different inputs", IB_ROUTINE_OUTPUTS);
        return;
    }
    draft->neutral[output] = pin->neutral;
    add(routine, node, parent,
        (ib_RoutineStep){.kind = IB_STEP_SET,
                         .label = ib_arena_format(reader->arena, "set %s", pin->name),
                         .output = output,
                         .value = value});
}

// {lift: 6 V, arm: {goal: 30 deg}}
static void read_settings(Routine *routine, const ib_Node *map, const char *prefix, int parent)
{
    if (!ib_check_map(routine->reader, map, "a map of inputs such as {lift: 6 V}")) return;
    for (const ib_Node *child = map->first; child; child = child->next) {
        const char *name = ib_arena_format(routine->reader->arena, "%s%s", prefix, child->key);
        if (!name) return;
        if (child->type == IB_NODE_MAP && !ib_node_is_random(child))
            read_settings(routine, child, ib_arena_format(routine->reader->arena, "%s.", name),
                          parent);
        else
            read_setting(routine, child, name, parent);
    }
}

// -------------------------------------------------------------------------------- steps with steps

// Steps as {steps: […]} beside a key of their own, or a list where there is none.
static void read_inside(Routine *routine, const ib_Node *node, int parent)
{
    const ib_Node *steps = ib_node_get(node, "steps");
    if (steps)
        read_list(routine, steps, parent);
    else
        ib_wrong_gap(routine->reader, node, "'steps' is missing: expected a list of steps");
}

static void read_repeat(Routine *routine, const ib_Node *node, int parent, double timeout)
{
    static const char *const keys[] = {"times", "steps", NULL};
    double times = 0;
    if (!ib_check_map(routine->reader, node, "a map with times and steps")) return;
    ib_check_keys(routine->reader, node, keys);
    const ib_Node *count = ib_node_get(node, "times");
    if (!count) {
        ib_wrong_gap(routine->reader, node, "'times' is missing: without it the steps never end");
        return;
    }
    if (!ib_read_number(routine->reader, count, "1", false, &times)) return;
    if (!(times >= 1 && times <= 1e6 && times == floor(times))) {
        ib_wrong_value(routine->reader, count, "expected a whole number, 1 to 1000000");
        return;
    }
    int again = add(
        routine, node, parent,
        (ib_RoutineStep){
            .kind = IB_STEP_REPEAT, .label = "repeat", .timeout = timeout, .times = (int)times});
    int inside = again < 0 ? -1
                           : add(routine, node, again,
                                 (ib_RoutineStep){.kind = IB_STEP_SEQUENCE, .label = "steps"});
    if (inside >= 0) read_inside(routine, node, inside);
}

static void read_timeout(Routine *routine, const ib_Node *node, int parent)
{
    static const char *const keys[] = {"after", "steps", NULL};
    double after = 0;
    if (!ib_check_map(routine->reader, node, "a map with after and steps")) return;
    ib_check_keys(routine->reader, node, keys);
    const ib_Node *time = ib_node_get(node, "after");
    if (!time) {
        ib_wrong_gap(routine->reader, node, "'after' is missing: expected a time");
        return;
    }
    if (!read_time(routine, time, &after)) return;
    int inside =
        add(routine, node, parent,
            (ib_RoutineStep){.kind = IB_STEP_SEQUENCE, .label = "timeout", .timeout = after});
    if (inside >= 0) read_inside(routine, node, inside);
}

static void read_sides(Routine *routine, const ib_Node *node, int side)
{
    const ib_RoutineStep *steps = routine->draft->steps;
    int moving = 0;
    read_list(routine, node, side);
    for (int k = steps[side].child; k >= 0; k = steps[k].next) moving += ib_routine_moves(steps, k);
    if (moving > 1)
        ib_wrong_value(routine->reader, node,
                       "%d steps side by side move the robot: expected one of them", moving);
}

// -------------------------------------------------------------------------------------- one of all

static const char *const words[] = {"wait",     "drive",   "turn",   "until", "set",
                                    "parallel", "timeout", "repeat", NULL};

// The key that says which step it is: another one than `timeout`, if there is one.
static const ib_Node *find_word(Routine *routine, const ib_Node *map)
{
    const ib_Node *word = NULL;
    for (const ib_Node *child = map->first; child; child = child->next) {
        if (strcmp(child->key, "timeout") == 0 && map->count > 1) continue;
        if (word) {
            ib_wrong_key(routine->reader, child,
                         "a second step in one: expected each with a dash of its own");
            return NULL;
        }
        word = child;
    }
    return word;
}

static void read_step(Routine *routine, const ib_Node *map, int parent)
{
    ib_Reader *reader = routine->reader;
    double timeout = INFINITY, time;
    if (!ib_check_map(reader, map, "a step such as {wait: 1 s}")) return;
    const ib_Node *node = find_word(routine, map), *beside = ib_node_get(map, "timeout");
    if (!node) return;
    if (beside && beside != node && !read_time(routine, beside, &timeout)) return;
    const char *word = node->key;
    if (strcmp(word, "drive") == 0)
        read_drive(routine, node, parent, timeout);
    else if (strcmp(word, "turn") == 0)
        read_turn(routine, node, parent, timeout);
    else if (strcmp(word, "until") == 0)
        read_until(routine, node, parent, timeout);
    else if (strcmp(word, "set") == 0)
        read_settings(routine, node, "", parent);
    else if (strcmp(word, "repeat") == 0)
        read_repeat(routine, node, parent, timeout);
    else if (strcmp(word, "timeout") == 0)
        read_timeout(routine, node, parent);
    else if (strcmp(word, "wait") == 0 && read_time(routine, node, &time))
        add(routine, node, parent,
            (ib_RoutineStep){
                .kind = IB_STEP_WAIT, .label = "wait", .timeout = timeout, .time = time});
    else if (strcmp(word, "parallel") == 0) {
        int side = add(
            routine, node, parent,
            (ib_RoutineStep){.kind = IB_STEP_PARALLEL, .label = "parallel", .timeout = timeout});
        if (side >= 0) read_sides(routine, node, side);
    } else if (strcmp(word, "wait") != 0)
        ib_refuse_key(reader, node, words, "");
}

static void read_list(Routine *routine, const ib_Node *list, int parent)
{
    if (!ib_check_list(routine->reader, list, "a list of steps")) return;
    if (list->count == 0) ib_wrong_value(routine->reader, list, "expected one step or more");
    for (const ib_Node *child = list->first; child; child = child->next)
        read_step(routine, child, parent);
}

// A condition may name the robot's sensors and what else it shows.
static bool gather_signals(Routine *routine)
{
    const ib_ControlSite *site = routine->site;
    routine->seen = (ib_SignalTable){.arena = routine->reader->arena};
    for (int i = 0; i < site->sensor_count; i++) {
        ib_SignalDef sensor = {.name = site->sensors[i].name, .unit = site->sensors[i].unit};
        if (ib_signals_add(&routine->seen, "", &sensor, 1) < 0) return false;
    }
    return ib_signals_add(&routine->seen, "", site->signals, site->signal_count) >= 0;
}

const ib_RoutineDraft *ib__read_routine(const ib__LoopReader *loop, const ib_Node *node,
                                        const ib_ControlSite *site)
{
    ib_Reader *reader = loop->reader;
    ib_RoutineDraft *draft = ib_arena_alloc(reader->arena, sizeof *draft);
    Routine routine = {.reader = reader, .site = site, .draft = draft};
    int before = ib_diagnostics_seen(reader->diagnostics);
    if (!draft || !gather_signals(&routine)) return NULL;
    int whole =
        add(&routine, node, -1, (ib_RoutineStep){.kind = IB_STEP_SEQUENCE, .label = "routine"});
    read_list(&routine, node, whole);
    if (ib_diagnostics_seen(reader->diagnostics) == before)
        ib__check_reach(loop, site, draft, routine.nodes);
    return ib_diagnostics_seen(reader->diagnostics) == before ? draft : NULL;
}
