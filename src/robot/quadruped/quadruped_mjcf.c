// robot/quadruped/quadruped_mjcf.c: the robot and its ground as an MJCF model, in memory.
//
// Robot and ground touch each other, and the robot's parts each other where `contact.self` asks for
// it: else they pass through each other, as in the thesis (SetSelfCollision(false)). Neighbours at
// a joint never touch.
#include "base/extreme.h"
#include "robot/quadruped/quadruped_inside.h"
#include "robot/rigid/rigid_text.h"

#include <math.h>
#include <stdio.h>

static const char *const links[IB_LEG_JOINTS] = {"coxa", "femur", "tibia"};

static void put_pose(ib_RigidText *out, const ib_Pose *pose)
{
    double quaternion[4];
    ib__quaternion(pose->turn, quaternion);
    ib_rigid_put(out, " pos='@3' quat='@4'", pose->place, quaternion);
}

static void put_link(ib_RigidText *out, const ib_Link *link)
{
    ib_rigid_put(out, "<inertial pos='@3' mass='$' fullinertia='@6'/>\n", link->centre, link->mass,
                 link->inertia);
}

// A capsule along x around a centre.
static void put_capsule(ib_RigidText *out, const char *name, const ib_CapsuleConfig *capsule,
                        double centre, double friction, const char *colour)
{
    double half = 0.5 * capsule->length, grip[3] = {friction, 0.005, 0.0001};
    ib_rigid_put(out, "<geom name='&%' rgba='%'", name, colour);
    if (capsule->length > 0)
        ib_rigid_put(out, " type='capsule' fromto='@6'",
                     (double[]){centre - half, 0, 0, centre + half, 0, 0});
    else
        ib_rigid_put(out, " type='sphere' pos='@3'", (double[]){centre, 0, 0});
    ib_rigid_put(out, " size='$' friction='@3'/>\n", capsule->radius, grip);
}

static double body_friction(const ib_QuadrupedConfig *config)
{
    return isinf(config->body_friction) ? config->foot_friction : config->body_friction;
}

// -------------------------------------------------------------------------------------------- legs

// Dry friction of the seals, as an engine knows it: one for both ways [N].
static double dry_friction(const ib_FrictionModel *seals)
{
    return 0.5 * (seals->coulomb[0] + seals->coulomb[1]);
}

// Friction of a joint besides stops: its own, a servo's damping, and the seals' if the joint
// represents them. Their lever arm here is that of the middle of the range, as a file has only one;
// each step has its own (plant/air/bank_part.c).
static ib_JointFriction holds_back(const ib_QuadrupedConfig *config, int leg, int joint)
{
    const ib_LegJointConfig *own = &config->joints[joint];
    int drive = ib_quadruped_drive(config, leg, joint);
    ib_JointFriction all = {own->damping, own->friction};
    if (drive == IB_DRIVE_SERVO) all.damping += config->servo_damping;
    if (drive != IB_DRIVE_TORQUE || !config->friction_in) return all;
    ib_LinkageModel linkage;
    ib_FrictionModel seals;
    ib_linkage_init(&own->linkage, &linkage);
    ib_friction_init(&config->friction, own->linkage.stroke, &seals);
    double middle = 0.5 * (linkage.range[0] + linkage.range[1]);
    double arm = fabs(ib_linkage_at(&linkage, middle).arm);
    all.damping += seals.viscous * arm * arm;
    all.loss += dry_friction(&seals) * arm;
    return all;
}

// A joint of a leg, "fl.alpha", with its actuator.
typedef struct Joint {
    char name[32];
    int leg, joint, drive;
    ib_LinkageModel linkage;
    ib_FrictionModel seals;
    double pivot[2], pin[2]; ///< of its cylinder
} Joint;

static Joint joint_of(const ib_QuadrupedConfig *config, int leg, int joint)
{
    const ib_LinkageConfig *linkage = &config->joints[joint].linkage;
    Joint own = {.leg = leg, .joint = joint, .drive = ib_quadruped_drive(config, leg, joint)};
    snprintf(own.name, sizeof own.name, "%s.%s", ib__leg_names[leg], ib_leg_joints[joint]);
    if (own.drive != IB_DRIVE_TENDON && own.drive != IB_DRIVE_CYLINDER) return own;
    ib_linkage_init(linkage, &own.linkage);
    ib_friction_init(&config->friction, linkage->stroke, &own.seals);
    ib__quadruped_pins(&own.linkage, joint, own.pivot, own.pin);
    return own;
}

