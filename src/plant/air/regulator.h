// plant/air/regulator.h: the regulator between the tanks and the valves.
// The derivation is in docs/plant/reservoir.md#regulator.
#ifndef IB_PLANT_AIR_REGULATOR_H
#define IB_PLANT_AIR_REGULATOR_H

#include "base/formula.h"

typedef struct ib_RegulatorConfig {
    double setting;     ///< working pressure, absolute [Pa], > 0
    double conductance; ///< of the regulator when wide open [m^3/(s Pa)], > 0; +infinity: ideal. It
                        ///< stands in series with each valve (ib_valve_series), which is its droop
} ib_RegulatorConfig;

// P_work = min(setting, supply): a regulator lowers a pressure, it cannot raise it.
IB_FORMULA double ib_regulator_pressure(double setting, double supply)
{
    return supply < setting ? supply : setting;
}

// True if air that flows back from a valve goes to the tanks: only if the regulator is wide open;
// otherwise, as a relieving one, it lets that air out.
IB_FORMULA int ib_regulator_returns(double setting, double supply)
{
    return supply <= setting;
}

#endif
