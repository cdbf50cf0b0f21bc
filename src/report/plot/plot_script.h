// report/plot/plot_script.h: parts of a gnuplot script that all plots share. Internal
// to src/report.
#ifndef IB_REPORT_PLOT_PLOT_SCRIPT_H
#define IB_REPORT_PLOT_PLOT_SCRIPT_H

#include "base/arena.h"
#include "report/plot/plot.h"

#define IB_LEGEND_ROW 1.5 ///< height of a line of the legend [em]
#define IB_TICKS_LOOK "set tics nomirror out scale 0.6 textcolor rgb '#222222'\n"

// Sizes in pixels; `em` is the font size, in which all distances are counted.
typedef struct ib_Canvas {
    int width, height;
    double em;                       ///< size of the font
    double left, right, top, bottom; ///< around all panels
    double names;                    ///< depth of the names below a panel's axis [em]
} ib_Canvas;

// One pair of axes and its series.
typedef struct ib_Panel {
    int series[IB_PLOT_MAX_SERIES]; ///< indices into the plot's
    int count;
    const char *unit;          ///< NULL: none is shown
    const ib_PlotPanel *given; ///< of a figure; NULL: named after its series
} ib_Panel;

typedef struct ib_Panels {
    ib_Panel items[IB_PLOT_MAX_PANELS];
    int count;
} ib_Panels;

// Place of a panel's axes, in pixels from the bottom left.
typedef struct ib_Frame {
    double left, right, bottom, top;
    int legend_columns, legend_rows; ///< 0 rows: no legend
    double words;                    ///< depth below flat names of the words of its row [em]
} ib_Frame;

typedef struct ib_Range {
    double low, high; ///< in the unit of an axis; low > high: empty
} ib_Range;

// An empty range, and the same with one more value (left out if not drawable).
ib_Range ib__range_empty(void);
ib_Range ib__range_with(ib_Range range, double value);

// A range with a little room at both ends, so that no curve hides on the frame, and the distance of
// its ticks, at most `ticks` of them. An empty range is 0 to 1; a constant gets half its size.
ib_Range ib__range_pad(ib_Range range, int ticks, double *step);
// Ticks for axes of that height: one every 2.6 em, 3 to 8 of them.
int ib__frame_ticks(const ib_Canvas *canvas, const ib_Frame *frame);

// The panels of a figure, or series by unit, in order of appearance; false if these are too many.
bool ib__plot_panels(const ib_Plot *plot, ib_Panels *panels);

// True of a figure whose panels have x axes of their own.
bool ib__plot_has_own_x(const ib_Plot *plot);

// Fills in sizes that were left to us, for so many panels.
ib_Canvas ib__canvas(const ib_Plot *plot, int panels);

// The place of panel `index`, with room for its legend above it.
ib_Frame ib__frame(const ib_Plot *plot, const ib_Canvas *canvas, const ib_Panels *panels,
                   int index);

// Terminal, fonts, grid and title.
void ib__script_begin(const ib_Plot *plot, ib_PlotFormat format, const ib_Canvas *canvas,
                      ib_Text *script);
// Margins and legend of one panel.
void ib__script_frame(const ib_Canvas *canvas, const ib_Frame *frame, ib_Text *script);

// Characters, not bytes.
int ib__text_width(const char *text);

// A text in gnuplot's single quotes, at most `limit` characters.
void ib__script_quote(ib_Text *script, const char *words, int limit);
// "name [unit]" below or left of the axes; a name too long for them is cut, the unit never.
// Unit NULL: a mere count.
void ib__script_x_label(const ib_Canvas *canvas, const ib_Frame *frame, const char *name,
                        const char *unit, ib_Text *script);
void ib__script_y_label(const ib_Canvas *canvas, const ib_Frame *frame, const char *name,
                        const char *unit, ib_Text *script);
// The same right of the picture, for a scale of colours beside the panel.
void ib__script_scale_label(const ib_Canvas *canvas, const ib_Frame *frame, const char *name,
                            const char *unit, ib_Text *script);

// The look of names below an axis, `pitch` [em] apart: flat where they fit, else turned, and only
// every `stride`-th where even those would overlap.
#define IB_NAMES_FLAT 1.4 ///< depth of a flat line [em]

typedef struct ib_Names {
    bool turned;
    int stride;
    double depth; ///< below the axis [em]
} ib_Names;

ib_Names ib__names(const char *const *names, int count, double pitch);
// The same of the words of a panel's axis; beside the outermost ones there is room.
#define IB_BESIDE_WORDS 0.6 ///< [steps of x]
ib_Names ib__words(const ib_PlotPanel *panel, const ib_Canvas *canvas, const ib_Frame *frame);
// The names as the ticks of axis 'x' or 'y', at places in its unit.
void ib__script_names(char axis, const char *const *names, const double *places, int count,
                      const ib_Names *look, ib_Text *script);
// Letters of a name as it is shown.
int ib__name_width(const char *name);

// The series as a data block $sN, thinned; false when nothing in it can be drawn. `index` is N.
// Points that lie on the lines between others but for `tolerance` (report/plot/thin.h) are left
// out; a negative one keeps them. Fails (script->failed) for want of memory.
bool ib__script_data(const ib_Plot *plot, const ib_PlotSeries *series, int index, double tolerance,
                     ib_Text *script);

// An empty panel that says so.
void ib__script_nothing(ib_Text *script);

// The look of a series beside the others of its plot: a colour of its own, or one of the palette
// unlike any own colour; dashes distinguish series of one colour.
typedef struct ib_SeriesStyle {
    char colour[8]; ///< "#0072b2"
    int dashes;     ///< gnuplot's type: 1 is a whole line
} ib_SeriesStyle;

ib_SeriesStyle ib__series_style(const ib_Plot *plot, int index);

// "#0072b2" for palette colour n >= 1, and true if a series has a similar colour of its own.
const char *ib__colour(int n);
bool ib__colour_is_near(const ib_PlotSeries *series, int n);

// Name of a panel's y axis: the figure's, the signal, the common part of its signals' names, or the
// kind of quantity.
void ib__panel_name(const ib_Plot *plot, const ib_Panel *panel, char *text, size_t size);

// The body of each kind, after ib__script_begin.
ib_Status ib__plot_curves(const ib_Plot *plot, const ib_Canvas *canvas, const ib_Panels *panels,
                          ib_Text *script, ib_Error *error);
ib_Status ib__plot_trajectory(const ib_Plot *plot, const ib_Canvas *canvas, ib_Text *script,
                              ib_Error *error);
ib_Status ib__plot_histogram(const ib_Plot *plot, const ib_Canvas *canvas, const ib_Panels *panels,
                             ib_Text *script, ib_Error *error);
ib_Status ib__plot_box(const ib_Plot *plot, const ib_Canvas *canvas, const ib_Panels *panels,
                       ib_Text *script, ib_Error *error);
ib_Status ib__plot_heat(const ib_Plot *plot, const ib_Canvas *canvas, ib_Text *script,
                        ib_Error *error);

// Checks the description of a heat map.
ib_Status ib__heat_check(const ib_PlotHeat *heat, ib_Error *error);

// The size a trajectory would like to have for its shape.
int ib__trajectory_height(const ib_Plot *plot, int width);

// Makes room for the names below the boxes, or the words of a panel's axis, which may be turned.
void ib__box_room(const ib_Plot *plot, const ib_Panels *panels, ib_Canvas *canvas);
void ib__words_room(const ib_Plot *plot, const ib_Panels *panels, ib_Canvas *canvas);

#endif
