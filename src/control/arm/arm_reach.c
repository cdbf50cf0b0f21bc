#include "control/arm/arm_cell.h"

#include <math.h>

// Backwards over the points go the speeds from which the end can be met, forwards the fastest of
// them. Both steps are the same passage of one cell, with the same numbers: what the first has
// found, the second finds again.

enum { HALVES = 40, TRIES = 64 };

typedef struct Reach {
    ib_ArmScene scene;
    const ib_ArmPath *path;
    ib_ArmEnds ends;
    double *high, *low; ///< of the speeds that can be met
    double *cap;        ///< a speed at a point that was found to lead nowhere
} Reach;

static void frame_at(const Reach *reach, int i, ib_ArmFrame *frame)
{
    ib__arm_frame(reach->scene.arm, reach->scene.limits, &reach->path->points[i], frame);
}

static ib_ArmCell cell_at(const Reach *reach, int i, const ib_ArmFrame *begin,
                          const ib_ArmFrame *end)
{
    const ib_ArmPoint *a = &reach->path->points[i];
    return (ib_ArmCell){&reach->scene, a, a + 1, begin, end, a[1].s - a->s};
}

// ---------------------------------------------------------------------------------------- verdicts

static ib_ArmVerdict verdict(ib_ArmFault fault, int point, ib_ArmNeed need)
{
    return (ib_ArmVerdict){fault, point, need.joint, need.part};
}

// Why nothing leads on from `point`: first of all, a place at which it could not even stand.
static ib_ArmVerdict explain(const Reach *reach, int point)
{
    ib_ArmFrame frame;
    for (int i = 0; i < reach->path->count; i++) {
        frame_at(reach, i, &frame);
        ib_ArmNeed need = ib__arm_need(reach->scene.arm, reach->scene.limits, &frame, 0, 0);
        if (need.part > 1) return verdict(IB_ARM_CANNOT_HOLD, i, need);
    }
    frame_at(reach, point, &frame);
    return verdict(IB_ARM_CANNOT_MOVE, point,
                   ib__arm_need(reach->scene.arm, reach->scene.limits, &frame, 0, 0));
}

// --------------------------------------------------------------------------------------- backwards

// The fastest entry, by trial: downwards in growing steps, then by halves.
static double search_down(const ib_ArmCell *cell, double from, ib_ArmSpeeds end)
{
    double bad = from, good = -1, step = 1e-7 * from;
    ib_ArmMove move;
    for (int n = 0; n < TRIES && good < 0 && bad > 0; n++) {
        double v = fmax(bad - step, 0);
        if (ib__arm_cell_pass(cell, v, end, true, &move) == IB_ARM_PASSED)
            good = v;
        else
            bad = v;
        step = n < 16 ? 2 * step : step;
    }
    for (int n = 0; n < HALVES && good >= 0 && bad - good > 1e-12 * bad; n++) {
        double v = 0.5 * (good + bad);
        if (ib__arm_cell_pass(cell, v, end, true, &move) == IB_ARM_PASSED)
            good = v;
        else
            bad = v;
    }
    return good;
}

// The fastest entry into a cell: full brakes to the fastest speed at its end, or the limits at its
// begin; less, if the middle leaks. < 0: there is none.
static double fastest_entry(const ib_ArmCell *cell, double cap, ib_ArmSpeeds end)
{
    double slack = 0, v = 0;
    for (int n = 0; n < 8; n++) {
        ib_ArmMove move;
        v = ib__arm_cell_brake(cell, end.high, slack);
        if (v < 0) return -1;
        v = ib__arm_fastest_below(cell->scene, cell->begin, fmin(v, cap));
        if (v < 0) return -1;
        ib_ArmPassage passage = ib__arm_cell_pass(cell, v, end, false, &move);
        if (passage == IB_ARM_PASSED) return v;
        bool braking = passage == IB_ARM_TOO_FAST || passage == IB_ARM_LEAKS;
        if (!braking || !(move.slack < INFINITY)) break;
        slack += 1.02 * move.slack;
    }
    return search_down(cell, v, end);
}

// The least entry. From rest, if it can stand there and there is no need to be fast at the end.
static double slowest_entry(const ib_ArmCell *cell, double low)
{
    ib_ArmRange range = ib__arm_range(cell->scene->arm, cell->scene->limits, cell->begin, 0);
    if (low <= 0 && range.low <= range.high && range.high >= 0) return 0;
    return ib__arm_cell_climb(cell, low);
}

