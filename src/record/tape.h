// record/tape.h: rows of signals in memory: at chosen times, or regularly and ever more coarsely.
#ifndef IB_RECORD_TAPE_H
#define IB_RECORD_TAPE_H

#include "base/arena.h"
#include "base/status.h"
#include "sim/watch/probe.h"

typedef struct ib_Tape {
    int signals;     ///< values in a row
    int count, room; ///< rows
    ib_Time *times;
    double *values; ///< row after row
    ib_Time every;  ///< 0: at `wanted`
    const ib_Time *wanted;
    int wanted_count, wanted_next;
} ib_Tape;

// Creates a tape for rows at these times, ascending, each once.
ib_Status ib_tape_create_at(const ib_Time *times, int count, int signals, ib_Arena *arena,
                            ib_Tape **tape, ib_Error *error);

// Creates a tape for rows every `every` and at the end of the run, with room for `room` rows
// (even): when it is full, every other row is dropped and the interval doubles, so that a run of
// any length fits.
ib_Status ib_tape_create(ib_Time every, int room, int signals, ib_Arena *arena, ib_Tape **tape,
                         ib_Error *error);

ib_Probe ib_tape_probe(ib_Tape *tape);

// The values of one row.
static inline const double *ib_tape_row(const ib_Tape *tape, int row)
{
    return tape->values + (size_t)row * (size_t)tape->signals;
}

#endif
