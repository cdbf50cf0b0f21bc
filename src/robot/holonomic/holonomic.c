// robot/holonomic/holonomic.c: the holonomic base's physics: rates, modes. docs/holonomic.md
#include "robot/holonomic/holonomic_inside.h"

#include "base/maths.h"

#include <math.h>
#include <string.h>

// --------------------------------------------------------------------------------------- electrics

ib_Stick ib__holonomic_stick(const double *input)
{
    ib_Stick stick = {input[IB_HOLONOMIC_STICK_X], input[IB_HOLONOMIC_STICK_Y],
                      input[IB_HOLONOMIC_TURN]};
    double frame = input[IB_HOLONOMIC_FRAME];
    return frame != 0 ? ib_stick_in_frame(&stick, frame) : stick;
}

// Speeds of the rims: from their own state, or as the robot moves.
static void find_speeds(const ib_HolonomicModel *h, const double *x, double *speed)
{
    double u = x[IB_HOLONOMIC_U], n = x[IB_HOLONOMIC_N], w = x[IB_HOLONOMIC_W];
    for (int i = 0; i < h->rims; i++) {
        const double *turn = h->layout.turn[i];
        speed[i] =
            h->rim_state >= 0 ? x[h->rim_state + i] : turn[0] * u + turn[1] * n + turn[2] * w;
    }
}

// What the mixing asks for, as a share of the bus voltage.
static double duty_of(double output)
{
    return output > 1 ? 1 : output < -1 ? -1 : output;
}

// Outputs of the mixing and speeds of the rims.
static void find_commands(const ib_HolonomicModel *h, const double *x, const double *input,
                          ib__HolonomicNow *now)
{
    ib_Stick stick = ib__holonomic_stick(input);
    ib_mixing_outputs(&h->mixing, &stick, now->output);
    find_speeds(h, x, now->speed);
}

// The bridges as commanded; `on`: outputs follow their commands.
static void find_bridges(const ib_HolonomicModel *h, const double *x, bool on,
                         const ib__HolonomicNow *now, ib_Bridge *bridge)
{
    for (int i = 0; i < h->rims; i++) {
        double duty = duty_of(now->output[i]);
        bool open = !ib_power_reaches(&h->power, x, i) || (h->coasts && (!on || duty == 0));
        ib_MotorModel motor = ib_thermal_motor_of(&h->thermal, x, i, &h->motor);
        bridge[i] = (ib_Bridge){.duty = on ? duty : 0,
                                .emf = h->motor.Ke * (h->drive.reduction[0] * now->speed[i]),
                                .count = h->drive.motors,
                                .R = motor.R,
                                .per_R = motor.per_R,
                                .stator = h->current_limit,
                                .supply = h->supply_limit,
                                .open = open};
    }
}

// Without limits, breakers of the motors and motors that coast or warm up, the bus is one linear
// equation, as in plant/bus.h:
//   V = (R (E - Rb other) + Rb sum n d e)/(R + Rb sum n d^2)
// False: no voltage serves all loads.
static bool solve_plainly(const ib_HolonomicModel *h, const double *x, bool on,
                          const ib__HolonomicNow *now, ib_PowerNow *power)
{
    const ib_BatteryModel *battery = &h->power.battery;
    double Rb = battery->resistance, R = h->motor.R, N = h->drive.motors, fed = 0, load = 0;
    double duty[IB_HOLONOMIC_RIMS], emf[IB_HOLONOMIC_RIMS];
    for (int i = 0; i < h->rims; i++) {
        duty[i] = on ? duty_of(now->output[i]) : 0;
        emf[i] = h->motor.Ke * (h->drive.reduction[0] * now->speed[i]);
        fed += duty[i] * emf[i];
        load += duty[i] * duty[i];
    }
    ib_Bus *bus = &power->bus;
    power->E =
        ib_battery_open_circuit(battery, ib_power_charge(&h->power, x, x[IB_HOLONOMIC_USED]));
    power->other = 0;
    bus->voltage =
        (R * (power->E - Rb * h->power.background) + Rb * (N * fed)) / (R + Rb * (N * load));
    bus->current = h->power.background;
    bus->collapsed = false;
    for (int i = 0; i < h->rims; i++) {
        bus->bridge[i] = ib__bridge_free(duty[i], emf[i], h->motor.per_R, bus->voltage);
        bus->current += N * bus->bridge[i].drawn;
    }
    return bus->voltage >= 0;
}

