// robot/tank/tank_locomotion.c: the commands that a motion requires of a tank robot, for routines
// and paths. Floor, gears, motors and battery are the same as in its rate, solved for the commands.
// Symbols as in robot/tank/tank.h. The derivation is in docs/control/follow.md.
#include "robot/tank/tank.h"

#include "base/extreme.h"
#include "base/matrix.h"
#include "robot/uneven.h"

#include <math.h>

enum { NEWTON_STEPS = 30, HALVINGS = 8 };

#define BRISTLE_SOFT 0.01 ///< slip around which a steady bristle changes its sign [m/s]

// ------------------------------------------------------------------------------------------- floor

// Bristles that have settled: sigma_0 z = g s/|s|, softened around s = 0,
// where they could hold any force.
static void settle_bristles(const ib_WheelModel *m, double u, double n, double w,
                            const double rim[2], double z[IB_BRISTLE_STATES])
{
    const ib_TyreModel *tyre = &m->tyre;
    ib__WheelSlip s = ib__wheel_slip(m, u, n, w, rim[0], rim[1]);
    for (int i = 0; i < IB_WHEEL_PATCHES; i++) {
        double x = i < 2 ? s.left : s.right;
        double y = m->config.side_scale * (i % 2 ? s.rear : s.front);
        double square = x * x + y * y, q = square * tyre->per_slip_speed * tyre->per_slip_speed;
        double g = tyre->mu + (tyre->mu_static - tyre->mu) / (1 + q * (1 + 0.5 * q));
        double per = g / (tyre->stiffness * sqrt(square + BRISTLE_SOFT * BRISTLE_SOFT));
        z[i] = per * x;
        z[i + IB_WHEEL_PATCHES] = per * y;
    }
}

static ib_WheelForces floor_forces(const ib_Locomotion *s, double u, double n, double w,
                                   const double rim[2])
{
    const ib_TankModel *t = s->model;
    ib_Weight weight = {s->mass * s->gravity, s->x, s->y, s->height};
    if (t->sides.law == IB_WHEEL_FRICTION_CIRCLE)
        return ib_wheel_friction_circle(&t->sides.wheel, u, n, w, rim[0], rim[1], &weight);
    double z[IB_BRISTLE_STATES], dz[IB_BRISTLE_STATES];
    settle_bristles(&t->sides.wheel, u, n, w, rim, z);
    return ib_wheel_bristle(&t->sides.wheel, u, n, w, rim[0], rim[1], &weight, z, dz);
}

// The force that a motion requires, about the origin: W v' less the effect of the turning frame
// (plant/mass.h), with the centre of mass at (x, y).
static ib_Wrench force_of(const ib_Locomotion *s, const ib_AxisMotion *m, double n)
{
    double w = m->velocity[2], dw = m->rate[2], M = s->mass, Sx = M * s->x, Sy = M * s->y;
    double ahead = m->rate[0] - w * n, aside = m->rate[1] + w * m->velocity[0];
    return (ib_Wrench){M * ahead - (Sy * dw + Sx * w * w), M * aside + (Sx * dw - Sy * w * w),
                       s->inertia * dw + (Sx * aside - Sy * ahead)};
}

// A motion's demand on the floor, and the slips that meet it.
typedef struct Floor {
    double rim[2], n; // rolling of the sides and drift of the origin [m/s]
    double force[2];  // along the heading, of each side [N]
    double load[2];   // on the wheels of each side [N]
    bool found;       // false: no slip gives this motion
    double share;     // of the friction there is
} Floor;

// Wheels geared to the floor. The viscous law pushes sideways with -K n = M (n' + w u), where the
// mass is in the middle.
static void stand_geared(const ib_Locomotion *s, const ib_AxisMotion *m, Floor *f)
{
    const ib_TankModel *t = s->model;
    double w = m->velocity[2], K = t->sides.wheel.config.side_friction;
    bool slides = t->sides.law == IB_WHEEL_VISCOUS;
    double across = force_of(s, m, 0).fy;
    f->n = slides && K > 0 ? -across / K : 0;
    f->found = !slides || K > 0 || across == 0;
    ib_Wrench force = force_of(s, m, f->n);
    double push = 0.5 * force.fx, turn = 0.5 * force.torque / t->sides.wheel.half_track;
    for (int i = 0; i < 2; i++) {
        double side = i ? 1 : -1;
        f->rim[i] = m->velocity[0] + side * w * t->sides.wheel.half_track;
        f->force[i] = push + side * turn;
        f->load[i] = 0.5 * s->mass * s->gravity;
    }
}

