// plant/air/supply_line.c: a supply's numbers, checked and prepared.
#include "plant/air/supply_line.h"

#include <string.h>

ib_Status ib_supply_check(const ib_SupplyConfig *config, ib_Error *error)
{
    if (config->volume > 0 && !(config->source > config->pressure))
        return ib_error_set(error, IB_BAD_INPUT,
                            "supply.source: expected more than supply.pressure (%g Pa), got %g Pa",
                            config->pressure, config->source);
    return IB_OK;
}

void ib_supply_init(const ib_SupplyConfig *config, const ib_OrificeModel *orifice, double R,
                    double temperature, double atmosphere, ib_SupplyModel *supply)
{
    bool line = config->volume > 0;
    *supply = (ib_SupplyModel){
        .pressure = config->pressure,
        .source = config->source,
        .area = config->area,
        .per_band = 1 / config->band,
        .atmosphere = atmosphere,
        .root = sqrt(temperature),
        .pressure_per_mass = line ? R * temperature / config->volume : 0,
        .line = line,
        .relieving = config->relieving,
        .orifice = *orifice,
    };
}

double ib_supply_mass(const ib_SupplyModel *supply)
{
    return supply->line ? supply->pressure / supply->pressure_per_mass : 0;
}

const char *ib_supply_idle(const ib_SupplyConfig *config, const char *key)
{
    bool own = strncmp(key, "supply.", 7) == 0;
    bool pressure = strcmp(key, "supply.pressure") == 0, volume = strcmp(key, "supply.volume") == 0;
    return own && !pressure && !volume && !(config->volume > 0) ? "supply.volume" : NULL;
}
