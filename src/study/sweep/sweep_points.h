// study/sweep/sweep_points.h: margins and measures of all runs of a sweep, kept until they are
// printed, sorted or drawn. A point is a value for each axis; its runs, its seeds, are neighbours.
#ifndef IB_STUDY_SWEEP_SWEEP_POINTS_H
#define IB_STUDY_SWEEP_SWEEP_POINTS_H

#include "study/sweep/sweep.h"
#include "study/sweep/sweep_sum.h"

enum { IB_SWEEP_KEPT = 1 << 20 }; ///< runs, at most

typedef struct ib_SweepPoints {
    int columns, expectations; ///< kept of each run: its margins, then its measures
    int64_t seeds;             ///< runs of a point
    int64_t count, room;       ///< runs
    double *values;            ///< of each run its columns; NAN: none
    uint64_t *hashes;
    int *failed; ///< expectations; -1: the run did not reach its end
    bool lost;   ///< more runs came than are kept, or there is no memory
} ib_SweepPoints;

ib_SweepPoints ib_sweep_points(const ib_Sweep *sweep); ///< empty
void ib_sweep_points_destroy(ib_SweepPoints *points);

// Adds a run; they come in the order of the list.
void ib_sweep_points_add(ib_SweepPoints *points, const ib_SweepResult *result);

// The number of points; the last one may lack runs.
int64_t ib_sweep_points_count(const ib_SweepPoints *points);

// A column of a point over its runs.
ib_SweepStatistics ib_sweep_points_statistics(const ib_SweepPoints *points, int64_t point,
                                              int column);

// The runs of a point that did not reach their end, or failed an expectation.
int64_t ib_sweep_points_failed(const ib_SweepPoints *points, int64_t point);

// True if the point has all of its runs, all of them as expected, and each has a value there.
bool ib_sweep_points_allowed(const ib_SweepPoints *points, int64_t point, int column);

// True if the value of this axis of the grid (-1: the seed) changes nothing in any run.
bool ib_sweep_points_still(const ib_SweepPoints *points, const ib_Sweep *sweep, int axis);

#endif
