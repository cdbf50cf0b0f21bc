// robot/tank/tank_modes.c: the tank's modes: gear, load, breakers, brownout, valves and windings.
// Guards tell when one of them may change, settling changes them with all that jumps.
#include "base/extreme.h"
#include "robot/tank/tank_inside.h"

#include <math.h>

// ------------------------------------------------------------------------------------------ guards

// Where the shifting cylinder stands, 0 .. 1 of its stroke.
static double shifter(const ib_TankModel *t, const double *x)
{
    const double *own = x + t->air_state + 1 + IB_AIR_CYLINDERS + t->shifter * IB_CYLINDER_STATES;
    return own[IB_CYLINDER_POSITION] / t->air.cylinders[t->shifter].stroke;
}

// A gear holds until the shifter has passed the middle by a sixth of its stroke.
static double shift_margin(const ib_TankModel *t, const double *x)
{
    double at = shifter(t, x);
    return x[t->gear_state] > 0.5 ? at - 1.0 / 3 : 2.0 / 3 - at;
}

static double bus_voltage(const ib_TankModel *t, const double *x, const double *input)
{
    ib_AirInput air;
    ib_TankNow now;
    ib__tank_begin(&now, &air);
    ib__tank_speeds(t, x, false, &now);
    if (t->level < IB__PLAIN || !ib__tank_electrics(t, x, input, IB__PLAIN, &now))
        ib__tank_electrics(t, x, input, IB__ANY, &now);
    return now.power.bus.voltage;
}

// Is the bus above `far_voltage` even if the compressor drew the most it can? Mostly yes, and then
// nobody need know where exactly.
static bool is_far(const ib_TankModel *t, const double *x, const double *input)
{
    ib_TankNow now;
    ib_Bridge bridge[2];
    if (t->level < IB__PLAIN || !ib_power_fed(&t->power, x)) return false;
    double E = ib_battery_open_circuit(&t->power.battery, ib__tank_charge(t, x, false));
    ib__tank_speeds(t, x, false, &now);
    return ib__tank_bridges(t, x, input, false, true, &now, bridge) &&
           ib_bus_above(E, t->power.battery.resistance, t->motor.per_R, t->most_current, bridge,
                        t->far_voltage);
}

// In the stage `fine`, in which only the voltage counts, the margin ends at IB__BROWNOUT_FAR.
static double brownout_margin(const ib_TankModel *t, const double *x, const double *input)
{
    bool fine = x[t->power.brownout_state + IB_BROWNOUT_STAGE] == IB_BROWNOUT_FINE;
    if (fine && is_far(t, x, input)) return IB__BROWNOUT_FAR;
    double margin = ib_power_brownout_margin(&t->power, x, bus_voltage(t, x, input));
    return fine ? ib_min(margin, IB__BROWNOUT_FAR) : margin;
}

// All but those of the supply.
void ib__tank_guard_shared(const void *model, const double *x, const double *input, double *g)
{
    const ib_TankModel *t = model;
    if (t->shift_guard >= 0) g[t->shift_guard] = shift_margin(t, x);
    if (t->air_guard >= 0) {
        ib_AirInput air;
        ib__tank_air_input(t, input, ib_power_on(&t->power, x), &air);
        ib_air_margins(&t->air, x + t->air_state + 1, &air, g + t->air_guard);
    }
}

void ib__tank_guard(const void *model, const double *x, const double *input, double *g)
{
    const ib_TankModel *t = model;
    ib_power_breaker_margins(&t->power, x, g);
    if (t->power.brownout_guard >= 0) g[t->power.brownout_guard] = brownout_margin(t, x, input);
    ib__tank_guard_shared(t, x, input, g);
}

// ------------------------------------------------------------------------------------------ settle

