// robot/tank/tank_inside.h: what the files of the tank share: everything that acts at one instant.
// The derivation is in docs/tank.md.
#ifndef IB_ROBOT_TANK_INSIDE_H
#define IB_ROBOT_TANK_INSIDE_H

#include "robot/tank/tank.h"

// What the floor does across the heading to wheels that are geared to it, given cosine and sine of
// the heading and the forces of the sides along it [N]: it holds those that roll, and slows those
// that slide down.
double ib__tank_side(const ib_TankModel *t, const double *x, const double *input, double c,
                     double s, double left, double right);

// The entries of the kind's table (robot/tank/tank_kind.c), each in the file of its subject.
ib_Status ib__tank_check(const void *config, ib_Error *error);
ib_Status ib__tank_ports(const void *config, ib_Arena *arena, void *tank, ib_RobotPorts *ports,
                         ib_Error *error);
void ib__tank_reset(const void *config, const void *tank, double *state);
void ib__tank_rate(const void *tank, const double *state, const double *input, double *rate);
void ib__tank_output(const void *tank, const double *state, const double *input, double *signals);
ib_Twist ib__tank_answer(const void *tank, const double *state, double jx, double jy, double turn,
                         double *change);
void ib__tank_guard(const void *tank, const double *state, const double *input, double *guards);
bool ib__tank_settle(const void *tank, const double *input, double *state);
ib_Status ib__tank_steer(const void *tank, const double *state, double gravity,
                         ib_Steering *steering, ib_Error *error);

// The roles of the states that every tank has (robot/tank/tank.c).
extern const ib_StateDef ib__tank_roles[IB_TANK_FIXED];

// What every tank shows; the rows of the supply are empty here (robot/tank/tank_ports.c).
extern const ib_SignalRows ib__tank_signals;

// The same for a tank with mechanisms on it.
extern const ib_PoweredBase ib__tank_powered;
void ib__tank_output_shared(const void *tank, const double *state, const double *input,
                            const ib_Shared *shared, double *signals);
void ib__tank_guard_shared(const void *tank, const double *state, const double *input,
                           double *guards);
bool ib__tank_settle_shared(const void *tank, const double *input, double *state);

// How it looks (robot/tank/tank_look.c). NULL without memory.
const ib_Geometry *ib__tank_look(const ib_TankConfig *config, const ib_TankModel *tank,
                                 ib_Arena *arena);

// Longest step for a fixed-step solver [s]; 0: any.
double ib__tank_resolution(const ib_TankModel *tank);

// What RoboSim printed, formula by formula (robot/tank/tank_published.c).
void ib__tank_published_rate(const ib_TankModel *tank, const double *state, const double *input,
                             double *rate);
struct ib_TankNow;
void ib__tank_published_now(const ib_TankModel *tank, const double *state, const double *input,
                            struct ib_TankNow *now);

#define IB__BROWNOUT_FAR 0.25 ///< this far above `droop` it does not matter how far [V]

// Where the supply's states lie in every tank, as a constant: docs/performance.md
static const ib_PowerBooks ib__tank_books = {IB_TANK_USED, IB_TANK_E_BATTERY, IB_TANK_E_RESISTANCE,
                                             IB_TANK_E_BACKGROUND};

// The offsets of optional states.
enum { IB__LOAD, IB__LOAD_X, IB__LOAD_Y, IB__LOAD_DX, IB__LOAD_DY, IB__LOAD_WORK, IB__LOAD_STATES };

// The level of a robot: how much may be there. A model has the highest level that it allows; where
// a state does not allow it (a breaker is open, the loads are too much for the battery), a lower
// one must be asked. A level is a constant in every call: docs/performance.md
enum {
    IB__ANY,   ///< everything
    IB__PLAIN, ///< no inductance, no limits, no Coulomb friction, no windings that warm up; power
               ///< is on and every bridge is closed: the bus is one linear equation
    IB__BARE,  ///< the same, and nothing optional: no slipping wheels, breakers, brownout, gears,
               ///< payload, air or rolling resistance; calls no function
};

