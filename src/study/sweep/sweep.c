// study/sweep/sweep.c: the work list of a sweep, and the reading of its scenario before any run.
#include "study/sweep/sweep.h"

#include "base/hash.h"
#include "file/contents.h"
#include "file/reader.h"
#include "file/yaml.h"
#include "study/sweep/sweep_desk.h"
#include "study/sweep/sweep_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------- check

// True if an option that sets `path` for all runs overlaps this axis.
static bool meets(const ib_SweepAxis *axis, const char *path)
{
    return ib_override_covers(axis->path, path) || ib_override_covers(path, axis->path);
}

static const char *option_of(const ib_SweepPlan *plan)
{
    return plan->option ? plan->option : "--over";
}

static ib_Status refuse(const ib_SweepPlan *plan, int axis, const char *option, const char *path,
                        ib_Error *error)
{
    return ib_error_set(error, IB_BAD_INPUT, "%s %s would replace what %s %s says", option_of(plan),
                        plan->axes[axis].path, option, path);
}

// Axes come behind --set, in their order; --duration and the seeds come last.
ib_Status ib_sweep_check(const ib_SweepPlan *plan, ib_Error *error)
{
    for (int i = 0; i < plan->axis_count; i++) {
        const ib_SweepAxis *axis = &plan->axes[i];
        const char *with = plan->duration && meets(axis, "run.duration") ? "--duration"
                           : plan->has_seeds && meets(axis, "run.seed")  ? "--seeds"
                                                                         : NULL;
        if (with)
            return ib_error_set(error, IB_BAD_INPUT, "%s and %s %s exclude each other", with,
                                option_of(plan), axis->path);
        for (int k = 0; k < plan->override_count; k++)
            if (ib_override_covers(axis->path, plan->overrides[k].path))
                return refuse(plan, i, "--set", plan->overrides[k].path, error);
        for (int k = 0; k < i; k++)
            if (ib_override_covers(axis->path, plan->axes[k].path))
                return refuse(plan, i, option_of(plan), plan->axes[k].path, error);
    }
    return IB_OK;
}

// --------------------------------------------------------------------------------------- work list

int64_t ib_sweep_count(const ib_SweepPlan *plan)
{
    int64_t count = plan->seed_count;
    for (int i = 0; i < plan->axis_count; i++) {
        if (count > INT64_MAX / plan->axes[i].count) return -1;
        count *= plan->axes[i].count;
    }
    return count;
}

void ib_sweep_point(const ib_SweepPlan *plan, int64_t index, int *values, uint64_t *seed)
{
    *seed = plan->first_seed + (uint64_t)(index % plan->seed_count);
    index /= plan->seed_count;
    for (int i = plan->axis_count - 1; i >= 0; i--) {
        values[i] = (int)(index % plan->axes[i].count);
        index /= plan->axes[i].count;
    }
}

void ib_sweep_give(ib_Sweep *sweep, const char *const *values, int64_t count)
{
    sweep->given = values;
    sweep->count = count * sweep->plan.seed_count;
}

void ib_sweep_values(const ib_Sweep *sweep, int64_t index, const char **values, uint64_t *seed)
{
    const ib_SweepPlan *plan = &sweep->plan;
    int64_t point = index / plan->seed_count;
    if (sweep->given) {
        *seed = plan->first_seed + (uint64_t)(index % plan->seed_count);
        for (int i = 0; i < plan->axis_count; i++)
            values[i] = sweep->given[point * plan->axis_count + i];
        return;
    }
    int at[IB_SWEEP_MAX_AXES];
    ib_sweep_point(plan, index, at, seed);
    for (int i = 0; i < plan->axis_count; i++) values[i] = plan->axes[i].values[at[i]];
}

void ib_sweep_describe(const ib_Sweep *sweep, int64_t index, char *text, size_t size)
{
    const char *values[IB_SWEEP_MAX_AXES];
    uint64_t seed;
    size_t used = 0;
    ib_sweep_values(sweep, index, values, &seed);
    text[0] = '\0';
    for (int i = 0; i < sweep->plan.axis_count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s=%s", i ? ", " : "",
                                 sweep->plan.axes[i].path, values[i]);
}