// A load is picked up or set down; what the grip loses counts as a collision.
static bool settle_payload(const ib_TankModel *t, const double *input, double *x)
{
    double wanted = input[IB_TANK_PAYLOAD_MASS], *load = x + t->payload_state;
    if (wanted == load[IB__LOAD]) return false;
    ib_Payload p = ib__tank_payload(t, x);
    ib_Twist v = {x[IB_TANK_U], x[IB_TANK_N], x[IB_TANK_W]};
    ib_Handover h = ib_payload_change(&t->base, &p, &v, wanted);
    if (t->wheels == IB_WHEEL_ROLLING && wanted > p.mass) {
        // The axles take what momentum there is sideways: find the one that leaves n = 0.
        ib_Payload changed = p;
        ib_PayloadBooks before = ib_payload_books(&t->base, &p, &v);
        changed.mass = wanted;
        ib_Twist more =
            ib_payload_twist(&t->base, &changed, before.px, before.py + 1, before.about_o);
        double side = -h.twist.n / (more.n - h.twist.n);
        h.twist = ib_payload_twist(&t->base, &changed, before.px, before.py + side, before.about_o);
        h.twist.n = 0;
        h.energy = before.energy - ib_payload_books(&t->base, &changed, &h.twist).energy;
    }
    load[IB__LOAD] = wanted;
    x[IB_TANK_U] = h.twist.u;
    x[IB_TANK_N] = h.twist.n;
    x[IB_TANK_W] = h.twist.w;
    x[IB_TANK_E_COLLISION] += h.energy;
    return true;
}

static bool settle_gear(const ib_TankModel *t, const double *input, double *x)
{
    int gear = (int)x[t->gear_state];
    int wanted = t->shifter < 0 ? (int)input[IB_TANK_GEAR] : shift_margin(t, x) > 0 ? gear : !gear;
    if (wanted == gear) return false;
    for (int i = 0; t->wheel_state >= 0 && i < 2; i++) {
        ib_Shift shift = ib_drivetrain_shift(&t->drive, gear, wanted, x[t->wheel_state + i]);
        x[t->wheel_state + i] = shift.speed;
        x[IB_TANK_E_GEAR] += shift.lost;
    }
    x[t->gear_state] = wanted;
    return true;
}

// A bridge that opens under current burns what the winding holds.
static bool settle_currents(const ib_TankModel *t, const double *input, double *x)
{
    double command[2];
    bool changed = false, powered = ib_power_fed(&t->power, x);
    bool on = ib_power_on(&t->power, x);
    ib__tank_commands(input, command);
    for (int i = 0; i < 2; i++) {
        double *current = &x[t->current_state + i];
        bool open = !powered || ib__tank_open(t, x, i, on, command[i]);
        if (!open || *current == 0) continue;
        x[IB_TANK_E_COPPER] += 0.5 * t->drive.motors * t->inductance * *current * *current;
        if (ib_thermal_on(&t->thermal))
            ib_thermal_absorb(&t->thermal, i, 0.5 * t->inductance * *current * *current, x);
        *current = 0;
        changed = true;
    }
    return changed;
}

// What obeys the supply's modes.
static bool settle_rest(const ib_TankModel *t, const double *input, double *x)
{
    bool changed = false;
    if (t->air_state >= 0) {
        ib_AirInput air;
        ib__tank_air_input(t, input, ib_power_on(&t->power, x), &air);
        changed |= ib_air_settle(&t->air, &air, x + t->air_state + 1);
    }
    if (t->gear_state >= 0) changed |= settle_gear(t, input, x);
    if (t->current_state >= 0 && !t->published) changed |= settle_currents(t, input, x);
    return changed;
}

// All but the modes of the supply.
bool ib__tank_settle_shared(const void *model, const double *input, double *x)
{
    const ib_TankModel *t = model;
    bool changed = t->payload_state >= 0 && settle_payload(t, input, x);
    return settle_rest(t, input, x) || changed;
}

bool ib__tank_settle(const void *model, const double *input, double *x)
{
    const ib_TankModel *t = model;
    bool changed = t->payload_state >= 0 && settle_payload(t, input, x);
    changed |= ib_power_settle_breakers(&t->power, x);
    if (t->power.brownout_state >= 0)
        changed |= ib_power_settle_brownout(&t->power, bus_voltage(t, x, input), x);
    return settle_rest(t, input, x) || changed;
}
