// view/memory.h: the last two minutes of all signals, for charts that are opened late.
//
// All room is made at the start. The rows of one run only: a reset or a jump in time empties it.
#ifndef IB_VIEW_MEMORY_H
#define IB_VIEW_MEMORY_H

#include "base/arena.h"
#include "view/feed.h"

enum {
    IB_MEMORY_ROWS = 7200,       ///< 120 s at 60 Hz
    IB_MEMORY_BYTES = 256 << 20, ///< with very many signals there are fewer rows
};

typedef struct ib_Memory {
    int signals;
    int capacity; ///< rows
    int first, count;
    uint32_t run;
    double *times; ///< rising
    float *values; ///< a row after the other: values, smallest, largest as in ib_FeedRow
} ib_Memory;

bool ib_memory_init(ib_Memory *memory, int signals, ib_Arena *arena);

// The newest row; one at the time of the last takes its place, and an earlier one is left out,
// unless it is a jump.
void ib_memory_add(ib_Memory *memory, const ib_FeedRow *row);

// As ib_ViewSource.history: the rows with from <= time <= to, at most `rows` (>= 2) of them.
int ib_memory_read(const ib_Memory *memory, int signal, double from, double to, int rows,
                   ib_Samples samples);

// A signal in the newest row, with its bounds over the last `rows` (>= 1) of them.
ib_Sample ib_memory_newest(const ib_Memory *memory, int signal, uint64_t rows);

#endif
