// study/sweep/sweep_inside.h: a worker, which makes one run after the other, shared by the files of
// study/sweep/sweep.h. Internal to this folder.
//
// Reading a scenario from its files costs a hundred times as much as ten steps of it, and from
// parsed trees (file/tree_cache.h) still three to seven times. A worker reads one scenario for each
// point of the grid; the seeds of that point reuse its model and simulation, which is reset to its
// start. If the file draws values from the seed, every seed is read.
#ifndef IB_STUDY_SWEEP_SWEEP_INSIDE_H
#define IB_STUDY_SWEEP_SWEEP_INSIDE_H

#include "record/bytes.h"
#include "sim/run.h"
#include "sim/watch/step_log.h"
#include "sim/watch/summary.h"
#include "study/sweep/sweep.h"

// Reads the scenario of one point.
ib_Scenario *ib__sweep_read(const ib_Sweep *sweep, const char *const *values, uint64_t seed,
                            ib_Diagnostics *diagnostics);

// The overrides of a point: those of the plan and a value for each axis; returns their number.
int ib__sweep_overrides(const ib_Sweep *sweep, const char *const *values, ib_Override *overrides);

typedef struct ib__SweepWorker {
    const ib_Sweep *sweep;
    const volatile sig_atomic_t *stop; ///< ends the present run; NULL: none
    ib_Scenario *scenario;             ///< of the last run; NULL: none, or it could not be read
    ib_Status status;                  ///< of its reading
    ib_Error error;
    int64_t point;  ///< of `scenario`
    uint64_t seed;  ///< with which it was read
    ib_Sim *sim;    ///< of `scenario`; NULL: not yet
    ib_Arena arena; ///< of its probes
    ib_Summary *summary;
    ib_StepLog *steps; ///< NULL: no routine has any
    ib_Bytes warnings; ///< of the run, a line each
    size_t told;       ///< bytes of the file's own warnings, for all of its runs; 0: not yet
    double *values;    ///< of the columns
    bool *passed;
    ib_Measure measures[IB_SWEEP_MAX_MEASURES];
} ib__SweepWorker;

bool ib__sweep_worker_init(ib__SweepWorker *worker, const ib_Sweep *sweep,
                           const volatile sig_atomic_t *stop); ///< false: no memory
void ib__sweep_worker_destroy(ib__SweepWorker *worker);

// Makes run `index`; the result is valid until the next one. Status IB_INTERRUPTED: it was stopped,
// and counts as never made.
void ib__sweep_worker_make(ib__SweepWorker *worker, int64_t index, ib_SweepResult *result);

#endif
