#include "base/extreme.h"
#include "control/arm/arm_cell.h"

#include <math.h>

// Two fronts go over the points: forwards from the begin, the largest speeds without braking;
// backwards from the end, the speeds from which the end can be reached. The slower one goes on, so
// neither has to find its way at speeds that the other forbids. When they meet, backwards goes on
// to the begin, with the largest speeds known; and last, forwards, the fastest allowed speeds. All
// are passages of one cell. Results are kept, and are valid for a later one that enters the cell at
// that speed and may leave it at that speed.

enum { TRIES = 64 };

typedef struct Reach {
    ib_ArmRules scene;
    const ib_ArmPath *path;
    ib_ArmEnds ends;
    double *high, *low; ///< of the speeds that can be met
    double *cap;        ///< unreachable from the begin, or without continuation
    double *next, *T;   ///< of a passage from `cap`, then from `high`: speed at its end (at i + 1),
                        ///< and its time; 0: not known
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

// The reason for no way from `point`: first of all, the place with the least reserve at rest.
static ib_ArmVerdict explain(const Reach *reach, int point)
{
    ib_ArmFrame frame;
    ib_ArmNeed hardest = {1, 0};
    int where = -1;
    for (int i = 0; i < reach->path->count; i++) {
        frame_at(reach, i, &frame);
        ib_ArmNeed need = ib__arm_need(reach->scene.arm, reach->scene.limits, &frame, 0, 0);
        if (need.part > hardest.part) hardest = need, where = i;
    }
    if (where >= 0) return verdict(IB_ARM_CANNOT_HOLD, where, hardest);
    frame_at(reach, point, &frame);
    return verdict(IB_ARM_CANNOT_MOVE, point,
                   ib__arm_need(reach->scene.arm, reach->scene.limits, &frame, 0, 0));
}

// ----------------------------------------------------------------------------------------- ceiling

// Frames of two points that are side by side: a front goes on by one at a time.
typedef struct Front {
    ib_ArmFrame frames[2];
} Front;

// Largest speed at point i + 1 without braking; false: no speed.
static bool ceiling(Reach *reach, int i, Front *front)
{
    const ib_ArmSpeeds any = {0, INFINITY};
    ib_ArmFrame *begin = &front->frames[i & 1], *end = &front->frames[(i + 1) & 1];
    frame_at(reach, i + 1, end);
    ib_ArmCell cell = cell_at(reach, i, begin, end);
    double v = reach->cap[i];
    ib_ArmMove move;
    bool passed = ib__arm_cell_pass(&cell, v, any, IB_ARM_HASTY, &move) == IB_ARM_PASSED;
    // An excessive speed falls too far, and would hold the ceiling down: no fastest passage.
    bool even = move.u0 > 0 || fabs(move.u1 - move.u0) * move.T < 0.005 * v;
    if (passed && even)
        v = move.v1;
    else {
        move.T = 0;
        v = ib__arm_cell_push(&cell, v);
        if (v >= 0) v = ib__arm_fastest_below(&reach->scene, end, v);
    }
    reach->cap[i + 1] = reach->next[i + 1] = v;
    reach->T[i] = move.T;
    return v >= 0;
}

// --------------------------------------------------------------------------------------- backwards

// The fastest entry, by trial: downwards in growing steps, then by halves to a small part of the
// way down.
static double search_down(const ib_ArmCell *cell, double from, ib_ArmSpeeds end,
                          ib_ArmPatience patience, ib_ArmMove *move)
{
    double bad = from, good = -1, step = 1e-6 * from, fine = 1e-9 * from;
    if (ib__arm_cell_pass(cell, from, end, patience, move) == IB_ARM_PASSED) return from;
    for (int n = 0; n < TRIES && bad > 0; n++) {
        if (good >= 0 && bad - good <= 0.02 * (from - good) + fine) break;
        double v = good < 0 ? ib_max(bad - step, 0) : 0.5 * (good + bad);
        ib_ArmMove tried;
        if (ib__arm_cell_pass(cell, v, end, patience, &tried) == IB_ARM_PASSED)
            good = v, *move = tried;
        else
            bad = v;
        if (step < 0.02 * from) step *= 4;
    }
    return good;
}

// The fastest entry into a cell: as fast as it can be there at all (`cap`), or full brakes to the
// fastest speed at its end; less, if the middle leaks. < 0: there is none.
static double fastest_entry(const ib_ArmCell *cell, double cap, ib_ArmSpeeds end, ib_ArmMove *move)
{
    double slack = 0, v = cap;
    if (cap < INFINITY && ib__arm_cell_pass(cell, cap, end, IB_ARM_HASTY, move) == IB_ARM_PASSED)
        return cap;
    for (int n = 0; n < 8; n++) {
        v = ib__arm_cell_brake(cell, end.high, slack);
        if (v < 0) return -1;
        v = ib__arm_fastest_below(cell->scene, cell->begin, ib_min(v, cap));
        if (v < 0) return -1;
        ib_ArmPassage passage = ib__arm_cell_pass(cell, v, end, IB_ARM_HASTY, move);
        if (passage == IB_ARM_PASSED) return v;
        bool braking = passage == IB_ARM_TOO_FAST || passage == IB_ARM_LEAKS;
        if (!braking || !(move->slack < INFINITY)) break;
        slack += 1.02 * move->slack;
    }
    double found = search_down(cell, v, end, IB_ARM_STEADY, move);
    return found > 0 ? found : search_down(cell, v, end, IB_ARM_PATIENT, move);
}

// The least entry speed: rest, if it can stand there and need not be fast at the end.
static double slowest_entry(const ib_ArmCell *cell, double low)
{
    ib_ArmRange range = ib__arm_range(cell->scene->arm, cell->scene->limits, cell->begin, 0, 1);
    if (low <= 0 && range.low <= range.high && range.high >= 0) return 0;
    return ib__arm_cell_climb(cell, low);
}

// The speeds at point i from which those at i + 1 can be reached; false: none. `known`: kept
// results of the cell may be used.
static bool backwards(Reach *reach, int i, Front *front, bool known)
{
    ib_ArmFrame *begin = &front->frames[i & 1], *end = &front->frames[(i + 1) & 1];
    frame_at(reach, i, begin);
    ib_ArmCell cell = cell_at(reach, i, begin, end);
    ib_ArmSpeeds speeds = {reach->low[i + 1], reach->high[i + 1]};
    if (known && reach->T[i] > 0 && reach->next[i + 1] == speeds.high)
        reach->high[i] = reach->cap[i];
    else {
        ib_ArmMove move;
        reach->high[i] = fastest_entry(&cell, reach->cap[i], speeds, &move);
        reach->next[i + 1] = move.v1;
        reach->T[i] = move.T;
    }
    reach->low[i] = slowest_entry(&cell, speeds.low);
    // Rest is sufficient at the begin.
    bool moves = i == 0 ? reach->high[i] >= 0 : reach->high[i] > 0;
    return moves && reach->low[i] <= reach->high[i];
}

// ---------------------------------------------------------------------------------------- forwards

// Returns the point from which nothing leads on, or -1.
static int forwards(const Reach *reach, ib_ArmTiming *timing)
{
    timing->v[0] = reach->ends.begin;
    timing->t[0] = 0;
    for (int i = 0; i < reach->path->count - 1; i++) {
        ib_ArmMove move = {.v1 = reach->next[i + 1], .T = reach->T[i]};
        if (!(timing->v[i] == reach->high[i] && move.T > 0)) {
            ib_ArmFrame begin, end;
            frame_at(reach, i, &begin);
            frame_at(reach, i + 1, &end);
            ib_ArmCell cell = cell_at(reach, i, &begin, &end);
            ib_ArmSpeeds speeds = {reach->low[i + 1], reach->high[i + 1]};
            ib_ArmPassage passage =
                ib__arm_cell_pass(&cell, timing->v[i], speeds, IB_ARM_STEADY, &move);
            if (passage != IB_ARM_PASSED)
                passage = ib__arm_cell_pass(&cell, timing->v[i], speeds, IB_ARM_PATIENT, &move);
            if (passage != IB_ARM_PASSED) return i;
        }
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

// Moves both fronts until they meet; there, speeds that neither forbids. Returns a point without
// continuation, or -1; `*meet`: the meeting point.
static int approach(Reach *reach, int *meet)
{
    int i = 0, k = reach->path->count - 1;
    Front forth, back;
    frame_at(reach, i, &forth.frames[i & 1]);
    frame_at(reach, k, &back.frames[k & 1]);
    while (i < k) {
        if (reach->cap[i] <= reach->high[k]) {
            if (!ceiling(reach, i, &forth)) return i;
            i++;
        } else {
            reach->cap[k - 1] = INFINITY;
            if (!backwards(reach, k - 1, &back, false)) return k - 1;
            k--;
        }
    }
    *meet = k;
    if (reach->cap[k] < reach->high[k]) {
        reach->high[k] = reach->cap[k];
        reach->T[k] = 0; // was from the other speed
    }
    return reach->low[k] <= reach->high[k] ? -1 : k;
}

// Moves backwards from point `from` to the begin.
static int go_back(Reach *reach, int from, bool known)
{
    Front back;
    frame_at(reach, from, &back.frames[from & 1]);
    for (int i = from - 1; i >= 0; i--)
        if (!backwards(reach, i, &back, known)) return i;
    return -1;
}

ib_ArmVerdict ib_arm_plan_reach(const ib_ArmPlant *arm, const ib_ArmLimits *limits,
                                const ib_ArmPath *path, ib_ArmEnds ends, ib_ArmTiming *timing)
{
    int count = path->count, last = count - 1, from = last;
    Reach reach = {.scene = {arm, limits},
                   .path = path,
                   .ends = ends,
                   .high = timing->work,
                   .low = timing->work + count,
                   .cap = timing->work + 2 * count,
                   .next = timing->v,
                   .T = timing->work + 3 * count};
    ib_ArmFrame frame;
    IB_ASSERT(count >= 2 && ends.begin >= 0 && ends.end >= 0);
    reach.cap[0] = ends.begin;
    reach.high[last] = reach.low[last] = ends.end;
    frame_at(&reach, last, &frame);
    ib_ArmRange range = ib__arm_range(arm, limits, &frame, ends.end, 1);
    if (range.low > range.high || ends.end > frame.fastest) return explain(&reach, last);
    int stuck = approach(&reach, &from);
    // A speed that leads nowhere after all (allowed speeds need not be one range) is taken out.
    for (int n = 0; n < TRIES; n++) {
        if (stuck < 0) stuck = go_back(&reach, from, n == 0);
        if (stuck >= 0) return explain(&reach, stuck);
        ib_ArmVerdict begin = check_begin(&reach);
        if (begin.fault != IB_ARM_FINE) return begin;
        from = forwards(&reach, timing);
        // One cell from rest to rest has no speed at either end: it never ends.
        if (from < 0 && timing->t[last] < INFINITY) return (ib_ArmVerdict){0};
        if (from <= 0) break;
        reach.cap[from] = 0.99 * timing->v[from];
        from++;
    }
    return explain(&reach, from > 0 ? from : 0);
}
