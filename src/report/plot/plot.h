// report/plot/plot.h: the contents of a picture, apart from its drawing. The kinds and their
// use: docs/report/plots.md
//
// A plot is described by plain data: fill an ib_Plot, render it. Signals of different units get
// panels of their own, one above the other with one x axis; those of a figure may have their own
// and stand in columns. Values that are not finite are gaps.
#ifndef IB_REPORT_PLOT_PLOT_H
#define IB_REPORT_PLOT_PLOT_H

#include "report/text.h"

#include <stdint.h>

typedef enum ib_PlotKind {
    IB_PLOT_CURVES,     ///< y over x: over time, or one signal over another
    IB_PLOT_TRAJECTORY, ///< a path in the plane with equal axes and velocity arrows
    IB_PLOT_HISTOGRAM,  ///< frequencies of values: a panel per series; x is not used
    IB_PLOT_BOX,        ///< quartiles, whiskers and outliers side by side, a single value as a
                        ///< dot; x is not used
    IB_PLOT_SPECTRUM,   ///< amplitude over frequency; x is time [s]
    IB_PLOT_HEAT,       ///< a value for each pair of x and y, as colours: `heat`, no series
} ib_PlotKind;

typedef enum ib_PlotStyle {
    IB_PLOT_LINE,
    IB_PLOT_POINTS, ///< open circles: measured values over a curve
    IB_PLOT_STEPS,  ///< held until the next sample
    IB_PLOT_AREA,   ///< filled down to zero; covers earlier series
    IB_PLOT_DASHED,
    IB_PLOT_GRID,    ///< thin and pale: a scale to read by, behind everything
    IB_PLOT_CROSSES, ///< poles
    IB_PLOT_CIRCLES, ///< zeros
    IB_PLOT_DOTS,    ///< filled: a value in use
    IB_PLOT_SPECKS,  ///< small dots: many values
} ib_PlotStyle;

typedef enum ib_PlotFormat { IB_PLOT_SVG, IB_PLOT_PNG } ib_PlotFormat;

enum { IB_PLOT_COLOURS = 7, IB_PLOT_GREY = -1 }; ///< of the palette, and none of them

typedef struct ib_PlotSeries {
    const char *label;   ///< the signal's whole name: "pose.x"; "" in a figure: not in the legend
    const char *unit;    ///< of y: "m"; of a figure, those of its panels count
    const double *x, *y; ///< as drawn: in the units of the axes
    int count;           ///< points
    const double *u, *v; ///< velocity at each point, for a trajectory [m/s]; NULL: no arrows
    const double *times; ///< of each point of a trajectory [s], ascending; NULL: evenly spaced
    ib_PlotStyle style;
    int panel;    ///< of a figure
    int colour;   ///< n >= 1: the n-th of the palette, which begins anew with other dashes; 0: its
                  ///< own, or the next one free
    bool named;   ///< its robot is called after a colour: it has one of its own
    uint32_t rgb; ///< that colour, 0xRRGGBB
    int like;     ///< n >= 1: in the colour of the n-th series, before it; 0: in one of those
} ib_PlotSeries;

// The robot itself on a trajectory, or a part of it.
typedef struct ib_PlotOutline {
    const double *x, *y; ///< corners [m]; the last is joined to the first
    int count;
    bool part;    ///< something on the robot: drawn thinnest
    bool passing; ///< neither its start nor its end: drawn thinner
    int series;   ///< n >= 1: in the colour of the n-th series; 0: grey
} ib_PlotOutline;

// Objects on the floor of a trajectory.
typedef enum ib_PlotShapeForm {
    IB_PLOT_RIDGE,    ///< part of a band that may be mounted: shaded
    IB_PLOT_CREST,    ///< the same, its upper half
    IB_PLOT_WALL,     ///< a closed line
    IB_PLOT_OBSTACLE, ///< filled
    IB_PLOT_MOVED,    ///< an obstacle that has moved here: dashed
    IB_PLOT_ZONE,     ///< painted on the floor: tinted, with its name
    IB_PLOT_WAY,      ///< a way that was planned: an open line of dashes
} ib_PlotShapeForm;

typedef struct ib_PlotShape {
    ib_PlotShapeForm form;
    const double *x, *y; ///< corners [m]; the last is joined to the first, but of a way
    int count;
    const char *label; ///< of a zone
    uint32_t rgb;      ///< of a zone, 0xRRGGBB
} ib_PlotShape;

