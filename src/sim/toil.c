// sim/toil.c: an adaptive solver that tries and tries and hardly gets on is stopped.
// Which steps it takes: docs/solver.md, "When it cannot"
#include "sim/sim_inside.h"

#include <inttypes.h>

static ib_Status refuse(ib_Sim *sim, int64_t tries, double now, ib_Error *error)
{
    const ib_SolverConfig *solver = &sim->model->config->solver;
    double since = ib_time_to_seconds(sim->toil_since);
    int signal = sim->model->state_signal[ib_solver_worst(sim->solver)];
    ib_Advice advice = ib__sim_advise(sim);
    char words[IB_ADVICE_TEXT];
    ib_advice_format(&advice, sim->model->config, words);
    return ib_error_set(
        error, IB_FAILED,
        "at %.9g s: %s hardly gets on: %" PRId64 " steps since %.9g s, %.2g s each, for a "
        "tolerance of %g; %s has the largest error. %s; %s",
        now, ib_solver_names[solver->kind], tries, since, (now - since) / (double)tries,
        solver->tolerance, signal < 0 ? "a state" : sim->model->signals.items[signal].name,
        advice.rosenbrock > 0 ? "The problem is too stiff for it"
                              : "What moves is too fast to be followed, or changes too often",
        words);
}

ib_Status ib__sim_check_toil(ib_Sim *sim, double after, ib_Error *error)
{
    int64_t tries = sim->counts.steps + sim->counts.rejected;
    if (sim->time - sim->toil_since >= IB_SECOND) {
        sim->toil_since = sim->time;
        sim->toil_from = tries;
    }
    tries -= sim->toil_from;
    if (tries <= IB__MAX_TRIES) return IB_OK;
    return refuse(sim, tries, ib_time_to_seconds(sim->time) + after, error);
}
