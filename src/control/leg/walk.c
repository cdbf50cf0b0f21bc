// control/leg/walk.c: measured legs, gait, targets of feet, forces, drives: in this order.
#include "control/leg/walk.h"

#include "base/extreme.h"
#include "base/matrix.h"
#include "control/leg/support.h"
#include "control/leg/swing.h"

#include <math.h>
#include <string.h>

#define LYING  0.6   ///< tilt beyond which it has fallen [rad]
#define NEAR   0.015 ///< distance from its plan at which it stops without a goal [m]
#define LATE   4.0   ///< cycles after which it stops in any case
#define INSIDE 0.01  ///< distance of wanted angles from a joint's ends [rad]

// A leg as it is now, in the body's frame.
typedef struct Leg {
    double foot[3], velocity[3]; ///< [m], [m/s]
    double jacobian[9];
    double free[3]; ///< torques that hold it in the air [N m]
    double spin[3]; ///< rate of the tibia in the body's frame [rad/s]
} Leg;

typedef struct Now {
    double up[3], centre[3];
    Leg leg[IB_LEG_LEGS];
} Now;

// -------------------------------------------------------------------------------------------- init

void ib_walk_init(const ib_WalkConfig *config, const ib_Gait *gait, const ib_ControlLegs *legs,
                  ib_Walk *walk)
{
    *walk = (ib_Walk){.config = *config,
                      .gait = gait,
                      .leg_model = legs->leg_model,
                      .mass = config->mass,
                      .gravity = legs->gravity,
                      .foot_radius = legs->foot_radius};
    memcpy(walk->shoulders, legs->shoulders, sizeof walk->shoulders);
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        double foot[3], *start = walk->start + IB_LEG_JOINTS * i;
        for (int j = 0; j < IB_LEG_JOINTS; j++) {
            start[j] = legs->joints[IB_LEG_JOINTS * i + j].start;
            walk->mass += legs->leg_model.mass[j];
        }
        ib_leg_foot(&walk->leg_model, start, foot);
        ib_pose_point(&walk->shoulders[i], foot, walk->home[i]);
        walk->height -= walk->home[i][2] / IB_LEG_LEGS;
    }
}

void ib_walk_reset(const ib_Walk *walk, ib_WalkState *state)
{
    *state = (ib_WalkState){.phase = 0};
    memcpy(state->goal, walk->start, sizeof state->goal);
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        ib_WalkFoot *foot = &state->foot[i];
        memcpy(foot->target, walk->home[i], sizeof foot->target);
        foot->state = IB_FOOT_STANDS;
        foot->stood = 1;
    }
}

// ------------------------------------------------------------------------------------- measurement

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

// x <- x + (y - x)/(1 + time/period)
static void follow(double *x, double y, double time, double period)
{
    *x += (y - *x) * (period / (time + period));
}

static void find_rates(const ib_Walk *walk, const ib_WalkSenses *senses, ib_WalkState *s)
{
    const ib_WalkConfig *c = &walk->config;
    const double tilt[2] = {senses->pitch, senses->roll};
    bool first = s->ticks == 0;
    for (int i = 0; i < IB_LEGS_JOINTS; i++) {
        double moved = first ? 0 : senses->angle[i] - s->angle[i];
        follow(&s->turn[i], moved / c->period, c->filter_time, c->period);
        s->angle[i] = senses->angle[i];
    }
    for (int k = 0; k < 2; k++) {
        double moved = first ? 0 : tilt[k] - s->tilt[k];
        follow(&s->rate[k], moved / c->period, 4 * c->filter_time, c->period);
        s->tilt[k] = tilt[k];
    }
    if (first) s->heading = senses->heading;
    s->ticks++;
}

