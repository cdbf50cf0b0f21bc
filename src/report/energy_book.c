#include "report/energy_book.h"

#include "report/figures.h"
#include "report/html.h"
#include "report/plot/stack.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// -------------------------------------------------------------------------------------------- book

// The order of entries: energy given first, the balance last.
static int rank(ib_SignalRole role)
{
    if (ib_role_gives(role)) return 0;
    return role == IB_ROLE_STORED ? 1 : role == IB_ROLE_LOST ? 2 : 3;
}

// True for an entry of this balance.
static bool belongs(const ib_LogSeries *series, const ib_LogSeries *balance)
{
    size_t stem = ib_signal_stem(balance->name);
    return ib_role_books(series->means.role) && series->count > 0 &&
           ib_signal_stem(series->name) == stem && strncmp(series->name, balance->name, stem) == 0;
}

static const char *last_word(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

ib_EnergyBook ib_energy_book(ib_SeriesSet set, const ib_LogSeries *balance)
{
    ib_EnergyBook book = {.count = 0};
    if (balance->count == 0) return book;
    for (int turn = 0; turn < 4; turn++) {
        for (int i = 0; i < set.count; i++) {
            const ib_LogSeries *series = &set.items[i];
            ib_SignalRole role = series->means.role;
            if (!belongs(series, balance) || rank(role) != turn || book.count == IB_ENERGY_MOST)
                continue;
            double value = series->values[series->count - 1];
            book.entries[book.count++] =
                (ib_EnergyEntry){series, last_word(series->name), role, value, NAN};
            if (turn == 0) book.given += value;
        }
    }
    for (int i = 0; i < book.count && book.given > 0; i++)
        book.entries[i].share = book.entries[i].value / book.given;
    return book;
}

// -------------------------------------------------------------------------------------------- plot

static bool make_stack(const ib_EnergyBook *book, ib_Arena *arena, ib_PlotSeries *series,
                       int *count)
{
    ib_StackItem items[IB_ENERGY_MOST];
    const ib_LogSeries *base = book->entries[0].series;
    int used = 0;
    double *given = ib_arena_array(arena, (size_t)base->count, sizeof *given);
    ib_PlotSeries line;
    if (!given || !ib_series_curve(base, arena, &line)) return false;
    line.label = "given";
    line.unit = "J";
    line.y = given;
    for (int i = 0; i < book->count; i++) {
        const ib_EnergyEntry *entry = &book->entries[i];
        const double *values = ib_series_aligned(entry->series, base, arena);
        if (!values) return false;
        if (ib_role_gives(entry->role))
            for (int k = 0; k < line.count; k++) given[k] += values[k];
        else if (entry->role != IB_ROLE_BALANCE)
            items[used++] = (ib_StackItem){entry->name, values, entry->value};
    }
    *count = ib__stack_make(items, used, &line, arena, series);
    return *count > 0;
}

static void write_stack(const ib_EnergyBook *book, const char *title, ib_Text *html)
{
    ib_Arena arena = {0};
    ib_PlotSeries series[IB_STACK_SERIES];
    ib_Plot plot = ib_plot_default();
    plot.title = title;
    plot.series = series;
    if (make_stack(book, &arena, series, &plot.series_count))
        ib__figures_draw(&plot,
                         "The energy given so far (the line) and what it has "
                         "become, one band upon another: what is stored can come back, what is "
                         "lost cannot.",
                         html);
    else
        html->failed = true;
    ib_arena_reset(&arena);
}

// ----------------------------------------------------------------------------------------- section

bool ib__energy_present(const ib_Report *report)
{
    for (int i = 0; i < report->series.count; i++) {
        const ib_LogSeries *series = &report->series.items[i];
        if (series->means.role == IB_ROLE_BALANCE && series->count > 0) return true;
    }
    return false;
}

static const char *role_word(ib_SignalRole role)
{
    static const char *const words[] = {"given", "stored", "lost", "off by"};
    return words[rank(role)];
}

static bool zero_throughout(const ib_LogSeries *series)
{
    for (int64_t i = 0; i < series->count; i++)
        if (series->values[i] != 0) return false;
    return true;
}

// An entry below a millionth of the energy given is written as zero, except the balance.
static void write_entry(const ib_EnergyEntry *entry, ib_Text *html)
{
    bool gives = ib_role_gives(entry->role), balance = entry->role == IB_ROLE_BALANCE;
    bool nothing = !balance && fabs(entry->share) < 1e-6;
    ib_text_add(html, gives ? "<tr class=\"changed\">" : "<tr>");
    ib__html_element(html, gives ? "td class=\"value\"" : "td", entry->name);
    ib__html_cell(html, role_word(entry->role));
    ib_text_format(
        html, balance ? "<td class=\"number\">%.1e J</td>" : "<td class=\"number\">%.5g J</td>",
        nothing ? 0 : entry->value);
    if (!isfinite(entry->share))
        ib_text_add(html, "<td class=\"number\">–</td>");
    else if (balance)
        ib_text_format(html, "<td class=\"number\">%.1e</td>", entry->share);
    else
        ib_text_format(html, "<td class=\"number\">%.2f %%</td>", 100 * entry->share);
    ib__html_cell(html, entry->series->sentence ? entry->series->sentence : "");
    ib_text_add(html, "</tr>\n");
}

// Entries that never were anything are left out.
static void write_book(const ib_EnergyBook *book, ib_Text *html)
{
    static const char *const headings[] = {"Energy",     "",  "#at the end", "#of what was given",
                                           "What it is", NULL};
    ib__html_table(html, headings);
    for (int i = 0; i < book->count; i++) {
        const ib_EnergyEntry *entry = &book->entries[i];
        if (entry->role == IB_ROLE_BALANCE || !zero_throughout(entry->series))
            write_entry(entry, html);
    }
    ib__html_table_end(html);
}

// "red", or "lift" of a mechanism's book; "" of the only robot's. Books of something else than
// `energy` say so: "lift.heat".
static void name_book(const ib_LogSeries *balance, char *name, size_t size)
{
    char stem[128];
    snprintf(stem, sizeof stem, "%.*s", (int)ib_signal_stem(balance->name), balance->name);
    size_t owner = ib_signal_stem(stem);
    bool plain = strcmp(stem + owner + (owner > 0), "energy") == 0;
    snprintf(name, size, "%.*s", (int)(plain ? owner : strlen(stem)), stem);
}

// Books of robots, or of their parts.
static void write_books(const ib_Report *report, bool parts, const char *trouble, ib_Text *html)
{
    for (int i = 0; i < report->series.count; i++) {
        const ib_LogSeries *balance = &report->series.items[i];
        if (balance->means.role != IB_ROLE_BALANCE || (balance->means.part != NULL) != parts)
            continue;
        ib_EnergyBook book = ib_energy_book(report->series, balance);
        char name[128], title[192];
        name_book(balance, name, sizeof name);
        snprintf(title, sizeof title, "Where the energy went%s%s", name[0] ? ", " : "", name);
        if (book.count == 0) continue;
        if (name[0]) ib__html_element(html, "h3", name);
        if (!trouble && !parts) write_stack(&book, title, html);
        write_book(&book, html);
    }
}

void ib__energy_write(const ib_Report *report, const char *trouble, ib_Text *html)
{
    ib__html_section(html, "energy", "Energy balance");
    write_books(report, false, trouble, html);
    write_books(report, true, trouble, html);
    ib__html_element(html, "p class=\"soft\"",
                     "What is given is stored, lost or handed on to another balance; the "
                     "error, which went nowhere, shows how exact the run is.");
    ib__html_section_end(html);
}
