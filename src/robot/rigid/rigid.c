// robot/rigid/rigid.c: a step of bodies that MuJoCo moves and of the parts on them; signals.
#include "robot/rigid/rigid_inside.h"

#include "base/maths.h"
#include "base/quaternion.h"
#include "robot/body_now.h"
#include "world/mjcf.h"
#include "world/mujoco_model.h"

#include <math.h>
#include <string.h>

enum { SETTLINGS = 100 }; ///< changes of modes behind one step

ib__RigidRoom *ib__rigid_room(const ib_PartsModel *r, ib_MujocoWorkspace *world, ib_Arena *arena)
{
    ib__RigidRoom *room = ib_arena_alloc(arena, sizeof *room);
    if (!room) return NULL;
    double **arrays[] = {&room->state, &room->stage, &room->rate[0], &room->rate[1]};
    room->world = world;
    room->input = ib_arena_array(arena, (size_t)r->input_count, sizeof *room->input);
    bool rates = r->rigid->rates, all = room->world && room->input;
    if (rates) all &= (room->then = ib_arena_alloc(arena, sizeof *room->then)) != NULL;
    for (int i = 0; i < (rates ? 4 : 1); i++) {
        *arrays[i] = ib_arena_array(arena, (size_t)r->state_count, sizeof **arrays[i]);
        all &= *arrays[i] != NULL;
    }
    return all ? room : NULL;
}

static void *make_room(const void *model, ib_Arena *arena)
{
    const ib_PartsModel *r = model;
    return ib__rigid_room(r, ib_mujoco_workspace(r->rigid->world, arena), arena);
}

static bool compatible(const void *a, const void *b)
{
    const ib_PartsModel *one = a, *other = b;
    return ib_mujoco_compatible(one->rigid->world, other->rigid->world) &&
           one->state_count == other->state_count;
}

// ------------------------------------------------------------------------------------------ forces

void ib_rigid_begin(const ib_Rigid *b, const double *x, ib_Wires *w)
{
    for (int i = 0; i < b->joint_count; i++) {
        const ib_RigidJoint *joint = &b->joints[i];
        w->joint[i] = (ib_JointWire){0};
        if (joint->tendon >= 0) continue;
        w->joint[i].position = x[joint->position];
        w->joint[i].speed = x[joint->speed];
    }
}

// Behind `place`, or of lengths alone `follow`.
static void find_tendons(const ib_Rigid *b, const ib_MujocoWorkspace *world, ib_Wires *w)
{
    for (int i = 0; i < b->joint_count; i++) {
        int tendon = b->joints[i].tendon;
        if (tendon < 0) continue;
        w->joint[i].position = ib_mujoco_tendon_lengths(world)[tendon];
        w->joint[i].speed = ib_mujoco_tendon_speeds(world)[tendon];
    }
}

// Sets the damping of joints beside their own friction.
static void hold_joints(const ib_Rigid *b, ib_MujocoWorkspace *world, const ib_Wires *w)
{
    for (int i = 0; i < b->joint_count; i++) {
        const ib_RigidJoint *joint = &b->joints[i];
        if (joint->held)
            ib_mujoco_hold(b->world, world, joint->velocity, joint->damping + w->joint[i].damping,
                           joint->friction + w->joint[i].friction);
    }
}

// Forces of parts and of the file's actuators; pushes are on the body's centre of mass.
static void set_forces(const ib_Rigid *b, ib_MujocoWorkspace *world, const ib_Wires *w)
{
    double *forces = ib_mujoco_forces(world), *controls = ib_mujoco_controls(world), s, c;
    const double *input = w->input;
    if (b->controls && b->sizes.controls > 0)
        memcpy(controls, input + b->control, (size_t)b->sizes.controls * sizeof *controls);
    for (int i = 0; i < b->joint_count; i++) {
        const ib_RigidJoint *joint = &b->joints[i];
        if (joint->control >= 0)
            controls[joint->control] = w->joint[i].force;
        else
            forces[joint->velocity] += w->joint[i].force;
    }
    if (!b->free) return;
    double *push = ib_mujoco_pushes(world) + (ptrdiff_t)6 * b->body;
    ib_sincos(w->x[b->heading], &s, &c);
    push[0] = input[IB_PUSH_X];
    push[1] = input[IB_PUSH_Y];
    push[5] = ib_push_torque(input, c, s);
}

