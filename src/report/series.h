// report/series.h: recorded signals, each with times of its own, made ready for a plot.
#ifndef IB_REPORT_SERIES_H
#define IB_REPORT_SERIES_H

#include "base/signal_text.h"
#include "record/log.h"
#include "record/tape.h"
#include "report/plot/plot.h"

// A set of recorded signals: those of a log, or of a run in memory.
typedef struct ib_SeriesSet {
    const ib_LogSeries *items;
    int count;
} ib_SeriesSet;

// The rows of a tape as series, one for each signal, with those of another between them (NULL:
// none; at one time only its rows count); they share the times. Empty without memory.
ib_SeriesSet ib_series_from_tapes(const ib_Tape *tape, const ib_Tape *between,
                                  const ib_SignalTable *signals, ib_Arena *arena);

// The series with this name behind a prefix ("" or a robot's name), or NULL.
const ib_LogSeries *ib_series_find(ib_SeriesSet set, const char *prefix, const char *name);

// The first series of a robot ("": of the only one) with this role, or NULL.
const ib_LogSeries *ib_series_role(ib_SeriesSet set, const char *robot, ib_SignalRole role);

// The part with from <= time <= to; shares the memory of the whole.
ib_LogSeries ib_series_cut(const ib_LogSeries *series, ib_Time from, ib_Time to);

// The value at a time, on the straight line between two samples; NaN before the first, after the
// last, and beside a sample that is not finite.
double ib_series_value(const ib_LogSeries *series, ib_Time time);

// Times in seconds, and the values at the times of another series (`series` itself: as they are).
// NULL without memory.
const double *ib_series_seconds(const ib_LogSeries *series, ib_Arena *arena);
const double *ib_series_aligned(const ib_LogSeries *series, const ib_LogSeries *base,
                                ib_Arena *arena);

// Values in the common unit (base/signal_text.h), unchanged if that is SI. NULL for want of memory.
const double *ib_series_shown(const ib_ShownUnit *shown, const double *values, int64_t count,
                              ib_Arena *arena);

// A curve over time in the common unit; a mode is a staircase. Signals of a robot called red are
// drawn red. False without memory.
bool ib_series_curve(const ib_LogSeries *series, ib_Arena *arena, ib_PlotSeries *curve);

// A robot's path with its velocities. False when there is no position; without velocities it has no
// arrows. Colours as above.
bool ib_series_trajectory(ib_SeriesSet set, const char *robot, ib_Arena *arena,
                          ib_PlotSeries *trajectory);

#endif
