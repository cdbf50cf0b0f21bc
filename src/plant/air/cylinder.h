// plant/air/cylinder.h: a double-acting cylinder: two chambers of air between the ports of a valve
// and a piston. The derivation is in docs/plant/cylinder.md.
//
// A chamber has two states, the mass m and the internal energy U of its air:
//
//   P = (k - 1) U/V,   T = U/(m cv)                                      [thesis 4.1.7]
//   m' = q,            U' = cp T_q q - w P V' + h A_w (T_w - T)          [thesis 4.1.10, errata]
//
// with q through ports and leaks, T_q the temperature of the air that crosses, and w = 1; the
// printed factor kR/cp + 1 with cp = 1012 is w = (kR/cp)/(k - 1) = 0.9926. Mass and energy are sums
// of flows, so that both books close to rounding with every solver. Air of constant temperature is
// a special case: U = m cv T_w, which needs no state (plant/air/air_cylinder.h).
//
// Place and speed of the piston come from the caller: a mass on a rod (plant/air/piston.h), a
// mechanism (plant/actuator), or another body over a step of its own (plant/air/cylinder_lead.h).
//
//   Symbols: x position, 0 .. stroke [m], v velocity [m/s]; V volume [m^3], P pressure [Pa], T
//            temperature [K]; cap: the side without the rod, air in it extends
#ifndef IB_PLANT_AIR_CYLINDER_H
#define IB_PLANT_AIR_CYLINDER_H

#include "base/extreme.h"
#include "base/schema.h"
#include "plant/air/gas.h"
#include "plant/air/orifice.h"
#include "plant/air/proportional_valve.h"

typedef enum ib_CylinderHeat {
    IB_CYLINDER_ADIABATIC,  ///< no heat passes the walls
    IB_CYLINDER_ISOTHERMAL, ///< as much as keeps the temperature
    IB_CYLINDER_WALLS,      ///< h A_w (T_w - T)
} ib_CylinderHeat;

typedef struct ib_CylinderConfig {
    double bore, rod, stroke; ///< diameters and travel [m], 0 <= rod < bore
    double slot;              ///< area that a slider inside takes from the piston's [m^2], >= 0
    double dead[IB_SIDES];    ///< length of the chamber left at its end [m], > 0

    double R;           ///< specific gas constant [J/(kg K)]
    double temperature; ///< of supply, walls and surroundings [K]
    int heat;           ///< ib_CylinderHeat
    double coefficient; ///< h [W/(m^2 K)], >= 0
    double exhaust;     ///< Pe, where the valve lets out [Pa], absolute
    double atmosphere;  ///< that presses on the rod [Pa], absolute

    double leak_piston, leak_seal; ///< effective areas: past the piston, from each chamber to the
                                   ///< open air [m^2], >= 0
    double cushion_length;         ///< before each end [m]; 0: no cushions
    double cushion_area;           ///< through which the air has to leave there [m^2], > 0

    int orifice;          ///< ib_OrificeLaw
    double b, m, laminar; ///< as in ib_OrificeConfig
    bool published;       ///< the printed factor and the printed critical ratio
    ib_ProportionalConfig valve;
} ib_CylinderConfig;

// One side of the piston.
typedef struct ib_CylinderSide {
    double area;      ///< of the piston [m^2]
    double dead;      ///< volume at its end of the stroke [m^3]
    double length;    ///< the same as a length [m]
    double perimeter; ///< of the walls along the bore, the rod's surface included [m]
    double faces;     ///< of piston and end cap together [m^2]
} ib_CylinderSide;

typedef struct ib_CylinderModel {
    ib_CylinderSide side[IB_SIDES];
    double stroke, shaft; ///< [m]; the rod's cross-section [m^2]
    double cv, cp, k1;    ///< cv of a milligram [J/K]; cp [J/(kg K)]; k - 1
    double work;          ///< w
    double temperature, root_temperature;
    int heat;
    double coefficient;
    double exhaust, atmosphere;
    double leak_piston, leak_seal;
    double cushion_length, per_cushion, per_cushion_area;
    ib_OrificeModel orifice;
    ib_ProportionalModel valve;
} ib_CylinderModel;

