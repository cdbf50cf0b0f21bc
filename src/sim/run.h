// sim/run.h: steps to the end, as fast as possible or paced by the wall clock.
#ifndef IB_SIM_RUN_H
#define IB_SIM_RUN_H

#include "sim/sim.h"

#include <signal.h>

typedef struct ib_RunOptions {
    bool realtime;                     ///< wait for the wall clock at every step
    const volatile sig_atomic_t *stop; ///< ends the run when it becomes non-zero; may be NULL
    // Called about ten times a second with the time reached; may be NULL.
    void (*progress)(void *self, ib_Time time, double wall);
    void *self;
    // Called between two steps: before the first one, and then whenever the run has come to the
    // time that it returned last. What it does (sets inputs, changes the model) counts from the
    // next step on. IB_TIME_NEVER: no more; IB_RUN_ENDS: the run is over. May be NULL.
    ib_Time (*between)(void *player, ib_Time time);
    void *player;
} ib_RunOptions;

#define IB_RUN_ENDS ((ib_Time)-1)

typedef struct ib_RunResult {
    double wall;      ///< seconds the run took
    int64_t overruns; ///< realtime: steps whose deadline had passed before they were done
    // realtime: how long after its deadline a step began [s]
    double late_mean, late_p50, late_p99, late_p999, late_max;
} ib_RunResult;

// Runs to the end, or until stopped (IB_INTERRUPTED) or failed (IB_FAILED with the time, the signal
// and the last good value). The last samples are taken in every case.
ib_Status ib_run(ib_Sim *sim, const ib_RunOptions *options, ib_RunResult *result, ib_Error *error);

#endif
