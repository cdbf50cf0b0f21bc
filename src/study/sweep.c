#include "study/sweep.h"

#include "sim/run.h"
#include "sim/summary.h"
#include "study/warnings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------- check

// Would an option that sets `path` for all runs touch this axis?
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

int ib_sweep_count(const ib_SweepPlan *plan)
{
    int64_t count = plan->seed_count;
    for (int i = 0; i < plan->axis_count; i++) {
        count *= plan->axes[i].count;
        if (count > IB_SWEEP_MAX_RUNS) return -1;
    }
    return count > IB_SWEEP_MAX_RUNS ? -1 : (int)count;
}

void ib_sweep_point(const ib_SweepPlan *plan, int index, int *values, uint64_t *seed)
{
    *seed = plan->first_seed + (uint64_t)(index % plan->seed_count);
    index /= plan->seed_count;
    for (int i = plan->axis_count - 1; i >= 0; i--) {
        values[i] = index % plan->axes[i].count;
        index /= plan->axes[i].count;
    }
}

// Reads the scenario of one point of the grid.
static ib_Scenario *read_point(const ib_SweepPlan *plan, const int *values, uint64_t seed,
                               ib_Arena *arena, ib_Diagnostics *diagnostics)
{
    int count = plan->override_count + plan->axis_count;
    ib_Override *overrides = ib_arena_array(arena, (size_t)count, sizeof *overrides);
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
                                  .designs = plan->designs,
                                  .plugins = plan->plugins};
    return ib_scenario_read(plan->file, &options, diagnostics);
}

// ---------------------------------------------------------------------------------------- creation

// Places for the results of all runs, with the seed of each.
static bool allocate(ib_Sweep *sweep)
{
    size_t signals = (size_t)sweep->first->model->signals.count;
    size_t expectations = (size_t)sweep->first->expectation_count, count = (size_t)sweep->count;
    sweep->results = ib_arena_array(&sweep->arena, count, sizeof *sweep->results);
    double *finals = ib_arena_array(&sweep->arena, count * signals, sizeof *finals);
    bool *passed = ib_arena_array(&sweep->arena, count * expectations, sizeof *passed);
    if (!sweep->results || !finals || !passed) return false;
    // A run that does not come to its end has no values: not 0, which would look like one.
    for (size_t i = 0; i < count * signals; i++) finals[i] = NAN;
    for (size_t i = 0; i < count; i++) {
        sweep->results[i].final = finals + i * signals;
        sweep->results[i].passed = passed + i * expectations;
        int values[IB_SWEEP_MAX_AXES];
        ib_sweep_point(&sweep->plan, (int)i, values, &sweep->results[i].seed);
    }
    return true;
}

// Every value of every axis must be readable, or nothing is run.
static bool check_axes(const ib_SweepPlan *plan, uint64_t seed, ib_Arena *arena,
                       ib_Diagnostics *diagnostics)
{
    bool good = true;
    for (int axis = 0; axis < plan->axis_count; axis++) {
        for (int value = 1; value < plan->axes[axis].count; value++) {
            int values[IB_SWEEP_MAX_AXES] = {0};
            values[axis] = value;
            ib_Scenario *scenario = read_point(plan, values, seed, arena, diagnostics);
            good &= scenario != NULL;
            ib_scenario_destroy(scenario);
        }
    }
    return good;
}

// The first run, or where only the values that its seed draws are out of their range, one of the
// next. A mistake in the file is in all of them, and told as the first run has it.
static ib_Scenario *read_first(const ib_SweepPlan *plan, uint64_t *seed, ib_Arena *arena,
                               ib_Diagnostics *diagnostics)
{
    enum { TRIES = 20 };
    const ib_Diagnostics before = *diagnostics;
    int values[IB_SWEEP_MAX_AXES] = {0};
    *seed = plan->first_seed;
    ib_Scenario *scenario = read_point(plan, values, *seed, arena, diagnostics);
    for (int i = 1; !scenario && plan->has_seeds && i < plan->seed_count && i < TRIES; i++) {
        ib_Diagnostics unseen = {.arena = arena};
        scenario = read_point(plan, values, ++*seed, arena, &unseen);
        if (scenario) *diagnostics = before;
    }
    return scenario;
}

