// study/sweep_text.h: the statistics of all runs of a sweep, for people.
#ifndef IB_STUDY_SWEEP_TEXT_H
#define IB_STUDY_SWEEP_TEXT_H

#include "study/sweep_points.h"
#include "study/sweep_totals.h"

#include <stdio.h>

// Prints what was asked for, a row a run, or without measures the statistics of the signals; and
// failed expectations.
void ib_sweep_text(const ib_Sweep *sweep, const ib_SweepTotals *totals,
                   const ib_SweepPoints *points, FILE *file);

// Prints failed runs, and warnings with the first run of each: a few of them.
void ib_sweep_text_errors(const ib_Sweep *sweep, const ib_SweepTotals *totals, FILE *file);
void ib_sweep_text_warnings(const ib_Sweep *sweep, const ib_SweepTotals *totals, FILE *file);

#endif
