#include "control/arm/arm_path.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <math.h>
#include <string.h>

static double dot(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

// -------------------------------------------------------------------------------------- looking up

// Cubic of Hermite over x = 0 .. 1 of a cell of length h.
ib_ArmPoint ib_arm_path_within(const ib_ArmPoint *a, const ib_ArmPoint *b, double part)
{
    double x = part, y = 1 - x, h = b->s - a->s;
    double from = y * y * (1 + 2 * x), to = x * x * (1 + 2 * y);
    double off = h * x * y * y, on = -h * x * x * y;
    ib_ArmPoint at;
    at.s = a->s + h * x;
    for (int i = 0; i < 2; i++) {
        at.th[i] = a->th[i] * from + b->th[i] * to + a->way[i] * off + b->way[i] * on;
        at.way[i] = a->way[i] * from + b->way[i] * to + a->bend[i] * off + b->bend[i] * on;
        at.bend[i] = a->bend[i] * y + b->bend[i] * x;
    }
    return at;
}

// Index of the cell that s is in, or of the nearest. Near the hint a step or two will do; otherwise
// by halves.
static int cell_of(const ib_ArmPath *path, double s, int hint)
{
    const ib_ArmPoint *points = path->points;
    int last = path->count - 1, i = hint;
    bool near = i >= 0 && i < last && s >= points[i].s && (i + 2 > last || s < points[i + 2].s);
    if (near) return i + 1 < last && s >= points[i + 1].s ? i + 1 : i;
    int low = 0, high = last;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (s >= points[middle].s)
            low = middle;
        else
            high = middle;
    }
    return low;
}

ib_ArmPoint ib_arm_path_at(const ib_ArmPath *path, double s, int *hint)
{
    const ib_ArmPoint *points = path->points;
    int last = path->count - 1;
    if (!(s > points[0].s)) return points[0];
    if (s >= points[last].s) return points[last];
    int i = cell_of(path, s, hint ? *hint : -1);
    if (hint) *hint = i;
    return ib_arm_path_within(&points[i], &points[i + 1],
                              (s - points[i].s) / (points[i + 1].s - points[i].s));
}

// ----------------------------------------------------------------------------------- straight line

