#include "base/extreme.h"
#include "control/arm/arm_limits.h"

#include <math.h>
#include <string.h>

// The passes of the source: at each point the fastest speed that can be kept, then as much brake as
// there is, backwards from the end, then as much push, forwards from the begin. [FRC 971, 2018]
//
// Euler's method in s, in `parts` steps of each cell, with z = v^2:   dz/ds = 2 u
// Each step has the limits of its begin, and goes beyond them by as much as they change in it.

typedef struct Passes {
    const ib_ArmPlant *arm;
    const ib_ArmLimits *limits;
    ib_ArmLimits plain; ///< without the ellipse of accelerations
    const ib_ArmPath *path;
    int parts;
} Passes;

// --------------------------------------------------------------------------------------- curvature

// Least v > 0 with |B v^2 + C v + D| = most, of |D| <= most.
static double first_root(double B, double C, double D, double most)
{
    double least = INFINITY;
    for (int sign = -1; sign <= 1; sign += 2) {
        double c = D - sign * most, disc = C * C - 4 * B * c;
        if (!(disc >= 0) || isinf(c)) continue;
        // The roots are q/B and c/q, without cancellation as q has the sign of C.
        double q = -0.5 * (C + copysign(sqrt(disc), C));
        double roots[2] = {B != 0 ? q / B : -1, q != 0 ? c / q : -1};
        for (int i = 0; i < 2; i++)
            if (roots[i] > 0 && roots[i] < least) least = roots[i];
    }
    return least;
}

// The fastest speed that can be kept, u = 0; all slower ones can.
static double fastest_kept(const Passes *passes, const ib_ArmFrame *frame)
{
    const ib_ArmLimits *limits = passes->limits;
    double fastest = frame->fastest, bent = 0;
    for (int i = 0; i < 2; i++) {
        const double B = frame->B[i], C = frame->C[i], D = frame->D[i];
        double most = limits->current[i] * passes->arm->gear[i].R;
        double across = frame->bend[i] / limits->acceleration[i];
        fastest = ib_min(fastest, first_root(B, C, D, limits->volts[i]));
        if (most < INFINITY) fastest = ib_min(fastest, first_root(B, C - frame->emf[i], D, most));
        bent += across * across;
    }
    if (bent > 0) fastest = ib_min(fastest, sqrt(1 / sqrt(bent)));
    if (!(limits->resistance > 0)) return fastest;
    // The battery by halves.
    double low = 0, high = ib_min(fastest, 1e3);
    for (int n = 0; n < 40; n++) {
        ib_ArmRange range = ib__arm_range(passes->arm, limits, frame, n == 0 ? high : low, 1);
        if (n == 0 && range.low <= 0 && range.high >= 0) return high;
        double middle = 0.5 * (low + high);
        range = ib__arm_range(passes->arm, limits, frame, middle, 1);
        if (range.low <= 0 && range.high >= 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static ib_ArmVerdict curvature(const Passes *passes, double *v)
{
    for (int i = 0; i < passes->path->count; i++) {
        ib_ArmFrame frame;
        ib__arm_frame(passes->arm, passes->limits, &passes->path->points[i], &frame);
        ib_ArmNeed need = ib__arm_need(passes->arm, passes->limits, &frame, 0, 0);
        if (need.part > 1) return (ib_ArmVerdict){IB_ARM_CANNOT_HOLD, i, need.joint, need.part};
        v[i] = fastest_kept(passes, &frame);
    }
    return (ib_ArmVerdict){0};
}

// ----------------------------------------------------------------------------- backwards, forwards

// The ellipse as the source has it, which takes W way and W bend for orthogonal, W = 1/A; its range
// may be beyond the true one:
//   |u| <= sqrt(1 - n^2)/|W way|,   n = |W bend| v^2
static double ellipse(const ib_ArmLimits *limits, const ib_ArmFrame *frame, double v)
{
    double along = 0, bent = 0;
    for (int i = 0; i < 2; i++) {
        double p = frame->way[i] / limits->acceleration[i];
        double r = frame->bend[i] * v * v / limits->acceleration[i];
        along += p * p;
        bent += r * r;
    }
    return along > 0 ? sqrt(ib_max(1 - bent, 0) / along) : INFINITY;
}

// Speed at the other end of the cell from point i to i + 1, entered at v: full push forwards, full
// brake backwards.
static double across(const Passes *passes, int i, bool forwards, double v)
{
    const ib_ArmPoint *a = &passes->path->points[i], *b = a + 1;
    double h = (b->s - a->s) / passes->parts, z = v * v;
    for (int k = 0; k < passes->parts; k++) {
        double x = (double)k / passes->parts;
        ib_ArmPoint point = ib_arm_path_within(a, b, forwards ? x : 1 - x);
        ib_ArmFrame frame;
        ib__arm_frame(passes->arm, passes->limits, &point, &frame);
        ib_ArmRange range = ib__arm_range(passes->arm, &passes->plain, &frame, sqrt(z), 1);
        // If Euler's steps have left the limits, it keeps its speed.
        double u = forwards ? range.high : -range.low;
        u = ib_min(u, ellipse(passes->limits, &frame, sqrt(z)));
        if (u > 0) z += 2 * u * h;
    }
    return sqrt(z);
}

ib_ArmVerdict ib_arm_plan_passes(const ib_ArmPlant *arm, const ib_ArmLimits *limits,
                                 const ib_ArmPath *path, int parts, ib_ArmTiming *timing)
{
    Passes passes = {arm, limits, *limits, path, parts};
    passes.plain.acceleration[0] = passes.plain.acceleration[1] = INFINITY;
    int last = path->count - 1;
    double *v = timing->v, *t = timing->t;
    IB_ASSERT(path->count >= 2 && parts >= 1);
    ib_ArmVerdict verdict = curvature(&passes, v);
    if (verdict.fault != IB_ARM_FINE) return verdict;
    memcpy(timing->work, v, (size_t)path->count * sizeof *v);
    v[last] = 0;
    for (int i = last - 1; i >= 0; i--) v[i] = ib_min(v[i], across(&passes, i, false, v[i + 1]));
    memcpy(timing->work + path->count, v, (size_t)path->count * sizeof *v);
    v[0] = t[0] = 0;
    for (int i = 0; i < last; i++) {
        v[i + 1] = ib_min(v[i + 1], across(&passes, i, true, v[i]));
        if (!(v[i] + v[i + 1] > 0)) return (ib_ArmVerdict){IB_ARM_CANNOT_MOVE, i, 0, 1};
        t[i + 1] = t[i] + 2 * (path->points[i + 1].s - path->points[i].s) / (v[i] + v[i + 1]);
    }
    return (ib_ArmVerdict){0};
}
