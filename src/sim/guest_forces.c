#include "sim/guest_forces.h"

#include "robot/planar.h"
#include "sim/contact/bodies.h"
#include "sim/shared_world.h"

#include <string.h>

bool ib__guests_room(ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    if (!model->guests) return true;
    size_t count = (size_t)model->guests->count, robots = (size_t)model->robot_count;
    size_t movers = model->world ? (size_t)model->world->mover_count : 0;
    ib__GuestRoom *room = sim->guests = ib_arena_alloc(&sim->arena, sizeof *room);
    if (!room) return false;
    room->states = ib_arena_array(&sim->arena, count, sizeof *room->states);
    room->movers = ib_arena_array(&sim->arena, movers, sizeof *room->movers);
    room->wrenches = ib_arena_array(&sim->arena, count, sizeof *room->wrenches);
    room->now = room->held = ib_arena_array(&sim->arena, robots, sizeof *room->held);
    room->seen = ib_arena_array(&sim->arena, robots, sizeof *room->seen);
    bool good = room->states && room->movers && room->wrenches && room->held && room->seen;
    for (int i = 0; good && i < model->robot_count; i++)
        if (ib__guests_has_world(&model->robots[i]))
            good = ib_rigid_guest_room(model->robots[i].model, sim->rooms[i], &sim->arena);
    return good;
}

// Where all guests are. The movers are in room->movers.
static void gather(const ib_Sim *sim, const double *state, const double *input)
{
    const ib_Model *model = sim->model;
    ib__GuestRoom *room = sim->guests;
    ib_Error more; // a state that cannot be placed fails in its own step
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        if (ib__guests_has_world(robot))
            ib_rigid_guest_place(robot->model, sim->rooms[i], state + robot->state,
                                 input + robot->input, &more);
    }
    for (int i = 0; i < model->guests->count; i++) {
        const ib__Guest *guest = &model->guests->items[i];
        ib_GuestState *own = &room->states[i];
        if (guest->robot < 0) {
            const ib_WorldElement *e = &model->world->elements[guest->body];
            ib__guests_moved(&model->config->field->elements[e->config],
                             &room->movers[guest->mover], own);
            continue;
        }
        const ib_RobotModel *robot = &model->robots[guest->robot];
        if (robot->ports.planar)
            ib__guests_flat(robot->ports.planar, state + robot->state, own);
        else
            ib_rigid_guest_state(sim->rooms[guest->robot], guest->body, own);
    }
}

// Forces on all guests: on those of the floor in `to`, unless that is NULL, on others in their
// workspaces. A state that MuJoCo cannot solve has none, and fails in its own step.
static void solve(const ib_Sim *sim, const double *state, const double *input, double (*to)[3])
{
    const ib_Model *model = sim->model;
    ib__GuestRoom *room = sim->guests;
    gather(sim, state, input);
    ib__shared_wrenches(sim, state, input, room->wrenches);
    for (int i = 0; i < model->guests->count; i++) {
        const ib__Guest *guest = &model->guests->items[i];
        const double *wrench = room->wrenches[i];
        if (guest->robot < 0) continue;
        if (!model->robots[guest->robot].ports.planar) {
            if (guest->body > 0)
                ib_rigid_guest_press(model->robots[guest->robot].model, sim->rooms[guest->robot],
                                     guest->body, wrench);
            continue;
        }
        if (to) memcpy(to[guest->robot], (double[]){wrench[0], wrench[1], wrench[5]}, sizeof *to);
    }
}

static void find_movers(const ib_Sim *sim, const double *input, double t)
{
    if (sim->model->world) ib__bodies_find_movers(sim, input, t, sim->guests->movers);
}

void ib__guests_hold(ib_Sim *sim, const double *state, double from, double ahead)
{
    if (!sim->guests) return;
    find_movers(sim, sim->input, from);
    solve(sim, state, ib__sim_input_at(sim, from + 0.5 * ahead), sim->guests->held);
}

void ib__guests_press(const ib_Sim *sim, double from, const double *state, const double *input)
{
    if (!sim->guests) return;
    find_movers(sim, sim->input, from);
    solve(sim, state, input, NULL);
}

void ib__guests_look(const ib_Sim *sim, const double *state, const double *input)
{
    if (!sim->guests) return;
    find_movers(sim, input, 0);
    solve(sim, state, input, sim->guests->seen);
    sim->guests->now = sim->guests->seen;
}

void ib__guests_look_away(const ib_Sim *sim)
{
    if (sim->guests) sim->guests->now = sim->guests->held;
}

void ib__guests_output(const ib_Sim *sim, double *signals)
{
    const ib_Model *model = sim->model;
    for (int i = 0; sim->guests && i < model->robot_count; i++)
        if (model->robots[i].legs_signal >= 0)
            memcpy(signals + model->robots[i].legs_signal, sim->guests->seen[i],
                   sizeof *sim->guests->seen);
}