ib_Status ib_arm_path_straight(const double from[2], const double to[2], int count,
                               ib_ArmPoint *points, ib_Error *error)
{
    double along[2] = {to[0] - from[0], to[1] - from[1]}, length = sqrt(dot(along, along));
    IB_ASSERT(count >= 2);
    if (!(length > 0 && isfinite(length)))
        return ib_error_set(error, IB_BAD_INPUT,
                            "a straight way begins and ends at (%g, %g) rad: expected two places",
                            from[0], from[1]);
    memset(points, 0, (size_t)count * sizeof *points);
    for (int k = 0; k < count; k++) {
        double x = (double)k / (count - 1);
        points[k].s = length * x;
        for (int i = 0; i < 2; i++) {
            points[k].th[i] = from[i] * (1 - x) + to[i] * x;
            points[k].way[i] = along[i] / length;
        }
    }
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- curve

typedef struct Curve {
    ib_ArmCurve *at;
    const void *context;
    bool natural; ///< p is its length
} Curve;

static double curve_speed(const Curve *curve, double p)
{
    ib_ArmCurvePoint at = curve->at(curve->context, p);
    return sqrt(dot(at.th_p, at.th_p));
}

// Length from p = a to b, by Gauss and Legendre's rule of 5 points.
static double curve_length(const Curve *curve, double a, double b)
{
    static const double node[2] = {0.53846931010568309, 0.90617984593866399};
    static const double weight[3] = {0.56888888888888889, 0.47862867049936647, 0.23692688505618909};
    double middle = 0.5 * (a + b), half = 0.5 * (b - a);
    if (curve->natural) return b - a;
    double sum = weight[0] * curve_speed(curve, middle);
    for (int i = 0; i < 2; i++)
        sum += weight[i + 1] * (curve_speed(curve, middle - half * node[i]) +
                                curve_speed(curve, middle + half * node[i]));
    return half * sum;
}

//   th' = th_p/|th_p|,   th" = (th_pp - (th'.th_pp) th')/|th_p|^2
static ib_ArmPoint curve_point(const Curve *curve, double p, double s)
{
    ib_ArmCurvePoint at = curve->at(curve->context, p);
    ib_ArmPoint point = {.s = s, .th = {at.th[0], at.th[1]}};
    double speed = curve->natural ? 1 : sqrt(dot(at.th_p, at.th_p));
    for (int i = 0; i < 2; i++) point.way[i] = at.th_p[i] / speed;
    double along = curve->natural ? 0 : dot(point.way, at.th_pp);
    for (int i = 0; i < 2; i++)
        point.bend[i] = (at.th_pp[i] - along * point.way[i]) / (speed * speed);
    return point;
}

static bool is_finite(const ib_ArmPoint *point)
{
    double sum = point->s;
    for (int i = 0; i < 2; i++) sum += point->th[i] + point->way[i] + point->bend[i];
    return isfinite(sum);
}

// The parameter between p and `end` that is `ds` further than p, by Newton's method. A step of it
// that would leave them, where the speed falls fast, goes half of the way there: beyond its ends a
// curve need not be one.
static double curve_further(const Curve *curve, double p, double end, double ds, double guess)
{
    double next = guess, low = ib_min(p, end), high = ib_max(p, end);
    for (int n = 0; n < 40; n++) {
        double off = curve_length(curve, p, next) - ds, change = off / curve_speed(curve, next);
        if (next - change < low) change = 0.5 * (next - low);
        if (next - change > high) change = 0.5 * (next - high);
        next -= change;
        if (!(fabs(change) > 1e-14 * (fabs(next) + fabs(guess - p)))) break;
    }
    return next;
}

// ----------------------------------------------------------------------------------------- samples

enum { HALVES = 24 }; ///< a cell is divided to 2^-24 at most: a sharper turn is a corner

// A curve on its way into points.
typedef struct Sampling {
    Curve curve;
    double begin, end, sign;    ///< of p; 1: upwards
    ib_ArmWorkspace *workspace; ///< its count: made so far
    int cells, left;            ///< of equal length: that were asked for, that are not begun yet
    double s;                   ///< length so far
    ib_Error *error;
} Sampling;

static ib_Status put_point(Sampling *to, const ib_ArmPoint *point)
{
    if (!is_finite(point))
        return ib_error_set(to->error, IB_BAD_INPUT,
                            "a curve stops at s = %.4g rad, at (%.4g, %.4g) rad: its direction is "
                            "not known there",
                            to->s, point->th[0], point->th[1]);
    to->workspace->points[to->workspace->count++] = *point;
    return IB_OK;
}

// True if a cell of the length ds turns by more than IB_ARM_TURN: between its ends; by the bends of
// its ends; or by its short chord c: a way that turns by x in all has c >= ds cos(x/2).
static bool turns(const ib_ArmPoint *a, const ib_ArmPoint *b, double ds)
{
    double way[2], chord[2], most = IB_ARM_TURN;
    for (int i = 0; i < 2; i++) {
        way[i] = b->way[i] - a->way[i];
        chord[i] = b->th[i] - a->th[i];
    }
    double bend = ib_max(dot(a->bend, a->bend), dot(b->bend, b->bend));
    double least = ds * (1 - most * most / 8);
    return !(dot(way, way) <= most * most && bend * ds * ds <= most * most &&
             dot(chord, chord) >= least * least);
}

// The points within a cell that turns too much: one half-way, and those within both halves.
static ib_Status put_within(Sampling *to, double p0, double p1, const ib_ArmPoint *a,
                            const ib_ArmPoint *b, int halves)
{
    double p = 0.5 * (p0 + p1), ds = to->sign * curve_length(&to->curve, p0, p1);
    if (!turns(a, b, ds)) {
        to->s += ds;
        return IB_OK;
    }
    // The ends of all remaining cells need room.
    if (halves == 0 || to->workspace->count + 1 + to->left >= to->workspace->most)
        return ib_error_set(to->error, IB_BAD_INPUT,
                            "a way turns too sharply at s = %.4g rad, at (%.4g, %.4g) rad, for %d "
                            "points: expected a corner with a larger radius",
                            to->s, a->th[0], a->th[1], to->workspace->most);
    ib_ArmPoint middle = curve_point(&to->curve, p, 0);
    ib_Status status = put_within(to, p0, p, a, &middle, halves - 1);
    middle.s = to->s;
    if (status == IB_OK) status = put_point(to, &middle);
    if (status == IB_OK) status = put_within(to, p, p1, &middle, b, halves - 1);
    return status;
}

// Equal distances, and more points where there is room for them and the way turns. A step of the
// parameter is guessed from the one before.
static ib_Status put_all(Sampling *to, double length)
{
    int last = to->cells;
    double p = to->begin, ds = length / last, step = (to->end - to->begin) / last;
    double shift = 0; // a cell that turned is measured better, and may be longer
    bool refines = to->workspace->most > to->cells + 1;
    ib_ArmPoint point = curve_point(&to->curve, p, 0);
    ib_Status status = put_point(to, &point);
    for (int k = 1; k <= last && status == IB_OK; k++) {
        ib_ArmPoint before = point;
        double even = to->curve.natural ? length * k / last : k * ds, next = to->end;
        if (k < last && to->curve.natural)
            next = to->begin + even;
        else if (k < last)
            next = curve_further(&to->curve, p, to->end, to->sign * ds, p + step);
        to->s = before.s;
        to->left = last - k;
        point = curve_point(&to->curve, next, even + shift);
        if (refines && turns(&before, &point, ds)) {
            status = put_within(to, p, next, &before, &point, HALVES);
            shift = to->s - even;
            point.s = to->s;
        }
        to->s = point.s;
        step = next - p;
        p = next;
        if (status == IB_OK) status = put_point(to, &point);
    }
    return status;
}

static ib_Status sample(const Curve *curve, double begin, double end, ib_ArmWorkspace *workspace,
                        ib_Error *error)
{
    Sampling to = {.curve = *curve,
                   .begin = begin,
                   .end = end,
                   .sign = end > begin ? 1 : -1,
                   .workspace = workspace,
                   .cells = workspace->count - 1,
                   .error = error};
    int cells = to.cells;
    double length = curve->natural ? end - begin : 0, step = (end - begin) / cells;
    IB_ASSERT(workspace->count >= 2 && workspace->count <= workspace->most);
    for (int k = 0; k < cells && !curve->natural; k++)
        length += to.sign * curve_length(curve, begin + k * step, begin + (k + 1) * step);
    workspace->count = 0;
    if (!(length > 0 && isfinite(length)))
        return ib_error_set(error, IB_BAD_INPUT,
                            "a curve has the length %g rad: expected more than nothing", length);
    ib_Status status = put_all(&to, length);
    // A curve that is gone back along has its directions turned round; th" is the same.
    for (int k = 0; k < workspace->count && to.sign < 0; k++)
        for (int i = 0; i < 2; i++) workspace->points[k].way[i] = -workspace->points[k].way[i];
    return status;
}

ib_Status ib_arm_path_fine(ib_ArmCurve *at, const void *context, double begin, double end,
                           ib_ArmWorkspace *workspace, ib_Error *error)
{
    Curve curve = {at, context, false};
    return sample(&curve, begin, end, workspace, error);
}

ib_Status ib_arm_path_natural(ib_ArmCurve *at, const void *context, double length,
                              ib_ArmWorkspace *workspace, ib_Error *error)
{
    Curve curve = {at, context, true};
    return sample(&curve, 0, length, workspace, error);
}

ib_Status ib_arm_path_sampled(ib_ArmCurve *at, const void *context, double begin, double end,
                              int count, ib_ArmPoint *points, ib_Error *error)
{
    ib_ArmWorkspace workspace = {count, count, points};
    return ib_arm_path_fine(at, context, begin, end, &workspace, error);
}

// -------------------------------------------------------------------------------------- resampling

// At smaller distances an error of an angle is a rounding, not a bend [rad].
static const double NEAR = 0.1;

// Between two points, x = 0 .. 1 over the length h:
//   th' the cubic that has the th' and th" of both, th" its derivative, th its integral, and what
//   that is short of the next point, d, by 10 x^3 - 15 x^4 + 6 x^5
// The derivatives of d's part make it the polynomial of degree 5 with all six numbers, which bends
// by 6 e/h^2 for an angle that is rounded by e. Near points therefore go without. Limit: points of
// one smooth way: d = O(h^5).
static ib_ArmCurvePoint between_points(const void *context, double s)
{
    const ib_ArmPath *path = context;
    int k = cell_of(path, s, -1);
    const ib_ArmPoint *a = &path->points[k], *b = a + 1;
    double h = b->s - a->s, x = (s - a->s) / h, y = 1 - x, x2 = x * x, x3 = x2 * x;
    double from = y * y * (1 + 2 * x), to = x2 * (1 + 2 * y), far = h > NEAR ? 1 / h : 0;
    ib_ArmCurvePoint at;
    for (int i = 0; i < 2; i++) {
        double w0 = a->way[i], w1 = b->way[i], m0 = h * a->bend[i], m1 = h * b->bend[i];
        double d = b->th[i] - a->th[i] - h * ((w0 + w1) / 2 + (m0 - m1) / 12);
        at.th[i] = a->th[i] +
                   h * (w0 * x * (1 - x2 + x3 / 2) + w1 * x3 * (1 - x / 2) +
                        m0 * x2 * (6 - 8 * x + 3 * x2) / 12 + m1 * x3 * (3 * x - 4) / 12) +
                   d * x3 * (10 - 15 * x + 6 * x2);
        at.th_p[i] = w0 * from + w1 * to + m0 * x * y * y - m1 * x2 * y + far * d * 30 * x2 * y * y;
        at.th_pp[i] = (6 * (w1 - w0) * x * y + m0 * y * (1 - 3 * x) + m1 * x * (3 * x - 2) +
                       far * d * 60 * x * y * (y - x)) /
                      h;
    }
    return at;
}

bool ib_arm_path_is_fine(const ib_ArmPath *path, double longest)
{
    for (int i = 0; i + 1 < path->count; i++) {
        const ib_ArmPoint *a = &path->points[i];
        double ds = a[1].s - a->s;
        if (ds > longest || turns(a, a + 1, ds)) return false;
    }
    return true;
}

ib_Status ib_arm_path_again(const ib_ArmPath *path, ib_ArmWorkspace *workspace, ib_Error *error)
{
    IB_ASSERT(path->count >= 2);
    return ib_arm_path_fine(between_points, path, path->points[0].s,
                            path->points[path->count - 1].s, workspace, error);
}
