// sim/health/step_stability.c: fixed steps that are too long for a robot are noticed, once a run.
// Derivation: docs/solver/solver.md, "Stability"
#include "base/extreme.h"
#include "sim/sim_inside.h"

#include <math.h>
#include <string.h>

// A check costs a hundred instructions, so that few steps are checked: every EVERY-th, and the
// first CLOSER after a jump, when fast states move. After one that seems too long every step is
// checked; IN_A_ROW of them are no coincidence.
enum { EVERY = 32, CLOSER = 4, IN_A_ROW = 8 };

// Advice is tried before it is given, for SPAN of the steps that are too long, and at most MOST of
// its own.
enum { SPAN = 8, MOST = 100000 };

bool ib__step_is_unstable(ib_Sim *sim, const ib__Piece *piece)
{
    (void)piece;
    ib__Health *health = &sim->health;
    if (sim->steps < health->stability_next || sim->resting > 0) return false;
    if (!ib_solver_unstable(sim->solver, &sim->system, &health->seen)) {
        health->stability_row = 0;
        health->stability_next = sim->steps + (health->stability_closer > 0 ? 1 : EVERY);
        if (health->stability_closer > 0) health->stability_closer--;
        return false;
    }
    health->stability_next = sim->steps + 1;
    return health->seen.thrown || ++health->stability_row >= IN_A_ROW;
}

// True if steps of `length` are unstable as well, for `span` seconds from here on, under
// these inputs.
static bool are_unstable(ib_Sim *sim, double length, double span)
{
    double *x = sim->sample_state, *next = sim->course_state;
    int count = (int)ib_min(ceil(span / length), MOST), row = 0;
    memcpy(x, sim->state, (size_t)sim->model->robot_state_count * sizeof *x);
    for (int i = 0; i < count; i++) {
        ib_Instability found;
        if (ib_solver_step(sim->solver, &sim->system, length, x, next)) return true;
        row = ib_solver_unstable(sim->solver, &sim->system, &found) ? row + 1 : 0;
        if (row > 0 && (found.thrown || row >= IN_A_ROW)) return true;
        double *held = x;
        x = next;
        next = held;
    }
    return false;
}

ib_Status ib__unstable_step_note(ib_Sim *sim, ib__Piece *piece, ib_Error *error)
{
    (void)error;
    double length = ib_time_to_seconds(sim->model->step);
    const ib_SimConfig *config = sim->model->config;
    const ib_Instability *seen = &sim->health.seen;
    ib_Advice advice = ib__sim_advise(sim);
    // Half of the estimated step: at a diverging state f is not linear. The estimate may then be
    // too long, too, so that it is shortened down to the limit of a file.
    advice.step = ib_advice_step(config, 0.5 * length / ib_min(seen->ratio, 100));
    while (advice.step > 0 && are_unstable(sim, advice.step, SPAN * length))
        advice.step = ib_advice_step(config, 0.9 * advice.step);
    // The step is repeated for its internal values.
    ib_solver_step(sim->solver, &sim->system, piece->length, sim->state, sim->next);
    ib__sim_flush(sim);
    sim->health.unstable_told = true;
    sim->health.unstable = (ib_UnstableStep){
        .state = seen->state, .time = sim->time, .length = length, .advice = advice};
    sim->health.stability_next = INT64_MAX;
    return IB_OK;
}

void ib__step_stability_watch(ib_Sim *sim)
{
    if (sim->health.unstable_told || sim->adaptive) return;
    sim->health.stability_closer = CLOSER;
    sim->health.stability_next = sim->steps;
}

const ib_UnstableStep *ib_sim_unstable_step(const ib_Sim *sim)
{
    return sim->health.unstable_told ? &sim->health.unstable : NULL;
}