int ib_sweep_column(const ib_Sweep *sweep, int measure)
{
    return sweep->expectation_count + measure;
}

int ib__sweep_overrides(const ib_Sweep *sweep, const char *const *values, ib_Override *overrides)
{
    const ib_SweepPlan *plan = &sweep->plan;
    int count = 0;
    for (int i = 0; i < plan->override_count; i++) overrides[count++] = plan->overrides[i];
    for (int i = 0; i < plan->axis_count; i++)
        overrides[count++] = (ib_Override){plan->axes[i].path, values[i], option_of(plan)};
    return count;
}

ib_Scenario *ib__sweep_read(const ib_Sweep *sweep, const char *const *values, uint64_t seed,
                            ib_Diagnostics *diagnostics)
{
    const ib_SweepPlan *plan = &sweep->plan;
    size_t room = (size_t)(plan->override_count + plan->axis_count) + 1;
    ib_Override *overrides = calloc(room, sizeof *overrides);
    if (!overrides) return NULL;
    ib_ScenarioOptions options = {.overrides = overrides,
                                  .override_count = ib__sweep_overrides(sweep, values, overrides),
                                  .has_seed = plan->has_seeds,
                                  .seed = seed,
                                  .duration = plan->duration,
                                  .trees = sweep->trees,
                                  .designs = plan->designs,
                                  .plugins = plan->plugins};
    ib_Scenario *scenario = ib_scenario_read(plan->file, &options, diagnostics);
    free(overrides);
    return scenario;
}

// ---------------------------------------------------------------------------------------- identity

// A text with its end, so that "a", "bc" and "ab", "c" differ.
static uint64_t add_text(uint64_t hash, const char *text)
{
    return ib_hash_word(ib_hash_text(hash, text ? text : ""), text ? 256 : 257);
}

// The hash of the plan. (The contents of files are added when they are read.)
static uint64_t identify(const ib_SweepPlan *plan)
{
    uint64_t hash = add_text(IB_HASH_START, IB_VERSION);
    hash = add_text(hash, plan->file);
    hash = add_text(hash, plan->duration);
    for (int i = 0; i < plan->override_count; i++)
        hash = add_text(add_text(hash, plan->overrides[i].path), plan->overrides[i].yaml);
    hash = ib_hash_word(hash, (uint64_t)plan->override_count);
    for (int i = 0; i < plan->axis_count; i++) {
        hash = add_text(hash, plan->axes[i].path);
        for (int k = 0; k < plan->axes[i].count; k++)
            hash = add_text(hash, plan->axes[i].values[k]);
        hash = ib_hash_word(hash, (uint64_t)plan->axes[i].count);
    }
    for (int i = 0; i < plan->measure_count; i++) hash = add_text(hash, plan->measures[i]);
    hash = ib_hash_word(hash, plan->all);
    hash = ib_hash_word(hash, plan->has_seeds);
    hash = ib_hash_word(hash, plan->has_seeds ? plan->first_seed : 0);
    return ib_hash_word(hash, (uint64_t)plan->seed_count);
}

// ---------------------------------------------------------------------------------------- creation

// Adds files to the sweep, by name and by content. False: no memory.
static bool take_files(ib_Sweep *sweep, ib_Reader *all, const char *const *files)
{
    sweep->identity = ib_contents_hash(sweep->identity, files);
    bool good = ib_add_files(all, files);
    sweep->files = all->files;
    return good;
}

// The scenario with these values of the axes and the first seed, or one of the next if only drawn
// values are out of range. A mistake in the file is in all of them, and reported with the
// first seed.
static ib_Scenario *read_some(ib_Sweep *sweep, const char *const *values,
                              ib_Diagnostics *diagnostics)
{
    enum { TRIES = 20 };
    const ib_SweepPlan *plan = &sweep->plan;
    const ib_Diagnostics before = *diagnostics;
    uint64_t seed = plan->first_seed;
    ib_Scenario *scenario = ib__sweep_read(sweep, values, seed, diagnostics);
    for (int i = 1; !scenario && plan->has_seeds && i < plan->seed_count && i < TRIES; i++) {
        ib_Diagnostics unseen = {.arena = &sweep->arena};
        scenario = ib__sweep_read(sweep, values, ++seed, &unseen);
        if (scenario) *diagnostics = before;
    }
    return scenario;
}

