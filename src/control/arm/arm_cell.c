#include "control/arm/arm_cell.h"

#include "base/extreme.h"

#include <math.h>

// Within a cell voltages and accelerations are no straight lines: beside the ends the middle is
// looked at, and may go beyond a limit by this part of it.
static const double WITHIN = 4e-5;

// A sum of rates is as good as another if it differs by less than this part of it.
static const double CLOSE = 1e-10;

enum { STEPS = 60, SLACKS = 8, SCAN = 64, TRIALS = 24 };

static ib_ArmRange range_at(const ib_ArmRules *scene, const ib_ArmFrame *frame, double v)
{
    return ib__arm_range(scene->arm, scene->limits, frame, v, 1);
}

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static double mix(double a, double b, double part)
{
    return a + (b - a) * part;
}

// ------------------------------------------------------------------------------------ time and sum

// Solves ds = m T + spread T^2/12 with m = (v0 + v1)/2, spread = u0 - u1.
static double cell_time(double ds, double m, double spread)
{
    return 2 * ds / (m + sqrt(ib_max(m * m + ds * spread / 3, 0)));
}

// u0 + u1 = 2 (v1 - v0)/T
static double sum_of_rates(double ds, double v0, double v1, double spread)
{
    double m = 0.5 * (v0 + v1);
    return (v1 - v0) * (m + sqrt(ib_max(m * m + ds * spread / 3, 0))) / ds;
}

// Rates that go from v0 to v1, as equal as their ranges let them be, but both a little away from
// the ends of their ranges; `even`: both as far from there as can be, for a limit that is nearer in
// the middle. Returns by how much their sum would have to be other: > 0, it must brake more than it
// can; < 0, speed up more.
static double choose_rates(double ds, double v0, double v1, ib_ArmRange begin, ib_ArmRange end,
                           bool even, ib_ArmMove *move)
{
    double u0 = 0, u1 = 0, spread = 0, sum = 0;
    double away = even ? INFINITY : 0.02 * ib_min(begin.high - begin.low, end.high - end.low);
    for (int n = 0; n < STEPS; n++) {
        sum = sum_of_rates(ds, v0, v1, spread);
        double above = sum - begin.low - end.low, below = begin.high + end.high - sum;
        double off = ib_max(ib_min(0.5 * ib_min(above, below), away), 0);
        double off0 = ib_min(off, 0.5 * (begin.high - begin.low));
        double off1 = ib_min(off, 0.5 * (end.high - end.low));
        u0 = clamp(0.5 * sum, begin.low + off0, begin.high - off0);
        u1 = clamp(sum - u0, end.low + off1, end.high - off1);
        u0 = clamp(sum - u1, begin.low, begin.high);
        double change = (u0 - u1) - spread;
        spread += change;
        if (fabs(change) <= 1e-13 * (fabs(u0) + fabs(u1))) break;
    }
    move->v1 = v1, move->u0 = u0, move->u1 = u1;
    move->T = cell_time(ds, 0.5 * (v0 + v1), spread);
    // A cell that would be gone back into has no time.
    double m = 0.5 * (v0 + v1);
    if (m * m + ds * spread / 3 < 0) return INFINITY;
    double missing = (u0 + u1) - sum;
    // The rounding error of v in the sum counts in a short cell.
    double rounding = CLOSE * (fabs(u0) + fabs(u1)) + 4e-15 * m * m / ds;
    return fabs(missing) <= rounding ? 0 : missing;
}

// A cell entered at v0, with the ranges of the limits at both ends.
typedef struct Inside {
    const ib_ArmCell *cell;
    double v0;
    ib_ArmRange begin, end;
    bool bent; ///< a limit that matters is no straight line over the cell, and nearer within it
} Inside;

