#include "report/chart.h"

#include "base/extreme.h"
#include "report/drawable.h"
#include "report/html.h"
#include "report/pending.h"
#include "report/plot_script.h"

#include <math.h>
#include <stdio.h>

enum {
    POINTS = 3000,      // of a curve
    LABEL = 100,        // bytes of a label in the legend
    LABELS = 10,        // the number of the first `set label` of a note
    EQUAL_HEIGHT = 900, // pixels
};

void ib__chart_panel(ib_Chart *chart, const char *name, const char *unit)
{
    if (chart->panels == IB_CHART_PANELS) return;
    chart->panel[chart->panels++] = (ib_ChartPanel){.name = name, .unit = unit};
}

void ib__chart_curve(ib_Chart *chart, ib_ChartCurve curve)
{
    if (chart->curves < IB_CHART_CURVES) chart->curve[chart->curves++] = curve;
}

void ib__chart_note(ib_Chart *chart, ib_ChartNote note)
{
    if (chart->notes < IB_CHART_NOTES) chart->note[chart->notes++] = note;
}

// ------------------------------------------------------------------------------------------ layout

// The chart as the plot that the shared pieces of a script work on: those with a label are the
// series of the legends.
typedef struct Layout {
    ib_Plot plot;
    ib_PlotSeries series[IB_CHART_CURVES];
    char label[IB_CHART_CURVES][LABEL];
    ib_Panels panels;
} Layout;

static void lay_out(const ib_Chart *chart, Layout *layout)
{
    layout->plot = ib_plot_default();
    layout->plot.title = chart->title;
    layout->plot.series = layout->series;
    layout->plot.series_count = chart->curves;
    layout->plot.max_points = POINTS;
    layout->plot.log_x = chart->log_x;
    if (chart->equal) layout->plot.height = EQUAL_HEIGHT;
    layout->panels = (ib_Panels){.count = chart->panels};
    for (int i = 0; i < chart->panels; i++)
        layout->panels.items[i].unit = chart->panel[i].unit ? chart->panel[i].unit : "";
    for (int i = 0; i < chart->curves; i++) {
        const ib_ChartCurve *curve = &chart->curve[i];
        // gnuplot takes a little more room for a label than is reckoned with.
        snprintf(layout->label[i], LABEL, "%s   ", curve->label);
        layout->series[i] = (ib_PlotSeries){.label = layout->label[i],
                                            .unit = "",
                                            .x = curve->x,
                                            .y = curve->y,
                                            .count = curve->count};
        ib_Panel *panel = &layout->panels.items[curve->panel];
        if (curve->label[0]) panel->series[panel->count++] = i;
    }
}

// Widens the range of x or of y around its middle until both have one scale in this frame.
static void make_equal(const ib_Frame *frame, ib_Chart *chart)
{
    double shape = (frame->right - frame->left) / (frame->top - frame->bottom);
    double wide = chart->x_high - chart->x_low, high = chart->y_high - chart->y_low;
    double more_x = ib_max(0.5 * (high * shape - wide), 0),
           more_y = ib_max(0.5 * (wide / shape - high), 0);
    chart->x_low -= more_x;
    chart->x_high += more_x;
    chart->y_low -= more_y;
    chart->y_high += more_y;
}

void ib__chart_fill(ib_Chart *chart)
{
    Layout layout;
    lay_out(chart, &layout);
    ib_Canvas canvas = ib__canvas(&layout.plot, chart->panels);
    ib_Frame frame = ib__frame(&layout.plot, &canvas, &layout.panels, 0);
    make_equal(&frame, chart);
}

// ------------------------------------------------------------------------------------------ ranges

