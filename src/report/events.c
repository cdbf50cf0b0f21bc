#include "report/events.h"

#include "report/html.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ------------------------------------------------------------------------- changes between samples

// Changes of one series into `changes` (NULL: only counted); returns how many.
static int find_changes(ib_SeriesSet set, int place, ib_ModeChange *changes)
{
    const ib_LogSeries *series = &set.items[place];
    const ib_Mode *mode = series->means.mode;
    int count = 0;
    for (int64_t i = 1; mode && i < series->count && count < INT_MAX / 2; i++) {
        double before = series->values[i - 1], after = series->values[i];
        if (!ib_mode_differs(mode, before, after)) continue;
        if (changes) changes[count] = (ib_ModeChange){series->times[i], place, before, after};
        count++;
    }
    return count;
}

// Orders events by time; at one time by their signals.
static int in_order(const void *a_, const void *b_)
{
    const ib_ModeChange *a = a_, *b = b_;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    return a->signal - b->signal;
}

const ib_ModeChange *ib_mode_changes(ib_SeriesSet set, ib_Arena *arena, int *count)
{
    size_t room = 0, used = 0;
    *count = 0;
    for (int i = 0; i < set.count; i++) room += (size_t)find_changes(set, i, NULL);
    if (room == 0 || room > INT_MAX) return NULL;
    ib_ModeChange *changes = ib_arena_array(arena, room, sizeof *changes);
    if (!changes) return NULL;
    for (int i = 0; i < set.count; i++) used += (size_t)find_changes(set, i, changes + used);
    qsort(changes, used, sizeof *changes, in_order);
    *count = (int)used;
    return changes;
}

// -------------------------------------------------------------------------- from changes to events

// Rows of equal changes that a change may continue, one for each signal and each meaning of its
// mode: the event that it has come to, -1: none.
typedef struct Rows {
    int *items;
    int *first; ///< of each signal
} Rows;

static bool make_rows(const ib_SignalMeaning *const *means, int signal_count, ib_Arena *arena,
                      Rows *rows)
{
    int count = 0;
    rows->first = ib_arena_array(arena, (size_t)signal_count, sizeof *rows->first);
    for (int i = 0; rows->first && i < signal_count; i++) {
        rows->first[i] = count;
        if (means[i]->mode) count += ib_mode_count(means[i]->mode);
    }
    rows->items = ib_arena_array(arena, (size_t)count, sizeof *rows->items);
    for (int i = 0; rows->items && i < count; i++) rows->items[i] = -1;
    return rows->first && rows->items;
}

static int *row_of(const Rows *rows, const ib_Mode *mode, const ib_ModeChange *change)
{
    int place = ib_mode_place(mode, ib_mode_value(mode, change->after));
    return &rows->items[rows->first[change->signal] + place];
}

static void extend(ib_ModeEvent *event, const ib_ModeChange *change)
{
    ib_Time pause = change->time - event->last;
    event->shortest = event->count == 1 ? pause : ib_time_min(event->shortest, pause);
    event->longest = pause > event->longest ? pause : event->longest;
    event->last = change->time;
    bool same = event->count == 1 || change->before == event->others;
    event->others = same ? change->before : (double)NAN;
    event->grows |= change->after != event->after;
    event->after = change->after;
    event->count++;
}

static ib_ModeEvent single(const ib_ModeChange *change, const ib_Mode *mode)
{
    return (ib_ModeEvent){.signal = change->signal,
                          .meaning = ib_mode_meaning(mode, ib_mode_value(mode, change->after)),
                          .first = change->time,
                          .last = change->time,
                          .count = 1,
                          .before = change->before,
                          .others = (double)NAN,
                          .after = change->after};
}

// Joins every change to its row; `event_of` says which event each has become a part of.
static void join_rows(const ib_ModeChange *changes, int count, const ib_SignalMeaning *const *means,
                      const Rows *rows, ib_ModeEvent *events, int *event_of)
{
    int made = 0;
    for (int i = 0; i < count; i++) {
        const ib_Mode *mode = means[changes[i].signal]->mode;
        int *row = row_of(rows, mode, &changes[i]);
        if (*row >= 0 && changes[i].time - events[*row].last <= IB_EVENTS_PAUSE) {
            extend(&events[*row], &changes[i]);
        } else {
            *row = made;
            events[made++] = single(&changes[i], mode);
        }
        event_of[i] = *row;
    }
}

