#include "record/tape.h"

#include <string.h>

static ib_Status create(int room, int signals, ib_Arena *arena, ib_Tape **result, ib_Error *error)
{
    ib_Tape *tape = ib_arena_alloc(arena, sizeof *tape);
    ib_Time *times = ib_arena_array(arena, (size_t)room, sizeof *times);
    double *values = ib_arena_array(arena, (size_t)room * (size_t)signals, sizeof *values);
    if (!tape || !times || !values)
        return ib_error_set(error, IB_FAILED, "out of memory for %d rows of %d signals", room,
                            signals);
    *tape = (ib_Tape){.signals = signals, .room = room, .times = times, .values = values};
    *result = tape;
    return IB_OK;
}

ib_Status ib_tape_create_at(const ib_Time *times, int count, int signals, ib_Arena *arena,
                            ib_Tape **tape, ib_Error *error)
{
    ib_Status status = create(count, signals, arena, tape, error);
    if (status != IB_OK) return status;
    (*tape)->wanted = times;
    (*tape)->wanted_count = count;
    return IB_OK;
}

ib_Status ib_tape_create(ib_Time every, int room, int signals, ib_Arena *arena, ib_Tape **tape,
                         ib_Error *error)
{
    IB_ASSERT(every > 0 && room >= 2 && room % 2 == 0);
    ib_Status status = create(room, signals, arena, tape, error);
    if (status == IB_OK) (*tape)->every = every;
    return status;
}

static double *row(ib_Tape *tape, int index)
{
    return tape->values + (size_t)index * (size_t)tape->signals;
}

// Keeps the rows 0, 2, 4 …; the next due one is then on the coarser grid as well.
static void thin(ib_Tape *tape)
{
    size_t bytes = (size_t)tape->signals * sizeof *tape->values;
    for (int i = 1; i < tape->count / 2; i++) {
        tape->times[i] = tape->times[2 * i];
        memcpy(row(tape, i), row(tape, 2 * i), bytes);
    }
    tape->count /= 2;
    tape->every *= 2;
}

static ib_Time sample(void *self, ib_Time time, const double *signals)
{
    ib_Tape *tape = self;
    // The end of a run may coincide with a row.
    if (tape->every && tape->count && tape->times[tape->count - 1] == time)
        return ib_time_next(time, tape->every);
    if (tape->count == tape->room) thin(tape);
    tape->times[tape->count] = time;
    memcpy(row(tape, tape->count), signals, (size_t)tape->signals * sizeof *signals);
    tape->count++;
    if (tape->every) return ib_time_next(time, tape->every);
    return ++tape->wanted_next < tape->wanted_count ? tape->wanted[tape->wanted_next]
                                                    : IB_TIME_NEVER;
}

ib_Probe ib_tape_probe(ib_Tape *tape)
{
    ib_Time first = tape->every ? 0 : tape->wanted_count ? tape->wanted[0] : IB_TIME_NEVER;
    return (ib_Probe){tape, first, false, sample, tape->every > 0};
}