// Distance of u from its allowed range at `part` of the time: > 0 outside; infinite: no range at
// this speed, or a speed backwards.
//   u = u0 + (u1 - u0) x,   v = v0 + T x (u0 + (u1 - u0) x/2),   s likewise
static double leak_at(Inside *inside, const ib_ArmMove *move, double part)
{
    const ib_ArmCell *cell = inside->cell;
    const ib_ArmRules *scene = cell->scene;
    double T = move->T * part, rise = (move->u1 - move->u0) * part, u = move->u0 + rise;
    double v = inside->v0 + T * (move->u0 + rise / 2);
    double s = T * (inside->v0 + T * (move->u0 / 2 + rise / 6));
    ib_ArmPoint point = ib_arm_path_within(cell->a, cell->b, clamp(s / cell->ds, 0, 1));
    ib_ArmFrame frame;
    ib__arm_frame(scene->arm, scene->limits, &point, &frame);
    ib_ArmRange range = ib__arm_range(scene->arm, scene->limits, &frame, v, 1 + WITHIN);
    double wide = range.high - range.low;
    bool fast = v > 0.9 * frame.fastest, pushed = u > range.high - 0.3 * wide,
         braked = u < range.low + 0.3 * wide;
    // A limit that falls below the line between both ends is nearer there than at the ends.
    ib_ArmRange line = {mix(inside->begin.low, inside->end.low, part),
                        mix(inside->begin.high, inside->end.high, part)};
    double near = 0.25 * WITHIN * wide;
    if ((pushed && range.high < line.high + near) || (braked && range.low > line.low - near) ||
        (fast && frame.fastest < mix(cell->begin->fastest, cell->end->fastest, s / cell->ds) -
                                     0.5 * WITHIN * v))
        inside->bent = true;
    if (wide < 0 || v < 0 || v > frame.fastest * (1 + WITHIN)) return -INFINITY;
    return u > range.high ? u - range.high : u < range.low ? u - range.low : 0;
}

// The largest over the cell: at three instants, and at more where a limit is bent, or the rate
// changes much, as it may where a joint hardly feels u.
static double leak(Inside *inside, const ib_ArmMove *move)
{
    static const double FEW[3] = {0.2, 0.5, 0.8};
    double wide =
        ib_min(inside->begin.high - inside->begin.low, inside->end.high - inside->end.low);
    double most = 0;
    inside->bent = false;
    for (int i = 0; i < 3 && fabs(most) < INFINITY; i++) {
        double out = leak_at(inside, move, FEW[i]);
        if (fabs(out) > fabs(most)) most = out;
    }
    bool rough = fabs(move->u1 - move->u0) > 0.05 * wide;
    int parts = rough ? 20 : inside->bent ? 11 : 0;
    for (int i = 1; i < parts && fabs(most) < INFINITY; i++) {
        double out = leak_at(inside, move, (double)i / parts);
        if (fabs(out) > fabs(most)) most = out;
    }
    return most;
}

// ------------------------------------------------------------------------------------------- roots

// The reserve of the brakes, entered at v0 and left at v1 (`rest` = least u1); of the push, entered
// at v0 (`rest` = most u0) and left at v1. Both fall with the square of the wanted speed, by about
// 1/ds. LATE: of the push, with its rate at the end all the way.
typedef enum Side { BRAKE, PUSH, LATE } Side;
typedef struct Balance {
    const ib_ArmCell *cell;
    Side side;
    double v, rest; ///< speed at the end that is known, and the rate there
    double slack;
} Balance;

static double balance_at(const Balance *balance, double z)
{
    const ib_ArmCell *cell = balance->cell;
    double v = sqrt(z), known = balance->v, rest = balance->rest;
    if (balance->side == BRAKE) {
        double low = range_at(cell->scene, cell->begin, v).low;
        return sum_of_rates(cell->ds, v, known, low - rest) - low - rest - balance->slack;
    }
    double high = range_at(cell->scene, cell->end, v).high;
    if (balance->side == LATE) return 2 * high - sum_of_rates(cell->ds, known, v, 0);
    return rest + high - balance->slack - sum_of_rates(cell->ds, known, v, rest - high);
}

// The root of the balance: Newton's method with the slope of the two latest points, kept between
// the nearest points of either sign. < 0: it is below 0 from rest on.
static double balance_root(const Balance *balance, double guess)
{
    double ds = balance->cell->ds, low = -1, high = INFINITY, slope = 1 / ds;
    double z = ib_max(guess, 0), before = 0, there = 0;
    for (int n = 0; n < STEPS; n++) {
        double left = balance_at(balance, z);
        if (!(fabs(left) * ds > 1e-14 * (z + ds * fabs(balance->rest)))) return z;
        if (left > 0)
            low = z;
        else if (z <= 0)
            return -1;
        else
            high = z;
        double secant = n > 0 ? (there - left) / (z - before) : slope;
        if (secant > 0.1 / ds && secant < 1e4 / ds) slope = secant;
        before = z, there = left;
        z += left / slope;
        if (z <= 0 && low < 0)
            z = 0;
        else if (!(z > low && z < high))
            z = high < INFINITY ? 0.5 * (ib_max(low, 0) + high) : 2 * low;
        if (z == before || (high < INFINITY && high - low <= 1e-15 * high)) break;
    }
    return ib_max(low, 0);
}