const ib_ModeEvent *ib_mode_events(const ib_ModeChange *changes, int change_count,
                                   const ib_SignalMeaning *const *means, int signal_count,
                                   ib_Arena *arena, int *count)
{
    *count = 0;
    size_t room = (size_t)change_count;
    Rows rows;
    bool made = make_rows(means, signal_count, arena, &rows);
    ib_ModeEvent *joined = ib_arena_array(arena, room, sizeof *joined);
    ib_ModeEvent *events = ib_arena_array(arena, room, sizeof *events);
    int *event_of = ib_arena_array(arena, room, sizeof *event_of);
    if (change_count == 0 || !made || !joined || !events || !event_of) return NULL;
    join_rows(changes, change_count, means, &rows, joined, event_of);

    // Few of a kind are listed one by one, many at the time of the first.
    for (int i = 0, begun = 0; i < change_count; i++) {
        const ib_ModeEvent *event = &joined[event_of[i]];
        bool first = event_of[i] == begun;
        begun += first;
        if (event->count < IB_EVENTS_REPEATS)
            events[(*count)++] = single(&changes[i], means[changes[i].signal]->mode);
        else if (first)
            events[(*count)++] = *event;
    }
    return events;
}

// "21 ms", "1.2 s"
static int put_time(double seconds, char *text, size_t size)
{
    if (seconds < 0.9995) return snprintf(text, size, "%.3g ms", 1e3 * seconds);
    return snprintf(text, size, "%.3g s", seconds);
}

void ib_mode_event_rhythm(const ib_ModeEvent *event, char *text, size_t size)
{
    char low[32], high[32];
    text[0] = '\0';
    if (event->count < 2) return;
    double span = ib_time_to_seconds(event->last - event->first);
    put_time(ib_time_to_seconds(event->shortest), low, sizeof low);
    put_time(ib_time_to_seconds(event->longest), high, sizeof high);
    bool even = (double)event->longest <= 1.1 * (double)event->shortest;
    if (even) put_time(span / (event->count - 1), low, sizeof low);
    snprintf(text, size, "%d times, every %s%s%s", event->count, low, even ? "" : " to ",
             even ? "" : high);
}

void ib_mode_event_before(const ib_ModeEvent *event, char *text, size_t size)
{
    if (event->count == 1 || event->grows || event->before == event->others)
        snprintf(text, size, "%.6g", event->before);
    else if (isnan(event->others))
        snprintf(text, size, "several");
    else
        snprintf(text, size, "%.6g, then %.6g", event->before, event->others);
}

// ----------------------------------------------------------------------------------------- section

// Known events of a report: from the solver, or else from the recording.
typedef struct Found {
    const char *const *names;
    const ib_SignalMeaning *const *means;
    int signal_count;
    const ib_ModeEvent *events;
    int *nth; ///< of each event: 0 the first of its signal, 1 the second …
    int count;
    int changes; ///< in all events together
} Found;

bool ib__events_present(const ib_Report *report)
{
    for (int i = 0; i < report->series.count; i++)
        if (report->series.items[i].means.mode) return true;
    return report->changes && report->changes->watched_count > 0;
}

static Found find_events(const ib_Report *report, ib_Arena *arena)
{
    bool solved = report->changes != NULL;
    int signals = solved ? report->signal_count : report->series.count, count = 0;
    const char **names = ib_arena_array(arena, (size_t)signals, sizeof *names);
    const ib_SignalMeaning **means = ib_arena_array(arena, (size_t)signals, sizeof *means);
    if (!names || !means) return (Found){0};
    for (int i = 0; i < signals; i++) {
        names[i] = solved ? report->signals[i].name : report->series.items[i].name;
        means[i] = solved ? &report->signals[i].means : &report->series.items[i].means;
    }
    const ib_ModeChange *changes =
        solved ? report->changes->items : ib_mode_changes(report->series, arena, &count);
    if (solved) count = report->changes->count;
    Found found = {.names = names, .means = means, .signal_count = signals, .changes = count};
    found.events = ib_mode_events(changes, count, means, signals, arena, &found.count);
    found.nth = ib_arena_array(arena, (size_t)found.count, sizeof *found.nth);
    int *seen = ib_arena_array(arena, (size_t)signals, sizeof *seen);
    if (!found.nth || !seen) return (Found){0};
    for (int i = 0; i < found.count; i++) found.nth[i] = seen[found.events[i].signal]++;
    return found;
}

