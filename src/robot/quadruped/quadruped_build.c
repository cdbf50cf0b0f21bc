// robot/quadruped/quadruped_build.c: the robot as a list of parts: inputs and signals of the whole,
// of each joint, of each foot.
#include "base/extreme.h"
#include "robot/quadruped/quadruped_inside.h"

#include <math.h>
#include <string.h>

// ----------------------------------------------------------------------------------------- signals

static const ib_SignalDef of_joint[IB_QUAD_PLAIN] = {
    [IB_QUAD_ANGLE] = {"angle", "rad", "angle of the joint", 100,
                       IB_MEANS(.shown = "deg", .headline = 2)},
    [IB_QUAD_RATE] = {"velocity", "rad/s", "rate of the joint", 1e5},
    [IB_QUAD_TORQUE] = {"torque", "N*m", "torque of the drive on the joint", 1e6},
};
static const ib_SignalDef swing = {"swing", "rad",
                                   "angle of the cylinder about its pivot, from where it is at "
                                   "angle 0 of the joint",
                                   100, IB_MEANS(.shown = "deg")};

static const ib_SignalDef of_leg[IB_QUAD_OF_LEG] = {
    {"foot.x", "m", "place of the foot's centre, field frame", 1e5},
    {"foot.y", "m", "place of the foot's centre, field frame", 1e5},
    {"foot.z", "m", "height of the foot's centre", 1e5},
    {"foot.force.x", "N", "force of all that touches the leg's tibia", 0},
    {"foot.force.y", "N", "force of all that touches the leg's tibia", 0},
    {"foot.force.z", "N", "force of all that touches the leg's tibia, upwards", 0},
};

static const ib_SignalDef of_wheel[IB_QUAD_OF_WHEEL] = {
    {"angle", "rad", "angle of the wheel, forward", 1e6, IB_MEANS(.shown = "deg")},
    {"velocity", "rad/s", "rate of the wheel, forward", 1e5},
    {"force", "N", "force of all that touches the wheel, upwards", 0},
};

// A turning joint's angle and rate, which are states.
static void declare_turn(const ib_Rigid *b, int position, int speed, int signal, ib_Declarations *d)
{
    ib_declare_shown(d, &b->state, position, signal);
    ib_declare_shown(d, &b->state, speed, signal + 1);
}

static void declare_joint(ib_QuadrupedModel *model, int index, const char *name, ib_Declarations *d)
{
    ib_LegJointModel *joint = &model->joints[index];
    joint->signal = d->signals.count;
    ib_declare(d, name, NULL, of_joint, IB_QUAD_PLAIN, NULL);
    declare_turn(&model->rigid, joint->position, joint->speed, joint->signal, d);
    if (joint->cylinder >= 0) {
        ib_bank_declare_cylinder(&model->air, joint->cylinder, name, d);
        ib_declare(d, name, NULL, &swing, 1, NULL);
    }
    // The joints of several legs would crowd out the rest.
    for (int i = joint->signal; i < d->signals.count && model->leg_count > 1; i++)
        d->signals.items[i].means.headline = 0;
}

static void declare_wheel(ib_QuadrupedModel *model, int index, ib_Declarations *d)
{
    const ib_Rigid *b = &model->rigid;
    int joint = ib_mujoco_find(b->world, IB_MUJOCO_JOINT, ib__wheel_names[index]);
    ib_MujocoJoint wheel = ib_mujoco_joint(b->world, joint);
    model->wheel_signals[index] = d->signals.count;
    ib_declare(d, ib__wheel_names[index], NULL, of_wheel, IB_QUAD_OF_WHEEL, NULL);
    declare_turn(b, wheel.position, b->sizes.positions + wheel.velocity,
                 model->wheel_signals[index], d);
}

// ------------------------------------------------------------------------------------------ inputs

