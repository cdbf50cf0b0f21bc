// sim/strain.c: the shortest step of an adaptive solver that has too large an error is taken all
// the same, where that does no harm. Derivation: docs/solver.md, "When it cannot"
#include "sim/sim_inside.h"

// What such a step may be wrong by, of 1 + |x|: half of the largest tolerance that is advised.
static const double HARMLESS = 5e-4;

// A corner of a rate is behind after a few of them. So many one behind the other are a motion that
// no step follows.
enum { IN_A_ROW = 1000 };

bool ib__sim_bears(ib_Sim *sim, double after)
{
    double ratio = ib_solver_strain(sim->solver);
    bool harmless = ratio * sim->model->config->solver.tolerance <= HARMLESS;
    if (!(ratio > 0) || !harmless || ++sim->strain_row > IN_A_ROW) return false;
    ib_StrainedSteps *strain = &sim->strain;
    if (strain->count++ == 0) strain->first = sim->time + ib_time_from_seconds(after);
    if (ratio > strain->ratio) {
        strain->ratio = ratio;
        strain->state = ib_solver_worst(sim->solver);
    }
    return true;
}

const ib_StrainedSteps *ib_sim_strain(const ib_Sim *sim)
{
    return sim->strain.count > 0 ? &sim->strain : NULL;
}
