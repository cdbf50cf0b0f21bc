// plant/air/reservoir.h: the tanks and all that is open to them: leak, relief valve, pressure
// switch. The derivation is in docs/plant/reservoir.md.
//
//   P = n R T/V,   n' = in - leak - relief - use of the cylinders
#ifndef IB_PLANT_AIR_RESERVOIR_H
#define IB_PLANT_AIR_RESERVOIR_H

#include "base/status.h"
#include "plant/air/gas.h"

typedef struct ib_ReservoirConfig {
    double volume;      ///< of tanks and tubing [m^3], > 0
    double temperature; ///< of the surroundings and of the air that comes in [K], > 0
    double heat_time;   ///< time in which the air takes the walls' temperature [s]; 0: at once
                        ///< (isothermal); +infinity: never (adiabatic)
    double leak;   ///< volume that is lost per time, at the pressure of the tanks [m^3/s], >= 0
    double relief; ///< pressure at which the relief valve opens [Pa], absolute; +infinity: none
    double relief_flow; ///< free air that it passes IB_RELIEF_BAND above that [m^3/s], > 0
    double switch_on, switch_off; ///< the pressure switch closes and opens [Pa], absolute, on < off
} ib_ReservoirConfig;

#define IB_RELIEF_BAND (2 * IB_POUND_PER_SQUARE_INCH) ///< [Pa]

typedef struct ib_ReservoirModel {
    double volume, temperature;   ///< as above
    double per_heat_time;         ///< [1/s]; 0 also where isothermal
    int isothermal;               ///< 1: the temperature stays
    double pressure_per_kelvin;   ///< R/V [Pa/(mol K)]
    double leak;                  ///< part of the air that is lost per time [1/s]
    double relief, relief_moles;  ///< [Pa]; flow at IB_RELIEF_BAND [mol/s]
    double switch_on, switch_off; ///< as above [Pa]
} ib_ReservoirModel;

ib_Status ib_reservoir_check(const ib_ReservoirConfig *config, ib_Error *error);
void ib_reservoir_init(const ib_ReservoirConfig *config, ib_ReservoirModel *reservoir);

IB_FORMULA double ib_reservoir_pressure(const ib_ReservoirModel *reservoir, double moles,
                                        double temperature)
{
    return moles * temperature * reservoir->pressure_per_kelvin;
}

// n' = P Q/(R T) = n Q/V as long as the tanks are above the atmosphere.        [reference B8]
IB_FORMULA double ib_reservoir_leak(const ib_ReservoirModel *reservoir, double moles,
                                    double pressure)
{
    return pressure > IB_ATMOSPHERE ? moles * reservoir->leak : 0;
}

// Above its setting the relief valve lets go, with s = (P - relief)/band:
//   q = q1 2 s^2/(1 + s),   q1 at s = 1; no corner at s = 0, a straight line far above
IB_FORMULA double ib_reservoir_relief(const ib_ReservoirModel *reservoir, double pressure)
{
    double s = (pressure - reservoir->relief) * (1 / IB_RELIEF_BAND);
    return s > 0 ? reservoir->relief_moles * 2 * s * s / (1 + s) : 0;
}

// First law for the air in the tanks, with h = cp T of inflow and outflow:
//   n cv T' = in (cp T_in - cv T) - out (cp - cv) T - n cv (T - T_wall)/heat_time
IB_FORMULA double ib_reservoir_heating(const ib_ReservoirModel *reservoir, double moles,
                                       double temperature, double in, double out)
{
    if (reservoir->isothermal) return 0;
    double k = IB_AIR_HEAT_RATIO;
    double carried = in * (k * reservoir->temperature - temperature) - out * (k - 1) * temperature;
    return carried / moles - (temperature - reservoir->temperature) * reservoir->per_heat_time;
}

// Margin of the pressure switch, positive as long as it stays [Pa]. closed: it calls for air.
IB_FORMULA double ib_reservoir_switch_margin(const ib_ReservoirModel *reservoir, int closed,
                                             double pressure)
{
    return closed ? reservoir->switch_off - pressure : pressure - reservoir->switch_on;
}

#endif
