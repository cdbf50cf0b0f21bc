// plant/air/air_source.h: what a robot that carries its own air lives on: a bottle, or an engine
// that makes air from stored energy. The derivation is in docs/plant/air_source.md.
//
//   bottle   it is the tank: n' = -taken, P = n R T/V
//   engine   it fills the tanks: n' = P_atm F/(R T) while the pressure switch calls,
//            E' = -M n' w(P)/efficiency,   w(P) = cp T ((P/P_atm)^((k - 1)/k) - 1)
//
//   Symbols: n air [mol], M its molar mass [kg/mol], F free air [m^3/s], E stored energy [J],
//            w isentropic work of compression [J/kg]
#ifndef IB_PLANT_AIR_AIR_SOURCE_H
#define IB_PLANT_AIR_AIR_SOURCE_H

#include "base/extreme.h"
#include "base/maths.h"
#include "base/schema.h"
#include "base/signal.h"
#include "plant/air/gas.h"

#include <stdbool.h>

typedef enum ib_AirSourceLaw { IB_AIR_BOTTLE, IB_AIR_ENGINE } ib_AirSourceLaw;

typedef struct ib_AirSourceConfig {
    int on;                ///< 0: there is none
    int law;               ///< ib_AirSourceLaw
    double mass;           ///< of all but shell, air and store [kg], >= 0
    double place[3];       ///< of its centre of mass in the body's frame [m]
    double volume;         ///< of the bottle [m^3], > 0
    double pressure;       ///< in it at the start [Pa], absolute, > 0
    double shell;          ///< mass of the bottle for its volume [kg/m^3], >= 0
    double energy;         ///< stored for the engine at the start [J], >= 0
    double energy_density; ///< of fuel, propellant or battery [J/kg], > 0
    double efficiency;     ///< isentropic work over the energy used, 0 .. 1
    double flow;           ///< free air that the engine makes [m^3/s], >= 0
} ib_AirSourceConfig;

typedef struct ib_AirSourceModel {
    bool on, bottle;
    double mass;        ///< of all that is not used up [kg]
    double energy;      ///< at the start [J]
    double per_density; ///< [kg/J]
    double flow;        ///< [mol/s]
    double work;        ///< cp T/efficiency [J/kg]
    double usable;      ///< cp T ((P/P_atm)^((k - 1)/k) - 1) at the setting [J/kg]
    double setting;     ///< of the regulator [Pa]
    double least;       ///< air in the tanks at the regulator's setting and T [mol]
} ib_AirSourceModel;

// Its states, behind those of the cylinders.
enum {
    IB_AIR_SOURCE_ENERGY, ///< left [J]
    IB_AIR_SOURCE_SPENT,  ///< mode: 1 nothing more comes out of it
    IB_AIR_SOURCE_FLOW,   ///< out of the tanks, a mean that forgets in IB_AIR_SOURCE_MEMORY [mol/s]
    IB_AIR_SOURCE_WEIGHT, ///< of that mean: 1 - exp(-t/memory)
    IB_AIR_SOURCE_STATES
};

#define IB_AIR_SOURCE_MEMORY  10.0                      ///< [s]: some cycles of a gait
#define IB_AIR_SOURCE_FOREVER 1e7                       ///< longest time that is told [s]
#define IB_AIR_MASS           (IB_GAS_CONSTANT / 287.0) ///< of a mole of air [kg/mol]

ib_Status ib_air_source_check(const ib_AirSourceConfig *config, ib_Error *error);
void ib_air_source_init(const ib_AirSourceConfig *config, double temperature, double setting,
                        double tank_volume, ib_AirSourceModel *source);
void ib_air_source_reset(const ib_AirSourceModel *source, double *state);

// All of it, as it is carried at the start, at the temperature of its air [kg].
double ib_air_source_mass(const ib_AirSourceConfig *config, double temperature);

//   (P/P_atm)^((k - 1)/k) - 1, of isentropic compression; 0 below the atmosphere
IB_FORMULA double ib_air_source_rise(double P)
{
    double k = IB_AIR_HEAT_RATIO, ratio = ib_max(P * (1 / IB_ATMOSPHERE), 1);
    return ib_pow(ratio, (k - 1) / k) - 1;
}

// Flow of the engine that the pressure switch calls [mol/s].
IB_FORMULA double ib_air_source_flow(const ib_AirSourceModel *source, const double *state)
{
    return state[IB_AIR_SOURCE_SPENT] > 0.5 ? 0 : source->flow;
}

// Rates with so much air made and taken out of the tanks at P [mol/s]. The mean of the flow is y/w,
//   y' = (q - y)/memory,  w' = (1 - w)/memory,  at first of all the time, then of the last seconds
IB_FORMULA void ib_air_source_rate(const ib_AirSourceModel *source, const double *state,
                                   double made, double out, double P, double *rate)
{
    double per = 1 / IB_AIR_SOURCE_MEMORY;
    rate[IB_AIR_SOURCE_ENERGY] = -made * IB_AIR_MASS * source->work * ib_air_source_rise(P);
    rate[IB_AIR_SOURCE_SPENT] = 0;
    rate[IB_AIR_SOURCE_FLOW] = per * (out - state[IB_AIR_SOURCE_FLOW]);
    rate[IB_AIR_SOURCE_WEIGHT] = per * (1 - state[IB_AIR_SOURCE_WEIGHT]);
}

