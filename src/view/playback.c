#include "view/playback.h"

#include "base/utf8.h"
#include "record/journal.h"
#include "view/mode_watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------- times

#define LONGEST ((ib_Time)3155760000 * IB_SECOND) // differences of times stay within 64 bits

// The span is from the first to the last sample of any signal; a step of the player is the mean
// distance of two samples in the longest series.
static ib_Status find_span(ib_Playback *playback, ib_Error *error)
{
    int64_t most = 0;
    playback->begin = IB_TIME_NEVER;
    playback->end = INT64_MIN;
    for (int i = 0; i < playback->log->series_count; i++) {
        const ib_LogSeries *series = &playback->log->series[i];
        if (series->count == 0) continue;
        ib_Time first = series->times[0], last = series->times[series->count - 1];
        if (first < playback->begin) playback->begin = first;
        if (last > playback->end) playback->end = last;
        if (series->count <= most) continue;
        most = series->count;
        playback->step = most > 1 ? (last - first) / (most - 1) : 0;
    }
    if (most == 0) return ib_error_set(error, IB_BAD_INPUT, "the recording holds no samples");
    if (playback->begin < -LONGEST || playback->end > LONGEST)
        return ib_error_set(error, IB_BAD_INPUT, "the recording's times are beyond 100 years");
    if (playback->step < 1) playback->step = IB_SECOND / 1000;
    return IB_OK;
}

