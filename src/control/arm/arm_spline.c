#include "control/arm/arm_shape.h"

#include <math.h>
#include <stdbool.h>

// ------------------------------------------------------------------------------------------ spline

// Cubics between the places, over the length p of the straight lines between them: `pull` is
// d2th/dp2 at the places, between them a straight line.
typedef struct Spline {
    const ib_ArmPlaces *places;
    double p[IB_ARM_PLACES], pull[IB_ARM_PLACES][2];
} Spline;

// With x = (p - p_k)/h and y = 1 - x:
//   th = th_k y + th_k+1 x + h^2/6 ((y^3 - y) pull_k + (x^3 - x) pull_k+1)
static ib_ArmCurvePoint spline_at(const void *context, double p)
{
    const Spline *spline = context;
    int k = 0;
    while (k < spline->places->count - 2 && p >= spline->p[k + 1]) k++;
    double h = spline->p[k + 1] - spline->p[k], x = (p - spline->p[k]) / h, y = 1 - x;
    ib_ArmCurvePoint at;
    for (int i = 0; i < 2; i++) {
        double a = spline->places->th[k][i], b = spline->places->th[k + 1][i];
        double m = spline->pull[k][i], n = spline->pull[k + 1][i];
        at.th[i] = a * y + b * x + h * h / 6 * ((y * y - 1) * y * m + (x * x - 1) * x * n);
        at.th_p[i] = (b - a) / h + h / 6 * ((1 - 3 * y * y) * m + (3 * x * x - 1) * n);
        at.th_pp[i] = y * m + x * n;
    }
    return at;
}

// th_p without a jump at the places is three pulls in a row:
//   h_k-1 m_k-1 + 2 (h_k-1 + h_k) m_k + h_k m_k+1 = 6 (slope_k - slope_k-1)
// At an end with a given direction the slope before (behind) it is that direction and its h is 0.
static void spline_pulls(Spline *spline, const double *begin, const double *end)
{
    int n = spline->places->count;
    for (int i = 0; i < 2; i++) {
        double slope[IB_ARM_PLACES], over[IB_ARM_PLACES], right[IB_ARM_PLACES];
        for (int k = 0; k < n - 1; k++)
            slope[k] = (spline->places->th[k + 1][i] - spline->places->th[k][i]) /
                       (spline->p[k + 1] - spline->p[k]);
        for (int k = 0; k < n; k++) {
            double before = k > 0 ? spline->p[k] - spline->p[k - 1] : 0;
            double behind = k < n - 1 ? spline->p[k + 1] - spline->p[k] : 0;
            const double *given = k == 0 ? begin : k == n - 1 ? end : NULL;
            double diagonal = 2 * (before + behind), value = 0;
            if (k > 0 && k < n - 1)
                value = 6 * (slope[k] - slope[k - 1]);
            else if (given)
                value = k == 0 ? 6 * (slope[0] - given[i]) : 6 * (given[i] - slope[n - 2]);
            else
                diagonal = 1, before = behind = 0; // not bent
            double pivot = diagonal - before * (k > 0 ? over[k - 1] : 0);
            over[k] = behind / pivot;
            right[k] = (value - before * (k > 0 ? right[k - 1] : 0)) / pivot;
        }
        spline->pull[n - 1][i] = right[n - 1];
        for (int k = n - 2; k >= 0; k--)
            spline->pull[k][i] = right[k] - over[k] * spline->pull[k + 1][i];
    }
}

// The place nearest to where the points ended: its corner is the one that was too sharp.
static ib_Status refuse_corner(const ib_ArmPlaces *places, const ib_ArmWorkspace *workspace,
                               ib_Error *error)
{
    const double *at = workspace->points[workspace->count - 1].th;
    double least = INFINITY;
    int nearest = 0;
    for (int k = 0; k < places->count; k++) {
        double x = places->th[k][0] - at[0], y = places->th[k][1] - at[1];
        if (!(x * x + y * y < least)) continue;
        least = x * x + y * y;
        nearest = k;
    }
    return ib_error_set(error, IB_BAD_INPUT,
                        "place %d of a way is a corner that a spline does not round: at "
                        "(%.4g, %.4g) rad, s = %.4g rad, it turns on the spot; expected places "
                        "that do not lead back on each other, or 'round'",
                        nearest + 1, at[0], at[1], workspace->points[workspace->count - 1].s);
}