// Reads the file once with these values and keeps its files; the first one stays.
static bool read_once(ib_Sweep *sweep, const char *const *values, ib_Reader *all,
                      ib_Diagnostics *diagnostics)
{
    if (sweep->desk)
        return ib__sweep_desk_read(sweep, values, diagnostics) &&
               take_files(sweep, all, sweep->desk->now->files);
    ib_Scenario *scenario = read_some(sweep, values, diagnostics);
    bool good = scenario && take_files(sweep, all, scenario->yaml.files);
    if (!sweep->first)
        sweep->first = scenario;
    else
        ib_scenario_destroy(scenario);
    return good;
}

// Every value of every axis must be readable, or nothing is run.
static bool read_axes(ib_Sweep *sweep, ib_Reader *all, ib_Diagnostics *diagnostics)
{
    const ib_SweepPlan *plan = &sweep->plan;
    const char *values[IB_SWEEP_MAX_AXES];
    for (int i = 0; i < plan->axis_count; i++) values[i] = plan->axes[i].values[0];
    bool good = read_once(sweep, values, all, diagnostics);
    for (int axis = 0; axis < plan->axis_count; axis++) {
        for (int value = 1; value < plan->axes[axis].count; value++) {
            values[axis] = plan->axes[axis].values[value];
            good &= read_once(sweep, values, all, diagnostics);
        }
        values[axis] = plan->axes[axis].values[0];
    }
    return good;
}

// Where nothing is asked: the last values of the headlines, of the first rank first.
static bool ask_headlines(ib_Sweep *sweep)
{
    const ib_SignalTable *signals = &sweep->first->model->signals;
    ib_SweepPlan *plan = &sweep->plan;
    int most = 0;
    for (int i = 0; i < signals->count; i++)
        if (signals->items[i].means.headline > most) most = signals->items[i].means.headline;
    for (int rank = 1; rank <= most; rank++)
        for (int i = 0; i < signals->count && plan->measure_count < IB_SWEEP_HEADLINES; i++) {
            if (signals->items[i].means.headline != rank) continue;
            const char *text = ib_arena_format(&sweep->arena, "final %s", signals->items[i].name);
            if (!text) return false;
            plan->measures[plan->measure_count++] = text;
        }
    return true;
}

// Reads the measures of the plan.
static bool read_measures(ib_Sweep *sweep, ib_Diagnostics *diagnostics)
{
    bool good = sweep->plan.measure_count > 0 || ask_headlines(sweep);
    const ib_SweepPlan *plan = &sweep->plan;
    ib_Error error;
    for (int i = 0; i < plan->measure_count; i++) {
        ib_Status status = ib_measure_read(plan->measures[i], &sweep->first->model->signals,
                                           &sweep->arena, &sweep->measures[i], &error);
        if (status == IB_OK && sweep->measures[i].from >= sweep->first->sim.duration)
            status =
                ib_error_set(&error, IB_BAD_INPUT, "'%s' begins after the end of the run, %g s",
                             plan->measures[i], ib_time_to_seconds(sweep->first->sim.duration));
        if (status == IB_OK) continue;
        ib_diagnostics_add(diagnostics, (ib_Place){"--measure", i + 1, 1}, "%s", error.text);
        good = false;
    }
    return good;
}

static ib_SweepColumn of_signal(const ib_SignalDef *def, const char *name)
{
    return (ib_SweepColumn){name, def->unit, ib_signal_shown(&def->means, def->unit)};
}

