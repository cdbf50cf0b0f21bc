// control/leg/walk_fall.c: a body that falls: how it is seen, the safe stop, and what follows
// (the way up is walk_rise.c).
#include "control/leg/walk_inside.h"

#include "base/extreme.h"

#include <math.h>
#include <string.h>

#define LYING  0.6  ///< tilt at which it has fallen [rad],
#define LEANS  0.4  ///< or one that no slope asks for [rad],
#define LEANT  0.3  ///< if it lasts [s]
#define LOW    0.35 ///< of its height, at which a shoulder over the lowest foot has fallen
#define REST   0.3  ///< rate of a body at rest [rad/s],
#define RESTED 0.3  ///< for this time [s],
#define STILL  3.0  ///< or after this time, if it never rests [s]

enum { TRIES = 5 };

void ib__fall_enter(ib_WalkState *s, int mode, int stage)
{
    ib_WalkFall *fall = &s->fall;
    fall->mode = mode;
    fall->stage = stage;
    fall->since = fall->still = fall->leans = 0;
    memcpy(fall->from, s->angle, sizeof fall->from);
}

void ib__fall_fail(ib_WalkState *s)
{
    s->fall.tries++;
    ib__fall_enter(s, s->fall.tries >= TRIES ? IB_FALL_CANNOT : IB_FALL_FALLS, 0);
}

double ib__walk_tilt(const ib__WalkNow *now)
{
    return ib_atan2(sqrt(now->up[0] * now->up[0] + now->up[1] * now->up[1]), now->up[2]);
}

bool ib__walk_fallen(const ib_Walk *walk, const ib__WalkNow *now, ib_WalkState *s)
{
    double tilt = ib__walk_tilt(now), foot = INFINITY, shoulder = INFINITY;
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        foot = ib_min(foot, ib__dot(now->leg[i].foot, now->up));
        shoulder = ib_min(shoulder, ib__dot(walk->shoulders[i].place, now->up));
    }
    s->fall.leans = tilt > LEANS ? s->fall.leans + walk->config.period : 0;
    return tilt > LYING || s->fall.leans > LEANT || shoulder - foot < LOW * walk->height;
}

// True once the body has come to rest.
static bool rests(const ib_Walk *walk, ib_WalkState *s)
{
    bool still = fabs(s->rate[0]) < REST && fabs(s->rate[1]) < REST;
    s->fall.still = still ? s->fall.still + walk->config.period : 0;
    return s->fall.still > RESTED || s->fall.since > STILL;
}

// The safe stop: valves in the middle, servos where they were.
static void stop(const ib_Walk *walk, const ib_WalkState *s, double output[IB_LEGS_JOINTS])
{
    for (int i = 0; i < IB_LEGS_JOINTS; i++) {
        const ib_WalkJoint *joint = &walk->joints[i];
        output[i] = joint->valve ? joint->servo.centre
                                 : ib_min(ib_max(s->fall.from[i], joint->low), joint->high);
    }
}

void ib__walk_stand(const ib_Walk *walk, const ib__WalkNow *now, ib_WalkState *s)
{
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        ib_WalkFoot *foot = &s->foot[i];
        *foot = (ib_WalkFoot){.state = IB_FOOT_STANDS, .load = 1, .stood = 1, .felt = foot->felt};
        memcpy(foot->target, now->leg[i].foot, sizeof foot->target);
    }
    s->walks = s->phase = s->held = s->waits = s->unsafe = s->rested = s->from = 0;
    memset(s->velocity, 0, sizeof s->velocity);
    memset(s->shift, 0, sizeof s->shift);
    memset(s->twist, 0, sizeof s->twist);
    memset(s->lean, 0, sizeof s->lean);
    memset(s->short_of, 0, sizeof s->short_of);
    s->cycle = walk->gaits[(int)s->gait][0].slowest;
    s->since = 0;
    ib__walk_replan(s);
}

void ib__walk_replan(ib_WalkState *s)
{
    memcpy(s->plan, s->place, sizeof s->plan);
    s->heading = s->tilt[2];
}

// What it does when it has rested: it stands after all, turns round, or rises.
static void decide(const ib_Walk *walk, const ib__WalkNow *now, ib_WalkState *s)
{
    if (!ib__walk_fallen(walk, now, s)) {
        ib__fall_enter(s, IB_FALL_UPRIGHT, 0);
        ib__walk_stand(walk, now, s);
        s->walks = s->fall.home = 1;
    } else if (walk->lift < walk->share) {
        ib__fall_enter(s, IB_FALL_CANNOT, 0);
    } else {
        s->fall.side = s->tilt[1];
        ib__fall_enter(s, ib__walk_tilt(now) < IB_WALK_FLAT ? IB_FALL_RISES : IB_FALL_TURNS, 0);
    }
}

// Feet of a body that is up again step to their places without any other goal, where its plan
// begins anew.
static void come_home(ib_WalkSenses *senses, ib_WalkState *s)
{
    if (s->fall.home == 0) return;
    memset(senses->twist, 0, sizeof senses->twist);
    senses->gait = s->gait;
    if (s->walks > 0) return;
    s->fall.home = 0;
    ib__walk_replan(s);
}

bool ib__walk_fall(const ib_Walk *walk, const ib__WalkNow *now, ib_WalkSenses *senses,
                   ib_WalkState *s, double output[IB_LEGS_JOINTS])
{
    ib_WalkFall *fall = &s->fall;
    fall->since += walk->config.period;
    if (fall->mode == IB_FALL_TURNS) {
        ib__walk_turn(walk, now, senses, s, output);
        return false;
    }
    if (fall->mode == IB_FALL_RISES) return ib__walk_rise(walk, now, senses, s, output);
    if (fall->mode == IB_FALL_UPRIGHT) {
        if (!ib__walk_fallen(walk, now, s)) {
            come_home(senses, s);
            return true;
        }
        fall->falls++;
        fall->tries = 0;
        ib__fall_enter(s, IB_FALL_FALLS, 0);
    } else if (fall->mode == IB_FALL_FALLS && rests(walk, s)) {
        ib__fall_enter(s, IB_FALL_LIES, 0);
    } else if (fall->mode == IB_FALL_LIES && walk->config.rise > 0 &&
               fall->since >= walk->config.rise_after) {
        decide(walk, now, s);
        if (fall->mode == IB_FALL_UPRIGHT) return true;
    }
    stop(walk, s, output);
    return false;
}
