// control/leg/walk_rise.c: the way up of a body that has fallen. docs/control/walk.md
//
//   turn   legs along the body make it a roller; the upper side's kick, then the lower side's, and
//          it rolls onto its belly
//   fold   feet to where cylinders lift the most from the floor: wide and along the body
//   lift   all four press, level
//   gather one foot after the other steps towards its shoulder
//   grow   to the height that is wanted
#include "control/leg/walk_inside.h"

#include "base/extreme.h"
#include "control/leg/leg_load.h"

#include <math.h>
#include <string.h>

#define DEGREE   (M_PI / 180)
#define INSIDE   0.01  ///< distance of postures from a joint's ends [rad]
#define FOLD     0.7   ///< time of a move while it folds [s],
#define SETTLE   0.3   ///< and after it [s]
#define SPEED    0.08  ///< at which it rises [m/s]
#define LEAD     0.06  ///< of the wanted height before the real one, at most [m]
#define HIGH     0.78  ///< of its height, at which its feet gather
#define NEAR     0.015 ///< distance from that height at which it is there [m],
#define STEADY   0.5   ///< for this time [s]
#define GATHER   6.0   ///< time of the gait that gathers its feet [s]
#define WAITS    1.5   ///< that a lift is unsafe, until the gait begins anew [s]
#define WIDE     0.11  ///< distance from there at which a foot steps again [m]
#define SPARE    1.1   ///< load that a foot lifts over its share of the weight
#define TOO_LONG 12.0  ///< of a lift: it has failed [s]
#define GROWN    0.93  ///< part of its height at which it is up,
#define TOO_SLOW 3.0   ///< or its feet gather again [s]
#define RIGHT    200.0 ///< moment that levels it [N m/rad],
#define STEER    100.0 ///< and that keeps its heading [N m/rad],
#define DAMPED   0.1   ///< with damping, for each of these [s]

// Postures of a leg, alpha, beta, gamma [deg], of the robot of the thesis.
static const double folds[][IB_LEG_JOINTS] = {{0, -66, 60}, {60, -66, 60}, {60, -65, 94}};
static const double gathered[IB_LEG_JOINTS] = {30, -35, 94};

enum { SOME = 3, CYCLES = 6 }; ///< of gathering at most, before it grows; in all
enum { FOLDS = sizeof folds / sizeof folds[0], LIFTS = FOLDS, GATHERS, GROWS };

// A stage of turning: postures of the upper side's legs and of the lower's [deg], the time to get
// there and to stay there [s].
typedef struct Turn {
    double upper[IB_LEG_JOINTS], lower[IB_LEG_JOINTS], time, hold;
} Turn;

static const Turn turns[] = {{{88, -20, 30}, {88, -20, 30}, 0.8, 0.5},
                             {{88, -66, 18}, {88, -20, 30}, 0.05, 0.4},
                             {{88, -66, 18}, {88, -66, 18}, 0.05, 0.5},
                             {{0, -45, 60}, {88, -20, 30}, 0.3, 0.5}};

enum { TURNS = sizeof turns / sizeof turns[0] };

// -------------------------------------------------------------------------------------------- init

static void angles_of(const ib_Walk *walk, const double degrees[3], double angle[3])
{
    for (int j = 0; j < IB_LEG_JOINTS; j++) {
        const double *range = walk->leg_model.range[j];
        angle[j] = ib_min(ib_max(degrees[j] * DEGREE, range[0] + INSIDE), range[1] - INSIDE);
    }
}

// The load that the weakest leg lifts from the floor, straight up (control/leg/leg_load.h).
static double find_lift(const ib_Walk *walk, const ib_ControlLegs *legs)
{
    double least = INFINITY;
    double angle[IB_LEG_JOINTS], up[3];
    const double z[3] = {0, 0, 1};
    angles_of(walk, folds[FOLDS - 1], angle);
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        ib_LegStrength strength;
        ib_leg_strength(legs, i, &strength);
        ib_leg_direction_into(&walk->shoulders[i], z, up);
        ib_LegLoad load = ib_leg_load(&strength, angle, up, walk->gravity);
        least = ib_min(least, load.most);
    }
    return least;
}

