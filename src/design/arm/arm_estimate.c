// design/arm/arm_estimate.c: the two passes of reachability; a cell's rate is the mean of those of
// its ends.
//
//   v_i^2 = v_i+1^2 - (low_i(v_i) + low_i+1(v_i+1)) ds          backwards, with full brakes
//   v_i+1^2 = v_i^2 + (high_i(v_i) + high_i+1(v_i+1)) ds        forwards, at most that
// The exact passes use the middle of a cell too and solve for both ends; this one iterates for the
// unknown end until it hardly changes.
#include "design/arm/arm_estimate.h"

#include "base/extreme.h"

#include <math.h>

enum { TRIES = 10 };

static const double CLOSE = 0.02; ///< of a speed: tolerance of the iteration
static const double FINE = 2e-3;  ///< of a speed at a limit

typedef struct Pass {
    const ib_ArmPlant *arm;
    const ib_ArmLimits *limits;
    const ib_ArmFrame *frame; ///< of the unknown end
    double z, ds;             ///< square of the speed at the other end
    double known;             ///< rate there, against the direction of the pass
    double way;               ///< 1 forwards, -1 backwards
} Pass;

// The lower minus the upper end of the range at a speed: <= 0: not empty.
static double gap_at(const Pass *pass, double v, ib_ArmRange *range)
{
    *range = ib__arm_range(pass->arm, pass->limits, pass->frame, v, 1);
    return range->low - range->high;
}

// The largest allowed speed up to v, and its range; < 0: not even rest is allowed. By regula falsi,
// kept off the ends of its interval.
static double below(const Pass *pass, double v, ib_ArmRange *range)
{
    ib_ArmRange there;
    double bad = ib_min(v, pass->frame->fastest), good = 0, g_bad = gap_at(pass, bad, range);
    if (g_bad <= 0) return bad;
    double g_good = gap_at(pass, 0, range);
    if (g_good > 0) return -1;
    for (int n = 0; n < TRIES && bad - good > FINE * bad; n++) {
        double part = ib_min(ib_max(g_good / (g_good - g_bad), 0.1), 0.9);
        double at = good + part * (bad - good), g = gap_at(pass, at, &there);
        if (g <= 0)
            good = at, g_good = g, *range = there;
        else
            bad = at, g_bad = g;
    }
    return good;
}

// The square of the speed at the other end by the rates of both ends, for v there.
static double lead_to(const Pass *pass, double *v, ib_ArmRange *range)
{
    *v = below(pass, *v, range);
    double mean = 0.5 * (pass->known + (pass->way > 0 ? range->high : range->low));
    return sqrt(ib_max(pass->z + 2 * pass->way * mean * pass->ds, 0));
}

// The speed at the other end of a cell, at most `cap`; < 0: none. Two iterations suffice if rates
// change little; else by bracketing the solution.
static double cross(const Pass *pass, double cap)
{
    ib_ArmRange range;
    double v = ib_min(sqrt(ib_max(pass->z + 2 * pass->way * pass->known * pass->ds, 0)), cap);
    double low = 0, high = INFINITY, led = 0;
    for (int n = 0; n < TRIES; n++) {
        double asked = v;
        led = ib_min(lead_to(pass, &v, &range), cap);
        if (v < 0) return -1;
        if (v < asked && led >= v) return v; // a limit binds
        if (fabs(led - v) <= CLOSE * v) break;
        if (led > v)
            low = v;
        else
            high = v;
        v = n < 2 && led > low && led < high ? led
                                             : 0.5 * (low + ib_min(high, 2 * ib_max(led, low)));
    }
    return led;
}

double ib_arm_estimate(const ib_ArmPlant *arm, const ib_ArmLimits *limits, const ib_ArmPath *path,
                       ib_ArmFrame *frames, double *v)
{
    int last = path->count - 1;
    double t = 0;
    Pass pass = {.arm = arm, .limits = limits};
    for (int i = 0; i <= last; i++) ib__arm_frame(arm, limits, &path->points[i], &frames[i]);
    v[last] = 0;
    for (int i = last; i > 0; i--) {
        pass.way = -1, pass.ds = path->points[i].s - path->points[i - 1].s;
        pass.z = v[i] * v[i];
        pass.known = ib__arm_range(arm, limits, &frames[i], v[i], 1).low;
        pass.frame = &frames[i - 1];
        v[i - 1] = cross(&pass, INFINITY);
        if (v[i - 1] < 0 || (i > 1 && !(v[i - 1] > 0))) return INFINITY;
    }
    v[0] = 0;
    for (int i = 0; i < last; i++) {
        pass.way = 1, pass.ds = path->points[i + 1].s - path->points[i].s;
        pass.z = v[i] * v[i];
        pass.known = ib__arm_range(arm, limits, &frames[i], v[i], 1).high;
        pass.frame = &frames[i + 1];
        v[i + 1] = cross(&pass, v[i + 1]);
        if (v[i + 1] < 0 || !(v[i] + v[i + 1] > 0)) return INFINITY;
        t += 2 * pass.ds / (v[i] + v[i + 1]);
    }
    return t;
}
