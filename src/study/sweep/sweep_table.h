// study/sweep/sweep_table.h: the points of a sweep as a table for people, a row each.
#ifndef IB_STUDY_SWEEP_SWEEP_TABLE_H
#define IB_STUDY_SWEEP_SWEEP_TABLE_H

#include "study/sweep/sweep_best.h"

#include <stdio.h>

// Prints the values of the axes, the measures in units for people (over several seeds mean +-
// standard deviation), the margin of each expectation ([1], [2], …, with a ! where it fails; over
// several seeds the smallest), and how much failed. Seeds without axes are rows of their own, with
// their statistics below. `best` sorts the rows; NULL: the order of the list. Points behind the
// first `most` rows are counted.
void ib_sweep_table(const ib_Sweep *sweep, const ib_SweepPoints *points, const ib_SweepBest *best,
                    int64_t most, FILE *file);

// A number of a column in its unit for people, "-" for none; `difference`: a spread or a margin.
void ib_sweep_number(const ib_SweepColumn *column, double value, bool difference,
                     char text[IB_SIGNAL_NUMBER]);

// The unit with a blank before it; "" of a pure number.
const char *ib_sweep_unit(const ib_SweepColumn *column, char text[64]);

#endif
