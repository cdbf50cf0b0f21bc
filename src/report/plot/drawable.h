// report/plot/drawable.h: which numbers a picture shows. Internal to src/report.
//
// No quantity of a robot is larger than 1e100 in any unit, but a file may say 1e308. Spans, squares
// and products of drawn values must stay finite, or an axis has no end and a bin no width. Larger
// values are therefore left out, like NaN; so are values near 0 on logarithmic axes.
#ifndef IB_REPORT_PLOT_DRAWABLE_H
#define IB_REPORT_PLOT_DRAWABLE_H

#include <math.h>
#include <stdbool.h>

#define IB_DRAWN_MOST  1e100  ///< the largest size of a number in a picture
#define IB_DRAWN_LEAST 1e-100 ///< the smallest distinct from 0

static inline bool ib__drawable(double value)
{
    return fabs(value) <= IB_DRAWN_MOST; // false for NaN
}

// True for a drawable point of a picture; one axis may be logarithmic.
static inline bool ib__drawable_point(double x, double y, bool log_x, bool log_y)
{
    return ib__drawable(x) && ib__drawable(y) && (!log_x || x >= IB_DRAWN_LEAST) &&
           (!log_y || y >= IB_DRAWN_LEAST);
}

#endif
