// robot/mjcf/mjcf.c: from the text of a file to a model: its names, and where it starts.
#include "robot/mjcf/mjcf.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "base/quote.h"
#include "control/leg/leg.h"
#include "world/mujoco_model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The stand-in for a missing file: listings need some robot.
static const char pendulum[] =
    "<mujoco model=\"pendulum\"><compiler angle=\"radian\"/><option timestep=\"0.001\"/>"
    "<worldbody><body name=\"arm\" pos=\"0 0 1\"><joint name=\"pivot\" axis=\"0 1 0\"/>"
    "<geom type=\"capsule\" fromto=\"0 0 0 0 0 -0.5\" size=\"0.02\" mass=\"1\"/></body></worldbody>"
    "<actuator><motor name=\"pivot\" joint=\"pivot\"/></actuator></mujoco>";

// ------------------------------------------------------------------------------------------- names

// A name of the file as signals have it: small letters, digits and underscores, a letter first, and
// unlike all before it in the list.
static const char *plain_name(const char *name, const char *kind, int index,
                              const char *const *before, int stride, ib_Arena *arena)
{
    char own[IB_NAME_LENGTH + 1];
    size_t used = 0;
    bool letter = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z');
    if (*name && !letter) used = (size_t)snprintf(own, sizeof own, "%s_", kind);
    for (; *name && used < sizeof own - 8; name++) {
        char c = *name;
        bool good = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        own[used++] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : good ? c : '_');
    }
    own[used] = '\0';
    if (used == 0) used = (size_t)snprintf(own, sizeof own, "%s_%d", kind, index);
    for (int i = 0, number = 2; i < index; i++) {
        const char *other = *(const char *const *)(const void *)((const char *)before + i * stride);
        if (strcmp(other, own) != 0) continue;
        snprintf(own + used, sizeof own - used, "_%d", number++);
        i = -1; // look again from the first one on
    }
    return ib_arena_text(arena, own);
}

