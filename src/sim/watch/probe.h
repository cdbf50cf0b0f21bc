// sim/watch/probe.h: the observation of a run. Probes work on copies and never change the run.
#ifndef IB_SIM_WATCH_PROBE_H
#define IB_SIM_WATCH_PROBE_H

#include "base/clock.h"

#include <stdbool.h>

// Parts of the signals that cost more than the rest and that few probes read. They are computed
// only if read; else they keep their last values. Only those of IB_PART_OWN can be NAN in a finite
// state, so that the others need no check for that.
typedef enum ib_SignalPart {
    IB_PART_PATHS = 1,  ///< distances from drawn paths
    IB_PART_FORCES = 2, ///< forces of contacts, and where they act
    IB_PART_ZONES = 4,  ///< robots in zones
    IB_PART_OWN = 8,    ///< robots' own signals except poses; they may be NAN
    IB_PARTS_ALL = 15,
} ib_SignalPart;

// Gets all signals at its chosen times. `sample` returns the time of the next one, later than this
// one (IB_TIME_NEVER: no more). Inputs at a switch count with their new value.
typedef struct ib_Probe {
    void *self;
    ib_Time next;   ///< the first time it wants
    bool each_step; ///< also the start of every step, and the end of the run
    ib_Time (*sample)(void *self, ib_Time time, const double *signals);
    bool at_end;    ///< also the end of the run, wherever it falls
    bool each_jump; ///< also right behind every jump inside a step, at the nearest nanosecond
    bool each_end;  ///< also the end of every piece of a step, before the jump that may be there
    unsigned
        spares; ///< parts that it does not look at where a step starts or behind a jump; at its
                ///< chosen times and at the end it gets all
} ib_Probe;

// Receives the changes of sign of a margin, computed from the signals, located in time by
// the solver.
typedef struct ib_Watch {
    void *self;
    double (*margin)(const void *self, const double *signals);
    // `seconds` since the start of the run; signals at that instant;
    // rising: from negative to positive.
    void (*crossed)(void *self, double seconds, const double *signals, bool rising);
    int zero; ///< side on which exactly zero counts: +1, -1; 0: that of the next value
    // Called with samples of the signals, not in order of time, for extremes: the ends of all
    // pieces, and instants between that may be more extreme. May be NULL.
    void (*looked)(void *self, double seconds, const double *signals);
    // True if this margin, `seconds` since the start, is more extreme than any so far, so that a
    // sample is worthwhile. May be NULL: extremes are sought only if they might be on the other
    // side of zero.
    bool (*wants)(const void *self, double seconds, double margin);
    // True if it needs no samples between these times, in seconds since the start, both included.
    // It then costs nothing. May be NULL: it always does.
    bool (*sleeps)(const void *self, double from, double to);
    // Its only signal, counted from 1, so that others need not be computed for it between the ends
    // of a piece; 0: it may look at all.
    int signal;
} ib_Watch;

#endif
