// sim/toil.c: an adaptive solver that tries and tries and hardly gets on is stopped.
// Which steps it takes: docs/solver.md, "When it cannot"
#include "sim/sim_inside.h"

#include <inttypes.h>

// In one second of the run. The robots of the tests take 10 000 at a tolerance of 1e-9 and might
// take ten times that at 1e-14; at 3 us a step the second would need some 10 s of a processor.
enum { MAX_TRIES = 300000 };

static ib_Status refuse(const ib_Sim *sim, int64_t tries, double now, ib_Error *error)
{
    const ib_SolverConfig *solver = &sim->model->config->solver;
    double since = ib_time_to_seconds(sim->toil_since);
    int signal = sim->model->state_signal[ib_solver_worst(sim->solver)];
    return ib_error_set(
        error, IB_FAILED,
        "at %.9g s: %s hardly gets on: %" PRId64 " steps since %.9g s, %.2g s each, for a "
        "tolerance of %g; %s has the largest error. %s",
        now, ib_solver_names[solver->kind], tries, since, (now - since) / (double)tries,
        solver->tolerance, signal < 0 ? "a state" : sim->model->signals.items[signal].name,
        solver->kind == IB_ROSENBROCK
            ? "What moves is too fast to be followed, or changes too often; try a larger tolerance"
            : "The problem is too stiff for it; try rosenbrock");
}

ib_Status ib__sim_check_toil(ib_Sim *sim, double after, ib_Error *error)
{
    int64_t tries = sim->counts.steps + sim->counts.rejected;
    if (sim->time - sim->toil_since >= IB_SECOND) {
        sim->toil_since = sim->time;
        sim->toil_from = tries;
    }
    tries -= sim->toil_from;
    if (tries <= MAX_TRIES) return IB_OK;
    return refuse(sim, tries, ib_time_to_seconds(sim->time) + after, error);
}
