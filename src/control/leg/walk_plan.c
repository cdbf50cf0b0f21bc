// control/leg/walk_plan.c: speeds, phase and shift of a body that walks.
#include "control/leg/walk_inside.h"

#include "base/extreme.h"

#include <math.h>

#define NEAR 0.015 ///< distance from its plan at which it stops without a goal [m]
#define LATE 4.0   ///< cycles after which it stops in any case

#define SAFE      0.01 ///< margin that the other feet must give before one lifts [m]
#define SLACK     0.03 ///< distance of a standing foot from its target that slows nothing [m],
#define STUCK     0.06 ///< and that slows the gait most [m],
#define SLOWED    0.2  ///< to this part of its pace
#define ASTRAY    0.2  ///< distance from its plan that is told [m]
#define EMPTY     0.05 ///< share of load with which a foot lifts
#define GIVE_UP   1.0  ///< time after which it stops without a goal, wherever the phase waits [s]
#define PATIENCE  0.3  ///< time after which a body that may lift no foot backs up [s],
#define BACKING   1.5  ///< for this time [s],
#define BACK      0.02 ///< at this speed [m/s]
#define LEAN_TIME 1.0  ///< in which a body leans uphill [s]
#define REST      1.0  ///< time in which a body that stops goes back to the middle [s]

static double towards(double x, double goal, double step)
{
    return x + ib_min(ib_max(goal - x, -step), step);
}

static double within(double x, double most)
{
    return ib_min(ib_max(x, -most), most);
}

// What a body goes at most where one gait follows another: half of what both can.
static double slowest(const ib_Walk *walk, const ib_WalkSenses *senses, const ib_WalkState *s,
                      int axis)
{
    const ib_Gait *next = &walk->gaits[(int)senses->gait][0];
    return 0.5 * ib_min(ib__walk_gait(walk, s)->most[axis], next->most[axis]);
}

void ib__walk_speed(const ib_Walk *walk, const ib_WalkSenses *senses, ib_WalkState *s)
{
    const ib_WalkConfig *c = &walk->config;
    double T = c->period, sine, cosine, width[2];
    const double *goal = senses->twist;
    const ib_Gait *gait = ib__walk_gait(walk, s);
    const double *most = gait->most;
    double slow[IB_WALK_TWIST];
    if (s->gait != senses->gait) {
        for (int k = 0; k < IB_WALK_TWIST; k++)
            slow[k] = within(goal[k], slowest(walk, senses, s, k));
        goal = slow;
    }
    double aside = fabs(goal[1]) / most[1] + fabs(goal[2]) / most[2], part = ib_max(aside, 1);
    double whole = ib_max(aside + fabs(goal[0]) / most[0], 1);
    bool goes = s->walks > 0 && (gait->careful || !ib__walk_weak(s));
    for (int k = 0; k < IB_WALK_TWIST; k++) {
        double wanted = !gait->careful ? goal[k] / whole
                        : k > 0        ? goal[k] / part
                                       : within(goal[k], most[0]);
        s->twist[k] =
            towards(s->twist[k], goes ? wanted : 0, T * gait->acceleration[k == IB_WALK_TURN]);
    }
    ib__follow(&s->flow, s->held > 0 ? 0 : s->pace, gait->ramp, T);
    s->heading += T * s->twist[IB_WALK_TURN];
    ib_sincos(s->heading, &sine, &cosine);
    s->plan[0] += T * (cosine * s->twist[0] - sine * s->twist[1]);
    s->plan[1] += T * (sine * s->twist[0] + cosine * s->twist[1]);
    // The shift is no part of the plan.
    width[0] = s->plan[0] - s->place[0] - sine * s->shift[0];
    width[1] = s->plan[1] - s->place[1] + cosine * s->shift[0];
    const double error[2] = {cosine * width[0] + sine * width[1],
                             cosine * width[1] - sine * width[0]};
    double was = s->behind;
    s->behind = sqrt(error[0] * error[0] + error[1] * error[1]);
    s->stuck += was < ASTRAY && s->behind >= ASTRAY;
    double off = senses->heading - s->heading;
    off -= 2 * M_PI * rint(off / (2 * M_PI));
    for (int k = 0; k < 2; k++)
        s->speed[k] =
            s->walks > 0 ? s->twist[k] + within(c->place_gain * error[k], gait->catch_up) : 0;
    s->speed[2] = s->walks > 0 ? s->twist[2] - within(c->heading_gain * off, 0.1) : 0;
    for (int k = 0; k < IB_WALK_TWIST; k++) s->speed[k] *= s->flow;
    // A body that is stuck backs up.
    double size = sqrt(s->twist[0] * s->twist[0] + s->twist[1] * s->twist[1]);
    if (s->unsafe > PATIENCE && fmod(s->unsafe, 2 * BACKING) < PATIENCE + BACKING && size > 0)
        for (int k = 0; k < 2; k++) s->speed[k] = -BACK * s->twist[k] / size;
}

double ib__walk_cycle(const ib_Gait *gait, double speed)
{
    return ib_min(ib_max(gait->stride / ib_max(speed, 1e-9), gait->quickest), gait->slowest);
}

// A turn moves the ground below the feet by its rate times their distance from the middle.
static void begin_cycle(const ib_Walk *walk, const double goal[3], double phase, ib_WalkState *s)
{
    const double *foot = walk->home[0];
    double far = sqrt(foot[0] * foot[0] + foot[1] * foot[1]);
    double speed = sqrt(goal[0] * goal[0] + goal[1] * goal[1]) + far * fabs(goal[2]);
    s->phase = phase;
    if (goal[0] != 0) s->back = goal[0] < 0;
    if (s->since == 0 || ib__walk_gait(walk, s)->shifts > 0)
        s->from = s->shift[0] / walk->config.width;
    s->cycle = ib__walk_cycle(ib__walk_gait(walk, s), speed);
}

