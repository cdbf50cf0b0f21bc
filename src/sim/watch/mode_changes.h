// sim/watch/mode_changes.h: every change of a mode in a run, as it happens.
//
// Modes change only in jumps, which the solver locates: at the start of a step, and behind a guard
// or a hit inside one. All of these are examined, so that no change between two samples of a
// recording is lost.
#ifndef IB_SIM_WATCH_MODE_CHANGES_H
#define IB_SIM_WATCH_MODE_CHANGES_H

#include "sim/sim.h"

// Changes that are kept with their times, the first ones of a run; all others are counted.
enum { IB_MODE_CHANGES_ROOM = 65536 };

typedef struct ib_ModeChange {
    ib_Time time; ///< at which it has the new value, to the nanosecond
    int signal;   ///< whose mode
    double before, after;
} ib_ModeChange;

typedef struct ib_WatchedSignal {
    int signal;
    const ib_Mode *mode;
    double value; ///< at the last look; NAN: not seen yet
} ib_WatchedSignal;

typedef struct ib_ModeChanges {
    ib_ModeChange *items; ///< in order of time; at one time in that of the signals
    int count;            ///< <= IB_MODE_CHANGES_ROOM
    int64_t untold;       ///< changes for which there was no room any more
    ib_WatchedSignal *watched;
    int watched_count; ///< 0: no signal shows a mode
} ib_ModeChanges;

// Changes of all modes among the signals, memory from `arena`; attach with
// ib_sim_probe(sim, ib_mode_changes_probe(changes)).
ib_Status ib_mode_changes_create(const ib_SignalTable *signals, ib_Arena *arena,
                                 ib_ModeChanges **changes, ib_Error *error);
ib_Probe ib_mode_changes_probe(ib_ModeChanges *changes);

// True for a change of the mode. A value that is not a number is none, nor is the next one.
bool ib_mode_differs(const ib_Mode *mode, double before, double after);

#endif
