// sim/state_within.c: the state between the two ends of a piece.
#include "sim/contact/contact.h"
#include "sim/sim_inside.h"

#include <string.h>

// A state within a piece: a step of the method from its start. With resting contacts, it is on the
// way that was checked for contact: a shorter step may find other forces just before a jam. Sensors
// and the like do not change within a step.
static const double *state_within(ib_Sim *sim, const ib__Piece *piece, double t,
                                  const ib_System *system)
{
    if (t <= 0) return piece->start;
    size_t front = (size_t)sim->model->robot_state_count, all = (size_t)sim->model->state_count;
    double *state = sim->sample_state;
    if (system == &sim->system) // evaluation of some robots needs no others
        memcpy(state + front, piece->start + front, (all - front) * sizeof *state);
    if (t >= piece->length)
        memcpy(state, piece->end, front * sizeof *state);
    else if (sim->resting > 0 && !sim->contacts->all_held)
        ib_solver_dense(sim->solver, t / ib_solver_length(sim->solver), state);
    else if (sim->model->external_count < sim->model->robot_count)
        ib_solver_step_again(sim->solver, system, t, state);
    // An unreachable state is found out by the step itself.
    if (t < piece->length && sim->model->external_count > 0)
        ib__external_advance(sim, piece->from, piece->start, t, state, NULL);
    if (sim->riding > 0) ib__riders_follow(sim, state);
    return state;
}

const double *ib__sim_state_within(ib_Sim *sim, const ib__Piece *piece, double t)
{
    return state_within(sim, piece, t, &sim->system);
}

const double *ib__sim_some_within(ib_Sim *sim, const ib__Piece *piece, double t)
{
    ib_System some = ib__sim_system_of_some(sim);
    return state_within(sim, piece, t, &some);
}
