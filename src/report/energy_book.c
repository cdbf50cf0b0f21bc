#include "report/energy_book.h"

#include "report/figures.h"
#include "report/html.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------- book

// "copper" of "red.energy.copper"; NULL: not of this robot, or no energy.
static const char *energy_name(const ib_LogSeries *series, const char *prefix)
{
    size_t length = strlen(prefix);
    const char *name = series->name;
    if (length > 0 && (strncmp(name, prefix, length) != 0 || name[length] != '.')) return NULL;
    name += length > 0 ? length + 1 : 0;
    return strncmp(name, "energy.", 7) == 0 && series->count > 0 ? name + 7 : NULL;
}

// Those that give first, the error last.
static int rank(const char *name)
{
    static const char *const giving[] = {"battery", "push", "payload"};
    for (int i = 0; i < 3; i++)
        if (strcmp(name, giving[i]) == 0) return 0;
    return strcmp(name, "error") == 0 ? 2 : 1;
}

ib_EnergyBook ib_energy_book(ib_SeriesSet set, const char *prefix)
{
    ib_EnergyBook book = {.count = 0};
    if (!ib_series_find(set, prefix, "energy.battery") ||
        !ib_series_find(set, prefix, "energy.error"))
        return book;
    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; i < set.count; i++) {
            const ib_LogSeries *series = &set.items[i];
            const char *name = energy_name(series, prefix);
            if (!name || rank(name) != turn || book.count == IB_ENERGY_MOST) continue;
            double value = series->values[series->count - 1];
            book.entries[book.count++] =
                (ib_EnergyEntry){series, name, value, NAN, .gives = turn == 0};
            if (turn == 0) book.given += value;
        }
    }
    for (int i = 0; i < book.count && book.given > 0; i++)
        book.entries[i].share = book.entries[i].value / book.given;
    return book;
}

// ------------------------------------------------------------------------------------------- plot

enum { BANDS = 5 }; // of their own; the smaller ones share one

// The largest entries that are no source and no error, largest last value first; how many.
static int choose_bands(const ib_EnergyBook *book, const ib_EnergyEntry **bands)
{
    int count = 0;
    for (int i = 0; i < book->count - 1; i++) {
        const ib_EnergyEntry *entry = &book->entries[i];
        if (entry->gives || !(entry->value > 0)) continue;
        int at = count < BANDS ? count++ : BANDS;
        for (; at > 0 && bands[at - 1]->value < entry->value; at--)
            if (at < BANDS) bands[at] = bands[at - 1];
        if (at < BANDS) bands[at] = entry;
    }
    return count;
}

// Sum over time of the entries that give (or of those that do not), the error left out.
static bool sum_up(const ib_EnergyBook *book, bool gives, const ib_LogSeries *base, ib_Arena *arena,
                   double *sum)
{
    for (int i = 0; i < book->count - 1; i++) {
        if (book->entries[i].gives != gives) continue;
        const double *values = ib_series_aligned(book->entries[i].series, base, arena);
        if (!values) return false;
        for (int64_t k = 0; k < base->count; k++) sum[k] += values[k];
    }
    return true;
}

static ib_PlotSeries area(const ib_PlotSeries *curve, const char *label, int colour,
                          const double *top)
{
    ib_PlotSeries made = *curve;
    made.label = label;
    made.style = IB_PLOT_AREA;
    made.colour = colour;
    made.y = top;
    return made;
}