static ib_InputDef input_of(const ib_QuadrupedModel *model, const ib_LegJointModel *joint,
                            const ib_QuadrupedConfig *config, const char *name)
{
    const double *range = joint->linkage.range;
    ib_InputDef input = {.name = name, .role = IB_INPUT_COMMAND, .for_loops = true};
    if (joint->cylinder >= 0) {
        input.unit = "V";
        input.sentence = "voltage of the joint's valve; above its centre the rod goes out";
        input.neutral = model->air.bank.cylinder[joint->cylinder].valve.centre;
        input.high = 10;
        input.limit = "the valve's range, 0 to 10 V";
    } else if (joint->drive == IB_DRIVE_SERVO) {
        input.unit = "rad";
        input.sentence = "angle that the joint's servo follows";
        input.neutral = ib__quadruped_angle(config, joint->leg, joint->joint);
        input.low = range[0];
        input.high = range[1];
        input.limit = "the joint's range";
        input.kept = true;
    } else {
        input.unit = "N*m";
        input.sentence = "torque on the joint";
        input.low = -1e4;
        input.high = 1e4;
    }
    return input;
}

// Declares factors on the valves' voltages, for valves that stick.
static void declare_sticking(ib_QuadrupedModel *model, ib_Declarations *d)
{
    ib_Rigid *b = &model->rigid;
    for (int i = 0; i < model->joint_count; i++) {
        const ib_LegJointModel *joint = &model->joints[i];
        if (joint->cylinder < 0) continue;
        ib_BankSeat *seat = &model->air.seat[joint->cylinder];
        const char *leg = ib_declare_name(d, "leg", ib__leg_names[joint->leg]);
        const char *name = ib_declare_name(d, leg, ib_leg_joints[joint->joint]);
        ib_declare_input(d, ib_gain_input(ib_declare_name(d, name, "valve")), &seat->gain);
        b->later[b->later_count++] = seat->gain;
    }
}

// Declares all its parts, in the order of their signals. A fixed body has no headlines.
static void declare(const ib_QuadrupedConfig *config, ib_QuadrupedModel *model, ib_Build *build)
{
    ib_Declarations *d = build->d;
    static const int of_pose[] = {1, 0, 1, 0, 1, 1}, of_ground[] = {1, 0};
    ib_Rigid *b = &model->rigid;
    if (model->air.bank.count > 0) ib_bank_declare_states(&model->air, d);
    ib_rigid_declare(b, IB_RIGID_POSE, b->free ? of_pose : NULL, d);
    ib_rigid_declare(b, IB_RIGID_VELOCITY, NULL, d);
    ib_rigid_declare(b, IB_RIGID_FELT, NULL, d);
    ib_rigid_declare(b, IB_RIGID_CENTRE, NULL, d);
    ib_rigid_declare(b, IB_RIGID_GROUND, b->free ? of_ground : NULL, d);
    ib_rigid_declare(b, IB_RIGID_KINETIC, NULL, d);
    ib_rigid_declare(b, IB_RIGID_POTENTIAL, NULL, d);
    for (int i = 0; i < model->joint_count; i++) {
        ib_LegJointModel *joint = &model->joints[i];
        const char *leg = ib_declare_name(d, "leg", ib__leg_names[joint->leg]);
        const char *name = ib_declare_name(d, leg, ib_leg_joints[joint->joint]);
        declare_joint(model, i, name, d);
        if (joint->drive == IB_DRIVE_LIMP) continue;
        ib_InputDef input =
            joint->motor >= 0 ? ib_joint_motor_input(name) : input_of(model, joint, config, name);
        ib_declare_input(d, input, &joint->input);
        if (joint->motor >= 0) {
            model->motors.input[joint->motor] = joint->input;
            model->motors.name[joint->motor] = ib_declare_name(d, name, "motor");
        }
        if (joint->cylinder < 0) continue;
        model->air.seat[joint->cylinder].input = joint->input;
        b->later[b->later_count++] = joint->input;
    }
    declare_sticking(model, d);
    for (int i = 0; i < model->leg_count; i++) {
        const char *name = ib_declare_name(d, "leg", ib__leg_names[model->legs[i]]);
        model->leg_signals[i] = d->signals.count;
        ib_declare(d, name, NULL, of_leg, IB_QUAD_OF_LEG, NULL);
    }
    for (int i = 0; i < model->wheel_count; i++) declare_wheel(model, i, d);
    if (ib__quadruped_powered(config))
        ib_rigid_declare_power(b, &config->power, &config->air, &model->motors,
                               model->air.bank.count == 0, build);
    if (model->air.bank.count > 0) ib_bank_declare_air(&model->air, d);
}

