#include "sim/run.h"

#include "base/stop.h"
#include "sim/pace.h"

enum { STEPS = 64 }; ///< of the solver, at least, between two checks

// Waits for the wall clock to reach the simulated time. A step that had to wait begins when the
// scheduler lets it: late perhaps, but no overrun.
static void keep_pace(ib_Pace *pace, int64_t start, ib_Time time, ib_Time last)
{
    int64_t deadline = start + time, now = ib_wall_now();
    bool waits = now < deadline;
    if (waits) {
        ib_wall_sleep(deadline);
        now = ib_wall_now();
    }
    ib_pace_add(pace, deadline, now, waits || time == 0 ? INT64_MAX : time - last);
}

// ------------------------------------------------------------------------------------------- steps

// Time until the next check of flag and clock, which costs as much as a small robot's step: that of
// 64 steps of a fixed grid, less if loops, jumps or hits make more of them, so that there are about
// as many; one step of an adaptive solver or of an external integrator, which may be long; to the
// end, if the run has neither stop flag nor clock.
static ib_Time next_look(const ib_Sim *sim, const ib_RunOptions *options, int64_t made,
                         ib_Time before)
{
    const ib_Model *model = ib_sim_model(sim);
    if (!options->stop && !options->progress) return model->config->duration;
    if (ib_solver_adaptive(model->config->solver.kind) || model->external_count > 0) return 1;
    if (made < STEPS) return ib_time_min(2 * before, STEPS * model->step);
    return made > 2 * STEPS && before > 1 ? before / 2 : before;
}

static ib_Status steps_to_end(ib_Sim *sim, const ib_RunOptions *options, ib_Pace *pace,
                              ib_Error *error)
{
    int64_t start = ib_wall_now() - ib_sim_time(sim) * options->realtime, shown = start;
    ib_Time last = 0, call = options->between ? ib_sim_time(sim) : IB_TIME_NEVER;
    ib_Time ahead = IB_SECOND / 1000000;
    int64_t made = 0;
    while (!ib_sim_done(sim)) {
        if (ib_is_stopped(options->stop))
            return ib_error_set(error, IB_INTERRUPTED, "stopped at %.9g s",
                                ib_time_to_seconds(ib_sim_time(sim)));
        if (ib_sim_time(sim) >= call) call = options->between(options->player, ib_sim_time(sim));
        if (call == IB_RUN_ENDS) return IB_OK;
        if (options->realtime) keep_pace(pace, start, ib_sim_time(sim), last);
        last = ib_sim_time(sim);
        ahead = next_look(sim, options, made, ahead);
        ib_Time until = ib_time_min(call, last + ahead);
        int64_t before = ib_sim_solver_counts(sim).steps;
        ib_Status status =
            options->realtime ? ib_sim_step(sim, error) : ib_sim_advance(sim, until, error);
        if (status != IB_OK) return status;
        made = ib_sim_solver_counts(sim).steps - before;
        if (!options->progress) continue;
        int64_t now = ib_wall_now();
        if (now - shown < IB_SECOND / 10) continue;
        shown = now;
        options->progress(options->self, ib_sim_time(sim), (double)(now - start) / 1e9);
    }
    return IB_OK;
}

// --------------------------------------------------------------------------------------------- run

ib_Status ib_run_begin(const ib_Model *model, ib_RunAttach *attach, void *self, ib_Sim **sim,
                       ib_Error *error)
{
    *sim = NULL;
    ib_Status status = ib_sim_create(model, sim, error);
    if (status == IB_OK && attach) status = attach(self, *sim, error);
    if (status == IB_OK) return IB_OK;
    ib_sim_destroy(*sim);
    *sim = NULL;
    return status;
}

ib_Status ib_run(ib_Sim *sim, const ib_RunOptions *options, ib_RunResult *result, ib_Error *error)
{
    ib_Pace pace = {0};
    int64_t begin = ib_wall_now();
    ib_Status status = steps_to_end(sim, options, &pace, error);
    if (ib_sim_done(sim) || !options->only_whole) ib_sim_finish(sim);
    *result = (ib_RunResult){.wall = (double)(ib_wall_now() - begin) / 1e9};
    if (!options->realtime) return status;
    result->overruns = pace.overruns;
    result->late_mean = ib_pace_mean(&pace);
    result->late_p50 = ib_pace_percentile(&pace, 0.5);
    result->late_p99 = ib_pace_percentile(&pace, 0.99);
    result->late_p999 = ib_pace_percentile(&pace, 0.999);
    result->late_max = ib_pace_max(&pace);
    return status;
}

ib_Status ib_run_whole(const ib_RunPlan *plan, ib_Error *error)
{
    ib_Sim *sim;
    ib_RunResult result;
    ib_Status status = ib_run_begin(plan->model, plan->attach, plan->self, &sim, error);
    if (status != IB_OK) return status;
    status = ib_run(sim, &plan->options, &result, error);
    if (plan->ended) plan->ended(plan->self, sim, status, &result);
    ib_sim_destroy(sim);
    return status;
}