static bool name_all(ib_MjcfModel *model, ib_Arena *arena)
{
    const ib_MujocoSizes *n = &model->rigid.sizes;
    for (int i = 0; i < n->joints; i++) {
        ib_MujocoJoint joint = ib_mujoco_joint(model->rigid.world, i);
        const char *name = ib_mujoco_name(model->rigid.world, IB_MUJOCO_JOINT, i);
        if (!name[0]) name = ib_mujoco_name(model->rigid.world, IB_MUJOCO_BODY, joint.body);
        name =
            plain_name(name, "joint", i, &model->joints[0].name, (int)sizeof *model->joints, arena);
        if (!name) return false;
        model->joints[i] = (ib_MjcfJoint){.name = name,
                                          .motion = joint.motion,
                                          .body = joint.body,
                                          .position = joint.position,
                                          .speed = n->positions + joint.velocity};
        if (joint.motion == IB_MUJOCO_FREE && model->free < 0) model->free = i;
    }
    for (int i = 0; i < n->controls; i++) {
        model->actuators[i] =
            plain_name(ib_mujoco_name(model->rigid.world, IB_MUJOCO_CONTROL, i), "actuator", i,
                       model->actuators, (int)sizeof *model->actuators, arena);
        if (!model->actuators[i]) return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------- start

static const char *const place_keys[] = {"x", "y", "z", "heading", "pitch", "roll"};

// The first free body stands where `start` says.
static ib_Status place_body(const ib_MjcfConfig *config, ib_MjcfModel *model, ib_Error *error)
{
    const double *given[] = {config->place, config->attitude};
    for (int i = 0; i < 6; i++)
        if (isfinite(given[i / 3][i % 3]) && model->free < 0)
            return ib_error_set(error, IB_BAD_INPUT,
                                "start.%s: nothing in the file moves freely: expected a body with "
                                "a free joint, or robot.base: free of a URDF",
                                place_keys[i]);
    if (model->free < 0) return IB_OK;
    double *q = model->rigid.start + model->joints[model->free].position, attitude[3];
    ib_Pose now = ib_leg_body(q, q + 3);
    ib_pose_attitude(now.turn, attitude);
    for (int i = 0; i < 3; i++)
        if (isfinite(config->place[i])) q[i] = config->place[i];
    bool turned = false;
    for (int i = 0; i < 3; i++)
        if (isfinite(config->attitude[i])) {
            attitude[i] = config->attitude[i];
            turned = true;
        }
    model->rigid.start[model->rigid.sizes.states] = attitude[0];
    if (!turned) return IB_OK;
    double s[3], c[3]; // of half the heading, pitch and roll
    for (int i = 0; i < 3; i++) ib_sincos(0.5 * attitude[i], &s[i], &c[i]);
    q[3] = c[0] * c[1] * c[2] + s[0] * s[1] * s[2];
    q[4] = c[0] * c[1] * s[2] - s[0] * s[1] * c[2];
    q[5] = c[0] * s[1] * c[2] + s[0] * c[1] * s[2];
    q[6] = s[0] * c[1] * c[2] - c[0] * s[1] * s[2];
    return IB_OK;
}

static int find_joint(const ib_MjcfModel *model, const char *name)
{
    for (int i = 0; i < model->rigid.sizes.joints; i++)
        if (strcmp(model->joints[i].name, name) == 0) return i;
    return -1;
}

static ib_Status refuse_joint(const ib_MjcfModel *model, const char *list_key, const char *name,
                              ib_MujocoMotion least, ib_Error *error)
{
    char list[500] = "";
    size_t used = 0;
    for (int i = 0; i < model->rigid.sizes.joints && used < sizeof list; i++)
        if (model->joints[i].motion >= least)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                                     model->joints[i].name);
    return ib_error_set(error, IB_BAD_INPUT, "%s.%s: expected a hinge%s of the file: %s", list_key,
                        name, least == IB_MUJOCO_SLIDE ? " or slide" : "",
                        list[0] ? list : "it has none");
}

static ib_Status place_joint(const ib_MjcfStart *from, ib_MjcfModel *model, ib_Error *error)
{
    int index = find_joint(model, from->name);
    const ib_MjcfJoint *own = index >= 0 ? &model->joints[index] : NULL;
    if (!own || own->motion < IB_MUJOCO_SLIDE)
        return refuse_joint(model, "start.joints", from->name, IB_MUJOCO_SLIDE, error);
    bool hinge = own->motion == IB_MUJOCO_HINGE;
    double at = hinge ? from->angle : from->position, v = hinge ? from->velocity : from->speed;
    if (isfinite(hinge ? from->position : from->angle) ||
        isfinite(hinge ? from->speed : from->velocity))
        return ib_error_set(error, IB_BAD_INPUT, "start.joints.%s: a %s: expected %s", from->name,
                            hinge ? "hinge" : "slide",
                            hinge ? "angle and velocity" : "position and speed");
    ib_MujocoJoint joint = ib_mujoco_joint(model->rigid.world, index);
    if (isfinite(at) && joint.limited && !(at >= joint.low - 1e-9 && at <= joint.high + 1e-9))
        return ib_error_set(error, IB_BAD_INPUT,
                            "start.joints.%s: %g %s are outside of the joint's range, %g to %g",
                            from->name, at, hinge ? "rad" : "m", joint.low, joint.high);
    if (isfinite(at)) model->rigid.start[own->position] = at;
    if (isfinite(v)) model->rigid.start[own->speed] = v;
    return IB_OK;
}

// The motors' hinges become joints of the wires.
static ib_Status wire_motors(const ib_MjcfConfig *config, ib_MjcfModel *model, ib_Arena *arena,
                             ib_Error *error)
{
    ib_Rigid *b = &model->rigid;
    for (int i = 0; i < config->motor_count; i++) {
        const ib_MjcfMotors *motors = &config->motors[i];
        int index = find_joint(model, motors->name);
        ib_Error why;
        if (index < 0 || model->joints[index].motion != IB_MUJOCO_HINGE)
            return refuse_joint(model, "motors", motors->name, IB_MUJOCO_HINGE, error);
        if (ib_motor_check(&motors->own.motor, &why) != IB_OK)
            return ib_error_set(error, IB_BAD_INPUT, "motors.%s.motor.%.900s", motors->name,
                                why.text);
        ib_MujocoJoint hinge = ib_mujoco_joint(b->world, index);
        ib_RigidJoint wire = ib_rigid_joint(b, &hinge);
        wire.held = true;
        int shaft = ib_joint_motors_add(&model->motors, &motors->own, ib_rigid_join(b, wire));
        model->motors.name[shaft] = ib_arena_format(arena, "motor.%s", motors->name);
        if (!model->motors.name[shaft])
            return ib_error_set(error, IB_FAILED, "out of memory for a model");
    }
    return config->motor_count > 0 ? ib_power_check(&config->power, error) : IB_OK;
}

// True for the first free body, or one attached to it.
static bool is_carried(const ib_MjcfModel *model, int body)
{
    while (body > 0 && body != model->joints[model->free].body)
        body = ib_mujoco_body_parent(model->rigid.world, body);
    return body > 0;
}

// Finds the height by which the first free body, with attached ones, would have to be lifted from
// this state to be out of every fixed plane; 0 or less: it is out of them, or touches none.
static ib_Status find_depth(const ib_MjcfModel *model, ib_MujocoWorkspace *workspace,
                            const double *state, double *depth, ib_Error *error)
{
    ib_Status status = ib_mujoco_place(model->rigid.world, workspace, state, model->gravity, error);
    *depth = -INFINITY;
    for (int i = 0; status == IB_OK && i < ib_mujoco_contact_count(workspace); i++) {
        ib_MujocoContact contact = ib_mujoco_contact(model->rigid.world, workspace, i);
        ib_MujocoGeom floor = ib_mujoco_geom(model->rigid.world, contact.geom[0]);
        int other = ib_mujoco_geom_body(model->rigid.world, contact.geom[1]);
        if (floor.shape != IB_MUJOCO_PLANE || !ib_mujoco_body(model->rigid.world, floor.body).fixed)
            continue;
        if (contact.normal[2] < 0.5 || !is_carried(model, other)) continue; // a wall
        *depth = ib_max(*depth, -contact.gap / contact.normal[2]);
    }
    return status;
}

// Lowers or lifts the first free body until its lowest point is on the floor. If any point is in
// the floor, the lowest one is, so it is lowered until one is; a body without contact stays.
static ib_Status stand(ib_MjcfModel *model, ib_MujocoWorkspace *workspace, ib_Error *error)
{
    double *z = model->rigid.start + model->joints[model->free].position + 2, from = *z, depth = 0;
    for (double down = 0; down<1e4; down = down> 0 ? 2 * down : 0.01) {
        *z = from - down;
        ib_Status status = find_depth(model, workspace, model->rigid.start, &depth, error);
        if (status != IB_OK) return status;
        if (depth > -INFINITY) break;
    }
    *z = depth > -INFINITY ? *z + depth : from;
    return IB_OK;
}

// A robot that begins in the floor would be shot out of it.
static ib_Status leave_floor(const ib_MjcfConfig *config, ib_MjcfModel *model, bool urdf,
                             ib_Error *error)
{
    enum { MICROMETRES = 1000000 };
    const double most = 1e-3; // of soft contacts that carry something [m]
    ib_Arena arena = {0};
    double depth = 0;
    if (model->free < 0) return IB_OK;
    ib_MujocoWorkspace *workspace = ib_mujoco_workspace(model->rigid.world, &arena);
    ib_Status status =
        workspace ? IB_OK : ib_error_set(error, IB_FAILED, "out of memory for a model's start");
    if (status == IB_OK && urdf && !isfinite(config->place[2]))
        status = stand(model, workspace, error);
    if (status == IB_OK) status = find_depth(model, workspace, model->rigid.start, &depth, error);
    ib_arena_reset(&arena);
    if (status == IB_FAILED && workspace && error) {
        ib_Error why = *error;
        status = ib_error_set(error, IB_BAD_INPUT, "model: 1:1: at its start %.900s", why.text);
    }
    if (status != IB_OK || depth <= most) return status;
    double z = model->rigid.start[model->joints[model->free].position + 2] + depth;
    return ib_error_set(error, IB_BAD_INPUT,
                        "start.z: it would begin %.3g m in the floor, and be shot out of it: "
                        "expected at least %.6g m",
                        depth, ceil(z * MICROMETRES) / MICROMETRES);
}

static ib_Status make_start(const ib_MjcfConfig *config, ib_MjcfModel *model, bool urdf,
                            ib_Error *error)
{
    ib_mujoco_key(model->rigid.world, model->rigid.start, model->rigid.controls);
    ib_Status status = place_body(config, model, error);
    for (int i = 0; status == IB_OK && i < config->start_count; i++)
        status = place_joint(&config->starts[i], model, error);
    return status == IB_OK ? leave_floor(config, model, urdf, error) : status;
}

// -------------------------------------------------------------------------------------------- init

static ib_Status load(const ib_MjcfConfig *config, ib_Arena *arena, ib_MjcfFile *file,
                      ib_Error *error)
{
    bool named = config->model.length > 0;
    const char *text = named ? config->model.text : pendulum;
    size_t length = named ? (size_t)config->model.length : sizeof pendulum - 1;
    ib_Status status =
        ib_mjcf_load(text, length, config->base ? IB_URDF_FREE : IB_URDF_FIXED, arena, file, error);
    return status == IB_BAD_INPUT ? ib_error_under("model: ", status, error) : status;
}

ib_Status ib_mjcf_init(const ib_MjcfConfig *config, ib_Arena *arena, ib_MjcfModel *model,
                       ib_Error *error)
{
    ib_MjcfFile file;
    ib_Status status = load(config, arena, &file, error);
    if (status != IB_OK) return status;
    *model = (ib_MjcfModel){.free = -1, .field_gravity = config->gravity == 1};
    bool whole = ib_rigid_init(file.model, file.mjcf, -1, arena, &model->rigid);
    const ib_MujocoSizes *n = &model->rigid.sizes;
    ib_mujoco_gravity(model->rigid.world, model->gravity);
    model->joints = ib_arena_array(arena, (size_t)n->joints, sizeof *model->joints);
    model->actuators = ib_arena_array(arena, (size_t)n->controls + 1, sizeof *model->actuators);
    model->rigid.controls = ib_arena_array(arena, (size_t)n->controls + 1, sizeof(double));
    if (file.assumed[0]) model->assumed = ib_arena_format(arena, "model: %s", file.assumed);
    whole &= model->joints && model->actuators && model->rigid.controls;
    if (!whole || !name_all(model, arena))
        return ib_error_set(error, IB_FAILED, "out of memory for a model");
    status = wire_motors(config, model, arena, error);
    return status == IB_OK ? make_start(config, model, file.urdf, error) : status;
}
