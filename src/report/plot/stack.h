// report/plot/stack.h: quantities that make up a whole, as bands one upon another over time.
// Internal to src/report.
#ifndef IB_REPORT_PLOT_STACK_H
#define IB_REPORT_PLOT_STACK_H

#include "report/series.h"

enum {
    IB_STACK_BANDS = 5,                  ///< of their own; the smaller ones share one
    IB_STACK_SERIES = IB_STACK_BANDS + 2 ///< that one, and the line
};

typedef struct ib_StackItem {
    const char *label;
    const double *values; ///< at the times of the line, >= 0 for the most part
    double weight;        ///< the largest have a band of their own; a thousandth of all: never
} ib_StackItem;

// Bands from the top of the stack down, each filled to zero, so that the next covers its lower
// part; over them `line`: the whole, whose label, unit and times hold for all. Returns how many
// series were made, 0 without memory.
int ib__stack_make(const ib_StackItem *items, int count, const ib_PlotSeries *line, ib_Arena *arena,
                   ib_PlotSeries series[IB_STACK_SERIES]);

#endif
