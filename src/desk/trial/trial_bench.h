// desk/trial/trial_bench.h: the plant of a design's trial. docs/design/trial.md The trial is on its
// mechanism, on a bench or on the mechanism's robot, or on an ideal plant.
#ifndef IB_DESK_TRIAL_TRIAL_BENCH_H
#define IB_DESK_TRIAL_TRIAL_BENCH_H

#include "desk/design/design_file.h"
#include "desk/trial/trial.h"

// Runs a trial of the design, with the mechanism at the start of the trial; `trial` names no plant.
// IB_BAD_INPUT: it cannot start there. Otherwise as ib_trial_run.
ib_Status ib_trial_bench_run(const ib_DesignFile *design, const ib_Trial *trial,
                             void (*tick)(void *self, const ib_TrialTick *tick), void *self,
                             ib_TrialUse *use, ib_Error *error);

// The same on the ideal plants of all gears, which a plan may change.
ib_Status ib_trial_ideal_run(const ib_DesignFile *design, const ib_Trial *trial,
                             void (*tick)(void *self, const ib_TrialTick *tick), void *self,
                             ib_Error *error);

// "an elevator … on a bench, its battery 12 V behind 12 mohm", in words.
void ib_trial_bench_describe(const ib_DesignFile *design, int gear, char *text, size_t size);

#endif