static void put_joint(ib_RigidText *out, const ib_QuadrupedConfig *config, const Joint *own)
{
    ib_JointFriction friction = holds_back(config, own->leg, own->joint);
    ib_rigid_put(out, "<joint name='&%' axis='0 0 1' range='@2' damping='$' frictionloss='$'",
                 own->name, config->joints[own->joint].linkage.range, friction.damping,
                 friction.loss);
    if (own->drive == IB_DRIVE_MOTOR) {
        double G = config->motors.reduction;
        ib_rigid_put(out, " armature='$'", config->motors.count * G * G * config->rotor_inertia);
    }
    ib_rigid_put(out, "/>\n");
}

// The seals' friction where MuJoCo has it.
static void put_seals(ib_RigidText *out, const ib_QuadrupedConfig *config, const Joint *own)
{
    if (config->friction_in)
        ib_rigid_put(out, " damping='$' frictionloss='$'", own->seals.viscous,
                     dry_friction(&own->seals));
}

// Writes a cylinder's parts on the body that carries the joint: its pivot, or barrel and rod as
// bodies, placed with the joint at 0.
static void put_pivot(ib_RigidText *out, const ib_QuadrupedConfig *config, const Joint *own)
{
    ib_Pose frame = ib__quadruped_joint(config, own->leg, own->joint);
    const double *pivot = own->pivot, *pin = own->pin;
    double at[3];
    if (own->drive == IB_DRIVE_TENDON) {
        ib_pose_point(&frame, (double[]){pivot[0], pivot[1], 0}, at);
        ib_rigid_put(out, "<site name='&%.pivot' size='0.005' pos='@3'/>\n", own->name, at);
    }
    if (own->drive != IB_DRIVE_CYLINDER) return;
    ib_Link barrel, rod;
    double x = ib_linkage_at(&own->linkage, 0).x;
    double along = ib_atan2(pin[1] - pivot[1], pin[0] - pivot[0]);
    ib_Pose stands = ib_pose_in(&frame, (double[]){pivot[0], pivot[1], 0}, (double[]){along, 0, 0});
    ib__quadruped_barrel(config, own->joint, &barrel, &rod);
    ib_rigid_put(out, "<body name='&%.barrel'", own->name);
    put_pose(out, &stands);
    ib_rigid_put(out, "><joint name='&%.pivot' axis='0 0 1'/>\n", own->name);
    put_link(out, &barrel);
    ib_rigid_put(
        out,
        "<body name='&%.rod' pos='@3'><joint name='&%.slide' type='slide' axis='1 0 0' ref='$'",
        own->name, (double[]){own->linkage.l2 + x, 0, 0}, own->name, x);
    put_seals(out, config, own);
    ib_rigid_put(out, "/>\n");
    put_link(out, &rod);
    ib_rigid_put(out, "</body></body>\n");
}

static void put_leg(ib_RigidText *out, const ib_QuadrupedConfig *config, int leg)
{
    const char *name = ib__leg_names[leg];
    const double centres[] = {config->coxa_centre, config->femur_centre, config->tibia_centre};
    const ib_CapsuleConfig *capsules[] = {&config->coxa, &config->femur, &config->tibia};
    static const char *const colours[] = {"0.8 0.2 1 1", "0 0.6 1 1", "0 0.8 0 1"};
    ib_Link own[IB_LEG_JOINTS];
    char geom[64];
    ib_quadruped_links(config, own);
    for (int i = 0; i < IB_LEG_JOINTS; i++) {
        ib_Pose frame = ib__quadruped_joint(config, leg, i);
        Joint joint = joint_of(config, leg, i);
        snprintf(geom, sizeof geom, "%s.%s", name, links[i]);
        put_pivot(out, config, &joint);
        ib_rigid_put(out, "<body name='&%'", geom);
        put_pose(out, &frame);
        ib_rigid_put(out, ">\n");
        put_joint(out, config, &joint);
        put_link(out, &own[i]);
        if (joint.drive == IB_DRIVE_TENDON)
            ib_rigid_put(out, "<site name='&%.pin' size='0.005' pos='@3'/>\n", joint.name,
                         (double[]){joint.pin[0], joint.pin[1], 0});
        put_capsule(out, geom, capsules[i], centres[i],
                    i == IB_LEG_GAMMA ? config->foot_friction : body_friction(config), colours[i]);
    }
    ib_rigid_put(out, "<site name='&%.foot' size='0.005' pos='@3'/>\n</body></body></body>\n", name,
                 (double[]){config->a3, 0, 0});
}

// ------------------------------------------------------------------------------------------- whole

