// robot/quadruped/quadruped_step.c: a step of bodies and air, and what they show at an instant.
#include "base/extreme.h"
#include "base/maths.h"
#include "robot/quadruped/quadruped_inside.h"

#include <math.h>
#include <string.h>

struct ib_QuadrupedRoom {
    ib_MujocoRoom *world;
    const ib_QuadrupedModel *of; ///< whose forces are solved; NULL: none are
    double *state, *input;       ///< for this state and these inputs
};

ib_QuadrupedRoom *ib_quadruped_room(const ib_QuadrupedModel *model, ib_Arena *arena)
{
    ib_QuadrupedRoom *room = ib_arena_alloc(arena, sizeof *room);
    if (!room) return NULL;
    room->world = ib_mujoco_room(model->world, arena);
    room->state = ib_arena_array(arena, (size_t)model->state_count, sizeof *room->state);
    room->input = ib_arena_array(arena, (size_t)model->input_count, sizeof *room->input);
    return room->world && room->state && room->input ? room : NULL;
}

// ------------------------------------------------------------------------------------------ forces

// Where the pistons are and how fast they go, behind `place` or, of places alone, `follow`.
static void find_pistons(const ib_QuadrupedModel *model, const ib_MujocoRoom *room,
                         const double *state, double *x, double *v)
{
    for (int i = 0; i < model->joint_count; i++) {
        const ib_LegJointModel *joint = &model->joints[i];
        int at = joint->cylinder;
        if (at < 0) continue;
        if (joint->tendon >= 0) {
            x[at] = ib_mujoco_tendon_lengths(room)[joint->tendon] - joint->linkage.l2;
            if (v) v[at] = ib_mujoco_tendon_speeds(room)[joint->tendon];
        } else if (joint->slide >= 0) {
            x[at] = state[joint->slide];
            if (v) v[at] = state[joint->slide_speed];
        } else {
            ib_LinkageNow now = ib_linkage_at(&joint->linkage, state[joint->position]);
            x[at] = now.x;
            if (v) v[at] = now.arm * state[joint->speed];
        }
    }
}

static double servo_torque(const ib_QuadrupedModel *model, double goal, double angle)
{
    double torque = model->servo_stiffness * (goal - angle);
    return ib_min(ib_max(torque, -model->servo_limit), model->servo_limit);
}

// What each joint's drive does, to be solved for.
static void set_forces(const ib_QuadrupedModel *model, ib_MujocoRoom *room, const double *state,
                       const double *input, const double *piston)
{
    double *forces = ib_mujoco_forces(room), *controls = ib_mujoco_controls(room);
    for (int i = 0; i < model->joint_count; i++) {
        const ib_LegJointModel *joint = &model->joints[i];
        double angle = state[joint->position];
        if (joint->control >= 0) {
            controls[joint->control] = piston[joint->cylinder];
        } else if (joint->cylinder >= 0) {
            ib_LinkageNow now = ib_linkage_at(&joint->linkage, angle);
            forces[joint->velocity] +=
                ib_linkage_torque(&joint->linkage, &now, piston[joint->cylinder]);
        } else if (joint->drive == IB_DRIVE_SERVO) {
            forces[joint->velocity] += servo_torque(model, input[joint->input], angle);
        } else if (joint->drive == IB_DRIVE_DIRECT) {
            forces[joint->velocity] += input[joint->input];
        }
    }
}

static void set_pushes(const ib_QuadrupedModel *model, ib_MujocoRoom *room, const double *input,
                       double heading)
{
    double *push = ib_mujoco_pushes(room) + 6 * model->thorax, s, c;
    ib_sincos(heading, &s, &c);
    push[0] = input[IB_PUSH_X];
    push[1] = input[IB_PUSH_Y];
    push[5] = ib_push_torque(input, c, s);
}

// Gravity in the frame of a floor that is tilted: the part along it is told for the field's own g,
// the rest points into it, and both together are as long as the robot's g.
static void find_gravity(const ib_QuadrupedModel *model, const double *input, double gravity[3])
{
    double field = input[IB_GRAVITY], g = isinf(model->gravity) ? field : model->gravity;
    double scale = field > 0 ? g / field : 0;
    gravity[0] = scale * input[IB_SLOPE_X];
    gravity[1] = scale * input[IB_SLOPE_Y];
    double along = gravity[0] * gravity[0] + gravity[1] * gravity[1];
    gravity[2] = along > 0 ? -sqrt(ib_max(g * g - along, 0)) : -g;
}

