// control/leg/walk.c: measured legs, gait, targets of feet, forces, drives: in this order.
#include "control/leg/walk_inside.h"

#include "base/extreme.h"

#include <math.h>
#include <string.h>

#define SLIDING 0.05 ///< speed over the ground that a foot may seem to have [m/s]
#define SLIPPED 0.02 ///< way after which it has slipped [m]
#define MISSING 40.0 ///< force that a cylinder may be short of for IB_WALK_WEAK [N]
#define STOP    0.02 ///< distance from its end at which a joint leans on its stop [rad]

// -------------------------------------------------------------------------------------------- init

static void set(double *own, double wanted)
{
    if (!isinf(wanted)) *own = wanted;
}

static void make_gaits(const ib_WalkConfig *c, ib_Gait gaits[IB_GAITS][2])
{
    for (int i = 0; i < IB_GAITS; i++) {
        ib_Gait *gait = &gaits[i][0];
        ib_gait_make((ib_GaitName)i, i == c->gait ? c->duty : INFINITY, gait);
        if (i == c->gait) {
            for (int k = 0; k < IB_LEG_LEGS; k++)
                if (!isinf(c->phase[k])) ib_gait_move(gait, k, c->phase[k]);
            set(&gait->quickest, c->cycle);
            set(&gait->slowest, c->cycle);
            set(&gait->stride, c->stride);
            set(&gait->lift, c->lift);
            set(&gait->ramp, c->ramp);
            set(&gait->damping, c->damping);
            set(&gait->sink, c->sink);
            set(&gait->level_time, c->level_time);
            for (int k = 0; k < 2; k++) set(&gait->acceleration[k], c->acceleration[k]);
        }
        // Goals that change their sign from cycle to cycle must not keep a pair from stepping.
        if (gait->careful)
            ib_gait_turn_round(gait, &gaits[i][1]);
        else
            gaits[i][1] = *gait;
    }
}

void ib_walk_init(const ib_WalkConfig *config, const ib_ControlLegs *legs, ib_Walk *walk)
{
    *walk = (ib_Walk){.config = *config,
                      .leg_model = legs->leg_model,
                      .mass = config->mass,
                      .gravity = legs->gravity,
                      .foot_radius = legs->foot_radius,
                      .heading = legs->at.course};
    memcpy(walk->shoulders, legs->shoulders, sizeof walk->shoulders);
    make_gaits(config, walk->gaits);
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
    for (int k = 0; k < 3; k++) walk->centre[k] = config->mass / walk->mass * legs->centre[k];
    ib__walk_rise_init(legs, walk);
}

void ib_walk_reset(const ib_Walk *walk, ib_WalkState *state)
{
    *state = (ib_WalkState){.gait = walk->config.gait, .tilt = {0, 0, walk->heading}};
    state->cycle = ib__walk_gait(walk, state)->slowest;
    memcpy(state->goal, walk->start, sizeof state->goal);
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        ib_WalkFoot *foot = &state->foot[i];
        memcpy(foot->target, walk->home[i], sizeof foot->target);
        foot->state = IB_FOOT_STANDS;
        foot->stood = foot->load = 1;
    }
}

// ------------------------------------------------------------------------------------- measurement

static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static void find_rates(const ib_Walk *walk, const ib_WalkSenses *senses, ib_WalkState *s)
{
    const ib_WalkConfig *c = &walk->config;
    const double tilt[3] = {senses->pitch, senses->roll, senses->heading};
    bool first = s->ticks == 0;
    for (int i = 0; i < IB_LEGS_JOINTS; i++) {
        double moved = first ? 0 : senses->angle[i] - s->angle[i];
        ib__follow(&s->turn[i], moved / c->period, c->filter_time, c->period);
        s->angle[i] = senses->angle[i];
    }
    for (int k = 0; k < 3; k++) {
        double moved = first ? 0 : tilt[k] - s->tilt[k];
        moved -= 2 * M_PI * rint(moved / (2 * M_PI)); // a heading that is told within a turn
        ib__follow(&s->rate[k], moved / c->period, 4 * c->filter_time, c->period);
        s->tilt[k] = tilt[k];
    }
    if (first) s->heading = senses->heading;
    s->ticks++;
}

// Foot and its velocity, Jacobian, torques in the air, spin of the tibia, share of the centre.
static void find_leg(const ib_Walk *walk, int i, const ib_WalkState *s, const double up[3],
                     ib__WalkLeg *leg, double centre[3])
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
    for (int k = 0; k < 3; k++) leg->spin[k] = ib__dot(shoulder->turn + 3 * k, spin);
}

