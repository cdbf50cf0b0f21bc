#include "report/statistics.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "report/plot/drawable.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a_, const void *b_)
{
    double a = *(const double *)a_, b = *(const double *)b_;
    return (a > b) - (a < b);
}

double ib_quantile(const double *sorted, int count, double p)
{
    double position = p * (count - 1);
    int below = (int)floor(position);
    if (below >= count - 1) return sorted[count - 1];
    return sorted[below] + (position - below) * (sorted[below + 1] - sorted[below]);
}

// mean = sum x / n,  deviation^2 = sum (x - mean)^2 / (n - 1). Two passes keep the digits of a
// small spread around a large mean.
static void moments(ib_Statistics *statistics)
{
    const double *x = statistics->sorted;
    int n = statistics->count;
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    statistics->mean = sum / n;
    for (int i = 0; i < n; i++) squares += (x[i] - statistics->mean) * (x[i] - statistics->mean);
    statistics->deviation = n > 1 ? sqrt(squares / (n - 1)) : 0;
}

static void whiskers(ib_Statistics *statistics)
{
    const double *x = statistics->sorted;
    double reach = 1.5 * (statistics->q3 - statistics->q1);
    int first = 0, last = statistics->count - 1;
    while (x[first] < statistics->q1 - reach) first++;
    while (x[last] > statistics->q3 + reach) last--;
    statistics->low = x[first];
    statistics->high = x[last];
}

int ib_statistics(const double *values, int count, ib_Arena *arena, ib_Statistics *statistics)
{
    double *sorted = ib_arena_array(arena, (size_t)count, sizeof *sorted);
    if (!sorted) return 0;
    int n = 0;
    for (int i = 0; i < count; i++)
        if (ib__drawable(values[i])) sorted[n++] = values[i];
    *statistics = (ib_Statistics){0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, sorted};
    if (n == 0) return 1;

    qsort(sorted, (size_t)n, sizeof *sorted, ascending);
    statistics->count = n;
    statistics->min = sorted[0];
    statistics->max = sorted[n - 1];
    statistics->q1 = ib_quantile(sorted, n, 0.25);
    statistics->median = ib_quantile(sorted, n, 0.5);
    statistics->q3 = ib_quantile(sorted, n, 0.75);
    moments(statistics);
    whiskers(statistics);
    return 1;
}

ib_Histogram ib_histogram_with(const ib_Statistics *statistics, int bins)
{
    ib_Histogram histogram = {0};
    if (statistics->count == 0) return histogram;
    if (bins < 1) bins = 1;
    if (bins > IB_HISTOGRAM_MAX) bins = IB_HISTOGRAM_MAX;
    double range = statistics->max - statistics->min;

    // Equal values have no range, and the last digits of a rounding error are none: one bin around
    // them, wide enough to be seen.
    double size = ib_max(fabs(statistics->min), fabs(statistics->max));
    if (range <= 1e-9 * size || range < IB_DRAWN_LEAST) {
        histogram.bins = 1;
        histogram.width = size >= IB_DRAWN_LEAST ? 0.1 * size : 1;
        histogram.low = statistics->min - histogram.width / 2;
        histogram.counts[0] = statistics->count;
        return histogram;
    }
    histogram.bins = bins;
    histogram.low = statistics->min;
    histogram.width = range / bins;
    for (int i = 0; i < statistics->count; i++) {
        int bin = (int)((statistics->sorted[i] - histogram.low) / histogram.width);
        histogram.counts[bin < bins ? bin : bins - 1]++;
    }
    return histogram;
}

ib_Histogram ib_histogram(const ib_Statistics *statistics)
{
    enum { FEWEST = 8 };
    double width = 2 * (statistics->q3 - statistics->q1) / ib_pow(statistics->count, 1.0 / 3);
    double wanted = width > 0 ? (statistics->max - statistics->min) / width : FEWEST;
    // Compared as doubles: a heavy tail can want more bins than an int holds.
    int bins = wanted < IB_HISTOGRAM_MAX ? (int)ceil(wanted) : IB_HISTOGRAM_MAX;
    return ib_histogram_with(statistics, bins < FEWEST ? FEWEST : bins);
}