double ib__arm_cell_push(const ib_ArmCell *cell, double v0)
{
    double rest = range_at(cell->scene, cell->begin, v0).high;
    Balance balance = {cell, PUSH, v0, rest, 0};
    double z = balance_root(&balance, v0 * v0 + 2 * cell->ds * rest);
    // A joint that hardly feels u brakes excess speed at once; a lower speed would then suffice.
    if (rest < 0) {
        Balance late = {cell, LATE, v0, rest, 0};
        z = ib_max(z, balance_root(&late, v0 * v0));
    }
    return z < 0 ? -1 : sqrt(z);
}

double ib__arm_cell_brake(const ib_ArmCell *cell, double v1, double slack)
{
    double rest = range_at(cell->scene, cell->end, v1).low;
    Balance balance = {cell, BRAKE, v1, rest, slack};
    double z = balance_root(&balance, v1 * v1 - 2 * cell->ds * rest);
    return z < 0 ? -1 : sqrt(z);
}

// The balance of the push, with v0 unknown: it grows with v0, so halves are good enough.
double ib__arm_cell_climb(const ib_ArmCell *cell, double v1)
{
    double high1 = range_at(cell->scene, cell->end, v1).high, low = 0;
    double high = sqrt(v1 * v1 + 4 * cell->ds * fabs(high1)) + 1e-6;
    for (int n = 0; n < STEPS; n++) {
        double v0 = n == 0 ? 0 : 0.5 * (low + high);
        double high0 = range_at(cell->scene, cell->begin, v0).high;
        double sum = sum_of_rates(cell->ds, v0, v1, high0 - high1), most = high0 + high1;
        if (sum > most + 1e-9 * (fabs(high0) + fabs(high1)))
            low = v0;
        else if (n == 0)
            return 0;
        else
            high = v0;
    }
    return high;
}

// Width of the range between its ends at v; < 0: empty.
static double gap_at(const ib_ArmRules *scene, const ib_ArmFrame *frame, double v)
{
    ib_ArmRange range = range_at(scene, frame, v);
    return range.high - range.low;
}

double ib__arm_fastest_below(const ib_ArmRules *scene, const ib_ArmFrame *frame, double v)
{
    double high = ib_min(v, frame->fastest), none = gap_at(scene, frame, high);
    if (none >= 0) return high;
    // Near by first, in growing steps, then over all speeds in equal ones.
    double low = high, some = none, step = 1e-3 * high;
    for (int n = 0; n < SCAN && some < 0 && low > 0; n++) {
        high = low, none = some;
        low = ib_max(high - step, 0);
        some = gap_at(scene, frame, low);
        if (step < v / 32) step *= 2;
    }
    if (some < 0) return -1;
    // False position; where the same end moves twice, the other one counts half. [Illinois method]
    int moved = 0;
    for (int n = 0; n < STEPS && high - low > 1e-12 * high; n++) {
        double middle = low + (high - low) * some / (some - none);
        double gap = gap_at(scene, frame, middle);
        if (gap >= 0) {
            double step_up = middle - low;
            low = middle, some = gap;
            if (moved > 0) none *= 0.5;
            moved = 1;
            if (step_up <= 1e-11 * high) break;
        } else {
            high = middle, none = gap;
            if (moved < 0) some *= 0.5;
            moved = -1;
        }
    }
    return low;
}

// ----------------------------------------------------------------------------------------- passage

// Leaves at v1; the middle is checked.
static ib_ArmPassage leave_at(const ib_ArmCell *cell, double v0, double v1, ib_ArmRange begin,
                              ib_ArmRange end, ib_ArmMove *move)
{
    Inside inside = {cell, v0, begin, end, false};
    double out = 0;
    for (int even = 0; even < 2; even++) {
        double missing = choose_rates(cell->ds, v0, v1, begin, end, even, move);
        move->slack = fabs(missing);
        if (missing > 0) return IB_ARM_TOO_FAST;
        if (missing < 0) return IB_ARM_TOO_SLOW;
        out = leak(&inside, move);
        if (out == 0) return IB_ARM_PASSED;
    }
    move->slack = 2 * fabs(out);
    return out > 0 ? IB_ARM_TOO_SLOW : IB_ARM_LEAKS; // TOO_SLOW: with less push it would pass
}

