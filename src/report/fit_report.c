#include "report/fit_report.h"

#include "base/arena.h"
#include "report/html.h"
#include "report/plot/chart.h"
#include "study/fit_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LAGS = 100 };

// ------------------------------------------------------------------------------------------ tables

static void write_values(const ib_FitReport *report, ib_Text *html)
{
    static const char *const headings[] = {"Constant", "#Value",  "#95 %: ±",
                                           "Unit",     "Meaning", NULL};
    ib_FitLine lines[IB_FIT_LINES];
    ib_fit_table(report->fit, report->signals, lines);
    ib__html_table(html, headings);
    for (int i = 0; i < IB_FIT_LINES; i++) {
        const ib_FitValue *value = lines[i].value;
        char text[80];
        if (!value->fitted) continue;
        ib_text_add(html, "<tr>");
        ib__html_cell(html, lines[i].name);
        ib__html_number(html, value->value, "");
        ib__html_number(html, value->half, "");
        ib_text_add(html, "<td>");
        ib_text_unit(html, lines[i].unit);
        ib_text_add(html, "</td>");
        snprintf(text, sizeof text, "%s%s", lines[i].sentence,
                 value->determined ? "" : " (not determined)");
        ib__html_cell(html, text);
        ib_text_add(html, "</tr>\n");
    }
    ib__html_table_end(html);
}

static void write_missing(const ib_FitMotor *fit, ib_Text *html)
{
    for (int i = 0; i < IB_FIT_FLAGS; i++)
        if (fit->missing & 1 << i)
            ib__html_element(html, "p class=\"bad\"", ib_fit_missing_text(1 << i));
}

static void write_quality(const ib_FitMotor *fit, ib_Text *html)
{
    char text[160];
    snprintf(text, sizeof text, "R² %.6f, rms residual %.3g, samples count as %.0f", fit->r_squared,
             fit->rms, fit->effective);
    ib__html_element(html, "p class=\"soft\"", text);
    if (!ib_fit_is_rounded(fit)) return;
    snprintf(text, sizeof text,
             "the values are multiples of %.3g: the intervals contain the rounding", fit->quantum);
    ib__html_element(html, "p class=\"soft\"", text);
}

static void write_samples(const ib_FitMotor *fit, ib_Text *html)
{
    static const char *const headings[] = {"Samples", "#Count", NULL};
    ib__html_table(html, headings);
    for (int i = 0; i < IB_FIT_DROPS; i++) {
        int count = i == IB_FIT_KEPT ? fit->used : fit->dropped[i];
        if (i != IB_FIT_KEPT && !count) continue;
        ib_text_add(html, "<tr>");
        ib__html_cell(html, i == IB_FIT_KEPT ? "used" : ib_fit_drop_text((ib_FitDrop)i));
        ib__html_number(html, count, "");
        ib_text_add(html, "</tr>\n");
    }
    ib__html_table_end(html);
}

// ----------------------------------------------------------------------------------------- figures

// Columns of the plotted data. Recordings stand one behind the other, stretches apart.
typedef struct Columns {
    int count;
    double *time, *motion, *computed, *residual; ///< NAN between two stretches
} Columns;

static bool make_columns(const ib_FitMotor *fit, ib_Arena *arena, Columns *columns)
{
    size_t size = (size_t)(fit->used + fit->stretches) + 1;
    double **all[] = {&columns->time, &columns->motion, &columns->computed, &columns->residual};
    for (int i = 0; i < 4; i++)
        if (!(*all[i] = ib_arena_array(arena, size, sizeof(double)))) return false;
    double shift = 0.0, end = 0.0;
    int n = 0;
    for (int i = 0; i < fit->used; i++) {
        const ib_FitLeft *left = &fit->left[i];
        if (i > 0 && left->log != left[-1].log) shift = end - left->time;
        end = left->time + shift;
        if (left->first && i > 0) {
            columns->time[n] = end;
            columns->motion[n] = columns->computed[n] = columns->residual[n] = NAN;
            n++;
        }
        columns->time[n] = end;
        columns->motion[n] = left->motion;
        columns->computed[n] = left->motion - left->residual;
        columns->residual[n++] = left->residual;
    }
    columns->count = n;
    return true;
}

static void draw_time(const ib_FitReport *report, const Columns *c, const char *unit, ib_Text *html)
{
    ib_Chart chart = {.title = "Measured, computed, left over", .x_name = "time", .x_unit = "s"};
    const char *name = report->fit->of_position ? "position" : "velocity";
    ib__chart_panel(&chart, name, unit);
    ib__chart_panel(&chart, "left over", unit);
    ib__chart_curve(&chart, (ib_PlotSeries){.label = "measured",
                                            .x = c->time,
                                            .y = c->motion,
                                            .count = c->count,
                                            .style = IB_PLOT_SPECKS,
                                            .colour = 2});
    ib__chart_curve(
        &chart,
        (ib_PlotSeries){
            .label = "computed", .x = c->time, .y = c->computed, .count = c->count, .colour = 1});
    ib__chart_curve(&chart, (ib_PlotSeries){.label = "measured less computed",
                                            .x = c->time,
                                            .y = c->residual,
                                            .count = c->count,
                                            .panel = 1,
                                            .style = IB_PLOT_SPECKS,
                                            .colour = 1});
    ib__chart_draw(&chart,
                   "Noise has no shape. What follows every step is a delay or a lag that is not in "
                   "the equation; what comes and goes with a manoeuvre has been moved by something "
                   "else. Several recordings stand one behind the other.",
                   html);
}