// The error of slips (rim left, rim right, n) in the force that the motion requires, over the
// weight; in its torque over W.
static double miss(const ib_Locomotion *s, const ib_AxisMotion *m, const double y[3],
                   ib_WheelForces *p, double r[3])
{
    double per = 1 / (s->mass * s->gravity);
    ib_Wrench force = force_of(s, m, y[2]);
    *p = floor_forces(s, m->velocity[0], y[2], m->velocity[2], y);
    r[0] = per * (p->fx - force.fx);
    r[1] = per * (p->fy - force.fy);
    r[2] = per * (p->torque - force.torque) / s->half_track;
    return sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
}

// Trial slips, their forces and their errors.
typedef struct Try {
    double y[3], r[3], size;
    ib_WheelForces p;
} Try;

// One step of Newton's method, shortened until it helps. False: it does not.
static bool improve(const ib_Locomotion *s, const ib_AxisMotion *m, Try *best)
{
    const double *y = best->y, *r = best->r;
    double J[9], step[3], h = 1e-5;
    int pivot[3];
    for (int k = 0; k < 3; k++) {
        double moved[3] = {y[0], y[1], y[2]}, q[3];
        ib_WheelForces p;
        moved[k] += h;
        miss(s, m, moved, &p, q);
        for (int i = 0; i < 3; i++) J[3 * i + k] = (q[i] - r[i]) / h;
        step[k] = -r[k];
    }
    if (ib_matrix_factor(3, J, pivot)) return false;
    ib_matrix_solve(3, J, pivot, step);
    double longest = ib_max(fabs(step[0]), ib_max(fabs(step[1]), fabs(step[2])));
    double part = longest > 1 ? 1 / longest : 1;
    for (int n = 0; n < HALVINGS; n++, part *= 0.5) {
        Try next = {.y = {y[0] + part * step[0], y[1] + part * step[1], y[2] + part * step[2]}};
        next.size = miss(s, m, next.y, &next.p, next.r);
        if (!(next.size < best->size)) continue;
        *best = next;
        return true;
    }
    return false;
}

// False: no slip near these was found that gives the motion.
static bool solve(const ib_Locomotion *s, const ib_AxisMotion *m, Try *best)
{
    best->size = miss(s, m, best->y, &best->p, best->r);
    for (int n = 0; n < NEWTON_STEPS && best->size > 1e-10; n++)
        if (!improve(s, m, best)) break;
    return best->size < 1e-6;
}

// Wheels that slip. In a steady turn without acceleration rim = u -+ w (W + a^2/W), for any mu
// (docs/plant/wheel.md): the search begins there, without a near solution.
static void stand_slipping(const ib_Locomotion *s, const ib_AxisMotion *m, Floor *f)
{
    const ib_TankModel *t = s->model;
    Try best = {.size = INFINITY};
    if (m->like)
        best.y[0] = m->like->rim[0], best.y[1] = m->like->rim[1], best.y[2] = m->like->drift;
    f->found = m->like && solve(s, m, &best);
    if (!f->found) {
        double a = t->sides.wheel.config.side_scale * t->sides.wheel.config.contact_half_length;
        double W = t->sides.wheel.half_track, turn = m->velocity[2] * (W + a * a / W);
        best = (Try){.y = {m->velocity[0] - turn, m->velocity[0] + turn, 0}};
        f->found = solve(s, m, &best);
    }
    f->n = best.y[2];
    for (int i = 0; i < 2; i++) {
        f->rim[i] = best.y[i];
        f->force[i] = i ? best.p.right : best.p.left;
        f->load[i] = best.p.load[2 * i] + best.p.load[2 * i + 1];
    }
    double most = t->sides.wheel.tyre.mu * s->mass * s->gravity;
    ib_Wrench force = force_of(s, m, f->n);
    f->share = most > 0 ? sqrt(force.fx * force.fx + force.fy * force.fy) / most : INFINITY;
}

