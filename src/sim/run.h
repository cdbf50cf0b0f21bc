// sim/run.h: a whole run of a model: create, attach, run to the end, finish.
#ifndef IB_SIM_RUN_H
#define IB_SIM_RUN_H

#include "sim/sim.h"

#include <signal.h>

typedef struct ib_RunOptions {
    bool realtime;                     ///< wait for the wall clock at every step
    bool only_whole;                   ///< a run that does not reach its end takes no last samples
    const volatile sig_atomic_t *stop; ///< ends the run when it becomes non-zero; may be NULL
    // Called about ten times a second with the time reached; may be NULL.
    void (*progress)(void *self, ib_Time time, double wall);
    void *self;
    // Called between two steps: before the first one, and then whenever the run has come to the
    // time that it returned last. Its effects (inputs, changes of the model) count from the next
    // step on. IB_TIME_NEVER: no more; IB_RUN_ENDS: the run is over. May be NULL.
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

// Attaches probes, watches and sources to a simulation, before its first step.
typedef ib_Status ib_RunAttach(void *self, ib_Sim *sim, ib_Error *error);

// Creates a simulation and attaches to it; `attach` NULL: nothing. `sim` is set before `attach` is
// called, and NULL again if that fails. For callers with steps of their own or with a use after the
// run; they call ib_sim_destroy.
ib_Status ib_run_begin(const ib_Model *model, ib_RunAttach *attach, void *self, ib_Sim **sim,
                       ib_Error *error);

// Runs to the end, or until stopped (IB_INTERRUPTED) or failed (IB_FAILED with the time, the signal
// and the last good value), as fast as possible or paced by the wall clock. The last samples are
// taken in every case, but for `only_whole`.
ib_Status ib_run(ib_Sim *sim, const ib_RunOptions *options, ib_RunResult *result, ib_Error *error);

typedef struct ib_RunPlan {
    const ib_Model *model;
    ib_RunAttach *attach; ///< NULL: nothing is attached
    // Takes the state of the run, with its final status, before the simulation is destroyed. Called
    // after every run. May be NULL.
    void (*ended)(void *self, const ib_Sim *sim, ib_Status status, const ib_RunResult *result);
    void *self; ///< of both
    ib_RunOptions options;
} ib_RunPlan;

// All of it, from the creation of the simulation to its end:
// ib_run_begin, ib_run, `ended`, destroy.
ib_Status ib_run_whole(const ib_RunPlan *plan, ib_Error *error);

#endif
