#include "report/load_use.h"

#include "base/extreme.h"
#include "report/figures.h"
#include "report/html.h"
#include "report/plot/stack.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --------------------------------------------------------------------------------------------- use

// "drive.left" of "red.drive.left.supply".
static void name_load(const ib_LogSeries *series, ib_LoadUse *use)
{
    const char *robot = series->means.robot;
    size_t skip = robot && robot[0] ? strlen(robot) + 1 : 0, stem = ib_signal_stem(series->name);
    int length = stem > skip ? (int)(stem - skip) : (int)strlen(series->name + skip);
    snprintf(use->name, sizeof use->name, "%.*s", length, series->name + skip);
}

// The sums over all steps; NULL: none were kept.
static const ib_LoadSum *metered(const ib_Report *report, const ib_LogSeries *series)
{
    for (int i = 0; report->meter && i < report->meter->count; i++) {
        const ib_MeterItem *item = &report->meter->items[i];
        if (strcmp(report->signals[item->signal].name, series->name) == 0) return &item->sum;
    }
    return NULL;
}

// Between two samples all is a straight line.
static ib_LoadSum add_up(const ib_LogSeries *series, const ib_LogSeries *voltage)
{
    ib_LoadSum sum = {0};
    for (int64_t i = 1; i < series->count; i++) {
        double volts[2] = {NAN, NAN};
        for (int k = 0; voltage && k < 2; k++)
            volts[k] = ib_series_value(voltage, series->times[i - 1 + k]);
        ib_load_add(&sum, series->values[i - 1], series->values[i], volts[0], volts[1],
                    ib_time_to_seconds(series->times[i] - series->times[i - 1]));
    }
    return sum;
}

// The largest value of all steps, if known.
static double peak_of(const ib_Report *report, const ib_LogSeries *series)
{
    double peak = NAN; // ib_max passes over it
    for (int i = 0; i < report->signal_count; i++)
        if (strcmp(report->signals[i].name, series->name) == 0) return report->signals[i].max;
    for (int64_t i = 0; i < series->count; i++) peak = ib_max(peak, series->values[i]);
    return peak;
}

static ib_LoadUse use_of(const ib_Report *report, const ib_LogSeries *series,
                         const ib_LogSeries *voltage)
{
    ib_LoadUse use = {.series = series, .peak = peak_of(report, series)};
    const ib_LoadSum *sum = metered(report, series);
    double span = ib_time_to_seconds(series->times[series->count - 1] - series->times[0]);
    use.sum = sum ? *sum : add_up(series, voltage);
    use.mean = span > 0 ? use.sum.charge / span : series->values[0];
    name_load(series, &use);
    return use;
}

int ib_load_uses(const ib_Report *report, const char *robot, ib_LoadUse uses[IB_LOADS_MOST])
{
    ib_SeriesSet set = report->series;
    const ib_LogSeries *voltage = ib_series_role(set, robot, IB_ROLE_SUPPLY_VOLTAGE);
    int count = 0;
    for (int i = 0; i < set.count && count < IB_LOADS_MOST; i++) {
        const ib_LogSeries *series = &set.items[i];
        if (series->means.role != IB_ROLE_LOAD || !ib_meaning_is_of(&series->means, robot) ||
            series->count == 0)
            continue;
        ib_LoadUse use = use_of(report, series, voltage);
        int at = count++;
        for (; at > 0 && uses[at - 1].sum.charge < use.sum.charge; at--) uses[at] = uses[at - 1];
        uses[at] = use;
    }
    return count;
}

// -------------------------------------------------------------------------------------------- plot

// A long run is drawn as the means of equal windows: its peaks, side by side, would hide all else.
enum { WINDOWS = 150, FEW = 10 * WINDOWS };

