#include "control/path/curve.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "base/two.h"

#include <math.h>

enum { PANELS = 8, SAMPLES = 32, NEWTON_STEPS = 8, SECTIONS = 40 };

// With d = p1 - p0 - p0' h - p0'' h^2/2 and so on, deviations of the end from the parabola at q =
// 0, the three conditions at q = h give
//   c3 h^3 = 10 d - 4 d' h + d'' h^2/2,  c4 h^4 = -15 d + 7 d' h - d'' h^2,
//   c5 h^5 = 6 d - 3 d' h + d'' h^2/2
static void coefficients(const double from[3], const double to[3], double h, double c[6])
{
    double d0 = to[0] - from[0] - h * (from[1] + 0.5 * h * from[2]);
    double d1 = h * (to[1] - from[1] - h * from[2]), d2 = h * h * (to[2] - from[2]);
    double per = 1 / (h * h * h);
    c[0] = from[0];
    c[1] = from[1];
    c[2] = 0.5 * from[2];
    c[3] = (10 * d0 - 4 * d1 + 0.5 * d2) * per;
    c[4] = (-15 * d0 + 7 * d1 - d2) * per / h;
    c[5] = (6 * d0 - 3 * d1 + 0.5 * d2) * per / (h * h);
}

ib_Curve ib_curve_join(const ib_CurvePoint *from, const ib_CurvePoint *to, double span)
{
    ib_Curve curve = {.span = span};
    const double x0[3] = {from->x, from->dx, from->ddx}, x1[3] = {to->x, to->dx, to->ddx};
    const double y0[3] = {from->y, from->dy, from->ddy}, y1[3] = {to->y, to->dy, to->ddy};
    coefficients(x0, x1, span, curve.x);
    coefficients(y0, y1, span, curve.y);
    return curve;
}

static double value(const double c[6], double q)
{
    return c[0] + q * (c[1] + q * (c[2] + q * (c[3] + q * (c[4] + q * c[5]))));
}

static double slope(const double c[6], double q)
{
    return c[1] + q * (2 * c[2] + q * (3 * c[3] + q * (4 * c[4] + q * 5 * c[5])));
}

static double bend(const double c[6], double q)
{
    return 2 * c[2] + q * (6 * c[3] + q * (12 * c[4] + q * 20 * c[5]));
}

ib_CurvePoint ib_curve_point(const ib_Curve *curve, double q)
{
    const double *x = curve->x, *y = curve->y;
    return (ib_CurvePoint){value(x, q), value(y, q), slope(x, q),
                           slope(y, q), bend(x, q),  bend(y, q)};
}

static double pace(const ib_Curve *curve, double q)
{
    double dx = slope(curve->x, q), dy = slope(curve->y, q);
    return sqrt(dx * dx + dy * dy);
}

double ib_curve_curvature(const ib_CurvePoint *p)
{
    double square = p->dx * p->dx + p->dy * p->dy;
    return (p->dx * p->ddy - p->dy * p->ddx) / (square * sqrt(square));
}

// Gauss's rule with five points in each of eight panels: 1e-12 of a curve without cusps.
double ib_curve_length(const ib_Curve *curve, double q)
{
    static const double at[3] = {0, 0.5384693101056831, 0.9061798459386640};
    static const double weight[3] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
    double half = 0.5 * q / PANELS, sum = 0;
    for (int i = 0; i < PANELS; i++) {
        double middle = (2 * i + 1) * half;
        sum += weight[0] * pace(curve, middle);
        for (int k = 1; k < 3; k++)
            sum += weight[k] *
                   (pace(curve, middle - at[k] * half) + pace(curve, middle + at[k] * half));
    }
    return sum * half;
}

// Newton's method: the way grows with |dp/dq|.
double ib_curve_find(const ib_Curve *curve, double s)
{
    double q = ib_max(0, ib_min(curve->span, s));
    for (int n = 0; n < NEWTON_STEPS; n++) {
        double miss = ib_curve_length(curve, q) - s;
        q = ib_max(0, ib_min(curve->span, q - miss / ib_max(pace(curve, q), 1e-3)));
        if (fabs(miss) < 1e-12) break;
    }
    return q;
}

