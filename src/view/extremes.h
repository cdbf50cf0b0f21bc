// view/extremes.h: how far every signal went since somebody last looked, step by step of the run.
// A row of the viewer stands for the time since the row before it: docs/viewer.md, "Charts".
#ifndef IB_VIEW_EXTREMES_H
#define IB_VIEW_EXTREMES_H

#include "base/arena.h"
#include "sim/sim.h"

typedef struct ib_Extremes {
    int count;          ///< signals
    double *low, *high; ///< so far, SI; NAN: no number yet
} ib_Extremes;

bool ib_extremes_init(ib_Extremes *extremes, int signals, ib_Arena *arena);

// Sees the start of every step; attach it to the run.
ib_Probe ib_extremes_probe(ib_Extremes *extremes);

// At a row with these values: the bounds since the last one, both ends included, into `low` and
// `high`. The next ones begin with these values.
void ib_extremes_take(ib_Extremes *extremes, const double *values, double *low, double *high);

#endif