// Foot and its velocity, Jacobian, torques in the air, spin of the tibia, share of the centre.
static void find_leg(const ib_Walk *walk, int i, const ib_WalkState *s, const double up[3],
                     Leg *leg, double centre[3])
{
    const ib_LegModel *model = &walk->leg_model;
    const ib_Pose *shoulder = &walk->shoulders[i];
    const double *q = s->angle + IB_LEG_JOINTS * i, *rate = s->turn + IB_LEG_JOINTS * i;
    double foot[3], J[9], gravity[3], down[3], point[3], at[3];
    ib_Pose frames[3];
    ib_leg_foot(model, q, foot);
    ib_pose_point(shoulder, foot, leg->foot);
    ib_leg_jacobian(model, q, J);
    for (int r = 0; r < 3; r++) {
        leg->velocity[r] = 0;
        for (int j = 0; j < 3; j++) {
            const double *turn = shoulder->turn + 3 * r;
            leg->jacobian[3 * r + j] = turn[0] * J[j] + turn[1] * J[3 + j] + turn[2] * J[6 + j];
            leg->velocity[r] += leg->jacobian[3 * r + j] * rate[j];
        }
    }
    for (int k = 0; k < 3; k++) down[k] = -walk->gravity * up[k];
    ib_leg_direction_into(shoulder, down, gravity);
    ib_leg_hold(model, q, (const double[]){0, 0, 0}, gravity, leg->free);
    ib_leg_frames(model, q, frames);
    double spin[3] = {0};
    for (int j = 0; j < IB_LEG_JOINTS; j++) {
        for (int k = 0; k < 3; k++) spin[k] += frames[j].turn[3 * k + 2] * rate[j];
        ib_pose_point(&frames[j], model->centre[j], point);
        ib_pose_point(shoulder, point, at);
        for (int k = 0; k < 3; k++) centre[k] += model->mass[j] / walk->mass * at[k];
    }
    for (int k = 0; k < 3; k++) leg->spin[k] = dot(shoulder->turn + 3 * k, spin);
}

// The weight that each foot feels: by its sensor, or by what its cylinders push.
static void feel(const ib_Walk *walk, const ib_WalkSenses *senses, const Now *now, ib_WalkState *s)
{
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        double torque[3], force[3], felt = senses->weight[i];
        for (int j = 0; j < IB_LEG_JOINTS; j++) {
            int at = IB_LEG_JOINTS * i + j;
            ib_LinkageNow linkage = ib_linkage_at(&walk->joints[at].linkage, s->angle[at]);
            torque[j] = linkage.arm * senses->push[at];
        }
        if (isnan(felt)) {
            bool solved = ib_stance_felt(now->leg[i].jacobian, torque, now->leg[i].free, force);
            felt = solved ? dot(force, now->up) : s->foot[i].felt;
        }
        follow(&s->foot[i].felt, felt, walk->config.filter_time, walk->config.period);
    }
}

// u = R' z of the attitude Rz(heading) Ry(pitch) Rx(roll).
static void find_now(const ib_Walk *walk, const ib_WalkSenses *senses, const ib_WalkState *s,
                     Now *now)
{
    double sp, cp, sr, cr;
    ib_sincos(senses->pitch, &sp, &cp);
    ib_sincos(senses->roll, &sr, &cr);
    now->up[0] = -sp;
    now->up[1] = cp * sr;
    now->up[2] = cp * cr;
    memset(now->centre, 0, sizeof now->centre);
    for (int i = 0; i < IB_LEG_LEGS; i++) find_leg(walk, i, s, now->up, &now->leg[i], now->centre);
}

static bool stands(const ib_WalkFoot *foot)
{
    return foot->state == IB_FOOT_STANDS;
}

