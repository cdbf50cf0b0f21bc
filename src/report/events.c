#include "report/events.h"

#include "report/html.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

// Changes of one series into `changes` (NULL: only counted); returns how many.
static int find_changes(const ib_LogSeries *series, ib_ModeChange *changes)
{
    const ib_Mode *mode = series->means.mode;
    int count = 0;
    for (int64_t i = 1; mode && i < series->count && count < INT_MAX / 2; i++) {
        double before = series->values[i - 1], after = series->values[i];
        if (!isfinite(before) || !isfinite(after)) continue;
        double seen = ib_mode_value(mode, after);
        if (ib_mode_value(mode, before) == seen) continue;
        if (changes)
            changes[count] = (ib_ModeChange){series->times[i], series, count,
                                             before,           after,  ib_mode_meaning(mode, seen)};
        count++;
    }
    return count;
}

// By time; at one time in the order of the signals.
static int in_order(const void *a_, const void *b_)
{
    const ib_ModeChange *a = a_, *b = b_;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    return (a->series > b->series) - (a->series < b->series);
}

const ib_ModeChange *ib_mode_changes(ib_SeriesSet set, ib_Arena *arena, int *count)
{
    size_t room = 0, used = 0;
    *count = 0;
    for (int i = 0; i < set.count; i++) room += (size_t)find_changes(&set.items[i], NULL);
    if (room == 0 || room > INT_MAX) return NULL;
    ib_ModeChange *changes = ib_arena_array(arena, room, sizeof *changes);
    if (!changes) return NULL;
    for (int i = 0; i < set.count; i++) used += (size_t)find_changes(&set.items[i], changes + used);
    qsort(changes, used, sizeof *changes, in_order);
    *count = (int)used;
    return changes;
}

// ----------------------------------------------------------------------------------------- section

bool ib__events_present(const ib_Report *report)
{
    for (int i = 0; i < report->series.count; i++)
        if (report->series.items[i].means.mode) return true;
    return false;
}

// How many changes are among the first `each` of their signals.
static int count_first(const ib_ModeChange *changes, int count, int each)
{
    int sum = 0;
    for (int i = 0; i < count; i++) sum += changes[i].nth < each;
    return sum;
}

static void write_change(const ib_ModeChange *change, ib_Text *html)
{
    ib_text_format(html, "<tr><td class=\"number\">%.3f s</td>", ib_time_to_seconds(change->time));
    char what[160];
    ib_mode_sentence(change->meaning, NULL, change->series->means.part, what, sizeof what);
    ib__html_cell(html, change->meaning.text[0] ? what : "");
    ib__html_element(html, "td class=\"name\"", change->series->name);
    ib__html_number(html, change->before, "");
    ib__html_number(html, change->after, "");
    ib_text_add(html, "</tr>\n");
}

// "… and 12 more: contact.hits 9, compressor.running 3".
static void write_rest(const ib_Report *report, const ib_ModeChange *changes, int count, int each,
                       int shown, ib_Text *html)
{
    ib_text_format(html, "<p>… and %d more:", count - shown);
    const char *between = " ";
    for (int i = 0; i < report->series.count; i++) {
        int more = 0;
        for (int k = 0; k < count; k++)
            more += changes[k].series == &report->series.items[i] && changes[k].nth >= each;
        if (more == 0) continue;
        ib_text_add(html, between);
        ib_text_escape(html, report->series.items[i].name);
        ib_text_format(html, " %d", more);
        between = ", ";
    }
    ib_text_add(html, ".</p>\n");
}

static void write_table(const ib_Report *report, const ib_ModeChange *changes, int count,
                        ib_Text *html)
{
    static const char *const headings[] = {"#time", "What happened", "Signal",
                                           "#from", "#to",           NULL};
    int each = IB_EVENTS_SHOWN, shown = 0;
    while (each > 1 && count_first(changes, count, each) > IB_EVENTS_SHOWN) each--;
    ib__html_table(html, headings);
    for (int i = 0; i < count && shown < IB_EVENTS_SHOWN; i++) {
        if (changes[i].nth >= each) continue;
        write_change(&changes[i], html);
        shown++;
    }
    ib__html_table_end(html);
    if (shown < count) write_rest(report, changes, count, each, shown, html);
}

void ib__events_write(const ib_Report *report, ib_Text *html)
{
    ib_Arena arena = {0};
    int count;
    const ib_ModeChange *changes = ib_mode_changes(report->series, &arena, &count);
    ib__html_section(html, "events", "Events");
    if (count == 0)
        ib__html_element(html, "p", "Nothing switched in this run.");
    else {
        write_table(report, changes, count, html);
        ib__html_element(html, "p class=\"soft\"",
                         "Times are those of the first recorded sample after the change; what came "
                         "and went between two samples is not listed.");
    }
    ib__html_section_end(html);
    ib_arena_reset(&arena);
}
