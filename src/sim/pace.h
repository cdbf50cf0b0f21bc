// sim/pace.h: keeping step with the wall clock, and how late it was.
//
// Deadlines are absolute: a late step is caught up by the ones after it, none is skipped, and the
// run does not drift.
#ifndef IB_SIM_PACE_H
#define IB_SIM_PACE_H

#include "base/clock.h"

#include <stdbool.h>

enum { IB_PACE_BUCKETS = 128 }; ///< four to an octave, from 1 us

typedef struct ib_Pace {
    int64_t steps;    ///< deadlines so far
    int64_t overruns; ///< deadlines missed by a whole step
    int64_t max;      ///< [ns]
    double sum;       ///< of all lateness [ns]
    int64_t count[IB_PACE_BUCKETS];
} ib_Pace;

// The monotonic clock [ns], and a sleep until it shows `wall`.
int64_t ib_wall_now(void);
void ib_wall_sleep(int64_t wall);

// A step whose deadline was `deadline` began at `now`. More than `step` behind is an overrun.
void ib_pace_add(ib_Pace *pace, int64_t deadline, int64_t now, int64_t step);

// The lateness that this share of all steps kept within, the mean and the largest [s]; 0 before the
// first step. A share is known to the edge of its bucket, 19 % too high at most.
double ib_pace_percentile(const ib_Pace *pace, double share);
double ib_pace_mean(const ib_Pace *pace);
double ib_pace_max(const ib_Pace *pace);

#endif