// The velocity of the body over the ground by its standing feet: a foot's centre rolls on the
// ground with spin x radius up, less its velocity in the body's frame.
static void find_place(const ib_Walk *walk, const ib_WalkSenses *senses, const Now *now,
                       ib_WalkState *s)
{
    double velocity[3] = {0}, loads = 0, T = walk->config.period, sine, cosine;
    const double spin_of_body[3] = {s->rate[1], s->rate[0], 0};
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        const Leg *leg = &now->leg[i];
        double load = stands(&s->foot[i]) ? ib_max(s->foot[i].felt, 0) : 0;
        double spin[3], radius[3], roll[3], turned[3];
        for (int k = 0; k < 3; k++) spin[k] = leg->spin[k] + spin_of_body[k];
        for (int k = 0; k < 3; k++) radius[k] = walk->foot_radius * now->up[k];
        cross(spin, radius, roll);
        cross(spin_of_body, leg->foot, turned);
        for (int k = 0; k < 3; k++) velocity[k] += load * (roll[k] - leg->velocity[k] - turned[k]);
        loads += load;
    }
    if (!(loads > 0)) return;
    ib_sincos(senses->heading, &sine, &cosine);
    double forward = velocity[0] / loads, left = velocity[1] / loads;
    s->place[0] += T * (cosine * forward - sine * left);
    s->place[1] += T * (sine * forward + cosine * left);
}

// -------------------------------------------------------------------------------------------- gait

static double towards(double x, double goal, double step)
{
    return x + ib_min(ib_max(goal - x, -step), step);
}

static double within(double x, double most)
{
    return ib_min(ib_max(x, -most), most);
}

// Goals after their ramp, the place where the body should be, and the speeds that bring it there.
static void find_speed(const ib_Walk *walk, const ib_WalkSenses *senses, ib_WalkState *s)
{
    const ib_WalkConfig *c = &walk->config;
    double T = c->period, sine, cosine, width[2];
    for (int k = 0; k < IB_WALK_TWIST; k++)
        s->twist[k] = towards(s->twist[k], s->walks > 0 ? senses->twist[k] : 0,
                              T * c->acceleration[k == IB_WALK_TURN]);
    follow(&s->flow, s->held > 0 ? 0 : 1, c->ramp, T);
    s->heading += T * s->twist[IB_WALK_TURN];
    ib_sincos(s->heading, &sine, &cosine);
    s->plan[0] += T * (cosine * s->twist[0] - sine * s->twist[1]);
    s->plan[1] += T * (sine * s->twist[0] + cosine * s->twist[1]);
    // The shift is no part of the plan.
    width[0] = s->plan[0] - s->place[0] - sine * s->shift[0];
    width[1] = s->plan[1] - s->place[1] + cosine * s->shift[0];
    const double error[2] = {cosine * width[0] + sine * width[1],
                             cosine * width[1] - sine * width[0]};
    s->behind = sqrt(error[0] * error[0] + error[1] * error[1]);
    double off = senses->heading - s->heading;
    off -= 2 * M_PI * rint(off / (2 * M_PI));
    for (int k = 0; k < 2; k++)
        s->speed[k] = s->walks > 0 ? s->twist[k] + within(c->place_gain * error[k], 0.02) : 0;
    for (int k = 0; k < 2; k++) s->speed[k] *= s->flow;
    s->speed[2] = s->walks > 0 ? s->twist[2] - within(c->heading_gain * off, 0.1) : 0;
}

static void begin_cycle(ib_WalkState *s, double phase, double width)
{
    s->phase = phase;
    s->from = s->shift[0] / width;
}

// Starts with a goal, and stops at the end of a cycle that had none.
static void move_phase(const ib_Walk *walk, const ib_WalkSenses *senses, ib_WalkState *s)
{
    const ib_WalkConfig *c = &walk->config;
    double step = c->period / c->cycle;
    const double *goal = senses->twist;
    bool wanted = goal[0] != 0 || goal[1] != 0 || goal[2] != 0, all = true;
    bool moves = s->twist[0] != 0 || s->twist[1] != 0 || s->twist[2] != 0;
    for (int i = 0; i < IB_LEG_LEGS; i++) all &= stands(&s->foot[i]);
    if (s->walks == 0) {
        s->rested += c->period;
        if (!wanted) return;
        s->walks = 1;
        s->rested = 0;
        begin_cycle(s, 0, c->width);
        return;
    }
    s->rested = wanted || moves ? 0 : s->rested + step;
    // No foot lifts before all others stand.
    double next = ib_min(ib_gait_next_swing(walk->gait, s->phase), 1);
    s->held = !all && s->phase + step >= next;
    if (s->held > 0) return;
    s->phase += step;
    if (s->phase < 1) return;
    begin_cycle(s, s->phase - 1, c->width);
    if (s->rested < 1 || (s->behind > NEAR && s->rested < LATE)) return;
    s->walks = s->phase = s->rested = 0;
}

