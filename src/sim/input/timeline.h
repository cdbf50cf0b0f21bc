// sim/input/timeline.h: an input written as knots over time, read at an instant.
//
// A step timeline holds each value until the next knot and is neutral before its first; a linear
// one joins its knots by straight lines and keeps its end values outside of them. One with a wave
// is that wave (sim/input/wave.h); its one knot is the wave's start.
#ifndef IB_SIM_INPUT_TIMELINE_H
#define IB_SIM_INPUT_TIMELINE_H

#include "robot/kind.h"

// Value and slope [1/s] at `time`, good until the time returned (IB_TIME_NEVER: for ever). An empty
// timeline leaves `value` and `slope` alone.
ib_Time ib_timeline_read(const ib_Timeline *timeline, ib_Time time, double neutral, double *value,
                         double *slope);

// True if the timeline changes its slope, or jumps, at exactly this time.
bool ib_timeline_bends(const ib_Timeline *timeline, ib_Time time);

#endif