// The states of the air, two of each side. Masses are counted in milligrams: an adaptive solver
// holds its error below tolerance (1 + |x|), and the chambers of a small cylinder hold some 20 mg.
#define IB_CYLINDER_MASS 1e-6 ///< [kg]
enum {
    IB_CYLINDER_CAP_MASS,
    IB_CYLINDER_CAP_ENERGY,
    IB_CYLINDER_ROD_MASS,
    IB_CYLINDER_ROD_ENERGY,
    IB_CYLINDER_STATES
};

// Source of the valve's air.
typedef struct ib_CylinderSupply {
    double pressure, temperature, root; ///< absolute [Pa], [K], its root
} ib_CylinderSupply;

// Openings of both ports.
typedef struct ib_CylinderOpening {
    ib_PortOpening port[IB_SIDES];
} ib_CylinderOpening;

// A chamber at one instant.
typedef struct ib_ChamberNow {
    double volume, pressure, temperature, root; ///< root of the temperature
} ib_ChamberNow;

// Flow into a chamber.
typedef struct ib_AirFlow {
    double mass;     ///< [kg/s]
    double enthalpy; ///< [W]
} ib_AirFlow;

// Both chambers and all that passes at one instant.
typedef struct ib_CylinderNow {
    ib_ChamberNow chamber[IB_SIDES];
    ib_AirFlow port[IB_SIDES]; ///< through the valve, into the chamber
    ib_AirFlow all[IB_SIDES];  ///< with leaks
    double heat[IB_SIDES];     ///< from the walls [W]
    ib_AirFlow supplied;       ///< taken from the supply; negative: given back
    ib_AirFlow leaked;         ///< to the open air by the leaks
    double rate[IB_CYLINDER_STATES];
} ib_CylinderNow;

// Sums of flows. Air: used = vented + leaked + gain of the chambers. Energy: E_supply + heat =
// E_exhaust + E_leak + w work + gain.
enum {
    IB_CYLINDER_WORK,      ///< of the air on the piston [J]
    IB_CYLINDER_HEAT,      ///< from the walls [J]
    IB_CYLINDER_USED,      ///< air taken from the supply [kg]
    IB_CYLINDER_VENTED,    ///< let out by the valve [kg]
    IB_CYLINDER_LEAKED,    ///< by leaks to the open air [kg]
    IB_CYLINDER_E_SUPPLY,  ///< enthalpy taken from the supply [J],
    IB_CYLINDER_E_EXHAUST, ///< let out,
    IB_CYLINDER_E_LEAK,    ///< leaked
    IB_CYLINDER_SUMS
};

ib_Status ib_cylinder_check(const ib_CylinderConfig *config, ib_Error *error);
void ib_cylinder_init(const ib_CylinderConfig *config, ib_CylinderModel *cylinder);

// Fills both chambers with air of these pressures and temperatures, cap side first.
void ib_cylinder_fill(const ib_CylinderModel *cylinder, double x, const double pressure[IB_SIDES],
                      const double temperature[IB_SIDES], double *air);

// The largest spring that both cushions of air are to a piston at an end, over their pressure [m]:
//   A_c^2/V_c + A_r^2/V_r
double ib_cylinder_cushions(const ib_CylinderModel *cylinder);

// ---------------------------------------------------------------------------------------- formulas

// Distance of the piston from a chamber's own end.
IB_FORMULA double ib_cylinder_way(const ib_CylinderModel *c, int side, double x)
{
    return side == IB_SIDE_CAP ? x : c->stroke - x;
}

// V = A way + dead. A piston never gets half a dead length beyond its end, but a solver may look
// there within a step, before it finds out where the stop is.
IB_FORMULA double ib_cylinder_volume(const ib_CylinderSide *side, double way)
{
    double least = -0.5 * side->length;
    return side->area * (way > least ? way : least) + side->dead;
}

IB_FORMULA ib_ChamberNow ib_chamber_now(const ib_CylinderModel *c, double volume, double mass,
                                        double energy)
{
    double capacity = mass * c->cv, share = energy / (volume * capacity); // one division for both
    ib_ChamberNow now;
    now.volume = volume;
    now.pressure = c->k1 * (share * capacity);
    now.temperature = share * volume;
    now.root = sqrt(now.temperature);
    return now;
}

// A side's with the piston at x.
IB_FORMULA ib_ChamberNow ib_cylinder_chamber(const ib_CylinderModel *c, int side, double x,
                                             const double *air)
{
    double volume = ib_cylinder_volume(&c->side[side], ib_cylinder_way(c, side, x));
    return ib_chamber_now(c, volume, air[2 * side], air[2 * side + 1]);
}

