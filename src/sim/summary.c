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
static inline ib__TwoTruths pick(ib__TwoTruths which, ib__TwoTruths a, ib__TwoTruths b)
{
    return (which & a) | (~which & b);
}

// Two new maxima at most, of neighbours.
static inline void raise(ib__TwoTruths above, const ib__TwoOf *y, ib_Time time, ib__TwoOf *max,
                         ib_Time *times)
{
    ib__TwoTruths now = {time, time}, then = {times[0], times[1]};
    *max = (ib__Two)pick(above, (ib__TwoTruths)*y, (ib__TwoTruths)*max);
    then = pick(above, now, then);
    times[0] = then[0];
    times[1] = then[1];
}

static inline bool are_all(ib__TwoTruths truths)
{
    return (truths[0] & truths[1]) != 0;
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
        ib__TwoOf *max = (ib__TwoOf *)(highest + i);
        ib__TwoTruths low = (y[0] >= min[0]) & (y[1] >= min[1]);
        ib__TwoTruths high = (y[0] <= max[0]) & (y[1] <= max[1]);
        if (are_all(low & high)) continue;
        if (are_all(low)) {
            raise(y[0] > max[0], y, time, max, summary->max_time + i);
            raise(y[1] > max[1], y + 1, time, max + 1, summary->max_time + i + 2);
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
