// report/plot/plot_curves.c: curves over time, over another signal or over frequency, and figures:
// panels with one x axis, or one each.
#include "base/extreme.h"
#include "base/maths.h"
#include "report/plot/drawable.h"
#include "report/plot/plot_script.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NOTES = 10 }; // the number of the first `set label` of a note

// ------------------------------------------------------------------------------------------ ranges

static void series_ranges(const ib_Plot *plot, const ib_PlotSeries *series, ib_Range *x,
                          ib_Range *y)
{
    for (int i = 0; i < series->count && series->style != IB_PLOT_GRID; i++) {
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

// Numbers at 1, 2 and 5 of each decade where there are few decades.
static void script_log_ticks(char axis, ib_Range range, ib_Text *script)
{
    static const double steps[] = {1, 2, 5};
    if (!(range.low <= range.high && range.high < 1e3 * range.low)) {
        ib_text_format(script, "set %ctics auto\n", axis);
        return;
    }
    ib_text_format(script, "set %ctics (", axis);
    int first = (int)floor(log10(range.low));
    for (int k = 0; k < 12; k++)
        ib_text_format(script, "%s%.6g", k ? ", " : "", steps[k % 3] * pow(10, first + k / 3));
    ib_text_add(script, ")\n");
}

// The range of y in a figure, which may be given; its axis need not end at whole decades.
static void script_given_y(const ib_Plot *plot, const ib_PlotPanel *panel, ib_Range y, int ticks,
                           ib_Text *script)
{
    double step;
    if (panel->y_low < panel->y_high)
        y = ib__range_with(ib__range_with(y, panel->y_low), panel->y_high);
    ib_Range ends = ib__range_pad(y, ticks, &step);
    if (plot->y_low < plot->y_high) {
        ends = (ib_Range){plot->y_low, plot->y_high};
        ib__range_pad(ends, ticks, &step);
    }
    double room = !panel->log_y ? 0 : y.low < y.high ? pow(y.high / y.low, 0.05) : 2;
    if (panel->log_y) ends = (ib_Range){y.low / room, y.high * room};
    ib_text_format(script, "set yrange [%.10g:%.10g]\n", ends.low, ends.high);
    if (panel->log_y)
        script_log_ticks('y', y, script);
    else
        ib_text_format(script, "set ytics %.10g\n", panel->step > 0 ? panel->step : step);
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
    if (plot->x_low < plot->x_high) x = (ib_Range){plot->x_low, plot->x_high};
    ib_Range ends = ib__range_pad(x, TICKS, &step);
    if (plot->log_x && plot->panels) {
        script_log_ticks('x', x, script);
    } else if (plot->log_x) {
        ends = log_range(x);
        ib_text_add(script, "set xtics auto\n");
    } else {
        ib_text_format(script, "set xtics %.10g\n", step);
        bool time =
            (plot->x_unit && strcmp(plot->x_unit, "s") == 0) || plot->kind == IB_PLOT_SPECTRUM;
        bool wide = x.high - x.low > 1e-9 * ib_max(fabs(x.low), fabs(x.high));
        if (time && wide) ends = x;
        if (plot->kind == IB_PLOT_SPECTRUM) ends.low = 0;
    }
    if (plot->panels && x.low < x.high) ends = x;
    ib_text_format(script, "set xrange [%.10g:%.10g]\n", ends.low, ends.high);
}

// -------------------------------------------------------------------------------------- own x axes

static void script_words(const ib_PlotPanel *panel, const ib_Canvas *canvas, const ib_Frame *frame,
                         ib_Text *script)
{
    double places[IB_PLOT_MAX_CELLS];
    ib_Names look = ib__words(panel, canvas, frame);
    for (int i = 0; i < panel->x_word_count; i++) places[i] = i;
    ib__script_names('x', panel->x_words, places, panel->x_word_count, &look, script);
    ib_text_format(script, "set grid noxtics ytics\nset xrange [%g:%g]\n", -IB_BESIDE_WORDS,
                   panel->x_word_count - 1 + IB_BESIDE_WORDS);
}

static void script_own_x(const ib_PlotPanel *panel, const ib_Canvas *canvas, const ib_Frame *frame,
                         ib_Range x, ib_Text *script)
{
    ib_Frame label = *frame; // its name may be a little wider, and is below the words
    label.left -= 3 * canvas->em;
    label.right += 3 * canvas->em;
    label.bottom -= frame->words * canvas->em;
    ib__script_x_label(canvas, &label, panel->x_name, panel->x_unit, script);
    if (panel->x_words) {
        script_words(panel, canvas, frame, script);
        return;
    }
    double step;
    int ticks = (int)((frame->right - frame->left) / (4.8 * canvas->em));
    ib_Range ends = ib__range_pad(x, ticks < 4 ? 4 : ticks > 10 ? 10 : ticks, &step);
    if (panel->x_whole) step = ib_max(step, 1);
    ib_text_format(script,
                   "set grid xtics ytics\nset xtics norotate autojustify %.10g\n"
                   "set xrange [%.10g:%.10g]\n",
                   step, ends.low, ends.high);
}

// ------------------------------------------------------------------------------------------ panels

// Of curves that cover each other, later ones are thinner, so that earlier ones stay visible.
static void script_style(const ib_Plot *plot, int index, int place, ib_Text *script)
{
    double width = ib_max(4.0 - 0.6 * place, 2.4);
    const ib_SeriesStyle look = ib__series_style(plot, index);
    switch (plot->series[index].style) {
    case IB_PLOT_POINTS:
        // A white rim makes them visible on a curve of the same colour.
        ib_text_format(script,
                       "with points pt 7 ps 1.0 lc rgb '#ffffff' notitle, $s%d using 1:2 with "
                       "points pt 7 ps 0.7 lc rgb '%s'",
                       index, look.colour);
        break;
    case IB_PLOT_AREA:
        ib_text_format(script, "with filledcurves y1=0 fs solid 1 noborder lc rgb '%s'",
                       look.colour);
        break;
    case IB_PLOT_DASHED:
        ib_text_format(script, "with lines lw 2.2 dt (8,6) lc rgb '%s'", look.colour);
        break;
    case IB_PLOT_GRID:
        ib_text_add(script, "with lines lw 1 lc rgb '#c4c4c4'");
        break;
    case IB_PLOT_CROSSES:
        ib_text_format(script, "with points pt 2 ps 1.3 lw 3.5 lc rgb '%s'", look.colour);
        break;
    case IB_PLOT_CIRCLES:
        ib_text_format(script, "with points pt 6 ps 1.4 lw 3.5 lc rgb '%s'", look.colour);
        break;
    case IB_PLOT_DOTS:
    case IB_PLOT_SPECKS:
        ib_text_format(script, "with points pt 7 ps %s lc rgb '%s'",
                       plot->series[index].style == IB_PLOT_DOTS ? "0.9" : "0.45", look.colour);
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
    if (panel->given || plot->kind != IB_PLOT_SPECTRUM)
        ib__panel_name(plot, panel, name, sizeof name);
    ib__script_y_label(canvas, frame, name, panel->unit, script);
}

// The invisible distance: a tenth of a pixel, in the unit of y or of ln y.
static double unseen(const ib_Plot *plot, ib_Range y, const ib_Frame *frame)
{
    if (!(y.low < y.high)) return 0;
    ib_Range ends = plot->log_y ? log_range(y) : y;
    double span = plot->log_y ? ib_log(ends.high / ends.low) : y.high - y.low;
    return 0.1 * span / (frame->top - frame->bottom);
}

// Words at places of a figure's panel, once `set`, and gone again.
static void script_notes(const ib_Plot *plot, int panel, const ib_Canvas *canvas, bool set,
                         ib_Text *script)
{
    for (int i = 0; i < plot->note_count; i++) {
        const ib_PlotNote *note = &plot->notes[i];
        if (note->panel != panel || !ib__drawable_point(note->x, note->y, plot->log_x, plot->log_y))
            continue;
        ib_text_format(script, "%s label %d", set ? "set" : "unset", NOTES + i);
        if (set) {
            ib_text_add(script, " ");
            ib__script_quote(script, note->text, 60);
            ib_text_format(script, " at %.10g, %.10g %s offset character %s, 0.4 front", note->x,
                           note->y, note->left ? "right" : "left", note->left ? "-0.6" : "0.6");
        }
        if (set && note->quiet)
            ib_text_format(script, " font ',%g' textcolor rgb '#777777'", 0.72 * canvas->em);
        ib_text_add(script, "\n");
    }
}

static void script_panel(const ib_Plot *plot, const ib_Canvas *canvas, const ib_Panel *panel,
                         const ib_Frame *frame, ib_Text *script)
{
    bool drawn[IB_PLOT_MAX_SERIES], any = false;
    ib_Range x = ib__range_empty(), y = ib__range_empty();
    for (int i = 0; i < panel->count; i++)
        series_ranges(plot, &plot->series[panel->series[i]], &x, &y);
    double tolerance = panel->given ? -1 : unseen(plot, y, frame);
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
    int ticks = ib__frame_ticks(canvas, frame);
    if (ib__plot_has_own_x(plot)) script_own_x(panel->given, canvas, frame, x, script);
    if (panel->given)
        script_given_y(plot, panel->given, y, ticks, script);
    else
        script_y_range(plot, y, ticks, script);
    ib_text_add(script, "plot ");
    for (int i = 0; i < panel->count; i++) {
        // A series without a drawable point still has its place in the legend.
        int index = panel->series[i];
        if (i > 0) ib_text_add(script, ", ");
        if (drawn[i]) {
            ib_text_format(script, "$s%d using 1:2 ", index);
            script_style(plot, index, panel->count == 1 || panel->given ? 2 : i, script);
        } else
            ib_text_format(script, "NaN with lines lc rgb '%s'",
                           ib__series_style(plot, index).colour);
        const char *label = plot->series[index].label;
        ib_text_add(script, label[0] ? " title " : " notitle");
        if (label[0]) ib__script_quote(script, label, 48);
    }
    ib_text_add(script, "\n");
}

ib_Status ib__plot_curves(const ib_Plot *plot, const ib_Canvas *canvas, const ib_Panels *panels,
                          ib_Text *script, ib_Error *error)
{
    (void)error;
    bool shared = !ib__plot_has_own_x(plot);
    ib_Range x = ib__range_empty(), y = ib__range_empty();
    for (int i = 0; i < plot->series_count; i++) series_ranges(plot, &plot->series[i], &x, &y);
    if (shared) script_x_range(plot, x, script);

    // Only the lowest panel carries the numbers of the x axis that all share.
    if (shared) ib_text_add(script, "set format x ''\n");
    for (int i = 0; i < panels->count; i++) {
        ib_Frame frame = ib__frame(plot, canvas, panels, i);
        if (shared && i == panels->count - 1) {
            ib_text_add(script, "set format x '%g'\n");
            ib__script_x_label(canvas, &frame, plot->x_label, plot->x_unit, script);
        }
        const ib_Panel *panel = &panels->items[i];
        ib_Plot own = *plot;
        if (panel->given) own.log_y = panel->given->log_y;
        if (panel->given) ib_text_format(script, "%s logscale y\n", own.log_y ? "set" : "unset");
        script_notes(&own, i, canvas, true, script);
        script_panel(&own, canvas, panel, &frame, script);
        script_notes(&own, i, canvas, false, script);
        ib_text_add(script, "unset label 1\n");
    }
    return IB_OK;
}
