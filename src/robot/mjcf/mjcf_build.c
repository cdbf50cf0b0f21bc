// robot/mjcf/mjcf_build.c: inputs and signals of the file's model.
#include "robot/mjcf/mjcf.h"

#include "base/quaternion.h"
#include "world/mujoco_model.h"

#include <math.h>
#include <string.h>

// ----------------------------------------------------------------------------------------- signals

// Signals of a free body other than the first.
static const ib_SignalDef of_free[IB_RIGID_POSES] = {
    {"x", "m", "place of the body, field frame", 1e5},
    {"y", "m", "place of the body, field frame", 1e5},
    {"z", "m", "height of the body", 1e5},
    {"heading", "rad", "heading of the body", 0, IB_MEANS(.shown = "deg")},
    {"pitch", "rad", "its pitch; positive: the front dips", 0, IB_MEANS(.shown = "deg")},
    {"roll", "rad", "its roll; positive: the right side dips", 0, IB_MEANS(.shown = "deg")},
};

static const ib_SignalDef of_hinge[] = {
    {"angle", "rad", "angle of the joint", 1e6, IB_MEANS(.shown = "deg", .headline = 2)},
    {"velocity", "rad/s", "rate of the joint", 1e5},
};

static const ib_SignalDef of_slide[] = {
    {"position", "m", "position of the joint", 1e5, IB_MEANS(.headline = 2)},
    {"velocity", "m/s", "velocity of the joint", 1e4},
};

static const ib_SignalDef of_ball[] = {
    {"heading", "rad", "turn of the joint about z", 0, IB_MEANS(.shown = "deg")},
    {"pitch", "rad", "then about the new y", 0, IB_MEANS(.shown = "deg")},
    {"roll", "rad", "then about the new x", 0, IB_MEANS(.shown = "deg")},
};

static const struct {
    const ib_SignalDef *rows;
    int count;
} of_motion[] = {
    [IB_MUJOCO_FREE] = {of_free, IB_RIGID_POSES},
    [IB_MUJOCO_BALL] = {of_ball, 3},
    [IB_MUJOCO_SLIDE] = {of_slide, 2},
    [IB_MUJOCO_HINGE] = {of_hinge, 2},
};

static void declare_joint(ib_MjcfModel *model, int index, ib_Declarations *d)
{
    static const int of_pose[] = {2, 2, 1, 0, 0, 0};
    ib_MjcfJoint *joint = &model->joints[index];
    ib_Rigid *b = &model->rigid;
    if (index == model->free) {
        ib_rigid_declare(b, IB_RIGID_POSE, of_pose, d);
        ib_rigid_declare(b, IB_RIGID_VELOCITY, NULL, d);
        ib_rigid_declare(b, IB_RIGID_FELT, NULL, d);
        return;
    }
    bool body = joint->motion == IB_MUJOCO_FREE, plain = joint->motion >= IB_MUJOCO_SLIDE;
    joint->signal = d->signals.count;
    ib_declare(d, ib_declare_name(d, body ? "body" : "joint", joint->name), NULL,
               of_motion[joint->motion].rows, of_motion[joint->motion].count, NULL);
    for (int i = 0; i < (body ? 3 : plain); i++)
        ib_declare_shown(d, &b->state, joint->position + i, joint->signal + i);
    if (plain) ib_declare_shown(d, &b->state, joint->speed, joint->signal + 1);
}

static const char *force_unit(const ib_MujocoActuator *actuator)
{
    return actuator->turns ? "N*m" : actuator->slides ? "N" : "1";
}

// ------------------------------------------------------------------------------------------ inputs

static ib_InputDef input_of(const ib_MjcfModel *model, int index, const char *name)
{
    ib_MujocoActuator actuator = ib_mujoco_actuator(model->rigid.world, index);
    bool turns = actuator.turns;
    ib_InputDef input = {.name = name,
                         .unit = "1",
                         .sentence = "control of the file's actuator",
                         .role = IB_INPUT_COMMAND,
                         .neutral = model->rigid.controls[index],
                         .low = actuator.limited ? actuator.low : -1e9,
                         .high = actuator.limited ? actuator.high : 1e9,
                         .limit = actuator.limited ? "its ctrlrange in the file" : NULL,
                         .for_loops = true};
    if (actuator.drive == IB_MUJOCO_FORCE) {
        input.unit = force_unit(&actuator);
        input.sentence = turns ? "torque of the file's motor" : "force of the file's motor";
    } else if (actuator.drive == IB_MUJOCO_POSITION) {
        input.unit = turns ? "rad" : "m";
        input.sentence = turns ? "angle that the file's servo follows"
                               : "position that the file's servo follows";
        input.kept = true;
    } else if (actuator.drive == IB_MUJOCO_SPEED) {
        input.unit = turns ? "rad/s" : "m/s";
        input.sentence = "velocity that the file's servo follows";
    }
    if (input.neutral < input.low) input.neutral = input.low;
    if (input.neutral > input.high) input.neutral = input.high;
    return input;
}

