// study/sweep/sweep_sum.h: mean, spread and extremes of values that come one by one.
#ifndef IB_STUDY_SWEEP_SWEEP_SUM_H
#define IB_STUDY_SWEEP_SWEEP_SUM_H

#include <stdint.h>

typedef struct ib_SweepSum {
    int64_t count; ///< values; a NAN is none
    double mean, squares, least, most;
} ib_SweepSum;

ib_SweepSum ib_sweep_sum(void); ///< an empty one

// Welford: the mean and the sum of squared distances from it, value by value in their order.
void ib_sweep_sum_add(ib_SweepSum *sum, double value);

// Mean, standard deviation, smallest and largest value of some runs.
typedef struct ib_SweepStatistics {
    int64_t count; ///< runs that have a value
    double mean, deviation, min, max;
} ib_SweepStatistics;

ib_SweepStatistics ib_sweep_sum_statistics(const ib_SweepSum *sum);

#endif