double ib_curve_turn(const ib_Curve *curve, double q)
{
    double dx = slope(curve->x, 0), dy = slope(curve->y, 0), turned = 0;
    for (int i = 1; i <= SAMPLES; i++) {
        double ex = slope(curve->x, q * i / SAMPLES), ey = slope(curve->y, q * i / SAMPLES);
        turned += ib_atan2(dx * ey - dy * ex, dx * ex + dy * ey);
        dx = ex;
        dy = ey;
    }
    return turned;
}

double ib_curve_pace(const ib_Curve *curve)
{
    double least = INFINITY;
    for (int i = 0; i <= 4 * SAMPLES; i++) {
        double here = pace(curve, curve->span * i / (4 * SAMPLES));
        if (here < least) least = here;
    }
    return least;
}

// Both coordinates of a curve side by side.
typedef struct Course {
    ib__Two c[6];
} Course;

void ib_curve_sample(const ib_Curve *curve, double samples[2 * IB_CURVE_SAMPLES])
{
    double step = curve->span / (IB_CURVE_SAMPLES - 1);
    for (int i = 0; i < IB_CURVE_SAMPLES; i++) {
        samples[2 * i] = value(curve->x, i * step);
        samples[2 * i + 1] = value(curve->y, i * step);
    }
}

// The square of a distance, and of half of it the slope along q and that slope's own:
// g = (p - to) p',  g' = p' p' + (p - to) p''.
static double approach(const Course *course, double q, ib__Two to, double *g, double *slope_of_g)
{
    const ib__Two *c = course->c, at = ib__two(q, q);
    ib__Two d = c[0] + at * (c[1] + at * (c[2] + at * (c[3] + at * (c[4] + at * c[5])))) - to;
    ib__Two v = c[1] + at * (2 * c[2] + at * (3 * c[3] + at * (4 * c[4] + at * 5 * c[5])));
    ib__Two a = 2 * c[2] + at * (6 * c[3] + at * (12 * c[4] + at * 20 * c[5]));
    *g = ib__two_sum(d * v);
    *slope_of_g = ib__two_sum(v * v) + ib__two_sum(d * a);
    return ib__two_sum(d * d);
}

// The nearest of the samples, then Newton's method beside it, or halves where that leaves the
// section between its neighbours. A step of 1e-8 of the span leaves the square of that.
double ib_curve_distance(const ib_Curve *curve, const double samples[2 * IB_CURVE_SAMPLES],
                         double x, double y)
{
    ib__Two to = ib__two(x, y);
    double step = curve->span / (IB_CURVE_SAMPLES - 1), best = INFINITY;
    int nearest = 0;
    for (int i = 0; i < IB_CURVE_SAMPLES; i++) {
        ib__Two d = ((const ib__TwoOf *)samples)[i] - to;
        double square = ib__two_sum(d * d);
        if (square < best) best = square, nearest = i;
    }
    Course course;
    for (int i = 0; i < 6; i++) course.c[i] = ib__two(curve->x[i], curve->y[i]);
    double low = ib_max(0, (nearest - 1) * step), high = ib_min(curve->span, (nearest + 1) * step);
    double q = nearest * step, move = high - low;
    for (int n = 0; n < SECTIONS && fabs(move) > 1e-8 * curve->span; n++) {
        double g, slope_of_g, square = approach(&course, q, to, &g, &slope_of_g), from = q;
        best = ib_min(best, square);
        if (g > 0) high = q;
        if (g < 0) low = q;
        q -= g / slope_of_g;
        if (!(slope_of_g > 0) || q < low || q > high) q = 0.5 * (low + high);
        move = q - from;
    }
    double g, slope_of_g;
    return sqrt(ib_min(best, approach(&course, q, to, &g, &slope_of_g)));
}
