// claims/claim_run.h: a scenario run for `verify`: signals at times, and when they pass a level.
#ifndef IB_CLAIMS_CLAIM_RUN_H
#define IB_CLAIMS_CLAIM_RUN_H

#include "scenario/scenario.h"

// The first time a signal passes a level, either way.
typedef struct ib__Passage {
    const char *signal;
    double level;   ///< in its unit
    double seconds; ///< when [s]; NAN: never
    int index;      ///< of the signal
    double from;    ///< what is before does not count [s]
} ib__Passage;

typedef struct ib__ClaimRun {
    const char *scenario; ///< YAML
    const ib_Override *overrides;
    int override_count;
    const char *const *signals; ///< wanted, NULL-terminated
    const double *times;        ///< when, ascending [s]
    int time_count;
    double *values; ///< a row for each time; NAN where the run does not get there
    ib__Passage *passages;
    int passage_count;

    // Results.
    double end;     ///< how far it came [s]
    int64_t steps;  ///< in so many steps of the solver
    double seconds; ///< … and in so much of the processor's time, which is another every time [s]
    ib_Error failure; ///< why it ended early; status IB_OK: it did not
} ib__ClaimRun;

// Runs. Divergence is a result (`failure`), a scenario that cannot be read an error.
ib_Status ib__claim_run(ib__ClaimRun *run, ib_Error *error);

// The rates of the first robot's states at the start, under its inputs then; at most `count`.
ib_Status ib__claim_rates(const char *scenario, const ib_Override *overrides, int override_count,
                          double *rates, int count, ib_Error *error);

// The first mistake of a text that could not be read, as an error.
void ib__claim_mistake(const ib_Diagnostics *diagnostics, ib_Error *error);

// Reads a scenario; NULL with its first mistake.
ib_Scenario *ib__claim_load(const char *text, const ib_Override *overrides, int override_count,
                            ib_Error *error);

#endif
