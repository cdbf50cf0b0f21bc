// scenario/routine.c: `routine:`, a list of steps: the table of its words, and steps with steps
// inside. docs/control/routine.md
//   routine:
//     - set: {lift: 6 V}
//     - until: "sensor.lift >= 20 cm"
//       timeout: 2 s
//     - drive: {forward: 1 m, speed: 0.5 m/s}
//     - turn: 90 deg
//     - repeat: {times: 3, steps: [{wait: 1 s}]}
#include "control/odometry/rim_reader.h"
#include "scenario/routine_inside.h"

#include <math.h>
#include <string.h>

static void read_list(ib__Routine *routine, const ib_Node *list, int parent);

// ----------------------------------------------------------------------------- steps without moves

static void read_wait(ib__Routine *routine, const ib__StepNode *at)
{
    double time;
    if (!ib__routine_time(routine, at->node, &time)) return;
    ib__routine_add(routine, at,
                    (ib_RoutineStep){.kind = IB_STEP_WAIT,
                                     .label = ib__routine_label(routine, "wait", at->node),
                                     .time = time});
}

// Steps as {steps: […]} beside a key of their own.
static void read_inside(ib__Routine *routine, const ib_Node *node, int parent)
{
    const ib_Node *steps = ib_node_get(node, "steps");
    if (steps)
        read_list(routine, steps, parent);
    else
        ib_wrong_gap(routine->reader, node, "'steps' is missing: expected a list of steps");
}

// True if a step inside can take time.
static bool takes_time(const ib_RoutineStep *steps, int step)
{
    const ib_RoutineStep *own = &steps[step];
    if (own->kind == IB_STEP_WAIT && own->time > 0) return true;
    if (own->kind == IB_STEP_UNTIL || own->kind == IB_STEP_MOVE) return true;
    for (int k = own->child; k >= 0; k = steps[k].next)
        if (takes_time(steps, k)) return true;
    return false;
}

static void read_rounds(ib__Routine *routine, const ib__StepNode *at, int times)
{
    ib_Reader *reader = routine->reader;
    int before = ib_diagnostics_seen(reader->diagnostics);
    int again = ib__routine_add(
        routine, at,
        (ib_RoutineStep){.kind = IB_STEP_REPEAT,
                         .label = ib_arena_format(reader->arena, "repeat %d times", times),
                         .times = times});
    ib__StepNode round = {at->word, at->node, again, INFINITY};
    int inside =
        again < 0 ? -1
                  : ib__routine_add(routine, &round,
                                    (ib_RoutineStep){.kind = IB_STEP_SEQUENCE, .label = "round"});
    if (inside < 0) return;
    read_inside(routine, at->node, inside);
    bool good = ib_diagnostics_seen(reader->diagnostics) == before;
    if (good && times > 1 && !takes_time(routine->draft->steps, inside))
        ib_wrong_value(reader, at->node,
                       "nothing in it takes time, so that all rounds do the same: expected a step "
                       "such as 'wait', 'until' or 'drive' among them");
}

static void read_repeat(ib__Routine *routine, const ib__StepNode *at)
{
    ib_Reader *reader = routine->reader;
    double times = 0;
    if (!ib_check_map(reader, at->node, "a map with times and steps")) return;
    ib_check_keys(reader, at->node, ib__routine_others(routine, at->word));
    const ib_Node *count = ib_node_get(at->node, "times");
    if (!count) {
        ib_wrong_gap(reader, at->node, "'times' is missing: without it the steps never end");
        return;
    }
    if (!ib_read_number(reader, count, "1", false, &times)) return;
    if (times >= 1 && times <= 1e6 && times == floor(times))
        read_rounds(routine, at, (int)times);
    else
        ib_wrong_value(reader, count, "expected a whole number, 1 to 1000000");
}

