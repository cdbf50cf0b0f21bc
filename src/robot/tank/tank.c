// robot/tank/tank.c: the tank robot's physics: rates, its body, what it is to mechanisms.
// Derivation: docs/tank.md
#include "robot/tank/tank_inside.h"

#include "base/maths.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------- rates

// The electrical half of the book, and the charge:
//   E I = R_b I^2 + V I_background + V I_compressor + sum N u I_m
//   u I_m = R I_m^2 + (Ke - Kt) w I_m + T w + loss(w) w + d/dt (L I_m^2 / 2)
IB_FORMULA void book_drive(const ib_TankModel *t, const ib_TankNow *now, double *dx)
{
    const ib_MotorModel *m = &t->motor;
    double N = t->drive.motors;
    double left = now->power.bus.bridge[0].current, right = now->power.bus.bridge[1].current;
    double w_left = now->speed[0], w_right = now->speed[1];
    double copper = left * left + right * right;
    double conversion =
        ib_motor_conversion(m, left, w_left) + ib_motor_conversion(m, right, w_right);
    double loss =
        (now->loss[0] * w_left + now->scaled[0]) + (now->loss[1] * w_right + now->scaled[1]);
    dx[IB_TANK_E_COPPER] = N * m->R * copper;
    dx[IB_TANK_E_CONVERSION] = N * conversion;
    dx[IB_TANK_E_LOSS] = N * loss;
    dx[IB_TANK_E_GEAR] = now->drive[0].loss + now->drive[1].loss;
    dx[IB_TANK_E_COLLISION] = 0;
}

// Windings that warm up: their own rates, and copper with their resistance.
static void rate_thermal(const ib_TankModel *t, const double *x, const ib_TankNow *now, double *dx)
{
    double heat[2];
    for (int i = 0; i < 2; i++) {
        double I = now->power.bus.bridge[i].current;
        heat[i] = ib_thermal_resistance(&t->thermal, x, i, &t->motor) * I * I;
    }
    dx[IB_TANK_E_COPPER] = t->drive.motors * (heat[0] + heat[1]);
    ib_thermal_rate(&t->thermal, x, heat, dx);
}

// States that not every tank has and that follow from the drive's electrics alone.
IB_FORMULA void rate_modes(const ib_TankModel *t, const double *x, const ib_TankNow *now,
                           double *dx)
{
    for (int i = 0; t->current_state >= 0 && i < 2; i++) {
        ib_MotorModel motor = ib_thermal_motor_of(&t->thermal, x, i, &t->motor);
        dx[t->current_state + i] =
            now->open[i] || now->power.E <= 0
                ? 0
                : ib_motor_current_rate(&motor, t->inductance, now->power.bus.bridge[i].volts,
                                        x[t->current_state + i], now->speed[i]);
    }
    if (t->gear_state >= 0) dx[t->gear_state] = 0;
    if (ib_thermal_on(&t->thermal)) rate_thermal(t, x, now, dx);
}

// The supply.
IB_FORMULA void rate_power(const ib_TankModel *t, const double *x, const ib_PowerNow *power,
                           bool bare, double *dx)
{
    const ib_Bus *bus = &power->bus;
    ib_power_book(&t->power, &ib__tank_books, power->E, bus->voltage, bus->current, dx);
    if (bare) return;
    ib_power_rate_modes(&t->power, x, bus->current, dx);
    if (t->power.branch_count > 0) {
        const double drawn[2] = {bus->bridge[0].drawn, bus->bridge[1].drawn};
        ib_power_rate_branches(&t->power, x, drawn, dx);
    }
}

// The air, and what its compressor uses.
IB_FORMULA void rate_air(const ib_TankModel *t, const double *x, const ib_TankNow *now, double *dx)
{
    if (t->air_state < 0) return;
    dx[t->air_state] = now->power.bus.voltage * now->power.other;
    ib_air_rate(&t->air, x + t->air_state + 1, now->air, dx + t->air_state + 1);
}

// Sum of forces on the body, robot frame, about its origin, and the power that pushes give.
typedef struct Forces {
    double fx, fy, torque; // all of them
    double push;           // power of pushes and slopes [W]
} Forces;

