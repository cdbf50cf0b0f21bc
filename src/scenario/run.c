// scenario/run.c: `run:` and `record:`: duration, solver, and recorded signals.
#include "base/extreme.h"
#include "base/quote.h"
#include "base/units.h"
#include "scenario/scenario_inside.h"
#include "scenario/schemas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(key, unit, fallback, min, max, field, sentence)                                      \
    {                                                                                              \
        key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, offsetof(ib__RunValues, field),      \
            false, sentence                                                                        \
    }

// 2^53: every whole number up to it is exact.
static const uint64_t largest_seed = UINT64_C(1) << 53;

static const ib_Param run_params[] = {
    FIELD("duration", "s", NULL, IB_LEAST_STEP, 1e7, duration, "simulated time of the run"),
    FIELD("step", "s", "1 ms", IB_LEAST_STEP, 1e7, step,
          "time step of euler, rk4 and stiff; dopri5 and rosenbrock choose their own; omitted: the "
          "timestep of an MJCF file, 1 ms of other robots"),
    FIELD("max_step", "s", "1e7 s", IB_LEAST_STEP, 1e7, max_step,
          "longest time step of dopri5 and rosenbrock; omitted: the whole run"),
    {"solver", IB_PARAM_CHOICE, "1", "rk4", 0, IB_SOLVER_COUNT - 1, ib_solver_names,
     offsetof(ib__RunValues, solver), false,
     "method of integration; fixed step: euler, rk4, stiff (for stiff robots); adaptive: dopri5, "
     "rosenbrock (for stiff robots); omitted: what the robot asks for, rk4 of most"},
    FIELD("tolerance", "1", "1e-9", IB_LEAST_TOLERANCE, IB_MOST_TOLERANCE, tolerance,
          "largest error of one step of dopri5 and rosenbrock, relative and absolute"),
    FIELD("seed", "1", "1", 0, 9007199254740992.0, seed,
          "seed of all that is random, a whole number"),
};

static const ib_Param record_params[] = {
    {"every", IB_PARAM_NUMBER, "s", "10 ms", 1e-9, 1e7, NULL, 0, false,
     "time between two recorded samples"},
};

// A step belongs to the solvers that keep it, a tolerance and a longest step to those that choose
// their own. Each may wait in a file for its solver, so that one --set compares two of them.
static const char *run_idle(const void *values, const char *key)
{
    const ib__RunValues *run = values;
    bool adaptive = ib_solver_adaptive((ib_SolverKind)run->solver);
    if (run->open) return NULL;
    bool fixed = strcmp(key, "step") == 0;
    bool chosen = strcmp(key, "tolerance") == 0 || strcmp(key, "max_step") == 0;
    return (adaptive ? fixed : chosen) ? "solver" : NULL;
}

const ib_Schema ib_run_schema = {
    .params = run_params, .count = sizeof run_params / sizeof *run_params, .idle = run_idle};
const ib_Schema ib_record_schema = {.params = record_params, .count = 1};

// --------------------------------------------------------------------------------------------- run

// A value drawn at random makes no sense here: the seed itself is in this map.
static void refuse_random(ib_Reader *reader, const ib_Node *map)
{
    for (ib_Node *child = map ? map->first : NULL; child; child = child->next) {
        if (!ib_node_is_random(child)) continue;
        ib_wrong_value(reader, child, "expected a fixed value, got a random one");
        child->refused = true;
    }
}

// True if a value in the map is unknown because it was refused.
static bool is_partial(const ib_Node *map)
{
    bool partial = map && map->refused;
    for (const ib_Node *child = map ? map->first : NULL; child; child = child->next)
        partial |= child->refused;
    return partial;
}

// The grid of a fixed step, or the longest step of an adaptive solver, which has no use for `step`
// and needs no cap but the end. A default step longer than the run is cut without a word, a written
// one is a mistake. No reader: some value is a stand-in, and a complaint would only confuse.
static void set_step(ib_Reader *reader, const ib_Node *run, const ib__RunValues *values,
                     ib_SimConfig *config)
{
    bool adaptive = ib_solver_adaptive(config->solver.kind);
    const ib_Node *node = ib_node_get(run, adaptive ? "max_step" : "step");
    ib_Time step = ib_time_from_seconds(adaptive ? values->max_step : values->step);
    config->step = ib_time_min(step, config->duration);
    if (!reader) return;
    if (node && !adaptive && step > config->duration)
        ib_wrong_value(reader, node, "expected at most the duration (%g s), got '%s'",
                       values->duration, ib_quote(node->text).text);
    double steps = (double)config->duration / (double)config->step;
    if (steps > IB_MOST_STEPS)
        ib_wrong_value(reader, node ? node : run,
                       "%.3g steps: expected at most 1e10, a longer step or a shorter duration",
                       steps);
}