// ---------------------------------------------------------------------------------- legs as a part

static void reset(const void *part, const void *config, const ib_Wires *w, double *x)
{
    const ib_QuadrupedModel *model = part;
    (void)w;
    if (model->air.bank.count > 0) ib_quadruped_fill(config, model, x);
}

// Servos and torques from outside.
static void push(const void *part, void *notes, ib_Wires *w)
{
    const ib_QuadrupedModel *model = part;
    (void)notes;
    for (int i = 0; i < model->joint_count; i++) {
        const ib_LegJointModel *joint = &model->joints[i];
        ib_JointWire *wire = &w->joint[joint->wire];
        if (joint->drive == IB_DRIVE_DIRECT) wire->force += w->input[joint->input];
        if (joint->drive != IB_DRIVE_SERVO) continue;
        double torque = model->servo_stiffness * (w->input[joint->input] - wire->position);
        wire->force += ib_min(ib_max(torque, -model->servo_limit), model->servo_limit);
    }
}

// Adds a contact's force on one of its two geoms, if that is a foot or a wheel.
static void add_contact(const ib_QuadrupedModel *model, const ib_MujocoContact *contact, int side,
                        double *y)
{
    double sign = side ? 1 : -1;
    for (int leg = 0; leg < model->leg_count; leg++) {
        if (model->feet[leg] != contact->geom[side]) continue;
        double *force = y + model->leg_signals[leg] + IB_QUAD_FOOT_FORCE;
        for (int k = 0; k < 3; k++) force[k] += sign * contact->force[k];
    }
    for (int wheel = 0; wheel < model->wheel_count; wheel++)
        if (model->tyres[wheel] == contact->geom[side])
            y[model->wheel_signals[wheel] + IB_QUAD_WHEEL_FORCE] += sign * contact->force[2];
}

// Forces of all that touches feet and wheels.
static void output_contacts(const ib_QuadrupedModel *model, const ib_MujocoWorkspace *workspace,
                            double *y)
{
    const ib_Mujoco *world = model->rigid.world;
    int count = ib_mujoco_contact_count(workspace);
    for (int i = 0; i < model->leg_count; i++)
        memset(y + model->leg_signals[i] + IB_QUAD_FOOT_FORCE, 0, 3 * sizeof *y);
    for (int i = 0; i < model->wheel_count; i++)
        y[model->wheel_signals[i] + IB_QUAD_WHEEL_FORCE] = 0;
    for (int i = 0; i < count; i++) {
        ib_MujocoContact contact = ib_mujoco_contact(world, workspace, i);
        if (!contact.own) continue;
        for (int side = 0; side < 2; side++) add_contact(model, &contact, side, y);
    }
}

// Output after the cylinders, whose forces are torques here for either kind of joint.
static void output(const void *part, const void *notes, const ib_Wires *w, double *y)
{
    const ib_QuadrupedModel *model = part;
    (void)notes;
    for (int i = 0; i < model->joint_count; i++) {
        const ib_LegJointModel *joint = &model->joints[i];
        double *own = y + joint->signal, angle = w->x[joint->position];
        const ib_JointWire *wire = &w->joint[joint->wire];
        own[IB_QUAD_TORQUE] = wire->force;
        if (joint->motor >= 0) own[IB_QUAD_TORQUE] -= wire->damping * wire->speed;
        if (joint->cylinder < 0) continue;
        const double *cylinder = own + IB_QUAD_STROKE;
        ib_LinkageNow now = ib_linkage_at(&joint->linkage, angle);
        own[IB_QUAD_TORQUE] = ib_linkage_torque(
            &joint->linkage, &now, cylinder[IB_BANK_FORCE] - cylinder[IB_BANK_FRICTION]);
        own[IB_QUAD_SWING] = ib__quadruped_swing(joint, angle);
    }
    for (int i = 0; i < model->leg_count; i++)
        memcpy(y + model->leg_signals[i], ib_mujoco_site_places(w->world) + 3 * model->sites[i],
               3 * sizeof *y);
    output_contacts(model, w->world, y);
}