static void solve_bus(const ib_HolonomicModel *h, const double *x, const double *input,
                      ib__HolonomicNow *now)
{
    ib_Bridge bridge[IB_HOLONOMIC_RIMS];
    bool fed = ib_power_fed(&h->power, x), on = fed && ib_power_enabled(&h->power, x);
    find_commands(h, x, input, now);
    if (h->plain && fed && solve_plainly(h, x, on, now, &now->power)) return;
    find_bridges(h, x, on, now, bridge);
    ib_power_solve(&h->power, x, bridge, h->rims, NULL, &now->power);
}

// From the bus to torques at the rims:
//   u = d V,  I = (u - Ke w)/R,  T = Kt I - loss(w),  torque of a rim = N G T e
static void find_torques(const ib_HolonomicModel *h, const double *input, ib__HolonomicNow *now)
{
    for (int i = 0; i < h->rims; i++) {
        double w = h->drive.reduction[0] * now->speed[i];
        now->loss[i] = ib_motor_loss(&h->motor, w);
        double whole = h->motor.Kt * now->power.bus.bridge[i].current - now->loss[i];
        now->torque[i] = whole * input[IB_HOLONOMIC_GAINS + i];
        now->scaled[i] = (whole - now->torque[i]) * w;
        if (h->lossless)
            now->drive[i] =
                (ib_DriveSide){h->drive.motors * h->drive.reduction[0] * now->torque[i], 0};
        else
            now->drive[i] = ib_drivetrain_torque(&h->drive, 0, now->torque[i], w);
    }
}

// The bus as it was solved with what else is on it.
static void take_shared(const ib_HolonomicModel *h, const double *x, const double *input,
                        const ib_PowerNow *power, ib__HolonomicNow *now)
{
    find_commands(h, x, input, now);
    now->power.E = power->E;
    now->power.other = power->other;
    now->power.bus.voltage = power->bus.voltage;
    now->power.bus.current = power->bus.current;
    now->power.bus.collapsed = power->bus.collapsed;
    for (int i = 0; i < h->rims; i++) now->power.bus.bridge[i] = power->bus.bridge[i];
}

void ib__holonomic_now(const ib_HolonomicModel *h, const double *x, const double *input,
                       const ib_Shared *shared, ib__HolonomicNow *now)
{
    if (shared)
        take_shared(h, x, input, shared->power, now);
    else
        solve_bus(h, x, input, now);
    find_torques(h, input, now);
}

// ------------------------------------------------------------------------------------------- floor

// What the wheels carry. What stands on the base (`cargo`, NULL: nothing) is in the mass already;
// its centre counts here.
static ib_Weight weight_of(const ib_HolonomicModel *h, const ib_Cargo *cargo, double gravity)
{
    ib_Weight weight = {h->mass * gravity, 0, 0, h->com_height};
    if (cargo && cargo->mass > 0) {
        weight.force += cargo->extra * gravity;
        double per = 1 / (h->mass + cargo->extra);
        weight.x = cargo->x * per;
        weight.y = cargo->y * per;
        weight.height += (cargo->z - cargo->mass * weight.height) * per;
    }
    return weight;
}

// Loads of the wheels, which fit the forces that they make; NULL: none. Where the centre of mass is
// on the floor below the middle, forces do not matter.
static void find_loads(const ib_HolonomicModel *h, const ib_PatchGrip *grip,
                       const ib_Weight *weight, double *load)
{
    if (weight->height > 0 || weight->x != 0 || weight->y != 0) {
        ib_patch_loads(&h->patch, grip, weight, load);
        return;
    }
    for (int i = 0; i < h->layout.wheel_count; i++) load[i] = h->share[i] * weight->force;
}

// Resistance of a rim's wheels to rolling, as a force on it, along its direction [N].
static double drag(const ib_HolonomicModel *h, int rim, double speed, const double *load)
{
    double carried = 0;
    for (int i = 0; i < h->layout.wheel_count; i++)
        if (h->layout.rim[i] == rim) carried += load[i];
    return ib_tyre_rolling_force(&h->patch.tyre, speed * h->radius[rim], carried);
}

