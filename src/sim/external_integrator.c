// sim/external_integrator.c: robots that have an external integrator (ib_ExternalIntegrator in
// robot/kind.h). The solver leaves their states alone; when a piece is as long as it will be, they
// follow over the same time.
#include "sim/guest_forces.h"
#include "sim/shared_world.h"
#include "sim/sim_inside.h"

#include <string.h>

bool ib__external_create(ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    if (!ib__shared_room(sim)) return false;
    sim->rooms = ib_arena_array(&sim->arena, (size_t)model->robot_count, sizeof *sim->rooms);
    for (int i = 0; sim->rooms && i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        if (!robot->kind->integrator || robot->member >= 0) continue;
        sim->rooms[i] = robot->kind->integrator->workspace(robot->model, &sim->arena);
        if (!sim->rooms[i]) return false;
    }
    return sim->rooms != NULL && ib__guests_room(sim);
}

// Inputs are held over the piece as they are in its middle, which is as good as the ramp itself to
// the order of any such step.
ib_Status ib__external_advance(ib_Sim *sim, double from, const double *start, double length,
                               double *end, ib_Error *error)
{
    const ib_Model *model = sim->model;
    const double *input = ib__sim_input_at(sim, from + 0.5 * length);
    if (length > 0) ib__guests_press(sim, from, start, input);
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        const ib_ExternalIntegrator *integrator = robot->kind->integrator;
        if (!integrator || robot->member >= 0) continue;
        const double *before = start + robot->state;
        double *after = end + robot->state;
        if (length <= 0) {
            memmove(after, before, (size_t)robot->ports.state_count * sizeof *after);
            continue;
        }
        ib_Status status =
            integrator->advance(robot->model, sim->rooms[i], before,
                                ib__sim_own_input(sim, robot, start, input), length, after, error);
        ib_flush(after, robot->ports.state_count);
        if (status == IB_OK) continue;
        if (!error) return status;
        ib_Error why = *error;
        double now = ib_time_to_seconds(sim->time) + from;
        return ib_error_set(error, status, "at %.9g s: %s%s%s", now, robot->name,
                            robot->name[0] ? ": " : "", why.text);
    }
    return ib__shared_advance(sim, from, start, input, length, end, error);
}
