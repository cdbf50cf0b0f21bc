// sim/watch/summary.h: smallest, largest and last value of each signal, at all steps' starts and
// the end.
#ifndef IB_SIM_WATCH_SUMMARY_H
#define IB_SIM_WATCH_SUMMARY_H

#include "sim/sim.h"

typedef struct ib_Summary {
    int count;
    double *min, *max, *final;    ///< per signal; NAN before the first step
    ib_Time *min_time, *max_time; ///< when it first was so
    ib_Time *nan_time; ///< when it first was not a number, which is in no range; IB_TIME_NEVER: it
                       ///< always was
    int *fours, four_count; ///< the first of each four neighbours whose ranges are kept
    unsigned spares;        ///< parts (ib_SignalPart) of which no range is kept
} ib_Summary;

// Memory from `arena`; attach with ib_sim_probe(sim, ib_summary_probe(summary)).
ib_Status ib_summary_create(const ib_SignalTable *signals, ib_Arena *arena, ib_Summary **summary,
                            ib_Error *error);
ib_Probe ib_summary_probe(ib_Summary *summary);

// Limits the ranges to the signals for which `rows` is true, before it is attached; others have
// none. Last values, and NANs, are noted of all.
void ib_summary_restrict(ib_Summary *summary, const ib_Model *model, const bool *rows);

// Resets it for another run.
void ib_summary_reset(ib_Summary *summary);

#endif