static void find_shift(const ib_Walk *walk, const Now *now, ib_WalkState *s, double moved[2])
{
    const ib_WalkConfig *c = &walk->config;
    double shift[3], before = s->shift[0], time = c->cycle;
    if (s->walks > 0) {
        ib_gait_shift(walk->gait, s->phase, s->from, shift);
    } else {
        time = walk->gait->shift[0].end * c->cycle;
        ib_gait_way(s->rested / time, shift);
        for (int k = 0; k < 3; k++) shift[k] = s->from * ((k == 0) - shift[k]);
    }
    for (int k = 0; k < 3; k++)
        s->shift[k] = c->width * shift[k] / (k == 0 ? 1 : k == 1 ? time : time * time);
    moved[0] = -s->lean[0];
    moved[1] = -s->lean[1] + s->shift[0] - before;
    for (int k = 0; k < 2; k++)
        follow(&s->lean[k], walk->height * now->up[k] / ib_max(now->up[2], 0.5), c->level_time,
               c->period);
    for (int k = 0; k < 2; k++) moved[k] += s->lean[k];
}

// ----------------------------------------------------------------------------------------- targets

// The ground passes the body with -(v + w x p).
static void find_ground(const double speed[3], const double place[3], double ground[3])
{
    ground[0] = -speed[0] + speed[2] * place[1];
    ground[1] = -speed[1] - speed[2] * place[0];
    ground[2] = 0;
}

static void swing(const ib_Walk *walk, int i, double u, double height, ib_WalkState *s)
{
    const ib_WalkConfig *c = &walk->config;
    const ib_GaitSwing *part = &walk->gait->swing[i];
    ib_WalkFoot *foot = &s->foot[i];
    double time = (part->end - part->start) * c->cycle, stance = c->cycle - time, shift[3];
    ib_Swing way = {.height = c->lift, .duration = time};
    memcpy(way.from, foot->from, sizeof way.from);
    find_ground(s->speed, walk->home[i], way.ground);
    ib_gait_shift(walk->gait, part->end, s->from, shift);
    for (int k = 0; k < 3; k++) way.to[k] = walk->home[i][k] - 0.5 * stance * way.ground[k];
    way.to[0] -= s->lean[0];
    way.to[1] -= s->lean[1] + c->width * shift[0];
    way.to[2] = -height - c->press;
    ib_swing_at(&way, u, foot->target, foot->velocity);
}

// A foot lifts where its target stood, and stands where it touches.
static void move_foot(const ib_Walk *walk, int i, const Now *now, double height,
                      const double moved[2], ib_WalkState *s)
{
    const ib_WalkConfig *c = &walk->config;
    ib_WalkFoot *foot = &s->foot[i];
    double u = s->walks > 0 ? ib_gait_swing(walk->gait, i, s->phase) : -1, T = c->period;
    if (s->held > 0) u = -1; // its swing is over
    bool under = foot->target[2] < now->leg[i].foot[2] - c->give;
    bool landed = (foot->felt > c->landing && (u < 0 || u > 0.5)) || (u < 0 && under);
    if (stands(foot) && u >= 0 && u < 0.25) {
        foot->state = IB_FOOT_SWINGS;
        memcpy(foot->from, foot->target, sizeof foot->from);
        landed = false;
    }
    if (!stands(foot) && landed) {
        foot->state = IB_FOOT_STANDS;
        foot->stood = 0;
        memcpy(foot->target, now->leg[i].foot, sizeof foot->target);
    } else if (foot->state == IB_FOOT_SWINGS && u < 0) {
        foot->state = IB_FOOT_SEARCHES;
    }
    if (foot->state == IB_FOOT_SWINGS) {
        swing(walk, i, u, height, s);
        return;
    }
    find_ground(s->speed, foot->target, foot->velocity);
    for (int k = 0; k < 2; k++) {
        foot->target[k] += T * foot->velocity[k] - moved[k];
        foot->velocity[k] -= moved[k] / T;
    }
    foot->stood += T;
    if (stands(foot) || foot->target[2] < -height - c->depth) return;
    foot->velocity[2] = -c->sink;
    foot->target[2] -= T * c->sink;
}

