// design/arm/arm_estimate.c: the two passes of reachability with a rate for each cell that is the
// mean of what its two ends allow.
//
//   v_i^2 = v_i+1^2 - (low_i(v_i) + low_i+1(v_i+1)) ds          backwards, with full brakes
//   v_i+1^2 = v_i^2 + (high_i(v_i) + high_i+1(v_i+1)) ds        forwards, at most that
// The exact passes look at the middle of a cell too and solve for both ends; here the unknown end
// is guessed and corrected once, an error of third order in ds.
#include "design/arm/arm_estimate.h"

#include <math.h>
#include <stdbool.h>

enum { HALVES = 20 };

typedef struct Pass {
    const ib_ArmPlant *arm;
    const ib_ArmLimits *limits;
    const ib_ArmFrame *frame; ///< of the end that is looked for
    double z, ds;             ///< square of the speed at the other end
    double known;             ///< rate there, against the direction of the pass
    double way;               ///< 1 forwards, -1 backwards
} Pass;

static bool allowed(const Pass *pass, double v, ib_ArmRange *range)
{
    *range = ib__arm_range(pass->arm, pass->limits, pass->frame, v, 1);
    return range->low <= range->high && v <= pass->frame->fastest;
}

// The largest speed up to v that is allowed, and its range; < 0: not even rest is.
static double below(const Pass *pass, double v, ib_ArmRange *range)
{
    if (allowed(pass, v, range)) return v;
    double good = 0, bad = v;
    if (!allowed(pass, 0, range)) return -1;
    for (int n = 0; n < HALVES; n++) {
        double middle = 0.5 * (good + bad);
        ib_ArmRange there;
        if (allowed(pass, middle, &there))
            good = middle, *range = there;
        else
            bad = middle;
    }
    return good;
}

// The speed at the other end of a cell, at most `cap`; < 0: there is none.
static double cross(const Pass *pass, double cap)
{
    ib_ArmRange range;
    double rate = pass->known, v = 0;
    for (int n = 0; n < 2; n++) {
        v = fmin(sqrt(fmax(pass->z + 2 * pass->way * rate * pass->ds, 0)), cap);
        v = below(pass, v, &range);
        if (v < 0) return -1;
        rate = 0.5 * (pass->known + (pass->way > 0 ? range.high : range.low));
    }
    v = fmin(sqrt(fmax(pass->z + 2 * pass->way * rate * pass->ds, 0)), v);
    return v;
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