// Declares all parts of the file, in the order of their signals.
static void declare(const ib_MjcfConfig *config, ib_MjcfModel *model, ib_Build *build)
{
    static const ib_AirConfig none = {0};
    ib_JointMotors *motors = &model->motors;
    ib_Declarations *d = build->d;
    static const int of_ground[] = {3, 0};
    ib_Rigid *b = &model->rigid;
    b->control = d->input_count;
    for (int i = IB_RIGID_CENTRE; i < IB_RIGID_GROUPS; i++)
        ib_rigid_declare(b, i, i == IB_RIGID_GROUND ? of_ground : NULL, d);
    for (int i = 0; i < b->sizes.joints; i++) declare_joint(model, i, d);
    model->actuator_signal = d->signals.count;
    for (int i = 0; i < b->sizes.controls; i++) {
        ib_MujocoActuator actuator = ib_mujoco_actuator(b->world, i);
        ib_SignalDef row = {"force", force_unit(&actuator), "force or torque of the actuator", 0};
        const char *name = ib_declare_name(d, "actuator", model->actuators[i]);
        ib_declare_input(d, input_of(model, i, name), NULL);
        ib_declare(d, name, NULL, &row, 1, NULL);
    }
    for (int i = 0; i < motors->row.count; i++)
        ib_declare_input(d, ib_joint_motor_input(motors->name[i]), &motors->input[i]);
    if (motors->row.count > 0)
        ib_rigid_declare_power(b, &config->power, &none, motors, true, build);
}

// ------------------------------------------------------------------------------------------- parts

// Outputs of the file's joints and actuators that are no states.
static void output(const void *part, const void *notes, const ib_Wires *w, double *y)
{
    const ib_MjcfModel *model = part;
    const ib_Rigid *b = &model->rigid;
    (void)notes;
    for (int i = 0; i < b->sizes.joints; i++) {
        const ib_MjcfJoint *joint = &model->joints[i];
        const double *q = w->x + joint->position;
        if (joint->motion == IB_MUJOCO_BALL) ib_quaternion_attitude(q, y + joint->signal);
        if (joint->motion == IB_MUJOCO_FREE && i != model->free)
            ib_quaternion_attitude(q + 3, y + joint->signal + IB_RIGID_HEADING);
    }
    if (b->sizes.controls > 0)
        memcpy(y + model->actuator_signal, ib_mujoco_actuator_forces(w->world),
               (size_t)b->sizes.controls * sizeof *y);
}

static const ib_PartKind file_part = {.name = "file", .output = output};

// A tilted floor turns gravity: that of a file keeps its size, and its component along the floor.
static void find_gravity(const void *own, const double *input, double gravity[3])
{
    const ib_MjcfModel *model = own;
    double x = input[IB_SLOPE_X], y = input[IB_SLOPE_Y], down = input[IB_GRAVITY];
    double field = sqrt(x * x + y * y + down * down);
    const double level[3] = {0, 0, -field};
    const double *from = model->field_gravity ? level : model->gravity;
    double scale = field > 0 ? -from[2] / field : 0;
    gravity[0] = from[0] + scale * x;
    gravity[1] = from[1] + scale * y;
    gravity[2] = x == 0 && y == 0 ? from[2] : -scale * down;
}

ib_Status ib_mjcf_build(const void *config, ib_Build *build, void *model_, ib_Error *error)
{
    ib_MjcfModel *model = model_;
    ib_Status status = ib_mjcf_init(config, build->arena, model, error);
    if (status != IB_OK) return status;
    double step = ib_mujoco_timestep(model->rigid.world);
    model->rigid.gravity = find_gravity;
    ib_rigid_build(&model->rigid, step + 1e-9, build); // a grid has whole nanoseconds
    declare(config, model, build);
    ib_build_part(build, &file_part, model);
    build->ports->step = step;
    build->ports->warning = model->assumed;
    build->ports->geometry = ib_mjcf_geometry(model, build->arena);
    return build->ports->geometry ? IB_OK
                                  : ib_error_set(error, IB_FAILED, "out of memory for a model");
}
