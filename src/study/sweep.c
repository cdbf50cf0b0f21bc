// study/sweep.c: the work list of a sweep, and the reading of its scenario before any run.
#include "study/sweep.h"

#include "base/hash.h"
#include "file/contents.h"
#include "file/reader.h"
#include "study/sweep_inside.h"

#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------- check

// True if an option that sets `path` for all runs overlaps this axis.
static bool meets(const ib_SweepAxis *axis, const char *path)
{
    return ib_override_covers(axis->path, path) || ib_override_covers(path, axis->path);
}

static ib_Status refuse(const ib_SweepAxis *axis, const char *option, const char *path,
                        ib_Error *error)
{
    return ib_error_set(error, IB_BAD_INPUT, "--over %s would replace what %s %s says", axis->path,
                        option, path);
}

// Axes come behind --set, in their order; --duration and the seeds come last.
ib_Status ib_sweep_check(const ib_SweepPlan *plan, ib_Error *error)
{
    for (int i = 0; i < plan->axis_count; i++) {
        const ib_SweepAxis *axis = &plan->axes[i];
        if (plan->duration && meets(axis, "run.duration"))
            return ib_error_set(error, IB_BAD_INPUT, "--duration and --over %s exclude each other",
                                axis->path);
        if (plan->has_seeds && meets(axis, "run.seed"))
            return ib_error_set(error, IB_BAD_INPUT, "--seeds and --over %s exclude each other",
                                axis->path);
        for (int k = 0; k < plan->override_count; k++)
            if (ib_override_covers(axis->path, plan->overrides[k].path))
                return refuse(axis, "--set", plan->overrides[k].path, error);
        for (int k = 0; k < i; k++)
            if (ib_override_covers(axis->path, plan->axes[k].path))
                return refuse(axis, "--over", plan->axes[k].path, error);
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

ib_Scenario *ib__sweep_read(const ib_Sweep *sweep, const int *values, uint64_t seed,
                            ib_Diagnostics *diagnostics)
{
    const ib_SweepPlan *plan = &sweep->plan;
    int count = plan->override_count + plan->axis_count;
    ib_Override *overrides = calloc((size_t)count + 1, sizeof *overrides);
    if (!overrides) return NULL;
    if (plan->override_count)
        memcpy(overrides, plan->overrides, (size_t)plan->override_count * sizeof *overrides);
    for (int i = 0; i < plan->axis_count; i++)
        overrides[plan->override_count + i] =
            (ib_Override){plan->axes[i].path, plan->axes[i].values[values[i]]};
    ib_ScenarioOptions options = {.overrides = overrides,
                                  .override_count = count,
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
    hash = ib_hash_word(hash, plan->has_seeds);
    hash = ib_hash_word(hash, plan->has_seeds ? plan->first_seed : 0);
    return ib_hash_word(hash, (uint64_t)plan->seed_count);
}

// ---------------------------------------------------------------------------------------- creation

// Adds the files of a scenario to the sweep, by name and by content. False: no memory.
static bool take_files(ib_Sweep *sweep, ib_Reader *all, const ib_Scenario *scenario)
{
    sweep->identity = ib_contents_hash(sweep->identity, scenario->yaml.files);
    bool good = ib_add_files(all, scenario->yaml.files);
    sweep->files = all->files;
    return good;
}

// The scenario with these values of the axes and the first seed, or one of the next if only drawn
// values are out of range. A mistake in the file is in all of them, and reported with the
// first seed.
static ib_Scenario *read_some(ib_Sweep *sweep, const int *values, ib_Diagnostics *diagnostics)
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

// Every value of every axis must be readable, or nothing is run.
static bool check_axes(ib_Sweep *sweep, ib_Reader *all, ib_Diagnostics *diagnostics)
{
    bool good = true;
    for (int axis = 0; axis < sweep->plan.axis_count; axis++) {
        for (int value = 1; value < sweep->plan.axes[axis].count; value++) {
            int values[IB_SWEEP_MAX_AXES] = {0};
            values[axis] = value;
            ib_Scenario *scenario = read_some(sweep, values, diagnostics);
            good &= scenario && take_files(sweep, all, scenario);
            ib_scenario_destroy(scenario);
        }
    }
    return good;
}

// Reads the measures of the plan.
static bool read_measures(ib_Sweep *sweep, ib_Diagnostics *diagnostics)
{
    const ib_SweepPlan *plan = &sweep->plan;
    bool good = true;
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

ib_Sweep *ib_sweep_create(const ib_SweepPlan *plan, ib_Diagnostics *diagnostics)
{
    ib_Sweep *sweep = calloc(1, sizeof *sweep);
    if (!sweep) return NULL;
    sweep->plan = *plan;
    sweep->count = ib_sweep_count(plan);
    sweep->identity = identify(plan);
    sweep->trees = ib_tree_cache_create();
    const int values[IB_SWEEP_MAX_AXES] = {0};
    sweep->first = read_some(sweep, values, diagnostics);
    if (sweep->first && !plan->has_seeds) sweep->plan.first_seed = sweep->first->sim.seed;
    ib_Reader all = {.arena = &sweep->arena};
    bool good = sweep->first && take_files(sweep, &all, sweep->first);
    if (good) good = read_measures(sweep, diagnostics);
    if (check_axes(sweep, &all, diagnostics) && good) return sweep;
    if (ib_diagnostics_total(diagnostics) == 0)
        ib_diagnostics_add(diagnostics, (ib_Place){plan->file, 1, 1}, "out of memory");
    ib_sweep_destroy(sweep);
    return NULL;
}

void ib_sweep_destroy(ib_Sweep *sweep)
{
    if (!sweep) return;
    ib_scenario_destroy(sweep->first);
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
