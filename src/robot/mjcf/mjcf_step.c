// robot/mjcf/mjcf_step.c: a step, and what is to be seen at an instant.
#include "base/maths.h"
#include "control/limb/limb.h"
#include "robot/mjcf/mjcf.h"
#include "world/mujoco_model.h"

#include <math.h>
#include <string.h>

struct ib_MjcfRoom {
    ib_MujocoRoom *world;
    const ib_MjcfModel *of; ///< whose forces are solved; NULL: none are
    double *state, *input;  ///< for this state and these inputs
};

static int input_count(const ib_MjcfModel *model)
{
    return IB_ENVIRONMENT_COUNT + model->sizes.controls;
}

ib_MjcfRoom *ib_mjcf_room(const ib_MjcfModel *model, ib_Arena *arena)
{
    ib_MjcfRoom *room = ib_arena_alloc(arena, sizeof *room);
    if (!room) return NULL;
    room->world = ib_mujoco_room(model->world, arena);
    room->state = ib_arena_array(arena, (size_t)model->state_count, sizeof *room->state);
    room->input = ib_arena_array(arena, (size_t)input_count(model), sizeof *room->input);
    return room->world && room->state && room->input ? room : NULL;
}

// ------------------------------------------------------------------------------------------ a step

// Pushes are on the first free body's centre of mass.
static void set_pushes(const ib_MjcfModel *model, ib_MujocoRoom *room, const double *state,
                       const double *input)
{
    if (model->free < 0) return;
    double *push = ib_mujoco_pushes(room) + 6 * model->joints[model->free].body, s, c;
    ib_sincos(state[model->sizes.states], &s, &c);
    push[0] = input[IB_PUSH_X];
    push[1] = input[IB_PUSH_Y];
    push[5] = ib_push_torque(input, c, s);
}

static ib_Status solve(const ib_MjcfModel *model, ib_MjcfRoom *room, const double *state,
                       const double *input, ib_Error *error)
{
    size_t states = (size_t)model->state_count * sizeof *state;
    size_t inputs = (size_t)input_count(model) * sizeof *input;
    size_t controls = (size_t)model->sizes.controls * sizeof *input;
    if (room->of == model && memcmp(room->state, state, states) == 0 &&
        memcmp(room->input, input, inputs) == 0)
        return IB_OK;
    room->of = NULL;
    // The floor's slope is a part of gravity, whoever says how large that is.
    double gravity[3] = {input[IB_SLOPE_X], input[IB_SLOPE_Y], 0};
    if (model->field_gravity)
        gravity[2] = -input[IB_GRAVITY];
    else
        for (int i = 0; i < 3; i++) gravity[i] += model->gravity[i];
    ib_Status status = ib_mujoco_place(model->world, room->world, state, gravity, error);
    if (status != IB_OK) return status;
    if (controls > 0)
        memcpy(ib_mujoco_controls(room->world), input + IB_ENVIRONMENT_COUNT, controls);
    set_pushes(model, room->world, state, input);
    status = ib_mujoco_solve(model->world, room->world, error);
    if (status != IB_OK) return status;
    memcpy(room->state, state, states);
    memcpy(room->input, input, inputs);
    room->of = model;
    return IB_OK;
}

// Heading, pitch and roll of a quaternion.
static void attitude_of(const double *quaternion, double attitude[3])
{
    ib_Pose pose = ib_limb_body((const double[3]){0, 0, 0}, quaternion);
    ib_pose_attitude(pose.turn, attitude);
}

// The heading goes on from where it was: a body turns by less than half a turn within a step.
static double turned(double before, double wrapped)
{
    double s, c;
    ib_sincos(wrapped - before, &s, &c);
    return before + ib_atan2(s, c);
}

