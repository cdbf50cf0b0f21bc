// study/sweep/sweep_best.h: the best point of a sweep by one column, and those that cannot be told
// from it.
//
// The value of a point is the mean over its seeds. All points have the same seeds, so that two of
// them are compared by the differences seed by seed, in which what luck they share is gone: point p
// is worse than the best one if the mean difference is beyond what chance gives, by Student's
// distribution at 95 % for all comparisons together (Bonferroni). With one seed only equal values
// are ties.
#ifndef IB_STUDY_SWEEP_SWEEP_BEST_H
#define IB_STUDY_SWEEP_SWEEP_BEST_H

#include "study/sweep/sweep_points.h"

typedef struct ib_SweepBest {
    int column;
    bool largest;             ///< the largest value is best
    int64_t count, allowed;   ///< points; those that are as expected in all runs and have a value
    int64_t *order;           ///< all points: the allowed ones, best first; then those with the
                              ///< fewest failed runs
    ib_SweepStatistics value; ///< of the best one; NAN: none is allowed
    int64_t *ties;            ///< points that cannot be told from it, best first
    int64_t tie_count;
} ib_SweepBest;

// False: out of memory.
bool ib_sweep_best(const ib_SweepPoints *points, int column, bool largest, ib_Arena *arena,
                   ib_SweepBest *best);

#endif
