#include "design/response.h"

#include "base/extreme.h"

#include <math.h>

// Symbols: s the relative response, 0 at the start and 1 at the goal.

static const double band = 0.02; ///< settled: |s - 1| below it

// The time at which a straight line from (t0, s0) to (t1, s1) is at `level`.
static double crossing(double t0, double s0, double t1, double s1, double level)
{
    return s1 == s0 ? t1 : t0 + (t1 - t0) * (level - s0) / (s1 - s0);
}

// The time at which s first reaches `level` from below; NAN: never.
static double first_reach(int count, const double *t, const double *x, double goal, double level)
{
    double way = goal - x[0];
    for (int i = 1; i < count; i++) {
        double before = (x[i - 1] - x[0]) / way, now = (x[i] - x[0]) / way;
        if (now >= level) return crossing(t[i - 1], before, t[i], now, level);
    }
    return NAN;
}

// The last time outside the band, searched from the end.
static double settle(int count, const double *t, const double *x, double goal)
{
    double way = goal - x[0];
    for (int i = count - 1; i >= 0; i--) {
        double s = (x[i] - x[0]) / way;
        if (fabs(s - 1) <= band) continue;
        if (i == count - 1) return INFINITY;
        double next = (x[i + 1] - x[0]) / way;
        return crossing(t[i], s, t[i + 1], next, s > 1 ? 1 + band : 1 - band) - t[0];
    }
    return 0;
}

// Without a sample at the goal, one within the band counts.
static double overshoot(int count, const double *x, double goal)
{
    double way = goal - x[0], most = -INFINITY;
    for (int i = 1; i < count; i++) most = ib_max(most, (x[i] - x[0]) / way - 1);
    return most < -band ? NAN : ib_max(most, 0);
}

ib_Response ib_response_find(int count, const double *t, const double *x, double goal)
{
    ib_Response response = {NAN, NAN, NAN, 0, 0};
    double sum = 0, late = t[count - 1] - 0.1 * (t[count - 1] - t[0]);
    int last = 0;
    for (int i = count - 1; i >= 0 && t[i] >= late; i--, last++) sum += goal - x[i];
    response.error = sum / last;
    for (int i = 0; i < count; i++) response.peak = ib_max(response.peak, fabs(goal - x[i]));
    if (goal == x[0]) return response;
    response.rise = first_reach(count, t, x, goal, 0.9) - first_reach(count, t, x, goal, 0.1);
    response.overshoot = overshoot(count, x, goal);
    response.settling = settle(count, t, x, goal);
    return response;
}

double ib_response_saturated(int count, const double *u, double low, double high)
{
    int held = 0;
    for (int i = 0; i < count; i++) held += u[i] <= low || u[i] >= high;
    return count > 0 ? (double)held / count : 0;
}
