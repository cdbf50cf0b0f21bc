// view/memory.h: the last two minutes of all signals, for charts opened later.
//
// All room is allocated at the start. The rows are of one run: a reset or a jump in time
// empties it.
#ifndef IB_VIEW_MEMORY_H
#define IB_VIEW_MEMORY_H

#include "base/arena.h"
#include "view/feed.h"

enum {
    IB_MEMORY_ROWS = 7200,       ///< 120 s at 60 Hz
    IB_MEMORY_BYTES = 256 << 20, ///< very many signals get fewer rows
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

// Adds the newest row; one at the time of the last replaces it, and an earlier one is left out,
// unless it is a jump.
void ib_memory_add(ib_Memory *memory, const ib_FeedRow *row);

// As ib_ViewSource.history: reads the rows with from <= time <= to, at most `rows` (>= 2) of them.
int ib_memory_read(const ib_Memory *memory, int signal, double from, double to, int rows,
                   ib_Samples samples);

// A signal in the newest row, with its bounds over the last `rows` (>= 1) of them.
ib_Sample ib_memory_newest(const ib_Memory *memory, int signal, uint64_t rows);

#endif
