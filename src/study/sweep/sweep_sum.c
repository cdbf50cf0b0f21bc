#include "study/sweep/sweep_sum.h"

#include <math.h>

ib_SweepSum ib_sweep_sum(void)
{
    return (ib_SweepSum){.least = NAN, .most = NAN};
}

void ib_sweep_sum_add(ib_SweepSum *sum, double value)
{
    double distance = value - sum->mean;
    if (isnan(value)) return;
    sum->count++;
    sum->mean += distance / (double)sum->count;
    sum->squares += distance * (value - sum->mean);
    if (!(sum->least <= value)) sum->least = value;
    if (!(sum->most >= value)) sum->most = value;
}

ib_SweepStatistics ib_sweep_sum_statistics(const ib_SweepSum *sum)
{
    double spread = sum->count > 1 ? sqrt(sum->squares / (double)(sum->count - 1)) : 0;
    return (ib_SweepStatistics){.count = sum->count,
                                .mean = sum->count ? sum->mean : NAN,
                                .deviation = spread,
                                .min = sum->least,
                                .max = sum->most};
}
