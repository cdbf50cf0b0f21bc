// study/sweep/sweep_worker.c: one run of a sweep after the other, reusing the last one's scenario
// and simulation.
#include "study/sweep/sweep_desk.h"
#include "study/sweep/sweep_inside.h"
#include "study/sweep/sweep_row.h"
#include "study/warnings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ib__sweep_worker_init(ib__SweepWorker *worker, const ib_Sweep *sweep,
                           const volatile sig_atomic_t *stop)
{
    *worker = (ib__SweepWorker){.sweep = sweep, .stop = stop};
    worker->values = calloc((size_t)sweep->column_count + 1, sizeof(double));
    memcpy(worker->measures, sweep->measures, sizeof worker->measures);
    worker->passed = calloc((size_t)sweep->expectation_count + 1, sizeof(bool));
    return worker->values && worker->passed;
}

// Frees the scenario and its simulation.
static void forget(ib__SweepWorker *worker)
{
    ib_sim_destroy(worker->sim);
    ib_arena_reset(&worker->arena);
    ib_scenario_destroy(worker->scenario);
    worker->sim = NULL;
    worker->summary = NULL;
    worker->steps = NULL;
    worker->scenario = NULL;
    worker->told = 0;
}

void ib__sweep_worker_destroy(ib__SweepWorker *worker)
{
    forget(worker);
    ib_bytes_free(&worker->warnings);
    free(worker->values);
    free(worker->passed);
}

// ----------------------------------------------------------------------------------------- reading

static bool same_signals(const ib_SignalTable *a, const ib_SignalTable *b)
{
    if (a->count != b->count) return false;
    for (int i = 0; i < a->count; i++)
        if (strcmp(a->items[i].name, b->items[i].name) != 0) return false;
    return true;
}

static void read_scenario(ib__SweepWorker *worker, int64_t point, const char *const *values,
                          uint64_t seed)
{
    const ib_Scenario *first = worker->sweep->first;
    ib_Arena arena = {0};
    forget(worker);
    ib_Diagnostics diagnostics = {.arena = &arena};
    worker->error = (ib_Error){.status = IB_BAD_INPUT};
    worker->scenario = ib__sweep_read(worker->sweep, values, seed, &diagnostics);
    worker->status = worker->scenario ? IB_OK : IB_BAD_INPUT;
    const ib_Scenario *own = worker->scenario;
    if (!own && diagnostics.count > 0)
        ib_diagnostic_format(&diagnostics.items[0], worker->error.text, sizeof worker->error.text);
    if (own && (!same_signals(&first->model->signals, &own->model->signals) ||
                first->expectation_count != own->expectation_count))
        worker->status =
            ib_error_set(&worker->error, IB_BAD_INPUT,
                         "this run has other signals or expectations than the first one");
    ib_arena_reset(&arena);
    worker->point = point;
    worker->seed = seed;
}

// The scenario of a run, read anew if its values differ. Without drawn values the seed only starts
// the sensors' noise.
static void find_scenario(ib__SweepWorker *worker, int64_t index, uint64_t *seed)
{
    const ib_SweepPlan *plan = &worker->sweep->plan;
    const char *values[IB_SWEEP_MAX_AXES];
    int64_t point = index / plan->seed_count;
    ib_sweep_values(worker->sweep, index, values, seed);
    bool known = worker->scenario && worker->point == point &&
                 (worker->seed == *seed || !worker->scenario->yaml.drawn);
    if (!known) read_scenario(worker, point, values, *seed);
    if (worker->scenario && plan->has_seeds) worker->scenario->sim.seed = *seed;
}

// --------------------------------------------------------------------------------------------- run

// Attaches the probes of a run: its summary, for the last values alone, the log of its steps, if
// any, and its expectations.
static ib_Status attach(ib__SweepWorker *worker, ib_Error *error)
{
    ib_Scenario *scenario = worker->scenario;
    // Only the last values are needed: the summary skips the steps.
    ib_Probe last = ib_summary_probe(worker->summary);
    last.each_step = false;
    last.at_end = true;
    ib_Status status = ib_sim_probe(worker->sim, last, error);
    if (status == IB_OK && worker->steps)
        status = ib_sim_probe(worker->sim, ib_step_log_probe(worker->steps), error);
    for (int i = 0; status == IB_OK && i < scenario->expectation_count; i++)
        status = ib_expectation_attach(&scenario->expectations[i], worker->sim, error);
    for (int i = 0; status == IB_OK && i < worker->sweep->plan.measure_count; i++)
        status =
            ib_measure_attach(&worker->measures[i], scenario->sim.duration, worker->sim, error);
    return status;
}

// The simulation at its start: a new one for a newly read scenario.
static ib_Status prepare(ib__SweepWorker *worker, ib_Error *error)
{
    const ib_Model *model = worker->scenario->model;
    ib_Status status = IB_OK;
    if (worker->sim) {
        ib_sim_detach(worker->sim);
        ib_sim_reset(worker->sim);
        ib_summary_reset(worker->summary);
        ib_step_log_reset(worker->steps);
    } else {
        status = ib_sim_create(model, &worker->sim, error);
        if (status == IB_OK)
            status = ib_summary_create(&model->signals, &worker->arena, &worker->summary, error);
        if (status == IB_OK)
            status = ib_step_log_create(worker->sim, &worker->arena, &worker->steps, error);
    }
    if (status == IB_OK) status = attach(worker, error);
    return status;
}

