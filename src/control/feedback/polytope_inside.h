// control/feedback/polytope_inside.h: half-spaces as unit rows. Internal to the polytope files.
#ifndef IB_CONTROL_FEEDBACK_POLYTOPE_INSIDE_H
#define IB_CONTROL_FEEDBACK_POLYTOPE_INSIDE_H

#include "base/extreme.h"
#include "control/feedback/polytope.h"

#include <math.h>

// Relative rounding of the numbers of a region of this size: a segment through the origin has sides
// at distance 0, but its ends have only so many digits.
#define IB__POLYTOPE_ROUNDING 1e-15

// The row and its right side, divided by the row's length, so that u q - value is a distance. The
// largest element goes first: squares neither overflow nor vanish. Returns false for a zero row.
static inline bool ib__polytope_unit(int n, const double *row, double right, double *u,
                                     double *value)
{
    double largest = 0.0, square = 0.0;
    for (int i = 0; i < n; i++) largest = ib_max(largest, fabs(row[i]));
    if (largest == 0.0) return false;
    for (int i = 0; i < n; i++) {
        u[i] = row[i] / largest;
        square += u[i] * u[i];
    }
    double length = sqrt(square);
    for (int i = 0; i < n; i++) u[i] /= length;
    *value = right / largest / length;
    return true;
}

static inline bool ib__polytope_finite(int n, const double *values)
{
    // x - x is NaN for a NaN and for an infinity, and 0 for all others.
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += values[i] - values[i];
    return sum == 0.0;
}

// Checks row i of the region. IB_POLYTOPE_OK: it is a limit, u q <= value; IB_POLYTOPE_OFF_LINE: no
// limit; else its mistake.
static inline ib_PolytopeOutcome ib__polytope_side(int n, const double *row, double right,
                                                   double *u, double *value)
{
    if (!ib__polytope_finite(n, row) || isnan(right)) return IB_POLYTOPE_NOT_FINITE;
    if (!ib__polytope_unit(n, row, right, u, value))
        return right < 0.0 ? IB_POLYTOPE_EMPTY : IB_POLYTOPE_OFF_LINE;
    if (*value == INFINITY) return IB_POLYTOPE_OFF_LINE;
    return *value == -INFINITY ? IB_POLYTOPE_EMPTY : IB_POLYTOPE_OK;
}

#endif