// The number of ascending `times` not later than `time`.
static int64_t count_until(const ib_Time *times, int64_t count, ib_Time time)
{
    int64_t low = 0, high = count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (times[middle] <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// ------------------------------------------------------------------------------------------ events

// Writes changes of a mode into `events` (NULL: only counted); returns their number.
static int64_t find_changes(const ib_Playback *playback, int index, ib_PlaybackEvent *events)
{
    const ib_LogSeries *series = &playback->log->series[index];
    const ib_Mode *mode = series->means.mode;
    int64_t count = 0;
    for (int64_t i = 1; mode && i < series->count; i++) {
        double before = series->values[i - 1], after = series->values[i];
        if (!isfinite(before) || !isfinite(after)) continue;
        double value = ib_mode_value(mode, after);
        if (value == ib_mode_value(mode, before)) continue;
        if (events) events[count] = (ib_PlaybackEvent){series->times[i], NULL, index, value, 0};
        count++;
    }
    return count;
}

// True for lines for people; live inputs are lines for a replay.
static bool is_for_people(const ib_Log *log, const ib_LogEvent *event)
{
    return strcmp(log->sources[event->source], IB_JOURNAL_SOURCE) != 0;
}

static int in_order(const void *a_, const void *b_)
{
    const ib_PlaybackEvent *a = a_, *b = b_;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    if ((a->line != NULL) != (b->line != NULL)) return a->line ? 1 : -1;
    if (a->line != b->line) return a->line < b->line ? -1 : 1; // both of one array
    return (a->series > b->series) - (a->series < b->series);
}

// Counts, for each change, those to the same meaning of the same series, itself included.
static bool count_times(ib_Playback *playback)
{
    ib_Arena scratch = {0};
    int series_count = playback->log->series_count, places = 0;
    int *first = ib_arena_array(&scratch, (size_t)series_count + 1, sizeof *first);
    for (int i = 0; first && i < series_count; i++) {
        const ib_Mode *mode = playback->log->series[i].means.mode;
        first[i] = places;
        if (mode) places += ib_mode_count(mode);
    }
    int *times = first ? ib_arena_array(&scratch, (size_t)places + 1, sizeof *times) : NULL;
    for (int64_t i = 0; times && i < playback->event_count; i++) {
        ib_PlaybackEvent *event = &playback->events[i];
        if (event->line) continue;
        const ib_Mode *mode = playback->log->series[event->series].means.mode;
        event->times = ++times[first[event->series] + ib_mode_place(mode, event->value)];
    }
    ib_arena_reset(&scratch);
    return times != NULL;
}

// Gathers the events by time: changes of modes in the series, and the recording's lines for people.
static bool gather_events(ib_Playback *playback, ib_Arena *arena)
{
    const ib_Log *log = playback->log;
    int64_t count = log->event_count;
    for (int i = 0; i < log->series_count; i++) count += find_changes(playback, i, NULL);
    playback->events = ib_arena_array(arena, (size_t)count + 1, sizeof *playback->events);
    if (!playback->events) return false;
    for (int i = 0; i < log->series_count; i++)
        playback->event_count +=
            find_changes(playback, i, playback->events + playback->event_count);
    for (int64_t i = 0; i < log->event_count; i++)
        if (is_for_people(log, &log->events[i]))
            playback->events[playback->event_count++] =
                (ib_PlaybackEvent){log->events[i].time, &log->events[i], -1, 0, 0};
    qsort(playback->events, (size_t)playback->event_count, sizeof *playback->events, in_order);
    return count_times(playback);
}

ib_Status ib_playback_init(ib_Playback *playback, const ib_Log *log, ib_Arena *arena,
                           ib_Error *error)
{
    *playback = (ib_Playback){.log = log};
    ib_Status status = find_span(playback, error);
    if (status != IB_OK) return status;
    const ib_SignalMeaning *first = NULL;
    for (int i = 0; i < log->series_count; i++) {
        const ib_SignalMeaning *means = &log->series[i].means;
        if (!means->mode) continue;
        if (!first) first = means;
        if (!ib_meaning_is_of(means, first->robot)) playback->several = true;
    }
    if (gather_events(playback, arena)) return IB_OK;
    return ib_error_set(error, IB_FAILED, "out of memory for a recording");
}

int64_t ib_playback_event_after(const ib_Playback *playback, ib_Time time)
{
    int64_t low = 0, high = playback->event_count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (playback->events[middle].time <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The kind of a line, by its first words as written by view/live.
static int kind_of_line(const char *text)
{
    static const struct {
        const char *start;
        int kind;
    } starts[] = {{"expectation ", IB_EVENT_EXPECTATION}, {"overrun: ", IB_EVENT_OVERRUN}};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (strncmp(text, starts[i].start, strlen(starts[i].start)) == 0) return starts[i].kind;
    return IB_EVENT_NOTE;
}

bool ib_playback_describe(const ib_Playback *playback, int64_t index, ib_FeedEvent *out)
{
    static const ib_ModeLevel levels[] = {IB_MODE_INFO, IB_MODE_WARNING, IB_MODE_ERROR};
    const ib_PlaybackEvent *event = &playback->events[index];
    *out =
        (ib_FeedEvent){.time = ib_time_to_seconds(event->time - playback->begin), .parameter = -1};
    if (event->line) {
        out->kind = kind_of_line(event->line->text);
        out->level = levels[event->line->level];
        snprintf(out->text, sizeof out->text, "%s", event->line->text);
        ib_utf8_clean(out->text);
        return true;
    }
    const ib_SignalMeaning *means = &playback->log->series[event->series].means;
    ib_ModeMeaning meaning = ib_mode_meaning(means->mode, event->value);
    out->kind = (int)means->mode->kind;
    out->level = meaning.level;
    out->signal = event->series;
    out->times = event->times;
    ib_mode_text(means, playback->several, meaning, out->text);
    return meaning.text[0] != '\0';
}

// ------------------------------------------------------------------------------------------ values

// Samples further apart than this many steps are not joined: the last value is kept.
#define JOINED 2.5

// A mode is held, a number is interpolated to the next sample, unless that is too far away.
static double value_at(const ib_Playback *playback, int index, ib_Time time)
{
    const ib_LogSeries *series = &playback->log->series[index];
    int64_t after = count_until(series->times, series->count, time);
    if (after == 0) return NAN;
    double value = series->values[after - 1];
    if (after == series->count || series->means.mode) return value;
    double gap = (double)(series->times[after] - series->times[after - 1]);
    double next = series->values[after], done = (double)(time - series->times[after - 1]);
    if (gap > JOINED * (double)playback->step || !isfinite(value) || !isfinite(next)) return value;
    return value + (next - value) * (done / gap);
}

void ib_playback_row(const ib_Playback *playback, ib_Time time, double *values)
{
    for (int i = 0; i < playback->log->series_count; i++) values[i] = value_at(playback, i, time);
}

typedef struct Column {
    const ib_Playback *playback;
    const ib_LogSeries *series;
} Column;

// The bounds between two samples of a recording are unknown.
static ib_Sample column_at(const void *self, int64_t i)
{
    const Column *column = self;
    float value = (float)column->series->values[i];
    double time = ib_time_to_seconds(column->series->times[i] - column->playback->begin);
    return (ib_Sample){time, value, value, value};
}

int ib_playback_history(const ib_Playback *playback, int index, ib_Time from, ib_Time to, int rows,
                        ib_Samples samples)
{
    const ib_LogSeries *series = &playback->log->series[index];
    int64_t first = from > INT64_MIN ? count_until(series->times, series->count, from - 1) : 0;
    int64_t count = count_until(series->times, series->count, to) - first;
    Column column = {playback, series};
    return ib_samples_thin(column_at, &column, first, count, rows, samples);
}
