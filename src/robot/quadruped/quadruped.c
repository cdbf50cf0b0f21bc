// robot/quadruped/quadruped.c: a robot on legs is checked, made and put where it starts.
#include "base/extreme.h"
#include "base/maths.h"
#include "robot/quadruped/quadruped_inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ib_BankConfig bank_of(const ib_QuadrupedConfig *config)
{
    ib_BankConfig bank = {.supply = ib_chain_default()};
    double relief_flow = bank.supply.reservoir.relief_flow;
    bank.supply = config->supply;
    if (config->air.on) {
        bank.supply = ib_chain_default();
        bank.supply.supply = config->supply.supply; // its line
        bank.supply.supply.pressure = ib__quadruped_pressure(config);
        bank.supply.led = true;
    }
    bank.supply.reservoir.relief_flow = relief_flow;
    bank.supply.reservoir.temperature = config->cylinder.temperature;
    bank.friction_outside = config->friction_in;
    for (int leg = 0; leg < IB_QUADRUPED_LEGS; leg++) {
        if (!ib_quadruped_has(config, leg)) continue;
        for (int j = 0; j < IB_LEG_JOINTS; j++) {
            if (!ib_drive_is_pneumatic(ib_quadruped_drive(config, leg, j))) continue;
            ib_BankCylinder *cylinder = &bank.cylinders[bank.count++];
            *cylinder = (ib_BankCylinder){config->cylinder, config->friction};
            cylinder->cylinder.stroke = config->joints[j].linkage.stroke;
        }
    }
    return bank;
}

// ------------------------------------------------------------------------------------------- check

// The cylinders are all alike but for their strokes.
static ib_Status check_air(const ib_QuadrupedConfig *config, ib_Error *error)
{
    ib_BankConfig bank = bank_of(config);
    ib_Status status = bank.count > 0 ? ib_bank_check(&bank, error) : IB_OK;
    if (status == IB_OK || strncmp(error->text, "cylinders[", 10) != 0) return status;
    ib_Error why = *error; // one of them, and so all
    const char *own = strchr(why.text, ' ') + 1;
    bool beside = strncmp(own, "valve.", 6) == 0 || strncmp(own, "friction", 8) == 0;
    return ib_error_set(error, status, "%s%s", beside ? "" : "cylinder.", own);
}

static ib_Status check_power(const ib_QuadrupedConfig *config, ib_Error *error)
{
    bool motors = ib__quadruped_driven(config, IB_DRIVE_MOTOR);
    ib_Status status = IB_OK;
    if (motors)
        status = ib_error_under("motor.", ib_motor_check(&config->motors.motor, error), error);
    if (status == IB_OK && ib__quadruped_powered(config))
        status = ib_power_check(&config->power, error);
    if (status == IB_OK && config->air.on)
        status = ib_error_under("air.", ib_air_check(&config->air, error), error);
    return status;
}

// Tendons and cylinders go between their pins, which know of no straight line.
static ib_Status check_laws(const ib_QuadrupedConfig *config, ib_Error *error)
{
    for (int leg = 0; leg < IB_QUADRUPED_LEGS; leg++) {
        for (int j = 0; ib_quadruped_has(config, leg) && j < IB_LEG_JOINTS; j++) {
            int drive = ib_quadruped_drive(config, leg, j);
            if (drive != IB_DRIVE_TENDON && drive != IB_DRIVE_CYLINDER) continue;
            if (config->joints[j].linkage.law == IB_LINKAGE_LINEAR)
                return ib_error_set(error, IB_BAD_INPUT,
                                    "%s.linkage.law: linear is for cylinders as torques, and leg "
                                    "%s has drive: %s, which goes between its pins: expected "
                                    "exact, or drive: torque",
                                    ib_leg_joints[j], ib__leg_names[leg],
                                    drive == IB_DRIVE_TENDON ? "tendon" : "cylinder");
        }
    }
    return IB_OK;
}

ib_Status ib_quadruped_check(const void *config_, ib_Error *error_)
{
    const ib_QuadrupedConfig *config = config_;
    ib_Error own, *error = error_ ? error_ : &own;
    ib_Status status = IB_OK;
    char key[64];
    for (int j = 0; status == IB_OK && j < IB_LEG_JOINTS; j++) {
        snprintf(key, sizeof key, "%s.linkage.", ib_leg_joints[j]);
        status = ib_error_under(key, ib_linkage_check(&config->joints[j].linkage, error), error);
    }
    if (status == IB_OK) status = check_laws(config, error);
    if (status == IB_OK) status = ib__quadruped_check_links(config, error);
    if (status != IB_OK) return status;
    ib_LegConfig leg_model = ib__quadruped_leg(config);
    status = ib_leg_check(&leg_model, error);
    const char *range = status == IB_OK ? NULL : strstr(error->text, ".range: ");
    if (range) { // of a joint, which here is that of its linkage
        ib_Error why = *error;
        int joint = (int)(range - error->text);
        return ib_error_set(error, status, "%.*s.linkage%s", joint, why.text, why.text + joint);
    }
    status = ib_error_under("leg.", status, error);
    if (status == IB_OK) status = check_air(config, error);
    if (status == IB_OK) status = check_power(config, error);
    if (status == IB_OK) status = ib_terrain_check(&config->terrain, error);
    if (status == IB_OK) status = ib__quadruped_check_start(config, error);
    return status;
}