// Bands from the top of the stack down, each filled to zero, so that the next covers its lower
// part: all together, then without the small ones, then without the next band …
static bool make_stack(const ib_EnergyBook *book, ib_Arena *arena, ib_PlotSeries *series,
                       int *count)
{
    const ib_EnergyEntry *bands[BANDS];
    const ib_LogSeries *base = book->entries[0].series;
    int band_count = choose_bands(book, bands);
    size_t rows = (size_t)base->count;
    double *memory = ib_arena_array(arena, (BANDS + 2) * rows, sizeof *memory);
    ib_PlotSeries curve;
    if (!memory || !ib_series_curve(base, arena, &curve)) return false;
    curve.unit = "J";

    double *given = memory, *all = memory + rows;
    if (!sum_up(book, true, base, arena, given) || !sum_up(book, false, base, arena, all))
        return false;
    *count = 0;
    double rest = all[rows - 1];
    for (int b = 0; b < band_count; b++) rest -= bands[b]->value;
    if (rest > 1e-3 * fabs(given[rows - 1]))
        series[(*count)++] = area(&curve, "all others", BANDS + 1, all);
    for (int b = band_count - 1; b >= 0; b--) {
        // Each is the sum of the bands 0 to b.
        double *top = memory + (size_t)(b + 2) * rows;
        for (int k = 0; k <= b; k++) {
            const double *values = ib_series_aligned(bands[k]->series, base, arena);
            if (!values) return false;
            for (size_t i = 0; i < rows; i++) top[i] += values[i];
        }
        series[(*count)++] = area(&curve, bands[b]->name, b + 1, top);
    }
    curve.label = "given";
    curve.colour = BANDS + 2;
    curve.y = given;
    series[(*count)++] = curve;
    return true;
}

static void write_stack(const ib_EnergyBook *book, int figure, const char *title, ib_Text *html)
{
    ib_Arena arena = {0};
    ib_PlotSeries series[BANDS + 2];
    ib_Plot plot = ib_plot_default();
    plot.title = title;
    plot.series = series;
    if (make_stack(book, &arena, series, &plot.series_count))
        ib__figures_draw(&plot, figure,
                         "The energy given so far (black line) and what it has "
                         "become, one band upon another: what is stored can come back, what is "
                         "lost cannot.",
                         html);
    else
        html->failed = true;
    ib_arena_reset(&arena);
}

// ---------------------------------------------------------------------------------------- section

bool ib__energy_present(const ib_Report *report)
{
    for (int i = 0; i < report->robot_count; i++)
        if (ib_energy_book(report->series, report->robots[i].name).count > 0) return true;
    return false;
}

static void write_book(const ib_EnergyBook *book, ib_Text *html)
{
    static const char *const headings[] = {"Energy", "#at the end", "#of what was given",
                                           "What it is", NULL};
    ib__html_table(html, headings);
    for (int i = 0; i < book->count; i++) {
        const ib_EnergyEntry *entry = &book->entries[i];
        bool error = i + 1 == book->count;
        ib_text_add(html, entry->gives ? "<tr class=\"changed\">" : "<tr>");
        ib__html_element(html, entry->gives ? "td class=\"value\"" : "td", entry->name);
        ib__html_number(html, entry->value, "J");
        if (!isfinite(entry->share))
            ib_text_add(html, "<td class=\"number\">–</td>");
        else if (error)
            ib_text_format(html, "<td class=\"number\">%.1e</td>", entry->share);
        else
            ib_text_format(html, "<td class=\"number\">%.2f %%</td>", 100 * entry->share);
        ib__html_cell(html, entry->series->sentence ? entry->series->sentence : "");
        ib_text_add(html, "</tr>\n");
    }
    ib__html_table_end(html);
}

void ib__energy_write(const ib_Report *report, const char *trouble, ib_Text *html)
{
    ib__html_section(html, "energy", "Energy book");
    for (int i = 0; i < report->robot_count; i++) {
        const char *name = report->robots[i].name;
        ib_EnergyBook book = ib_energy_book(report->series, name);
        if (book.count == 0) continue;
        char title[128];
        snprintf(title, sizeof title, "Where the energy went%s%.60s", name[0] ? ", " : "", name);
        if (name[0]) ib__html_element(html, "h3", name);
        if (!trouble) write_stack(&book, IB_FIGURE_ENERGY + i, title, html);
        write_book(&book, html);
    }
    ib__html_section_end(html);
}
