// study/sweep/sweep_text.h: the answers of a sweep, for people.
#ifndef IB_STUDY_SWEEP_SWEEP_TEXT_H
#define IB_STUDY_SWEEP_SWEEP_TEXT_H

#include "study/sweep/sweep_best.h"
#include "study/sweep/sweep_totals.h"

#include <stdio.h>

// Prints what was asked for, a row a point, and the verdicts. `best`: NULL if it was not asked for.
void ib_sweep_text(const ib_Sweep *sweep, const ib_SweepTotals *totals,
                   const ib_SweepPoints *points, const ib_SweepBest *best, FILE *file);

// Prints the expectations and how often they failed, `failed` ones alone or all.
void ib_sweep_text_verdicts(const ib_Sweep *sweep, const ib_SweepTotals *totals, bool failed,
                            FILE *file);

// Prints which runs failed one; nothing if none did.
void ib_sweep_text_failed(const ib_Sweep *sweep, const ib_SweepTotals *totals, FILE *file);

// Prints the best point in a sentence, and those that cannot be told from it; or that there is none
// and what fails.
void ib_sweep_text_best(const ib_Sweep *sweep, const ib_SweepPoints *points,
                        const ib_SweepBest *best, FILE *file);

// Prints what makes no difference, if anything.
void ib_sweep_text_still(const ib_Sweep *sweep, const ib_SweepPoints *points, FILE *file);

// Prints the measures that were asked for and have no value in any run; returns their number.
int ib_sweep_text_unmet(const ib_Sweep *sweep, const ib_SweepTotals *totals, FILE *file);

// Prints failed runs, and warnings with the first run of each: a few of them.
void ib_sweep_text_errors(const ib_Sweep *sweep, const ib_SweepTotals *totals, FILE *file);
void ib_sweep_text_warnings(const ib_Sweep *sweep, const ib_SweepTotals *totals, FILE *file);

#endif
