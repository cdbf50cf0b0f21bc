// study/sweep_points.h: the measures of all runs of a sweep, one row a run, kept until they are
// printed: eight bytes a measure and run.
#ifndef IB_STUDY_SWEEP_POINTS_H
#define IB_STUDY_SWEEP_POINTS_H

#include "study/sweep.h"

#include <stdio.h>

typedef struct ib_SweepPoints {
    int64_t count, room; ///< runs
    double *values;      ///< of each run its measures; NAN: none
    int *failed;         ///< expectations; -1: the run did not reach its end
    bool lost;           ///< out of memory: rows are missing
} ib_SweepPoints;

void ib_sweep_points_destroy(ib_SweepPoints *points);

// Adds a run; they come in the order of the list.
void ib_sweep_points_add(ib_SweepPoints *points, const ib_Sweep *sweep,
                         const ib_SweepResult *result);

// Prints a table with a row a run: its values of the axes, its seed, measures in units for people,
// and how many expectations failed.
void ib_sweep_points_text(const ib_SweepPoints *points, const ib_Sweep *sweep, FILE *file);

// The heading of a measure in tables of data: "min battery.voltage [V]".
void ib_sweep_measure_head(const ib_Sweep *sweep, int measure, char *text, size_t size);

#endif