// Reads the whole number of a text exactly: as a double, 2^53 + 1 would be 2^53. False when it is
// none, or not within 0 to `largest_seed`, which has 16 digits.
static bool whole_seed(const char *text, uint64_t *seed)
{
    ib_Decimal decimal;
    const char *end;
    if (ib_decimal_scan(text, &decimal, &end, NULL) || decimal.power < 0) return false;
    if (decimal.length + decimal.power > 16 || (decimal.negative && decimal.digits[0] != '0'))
        return false;
    *seed = strtoull(decimal.digits, NULL, 10);
    for (int i = 0; i < decimal.power; i++) *seed *= 10;
    return *seed <= largest_seed;
}

static void read_seed(ib_Reader *reader, const ib_Node *run, const ib__RunValues *values,
                      ib_SimConfig *config)
{
    const ib_Node *node = ib_node_get(run, "seed");
    config->seed = (uint64_t)values->seed;
    if (!node || node->refused) return;
    double seed;
    if (!ib_read_number(reader, node, "1", false, &seed)) return;
    if (!whole_seed(node->text, &config->seed))
        ib_wrong_value(reader, node, "%sexpected a whole number, 0 to 2^53, got '%s'",
                       seed < 0 || seed >= (double)largest_seed ? "out of range: " : "",
                       ib_quote(node->text).text);
}

ib_Time ib__read_run(ib_Reader *reader, const ib_Node *root, ib__RunValues *values,
                     ib_SimConfig *config)
{
    static const char *const others[] = {"seed", NULL};
    const ib_Node *run = ib_node_get(root, "run");
    int before = ib_diagnostics_seen(reader->diagnostics);
    if (!run)
        ib_diagnostics_add(reader->diagnostics, (ib_Place){reader->file, 1, 1},
                           "'run' is missing: expected a map such as {duration: 5 s}");
    if (run && run->type == IB_NODE_MAP) refuse_random(reader, run);
    *values = (ib__RunValues){.open = !ib_node_get(run, "solver")};
    ib_read_schema(reader, run, &ib_run_schema, others, values);
    values->good = ib_diagnostics_seen(reader->diagnostics) == before && !is_partial(run);
    config->duration = ib_time_from_seconds(values->duration);
    config->solver = ib_solver_default();
    config->solver.kind = (ib_SolverKind)values->solver;
    config->solver.tolerance = values->tolerance;
    read_seed(reader, run, values, config);

    // A duration that was refused has left a stand-in behind.
    const ib_Node *duration = ib_node_get(run, "duration");
    double seconds;
    bool known = duration && duration->type == IB_NODE_SCALAR &&
                 ib_units_read(duration->text, "s", &seconds, NULL) == IB_OK &&
                 seconds == values->duration;
    return known ? config->duration : 0;
}

// A run that names no step has the one that its robots are made for, the shortest of several; where
// there are others beside them no longer one than these would have.
static void ask_for_step(const ib__ScenarioReader *scenario, ib__RunValues *values)
{
    double shortest = INFINITY;
    bool others = false;
    for (int i = 0; i < scenario->robot_count; i++) {
        const ib__Robot *robot = &scenario->robots[i];
        double own = robot->config.kind ? robot->made.ports.step : 0;
        if (own > 0) shortest = ib_min(shortest, own);
        others |= !(own > 0);
    }
    if (others) shortest = ib_min(shortest, values->step);
    if (isfinite(shortest)) values->step = shortest;
}