static void read_timeout(ib__Routine *routine, const ib__StepNode *at)
{
    ib_Reader *reader = routine->reader;
    double after = 0;
    if (!ib_check_map(reader, at->node, "a map with after and steps")) return;
    ib_check_keys(reader, at->node, ib__routine_others(routine, at->word));
    const ib_Node *time = ib_node_get(at->node, "after");
    if (!time) {
        ib_wrong_gap(reader, at->node, "'after' is missing: expected a time");
        return;
    }
    if (!ib__routine_timeout(routine, time, &after)) return;
    int inside =
        ib__routine_add(routine, at,
                        (ib_RoutineStep){.kind = IB_STEP_SEQUENCE,
                                         .label = ib__routine_label(routine, "timeout", time),
                                         .timeout = after});
    if (inside >= 0) read_inside(routine, at->node, inside);
}

static void read_parallel(ib__Routine *routine, const ib__StepNode *at)
{
    const ib_RoutineStep *steps = routine->draft->steps;
    int moving = 0;
    int side = ib__routine_add(routine, at,
                               (ib_RoutineStep){.kind = IB_STEP_PARALLEL, .label = "parallel"});
    if (side < 0) return;
    read_list(routine, at->node, side);
    for (int k = steps[side].child; k >= 0; k = steps[k].next) moving += ib_routine_moves(steps, k);
    if (moving > 1)
        ib_wrong_value(routine->reader, at->node,
                       "%d steps side by side move the robot: expected one of them", moving);
}

// ------------------------------------------------------------------------------------------- words

const ib_RoutineWord ib_routine_words[] = {
    {.name = "wait",
     .sentence = "lets the base alone for a time",
     .examples = {"wait: 1 s"},
     .value = "a time, 0 s to 1000000 s",
     .read = read_wait},
    {.name = "drive",
     .sentence = "drives a way or to a point; ends near enough, and standing",
     .examples = {"drive: {forward: 1 m, left: 20 cm}", "drive: {x: 1 m, y: -20 cm}",
                  "drive: {to: [1 m, 2 m], heading: 90 deg, around: true}"},
     .schema = &ib__drive_schema,
     .keys = {{"to", "[x, y], lengths", "a point of the field"},
              {"heading", "an angle, or any",
               "at the end; without it as at the beginning; any: two sides do not turn again"}},
     .read = ib__read_drive},
    {.name = "turn",
     .sentence = "turns on the spot; ends near enough, and standing",
     .examples = {"turn: 90 deg", "turn: {by: -400 deg}", "turn: {to: 30 deg}"},
     .value = "an angle, to the left",
     .schema = &ib__turn_schema,
     .keys = {{"to", "an angle", "a heading, by the shorter turn"}},
     .read = ib__read_turn},
    {.name = "follow",
     .sentence = "follows a path, drawn here or by a planner; ends near its end, and standing",
     .examples = {"follow: {path: [line 1 m, arc 50 cm left 90 deg]}",
                  "follow: {path: [[1 m, 0 m], [2 m, 1 m, 90 deg]], from: [0 m, 0 m, 0 deg]}",
                  "follow: {file: auto.traj}"},
     .value = "the name of a planner's file",
     .schema = &ib__follow_schema,
     .keys = {{"path", "a list of lines, arcs, circles and waypoints", "what it follows"},
              {"from", "here, or [x, y, course]",
               "where the path begins: where the robot is then, waypoints as it sees them (the "
               "default), or a place of the field, to which it drives first"},
              {"heading", "an angle, along or keep",
               "of a base that goes any way, along a path that is drawn; default keep"},
              {"file", "a name",
               "a .traj of Choreo or a .path of PathPlanner, in the field's coordinates; the robot "
               "drives to its beginning first"},
              {"rotate", "[length, width] of the field",
               "turns a file's path by half a turn of the field: for the other alliance"}},
     .read = ib__read_follow},
    {.name = "hold",
     .sentence = "keeps place and heading against pushes for a time",
     .examples = {"hold: 2 s"},
     .value = "a time, 0 s to 1000000 s",
     .schema = &ib__hold_schema,
     .read = ib__read_hold},
    {.name = "until",
     .sentence = "waits until a signal is as asked for, leaves the base alone",
     .examples = {"until: \"sensor.lift >= 20 cm\"", "until: \"time >= 25 s\""},
     .value = "a condition: a sensor, a signal, or 'time' since the routine began, and >=, <= or "
              "= VALUE +- TOLERANCE",
     .read = ib__read_until},
    {.name = "set",
     .sentence = "sets inputs of the robot, of a mechanism or of another loop, which keep it; ends "
                 "after 0 s: 'until' waits for what it moves",
     .examples = {"set: {lift: 6 V, lift.brake: off}", "set: {lift.goal: 40 cm}"},
     .value = "a map of inputs",
     .read = ib__read_set},
    {.name = "parallel",
     .sentence = "steps side by side, of which one may move the base; ends with the last one",
     .examples = {"parallel: [{drive: {forward: 1 m}}, {set: {lift: 6 V}}]"},
     .value = "a list of steps",
     .read = read_parallel},
    {.name = "timeout",
     .sentence = "steps that are stopped after a time; any other step may have it beside",
     .examples = {"timeout: {after: 2 s, steps: [{turn: 90 deg}]}"},
     .keys = {{"after", "a time, more than 0 s", "when they are stopped"},
              {"steps", "a list of steps", "which"}},
     .read = read_timeout},
    {.name = "repeat",
     .sentence = "steps again and again",
     .examples = {"repeat: {times: 3, steps: [{wait: 1 s}]}"},
     .keys = {{"times", "a whole number, 1 to 1000000", "how many rounds"},
              {"steps", "a list of steps", "of one round"}},
     .read = read_repeat},
    {.name = NULL},
};