// Pushes and a slope, which pulls at the centre of mass.
IB_FORMULA Forces outside(const double *x, const double *input, const ib_TankMass *all, bool loaded,
                          double c, double s)
{
    double px = input[IB_PUSH_X] + all->mass * input[IB_SLOPE_X];
    double py = input[IB_PUSH_Y] + all->mass * input[IB_SLOPE_Y];
    Forces f = {.fx = px * c + py * s, .fy = py * c - px * s};
    f.torque = ib_push_torque(input, c, s);
    if (loaded) {
        double sx = input[IB_SLOPE_X] * c + input[IB_SLOPE_Y] * s;
        double sy = input[IB_SLOPE_Y] * c - input[IB_SLOPE_X] * s;
        f.torque += all->mass * (all->x * sy - all->y * sx);
    }
    f.push = f.fx * x[IB_TANK_U] + f.fy * x[IB_TANK_N] + f.torque * x[IB_TANK_W];
    return f;
}

// Newton and Euler in the turning frame of a rigid body:                      [reference B7]
//   u' = fx/M + w n,   n' = fy/M - w u,   w' = torque/I;   rolling wheels: n = 0
IB_FORMULA void move(const ib_TankModel *t, const double *x, const Forces *f, double *dx)
{
    double u = x[IB_TANK_U], n = x[IB_TANK_N], w = x[IB_TANK_W];
    dx[IB_TANK_U] = f->fx * t->planar.per_mass + w * n;
    dx[IB_TANK_N] = t->wheels == IB_WHEEL_ROLLING ? 0 : f->fy * t->planar.per_mass - w * u;
    dx[IB_TANK_W] = f->torque * t->planar.per_inertia;
}

// On rolling wheels the axles push sideways as hard as it takes to keep n' = 0. With a load n' is
// linear in that force.
static double holding_force(const ib_TankModel *t, const ib_Payload *p, const ib_Twist *v,
                            double ddx, double ddy, const Forces *f)
{
    double n = ib_payload_rate(&t->base, p, v, ddx, ddy, f->fx, f->fy, f->torque).rate.n;
    double more = ib_payload_rate(&t->base, p, v, ddx, ddy, f->fx, f->fy + 1, f->torque).rate.n;
    return -n / (more - n);
}

// The same with a load that an arm moves.
static inline void move_loaded(const ib_TankModel *t, const double *x, const double *input,
                               Forces *f, double c, double s, double *dx)
{
    ib_Payload p = ib__tank_payload(t, x);
    ib_Twist v = {x[IB_TANK_U], x[IB_TANK_N], x[IB_TANK_W]};
    double ddx = ib_payload_mover(input[IB_TANK_PAYLOAD_X], p.x, p.dx, t->response);
    double ddy = ib_payload_mover(input[IB_TANK_PAYLOAD_Y], p.y, p.dy, t->response);
    ib_PayloadResult r = ib_payload_rate(&t->base, &p, &v, ddx, ddy, f->fx, f->fy, f->torque);
    if (t->wheels == IB_WHEEL_ROLLING) {
        double side = holding_force(t, &p, &v, ddx, ddy, f);
        r = ib_payload_rate(&t->base, &p, &v, ddx, ddy, f->fx, f->fy + side, f->torque);
        r.rate.n = 0;
    }
    dx[IB_TANK_U] = r.rate.u;
    dx[IB_TANK_N] = r.rate.n;
    dx[IB_TANK_W] = r.rate.w;
    double *load = dx + t->payload_state;
    load[IB__LOAD] = 0;
    load[IB__LOAD_X] = p.dx;
    load[IB__LOAD_Y] = p.dy;
    load[IB__LOAD_DX] = ddx;
    load[IB__LOAD_DY] = ddy;
    // A slope pulls the load along the arm too, which the arm then need not do.
    double along = p.mass * ((input[IB_SLOPE_X] * c + input[IB_SLOPE_Y] * s) * p.dx +
                             (input[IB_SLOPE_Y] * c - input[IB_SLOPE_X] * s) * p.dy);
    load[IB__LOAD_WORK] = r.arm_power - along;
    f->push += along;
}

double ib__tank_side(const ib_TankModel *t, const double *x, const double *input, double c,
                     double s, double left, double right)
{
    if (t->wheels == IB_WHEEL_VISCOUS) return ib_wheel_side_force(&t->wheel, x[IB_TANK_N]);
    bool loaded = t->payload_state >= 0;
    ib_TankMass all = ib__tank_mass(t, x, false);
    Forces f = outside(x, input, &all, loaded, c, s);
    f.fx += left + right;
    f.torque += (right - left) * t->half_track;
    if (!loaded) return x[IB_TANK_W] * x[IB_TANK_U] / t->planar.per_mass - f.fy;
    ib_Payload p = ib__tank_payload(t, x);
    ib_Twist v = {x[IB_TANK_U], x[IB_TANK_N], x[IB_TANK_W]};
    double ddx = ib_payload_mover(input[IB_TANK_PAYLOAD_X], p.x, p.dx, t->response);
    double ddy = ib_payload_mover(input[IB_TANK_PAYLOAD_Y], p.y, p.dy, t->response);
    return holding_force(t, &p, &v, ddx, ddy, &f);
}

