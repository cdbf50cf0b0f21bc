// robot/quadruped/quadruped_mjcf.c: the robot and its ground as an MJCF model, in memory.
//
// Every number is written with 17 digits, so that MuJoCo reads what is in the config. Robot and
// ground touch each other and nothing else: the robot's parts pass through each other, as in the
// thesis (SetSelfCollision(false)).
#include "base/extreme.h"
#include "robot/quadruped/quadruped_inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const links[IB_LIMB_JOINTS] = {"coxa", "femur", "tibia"};

static void write_numbers(FILE *out, const char *name, const double *numbers, int count)
{
    fprintf(out, " %s=\"", name);
    for (int i = 0; i < count; i++) fprintf(out, "%s%.17g", i ? " " : "", numbers[i]);
    fprintf(out, "\"");
}

static void write_pose(FILE *out, const ib_Pose *pose)
{
    double quaternion[4];
    ib__quaternion(pose->turn, quaternion);
    write_numbers(out, "pos", pose->place, 3);
    write_numbers(out, "quat", quaternion, 4);
}

static void write_link(FILE *out, const ib_Link *link)
{
    fprintf(out, "<inertial");
    write_numbers(out, "pos", link->centre, 3);
    write_numbers(out, "mass", &link->mass, 1);
    write_numbers(out, "fullinertia", link->inertia, 6);
    fprintf(out, "/>\n");
}