static void refuse_word(ib__Routine *routine, const ib_Node *node)
{
    enum { MOST = sizeof ib_routine_words / sizeof ib_routine_words[0] };
    const char *names[MOST] = {NULL};
    for (int i = 0; ib_routine_words[i].name; i++) names[i] = ib_routine_words[i].name;
    ib_refuse_key(routine->reader, node, names, "");
}

// Returns the key of the step's word: one other than `timeout`, if there is one.
static const ib_Node *find_word(ib__Routine *routine, const ib_Node *map)
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

static void read_step(ib__Routine *routine, const ib_Node *map, int parent)
{
    double timeout = INFINITY;
    if (!ib_check_map(routine->reader, map, "a step such as {wait: 1 s}")) return;
    const ib_Node *node = find_word(routine, map), *beside = ib_node_get(map, "timeout");
    if (!node) return;
    if (beside && beside != node && !ib__routine_timeout(routine, beside, &timeout)) return;
    for (const ib_RoutineWord *word = ib_routine_words; word->name; word++)
        if (strcmp(word->name, node->key) == 0) {
            word->read(routine, &(ib__StepNode){word, node, parent, timeout});
            return;
        }
    refuse_word(routine, node);
}

static void read_list(ib__Routine *routine, const ib_Node *list, int parent)
{
    if (!ib_check_list(routine->reader, list, "a list of steps")) return;
    if (list->count == 0) ib_wrong_value(routine->reader, list, "expected one step or more");
    for (const ib_Node *child = list->first; child; child = child->next)
        read_step(routine, child, parent);
}

// ------------------------------------------------------------------------------------------- whole

// "control", or "control.lift" of a loop with a name.
static const char *prefix_of(ib_Arena *arena, const char *loop)
{
    return ib_arena_format(arena, "control%s%s", loop[0] ? "." : "", loop);
}