// Of the curves in one panel (-1: all), without the grid.
static void find_ranges(const ib_Chart *chart, int panel, ib_Range *x, ib_Range *y)
{
    *x = *y = ib__range_empty();
    for (int i = 0; i < chart->curves; i++) {
        const ib_ChartCurve *curve = &chart->curve[i];
        if ((panel >= 0 && curve->panel != panel) || curve->form == IB_CHART_GRID) continue;
        bool log_y = chart->panel[curve->panel].log_y;
        for (int k = 0; k < curve->count; k++) {
            if (!ib__drawable_point(curve->x[k], curve->y[k], chart->log_x, log_y)) continue;
            *x = ib__range_with(*x, curve->x[k]);
            *y = ib__range_with(*y, curve->y[k]);
        }
    }
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

static void script_x_range(const ib_Chart *chart, ib_Text *script)
{
    ib_Range x, y;
    double step;
    find_ranges(chart, -1, &x, &y);
    if (chart->x_low < chart->x_high) x = (ib_Range){chart->x_low, chart->x_high};
    ib__range_pad(x, 10, &step);
    if (chart->log_x) {
        ib_text_add(script, "set logscale x\n");
        script_log_ticks('x', x, script);
    } else
        ib_text_format(script, "set xtics %.10g\n", step);
    if (x.low < x.high) ib_text_format(script, "set xrange [%.10g:%.10g]\n", x.low, x.high);
}

static void script_y_range(const ib_Chart *chart, int index, int ticks, ib_Text *script)
{
    const ib_ChartPanel *panel = &chart->panel[index];
    ib_Range x, y;
    double step;
    find_ranges(chart, index, &x, &y);
    ib_text_add(script, panel->log_y ? "set logscale y\n" : "unset logscale y\n");
    if (panel->log_y && !(y.low <= y.high)) return; // there is nothing to show
    if (panel->log_y) {
        double room = y.low < y.high ? pow(y.high / y.low, 0.05) : 2;
        ib_text_format(script, "set yrange [%.10g:%.10g]\n", y.low / room, y.high * room);
        script_log_ticks('y', y, script);
        return;
    }
    ib_Range ends = ib__range_pad(y, ticks, &step);
    if (chart->y_low < chart->y_high) {
        ends = (ib_Range){chart->y_low, chart->y_high};
        ib__range_pad(ends, ticks, &step);
    }
    ib_text_format(script, "set yrange [%.10g:%.10g]\nset ytics %.10g\n", ends.low, ends.high,
                   panel->step > 0 ? panel->step : step);
}

// ---------------------------------------------------------------------------------------- contents

static void script_form(const ib_ChartCurve *curve, ib_Text *script)
{
    const char *colour = curve->colour ? ib__colour(curve->colour) : "#777777";
    switch (curve->form) {
    case IB_CHART_LINE:
        ib_text_format(script, "with lines lw 3 lc rgb '%s'", colour);
        break;
    case IB_CHART_DASHED:
        ib_text_format(script, "with lines lw 2.2 dt (8,6) lc rgb '%s'", colour);
        break;
    case IB_CHART_STEPS:
        ib_text_format(script, "with steps lw 2.6 lc rgb '%s'", colour);
        break;
    case IB_CHART_GRID:
        ib_text_add(script, "with lines lw 1 lc rgb '#c4c4c4'");
        break;
    case IB_CHART_CROSSES:
        ib_text_format(script, "with points pt 2 ps 1.3 lw 3.5 lc rgb '%s'", colour);
        break;
    case IB_CHART_CIRCLES:
        ib_text_format(script, "with points pt 6 ps 1.4 lw 3.5 lc rgb '%s'", colour);
        break;
    case IB_CHART_SPECKS:
        ib_text_format(script, "with points pt 7 ps 0.45 lc rgb '%s'", colour);
        break;
    case IB_CHART_DOTS:
        ib_text_format(script, "with points pt 7 ps 0.9 lc rgb '%s'", colour);
        break;
    }
}

static void script_notes(const ib_Chart *chart, int panel, const ib_Canvas *canvas, ib_Text *script)
{
    for (int i = 0; i < chart->notes; i++) {
        const ib_ChartNote *note = &chart->note[i];
        bool log_y = chart->panel[panel].log_y;
        if (note->panel != panel || !ib__drawable_point(note->x, note->y, chart->log_x, log_y))
            continue;
        ib_text_format(script, "set label %d ", LABELS + i);
        ib__script_quote(script, note->text, 60);
        ib_text_format(script, " at %.10g, %.10g %s offset character %s, 0.4 front", note->x,
                       note->y, note->left ? "right" : "left", note->left ? "-0.6" : "0.6");
        if (note->quiet)
            ib_text_format(script, " font ',%g' textcolor rgb '#777777'", 0.72 * canvas->em);
        ib_text_add(script, "\n");
    }
}

static void script_panel(const ib_Chart *chart, Layout *layout, int index, const ib_Canvas *canvas,
                         const ib_Frame *frame, ib_Text *script)
{
    bool any = false, drawn[IB_CHART_CURVES] = {0};
    layout->plot.log_y = chart->panel[index].log_y;
    for (int i = 0; i < chart->curves; i++)
        if (chart->curve[i].panel == index) {
            drawn[i] = ib__script_data(&layout->plot, &layout->series[i], i, -1, script);
            any |= drawn[i];
        }
    ib__script_frame(canvas, frame, script);
    ib__script_y_label(canvas, frame, chart->panel[index].name, chart->panel[index].unit, script);
    script_y_range(chart, index, ib__frame_ticks(canvas, frame), script);
    script_notes(chart, index, canvas, script);
    if (!any) {
        ib__script_nothing(script);
        return;
    }
    ib_text_add(script, "plot ");
    for (int i = 0, count = 0; i < chart->curves; i++) {
        if (!drawn[i]) continue;
        ib_text_format(script, "%s$s%d using 1:2 ", count++ ? ", " : "", i);
        script_form(&chart->curve[i], script);
        ib_text_add(script, chart->curve[i].label[0] ? " title " : " notitle");
        if (chart->curve[i].label[0]) ib__script_quote(script, chart->curve[i].label, 48);
    }
    ib_text_add(script, "\n");
    for (int i = 0; i < chart->notes; i++)
        if (chart->note[i].panel == index) ib_text_format(script, "unset label %d\n", LABELS + i);
}

// ------------------------------------------------------------------------------------------ script

ib_Status ib__chart_script(const ib_Chart *chart, ib_Text *script, ib_Error *error)
{
    Layout layout;
    lay_out(chart, &layout);
    ib_Canvas canvas = ib__canvas(&layout.plot, chart->panels);
    ib__script_begin(&layout.plot, IB_PLOT_SVG, &canvas, script);
    script_x_range(chart, script);
    ib_text_add(script, "set format x ''\n");
    for (int i = 0; i < chart->panels; i++) {
        ib_Frame frame = ib__frame(&layout.plot, &canvas, &layout.panels, i);
        if (i == chart->panels - 1) {
            ib_text_add(script, "set format x '%g'\n");
            ib__script_x_label(&canvas, &frame, chart->x_name, chart->x_unit, script);
        }
        script_panel(chart, &layout, i, &canvas, &frame, script);
        ib_text_add(script, "unset label 1\n");
    }
    return script->failed ? ib_error_set(error, IB_FAILED, "out of memory for the plot") : IB_OK;
}

void ib__chart_draw(const ib_Chart *chart, int number, const char *caption, ib_Text *html)
{
    ib_Text script = {0};
    ib_Error error;
    ib_text_add(html, "<figure>\n");
    if (ib__chart_script(chart, &script, &error) == IB_OK)
        ib__pending_add(html, &script, number, chart->title);
    else
        ib__html_element(html, "p class=\"bad\"", error.text);
    ib__html_element(html, "figcaption", caption);
    ib_text_add(html, "</figure>\n");
    ib_text_destroy(&script);
}

void ib__chart_refuse(const char *what, const char *why, ib_Text *html)
{
    ib_text_add(html, "<figure>\n<p class=\"soft\">");
    ib_text_escape(html, what);
    ib_text_add(html, ": no figure, since ");
    ib_text_escape(html, why);
    ib_text_add(html, "</p>\n</figure>\n");
}