// -------------------------------------------------------------------------------------------- init

// The number of an MJCF element by its name, such as "fl.alpha.slide", or -1.
static int find(const ib_Mujoco *world, ib_MujocoNoun noun, int leg, const char *what,
                const char *more)
{
    char name[64];
    snprintf(name, sizeof name, "%s.%s%s", ib__leg_names[leg], what, more);
    return ib_mujoco_find(world, noun, name);
}

static ib_MujocoJoint find_joint(const ib_Mujoco *world, int leg, int j, const char *more)
{
    return ib_mujoco_joint(world, find(world, IB_MUJOCO_JOINT, leg, ib_leg_joints[j], more));
}

// Sets the joint of the wires on which it is driven: its own, or the length of a cylinder.
static void wire_joint(const ib_QuadrupedConfig *config, ib_QuadrupedModel *model, int leg, int j)
{
    ib_LegJointModel *joint = &model->joints[model->joint_count++];
    ib_Rigid *b = &model->rigid;
    *joint = (ib_LegJointModel){.leg = leg,
                                .joint = j,
                                .drive = ib_quadruped_drive(config, leg, j),
                                .cylinder = -1,
                                .motor = -1,
                                .slide = -1,
                                .input = -1};
    ib_linkage_init(&config->joints[j].linkage, &joint->linkage);
    ib__quadruped_pins(&joint->linkage, j, joint->pivot, joint->pin);
    ib_MujocoJoint hinge = find_joint(b->world, leg, j, "");
    ib_RigidJoint wire = ib_rigid_joint(b, &hinge);
    joint->position = wire.position;
    joint->velocity = wire.velocity;
    joint->speed = wire.speed;
    if (ib_drive_is_pneumatic(joint->drive)) {
        ib_BankSeat *seat = &model->air.seat[joint->cylinder = model->air.bank.count++];
        *seat = (ib_BankSeat){.joint = b->joint_count};
        wire.tendon = find(b->world, IB_MUJOCO_TENDON, leg, ib_leg_joints[j], "");
        wire.control = find(b->world, IB_MUJOCO_CONTROL, leg, ib_leg_joints[j], "");
        if (joint->drive == IB_DRIVE_TORQUE) {
            seat->linkage = &joint->linkage;
            seat->seals = wire.held = config->friction_in;
            wire.damping = config->joints[j].damping;
            wire.friction = config->joints[j].friction;
        } else if (joint->drive == IB_DRIVE_TENDON) {
            seat->from = joint->linkage.l2;
        } else {
            ib_MujocoJoint slide = find_joint(b->world, leg, j, ".slide");
            joint->slide = wire.position = slide.position;
            joint->slide_speed = wire.speed = b->sizes.positions + slide.velocity;
        }
    }
    if (joint->drive == IB_DRIVE_MOTOR) {
        joint->motor = ib_joint_motors_add(&model->motors, &config->motors, b->joint_count);
        wire.held = true;
    }
    joint->wire = ib_rigid_join(b, wire);
}

// A joint's angle, and with it those of barrel and rod, if it has them.
static void place_joint(const ib_QuadrupedModel *model, const ib_LegJointModel *joint, double angle)
{
    double *state = model->rigid.start;
    state[joint->position] = angle;
    if (joint->slide < 0) return;
    ib_MujocoJoint pivot = find_joint(model->rigid.world, joint->leg, joint->joint, ".pivot");
    state[joint->slide] = ib_linkage_at(&joint->linkage, angle).x;
    state[pivot.position] = ib__quadruped_swing(joint, angle);
}

// Compiled, with the free body where its MJCF has it, and the joints as the start says.
static ib_Status init_body(const ib_QuadrupedConfig *config, ib_Arena *arena, ib_Rigid *b,
                           ib_Error *error)
{
    const char *mjcf = ib_quadruped_mjcf(config, arena);
    const ib_Mujoco *world;
    if (!mjcf) return ib_error_set(error, IB_FAILED, "out of memory for the quadruped");
    ib_Status status =
        ib_mujoco_compile("the quadruped's MJCF", mjcf, strlen(mjcf), arena, &world, error);
    if (status != IB_OK) return status;
    if (!ib_rigid_init(world, mjcf, ib_mujoco_find(world, IB_MUJOCO_BODY, "thorax"), arena, b))
        return ib_error_set(error, IB_FAILED, "out of memory for the quadruped");
    ib_mujoco_start(world, b->start);
    b->start[b->heading] = config->attitude[0];
    return IB_OK;
}