// From point `from` to the first; returns the point from which nothing leads on, or -1.
static int backwards(Reach *reach, int from)
{
    ib_ArmFrame frames[2];
    frame_at(reach, from, &frames[from & 1]);
    for (int i = from - 1; i >= 0; i--) {
        ib_ArmFrame *begin = &frames[i & 1], *end = &frames[(i + 1) & 1];
        frame_at(reach, i, begin);
        ib_ArmCell cell = cell_at(reach, i, begin, end);
        ib_ArmSpeeds speeds = {reach->low[i + 1], reach->high[i + 1]};
        reach->high[i] = fastest_entry(&cell, reach->cap[i], speeds);
        reach->low[i] = slowest_entry(&cell, speeds.low);
        if (!(reach->high[i] > 0 && reach->low[i] <= reach->high[i])) {
            // At rest is good enough where it begins.
            if (!(i == 0 && reach->high[i] >= 0 && reach->low[i] <= reach->high[i])) return i;
        }
    }
    return -1;
}

// ---------------------------------------------------------------------------------------- forwards

// Returns the point from which nothing leads on, or -1.
static int forwards(const Reach *reach, ib_ArmTiming *timing)
{
    ib_ArmFrame frames[2];
    frame_at(reach, 0, &frames[0]);
    timing->v[0] = reach->ends.begin;
    timing->t[0] = 0;
    for (int i = 0; i < reach->path->count - 1; i++) {
        ib_ArmFrame *begin = &frames[i & 1], *end = &frames[(i + 1) & 1];
        frame_at(reach, i + 1, end);
        ib_ArmCell cell = cell_at(reach, i, begin, end);
        ib_ArmSpeeds speeds = {reach->low[i + 1], reach->high[i + 1]};
        ib_ArmMove move;
        if (ib__arm_cell_pass(&cell, timing->v[i], speeds, true, &move) != IB_ARM_PASSED) return i;
        timing->v[i + 1] = move.v1;
        timing->t[i + 1] = timing->t[i] + move.T;
    }
    return -1;
}

// -------------------------------------------------------------------------------------------- plan

// The begin among the speeds that can be met.
static ib_ArmVerdict check_begin(const Reach *reach)
{
    double begin = reach->ends.begin, high = reach->high[0];
    if (begin > high)
        return (ib_ArmVerdict){IB_ARM_CANNOT_BRAKE, 0, 0, high > 0 ? begin / high : INFINITY};
    if (begin < reach->low[0]) return explain(reach, 0);
    return (ib_ArmVerdict){0};
}

ib_ArmVerdict ib_arm_plan_reach(const ib_ArmPlant *arm, const ib_ArmLimits *limits,
                                const ib_ArmPath *path, ib_ArmEnds ends, ib_ArmTiming *timing)
{
    int count = path->count, last = count - 1, from = last;
    Reach reach = {.path = path,
                   .ends = ends,
                   .high = timing->work,
                   .low = timing->work + count,
                   .cap = timing->work + 2 * count};
    ib_ArmFrame frame;
    IB_ASSERT(count >= 2 && ends.begin >= 0 && ends.end >= 0);
    ib__arm_scene_init(arm, limits, &reach.scene);
    for (int i = 0; i < count; i++) reach.cap[i] = INFINITY;
    reach.high[last] = reach.low[last] = ends.end;
    frame_at(&reach, last, &frame);
    ib_ArmRange range = ib__arm_range(arm, limits, &frame, ends.end);
    if (range.low > range.high || ends.end > frame.fastest) return explain(&reach, last);
    // A speed that leads nowhere after all (allowed speeds need not be one range) is taken out.
    for (int n = 0; n < TRIES; n++) {
        int stuck = backwards(&reach, from);
        if (stuck >= 0) return explain(&reach, stuck);
        ib_ArmVerdict begin = check_begin(&reach);
        if (begin.fault != IB_ARM_FINE) return begin;
        from = forwards(&reach, timing);
        if (from < 0) return (ib_ArmVerdict){0};
        if (from == 0) break;
        reach.cap[from] = 0.99 * timing->v[from];
        if (++from > last) from = last;
    }
    return explain(&reach, from > 0 ? from : 0);
}
