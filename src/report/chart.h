// report/chart.h: a picture for one purpose. Internal to src/report.
// It has panels with axes of their own, curves and marks of every form, words at places. Plots of
// signals are report/plot.h.
#ifndef IB_REPORT_CHART_H
#define IB_REPORT_CHART_H

#include "base/arena.h"
#include "report/text.h"

enum { IB_CHART_CURVES = 60, IB_CHART_NOTES = 40, IB_CHART_PANELS = 8 };

typedef enum ib_ChartForm {
    IB_CHART_LINE,
    IB_CHART_DASHED,
    IB_CHART_STEPS,   ///< held until the next sample
    IB_CHART_GRID,    ///< thin and pale: a scale to read by, behind everything
    IB_CHART_CROSSES, ///< poles
    IB_CHART_CIRCLES, ///< zeros
    IB_CHART_DOTS,    ///< filled: a value in use
    IB_CHART_SPECKS,  ///< small dots: many values
} ib_ChartForm;

typedef struct ib_ChartCurve {
    const char *label;   ///< "": not in the legend
    const double *x, *y; ///< in the units of the axes
    int count;           ///< of points
    int panel;
    ib_ChartForm form;
    int colour; ///< n >= 1: the n-th of the palette; 0: grey
} ib_ChartCurve;

typedef struct ib_ChartNote {
    const char *text;
    double x, y; ///< its place, in the units of the axes
    int panel;
    bool left;  ///< its end is at the place, not its beginning
    bool quiet; ///< grey and small: part of a grid
} ib_ChartNote;

typedef struct ib_ChartPanel {
    const char *name;
    const char *unit; ///< NULL: none is shown
    bool log_y;
    double step; ///< distance of the ticks of y; 0: chosen
} ib_ChartPanel;

// Texts and numbers are borrowed. Ranges that are not given (low == high) suit the curves, but not
// those of the grid.
typedef struct ib_Chart {
    const char *title;
    const char *x_name, *x_unit;
    bool log_x;
    bool equal; ///< one panel in which a unit of x is as long as one of y: see ib__chart_fill
    double x_low, x_high, y_low, y_high; ///< in the units of the axes
    int panels, curves, notes;
    ib_ChartPanel panel[IB_CHART_PANELS];
    ib_ChartCurve curve[IB_CHART_CURVES];
    ib_ChartNote note[IB_CHART_NOTES];
} ib_Chart;

// Add something; what is beyond the most is left out.
void ib__chart_panel(ib_Chart *chart, const char *name, const char *unit);
void ib__chart_curve(ib_Chart *chart, ib_ChartCurve curve);
void ib__chart_note(ib_Chart *chart, ib_ChartNote note);

// Widens the given ranges of an equal chart so that they fill its panel. Once the labels of all
// curves are there: they take room.
void ib__chart_fill(ib_Chart *chart);

// The gnuplot script that draws it as SVG, data included.
ib_Status ib__chart_script(const ib_Chart *chart, ib_Text *script, ib_Error *error);

// Draws it on its card, or says there why not. `number` keeps the names in the pictures apart.
void ib__chart_draw(const ib_Chart *chart, int number, const char *caption, ib_Text *html);

// A card for a figure that cannot be made, with the reason.
void ib__chart_refuse(const char *what, const char *why, ib_Text *html);

#endif