// Everything electrical and what it does to the wheels, at one instant. [0] left, [1] right.
typedef struct ib_TankNow {
    int gear;
    double command[2];     ///< on the 12 V scale [V]
    double speed[2];       ///< of a motor [rad/s]
    double emf[2];         ///< its back-EMF [V]
    double rim[2];         ///< speed of the wheels' rim [m/s]
    ib_PowerNow power;     ///< voltages and currents; its other load is the compressor
    bool open[2];          ///< the bridges of this side are open
    double loss[2];        ///< torque lost in one motor [N m]
    double torque[2];      ///< of one motor at its shaft [N m]
    double scaled[2];      ///< power that a disturbance's factor takes from one motor [W]
    ib_DriveSide drive[2]; ///< torque at the wheels of a side, loss of its gears
    ib_AirInput *air;      ///< where the air's inputs go, set by the caller; not used if bare
} ib_TankNow;

// ---------------------------------------------------------------------------------------- commands

IB_FORMULA double ib__tank_clamp(double volts)
{
    return volts > IB_COMMAND_SCALE    ? IB_COMMAND_SCALE
           : volts < -IB_COMMAND_SCALE ? -IB_COMMAND_SCALE
                                       : volts;
}

// left and right, or throttle and turn; the others are zero:
//   left = 12 V (throttle - turn), right = 12 V (throttle + turn), each within 12 V
IB_FORMULA void ib__tank_commands(const double *input, double command[2])
{
    double throttle = input[IB_TANK_THROTTLE], turn = input[IB_TANK_TURN];
    command[0] = ib__tank_clamp(input[IB_TANK_LEFT] + IB_COMMAND_SCALE * (throttle - turn));
    command[1] = ib__tank_clamp(input[IB_TANK_RIGHT] + IB_COMMAND_SCALE * (throttle + turn));
}

// Neither side drives: a bridge that is off, behind an open breaker, or neutral where that coasts.
IB_FORMULA bool ib__tank_open(const ib_TankModel *t, const double *x, int side, bool on,
                              double command)
{
    bool closed = ib_power_reaches(&t->power, x, side);
    return !closed || (t->coasts && (!on || command == 0));
}

IB_FORMULA double ib__tank_charge(const ib_TankModel *t, const double *x, bool bare)
{
    if (bare) return t->power.start_charge - x[IB_TANK_USED] * t->power.battery.per_capacity;
    return ib_power_charge(&t->power, x, x[IB_TANK_USED]);
}

// What the commands tell the air, written in place (docs/performance.md). `on`: outputs follow
// their commands, since there is no brownout.
IB_FORMULA void ib__tank_air_input(const ib_TankModel *t, const double *input, bool on,
                                   ib_AirInput *air)
{
    air->compressor = (int)input[IB_TANK_COMPRESSOR];
    air->enabled = on;
    air->taken = air->vented = 0;
    for (int i = 0; i < t->air.cylinder_count; i++)
        air->solenoid[i] = input[IB_TANK_SOLENOIDS + i] > 0.5;
}

// --------------------------------------------------------------------------------------- electrics

// Makes `now` ready to be filled, with no air. Nothing else is read before it has been written.
IB_FORMULA void ib__tank_begin(ib_TankNow *now, ib_AirInput *air)
{
    air->compressor = IB_COMPRESSOR_OFF;
    air->enabled = false;
    now->air = air;
}

