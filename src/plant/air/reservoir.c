// plant/air/reservoir.c: the tanks' numbers, checked and prepared.
#include "plant/air/reservoir.h"

#include <math.h>

ib_Status ib_reservoir_check(const ib_ReservoirConfig *config, ib_Error *error)
{
    if (!(config->relief > IB_ATMOSPHERE))
        return ib_error_set(error, IB_BAD_INPUT,
                            "relief: expected more than one atmosphere (0 psig), got %g Pa",
                            config->relief);
    return IB_OK;
}

void ib_reservoir_init(const ib_ReservoirConfig *config, ib_ReservoirModel *reservoir)
{
    *reservoir = (ib_ReservoirModel){
        .volume = config->volume,
        .temperature = config->temperature,
        .per_heat_time = config->heat_time > 0 ? 1 / config->heat_time : 0,
        .isothermal = config->heat_time == 0,
        .pressure_per_kelvin = IB_GAS_CONSTANT / config->volume,
        .leak = config->leak / config->volume,
        .relief = config->relief,
        .relief_moles = ib_gas_moles(IB_ATMOSPHERE, config->temperature, config->relief_flow),
        .switch_on = config->switch_on,
        .switch_off = config->switch_off,
    };
}
