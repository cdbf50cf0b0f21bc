// robot/quadruped/quadruped_parts.c: the robot's parts: links, joints, cylinders, wheels; and
// refusals of impossible ones.
#include "base/extreme.h"
#include "base/maths.h"
#include "robot/quadruped/quadruped_inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEGREE (M_PI / 180)

const char *const ib__leg_names[IB_QUADRUPED_LEGS] = {"fl", "fr", "rl", "rr"};
const char *const ib__wheel_names[IB_QUADRUPED_WHEELS] = {"wheel.left", "wheel.right"};

static const char *const link_names[IB_LEG_JOINTS] = {"coxa", "femur", "tibia"};

// ------------------------------------------------------------------------------------------- parts

bool ib_quadruped_has(const ib_QuadrupedConfig *config, int leg)
{
    if (config->legs == IB_LEGS_ALL) return true;
    if (config->legs == IB_LEGS_FRONT) return leg == IB_LEG_FL || leg == IB_LEG_FR;
    return leg == config->legs - IB_LEGS_FL;
}

int ib_quadruped_drive(const ib_QuadrupedConfig *config, int leg, int joint)
{
    if (config->drives[leg] > 0) return config->drives[leg] - 1;
    return config->joints[joint].drive > 0 ? config->joints[joint].drive - 1 : config->drive;
}

bool ib__quadruped_driven(const ib_QuadrupedConfig *config, int drive)
{
    for (int leg = 0; leg < IB_QUADRUPED_LEGS; leg++)
        for (int j = 0; ib_quadruped_has(config, leg) && j < IB_LEG_JOINTS; j++)
            if (ib_quadruped_drive(config, leg, j) == drive) return true;
    return false;
}

bool ib__quadruped_pneumatic(const ib_QuadrupedConfig *config)
{
    return ib__quadruped_driven(config, IB_DRIVE_TORQUE) ||
           ib__quadruped_driven(config, IB_DRIVE_TENDON) ||
           ib__quadruped_driven(config, IB_DRIVE_CYLINDER);
}

bool ib__quadruped_powered(const ib_QuadrupedConfig *config)
{
    return config->air.on || ib__quadruped_driven(config, IB_DRIVE_MOTOR);
}

double ib__quadruped_pressure(const ib_QuadrupedConfig *config)
{
    return config->air.on ? config->air.regulator.setting : config->supply.supply.pressure;
}

static ib_Link link_of(ib_LinkPart part)
{
    ib_Link link;
    ib_link_init(&part, 1, &link);
    return link;
}

// Along x.
static ib_LinkPart capsule_of(const ib_QuadrupedConfig *config, const ib_CapsuleConfig *capsule,
                              double x, double z)
{
    bool coded = config->inertia == IB_INERTIA_SRLIB;
    return (ib_LinkPart){.form = coded ? IB_LINK_SRLIB_CAPSULE : IB_LINK_CAPSULE,
                         .radius = capsule->radius,
                         .length = capsule->length,
                         .density = capsule->density,
                         .place = {x, 0, z},
                         .attitude = {0, IB_SOLID_LYING, 0}};
}

// The coxa is two capsules; the second one, of length 0, sits where the beta joint is fixed to it.
void ib_quadruped_links(const ib_QuadrupedConfig *config, ib_Link links[IB_LEG_JOINTS])
{
    if (config->inertia == IB_INERTIA_EXPLICIT) {
        memcpy(links, config->given, sizeof config->given);
        return;
    }
    const ib_LinkPart coxa[] = {
        capsule_of(config, &config->coxa, config->coxa_centre, 0),
        capsule_of(config, &config->hip, config->a1 - config->hip.radius, config->d1),
    };
    ib_link_init(coxa, 2, &links[0]);
    if (config->inertia == IB_INERTIA_PRIMITIVES) {
        ib_LinkPart parts[IB__COXA_PARTS];
        ib_link_init(parts, ib__quadruped_coxa(config, parts), &links[0]);
    }
    links[1] = link_of(capsule_of(config, &config->femur, config->femur_centre, 0));
    links[2] = link_of(capsule_of(config, &config->tibia, config->tibia_centre, 0));
}

static ib_Link tube_of(double diameter, double from, double to, double mass)
{
    return link_of((ib_LinkPart){.form = IB_LINK_CYLINDER,
                                 .radius = 0.5 * diameter,
                                 .length = to - from,
                                 .mass = mass,
                                 .place = {0.5 * (from + to), 0, 0},
                                 .attitude = {0, IB_SOLID_LYING, 0}});
}

// A barrel as long as the way from its pivot to the pin with the rod in, less its head; the rod as
// long as the stroke and that head.
void ib__quadruped_barrel(const ib_QuadrupedConfig *config, int joint, ib_Link *barrel,
                          ib_Link *rod)
{
    const ib_LinkageConfig *linkage = &config->joints[joint].linkage;
    double head = 0.25 * (linkage->l2 - linkage->stroke);
    *barrel = tube_of(config->cylinder.bore, 0, linkage->l2 - head, config->barrel_mass);
    *rod = tube_of(config->cylinder.rod, -(linkage->stroke + head), 0, config->rod_mass);
}

