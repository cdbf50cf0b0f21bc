#include "report/plot/chart.h"

#include "base/extreme.h"
#include "report/figures.h"
#include "report/plot/plot_script.h"

enum { POINTS = 3000, EQUAL_HEIGHT = 900 }; // of a curve; pixels

void ib__chart_panel(ib_Chart *chart, const char *name, const char *unit)
{
    if (chart->panels == IB_CHART_PANELS) return;
    chart->panel[chart->panels++] = (ib_PlotPanel){.name = name, .unit = unit};
}

void ib__chart_curve(ib_Chart *chart, ib_PlotSeries curve)
{
    if (chart->curves == IB_CHART_CURVES) return;
    if (curve.colour == 0) curve.colour = IB_PLOT_GREY;
    chart->curve[chart->curves++] = curve;
}

void ib__chart_note(ib_Chart *chart, ib_PlotNote note)
{
    if (chart->notes < IB_CHART_NOTES) chart->note[chart->notes++] = note;
}

static ib_Plot plot_of(const ib_Chart *chart)
{
    ib_Plot plot = ib_plot_default();
    plot.title = chart->title;
    plot.x_label = chart->x_name;
    plot.x_unit = chart->x_unit;
    plot.log_x = chart->log_x;
    plot.series = chart->curve;
    plot.series_count = chart->curves;
    plot.panels = chart->panel;
    plot.panel_count = chart->panels;
    plot.notes = chart->note;
    plot.note_count = chart->notes;
    plot.x_low = chart->x_low;
    plot.x_high = chart->x_high;
    plot.y_low = chart->y_low;
    plot.y_high = chart->y_high;
    plot.max_points = POINTS;
    if (chart->equal) plot.height = EQUAL_HEIGHT;
    return plot;
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
    ib_Plot plot = plot_of(chart);
    ib_Panels panels = {0};
    ib__plot_panels(&plot, &panels);
    ib_Canvas canvas = ib__canvas(&plot, panels.count);
    ib_Frame frame = ib__frame(&plot, &canvas, &panels, 0);
    make_equal(&frame, chart);
}

ib_Status ib__chart_script(const ib_Chart *chart, ib_Text *script, ib_Error *error)
{
    ib_Plot plot = plot_of(chart);
    return ib_plot_script(&plot, IB_PLOT_SVG, script, error);
}

void ib__chart_draw(const ib_Chart *chart, const char *caption, ib_Text *html)
{
    ib_Plot plot = plot_of(chart);
    ib__figures_draw(&plot, caption, html);
}

void ib__chart_refuse(const char *what, const char *why, ib_Text *html)
{
    ib_text_add(html, "<figure>\n<p class=\"soft\">");
    ib_text_escape(html, what);
    ib_text_add(html, ": no figure, since ");
    ib_text_escape(html, why);
    ib_text_add(html, "</p>\n</figure>\n");
}