// P = (k - 1) U/V alone.
IB_FORMULA double ib_cylinder_pressure(const ib_CylinderModel *c, int side, double x,
                                       const double *air)
{
    double volume = ib_cylinder_volume(&c->side[side], ib_cylinder_way(c, side, x));
    return c->k1 * air[2 * side + 1] / volume;
}

// The area through which heat passes.
IB_FORMULA double ib_cylinder_walls(const ib_CylinderSide *side, double way)
{
    return side->perimeter * (way + side->length) + side->faces;
}

// True if a step from one to the other is plausible: not if less than a quarter of a chamber's air
// is left, or more than four times as much.
IB_FORMULA bool ib_cylinder_sound(const double *before, const double *after)
{
    bool sound = true;
    for (int i = 0; i < IB_CYLINDER_STATES; i++)
        sound &= after[i] > 0.25 * before[i] && after[i] < 4 * before[i];
    return sound;
}

// Force of its air on the piston, towards extension: P_c A_c - P_r A_r
IB_FORMULA double ib_cylinder_push(const ib_CylinderModel *c, double cap, double rod)
{
    return cap * c->side[IB_SIDE_CAP].area - rod * c->side[IB_SIDE_ROD].area;
}

// The force with the atmosphere's on the rod: - P_atm A_shaft [thesis 4.1.11; its A_piston is the
// rod's cross-section]. All at one atmosphere give 0.
IB_FORMULA double ib_cylinder_force(const ib_CylinderModel *c, double cap, double rod)
{
    return ib_cylinder_push(c, cap, rod) - c->atmosphere * c->shaft;
}

// Through one restriction into a chamber, from air of (P0, T0).
IB_FORMULA double ib_chamber_inflow(const ib_CylinderModel *c, const ib_ChamberNow *chamber,
                                    double area, double P0, double root0)
{
    double P = chamber->pressure;
    bool in = P0 > P;
    double up = in ? P0 : P, down = in ? P : P0, root = in ? root0 : chamber->root;
    double q = ib_orifice_flow(&c->orifice, area, up, root, down);
    return in ? q : -q;
}

// The air that crosses has the temperature of where it comes from.
IB_FORMULA ib_AirFlow ib__chamber_carries(const ib_CylinderModel *c, const ib_ChamberNow *chamber,
                                          double mass, double T0)
{
    double T = mass > 0 ? T0 : chamber->temperature;
    return (ib_AirFlow){mass, c->cp * T * mass};
}

IB_FORMULA void ib__air_add(ib_AirFlow *sum, ib_AirFlow flow)
{
    sum->mass += flow.mass;
    sum->enthalpy += flow.enthalpy;
}

// The area through which air leaves a chamber `way` before its end: in a cushion it has to pass a
// small opening as well, in series with the port. Its spear closes the bore over a tenth of the
// cushion's length, and the area falls in proportion to
//   1/A^2 = 1/A_port^2 + 1/A_cushion^2
IB_FORMULA double ib__cylinder_cushioned(const ib_CylinderModel *c, double area, double way)
{
    double in = ib_min(ib_max(10 * (c->cushion_length - way) * c->per_cushion, 0), 1);
    double ratio = area * c->per_cushion_area;
    return area - in * (area - area / sqrt(1 + ratio * ratio));
}

// The supply's part of a port's flow q, given or taken back. Inflow comes from the supply, outflow
// goes to the exhaust. Only air beyond both pressures goes the other way: air above Ps also back
// into the supply, air below Pe is also drawn from the exhaust, each in proportion to the way's
// share of supply or exhaust, and fading in from Ps and Pe on.
IB_FORMULA double ib__cylinder_supplied(const ib_CylinderModel *c, const ib_ChamberNow *chamber,
                                        const ib_PortOpening *open, const ib_CylinderSupply *supply,
                                        double q)
{
    double P = chamber->pressure;
    if (P <= supply->pressure && P >= c->exhaust) return q > 0 ? q : 0;
    double drop = ib_max(fabs(P - open->pressure), 1e-300);
    double above = ib_min(ib_max((P - supply->pressure) / drop, 0), 1);
    double below = ib_min(ib_max((c->exhaust - P) / drop, 0), 1);
    return q * (q > 0 ? 1 - (1 - open->fed) * below : open->fed * above);
}