// Speeds of rims and motors: geared to the floor, or from the wheels' own state.
IB_FORMULA void ib__tank_speeds(const ib_TankModel *t, const double *x, bool bare, ib_TankNow *now)
{
    now->gear = bare || t->gear_state < 0 ? 0 : (int)x[t->gear_state];
    double G = t->drive.reduction[now->gear];
    if (!bare && t->wheel_state >= 0) {
        double left = x[t->wheel_state], right = x[t->wheel_state + 1];
        now->rim[0] = left * t->drive.radius;
        now->rim[1] = right * t->drive.radius;
        now->speed[0] = left * G;
        now->speed[1] = right * G;
        now->emf[0] = t->motor.Ke * now->speed[0];
        now->emf[1] = t->motor.Ke * now->speed[1];
    } else {
        // Wheels that roll without slip: rim = u -+ W w, wm = G rim/r.
        double turn = x[IB_TANK_W] * t->half_track, per = G * t->drive.per_radius;
        now->rim[0] = x[IB_TANK_U] - turn;
        now->rim[1] = x[IB_TANK_U] + turn;
        now->speed[0] = now->rim[0] * per;
        now->speed[1] = now->rim[1] * per;
        now->emf[0] = now->rim[0] * (t->motor.Ke * per);
        now->emf[1] = now->rim[1] * (t->motor.Ke * per);
    }
}

// What the compressor draws around a bus voltage.
IB_FORMULA ib_Load ib__tank_load(const ib_TankModel *t, const double *x, const ib_TankNow *now,
                                 double volts)
{
    if (t->air_state < 0) return ib_load_none();
    return ib_air_load(&t->air, x + t->air_state + 1, now->air, volts);
}

// The compressor's current is a straight line of the bus voltage, in at most three pieces; the
// piece taken is the one that holds at the voltage found. Returns false where the voltage cannot
// come from a linear equation.
IB_FORMULA bool ib__tank_bus_plain(const ib_TankModel *t, const double *x,
                                   const ib_Bridge bridge[2], bool bare, ib_TankNow *now)
{
    double E = now->power.E, Rb = t->power.battery.resistance, R = t->motor.R,
           per_R = t->motor.per_R;
    now->power.other = 0;
    if (bare) {
        ib_bus_plain(E, Rb, R, per_R, t->power.background, bridge, &now->power.bus);
        return now->power.bus.voltage >= 0;
    }
    ib_Load load = ib__tank_load(t, x, now, E);
    double at = load.from;
    if (at > 0 &&
        !ib_bus_above(E, Rb, per_R, t->power.background + ib_load_current(load, at), bridge, at))
        load = ib__tank_load(t, x, now, at * (1 - 1e-9)); // the one below
    for (int round = 0; round < 3; round++) {
        ib_bus_sloped(E, Rb, R, per_R, t->power.background + load.at_zero, load.per_volt, bridge,
                      &now->power.bus);
        double volts = now->power.bus.voltage;
        if (volts >= load.from && volts <= load.to) break;
        load = ib__tank_load(t, x, now, volts);
    }
    now->power.other = ib_load_current(load, now->power.bus.voltage);
    return now->power.bus.voltage >= 0;
}

// What the air needs to tell its load.
typedef struct ib__TankLoad {
    const ib_TankModel *tank;
    const double *x; ///< the tank's state
    const ib_TankNow *now;
} ib__TankLoad;

static inline ib_Load ib__tank_load_at(const void *self, double volts)
{
    const ib__TankLoad *load = self;
    return ib__tank_load(load->tank, load->x, load->now, volts);
}

// The bridges as commanded. Is none of them open? `on`: outputs follow their commands.
IB_FORMULA bool ib__tank_bridges(const ib_TankModel *t, const double *x, const double *input,
                                 bool bare, bool on, ib_TankNow *now, ib_Bridge bridge[2])
{
    bool closed = true;
    ib__tank_commands(input, now->command);
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        now->open[i] = !bare && ib__tank_open(t, x, i, on, now->command[i]);
        closed = closed && !now->open[i];
        bridge[i] = (ib_Bridge){.duty = on ? now->command[i] * (1 / IB_COMMAND_SCALE) : 0,
                                .emf = now->emf[i],
                                .count = t->drive.motors,
                                .R = t->motor.R,
                                .per_R = t->motor.per_R,
                                .stator = t->current_limit,
                                .supply = t->supply_limit,
                                .open = now->open[i]};
        if (!bare && t->current_state >= 0) {
            bridge[i].given = true;
            bridge[i].current = x[t->current_state + i];
        }
        if (!bare && ib_thermal_on(&t->thermal)) {
            bridge[i].R = ib_thermal_resistance(&t->thermal, x, i, &t->motor);
            bridge[i].per_R = 1 / bridge[i].R;
        }
    }
    return closed;
}