// A leg's frames [control/leg/leg.h]: alpha's at the shoulder, beta's d1 up and a1 out, its axes
// turned by -90 degrees about x, gamma's a2 along the femur.
ib_Pose ib__quadruped_joint(const ib_QuadrupedConfig *config, int leg, int joint)
{
    ib_Pose shoulders[IB_LEG_LEGS], field = ib_pose_field();
    if (joint == IB_LEG_BETA)
        return ib_pose_in(&field, (double[]){config->a1, 0, config->d1},
                          (double[]){0, 0, -IB_SOLID_LYING});
    if (joint == IB_LEG_GAMMA)
        return ib_pose_in(&field, (double[]){config->a2, 0, 0}, (double[]){0, 0, 0});
    ib_leg_shoulders(config->along, config->across, config->up, config->tilt, shoulders);
    return shoulders[leg];
}

// The alpha cylinder lies along the body, from a pivot behind or before the shoulder; that of beta
// back along the coxa, 20 degrees above it; that of gamma under the femur, its pin on the tibia.
// Their direction changes only the look, and the effect of their own masses.
void ib__quadruped_pins(const ib_LinkageModel *linkage, int joint, double pivot[2], double pin[2])
{
    double opening = linkage->sign * linkage->offset; // from the pivot to the pin, at angle 0
    const double directions[IB_LEG_JOINTS] = {opening - 90 * DEGREE, opening + 200 * DEGREE, 0};
    ib_linkage_pins(linkage, directions[joint], pivot, pin);
}

double ib__quadruped_swing(const ib_LegJointModel *joint, double angle)
{
    const double *at = joint->pivot, *pin = joint->pin;
    double s, c;
    ib_sincos(angle, &s, &c);
    double x0 = pin[0] - at[0], y0 = pin[1] - at[1];
    double x = c * pin[0] - s * pin[1] - at[0], y = s * pin[0] + c * pin[1] - at[1];
    return ib_atan2(x0 * y - y0 * x, x0 * x + y0 * y);
}

// The largest of the four is the divisor, so that no divisor is small.
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

ib_LegConfig ib__quadruped_leg(const ib_QuadrupedConfig *config)
{
    ib_LegConfig leg_model = {
        .a1 = config->a1, .d1 = config->d1, .a2 = config->a2, .a3 = config->a3};
    for (int j = 0; j < IB_LEG_JOINTS; j++)
        memcpy(leg_model.range[j], config->joints[j].linkage.range, sizeof leg_model.range[j]);
    ib_quadruped_links(config, leg_model.links);
    return leg_model;
}

// ------------------------------------------------------------------------------------------- links

static double capsule_mass(const ib_CapsuleConfig *capsule)
{
    ib_LinkPart part = {
        .form = IB_LINK_CAPSULE, .radius = capsule->radius, .length = capsule->length};
    return capsule->density * ib_link_volume(&part);
}

// The thesis calls the coxa one reasonably asymmetric component (6.4) and prints none of its sizes.
// Ours has the parts that the joints need, r being the radius of the thesis's capsule: a hub around
// the alpha axis, a beam to a hub around the beta axis, the lever that the alpha cylinder pulls, a
// bracket for the beta cylinder. All are of one density, which gives them the mass of the capsules.
int ib__quadruped_coxa(const ib_QuadrupedConfig *config, ib_LinkPart parts[IB__COXA_PARTS])
{
    double r = config->coxa.radius, a1 = config->a1, d1 = config->d1;
    double arm = config->joints[IB_LEG_ALPHA].linkage.l3, other[2], pivot[2], pin[2], volume = 0;
    ib_LinkageModel alpha, beta;
    ib_linkage_init(&config->joints[IB_LEG_BETA].linkage, &beta);
    ib__quadruped_pins(&beta, IB_LEG_BETA, pivot, pin);
    ib_linkage_init(&config->joints[IB_LEG_ALPHA].linkage, &alpha);
    ib__quadruped_pins(&alpha, IB_LEG_ALPHA, other, pin);
    double beam = 0.5 * d1, high = d1 - pivot[1]; // beta's y points down from the coxa
    double bracket = ib_max(fabs(high - beam), 0.1 * r);
    const ib_LinkPart all[IB__COXA_PARTS] = {
        {.form = IB_LINK_CYLINDER, .radius = r, .length = 2 * r + fabs(d1), .place = {0, 0, beam}},
        {.form = IB_LINK_BOX, .size = {ib_max(a1, r), r, r}, .place = {0.5 * a1, 0, beam}},
        {.form = IB_LINK_BOX,
         .size = {arm, 0.5 * r, 0.5 * r},
         .place = {0.5 * pin[0], 0.5 * pin[1], 0},
         .attitude = {ib_atan2(pin[1], pin[0]), 0, 0}},
        {.form = IB_LINK_CYLINDER,
         .radius = r,
         .length = 2 * r,
         .place = {a1, 0, d1},
         .attitude = {0, 0, IB_SOLID_LYING}},
        {.form = IB_LINK_BOX,
         .size = {0.5 * r, 0.5 * r, bracket},
         .place = {a1 + pivot[0], 0, 0.5 * (beam + high)}},
    };
    for (int i = 0; i < IB__COXA_PARTS; i++) volume += ib_link_volume(&all[i]);
    for (int i = 0; i < IB__COXA_PARTS; i++) {
        parts[i] = all[i];
        parts[i].density = (capsule_mass(&config->coxa) + capsule_mass(&config->hip)) / volume;
    }
    return IB__COXA_PARTS;
}

