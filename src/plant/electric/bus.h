// plant/electric/bus.h: the battery, the bridges of the motors and all other loads at one voltage.
// They are solved together, without a step's lag. The derivation is in docs/plant/bus.md.
//
// Symbols: E open-circuit voltage, Rb battery resistance, V bus voltage, other: current of all
// loads that are not motors. One motor: d duty, e back-EMF, R winding, u voltage at it, I current.
//
//   V = E - Rb (other + sum n u I / V)                      [RoboSim 5.1 and 9, reference B5]
//   u = d V,   I = (u - e)/R        unless a limit holds u nearer to e
//
// A bridge is lossless: its current from the bus is u I / V = d I, not I. A stator limit s bounds
// |I|, a supply limit p bounds the current from the bus (never the one fed back):
//   u within [e - s R, e + s R],   u (u - e)/R <= p V,   and in the end |u| <= V: a bridge cannot
// raise the bus voltage, so a motor driven faster than V can hold brakes harder than s.
// A winding with inductance has its current as a state: then I is given, and the limits act on u.
#ifndef IB_PLANT_ELECTRIC_BUS_H
#define IB_PLANT_ELECTRIC_BUS_H

#include "base/formula.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { IB_BRIDGES_MAX = 32 }; ///< on one bus

// `count` equal motors, each behind its own bridge.
typedef struct ib_Bridge {
    double duty;    ///< d, -1 .. 1
    double emf;     ///< e = Ke w [V]
    double count;   ///< motors, >= 0
    double R;       ///< winding of one motor [ohm], > 0
    double per_R;   ///< 1/R [S]
    double stator;  ///< limit of |I| of one motor [A], > 0; INFINITY: off
    double supply;  ///< limit of one motor's current from the bus [A], > 0; INFINITY: off
    double current; ///< I of one motor, if given [A]; 0 for an open bridge
    bool given;     ///< the winding has inductance, its current is a state
    bool open;      ///< coasts: no current, u = e
} ib_Bridge;

typedef struct ib_BridgeResult {
    double volts;   ///< u, at one motor [V]
    double current; ///< I, of one motor [A]
    double drawn;   ///< from the bus by one motor [A] = volts current / bus voltage
} ib_BridgeResult;

typedef struct ib_Bus {
    double voltage; ///< V [V], >= 0; above E while motors feed back
    double current; ///< total current of the battery [A]; negative: it is charged
    bool collapsed; ///< no voltage >= 0 serves all loads; then V = 0, current = E/Rb
    ib_BridgeResult bridge[IB_BRIDGES_MAX]; ///< in the order of the bridges given
} ib_Bus;

// Any number of bridges up to IB_BRIDGES_MAX, and other loads that draw  other + per_volt V. While
// no limit acts one linear equation gives V:
//   V = (R0 (E - Rb other) + Rb sum w e) / (R0 (1 + Rb per_volt) + Rb sum w d),   w = n d R0/R
// with R0 the first bridge's R: a motor of another winding counts as R0/R of its. With an active
// limit there may be several solutions (a limited motor is a load of constant power); the one with
// the highest voltage is taken, which is reached if the load rises from zero. It is found piece by
// piece, in at most 7 pieces a bridge (plant/electric/bus.c). E <= 0: the bus has no source
// (breaker open): voltage and all currents are 0 and all bridges coast.
void ib_bus_solve(double E, double Rb, double other, double per_volt, const ib_Bridge *bridge,
                  int count, ib_Bus *bus);

// -------------------------------------------------------------------------------------- one bridge

// Result at duty d on a bus of V volts, with a current that follows at once.
IB_FORMULA ib_BridgeResult ib__bridge_free(double duty, double emf, double per_R, double V)
{
    ib_BridgeResult result;
    result.volts = duty * V;
    result.current = (result.volts - emf) * per_R;
    result.drawn = duty * result.current;
    return result;
}

IB_FORMULA ib_BridgeResult ib__bridge_open(double emf)
{
    ib_BridgeResult result;
    result.volts = emf;
    result.current = 0;
    result.drawn = 0;
    return result;
}

// ------------------------------------------------------------------------------------ free bridges

// Solution for bridges that are neither open nor given nor limited, E > 0: one linear equation, as
// above, with the bits of ib_bus_solve (docs/performance.md).
typedef struct ib_BusSums {
    double R0, d, e; ///< sum w d, sum w e
} ib_BusSums;

IB_FORMULA ib_BusSums ib_bus_sums(const ib_Bridge *bridge, int count)
{
    ib_BusSums sums = {bridge[0].R, 0, 0};
    for (int i = 0; i < count; i++) {
        const ib_Bridge *b = &bridge[i];
        double n = b->R == sums.R0 ? b->count : b->count * (sums.R0 * b->per_R), w = n * b->duty;
        sums.d += w * b->duty;
        sums.e += w * b->emf;
    }
    return sums;
}

// Negative: no voltage serves all loads.
IB_FORMULA double ib_bus_voltage(double E, double Rb, double other, double per_volt,
                                 const ib_BusSums *s)
{
    double stiff = s->R0 + s->R0 * (Rb * per_volt);
    return (s->R0 * (E - Rb * other) + Rb * s->e) * (1 / (stiff + Rb * s->d));
}

// Results of the bridges at this voltage, with a current `other` of all other loads.
IB_FORMULA void ib_bus_free(double V, double other, const ib_Bridge *bridge, int count, ib_Bus *bus)
{
    double motors = 0;
    for (int i = 0; i < count; i++) {
        bus->bridge[i] = ib__bridge_free(bridge[i].duty, bridge[i].emf, bridge[i].per_R, V);
        motors += bridge[i].count * bus->bridge[i].drawn;
    }
    bus->voltage = V;
    bus->current = other + motors;
    bus->collapsed = false;
}

#endif