// A condition may name the robot's sensors, its other signals, those of its loops that were read
// before, the routine's estimate of the pose, and the time, in this order.
static bool gather_signals(ib__Routine *routine, const ib__Robot *robot)
{
    static const ib_SignalDef own[IB_RIM_SIGNALS] = {IB_RIM_SIGNAL_ROWS};
    static const ib_SignalDef time = {.name = "time", .unit = "s"};
    const ib_ControlSite *site = routine->site;
    ib_Arena *arena = routine->reader->arena;
    bool good = true;
    routine->seen = (ib_SignalTable){.arena = arena};
    for (int i = 0; i < site->sensor_count; i++) {
        ib_SignalDef sensor = {.name = site->sensors[i].name, .unit = site->sensors[i].unit};
        good &= ib_signals_add(&routine->seen, "", &sensor, 1) >= 0;
    }
    good &= ib_signals_add(&routine->seen, "", site->signals, site->signal_count) >= 0;
    routine->first_own = routine->seen.count;
    for (int i = 0; good && i < robot->config.controller_count; i++) {
        const ib_Controller *loop = robot->config.controllers[i];
        const char *prefix = prefix_of(arena, loop->name);
        good = prefix && ib_signals_add(&routine->seen, prefix, loop->ports.signals,
                                        loop->ports.signal_count) >= 0;
    }
    const char *prefix = prefix_of(arena, site->loop);
    return good && prefix && ib_signals_add(&routine->seen, prefix, own, IB_RIM_SIGNALS) >= 0 &&
           ib_signals_add(&routine->seen, "", &time, 1) >= 0;
}

// Only a routine that moves the robot knows its place.
static void check_places(ib__Routine *routine, const ib_Node *node)
{
    const ib_RoutineDraft *draft = routine->draft;
    int own = routine->seen.count - 1 - IB_RIM_SIGNALS;
    if (ib_routine_moves(draft->steps, 0)) return;
    for (int i = 0; i < draft->reading_count; i++)
        if (ib_signals_find(&routine->seen, draft->readings[i]) >= own)
            ib_wrong_value(routine->reader, node,
                           "waits for '%s', and has no step that moves the robot: expected one, "
                           "since only such a routine keeps track of where it is",
                           draft->readings[i]);
}

// A step cannot keep inputs that moves set in every period: checks that no step sets one.
static void check_settings(ib__Routine *routine)
{
    const ib_RoutineDraft *draft = routine->draft;
    const ib_Locomotion *base = routine->site->base;
    if (!base || !ib_routine_moves(draft->steps, 0)) return;
    for (int i = 0; i < draft->count; i++) {
        if (draft->steps[i].kind != IB_STEP_SET) continue;
        const char *name = draft->outputs[draft->steps[i].output];
        for (int k = 0; k < base->count; k++)
            if (strcmp(base->commands[k], name) == 0)
                ib_wrong_key(routine->reader, routine->nodes[i],
                             "'%s' is what its moves set: expected steps such as drive, or no "
                             "moves beside it",
                             name);
    }
}

const ib_RoutineDraft *ib__read_routine(const ib__LoopReader *loop, const ib_Node *node,
                                        const ib_ControlSite *site, const ib_Node *const **nodes)
{
    ib_Reader *reader = loop->reader;
    ib_RoutineDraft *draft = ib_arena_alloc(reader->arena, sizeof *draft);
    ib__Routine routine = {.reader = reader, .site = site, .draft = draft};
    int before = ib_diagnostics_seen(reader->diagnostics);
    routine.nodes = ib_arena_array(reader->arena, IB_ROUTINE_STEPS, sizeof *routine.nodes);
    *nodes = routine.nodes;
    if (!draft || !routine.nodes || !gather_signals(&routine, loop->robot)) return NULL;
    int whole = ib__routine_add(&routine, &(ib__StepNode){NULL, node, -1, INFINITY},
                                (ib_RoutineStep){.kind = IB_STEP_SEQUENCE, .label = "routine"});
    read_list(&routine, node, whole);
    if (ib_diagnostics_seen(reader->diagnostics) == before) {
        check_places(&routine, node);
        check_settings(&routine);
    }
    return ib_diagnostics_seen(reader->diagnostics) == before ? draft : NULL;
}
