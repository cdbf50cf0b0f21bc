// report/plot_curves.c: curves over time, over another signal or over frequency: panels by unit
// with one x axis.
#include "base/extreme.h"
#include "base/maths.h"
#include "report/drawable.h"
#include "report/plot_script.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ ranges

static void series_ranges(const ib_Plot *plot, const ib_PlotSeries *series, ib_Range *x,
                          ib_Range *y)
{
    for (int i = 0; i < series->count; i++) {
        if (!ib__drawable_point(series->x[i], series->y[i], plot->log_x, plot->log_y)) continue;
        *x = ib__range_with(*x, series->x[i]);
        *y = ib__range_with(*y, series->y[i]);
        if (series->style == IB_PLOT_AREA) *y = ib__range_with(*y, 0);
    }
}

// A logarithmic axis runs between whole decades, at most 12 of them: below that is rounding error.
static ib_Range log_range(ib_Range range)
{
    enum { DECADES = 12 };
    double low = 1, high = 1;
    while (high < range.high && high < 1e300) high *= 10;
    while (high / 10 >= range.high && high > 1e-300) high /= 10;
    low = high;
    for (int i = 0; i < DECADES && low > range.low; i++) low /= 10;
    return (ib_Range){low == high ? high / 10 : low, high};
}

static void script_y_range(const ib_Plot *plot, ib_Range y, int ticks, ib_Text *script)
{
    if (plot->log_y) {
        ib_Range ends = log_range(y);
        ib_text_format(script, "set yrange [%.10g:%.10g]\nset ytics auto\n", ends.low, ends.high);
        return;
    }
    double step;
    ib_Range ends = ib__range_pad(y, ticks, &step);
    ib_text_format(script, "set yrange [%.10g:%.10g]\nset ytics %.10g\n", ends.low, ends.high,
                   step);
}

// Time begins and ends with the data; points and other signals get a little room.
static void script_x_range(const ib_Plot *plot, ib_Range x, ib_Text *script)
{
    enum { TICKS = 10 };
    double step;
    ib_Range ends = ib__range_pad(x, TICKS, &step);
    if (plot->log_x) {
        ends = log_range(x);
        ib_text_add(script, "set xtics auto\n");
    } else {
        ib_text_format(script, "set xtics %.10g\n", step);
        bool time = strcmp(plot->x_unit, "s") == 0 || plot->kind == IB_PLOT_SPECTRUM;
        bool wide = x.high - x.low > 1e-9 * ib_max(fabs(x.low), fabs(x.high));
        if (time && wide) ends = x;
        if (plot->kind == IB_PLOT_SPECTRUM) ends.low = 0;
    }
    ib_text_format(script, "set xrange [%.10g:%.10g]\n", ends.low, ends.high);
}

// ------------------------------------------------------------------------------------------ panels

// Where curves cover each other, the later ones are thinner, so that the earlier ones look out.
static void script_style(const ib_Plot *plot, int index, int place, ib_Text *script)
{
    double width = ib_max(4.0 - 0.6 * place, 2.4);
    const ib_SeriesLook look = ib__series_look(plot, index);
    switch (plot->series[index].style) {
    case IB_PLOT_POINTS:
        // On a white rim, so that they are seen on a curve of the same colour.
        ib_text_format(script,
                       "with points pt 7 ps 1.0 lc rgb '#ffffff' notitle, $s%d using 1:2 with "
                       "points pt 7 ps 0.7 lc rgb '%s'",
                       index, look.colour);
        break;
    case IB_PLOT_AREA:
        ib_text_format(script, "with filledcurves y1=0 fs solid 1 noborder lc rgb '%s'",
                       look.colour);
        break;
    case IB_PLOT_STEPS:
    case IB_PLOT_LINE:
        ib_text_format(script, "with %s lw %g dt %d lc rgb '%s'",
                       plot->series[index].style == IB_PLOT_STEPS ? "steps" : "lines", width,
                       look.dashes, look.colour);
        break;
    }
}

// The y label names the one signal; where several share a panel, the legend does.
static void script_y_label(const ib_Plot *plot, const ib_Canvas *canvas, const ib_Panel *panel,
                           const ib_Frame *frame, ib_Text *script)
{
    char name[128] = "amplitude";
    if (plot->kind != IB_PLOT_SPECTRUM) ib__panel_name(plot, panel, name, sizeof name);
    ib__script_y_label(canvas, frame, name, panel->unit, script);
}

// What nobody sees: a tenth of a pixel, in the unit of y or of ln y.
static double unseen(const ib_Plot *plot, ib_Range y, const ib_Frame *frame)
{
    if (!(y.low < y.high)) return 0;
    ib_Range ends = plot->log_y ? log_range(y) : y;
    double span = plot->log_y ? ib_log(ends.high / ends.low) : y.high - y.low;
    return 0.1 * span / (frame->top - frame->bottom);
}

static void script_panel(const ib_Plot *plot, const ib_Canvas *canvas, const ib_Panel *panel,
                         const ib_Frame *frame, ib_Text *script)
{
    bool drawn[IB_PLOT_MAX_SERIES], any = false;
    ib_Range x = ib__range_empty(), y = ib__range_empty();
    for (int i = 0; i < panel->count; i++)
        series_ranges(plot, &plot->series[panel->series[i]], &x, &y);
    double tolerance = unseen(plot, y, frame);
    for (int i = 0; i < panel->count; i++) {
        const ib_PlotSeries *series = &plot->series[panel->series[i]];
        drawn[i] = ib__script_data(plot, series, panel->series[i], tolerance, script);
        any |= drawn[i];
    }
    ib__script_frame(canvas, frame, script);
    script_y_label(plot, canvas, panel, frame, script);
    if (!any) {
        ib__script_nothing(script);
        return;
    }
    script_y_range(plot, y, ib__frame_ticks(canvas, frame), script);
    ib_text_add(script, "plot ");
    for (int i = 0; i < panel->count; i++) {
        // A series without a drawable point still has its place in the legend.
        int index = panel->series[i];
        if (i > 0) ib_text_add(script, ", ");
        if (drawn[i]) {
            ib_text_format(script, "$s%d using 1:2 ", index);
            script_style(plot, index, panel->count == 1 ? 2 : i, script);
        } else
            ib_text_format(script, "NaN with lines lc rgb '%s'",
                           ib__series_look(plot, index).colour);
        ib_text_add(script, " title ");
        ib__script_quote(script, plot->series[index].label, 48);
    }
    ib_text_add(script, "\n");
}

ib_Status ib__plot_curves(const ib_Plot *plot, const ib_Canvas *canvas, const ib_Panels *panels,
                          ib_Text *script, ib_Error *error)
{
    (void)error;
    ib_Range x = ib__range_empty(), y = ib__range_empty();
    for (int i = 0; i < plot->series_count; i++) series_ranges(plot, &plot->series[i], &x, &y);
    script_x_range(plot, x, script);

    // Only the lowest panel carries the numbers of the x axis.
    ib_text_add(script, "set format x ''\n");
    for (int i = 0; i < panels->count; i++) {
        ib_Frame frame = ib__frame(plot, canvas, panels, i);
        if (i == panels->count - 1) {
            ib_text_add(script, "set format x '%g'\n");
            ib__script_x_label(canvas, &frame, plot->x_label, plot->x_unit, script);
        }
        script_panel(plot, canvas, &panels->items[i], &frame, script);
        ib_text_add(script, "unset label 1\n");
    }
    return IB_OK;
}
