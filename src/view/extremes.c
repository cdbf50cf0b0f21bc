#include "view/extremes.h"

#include <math.h>
#include <string.h>

bool ib_extremes_init(ib_Extremes *extremes, int signals, ib_Arena *arena)
{
    size_t count = (size_t)signals + 1;
    *extremes = (ib_Extremes){.count = signals,
                              .low = ib_arena_array(arena, count, sizeof(double)),
                              .high = ib_arena_array(arena, count, sizeof(double))};
    if (!extremes->low || !extremes->high) return false;
    for (int i = 0; i < signals; i++) extremes->low[i] = extremes->high[i] = NAN;
    return true;
}

// Extends the bounds; a NaN value changes nothing, a NaN bound takes any value.
static void widen(ib_Extremes *extremes, const double *values)
{
    double *low = extremes->low, *high = extremes->high;
    for (int i = 0; i < extremes->count; i++) {
        double value = values[i];
        if (value < low[i] || isnan(low[i])) low[i] = value;
        if (value > high[i] || isnan(high[i])) high[i] = value;
    }
}

static ib_Time sample(void *self, ib_Time time, const double *signals)
{
    (void)time;
    widen(self, signals);
    return IB_TIME_NEVER;
}

ib_Probe ib_extremes_probe(ib_Extremes *extremes)
{
    return (ib_Probe){.self = extremes, .next = IB_TIME_NEVER, .each_step = true, .sample = sample};
}

void ib_extremes_take(ib_Extremes *extremes, const double *values, double *low, double *high)
{
    size_t size = (size_t)extremes->count * sizeof(double);
    widen(extremes, values);
    memcpy(low, extremes->low, size);
    memcpy(high, extremes->high, size);
    memcpy(extremes->low, values, size);
    memcpy(extremes->high, values, size);
}