// Where joints stand for the seals of their cylinders, by the arms that these have now.
static void hold_joints(const ib_QuadrupedModel *model, ib_MujocoRoom *room, const double *state)
{
    for (int i = 0; i < model->joint_count; i++) {
        const ib_LegJointModel *joint = &model->joints[i];
        if (!joint->seals) continue;
        double arm = ib_linkage_at(&joint->linkage, state[joint->position]).arm;
        ib_JointFriction seals = ib_bank_joint(&model->bank, joint->cylinder, arm);
        ib_mujoco_hold(model->world, room, joint->velocity, joint->damping + seals.damping,
                       joint->friction + seals.loss);
    }
}

// Do both push the bodies alike? A valve does not: its air does, from the next step on.
static bool pushes_alike(const ib_QuadrupedModel *model, const double *a, const double *b)
{
    bool alike = memcmp(a, b, IB_ENVIRONMENT_COUNT * sizeof *a) == 0;
    for (int i = 0; alike && i < model->joint_count; i++) {
        const ib_LegJointModel *joint = &model->joints[i];
        alike = joint->cylinder >= 0 || joint->input < 0 || a[joint->input] == b[joint->input];
    }
    return alike;
}

// Places the bodies, sets all forces, and finds accelerations and contact forces.
static ib_Status solve(const ib_QuadrupedModel *model, ib_QuadrupedRoom *room, const double *state,
                       const double *input, ib_Error *error)
{
    size_t states = (size_t)model->state_count * sizeof *state;
    size_t inputs = (size_t)model->input_count * sizeof *input;
    if (room->of == model && memcmp(room->state, state, states) == 0 &&
        pushes_alike(model, room->input, input))
        return IB_OK;
    room->of = NULL;
    double gravity[3];
    find_gravity(model, input, gravity);
    double x[IB_QUADRUPED_JOINTS], v[IB_QUADRUPED_JOINTS], force[IB_QUADRUPED_JOINTS];
    hold_joints(model, room->world, state);
    ib_Status status = ib_mujoco_place(model->world, room->world, state, gravity, error);
    if (status != IB_OK) return status;
    if (model->bank.count > 0) {
        find_pistons(model, room->world, state, x, v);
        ib_bank_force(&model->bank, state + model->bank_state, x, v, force);
    }
    set_forces(model, room->world, state, input, force);
    set_pushes(model, room->world, input, state[model->heading_state]);
    status = ib_mujoco_solve(model->world, room->world, error);
    if (status != IB_OK) return status;
    memcpy(room->state, state, states);
    memcpy(room->input, input, inputs);
    room->of = model;
    return IB_OK;
}

// ------------------------------------------------------------------------------------------ a step

// Heading, pitch and roll of a quaternion; positive pitch dips the front.
static void attitude_of(const double q[4], double attitude[3])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double forward[3] = {w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)};
    double up = w * w - x * x - y * y + z * z;
    attitude[0] = ib_atan2(forward[1], forward[0]);
    attitude[1] = ib_atan2(-forward[2], sqrt(forward[0] * forward[0] + forward[1] * forward[1]));
    attitude[2] = ib_atan2(2 * (y * z + w * x), up);
}

// The heading goes on from where it was: a body turns by less than half a turn within a step.
static double turned(double before, double wrapped)
{
    double s, c;
    ib_sincos(wrapped - before, &s, &c);
    return before + ib_atan2(s, c);
}

static ib_Status drive_air(const ib_QuadrupedModel *model, ib_QuadrupedRoom *room,
                           const double *state, const double *input, double h, double *next,
                           ib_Error *error)
{
    double x0[IB_QUADRUPED_JOINTS], x1[IB_QUADRUPED_JOINTS], volts[IB_QUADRUPED_JOINTS];
    find_pistons(model, room->world, state, x0, NULL); // tendons: as they were placed
    if (model->sizes.tendons > 0) {
        ib_Status status = ib_mujoco_follow(model->world, room->world, next, error);
        if (status != IB_OK) return status;
    }
    find_pistons(model, room->world, next, x1, NULL);
    for (int i = 0; i < model->joint_count; i++)
        if (model->joints[i].cylinder >= 0)
            volts[model->joints[i].cylinder] = input[model->joints[i].input];
    ib_BankDrive drive = {.volts = volts, .x0 = x0, .x1 = x1, .h = h, .parts = model->gas_steps};
    ib_bank_drive(&model->bank, state + model->bank_state, &drive, next + model->bank_state);
    return IB_OK;
}