// The plane through the feet's targets, z = a + b x + c y, returns to that of the goals.
static void level(const ib_Walk *walk, const ib_WalkSenses *senses, ib_WalkState *s)
{
    double N[9] = {0}, r[3] = {0}, rate = walk->config.period / walk->config.level_time;
    int pivot[3];
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        const double *p = stands(&s->foot[i]) ? s->foot[i].target : s->foot[i].from;
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
        if (!stands(&s->foot[i])) continue;
        off = r[0] - goal[0] + (r[1] - goal[1]) * p[0] + (r[2] - goal[2]) * p[1];
        p[2] -= rate * off;
    }
}

// ------------------------------------------------------------------------------------------ forces

// Angles and rates of a leg's joints for its foot's target; each is kept within its range.
static void find_angles(const ib_Walk *walk, int i, ib_WalkState *s)
{
    const ib_WalkFoot *foot = &s->foot[i];
    double place[3], velocity[3], *goal = s->goal + IB_LEG_JOINTS * i;
    ib_LegReach reach;
    ib_leg_point_into(&walk->shoulders[i], foot->target, place);
    ib_leg_direction_into(&walk->shoulders[i], foot->velocity, velocity);
    s->unreached += !ib_leg_reach(&walk->leg_model, place, &reach);
    ib_leg_rates(&walk->leg_model, reach.angle, velocity, s->goal_rate + IB_LEG_JOINTS * i);
    for (int j = 0; j < IB_LEG_JOINTS; j++) {
        const double *range = walk->leg_model.range[j];
        goal[j] = ib_min(ib_max(reach.angle[j], range[0] + INSIDE), range[1] - INSIDE);
        if (goal[j] != reach.angle[j]) s->goal_rate[IB_LEG_JOINTS * i + j] = 0;
    }
}

static double load_of(const ib_Walk *walk, int i, const ib_WalkState *s)
{
    const ib_WalkConfig *c = &walk->config;
    const ib_WalkFoot *foot = &s->foot[i];
    if (!stands(foot)) return 0;
    double load = ib_min(foot->stood / c->ramp, 1);
    if (s->walks > 0 && foot->stood > c->ramp)
        load = ib_min(load, ib_gait_until_swing(walk->gait, i, s->phase) * c->cycle / c->ramp);
    return load;
}

// Forces of the feet that make the wrench on the body.
static void share(const ib_Walk *walk, const Now *now, ib_WalkState *s,
                  double forces[IB_LEG_LEGS][3])
{
    ib_StanceFoot feet[IB_LEG_LEGS];
    double slip[3] = {0}, loads = 0, force[3];
    const double none[3] = {0};
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        const Leg *leg = &now->leg[i];
        feet[i].load = load_of(walk, i, s);
        memcpy(feet[i].jacobian, leg->jacobian, sizeof feet[i].jacobian);
        for (int k = 0; k < 3; k++) {
            feet[i].place[k] = leg->foot[k] - now->centre[k];
            slip[k] += feet[i].load * (leg->velocity[k] - s->foot[i].velocity[k]);
        }
        loads += feet[i].load;
    }
    for (int k = 0; k < 3; k++) {
        force[k] = walk->mass * walk->gravity * now->up[k];
        if (loads > 0) force[k] += walk->config.damping * slip[k] / loads;
    }
    force[1] += walk->mass * s->shift[2];
    ib_stance_share(&walk->config.stance, feet, IB_LEG_LEGS, force, none, now->up, forces);
    for (int i = 0; i < IB_LEG_LEGS; i++) s->foot[i].wanted = dot(forces[i], now->up);
}

