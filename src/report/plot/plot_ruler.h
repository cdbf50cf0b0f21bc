// report/plot/plot_ruler.h: an axis of a heat map on the picture: the borders of its cells and its
// ticks, in pixels. Internal to src/report.
#ifndef IB_REPORT_PLOT_PLOT_RULER_H
#define IB_REPORT_PLOT_PLOT_RULER_H

#include "report/plot/plot_script.h"

typedef struct ib_Ruler {
    const ib_PlotHeatAxis *axis;
    double from, to; ///< places of its ends [px]
} ib_Ruler;

// The border before cell `i`, as a whole pixel: half way between neighbours; the outermost two are
// as far outside.
double ib__ruler_border(const ib_Ruler *ruler, int i);

typedef struct ib_Ticks {
    const char *names[IB_PLOT_MAX_CELLS];
    double places[IB_PLOT_MAX_CELLS]; ///< [px]
    char texts[IB_PLOT_MAX_CELLS][24];
    int count;
} ib_Ticks;

// Every word; every number of up to `few` cells, or round numbers, at most about `most`.
void ib__ruler_ticks(const ib_Ruler *ruler, int few, int most, ib_Ticks *ticks);

// Leaves out ticks nearer to the one before than `line` and half of both names, whose letters are
// `letter` wide [px].
void ib__ticks_thin(ib_Ticks *ticks, double line, double letter);

#endif
