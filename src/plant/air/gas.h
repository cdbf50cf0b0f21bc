// plant/air/gas.h: air as an ideal gas, counted in moles. Derivation: docs/plant/reservoir.md
//
//   P V = n R T                                                                  [RoboSim 3.4]
//
// All pressures inside the air parts are absolute [Pa]; all flows are amounts [mol/s], which do not
// depend on the pressure, so that the air has a book.
#ifndef IB_PLANT_AIR_GAS_H
#define IB_PLANT_AIR_GAS_H

#include "base/formula.h"

#define IB_GAS_CONSTANT          8.314462618 ///< R [J/(mol K)]
#define IB_ATMOSPHERE            101325.0    ///< standard atmosphere [Pa]
#define IB_AIR_HEAT_RATIO        1.4         ///< cp/cv of air
#define IB_ANR_PRESSURE          1e5         ///< reference air of ISO 8778 (ANR): 100 kPa, …
#define IB_ANR_TEMPERATURE       293.15      ///< … 20 degC (and 65 % relative humidity) [K]
#define IB_POUND_PER_SQUARE_INCH (44482216152605.0 / 6451600000.0) ///< [Pa], a difference

// n = P V / (R T); with a volume flow in the place of V, the flow of the amount [mol/s].
IB_FORMULA double ib_gas_moles(double pressure, double temperature, double volume)
{
    return pressure * volume / (IB_GAS_CONSTANT * temperature);
}

#endif
