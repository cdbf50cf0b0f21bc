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
        int count = ib_mode_count(means->mode);
        ib_WatchedMeaning *meanings = ib_arena_array(arena, (size_t)count, sizeof *meanings);
        if (!meanings) return ib_error_set(error, IB_FAILED, "out of memory for the viewer");
        watch->items[watch->count++] = (ib_WatchedMode){.signal = i,
                                                        .means = *means,
                                                        .value = NAN,
                                                        .meanings = meanings,
                                                        .meaning_count = count};
        if (!ib_meaning_is_of(means, watch->items[0].means.robot)) watch->several = true;
    }
    return IB_OK;
}

// Notes the last unreported changes of a mode, as far as there is room.
static void tell_untold(ib_ModeWatch *watch, int index)
{
    for (int i = 0; i < watch->items[index].meaning_count; i++) {
        ib_WatchedMeaning *meaning = &watch->items[index].meanings[i];
        if (!meaning->untold || watch->note_count == IB_MODE_WATCH_ROOM) continue;
        watch->notes[watch->note_count++] =
            (ib_ModeNote){index, meaning->time, meaning->value, meaning->times};
        meaning->told++;
        meaning->untold = false;
    }
}

static void begin_second(const ib_ModeWatch *watch, ib_WatchedMode *item)
{
    item->since = watch->wall;
    for (int i = 0; i < item->meaning_count; i++) item->meanings[i].told = 0;
}

// The probe of the watch: a mode with another value than at the last step has changed.
static ib_Time sample(void *self, ib_Time time, const double *signals)
{
    ib_ModeWatch *watch = self;
    for (int i = 0; i < watch->count; i++) {
        ib_WatchedMode *item = &watch->items[i];
        double value = ib_mode_value(item->means.mode, signals[item->signal]);
        if (value == item->value || isnan(value)) continue;
        bool first = isnan(item->value); // the first value is no change
        item->value = value;
        if (first) continue;
        ib_WatchedMeaning *meaning = &item->meanings[ib_mode_place(item->means.mode, value)];
        meaning->time = time;
        meaning->value = value;
        meaning->times++;
        meaning->untold = true;
        if (watch->wall - item->since >= IB_SECOND) begin_second(watch, item);
        // Earlier changes are reported first, so that the last one is the present value.
        if (meaning->told < IB_MODE_WATCH_RATE) tell_untold(watch, i);
    }
    return IB_TIME_NEVER;
}

// Insertion sort: there are few, and most of them are in order.
static void sort_notes(ib_ModeWatch *watch)
{
    for (int i = 1; i < watch->note_count; i++) {
        ib_ModeNote note = watch->notes[i];
        int at = i;
        for (; at > 0 && watch->notes[at - 1].time > note.time; at--)
            watch->notes[at] = watch->notes[at - 1];
        watch->notes[at] = note;
    }
}

void ib_mode_watch_catch_up(ib_ModeWatch *watch, bool all)
{
    for (int i = 0; i < watch->count; i++) {
        ib_WatchedMode *item = &watch->items[i];
        if (!all && watch->wall - item->since < IB_SECOND) continue;
        begin_second(watch, item);
        tell_untold(watch, i);
    }
    sort_notes(watch);
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
    event->signal = item->signal;
    event->times = note->times;
    ib_mode_text(&item->means, watch->several, meaning, event->text);
    return true;
}
