// report/statistics.h: the numbers of a box plot and a histogram. See docs/report/plots.md
#ifndef IB_REPORT_STATISTICS_H
#define IB_REPORT_STATISTICS_H

#include "base/arena.h"

// Five numbers, mean and spread of the values that can be drawn (report/plot/drawable.h); all in
// the unit of the values.
typedef struct ib_Statistics {
    int count;              ///< values that can be drawn; 0: everything else here is NaN
    double min, max;        ///< smallest and largest
    double q1, median, q3;  ///< quartiles, by straight lines between the sorted values
    double low, high;       ///< whiskers: the outermost values within 1.5 (q3 - q1) of the box
    double mean, deviation; ///< standard deviation of a sample (divided by count - 1)
    const double *sorted;   ///< these values, ascending, in the caller's arena
} ib_Statistics;

// Fails only for want of memory (returns 0; 1: done).
int ib_statistics(const double *values, int count, ib_Arena *arena, ib_Statistics *statistics);

// The value below which the fraction p (0..1) of `count` (>= 1) sorted values lies: position
// p (count - 1), between two values on the straight line that joins them.
double ib_quantile(const double *sorted, int count, double p);

enum { IB_HISTOGRAM_MAX = 60 };

// Counts in bins of equal width; bin i is [low + i width, low + (i + 1) width),
// the last one closed.
typedef struct ib_Histogram {
    double low, width; ///< width > 0
    int bins;          ///< 1 .. IB_HISTOGRAM_MAX; 0: no values
    int counts[IB_HISTOGRAM_MAX];
} ib_Histogram;

// Chooses the width by Freedman and Diaconis, 2 (q3 - q1) / count^(1/3), and counts. Values that
// are all equal fill one bin.
ib_Histogram ib_histogram(const ib_Statistics *statistics);

// Counts with a given number of bins from the smallest to the largest value.
ib_Histogram ib_histogram_with(const ib_Statistics *statistics, int bins);

#endif