// A capsule along x around a centre.
static void write_capsule(FILE *out, const char *name, const ib_CapsuleConfig *capsule,
                          double centre, double friction, const char *colour)
{
    double half = 0.5 * capsule->length;
    double ends[6] = {centre - half, 0, 0, centre + half, 0, 0};
    double grip[3] = {friction, 0.005, 0.0001};
    fprintf(out, "<geom name=\"%s\" rgba=\"%s\"", name, colour);
    if (capsule->length > 0) {
        fprintf(out, " type=\"capsule\"");
        write_numbers(out, "fromto", ends, 6);
    } else {
        fprintf(out, " type=\"sphere\"");
        write_numbers(out, "pos", (double[]){centre, 0, 0}, 3);
    }
    write_numbers(out, "size", &capsule->radius, 1);
    write_numbers(out, "friction", grip, 3);
    fprintf(out, "/>\n");
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

// What holds a joint back besides stops: its own, a servo's damping, and the seals' where the joint
// stands for them. Their arm is that of the middle of the range here, as a file knows only one;
// each step has its own (plant/bank_part.c).
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

static void write_joint(FILE *out, const ib_QuadrupedConfig *config, int leg, int joint)
{
    ib_JointFriction friction = holds_back(config, leg, joint);
    fprintf(out, "<joint name=\"%s.%s\" axis=\"0 0 1\"", ib__leg_names[leg], ib_limb_joints[joint]);
    write_numbers(out, "range", config->joints[joint].linkage.range, 2);
    write_numbers(out, "damping", &friction.damping, 1);
    write_numbers(out, "frictionloss", &friction.loss, 1);
    if (ib_quadruped_drive(config, leg, joint) == IB_DRIVE_MOTOR) {
        const ib_LegMotorsConfig *own = &config->motors;
        double rotors = own->count * own->reduction * own->reduction * own->rotor_inertia;
        write_numbers(out, "armature", &rotors, 1);
    }
    fprintf(out, "/>\n");
}

// The pin of a cylinder, on the link that it turns.
static void write_pin(FILE *out, const ib_QuadrupedConfig *config, int leg, int joint)
{
    if (ib_quadruped_drive(config, leg, joint) != IB_DRIVE_TENDON) return;
    ib_LinkageModel linkage;
    double pivot[2], pin[2];
    ib_linkage_init(&config->joints[joint].linkage, &linkage);
    ib__quadruped_pins(&linkage, joint, pivot, pin);
    fprintf(out, "<site name=\"%s.%s.pin\" size=\"0.005\"", ib__leg_names[leg],
            ib_limb_joints[joint]);
    write_numbers(out, "pos", (double[]){pin[0], pin[1], 0}, 3);
    fprintf(out, "/>\n");
}

// What a cylinder has on the body that carries the joint: its pivot, or barrel and rod as bodies,
// which are where they are with the joint at 0.
static void write_pivot(FILE *out, const ib_QuadrupedConfig *config, int leg, int joint)
{
    int drive = ib_quadruped_drive(config, leg, joint);
    if (drive != IB_DRIVE_TENDON && drive != IB_DRIVE_CYLINDER) return;
    ib_LinkageModel linkage;
    double pivot[2], pin[2], at[3];
    ib_Pose frame = ib__quadruped_joint(config, leg, joint);
    ib_linkage_init(&config->joints[joint].linkage, &linkage);
    ib__quadruped_pins(&linkage, joint, pivot, pin);
    const char *name = ib__leg_names[leg], *angle = ib_limb_joints[joint];
    if (drive == IB_DRIVE_TENDON) {
        ib_pose_point(&frame, (double[]){pivot[0], pivot[1], 0}, at);
        fprintf(out, "<site name=\"%s.%s.pivot\" size=\"0.005\"", name, angle);
        write_numbers(out, "pos", at, 3);
        fprintf(out, "/>\n");
        return;
    }
    ib_Link barrel, rod;
    ib_FrictionModel seals;
    double x = ib_linkage_at(&linkage, 0).x, along = ib_atan2(pin[1] - pivot[1], pin[0] - pivot[0]);
    ib_Pose stands = ib_pose_in(&frame, (double[]){pivot[0], pivot[1], 0}, (double[]){along, 0, 0});
    ib__quadruped_barrel(config, joint, &barrel, &rod);
    ib_friction_init(&config->friction, linkage.stroke, &seals);
    fprintf(out, "<body name=\"%s.%s.barrel\"", name, angle);
    write_pose(out, &stands);
    fprintf(out, "><joint name=\"%s.%s.pivot\" axis=\"0 0 1\"/>\n", name, angle);
    write_link(out, &barrel);
    fprintf(out, "<body name=\"%s.%s.rod\"", name, angle);
    write_numbers(out, "pos", (double[]){linkage.l2 + x, 0, 0}, 3);
    fprintf(out, "><joint name=\"%s.%s.slide\" type=\"slide\" axis=\"1 0 0\"", name, angle);
    write_numbers(out, "ref", &x, 1);
    if (config->friction_in) {
        write_numbers(out, "damping", &seals.viscous, 1);
        write_numbers(out, "frictionloss", (double[]){dry_friction(&seals)}, 1);
    }
    fprintf(out, "/>\n");
    write_link(out, &rod);
    fprintf(out, "</body></body>\n");
}

static void write_leg(FILE *out, const ib_QuadrupedConfig *config, int leg)
{
    const char *name = ib__leg_names[leg];
    const double centres[] = {config->coxa_centre, config->femur_centre, config->tibia_centre};
    const ib_CapsuleConfig *capsules[] = {&config->coxa, &config->femur, &config->tibia};
    static const char *const colours[] = {"0.8 0.2 1 1", "0 0.6 1 1", "0 0.8 0 1"};
    ib_Link own[IB_LIMB_JOINTS];
    char geom[64];
    ib_quadruped_links(config, own);
    for (int joint = 0; joint < IB_LIMB_JOINTS; joint++) {
        ib_Pose frame = ib__quadruped_joint(config, leg, joint);
        write_pivot(out, config, leg, joint);
        fprintf(out, "<body name=\"%s.%s\"", name, links[joint]);
        write_pose(out, &frame);
        fprintf(out, ">\n");
        write_joint(out, config, leg, joint);
        write_link(out, &own[joint]);
        write_pin(out, config, leg, joint);
        snprintf(geom, sizeof geom, "%s.%s", name, links[joint]);
        write_capsule(out, geom, capsules[joint], centres[joint],
                      joint == IB_LIMB_GAMMA ? config->foot_friction : body_friction(config),
                      colours[joint]);
    }
    fprintf(out, "<site name=\"%s.foot\" size=\"0.005\"", name);
    write_numbers(out, "pos", (double[]){config->a3, 0, 0}, 3);
    fprintf(out, "/>\n</body></body></body>\n");
}

// ------------------------------------------------------------------------------------------- whole

static void write_wheels(FILE *out, const ib_QuadrupedConfig *config)
{
    const ib_LegWheelsConfig *wheels = &config->wheels;
    ib_Link wheel = ib__quadruped_wheel(config);
    double half = 0.5 * wheels->width, ends[6] = {0, -half, 0, 0, half, 0}, place[3];
    double grip[3] = {body_friction(config), 0.005, 0.0001};
    for (int i = 0; config->base == IB_BASE_WHEELS && i < IB_QUADRUPED_WHEELS; i++) {
        ib__quadruped_axle(config, i, place);
        fprintf(out, "<body name=\"%s\"", ib__wheel_names[i]);
        write_numbers(out, "pos", place, 3);
        fprintf(out, ">\n<joint name=\"%s\" axis=\"0 1 0\"", ib__wheel_names[i]);
        write_numbers(out, "damping", &wheels->damping, 1);
        write_numbers(out, "frictionloss", &wheels->friction, 1);
        fprintf(out, "/>\n");
        write_link(out, &wheel);
        fprintf(out, "<geom name=\"%s\" type=\"cylinder\"", ib__wheel_names[i]);
        write_numbers(out, "fromto", ends, 6);
        write_numbers(out, "size", &wheels->radius, 1);
        write_numbers(out, "friction", grip, 3);
        fprintf(out, " rgba=\"0.3 0.3 0.3 1\"/>\n</body>\n");
    }
}

static void write_thorax(FILE *out, const ib_QuadrupedConfig *config)
{
    ib_Link thorax = ib__quadruped_thorax(config);
    ib_CapsuleConfig hull = {config->thorax_radius, config->thorax_length, 0};
    ib_Pose start = ib__quadruped_start(config);
    fprintf(out, "<body name=\"thorax\"");
    write_pose(out, &start);
    fprintf(out, ">%s\n", config->base == IB_BASE_FIXED ? "" : "<freejoint name=\"thorax\"/>");
    write_link(out, &thorax);
    write_capsule(out, "thorax", &hull, 0, body_friction(config), "0.5 0.4 0.9 1");
    write_wheels(out, config);
    for (int leg = 0; leg < IB_QUADRUPED_LEGS; leg++)
        if (ib_quadruped_has(config, leg)) write_leg(out, config, leg);
    fprintf(out, "</body>\n");
}

// Friction and softness of the ground or of what stands on it. Along the edges of a pyramid MuJoCo
// takes a contact of friction m for softer than one within a cone by m^2 (1 + m^2)/2: 325 times at
// 5, where feet would sink by millimetres. `contact.grip` shall say the same of both, down to the
// softness of friction 1: below that they would be harder than a step of 1 ms can hold.
static void write_touch(FILE *out, const ib_QuadrupedConfig *config, double own)
{
    double touch[3] = {own, 0.005, 0.0001}, most = ib_max(own, config->foot_friction);
    double softer = config->contact_cone ? 1 : ib_max(1, 0.5 * most * most * (1 + most * most));
    double give = (1 / config->contact_grip - 1) / softer;
    double grip = ib_min(1 / (1 + give), 0.9999);
    write_numbers(out, "friction", touch, 3);
    write_numbers(out, "solimp", (double[]){grip, grip, 0.001}, 3);
    fprintf(out, " solmix=\"1\"");
}

// What stands on the ground touches the robot as the ground does.
static void write_terrain(FILE *out, const ib_QuadrupedConfig *config)
{
    const ib_TerrainConfig *terrain = &config->terrain;
    int count = ib_terrain_count(terrain);
    for (int i = 0; i < count; i++) {
        ib_TerrainBox box = ib_terrain_box(terrain, i);
        ib_Pose field = ib_pose_field(), pose = ib_pose_in(&field, box.place, box.attitude);
        double half[3] = {0.5 * box.size[0], 0.5 * box.size[1], 0.5 * box.size[2]};
        fprintf(out, "<geom name=\"terrain.%d\" type=\"box\" contype=\"2\" conaffinity=\"1\"", i);
        write_pose(out, &pose);
        write_numbers(out, "size", half, 3);
        write_touch(out, config, terrain->friction);
        fprintf(out, " rgba=\"0.77 0.6 0.38 1\"/>\n");
    }
}

// Tendons between pins, loops that close at them, and the forces of cylinders on either.
static void write_cylinders(FILE *out, const ib_QuadrupedConfig *config, const char *section)
{
    fprintf(out, "<%s>\n", section);
    for (int leg = 0; leg < IB_QUADRUPED_LEGS; leg++) {
        for (int j = 0; ib_quadruped_has(config, leg) && j < IB_LIMB_JOINTS; j++) {
            int drive = ib_quadruped_drive(config, leg, j);
            bool tendon = drive == IB_DRIVE_TENDON, body = drive == IB_DRIVE_CYLINDER;
            if (!tendon && !body) continue;
            const char *name = ib__leg_names[leg], *angle = ib_limb_joints[j];
            ib_FrictionModel seals;
            ib_friction_init(&config->friction, config->joints[j].linkage.stroke, &seals);
            if (tendon && section[0] == 't') {
                fprintf(out, "<spatial name=\"%s.%s\"", name, angle);
                if (config->friction_in) {
                    write_numbers(out, "damping", &seals.viscous, 1);
                    write_numbers(out, "frictionloss", (double[]){dry_friction(&seals)}, 1);
                }
                fprintf(out, "><site site=\"%s.%s.pivot\"/><site site=\"%s.%s.pin\"/></spatial>\n",
                        name, angle, name, angle);
            }
            if (body && section[0] == 'e')
                fprintf(out, "<connect body1=\"%s.%s.rod\" body2=\"%s.%s\" anchor=\"0 0 0\"/>\n",
                        name, angle, name, links[j]);
            if (section[0] == 'a')
                fprintf(out, "<motor name=\"%s.%s\" %s=\"%s.%s%s\" gear=\"1\"/>\n", name, angle,
                        tendon ? "tendon" : "joint", name, angle, tendon ? "" : ".slide");
        }
    }
    fprintf(out, "</%s>\n", section);
}

static void write_all(FILE *out, const ib_QuadrupedConfig *config)
{
    double time[2] = {config->contact_time, 1};
    static const double stops[3] = {0.99, 0.99, 0.001};
    // MuJoCo lets a pin give by (1 - d)/d of what its bodies' own inertia answers: of a light rod
    // that carries the force of a cylinder, a third of a millimetre with d = 0.99.
    static const double pins[3] = {0.9999, 0.9999, 0.001};
    // So does dry friction: MuJoCo's own defaults (d = 0.9, 20 ms) are a damper, by which a tibia
    // under half of what holds it creeps at 25 deg/s.
    static const double seals[3] = {0.9999, 0.9999, 0.001};
    fprintf(out, "<mujoco model=\"quadruped\">\n"
                 "<compiler angle=\"radian\" autolimits=\"true\"/>\n"
                 "<option timestep=\"0.001\" integrator=\"Euler\"");
    // A run gives its own; this is for others who read it.
    double g = isinf(config->gravity) ? 9.80665 : config->gravity;
    write_numbers(out, "gravity", (double[]){0, 0, -g}, 3);
    if (config->contact_cone) {
        fprintf(out, " cone=\"elliptic\"");
        write_numbers(out, "impratio", &config->contact_hold, 1);
    }
    fprintf(out, "/>\n"
                 "<size njmax=\"600\" nconmax=\"100\" nstack=\"150000\"/>\n<default>\n<geom");
    write_numbers(out, "solref", time, 2);
    // Of two that touch it is the ground that says how soft they are.
    fprintf(out, " solmix=\"0\" contype=\"1\" conaffinity=\"2\"/>\n<joint");
    write_numbers(out, "solreflimit", time, 2);
    write_numbers(out, "solimplimit", stops, 3);
    write_numbers(out, "solreffriction", time, 2);
    write_numbers(out, "solimpfriction", seals, 3);
    fprintf(out, "/>\n<tendon");
    write_numbers(out, "solreffriction", time, 2);
    write_numbers(out, "solimpfriction", seals, 3);
    fprintf(out, "/>\n<equality");
    write_numbers(out, "solref", time, 2);
    write_numbers(out, "solimp", pins, 3);
    fprintf(out, "/>\n</default>\n<worldbody>\n"
                 "<geom name=\"ground\" type=\"plane\" size=\"0 0 1\" contype=\"2\" "
                 "conaffinity=\"1\" rgba=\"0.7 0.7 0.7 1\"");
    write_touch(out, config, config->ground_friction);
    fprintf(out, "/>\n");
    write_terrain(out, config);
    write_thorax(out, config);
    fprintf(out, "</worldbody>\n");
    write_cylinders(out, config, "tendon");
    write_cylinders(out, config, "equality");
    write_cylinders(out, config, "actuator");
    fprintf(out, "</mujoco>\n");
}

const char *ib_quadruped_mjcf(const ib_QuadrupedConfig *config, ib_Arena *arena)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out) return NULL;
    write_all(out, config);
    bool whole = !ferror(out);
    whole &= fclose(out) == 0;
    const char *kept = whole && text ? ib_arena_text_n(arena, text, length) : NULL;
    free(text);
    return kept;
}
