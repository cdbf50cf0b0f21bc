// robot/rigid/rigid_group_step.c: a step of several members in one world, and their signals.
#include "base/quaternion.h"
#include "robot/rigid/rigid_group_inside.h"
#include "robot/rigid/rigid_inside.h"
#include "world/mujoco_model.h"

#include <string.h>

// Memory of one simulation.
typedef struct Workspace {
    ib_MujocoWorkspace *world;
    const ib_RigidGroup *of; ///< whose forces are solved; NULL: none are
    double *state, *next;    ///< of the whole
    ib_GuestState *guests;   ///< for which they are
    ib__RigidRoom **rooms;   ///< of each member, with its share
} Workspace;

void *ib_rigid_group_workspace(const ib_RigidGroup *group, ib_Arena *arena)
{
    Workspace *workspace = ib_arena_alloc(arena, sizeof *workspace);
    size_t states = (size_t)group->sizes.states;
    if (!workspace) return NULL;
    workspace->world = ib_mujoco_workspace(group->world, arena);
    workspace->state = ib_arena_array(arena, states, sizeof *workspace->state);
    workspace->next = ib_arena_array(arena, states, sizeof *workspace->next);
    workspace->guests = ib_arena_array(arena, (size_t)group->guest_count, sizeof(ib_GuestState));
    workspace->rooms = ib_arena_array(arena, (size_t)group->count, sizeof(ib__RigidRoom *));
    if (!workspace->world || !workspace->state || !workspace->next || !workspace->rooms ||
        !workspace->guests)
        return NULL;
    for (int i = 0; i < group->count; i++) {
        const ib__RigidSharer *member = &group->members[i];
        ib_MujocoWorkspace *share = ib_mujoco_share(workspace->world, &member->share, arena);
        workspace->rooms[i] = share ? ib__rigid_room(member->is.robot, share, arena) : NULL;
        if (!workspace->rooms[i]) return NULL;
    }
    return workspace;
}

static void find_gravity(const ib_PartsModel *r, const double *input, double gravity[3])
{
    r->rigid->gravity(r->own, input, gravity);
}

// The world has the gravity of its first member. Each body of one with another (a preset's own)
// is pushed by the difference, m (g_own - g), at its centre of mass.
static void correct_weight(const ib__RigidSharer *member, const double g[3], const double *input,
                           ib_MujocoWorkspace *share)
{
    const ib_Rigid *b = member->is.robot->rigid;
    double own[3], *push = ib_mujoco_pushes(share);
    find_gravity(member->is.robot, input, own);
    if (memcmp(own, g, sizeof own) == 0) return;
    for (int i = 1; i < b->sizes.bodies; i++)
        for (int k = 0; k < 3; k++)
            push[6 * i + k] += ib_mujoco_body_mass(b->world, i) * (own[k] - g[k]);
}

// Guests have no weight here: it is made up for at their centres of mass.
static void lift_guests(const ib_RigidGroup *group, const double g[3], ib_MujocoWorkspace *world)
{
    double *push = ib_mujoco_pushes(world);
    for (int i = 0; i < group->guest_count; i++) {
        const ib__RigidVisitor *guest = &group->guests[i];
        for (int k = 0; guest->body > 0 && k < 3; k++)
            push[6 * guest->body + k] = -guest->is.inertia.mass * g[k];
    }
}

static bool is_solved(const ib_RigidGroup *group, Workspace *workspace, const ib_RigidNow *now)
{
    bool all = workspace->of == group;
    for (int i = 0; i < group->count; i++)
        all &= ib__rigid_is_solved(group->members[i].is.robot, workspace->rooms[i], now->states[i],
                                   now->inputs[i]);
    size_t guests = (size_t)group->guest_count * sizeof *now->guests;
    return all && (guests == 0 || memcmp(workspace->guests, now->guests, guests) == 0);
}