// The loss of an underlapped valve: a charging port to the exhaust, a discharging one from the
// supply. The rules say a constant [thesis 4.2.3]; as the flow through a nozzle it is constant
// while choked, and ends at equal pressures, so that nothing is drawn from a vacuum.
IB_FORMULA double ib__cylinder_lost(const ib_CylinderModel *c, const ib_ChamberNow *chamber,
                                    double lost, double supply)
{
    double r = lost > 0 ? c->exhaust / chamber->pressure : chamber->pressure / supply;
    return lost * ib_orifice_share(&c->orifice, ib_min(r, 1));
}

// Flow through a port. `from_supply` receives the supply's part.
IB_FORMULA ib_AirFlow ib__cylinder_port(const ib_CylinderModel *c, const ib_ChamberNow *chamber,
                                        const ib_PortOpening *open, const ib_CylinderSupply *supply,
                                        double way, ib_AirFlow *from_supply)
{
    double area = open->area, other = open->other_area;
    if (c->cushion_length > 0) {
        double least = ib__cylinder_cushioned(c, area, way);
        area = open->pressure > chamber->pressure ? area : least;
        other = open->other_pressure > chamber->pressure ? other
                                                         : ib__cylinder_cushioned(c, other, way);
    }
    double q = ib_chamber_inflow(c, chamber, area, open->pressure, supply->root);
    double gives = ib__cylinder_supplied(c, chamber, open, supply, q), lost = 0;
    if (open->lost != 0) {
        lost = ib__cylinder_lost(c, chamber, open->lost, supply->pressure);
        gives += ib_max(-lost, 0);
    }
    ib_AirFlow all = ib__chamber_carries(c, chamber, q - lost, supply->temperature);
    ib__air_add(from_supply, ib__chamber_carries(c, chamber, gives, supply->temperature));
    if (c->valve.pairs) {
        double out =
            ib_chamber_inflow(c, chamber, other, open->other_pressure, c->root_temperature);
        ib__air_add(&all, ib__chamber_carries(c, chamber, out, c->temperature));
    }
    return all;
}

// Rates of one side.
IB_FORMULA void ib__chamber_rate(const ib_CylinderModel *c, int side, double x, double v,
                                 ib_CylinderNow *now)
{
    const ib_ChamberNow *chamber = &now->chamber[side];
    const ib_AirFlow *flow = &now->all[side];
    double growth = c->side[side].area * (side ? -v : v), unit = IB_CYLINDER_MASS;
    double given = flow->enthalpy - c->work * chamber->pressure * growth;
    double walls = ib_cylinder_walls(&c->side[side], ib_cylinder_way(c, side, x));
    double heat = c->coefficient * walls * (c->temperature - chamber->temperature);
    if (c->heat == IB_CYLINDER_ISOTHERMAL)
        heat = flow->mass * (1 / unit) * c->cv * c->temperature - given;
    now->heat[side] = heat;
    now->rate[2 * side] = flow->mass * (1 / unit);
    now->rate[2 * side + 1] = given + heat;
}

// Flow from a side to the atmosphere.
IB_FORMULA void ib__cylinder_seal(const ib_CylinderModel *c, int side, ib_CylinderNow *now)
{
    const ib_ChamberNow *chamber = &now->chamber[side];
    double q = ib_chamber_inflow(c, chamber, c->leak_seal, c->atmosphere, c->root_temperature);
    ib_AirFlow in = ib__chamber_carries(c, chamber, q, c->temperature);
    ib__air_add(&now->all[side], in);
    ib__air_add(&now->leaked, (ib_AirFlow){-in.mass, -in.enthalpy});
}

// Past the piston.
IB_FORMULA void ib__cylinder_past(const ib_CylinderModel *c, ib_CylinderNow *now)
{
    const ib_ChamberNow *cap = &now->chamber[IB_SIDE_CAP], *rod = &now->chamber[IB_SIDE_ROD];
    double q = ib_chamber_inflow(c, cap, c->leak_piston, rod->pressure, rod->root);
    ib_AirFlow past = ib__chamber_carries(c, cap, q, rod->temperature);
    ib__air_add(&now->all[IB_SIDE_CAP], past);
    ib__air_add(&now->all[IB_SIDE_ROD], (ib_AirFlow){-past.mass, -past.enthalpy});
}