// Outputs of a leg's joints.
static void drive(const ib_Walk *walk, int i, const Now *now, const double force[3],
                  const ib_WalkSenses *senses, ib_WalkState *s, double *output)
{
    const ib_WalkConfig *c = &walk->config;
    const Leg *leg = &now->leg[i];
    double gain = s->foot[i].state == IB_FOOT_STANDS ? 1 : c->swing_gain;
    for (int j = 0; j < IB_LEG_JOINTS; j++) {
        int at = IB_LEG_JOINTS * i + j;
        const ib_WalkJoint *joint = &walk->joints[at];
        const double *J = leg->jacobian + j;
        double held = leg->free[j] - (J[0] * force[0] + J[3] * force[1] + J[6] * force[2]);
        s->torque[at] = held + gain * (c->kp[j] * (s->goal[at] - s->angle[at]) +
                                       c->kd[j] * (s->goal_rate[at] - s->turn[at]));
        if (!joint->valve) {
            output[at] = ib_min(ib_max(s->goal[at], joint->low), joint->high);
            continue;
        }
        double arm = ib_linkage_at(&joint->linkage, s->angle[at]).arm;
        output[at] = ib_force_servo_step(&joint->servo, s->torque[at], arm, s->goal_rate[at],
                                         senses->push[at]);
    }
}

// The margin by the feet that stand, seen along gravity, and whether it has fallen.
static void judge(const Now *now, double height, ib_WalkState *s)
{
    double feet[IB_LEG_LEGS][2], low = 0;
    int count = 0;
    const double middle[2] = {0, 0};
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        const Leg *leg = &now->leg[i];
        double from[3], down;
        if (!stands(&s->foot[i])) continue;
        for (int k = 0; k < 3; k++) from[k] = leg->foot[k] - now->centre[k];
        down = dot(from, now->up);
        for (int k = 0; k < 2; k++) feet[count][k] = from[k] - down * now->up[k];
        double d = 0;
        for (int k = 0; k < 3; k++)
            d += (s->foot[i].target[k] - leg->foot[k]) * (s->foot[i].target[k] - leg->foot[k]);
        s->foot[i].miss = sqrt(d);
        low -= leg->foot[2];
        count++;
    }
    s->margin = ib_support_margin(feet, count, middle);
    bool lies = fabs(s->tilt[0]) > LYING || fabs(s->tilt[1]) > LYING;
    if (lies || (count > 0 && low / count < 0.5 * height)) s->fallen = 1;
}

void ib_walk_step(const ib_Walk *walk, const ib_WalkSenses *senses, ib_WalkState *s,
                  double output[IB_LEGS_JOINTS])
{
    Now now;
    double moved[2], forces[IB_LEG_LEGS][3];
    find_rates(walk, senses, s);
    find_now(walk, senses, s, &now);
    feel(walk, senses, &now, s);
    find_place(walk, senses, &now, s);
    move_phase(walk, senses, s);
    find_speed(walk, senses, s);
    find_shift(walk, &now, s, moved);
    for (int i = 0; i < IB_LEG_LEGS; i++) move_foot(walk, i, &now, senses->height, moved, s);
    level(walk, senses, s);
    share(walk, &now, s, forces);
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        find_angles(walk, i, s);
        drive(walk, i, &now, forces[i], senses, s, output);
    }
    judge(&now, senses->height, s);
}
