#include "sim/watch/mode_changes.h"

#include <math.h>

ib_Status ib_mode_changes_create(const ib_SignalTable *signals, ib_Arena *arena,
                                 ib_ModeChanges **changes, ib_Error *error)
{
    int count = 0;
    for (int i = 0; i < signals->count; i++) count += signals->items[i].means.mode != NULL;
    ib_ModeChanges *made = ib_arena_alloc(arena, sizeof *made);
    ib_WatchedSignal *watched = ib_arena_array(arena, (size_t)count, sizeof *watched);
    ib_ModeChange *items = ib_arena_array(arena, count ? IB_MODE_CHANGES_ROOM : 0, sizeof *items);
    if (!made || !watched || !items)
        return ib_error_set(error, IB_FAILED, "out of memory for the changes of modes");
    *made = (ib_ModeChanges){.items = items, .watched = watched};
    for (int i = 0; i < signals->count; i++)
        if (signals->items[i].means.mode)
            watched[made->watched_count++] =
                (ib_WatchedSignal){i, signals->items[i].means.mode, (double)NAN};
    *changes = made;
    return IB_OK;
}

bool ib_mode_differs(const ib_Mode *mode, double before, double after)
{
    return isfinite(before) && isfinite(after) &&
           ib_mode_value(mode, before) != ib_mode_value(mode, after);
}

static ib_Time sample(void *self, ib_Time time, const double *signals)
{
    ib_ModeChanges *changes = self;
    for (int i = 0; i < changes->watched_count; i++) {
        ib_WatchedSignal *watched = &changes->watched[i];
        double before = watched->value, after = signals[watched->signal];
        watched->value = after;
        if (!ib_mode_differs(watched->mode, before, after)) continue;
        if (changes->count < IB_MODE_CHANGES_ROOM)
            changes->items[changes->count++] =
                (ib_ModeChange){time, watched->signal, before, after};
        else
            changes->untold++;
    }
    return IB_TIME_NEVER;
}

ib_Probe ib_mode_changes_probe(ib_ModeChanges *changes)
{
    return (ib_Probe){.self = changes,
                      .next = IB_TIME_NEVER,
                      .each_step = true,
                      .each_jump = true,
                      .sample = sample};
}