static void put_wheels(ib_RigidText *out, const ib_QuadrupedConfig *config)
{
    const ib_LegWheelsConfig *wheels = &config->wheels;
    ib_Link wheel = ib__quadruped_wheel(config);
    double half = 0.5 * wheels->width, ends[6] = {0, -half, 0, 0, half, 0}, place[3];
    double grip[3] = {body_friction(config), 0.005, 0.0001};
    for (int i = 0; config->base == IB_BASE_WHEELS && i < IB_QUADRUPED_WHEELS; i++) {
        const char *name = ib__wheel_names[i];
        ib__quadruped_axle(config, i, place);
        ib_rigid_put(out,
                     "<body name='&%' pos='@3'>\n<joint name='&%' axis='0 1 0' damping='$' "
                     "frictionloss='$'/>\n",
                     name, place, name, wheels->damping, wheels->friction);
        put_link(out, &wheel);
        ib_rigid_put(
            out,
            "<geom name='&%' type='cylinder' fromto='@6' size='$' friction='@3' rgba='0.3 0.3 0.3 "
            "1'/>\n</body>\n",
            name, ends, wheels->radius, grip);
    }
}

static void put_thorax(ib_RigidText *out, const ib_QuadrupedConfig *config)
{
    ib_Link thorax = ib__quadruped_thorax(config);
    ib_CapsuleConfig hull = {config->thorax_radius, config->thorax_length, 0};
    ib_Pose start = ib__quadruped_start(config);
    ib_rigid_put(out, "<body name='&thorax'");
    if (out->prefix[0]) ib_rigid_put(out, " childclass='&'");
    put_pose(out, &start);
    ib_rigid_put(out, config->base == IB_BASE_FIXED ? ">\n" : "><freejoint name='&thorax'/>\n");
    put_link(out, &thorax);
    put_capsule(out, "thorax", &hull, 0, body_friction(config), "0.5 0.4 0.9 1");
    put_wheels(out, config);
    for (int leg = 0; leg < IB_QUADRUPED_LEGS; leg++)
        if (ib_quadruped_has(config, leg)) put_leg(out, config, leg);
    ib_rigid_put(out, "</body>\n");
}

// Friction and softness of the ground or of objects on it. Along the edges of a pyramid MuJoCo
// takes a contact of friction m for softer than one within a cone by m^2 (1 + m^2)/2: 325 times at
// 5, where feet would sink by millimetres. `contact.grip` has the same meaning for both, down to
// the softness of friction 1: below that they would be harder than a step of 1 ms can hold.
static void put_touch(ib_RigidText *out, const ib_QuadrupedConfig *config, double own)
{
    double touch[3] = {own, 0.005, 0.0001}, most = ib_max(own, config->foot_friction);
    double softer = config->contact_cone ? 1 : ib_max(1, 0.5 * most * most * (1 + most * most));
    double give = (1 / config->contact_grip - 1) / softer;
    double grip = ib_min(1 / (1 + give), 0.9999);
    ib_rigid_put(out, " friction='@3' solimp='@3' solmix='1'", touch,
                 (double[]){grip, grip, 0.001});
}

// The plane at height 0, and objects on it, which touch the robot as the ground does.
static void put_floor(ib_RigidText *out, const ib_QuadrupedConfig *config)
{
    ib_TerrainBox boxes[IB_TERRAIN_BOXES];
    int count = ib_terrain_boxes(&config->terrain, boxes);
    ib_rigid_put(out, "<geom name='&ground'~ type='plane' size='0 0 1'");
    ib_rigid_put_touch(out, out->floor);
    ib_rigid_put(out, " rgba='0.7 0.7 0.7 1'");
    put_touch(out, config, config->ground_friction);
    ib_rigid_put(out, "/>\n");
    for (int i = 0; i < count; i++) {
        const ib_TerrainBox *box = &boxes[i];
        if (!ib_rigid_claim_box(out, box)) continue;
        ib_Pose field = ib_pose_field(), pose = ib_pose_in(&field, box->place, box->attitude);
        double half[3] = {0.5 * box->size[0], 0.5 * box->size[1], 0.5 * box->size[2]};
        ib_rigid_put(out, "<geom name='&terrain.$'~ type='box'", (double)i);
        ib_rigid_put_touch(out, out->ground);
        put_pose(out, &pose);
        ib_rigid_put(out, " size='@3'", half);
        put_touch(out, config, box->friction);
        if (box->slippery) ib_rigid_put(out, " priority='1'");
        ib_rigid_put(out, " rgba='0.77 0.6 0.38 1'/>\n");
    }
}

// Tendons between pins, loops that close at them, and the forces of cylinders on either.
static void put_cylinders(ib_RigidText *out, const ib_QuadrupedConfig *config, int section)
{
    for (int i = 0; i < IB_QUADRUPED_JOINTS; i++) {
        int leg = i / IB_LEG_JOINTS, j = i % IB_LEG_JOINTS;
        Joint own = joint_of(config, leg, j);
        bool tendon = own.drive == IB_DRIVE_TENDON, body = own.drive == IB_DRIVE_CYLINDER;
        if (!ib_quadruped_has(config, leg) || !(tendon || body)) continue;
        if (tendon && section == IB_RIGID_TENDONS) {
            ib_rigid_put(out, "<spatial name='&%'~", own.name);
            put_seals(out, config, &own);
            ib_rigid_put(out, "><site site='&%.pivot'/><site site='&%.pin'/></spatial>\n", own.name,
                         own.name);
        }
        if (body && section == IB_RIGID_EQUALITIES)
            ib_rigid_put(out, "<connect~ body1='&%.rod' body2='&%.%' anchor='0 0 0'/>\n", own.name,
                         ib__leg_names[leg], links[j]);
        if (section == IB_RIGID_ACTUATORS)
            ib_rigid_put(out, "<motor name='&%' %='&%%' gear='1'/>\n", own.name,
                         tendon ? "tendon" : "joint", own.name, tendon ? "" : ".slide");
    }
}