// Commands, bridges, battery and bus. False: this level cannot tell.
IB_FORMULA bool ib__tank_bus(const ib_TankModel *t, const double *x, const double *input, int level,
                             ib_TankNow *now)
{
    bool bare = level == IB__BARE, powered = bare || ib_power_fed(&t->power, x);
    bool on = bare || (powered && ib_power_enabled(&t->power, x));
    ib_Bridge bridge[2];
    bool closed = ib__tank_bridges(t, x, input, bare, on, now, bridge);
    if (level == IB__PLAIN && !(powered && closed)) return false;
    bool known = true;
    if (!bare && t->air_state >= 0) ib__tank_air_input(t, input, on, now->air);
    if (level >= IB__PLAIN) {
        double charge = ib__tank_charge(t, x, bare);
        now->power.E = ib_battery_open_circuit(&t->power.battery, charge);
        known = ib__tank_bus_plain(t, x, bridge, bare, now);
    } else {
        ib__TankLoad self = {t, x, now};
        ib_OtherLoad load = {ib__tank_load_at, &self};
        ib_power_solve(&t->power, x, bridge, 2, &load, &now->power);
    }
    if (!bare && t->air_state >= 0) now->air->voltage = now->power.bus.voltage;
    return known;
}

// The same where the bus has been solved with what else is on it.
IB_FORMULA void ib__tank_bus_shared(const ib_TankModel *t, const double *x, const double *input,
                                    const ib_PowerNow *power, const ib_AirDraw *draw,
                                    ib_TankNow *now)
{
    bool on = ib_power_on(&t->power, x);
    ib_Bridge bridge[2];
    ib__tank_bridges(t, x, input, false, on, now, bridge);
    now->power.E = power->E;
    now->power.other = power->other;
    now->power.bus.voltage = power->bus.voltage;
    now->power.bus.current = power->bus.current;
    now->power.bus.collapsed = power->bus.collapsed;
    for (int i = 0; i < 2; i++) now->power.bus.bridge[i] = power->bus.bridge[i];
    if (t->air_state < 0) return;
    ib__tank_air_input(t, input, on, now->air);
    now->air->voltage = power->bus.voltage;
    now->air->taken = draw->taken;
    now->air->vented = draw->vented;
}

// From the bus to torques at the wheels:
//   u = d V,  I = (u - Ke w)/R,  T = Kt I - loss(w),  torque of a side = N G T e
IB_FORMULA void ib__tank_torques(const ib_TankModel *t, const double *input, int level,
                                 ib_TankNow *now)
{
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        double w = now->speed[i];
        now->loss[i] =
            level >= IB__PLAIN ? ib_motor_viscous(&t->motor, w) : ib_motor_loss(&t->motor, w);
        double whole = t->motor.Kt * now->power.bus.bridge[i].current - now->loss[i];
        now->torque[i] = whole * input[IB_TANK_GAIN_LEFT + i];
        now->scaled[i] = (whole - now->torque[i]) * w;
        now->drive[i] =
            t->lossless
                ? (ib_DriveSide){t->drive.motors * t->drive.reduction[now->gear] * now->torque[i],
                                 0}
                : ib_drivetrain_torque(&t->drive, now->gear, now->torque[i], w);
    }
}

// Commands and ib__tank_speeds to torques at the wheels, with the battery's sag solved at this very
// instant. False: this level cannot tell.
IB_FORMULA bool ib__tank_electrics(const ib_TankModel *t, const double *x, const double *input,
                                   int level, ib_TankNow *now)
{
    if (!ib__tank_bus(t, x, input, level, now)) return false;
    ib__tank_torques(t, input, level, now);
    return true;
}