// Keeps the run's warnings, except those of plug-ins, which all runs share.
static void take_warnings(ib__SweepWorker *worker, ib_Status status)
{
    ib_RunOutcome outcome = {.scenario = worker->scenario,
                             .file = worker->scenario->yaml.file,
                             .sim = worker->sim,
                             .summary = worker->summary,
                             .steps = worker->steps,
                             .status = status};
    char text[IB_WARNING_TEXT];
    ib_Time time;
    ib_Bytes *bytes = &worker->warnings;
    // Warnings of the file come first, and are the same for all of its runs.
    int file = worker->scenario->yaml.warning_count;
    bytes->count = worker->told;
    for (int i = worker->told ? file : 0; ib_run_warning(&outcome, i, &time, text, sizeof text);
         i++) {
        if (bytes->count + strlen(text) + 2 > IB_SWEEP_MAX_TEXT) break;
        ib_bytes_put_text(bytes, text);
        ib_bytes_put_char(bytes, '\n');
        if (i == file - 1) worker->told = bytes->count;
    }
    if (bytes->count > 0) ib_bytes_put_char(bytes, '\0');
}

// Fills the columns: margins, measures, and what is asked for beside them.
static void take_values(ib__SweepWorker *worker)
{
    const ib_Sweep *sweep = worker->sweep;
    int count = 0;
    for (int i = 0; i < sweep->expectation_count; i++)
        worker->values[count++] = ib_expectation_margin(&worker->scenario->expectations[i]);
    for (int i = 0; i < sweep->plan.measure_count; i++) {
        ib_measure_finish(&worker->measures[i]);
        worker->values[count++] = worker->measures[i].found;
    }
    if (sweep->plan.all)
        memcpy(worker->values + count, worker->summary->final,
               (size_t)worker->summary->count * sizeof *worker->values);
}

// Makes the run, and keeps verdicts, last values, warnings and the hash.
static ib_Status make(ib__SweepWorker *worker, uint64_t *hash, ib_Error *error)
{
    ib_Scenario *scenario = worker->scenario;
    ib_Status status = prepare(worker, error);
    if (status != IB_OK) {
        forget(worker);
        return status;
    }
    ib_RunResult result;
    status = ib_run(worker->sim, &(ib_RunOptions){.stop = worker->stop}, &result, error);
    if (status == IB_INTERRUPTED) return status;
    for (int i = 0; i < scenario->expectation_count; i++) {
        ib_expectation_finish(&scenario->expectations[i], status == IB_OK);
        worker->passed[i] = scenario->expectations[i].passed;
    }
    take_warnings(worker, status);
    if (status == IB_OK) take_values(worker);
    *hash = ib_sim_hash(worker->sim);
    return status;
}

// A design or plan: made anew for each point.
static ib_Status make_numbers(ib__SweepWorker *worker, int64_t index, ib_SweepResult *result)
{
    const char *values[IB_SWEEP_MAX_AXES];
    ib_Diagnostics diagnostics = {.arena = &worker->arena};
    ib_arena_reset(&worker->arena);
    worker->error = (ib_Error){.status = IB_BAD_INPUT, .text = "out of memory"};
    ib_sweep_values(worker->sweep, index, values, &result->seed);
    const ib_DeskNumbers *numbers =
        ib__sweep_desk_make(worker->sweep, values, &worker->arena, &diagnostics);
    if (!numbers && diagnostics.count > 0)
        ib_diagnostic_format(&diagnostics.items[0], worker->error.text, sizeof worker->error.text);
    if (!numbers) return IB_BAD_INPUT;
    result->hash = ib__sweep_desk_take(worker->sweep, numbers, worker->values, worker->passed);
    result->warnings = numbers->warnings;
    return IB_OK;
}

static ib_Status make_run(ib__SweepWorker *worker, int64_t index, ib_SweepResult *result)
{
    find_scenario(worker, index, &result->seed);
    if (worker->scenario) result->seed = worker->scenario->sim.seed; // an axis may be run.seed
    if (worker->status != IB_OK) return worker->status;
    ib_Status status = make(worker, &result->hash, &worker->error);
    bool warned = worker->warnings.count > 0 && !worker->warnings.failed;
    if (warned) result->warnings = (const char *)worker->warnings.data;
    return status;
}

void ib__sweep_worker_make(ib__SweepWorker *worker, int64_t index, ib_SweepResult *result)
{
    const ib_Sweep *sweep = worker->sweep;
    *result = (ib_SweepResult){.values = worker->values, .passed = worker->passed};
    worker->warnings.count = 0;
    // A run that does not reach its end has no values: NAN, since 0 would look like one.
    for (int i = 0; i < sweep->column_count; i++) worker->values[i] = NAN;
    for (int i = 0; i < sweep->expectation_count; i++) worker->passed[i] = false;
    result->status =
        sweep->desk ? make_numbers(worker, index, result) : make_run(worker, index, result);
    if (result->status != IB_OK) result->error = worker->error.text;
}
