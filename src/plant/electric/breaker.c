#include "plant/electric/breaker.h"

#include <float.h>

#define REFERENCE 298.15 ///< temperature of the rating, 25 degC [K]
#define DERATING  0.01   ///< loss of rating per kelvin above it, gain below      [facts 6.6]

static double derating(double ambient)
{
    return 1 + DERATING * (REFERENCE - ambient);
}

ib_Status ib_breaker_check(const ib_BreakerConfig *config, ib_Error *error)
{
    const ib_Table *trip = &config->trip;
    if (!(config->rating > 0 && config->rating <= DBL_MAX))
        return ib_error_set(error, IB_BAD_INPUT, "rating: must be above 0 A, got %g A",
                            config->rating);
    if (!(config->cooling > 0))
        return ib_error_set(error, IB_BAD_INPUT, "cooling: must be above 0 s, got %g s",
                            config->cooling);
    if (!(config->reset >= 0 && config->reset < 1))
        return ib_error_set(error, IB_BAD_INPUT,
                            "reset: must be 0 (stays open) or a heat below 1, got %g",
                            config->reset);
    if (!(derating(config->ambient) > 0))
        return ib_error_set(error, IB_BAD_INPUT, "ambient: must be below 125 degC, got %g degC",
                            config->ambient - 273.15);
    if (trip->count < 2) return ib_error_set(error, IB_BAD_INPUT, "trip: needs at least two rows");
    for (int i = 0; i < trip->count; i++) {
        if (!(trip->x[i] > 0 && trip->y[0][i] > 0))
            return ib_error_set(error, IB_BAD_INPUT,
                                "trip: currents and times must be positive; row %d is [%g A, %g s]",
                                i + 1, trip->x[i], trip->y[0][i]);
        if (i > 0 && !(trip->x[i] > trip->x[i - 1] && trip->y[0][i] < trip->y[0][i - 1]))
            return ib_error_set(error, IB_BAD_INPUT,
                                "trip: a larger current must trip sooner; row %d is [%g A, %g s]",
                                i + 1, trip->x[i], trip->y[0][i]);
    }
    return IB_OK;
}

// The curve on log-log paper: -ln t over ln I, one slope from each row to the next.
void ib_breaker_init(const ib_BreakerConfig *config, ib_BreakerModel *breaker)
{
    double factor = derating(config->ambient);
    *breaker = (ib_BreakerModel){
        .rating = config->rating * factor,
        .scale = 1 / factor,
        .per_cooling = 1 / config->cooling,
        .reset = config->reset,
        .count = config->trip.count,
    };
    for (int i = 0; i < breaker->count; i++) {
        breaker->log_current[i] = ib_log(config->trip.x[i]);
        breaker->log_rate[i] = -ib_log(config->trip.y[0][i]);
    }
    for (int i = 0; i + 1 < breaker->count; i++) {
        breaker->slope[i] = (breaker->log_rate[i + 1] - breaker->log_rate[i]) /
                            (breaker->log_current[i + 1] - breaker->log_current[i]);
    }
}
