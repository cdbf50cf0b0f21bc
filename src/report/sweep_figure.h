// report/sweep_figure.h: the picture of a sweep, by what varies. See docs/study/sweep.md
//
//   one axis of numbers      a line of means with their spread
//   one axis of words        a box a word; the seeds alone: a box
//   two axes or more         a heat map of the last two; the others are as for the best point
//
// One measure, or as many as fit: a panel each, but for a heat map.
#ifndef IB_REPORT_SWEEP_FIGURE_H
#define IB_REPORT_SWEEP_FIGURE_H

#include "report/plot/plot.h"
#include "study/sweep/sweep_best.h"

// Before the runs: IB_BAD_INPUT if the path has no format, nothing varies, or the points are too
// many to be kept or drawn; IB_FAILED without gnuplot.
ib_Status ib_sweep_figure_check(const ib_SweepPlan *plan, const char *path, ib_Error *error);

// The plot of the points so far, in the arena. `best`: draws its measure, and marks it; NULL: the
// first measures. IB_BAD_INPUT if there is nothing to draw.
ib_Status ib_sweep_figure_plot(const ib_Sweep *sweep, const ib_SweepPoints *points,
                               const ib_SweepBest *best, ib_Arena *arena, ib_Plot *plot,
                               ib_Error *error);

// Draws it into a file (.svg, .png); on failure there is none.
ib_Status ib_sweep_figure(const ib_Sweep *sweep, const ib_SweepPoints *points,
                          const ib_SweepBest *best, const char *path, ib_Error *error);

#endif