// It stands; its shift ends from where it is.
static void stop(const ib_Walk *walk, ib_WalkState *s)
{
    s->from = s->shift[0] / walk->config.width;
    s->walks = s->phase = s->rested = s->held = s->waits = 0;
}

// Whether a foot that is about to lift leaves the body where the others hold it, and bears no load.
static ib_WalkHold may_lift(const ib_Walk *walk, const ib__WalkNow *now, double step,
                            const ib_WalkState *s)
{
    double ahead = ib__walk_ahead(walk);
    if (!ib__walk_gait(walk, s)->careful) return IB_WALK_GOES;
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        bool lifts = ib_gait_swing(ib__walk_gait(walk, s), i, s->phase) < 0 &&
                     ib_gait_swing(ib__walk_gait(walk, s), i, s->phase + step) >= 0;
        if (lifts && ib__walk_margin(now, s, i, ahead) < SAFE) return IB_WALK_UNSAFE;
        if (lifts && s->foot[i].load > EMPTY) return IB_WALK_UNLOADS;
    }
    return IB_WALK_GOES;
}

bool ib__walk_weak(const ib_WalkState *s)
{
    for (int i = 0; i < IB_LEGS_JOINTS; i++)
        if (s->short_of[i] >= IB_WALK_WEAK) return true;
    return false;
}

// 1 while the feet that stand are near their targets; less where the body does not follow them.
static double find_pace(const ib_WalkState *s)
{
    double most = 0;
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        if (!ib__stands(&s->foot[i])) return 1; // a foot in the air comes down in time
        most = ib_max(most, s->foot[i].miss);
    }
    return ib_min(ib_max((STUCK - most) / (STUCK - SLACK), SLOWED), 1);
}

static bool may_change(const ib_Walk *walk, const ib_WalkSenses *senses, const ib_WalkState *s)
{
    bool slow = s->gait != senses->gait;
    for (int k = 0; k < IB_WALK_TWIST; k++)
        slow &= fabs(s->twist[k]) <= 1.01 * slowest(walk, senses, s, k);
    return slow;
}

void ib__walk_phase(const ib_Walk *walk, const ib_WalkSenses *senses, const ib__WalkNow *now,
                    ib_WalkState *s)
{
    const ib_WalkConfig *c = &walk->config;
    s->pace = ib__upright(s) && ib__walk_gait(walk, s)->careful ? find_pace(s) : 1;
    double step = s->pace * c->period / s->cycle;
    const double *goal = senses->twist;
    bool wanted = goal[0] != 0 || goal[1] != 0 || goal[2] != 0, late = false;
    bool moves = s->twist[0] != 0 || s->twist[1] != 0 || s->twist[2] != 0;
    for (int i = 0; i < IB_LEG_LEGS; i++)
        late |= !ib__stands(&s->foot[i]) &&
                ib_gait_swing(ib__walk_gait(walk, s), i, s->phase + step) < 0;
    if (s->walks == 0) {
        s->rested += c->period;
        if (!wanted) return;
        s->gait = senses->gait;
        s->walks = 1;
        s->rested = s->since = 0;
        begin_cycle(walk, goal, 0, s);
        return;
    }
    s->rested = wanted || moves ? 0 : s->rested + step;
    s->since += c->period;
    bool weak = ib__walk_gait(walk, s)->careful && ib__walk_weak(s);
    s->held = late ? IB_WALK_LATE : weak ? IB_WALK_TOO_WEAK : may_lift(walk, now, step, s);
    s->unsafe = s->held == IB_WALK_UNSAFE ? s->unsafe + c->period : 0;
    s->waits = s->held > 0 ? s->waits + c->period : 0;
    if (!late && !wanted && !moves && ib__upright(s) && s->waits > GIVE_UP) stop(walk, s);
    if (s->held > 0) return;
    s->phase += step;
    if (s->phase < 1) return;
    if (may_change(walk, senses, s)) {
        s->since = 0;
        s->gait = senses->gait;
    }
    begin_cycle(walk, goal, s->phase - 1, s);
    bool near = s->rested >= 1 && (s->behind <= NEAR || s->rested >= LATE);
    if (near) stop(walk, s);
}

void ib__walk_shift(const ib_Walk *walk, const ib__WalkNow *now, ib_WalkState *s, double moved[2])
{
    const ib_WalkConfig *c = &walk->config;
    const ib_Gait *gait = ib__walk_gait(walk, s);
    double shift[3], before = s->shift[0], time = s->cycle;
    if (s->walks > 0 && gait->shifts > 0) {
        ib_gait_shift(gait, s->phase, s->from, shift);
    } else { // back to the middle
        time = gait->shifts > 0 ? gait->shift[0].end * s->cycle : REST;
        ib_gait_way((s->walks > 0 ? s->since : s->rested) / time, shift);
        for (int k = 0; k < 3; k++) shift[k] = s->from * ((k == 0) - shift[k]);
    }
    if (s->walks > 0) time = s->held > 0 ? INFINITY : time / s->pace;
    for (int k = 0; k < 3; k++)
        s->shift[k] = c->width * shift[k] / (k == 0 ? 1 : k == 1 ? time : time * time);
    moved[0] = -s->lean[0];
    moved[1] = -s->lean[1] + s->shift[0] - before;
    for (int k = 0; k < 2; k++)
        ib__follow(&s->lean[k], walk->height * now->up[k] / ib_max(now->up[2], 0.5), LEAN_TIME,
                   c->period);
    for (int k = 0; k < 2; k++) moved[k] += s->lean[k];
}