bool ib__rigid_is_solved(const ib_PartsModel *r, ib__RigidRoom *room, const double *x,
                         const double *input)
{
    const ib_Rigid *b = r->rigid;
    size_t states = (size_t)r->state_count * sizeof *x, inputs = (size_t)r->input_count * sizeof *x;
    for (int i = 0; i < b->later_count; i++) room->input[b->later[i]] = input[b->later[i]];
    size_t outer = room->outer ? 6 * (size_t)b->sizes.bodies * sizeof *x : 0;
    return room->of == r && memcmp(room->state, x, states) == 0 &&
           memcmp(room->input, input, inputs) == 0 &&
           (outer == 0 || memcmp(room->outer, room->outer_solved, outer) == 0);
}

void ib__rigid_offer(const ib_PartsModel *r, ib__RigidRoom *room, const double *x,
                     const double *input)
{
    room->of = NULL;
    memcpy(room->state, x, (size_t)r->state_count * sizeof *x);
    memcpy(room->input, input, (size_t)r->input_count * sizeof *x);
    ib__begin_wires(r, room->state, room->input, &room->now.wires);
    room->now.wires.world = room->world;
    ib__offer_parts(r, &room->now);
    hold_joints(r->rigid, room->world, &room->now.wires);
}

void ib__rigid_push(const ib_PartsModel *r, ib__RigidRoom *room)
{
    find_tendons(r->rigid, room->world, &room->now.wires);
    ib_feed_solve(&r->feed, &room->now.wires);
    ib__push_parts(r, 0, &room->now);
    set_forces(r->rigid, room->world, &room->now.wires);
    if (!room->outer) return;
    int count = 6 * r->rigid->sizes.bodies;
    double *pushes = ib_mujoco_pushes(room->world);
    for (int i = 0; i < count; i++) pushes[i] += room->outer_solved[i] = room->outer[i];
}

// offers -> bodies placed -> bus and air -> pushes -> accelerations and contact forces
static ib_Status solve(const ib_PartsModel *r, ib__RigidRoom *room, const double *x,
                       const double *input, ib_Error *error)
{
    const ib_Rigid *b = r->rigid;
    double gravity[3];
    if (ib__rigid_is_solved(r, room, x, input)) return IB_OK;
    ib__rigid_offer(r, room, x, input);
    b->gravity(r->own, input, gravity);
    ib_Status status = ib_mujoco_place(b->world, room->world, x, gravity, error);
    if (status != IB_OK) return status;
    ib__rigid_push(r, room);
    status = ib_mujoco_solve(b->world, room->world, error);
    if (status == IB_OK) room->of = r;
    return status;
}

// ------------------------------------------------------------------------------------------ a step

// The heading continues from its last value: a body turns by less than half a turn within a step.
static double turned(double before, double wrapped)
{
    double s, c;
    ib_sincos(wrapped - before, &s, &c);
    return before + ib_atan2(s, c);
}

// Rates of parts at `part` of a step, joints going evenly from `from` to `to`.
static void rate_parts(const ib_PartsModel *r, ib__RigidRoom *room, const ib_JointWire *from,
                       const ib_JointWire *to, double h, double part, const double *x, double *dx)
{
    ib_Wires *w = &room->then->wires;
    ib__begin_wires(r, x, room->input, w);
    w->draw = room->now.wires.draw;
    for (int i = 0; i < r->rigid->joint_count; i++) {
        double way = to[i].position - from[i].position;
        w->joint[i].position = from[i].position + part * way;
        w->joint[i].speed = way / h;
    }
    ib__offer_parts(r, room->then);
    ib_feed_solve(&r->feed, w);
    ib__push_parts(r, 0, room->then);
    memset(dx, 0, (size_t)r->state_count * sizeof *dx);
    ib__rate_parts(r, room->then, dx);
}

// Runge and Kutta's method of order 4, for parts with rates.
//   x1 = x0 + h/6 (k1 + 2 k2 + 2 k3 + k4)
static void integrate_parts(const ib_PartsModel *r, ib__RigidRoom *room, const ib_JointWire *from,
                            const ib_JointWire *to, double h, double *next)
{
    static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    int first = r->rigid->heading + 1;
    double *k = room->rate[0], *sum = room->rate[1];
    memset(sum, 0, (size_t)r->state_count * sizeof *sum);
    memset(k, 0, (size_t)r->state_count * sizeof *k);
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < r->state_count; i++) room->stage[i] = room->state[i] + at[s] * h * k[i];
        rate_parts(r, room, from, to, h, at[s], room->stage, k);
        for (int i = first; i < r->state_count; i++) sum[i] += weight[s] * k[i];
    }
    for (int i = first; i < r->state_count; i++) next[i] += h / 6 * sum[i];
}