void ib__walk_rise_init(const ib_ControlLegs *legs, ib_Walk *walk)
{
    // Diagonal feet, which lie nearest to the middle, go first.
    static const int order[] = {IB_LEG_FL, IB_LEG_RR, IB_LEG_RL, IB_LEG_FR};
    static const double sides[] = {-0.9, 0.9, -1.4, 1.4}; // in widths
    double angle[IB_LEG_JOINTS], foot[3];
    walk->gather = walk->gaits[IB_GAIT_CRAWL][0];
    walk->gather.name = "gather";
    walk->gather.shifts = IB_LEG_LEGS;
    walk->gather.quickest = walk->gather.slowest = GATHER;
    walk->gather.lift = 0.05;
    walk->gather.righting[0] = RIGHT;
    walk->gather.righting[1] = DAMPED * RIGHT;
    walk->gather.slack = 0.01;
    angles_of(walk, gathered, angle);
    ib_leg_foot(&walk->leg_model, angle, foot);
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        double start = 0.25 * i;
        walk->gather.shift[i] = (ib_GaitShift){start, start + 0.14, sides[i]};
        walk->gather.swing[order[i]] = (ib_GaitSwing){start + 0.15, start + 0.24};
        ib_pose_point(&walk->shoulders[i], foot, walk->wide[i]);
    }
    walk->lift = find_lift(walk, legs);
    walk->share = SPARE * walk->mass * walk->gravity / IB_LEG_LEGS;
}

// -------------------------------------------------------------------------------------- into poses

// A leg's joints go to angles along a smooth way in a time.
static void move(const ib_Walk *walk, int leg, const double degrees[3], double time,
                 const ib__WalkNow *now, const ib_WalkSenses *senses, ib_WalkState *s,
                 double *output)
{
    double way[3], angle[IB_LEG_JOINTS];
    ib_gait_way(s->fall.since / time, way);
    angles_of(walk, degrees, angle);
    for (int j = 0; j < IB_LEG_JOINTS; j++) {
        int at = IB_LEG_JOINTS * leg + j;
        const ib_WalkJoint *joint = &walk->joints[at];
        double far = angle[j] - s->fall.from[at];
        s->goal[at] = s->fall.from[at] + way[0] * far;
        s->goal_rate[at] = way[1] / time * far;
        s->torque[at] = now->leg[leg].free[j] + walk->config.kp[j] * (s->goal[at] - s->angle[at]) +
                        walk->config.kd[j] * (s->goal_rate[at] - s->turn[at]);
        double arm = ib_linkage_at(&joint->linkage, s->angle[at]).arm;
        output[at] = joint->valve ? ib_force_servo_step(&joint->servo, s->torque[at], arm,
                                                        s->goal_rate[at], senses->push[at])
                                  : ib_min(ib_max(s->goal[at], joint->low), joint->high);
    }
}

void ib__walk_turn(const ib_Walk *walk, const ib__WalkNow *now, const ib_WalkSenses *senses,
                   ib_WalkState *s, double output[IB_LEGS_JOINTS])
{
    int stage = (int)s->fall.stage;
    const Turn *turn = &turns[stage];
    bool ends = stage == 0 || stage == TURNS - 1; // nothing kicks
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        bool left = walk->shoulders[i].place[1] > 0, upper = left == (s->fall.side > 0);
        move(walk, i, upper ? turn->upper : turn->lower, turn->time, now, senses, s, output);
    }
    if (s->fall.since < turn->time + turn->hold) return;
    if (ends && ib__walk_tilt(now) < IB_WALK_FLAT)
        ib__fall_enter(s, IB_FALL_RISES, 0);
    else if (stage == TURNS - 1)
        ib__fall_fail(s);
    else
        ib__fall_enter(s, IB_FALL_TURNS, stage + 1);
}

// ------------------------------------------------------------------------------------------ and up

bool ib__walk_on_feet(const ib_WalkState *s)
{
    return ib__upright(s) || (s->fall.mode == IB_FALL_RISES && s->fall.stage >= LIFTS);
}

bool ib__walk_lifts(const ib_WalkState *s)
{
    return s->fall.mode == IB_FALL_RISES && s->fall.stage == LIFTS;
}

double ib__walk_steer(const ib_WalkState *s)
{
    double off = s->tilt[2] - s->heading;
    if (s->fall.mode != IB_FALL_RISES) return 0;
    off -= 2 * M_PI * rint(off / (2 * M_PI));
    return -STEER * (off + DAMPED * s->rate[2]);
}

