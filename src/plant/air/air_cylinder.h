// plant/air/air_cylinder.h: a cylinder on a robot's air, switched by a solenoid: a case of
// plant/air/cylinder.h. The derivation is in docs/plant/air_cylinder.md.
//
// The solenoid connects one chamber to the working pressure and the other to the open air. Both
// keep their temperature, so that an amount n of air alone is a state, U = m cv T. Its piston bears
// a load (plant/air/piston.h), or moves a mechanism (plant/actuator), whose motion is then its own.
#ifndef IB_PLANT_AIR_AIR_CYLINDER_H
#define IB_PLANT_AIR_AIR_CYLINDER_H

#include "plant/air/cylinder.h"
#include "plant/air/piston.h"
#include "plant/air/valve.h"

typedef struct ib_AirCylinderConfig {
    char name[IB_NAME_LENGTH + 1]; ///< as in `cylinders: {arm: …}`
    double bore;                   ///< diameter of the piston [m], > 0
    double rod;                    ///< diameter of the rod [m], 0 <= rod < bore
    double stroke;                 ///< [m], > 0
    double load;                   ///< moving mass: piston, rod and load [kg], > 0
    double force;                  ///< constant, against extension [N]
    double viscous;                ///< drag [N s/m], >= 0
    double friction;               ///< dry friction of the seals [N], >= 0, smoothed over 10 mm/s
    double dead_volume;            ///< of each chamber at its end, with its tube [m^3], > 0
    ib_ValveConfig valve;
} ib_AirCylinderConfig;

typedef struct ib_AirCylinderModel {
    ib_CylinderModel air;
    ib_PistonModel piston;
    double force;           ///< [N]
    double supply, exhaust; ///< areas of a port: valve and regulator in series; valve alone [m^2]
    double supply_flow, exhaust_flow; ///< choked flow through them over its pressure [kg/(s Pa)]
} ib_AirCylinderModel;

// The states of one that bears a load, in this order; amounts stand side by side.
enum {
    IB_AIR_CYLINDER_POSITION,
    IB_AIR_CYLINDER_VELOCITY,
    IB_AIR_CYLINDER_CAP,  ///< amount in the cap chamber [mol]
    IB_AIR_CYLINDER_ROD,  ///< and in the rod chamber
    IB_AIR_CYLINDER_MODE, ///< IB_PISTON_LOW …
    IB_AIR_CYLINDER_STATES
};

// The robot's air supply at one instant.
typedef struct ib_AirSupply {
    double working; ///< pressure behind the regulator, absolute [Pa]; 0: there is no air
    bool returns;   ///< air that a load pushes back reaches the tanks
    bool on;        ///< solenoids follow their commands
    double tanks;   ///< pressure before the regulator, absolute [Pa]
} ib_AirSupply;

// Air of a cylinder, from the tanks and to the atmosphere [mol/s].
typedef struct ib_AirDraw {
    double taken, vented;
} ib_AirDraw;

// Force of its air on the piston.
typedef struct ib_AirPush {
    double pressure[IB_SIDES]; ///< absolute [Pa]
    double force;              ///< outwards [N]
} ib_AirPush;

ib_Status ib_air_cylinder_check(const ib_AirCylinderConfig *config, ib_Error *error);
// `regulator`: its conductance; +infinity for none.
void ib_air_cylinder_init(const ib_AirCylinderConfig *config, double temperature, double regulator,
                          ib_AirCylinderModel *cylinder);

// Choked flow through a port over its pressure [mol/(s Pa)].
double ib_air_cylinder_conductance(const ib_AirCylinderModel *cylinder, double area);

// Amounts with the piston at x: the rod side at the working pressure, the cap side open to the air.
void ib_air_cylinder_fill(const ib_AirCylinderModel *cylinder, double working, double x,
                          double amount[IB_SIDES]);

// Longest step for RK4 [s] of a mass under up to `working`: see docs/plant/air_cylinder.md.
double ib_air_cylinder_resolution(const ib_AirCylinderModel *cylinder, double per_mass,
                                  double working);

// ---------------------------------------------------------------------------------- wherever it is

#define IB_AIR_R    287.0                                           ///< of air [J/(kg K)]
#define IB_AIR_MOLE (IB_GAS_CONSTANT / IB_AIR_R / IB_CYLINDER_MASS) ///< the states' masses in one

//   P = (k - 1) U/V,   U = m cv T,   m = n M
IB_FORMULA double ib__air_cylinder_pressure(const ib_AirCylinderModel *c, int side, double x,
                                            double amount)
{
    const ib_CylinderModel *air = &c->air;
    double volume = ib_cylinder_volume(&air->side[side], ib_cylinder_way(air, side, x));
    return air->k1 * (amount * IB_AIR_MOLE * air->cv * air->temperature) / volume;
}

