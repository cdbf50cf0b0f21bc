#include "base/extreme.h"
#include "control/arm/arm_limits.h"

#include <math.h>

// Reachability with one rate in each cell, u = (v1^2 - v0^2)/(2 ds). A cell fits if its need of the
// limits, at both ends and in the middle, is at most all of them. That need changes smoothly along
// the path, unlike the range of u within the limits: beside a place at which a joint does not feel
// u, the range turns over within A/C seconds, far less than a cell of a slow arm takes.
//
// Feasible speeds are taken to be one range at either end, with one least need in it.

static const double WITHIN = 4e-5;    ///< of a limit, in the middle of a cell
static const double ROUNDING = 1e-12; ///< of a limit
static const double FINE = 1e-9;      ///< of an unknown speed

enum { STEPS = 60 };

// A cell, from the end whose speeds are known to the other one.
typedef struct Cell {
    const ib_ArmPlant *arm;
    const ib_ArmLimits *limits;
    bool forwards; ///< its begin is known
    double ds;
    ib_ArmFrame known, middle, other;
    double low, high; ///< speeds at the known end
} Cell;

static void cell_init(const ib_ArmPath *path, int i, Cell *cell)
{
    const ib_ArmPoint *a = &path->points[i], *b = a + 1;
    ib_ArmPoint middle = ib_arm_path_within(a, b, 0.5);
    cell->ds = b->s - a->s;
    ib__arm_frame(cell->arm, cell->limits, cell->forwards ? a : b, &cell->known);
    ib__arm_frame(cell->arm, cell->limits, &middle, &cell->middle);
    ib__arm_frame(cell->arm, cell->limits, cell->forwards ? b : a, &cell->other);
}

// Need of the cell beyond its limits with v at the known end and w at the other: <= 0, it fits.
static double excess(const Cell *cell, double v, double w)
{
    double u = 0.5 * (w - v) * (w + v) / cell->ds, mean = sqrt(0.5 * (v * v + w * w));
    if (!cell->forwards) u = -u;
    if (!(mean > 0)) return INFINITY; // it never ends
    double known = ib__arm_need(cell->arm, cell->limits, &cell->known, v, u).part;
    double other = ib__arm_need(cell->arm, cell->limits, &cell->other, w, u).part;
    double middle = ib__arm_need(cell->arm, cell->limits, &cell->middle, mean, u).part;
    return ib_max(ib_max(known, other) - ROUNDING, middle - WITHIN) - 1;
}

// ------------------------------------------------------------------------------------------ speeds

// A speed at the known end that fits w, by the golden section; < 0: there is none.
static double fit(const Cell *cell, double w)
{
    const double part = 0.6180339887498949;
    double low = cell->low, high = cell->high, most = excess(cell, high, w);
    if (most <= 0) return high;
    // If less is worse, all are.
    if (excess(cell, high - 1e-6 * (high - low), w) >= most) return -1;
    double left = high - part * (high - low), right = low + part * (high - low);
    double at_left = excess(cell, left, w), at_right = excess(cell, right, w);
    for (int n = 0; n < STEPS && high - low > FINE * high; n++) {
        if (at_left <= 0) return left;
        if (at_right <= 0) return right;
        if (at_left < at_right) {
            high = right, right = left, at_right = at_left;
            left = high - part * (high - low);
            at_left = excess(cell, left, w);
        } else {
            low = left, left = right, at_left = at_right;
            right = low + part * (high - low);
            at_right = excess(cell, right, w);
        }
    }
    return -1;
}

// The fastest of them.
static double fastest_known(const Cell *cell, double w)
{
    double good = fit(cell, w), bad = cell->high;
    if (!(good >= 0 && good < bad)) return good;
    for (int n = 0; n < STEPS && bad - good > FINE * bad; n++) {
        double v = 0.5 * (good + bad);
        if (excess(cell, v, w) <= 0)
            good = v;
        else
            bad = v;
    }
    return good;
}

// Between a speed at the other end that fits and one that does not, the last that does.
static double last_fit(const Cell *cell, double good, double bad)
{
    for (int n = 0; n < STEPS && fabs(bad - good) > FINE * ib_max(bad, good); n++) {
        double w = 0.5 * (good + bad);
        if (fit(cell, w) >= 0)
            good = w;
        else
            bad = w;
    }
    return good;
}

