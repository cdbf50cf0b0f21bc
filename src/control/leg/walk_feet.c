// control/leg/walk_feet.c: targets of feet, on the ground that passes by or in the air, and the
// angles that put feet there.
#include "control/leg/walk_inside.h"

#include "base/extreme.h"
#include "base/matrix.h"
#include "control/leg/swing.h"

#include <math.h>
#include <string.h>

#define INSIDE  0.01   ///< distance of wanted angles from a joint's ends [rad]
#define BEHIND  0.04   ///< distance of a foot from its target that means it is blocked [m]
#define CATCH   0.5    ///< part of the way of a push that a swing goes, too
#define TIPS    0.01   ///< margin below 0 at which a foot in the air comes down at once [m]
#define HURRY   0.4    ///< speed at which it does [m/s]
#define BEYOND  0.1    ///< angle beyond a joint's end that counts as out of reach [rad]
#define CLEAR   0.03   ///< distance of footholds from a joint's ends [rad]
#define STOPPED 0.1    ///< speed downwards of a foot that stands on something [m/s]
enum { STUMBLES = 3 }; ///< of a swing, until it puts its foot down where it is

// The ground passes the body with -(v + w x p).
static void find_ground(const double speed[3], const double place[3], double ground[3])
{
    ground[0] = -speed[0] + speed[2] * place[1];
    ground[1] = -speed[1] - speed[2] * place[0];
    ground[2] = 0;
}

// A foothold at which a joint would be too near to its end is moved towards the middle place.
static void keep_clear(const ib_Walk *walk, int i, const double middle[3], double to[3])
{
    for (int n = 0; n < 4; n++) {
        double place[3], room = INFINITY;
        ib_LegReach reach;
        ib_leg_point_into(&walk->shoulders[i], to, place);
        bool reached = ib_leg_reach(&walk->leg_model, place, &reach);
        for (int j = 0; j < IB_LEG_JOINTS; j++) {
            const double *range = walk->leg_model.range[j];
            room = ib_min(room, ib_min(reach.angle[j] - range[0], range[1] - reach.angle[j]));
        }
        if (reached && room >= CLEAR) return;
        for (int k = 0; k < 2; k++) to[k] = middle[k] + 0.7 * (to[k] - middle[k]);
    }
}

static void swing(const ib_Walk *walk, int i, double u, double height, ib_WalkState *s)
{
    const ib_WalkConfig *c = &walk->config;
    const ib_Gait *gait = ib__walk_gait(walk, s);
    const ib_GaitSwing *part = &gait->swing[i];
    ib_WalkFoot *foot = &s->foot[i];
    const double *middle = ib__walk_middle(walk, s, i);
    double time = (part->end - part->start) * s->cycle, stance = s->cycle - time, shift[3];
    ib_Swing way = {.height = gait->lift, .duration = time};
    memcpy(way.from, foot->from, sizeof way.from);
    find_ground(s->speed, middle, way.ground);
    if (gait->shifts > 0)
        ib_gait_shift(gait, part->end, s->from, shift);
    else
        shift[0] = s->shift[0] / c->width;
    for (int k = 0; k < 3; k++) way.to[k] = middle[k] - 0.5 * stance * way.ground[k];
    // A push moves the feet with the body.
    for (int k = 0; k < 2; k++)
        way.to[k] += CATCH * ib__walk_ahead(walk) * (s->velocity[k] + way.ground[k]);
    way.to[0] -= s->lean[0];
    way.to[1] -= s->lean[1] + c->width * shift[0];
    way.to[2] = -height - c->press;
    keep_clear(walk, i, middle, way.to);
    ib_swing_at(&way, u, foot->target, foot->velocity);
}

// True if the foot in the air has met a wall: a force against its way that is greater than the one
// upwards, or a target that runs away.
static bool stumbles(const ib_Walk *walk, const ib_WalkFoot *foot, const ib__WalkLeg *leg)
{
    double way[2], speed = 0, against = 0, behind = 0;
    for (int k = 0; k < 2; k++) way[k] = foot->velocity[k];
    speed = sqrt(way[0] * way[0] + way[1] * way[1]);
    if (speed < 0.05) return false;
    for (int k = 0; k < 2; k++) {
        against -= foot->drag[k] * way[k] / speed;
        behind += (foot->target[k] - leg->foot[k]) * way[k] / speed;
    }
    return behind > BEHIND ||
           (behind > 0.4 * BEHIND && against > walk->config.landing && against > foot->felt);
}

static void lift(ib_WalkFoot *foot, const double from[3])
{
    foot->state = IB_FOOT_SWINGS;
    foot->part = 0;
    memcpy(foot->from, from, sizeof foot->from);
}

