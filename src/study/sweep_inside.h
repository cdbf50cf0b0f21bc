// study/sweep_inside.h: what the files of study/sweep.h share: a worker, which makes one run after
// the other. Internal to this folder.
//
// To read a scenario from its files costs a hundred times what ten steps of it do, and from trees
// that were parsed before (file/tree_shelf.h) still three to seven times. A worker reads one for
// each point of the grid that it comes to; seeds of that point it makes with the same model and the
// same simulation, which is put back to its start. Where the file draws values from the seed, every
// seed is read.
#ifndef IB_STUDY_SWEEP_INSIDE_H
#define IB_STUDY_SWEEP_INSIDE_H

#include "record/bytes.h"
#include "sim/run.h"
#include "sim/step_log.h"
#include "sim/summary.h"
#include "study/sweep.h"

// Reads the scenario of one point of the grid.
ib_Scenario *ib__sweep_read(const ib_Sweep *sweep, const int *values, uint64_t seed,
                            ib_Diagnostics *diagnostics);

typedef struct ib__SweepWorker {
    const ib_Sweep *sweep;
    const volatile sig_atomic_t *stop; ///< ends the run under way; NULL: nobody does
    ib_Scenario *scenario;             ///< of the last run; NULL: none, or it could not be read
    ib_Status status;                  ///< of its reading
    ib_Error error;
    int64_t point;  ///< of the grid, that it is of
    uint64_t seed;  ///< with which it was read
    ib_Sim *sim;    ///< of it; NULL: not yet
    ib_Arena arena; ///< of what looks at it
    ib_Summary *summary;
    ib_StepLog *steps; ///< NULL: no routine has any
    ib_Bytes warnings; ///< of the run, a line each
    size_t told;       ///< bytes of these that are of the file, for all of its runs; 0: not yet
    double *final;
    bool *passed;
} ib__SweepWorker;

bool ib__sweep_worker_init(ib__SweepWorker *worker, const ib_Sweep *sweep,
                           const volatile sig_atomic_t *stop); ///< false: no memory
void ib__sweep_worker_destroy(ib__SweepWorker *worker);

// Makes run `index`; the result is good until the next one. Status IB_INTERRUPTED: it was stopped,
// and is as one that was never made.
void ib__sweep_worker_make(ib__SweepWorker *worker, int64_t index, ib_SweepResult *result);

#endif