static const ib_PartKind legs_part = {
    .name = "legs", .reset = reset, .push = push, .output = output};

// Gravity in the frame of a floor that is tilted: the robot's own g has the field's direction.
static void find_gravity(const void *own, const double *input, double gravity[3])
{
    double x = input[IB_SLOPE_X], y = input[IB_SLOPE_Y], down = input[IB_GRAVITY];
    double field = sqrt(x * x + y * y + down * down);
    double set = ((const ib_QuadrupedModel *)own)->gravity, g = isinf(set) ? field : set;
    double scale = field > 0 ? g / field : 0;
    gravity[0] = scale * x;
    gravity[1] = scale * y;
    gravity[2] = x == 0 && y == 0 ? -g : -scale * down;
}

// ------------------------------------------------------------------------------------------- ports

// The part of a loop's name: every driven joint. A loop holds the angle, unless it names another
// signal of the joint.
static bool make_part(const ib_LegJointModel *joint, const ib_SignalDef *signals,
                      const ib_InputDef *inputs, ib_Arena *arena, ib_ControlPart *part)
{
    static const int shown[] = {IB_QUAD_ANGLE,
                                IB_QUAD_RATE,
                                IB_QUAD_STROKE,
                                IB_QUAD_STROKE + IB_BANK_SPEED,
                                IB_QUAD_STROKE + IB_BANK_CAP,
                                IB_QUAD_STROKE + IB_BANK_ROD};
    int count = joint->cylinder >= 0 ? (int)(sizeof shown / sizeof shown[0]) : 2;
    const ib_InputDef *input = &inputs[joint->input];
    ib_ControlPin *states = ib_arena_array(arena, (size_t)count, sizeof *states);
    ib_ControlPin *set = ib_arena_alloc(arena, sizeof *set);
    if (!states || !set) return false;
    for (int i = 0; i < count; i++) {
        const ib_SignalDef *signal = &signals[joint->signal + shown[i]];
        states[i] = (ib_ControlPin){.name = signal->name,
                                    .unit = signal->unit,
                                    .low = -INFINITY,
                                    .high = INFINITY,
                                    .local = signal->name + strlen(input->name) + 1};
    }
    states[0].low = joint->linkage.range[0];
    states[0].high = joint->linkage.range[1];
    if (count > 2) {
        states[2].low = 0;
        states[2].high = joint->linkage.stroke;
    }
    *set = (ib_ControlPin){.name = input->name,
                           .unit = input->unit,
                           .low = input->low,
                           .high = input->high,
                           .neutral = input->neutral,
                           .local = joint->cylinder >= 0 ? "valve" : "drive"};
    *part = (ib_ControlPart){.name = input->name,
                             .state_count = count,
                             .states = states,
                             .input_count = 1,
                             .inputs = set};
    return true;
}

static bool make_parts(const ib_QuadrupedModel *model, const ib_SignalDef *signals,
                       const ib_InputDef *inputs, ib_Arena *arena, ib_RobotPorts *ports)
{
    ib_ControlPart *parts = ib_arena_array(arena, IB_QUADRUPED_JOINTS, sizeof *parts);
    if (!parts) return false;
    ports->parts = parts;
    for (int i = 0; i < model->joint_count; i++) {
        const ib_LegJointModel *joint = &model->joints[i];
        if (joint->input < 0) continue;
        if (!make_part(joint, signals, inputs, arena, &parts[ports->part_count++])) return false;
    }
    return true;
}

