// record/change_tape.h: rows of signals before and behind every change of a mode.
//
// Evenly spaced rows alone show aliasing: pulses of 1 ms every 21 ms, sampled every 10 ms, seem to
// come every 210 ms. Rows are whole instants, so that sums of signals in the run hold in the
// picture as well.
#ifndef IB_RECORD_CHANGE_TAPE_H
#define IB_RECORD_CHANGE_TAPE_H

#include "base/signal.h"
#include "record/tape.h"

typedef struct ib_ChangeTape {
    ib_Tape rows; ///< in order of time; one time may be there twice, before and behind a jump
    int *watched; ///< signals that show a mode
    const ib_Mode **modes; ///< of each of them
    int watched_count;     ///< 0: nothing to record
    double *last;          ///< all signals at the last observation
    ib_Time last_time;     ///< of that observation; -1: none yet
    bool last_kept;        ///< it is already a row
    ib_Time until;         ///< changes before this time have rows; IB_TIME_NEVER: all have
} ib_ChangeTape;

// Creates a tape with room for so many rows; later changes are not recorded.
ib_Status ib_change_tape_create(const ib_SignalTable *signals, int room, ib_Arena *arena,
                                ib_ChangeTape **tape, ib_Error *error);

ib_Probe ib_change_tape_probe(ib_ChangeTape *tape);

#endif
