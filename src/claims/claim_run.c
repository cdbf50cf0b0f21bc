#include "claims/claim_run.h"

#include "sim/run.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { MAX_WANTED = 24, MAX_STATES = 256, MAX_ROBOT_INPUTS = 64 };

void ib__claim_mistake(const ib_Diagnostics *diagnostics, ib_Error *error)
{
    char first[1000] = "cannot be read";
    if (diagnostics->count) ib_diagnostic_format(&diagnostics->items[0], first, sizeof first);
    ib_error_set(error, IB_FAILED, "%s", first);
}

ib_Scenario *ib__claim_load(const char *text, const ib_Override *overrides, int override_count,
                            ib_Error *error)
{
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_ScenarioOptions options = {.overrides = overrides, .override_count = override_count};
    ib_Scenario *scenario =
        ib_scenario_read_text("verify", text, strlen(text), &options, &diagnostics);
    if (!scenario) ib__claim_mistake(&diagnostics, error);
    ib_arena_reset(&arena);
    return scenario;
}

// --------------------------------------------------------------------------------------- observing

typedef struct Viewer {
    ib__ClaimRun *run;
    int wanted[MAX_WANTED], count; ///< indices of the signals
    int next;                      ///< index of the next time
    bool ran;                      ///< a step was made
} Viewer;

static ib_Time next_time(const Viewer *viewer)
{
    if (viewer->next >= viewer->run->time_count) return IB_TIME_NEVER;
    return ib_time_from_seconds(viewer->run->times[viewer->next]);
}

static ib_Time view(void *self, ib_Time time, const double *signals)
{
    Viewer *viewer = self;
    if (time == next_time(viewer)) {
        double *row = viewer->run->values + viewer->next++ * viewer->count;
        for (int i = 0; i < viewer->count; i++) row[i] = signals[viewer->wanted[i]];
    }
    return next_time(viewer);
}

static double margin(const void *self, const double *signals)
{
    const ib__Passage *passage = self;
    return signals[passage->index] - passage->level;
}

static void crossed(void *self, double seconds, const double *signals, bool rising)
{
    ib__Passage *passage = self;
    (void)signals;
    (void)rising;
    if (!isfinite(passage->seconds) && seconds >= passage->from) passage->seconds = seconds;
}

// -------------------------------------------------------------------------------------------- runs

static ib_Status attach(void *self, ib_Sim *sim, ib_Error *error)
{
    Viewer *viewer = self;
    ib__ClaimRun *run = viewer->run;
    const ib_SignalTable *table = &ib_sim_model(sim)->signals;
    for (viewer->count = 0; run->signals && run->signals[viewer->count]; viewer->count++) {
        IB_ASSERT(viewer->count < MAX_WANTED);
        int index = ib_signals_find(table, run->signals[viewer->count]);
        if (index < 0)
            return ib_error_set(error, IB_FAILED, "there is no signal '%s'",
                                run->signals[viewer->count]);
        viewer->wanted[viewer->count] = index;
    }
    for (int i = 0; i < run->time_count * viewer->count; i++) run->values[i] = NAN;
    ib_Status status =
        ib_sim_probe(sim, (ib_Probe){viewer, next_time(viewer), false, view, false}, error);
    for (int i = 0; i < run->passage_count && status == IB_OK; i++) {
        ib__Passage *passage = &run->passages[i];
        passage->seconds = NAN;
        passage->index = ib_signals_find(table, passage->signal);
        if (passage->index < 0)
            return ib_error_set(error, IB_FAILED, "there is no signal '%s'", passage->signal);
        status =
            ib_sim_watch(sim, (ib_Watch){passage, margin, crossed, 0, NULL, NULL, NULL}, error);
    }
    return status;
}

static void note_end(void *self, const ib_Sim *sim, ib_Status status, const ib_RunResult *result)
{
    Viewer *viewer = self;
    (void)result;
    viewer->ran = true;
    viewer->run->failure.status = status;
    viewer->run->end = ib_time_to_seconds(ib_sim_time(sim));
    viewer->run->steps = ib_sim_steps(sim);
}

ib_Status ib__claim_run(ib__ClaimRun *run, ib_Error *error)
{
    ib_Scenario *scenario =
        ib__claim_load(run->scenario, run->overrides, run->override_count, error);
    if (!scenario) return IB_FAILED;
    Viewer viewer = {.run = run};
    ib_RunPlan plan = {.model = scenario->model,
                       .attach = attach,
                       .ended = note_end,
                       .self = &viewer,
                       .options = {.only_whole = true}};
    ib_Error failure;
    clock_t begin = clock();
    ib_Status status = ib_run_whole(&plan, &failure);
    run->seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    // The failure of a run may be the result.
    if (status != IB_OK) *(viewer.ran ? &run->failure : error) = failure;
    ib_scenario_destroy(scenario);
    return viewer.ran ? IB_OK : status;
}

ib_Status ib__claim_rates(const char *text, const ib_Override *overrides, int override_count,
                          double *rates, int count, ib_Error *error)
{
    ib_Scenario *scenario = ib__claim_load(text, overrides, override_count, error);
    if (!scenario) return IB_FAILED;
    const ib_RobotModel *robot = &scenario->model->robots[0];
    double state[MAX_STATES] = {0}, rate[MAX_STATES] = {0}, input[MAX_ROBOT_INPUTS];
    IB_ASSERT(robot->ports.state_count <= MAX_STATES && count <= robot->ports.state_count &&
              robot->ports.input_count <= MAX_ROBOT_INPUTS);
    for (int i = 0; i < robot->ports.input_count; i++) {
        const ib_Timeline *timeline = &robot->timelines[i];
        input[i] = timeline->count ? timeline->values[0] : robot->ports.inputs[i].neutral;
    }
    robot->kind->reset(robot->config, robot->model, state);
    robot->kind->rate(robot->model, state, input, rate);
    memcpy(rates, rate, (size_t)count * sizeof *rates);
    ib_scenario_destroy(scenario);
    return IB_OK;
}