// A pair of axes of a figure, whose panels are not by unit. Either all panels have an x axis of
// their own, or none.
typedef struct ib_PlotPanel {
    const char *name; ///< "": none
    const char *unit; ///< NULL: none is shown
    bool log_y;
    double step;                ///< distance of the ticks of y; 0: chosen
    double y_low, y_high;       ///< values that are on the axis, too; both 0: none
    const char *x_name;         ///< of an x axis of its own; NULL: that of the plot
    const char *x_unit;         ///< NULL: none is shown
    bool x_whole;               ///< x counts: no ticks between whole numbers
    const char *const *x_words; ///< below x = 0, 1, 2 …, instead of numbers; NULL: numbers
    int x_word_count;           ///< 1 .. IB_PLOT_MAX_CELLS
    int span;                   ///< columns of the figure that it takes, up to all of them; 0: one
} ib_PlotPanel;

typedef struct ib_PlotNote {
    const char *text;
    double x, y; ///< its place, in the units of the axes
    int panel;
    bool left;  ///< its end is at the place, not its beginning
    bool quiet; ///< grey and small: part of a grid
} ib_PlotNote;

// An axis of a heat map: numbers, whose cells meet half way between neighbours, or words.
typedef struct ib_PlotHeatAxis {
    const char *name;
    const char *unit;         ///< of the numbers; NULL: none is shown
    int count;                ///< cells along it, 1 .. IB_PLOT_MAX_CELLS
    const double *numbers;    ///< ascending; NULL: words
    const char *const *words; ///< one a cell
} ib_PlotHeatAxis;

typedef struct ib_PlotHeat {
    ib_PlotHeatAxis x, y; ///< columns from left to right, rows from below
    const char *name;
    const char *unit;          ///< of the values; NULL: none is shown
    const double *values;      ///< values[row * x.count + column]; NAN: none, a grey cell
    const bool *barred;        ///< likewise: not allowed, drawn pale and hatched; NULL: none is
    const char *barred_name;   ///< in the legend: "too hot"; NULL: "not allowed"
    int best_column, best_row; ///< the cell that is marked as the best; both -1: none
} ib_PlotHeat;

typedef struct ib_Plot {
    const char *title; ///< "": none
    ib_PlotKind kind;
    const char *x_label, *x_unit; ///< of curves: "time", "s"; the other kinds know theirs
    const ib_PlotSeries *series;
    int series_count;        ///< 1 .. IB_PLOT_MAX_SERIES
    const ib_PlotHeat *heat; ///< of a heat map, which has no series; else NULL
    bool log_x, log_y;       ///< logarithmic axes: values that are not positive are gaps
    const ib_PlotOutline *outlines;
    int outline_count;
    const ib_PlotShape *shapes;
    int shape_count;
    int width, height; ///< pixels, 200 .. 8000; 0: chosen to suit
    int max_points;    ///< per series, >= 100; longer ones are thinned, peaks kept

    // Panels of a chart (report/plot/chart.h). A range with low == high is that of the curves.
    const ib_PlotPanel *panels; ///< NULL: by the units of the series
    int panel_count;
    int columns; ///< panels beside one another, which have x axes of their own; 0: one
    const ib_PlotNote *notes;
    int note_count;
    double x_low, x_high, y_low, y_high; ///< in the units of the axes
} ib_Plot;

enum { IB_PLOT_MAX_SERIES = 64, IB_PLOT_MAX_PANELS = 12, IB_PLOT_MAX_CELLS = 400 };

// An empty plot over time, 4000 points a series.
ib_Plot ib_plot_default(void);

// Checks a description: no series, too many units, a bad size, an axis that does not ascend.
ib_Status ib_plot_check(const ib_Plot *plot, ib_Error *error);

// The gnuplot script that draws it, data included. Every text in it is quoted: a title cannot
// become a command.
ib_Status ib_plot_script(const ib_Plot *plot, ib_PlotFormat format, ib_Text *script,
                         ib_Error *error);

// Draws into memory, or into a file whose ending (.svg, .png) says the format. The same plot gives
// the same bytes of SVG.
ib_Status ib_plot_render(const ib_Plot *plot, ib_PlotFormat format, ib_Text *picture,
                         ib_Error *error);
ib_Status ib_plot_write(const ib_Plot *plot, const char *path, ib_Error *error);

// The format of a file name's ending. The error names the two that are known.
ib_Status ib_plot_format(const char *path, ib_PlotFormat *format, ib_Error *error);

// Size of a path along the axes of the field: the numbers of the Roomba document's fourth plot. All
// NAN without a finite point.
typedef struct ib_PlotExtent {
    double width, height; ///< largest less smallest x, y [m]
    double centre[2];     ///< half way between them: x, y [m]
    int points;           ///< of the path, those that are finite
} ib_PlotExtent;

ib_PlotExtent ib_plot_extent(const ib_PlotSeries *path);

// True if this series has a point that can be drawn on the plot's axes, or no samples.
bool ib_plot_shows(const ib_Plot *plot, int index);

#endif