ib_Status ib_quadruped_init(const ib_QuadrupedConfig *config, ib_Arena *arena,
                            ib_QuadrupedModel *model, ib_Error *error)
{
    *model = (ib_QuadrupedModel){.gravity = config->gravity,
                                 .servo_stiffness = config->servo_stiffness,
                                 .servo_damping = config->servo_damping,
                                 .servo_limit = config->servo_limit};
    ib_Status status = init_body(config, arena, &model->rigid, error);
    if (status != IB_OK) return status;
    const ib_Mujoco *world = model->rigid.world;
    ib_BankConfig bank = bank_of(config);
    ib_LegConfig leg_model = ib__quadruped_leg(config);
    ib_leg_init(&leg_model, &model->leg_model);
    ib_leg_shoulders(config->along, config->across, config->up, config->tilt, model->shoulders);
    for (int leg = 0; leg < IB_QUADRUPED_LEGS; leg++) {
        if (!ib_quadruped_has(config, leg)) continue;
        int at = model->leg_count++;
        model->legs[at] = leg;
        model->feet[at] = find(world, IB_MUJOCO_GEOM, leg, "tibia", "");
        model->sites[at] = find(world, IB_MUJOCO_SITE, leg, "foot", "");
        for (int j = 0; j < IB_LEG_JOINTS; j++) wire_joint(config, model, leg, j);
    }
    for (int i = 0; i < model->joint_count; i++)
        place_joint(model, &model->joints[i],
                    ib__quadruped_angle(config, model->joints[i].leg, model->joints[i].joint));
    if (bank.count > 0) ib_bank_init(&bank, &model->air.bank);
    model->air.fed = config->air.on;
    model->air.steps = config->gas_steps;
    model->wheel_count = config->base == IB_BASE_WHEELS ? IB_QUADRUPED_WHEELS : 0;
    for (int i = 0; i < model->wheel_count; i++)
        model->tyres[i] = ib_mujoco_find(world, IB_MUJOCO_GEOM, ib__wheel_names[i]);
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- start

// Chambers without given pressures push as `force` says, around the middle of the supply's range.
static void fill(const ib_QuadrupedConfig *config, const ib_QuadrupedModel *model, int i, double x,
                 double force, double *air)
{
    const ib_CylinderModel *cylinder = &model->air.bank.cylinder[i];
    double Ps = ib__quadruped_pressure(config), Pe = config->cylinder.exhaust,
           middle = 0.5 * (Ps + Pe);
    double outside = cylinder->atmosphere * cylinder->shaft;
    double cap_area = cylinder->side[IB_SIDE_CAP].area, rod_area = cylinder->side[IB_SIDE_ROD].area;
    double rod = isinf(config->rod_pressure) ? middle : config->rod_pressure;
    double cap = isinf(config->cap_pressure) ? (force + rod * rod_area + outside) / cap_area
                                             : config->cap_pressure;
    cap = isinf(config->cap_pressure) ? ib_min(ib_max(cap, Pe), Ps) : cap;
    if (isinf(config->rod_pressure))
        rod = ib_min(ib_max((cap * cap_area - outside - force) / rod_area, Pe), Ps);
    ib_bank_fill(&model->air.bank, i, x, cap, rod, air);
}

void ib_quadruped_fill(const ib_QuadrupedConfig *config, const ib_QuadrupedModel *model,
                       double *state)
{
    const ib_BankModel *bank = &model->air.bank;
    double x[IB_QUADRUPED_JOINTS], volts[IB_QUADRUPED_JOINTS], force[IB_QUADRUPED_JOINTS];
    double torque[IB_LEG_JOINTS];
    // Each cylinder's force holds its joint still, with the robot on all its feet, or hanging
    // if fixed.
    for (int i = 0; i < model->joint_count; i++) {
        const ib_LegJointModel *joint = &model->joints[i];
        if (joint->joint == 0) ib__quadruped_hold(config, joint->leg, torque);
        if (joint->cylinder < 0) continue;
        ib_LinkageNow now = ib_linkage_at(&joint->linkage, state[joint->position]);
        x[joint->cylinder] = now.x;
        force[joint->cylinder] = torque[joint->joint] / now.arm;
    }
    for (int i = 0; i < bank->count; i++) volts[i] = bank->cylinder[i].valve.centre;
    ib_bank_reset(bank, x, volts, state + model->air.state);
    for (int i = 0; i < bank->count; i++)
        fill(config, model, i, x[i], force[i], state + model->air.state);
    ib_bank_begin(&model->air, state);
}
