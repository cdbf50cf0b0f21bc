#include "control/leg/crawl_load.h"

#include "control/leg/stance.h"

#include <string.h>

enum { PHASES = 96 }; ///< of a cycle: those at which the crawl's swings begin and end among them

#define ROUNDING 1e-9 ///< of a phase: at its beginning and at its end a foot swings
#define HELD     1e9  ///< friction of feet that no force along the ground moves
#define UNIT     10.0 ///< mass by which the slope of forces is found [kg]

// What a robot has of its own, whatever its pose.
typedef struct Robot {
    const ib_ControlLegs *legs;
    ib_LegStrength strength[IB_LEG_LEGS];
    double up[IB_LEG_LEGS][3]; ///< in each shoulder's frame
    double mass;               ///< of all legs [kg]
} Robot;

// All legs at one phase.
typedef struct Legs {
    double angle[IB_LEG_LEGS][IB_LEG_JOINTS];
    ib_StanceFoot feet[IB_LEG_LEGS]; ///< places in the body's frame, not from the centre of mass
    double moment[3];                ///< sum m c of all links [kg m]
    double phase;
} Legs;

ib_CrawlConfig ib_crawl_default(void)
{
    ib_CrawlConfig config = {.stride = 0.19, .width = 0.07, .torque_cost = 10};
    ib_gait_crawl(IB_GAIT_DUTY, &config.gait);
    return config;
}

static void know_robot(const ib_ControlLegs *legs, Robot *robot)
{
    *robot = (Robot){.legs = legs};
    for (int i = 0; i < legs->count; i++) {
        ib_leg_strength(legs, i, &robot->strength[i]);
        ib_leg_direction_into(&legs->shoulders[i], (const double[]){0, 0, 1}, robot->up[i]);
        for (int j = 0; j < IB_LEG_JOINTS; j++) robot->mass += legs->leg_model.mass[j];
    }
}

// ------------------------------------------------------------------------------------------ places

// Puts a leg at these angles: foot, Jacobian and masses in the body's frame.
static void put_leg(const Robot *robot, int leg, const double th[IB_LEG_JOINTS], bool stands,
                    Legs *now)
{
    const ib_LegModel *model = &robot->legs->leg_model;
    const ib_Pose *shoulder = &robot->legs->shoulders[leg];
    ib_StanceFoot *foot = &now->feet[leg];
    ib_Pose frames[IB_LEG_JOINTS];
    double point[3], at[3], J[9];
    memcpy(now->angle[leg], th, sizeof now->angle[leg]);
    foot->load = stands ? 1 : 0;
    ib_leg_foot(model, th, point);
    ib_pose_point(shoulder, point, foot->place);
    ib_leg_jacobian(model, th, J);
    for (int r = 0; r < 3; r++)
        for (int j = 0; j < 3; j++) {
            const double *turn = shoulder->turn + 3 * r;
            foot->jacobian[3 * r + j] = turn[0] * J[j] + turn[1] * J[3 + j] + turn[2] * J[6 + j];
        }
    ib_leg_frames(model, th, frames);
    for (int j = 0; j < IB_LEG_JOINTS; j++) {
        ib_pose_point(&frames[j], model->centre[j], point);
        ib_pose_point(shoulder, point, at);
        for (int k = 0; k < 3; k++) now->moment[k] += model->mass[j] * at[k];
    }
}

// The part of its swing that a leg has done, its first and last instant included; below 0: it
// stands, since a part of the cycle.
static double swing(const ib_GaitSwing *own, double phase, double *since)
{
    for (int turn = 0; turn < 2; turn++)
        if (phase + turn >= own->start - ROUNDING && phase + turn <= own->end + ROUNDING)
            return (phase + turn - own->start) / (own->end - own->start);
    *since = phase - own->end + (phase < own->end ? 1 : 0);
    return -1;
}

// Puts all legs where they are at a phase; false: a joint is at the end of its range instead.
static bool put_legs(const Robot *robot, const ib_CrawlConfig *config, double (*const middle)[3],
                     double phase, double shift, Legs *now)
{
    const ib_LegModel *model = &robot->legs->leg_model;
    bool reaches = true;
    *now = (Legs){.phase = phase};
    for (int leg = 0; leg < IB_LEG_LEGS; leg++) {
        const ib_GaitSwing *own = &config->gait.swing[leg];
        double way = config->stride * (1 - (own->end - own->start)), since = 0, foot[3];
        double swung = swing(own, phase, &since);
        double ahead = swung >= 0 ? way * (swung - 0.5) : 0.5 * way - config->stride * since;
        double place[3] = {middle[leg][0] + ahead, middle[leg][1] - config->width * shift,
                           middle[leg][2]};
        ib_LegReach reach;
        ib_leg_point_into(&robot->legs->shoulders[leg], place, foot);
        reaches &= ib_leg_reach(model, foot, &reach);
        for (int j = 0; j < IB_LEG_JOINTS; j++)
            reach.angle[j] = ib_min(ib_max(reach.angle[j], model->range[j][0]), model->range[j][1]);
        put_leg(robot, leg, reach.angle, swung < 0, now);
    }
    return reaches;
}

// ----------------------------------------------------------------------------------------- statics