// The weight that each foot feels: by its sensor, or by what its cylinders push.
static void feel(const ib_Walk *walk, const ib_WalkSenses *senses, const ib__WalkNow *now,
                 ib_WalkState *s)
{
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        double torque[3], force[3] = {0}, felt = senses->weight[i];
        ib_WalkFoot *foot = &s->foot[i];
        for (int j = 0; j < IB_LEG_JOINTS; j++) {
            int at = IB_LEG_JOINTS * i + j;
            ib_LinkageNow linkage = ib_linkage_at(&walk->joints[at].linkage, s->angle[at]);
            torque[j] = linkage.arm * senses->push[at];
        }
        if (isnan(felt)) {
            bool solved = ib_stance_felt(now->leg[i].jacobian, torque, now->leg[i].free, force);
            felt = solved ? ib__dot(force, now->up) : foot->felt;
        }
        ib__follow(&foot->felt, felt, walk->config.filter_time, walk->config.period);
        for (int k = 0; k < 2; k++)
            ib__follow(&foot->drag[k], force[k], walk->config.filter_time, walk->config.period);
    }
}

// u = R' z of the attitude Rz(heading) Ry(pitch) Rx(roll).
static void find_now(const ib_Walk *walk, const ib_WalkSenses *senses, const ib_WalkState *s,
                     ib__WalkNow *now)
{
    double sp, cp, sr, cr;
    ib_sincos(senses->pitch, &sp, &cp);
    ib_sincos(senses->roll, &sr, &cr);
    now->up[0] = -sp;
    now->up[1] = cp * sr;
    now->up[2] = cp * cr;
    memcpy(now->centre, walk->centre, sizeof now->centre);
    for (int i = 0; i < IB_LEG_LEGS; i++) find_leg(walk, i, s, now->up, &now->leg[i], now->centre);
}

// A foot slips that carries load and says another velocity of the body than the others.
static void watch_slip(const ib_Walk *walk, const double own[3], const double body[3],
                       ib_WalkState *s, ib_WalkFoot *foot)
{
    double x = own[0] - body[0], y = own[1] - body[1], speed = sqrt(x * x + y * y),
           was = foot->slid;
    if (!ib__stands(foot)) foot->slid = 0;
    if (!ib__stands(foot) || foot->stood < ib__walk_gait(walk, s)->ramp ||
        foot->felt < walk->config.landing)
        return;
    foot->slid = ib_max(foot->slid + walk->config.period * (speed - SLIDING), 0);
    s->slips += was < SLIPPED && foot->slid >= SLIPPED;
}

// The velocity of the body over the ground by its standing feet: a foot's centre rolls on the
// ground with spin x radius up, less its velocity in the body's frame.
static void find_place(const ib_Walk *walk, const ib_WalkSenses *senses, const ib__WalkNow *now,
                       ib_WalkState *s)
{
    double own[IB_LEG_LEGS][3], velocity[3] = {0}, loads = 0, T = walk->config.period, sine, cosine;
    const double spin_of_body[3] = {s->rate[1], s->rate[0], s->rate[2]};
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        const ib__WalkLeg *leg = &now->leg[i];
        double load = ib__stands(&s->foot[i]) ? ib_max(s->foot[i].felt, 0) : 0;
        double spin[3], radius[3], roll[3], turned[3];
        for (int k = 0; k < 3; k++) spin[k] = leg->spin[k] + spin_of_body[k];
        for (int k = 0; k < 3; k++) radius[k] = walk->foot_radius * now->up[k];
        cross(spin, radius, roll);
        cross(spin_of_body, leg->foot, turned);
        for (int k = 0; k < 3; k++) own[i][k] = roll[k] - leg->velocity[k] - turned[k];
        for (int k = 0; k < 3; k++) velocity[k] += load * own[i][k];
        loads += load;
    }
    if (!(loads > 0)) return;
    for (int k = 0; k < 3; k++) velocity[k] /= loads;
    for (int i = 0; i < IB_LEG_LEGS; i++) watch_slip(walk, own[i], velocity, s, &s->foot[i]);
    ib_sincos(senses->heading, &sine, &cosine);
    double forward = velocity[0], left = velocity[1];
    ib__follow(&s->velocity[0], forward, 2 * walk->config.filter_time, T);
    ib__follow(&s->velocity[1], left, 2 * walk->config.filter_time, T);
    s->way[0] += T * forward;
    s->way[1] += T * left;
    s->place[0] += T * (cosine * forward - sine * left);
    s->place[1] += T * (sine * forward + cosine * left);
}

// ------------------------------------------------------------------------------------------ forces

// The share of load that a foot may bear grows when it has landed, and falls before it lifts.
static double load_of(const ib_Walk *walk, int i, ib_WalkState *s)
{
    const ib_Gait *gait = ib__walk_gait(walk, s);
    ib_WalkFoot *foot = &s->foot[i];
    double wanted = 1, step = walk->config.period / gait->ramp;
    bool goes = s->walks > 0 && (s->held == IB_WALK_GOES || s->held == IB_WALK_UNLOADS);
    if (goes && foot->stood > gait->ramp)
        wanted = ib_gait_until_swing(gait, i, s->phase) * s->cycle / gait->ramp;
    wanted = ib_min(wanted, 1);
    foot->load += ib_min(ib_max(wanted - foot->load, -step), step);
    if (!ib__stands(foot)) foot->load = 0;
    return foot->load;
}