// Number of events among the first `each` of their signals.
static int count_first(const Found *found, int each)
{
    int sum = 0;
    for (int i = 0; i < found->count; i++) sum += found->nth[i] < each;
    return sum;
}

static void write_event(const Found *found, const ib_ModeEvent *event, ib_Text *html)
{
    char what[160], rhythm[96], before[64];
    ib_text_format(html, "<tr><td class=\"number\">%.3f s", ib_time_to_seconds(event->first));
    if (event->count > 1) ib_text_format(html, " to %.3f s", ib_time_to_seconds(event->last));
    ib_text_add(html, "</td><td>");
    ib_mode_sentence(event->meaning, NULL, found->means[event->signal]->part, what, sizeof what);
    if (event->meaning.text[0]) ib_text_escape(html, what);
    ib_mode_event_rhythm(event, rhythm, sizeof rhythm);
    if (rhythm[0]) ib_text_format(html, "%s%s", event->meaning.text[0] ? ": " : "", rhythm);
    ib_text_add(html, "</td>");
    ib__html_element(html, "td class=\"name\"", found->names[event->signal]);
    ib_mode_event_before(event, before, sizeof before);
    ib__html_element(html, "td class=\"number\"", before);
    ib__html_number(html, event->after, "");
    ib_text_add(html, "</tr>\n");
}

// "… and 12 more: contact.hits 9, compressor.running 3".
static void write_rest(const Found *found, int each, int told, ib_Text *html)
{
    ib_text_format(html, "<p>… and %d more:", found->changes - told);
    const char *between = " ";
    for (int i = 0; i < found->signal_count; i++) {
        int more = 0;
        for (int k = 0; k < found->count; k++)
            if (found->events[k].signal == i && found->nth[k] >= each)
                more += found->events[k].count;
        if (more == 0) continue;
        ib_text_add(html, between);
        ib_text_escape(html, found->names[i]);
        ib_text_format(html, " %d", more);
        between = ", ";
    }
    ib_text_add(html, ".</p>\n");
}

static void write_table(const Found *found, ib_Text *html)
{
    static const char *const headings[] = {"#time", "What happened", "Signal",
                                           "#from", "#to",           NULL};
    int each = IB_EVENTS_SHOWN, shown = 0, told = 0;
    while (each > 1 && count_first(found, each) > IB_EVENTS_SHOWN) each--;
    ib__html_table(html, headings);
    for (int i = 0; i < found->count && shown < IB_EVENTS_SHOWN; i++) {
        if (found->nth[i] >= each) continue;
        write_event(found, &found->events[i], html);
        told += found->events[i].count;
        shown++;
    }
    ib__html_table_end(html);
    if (told < found->changes) write_rest(found, each, told, html);
}

// Writes the source of the times, and their limits.
static void write_origin(const ib_Report *report, ib_Text *html)
{
    if (!report->changes) {
        ib__html_element(html, "p class=\"soft\"",
                         "Times are those of the first recorded sample after the change; what came "
                         "and went between two samples is not listed.");
        return;
    }
    ib__html_element(html, "p class=\"soft\"",
                     "Times are those of the solver: every change is counted, however short.");
    if (report->changes->untold > 0)
        ib_text_format(html, "<p>The first %d changes are listed; %lld more came after them.</p>\n",
                       report->changes->count, (long long)report->changes->untold);
}

void ib__events_write(const ib_Report *report, ib_Text *html)
{
    ib_Arena arena = {0};
    Found found = find_events(report, &arena);
    ib__html_section(html, "events", "Events");
    if (found.count == 0) {
        ib__html_element(html, "p", "Nothing switched in this run.");
    } else {
        write_table(&found, html);
        write_origin(report, html);
    }
    ib__html_section_end(html);
    ib_arena_reset(&arena);
}