ib_Status ib_quadruped_advance(const ib_QuadrupedModel *model, ib_QuadrupedRoom *room,
                               const double *state, const double *input, double h, double *next,
                               ib_Error *error)
{
    ib_Status status = solve(model, room, state, input, error);
    room->of = NULL; // the bodies move on
    if (status == IB_OK) status = ib_mujoco_finish(model->world, room->world, h, next, error);
    if (status != IB_OK) return status;
    next[model->heading_state] = state[model->heading_state];
    for (int i = model->begin_state; i < model->state_count; i++) next[i] = state[i];
    if (model->free) {
        double attitude[3];
        attitude_of(next + 3, attitude);
        next[model->heading_state] = turned(state[model->heading_state], attitude[0]);
    }
    if (model->bank.count == 0) return IB_OK;
    return drive_air(model, room, state, input, h, next, error);
}

// ----------------------------------------------------------------------------------------- signals

static void show_joint(const ib_QuadrupedModel *model, const ib_LegJointModel *joint,
                       const ib_MujocoRoom *room, const double *state, const double *input,
                       const double *x, const double *v, double *s)
{
    double angle = state[joint->position], torque = 0;
    s[IB_QUAD_ANGLE] = angle;
    s[IB_QUAD_RATE] = state[joint->speed];
    if (joint->drive == IB_DRIVE_SERVO) torque = servo_torque(model, input[joint->input], angle);
    if (joint->drive == IB_DRIVE_DIRECT) torque = input[joint->input];
    (void)room;
    if (joint->cylinder >= 0) {
        int at = joint->cylinder;
        double volts = input[joint->input];
        ib_LinkageNow now = ib_linkage_at(&joint->linkage, angle);
        ib_BankNow air =
            ib_bank_look(&model->bank, state + model->bank_state, at, volts, x[at], v[at]);
        torque = ib_linkage_torque(&joint->linkage, &now, air.force - air.friction);
        s[IB_QUAD_STROKE] = x[at];
        s[IB_QUAD_SPEED] = v[at];
        s[IB_QUAD_FORCE] = air.force;
        s[IB_QUAD_FRICTION] = air.friction;
        s[IB_QUAD_CAP] = air.air.cap.pressure;
        s[IB_QUAD_ROD] = air.air.rod.pressure;
        s[IB_QUAD_VALVE] = volts;
        s[IB_QUAD_SWING] = ib__quadruped_swing(&joint->linkage, joint->joint, angle);
    }
    s[IB_QUAD_TORQUE] = torque;
}

// Contact forces on each leg's foot, and on all of the robot.
static void show_contacts(const ib_QuadrupedModel *model, const ib_MujocoRoom *room, double *s)
{
    int count = ib_mujoco_contact_count(room), touching = 0;
    double ground = 0;
    for (int i = 0; i < model->leg_count; i++)
        memset(s + model->leg_signals[i] + IB_QUAD_FORCE_X, 0, 3 * sizeof *s);
    for (int i = 0; i < model->wheel_count; i++)
        s[model->wheel_signals[i] + IB_QUAD_WHEEL_FORCE] = 0;
    for (int i = 0; i < count; i++) {
        ib_MujocoContact contact = ib_mujoco_contact(model->world, room, i);
        bool first = ib_mujoco_geom_body(model->world, contact.geom[0]) != 0;
        int own = contact.geom[first ? 0 : 1];
        double sign = first ? -1 : 1;
        ground += sign * contact.force[2];
        touching += contact.force[0] != 0 || contact.force[1] != 0 || contact.force[2] != 0;
        for (int leg = 0; leg < model->leg_count; leg++) {
            if (model->feet[leg] != own) continue;
            double *force = s + model->leg_signals[leg] + IB_QUAD_FORCE_X;
            for (int k = 0; k < 3; k++) force[k] += sign * contact.force[k];
        }
        for (int wheel = 0; wheel < model->wheel_count; wheel++)
            if (model->tyres[wheel] == own)
                s[model->wheel_signals[wheel] + IB_QUAD_WHEEL_FORCE] += sign * contact.force[2];
    }
    s[IB_QUAD_GROUND] = ground;
    s[IB_QUAD_CONTACTS] = touching;
}