// Every member's offers, and all states.
static void gather(const ib_RigidGroup *group, Workspace *workspace, const ib_RigidNow *now)
{
    double own[3];
    for (int i = 0; i < group->count; i++) {
        const ib_PartsModel *robot = group->members[i].is.robot;
        find_gravity(robot, now->inputs[i], own);
        ib_mujoco_share_begin(group->world, own, workspace->rooms[i]->world);
        ib__rigid_offer(robot, workspace->rooms[i], now->states[i], now->inputs[i]);
        ib__rigid_gather(group, i, now->states[i], workspace->state);
    }
    for (int i = 0; i < group->guest_count; i++) {
        workspace->guests[i] = now->guests[i];
        ib__rigid_gather_guest(group, i, &now->guests[i], workspace->state);
    }
}

static ib_Status solve(const ib_RigidGroup *group, Workspace *workspace, const ib_RigidNow *now,
                       ib_Error *error)
{
    double gravity[3];
    if (is_solved(group, workspace, now)) return IB_OK;
    workspace->of = NULL;
    find_gravity(group->members[0].is.robot, now->inputs[0], gravity);
    gather(group, workspace, now);
    ib_Status status =
        ib_mujoco_place(group->world, workspace->world, workspace->state, gravity, error);
    if (status != IB_OK) return status;
    lift_guests(group, gravity, workspace->world);
    for (int i = 0; i < group->count; i++) {
        const ib__RigidSharer *member = &group->members[i];
        ib__rigid_push(member->is.robot, workspace->rooms[i]);
        correct_weight(member, gravity, now->inputs[i], workspace->rooms[i]->world);
    }
    status = ib_mujoco_solve(group->world, workspace->world, error);
    for (int i = 0; status == IB_OK && i < group->count; i++)
        workspace->rooms[i]->of = group->members[i].is.robot;
    if (status == IB_OK) workspace->of = group;
    return status;
}

ib_Status ib_rigid_group_wrenches(const ib_RigidGroup *group, void *memory, const ib_RigidNow *now,
                                  double (*wrenches)[6], ib_Error *error)
{
    Workspace *workspace = memory;
    ib_Status status = solve(group, workspace, now, error);
    const double *all = ib_mujoco_constraint_forces(workspace->world);
    for (int i = 0; i < group->guest_count; i++) {
        const ib__RigidVisitor *guest = &group->guests[i];
        const double *f = all + guest->velocity, *q = now->guests[i].position + 3;
        double *wrench = wrenches[i];
        memset(wrench, 0, sizeof *wrenches);
        if (status != IB_OK || guest->is.motion == IB_GUEST_STILL) continue;
        memcpy(wrench, f, (guest->is.motion == IB_GUEST_FLAT ? 2 : 3) * sizeof *f);
        if (guest->is.motion == IB_GUEST_FLAT)
            wrench[5] = f[2];
        else // MuJoCo has the torque in the body's own axes
            ib_quaternion_into((double[]){q[0], -q[1], -q[2], -q[3]}, f + 3, wrench + 3);
    }
    return status;
}

ib_Status ib_rigid_group_advance(const ib_RigidGroup *group, void *memory, const ib_RigidNow *now,
                                 double h, double *const *next, ib_Error *error)
{
    Workspace *workspace = memory;
    ib_Status status = solve(group, workspace, now, error);
    workspace->of = NULL; // the bodies move on
    if (status == IB_OK)
        status = ib_mujoco_finish(group->world, workspace->world, h, workspace->next, error);
    if (status != IB_OK) return status;
    for (int i = 0; i < group->count; i++) {
        ib__rigid_scatter(group, i, workspace->next, next[i]);
        ib__rigid_turn(group->members[i].is.robot, workspace->rooms[i], next[i]);
    }
    if (group->follows)
        status = ib_mujoco_follow(group->world, workspace->world, workspace->next, error);
    for (int i = 0; status == IB_OK && i < group->count; i++) {
        const ib_PartsModel *robot = group->members[i].is.robot;
        if (robot->state_count > robot->rigid->heading + 1)
            ib__rigid_move_parts(robot, workspace->rooms[i], h, next[i]);
    }
    return status;
}

void ib_rigid_group_output(const ib_RigidGroup *group, void *memory, int member,
                           const ib_RigidNow *now, double *signals)
{
    Workspace *workspace = memory;
    bool solved = solve(group, workspace, now, NULL) == IB_OK;
    ib__rigid_show(group->members[member].is.robot, workspace->rooms[member], now->states[member],
                   solved, signals);
}
