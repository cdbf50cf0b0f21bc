// sim/health/step_budget.c: stops an adaptive solver that hardly advances. Its measures:
// docs/solver/solver.md, "When it cannot"
#include "sim/sim_inside.h"

#include <inttypes.h>

static int64_t tries_of(const ib_Sim *sim)
{
    return sim->counts.steps + sim->counts.rejected;
}

void ib__step_budget_begin(ib_Sim *sim)
{
    sim->health.budget_since = sim->time;
    sim->health.budget_from = tries_of(sim);
}

// Rough steps of contacts that wedge are counted by their own tally (ib__sim_is_restless).
bool ib__step_budget_is_spent(ib_Sim *sim, const ib__Piece *piece)
{
    if (sim->resting > 0 && piece->method != IB__CONTROLLED) return false;
    if (sim->time - sim->health.budget_since >= IB_SECOND) ib__step_budget_begin(sim);
    return tries_of(sim) - sim->health.budget_from > IB__MAX_TRIES;
}

ib_Status ib__step_budget_refuse(ib_Sim *sim, ib__Piece *piece, ib_Error *error)
{
    const ib_SolverConfig *solver = &sim->model->config->solver;
    int64_t tries = tries_of(sim) - sim->health.budget_from;
    double since = ib_time_to_seconds(sim->health.budget_since);
    double now = ib_time_to_seconds(sim->time) + piece->from;
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