// The source of its air as a ball of a kilogram a litre, as full as at the start.
static ib_LinkPart source_of(const ib_QuadrupedConfig *config)
{
    const ib_AirSourceConfig *source = &config->air.source;
    double mass = config->air.on ? ib_air_source_mass(source, config->air.temperature) : 0;
    double x = source->place[0], y = source->place[1], z = source->place[2];
    return (ib_LinkPart){.form = IB_LINK_CAPSULE,
                         .radius = ib_pow(mass * (3 / (4e3 * M_PI)), 1.0 / 3),
                         .mass = mass,
                         .place = {x, y, z}};
}

ib_Link ib__quadruped_thorax(const ib_QuadrupedConfig *config)
{
    ib_CapsuleConfig hull = {config->thorax_radius, config->thorax_length, 0};
    ib_LinkPart part = capsule_of(config, &hull, 0, 0);
    part.mass = config->thorax_mass;
    ib_LinkPart parts[2] = {part, source_of(config)};
    ib_Link link;
    ib_link_init(parts, parts[1].mass > 0 ? 2 : 1, &link);
    return link;
}

ib_Link ib__quadruped_wheel(const ib_QuadrupedConfig *config)
{
    return link_of((ib_LinkPart){.form = IB_LINK_CYLINDER,
                                 .radius = config->wheels.radius,
                                 .length = config->wheels.width,
                                 .mass = config->wheels.mass,
                                 .attitude = {0, 0, IB_SOLID_LYING}});
}

void ib__quadruped_axle(const ib_QuadrupedConfig *config, int wheel, double place[3])
{
    place[0] = -config->wheels.behind;
    place[1] = (wheel ? -1 : 1) * config->wheels.across;
    place[2] = -config->wheels.down;
}

// ------------------------------------------------------------------------------------------- check

// The foot that the kinematics knows has to be the round end that touches the ground.
static ib_Status check_foot(const ib_QuadrupedConfig *config, ib_Error *error)
{
    double end = config->tibia_centre + 0.5 * config->tibia.length;
    if (fabs(end - config->a3) <= 1e-3) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "leg.a3: the foot would be %g m from the gamma axis, but the tibia's round "
                        "end is at %g m (tibia.centre + tibia.length/2): expected the same",
                        config->a3, end);
}

// A link and the joints at its ends belong together: its capsule reaches from one to the other,
// give or take its thickness and 2 cm.
static ib_Status check_reach(const char *link, const ib_CapsuleConfig *capsule, double centre,
                             const char *key, double way, ib_Error *error)
{
    double reach = 0.5 * capsule->length + capsule->radius, play = 2 * capsule->radius + 0.02;
    if (fabs(centre - reach) <= play && fabs(centre + reach - way) <= play) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "%s.length, %s.centre, %s: the %s reaches from %g to %g m (centre, half "
                        "its length and its radius), but its joints are at 0 and %g m (%s): "
                        "expected the same within %g m",
                        link, link, key, link, centre - reach, centre + reach, way, key, play);
}

ib_Status ib__quadruped_check_links(const ib_QuadrupedConfig *config, ib_Error *error)
{
    ib_Link links[IB_LEG_JOINTS];
    ib_quadruped_links(config, links);
    for (int i = 0; i < IB_LEG_JOINTS; i++) {
        ib_Status status = ib_link_check_body(&links[i], error);
        if (status == IB_OK) continue;
        bool given = config->inertia == IB_INERTIA_EXPLICIT;
        ib_Error why = *error;
        return ib_error_set(error, status, "%s%s.%s", given ? "explicit." : "", link_names[i],
                            why.text);
    }
    ib_Status status =
        check_reach("coxa", &config->coxa, config->coxa_centre, "leg.a1", config->a1, error);
    if (status == IB_OK)
        status =
            check_reach("femur", &config->femur, config->femur_centre, "leg.a2", config->a2, error);
    return status == IB_OK ? check_foot(config, error) : status;
}
