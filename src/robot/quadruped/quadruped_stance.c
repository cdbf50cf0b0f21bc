// robot/quadruped/quadruped_stance.c: its stance at the start: angles, height, load on each foot.
#include "base/extreme.h"
#include "base/maths.h"
#include "robot/quadruped/quadruped_inside.h"

#include <math.h>
#include <stdio.h>

#define ALLOWED 1e-3 ///< depth in the ground that a start may have: contacts push it out [m]

// A part of the robot that may touch the ground first: a ball at one of its ends.
typedef struct Ball {
    const char *name; ///< of the part; that of its leg before it, where it has one
    int leg;          ///< -1: none
    double place[3], radius;
} Ball;

enum { OF_LEG = 3, OF_BODY = 2, MOST = OF_LEG * IB_QUADRUPED_LEGS + OF_BODY + IB_QUADRUPED_WHEELS };

double ib__quadruped_angle(const ib_QuadrupedConfig *config, int leg, int joint)
{
    double own = config->angles[leg][joint], all = config->pose[joint];
    if (!isinf(own)) return own;
    return isinf(all) ? config->stance[joint] : all;
}

// Places the frames of a leg's three links.
static void place_links(const ib_QuadrupedConfig *config, const ib_Pose *body, int leg,
                        ib_Pose links[IB_LEG_JOINTS])
{
    const ib_Pose *carrier = body;
    for (int joint = 0; joint < IB_LEG_JOINTS; joint++) {
        ib_Pose frame = ib__quadruped_joint(config, leg, joint), field = ib_pose_field(), turned;
        double angle = ib__quadruped_angle(config, leg, joint);
        turned = ib_pose_in(&field, (double[]){0, 0, 0}, (double[]){angle, 0, 0});
        frame = ib_leg_chain(&frame, &turned);
        links[joint] = ib_leg_chain(carrier, &frame);
        carrier = &links[joint];
    }
}

// Feet, knees and hips, the body's ends, and wheels.
static int find_balls(const ib_QuadrupedConfig *config, const ib_Pose *body, Ball balls[MOST])
{
    int count = 0;
    for (int leg = 0; leg < IB_QUADRUPED_LEGS; leg++) {
        if (!ib_quadruped_has(config, leg)) continue;
        ib_Pose links[IB_LEG_JOINTS];
        place_links(config, body, leg, links);
        double knee = config->femur_centre + 0.5 * config->femur.length;
        double hip = config->coxa_centre + 0.5 * config->coxa.length;
        Ball of_leg[OF_LEG] = {{.name = "foot", .leg = leg, .radius = config->tibia.radius},
                               {.name = "knee", .leg = leg, .radius = config->femur.radius},
                               {.name = "hip", .leg = leg, .radius = config->coxa.radius}};
        ib_pose_point(&links[2], (double[]){config->a3, 0, 0}, of_leg[0].place);
        ib_pose_point(&links[1], (double[]){knee, 0, 0}, of_leg[1].place);
        ib_pose_point(&links[0], (double[]){hip, 0, 0}, of_leg[2].place);
        for (int i = 0; i < OF_LEG; i++) balls[count++] = of_leg[i];
    }
    for (int end = 0; end < OF_BODY; end++) {
        double along = (end ? -0.5 : 0.5) * config->thorax_length;
        Ball *ball = &balls[count++];
        *ball = (Ball){.name = "the body", .leg = -1, .radius = config->thorax_radius};
        ib_pose_point(body, (double[]){along, 0, 0}, ball->place);
    }
    for (int i = 0; config->base == IB_BASE_WHEELS && i < IB_QUADRUPED_WHEELS; i++) {
        double axle[3];
        Ball *ball = &balls[count++];
        *ball = (Ball){.name = ib__wheel_names[i], .leg = -1, .radius = config->wheels.radius};
        ib__quadruped_axle(config, i, axle);
        ib_pose_point(body, axle, ball->place);
    }
    return count;
}

// Height to be added until the deepest of its balls lies on the ground, each by itself; negative:
// it is in the air.
static double deepest(const ib_QuadrupedConfig *config, double z, Ball *which)
{
    ib_Pose field = ib_pose_field(), body;
    Ball balls[MOST];
    double at[3] = {config->place[0], config->place[1], z}, most = -INFINITY;
    body = ib_pose_in(&field, at, config->attitude);
    int count = find_balls(config, &body, balls);
    for (int i = 0; i < count; i++) {
        const double *p = balls[i].place;
        double depth = ib_terrain_rest(&config->terrain, p[0], p[1], balls[i].radius) - p[2];
        if (depth <= most) continue;
        most = depth;
        *which = balls[i];
    }
    return most;
}