// Height of its middle over its feet.
static double height_of(const ib__WalkNow *now)
{
    double height = 0;
    for (int i = 0; i < IB_LEG_LEGS; i++)
        height -= ib__dot(now->leg[i].foot, now->up) / IB_LEG_LEGS;
    return height;
}

// A cycle of the gait that gathers feet.
static void begin_gathering(const ib_Walk *walk, ib_WalkState *s)
{
    ib__fall_enter(s, IB_FALL_RISES, GATHERS);
    s->from = s->shift[0] / walk->config.width;
    s->phase = s->fall.phase = s->rested = s->held = s->waits = s->unsafe = 0;
    s->walks = 1;
    s->cycle = GATHER;
    s->fall.gathers++;
}

// All feet press: p up = -h keeps the body level.
static void lift(const ib_Walk *walk, const ib__WalkNow *now, ib_WalkState *s)
{
    ib_WalkFall *fall = &s->fall;
    double T = walk->config.period, high = HIGH * walk->height, height = height_of(now);
    bool up = height > high - NEAR;
    fall->height = ib_min(fall->height + T * SPEED, ib_min(height + LEAD, high));
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        double *p = s->foot[i].target;
        p[2] = -(fall->height + p[0] * now->up[0] + p[1] * now->up[1]) / now->up[2];
        s->foot[i].velocity[2] = up ? 0 : -SPEED;
    }
    fall->still = up ? fall->still + T : 0;
    if (fall->still < STEADY) return;
    ib__walk_stand(walk, now, s);
    fall->gathers = 0;
    begin_gathering(walk, s);
}

// True if a foot stands far from where it should after a cycle.
static bool stands_wide(const ib_Walk *walk, const ib__WalkNow *now, const ib_WalkState *s)
{
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        const double *foot = now->leg[i].foot, *to = walk->wide[i];
        double x = foot[0] - to[0], y = foot[1] + s->shift[0] - to[1];
        if (x * x + y * y > WIDE * WIDE) return true;
    }
    return false;
}

// Feet gather in a cycle of their gait, or some, the last of which ends with the body's shift; then
// it grows.
static void gather(const ib_Walk *walk, const ib__WalkNow *now, double height, ib_WalkState *s)
{
    ib_WalkFall *fall = &s->fall;
    if (fall->stage == GATHERS) {
        bool done = s->phase < fall->phase || s->unsafe > WAITS || fall->since > 1.5 * GATHER;
        fall->phase = s->phase;
        if (!done) return;
        begin_gathering(walk, s);
        if (fall->gathers <= SOME && stands_wide(walk, now, s)) return;
        ib__fall_enter(s, IB_FALL_RISES, GROWS);
        s->walks = 0;
    }
    fall->height = ib_min(fall->height + walk->config.period * SPEED, height);
    bool grown = height_of(now) > GROWN * height;
    if (!grown && fall->since < TOO_SLOW) return;
    if (!grown && fall->gathers <= CYCLES) {
        fall->height = HIGH * walk->height;
        begin_gathering(walk, s);
        return;
    }
    // It walks on the spot until its feet are home.
    ib__fall_enter(s, IB_FALL_UPRIGHT, 0);
    ib__walk_replan(s);
    s->walks = fall->home = 1;
    fall->rises++;
}

bool ib__walk_rise(const ib_Walk *walk, const ib__WalkNow *now, ib_WalkSenses *senses,
                   ib_WalkState *s, double output[IB_LEGS_JOINTS])
{
    ib_WalkFall *fall = &s->fall;
    int stage = (int)fall->stage;
    memset(senses->twist, 0, sizeof senses->twist);
    if (stage < FOLDS) {
        for (int i = 0; i < IB_LEG_LEGS; i++)
            move(walk, i, folds[stage], FOLD, now, senses, s, output);
        if (fall->since < FOLD + SETTLE) return false;
        ib__fall_enter(s, IB_FALL_RISES, stage + 1);
        if (stage + 1 < FOLDS) return false;
        ib__walk_stand(walk, now, s);
        fall->height = height_of(now);
        return true;
    }
    bool fails = stage == LIFTS ? fall->since > TOO_LONG : ib__walk_fallen(walk, now, s);
    if (fails) {
        ib__fall_fail(s);
        return true;
    }
    if (stage == LIFTS)
        lift(walk, now, s);
    else
        gather(walk, now, senses->height, s);
    senses->height = ib_min(senses->height, fall->height);
    return true;
}
