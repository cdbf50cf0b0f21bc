// study/sweep.h: a scenario run many times: over seeds and over a grid of parameters.
//
// Three parts that know nothing of each other: the work list (index -> seed and overrides), the
// pool that runs jobs (sim/pool.h), and the merge, which reads the results in the order of the
// list. So the output has the same bytes for any number of threads,
// and other runners can take the pool's place.
#ifndef IB_STUDY_SWEEP_H
#define IB_STUDY_SWEEP_H

#include "scenario/scenario.h"

enum { IB_SWEEP_MAX_AXES = 16, IB_SWEEP_MAX_RUNS = 10000000 };

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
    const char *duration;         ///< NULL: the scenario's
    const ib_DesignDoor *designs; ///< NULL: design files are refused
    const ib_PluginDoor *plugins; ///< NULL: plug-ins are refused
    ib_SweepAxis axes[IB_SWEEP_MAX_AXES];
    int axis_count;
    bool has_seeds;
    uint64_t first_seed; ///< without seeds, ib_sweep_create puts the scenario's own here
    int seed_count;      ///< >= 1
} ib_SweepPlan;

// The result of one run.
typedef struct ib_SweepResult {
    bool done;
    ib_Status status;
    char *error;    ///< NULL: none
    char *warnings; ///< of this run, a line each (study/warnings.h); NULL: none
    uint64_t seed;  ///< in use; of a run not made, the one on the list
    uint64_t hash;
    double *final; ///< per signal; NAN where the run did not come that far
    bool *passed;  ///< per expectation
} ib_SweepResult;

typedef struct ib_Sweep {
    ib_SweepPlan plan;
    ib_Scenario *first; ///< the first run that can be read: its signals are everybody's
    int count;
    ib_SweepResult *results;
    ib_Arena arena;
} ib_Sweep;

// Does every run have the values that its row says? IB_BAD_INPUT where one option would replace
// what another one says: a duration or seeds for all runs that are an axis, too, and the like.
ib_Status ib_sweep_check(const ib_SweepPlan *plan, ib_Error *error);

// How many runs a plan has; -1: too many.
int ib_sweep_count(const ib_SweepPlan *plan);

// Which value of each axis, and which seed, run `index` has.
void ib_sweep_point(const ib_SweepPlan *plan, int index, int *values, uint64_t *seed);

// Reads the first run and every value of every axis once; on mistakes NULL,
// with all of them in `diagnostics`.
ib_Sweep *ib_sweep_create(const ib_SweepPlan *plan, ib_Diagnostics *diagnostics);
void ib_sweep_destroy(ib_Sweep *sweep);

// Does run `index`; a job for ib_Pool, with the sweep as `self`. Runs share nothing but the plan.
void ib_sweep_run(void *sweep, int index);

// Mean, standard deviation, smallest and largest final value of one signal over the runs that came
// to their end.
typedef struct ib_SweepStatistics {
    int count; ///< runs that have a value
    double mean, deviation, min, max;
} ib_SweepStatistics;

// A warning, the first run that has it, and how many have the same.
typedef struct ib_SweepWarning {
    const char *text; ///< the run's own, to the end of the line
    int length;       ///< of the text [bytes]
    int first, count;
} ib_SweepWarning;

// The different warnings of all runs in the order of the list, `most` of them at most; how many
// there are. `left`: how many runs have one that found no room.
int ib_sweep_warnings(const ib_Sweep *sweep, int most, ib_SweepWarning *warnings, int *left);

// How many warnings a run has.
int ib_sweep_warning_count(const ib_SweepResult *result);

ib_SweepStatistics ib_sweep_statistics(const ib_Sweep *sweep, int signal);

#endif