// Wheels geared to the floor: their torque is the force, and slip is only sideways.
IB_FORMULA double rate_geared(const ib_TankModel *t, const double *x, const ib_TankNow *now,
                              bool bare, double weight, Forces *f)
{
    double left = now->drive[0].torque * t->drive.per_radius;
    double right = now->drive[1].torque * t->drive.per_radius;
    double n = x[IB_TANK_N], power = 0;
    if (t->wheels == IB_WHEEL_VISCOUS) {
        double side = ib_wheel_side_force(&t->wheel, n);
        f->fy += side;
        power = -side * n;
    }
    if (!bare && t->rolls) {
        double drag_left = ib_wheel_rolling_force(&t->wheel, now->rim[0], 0.5 * weight);
        double drag_right = ib_wheel_rolling_force(&t->wheel, now->rim[1], 0.5 * weight);
        left += drag_left;
        right += drag_right;
        power -= drag_left * now->rim[0] + drag_right * now->rim[1];
    }
    f->fx += left + right;
    f->torque += (right - left) * t->half_track;
    return power;
}

// Wheels with a speed of their own:  J W' = torque - r F                      [reference B8]
IB_FORMULA double rate_slipping(const ib_TankModel *t, const ib_TankNow *now,
                                const ib_WheelForces *p, Forces *f, double *dx)
{
    double per_J = t->drive.per_inertia[now->gear], r = t->drive.radius, power = p->power;
    double left = now->drive[0].torque - r * p->left, right = now->drive[1].torque - r * p->right;
    f->fx += p->fx;
    f->fy += p->fy;
    f->torque += p->torque;
    if (t->rolls) {
        double load[2] = {p->load[0] + p->load[1], p->load[2] + p->load[3]};
        double drag_left = ib_wheel_rolling_force(&t->wheel, now->rim[0], load[0]);
        double drag_right = ib_wheel_rolling_force(&t->wheel, now->rim[1], load[1]);
        left += r * drag_left;
        right += r * drag_right;
        power -= drag_left * now->rim[0] + drag_right * now->rim[1];
    }
    dx[t->wheel_state] = left * per_J;
    dx[t->wheel_state + 1] = right * per_J;
    return power;
}

// `wheels`: their law, all that are geared to the floor count as rolling; `shared`: the bus is
// shared with mechanisms and has been solved, NULL: it is not. False: this level cannot tell.
IB_FORMULA bool rate_of(const ib_TankModel *t, const double *x, const double *input, int level,
                        int wheels, const ib_Shared *shared, double *dx)
{
    double c, s, u = x[IB_TANK_U], n = x[IB_TANK_N];
    bool bare = level == IB__BARE, loaded = !bare && t->payload_state >= 0;
    bool slips = wheels >= IB_WHEEL_FRICTION_CIRCLE;
    ib_AirInput air;
    ib_TankNow now;
    ib_WheelForces p;
    ib__tank_begin(&now, &air);
    ib_TankMass all = ib__tank_mass(t, x, bare);
    ib__tank_speeds(t, x, bare, &now);
    if (slips && level == IB__PLAIN && !(fabs(x[IB_TANK_TH]) <= 1e5)) return false;

    // From slip to force and from speed to torque: neither depends on the other, so that the slips
    // are begun first, then the electrics, then sine and cosine: docs/performance.md
    ib_WheelCircle circle;
    const ib_Cargo *cargo = shared ? shared->cargo : NULL;
    ib_Weight weight = ib__tank_weight(t, &all, cargo, input[IB_GRAVITY]);
    if (wheels == IB_WHEEL_FRICTION_CIRCLE)
        circle = ib_wheel_circle_begin(&t->wheel, u, n, x[IB_TANK_W], now.rim[0], now.rim[1]);
    if (shared)
        ib__tank_bus_shared(t, x, input, shared->power, &shared->draw, &now);
    else if (!ib__tank_bus(t, x, input, level, &now))
        return false;
    if (slips && level == IB__PLAIN)
        ib__sincos_near(x[IB_TANK_TH], &s, &c);
    else
        ib_sincos(x[IB_TANK_TH], &s, &c);
    if (wheels == IB_WHEEL_FRICTION_CIRCLE)
        p = ib_wheel_circle_end(&t->wheel, &circle, &weight);
    else if (slips)
        p = ib__tank_floor(t, x, &now, wheels, &weight, dx + t->bristle_state);
    ib__tank_torques(t, input, level, &now);
    dx[IB_TANK_TH] = x[IB_TANK_W];
    dx[IB_TANK_X] = u * c - n * s;
    dx[IB_TANK_Y] = u * s + n * c;
    Forces f = outside(x, input, &all, loaded, c, s);
    dx[IB_TANK_E_TYRE] = slips ? rate_slipping(t, &now, &p, &f, dx)
                               : rate_geared(t, x, &now, bare, weight.force, &f);
    if (loaded)
        move_loaded(t, x, input, &f, c, s, dx);
    else
        move(t, x, &f, dx);
    dx[IB_TANK_E_PUSH] = f.push;
    book_drive(t, &now, dx);
    if (!shared) rate_power(t, x, &now.power, bare, dx);
    if (!bare) rate_modes(t, x, &now, dx);
    if (!bare) rate_air(t, x, &now, dx);
    return true;
}