// Flow through a side's port.
IB_FORMULA void ib__cylinder_pass_port(const ib_CylinderModel *c, int side, const double *air,
                                       double x, const ib_CylinderOpening *open,
                                       const ib_CylinderSupply *supply, ib_CylinderNow *now)
{
    now->chamber[side] = ib_cylinder_chamber(c, side, x, air);
    now->port[side] = ib__cylinder_port(c, &now->chamber[side], &open->port[side], supply,
                                        ib_cylinder_way(c, side, x), &now->supplied);
    now->all[side] = now->port[side];
}

// All of it, with the piston at x that moves with v.
IB_FORMULA ib_CylinderNow ib_cylinder_now(const ib_CylinderModel *c, const double *air, double x,
                                          double v, const ib_CylinderOpening *open,
                                          const ib_CylinderSupply *supply)
{
    ib_CylinderNow now;
    now.supplied = now.leaked = (ib_AirFlow){0, 0};
    ib__cylinder_pass_port(c, IB_SIDE_CAP, air, x, open, supply, &now);
    ib__cylinder_pass_port(c, IB_SIDE_ROD, air, x, open, supply, &now);
    if (c->leak_piston > 0) ib__cylinder_past(c, &now);
    if (c->leak_seal > 0) {
        ib__cylinder_seal(c, IB_SIDE_CAP, &now);
        ib__cylinder_seal(c, IB_SIDE_ROD, &now);
    }
    ib__chamber_rate(c, IB_SIDE_CAP, x, v, &now);
    ib__chamber_rate(c, IB_SIDE_ROD, x, v, &now);
    return now;
}

// Rates of IB_CYLINDER_SUMS.
IB_FORMULA void ib_cylinder_pass(const ib_CylinderModel *c, const ib_CylinderNow *now, double v,
                                 double *sums)
{
    const ib_AirFlow *cap = &now->port[IB_SIDE_CAP], *rod = &now->port[IB_SIDE_ROD];
    double push = ib_cylinder_push(c, now->chamber[0].pressure, now->chamber[1].pressure);
    sums[IB_CYLINDER_USED] = now->supplied.mass;
    sums[IB_CYLINDER_VENTED] = now->supplied.mass - (cap->mass + rod->mass);
    sums[IB_CYLINDER_LEAKED] = now->leaked.mass;
    sums[IB_CYLINDER_E_SUPPLY] = now->supplied.enthalpy;
    sums[IB_CYLINDER_E_EXHAUST] = now->supplied.enthalpy - (cap->enthalpy + rod->enthalpy);
    sums[IB_CYLINDER_E_LEAK] = now->leaked.enthalpy;
    sums[IB_CYLINDER_WORK] = push * v;
    sums[IB_CYLINDER_HEAT] = now->heat[IB_SIDE_CAP] + now->heat[IB_SIDE_ROD];
}

// Derivatives of a chamber with one way in or out by its states, x and v: for the Jacobian. Rates
// as in ib_CylinderNow.rate, m' in milligrams.
//   dP = P_x dx + P_U dU,   dT = T_m dm + T_U dU
//   in:   q = A C2 P0/sqrt(T0) psi(P/P0)    by P: A C2/sqrt(T0) psi';            by T: 0
//   out:  q = -A C2 P/sqrt(T) psi(P0/P)     by P: -A C2/sqrt(T) (psi - r psi');  by T: -q/(2 T)
typedef struct ib_ChamberSlopes {
    double area;                   ///< dV/dx: negative on the rod side
    double pressure, mass, energy; ///< P, m', U' themselves
    double heat;                   ///< from the walls, within U'
    double P_x, P_U;
    double m_x, m_m, m_U;      ///< of m'
    double H_x, H_m, H_U;      ///< of the enthalpy that comes in
    double Q_x, Q_m, Q_U;      ///< of the heat
    double U_x, U_v, U_m, U_U; ///< of U'
    double flow;               ///< q [kg/s]
} ib_ChamberSlopes;