// ------------------------------------------------------------------------------------------- loads

IB_FORMULA ib_Payload ib__tank_payload(const ib_TankModel *t, const double *x)
{
    const double *p = x + t->payload_state;
    return (ib_Payload){p[IB__LOAD], p[IB__LOAD_X], p[IB__LOAD_Y], p[IB__LOAD_DX], p[IB__LOAD_DY]};
}

// Mass of all, and where its centre is in the robot frame.
typedef struct ib_TankMass {
    double mass, x, y; ///< [kg, m, m]
} ib_TankMass;

IB_FORMULA ib_TankMass ib__tank_mass(const ib_TankModel *t, const double *x, bool bare)
{
    if (bare || t->payload_state < 0) return (ib_TankMass){t->base.mass, 0, 0};
    ib_Payload p = ib__tank_payload(t, x);
    double mass = t->base.mass + p.mass, share = p.mass / mass;
    return (ib_TankMass){mass, share * p.x, share * p.y};
}

// The same as what the patches carry. What stands on the base (`cargo`, NULL: nothing) is in the
// mass already; its centre counts here.
IB_FORMULA ib_Weight ib__tank_weight(const ib_TankModel *t, const ib_TankMass *all,
                                     const ib_Cargo *cargo, double gravity)
{
    ib_Weight weight = {all->mass * gravity, all->x, all->y, t->wheel.config.com_height};
    if (cargo && cargo->mass > 0) {
        weight.force += cargo->extra * gravity;
        double per = 1 / (all->mass + cargo->extra);
        weight.x += cargo->x * per;
        weight.y += cargo->y * per;
        weight.height += (cargo->z - cargo->mass * weight.height) * per;
    }
    return weight;
}

// What the floor does to `wheels` that slip (ib_TankModel.wheels, or a constant where it is known):
// forces on the body, on the wheels of each side, power lost.
IB_FORMULA ib_WheelForces ib__tank_floor(const ib_TankModel *t, const double *x,
                                         const ib_TankNow *now, int wheels, const ib_Weight *weight,
                                         double *bristles)
{
    if (wheels == IB_WHEEL_FRICTION_CIRCLE)
        return ib_wheel_friction_circle(&t->wheel, x[IB_TANK_U], x[IB_TANK_N], x[IB_TANK_W],
                                        now->rim[0], now->rim[1], weight);
    return ib_wheel_bristle(&t->wheel, x[IB_TANK_U], x[IB_TANK_N], x[IB_TANK_W], now->rim[0],
                            now->rim[1], weight, x + t->bristle_state, bristles);
}

// Kinetic energies [J].
typedef struct ib_TankKinetic {
    double body, wheels, rotors, all; ///< body: with its payload
} ib_TankKinetic;

IB_FORMULA ib_TankKinetic ib__tank_kinetic(const ib_TankModel *t, const double *x)
{
    double u = x[IB_TANK_U], n = x[IB_TANK_N], w = x[IB_TANK_W];
    ib_TankKinetic k = {0, 0, 0, 0};
    k.body = 0.5 * (t->base.mass * (u * u + n * n) + t->base.inertia * w * w);
    if (t->payload_state >= 0) {
        ib_Payload p = ib__tank_payload(t, x);
        ib_Twist v = {u, n, w};
        k.body = ib_payload_books(&t->base, &p, &v).energy;
    }
    if (t->wheel_state >= 0) {
        double left = x[t->wheel_state], right = x[t->wheel_state + 1];
        double both = 0.5 * (left * left + right * right);
        double whole = t->drive.inertia[t->gear_state < 0 ? 0 : (int)x[t->gear_state]];
        k.wheels = both * t->drive.wheel_inertia;
        k.rotors = both * (whole - t->drive.wheel_inertia);
    }
    k.all = k.body + (k.wheels + k.rotors);
    return k;
}

#endif