void ib__window_means(const double *x, const double *y, int count, int windows, double *means)
{
    double start = x[0], width = (x[count - 1] - start) / windows;
    for (int w = 0; w < windows; w++) means[w] = 0;
    for (int i = 1, w = 0; i < count; i++) {
        double from = x[i - 1], span = x[i] - from;
        double slope = span > 0 ? (y[i] - y[i - 1]) / span : 0;
        for (;; w++) {
            bool last = w == windows - 1;
            double end = start + (w + 1) * width, to = last ? x[i] : ib_min(x[i], end);
            means[w] += (to - from) / width * (y[i - 1] + slope * ((from + to) / 2 - x[i - 1]));
            from = to;
            if (last || to < end) break;
        }
    }
}

static const double *in_windows(const double *x, const double *y, int count, ib_Arena *arena)
{
    double *means = ib_arena_array(arena, WINDOWS, sizeof *means);
    if (means) ib__window_means(x, y, count, WINDOWS, means);
    return means;
}

// Current drawn by a load; current fed back would stand below the others and is left out.
static const double *drawn(const ib_LogSeries *series, const ib_LogSeries *base, ib_Arena *arena)
{
    const double *values = ib_series_aligned(series, base, arena);
    const double *x = ib_series_seconds(base, arena);
    double *only = ib_arena_array(arena, (size_t)base->count, sizeof *only);
    if (!values || !x || !only) return NULL;
    for (int64_t i = 0; i < base->count; i++) only[i] = ib_max(values[i], 0);
    return base->count > FEW ? in_windows(x, only, (int)base->count, arena) : only;
}

// The supply's own current over time, in windows if it is long.
static bool make_line(const ib_LogSeries *current, ib_Arena *arena, ib_PlotSeries *line)
{
    if (!ib_series_curve(current, arena, line)) return false;
    line->label = "the supply";
    line->unit = "A"; // of the role, as the loads are
    line->y = current->values;
    if (line->count <= FEW) return true;
    const double *x = line->x;
    line->x = in_windows(x, x, line->count, arena);
    line->y = in_windows(x, line->y, line->count, arena);
    line->count = WINDOWS;
    return line->x && line->y;
}

static void write_stack(const ib_LoadUse *uses, int count, const ib_LogSeries *current,
                        const char *robot, ib_Text *html)
{
    ib_Arena arena = {0};
    ib_StackItem items[IB_LOADS_MOST];
    ib_PlotSeries series[IB_STACK_SERIES], line;
    ib_Plot plot = ib_plot_default();
    bool good = make_line(current, &arena, &line), means = current->count > FEW;
    for (int i = 0; good && i < count; i++) {
        items[i] = (ib_StackItem){uses[i].name, drawn(uses[i].series, current, &arena),
                                  uses[i].sum.charge + uses[i].sum.fed_back};
        good = items[i].values != NULL;
    }
    double window = ib_time_to_seconds(current->times[current->count - 1]) / WINDOWS;
    char title[160], mean[48] = "";
    if (means) snprintf(mean, sizeof mean, ": means of %.3g s each", window);
    snprintf(title, sizeof title, "Who drew what%s%.60s%s", robot[0] ? ", " : "", robot, mean);
    plot.title = title;
    plot.series = series;
    if (good) plot.series_count = ib__stack_make(items, count, &line, &arena, series);
    if (plot.series_count > 0)
        ib__figures_draw(&plot,
                         "Current of the supply (the line) and what each load draws of it, one "
                         "band upon another. Where the line runs below the bands, somebody feeds "
                         "back what others draw.",
                         html);
    else
        html->failed = true;
    ib_arena_reset(&arena);
}

// ----------------------------------------------------------------------------------------- section

static bool has_loads(const ib_Report *report, const char *robot)
{
    const ib_LogSeries *current = ib_series_role(report->series, robot, IB_ROLE_SUPPLY_CURRENT);
    const ib_LogSeries *load = ib_series_role(report->series, robot, IB_ROLE_LOAD);
    return load && load->count > 1 && current && current->count > 1;
}

