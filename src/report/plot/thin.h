// report/plot/thin.h: fewer points, the same picture.
//
// A screen has about a thousand columns. Of every run of neighbours the first, the last and those
// with the smallest and largest x and y are kept: each peak keeps its place, for any duration.
#ifndef IB_REPORT_PLOT_THIN_H
#define IB_REPORT_PLOT_THIN_H

#include <stdbool.h>

enum { IB_THIN_GAP = -1 }; ///< a pick: the line breaks here

typedef struct ib_ThinData {
    const double *x, *y; ///< `count` points
    int count;
    bool log_x, log_y; ///< only positive values can be drawn
} ib_ThinData;

// Fills `picks` with the indices to draw, in order; IB_THIN_GAP where the line must break because a
// value in between cannot be drawn (report/plot/drawable.h). Returns how many: at most `limit`
// points (>= 8), each with at most one gap; `picks` holds 2 * limit.
int ib_thin(const ib_ThinData *data, int limit, int *picks);

// Drops, in place, picks that lie on the line between kept ones: no dropped point is farther from
// the drawn line than `tolerance`, in the unit of y or, on a logarithmic axis, of ln y. Points
// whose x does not grow all stay. Returns the number left.
int ib_thin_lines(const ib_ThinData *data, double tolerance, int *picks, int count);

// The same for values that are held until the next sample: drops points that do not change them.
int ib_thin_steps(const ib_ThinData *data, double tolerance, int *picks, int count);

#endif