// Forces on the feet that hold body and legs, and the torques of the joints by them.
static void hold(const Robot *robot, double torque_cost, double mass, const Legs *now,
                 double force[IB_LEG_LEGS][3], double torque[IB_LEG_LEGS][IB_LEG_JOINTS])
{
    static const double still[3] = {0}, up[3] = {0, 0, 1};
    double all = mass + robot->mass, g = robot->legs->gravity;
    ib_StanceConfig config = {.torque_cost = torque_cost, .friction = HELD};
    ib_StanceFoot feet[IB_LEG_LEGS];
    memcpy(feet, now->feet, sizeof feet);
    for (int i = 0; i < IB_LEG_LEGS; i++)
        for (int k = 0; k < 3; k++) feet[i].place[k] -= now->moment[k] / all;
    ib_stance_share(&config, feet, IB_LEG_LEGS, (const double[]){0, 0, all * g}, still, up, force);
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        const double *own = robot->up[i], down[3] = {-g * own[0], -g * own[1], -g * own[2]};
        double push[3];
        ib_leg_direction_into(&robot->legs->shoulders[i], force[i], push);
        ib_leg_hold(&robot->legs->leg_model, now->angle[i], push, down, torque[i]);
    }
}

// Lowers the bound to that of the feet that stand; friction that they need with that mass.
static void bound(const Robot *robot, double torque_cost, const Legs *now, ib_CrawlBound *least)
{
    double force[2][IB_LEG_LEGS][3], torque[2][IB_LEG_LEGS][IB_LEG_JOINTS];
    for (int k = 0; k < 2; k++) hold(robot, torque_cost, UNIT * k, now, force[k], torque[k]);
    for (int i = 0; i < IB_LEG_LEGS; i++)
        for (int j = 0; j < IB_LEG_JOINTS && now->feet[i].load > 0; j++) {
            double limit[2], a = torque[0][i][j], b = (torque[1][i][j] - a) / UNIT;
            ib_leg_torques(&robot->strength[i], j, now->angle[i][j], limit);
            double most = fabs(b) < ROUNDING ? INFINITY : ((b > 0 ? limit[1] : limit[0]) - a) / b;
            if (most >= least->mass) continue;
            *least = (ib_CrawlBound){most, i, j, now->phase};
        }
}

// The greatest force along the ground over that into it.
static double slide(const Robot *robot, double torque_cost, double mass, const Legs *now)
{
    double force[IB_LEG_LEGS][3], torque[IB_LEG_LEGS][IB_LEG_JOINTS], most = 0;
    hold(robot, torque_cost, mass, now, force, torque);
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        const double *f = force[i];
        if (f[2] > 0) most = ib_max(most, sqrt(f[0] * f[0] + f[1] * f[1]) / f[2]);
    }
    return most;
}

// The smaller of the least load and those of the feet that stand.
static void weaken(const Robot *robot, const Legs *now, ib_LegLoad *least)
{
    for (int i = 0; i < robot->legs->count; i++) {
        if (!(now->feet[i].load > 0)) continue;
        ib_LegLoad here =
            ib_leg_load(&robot->strength[i], now->angle[i], robot->up[i], robot->legs->gravity);
        if (here.most < least->most) *least = here;
    }
}

static void take_cycle(const Robot *robot, const ib_CrawlConfig *config, double (*const middle)[3],
                       ib_CrawlLoad *load)
{
    double last[3], shift[3];
    Legs now;
    load->reaches = true;
    ib_gait_shift(&config->gait, 1, 0, last);
    for (int i = 0; i < PHASES; i++) {
        double phase = (double)i / PHASES;
        ib_gait_shift(&config->gait, phase, last[0], shift);
        load->reaches &= put_legs(robot, config, middle, phase, shift[0], &now);
        weaken(robot, &now, &load->least);
        bound(robot, config->torque_cost, &now, &load->crawls);
    }
    if (load->crawls.leg < 0) return;
    ib_gait_shift(&config->gait, load->crawls.phase, last[0], shift);
    put_legs(robot, config, middle, load->crawls.phase, shift[0], &now);
    load->friction = slide(robot, config->torque_cost, ib_max(load->crawls.mass, 0), &now);
}

// ------------------------------------------------------------------------------------------- whole

ib_Status ib_crawl_load(const ib_ControlLegs *legs, const ib_CrawlConfig *config,
                        const double angles[IB_LEGS_JOINTS], ib_CrawlLoad *load, ib_Error *error)
{
    static const ib_CrawlBound unknown = {NAN, -1, -1, 0}, none = {INFINITY, -1, -1, 0};
    static const ib_LegLoad any = {.most = INFINITY, .least = -INFINITY, .joint = -1};
    Robot robot;
    Legs now = {0};
    bool cylinders = false;
    double middle[IB_LEG_LEGS][3];
    for (int i = 0; i < IB_LEG_JOINTS * legs->count; i++) cylinders |= legs->joints[i].area[0] > 0;
    if (!cylinders)
        return ib_error_set(error, IB_BAD_INPUT,
                            "no joint of its legs has a cylinder: what they hold is up to their "
                            "servos or motors");
    know_robot(legs, &robot);
    *load = (ib_CrawlLoad){.leg = any, .stands = unknown, .crawls = unknown};
    for (int i = 0; i < legs->count; i++) {
        put_leg(&robot, i, angles + IB_LEG_JOINTS * i, true, &now);
        memcpy(middle[i], now.feet[i].place, sizeof middle[i]);
        load->height += (legs->foot_radius - middle[i][2]) / legs->count;
    }
    weaken(&robot, &now, &load->leg);
    load->least = load->leg;
    if (legs->count != IB_LEG_LEGS) return IB_OK;
    load->stands = load->crawls = none;
    bound(&robot, 0, &now, &load->stands);
    take_cycle(&robot, config, middle, load);
    return IB_OK;
}

ib_Status ib_crawl_load_at(const ib_ControlLegs *legs, const ib_CrawlConfig *config,
                           const double th[IB_LEG_JOINTS], ib_CrawlLoad *load, ib_Error *error)
{
    double angles[IB_LEGS_JOINTS];
    for (int i = 0; i < IB_LEGS_JOINTS; i++) angles[i] = th[i % IB_LEG_JOINTS];
    return ib_crawl_load(legs, config, angles, load, error);
}