static void show_body(const ib_QuadrupedModel *model, const ib_MujocoRoom *room,
                      const double *state, double *s)
{
    const double *place = ib_mujoco_body_places(room) + 3 * model->thorax;
    const double *turn = ib_mujoco_body_turns(room) + 4 * model->thorax;
    const double *centre = ib_mujoco_centres(room); // of all bodies
    double attitude[3];
    attitude_of(turn, attitude);
    for (int i = 0; i < 3; i++) {
        s[IB_QUAD_X + i] = place[i];
        s[IB_QUAD_COM_X + i] = centre[i];
        s[IB_QUAD_VX + i] = model->free ? state[model->sizes.positions + i] : 0;
    }
    s[IB_QUAD_HEADING] = state[model->heading_state];
    s[IB_QUAD_PITCH] = attitude[1];
    s[IB_QUAD_ROLL] = attitude[2];
    s[IB_QUAD_YAW_RATE] = 0;
    if (model->free) { // MuJoCo has the turn in the body's axes
        const double *w = state + model->sizes.positions + 3, *q = turn;
        double z[3] = {2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]),
                       q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3]};
        s[IB_QUAD_YAW_RATE] = z[0] * w[0] + z[1] * w[1] + z[2] * w[2];
    }
}

static void show_wheels(const ib_QuadrupedModel *model, const double *state, double *s)
{
    for (int i = 0; i < model->wheel_count; i++) {
        const ib_MujocoJoint *wheel = &model->wheels[i];
        double *own = s + model->wheel_signals[i];
        own[IB_QUAD_WHEEL_ANGLE] = state[wheel->position];
        own[IB_QUAD_WHEEL_RATE] = state[model->sizes.positions + wheel->velocity];
    }
}

// The cylinders' air: where it came from, and its book (plant/bank.h).
static void show_air(const ib_QuadrupedModel *model, const double *state, double *s)
{
    const ib_BankModel *bank = &model->bank;
    const double *chain = state + model->bank_state + bank->supply;
    const double *sums = state + model->bank_state + bank->books;
    const double *begin = state + model->begin_state;
    double energy, mass, w = bank->ram[0].work;
    ib__quadruped_air(model, state, &energy, &mass);
    s[IB_QUAD_SUPPLY] = ib_chain_pressure(&bank->chain, chain);
    s[IB_QUAD_USED] = sums[IB_BANK_USED];
    s[IB_QUAD_VENTED] = sums[IB_BANK_VENTED] + sums[IB_BANK_LEAKED];
    s[IB_QUAD_TANK] = ib_chain_source(&bank->chain, chain);
    s[IB_QUAD_DELIVERED] = chain[IB_CHAIN_DELIVERED];
    s[IB_QUAD_AIR_ERROR] = s[IB_QUAD_USED] - s[IB_QUAD_VENTED] - (mass - begin[IB_BEGIN_MASS]);
    s[IB_QUAD_COMPRESSOR] = chain[IB_CHAIN_ENERGY];
    s[IB_QUAD_E_SUPPLY] = sums[IB_BANK_E_SUPPLY];
    s[IB_QUAD_E_HEAT] = sums[IB_BANK_HEAT];
    s[IB_QUAD_E_START] = begin[IB_BEGIN_ENERGY];
    s[IB_QUAD_E_AIR] = energy;
    s[IB_QUAD_E_WORK] = w * sums[IB_BANK_WORK];
    s[IB_QUAD_E_EXHAUST] = sums[IB_BANK_E_EXHAUST];
    s[IB_QUAD_E_LEAK] = sums[IB_BANK_E_LEAK];
}

void ib_quadruped_output(const ib_QuadrupedModel *model, ib_QuadrupedRoom *room,
                         const double *state, const double *input, double *s)
{
    double x[IB_QUADRUPED_JOINTS], v[IB_QUADRUPED_JOINTS];
    // A state that cannot be solved is one behind the end of a run that has failed.
    if (solve(model, room, state, input, NULL) != IB_OK) {
        for (int i = 0; i < model->signal_count; i++) s[i] = NAN;
        return;
    }
    find_pistons(model, room->world, state, x, v);
    show_body(model, room->world, state, s);
    for (int i = 0; i < model->joint_count; i++)
        show_joint(model, &model->joints[i], room->world, state, input, x, v,
                   s + model->joints[i].signal);
    for (int i = 0; i < model->leg_count; i++)
        memcpy(s + model->leg_signals[i], ib_mujoco_site_places(room->world) + 3 * model->sites[i],
               3 * sizeof *s);
    show_wheels(model, state, s);
    show_contacts(model, room->world, s);
    ib_mujoco_energy(model->world, room->world, &s[IB_QUAD_POTENTIAL], &s[IB_QUAD_KINETIC]);
    if (model->bank.count > 0) show_air(model, state, s + model->air_signal);
}
