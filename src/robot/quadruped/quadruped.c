// robot/quadruped/quadruped.c: what the robot is made of: links, joints, cylinders; and its start.
#include "base/maths.h"
#include "robot/quadruped/quadruped_inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEGREE (M_PI / 180)

const char *const ib__leg_names[IB_QUADRUPED_LEGS] = {"fl", "fr", "rl", "rr"};

// ------------------------------------------------------------------------------------------- parts

bool ib_quadruped_has(const ib_QuadrupedConfig *config, int leg)
{
    if (config->legs == IB_LEGS_ALL) return true;
    if (config->legs == IB_LEGS_FRONT) return leg == IB_LIMB_FL || leg == IB_LIMB_FR;
    return leg == config->legs - IB_LEGS_FL;
}

int ib_quadruped_drive(const ib_QuadrupedConfig *config, int leg)
{
    return config->drives[leg] > 0 ? config->drives[leg] - 1 : config->drive;
}

static ib_LinkPart capsule_of(const ib_QuadrupedConfig *config, const ib_CapsuleConfig *capsule,
                              double x, double y, double z)
{
    bool coded = config->inertia == IB_INERTIA_SRLIB;
    return (ib_LinkPart){.form = coded ? IB_LINK_SRLIB_CAPSULE : IB_LINK_CAPSULE,
                         .radius = capsule->radius,
                         .length = capsule->length,
                         .density = capsule->density,
                         .place = {x, y, z},
                         .attitude = {0, IB_SOLID_LYING, 0}};
}

// The coxa is two capsules; the second one, of length 0, sits where the beta joint is fixed to it.
void ib_quadruped_links(const ib_QuadrupedConfig *config, ib_Link links[IB_LIMB_JOINTS])
{
    const ib_LinkPart coxa[] = {
        capsule_of(config, &config->coxa, config->coxa_centre, 0, 0),
        capsule_of(config, &config->hip, config->a1 - config->hip.radius, 0, config->d1),
    };
    const ib_LinkPart femur = capsule_of(config, &config->femur, config->femur_centre, 0, 0);
    const ib_LinkPart tibia = capsule_of(config, &config->tibia, config->tibia_centre, 0, 0);
    ib_link_init(coxa, 2, &links[0]);
    ib_link_init(&femur, 1, &links[1]);
    ib_link_init(&tibia, 1, &links[2]);
}

// A barrel as long as the way from its pivot to the pin with the rod in, less its head; the rod as
// long as the stroke and that head.
void ib__quadruped_barrel(const ib_QuadrupedConfig *config, int joint, ib_Link *barrel,
                          ib_Link *rod)
{
    const ib_LinkageConfig *linkage = &config->joints[joint].linkage;
    double head = 0.25 * (linkage->l2 - linkage->stroke);
    const ib_LinkPart tube = {.form = IB_LINK_CYLINDER,
                              .radius = 0.5 * config->ram.bore,
                              .length = linkage->l2 - head,
                              .mass = config->barrel_mass,
                              .place = {0.5 * (linkage->l2 - head), 0, 0},
                              .attitude = {0, IB_SOLID_LYING, 0}};
    const ib_LinkPart shaft = {.form = IB_LINK_CYLINDER,
                               .radius = 0.5 * config->ram.rod,
                               .length = linkage->stroke + head,
                               .mass = config->rod_mass,
                               .place = {-0.5 * (linkage->stroke + head), 0, 0},
                               .attitude = {0, IB_SOLID_LYING, 0}};
    ib_link_init(&tube, 1, barrel);
    ib_link_init(&shaft, 1, rod);
}

// A leg's frames [control/limb/limb.h]: alpha's at the shoulder, beta's d1 up and a1 out, its axes
// turned by -90 degrees about x, gamma's a2 along the femur.
ib_Pose ib__quadruped_joint(const ib_QuadrupedConfig *config, int leg, int joint)
{
    ib_Pose shoulders[IB_LIMB_LEGS], field = ib_pose_field();
    if (joint == IB_LIMB_BETA)
        return ib_pose_in(&field, (double[]){config->a1, 0, config->d1},
                          (double[]){0, 0, -IB_SOLID_LYING});
    if (joint == IB_LIMB_GAMMA)
        return ib_pose_in(&field, (double[]){config->a2, 0, 0}, (double[]){0, 0, 0});
    ib_limb_shoulders(config->along, config->across, config->up, config->tilt, shoulders);
    return shoulders[leg];
}