// Margin of the mode, positive as long as it stays: a bottle at P gives above the regulator's
// setting [Pa], again from a thousandth above it; an engine gives as long as it has energy [J].
IB_FORMULA double ib_air_source_margin(const ib_AirSourceModel *source, const double *state,
                                       double P)
{
    bool spent = state[IB_AIR_SOURCE_SPENT] > 0.5;
    if (source->bottle) return spent ? 1.001 * source->setting - P : P - source->setting;
    return spent ? 1 : state[IB_AIR_SOURCE_ENERGY];
}

// ----------------------------------------------------------------------------------------- signals

enum {
    IB_AIR_SOURCE_SIGNAL_MASS,
    IB_AIR_SOURCE_SIGNAL_LEFT,
    IB_AIR_SOURCE_SIGNAL_ENERGY,
    IB_AIR_SOURCE_SIGNAL_FLOW,
    IB_AIR_SOURCE_SIGNAL_TIME,
    IB_AIR_SOURCE_SIGNAL_SPENT,
    IB_AIR_SOURCE_SIGNAL_ERROR,
    IB_AIR_SOURCE_SIGNALS
};
#define IB_PREFIX_AIR_SOURCE     "source"
#define IB_NAME_AIR_SOURCE_ERROR IB_PREFIX_AIR_SOURCE ".error"
extern const ib_SignalDef ib_air_source_signals[IB_AIR_SOURCE_SIGNALS]; ///< prefix `source`

// All but the balance, with so much air in the tanks [mol] at P.
void ib_air_source_output(const ib_AirSourceModel *source, const double *state, double moles,
                          double P, double *signals);

// -------------------------------------------------------------------------------------- parameters

extern const ib_PresetDef ib_air_sources;
extern const char *const ib_air_source_laws[];

// The key below "air.source" that disables this one, as in ib_Schema.idle; NULL: it counts.
const char *ib_air_source_idle(const ib_AirSourceConfig *config, const char *key);

// Rows of the source, for a config struct with an ib_AirSourceConfig in `source`.
#define IB_AIR_SOURCE_ROWS(config, source)                                                         \
    IB_ROW("air.source", IB_PARAM_PRESET, "1", "off", 0, 0, &ib_air_sources, config, source.on,    \
           "what the robot carries its air with, in the place of the compressor: off, a source "   \
           "of data/air_sources.yaml, or a map"),                                                  \
        IB_CHOICE_OF("air.source.law", "bottle", ib_air_source_laws, config, source.law,           \
                     "bottle: it is the tank, and empties; engine: it fills the tanks from "       \
                     "stored energy"),                                                             \
        IB_NUMBER_OF("air.source.mass", "kg", "0 kg", 0, 1e3, config, source.mass,                 \
                     "mass of the source without its shell, its air and its store of energy"),     \
        IB_NUMBER_OF("air.source.x", "m", "0 m", -10, 10, config, source.place[0],                 \
                     "its centre of mass, forward in the body's frame"),                           \
        IB_NUMBER_OF("air.source.y", "m", "0 m", -10, 10, config, source.place[1],                 \
                     "its centre of mass, to the left"),                                           \
        IB_NUMBER_OF("air.source.z", "m", "0 m", -10, 10, config, source.place[2],                 \
                     "its centre of mass, upwards"),                                               \
        IB_NUMBER_OF("air.source.volume", "m^3", "1 L", 1e-6, 10, config, source.volume,           \
                     "volume of the bottle"),                                                      \
        IB_NUMBER_OF("air.source.pressure", "Pa", "200 bar", 1, 1e8, config, source.pressure,      \
                     "pressure in the bottle at the start"),                                       \
        IB_NUMBER_OF("air.source.shell", "kg/m^3", "0 kg/L", 0, 1e5, config, source.shell,         \
                     "mass of the bottle's shell for its volume"),                                 \
        IB_NUMBER_OF("air.source.energy", "J", "1 MJ", 0, 1e12, config, source.energy,             \
                     "energy stored for the engine at the start"),                                 \
        IB_NUMBER_OF("air.source.energy_density", "J/kg", "1 MJ/kg", 1, 1e12, config,              \
                     source.energy_density, "energy of a kilogram of the store"),                  \
        IB_NUMBER_OF("air.source.efficiency", "1", "1", 1e-4, 1, config, source.efficiency,        \
                     "isentropic work of compression over the energy that it takes"),              \
        IB_NUMBER_OF("air.source.flow", "m^3/s", "1 cfm", 0, 1, config, source.flow,               \
                     "free air that the engine makes, at any pressure")

#endif