ib_Sweep *ib_sweep_create(const ib_SweepPlan *plan, ib_Diagnostics *diagnostics)
{
    ib_Sweep *sweep = calloc(1, sizeof *sweep);
    if (!sweep) return NULL;
    sweep->plan = *plan;
    sweep->count = ib_sweep_count(plan);
    uint64_t seed;
    sweep->first = read_first(plan, &seed, &sweep->arena, diagnostics);
    if (sweep->first && !plan->has_seeds) sweep->plan.first_seed = sweep->first->sim.seed;
    if (check_axes(plan, seed, &sweep->arena, diagnostics) && sweep->first && allocate(sweep))
        return sweep;
    if (ib_diagnostics_total(diagnostics) == 0)
        ib_diagnostics_add(diagnostics, (ib_Place){plan->file, 1, 1}, "out of memory for %d runs",
                           sweep->count);
    ib_sweep_destroy(sweep);
    return NULL;
}

void ib_sweep_destroy(ib_Sweep *sweep)
{
    if (!sweep) return;
    for (int i = 0; sweep->results && i < sweep->count; i++) {
        free(sweep->results[i].error);
        free(sweep->results[i].warnings);
    }
    ib_scenario_destroy(sweep->first);
    ib_arena_reset(&sweep->arena);
    free(sweep);
}

// --------------------------------------------------------------------------------------------- run

static bool same_signals(const ib_SignalTable *a, const ib_SignalTable *b)
{
    if (a->count != b->count) return false;
    for (int i = 0; i < a->count; i++)
        if (strcmp(a->items[i].name, b->items[i].name) != 0) return false;
    return true;
}

// One run of the sweep.
typedef struct Run {
    ib_Scenario *scenario;
    ib_Arena *arena;
    ib_Summary *summary;
    ib_StepLog *steps; ///< NULL: no routine has any
    ib_SweepResult *result;
} Run;

// A run of a sweep is watched by its summary, for the last values alone, by the log of its steps,
// where it has some, and by its expectations.
static ib_Status attach(void *self, ib_Sim *sim, ib_Error *error)
{
    Run *run = self;
    ib_Scenario *scenario = run->scenario;
    ib_Status status =
        ib_summary_create(&scenario->model->signals, run->arena, &run->summary, error);
    if (status == IB_OK) {
        // Only the last values are wanted, so that nobody looks at the steps.
        ib_Probe last = ib_summary_probe(run->summary);
        last.each_step = false;
        last.at_end = true;
        status = ib_sim_probe(sim, last, error);
    }
    if (status == IB_OK) status = ib_step_log_create(sim, run->arena, &run->steps, error);
    if (status == IB_OK && run->steps)
        status = ib_sim_probe(sim, ib_step_log_probe(run->steps), error);
    for (int i = 0; status == IB_OK && i < scenario->expectation_count; i++)
        status = ib_expectation_attach(&scenario->expectations[i], sim, error);
    return status;
}

// Keeps what the run has to be warned of. Plug-ins are everybody's, and tell their own.
static void take_warnings(const Run *run, const ib_Sim *sim, ib_Status status)
{
    ib_RunOutcome outcome = {.scenario = run->scenario,
                             .file = run->scenario->yaml.file,
                             .sim = sim,
                             .summary = run->summary,
                             .steps = run->steps,
                             .status = status};
    char text[IB_WARNING_TEXT];
    ib_Time time;
    size_t used = 0;
    for (int i = 0; ib_run_warning(&outcome, i, &time, text, sizeof text); i++) {
        size_t length = strlen(text);
        char *more = realloc(run->result->warnings, used + length + 2);
        if (!more) return;
        memcpy(more + used, text, length);
        memcpy(more + used + length, "\n", 2);
        used += length + 1;
        run->result->warnings = more;
    }
}

