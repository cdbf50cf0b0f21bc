// sim/jump.c: instantaneous changes of a state: pushes at the start of a step, modes that follow
// inputs, and the event at the end of a piece.
#include "sim/contact/contact.h"
#include "sim/guest_forces.h"
#include "sim/input/disturbance.h"
#include "sim/sim_inside.h"

enum { MAX_ROUNDS = 10000 }; ///< until modes have settled; more is a robot that chatters

ib_Status ib__sim_settle(const ib_Sim *sim, double after, double *state, ib_Error *error)
{
    const double *input = ib__sim_input_at(sim, after);
    for (int i = 0; i < sim->model->robot_count; i++) {
        const ib_RobotModel *robot = &sim->model->robots[i];
        if (!robot->kind->settle) continue;
        int rounds = 0;
        // A continuous loop may see another mode at once, and set something else.
        while (robot->kind->settle(
            robot->model,
            ib__sim_own_input(sim, robot, state, ib__sim_continuous_input(sim, state, input)),
            state + robot->state))
            if (++rounds == MAX_ROUNDS)
                return ib_error_set(error, IB_FAILED,
                                    "the modes of %s%sthe %s do not settle at %.9g s: each change "
                                    "leads to the next",
                                    robot->name, robot->name[0] ? ", " : "", robot->kind->name,
                                    ib_time_to_seconds(sim->time) + after);
    }
    return IB_OK;
}

ib_Status ib__sim_begin(ib_Sim *sim, double *state, ib_Error *error)
{
    ib_disturbances_jump(sim->model, sim->time, state);
    if (sim->riding > 0) ib__riders_follow(sim, state);
    ib__guests_hold(sim, state, 0, 0);
    return ib__sim_settle(sim, 0, state, error);
}

// Several guards may change sign in the same instant. The directions of the others follow from the
// guards at the start of the piece.
static void update_robots(ib_Sim *sim, const ib_Event *jump, double after)
{
    for (int i = 0; i < sim->model->robot_count; i++) {
        const ib_RobotModel *robot = &sim->model->robots[i];
        const double *input = ib__sim_own_input(
            sim, robot, sim->state,
            ib__sim_continuous_input(sim, sim->state, ib__sim_input_at(sim, after)));
        for (int k = 0; robot->kind->update && k < robot->ports.guard_count; k++) {
            int guard = robot->guard + k;
            if (!jump->crossed[guard]) continue;
            bool rising = guard == jump->index ? jump->rising : sim->guards[guard] < 0;
            robot->kind->update(robot->model, k, rising, input, sim->state + robot->state);
        }
    }
}

ib_Status ib__sim_contact(ib_Sim *sim, const ib__Piece *piece, ib_Error *error)
{
    double after = piece->from + piece->length;
    ib_Status status = IB_OK;
    if (piece->jump.index >= 0) update_robots(sim, &piece->jump, after);
    if (piece->hit) status = ib__contact_hit(sim, after, sim->state, error);
    sim->guards_known = false;
    return status != IB_OK ? status : ib__sim_settle(sim, after, sim->state, error);
}

ib_Status ib__sim_settle_contacts(ib_Sim *sim, double after, ib_Error *error)
{
    if (!ib__contact_settle(sim, after)) return IB_OK;
    sim->guards_known = false;
    return ib__sim_settle(sim, after, sim->state, error);
}
