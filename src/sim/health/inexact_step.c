// sim/health/inexact_step.c: the shortest step of an adaptive solver that has too large an error is
// accepted all the same, where that does no harm.
// Derivation: docs/solver/solver.md, "When it cannot"
#include "sim/sim_inside.h"

// The allowed error of such a step, relative to 1 + |x|: half of the largest tolerance that
// is advised.
static const double HARMLESS = 5e-4;

// A corner of a rate is behind after a few of them. So many in a row are a motion that no
// step follows.
enum { IN_A_ROW = 1000 };

bool ib__inexact_step_is_harmless(ib_Sim *sim, const ib__Piece *piece)
{
    double ratio = ib_solver_error_ratio(sim->solver);
    if (piece->method != IB__CONTROLLED || !(ratio > 0)) return false;
    bool harmless = ratio * sim->model->config->solver.tolerance <= HARMLESS;
    return harmless && ++sim->health.inexact_row <= IN_A_ROW;
}

ib_Status ib__inexact_step_accept(ib_Sim *sim, ib__Piece *piece, ib_Error *error)
{
    (void)error;
    double ratio = ib_solver_error_ratio(sim->solver);
    ib_InexactSteps *inexact = &sim->health.inexact;
    if (inexact->count++ == 0) inexact->first = sim->time + ib_time_from_seconds(piece->from);
    if (ratio > inexact->ratio) {
        inexact->ratio = ratio;
        inexact->state = ib_solver_worst(sim->solver);
    }
    piece->length = ib_solver_length(sim->solver);
    sim->state[sim->model->step_state] = piece->length;
    sim->counts.steps += 1;
    return IB_OK;
}

const ib_InexactSteps *ib_sim_inexact_steps(const ib_Sim *sim)
{
    return sim->health.inexact.count > 0 ? &sim->health.inexact : NULL;
}
