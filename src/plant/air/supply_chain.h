// plant/air/supply_chain.h: the air supply of many valves: compressor -> tank -> regulator -> line,
// each of them but the last pressure optional. The derivation is in docs/plant/bank.md.
//
//   given by config          the valves see
//   nothing else             a pressure that never changes
//   a line                   a line behind a regulator, before which a pressure never changes
//   a tank                   min(setting, tank): an ideal regulator
//   a tank and a line        a line behind a regulator behind a tank that empties
//   a line that is led       a line behind a regulator behind what its user says
//
// It is made for a step with a known mass of air for the valves: all parts change by sums, so that
// air is neither made nor lost.
#ifndef IB_PLANT_AIR_SUPPLY_CHAIN_H
#define IB_PLANT_AIR_SUPPLY_CHAIN_H

#include "plant/air/compressor.h"
#include "plant/air/reservoir.h"
#include "plant/air/supply_line.h"

typedef struct ib_ChainConfig {
    ib_SupplyConfig supply; ///< pressure or setting, and the line; `source` counts without a tank
    int tank;               ///< 1: there is one
    ib_ReservoirConfig reservoir;   ///< the tank; its temperature is that of the air around
    double start;                   ///< pressure in the tank at t = 0 [Pa], absolute, > 0
    int compressor;                 ///< 1: feeds the tank; 0: no compressor
    ib_CompressorConfig compressed; ///< its table
    double voltage;                 ///< of the compressor's motor [V], > 0
    bool led;                       ///< the pressure before the line's regulator comes from outside
    double efficiency;              ///< isentropic work over the compressor's input, 0 .. 1
} ib_ChainConfig;

typedef struct ib_ChainModel {
    ib_SupplyModel supply;
    ib_ReservoirModel reservoir;
    ib_CompressorModel compressor;
    bool tank, fed, led;
    double start, voltage;
    double mole;           ///< its mass [kg]
    double density;        ///< of free air [kg/m^3]
    double temperature;    ///< of the air around [K]
    double per_atmosphere; ///< [1/Pa]
    double work;           ///< cp T/efficiency [J/kg]
    double source_work;    ///< to compress a kilogram to where a source without a tank is [J/kg]
} ib_ChainModel;

// The states. Those of missing parts stay unchanged.
enum {
    IB_CHAIN_LINE, ///< air in the line [kg]
    IB_CHAIN_TANK, ///< air in the tank [mol]; of a line that is led: the pressure before it [Pa]
    IB_CHAIN_TEMPERATURE, ///< of the air in the tank [K]
    IB_CHAIN_CONTACT,     ///< mode: 1 the pressure switch is closed and calls for air
    IB_CHAIN_DELIVERED,   ///< by the compressor, or a source that never changes [kg], sum
    IB_CHAIN_LOST,        ///< by the tank's leak and relief, and a relieving regulator [kg], sum
    IB_CHAIN_ENERGY,      ///< that the compressor took for it [J], sum
    IB_CHAIN_STATES
};

// 50.3 psig without line and tank; a tank of 2 L, isothermal, at 100 psig, not refilled;
// efficiency 0.5, about that of small piston compressors with their motors.
ib_ChainConfig ib_chain_default(void);
ib_Status ib_chain_check(const ib_ChainConfig *config, ib_Error *error);
void ib_chain_init(const ib_ChainConfig *config, const ib_OrificeModel *orifice, double R,
                   double temperature, double atmosphere, ib_ChainModel *chain);
void ib_chain_reset(const ib_ChainModel *chain, double *state);

// Absolute pressures [Pa]: in the tank, or before a regulator without one; at the valves.
double ib_chain_source(const ib_ChainModel *chain, const double *state);
double ib_chain_pressure(const ib_ChainModel *chain, const double *state);

// True if the pressure at the valves depends on their flow.
bool ib_chain_sags(const ib_ChainModel *chain);

// The pressure that valves see over a step of h, if they take `take` [kg] of it at the present one
// and `slope` [kg/Pa] for each pascal more. docs/plant/bank.md: "One supply for all"
double ib_chain_seen(const ib_ChainModel *chain, const double *state, double h, double take,
                     double slope);

// True if it has so much air, with the inflow within h.
bool ib_chain_bears(const ib_ChainModel *chain, const double *state, double h, double taken);

// Advances by h with so much air used by the valves [kg], negative: returned. `next` may
// be `state`.
void ib_chain_step(const ib_ChainModel *chain, const double *state, double h, double taken,
                   double *next);

// -------------------------------------------------------------------------------------- parameters

extern const ib_PresetDef ib_chain_tanks, ib_chain_compressors;

// The key that disables "tank.switch" or "supply.source", as in ib_Schema.idle.
const char *ib_chain_idle(const ib_ChainConfig *config, const char *key);

// Rows for a config struct with an ib_ChainConfig in `chain`: supply.*, tank.* and compressor.*.
#define IB_CHAIN_ROWS(config, chain)                                                               \
    IB_SUPPLY_ROWS(config, chain.supply),                                                          \
        IB_NUMBER_OF("supply.efficiency", "1", "0.5", 0.01, 1, config, chain.efficiency,           \
                     "isentropic work of compression over the energy that it takes"),              \
        IB_ROW("tank", IB_PARAM_PRESET, "1", "off", 0, 0, &ib_chain_tanks, config, chain.tank,     \
               "a tank before the regulator: off, or a map"),                                      \
        IB_NUMBER_OF("tank.volume", "m^3", "2 L", 1e-6, 10, config, chain.reservoir.volume,        \
                     "volume of the tank"),                                                        \
        IB_NUMBER_OF("tank.start", "Pa", "100 psig", 1, 1e8, config, chain.start,                  \
                     "pressure in the tank at the start"),                                         \
        IB_NUMBER_OF("tank.heat_time", "s", "0 s", 0, 1e5, config, chain.reservoir.heat_time,      \
                     "time constant in which its air takes the walls' temperature; 0: at once"),   \
        IB_NUMBER_OF("tank.leak", "m^3/s", "0 L/min", 0, 1, config, chain.reservoir.leak,          \
                     "flow of its leak, of air at its pressure; 0: no leak"),                      \
        IB_ROW("tank.relief", IB_PARAM_LIMIT, "Pa", "125 psig", 1, 1e8, NULL, config,              \
               chain.reservoir.relief,                                                             \
               "pressure at which its relief valve opens; off: there is none"),                    \
        IB_ROW("tank.switch", IB_PARAM_PAIR, "Pa", "95 psig, 115 psig", 1, 1e8, NULL, config,      \
               chain.reservoir.switch_on,                                                          \
               "pressures of the tank at which the compressor starts and stops"),                  \
        IB_ROW("compressor", IB_PARAM_PRESET, "1", "off", 0, 0, &ib_chain_compressors, config,     \
               chain.compressor,                                                                   \
               "what fills the tank: off, a compressor of data/compressors.yaml, or a map"),       \
        IB_COMPRESSOR_ROWS("compressor", config, chain.compressed),                                \
        IB_NUMBER_OF("compressor.voltage", "V", "12 V", 0.1, 1e3, config, chain.voltage,           \
                     "voltage of the compressor's motor")

#endif
