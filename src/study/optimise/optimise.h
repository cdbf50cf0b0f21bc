// study/optimise/optimise.h: the values of a few parameters for which a measure is best, found in
// few runs: a sweep (study/sweep) whose points a search (study/search) chooses, batch by batch.
//
// An evaluation is a point with all seeds, the same for all points; its value is the mean. A point
// with a run that fails an expectation, breaks off or has no value is not allowed; how far it is
// from being allowed is the sum of its missed margins, each over the largest size that the margin
// had in the first batch. The points depend on the scores alone, so that the answer is the same for
// any number of threads.
#ifndef IB_STUDY_OPTIMISE_OPTIMISE_H
#define IB_STUDY_OPTIMISE_OPTIMISE_H

#include "study/search/search.h"
#include "study/sweep/sweep_best.h"

enum { IB_OPTIMISE_MOST = 100000, IB_OPTIMISE_USUAL = 1000 }; ///< evaluations, at most; as a rule

// One `--vary PATH=a..b`, or a list of values.
typedef struct ib_Vary {
    bool range;       ///< any number between two ends
    double low, high; ///< of a range, in its unit
    const char *unit; ///< "": none
    bool ordered;     ///< a list of numbers
    const int *place; ///< of a list in order of size: the index of each value
} ib_Vary;

typedef struct ib_OptimisePlan {
    ib_SweepPlan sweep;                     ///< its axes: the lists, and of each range both ends
    ib_Vary vary[IB_SEARCH_MOST_VARIABLES]; ///< for each axis
    int measure;                            ///< of the sweep, to be made best
    bool largest;
    int most; ///< evaluations; 0: as many as usually suffice
} ib_OptimisePlan;

// Reads "robot.drive.reduction=4..14", "robot.drive.current_limit=20 A..60 A" or a list as of
// --over, and adds it to the plan.
ib_Status ib_vary_add(ib_OptimisePlan *plan, const char *text, ib_Arena *arena, ib_Error *error);

// Checks the plan as a whole, as ib_sweep_check.
ib_Status ib_optimise_check(const ib_OptimisePlan *plan, ib_Error *error);

// Points at values of one variable, all others at those of the best point.
typedef struct ib_OptimiseSlice {
    ib_SweepAxis axis;     ///< the variable and its values: ascending ones of a range, or its list
    int best;              ///< the number of that of the best point
    ib_SweepPoints points; ///< of its values in their order
} ib_OptimiseSlice;

typedef struct ib_Optimisation {
    ib_OptimisePlan plan;
    ib_Sweep *sweep; ///< its runs: all points evaluated so far
    ib_SweepPoints points;
    ib_SweepBest best; ///< of all; found at the end
    ib_Search *search;
    const char **values;                               ///< of each point a value for each variable
    double *scale;                                     ///< of the margins
    ib_OptimiseSlice slices[IB_SEARCH_MOST_VARIABLES]; ///< around the best, of the first variables:
    int slice_count;                                   ///< study/optimise/optimise_slices.h
    int64_t slice_runs;
    ib_Arena arena;
} ib_Optimisation;

// Reads the file, as ib_sweep_create; NULL with the mistakes named. To be destroyed.
ib_Optimisation *ib_optimise_create(const ib_OptimisePlan *plan, ib_Diagnostics *diagnostics);
void ib_optimise_destroy(ib_Optimisation *optimisation);

typedef struct ib_OptimiseRun {
    int threads;
    // Takes the result of each run; `index` is that of the sweep's present points. May be NULL.
    bool (*take)(void *self, int64_t index, const ib_SweepResult *result);
    void (*progress)(void *self, const ib_Optimisation *optimisation); ///< may be NULL
    void *self;
    const volatile sig_atomic_t *stop;
} ib_OptimiseRun;

// Searches. IB_INTERRUPTED: stopped; what was found so far counts. `best` is filled in any case.
ib_Status ib_optimise(ib_Optimisation *optimisation, const ib_OptimiseRun *run, ib_Error *error);

// The first of the best points so far; -1: none is allowed.
int ib_optimise_best(const ib_Optimisation *optimisation);

// Writes a scenario that is the file of the plan with the options and the best values, and runs it
// once: the same hash, or an error.
ib_Status ib_optimise_write(const ib_Optimisation *optimisation, const char *path, ib_Error *error);

#endif