// Work passed to MuJoCo: the forces at the start over the whole way, less the damping of the parts
// at the final speed.
static double handed(const ib_Rigid *b, const ib_JointWire *from, const ib_JointWire *to)
{
    double sum = 0;
    for (int i = 0; i < b->joint_count; i++)
        sum +=
            (from[i].force - from[i].damping * to[i].speed) * (to[i].position - from[i].position);
    return sum;
}

void ib__rigid_turn(const ib_PartsModel *r, const ib__RigidRoom *room, double *next)
{
    const ib_Rigid *b = r->rigid;
    next[b->heading] = room->state[b->heading];
    if (!b->free) return;
    double attitude[3];
    ib_quaternion_attitude(next + b->root.position + 3, attitude);
    next[b->heading] = turned(room->state[b->heading], attitude[0]);
}

void ib__rigid_move_parts(const ib_PartsModel *r, ib__RigidRoom *room, double h, double *next)
{
    const ib_Rigid *b = r->rigid;
    ib_Wires *w = &room->now.wires;
    ib_JointWire from[IB_JOINTS_MAX];
    int first = b->heading + 1;
    memcpy(from, w->joint, (size_t)b->joint_count * sizeof *from);
    ib_rigid_begin(b, next, w);
    find_tendons(b, room->world, w);
    memcpy(next + first, room->state + first, (size_t)(r->state_count - first) * sizeof *next);
    for (int i = 0; i < r->part_count; i++)
        if (r->parts[i].kind->follow) r->parts[i].kind->follow(r->parts[i].model, from, w, h, next);
    if (b->rates) integrate_parts(r, room, from, w->joint, h, next);
    if (b->handed >= 0) next[b->handed] += handed(b, from, w->joint);
    for (int i = 0; r->kind.settle && i < SETTLINGS; i++)
        if (!r->kind.settle(r, room->input, next)) break;
}

static ib_Status advance(const void *model, void *memory, const double *x, const double *input,
                         double h, double *next, ib_Error *error)
{
    const ib_PartsModel *r = model;
    const ib_Rigid *b = r->rigid;
    ib__RigidRoom *room = memory;
    ib_Status status = solve(r, room, x, input, error);
    room->of = NULL; // the bodies move on
    if (status == IB_OK) status = ib_mujoco_finish(b->world, room->world, h, next, error);
    if (status != IB_OK) return status;
    ib__rigid_turn(r, room, next);
    if (r->state_count == b->heading + 1) return IB_OK;
    if (b->sizes.tendons > 0) status = ib_mujoco_follow(b->world, room->world, next, error);
    if (status == IB_OK) ib__rigid_move_parts(r, room, h, next);
    return status;
}

// ----------------------------------------------------------------------------------------- signals

// An accelerometer at the body's origin reads the specific force, with a of the origin:
//   f = R^T (a - g)
// Limits: 0 in free fall without a turn; g upwards at rest. The acceleration is that at this
// instant, with which the next step begins, under the present forces of the soft contacts.
static void show_felt(const ib_PartsModel *r, const ib__RigidRoom *room, const double q[4],
                      double *f)
{
    const ib_Rigid *b = r->rigid;
    double a[3], gravity[3];
    b->gravity(r->own, room->input, gravity);
    const double *all = ib_mujoco_accelerations(room->world);
    for (int i = 0; i < 3; i++) a[i] = (b->free ? all[b->root.velocity + i] : 0) - gravity[i];
    ib_quaternion_into(q, a, f);
}

// Shows place and motion of the body; MuJoCo has the turn of a free body in the body's own axes.
static void show_body(const ib_PartsModel *r, const ib__RigidRoom *room, const double *x, double *y)
{
    const ib_Rigid *b = r->rigid;
    const ib_MujocoWorkspace *world = room->world;
    if (b->signal[IB_RIGID_POSE] < 0) return;
    const double *q = ib_mujoco_body_turns(world) + (ptrdiff_t)4 * b->body;
    const double *place = ib_mujoco_body_places(world) + (ptrdiff_t)3 * b->body;
    double *pose = y + b->signal[IB_RIGID_POSE], *v = y + b->signal[IB_RIGID_VELOCITY];
    if (b->free) {
        const double *w = x + b->sizes.positions + b->root.velocity + 3;
        const double z[3] = {2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]),
                             q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3]};
        v[3] = z[0] * w[0] + z[1] * w[1] + z[2] * w[2];
    } else {
        memcpy(pose, place, 3 * sizeof *pose);
        memset(v, 0, 4 * sizeof *v);
        memset(y + b->signal[IB_RIGID_FELT], 0, 3 * sizeof *y);
    }
    show_felt(r, room, q, y + b->signal[IB_RIGID_FELT] + 3);
    ib_quaternion_attitude(q, pose + IB_RIGID_HEADING);
    pose[IB_RIGID_HEADING] = x[b->heading];
}

