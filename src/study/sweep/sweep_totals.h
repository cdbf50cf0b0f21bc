// study/sweep/sweep_totals.h: the statistics of all runs of a sweep, gathered while they are taken
// one by one: memory is needed for columns, not for runs.
#ifndef IB_STUDY_SWEEP_SWEEP_TOTALS_H
#define IB_STUDY_SWEEP_SWEEP_TOTALS_H

#include "study/sweep/sweep_row.h"
#include "study/sweep/sweep_sum.h"

enum {
    IB_SWEEP_TOLD = 10
}; ///< errors, and different warnings, with their text; others
    ///< are counted

// An error or a warning, its first run, and the number of runs with the same.
typedef struct ib_SweepTold {
    const char *text;
    int64_t first, count;
} ib_SweepTold;

// An expectation that failed.
typedef struct ib_SweepFailures {
    int64_t count;
    int64_t first; ///< first run that failed it, if any
} ib_SweepFailures;

typedef struct ib_SweepTotals {
    ib_SweepShape shape;
    int64_t made;                       ///< runs taken
    int64_t begun;                      ///< of these, not refused
    int64_t ended;                      ///< of these, reached their end: only they count for
    int64_t broken;                     ///< runs that failed an expectation
    int64_t broken_runs[IB_SWEEP_TOLD]; ///< the first of them
    ib_SweepFailures *failures;         ///< the expectations
    ib_SweepSum *sums;                  ///< and the columns
    int64_t error_count;                ///< runs that failed
    ib_SweepTold errors[IB_SWEEP_TOLD];
    int warning_count; ///< different ones
    ib_SweepTold warnings[IB_SWEEP_TOLD];
    int64_t warned; ///< runs with one without room
    ib_Arena arena;
} ib_SweepTotals;

// False: out of memory.
bool ib_sweep_totals_init(ib_SweepTotals *totals, ib_SweepShape shape);
void ib_sweep_totals_destroy(ib_SweepTotals *totals);

// Adds a run; they come in the order of the list.
void ib_sweep_totals_add(ib_SweepTotals *totals, int64_t index, const ib_SweepResult *result);

ib_SweepStatistics ib_sweep_statistics(const ib_SweepTotals *totals, int column);

#endif