IB_FORMULA ib_AirPush ib_air_cylinder_push(const ib_AirCylinderModel *c, double x,
                                           const double amount[IB_SIDES])
{
    double cap = ib__air_cylinder_pressure(c, IB_SIDE_CAP, x, amount[IB_SIDE_CAP]);
    double rod = ib__air_cylinder_pressure(c, IB_SIDE_ROD, x, amount[IB_SIDE_ROD]);
    return (ib_AirPush){{cap, rod}, ib_cylinder_force(&c->air, cap, rod)};
}

// Into a chamber at P through one port [mol/s]. All air has one temperature, so that a port's
// choked flow over its pressure is a constant.
IB_FORMULA double ib__air_cylinder_inflow(const ib_AirCylinderModel *c, double flow, double from,
                                          double P)
{
    bool in = from > P;
    double q = flow * ib_iso_drive(&c->air.orifice.iso, in ? from : P, in ? P : from);
    return (in ? q : -q) * (1 / (IB_AIR_MOLE * IB_CYLINDER_MASS));
}

// Rates of both amounts; `extend`: the command. Air that a load pushes back passes a regulator only
// if that is wide open; else it is vented.
IB_FORMULA ib_AirDraw ib_air_cylinder_rate(const ib_AirCylinderModel *c, const ib_AirPush *push,
                                           const ib_AirSupply *supply, bool extend,
                                           double rate[IB_SIDES])
{
    int fed = extend && supply->on ? IB_SIDE_CAP : IB_SIDE_ROD;
    double in = ib__air_cylinder_inflow(c, c->supply_flow, supply->working, push->pressure[fed]);
    double out = ib__air_cylinder_inflow(c, c->exhaust_flow, IB_ATMOSPHERE, push->pressure[!fed]);
    double back = supply->returns ? 0 : ib_min(in, 0);
    rate[fed] = in;
    rate[!fed] = out;
    return (ib_AirDraw){.taken = in - back, .vented = -out - back};
}

// ---------------------------------------------------------------------------------- under its load

// Retracted.
void ib_air_cylinder_reset(const ib_AirCylinderModel *cylinder, double working, double *state);

IB_FORMULA ib_PistonState ib__air_cylinder_piston(const double *state)
{
    return (ib_PistonState){.x = state[IB_AIR_CYLINDER_POSITION],
                            .v = state[IB_AIR_CYLINDER_VELOCITY],
                            .mode = (int)state[IB_AIR_CYLINDER_MODE]};
}

// Rates of all its states.
IB_FORMULA ib_AirDraw ib_air_cylinder_move(const ib_AirCylinderModel *c, const double *state,
                                           const ib_AirSupply *supply, bool extend, double *rate)
{
    ib_PistonState piston = ib__air_cylinder_piston(state);
    ib_AirPush push = ib_air_cylinder_push(c, piston.x, state + IB_AIR_CYLINDER_CAP);
    bool stands = ib_piston_stands(&c->piston, piston.mode);
    rate[IB_AIR_CYLINDER_POSITION] = stands ? 0 : piston.v;
    rate[IB_AIR_CYLINDER_VELOCITY] =
        stands ? 0 : ib_piston_now(&c->piston, &piston, push.force - c->force).acceleration;
    rate[IB_AIR_CYLINDER_MODE] = 0;
    return ib_air_cylinder_rate(c, &push, supply, extend, rate + IB_AIR_CYLINDER_CAP);
}

// Positive as long as the mode stays.
double ib_air_cylinder_margin(const ib_AirCylinderModel *cylinder, const double *state);
// Brings the mode in line; true when something changed. `lost` gets the energy that a stop took.
bool ib_air_cylinder_settle(const ib_AirCylinderModel *cylinder, double *state, double *lost);

// -------------------------------------------------------------------------------------- parameters

// row(config, key, unit, fallback, min, max, detail, field, sentence): all are numbers.
#define IB_AIR_CYLINDER_SIZE_ROWS(row, config)                                                     \
    row(config, "bore", "m", "0.75 in", 1e-3, 1, NULL, bore, "diameter of the piston"),            \
        row(config, "rod", "m", "0.25 in", 0, 1, NULL, rod, "diameter of the rod"),                \
        row(config, "stroke", "m", "6 in", 1e-3, 10, NULL, stroke,                                 \
            "distance that the rod moves from end to end")
#define IB_AIR_CYLINDER_SEAL_ROWS(row, config)                                                     \
    row(config, "viscous", "N*s/m", "0 N*s/m", 0, 1e6, NULL, viscous,                              \
        "viscous friction of the seals: force over speed"),                                        \
        row(config, "friction", "N", "0 N", 0, 1e6, NULL, friction, "dry friction of the seals"),  \
        row(config, "dead_volume", "m^3", "5 mL", 1e-9, 1, NULL, dead_volume,                      \
            "volume left in each chamber at its end of the stroke, with its tube"),                \
        IB_VALVE_ROWS(row, config)
enum { IB_AIR_CYLINDER_ROW_COUNT = 6 + IB_VALVE_ROW_COUNT }; ///< of both

#endif
