// plant/electric/breaker.h: a thermal circuit breaker that follows the trip-time table of its data
// sheet. The derivation is in docs/plant/breaker.md.
//
// Symbols: I current, t(I) time to trip from cold, D heat (0 cold, 1 trips), tau cooling time.
//
//   dD/dt = 1/t(I) above the rating while closed,   else  dD/dt = -D/tau             [reference B8]
//
// States: D, and closed or open. t(I) is a straight line between the table's points on log-log
// paper and continues with the end slopes beyond them.
#ifndef IB_PLANT_ELECTRIC_BREAKER_H
#define IB_PLANT_ELECTRIC_BREAKER_H

#include "base/formula.h"
#include "base/maths.h"
#include "base/status.h"
#include "base/table.h"

#include <stdbool.h>

typedef struct ib_BreakerConfig {
    double rating;  ///< carried for ever at 25 degC [A], > 0
    ib_Table trip;  ///< current [A] -> time to trip from cold [s], falling, at least 2 rows
    double cooling; ///< time constant [s], > 0
    double reset;   ///< heat at which it closes again by itself, 0 .. 1; 0: stays open (latches)
    double ambient; ///< temperature around it [K], < 398.15 K; the rating loses 1 % for each kelvin
                    ///< above 298.15 K, and gains as much below
} ib_BreakerConfig;

typedef struct ib_BreakerModel {
    double rating;                     ///< at this ambient [A]
    double scale;                      ///< current of the table per current now (derating)
    double per_cooling;                ///< 1/tau [1/s]
    double reset;                      ///< as configured
    int count;                         ///< rows
    double log_current[IB_TABLE_ROWS]; ///< ln I
    double log_rate[IB_TABLE_ROWS];    ///< -ln t
    double slope[IB_TABLE_ROWS];       ///< d(-ln t)/d(ln I) from a row to the next
} ib_BreakerModel;

ib_Status ib_breaker_check(const ib_BreakerConfig *config, ib_Error *error);
void ib_breaker_init(const ib_BreakerConfig *config, ib_BreakerModel *breaker);

// 1/t(|I|) [1/s], 0 at or below the rating.
IB_FORMULA double ib_breaker_heating(const ib_BreakerModel *breaker, double current)
{
    double size = current < 0 ? -current : current;
    if (!(size > breaker->rating)) return 0.0;
    double x = ib_log(size * breaker->scale);
    int row = 0;
    for (int i = 1; i < breaker->count - 1; i++) row += breaker->log_current[i] <= x;
    return ib_exp(breaker->log_rate[row] + breaker->slope[row] * (x - breaker->log_current[row]));
}

// dD/dt [1/s].
IB_FORMULA double ib_breaker_rate(const ib_BreakerModel *breaker, double current, double heat,
                                  bool closed)
{
    double heating = closed ? ib_breaker_heating(breaker, current) : 0.0;
    return heating > 0 ? heating : -heat * breaker->per_cooling;
}

// Margin of its state, positive as long as it stays. Closed: 1 - D; open: D - reset, or 1 if
// it latches.
IB_FORMULA double ib_breaker_margin(const ib_BreakerModel *breaker, double heat, bool closed)
{
    if (closed) return 1 - heat;
    return breaker->reset > 0 ? heat - breaker->reset : 1.0;
}

// True if it is closed after an event: its state changes if the margin is used up.
IB_FORMULA bool ib_breaker_update(const ib_BreakerModel *breaker, double heat, bool closed)
{
    return ib_breaker_margin(breaker, heat, closed) > 0 ? closed : !closed;
}

#endif