// Sum of forces on the body, robot frame, about its origin, and the power that pushes give.
typedef struct Forces {
    double fx, fy, torque;
    double push; // [W]
} Forces;

// Pushes and a slope, which pulls at the origin.
static Forces outside(const ib_HolonomicModel *h, const double *x, const double *input, double c,
                      double s)
{
    double px = input[IB_PUSH_X] + h->mass * input[IB_SLOPE_X];
    double py = input[IB_PUSH_Y] + h->mass * input[IB_SLOPE_Y];
    Forces f = {.fx = px * c + py * s, .fy = py * c - px * s};
    f.torque = ib_push_torque(input, c, s);
    f.push = f.fx * x[IB_HOLONOMIC_U] + f.fy * x[IB_HOLONOMIC_N] + f.torque * x[IB_HOLONOMIC_W];
    return f;
}

// Wheels that slip: forces of their patches, and what their rims feel.
typedef struct Slipping {
    ib_PatchRim rim[IB_HOLONOMIC_RIMS];
    ib_PatchSlip slips;
    ib_PatchGrip grip;
    double load[IB_MAX_PATCHES];
    ib_PatchForces sum;
} Slipping;

static void slip(const ib_HolonomicModel *h, const double *x, const double *speed,
                 const ib_Weight *weight, double *bristles, Slipping *s)
{
    for (int i = 0; i < h->rims; i++) {
        s->rim[i] = h->rim[i];
        s->rim[i].speed = speed[i] * h->radius[i];
    }
    ib_patch_slip(&h->patch, s->rim, x[IB_HOLONOMIC_U], x[IB_HOLONOMIC_N], x[IB_HOLONOMIC_W],
                  &s->slips);
    ib_patch_grip(&h->patch, s->rim, &s->slips, x + h->bristle_state, bristles, &s->grip);
    find_loads(h, &s->grip, weight, s->load);
    ib_patch_forces(&h->patch, s->rim, &s->grip, s->load, &s->sum);
}

// Rims with a speed of their own:  J Omega' = torque - r F. Returns what the floor takes [W].
static double rate_slipping(const ib_HolonomicModel *h, const double *x,
                            const ib__HolonomicNow *now, const ib_Weight *weight, Forces *f,
                            double *dx)
{
    Slipping s;
    slip(h, x, now->speed, weight, dx + h->bristle_state, &s);
    double power = s.sum.power;
    f->fx += s.sum.fx;
    f->fy += s.sum.fy;
    f->torque += s.sum.torque;
    for (int i = 0; i < h->rims; i++) {
        double r = h->radius[i], torque = now->drive[i].torque - r * s.sum.rim[i];
        if (h->rolls) {
            double force = drag(h, i, now->speed[i], s.load);
            torque += r * force;
            power -= force * r * now->speed[i];
        }
        dx[h->rim_state + i] = torque * h->per_spin[i];
    }
    // Newton and Euler in the turning frame:  u' = fx/M + w n,  n' = fy/M - w u,  w' = torque/I
    double u = x[IB_HOLONOMIC_U], n = x[IB_HOLONOMIC_N], w = x[IB_HOLONOMIC_W];
    dx[IB_HOLONOMIC_U] = f->fx * h->planar.per_mass + w * n;
    dx[IB_HOLONOMIC_N] = f->fy * h->planar.per_mass - w * u;
    dx[IB_HOLONOMIC_W] = f->torque * h->planar.per_inertia;
    return power;
}

static void multiply(const double matrix[9], const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = matrix[3 * i] * v[0] + matrix[3 * i + 1] * v[1] + matrix[3 * i + 2] * v[2];
}

// Wheels that never slip turn with the robot, Omega = turn . v, and their torques act on it as
// turn torque; it has their inertia beside its own, and moves only as they allow:
//   v' = A (F + M (w n, -w u, 0) + sum turn torque),   A: ib_HolonomicModel.answer
static double rate_rolling(const ib_HolonomicModel *h, const double *x, const ib__HolonomicNow *now,
                           const ib_Weight *weight, const Forces *f, double *dx)
{
    double u = x[IB_HOLONOMIC_U], n = x[IB_HOLONOMIC_N], w = x[IB_HOLONOMIC_W], power = 0;
    double load[IB_MAX_PATCHES], v[3];
    double sum[3] = {f->fx + h->mass * w * n, f->fy - h->mass * w * u, f->torque};
    if (h->rolls) find_loads(h, NULL, weight, load);
    for (int i = 0; i < h->rims; i++) {
        double torque = now->drive[i].torque;
        if (h->rolls) {
            double force = drag(h, i, now->speed[i], load);
            torque += h->radius[i] * force;
            power -= force * h->radius[i] * now->speed[i];
        }
        for (int k = 0; k < 3; k++) sum[k] += h->layout.turn[i][k] * torque;
    }
    multiply(h->answer, sum, v);
    dx[IB_HOLONOMIC_U] = v[0];
    dx[IB_HOLONOMIC_N] = v[1];
    dx[IB_HOLONOMIC_W] = v[2];
    return power;
}