static void draw_motion(const ib_FitReport *report, const Columns *c, const char *unit,
                        ib_Text *html)
{
    ib_Chart chart = {.title = "Left over, over the motion",
                      .x_name = report->fit->of_position ? "position" : "velocity",
                      .x_unit = unit};
    ib__chart_panel(&chart, "left over", unit);
    ib__chart_curve(&chart, (ib_PlotSeries){.label = "measured less computed",
                                            .x = c->computed,
                                            .y = c->residual,
                                            .count = c->count,
                                            .style = IB_PLOT_SPECKS,
                                            .colour = 1});
    ib__chart_draw(&chart,
                   "A cloud without a slope is noise. A bow is a friction that grows with the "
                   "speed, a step at 0 one that differs by direction; slanted bars are rounding of "
                   "the measurement.",
                   html);
}

double ib_fit_correlation(const ib_FitMotor *fit, int lag)
{
    double sum = 0.0, whole = 0.0;
    for (int i = 0, begin = 0; i < fit->used; i++) {
        const ib_FitLeft *left = &fit->left[i];
        if (left->first) begin = i;
        whole += left->residual * left->residual;
        if (i - lag >= begin) sum += left->residual * left[-lag].residual;
    }
    return whole > 0.0 ? sum / whole : 0.0;
}

static void draw_correlation(const ib_FitReport *report, ib_Text *html)
{
    const ib_FitMotor *fit = report->fit;
    double lag[LAGS], value[LAGS], ends[2] = {0, LAGS * fit->period};
    double white = 2.0 / sqrt(fit->used), high[2] = {white, white}, low[2] = {-white, -white};
    ib_Chart chart = {
        .title = "Do neighbours err alike?", .x_name = "time between two samples", .x_unit = "s"};
    for (int i = 0; i < LAGS; i++) {
        lag[i] = (i + 1) * fit->period;
        value[i] = ib_fit_correlation(fit, i + 1);
    }
    ib__chart_panel(&chart, "correlation of what is left", NULL);
    ib__chart_curve(&chart, (ib_PlotSeries){.label = "autocorrelation",
                                            .x = lag,
                                            .y = value,
                                            .count = LAGS,
                                            .style = IB_PLOT_DOTS,
                                            .colour = 1});
    ib__chart_curve(&chart, (ib_PlotSeries){.label = "95 % of white noise",
                                            .x = ends,
                                            .y = high,
                                            .count = 2,
                                            .style = IB_PLOT_DASHED});
    ib__chart_curve(
        &chart,
        (ib_PlotSeries){.label = "", .x = ends, .y = low, .count = 2, .style = IB_PLOT_DASHED});
    ib__chart_draw(&chart,
                   "Between the dashed lines neighbours have nothing in common. Above them they "
                   "err alike, and the samples count as fewer than they are; the intervals "
                   "contain it.",
                   html);
}

static void write_figures(const ib_FitReport *report, ib_Text *html)
{
    ib_Arena arena = {0};
    Columns columns;
    bool round = report->signals->unit[0] == 'r';
    const char *way = round ? "rad" : report->signals->bare ? "unit" : "m";
    const char *unit = report->fit->of_position ? way : report->signals->unit;
    if (make_columns(report->fit, &arena, &columns)) {
        draw_time(report, &columns, unit, html);
        draw_motion(report, &columns, unit, html);
        draw_correlation(report, html);
    } else {
        ib__chart_refuse("What is left over", "there is no memory for it", html);
    }
    ib_arena_reset(&arena);
}

// -------------------------------------------------------------------------------------------- page

ib_Status ib_fit_report_render(const ib_FitReport *report, ib_Text *html, ib_Error *error)
{
    const char *title[] = {report->signals->motion, " over ", report->signals->voltage, NULL};
    const char *origin[] = {report->files,   ", ", report->date, ", Ironbird ",
                            report->version, NULL};
    ib__html_begin(html, "Fit of a motor");
    ib_text_add(html, "<header>\n");
    ib__html_line(html, "h1", title);
    ib__html_line(html, "p class=\"soft\"", origin);
    if (report->refusal) ib__html_element(html, "p class=\"verdict bad\"", report->refusal);
    ib_text_add(html, "</header>\n");
    ib__html_section(html, "constants", "Constants");
    if (!report->refusal) write_values(report, html);
    write_missing(report->fit, html);
    if (report->fit->left) write_quality(report->fit, html);
    write_samples(report->fit, html);
    ib__html_section_end(html);
    ib__html_section(html, "left", "What is left over");
    if (report->fit->left)
        write_figures(report, html);
    else
        ib__chart_refuse("What is left over", "nothing was fitted", html);
    ib__html_section_end(html);
    ib__html_end(html, error);
    return html->failed ? ib_error_set(error, IB_FAILED, "out of memory for the report") : IB_OK;
}

ib_Status ib_fit_report_write(const ib_FitReport *report, const char *path, ib_Error *error)
{
    ib_Text html = {0};
    ib_Status status = ib_fit_report_render(report, &html, error);
    if (status == IB_OK) status = ib_text_write(&html, path, error);
    ib_text_destroy(&html);
    return status;
}
