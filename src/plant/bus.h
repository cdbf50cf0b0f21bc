// plant/bus.h: the battery, the bridges of the motors and all other loads at one voltage, solved
// together, without a step's lag. Derivation: docs/plant/bus.md
//
// Symbols: E open-circuit voltage, Rb battery resistance, V bus voltage, other: current of all
// loads that are not motors. One motor: d duty, e back-EMF, R winding, u voltage at it, I current.
//
//   V = E - Rb (other + sum n u I / V)                      [RoboSim 5.1 and 9, reference B5]
//   u = d V,   I = (u - e)/R        unless a limit holds u nearer to e
//
// A bridge is lossless: what it draws from the bus is u I / V = d I, not I. A stator limit s bounds
// |I|, a supply limit p bounds what is drawn from the bus (never what is fed back):
//   u within [e - s R, e + s R],   u (u - e)/R <= p V,   and in the end |u| <= V: a bridge cannot
// raise the bus voltage, so a motor driven faster than V can hold brakes harder than s.
#ifndef IB_PLANT_BUS_H
#define IB_PLANT_BUS_H

#include "base/formula.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

// `count` equal motors, each behind its own bridge.
typedef struct ib_Bridge {
    double duty;   ///< d, -1 .. 1
    double emf;    ///< e = Ke w [V]
    double count;  ///< motors, >= 0
    double stator; ///< limit of |I| of one motor [A], > 0; INFINITY: off
    double supply; ///< limit of what one motor draws from the bus [A], > 0; INFINITY: off
    bool open;     ///< coasts: no current, u = e
} ib_Bridge;

typedef struct ib_BridgeResult {
    double volts;   ///< u, at one motor [V]
    double current; ///< I, of one motor [A]
    double drawn;   ///< from the bus by one motor [A] = volts current / bus voltage
} ib_BridgeResult;

typedef struct ib_Bus {
    double voltage;            ///< V [V], >= 0; above E while motors feed back
    double current;            ///< all that leaves the battery [A]; negative: it is charged
    bool collapsed;            ///< no voltage >= 0 serves all loads; then V = 0, current = E/Rb
    ib_BridgeResult bridge[2]; ///< in the order of the bridges given
} ib_Bus;

// ------------------------------------------------------------------ without limits

// One bridge at duty d on a bus of V volts, its current following at once.
IB_FORMULA ib_BridgeResult ib__bridge_free(double duty, double emf, double per_R, double V)
{
    ib_BridgeResult result;
    result.volts = duty * V;
    result.current = (result.volts - emf) * per_R;
    result.drawn = duty * result.current;
    return result;
}

// n0 and n1 motors draw from the bus: those of an open bridge do not. `stiff` is R, or more where
// another load grows with the voltage.
IB_FORMULA ib_Bus ib__bus_linear(double E, double Rb, double R, double stiff, double per_R,
                                 double other, const ib_Bridge bridge[2], double n0, double n1)
{
    double d0 = bridge[0].duty, d1 = bridge[1].duty, w0 = n0 * d0, w1 = n1 * d1;
    // The division takes longest and does not wait for the back-EMFs, nor they for it.
    double per = 1 / (stiff + Rb * (w0 * d0 + w1 * d1));
    ib_Bus bus;
    bus.voltage = (R * (E - Rb * other) + Rb * (w0 * bridge[0].emf + w1 * bridge[1].emf)) * per;
    bus.bridge[0] = ib__bridge_free(d0, bridge[0].emf, per_R, bus.voltage);
    bus.bridge[1] = ib__bridge_free(d1, bridge[1].emf, per_R, bus.voltage);
    bus.current = other + (n0 * bus.bridge[0].drawn + n1 * bus.bridge[1].drawn);
    bus.collapsed = false;
    return bus;
}

// Two bridges with equal motors of resistance R (per_R = 1/R); no limits, none open, E > 0. One
// linear equation:
//   V = (R (E - Rb other) + Rb sum n d e) / (R + Rb sum n d^2)                      [reference B5]
// For the innermost loop. V comes out negative where ib_bus_solve would say `collapsed`.
IB_FORMULA ib_Bus ib_bus_plain(double E, double Rb, double R, double per_R, double other,
                               const ib_Bridge bridge[2])
{
    return ib__bus_linear(E, Rb, R, R, per_R, other, bridge, bridge[0].count, bridge[1].count);
}

// The same where the other loads draw  other + per_volt V:
//   V = (R (E - Rb other) + Rb sum n d e) / (R (1 + Rb per_volt) + Rb sum n d^2)
IB_FORMULA ib_Bus ib_bus_sloped(double E, double Rb, double R, double per_R, double other,
                                double per_volt, const ib_Bridge bridge[2])
{
    ib_Bus bus = ib__bus_linear(E, Rb, R, R + R * (Rb * per_volt), per_R, other, bridge,
                                bridge[0].count, bridge[1].count);
    bus.current += per_volt * bus.voltage;
    return bus;
}

// Does the bus of ib_bus_plain stay above `volts`, where the other loads draw `other` at that
// voltage? What the battery could hold there decides, without a division:
//   E - Rb (other + sum n d (d volts - e)/R) > volts
IB_FORMULA bool ib_bus_above(double E, double Rb, double per_R, double other,
                             const ib_Bridge bridge[2], double volts)
{
    double left = ib__bridge_free(bridge[0].duty, bridge[0].emf, per_R, volts).drawn;
    double right = ib__bridge_free(bridge[1].duty, bridge[1].emf, per_R, volts).drawn;
    return E - Rb * (other + (bridge[0].count * left + bridge[1].count * right)) > volts;
}

// ------------------------------------------------------------------ with limits