IB_FORMULA ib_ChamberSlopes ib_chamber_slopes(const ib_CylinderModel *c, int side_,
                                              const ib_CylinderOpening *open,
                                              const ib_CylinderSupply *supply, double x, double v,
                                              const double *air)
{
    const ib_CylinderSide *side = &c->side[side_];
    double way = ib_cylinder_way(c, side_, x), m = air[2 * side_], U = air[2 * side_ + 1];
    double source = open->port[side_].pressure, growth = side_ == IB_SIDE_CAP ? 1 : -1;
    ib_ChamberNow now = ib_chamber_now(c, ib_cylinder_volume(side, way), m, U);
    double P = now.pressure, T = now.temperature;
    bool in = source > P;
    double up = in ? source : P, down = in ? P : source;
    double root = in ? supply->root : now.root, crossing = in ? supply->temperature : T;
    double per = 1 / (up * root), e = (up - down) * root * per;
    double psi = ib__orifice_ideal(&c->orifice, 1 - e, e);
    double slope = ib__orifice_ideal_slope(&c->orifice, 1 - e);
    double most = open->port[side_].area * c->orifice.choked * (up * per), size = most * up * psi;
    double q = in ? size : -size, out = in ? 0 : q;
    double q_P = most * (in ? slope : (1 - e) * slope - psi), q_T = -0.5 * out / T;
    double wall = ib_cylinder_walls(side, way), warm = c->coefficient * (c->temperature - T);
    double A = growth * side->area, work = c->work * A, unit = 1 / IB_CYLINDER_MASS;
    double T_m = -T / m, T_U = T / U;
    double H_P = c->cp * crossing * q_P, H_T = 0.5 * c->cp * out;
    double Q_T = -c->coefficient * wall;
    ib_ChamberSlopes s;
    s.area = A;
    s.pressure = P;
    s.flow = q;
    s.mass = q * unit;
    s.heat = warm * wall;
    s.energy = c->cp * crossing * q + s.heat - work * P * v;
    s.P_x = -P * A / now.volume;
    s.P_U = c->k1 / now.volume;
    s.m_x = q_P * s.P_x * unit;
    s.m_m = q_T * T_m * unit;
    s.m_U = (q_P * s.P_U + q_T * T_U) * unit;
    s.H_x = H_P * s.P_x;
    s.H_m = H_T * T_m;
    s.H_U = H_P * s.P_U + H_T * T_U;
    s.Q_x = growth * side->perimeter * warm;
    s.Q_m = Q_T * T_m;
    s.Q_U = Q_T * T_U;
    s.U_x = s.H_x + s.Q_x - work * v * s.P_x;
    s.U_v = -work * P;
    s.U_m = s.H_m + s.Q_m;
    s.U_U = s.H_U + s.Q_U - work * v * s.P_U;
    return s;
}

// True if its air has slopes as above: one way a port, the ideal orifice, no leaks, cushions or
// lost flows, and heat that is a function of the temperature.
IB_FORMULA bool ib_cylinder_has_slopes(const ib_CylinderModel *c)
{
    bool sealed = c->leak_piston == 0 && c->leak_seal == 0 && c->cushion_length == 0;
    bool ways = !c->valve.pairs && c->valve.lost == IB_LOST_NONE;
    return sealed && ways && c->orifice.law == IB_ORIFICE_IDEAL &&
           c->heat != IB_CYLINDER_ISOTHERMAL;
}

// Openings of both sides with the spool at `s` [V], on that side of its centre.
IB_FORMULA ib_CylinderOpening ib_cylinder_open(const ib_CylinderModel *c, double s, bool up,
                                               double supply)
{
    const ib_ProportionalModel *valve = &c->valve;
    ib_CylinderOpening open;
    s = ib_proportional_place(valve, s);
    for (int i = 0; i < IB_SIDES; i++)
        open.port[i] = ib_proportional_open(valve, valve->port[i], s, up, supply, c->exhaust);
    return open;
}

// -------------------------------------------------------------------------------------- parameters

extern const char *const ib_cylinder_heats[], *const ib_cylinder_orifices[];
const char *ib_cylinder_idle(const ib_CylinderConfig *config, const char *key);

