// claims/claim_run.h: a scenario run for `verify`: signals at times, and the times at which they
// pass a level.
#ifndef IB_CLAIMS_CLAIM_RUN_H
#define IB_CLAIMS_CLAIM_RUN_H

#include "scenario/scenario.h"

// The first time a signal passes a level, either way.
typedef struct ib__Passage {
    const char *signal;
    double level;   ///< in its unit
    double seconds; ///< time of the passage [s]; NAN: never
    int index;      ///< of the signal
    double from;    ///< earlier passages do not count [s]
} ib__Passage;

typedef struct ib__ClaimRun {
    const char *scenario; ///< YAML
    const ib_Override *overrides;
    int override_count;
    const char *const *signals; ///< wanted, NULL-terminated
    const double *times;        ///< ascending [s]
    int time_count;
    double *values; ///< a row for each time; NAN after the end of the run
    ib__Passage *passages;
    int passage_count;

    // Results.
    double end;       ///< time at its end [s]
    int64_t steps;    ///< steps of the solver
    double seconds;   ///< processor time, which varies [s]
    ib_Error failure; ///< reason of an early end; status IB_OK: none
} ib__ClaimRun;

// Runs the scenario. Divergence is a result (`failure`), an unreadable scenario an error.
ib_Status ib__claim_run(ib__ClaimRun *run, ib_Error *error);

// The rates of the first robot's states at the start, under its inputs then; at most `count`.
ib_Status ib__claim_rates(const char *scenario, const ib_Override *overrides, int override_count,
                          double *rates, int count, ib_Error *error);

// The first mistake of an unreadable text, as an error.
void ib__claim_mistake(const ib_Diagnostics *diagnostics, ib_Error *error);

// Reads a scenario; NULL with its first mistake.
ib_Scenario *ib__claim_load(const char *text, const ib_Override *overrides, int override_count,
                            ib_Error *error);

#endif
