// plant/air_cylinder.h: a double-acting pneumatic cylinder with its valve.
// The derivation is in docs/plant/cylinder.md.
//
// The solenoid connects one chamber to the working pressure and the other to the open air. Cap: the
// side without the rod; air in it extends.
//
//   Symbols: x position [m], v velocity [m/s], n amount [mol], P pressure [Pa], A area [m^2],
//            V volume [m^3]; c cap side, r rod side
#ifndef IB_PLANT_AIR_CYLINDER_H
#define IB_PLANT_AIR_CYLINDER_H

#include "base/schema.h"
#include "base/status.h"
#include "plant/friction.h"
#include "plant/gas.h"
#include "plant/valve.h"

typedef struct ib_AirCylinderConfig {
    char name[IB_NAME_LENGTH + 1]; ///< as in `cylinders: {arm: …}`
    double bore;                   ///< diameter of the piston [m], > 0
    double rod;                    ///< diameter of the rod [m], 0 <= rod < bore
    double stroke;                 ///< [m], > 0
    double load;                   ///< mass that moves: piston, rod and what hangs on it [kg], > 0
    double force;                  ///< constant, against extension [N]
    double viscous;                ///< drag [N s/m], >= 0
    double friction; ///< dry friction of the seals [N], >= 0, smoothed over IB_AIR_CYLINDER_CREEP
    double dead_volume; ///< of each chamber at its end, with its tube [m^3], > 0
    ib_ValveConfig valve;
} ib_AirCylinderConfig;

#define IB_AIR_CYLINDER_CREEP 0.01 ///< speed at which dry friction has 0.7 of its value [m/s]
#define IB_AIR_CYLINDER_SLACK 1e-9 ///< a stop is reached this far behind it [m]
#define IB_AIR_CYLINDER_STICK 1e-6 ///< a stop lets go at this force [N]

typedef struct ib_AirCylinderModel {
    double area_cap, area_rod, area_shaft; ///< [m^2]; shaft: the rod's cross-section, A_c - A_r
    double stroke, dead_volume;            ///< [m], [m^3]
    double per_load, load;                 ///< [1/kg], [kg]
    double force, viscous, friction;       ///< [N], [N s/m], [N]
    double RT;                             ///< [J/mol]: chambers are isothermal
    double cap_at[2], rod_at[2];           ///< R T/V of a chamber, retracted and extended [Pa/mol]
    ib_ValveModel supply, exhaust; ///< supply: valve and regulator in series; exhaust: valve alone
} ib_AirCylinderModel;

// The states of one cylinder, in this order.
enum {
    IB_AIR_CYLINDER_POSITION,
    IB_AIR_CYLINDER_VELOCITY,
    IB_AIR_CYLINDER_CAP,  ///< amount in the cap chamber [mol]
    IB_AIR_CYLINDER_ROD,  ///< and in the rod chamber
    IB_AIR_CYLINDER_MODE, ///< -1 at the retracted stop, 0 free, 1 at the extended stop
    IB_AIR_CYLINDER_STATES
};

// Bore 3/4 in, rod 1/4 in, stroke 6 in, 1 kg, no forces, 5 mL dead volume (0.3 m of tube), the
// default valve: what a file leaves out.
ib_AirCylinderConfig ib_air_cylinder_default(void);
ib_Status ib_air_cylinder_check(const ib_AirCylinderConfig *config, ib_Error *error);
// `regulator_conductance`: +infinity for none.
void ib_air_cylinder_init(const ib_AirCylinderConfig *config, double temperature,
                          double regulator_conductance, ib_AirCylinderModel *cylinder);

// Retracted, the rod side at the working pressure, the cap side open to the air.
void ib_air_cylinder_reset(const ib_AirCylinderModel *cylinder, double working, double *state);

// Longest step for RK4 [s] with pressures up to `working`: see docs/plant/cylinder.md.
double ib_air_cylinder_resolution(const ib_AirCylinderModel *cylinder, double working);

