// plant/air/supply_line.h: the supply of a valve: a constant pressure, or a line of some volume
// behind a regulator. The derivation is in docs/plant/reservoir.md#supply-line.
//
//   P = m R T/V,   m' = q_regulator - q_relief - q_valve
//
// A tube has much wall for little air: the line keeps its temperature. A regulator opens in
// proportion to the pressure deficit and shuts at its setting; it lets nothing back. Air that a
// piston pushes into the line therefore raises its pressure above the setting, until it is
// drawn again.
#ifndef IB_PLANT_AIR_SUPPLY_LINE_H
#define IB_PLANT_AIR_SUPPLY_LINE_H

#include "base/extreme.h"
#include "base/schema.h"
#include "plant/air/orifice.h"

#include <math.h>
#include <stdbool.h>

typedef struct ib_SupplyConfig {
    double pressure; ///< Ps, or the regulator's setting [Pa], absolute
    double volume;   ///< of the line [m^3]; 0: the pressure never changes
    double source;   ///< pressure before the regulator [Pa], absolute
    double area;     ///< effective area of the regulator wide open [m^2], > 0
    double band;     ///< pressure below its setting at which it is wide open [Pa], > 0
    bool relieving;  ///< lets air out above its setting
} ib_SupplyConfig;

typedef struct ib_SupplyModel {
    double pressure, source, area, per_band;
    double atmosphere, root;  ///< [Pa]; of the temperature
    double pressure_per_mass; ///< R T/V [Pa/kg]
    bool line, relieving;
    ib_OrificeModel orifice;
} ib_SupplyModel;

ib_Status ib_supply_check(const ib_SupplyConfig *config, ib_Error *error);
void ib_supply_init(const ib_SupplyConfig *config, const ib_OrificeModel *orifice, double R,
                    double temperature, double atmosphere, ib_SupplyModel *supply);

// The air in a line at rest [kg]: its one state.
double ib_supply_mass(const ib_SupplyModel *supply);

IB_FORMULA double ib_supply_pressure(const ib_SupplyModel *supply, double mass)
{
    return supply->line ? mass * supply->pressure_per_mass : supply->pressure;
}

// Through the regulator into the line [kg/s], from a source of that pressure; negative:
// it relieves.
//   area min(1, (Ps - P)/band), and the other way round above Ps
IB_FORMULA double ib_supply_inflow_from(const ib_SupplyModel *supply, double source, double P)
{
    double open = (supply->pressure - P) * supply->per_band;
    double in = ib_min(ib_max(open, 0), 1),
           out = supply->relieving ? ib_min(ib_max(-open, 0), 1) : 0;
    double up = ib_max(source, P), low = ib_min(supply->atmosphere, P);
    return ib_orifice_flow(&supply->orifice, supply->area * in, up, supply->root, P) -
           ib_orifice_flow(&supply->orifice, supply->area * out, P, supply->root, low);
}

IB_FORMULA double ib_supply_inflow(const ib_SupplyModel *supply, double P)
{
    return ib_supply_inflow_from(supply, supply->source, P);
}

// -------------------------------------------------------------------------------------- parameters

const char *ib_supply_idle(const ib_SupplyConfig *config, const char *key);

// Rows for a config struct with an ib_SupplyConfig in `supply`.
#define IB_SUPPLY_ROWS(config, supply)                                                             \
    IB_NUMBER_OF("supply.pressure", "Pa", "448159.4 Pa", 1, 1e8, config, supply.pressure,          \
                 "pressure of the supply, or setting of its regulator"),                           \
        IB_NUMBER_OF("supply.volume", "m^3", "0 m^3", 0, 10, config, supply.volume,                \
                     "volume of the line between regulator and valve; 0: the pressure stays"),     \
        IB_NUMBER_OF("supply.source", "Pa", "100 psig", 1, 1e8, config, supply.source,             \
                     "pressure before the regulator"),                                             \
        IB_NUMBER_OF("supply.area", "m^2", "2e-6 m^2", 1e-12, 1, config, supply.area,              \
                     "effective area of the regulator when wide open"),                            \
        IB_NUMBER_OF("supply.band", "delta Pa", "5 psi", 1, 1e8, config, supply.band,              \
                     "what is missing when the regulator is wide open"),                           \
        IB_ROW("supply.relieving", IB_PARAM_FLAG, "1", "false", 0, 0, NULL, config,                \
               supply.relieving, "the regulator lets air out above its setting")

#endif
