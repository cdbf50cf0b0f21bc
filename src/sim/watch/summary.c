#include "sim/watch/summary.h"

#include "base/two.h"
#include "sim/watch/signal_part.h"

#include <math.h>
#include <string.h>

void ib_summary_reset(ib_Summary *summary)
{
    for (int i = 0; i < summary->count; i++)
        summary->final[i] = summary->min[i] = summary->max[i] = NAN;
    for (int i = 0; i < summary->count; i++) summary->nan_time[i] = IB_TIME_NEVER;
}

static void keep_all(ib_Summary *summary)
{
    summary->four_count = summary->count / 4;
    for (int i = 0; i < summary->four_count; i++) summary->fours[i] = 4 * i;
}

ib_Status ib_summary_create(const ib_SignalTable *signals, ib_Arena *arena, ib_Summary **result,
                            ib_Error *error)
{
    size_t count = (size_t)signals->count;
    ib_Summary *summary = ib_arena_alloc(arena, sizeof *summary);
    double *values = ib_arena_array(arena, 3 * count, sizeof *values);
    ib_Time *times = ib_arena_array(arena, 3 * count, sizeof *times);
    int *fours = ib_arena_array(arena, count / 4, sizeof *fours);
    if (!summary || !values || !times || !fours)
        return ib_error_set(error, IB_FAILED, "out of memory for the summary");
    *summary = (ib_Summary){.count = signals->count,
                            .min = values,
                            .max = values + count,
                            .final = values + 2 * count,
                            .min_time = times,
                            .max_time = times + count,
                            .nan_time = times + 2 * count,
                            .fours = fours};
    keep_all(summary);
    ib_summary_reset(summary);
    *result = summary;
    return IB_OK;
}

void ib_summary_restrict(ib_Summary *summary, const ib_Model *model, const bool *rows)
{
    summary->four_count = 0;
    summary->spares = IB_PARTS_ALL & ~(unsigned)IB_PART_OWN;
    for (int i = 0; i < summary->count; i++) {
        if (!rows[i]) continue;
        int *fours = summary->fours, k = summary->four_count, first = i / 4 * 4;
        summary->spares &= ~ib_signal_part(model, i);
        if (first + 4 > summary->count || (k > 0 && fours[k - 1] == first)) continue;
        fours[summary->four_count++] = first;
    }
    // For nearly all of them the ranges of all are kept: that costs less than two ways through
    // the signals.
    if (summary->four_count > summary->count / 6) keep_all(summary);
}

// A signal that is not a number does not spoil the range, but is remembered.
static void note_gap(ib_Summary *summary, int i, ib_Time time, double y)
{
    if (isnan(y)) summary->nan_time[i] = ib_time_min(summary->nan_time[i], time);
}

static void widen(ib_Summary *summary, int i, ib_Time time, double y)
{
    note_gap(summary, i, time, y);
    if (isnan(y)) return;
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

// The last values, and the first time at which one of them was not a number: eight by eight. NANs
// make their sum NAN, and so may infinite values.
static void keep(ib_Summary *summary, ib_Time time, const double *signals)
{
    int count = summary->count, i = 0;
    for (; i + 8 <= count; i += 8) {
        const ib__TwoOf *y = (const ib__TwoOf *)(signals + i);
        ib__TwoOf *last = (ib__TwoOf *)(summary->final + i);
        ib__Two sum = (y[0] + y[1]) + (y[2] + y[3]);
        bool numbers = ib__are_both((ib__TwoBits)(sum == sum));
        for (int k = 0; k < 4; k++) last[k] = y[k];
        for (int k = i; !numbers && k < i + 8; k++) note_gap(summary, k, time, signals[k]);
    }
    for (; i < count; i++) {
        summary->final[i] = signals[i];
        note_gap(summary, i, time, signals[i]);
    }
}

// The ranges of four neighbours: most are numbers within theirs, or sums that grow.
static inline void widen_four(ib_Summary *summary, int i, ib_Time time, const double *signals)
{
    double *lowest = summary->min + i, *highest = summary->max + i;
    const ib__TwoOf *y = (const ib__TwoOf *)(signals + i);
    const ib__TwoOf *min = (const ib__TwoOf *)lowest, *max = (const ib__TwoOf *)highest;
    ib__TwoBits low = (ib__TwoBits)(y[0] >= min[0]) & (ib__TwoBits)(y[1] >= min[1]);
    ib__TwoBits high = (ib__TwoBits)(y[0] <= max[0]) & (ib__TwoBits)(y[1] <= max[1]);
    if (ib__are_both(low & high)) return;
    if (ib__are_both(low)) {
        replace(y[0] > max[0], y[0], time, highest, summary->max_time + i);
        replace(y[1] > max[1], y[1], time, highest + 2, summary->max_time + i + 2);
    } else if (ib__are_both(high)) {
        replace(y[0] < min[0], y[0], time, lowest, summary->min_time + i);
        replace(y[1] < min[1], y[1], time, lowest + 2, summary->min_time + i + 2);
    } else {
        for (int k = i; k < i + 4; k++) widen(summary, k, time, signals[k]);
    }
}

static ib_Time sample(void *self, ib_Time time, const double *signals)
{
    ib_Summary *summary = self;
    if (summary->four_count == summary->count / 4)
        memcpy(summary->final, signals, (size_t)summary->count * sizeof *signals);
    else
        keep(summary, time, signals);
    for (int i = 0; i < summary->four_count; i++)
        widen_four(summary, summary->fours[i], time, signals);
    for (int i = summary->count / 4 * 4; i < summary->count; i++)
        widen(summary, i, time, signals[i]);
    return IB_TIME_NEVER;
}

ib_Probe ib_summary_probe(ib_Summary *summary)
{
    return (ib_Probe){.self = summary,
                      .next = IB_TIME_NEVER,
                      .each_step = true,
                      .sample = sample,
                      .spares = summary->spares};
}