bool ib__loads_present(const ib_Report *report)
{
    for (int i = 0; i < report->robot_count; i++)
        if (has_loads(report, report->robots[i].name)) return true;
    return false;
}

static void write_number(ib_Text *html, const char *format, double value, const char *unit)
{
    char text[48];
    snprintf(text, sizeof text, format, value);
    if (isfinite(value))
        ib_text_format(html, "<td class=\"number\">%s %s</td>", text, unit);
    else
        ib_text_add(html, "<td class=\"number\">–</td>");
}

static void write_use(const ib_LoadUse *use, const char *name, double all, bool total,
                      ib_Text *html)
{
    ib_text_add(html, total ? "<tr class=\"total\">" : "<tr>");
    ib__html_element(html, total ? "td" : "td class=\"name\"", name);
    write_number(html, "%.1f", use->peak, "A");
    write_number(html, "%.2f", use->mean, "A");
    write_number(html, "%.5f", use->sum.charge / 3600, "A·h");
    write_number(html, "%.1f", all > 0 ? 100 * use->sum.charge / all : NAN, "%");
    write_number(html, "%.5f", use->sum.fed_back / 3600, "A·h");
    write_number(html, "%.3f", use->sum.energy / 1000, "kJ");
    ib_text_add(html, "</tr>\n");
}

// True if it has never drawn nor fed back current.
static bool is_idle(const ib_LoadUse *use)
{
    return use->peak == 0 && use->sum.charge == 0 && use->sum.fed_back == 0;
}

// "Nothing was drawn by arm, intake."
static void write_idle(const ib_LoadUse *uses, int count, ib_Text *html)
{
    const char *between = "<p class=\"soft\">Nothing was drawn by ";
    bool any = false;
    for (int i = 0; i < count; i++) {
        if (!is_idle(&uses[i])) continue;
        ib_text_add(html, between);
        ib_text_escape(html, uses[i].name);
        between = ", ";
        any = true;
    }
    if (any) ib_text_add(html, ".</p>\n");
}

static void write_robot(const ib_Report *report, const char *robot, const char *trouble,
                        ib_Text *html)
{
    static const char *const headings[] = {"Load",    "#peak",     "#mean",   "#charge",
                                           "#of all", "#fed back", "#energy", NULL};
    ib_SeriesSet set = report->series;
    const ib_LogSeries *current = ib_series_role(set, robot, IB_ROLE_SUPPLY_CURRENT);
    ib_LoadUse uses[IB_LOADS_MOST];
    int count = ib_load_uses(report, robot, uses);
    ib_LoadUse whole = use_of(report, current, ib_series_role(set, robot, IB_ROLE_SUPPLY_VOLTAGE));
    if (robot[0]) ib__html_element(html, "h3", robot);
    if (!trouble) write_stack(uses, count, current, robot, html);
    ib__html_table(html, headings);
    for (int i = 0; i < count; i++)
        if (!is_idle(&uses[i])) write_use(&uses[i], uses[i].name, whole.sum.charge, false, html);
    write_use(&whole, "the supply", whole.sum.charge, true, html);
    ib__html_table_end(html);
    write_idle(uses, count, html);
}

void ib__loads_write(const ib_Report *report, const char *trouble, ib_Text *html)
{
    ib__html_section(html, "loads", "Who drew what");
    for (int i = 0; i < report->robot_count; i++)
        if (has_loads(report, report->robots[i].name))
            write_robot(report, report->robots[i].name, trouble, html);
    ib__html_element(html, "p class=\"soft\"",
                     report->meter
                         ? "Peaks and sums are those of all steps, with energy at the supply's "
                           "terminals. Negative charge went into the supply; the picture shows "
                           "instants, as the plots do."
                         : "Sums are those of straight lines between the recorded samples: what "
                           "happened between two of them is not in it. Negative charge went into "
                           "the supply.");
    ib__html_section_end(html);
}