// The legs for a loop that moves all of them.
static const ib_ControlLegs *make_legs(const ib_QuadrupedConfig *config,
                                       const ib_QuadrupedModel *model, const ib_SignalDef *signals,
                                       const ib_InputDef *inputs, ib_Arena *arena)
{
    static const char *const attitude[3] = {"pose.pitch", "pose.roll", "pose.heading"};
    ib_ControlLegs *legs = ib_arena_alloc(arena, sizeof *legs);
    if (!legs) return NULL;
    legs->count = model->leg_count;
    legs->leg_model = model->leg_model;
    memcpy(legs->attitude, attitude, sizeof attitude);
    legs->at =
        (ib_PathPoint){.x = config->place[0], .y = config->place[1], .course = config->attitude[0]};
    ib_Link thorax = ib__quadruped_thorax(config);
    legs->mass = thorax.mass;
    memcpy(legs->centre, thorax.centre, sizeof legs->centre);
    legs->gravity = ib__quadruped_gravity(config);
    legs->foot_radius = config->tibia.radius;
    legs->supply = ib__quadruped_pressure(config);
    legs->exhaust = config->cylinder.exhaust;
    for (int i = 0; i < model->leg_count; i++) {
        legs->names[i] = ib__leg_names[model->legs[i]];
        legs->shoulders[i] = model->shoulders[model->legs[i]];
        legs->forces[i] = signals[model->leg_signals[i] + IB_QUAD_FOOT_FORCE + 2].name;
    }
    for (int i = 0; i < model->joint_count; i++) {
        const ib_LegJointModel *joint = &model->joints[i];
        const ib_SignalDef *own = signals + joint->signal;
        ib_LegJoint *told = &legs->joints[i];
        *told = (ib_LegJoint){.angle = own[IB_QUAD_ANGLE].name,
                              .start = ib__quadruped_angle(config, joint->leg, joint->joint),
                              .linkage = joint->linkage};
        told->name =
            ib_arena_format(arena, "%s.%s", ib__leg_names[joint->leg], ib_leg_joints[joint->joint]);
        if (!told->name) return NULL;
        if (joint->input >= 0 && joint->motor < 0) told->command = inputs[joint->input].name;
        if (joint->cylinder < 0) continue;
        const ib_CylinderModel *cylinder = &model->air.bank.cylinder[joint->cylinder];
        for (int k = 0; k < 2; k++) told->area[k] = cylinder->side[k].area;
        told->outside = cylinder->atmosphere * cylinder->shaft;
        told->stroke = own[IB_QUAD_STROKE].name;
        told->pressures[0] = own[IB_QUAD_STROKE + IB_BANK_CAP].name;
        told->pressures[1] = own[IB_QUAD_STROKE + IB_BANK_ROD].name;
    }
    return legs;
}

ib_Status ib_quadruped_build(const void *config_, ib_Build *build, void *model_, ib_Error *error)
{
    const ib_QuadrupedConfig *config = config_;
    ib_QuadrupedModel *model = model_;
    ib_Declarations *d = build->d;
    ib_RobotPorts *ports = build->ports;
    ib_Status status = ib_quadruped_init(config, build->arena, model, error);
    if (status != IB_OK) return status;
    model->rigid.gravity = find_gravity;
    model->rigid.writer = (ib_RigidWriter){
        .write = ib__quadruped_write,
        .config = config,
        .self = config->contact_self,
        .cone = config->contact_cone,
        .hold = config->contact_hold,
        .friction =
            ib_max(config->foot_friction, isinf(config->body_friction) ? 0 : config->body_friction),
        .time = config->contact_time,
        .grip = config->contact_grip,
    };
    ib_rigid_build(&model->rigid, 0.5 * config->contact_time, build);
    declare(config, model, build);
    if (model->air.bank.count > 0) ib_build_part(build, &ib_bank_part, &model->air);
    ib_build_part(build, &legs_part, model);
    ports->pushed = model->rigid.free;
    ports->geometry = ib_quadruped_geometry(config, model, build->arena);
    bool whole = !d->failed && ports->geometry &&
                 make_parts(model, d->signals.items, d->inputs, build->arena, ports);
    if (whole) ports->legs = make_legs(config, model, d->signals.items, d->inputs, build->arena);
    return whole && ports->legs ? IB_OK
                                : ib_error_set(error, IB_FAILED, "out of memory for the quadruped");
}