// Fixed objects push upwards; beside them all forces between any two count, by their size.
static void show_contacts(const ib_Rigid *b, const ib_MujocoWorkspace *world, double *y)
{
    int count = ib_mujoco_contact_count(world), touching = 0;
    double ground = 0, all = 0;
    for (int i = 0; i < count; i++) {
        ib_MujocoContact contact = ib_mujoco_contact(b->world, world, i);
        const double *f = contact.force;
        if (!contact.own) continue;
        for (int k = 0; k < 2; k++) {
            int body = contact.body[k];
            if (body >= 0 && ib_mujoco_body(b->world, body).fixed) ground += k == 0 ? f[2] : -f[2];
        }
        double size = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
        touching += size > 0;
        all += size;
    }
    y[b->signal[IB_RIGID_GROUND]] = ground;
    y[b->signal[IB_RIGID_GROUND] + 1] = touching;
    if (b->signal[IB_RIGID_CONTACT] >= 0) y[b->signal[IB_RIGID_CONTACT]] = all;
}

void ib__rigid_show(const ib_PartsModel *r, const ib__RigidRoom *room, const double *x, bool solved,
                    double *y)
{
    const ib_Rigid *b = r->rigid;
    for (int i = 0; !solved && i < r->signal_count; i++) y[i] = NAN;
    ib__copy_states(r, x, y);
    if (!solved) return;
    show_body(r, room, x, y);
    memcpy(y + b->signal[IB_RIGID_CENTRE], ib_mujoco_centre(room->world), 3 * sizeof *y);
    show_contacts(b, room->world, y);
    ib_mujoco_energy(b->world, room->world, &y[b->signal[IB_RIGID_POTENTIAL]],
                     &y[b->signal[IB_RIGID_KINETIC]]);
    ib__output_parts(r, &room->now, y);
}

static void output(const void *model, void *memory, const double *x, const double *input, double *y)
{
    ib__RigidRoom *room = memory;
    bool solved = solve(model, room, x, input, NULL) == IB_OK;
    ib__rigid_show(model, room, x, solved, y);
}

const ib_ExternalIntegrator ib_rigid_integrator = {
    .workspace = make_room, .compatible = compatible, .advance = advance, .output = output};

// ------------------------------------------------------------------------------------------ making

static const ib_SignalDef rows[] = {
    {"pose.x", "m", "place of the body, field frame", 1e5, IB_MEANS(.role = IB_ROLE_POSE_X)},
    {"pose.y", "m", "place of the body, field frame", 1e5, IB_MEANS(.role = IB_ROLE_POSE_Y)},
    {"pose.z", "m", "height of the body", 1e5},
    {"pose.heading", "rad", "heading of the body, counter-clockwise", 1e6,
     IB_MEANS(.role = IB_ROLE_POSE_HEADING, .shown = "deg")},
    {"pose.pitch", "rad", "pitch of the body; positive: the front dips", 0,
     IB_MEANS(.role = IB_ROLE_POSE_PITCH, .shown = "deg")},
    {"pose.roll", "rad", "roll of the body; positive: the right side dips", 0,
     IB_MEANS(.role = IB_ROLE_POSE_ROLL, .shown = "deg")},
    {"velocity.x", "m/s", "velocity of the body, field frame", 1e4,
     IB_MEANS(.role = IB_ROLE_VELOCITY_X)},
    {"velocity.y", "m/s", "velocity of the body, field frame", 1e4,
     IB_MEANS(.role = IB_ROLE_VELOCITY_Y)},
    {"velocity.z", "m/s", "velocity of the body, upwards", 1e4},
    {"velocity.heading", "rad/s", "rate of the body's turn about the vertical", 1e5,
     IB_MEANS(.role = IB_ROLE_YAW_RATE)},
    {"rate.x", "rad/s", "rate of the body's turn about its own axis forward: it rolls", 1e5,
     IB_MEANS(.role = IB_ROLE_RATE_X)},
    {"rate.y", "rad/s", "about its own axis to the left: it pitches", 1e5,
     IB_MEANS(.role = IB_ROLE_RATE_Y)},
    {"rate.z", "rad/s", "about its own axis upwards", 1e5, IB_MEANS(.role = IB_ROLE_RATE_Z)},
    {"acceleration.x", "m/s^2",
     "of the body's origin, less gravity, as an accelerometer feels it: forward in its own frame",
     0, IB_MEANS(.role = IB_ROLE_ACCELERATION_X)},
    {"acceleration.y", "m/s^2", "the same, to the left", 0,
     IB_MEANS(.role = IB_ROLE_ACCELERATION_Y)},
    {"acceleration.z", "m/s^2", "the same, upwards in the body: g where it stands", 0,
     IB_MEANS(.role = IB_ROLE_ACCELERATION_Z)},
    {"centre.x", "m", "centre of mass of all bodies, field frame", 1e5},
    {"centre.y", "m", "centre of mass of all bodies, field frame", 1e5},
    {"centre.z", "m", "height of the centre of mass of all bodies", 1e5},
    {"ground.force", "N", "force of all that stands still on the rest, upwards", 0},
    {"ground.contacts", "1", "points at which any two bodies push", 0},
    {"contact.force", "N", "sum of the sizes of all contact forces", 0},
    {"energy.kinetic", "J", "energy of motion of all bodies", 1e12},
    {"energy.potential", "J", "energy of height, from z = 0 on, and of springs", 1e12},
};
static const int groups[IB_RIGID_GROUPS + 1] = {0, 6, 10, 16, 19, 21, 22, 23, 24};