// ------------------------------------------------------------------------------------------- rates

// The electrical half of the book:
//   u I_m = R I_m^2 + (Ke - Kt) w I_m + T w + loss(w) w
static void book_motors(const ib_HolonomicModel *h, const ib__HolonomicNow *now, double *dx)
{
    double copper = 0, conversion = 0, loss = 0, gear = 0, N = h->drive.motors;
    for (int i = 0; i < h->rims; i++) {
        double I = now->power.bus.bridge[i].current, w = h->drive.reduction[0] * now->speed[i];
        copper += I * I;
        conversion += ib_motor_conversion(&h->motor, I, w);
        loss += now->loss[i] * w + now->scaled[i];
        gear += now->drive[i].loss;
    }
    dx[IB_HOLONOMIC_E_COPPER] = N * h->motor.R * copper;
    dx[IB_HOLONOMIC_E_CONVERSION] = N * conversion;
    dx[IB_HOLONOMIC_E_LOSS] = N * loss;
    dx[IB_HOLONOMIC_E_GEAR] = gear;
    dx[IB_HOLONOMIC_E_COLLISION] = 0;
}

// Windings that warm up: their own rates, and copper with their resistance.
static void rate_thermal(const ib_HolonomicModel *h, const double *x, const ib__HolonomicNow *now,
                         double *dx)
{
    double heat[IB_HOLONOMIC_RIMS], sum = 0;
    for (int i = 0; i < h->rims; i++) {
        double I = now->power.bus.bridge[i].current;
        heat[i] = ib_thermal_resistance(&h->thermal, x, i, &h->motor) * I * I;
        sum += heat[i];
    }
    dx[IB_HOLONOMIC_E_COPPER] = h->drive.motors * sum;
    ib_thermal_rate(&h->thermal, x, heat, dx);
}

static void rate_power(const ib_HolonomicModel *h, const double *x, const ib_PowerNow *power,
                       double *dx)
{
    const ib_Bus *bus = &power->bus;
    ib_power_book(&h->power, &ib__holonomic_books, power->E, bus->voltage, bus->current, dx);
    ib_power_rate_modes(&h->power, x, bus->current, dx);
    if (h->power.branch_count > 0) {
        double drawn[IB_HOLONOMIC_RIMS];
        for (int i = 0; i < h->rims; i++) drawn[i] = bus->bridge[i].drawn;
        ib_power_rate_branches(&h->power, x, drawn, dx);
    }
}

void ib__holonomic_rate_shared(const void *model, const double *x, const double *input,
                               const ib_Shared *shared, double *dx)
{
    const ib_HolonomicModel *h = model;
    double c, s, u = x[IB_HOLONOMIC_U], n = x[IB_HOLONOMIC_N];
    ib__HolonomicNow now;
    ib__holonomic_now(h, x, input, shared, &now);
    ib_sincos(x[IB_HOLONOMIC_TH], &s, &c);
    dx[IB_HOLONOMIC_TH] = x[IB_HOLONOMIC_W];
    dx[IB_HOLONOMIC_X] = u * c - n * s;
    dx[IB_HOLONOMIC_Y] = u * s + n * c;
    Forces f = outside(h, x, input, c, s);
    ib_Weight weight = weight_of(h, shared ? shared->cargo : NULL, input[IB_GRAVITY]);
    dx[IB_HOLONOMIC_E_TYRE] = h->model == IB_HOLONOMIC_ROLLING
                                  ? rate_rolling(h, x, &now, &weight, &f, dx)
                                  : rate_slipping(h, x, &now, &weight, &f, dx);
    dx[IB_HOLONOMIC_E_PUSH] = f.push;
    book_motors(h, &now, dx);
    if (ib_thermal_on(&h->thermal)) rate_thermal(h, x, &now, dx);
    if (!shared) rate_power(h, x, &now.power, dx);
}