// --------------------------------------------------------------------------------------- electrics

static const ib_MotorModel *motor_of(const ib_TankModel *t)
{
    return &t->shafts[0].motor;
}

// Terminal voltage and current of one motor.
typedef struct Motor {
    double volts, current;
} Motor;

// From the floor to a motor of one side, backwards through ib__tank_torques:
//   N G e T = r F + J rim'/r + rolling,   I = (T + loss)/Kt,   u = R I + Ke w_m
static Motor find_motor(const ib_TankModel *t, const ib_AxisMotion *m, const Floor *f, int i)
{
    double r = t->sides.drive.radius, G = t->sides.drive.reduction[0], rim = f->rim[i];
    double speed = rim * t->sides.drive.per_radius * G;
    double force = f->force[i];
    if (t->sides.resists) force -= ib_wheel_rolling_force(&t->sides.wheel, rim, f->load[i]);
    double torque = r * force;
    if (t->sides.slips) {
        // The sides speed up as they roll: rim = u -+ (effective half track) w.
        bool turning = fabs(m->velocity[2]) > 1e-3;
        double track =
            turning ? 0.5 * (f->rim[1] - f->rim[0]) / m->velocity[2] : t->sides.wheel.half_track;
        double quicker = m->rate[0] + (i ? 1 : -1) * track * m->rate[2];
        torque += t->sides.drive.inertia[0] * quicker * t->sides.drive.per_radius;
    }
    double change = ib_gear_change(t->shafts[0].lost, t->shafts[0].gained, torque * speed, speed);
    double own = torque / (t->shafts[0].motors * G * (1 + change));
    Motor motor;
    motor.current = (own + ib_motor_loss(motor_of(t), speed)) / motor_of(t)->Kt;
    motor.volts = motor_of(t)->R * motor.current + motor_of(t)->Ke * speed;
    return motor;
}

static void mark(ib_MotionDemand *d, double share, ib_MotionLimit limit)
{
    if (!(share > d->share)) return;
    d->share = share;
    d->limit = limit;
}

// The battery under the motors' power:  V^2 - (E - Rb I_b) V + Rb N (u_l I_l + u_r I_r) = 0, the
// higher root. Commands are shares of V on the scale of 12 V.
static void find_commands(const ib_TankModel *t, const Motor motor[2], ib_MotionDemand *d)
{
    const ib_PowerModel *supply = &t->robot->feed.power;
    double E = ib_battery_open_circuit(&supply->battery, supply->start_charge);
    double Rb = supply->battery.resistance, b = E - Rb * supply->background;
    double power = motor[0].volts * motor[0].current + motor[1].volts * motor[1].current;
    double square = b * b - 4 * Rb * t->shafts[0].motors * power;
    double V = square > 0 ? 0.5 * (b + sqrt(square)) : 0.5 * b;
    if (square <= 0) mark(d, INFINITY, IB_LIMIT_SUPPLY);
    if (supply->brownout_state >= 0 && E > supply->brownout.droop)
        mark(d, (E - V) / (E - supply->brownout.droop), IB_LIMIT_SUPPLY);
    d->supply = V;
    for (int i = 0; i < 2; i++) {
        double duty = motor[i].volts / V;
        d->command[i] = IB_COMMAND_SCALE * duty;
        mark(d, fabs(duty), IB_LIMIT_COMMANDS);
        mark(d, fabs(motor[i].current) / t->shafts[0].stator, IB_LIMIT_CURRENT);
        mark(d, duty * motor[i].current / t->shafts[0].supply, IB_LIMIT_CURRENT);
    }
}

