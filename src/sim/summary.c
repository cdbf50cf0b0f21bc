#include "sim/summary.h"

#include "base/two.h"

#include <math.h>
#include <string.h>

void ib_summary_reset(ib_Summary *summary)
{
    for (int i = 0; i < summary->count; i++)
        summary->final[i] = summary->min[i] = summary->max[i] = NAN;
    for (int i = 0; i < summary->count; i++) summary->nan_time[i] = IB_TIME_NEVER;
}

ib_Status ib_summary_create(const ib_SignalTable *signals, ib_Arena *arena, ib_Summary **result,
                            ib_Error *error)
{
    size_t count = (size_t)signals->count;
    ib_Summary *summary = ib_arena_alloc(arena, sizeof *summary);
    double *values = ib_arena_array(arena, 3 * count, sizeof *values);
    ib_Time *times = ib_arena_array(arena, 3 * count, sizeof *times);
    if (!summary || !values || !times)
        return ib_error_set(error, IB_FAILED, "out of memory for the summary");
    *summary = (ib_Summary){signals->count, values,        values + count,   values + 2 * count,
                            times,          times + count, times + 2 * count};
    ib_summary_reset(summary);
    *result = summary;
    return IB_OK;
}

// A signal that is not a number does not spoil the range, but is remembered.
static void widen(ib_Summary *summary, int i, ib_Time time, double y)
{
    if (isnan(y)) {
        summary->nan_time[i] = ib_time_min(summary->nan_time[i], time);
        return;
    }
    if (!(y >= summary->min[i])) {
        summary->min[i] = y;
        summary->min_time[i] = time;
    }
    if (!(y <= summary->max[i])) {
        summary->max[i] = y;
        summary->max_time[i] = time;
    }
}

// `a` where `which` says so, `b` elsewhere.
static inline ib__TwoBits pick(ib__TwoBits which, ib__TwoBits a, ib__TwoBits b)
{
    return (which & a) | (~which & b);
}

// Two neighbours: those of which `beyond` is true are the new extremes.
static inline void replace(ib__TwoTruths beyond, ib__Two y, ib_Time time, double *extremes,
                           ib_Time *times)
{
    ib__TwoBitsOf *old = (ib__TwoBitsOf *)extremes, *then = (ib__TwoBitsOf *)times;
    ib__TwoBits which = (ib__TwoBits)beyond, now = {(uint64_t)time, (uint64_t)time};
    *old = pick(which, (ib__TwoBits)y, *old);
    *then = pick(which, now, *then);
}

static ib_Time sample(void *self, ib_Time time, const double *signals)
{
    ib_Summary *summary = self;
    double *lowest = summary->min, *highest = summary->max;
    int count = summary->count, i = 0;
    // Most are numbers within their range, or sums that grow: four by four.
    for (; i + 4 <= count; i += 4) {
        const ib__TwoOf *y = (const ib__TwoOf *)(signals + i);
        const ib__TwoOf *min = (const ib__TwoOf *)(lowest + i);
        const ib__TwoOf *max = (const ib__TwoOf *)(highest + i);
        ib__TwoBits low = (ib__TwoBits)(y[0] >= min[0]) & (ib__TwoBits)(y[1] >= min[1]);
        ib__TwoBits high = (ib__TwoBits)(y[0] <= max[0]) & (ib__TwoBits)(y[1] <= max[1]);
        if (ib__are_both(low & high)) continue;
        if (ib__are_both(low)) {
            replace(y[0] > max[0], y[0], time, highest + i, summary->max_time + i);
            replace(y[1] > max[1], y[1], time, highest + i + 2, summary->max_time + i + 2);
        } else if (ib__are_both(high)) {
            replace(y[0] < min[0], y[0], time, lowest + i, summary->min_time + i);
            replace(y[1] < min[1], y[1], time, lowest + i + 2, summary->min_time + i + 2);
        } else {
            for (int k = i; k < i + 4; k++) widen(summary, k, time, signals[k]);
        }
    }
    for (; i < count; i++) widen(summary, i, time, signals[i]);
    memcpy(summary->final, signals, (size_t)count * sizeof *signals);
    return IB_TIME_NEVER;
}

ib_Probe ib_summary_probe(ib_Summary *summary)
{
    return (ib_Probe){summary, IB_TIME_NEVER, true, sample, false};
}
