#include "plant/electric/brownout.h"

// The order of the thresholds makes the stages a ladder with hysteresis.
ib_Status ib_brownout_check(const ib_BrownoutConfig *config, ib_Error *error)
{
    const struct {
        const char *low, *high;
        double least, value;
    } order[] = {
        {"0 V", "blackout", 0, config->blackout},
        {"blackout", "reboot", config->blackout, config->reboot},
        {"blackout", "off", config->blackout, config->off},
        {"off", "on", config->off, config->on},
        {"droop by 0.05 V", "on", config->droop + 0.999 * IB_BROWNOUT_CLEAR, config->on},
    };
    for (int i = 0; i < (int)(sizeof order / sizeof *order); i++) {
        if (!(order[i].value > order[i].least))
            return ib_error_set(error, IB_BAD_INPUT, "%s: must be above %s (%g V), got %g V",
                                order[i].high, order[i].low, order[i].least, order[i].value);
    }
    if (!(config->droop >= config->off))
        return ib_error_set(error, IB_BAD_INPUT, "droop: must be at least off (%g V), got %g V",
                            config->off, config->droop);
    if (!(config->delay > 0))
        return ib_error_set(error, IB_BAD_INPUT, "delay: must be above 0 s, got %g s",
                            config->delay);
    if (!(config->hold > 0))
        return ib_error_set(error, IB_BAD_INPUT, "hold: must be above 0 s, got %g s", config->hold);
    if (!(config->boot >= 0))
        return ib_error_set(error, IB_BAD_INPUT, "boot: must be at least 0 s, got %g s",
                            config->boot);
    return IB_OK;
}

void ib_brownout_init(const ib_BrownoutConfig *config, ib_BrownoutModel *brownout)
{
    *brownout = *config;
}