// Finds the solution where a limit acts or where more than one may exist. `current`: the motors'
// currents where they are states, else NULL.
ib_Bus ib__bus_limited(double E, double Rb, double R, double other, const ib_Bridge bridge[2],
                       const double *current);

IB_FORMULA ib_BridgeResult ib__bridge_open(double emf)
{
    ib_BridgeResult result;
    result.volts = emf;
    result.current = 0;
    result.drawn = 0;
    return result;
}

// Nothing feeds the bus: no voltage, no current, all bridges coast.
IB_FORMULA ib_Bus ib__bus_off(const ib_Bridge bridge[2])
{
    ib_Bus bus;
    bus.voltage = 0;
    bus.current = 0;
    bus.collapsed = false;
    bus.bridge[0] = ib__bridge_open(bridge[0].emf);
    bus.bridge[1] = ib__bridge_open(bridge[1].emf);
    return bus;
}

// Is the solution without limits the one sought? A second solution V1 > V, in which a stator limit
// acts, needs  V + V1 <= E - Rb other + Rb (what is fed back at V)  (docs/plant/bus.md), hence
//   2 V >= E - Rb other + Rb sum n max(0, -drawn)
// excludes it.
IB_FORMULA bool ib__bus_highest(double E, double Rb, double other, const ib_Bridge bridge[2],
                                const ib_Bus *bus)
{
    if (!(bus->voltage >= 0)) return false;
    if (bridge[0].stator == INFINITY && bridge[1].stator == INFINITY) return true;
    double back0 = bus->bridge[0].drawn < 0 ? -bridge[0].count * bus->bridge[0].drawn : 0.0;
    double back1 = bus->bridge[1].drawn < 0 ? -bridge[1].count * bus->bridge[1].drawn : 0.0;
    return 2 * bus->voltage >= E - Rb * (other - back0 - back1);
}

IB_FORMULA bool ib__bridge_within(const ib_Bridge *bridge, const ib_BridgeResult *result)
{
    return bridge->open ||
           (fabs(result->current) <= bridge->stator && result->drawn <= bridge->supply);
}

// The same with limits and open bridges. The equation may have several solutions (a limited motor
// is a load of constant power); the one with the highest voltage is taken: it is the one reached
// when the load comes up from zero. E <= 0 means that nothing feeds the bus (breaker open): then
// voltage and all currents are 0 and all bridges coast.
IB_FORMULA ib_Bus ib_bus_solve(double E, double Rb, double R, double other,
                               const ib_Bridge bridge[2])
{
    if (!(E > 0)) return ib__bus_off(bridge);
    double n0 = bridge[0].open ? 0.0 : bridge[0].count, n1 = bridge[1].open ? 0.0 : bridge[1].count;
    ib_Bus bus = ib__bus_linear(E, Rb, R, R, 1 / R, other, bridge, n0, n1);
    if (!(ib__bridge_within(&bridge[0], &bus.bridge[0]) &&
          ib__bridge_within(&bridge[1], &bus.bridge[1]) &&
          ib__bus_highest(E, Rb, other, bridge, &bus)))
        return ib__bus_limited(E, Rb, R, other, bridge, NULL);
    if (bridge[0].open) bus.bridge[0] = ib__bridge_open(bridge[0].emf);
    if (bridge[1].open) bus.bridge[1] = ib__bridge_open(bridge[1].emf);
    return bus;
}

// ------------------------------------------------------------------ currents given

// One bridge with a given current:  drawn = d I
IB_FORMULA ib_BridgeResult ib__bridge_given(const ib_Bridge *bridge, double current, double V)
{
    ib_BridgeResult result;
    result.volts = bridge->open ? bridge->emf : bridge->duty * V;
    result.current = current;
    result.drawn = bridge->open ? 0.0 : bridge->duty * current;
    return result;
}

// Do the volts lead to a current within the stator limit, and is the supply limit kept?
IB_FORMULA bool ib__bridge_leads_within(const ib_Bridge *bridge, const ib_BridgeResult *result,
                                        double R)
{
    return bridge->open || (fabs(result->volts - bridge->emf) <= bridge->stator * R &&
                            result->drawn <= bridge->supply);
}

// The same where the motors have inductance: their currents are states, given here, and come back
// unchanged. Without limits  V = E - Rb (other + sum n d I).  Limits act on u: within
// [e - s R, e + s R] the current to which u leads is within +-s; and u I <= p V. An open bridge
// must have current 0 (opening it is an event that books L I^2/2); E <= 0 opens all.
IB_FORMULA ib_Bus ib_bus_given(double E, double Rb, double R, double other,
                               const ib_Bridge bridge[2], const double current[2])
{
    if (!(E > 0)) return ib__bus_off(bridge);
    double n0 = bridge[0].count, n1 = bridge[1].count;
    double taken0 = bridge[0].open ? 0.0 : n0 * (bridge[0].duty * current[0]);
    double taken1 = bridge[1].open ? 0.0 : n1 * (bridge[1].duty * current[1]);
    ib_Bus bus;
    bus.current = other + (taken0 + taken1);
    bus.voltage = E - Rb * bus.current;
    bus.collapsed = false;
    bus.bridge[0] = ib__bridge_given(&bridge[0], current[0], bus.voltage);
    bus.bridge[1] = ib__bridge_given(&bridge[1], current[1], bus.voltage);
    if (ib__bridge_leads_within(&bridge[0], &bus.bridge[0], R) &&
        ib__bridge_leads_within(&bridge[1], &bus.bridge[1], R) &&
        ib__bus_highest(E, Rb, other, bridge, &bus))
        return bus;
    return ib__bus_limited(E, Rb, R, other, bridge, current);
}

#endif
