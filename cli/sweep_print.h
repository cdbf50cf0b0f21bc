// cli/sweep_print.h: what is said about all runs of a sweep, for people.
#ifndef IB_CLI_SWEEP_PRINT_H
#define IB_CLI_SWEEP_PRINT_H

#include "study/sweep_totals.h"

#include <stdio.h>

// Statistics of the signals, and expectations that failed.
void sweep_print(const ib_Sweep *sweep, const ib_SweepTotals *totals, FILE *file);

// Runs that failed, and runs to be warned of, with the first that has each warning: both to stderr,
// a few of them.
void sweep_print_errors(const ib_Sweep *sweep, const ib_SweepTotals *totals);
void sweep_print_warnings(const ib_Sweep *sweep, const ib_SweepTotals *totals);

#endif
