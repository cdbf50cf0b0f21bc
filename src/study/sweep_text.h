// study/sweep_text.h: what is said about all runs of a sweep, for people.
#ifndef IB_STUDY_SWEEP_TEXT_H
#define IB_STUDY_SWEEP_TEXT_H

#include "study/sweep_totals.h"

#include <stdio.h>

// Statistics of the signals, and expectations that failed.
void ib_sweep_text(const ib_Sweep *sweep, const ib_SweepTotals *totals, FILE *file);

// Runs that failed, and runs to be warned of, with the first that has each warning: a few of them.
void ib_sweep_text_errors(const ib_Sweep *sweep, const ib_SweepTotals *totals, FILE *file);
void ib_sweep_text_warnings(const ib_Sweep *sweep, const ib_SweepTotals *totals, FILE *file);

#endif