double ib_quadruped_stand(const ib_QuadrupedConfig *config)
{
    Ball which;
    return deepest(config, 0, &which);
}

ib_Pose ib__quadruped_start(const ib_QuadrupedConfig *config)
{
    double z = config->place[2];
    double at[3] = {config->place[0], config->place[1], isinf(z) ? ib_quadruped_stand(config) : z};
    ib_Pose field = ib_pose_field();
    return ib_pose_in(&field, at, config->attitude);
}

// ------------------------------------------------------------------------------------------- check

static ib_Status check_angles(const ib_QuadrupedConfig *config, ib_Error *error)
{
    for (int leg = 0; leg < IB_QUADRUPED_LEGS; leg++)
        for (int j = 0; ib_quadruped_has(config, leg) && j < IB_LEG_JOINTS; j++) {
            const double *range = config->joints[j].linkage.range;
            double angle = ib__quadruped_angle(config, leg, j);
            if (angle >= range[0] - 1e-9 && angle <= range[1] + 1e-9) continue;
            bool own = !isinf(config->angles[leg][j]), start = own || !isinf(config->pose[j]);
            return ib_error_set(error, IB_BAD_INPUT,
                                "%s.%s%s%s: %g deg are outside of the joint's range, %g to %g deg",
                                start ? "start" : "stance", own ? ib__leg_names[leg] : "",
                                own ? "." : "", ib_leg_joints[j], angle * (180 / M_PI),
                                range[0] * (180 / M_PI), range[1] * (180 / M_PI));
        }
    return IB_OK;
}

ib_Status ib__quadruped_check_start(const ib_QuadrupedConfig *config, ib_Error *error)
{
    ib_Status status = check_angles(config, error);
    double z = config->place[2];
    if (status != IB_OK || isinf(z)) return status;
    Ball which = {0};
    double depth = deepest(config, z, &which);
    if (depth <= ALLOWED) return IB_OK;
    bool leg = which.leg >= 0;
    return ib_error_set(error, IB_BAD_INPUT,
                        "start.z: %s%s%s would be %.3g mm in the ground; %.5g m would do, which is "
                        "`stand`",
                        leg ? which.name : "", leg ? " " : "",
                        leg ? ib__leg_names[which.leg] : which.name, 1e3 * depth, z + depth);
}

// ------------------------------------------------------------------------------------------- loads

double ib__quadruped_gravity(const ib_QuadrupedConfig *config)
{
    return isinf(config->gravity) ? 9.80665 : config->gravity;
}

// All of the robot but the bodies of its cylinders [kg].
static double mass_of(const ib_QuadrupedConfig *config)
{
    ib_Link links[IB_LEG_JOINTS];
    double leg_mass = 0, mass = ib__quadruped_thorax(config).mass;
    ib_quadruped_links(config, links);
    for (int i = 0; i < IB_LEG_JOINTS; i++) leg_mass += links[i].mass;
    for (int leg = 0; leg < IB_QUADRUPED_LEGS; leg++)
        if (ib_quadruped_has(config, leg)) mass += leg_mass;
    return mass + (config->base == IB_BASE_WHEELS ? IB_QUADRUPED_WHEELS * config->wheels.mass : 0);
}

// The part of its weight that it has on its feet at the start, the others being its wheels'.
// Moments about the axle, the body level, feet at f and the centre of mass at c before the axle:
//   share = c/f
static double share_of_feet(const ib_QuadrupedConfig *config)
{
    if (config->base != IB_BASE_WHEELS) return 1;
    ib_Link links[IB_LEG_JOINTS];
    ib_Pose body = ib_pose_field(), frames[IB_LEG_JOINTS];
    double axle = -config->wheels.behind, moment = 0, feet = 0, at[3];
    int legs = 0;
    ib_quadruped_links(config, links);
    for (int leg = 0; leg < IB_QUADRUPED_LEGS; leg++) {
        if (!ib_quadruped_has(config, leg)) continue;
        place_links(config, &body, leg, frames);
        for (int i = 0; i < IB_LEG_JOINTS; i++) {
            ib_pose_point(&frames[i], links[i].centre, at);
            moment += links[i].mass * (at[0] - axle);
        }
        ib_pose_point(&frames[2], (double[]){config->a3, 0, 0}, at);
        feet += at[0] - axle;
        legs++;
    }
    ib_Link thorax = ib__quadruped_thorax(config);
    moment += thorax.mass * (thorax.centre[0] - axle);
    double share = moment * legs / (feet * mass_of(config));
    return share > 0 && share < 1 ? share : 1; // feet behind the axle carry nothing that they could
}