// The alpha cylinder lies along the body, from a pivot behind or before the shoulder; that of beta
// back along the coxa, 20 degrees above it; that of gamma under the femur, its pin on the tibia.
// Where they are turned to changes nothing but the look, and what their own masses do.
void ib__quadruped_pins(const ib_LinkageModel *linkage, int joint, double pivot[2], double pin[2])
{
    double opening = linkage->sign * linkage->offset; // from the pivot to the pin, at angle 0
    const double directions[IB_LIMB_JOINTS] = {opening - 90 * DEGREE, opening + 200 * DEGREE, 0};
    ib_linkage_pins(linkage, directions[joint], pivot, pin);
}

double ib__quadruped_swing(const ib_LinkageModel *linkage, int joint, double angle)
{
    double at[2], pin[2], s, c;
    ib__quadruped_pins(linkage, joint, at, pin);
    ib_sincos(angle, &s, &c);
    double x0 = pin[0] - at[0], y0 = pin[1] - at[1];
    double x = c * pin[0] - s * pin[1] - at[0], y = s * pin[0] + c * pin[1] - at[1];
    return ib_atan2(x0 * y - y0 * x, x0 * x + y0 * y);
}

// By the largest of the four, so that nothing small is divided by.
void ib__quaternion(const double R[9], double q[4])
{
    const double squares[4] = {1 + R[0] + R[4] + R[8], 1 + R[0] - R[4] - R[8],
                               1 - R[0] + R[4] - R[8], 1 - R[0] - R[4] + R[8]};
    int most = 0;
    for (int i = 1; i < 4; i++)
        if (squares[i] > squares[most]) most = i;
    double largest = 0.5 * sqrt(squares[most]), per = 0.25 / largest;
    const double rows[4][4] = {
        {0, R[7] - R[5], R[2] - R[6], R[3] - R[1]},
        {R[7] - R[5], 0, R[1] + R[3], R[2] + R[6]},
        {R[2] - R[6], R[1] + R[3], 0, R[5] + R[7]},
        {R[3] - R[1], R[2] + R[6], R[5] + R[7], 0},
    };
    for (int i = 0; i < 4; i++) q[i] = i == most ? largest : per * rows[most][i];
}

static ib_BankConfig bank_of(const ib_QuadrupedConfig *config)
{
    ib_BankConfig bank = ib_bank_default();
    bank.supply.supply = config->supply;
    bank.friction_outside = config->friction_in;
    for (int leg = 0; leg < IB_QUADRUPED_LEGS; leg++) {
        if (!ib_quadruped_has(config, leg)) continue;
        if (!ib_drive_is_pneumatic(ib_quadruped_drive(config, leg))) continue;
        for (int j = 0; j < IB_LIMB_JOINTS; j++) {
            ib_BankCylinder *cylinder = &bank.cylinders[bank.count++];
            *cylinder = (ib_BankCylinder){config->ram, config->friction};
            cylinder->ram.stroke = config->joints[j].linkage.stroke;
        }
    }
    return bank;
}

static ib_LimbConfig limb_of(const ib_QuadrupedConfig *config)
{
    ib_LimbConfig limb = {.a1 = config->a1, .d1 = config->d1, .a2 = config->a2, .a3 = config->a3};
    for (int j = 0; j < IB_LIMB_JOINTS; j++)
        memcpy(limb.range[j], config->joints[j].linkage.range, sizeof limb.range[j]);
    ib_quadruped_links(config, limb.links);
    return limb;
}

// ------------------------------------------------------------------------------------------- check

// Puts what a part calls a mistake under the key of the whole.
static ib_Status under(const char *key, ib_Status status, ib_Error *error)
{
    if (status == IB_OK || !error) return status;
    ib_Error why = *error;
    return ib_error_set(error, status, "%s%s", key, why.text);
}

static double start_angle(const ib_QuadrupedConfig *config, int leg, int joint)
{
    double own = config->angles[leg][joint];
    return isinf(own) ? config->pose[joint] : own;
}

static ib_Status check_start(const ib_QuadrupedConfig *config, ib_Error *error)
{
    for (int leg = 0; leg < IB_QUADRUPED_LEGS; leg++)
        for (int j = 0; ib_quadruped_has(config, leg) && j < IB_LIMB_JOINTS; j++) {
            const double *range = config->joints[j].linkage.range;
            double angle = start_angle(config, leg, j);
            if (angle >= range[0] - 1e-9 && angle <= range[1] + 1e-9) continue;
            bool own = !isinf(config->angles[leg][j]);
            return ib_error_set(
                error, IB_BAD_INPUT,
                "start.%s%s%s: %g deg are outside of the joint's range, %g to %g deg",
                own ? ib__leg_names[leg] : "", own ? "." : "", ib_limb_joints[j],
                angle * (180 / M_PI), range[0] * (180 / M_PI), range[1] * (180 / M_PI));
        }
    return IB_OK;
}