void ib__choose_solver(const ib__ScenarioReader *scenario, const ib_Node *root,
                       ib__RunValues *values, ib_SimConfig *config)
{
    const ib_Node *run = ib_node_get(root, "run");
    bool open = values->open;
    for (int i = 0; open && i < scenario->robot_count; i++) {
        const ib_RobotConfig *robot = &scenario->robots[i].config;
        if (robot->kind) ib_robot_ask_solver(robot->kind, robot->config, &config->solver);
    }
    // A tolerance that is written is the file's own.
    if (open && ib_node_get(run, "tolerance")) config->solver.tolerance = values->tolerance;
    values->solver = (int)config->solver.kind;
    values->open = false;
    if (!ib_node_get(run, "step")) ask_for_step(scenario, values);
    set_step(values->good ? scenario->reader : NULL, run, values, config);
    if (open && values->good) ib_warn_of_idle(scenario->reader, run, &ib_run_schema, values);
}

// ------------------------------------------------------------------------------------------ record

void ib__read_record(ib_Reader *reader, const ib_Node *node, ib_RecordConfig *record)
{
    static const char *const all[] = {"*", NULL};
    static const char *const others[] = {"signals", NULL};
    double every = 0;
    if (node && node->type == IB_NODE_MAP) refuse_random(reader, node);
    ib_read_schema(reader, node, &ib_record_schema, others, &every);
    record->every = ib_time_from_seconds(every);
    record->signals = all;

    const ib_Node *list = ib_node_get(node, "signals");
    if (!list || !ib_check_list(reader, list, "a list of patterns such as [pose.*, velocity.*]"))
        return;
    const char **patterns =
        ib_arena_array(reader->arena, (size_t)list->count + 1, sizeof *patterns);
    if (list->count > IB__MAX_PATTERNS) {
        ib_wrong_value(reader, list, "%d patterns: expected at most %d", list->count,
                       IB__MAX_PATTERNS);
        return;
    }
    if (!patterns || list->count == 0) {
        ib_wrong_value(reader, list,
                       patterns ? "an empty list: expected patterns such as pose.*"
                                : "out of memory");
        return;
    }
    int count = 0;
    for (const ib_Node *child = list->first; child; child = child->next) {
        const char *text = ib_read_text(reader, child, "a signal or a pattern such as pose.*");
        if (text) patterns[count++] = text;
    }
    if (count) record->signals = patterns;
}

static void refuse_pattern(ib_Reader *reader, const ib_Node *node, const char *const *names)
{
    // If mistakes are only counted, no nearest word is sought.
    bool full = ib_is_full(reader);
    const char *near = full ? NULL : ib_nearest_word(node->text, names);
    const char *closest = near || full ? near : ib_closest_word(node->text, names);
    ib_wrong_value(reader, node, "'%s' matches no signal; %s '%s'%s", ib_quote(node->text).text,
                   near ? "did you mean" : "the nearest is", closest ? closest : "",
                   near ? "?" : "");
}

void ib__check_patterns(const ib__ScenarioReader *scenario, const ib_Node *record,
                        const ib_SignalTable *signals)
{
    ib_Reader *reader = scenario->reader;
    const ib_Node *list = ib_node_get(record, "signals");
    const char **names = ib_arena_array(reader->arena, (size_t)signals->count + 1, sizeof *names);
    if (!list || list->type != IB_NODE_LIST || list->count > IB__MAX_PATTERNS || !names) return;
    for (int i = 0; i < signals->count; i++) names[i] = signals->items[i].name;

    for (const ib_Node *child = list->first; child; child = child->next) {
        bool matches = child->type != IB_NODE_SCALAR || !child->text[0];
        for (int i = 0; i < signals->count && !matches; i++)
            matches = ib_signals_match(child->text, names[i]);
        if (!matches && !ib__is_open(scenario, child->text)) refuse_pattern(reader, child, names);
    }
}

int *ib_scenario_recorded(const ib_Scenario *scenario, ib_Arena *arena, int *count)
{
    const ib_SignalTable *table = &scenario->model->signals;
    int *recorded = ib_arena_array(arena, (size_t)table->count, sizeof *recorded);
    *count = 0;
    for (int i = 0; recorded && i < table->count; i++) {
        bool wanted = false;
        for (const char *const *p = scenario->record.signals; *p; p++)
            wanted |= ib_signals_match(*p, table->items[i].name);
        if (wanted) recorded[(*count)++] = i;
    }
    return recorded;
}
