#include "control/arm/arm_path.h"

#include "base/maths.h"

#include <math.h>
#include <stdbool.h>
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

ib_ArmPoint ib_arm_path_at(const ib_ArmPath *path, double s, int *hint)
{
    const ib_ArmPoint *points = path->points;
    int last = path->count - 1, i = hint ? *hint : -1;
    if (!(s > points[0].s)) return points[0];
    if (s >= points[last].s) return points[last];
    // Near the hint a step or two will do; otherwise by halves.
    bool near = i >= 0 && i < last && s >= points[i].s && (i + 2 > last || s < points[i + 2].s);
    if (near) {
        if (s >= points[i + 1].s) i++;
    } else {
        int low = 0, high = last;
        while (high - low > 1) {
            int middle = low + (high - low) / 2;
            if (s >= points[middle].s)
                low = middle;
            else
                high = middle;
        }
        i = low;
    }
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
    double speed = sqrt(dot(at.th_p, at.th_p));
    ib_ArmPoint point = {.s = s};
    for (int i = 0; i < 2; i++) point.th[i] = at.th[i], point.way[i] = at.th_p[i] / speed;
    double along = dot(point.way, at.th_pp);
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

// The parameter that is `ds` further than p, by Newton's method.
static double curve_further(const Curve *curve, double p, double ds, double guess)
{
    double next = guess;
    for (int n = 0; n < 20; n++) {
        double off = curve_length(curve, p, next) - ds, change = off / curve_speed(curve, next);
        next -= change;
        if (!(fabs(change) > 1e-14 * (fabs(next) + fabs(guess - p)))) break;
    }
    return next;
}

ib_Status ib_arm_path_sampled(ib_ArmCurve *at, const void *context, double begin, double end,
                              int count, ib_ArmPoint *points, ib_Error *error)
{
    Curve curve = {at, context};
    double length = 0, step = (end - begin) / (count - 1), sign = end > begin ? 1 : -1;
    IB_ASSERT(count >= 2);
    for (int k = 0; k < count - 1; k++)
        length += sign * curve_length(&curve, begin + k * step, begin + (k + 1) * step);
    if (!(length > 0 && isfinite(length)))
        return ib_error_set(error, IB_BAD_INPUT,
                            "a curve has the length %g rad: expected more than nothing", length);
    // Equal distances; a step of the parameter is guessed from the one before.
    double p = begin, ds = length / (count - 1), last = step;
    for (int k = 0; k < count; k++) {
        if (k == count - 1) p = end;
        points[k] = curve_point(&curve, p, k * ds);
        if (!is_finite(&points[k]))
            return ib_error_set(error, IB_BAD_INPUT,
                                "a curve stops at point %d of %d, at (%g, %g) rad: its direction "
                                "is not known there",
                                k + 1, count, points[k].th[0], points[k].th[1]);
        if (k >= count - 2) continue;
        double next = curve_further(&curve, p, sign * ds, p + last);
        last = next - p;
        p = next;
    }
    // A curve that is gone back along has its directions turned round; th" is the same.
    for (int k = 0; k < count && sign < 0; k++)
        for (int i = 0; i < 2; i++) points[k].way[i] = -points[k].way[i];
    return IB_OK;
}

// -------------------------------------------------------------------------------------------- rows

static ib_ArmRowVerdict fault(ib_ArmRowFault what, int row, int joint, double got, double expected)
{
    return (ib_ArmRowVerdict){what, row, joint, got, expected};
}

// What one row alone must be.
static ib_ArmRowVerdict check_row(const ib_ArmRow *row, int at, double tolerance)
{
    for (int i = 0; i < 2; i++) {
        const double number[3] = {row->theta[i], row->omega[i], row->alpha[i]};
        for (int k = 0; k < 3; k++)
            if (!isfinite(number[k])) return fault(IB_ARM_ROW_NUMBER, at, i, number[k], 0);
    }
    double length = sqrt(dot(row->omega, row->omega));
    int larger = fabs(row->omega[1]) > fabs(row->omega[0]);
    if (!(fabs(length - 1) <= tolerance)) return fault(IB_ARM_ROW_LENGTH, at, larger, length, 1);
    double along = dot(row->omega, row->alpha), bend = sqrt(dot(row->alpha, row->alpha));
    larger = fabs(row->alpha[1]) > fabs(row->alpha[0]);
    if (!(fabs(along) <= tolerance * (1 + bend)))
        return fault(IB_ARM_ROW_SLANTED, at, larger, along, 0);
    return fault(IB_ARM_ROWS_FINE, at, 0, 0, 0);
}

// Length of the way between two rows: of a circle that has their chord c and turn x,
//   ds = c x/sin x,   sin x = |th'_1 - th'_0|/2
static double row_distance(const ib_ArmRow *a, const ib_ArmRow *b)
{
    double chord[2], turn[2];
    for (int i = 0; i < 2; i++) {
        chord[i] = b->theta[i] - a->theta[i];
        turn[i] = 0.5 * (b->omega[i] - a->omega[i]);
    }
    double c = sqrt(dot(chord, chord)), sine = fmin(sqrt(dot(turn, turn)), 1);
    if (sine < 1e-4) return c * (1 + sine * sine / 6);
    return c * ib_atan2(sine, sqrt(1 - sine * sine)) / sine;
}

// What a row must be behind the one before it, `ds` further:
//   th_1 - th_0 = ds (th'_0 + th'_1)/2 + ds^2 (th"_0 - th"_1)/12 + O(ds^5)
//   th'_1 - th'_0 = ds th" for a th" from one row's to the other's
static ib_ArmRowVerdict check_step(const ib_ArmRow *a, const ib_ArmRow *b, int at, double ds,
                                   double tolerance)
{
    if (!(ds > 0)) return fault(IB_ARM_ROW_STANDS, at, 0, b->theta[0], a->theta[0]);
    double worst = tolerance * ds;
    ib_ArmRowVerdict verdict = fault(IB_ARM_ROWS_FINE, at, 0, 0, 0);
    for (int i = 0; i < 2; i++) {
        double jump = fabs(b->alpha[i] - a->alpha[i]);
        double plain = a->theta[i] + 0.5 * ds * (a->omega[i] + b->omega[i]);
        double expected = plain + ds * ds * (a->alpha[i] - b->alpha[i]) / 12;
        // Where th" jumps, it may do so anywhere in the step.
        double off = fabs(b->theta[i] - expected) - ds * ds * jump / 6;
        if (off <= worst) continue;
        worst = off;
        verdict = fault(IB_ARM_ROW_ANGLE, at, i, b->theta[i], expected);
    }
    if (verdict.fault != IB_ARM_ROWS_FINE) return verdict;
    for (int i = 0; i < 2; i++) {
        double low = a->omega[i] + ds * fmin(a->alpha[i], b->alpha[i]);
        double high = a->omega[i] + ds * fmax(a->alpha[i], b->alpha[i]);
        double expected = fmin(fmax(b->omega[i], low), high);
        if (!(fabs(b->omega[i] - expected) <= tolerance))
            return fault(IB_ARM_ROW_DIRECTION, at, i, b->omega[i], expected);
    }
    return fault(IB_ARM_ROWS_FINE, at, 0, 0, 0);
}

ib_ArmRowVerdict ib_arm_path_rows(const ib_ArmRow *rows, int count, double tolerance,
                                  ib_ArmPoint *points)
{
    double s = 0;
    if (count < 2) return fault(IB_ARM_ROWS_FEW, 0, 0, count, 2);
    for (int k = 0; k < count; k++) {
        const ib_ArmRow *row = &rows[k];
        ib_ArmRowVerdict verdict = check_row(row, k, tolerance);
        if (verdict.fault != IB_ARM_ROWS_FINE) return verdict;
        if (k > 0) {
            double ds = row_distance(row - 1, row);
            verdict = check_step(row - 1, row, k, ds, tolerance);
            if (verdict.fault != IB_ARM_ROWS_FINE) return verdict;
            s += ds;
        }
        points[k].s = s;
        for (int i = 0; i < 2; i++) {
            points[k].th[i] = row->theta[i];
            points[k].way[i] = row->omega[i];
            points[k].bend[i] = row->alpha[i];
        }
    }
    return fault(IB_ARM_ROWS_FINE, 0, 0, 0, 0);
}