// The fastest speed at the other end that fits, up to `cap`: from about that of full push or full
// brakes up, or down, in growing steps. < 0: there is none.
static double fastest_fit(const Cell *cell, double cap)
{
    ib_ArmRange range = ib__arm_range(cell->arm, cell->limits, &cell->known, cell->high, 1);
    double u = cell->forwards ? range.high : -range.low;
    double w = ib_min(sqrt(cell->high * cell->high + 2 * cell->ds * ib_max(u, 0)), cap);
    double step = 1e-6 * w, good = -1, bad = -1;
    for (int n = 0; n < STEPS && (good < 0 || bad < 0); n++) {
        bool fits = fit(cell, w) >= 0;
        if (fits && w >= cap) return cap;
        if (fits)
            good = w, w = ib_min(w + step, cap);
        else if (w > 0)
            bad = w, w -= step;
        else
            return -1;
        step = ib_min(2 * step, 0.25 * w);
    }
    return good < 0 || bad < 0 ? good : last_fit(cell, good, bad);
}

// -------------------------------------------------------------------------------------------- plan

typedef struct Even {
    const ib_ArmPath *path;
    Cell cell;
    double *low, *high; ///< speeds from which the end can be met
    double *cap;        ///< speeds reachable from the begin
} Even;

static ib_ArmVerdict stuck_at(const Even *even, int point)
{
    const Cell *cell = &even->cell;
    ib_ArmFrame frame;
    ib__arm_frame(cell->arm, cell->limits, &even->path->points[point], &frame);
    ib_ArmNeed need = ib__arm_need(cell->arm, cell->limits, &frame, 0, 0);
    ib_ArmFault fault = need.part > 1 ? IB_ARM_CANNOT_HOLD : IB_ARM_CANNOT_MOVE;
    return (ib_ArmVerdict){fault, point, need.joint, need.part};
}

// Finds the largest speeds from the begin on, and then the speeds from which the end can be
// reached. Returns the point without any, or -1.
static int find_speeds(Even *even)
{
    Cell *cell = &even->cell;
    int last = even->path->count - 1;
    even->cap[0] = 0;
    cell->forwards = true;
    for (int i = 0; i < last; i++) {
        cell_init(even->path, i, cell);
        cell->low = 0, cell->high = even->cap[i];
        even->cap[i + 1] = fastest_fit(cell, INFINITY);
        if (!(even->cap[i + 1] > 0)) return i;
    }
    even->high[last] = even->low[last] = 0;
    cell->forwards = false;
    for (int i = last - 1; i >= 0; i--) {
        cell_init(even->path, i, cell);
        cell->low = even->low[i + 1], cell->high = even->high[i + 1];
        even->high[i] = fastest_fit(cell, even->cap[i]);
        if (!(i ? even->high[i] > 0 : even->high[i] == 0)) return i;
        even->low[i] = fit(cell, 0) >= 0 ? 0 : last_fit(cell, even->high[i], 0);
    }
    return -1;
}

ib_ArmVerdict ib_arm_plan_even(const ib_ArmPlant *arm, const ib_ArmLimits *limits,
                               const ib_ArmPath *path, ib_ArmTiming *timing)
{
    int count = path->count;
    double *v = timing->v, *t = timing->t;
    Even even = {.path = path,
                 .cell = {.arm = arm, .limits = limits},
                 .low = timing->work,
                 .high = timing->work + count,
                 .cap = timing->work + 2 * count};
    IB_ASSERT(count >= 2);
    int stuck = find_speeds(&even);
    if (stuck >= 0) return stuck_at(&even, stuck);
    v[0] = t[0] = 0;
    for (int i = 0; i + 1 < count; i++) {
        cell_init(path, i, &even.cell);
        even.cell.low = even.low[i + 1], even.cell.high = even.high[i + 1];
        v[i + 1] = fastest_known(&even.cell, v[i]);
        if (v[i + 1] < 0) return stuck_at(&even, i);
        t[i + 1] = t[i] + 2 * even.cell.ds / (v[i] + v[i + 1]);
    }
    return (ib_ArmVerdict){0};
}