// P_c = n_c R T/(A_c x + V_dead). At a stop, where a piston mostly is, the volume is a constant.
IB_FORMULA double ib_air_cylinder_cap(const ib_AirCylinderModel *cylinder, const double *state)
{
    double n = state[IB_AIR_CYLINDER_CAP], mode = state[IB_AIR_CYLINDER_MODE];
    if (fabs(mode) > 0.5) return n * cylinder->cap_at[mode > 0];
    double volume = cylinder->area_cap * state[IB_AIR_CYLINDER_POSITION] + cylinder->dead_volume;
    return n * cylinder->RT / volume;
}

// P_r = n_r R T/(A_r (s - x) + V_dead)
IB_FORMULA double ib_air_cylinder_rod(const ib_AirCylinderModel *cylinder, const double *state)
{
    double n = state[IB_AIR_CYLINDER_ROD], mode = state[IB_AIR_CYLINDER_MODE];
    if (fabs(mode) > 0.5) return n * cylinder->rod_at[mode > 0];
    double left = cylinder->stroke - state[IB_AIR_CYLINDER_POSITION];
    double volume = cylinder->area_rod * left + cylinder->dead_volume;
    return n * cylinder->RT / volume;
}

// What the air does to the piston, towards extension: F = P_c A_c - P_r A_r - P_atm A_shaft
// All chambers at one atmosphere give 0.
IB_FORMULA double ib_air_cylinder_force(const ib_AirCylinderModel *cylinder, double cap, double rod)
{
    return ib_gas_thrust(cap, cylinder->area_cap, rod, cylinder->area_rod, IB_ATMOSPHERE,
                         cylinder->area_shaft);
}

typedef struct ib_AirCylinderFlow {
    double in;  ///< from the working pressure [mol/s], negative: flows back
    double out; ///< to the open air [mol/s], negative: drawn in
} ib_AirCylinderFlow;

// x' = v,  m v' = F - force - viscous v - friction v/sqrt(v^2 + creep^2)
// n' by the valve of each side. At a stop x and v stay.
IB_FORMULA ib_AirCylinderFlow ib_air_cylinder_rate(const ib_AirCylinderModel *cylinder,
                                                   const double *state, double working, int extend,
                                                   double *rate)
{
    double cap = ib_air_cylinder_cap(cylinder, state), rod = ib_air_cylinder_rod(cylinder, state);
    double v = state[IB_AIR_CYLINDER_VELOCITY], acceleration = 0;
    int free = fabs(state[IB_AIR_CYLINDER_MODE]) < 0.5;
    if (free) {
        double dry = ib_friction_smooth(v, IB_AIR_CYLINDER_CREEP);
        double drag = cylinder->viscous * v + cylinder->friction * dry;
        double net = ib_air_cylinder_force(cylinder, cap, rod) - cylinder->force - drag;
        acceleration = net * cylinder->per_load;
    }

    ib_AirCylinderFlow flow;
    flow.in = ib_valve_flow(&cylinder->supply, working, extend ? cap : rod);
    flow.out = ib_valve_flow(&cylinder->exhaust, extend ? rod : cap, IB_ATMOSPHERE);
    rate[IB_AIR_CYLINDER_POSITION] = free ? v : 0;
    rate[IB_AIR_CYLINDER_VELOCITY] = acceleration;
    rate[IB_AIR_CYLINDER_CAP] = extend ? flow.in : -flow.out;
    rate[IB_AIR_CYLINDER_ROD] = extend ? -flow.out : flow.in;
    rate[IB_AIR_CYLINDER_MODE] = 0;
    return flow;
}

// Positive as long as the mode stays: how far from the nearer stop [m], or at a stop the force that
// presses on it [N].
double ib_air_cylinder_margin(const ib_AirCylinderModel *cylinder, const double *state);

// Brings the mode in line: a stop takes all speed (inelastic), and lets go when the force turns.
// Returns 1 when something changed; `lost` (may be NULL) gets the energy that the stop took [J].
int ib_air_cylinder_settle(const ib_AirCylinderModel *cylinder, double *state, double *lost);

#endif