void ib__holonomic_rate(const void *model, const double *x, const double *input, double *dx)
{
    ib__holonomic_rate_shared(model, x, input, NULL, dx);
}

// ------------------------------------------------------------------------------- what is looked at

// Wheels that never slip: what keeps a rim turning with the robot is its own torque less what its
// resistance to rolling and its inertia, J Omega', take; in equal parts at its wheels, each across
// its rollers.
static void hold_rims(const ib_HolonomicModel *h, const ib__HolonomicNow *now, const double *dx,
                      ib__HolonomicFloor *floor)
{
    for (int i = 0; i < h->rims; i++) {
        const double *turn = h->layout.turn[i];
        const ib_PatchRim *rim = &h->rim[i];
        double rate = turn[0] * dx[IB_HOLONOMIC_U] + turn[1] * dx[IB_HOLONOMIC_N] +
                      turn[2] * dx[IB_HOLONOMIC_W];
        double along = rim->free_y * rim->roll_x - rim->free_x * rim->roll_y; // g . e
        double torque = now->drive[i].torque - h->spin[i] * rate;
        if (h->rolls) torque += h->radius[i] * drag(h, i, now->speed[i], floor->load);
        double force = torque / (h->radius[i] * along);
        floor->sum.rim[i] = force * along;
        for (int k = 0; k < h->layout.wheel_count; k++) {
            if (h->layout.rim[k] != i) continue;
            floor->force_x[k] = h->patch.share[i] * force * rim->free_y;
            floor->force_y[k] = -h->patch.share[i] * force * rim->free_x;
        }
    }
}

void ib__holonomic_floor(const ib_HolonomicModel *h, const double *x, const double *input,
                         const ib__HolonomicNow *now, const ib_Cargo *cargo,
                         ib__HolonomicFloor *floor)
{
    ib_Weight weight = weight_of(h, cargo, input[IB_GRAVITY]);
    memset(floor, 0, sizeof *floor);
    if (h->model == IB_HOLONOMIC_ROLLING) {
        double c, s, dx[IB_HOLONOMIC_FIXED];
        ib_sincos(x[IB_HOLONOMIC_TH], &s, &c);
        Forces f = outside(h, x, input, c, s);
        rate_rolling(h, x, now, &weight, &f, dx);
        find_loads(h, NULL, &weight, floor->load);
        hold_rims(h, now, dx, floor);
        return;
    }
    double bristles[2 * IB_MAX_PATCHES];
    Slipping s;
    slip(h, x, now->speed, &weight, bristles, &s);
    floor->sum = s.sum;
    for (int i = 0; i < h->layout.wheel_count; i++) {
        // What rollers let go is no slip.
        double across = s.slips.across[i], along = s.slips.scale[i] < 1 ? 0 : s.slips.along[i];
        floor->slip[i] = sqrt(across * across + along * along);
        floor->load[i] = s.load[i];
        floor->force_x[i] = s.load[i] * s.grip.x[i];
        floor->force_y[i] = s.load[i] * s.grip.y[i];
    }
}

ib__HolonomicKinetic ib__holonomic_kinetic(const ib_HolonomicModel *h, const double *x)
{
    double u = x[IB_HOLONOMIC_U], n = x[IB_HOLONOMIC_N], w = x[IB_HOLONOMIC_W];
    double speed[IB_HOLONOMIC_RIMS];
    ib__HolonomicKinetic k = {0.5 * (h->mass * (u * u + n * n) + h->inertia * w * w), 0, 0};
    find_speeds(h, x, speed);
    for (int i = 0; i < h->rims; i++) {
        double half = 0.5 * speed[i] * speed[i];
        k.wheels += half * h->wheel_spin[i];
        k.rotors += half * (h->spin[i] - h->wheel_spin[i]);
    }
    return k;
}

// ------------------------------------------------------------------------------------------- modes

static double bus_voltage(const ib_HolonomicModel *h, const double *x, const double *input)
{
    ib__HolonomicNow now;
    solve_bus(h, x, input, &now);
    return now.power.bus.voltage;
}

