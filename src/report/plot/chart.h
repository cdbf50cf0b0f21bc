// report/plot/chart.h: a picture for one purpose. Internal to src/report.
// A plot (report/plot/plot.h) whose panels have names and whose curves are computed, with room
// for them.
#ifndef IB_REPORT_PLOT_CHART_H
#define IB_REPORT_PLOT_CHART_H

#include "base/arena.h"
#include "report/plot/plot.h"

enum { IB_CHART_CURVES = 60, IB_CHART_NOTES = 40, IB_CHART_PANELS = 8 };

// Texts and numbers are borrowed. Ranges that are not given (low == high) suit the curves, but not
// those of the grid.
typedef struct ib_Chart {
    const char *title;
    const char *x_name, *x_unit;
    bool log_x;
    bool equal; ///< one panel in which a unit of x is as long as one of y: see ib__chart_fill
    double x_low, x_high, y_low, y_high; ///< in the units of the axes
    int panels, curves, notes;
    ib_PlotPanel panel[IB_CHART_PANELS];
    ib_PlotSeries curve[IB_CHART_CURVES];
    ib_PlotNote note[IB_CHART_NOTES];
} ib_Chart;

// Functions that add a part; parts beyond the limit are left out.
void ib__chart_panel(ib_Chart *chart, const char *name, const char *unit);
void ib__chart_curve(ib_Chart *chart, ib_PlotSeries curve); ///< grey without a colour
void ib__chart_note(ib_Chart *chart, ib_PlotNote note);

// Widens the given ranges of an equal chart so that they fill its panel. Once the labels of all
// curves are there: they take room.
void ib__chart_fill(ib_Chart *chart);

// The gnuplot script that draws it as SVG, data included.
ib_Status ib__chart_script(const ib_Chart *chart, ib_Text *script, ib_Error *error);

// Draws it on its card, or says there why not.
void ib__chart_draw(const ib_Chart *chart, const char *caption, ib_Text *html);

// A card for a figure that cannot be made, with the reason.
void ib__chart_refuse(const char *what, const char *why, ib_Text *html);

#endif