void ib_rigid_declare(ib_Rigid *b, int group, const int *headlines, ib_Declarations *d)
{
    int first = groups[group], at = d->signals.count;
    b->signal[group] = at;
    for (int i = first; i < groups[group + 1]; i++) {
        ib_SignalDef row = rows[i];
        row.means.headline = headlines ? headlines[i - first] : 0;
        ib_declare(d, "", NULL, &row, 1, NULL);
    }
    if (group == IB_RIGID_POSE) ib_declare_shown(d, &b->state, b->heading, at + IB_RIGID_HEADING);
    if (group > IB_RIGID_FELT || !b->free) return;
    int velocity = b->sizes.positions + b->root.velocity;
    int from = group == IB_RIGID_POSE       ? b->root.position
               : group == IB_RIGID_VELOCITY ? velocity
                                            : velocity + 3;
    for (int i = 0; i < 3; i++) ib_declare_shown(d, &b->state, from + i, at + i);
}

bool ib_rigid_init(const ib_Mujoco *world, const char *mjcf, int body, ib_Arena *arena, ib_Rigid *b)
{
    *b = (ib_Rigid){
        .world = world, .mjcf = mjcf, .sizes = ib_mujoco_sizes(world), .body = body, .handed = -1};
    for (int i = 0; i < b->sizes.joints && !b->free; i++) {
        b->root = ib_mujoco_joint(world, i);
        b->free = b->root.motion == IB_MUJOCO_FREE && (body < 0 || b->root.body == body);
    }
    if (b->free) b->body = b->root.body;
    for (int i = 0; i < IB_RIGID_GROUPS; i++) b->signal[i] = -1;
    b->heading = b->sizes.states;
    b->start = ib_arena_array(arena, (size_t)b->sizes.states + 1, sizeof *b->start);
    return b->start != NULL;
}

void ib_rigid_build(ib_Rigid *b, double resolution, ib_Build *build)
{
    build->robot->rigid = b;
    build->ports->resolution = resolution;
    build->ports->memory = ib_mujoco_memory_kept(b->world);
    ib_declare_states(build->d, b->sizes.states + 1, IB_STATE, &b->state);
}

int ib_rigid_join(ib_Rigid *b, ib_RigidJoint joint)
{
    IB_ASSERT(b->joint_count < IB_JOINTS_MAX);
    b->joints[b->joint_count] = joint;
    return b->joint_count++;
}

ib_RigidJoint ib_rigid_joint(const ib_Rigid *b, const ib_MujocoJoint *joint)
{
    return (ib_RigidJoint){.position = joint->position,
                           .speed = b->sizes.positions + joint->velocity,
                           .velocity = joint->velocity,
                           .tendon = -1,
                           .control = -1,
                           .damping = joint->damping,
                           .friction = joint->friction};
}

void ib_rigid_reset(const ib_Rigid *b, double *x)
{
    memcpy(x, b->start, (size_t)(b->sizes.states + 1) * sizeof *x);
}

const char *ib_rigid_mjcf(const void *config, const void *model, ib_Arena *arena)
{
    const ib_Rigid *b = ((const ib_PartsModel *)model)->rigid;
    (void)config; // the model has it
    return ib_mjcf_from(b->mjcf, &b->sizes, b->start, b->controls, arena);
}