void ib__quadruped_hold(const ib_QuadrupedConfig *config, int leg, double torque[IB_LEG_JOINTS])
{
    double g = ib__quadruped_gravity(config), th[IB_LEG_JOINTS], up[3], down[3];
    int legs = 0;
    for (int i = 0; i < IB_QUADRUPED_LEGS; i++) legs += ib_quadruped_has(config, i);
    for (int j = 0; j < IB_LEG_JOINTS; j++) th[j] = ib__quadruped_angle(config, leg, j);
    double load = config->base == IB_BASE_FIXED ? 0 : mass_of(config) * g;
    load *= share_of_feet(config) / legs;
    ib_LegConfig of_leg = ib__quadruped_leg(config);
    ib_LegModel leg_model;
    ib_leg_init(&of_leg, &leg_model);
    ib_Pose body = ib__quadruped_start(config);
    ib_Pose shoulder = ib__quadruped_joint(config, leg, IB_LEG_ALPHA);
    shoulder = ib_leg_chain(&body, &shoulder);
    ib_leg_direction_into(&shoulder, (double[]){0, 0, load}, up);
    ib_leg_direction_into(&shoulder, (double[]){0, 0, -g}, down);
    ib_leg_hold(&leg_model, th, up, down, torque);
}

// ----------------------------------------------------------------------------------------- warning

// The greatest torque that a joint's cylinder has at an angle towards the one that is wanted [N m],
// with one chamber at the supply's pressure and the other at the exhaust's; below 0: it has none.
static double strongest(const ib_QuadrupedConfig *config, int joint, double angle, double wanted)
{
    ib_LinkageModel linkage;
    ib_CylinderModel cylinder;
    ib_CylinderConfig own = config->cylinder;
    own.stroke = config->joints[joint].linkage.stroke;
    ib_cylinder_init(&own, &cylinder);
    ib_linkage_init(&config->joints[joint].linkage, &linkage);
    double arm = ib_linkage_at(&linkage, angle).arm, Ps = ib__quadruped_pressure(config);
    bool out = wanted * arm > 0;
    double force = out ? ib_cylinder_force(&cylinder, Ps, own.exhaust)
                       : ib_cylinder_force(&cylinder, own.exhaust, Ps);
    return out ? force * fabs(arm) : -force * fabs(arm);
}

static bool warn_of_weakness(const ib_QuadrupedConfig *config, char *text, size_t size)
{
    for (int leg = 0; leg < IB_QUADRUPED_LEGS; leg++) {
        double torque[IB_LEG_JOINTS];
        if (!ib_quadruped_has(config, leg)) continue;
        ib__quadruped_hold(config, leg, torque);
        for (int j = 0; j < IB_LEG_JOINTS; j++) {
            if (!ib_drive_is_pneumatic(ib_quadruped_drive(config, leg, j))) continue;
            double has = strongest(config, j, ib__quadruped_angle(config, leg, j), torque[j]);
            if (fabs(torque[j]) <= has) continue;
            snprintf(text, size,
                     "thorax.mass, supply.pressure, cylinder.bore, gravity: to stand, joint %s.%s "
                     "would have to hold %.3g N*m at the start, and its cylinder has %.3g N*m at "
                     "supply.pressure: it sinks",
                     ib__leg_names[leg], ib_leg_joints[j], fabs(torque[j]), ib_max(has, 0));
            return true;
        }
    }
    return false;
}

bool ib_quadruped_warn(const void *config_, int index, char *text, size_t size)
{
    const ib_QuadrupedConfig *config = config_;
    text[0] = '\0';
    bool free = config->base != IB_BASE_FIXED;
    if (index == 0 && free) warn_of_weakness(config, text, size);
    bool front = config->legs == IB_LEGS_FRONT;
    if (index == 1 && config->base == IB_BASE_FREE && config->legs != IB_LEGS_ALL)
        snprintf(text, size, "legs: stands on none but %s, and falls over: give it base: %s",
                 front ? "its front legs" : "one leg", front ? "wheels or fixed" : "fixed");
    if (index == 1 && config->base == IB_BASE_WHEELS && !front && config->legs != IB_LEGS_ALL)
        snprintf(text, size,
                 "legs: one leg and two wheels do not hold it: expected legs: front, or base: "
                 "fixed");
    if (index == 2 && config->base == IB_BASE_WHEELS && front && config->wheels.behind <= 0)
        snprintf(text, size,
                 "wheels.behind: the wheels are not behind the middle, and it falls over backward");
    return index < 3;
}
