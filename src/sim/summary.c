#include "sim/summary.h"

#include <math.h>
#include <string.h>

void ib_summary_reset(ib_Summary *summary)
{
    for (int i = 0; i < summary->count; i++)
        summary->final[i] = summary->min[i] = summary->max[i] = NAN;
}

ib_Status ib_summary_create(const ib_SignalTable *signals, ib_Arena *arena, ib_Summary **result,
                            ib_Error *error)
{
    size_t count = (size_t)signals->count;
    ib_Summary *summary = ib_arena_alloc(arena, sizeof *summary);
    double *values = ib_arena_array(arena, 3 * count, sizeof *values);
    ib_Time *times = ib_arena_array(arena, 2 * count, sizeof *times);
    if (!summary || !values || !times)
        return ib_error_set(error, IB_FAILED, "out of memory for the summary");
    *summary = (ib_Summary){signals->count,     values, values + count,
                            values + 2 * count, times,  times + count};
    ib_summary_reset(summary);
    *result = summary;
    return IB_OK;
}

static ib_Time sample(void *self, ib_Time time, const double *signals)
{
    ib_Summary *summary = self;
    double *min = summary->min, *max = summary->max;
    // A signal that is not a number stays visible as the last value, but does not spoil the range.
    // Most are numbers within it, or beyond it on one side.
    for (int i = 0; i < summary->count; i++) {
        double y = signals[i];
        if (y >= min[i]) {
            if (y <= max[i]) continue;
            max[i] = y;
            summary->max_time[i] = time;
        } else if (y < min[i]) {
            min[i] = y;
            summary->min_time[i] = time;
        } else if (!isnan(y)) { // the first number
            min[i] = max[i] = y;
            summary->min_time[i] = summary->max_time[i] = time;
        }
    }
    memcpy(summary->final, signals, (size_t)summary->count * sizeof *signals);
    return IB_TIME_NEVER;
}

ib_Probe ib_summary_probe(ib_Summary *summary)
{
    return (ib_Probe){summary, IB_TIME_NEVER, true, sample, false};
}