// Keeps verdicts, last values, warnings and the hash, before the simulation goes.
static void take_result(void *self, const ib_Sim *sim, ib_Status status, const ib_RunResult *end)
{
    const Run *run = self;
    const ib_Summary *summary = run->summary;
    (void)end;
    for (int i = 0; i < run->scenario->expectation_count; i++) {
        ib_expectation_finish(&run->scenario->expectations[i], status == IB_OK);
        run->result->passed[i] = run->scenario->expectations[i].passed;
    }
    take_warnings(run, sim, status);
    memcpy(run->result->final, summary->final, (size_t)summary->count * sizeof *summary->final);
    run->result->hash = ib_sim_hash(sim);
}

static ib_Status run_scenario(const ib_Sweep *sweep, ib_Scenario *scenario, ib_Arena *arena,
                              ib_SweepResult *result, ib_Error *error)
{
    if (!same_signals(&sweep->first->model->signals, &scenario->model->signals) ||
        sweep->first->expectation_count != scenario->expectation_count)
        return ib_error_set(error, IB_BAD_INPUT,
                            "this run has other signals or expectations than the first one");
    Run run = {.scenario = scenario, .arena = arena, .result = result};
    return ib_run_whole(
        &(ib_RunPlan){
            .model = scenario->model, .attach = attach, .ended = take_result, .self = &run},
        error);
}

void ib_sweep_run(void *self, int index)
{
    ib_Sweep *sweep = self;
    ib_SweepResult *result = &sweep->results[index];
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_Error error = {.status = IB_BAD_INPUT};
    int values[IB_SWEEP_MAX_AXES];
    uint64_t seed;
    ib_sweep_point(&sweep->plan, index, values, &seed);
    ib_Scenario *scenario = read_point(&sweep->plan, values, seed, &arena, &diagnostics);
    result->status = IB_BAD_INPUT;
    if (scenario) result->seed = scenario->sim.seed; // an axis may be run.seed
    if (scenario)
        result->status = run_scenario(sweep, scenario, &arena, result, &error);
    else if (diagnostics.count > 0)
        ib_diagnostic_format(&diagnostics.items[0], error.text, sizeof error.text);
    if (result->status != IB_OK) result->error = strdup(error.text);
    ib_scenario_destroy(scenario);
    ib_arena_reset(&arena);
    result->done = true;
}

// ------------------------------------------------------------------------------------------- merge

int ib_sweep_warning_count(const ib_SweepResult *result)
{
    int count = 0;
    for (const char *c = result->warnings; c && *c; c++) count += *c == '\n';
    return count;
}

int ib_sweep_warnings(const ib_Sweep *sweep, int most, ib_SweepWarning *warnings, int *left)
{
    int count = 0;
    *left = 0;
    for (int run = 0; run < sweep->count; run++) {
        bool lost = false;
        for (const char *line = sweep->results[run].warnings; line && *line;) {
            int length = (int)strcspn(line, "\n"), i = 0;
            while (i < count && (warnings[i].length != length ||
                                 strncmp(warnings[i].text, line, (size_t)length) != 0))
                i++;
            if (i == count && count < most)
                warnings[count++] = (ib_SweepWarning){line, length, run, 0};
            if (i < count) warnings[i].count++;
            lost |= i == count;
            line += length + 1;
        }
        *left += lost;
    }
    return count;
}

ib_SweepStatistics ib_sweep_statistics(const ib_Sweep *sweep, int signal)
{
    ib_SweepStatistics s = {.min = NAN, .max = NAN};
    double squares = 0;
    // Welford: the mean and the sum of squared distances from it, run by run in the order
    // of the list.
    for (int i = 0; i < sweep->count; i++) {
        const ib_SweepResult *result = &sweep->results[i];
        if (!result->done || result->status != IB_OK) continue;
        double value = result->final[signal], distance = value - s.mean;
        if (isnan(value)) continue;
        s.count++;
        s.mean += distance / s.count;
        squares += distance * (value - s.mean);
        if (!(s.min <= value)) s.min = value;
        if (!(s.max >= value)) s.max = value;
    }
    s.deviation = s.count > 1 ? sqrt(squares / (s.count - 1)) : 0;
    if (s.count == 0) s.mean = NAN;
    return s;
}