ib_Status ib_quadruped_check(const ib_QuadrupedConfig *config, ib_Error *error)
{
    ib_Status status = IB_OK;
    char key[64];
    for (int j = 0; status == IB_OK && j < IB_LIMB_JOINTS; j++) {
        snprintf(key, sizeof key, "%s.linkage.", ib_limb_joints[j]);
        status = under(key, ib_linkage_check(&config->joints[j].linkage, error), error);
    }
    if (status != IB_OK) return status;
    ib_LimbConfig limb = limb_of(config);
    ib_BankConfig bank = bank_of(config);
    status = ib_limb_check(&limb, error);
    if (status == IB_OK && bank.count > 0) status = ib_bank_check(&bank, error);
    if (status == IB_OK) status = check_start(config, error);
    return status;
}

// -------------------------------------------------------------------------------------------- init

static void wire_joint(const ib_QuadrupedConfig *config, ib_QuadrupedModel *model, int leg, int j,
                       int *cylinder)
{
    ib_LegJointModel *joint = &model->joints[model->joint_count++];
    char name[64];
    *joint = (ib_LegJointModel){.leg = leg,
                                .joint = j,
                                .drive = ib_quadruped_drive(config, leg),
                                .cylinder = -1,
                                .slide = -1,
                                .tendon = -1,
                                .control = -1};
    snprintf(name, sizeof name, "%s.%s", ib__leg_names[leg], ib_limb_joints[j]);
    ib_linkage_init(&config->joints[j].linkage, &joint->linkage);
    ib_MujocoJoint hinge =
        ib_mujoco_joint(model->world, ib_mujoco_find(model->world, IB_MUJOCO_JOINT, name));
    joint->position = hinge.position;
    joint->velocity = hinge.velocity;
    joint->speed = model->sizes.positions + hinge.velocity;
    if (!ib_drive_is_pneumatic(joint->drive)) return;
    joint->cylinder = (*cylinder)++;
    joint->tendon = ib_mujoco_find(model->world, IB_MUJOCO_TENDON, name);
    joint->control = ib_mujoco_find(model->world, IB_MUJOCO_CONTROL, name);
    if (joint->drive != IB_DRIVE_CYLINDER) return;
    snprintf(name, sizeof name, "%s.%s.slide", ib__leg_names[leg], ib_limb_joints[j]);
    ib_MujocoJoint slide =
        ib_mujoco_joint(model->world, ib_mujoco_find(model->world, IB_MUJOCO_JOINT, name));
    joint->slide = slide.position;
    joint->slide_speed = model->sizes.positions + slide.velocity;
}

