// scenario/measure.h: one number of a run, asked for in a sentence:
//
//   min | max | mean | rms [abs] SIGNAL [from T] [to T]
//   final [abs] SIGNAL
//   first SIGNAL (< | <= | > | >=) VALUE [from T] [to T]      the time at which it becomes true
//
// Extremes and crossings are located within the steps, as those of expectations are: no end of a
// step is more extreme. A peak with a corner within a step may be, by a third of the move over that
// step, and what is much shorter than a step is not seen (docs/architecture.md). Means are
// integrals by straight lines between the ends of all steps, the two sides of their jumps and at
// least 1000 points.
#ifndef IB_SCENARIO_MEASURE_H
#define IB_SCENARIO_MEASURE_H

#include "scenario/expectation.h"

typedef enum ib_MeasureKind {
    IB_MEASURE_MIN,
    IB_MEASURE_MAX,
    IB_MEASURE_MEAN,
    IB_MEASURE_RMS,
    IB_MEASURE_FINAL,
    IB_MEASURE_FIRST,
} ib_MeasureKind;

typedef struct ib_Measure {
    const char *text; ///< as written
    ib_MeasureKind kind;
    bool absolute; ///< of the signal's size
    int signal;    ///< index in the table
    ib_Relation relation;
    double value;     ///< of `first`, SI
    ib_Time from, to; ///< IB_TIME_NEVER: the end of the run
    // The result, filled while running.
    double found;                      ///< SI; NAN: none, such as the time of what never happened
    double found_at;                   ///< the time of an extreme [s]
    double last, last_at, sum, length; ///< of a mean: the last sample, integral, seconds
    ib_Time grid;                      ///< between the points of a mean
} ib_Measure;

// Reads one sentence. The signal must be in `signals`, the units must fit.
ib_Status ib_measure_read(const char *text, const ib_SignalTable *signals, ib_Arena *arena,
                          ib_Measure *measure, ib_Error *error);

// Attaches it to a run of this duration; its result is complete after ib_measure_finish.
ib_Status ib_measure_attach(ib_Measure *measure, ib_Time duration, ib_Sim *sim, ib_Error *error);
void ib_measure_finish(ib_Measure *measure);

// The unit of its result: seconds of `first`, else that of the signal.
const char *ib_measure_unit(const ib_Measure *measure, const ib_SignalTable *signals);

#endif