// Range of the limits at the end of a cell at v1; false: empty.
static bool exit_range(const ib_ArmCell *cell, double v1, ib_ArmRange *range)
{
    *range = range_at(cell->scene, cell->end, v1);
    return range->low <= range->high && v1 <= cell->end->fastest;
}

// Leaves as fast as possible, with the middle within the limits: less push at a violation.
static ib_ArmPassage leave_fastest(const ib_ArmCell *cell, double v0, ib_ArmRange begin,
                                   ib_ArmSpeeds end, ib_ArmMove *move)
{
    ib_ArmPassage passage = IB_ARM_TOO_SLOW;
    double slack = 0;
    for (int n = 0; n < SLACKS; n++) {
        Balance balance = {cell, PUSH, v0, begin.high, slack};
        double z = balance_root(&balance, v0 * v0 + 2 * cell->ds * begin.high);
        double v1 = ib_min(sqrt(ib_max(z, 0)), end.high);
        ib_ArmRange there;
        if (z < 0 || v1 < end.low) return IB_ARM_TOO_SLOW;
        if (!exit_range(cell, v1, &there)) return IB_ARM_OUTSIDE;
        passage = leave_at(cell, v0, v1, begin, there, move);
        if (passage != IB_ARM_TOO_SLOW) return passage;
        slack += 1.02 * move->slack + 1e-12 * (fabs(begin.high) + fabs(there.high));
    }
    return passage;
}

// Leaves by trial, from fast to slow, but not below `least`; then by bisection between the
// last two.
static ib_ArmPassage leave_somehow(const ib_ArmCell *cell, double v0, ib_ArmRange begin,
                                   double least, double most, ib_ArmMove *move)
{
    double step = (most - least) / TRIALS, bad = most, good = -1;
    for (int n = 0; n < 2 * TRIALS && (good < 0 ? n < TRIALS : bad - good > 1e-3 * step); n++) {
        double v1 = good < 0 ? bad - step : 0.5 * (bad + good);
        ib_ArmRange there;
        ib_ArmMove tried;
        bool inside = exit_range(cell, v1, &there);
        if (inside && leave_at(cell, v0, v1, begin, there, &tried) == IB_ARM_PASSED)
            *move = tried, good = v1;
        else
            bad = v1;
    }
    return good < 0 ? IB_ARM_LEAKS : IB_ARM_PASSED;
}

ib_ArmPassage ib__arm_cell_pass(const ib_ArmCell *cell, double v0, ib_ArmSpeeds end,
                                ib_ArmPatience patience, ib_ArmMove *move)
{
    ib_ArmRange begin = range_at(cell->scene, cell->begin, v0), there;
    *move = (ib_ArmMove){0};
    if (begin.low > begin.high || v0 > cell->begin->fastest) return IB_ARM_OUTSIDE;
    // The fastest feasible exit, if it reaches the end.
    ib_ArmPassage passage = IB_ARM_OUTSIDE;
    if (!(end.high < INFINITY))
        passage = IB_ARM_TOO_SLOW;
    else if (exit_range(cell, end.high, &there))
        passage = leave_at(cell, v0, end.high, begin, there, move);
    if (passage == IB_ARM_TOO_SLOW) passage = leave_fastest(cell, v0, begin, end, move);
    if (passage == IB_ARM_PASSED || passage == IB_ARM_TOO_FAST || patience == IB_ARM_HASTY)
        return passage;
    double slack = move->slack, push = sqrt(v0 * v0 + 2 * cell->ds * ib_max(begin.high, 0) + 1e-12);
    double most = ib_min(end.high, 1.5 * push);
    double least = ib_max(end.low, patience == IB_ARM_STEADY ? 0.9 * v0 : 0);
    if (least < most && leave_somehow(cell, v0, begin, least, most, move) == IB_ARM_PASSED)
        return IB_ARM_PASSED;
    move->slack = slack;
    return passage;
}
