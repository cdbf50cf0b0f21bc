// sim/coarse.c: fixed steps that are too long for a robot are noticed, once a run.
// Derivation: docs/solver.md, "Stability"
#include "sim/sim_inside.h"

#include <math.h>

// A look costs a hundred instructions, so that few steps are looked at: every EVERY-th, and the
// first CLOSER after something has jumped, when what is fast moves. One that seems too long is
// followed by looks at every step; IN_A_ROW of them are no chance.
enum { EVERY = 32, CLOSER = 4, IN_A_ROW = 8 };

// The next smaller one of the row 1, 2, 5 [s].
static double round_down(double step)
{
    double power = pow(10, floor(log10(step))), part = step / power;
    return power * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
}

static void note(ib_Sim *sim, double length, const ib_Coarse *found)
{
    // Half of what the estimate asks for: where a state is thrown, f is not linear.
    double ratio = fmin(found->ratio, 100);
    sim->coarse_told = true;
    sim->coarse = (ib_CoarseStep){.state = found->state,
                                  .time = sim->time,
                                  .length = length,
                                  .enough = round_down(0.5 * length / ratio)};
    sim->coarse_next = INT64_MAX;
}

void ib__sim_check_coarse(ib_Sim *sim)
{
    ib_Coarse found;
    if (sim->adaptive) {
        sim->coarse_next = INT64_MAX;
        return;
    }
    if (!ib_solver_coarse(sim->solver, &sim->system, &found)) {
        sim->coarse_row = 0;
        sim->coarse_next = sim->steps + (sim->coarse_closer > 0 ? 1 : EVERY);
        if (sim->coarse_closer > 0) sim->coarse_closer--;
        return;
    }
    sim->coarse_next = sim->steps + 1;
    if (found.thrown || ++sim->coarse_row >= IN_A_ROW)
        note(sim, ib_time_to_seconds(sim->model->step), &found);
}

void ib__sim_watch_coarse(ib_Sim *sim)
{
    if (sim->coarse_told || sim->adaptive) return;
    sim->coarse_closer = CLOSER;
    sim->coarse_next = sim->steps;
}

const ib_CoarseStep *ib_sim_coarse(const ib_Sim *sim)
{
    return sim->coarse_told ? &sim->coarse : NULL;
}
