// cli/verify_run.h: a scenario run for `verify`: what signals are at given times, and when they
// pass a level.
#ifndef IB_CLI_VERIFY_RUN_H
#define IB_CLI_VERIFY_RUN_H

#include "scenario/scenario.h"

// The first time a signal passes a level, either way.
typedef struct Passage {
    const char *signal;
    double level;
    double seconds; ///< NAN: never
    int index;      ///< of the signal
} Passage;

typedef struct VerifyRun {
    const char *scenario; ///< YAML
    const ib_Override *overrides;
    int override_count;
    const char *const *signals; ///< wanted, NULL-terminated
    const double *times;        ///< when, ascending [s]
    int time_count;
    double *values; ///< a row for each time; NAN where the run does not get there
    Passage *passages;
    int passage_count;

    // Results.
    double end;       ///< how far it came [s]
    ib_Error failure; ///< why it ended early; status IB_OK: it did not
} VerifyRun;

// Runs. Divergence is a result (`failure`), a scenario that cannot be read an error.
ib_Status verify_run(VerifyRun *run, ib_Error *error);

// The rates of the first robot's states at the start, under its inputs then; at most `count`.
ib_Status verify_rates(const char *scenario, const ib_Override *overrides, int override_count,
                       double *rates, int count, ib_Error *error);

// Reads a scenario; NULL with its first mistake.
ib_Scenario *verify_load(const char *text, const ib_Override *overrides, int override_count,
                         ib_Error *error);

#endif