// MuJoCo leaves out a body and its parent, but not if that is held.
static void put_excluded(ib_RigidText *out, const ib_QuadrupedConfig *config)
{
    for (int leg = 0; config->contact_self && leg < IB_QUADRUPED_LEGS; leg++)
        if (ib_quadruped_has(config, leg))
            ib_rigid_put(out, "<exclude body1='&thorax' body2='&%.coxa'/>\n", ib__leg_names[leg]);
}

// The ground sets the softness of a contact.
static void put_defaults(ib_RigidText *out, const ib_QuadrupedConfig *config)
{
    double time[2] = {config->contact_time, 1};
    static const double stops[3] = {0.99, 0.99, 0.001};
    // MuJoCo's pins are compliant by (1 - d)/d of the response of their bodies' own inertia: with a
    // light rod that carries the force of a cylinder, a third of a millimetre at d = 0.99. So does
    // dry friction: MuJoCo's own defaults (d = 0.9, 20 ms) are a damper, with which a tibia under
    // half of its holding torque creeps at 25 deg/s.
    static const double hard[3] = {0.9999, 0.9999, 0.001};
    ib_rigid_put(out, "<geom solref='@2' solmix='0'", time);
    ib_rigid_put_touch(out, out->own);
    ib_rigid_put(out,
                 "/>\n"
                 "<joint solreflimit='@2' solimplimit='@3' solreffriction='@2' "
                 "solimpfriction='@3'/>\n"
                 "<tendon solreffriction='@2' solimpfriction='@3'/>\n"
                 "<equality solref='@2' solimp='@3'/>\n",
                 time, stops, time, hard, time, hard, time, hard);
}

void ib__quadruped_write(const void *config_, int section, ib_RigidText *out)
{
    const ib_QuadrupedConfig *config = config_;
    if (section == IB_RIGID_DEFAULTS)
        put_defaults(out, config);
    else if (section == IB_RIGID_FLOOR)
        put_floor(out, config);
    else if (section == IB_RIGID_BODIES)
        put_thorax(out, config);
    else if (section == IB_RIGID_CONTACTS)
        put_excluded(out, config);
    else
        put_cylinders(out, config, section);
}

static void put_all(const void *config_, ib_RigidText *out)
{
    const ib_QuadrupedConfig *config = config_;
    static const char *const sections[] = {
        [IB_RIGID_TENDONS] = "tendon",
        [IB_RIGID_EQUALITIES] = "equality",
        [IB_RIGID_ACTUATORS] = "actuator",
        [IB_RIGID_CONTACTS] = "contact",
    };
    ib_rigid_put(out, "<mujoco model='quadruped'>\n"
                      "<compiler angle='radian' autolimits='true'/>\n"
                      "<option timestep='0.001' integrator='Euler'");
    // A run sets its own gravity; this is for other readers.
    ib_rigid_put(out, " gravity='@3'", (double[]){0, 0, -ib__quadruped_gravity(config)});
    if (config->contact_cone)
        ib_rigid_put(out, " cone='elliptic' impratio='$'", config->contact_hold);
    ib_rigid_put(out, "/>\n<size njmax='600' nconmax='100' nstack='150000'/>\n<default>\n");
    put_defaults(out, config);
    ib_rigid_put(out, "</default>\n<worldbody>\n");
    put_floor(out, config);
    put_thorax(out, config);
    ib_rigid_put(out, "</worldbody>\n");
    int end = config->contact_self ? IB_RIGID_SECTIONS : IB_RIGID_CONTACTS;
    for (int i = IB_RIGID_TENDONS; i < end; i++) {
        ib_rigid_put(out, "<%>\n", sections[i]);
        ib__quadruped_write(config, i, out);
        ib_rigid_put(out, "</%>\n", sections[i]);
    }
    ib_rigid_put(out, "</mujoco>\n");
}

const char *ib_quadruped_mjcf(const ib_QuadrupedConfig *config, ib_Arena *arena)
{
    ib_RigidText text = {0};
    ib_rigid_text_alone(&text, config->contact_self);
    return ib_rigid_compose(put_all, config, &text, arena);
}