// A foot lifts where its target stood, and stands where it touches.
void ib__walk_foot(const ib_Walk *walk, int i, const ib__WalkNow *now, double height,
                   const double moved[2], ib_WalkState *s)
{
    const ib_WalkConfig *c = &walk->config;
    ib_WalkFoot *foot = &s->foot[i];
    const ib__WalkLeg *leg = &now->leg[i];
    const ib_Gait *gait = ib__walk_gait(walk, s);
    const ib_GaitSwing *part = &gait->swing[i];
    double T = c->period;
    double swings = ib_gait_swing(gait, i, s->phase);
    bool begins = s->walks > 0 && s->held == 0 && swings >= 0 && swings < 0.25;
    if (foot->state == IB_FOOT_SWINGS) {
        foot->part += T / ((part->end - part->start) * s->cycle);
        if (gait->careful && foot->part > 0.1 && foot->part < 0.9 && foot->stumbles < 3 &&
            stumbles(walk, foot, leg)) {
            lift(foot, leg->foot);
            foot->stumbles++;
            s->stumbles++;
        }
        bool tips = gait->careful && foot->part > 0.1 &&
                    ib__walk_margin(now, s, -1, ib__walk_ahead(walk)) < -TIPS;
        if (foot->part >= 1 || tips) foot->state = IB_FOOT_SEARCHES;
    }
    bool late = foot->state == IB_FOOT_SEARCHES, down = late || foot->part > 0.5;
    bool under = late && foot->target[2] < leg->foot[2] - c->give;
    bool stopped = leg->velocity[2] > -STOPPED;
    if (ib__stands(foot) && begins && foot->stood > gait->ramp) {
        lift(foot, foot->target);
        foot->stumbles = 0;
    } else if (!ib__stands(foot) && (under || (down && stopped && foot->felt > c->landing))) {
        foot->state = IB_FOOT_STANDS;
        foot->stood = 0;
        memcpy(foot->target, leg->foot, sizeof foot->target);
    }
    if (foot->state == IB_FOOT_SWINGS) {
        swing(walk, i, foot->part, height, s);
        return;
    }
    find_ground(s->speed, foot->target, foot->velocity);
    for (int k = 0; k < 2; k++) {
        foot->target[k] += T * foot->velocity[k] - moved[k];
        foot->velocity[k] -= moved[k] / T;
    }
    foot->stood += T;
    if (ib__stands(foot) || foot->target[2] < -height - c->depth) return;
    double sink = s->margin < 0 ? ib_max(HURRY, gait->sink) : gait->sink;
    foot->velocity[2] = -sink;
    foot->target[2] -= T * sink;
}

void ib__walk_level(const ib_Walk *walk, const ib_WalkSenses *senses, ib_WalkState *s)
{
    double N[9] = {0}, r[3] = {0}, rate = walk->config.period / ib__walk_gait(walk, s)->level_time;
    int pivot[3];
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        const double *p = ib__stands(&s->foot[i]) ? s->foot[i].target : s->foot[i].from;
        const double row[3] = {1, p[0], p[1]};
        for (int k = 0; k < 3; k++) {
            for (int j = 0; j < 3; j++) N[3 * k + j] += row[k] * row[j];
            r[k] += row[k] * p[2];
        }
    }
    if (ib_matrix_factor(3, N, pivot) != 0) return;
    ib_matrix_solve(3, N, pivot, r);
    const double goal[3] = {-senses->height, senses->tilt[0], -senses->tilt[1]};
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        double *p = s->foot[i].target, off;
        if (!ib__stands(&s->foot[i])) continue;
        off = r[0] - goal[0] + (r[1] - goal[1]) * p[0] + (r[2] - goal[2]) * p[1];
        p[2] -= rate * off;
    }
}

// A foot in the air for which gamma would have to fold farther than it can bows outwards, at its
// height: n is that direction, D the distance from the beta joint, D0 the least.
//   |p + l n - b| = D0,   by Newton's method
static void bow(const ib_Walk *walk, int i, double place[3])
{
    const ib_LegModel *leg = &walk->leg_model;
    const double side[3] = {0, walk->home[i][1] > 0 ? 1 : -1, 0};
    double out[3], D0 = leg->a2 * leg->a2 + leg->a3 * leg->a3 +
                        2 * leg->a2 * leg->a3 * ib_cos(leg->range[2][1] - INSIDE);
    ib_leg_direction_into(&walk->shoulders[i], side, out);
    for (int n = 0; n < 4; n++) {
        double r = sqrt(place[0] * place[0] + place[1] * place[1]), D = 0, along = 0;
        const double from[3] = {place[0] * (1 - leg->a1 / r), place[1] * (1 - leg->a1 / r),
                                place[2] - leg->d1};
        for (int k = 0; k < 3; k++) D += from[k] * from[k];
        for (int k = 0; k < 3; k++) along += from[k] * out[k];
        if (D >= D0 || along < 0.1 * leg->a2) return;
        for (int k = 0; k < 3; k++) place[k] += out[k] * (D0 - D) / (2 * along);
    }
}

void ib__walk_angles(const ib_Walk *walk, int i, ib_WalkState *s)
{
    const ib_WalkFoot *foot = &s->foot[i];
    double place[3], velocity[3], *goal = s->goal + IB_LEG_JOINTS * i;
    ib_LegReach reach;
    ib_leg_point_into(&walk->shoulders[i], foot->target, place);
    ib_leg_direction_into(&walk->shoulders[i], foot->velocity, velocity);
    if (!ib__stands(foot)) bow(walk, i, place);
    ib_leg_reach(&walk->leg_model, place, &reach);
    ib_leg_rates(&walk->leg_model, reach.angle, velocity, s->goal_rate + IB_LEG_JOINTS * i);
    bool beyond = reach.limit == IB_LEG_TOO_FAR || reach.limit == IB_LEG_TOO_NEAR;
    for (int j = 0; j < IB_LEG_JOINTS; j++) {
        const double *range = walk->leg_model.range[j];
        goal[j] = ib_min(ib_max(reach.angle[j], range[0] + INSIDE), range[1] - INSIDE);
        if (goal[j] != reach.angle[j]) s->goal_rate[IB_LEG_JOINTS * i + j] = 0;
        beyond |= fabs(goal[j] - reach.angle[j]) > BEYOND;
    }
    s->unreached += beyond && ib__upright(s);
}