// The columns of a scenario: margins, measures, and with `all` the signals.
static bool make_columns(ib_Sweep *sweep)
{
    static const ib_SignalMeaning plain = {0};
    const ib_SignalTable *signals = &sweep->first->model->signals;
    const ib_SweepPlan *plan = &sweep->plan;
    sweep->expectation_count = sweep->first->expectation_count;
    int room = sweep->expectation_count + plan->measure_count + (plan->all ? signals->count : 0);
    sweep->columns = ib_arena_array(&sweep->arena, (size_t)room + 1, sizeof *sweep->columns);
    if (!sweep->columns) return false;
    for (int i = 0; i < sweep->expectation_count; i++) {
        const ib_Expectation *e = &sweep->first->expectations[i];
        sweep->columns[i] = of_signal(&signals->items[e->signal], e->text);
    }
    for (int i = 0; i < plan->measure_count; i++) {
        const ib_Measure *m = &sweep->measures[i];
        bool time = m->kind == IB_MEASURE_FIRST;
        ib_SweepColumn *column = &sweep->columns[ib_sweep_column(sweep, i)];
        *column = of_signal(&signals->items[m->signal], plan->measures[i]);
        column->unit = ib_measure_unit(m, signals);
        if (time) column->shown = ib_signal_shown(&plain, column->unit);
    }
    int count = ib_sweep_column(sweep, plan->measure_count);
    for (int i = 0; plan->all && i < signals->count; i++)
        sweep->columns[count++] = of_signal(&signals->items[i], signals->items[i].name);
    sweep->column_count = count;
    return true;
}

// The kind of the file, by its keys; a file that cannot be read is left to the reader
// of scenarios.
static ib_DeskKind find_kind(ib_Sweep *sweep)
{
    ib_Diagnostics unseen = {.arena = &sweep->arena};
    size_t length = 0;
    const char *text = ib_contents_load(sweep->plan.file, &sweep->arena, &length, NULL);
    return ib_desk_kind(text ? ib_yaml_read(sweep->plan.file, text, length, &sweep->arena, &unseen)
                             : NULL);
}

// Reads everything; false with the mistakes named, or out of memory.
static bool read_all(ib_Sweep *sweep, ib_Diagnostics *diagnostics)
{
    ib_DeskKind kind = find_kind(sweep);
    ib_Reader all = {.arena = &sweep->arena};
    if (kind != IB_DESK_NONE && !ib__sweep_desk_create(sweep, kind, diagnostics)) return false;
    bool good = read_axes(sweep, &all, diagnostics);
    if (sweep->desk) return good && ib__sweep_desk_columns(sweep, diagnostics);
    if (!sweep->first) return false;
    sweep->title = sweep->first->yaml.title;
    if (!sweep->plan.has_seeds) sweep->plan.first_seed = sweep->first->sim.seed;
    return read_measures(sweep, diagnostics) && good && make_columns(sweep);
}

ib_Sweep *ib_sweep_create(const ib_SweepPlan *plan, ib_Diagnostics *diagnostics)
{
    ib_Sweep *sweep = calloc(1, sizeof *sweep);
    if (!sweep) return NULL;
    sweep->plan = *plan;
    sweep->asked = plan->measure_count > 0;
    sweep->count = ib_sweep_count(plan);
    sweep->identity = identify(plan);
    sweep->trees = ib_tree_cache_create();
    if (read_all(sweep, diagnostics)) return sweep;
    if (ib_diagnostics_total(diagnostics) == 0)
        ib_diagnostics_add(diagnostics, (ib_Place){plan->file, 1, 1}, "out of memory");
    ib_sweep_destroy(sweep);
    return NULL;
}

void ib_sweep_destroy(ib_Sweep *sweep)
{
    if (!sweep) return;
    ib_scenario_destroy(sweep->first);
    ib__sweep_desk_destroy(sweep->desk);
    ib_tree_cache_destroy(sweep->trees);
    ib_arena_reset(&sweep->arena);
    free(sweep);
}

int ib_sweep_warning_count(const ib_SweepResult *result)
{
    int count = 0;
    for (const char *c = result->warnings; c && *c; c++) count += *c == '\n';
    return count;
}