// All rows of the air but its stroke, under a key such as "cylinder.", for a config struct with an
// ib_CylinderConfig in `cylinder`; the valve's follow, under "valve".
// Defaults are those of the thesis's rig: a Bimba PFC with 1.0625 in bore and 1.75 in stroke.
#define IB_CYLINDER_ROWS_AT(at, config, cylinder)                                                  \
    IB_NUMBER_OF(at "bore", "m", "1.0625 in", 1e-3, 1, config, cylinder.bore,                      \
                 "diameter of the piston"),                                                        \
        IB_NUMBER_OF(at "rod", "m", "0.375 in", 0, 1, config, cylinder.rod,                        \
                     "diameter of the rod"),                                                       \
        IB_NUMBER_OF(at "slot", "m^2", "11.25 mm^2", 0, 1, config, cylinder.slot,                  \
                     "area that the position sensor's slider takes from both sides of the "        \
                     "piston"),                                                                    \
        IB_NUMBER_OF(at "dead.cap", "m", "12 mm", 1e-6, 10, config, cylinder.dead[IB_SIDE_CAP],    \
                     "length of the cap side's chamber with the rod retracted, tube included"),    \
        IB_NUMBER_OF(at "dead.rod", "m", "18 mm", 1e-6, 10, config, cylinder.dead[IB_SIDE_ROD],    \
                     "length of the rod side's chamber with the rod extended, tube included"),     \
        IB_NUMBER_OF(at "gas_constant", "J/(kg*K)", "287 J/(kg*K)", 10, 1e4, config, cylinder.R,   \
                     "specific gas constant of the air"),                                          \
        IB_NUMBER_OF(at "temperature", "K", "298 K", 200, 400, config, cylinder.temperature,       \
                     "temperature of the supply, the walls and the air around"),                   \
        IB_CHOICE_OF(at "heat.law", "adiabatic", ib_cylinder_heats, config, cylinder.heat,         \
                     "heat between walls and air: none, all there is, or by a coefficient"),       \
        IB_NUMBER_OF(at "heat.coefficient", "W/(m^2*K)", "60 W/(m^2*K)", 0, 1e6, config,           \
                     cylinder.coefficient,                                                         \
                     "heat passed by an area of wall for a difference in temperature"),            \
        IB_NUMBER_OF(at "exhaust", "Pa", "108247.732 Pa", 1, 1e8, config, cylinder.exhaust,        \
                     "pressure where the valve lets out, absolute"),                               \
        IB_NUMBER_OF(at "atmosphere", "Pa", "101352.972 Pa", 1, 1e8, config, cylinder.atmosphere,  \
                     "pressure on the rod, absolute"),                                             \
        IB_NUMBER_OF(at "leak.piston", "m^2", "0 m^2", 0, 1e-3, config, cylinder.leak_piston,      \
                     "effective area of the leak past the piston"),                                \
        IB_NUMBER_OF(at "leak.seal", "m^2", "0 m^2", 0, 1e-3, config, cylinder.leak_seal,          \
                     "effective area of the leak from each chamber to the open air"),              \
        IB_NUMBER_OF(at "cushion.length", "m", "0 m", 0, 10, config, cylinder.cushion_length,      \
                     "way before each end on which air leaves through the cushion; 0: none"),      \
        IB_NUMBER_OF(at "cushion.area", "m^2", "5e-8 m^2", 1e-12, 1, config,                       \
                     cylinder.cushion_area, "effective area of a cushion"),                        \
        IB_CHOICE_OF(at "orifice.law", "ideal", ib_cylinder_orifices, config, cylinder.orifice,    \
                     "flow through an opening: an ideal gas in a nozzle, or ISO 6358"),            \
        IB_NUMBER_OF(at "orifice.b", "1", "0.3", 0, 0.8, config, cylinder.b,                       \
                     "critical pressure ratio (ISO 6358)"),                                        \
        IB_NUMBER_OF(at "orifice.m", "1", "0.5", 0.3, 1, config, cylinder.m,                       \
                     "subsonic index (ISO 6358)"),                                                 \
        IB_NUMBER_OF(at "orifice.laminar", "1", "0.9999", 0.5, 0.999999999, config,                \
                     cylinder.laminar, "pressure ratio above which the flow is laminar"),          \
        IB_PROPORTIONAL_ROWS(config, cylinder.valve)

// Rows with its stroke, at the top.
#define IB_CYLINDER_ROWS(config, cylinder)                                                         \
    IB_CYLINDER_ROWS_AT("", config, cylinder),                                                     \
        IB_NUMBER_OF("stroke", "m", "1.75 in", 1e-3, 10, config, cylinder.stroke,                  \
                     "distance that the rod moves from end to end")

#endif