ib_Status ib_mjcf_advance(const ib_MjcfModel *model, ib_MjcfRoom *room, const double *state,
                          const double *input, double h, double *next, ib_Error *error)
{
    int heading = model->sizes.states;
    ib_Status status = solve(model, room, state, input, error);
    room->of = NULL; // the bodies move on
    if (status == IB_OK) status = ib_mujoco_finish(model->world, room->world, h, next, error);
    if (status != IB_OK) return status;
    next[heading] = state[heading];
    if (model->free >= 0) {
        double attitude[3];
        attitude_of(next + model->joints[model->free].position + 3, attitude);
        next[heading] = turned(state[heading], attitude[0]);
    }
    return IB_OK;
}

// ----------------------------------------------------------------------------------------- signals

static void show_joint(const ib_MjcfModel *model, int index, const double *state, double *s)
{
    const ib_MjcfJoint *joint = &model->joints[index];
    const double *q = state + joint->position;
    double *own = s + joint->signal;
    switch (joint->motion) {
    case IB_MUJOCO_FREE:
        memcpy(own, q, 3 * sizeof *own);
        attitude_of(q + 3, own + IB_MJCF_HEADING);
        if (index == model->free) own[IB_MJCF_HEADING] = state[model->sizes.states];
        return;
    case IB_MUJOCO_BALL:
        attitude_of(q, own);
        return;
    case IB_MUJOCO_SLIDE:
    case IB_MUJOCO_HINGE:
        own[0] = q[0];
        own[1] = state[joint->speed];
        return;
    }
}

// MuJoCo has the turn of a free body in the body's own axes.
static void show_motion(const ib_MjcfModel *model, const double *state, double *s)
{
    if (model->free < 0) return;
    const ib_MjcfJoint *joint = &model->joints[model->free];
    const double *v = state + joint->speed, *w = v + 3;
    ib_Pose pose = ib_limb_body(state + joint->position, state + joint->position + 3);
    double *own = s + model->velocity_signal;
    memcpy(own, v, 3 * sizeof *own);
    own[IB_MJCF_YAW_RATE] = pose.turn[6] * w[0] + pose.turn[7] * w[1] + pose.turn[8] * w[2];
}

// What stands still pushes upwards; beside it all forces between any two count, by their size.
static void show_contacts(const ib_MjcfModel *model, const ib_MujocoRoom *room, double *s)
{
    int count = ib_mujoco_contact_count(room), touching = 0;
    double ground = 0, all = 0;
    for (int i = 0; i < count; i++) {
        ib_MujocoContact contact = ib_mujoco_contact(model->world, room, i);
        const double *f = contact.force;
        bool still[2];
        for (int k = 0; k < 2; k++)
            still[k] =
                ib_mujoco_body(model->world, ib_mujoco_geom_body(model->world, contact.geom[k]))
                    .fixed;
        double size = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
        if (still[0]) ground += f[2];
        if (still[1]) ground -= f[2];
        touching += size > 0;
        all += size;
    }
    s[IB_MJCF_GROUND] = ground;
    s[IB_MJCF_TOUCHING] = touching;
    s[IB_MJCF_CONTACT] = all;
}

void ib_mjcf_output(const ib_MjcfModel *model, ib_MjcfRoom *room, const double *state,
                    const double *input, double *s)
{
    // Where a run has failed, places and speeds are known, and forces are not.
    bool solved = solve(model, room, state, input, NULL) == IB_OK;
    for (int i = 0; !solved && i < model->signal_count; i++) s[i] = NAN;
    for (int i = 0; i < model->sizes.joints; i++) show_joint(model, i, state, s);
    show_motion(model, state, s);
    if (!solved) return;
    memcpy(s + IB_MJCF_COM_X, ib_mujoco_centres(room->world), 3 * sizeof *s);
    show_contacts(model, room->world, s);
    ib_mujoco_energy(model->world, room->world, &s[IB_MJCF_POTENTIAL], &s[IB_MJCF_KINETIC]);
    if (model->sizes.controls > 0)
        memcpy(s + model->actuator_signal, ib_mujoco_actuator_forces(room->world),
               (size_t)model->sizes.controls * sizeof *s);
}
