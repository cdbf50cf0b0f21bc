// sim/coarse.c: fixed steps that are too long for a robot are noticed, once a run.
// Derivation: docs/solver.md, "Stability"
#include "base/extreme.h"
#include "sim/sim_inside.h"

#include <math.h>
#include <string.h>

// A look costs a hundred instructions, so that few steps are looked at: every EVERY-th, and the
// first CLOSER after something has jumped, when what is fast moves. One that seems too long is
// followed by looks at every step; IN_A_ROW of them are no chance.
enum { EVERY = 32, CLOSER = 4, IN_A_ROW = 8 };

// What is named is tried first, for as long as SPAN of the steps that are too long, and for no more
// than MOST of its own.
enum { SPAN = 8, MOST = 100000 };

// Are steps of `length` too long as well, for `span` seconds from here on, under these inputs?
static bool is_coarse(ib_Sim *sim, double length, double span)
{
    double *x = sim->sample_state, *next = sim->course_state;
    int count = (int)ib_min(ceil(span / length), MOST), row = 0;
    memcpy(x, sim->state, (size_t)sim->model->robot_state_count * sizeof *x);
    for (int i = 0; i < count; i++) {
        ib_Coarse found;
        if (ib_solver_step(sim->solver, &sim->system, length, x, next)) return true;
        row = ib_solver_coarse(sim->solver, &sim->system, &found) ? row + 1 : 0;
        if (row > 0 && (found.thrown || row >= IN_A_ROW)) return true;
        double *held = x;
        x = next;
        next = held;
    }
    return false;
}

// `made`: length of the step last made, which is made once more for those who look into it.
static void note(ib_Sim *sim, double made, const ib_Coarse *found)
{
    double length = ib_time_to_seconds(sim->model->step);
    const ib_SimConfig *config = sim->model->config;
    ib_Advice advice = ib__sim_advise(sim);
    // Half of what the estimate asks for: where a state is thrown, f is not linear. Then the
    // estimate may be too long, too, so that it is shortened as far as a file may go.
    advice.step = ib_advice_step(config, 0.5 * length / ib_min(found->ratio, 100));
    while (advice.step > 0 && is_coarse(sim, advice.step, SPAN * length))
        advice.step = ib_advice_step(config, 0.9 * advice.step);
    ib_solver_step(sim->solver, &sim->system, made, sim->state, sim->next);
    ib__sim_drop_nothing(sim);
    sim->coarse_told = true;
    sim->coarse = (ib_CoarseStep){
        .state = found->state, .time = sim->time, .length = length, .advice = advice};
    sim->coarse_next = INT64_MAX;
}

void ib__sim_check_coarse(ib_Sim *sim, double length)
{
    ib_Coarse found;
    if (sim->adaptive || ib_solver_implicit(sim->model->config->solver.kind)) {
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
    if (found.thrown || ++sim->coarse_row >= IN_A_ROW) note(sim, length, &found);
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
