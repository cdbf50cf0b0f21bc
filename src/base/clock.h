// base/clock.h: simulated time as an integer count of nanoseconds.
//
// Integers add without rounding, so that the 1 ms grid, a switch at 10.6665 s and a 5 ms controller
// coincide exactly, for 292 years.
#ifndef IB_BASE_CLOCK_H
#define IB_BASE_CLOCK_H

#include <math.h>
#include <stdint.h>

typedef int64_t ib_Time; ///< nanoseconds since the start of the run

#define IB_SECOND     ((ib_Time)1000000000)
#define IB_TIME_NEVER INT64_MAX

// The nearest nanosecond; |seconds| <= 9e9.
static inline ib_Time ib_time_from_seconds(double seconds)
{
    return (ib_Time)rint(seconds * 1e9);
}

static inline double ib_time_to_seconds(ib_Time time)
{
    return (double)time / 1e9;
}

static inline ib_Time ib_time_min(ib_Time a, ib_Time b)
{
    return a < b ? a : b;
}

// The first multiple of `period` that is later than `time` (time >= 0, period > 0).
static inline ib_Time ib_time_next(ib_Time time, ib_Time period)
{
    return (time / period + 1) * period;
}

#endif