// Forces of the feet that make the wrench on the body.
static void share(const ib_Walk *walk, const ib__WalkNow *now, ib_WalkState *s,
                  double forces[IB_LEG_LEGS][3])
{
    ib_StanceFoot feet[IB_LEG_LEGS];
    double slip[3] = {0}, loads = 0, force[3];
    const ib_Gait *gait = ib__walk_gait(walk, s);
    ib_StanceConfig stance = walk->config.stance;
    double moment[3] = {0, 0, ib__walk_steer(s)};
    stance.slack = gait->slack;
    // The rate of roll is about x, that of pitch about y.
    for (int k = 0; k < 2; k++)
        moment[k] = -gait->righting[0] * s->tilt[!k] - gait->righting[1] * s->rate[!k];
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        const ib__WalkLeg *leg = &now->leg[i];
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
        if (loads > 0) force[k] += gait->damping * slip[k] / loads;
    }
    force[1] += walk->mass * s->shift[2];
    ib_stance_share(&stance, feet, IB_LEG_LEGS, force, moment, now->up, forces);
    for (int i = 0; i < IB_LEG_LEGS; i++) s->foot[i].wanted = ib__dot(forces[i], now->up);
}

// A cylinder is weak that has not given its force for a while, as its valve is stuck or the supply
// low, or whose load is more than the supply gives, unless the joint's stop bears it. `held`: the
// load's torque.
static void watch_force(const ib_Walk *walk, int at, double arm, double held, double push,
                        ib_WalkState *s)
{
    const ib_ForceServo *servo = &walk->joints[at].servo;
    double was = s->short_of[at], load = held / arm;
    double off = fabs(ib_force_servo_bound(servo, s->torque[at] / arm) - push);
    const double *range = walk->leg_model.range[at % IB_LEG_JOINTS];
    bool at_stop = held < 0 ? s->angle[at] > range[1] - STOP : s->angle[at] < range[0] + STOP;
    bool weak = off > MISSING || load != ib_force_servo_bound(servo, load);
    s->short_of[at] = weak && !at_stop ? was + walk->config.period : 0;
    s->weak += was < IB_WALK_WEAK && s->short_of[at] >= IB_WALK_WEAK;
}

// Outputs of a leg's joints.
static void drive(const ib_Walk *walk, int i, const ib__WalkNow *now, const double force[3],
                  const ib_WalkSenses *senses, ib_WalkState *s, double *output)
{
    const ib_WalkConfig *c = &walk->config;
    const ib__WalkLeg *leg = &now->leg[i];
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
        ib_ForceServo servo = joint->servo;
        if (!ib__upright(s)) ib_force_servo_free(&servo);
        output[at] =
            ib_force_servo_step(&servo, s->torque[at], arm, s->goal_rate[at], senses->push[at]);
        if (ib__upright(s)) watch_force(walk, at, arm, held, senses->push[at], s);
    }
}

// Feet and forces of a body that stands, walks or rises.
static void walk_on(const ib_Walk *walk, const ib__WalkNow *now, const ib_WalkSenses *senses,
                    ib_WalkState *s, double output[IB_LEGS_JOINTS])
{
    double moved[2], forces[IB_LEG_LEGS][3];
    if (!ib__walk_lifts(s)) {
        ib__walk_phase(walk, senses, now, s);
        ib__walk_speed(walk, senses, s);
        ib__walk_shift(walk, now, s, moved);
        for (int i = 0; i < IB_LEG_LEGS; i++) ib__walk_foot(walk, i, now, senses->height, moved, s);
        ib__walk_level(walk, senses, s);
    }
    share(walk, now, s, forces);
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        ib__walk_angles(walk, i, s);
        drive(walk, i, now, forces[i], senses, s, output);
    }
}

// Goals of height and tilt within what the gait goes in.
static void bound_goals(const ib_Walk *walk, const ib_WalkState *s, ib_WalkSenses *senses)
{
    const ib_Gait *gait = ib__walk_gait(walk, s);
    const double *most = gait->height;
    senses->height = ib_min(ib_max(senses->height, most[0] * walk->height), most[1] * walk->height);
    for (int k = 0; k < 2; k++)
        senses->tilt[k] = ib_min(ib_max(senses->tilt[k], -gait->tilt), gait->tilt);
}

void ib_walk_step(const ib_Walk *walk, const ib_WalkSenses *senses, ib_WalkState *s,
                  double output[IB_LEGS_JOINTS])
{
    ib__WalkNow now;
    ib_WalkSenses seen = *senses;
    bound_goals(walk, s, &seen);
    find_rates(walk, senses, s);
    find_now(walk, senses, s, &now);
    feel(walk, senses, &now, s);
    if (ib__walk_on_feet(s)) find_place(walk, senses, &now, s);
    if (ib__walk_fall(walk, &now, &seen, s, output)) walk_on(walk, &now, &seen, s, output);
    ib__walk_judge(&now, s);
}
