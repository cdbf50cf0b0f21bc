// report/optimise_figure.h: the picture of a search for the best values: the points in the order in
// which they were tried, and a slice through the best for each variable. See docs/study/sweep.md
#ifndef IB_REPORT_OPTIMISE_FIGURE_H
#define IB_REPORT_OPTIMISE_FIGURE_H

#include "report/plot/plot.h"
#include "study/optimise/optimise.h"

// Before the runs: IB_BAD_INPUT if the path has no format, or a list is too long to be drawn;
// IB_FAILED without gnuplot.
ib_Status ib_optimise_figure_check(const ib_OptimisePlan *plan, const char *path, ib_Error *error);

// The plot of the points and slices so far, in the arena. IB_BAD_INPUT if there is nothing to draw.
ib_Status ib_optimise_figure_plot(const ib_Optimisation *optimisation, ib_Arena *arena,
                                  ib_Plot *plot, ib_Error *error);

// Runs the slices and draws all of it into a file (.svg, .png); on failure there is none. `run`
// NULL: the search alone. IB_INTERRUPTED: drawn with the slices that were complete.
ib_Status ib_optimise_figure(ib_Optimisation *optimisation, const ib_OptimiseRun *run,
                             const char *path, ib_Error *error);

#endif
