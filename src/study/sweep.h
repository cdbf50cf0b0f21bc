// study/sweep.h: a scenario run many times: over seeds and over a grid of parameters.
//
// Four independent parts: the work list (index -> seed and overrides), the workers that make runs,
// each with a scenario and a simulation of its own that it reuses (study/sweep_inside.h), the pool
// that hands out blocks of runs (sim/pool.h), and the receiver of the results, one after the other
// in the order of the list. The output has the same bytes for any number of threads, and memory
// grows with these and not with the runs. A journal can keep the results, to continue after a
// kill: study/sweep_journal.h
#ifndef IB_STUDY_SWEEP_H
#define IB_STUDY_SWEEP_H

#include "scenario/measure.h"
#include "scenario/scenario.h"

#include <signal.h>

enum { IB_SWEEP_MAX_AXES = 16, IB_SWEEP_MAX_MEASURES = 32 };

// One `--over PATH=a,b,c`.
typedef struct ib_SweepAxis {
    const char *path;
    const char *const *values; ///< as YAML
    int count;                 ///< >= 1
} ib_SweepAxis;

// The work list. Run number i: seeds vary fastest, then the last axis, the first axis slowest.
typedef struct ib_SweepPlan {
    const char *file;
    const ib_Override *overrides; ///< common to all runs
    int override_count;
    const char *duration;              ///< NULL: the scenario's
    const ib_DesignLoader *designs;    ///< NULL: design files are refused
    const ib_PluginInterface *plugins; ///< NULL: plug-ins are refused
    ib_SweepAxis axes[IB_SWEEP_MAX_AXES];
    int axis_count;
    const char *measures[IB_SWEEP_MAX_MEASURES]; ///< sentences: scenario/measure.h
    int measure_count;
    bool has_seeds;
    uint64_t first_seed; ///< without seeds, ib_sweep_create puts the scenario's own here
    int64_t seed_count;  ///< >= 1
} ib_SweepPlan;

// The result of one run.
typedef struct ib_SweepResult {
    ib_Status status;
    const char *error;    ///< NULL: none
    const char *warnings; ///< of this run, a line each (study/warnings.h); NULL: none
    uint64_t seed;        ///< used seed; for a run that could not be read, the one on the list
    uint64_t hash;
    double *final; ///< per signal, behind them per measure; NAN if the run ended before
    bool *passed;  ///< per expectation
} ib_SweepResult;

typedef struct ib_Sweep {
    ib_SweepPlan plan;
    ib_Scenario *first; ///< the first readable run: all runs have its signals
    ib_Measure measures[IB_SWEEP_MAX_MEASURES]; ///< of the plan, with its signals
    int64_t count;
    uint64_t identity;        ///< hash of everything that determines the results: files,
                              ///< arguments, version
    const char *const *files; ///< read by any value of any axis; NULL-terminated
    ib_TreeCache *trees;      ///< every file is parsed once
    ib_Arena arena;
} ib_Sweep;

// Checks that every run has the values of its row. IB_BAD_INPUT if one option would override
// another: a duration or seeds for all runs that are an axis, too, and the like.
ib_Status ib_sweep_check(const ib_SweepPlan *plan, ib_Error *error);

// The number of runs of a plan; -1: more than 2^63 - 1.
int64_t ib_sweep_count(const ib_SweepPlan *plan);

// The index of each axis' value, and the seed, of run `index`.
void ib_sweep_point(const ib_SweepPlan *plan, int64_t index, int *values, uint64_t *seed);

// Reads the first run and every value of every axis once; on mistakes NULL,
// with all of them in `diagnostics`.
ib_Sweep *ib_sweep_create(const ib_SweepPlan *plan, ib_Diagnostics *diagnostics);
void ib_sweep_destroy(ib_Sweep *sweep);

struct ib_SweepJournal;

// Options of a sweep's execution, and the receiver of its results.
typedef struct ib_SweepRun {
    int threads;                     ///< 1 .. IB_POOL_MAX_THREADS
    struct ib_SweepJournal *journal; ///< open; results in it are taken from there; NULL: none
    // Takes the result of a run, in the order of the list, in the caller's thread; it is valid
    // until the next call. False: no more are wanted.
    bool (*take)(void *self, int64_t index, const ib_SweepResult *result);
    // Called when some runs were taken and the next may take a while. May be NULL; false as above.
    bool (*pause)(void *self);
    // Called about ten times a second and at the end; may be NULL.
    void (*progress)(void *self, int64_t done, int64_t count);
    void *self;
    const volatile sig_atomic_t *stop; ///< ends it when it becomes non-zero; may be NULL
} ib_SweepRun;

// Makes all runs. IB_INTERRUPTED: stopped, or no more were wanted. A stopped run counts as never
// made. IB_BAD_INPUT: the journal's first run differs from this program's.
ib_Status ib_sweep_run(const ib_Sweep *sweep, const ib_SweepRun *run, ib_Error *error);

// The number of warnings of a run.
int ib_sweep_warning_count(const ib_SweepResult *result);

#endif