// One function for each law of the wheels (docs/performance.md); where a level cannot tell, the
// lowest one does.
#define RATE(name, level, wheels)                                                                  \
    static __attribute__((noinline)) void name(const ib_TankModel *t, const double *x,             \
                                               const double *input, double *dx)                    \
    {                                                                                              \
        if (!rate_of(t, x, input, level, wheels, NULL, dx)) rate_any(t, x, input, dx);             \
    }
static __attribute__((noinline)) void rate_any(const ib_TankModel *t, const double *x,
                                               const double *input, double *dx)
{
    rate_of(t, x, input, IB__ANY, t->wheel_state < 0 ? IB_WHEEL_ROLLING : t->wheels, NULL, dx);
}
static void rate_shared(const void *model, const double *x, const double *input,
                        const ib_Shared *shared, double *dx)
{
    const ib_TankModel *t = model;
    rate_of(t, x, input, IB__ANY, t->wheel_state < 0 ? IB_WHEEL_ROLLING : t->wheels, shared, dx);
}
RATE(rate_plain_geared, IB__PLAIN, IB_WHEEL_ROLLING)
RATE(rate_plain_circle, IB__PLAIN, IB_WHEEL_FRICTION_CIRCLE)
RATE(rate_plain_bristle, IB__PLAIN, IB_WHEEL_BRISTLE)

// The rate of every tank that is not bare.
static __attribute__((noinline)) void rate_other(const ib_TankModel *t, const double *x,
                                                 const double *input, double *dx)
{
    if (t->published)
        ib__tank_published_rate(t, x, input, dx);
    else if (t->level < IB__PLAIN)
        rate_any(t, x, input, dx);
    else if (t->wheel_state < 0)
        rate_plain_geared(t, x, input, dx);
    else if (t->wheels == IB_WHEEL_FRICTION_CIRCLE)
        rate_plain_circle(t, x, input, dx);
    else
        rate_plain_bristle(t, x, input, dx);
}

void ib__tank_rate(const void *model, const double *x, const double *input, double *dx)
{
    const ib_TankModel *t = model;
    if (t->level == IB__BARE && rate_of(t, x, input, IB__BARE, IB_WHEEL_ROLLING, NULL, dx)) return;
    rate_other(t, x, input, dx);
}

// --------------------------------------------------------------------------------- with mechanisms

static const ib_PowerModel *power_of(const void *model)
{
    const ib_TankModel *t = model;
    return t->published ? NULL : &t->power; // RoboSim's equations know no bus
}

static void fill_bridges(const void *model, const double *x, const double *input, bool on,
                         ib_Bridge *bridge)
{
    ib_TankNow now;
    ib__tank_speeds(model, x, false, &now);
    ib__tank_bridges(model, x, input, false, on, &now, bridge);
}

static ib_Load load_shared(const void *model, const double *x, const double *input, bool on,
                           double volts)
{
    const ib_TankModel *t = model;
    ib_AirInput air;
    if (t->air_state < 0) return ib_load_none();
    ib__tank_air_input(t, input, on, &air);
    return ib_air_load(&t->air, x + t->air_state + 1, &air, volts);
}

