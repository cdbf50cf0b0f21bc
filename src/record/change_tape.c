#include "record/change_tape.h"

#include "sim/watch/mode_changes.h"

#include <string.h>

ib_Status ib_change_tape_create(const ib_SignalTable *signals, int room, ib_Arena *arena,
                                ib_ChangeTape **tape, ib_Error *error)
{
    size_t count = (size_t)signals->count, modes = 0;
    for (size_t i = 0; i < count; i++) modes += signals->items[i].means.mode != NULL;
    size_t rows = modes ? (size_t)room : 0;
    ib_ChangeTape made = {
        .rows = {.signals = signals->count,
                 .room = (int)rows,
                 .times = ib_arena_array(arena, rows, sizeof *made.rows.times),
                 .values = ib_arena_array(arena, rows * count, sizeof *made.rows.values)},
        .watched = ib_arena_array(arena, modes, sizeof *made.watched),
        .modes = ib_arena_array(arena, modes, sizeof *made.modes),
        .last = ib_arena_array(arena, count, sizeof *made.last),
        .last_time = -1,
        .until = IB_TIME_NEVER,
    };
    *tape = ib_arena_alloc(arena, sizeof **tape);
    if (!*tape || !made.rows.times || !made.rows.values || !made.watched || !made.modes ||
        !made.last)
        return ib_error_set(error, IB_FAILED, "out of memory for the rows at changes of modes");
    for (int i = 0; i < signals->count; i++) {
        if (!signals->items[i].means.mode) continue;
        made.watched[made.watched_count] = i;
        made.modes[made.watched_count++] = signals->items[i].means.mode;
    }
    **tape = made;
    return IB_OK;
}

static bool has_changed(const ib_ChangeTape *tape, const double *signals)
{
    for (int i = 0; i < tape->watched_count; i++) {
        int signal = tape->watched[i];
        if (ib_mode_differs(tape->modes[i], tape->last[signal], signals[signal])) return true;
    }
    return false;
}

static void keep(ib_Tape *rows, ib_Time time, const double *signals)
{
    size_t size = (size_t)rows->signals;
    rows->times[rows->count] = time;
    memcpy(rows->values + (size_t)rows->count * size, signals, size * sizeof *signals);
    rows->count++;
}

static ib_Time sample(void *self, ib_Time time, const double *signals)
{
    ib_ChangeTape *tape = self;
    ib_Tape *rows = &tape->rows;
    bool changed = tape->last_time >= 0 && has_changed(tape, signals);
    if (changed && rows->count + 2 > rows->room) tape->until = ib_time_min(tape->until, time);
    bool kept = changed && tape->until == IB_TIME_NEVER;
    if (kept) {
        if (!tape->last_kept) keep(rows, tape->last_time, tape->last);
        keep(rows, time, signals);
    }
    memcpy(tape->last, signals, (size_t)rows->signals * sizeof *signals);
    tape->last_time = time;
    tape->last_kept = kept;
    return IB_TIME_NEVER;
}

ib_Probe ib_change_tape_probe(ib_ChangeTape *tape)
{
    return (ib_Probe){.self = tape,
                      .next = IB_TIME_NEVER,
                      .each_step = true,
                      .each_jump = true,
                      .sample = sample};
}
