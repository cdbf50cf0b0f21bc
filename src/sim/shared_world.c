#include "sim/shared_world.h"

#include "sim/guest_forces.h"
#include "sim/sim_inside.h"

#include <string.h>

static ib_Status no_memory(ib_Error *error)
{
    return ib_error_set(error, IB_FAILED, "out of memory for a world of several robots");
}

ib_Status ib__shared_create(ib_Model *model, ib_Arena *arena, ib_Error *error)
{
    const ib_SimConfig *config = model->config;
    size_t count = (size_t)model->robot_count;
    int sharing = 0;
    for (int i = 0; i < model->robot_count; i++) sharing += model->robots[i].kind->shares;
    if (sharing == 0 || config->ghosts) return IB_OK;
    ib__Guests *guests;
    ib_RigidGuest *list = NULL;
    ib_Status status = ib__guests_find(model, arena, &guests, &list, error);
    if (status != IB_OK) return status;
    if (sharing < 2 && !guests && !ib_rigid_group_wants(config->field)) return IB_OK;
    ib_RigidMember *members = ib_arena_array(arena, count, sizeof *members);
    model->shared_robots = ib_arena_array(arena, count, sizeof *model->shared_robots);
    if (!members || !model->shared_robots) return no_memory(error);
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        if (!robot->kind->shares) continue;
        members[model->shared_count] = (ib_RigidMember){robot->name, robot->model};
        model->shared_robots[model->shared_count++] = i;
    }
    const ib_RigidWorld of = {members, model->shared_count, list, guests ? guests->count : 0,
                              config->field};
    status = ib_rigid_group_create(&of, arena, &model->shared, error);
    if (status != IB_OK || !model->shared) {
        model->shared_count = 0;
        return status;
    }
    for (int i = 0; i < model->shared_count; i++) model->robots[model->shared_robots[i]].member = i;
    model->guests = guests;
    return guests ? ib__guests_signals(model, error) : IB_OK;
}

size_t ib__shared_memory(const ib_Model *model)
{
    return model->shared ? ib_rigid_group_memory(model->shared) : 0;
}

int ib__shared_overlap(const ib_Model *model, ib_Error *error)
{
    int member = model->shared ? ib_rigid_group_overlap(model->shared, error) : -1;
    if (member >= model->shared_count)
        return model->guests->items[member - model->shared_count].robot;
    return member < 0 ? -1 : model->shared_robots[member];
}

const char *ib_model_mjcf(const ib_Model *model, int i, ib_Arena *arena)
{
    const ib_RobotModel *robot = &model->robots[i];
    return robot->member >= 0 ? ib_rigid_group_mjcf(model->shared, arena)
                              : robot->kind->mjcf(robot->config, robot->model, arena);
}

bool ib__shared_room(ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    size_t count = (size_t)model->shared_count;
    if (!model->shared) return true;
    sim->shared = ib_rigid_group_workspace(model->shared, &sim->arena);
    sim->shared_states = ib_arena_array(&sim->arena, count, sizeof *sim->shared_states);
    sim->shared_inputs = ib_arena_array(&sim->arena, count, sizeof *sim->shared_inputs);
    sim->shared_next = ib_arena_array(&sim->arena, count, sizeof *sim->shared_next);
    return sim->shared && sim->shared_states && sim->shared_inputs && sim->shared_next;
}

// Points to each one's share of all states and inputs; guests have been gathered.
static ib_RigidNow point(const ib_Sim *sim, const double *state, const double *input)
{
    const ib_Model *model = sim->model;
    for (int i = 0; i < model->shared_count; i++) {
        const ib_RobotModel *robot = &model->robots[model->shared_robots[i]];
        sim->shared_states[i] = state + robot->state;
        sim->shared_inputs[i] = input + robot->input;
    }
    return (ib_RigidNow){sim->shared_states, sim->shared_inputs,
                         sim->guests ? sim->guests->states : NULL};
}

void ib__shared_wrenches(const ib_Sim *sim, const double *state, const double *input,
                         double (*wrenches)[6])
{
    ib_Error more;
    const ib_RigidNow at = point(sim, state, input);
    ib_rigid_group_wrenches(sim->model->shared, sim->shared, &at, wrenches, &more);
}

ib_Status ib__shared_advance(ib_Sim *sim, double from, const double *start, const double *input,
                             double length, double *end, ib_Error *error)
{
    const ib_Model *model = sim->model;
    ib_Status status = IB_OK;
    if (!model->shared) return IB_OK;
    const ib_RigidNow at = point(sim, start, input);
    for (int i = 0; i < model->shared_count; i++)
        sim->shared_next[i] = end + model->robots[model->shared_robots[i]].state;
    if (length > 0)
        status = ib_rigid_group_advance(model->shared, sim->shared, &at, length, sim->shared_next,
                                        error);
    for (int i = 0; i < model->shared_count; i++) {
        int states = model->robots[model->shared_robots[i]].ports.state_count;
        if (length > 0)
            ib_flush(sim->shared_next[i], states);
        else
            memmove(sim->shared_next[i], sim->shared_states[i],
                    (size_t)states * sizeof *sim->shared_next[i]);
    }
    if (status == IB_OK || !error) return status;
    ib_Error why = *error;
    double now = ib_time_to_seconds(sim->time) + from;
    return ib_error_set(error, status, "at %.9g s: %s", now, why.text);
}

void ib__shared_output(const ib_Sim *sim, int i, const double *state, const double *input,
                       double *signals)
{
    const ib_RobotModel *robot = &sim->model->robots[i];
    const ib_RigidNow at = point(sim, state, input);
    ib_rigid_group_output(sim->model->shared, sim->shared, robot->member, &at,
                          signals + robot->signal);
    ib_balances_output(&robot->ports.balances, signals + robot->signal);
}
