#include "sim/input/timeline.h"

#include "sim/input/wave.h"

// The number of knots at or before `time`.
static int knots_until(const ib_Timeline *timeline, ib_Time time)
{
    int low = 0, high = timeline->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (timeline->times[middle] <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

ib_Time ib_timeline_read(const ib_Timeline *timeline, ib_Time time, double neutral, double *value,
                         double *slope)
{
    if (timeline->count == 0) return IB_TIME_NEVER;
    if (timeline->wave) return ib_wave_read(timeline->wave, time, value, slope);
    int next = knots_until(timeline, time);
    ib_Time until = next < timeline->count ? timeline->times[next] : IB_TIME_NEVER;
    *slope = 0;
    if (next == 0) {
        *value = timeline->linear ? timeline->values[0] : neutral;
    } else if (!timeline->linear || next == timeline->count) {
        *value = timeline->values[next - 1];
    } else {
        // v = v0 + (v1 - v0) (t - t0) / (t1 - t0)
        double span = ib_time_to_seconds(until - timeline->times[next - 1]);
        double since = ib_time_to_seconds(time - timeline->times[next - 1]);
        double v0 = timeline->values[next - 1];
        *slope = (timeline->values[next] - v0) / span;
        *value = v0 + *slope * since;
    }
    return until;
}

bool ib_timeline_bends(const ib_Timeline *timeline, ib_Time time)
{
    if (timeline->wave) return ib_wave_bends(timeline->wave, time);
    int next = knots_until(timeline, time);
    return next > 0 && timeline->times[next - 1] == time;
}
