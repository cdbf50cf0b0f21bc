#include "view/memory.h"

#include <math.h>

bool ib_memory_init(ib_Memory *memory, int signals, ib_Arena *arena)
{
    size_t row = (size_t)(signals > 0 ? signals : 1) * sizeof(float);
    size_t fit = IB_MEMORY_BYTES / row;
    *memory = (ib_Memory){.signals = signals};
    memory->capacity = fit < IB_MEMORY_ROWS ? (int)fit : IB_MEMORY_ROWS;
    memory->times = ib_arena_array(arena, (size_t)memory->capacity, sizeof(double));
    memory->values = ib_arena_array(arena, (size_t)memory->capacity, row);
    return memory->capacity > 0 && memory->times && memory->values;
}

// Where the i-th oldest row lies.
static int place_of(const ib_Memory *memory, int i)
{
    int place = memory->first + i;
    return place < memory->capacity ? place : place - memory->capacity;
}

void ib_memory_add(ib_Memory *memory, const ib_FeedRow *row)
{
    if (row->jump || row->run != memory->run) memory->count = 0;
    memory->run = row->run;
    bool later =
        memory->count == 0 || row->time > memory->times[place_of(memory, memory->count - 1)];
    if (!later) return;

    // Full: the oldest gives its place.
    if (memory->count == memory->capacity) {
        memory->first = place_of(memory, 1);
        memory->count--;
    }
    int place = place_of(memory, memory->count++);
    memory->times[place] = row->time;
    float *values = memory->values + (size_t)place * (size_t)memory->signals;
    for (int i = 0; i < memory->signals; i++) values[i] = (float)row->values[i];
}

// The first row with time >= `time`; with `beyond`: > `time`.
static int find(const ib_Memory *memory, double time, bool beyond)
{
    int low = 0, high = memory->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        double t = memory->times[place_of(memory, middle)];
        if (t < time || (beyond && t == time))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static float value_at(const ib_Memory *memory, int signal, int i)
{
    return memory->values[(size_t)place_of(memory, i) * (size_t)memory->signals + (size_t)signal];
}

// The rows of [from, to) worth keeping, in order: smallest, largest, and one that is no number.
static int bin_picks(const ib_Memory *memory, int signal, int from, int to, int picks[3])
{
    int least = -1, most = -1, gap = -1, count = 0;
    float low = 0, high = 0;
    for (int i = from; i < to; i++) {
        float value = value_at(memory, signal, i);
        if (!isfinite(value)) {
            gap = i;
            continue;
        }
        if (least < 0 || value < low) least = i, low = value;
        if (most < 0 || value > high) most = i, high = value;
    }
    for (int i = from; i < to && count < 3; i++)
        if (i == least || i == most || i == gap) picks[count++] = i;
    return count;
}

int ib_memory_read(const ib_Memory *memory, int signal, double from, double to, int rows,
                   double *times, float *values)
{
    int begin = find(memory, from, false), end = find(memory, to, true), used = 0;
    int whole = end - begin;
    if (whole <= 0) return 0;
    // All of them; of more, both ends and up to three of each bin;
    // or, too few for that, evenly.
    bool all = whole <= rows, even = !all && rows < 5;
    int bins = all ? whole : even ? rows : (rows - 2) / 3 + 2;
    for (int s = 0; s < bins; s++) {
        int picks[3] = {begin + s}, count = 1;
        bool inner = s > 0 && s < bins - 1;
        if (even || (!all && !inner))
            picks[0] = begin + (int)((int64_t)(whole - 1) * s / (bins - 1));
        else if (!all)
            count = bin_picks(memory, signal,
                              begin + 1 + (int)((int64_t)(whole - 2) * (s - 1) / (bins - 2)),
                              begin + 1 + (int)((int64_t)(whole - 2) * s / (bins - 2)), picks);
        for (int i = 0; i < count; i++, used++) {
            times[used] = memory->times[place_of(memory, picks[i])];
            values[used] = value_at(memory, signal, picks[i]);
        }
    }
    return used;
}