ib_Status ib_quadruped_init(const ib_QuadrupedConfig *config, ib_Arena *arena,
                            ib_QuadrupedModel *model, ib_Error *error)
{
    char name[64];
    *model = (ib_QuadrupedModel){.gas_steps = config->gas_steps,
                                 .gravity = config->gravity,
                                 .free = config->base == IB_BASE_FREE,
                                 .servo_stiffness = config->servo_stiffness,
                                 .servo_damping = config->servo_damping,
                                 .servo_limit = config->servo_limit};
    model->mjcf = ib_quadruped_mjcf(config, arena);
    if (!model->mjcf) return ib_error_set(error, IB_FAILED, "out of memory for the quadruped");
    ib_Status status = ib_mujoco_compile("the quadruped's MJCF", model->mjcf, strlen(model->mjcf),
                                         arena, &model->world, error);
    if (status != IB_OK) return status;
    model->sizes = ib_mujoco_sizes(model->world);
    ib_BankConfig bank = bank_of(config);
    ib_LimbConfig limb = limb_of(config);
    if (bank.count > 0) ib_bank_init(&bank, &model->bank);
    ib_limb_init(&limb, &model->limb);
    ib_limb_shoulders(config->along, config->across, config->up, config->tilt, model->shoulders);
    int cylinder = 0;
    for (int leg = 0; leg < IB_QUADRUPED_LEGS; leg++) {
        if (!ib_quadruped_has(config, leg)) continue;
        int at = model->leg_count++;
        model->legs[at] = leg;
        snprintf(name, sizeof name, "%s.tibia", ib__leg_names[leg]);
        model->feet[at] = ib_mujoco_find(model->world, IB_MUJOCO_GEOM, name);
        snprintf(name, sizeof name, "%s.foot", ib__leg_names[leg]);
        model->sites[at] = ib_mujoco_find(model->world, IB_MUJOCO_SITE, name);
        for (int j = 0; j < IB_LIMB_JOINTS; j++) wire_joint(config, model, leg, j, &cylinder);
    }
    model->thorax = ib_mujoco_find(model->world, IB_MUJOCO_BODY, "thorax");
    model->heading_state = model->sizes.states;
    model->bank_state = model->heading_state + 1;
    model->state_count = model->bank_state + (bank.count > 0 ? model->bank.state_count : 0);
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- start

// A joint's angle, and with it those of barrel and rod, if it has them.
static void place_joint(const ib_QuadrupedModel *model, const ib_LegJointModel *joint, double angle,
                        double *state)
{
    state[joint->position] = angle;
    if (joint->slide < 0) return;
    char name[64];
    snprintf(name, sizeof name, "%s.%s.pivot", ib__leg_names[joint->leg],
             ib_limb_joints[joint->joint]);
    ib_MujocoJoint pivot =
        ib_mujoco_joint(model->world, ib_mujoco_find(model->world, IB_MUJOCO_JOINT, name));
    state[joint->slide] = ib_linkage_at(&joint->linkage, angle).x;
    state[pivot.position] = ib__quadruped_swing(&joint->linkage, joint->joint, angle);
}

// The force with which each cylinder holds its joint still, the robot standing on all its feet, or
// hanging if it is fixed.
static void hold(const ib_QuadrupedConfig *config, const ib_QuadrupedModel *model,
                 const double *state, double *force)
{
    ib_Link links[IB_LIMB_JOINTS];
    double mass = config->thorax_mass, g = isinf(config->gravity) ? 9.80665 : config->gravity;
    ib_quadruped_links(config, links);
    for (int i = 0; i < IB_LIMB_JOINTS; i++) mass += model->leg_count * links[i].mass;
    ib_Pose field = ib_pose_field(), body = ib_pose_in(&field, config->place, config->attitude);
    for (int i = 0; i < model->joint_count; i++) {
        const ib_LegJointModel *joint = &model->joints[i];
        if (joint->cylinder < 0) continue;
        const ib_LegJointModel *first = joint - joint->joint;
        double th[IB_LIMB_JOINTS], torque[IB_LIMB_JOINTS], up[3], down[3];
        ib_Pose shoulder = ib_limb_chain(&body, &model->shoulders[joint->leg]);
        double load = model->free ? mass * g / model->leg_count : 0;
        for (int j = 0; j < IB_LIMB_JOINTS; j++) th[j] = state[first[j].position];
        ib_limb_direction_into(&shoulder, (double[]){0, 0, load}, up);
        ib_limb_direction_into(&shoulder, (double[]){0, 0, -g}, down);
        ib_limb_hold(&model->limb, th, up, down, torque);
        force[joint->cylinder] =
            torque[joint->joint] / ib_linkage_at(&joint->linkage, th[joint->joint]).arm;
    }
}

// Chambers whose pressures are not told push as `force` says, around the middle of what the supply
// can do.
static void fill(const ib_QuadrupedConfig *config, const ib_QuadrupedModel *model, int i, double x,
                 double force, double *air)
{
    const ib_RamModel *ram = &model->bank.ram[i];
    double Ps = config->supply.pressure, Pe = config->ram.exhaust, middle = 0.5 * (Ps + Pe);
    double outside = ram->atmosphere * ram->shaft;
    double rod = isinf(config->rod_pressure) ? middle : config->rod_pressure;
    double cap = isinf(config->cap_pressure)
                     ? (force + rod * ram->rod.area + outside) / ram->cap.area
                     : config->cap_pressure;
    cap = isinf(config->cap_pressure) ? fmin(fmax(cap, Pe), Ps) : cap;
    if (isinf(config->rod_pressure))
        rod = fmin(fmax((cap * ram->cap.area - outside - force) / ram->rod.area, Pe), Ps);
    ib_bank_fill(&model->bank, i, x, cap, rod, air);
}

void ib_quadruped_reset(const ib_QuadrupedConfig *config, const ib_QuadrupedModel *model,
                        double *state)
{
    double x[IB_QUADRUPED_JOINTS] = {0}, volts[IB_QUADRUPED_JOINTS],
           force[IB_QUADRUPED_JOINTS] = {0};
    memset(state, 0, (size_t)model->state_count * sizeof *state);
    ib_mujoco_start(model->world, state); // the free body is where the MJCF has it
    for (int i = 0; i < model->joint_count; i++)
        place_joint(model, &model->joints[i],
                    start_angle(config, model->joints[i].leg, model->joints[i].joint), state);
    state[model->heading_state] = config->attitude[0];
    if (model->bank.count == 0) return;
    for (int i = 0; i < model->joint_count; i++) {
        const ib_LegJointModel *joint = &model->joints[i];
        if (joint->cylinder >= 0)
            x[joint->cylinder] = ib_linkage_at(&joint->linkage, state[joint->position]).x;
    }
    for (int i = 0; i < model->bank.count; i++) volts[i] = model->bank.ram[i].valve.centre;
    ib_bank_reset(&model->bank, x, volts, state + model->bank_state);
    hold(config, model, state, force);
    for (int i = 0; i < model->bank.count; i++)
        fill(config, model, i, x[i], force[i], state + model->bank_state);
}