static const ib_AirModel *air_of(const void *model, int *state)
{
    const ib_TankModel *t = model;
    *state = t->air_state + 1;
    return t->air_state < 0 ? NULL : &t->air;
}

static int bridges_of(const void *model)
{
    (void)model;
    return 2;
}

static bool slips(const void *model)
{
    return ((const ib_TankModel *)model)->wheel_state >= 0;
}

const ib_PoweredBase ib__tank_powered = {
    .bridges = bridges_of,
    .power = power_of,
    .slips = slips,
    .air = air_of,
    .fill = fill_bridges,
    .load = load_shared,
    .rate = rate_shared,
    .guard = ib__tank_guard_shared,
    .settle = ib__tank_settle_shared,
    .output = ib__tank_output_shared,
};

// -------------------------------------------------------------------------------------------- body

const ib_StateDef ib__tank_roles[IB_TANK_FIXED] = {
    [IB_TANK_X] = {.role = IB_STATE_X},
    [IB_TANK_Y] = {.role = IB_STATE_Y},
    [IB_TANK_TH] = {.role = IB_STATE_HEADING},
    [IB_TANK_U] = {.role = IB_STATE_FORWARD},
    [IB_TANK_N] = {.role = IB_STATE_LEFT},
    [IB_TANK_W] = {.role = IB_STATE_YAW_RATE},
    [IB_TANK_E_COLLISION] = {.role = IB_STATE_CONTACT_ENERGY},
    [IB_TANK_E_PUSH] = {.role = IB_STATE_PUSH_ENERGY},
};

// With a load that an arm moves. The arm takes it along, and works with its own speed: m dv . p'
static ib_Twist answer_loaded(const ib_TankModel *t, const double *x, double jx, double jy,
                              double turn, bool rolling, double *change)
{
    ib_Payload p = ib__tank_payload(t, x), held = p;
    held.dx = held.dy = 0; // the mover does not give way
    ib_Twist v = ib_payload_twist(&t->base, &held, jx, jy, turn);
    if (rolling) {
        ib_Twist one = ib_payload_twist(&t->base, &held, 0, 1, 0);
        double side = -v.n / one.n;
        v = (ib_Twist){v.u + side * one.u, 0, v.w + side * one.w};
    }
    if (change)
        change[t->payload_state + IB__LOAD_WORK] +=
            p.mass * ((v.u - v.w * p.y) * p.dx + (v.n + v.w * p.x) * p.dy);
    return v;
}

// Rolling wheels take the sideways part of an impulse; the document's robot slides.
ib_Twist ib__tank_answer(const void *model, const double *x, double jx, double jy, double turn,
                         double *change)
{
    const ib_TankModel *t = model;
    bool rolling = t->wheels == IB_WHEEL_ROLLING && !t->published;
    if (t->payload_state >= 0) return answer_loaded(t, x, jx, jy, turn, rolling, change);
    return (ib_Twist){jx * t->planar.per_mass, rolling ? 0 : jy * t->planar.per_mass,
                      turn * t->planar.per_inertia};
}

static void reset_modes(const ib_TankModel *t, const ib_TankConfig *config, double *x)
{
    for (int i = 0; t->wheel_state >= 0 && i < 2; i++) {
        double rim = x[IB_TANK_U] + (i ? 1 : -1) * x[IB_TANK_W] * t->half_track;
        x[t->wheel_state + i] = rim * t->drive.per_radius;
    }
    ib_power_reset(&t->power, x);
    if (t->payload_state >= 0) {
        x[t->payload_state + IB__LOAD] = config->payload_mass;
        x[t->payload_state + IB__LOAD_X] = config->payload_x;
        x[t->payload_state + IB__LOAD_Y] = config->payload_y;
    }
    if (t->air_state >= 0) ib_air_reset(&t->air, x + t->air_state + 1);
    ib_thermal_reset(&t->thermal, x);
}

void ib__tank_reset(const void *config_, const void *model, double *x)
{
    const ib_TankConfig *config = config_;
    const ib_TankModel *t = model;
    memset(x, 0, (size_t)t->state_count * sizeof *x);
    ib_planar_reset(&t->planar, &config->planar, x);
    if (t->wheels == IB_WHEEL_ROLLING && !t->published) x[IB_TANK_N] = 0;
    reset_modes(t, config, x);
    x[IB_TANK_E_PUSH] = ib__tank_kinetic(t, x).all; // what it was given before the run began
}