static void demand(const ib_Locomotion *base, const ib_AxisMotion *motion, ib_MotionDemand *d)
{
    const ib_TankModel *t = base->model;
    Floor floor = {.share = 0};
    if (t->sides.slips)
        stand_slipping(base, motion, &floor);
    else
        stand_geared(base, motion, &floor);
    *d = (ib_MotionDemand){.rim = {floor.rim[0], floor.rim[1]}, .drift = floor.n};
    Motor motor[2] = {find_motor(t, motion, &floor, 0), find_motor(t, motion, &floor, 1)};
    mark(d, floor.found ? floor.share : INFINITY, IB_LIMIT_TYRES);
    find_commands(t, motor, d);
}

// ------------------------------------------------------------------------------------------- slide

// Newton's law for the centre of mass (x, y), which the origin turns around, and Euler's about it:
//   u' = Fx/M + w n + y w' + x w^2,   n' = Fy/M - w u - x w' + y w^2
static void slide_rate(const ib_Locomotion *s, const double rim[2], double w, const double v[2],
                       double rate[2])
{
    ib_WheelForces p = floor_forces(s, v[0], v[1], w, rim);
    double x = s->x, y = s->y, own = s->inertia - s->mass * (x * x + y * y);
    double dw = (p.torque - (x * p.fy - y * p.fx)) / own;
    rate[0] = p.fx / s->mass + w * v[1] + (y * dw + x * w * w);
    rate[1] = p.fy / s->mass - w * v[0] - (x * dw - y * w * w);
}

// One linearly implicit Euler step: (1 - dt J) dv = dt v'. Slip settles within milliseconds.
static void slide_slipping(const ib_Locomotion *s, const double rim[2], double w, double dt,
                           double v[2])
{
    double rate[2], J[4], h = 1e-5;
    slide_rate(s, rim, w, v, rate);
    for (int k = 0; k < 2; k++) {
        double moved[2] = {v[0], v[1]}, other[2];
        moved[k] += h;
        slide_rate(s, rim, w, moved, other);
        for (int i = 0; i < 2; i++) J[2 * i + k] = -dt * (other[i] - rate[i]) / h;
    }
    J[0] += 1;
    J[3] += 1;
    double per = dt / (J[0] * J[3] - J[1] * J[2]);
    v[0] += per * (J[3] * rate[0] - J[1] * rate[1]);
    v[1] += per * (J[0] * rate[1] - J[2] * rate[0]);
}

static void slide(const ib_Locomotion *base, const double rim[2], double w, double dt, double v[2])
{
    const ib_TankModel *t = base->model;
    if (t->sides.slips) {
        slide_slipping(base, rim, w, dt, v);
        return;
    }
    // Geared to the floor; the viscous law gives way sideways:  n' = -K n/M - w u + y w^2
    double decay = t->sides.wheel.config.side_friction / base->mass;
    v[0] = 0.5 * (rim[0] + rim[1]);
    v[1] = t->sides.law == IB_WHEEL_ROLLING
               ? 0
               : (v[1] - dt * w * (v[0] - base->y * w)) / (1 + dt * decay);
}

ib_Status ib__tank_locomotion(const void *robot, const double *state, double gravity,
                              ib_Locomotion *base, ib_Error *error)
{
    const ib_TankModel *t = ib_parts_own(robot);
    if (t->published)
        return ib_error_set(error, IB_BAD_INPUT,
                            "RoboSim's equations as printed have half of the real force and cannot "
                            "be steered by the real one: expected equations: corrected");
    ib_BodyWires body;
    ib_parts_weigh(robot, state, gravity, &body);
    bool uneven = t->robot->body.uneven;
    *base = (ib_Locomotion){
        .model = t,
        .gravity = gravity,
        .mass = uneven ? body.whole.mass : t->mass,
        .inertia = uneven ? body.whole.inertia : t->inertia,
        .x = body.weight.x,
        .y = body.weight.y,
        .height = body.weight.height,
        .count = 2,
        .commands = {"left", "right"},
        .range = IB_COMMAND_SCALE,
        .supply = "battery.voltage",
        .half_track = t->sides.wheel.half_track,
        .coasts = t->motors.coasts,
        .demand = demand,
        .slide = slide,
    };
    return IB_OK;
}