ib_Status ib_arm_shape_spline_fine(const ib_ArmPlaces *places, const double *begin,
                                   const double *end, ib_ArmWorkspace *workspace, ib_Error *error)
{
    Spline spline = {.places = places};
    int n = places->count;
    IB_ASSERT(n >= 2 && n <= IB_ARM_PLACES);
    for (int k = 1; k < n; k++) {
        const double *a = places->th[k - 1], *b = places->th[k];
        double x = b[0] - a[0], y = b[1] - a[1], length = sqrt(x * x + y * y);
        if (!(length > 0 && isfinite(length)))
            return ib_error_set(error, IB_BAD_INPUT,
                                "places %d and %d of a way are both at (%g, %g) rad: expected "
                                "places apart; leave one out",
                                k, k + 1, a[0], a[1]);
        spline.p[k] = spline.p[k - 1] + length;
    }
    spline_pulls(&spline, begin, end);
    ib_Status status = ib_arm_path_fine(spline_at, &spline, 0, spline.p[n - 1], workspace, error);
    return status == IB_OK || workspace->count == 0 ? status
                                                    : refuse_corner(places, workspace, error);
}

ib_Status ib_arm_shape_spline(const ib_ArmPlaces *places, const double *begin, const double *end,
                              int count, ib_ArmPoint *points, ib_Error *error)
{
    ib_ArmWorkspace workspace = {count, count, points};
    return ib_arm_shape_spline_fine(places, begin, end, &workspace, error);
}

// -------------------------------------------------------------------------------------------- join

typedef struct Join {
    double c[2][6]; ///< th_i = sum of c[i][k] p^k
} Join;

static ib_ArmCurvePoint join_at(const void *context, double p)
{
    const Join *join = context;
    ib_ArmCurvePoint at;
    for (int i = 0; i < 2; i++) {
        const double *c = join->c[i];
        at.th[i] = ((((c[5] * p + c[4]) * p + c[3]) * p + c[2]) * p + c[1]) * p + c[0];
        at.th_p[i] = (((5 * c[5] * p + 4 * c[4]) * p + 3 * c[3]) * p + 2 * c[2]) * p + c[1];
        at.th_pp[i] = ((20 * c[5] * p + 12 * c[4]) * p + 6 * c[3]) * p + 2 * c[2];
    }
    return at;
}

ib_Status ib_arm_shape_join(const ib_ArmPose *from, const ib_ArmPose *to, int count,
                            ib_ArmPoint *points, ib_Error *error)
{
    double chord[2] = {to->th[0] - from->th[0], to->th[1] - from->th[1]};
    double length = sqrt(chord[0] * chord[0] + chord[1] * chord[1]);
    if (!(length > 0 && isfinite(length)))
        return ib_error_set(error, IB_BAD_INPUT,
                            "a way begins and ends at (%g, %g) rad: expected two places",
                            from->th[0], from->th[1]);
    // p from 0 to 1 at about `length` a unit; rates at both ends:
    //   th_p = way length,   th_pp = bend length^2
    Join join;
    bool leaves = from->way[0] != 0 || from->way[1] != 0;
    bool arrives = to->way[0] != 0 || to->way[1] != 0;
    for (int i = 0; i < 2; i++) {
        double a1 = leaves ? from->way[i] * length : chord[i];
        double b1 = arrives ? to->way[i] * length : chord[i];
        double a2 = from->bend[i] * length * length, b2 = to->bend[i] * length * length;
        // The part of the other three beside the cubic to p^2: place, slope and its slope at p = 1.
        double d = chord[i] - a1 - 0.5 * a2, d1 = b1 - a1 - a2, d2 = b2 - a2;
        double *c = join.c[i];
        c[0] = from->th[i], c[1] = a1, c[2] = 0.5 * a2;
        c[3] = 10 * d - 4 * d1 + 0.5 * d2;
        c[4] = -15 * d + 7 * d1 - d2;
        c[5] = 6 * d - 3 * d1 + 0.5 * d2;
    }
    return ib_arm_path_sampled(join_at, &join, 0, 1, count, points, error);
}
