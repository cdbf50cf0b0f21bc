#include "base/extreme.h"
#include "control/arm/arm_plan.h"

#include <math.h>

// A sample at rest, with its holding voltages.
static ib_ArmSample stand(const ib_ArmPlant *arm, const ib_ArmPoint *point)
{
    ib_ArmSample sample = {.th = {point->th[0], point->th[1]}};
    ib_arm_volts(arm, sample.th, sample.w, sample.a, sample.volts);
    return sample;
}

// Index of the cell that t is in.
static int find_cell(const double *t, int cells, double time, const int *hint)
{
    int i = hint ? *hint : -1;
    if (i >= 0 && i < cells && time >= t[i]) {
        if (time <= t[i + 1]) return i;
        if (i + 1 < cells && time <= t[i + 2]) return i + 1;
    }
    int low = 0, high = cells;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (time >= t[middle])
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Speeds and the time of a cell are its motion: v' is a straight line in time,
//   (u0 + u1)/2 = (v1 - v0)/T,   (u1 - u0)/2 = 3 (v0 + v1)/T - 6 ds/T^2
// The second is a small difference: of a cell that is so short that the rounding of t would be in
// it, the first alone is taken.
static const double SHORT = 1e-5; ///< of the time up to here

ib_ArmSample ib_arm_sample(const ib_ArmPlant *arm, const ib_ArmPath *path,
                           const ib_ArmTiming *timing, double t, int *hint)
{
    int last = path->count - 1;
    if (!(t >= 0)) return stand(arm, &path->points[0]);
    if (t > timing->t[last]) return stand(arm, &path->points[last]);
    int i = find_cell(timing->t, last, t, hint);
    if (hint) *hint = i;
    const ib_ArmPoint *a = &path->points[i], *b = a + 1;
    double T = timing->t[i + 1] - timing->t[i], ds = b->s - a->s, per = 1 / T;
    double v0 = timing->v[i], v1 = timing->v[i + 1], mean = (v1 - v0) * per, half = 0;
    if (T > SHORT * t) half = (3 * (v0 + v1) - 6 * ds * per) * per;
    double u0 = mean - half, u1 = mean + half;
    // Counted from the nearer end, so that both ends are exact.
    double x = t - timing->t[i], y = x - T, jerk = (u1 - u0) * per, s, v, u;
    if (x + y < 0) {
        u = u0 + jerk * x;
        v = v0 + x * (u0 + 0.5 * jerk * x);
        s = x * (v0 + x * (0.5 * u0 + jerk * x / 6));
    } else {
        u = u1 + jerk * y;
        v = v1 + y * (u1 + 0.5 * jerk * y);
        s = ds + y * (v1 + y * (0.5 * u1 + jerk * y / 6));
    }
    ib_ArmPoint at = ib_arm_path_within(a, b, ib_min(ib_max(s / ds, 0), 1));
    ib_ArmSample sample;
    for (int k = 0; k < 2; k++) {
        sample.th[k] = at.th[k];
        sample.w[k] = at.way[k] * v;
        sample.a[k] = at.way[k] * u + at.bend[k] * v * v;
    }
    ib_arm_volts(arm, sample.th, sample.w, sample.a, sample.volts);
    return sample;
}