void ib__holonomic_guard(const void *model, const double *x, const double *input, double *g)
{
    const ib_HolonomicModel *h = model;
    ib_power_breaker_margins(&h->power, x, g);
    if (h->power.brownout_guard >= 0)
        g[h->power.brownout_guard] =
            ib_power_brownout_margin(&h->power, x, bus_voltage(h, x, input));
}

bool ib__holonomic_settle(const void *model, const double *input, double *x)
{
    const ib_HolonomicModel *h = model;
    bool changed = ib_power_settle_breakers(&h->power, x);
    if (h->power.brownout_state >= 0)
        changed |= ib_power_settle_brownout(&h->power, bus_voltage(h, x, input), x);
    return changed;
}

// --------------------------------------------------------------------------------- with mechanisms

int ib__holonomic_bridges(const void *model)
{
    return ((const ib_HolonomicModel *)model)->rims;
}

const ib_PowerModel *ib__holonomic_power(const void *model)
{
    return &((const ib_HolonomicModel *)model)->power;
}

void ib__holonomic_fill(const void *model, const double *x, const double *input, bool on,
                        ib_Bridge *bridge)
{
    ib__HolonomicNow now;
    find_commands(model, x, input, &now);
    find_bridges(model, x, on, &now, bridge);
}

// -------------------------------------------------------------------------------------------- body

const ib_StateDef ib__holonomic_roles[IB_HOLONOMIC_FIXED] = {
    [IB_HOLONOMIC_X] = {.role = IB_STATE_X},
    [IB_HOLONOMIC_Y] = {.role = IB_STATE_Y},
    [IB_HOLONOMIC_TH] = {.role = IB_STATE_HEADING},
    [IB_HOLONOMIC_U] = {.role = IB_STATE_FORWARD},
    [IB_HOLONOMIC_N] = {.role = IB_STATE_LEFT},
    [IB_HOLONOMIC_W] = {.role = IB_STATE_YAW_RATE},
    [IB_HOLONOMIC_E_COLLISION] = {.role = IB_STATE_CONTACT_ENERGY},
    [IB_HOLONOMIC_E_PUSH] = {.role = IB_STATE_PUSH_ENERGY},
};

// Wheels that never slip take their part of an impulse.
ib_Twist ib__holonomic_answer(const void *model, const double *x, double jx, double jy, double turn,
                              double *change)
{
    const ib_HolonomicModel *h = model;
    (void)x, (void)change;
    if (h->model != IB_HOLONOMIC_ROLLING)
        return (ib_Twist){jx * h->planar.per_mass, jy * h->planar.per_mass,
                          turn * h->planar.per_inertia};
    double v[3];
    multiply(h->answer, (double[3]){jx, jy, turn}, v);
    return (ib_Twist){v[0], v[1], v[2]};
}

// What wheels that never slip do not allow of a motion at the start is not there.
static void allow(const ib_HolonomicModel *h, double *x)
{
    static const int at[3] = {IB_HOLONOMIC_U, IB_HOLONOMIC_N, IB_HOLONOMIC_W};
    double momentum[3] = {0}, v[3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) momentum[i] += h->whole[3 * i + k] * x[at[k]];
    multiply(h->answer, momentum, v);
    for (int i = 0; i < 3; i++) x[at[i]] = v[i];
}

void ib__holonomic_reset(const void *config_, const void *model, double *x)
{
    const ib_HolonomicConfig *config = config_;
    const ib_HolonomicModel *h = model;
    memset(x, 0, (size_t)h->state_count * sizeof *x);
    ib_planar_reset(&h->planar, &config->planar, x);
    if (h->model == IB_HOLONOMIC_ROLLING && h->layout.hold_count > 0) allow(h, x);
    for (int i = 0; h->rim_state >= 0 && i < h->rims; i++) {
        const double *turn = h->layout.turn[i];
        x[h->rim_state + i] =
            turn[0] * x[IB_HOLONOMIC_U] + turn[1] * x[IB_HOLONOMIC_N] + turn[2] * x[IB_HOLONOMIC_W];
    }
    ib_power_reset(&h->power, x);
    ib_thermal_reset(&h->thermal, x);
    ib__HolonomicKinetic k = ib__holonomic_kinetic(h, x);
    x[IB_HOLONOMIC_E_PUSH] = k.body + k.wheels + k.rotors; // given before the run began
}
