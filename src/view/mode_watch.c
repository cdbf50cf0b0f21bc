#include "view/mode_watch.h"

#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

ib_Status ib_mode_watch_init(ib_ModeWatch *watch, const ib_SignalTable *signals, ib_Arena *arena,
                             ib_Error *error)
{
    *watch = (ib_ModeWatch){0};
    watch->items = ib_arena_array(arena, (size_t)signals->count, sizeof *watch->items);
    if (!watch->items) return ib_error_set(error, IB_FAILED, "out of memory for the viewer");
    for (int i = 0; i < signals->count; i++) {
        const ib_SignalMeaning *means = &signals->items[i].means;
        if (!means->mode) continue;
        watch->items[watch->count++] = (ib_WatchedMode){.signal = i, .means = *means, .value = NAN};
        if (!ib_meaning_is_of(means, watch->items[0].means.robot)) watch->several = true;
    }
    return IB_OK;
}

// Notes a change of a mode. Where there were too many within a second it is only counted.
static void take_note(ib_ModeWatch *watch, int index)
{
    ib_WatchedMode *item = &watch->items[index];
    if (watch->wall - item->since >= IB_SECOND) {
        item->since = watch->wall;
        item->count = 0;
    }
    if (item->count >= IB_MODE_WATCH_RATE || watch->note_count == IB_MODE_WATCH_ROOM) {
        item->untold++;
        return;
    }
    watch->notes[watch->note_count++] = (ib_ModeNote){index, item->time, item->value, item->untold};
    item->count++;
    item->untold = 0;
}

// The probe of the watch: a mode that has another value than at the last look has changed.
static ib_Time sample(void *self, ib_Time time, const double *signals)
{
    ib_ModeWatch *watch = self;
    for (int i = 0; i < watch->count; i++) {
        ib_WatchedMode *item = &watch->items[i];
        double value = ib_mode_value(item->means.mode, signals[item->signal]);
        if (value == item->value || isnan(value)) continue;
        bool first = isnan(item->value); // how it starts is no change
        item->value = value;
        item->time = time;
        if (!first) take_note(watch, i);
    }
    return IB_TIME_NEVER;
}

void ib_mode_watch_catch_up(ib_ModeWatch *watch, bool all)
{
    for (int i = 0; i < watch->count; i++) {
        ib_WatchedMode *item = &watch->items[i];
        if (item->untold == 0 || (!all && watch->wall - item->since < IB_SECOND)) continue;
        if (all) item->count = 0;
        item->untold--; // the last change itself is told now
        take_note(watch, i);
    }
}

ib_Probe ib_mode_watch_probe(ib_ModeWatch *watch)
{
    return (ib_Probe){.self = watch,
                      .next = IB_TIME_NEVER,
                      .each_step = true,
                      .each_jump = true,
                      .sample = sample};
}

void ib_mode_text(const ib_SignalMeaning *means, bool several, ib_ModeMeaning meaning,
                  char text[IB_FEED_TEXT])
{
    ib_mode_sentence(meaning, several ? means->robot : NULL, means->part, text, IB_FEED_TEXT);
    ib_utf8_clean(text);
}

bool ib_mode_watch_event(const ib_ModeWatch *watch, int index, ib_FeedEvent *event)
{
    const ib_ModeNote *note = &watch->notes[index];
    const ib_WatchedMode *item = &watch->items[note->item];
    ib_ModeMeaning meaning = ib_mode_meaning(item->means.mode, note->value);
    if (!meaning.text[0]) return false;
    event->time = ib_time_to_seconds(note->time);
    event->kind = (int)item->means.mode->kind;
    event->level = meaning.level;
    ib_mode_text(&item->means, watch->several, meaning, event->text);
    size_t used = strlen(event->text);
    if (note->untold > 0)
        snprintf(event->text + used, IB_FEED_TEXT - used, " (%d changes before it not shown)",
                 note->untold);
    return true;
}
