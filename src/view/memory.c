#include "view/memory.h"

#include <math.h>

bool ib_memory_init(ib_Memory *memory, int signals, ib_Arena *arena)
{
    size_t row = 3 * (size_t)(signals > 0 ? signals : 1) * sizeof(float);
    size_t fit = IB_MEMORY_BYTES / row;
    *memory = (ib_Memory){.signals = signals};
    memory->capacity = fit < IB_MEMORY_ROWS ? (int)fit : IB_MEMORY_ROWS;
    memory->times = ib_arena_array(arena, (size_t)memory->capacity, sizeof(double));
    memory->values = ib_arena_array(arena, (size_t)memory->capacity, row);
    return memory->capacity > 0 && memory->times && memory->values;
}

// The place of the i-th oldest row.
static int place_of(const ib_Memory *memory, int i)
{
    int place = memory->first + i;
    return place < memory->capacity ? place : place - memory->capacity;
}

// A new last row; without room it replaces the oldest.
static int append(ib_Memory *memory, double time)
{
    if (memory->count == memory->capacity) {
        memory->first = place_of(memory, 1);
        memory->count--;
    }
    int place = place_of(memory, memory->count++);
    memory->times[place] = time;
    return place;
}

void ib_memory_add(ib_Memory *memory, const ib_FeedRow *row)
{
    if (row->jump || row->run != memory->run) memory->count = 0;
    memory->run = row->run;
    double last = memory->count ? memory->times[place_of(memory, memory->count - 1)] : -INFINITY;
    if (row->time < last) return;
    bool again = row->time == last;
    int place = again ? place_of(memory, memory->count - 1) : append(memory, row->time);
    size_t count = (size_t)memory->signals;
    float *value = memory->values + 3 * count * (size_t)place;
    float *low = value + count, *high = low + count;
    for (size_t i = 0; i < count; i++) {
        float least = (float)row->values[row->ranged ? count + i : i];
        float most = (float)row->values[row->ranged ? 2 * count + i : i];
        value[i] = (float)row->values[i];
        low[i] = again ? fminf(low[i], least) : least;
        high[i] = again ? fmaxf(high[i], most) : most;
    }
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

static ib_Sample sample_at(const ib_Memory *memory, int signal, int i)
{
    int place = place_of(memory, i);
    size_t count = (size_t)memory->signals;
    const float *own = memory->values + 3 * count * (size_t)place + (size_t)signal;
    return (ib_Sample){memory->times[place], own[0], own[count], own[2 * count]};
}

typedef struct Column {
    const ib_Memory *memory;
    int signal;
} Column;

static ib_Sample column_at(const void *self, int64_t i)
{
    const Column *column = self;
    return sample_at(column->memory, column->signal, (int)i);
}

int ib_memory_read(const ib_Memory *memory, int signal, double from, double to, int rows,
                   ib_Samples samples)
{
    int begin = find(memory, from, false), end = find(memory, to, true);
    Column column = {memory, signal};
    return ib_samples_thin(column_at, &column, begin, end - begin, rows, samples);
}

ib_Sample ib_memory_newest(const ib_Memory *memory, int signal, uint64_t rows)
{
    ib_Sample newest = sample_at(memory, signal, memory->count - 1);
    for (uint64_t back = 1; back < rows && back < (uint64_t)memory->count; back++) {
        ib_Sample older = sample_at(memory, signal, memory->count - 1 - (int)back);
        newest.low = fminf(newest.low, older.low);
        newest.high = fmaxf(newest.high, older.high);
    }
    return newest;
}
