// view/extremes.h: the bounds of every signal since the last row, over all steps of the run. A row
// of the viewer covers the time since the row before it: docs/view/viewer.md, "Charts".
#ifndef IB_VIEW_EXTREMES_H
#define IB_VIEW_EXTREMES_H

#include "base/arena.h"
#include "sim/sim.h"

typedef struct ib_Extremes {
    int count;          ///< signals
    double *low, *high; ///< so far, SI; NAN: no number yet
} ib_Extremes;

bool ib_extremes_init(ib_Extremes *extremes, int signals, ib_Arena *arena);

// The probe, to attach to the run; it sees the start of every step.
ib_Probe ib_extremes_probe(ib_Extremes *extremes);

// Writes the bounds since the last row, both ends included, into `low` and `high`, at a row with
// these values, with which the next bounds begin.
void ib_extremes_take(ib_Extremes *extremes, const double *values, double *low, double *high);

#endif
