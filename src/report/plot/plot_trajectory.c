// report/plot/plot_trajectory.c: paths in the plane: equal axes, arrows as long as the velocity
// they stand for, start and end.
#include "base/extreme.h"
#include "report/plot/drawable.h"
#include "report/plot/plot_script.h"

#include <math.h>
#include <stdio.h>

enum { ARROWS = 20, THINNEST = 4 }; // pixels

typedef struct Bounds {
    ib_Range x, y;
    double fastest; // [m/s]
    double between; // time from one arrow to the next, the shortest of all paths [s]
} Bounds;

static bool point(const ib_PlotSeries *series, int i)
{
    return ib__drawable(series->x[i]) && ib__drawable(series->y[i]);
}

static double speed(const ib_PlotSeries *series, int i)
{
    double u = series->u[i], v = series->v[i];
    return sqrt(u * u + v * v);
}

// The first point that is not earlier than this.
static int point_at(const ib_PlotSeries *series, double time)
{
    int low = 0, high = series->count - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (series->times[middle] < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Index of arrow k: equally spaced in time, both ends included.
static int arrow_index(const ib_PlotSeries *series, int k)
{
    int last = series->count - 1;
    if (series->count <= ARROWS) return k <= last ? k : last;
    if (!series->times) return (int)((long long)last * k / (ARROWS - 1));
    double start = series->times[0], span = series->times[last] - start;
    return k == ARROWS - 1 ? last : point_at(series, start + span * k / (ARROWS - 1));
}

static bool has_arrow(const ib_PlotSeries *series, int i)
{
    return series->u && series->v && point(series, i) && ib__drawable(series->u[i]) &&
           ib__drawable(series->v[i]);
}

// An arrow shows where the robot would be shortly before the next arrow, so that neighbours do not
// cover each other; on a path of many turns, at most a seventh of its extent [m per m/s].
static double arrow_scale(const Bounds *bounds)
{
    double extent = ib_max(bounds->x.high - bounds->x.low, bounds->y.high - bounds->y.low);
    if (!(bounds->fastest > 0 && extent > 0)) return 0;
    return ib_min(extent / 7 / bounds->fastest, 0.85 * bounds->between);
}

// Time between two arrows: length of the path over mean speed, divided by the number of arrows.
// Infinite without motion.
static double arrow_interval(const ib_PlotSeries *series)
{
    double length = 0, sum = 0;
    int count = 0, last = -1;
    for (int i = 0; i < series->count; i++) {
        if (!has_arrow(series, i)) continue;
        if (last >= 0) {
            double dx = series->x[i] - series->x[last], dy = series->y[i] - series->y[last];
            length += sqrt(dx * dx + dy * dy);
        }
        sum += speed(series, i);
        last = i;
        count++;
    }
    return sum > 0 ? length * count / sum / (ARROWS - 1) : INFINITY;
}

// Widens the ranges by the points of a path; how many it has.
static int widen(const ib_PlotSeries *series, ib_Range *x, ib_Range *y)
{
    int count = 0;
    for (int i = 0; i < series->count; i++) {
        if (!point(series, i)) continue;
        *x = ib__range_with(*x, series->x[i]);
        *y = ib__range_with(*y, series->y[i]);
        count++;
    }
    return count;
}

ib_PlotExtent ib_plot_extent(const ib_PlotSeries *path)
{
    ib_Range x = ib__range_empty(), y = ib__range_empty();
    int points = widen(path, &x, &y);
    if (points == 0) return (ib_PlotExtent){NAN, NAN, {NAN, NAN}, 0};
    return (ib_PlotExtent){.width = x.high - x.low,
                           .height = y.high - y.low,
                           .centre = {(x.low + x.high) / 2, (y.low + y.high) / 2},
                           .points = points};
}

static Bounds path_bounds(const ib_Plot *plot)
{
    Bounds bounds = {ib__range_empty(), ib__range_empty(), 0, INFINITY};
    for (int s = 0; s < plot->series_count; s++) {
        const ib_PlotSeries *series = &plot->series[s];
        widen(series, &bounds.x, &bounds.y);
        bounds.between = ib_min(bounds.between, arrow_interval(series));
        for (int k = 0; k < ARROWS && series->count > 0; k++) {
            int i = arrow_index(series, k);
            if (has_arrow(series, i)) bounds.fastest = ib_max(bounds.fastest, speed(series, i));
        }
    }
    return bounds;
}

// The path with its arrows, the outlines and the field inside.
static Bounds all_bounds(const ib_Plot *plot)
{
    Bounds path = path_bounds(plot), bounds = path;
    double scale = arrow_scale(&path);
    for (int s = 0; s < plot->series_count; s++) {
        const ib_PlotSeries *series = &plot->series[s];
        for (int k = 0; k < ARROWS && series->count > 0; k++) {
            int i = arrow_index(series, k);
            if (!has_arrow(series, i)) continue;
            bounds.x = ib__range_with(bounds.x, series->x[i] + scale * series->u[i]);
            bounds.y = ib__range_with(bounds.y, series->y[i] + scale * series->v[i]);
        }
    }
    for (int i = 0; i < plot->outline_count; i++) {
        const ib_PlotOutline *o = &plot->outlines[i];
        for (int k = 0; k < o->count; k++) {
            bounds.x = ib__range_with(bounds.x, o->x[k]);
            bounds.y = ib__range_with(bounds.y, o->y[k]);
        }
    }
    for (int i = 0; i < plot->shape_count; i++) {
        const ib_PlotShape *shape = &plot->shapes[i];
        for (int k = 0; k < shape->count; k++) {
            bounds.x = ib__range_with(bounds.x, shape->x[k]);
            bounds.y = ib__range_with(bounds.y, shape->y[k]);
        }
    }
    return bounds;
}

static double farthest(const ib_Range *range)
{
    return ib_max(fabs(range->low), fabs(range->high));
}

// A margin on all sides; a robot that did not move gets half a metre, or, very far away, the
// resolution of its place.
static void pad(ib_Range *x, ib_Range *y)
{
    double extent = ib_max(x->high - x->low, y->high - y->low);
    double size = ib_max(farthest(x), farthest(y));
    double room = extent > 1e-9 * ib_max(size, 1) ? 0.05 * extent : ib_max(0.5, 1e-8 * size);
    *x = (ib_Range){x->low - room, x->high + room};
    *y = (ib_Range){y->low - room, y->high + room};
}

static double frame_width(const ib_Canvas *canvas)
{
    return canvas->width - canvas->left - canvas->right;
}

int ib__trajectory_height(const ib_Plot *plot, int width)
{
    Bounds bounds = all_bounds(plot);
    if (!(bounds.x.low <= bounds.x.high)) return width / 2;
    pad(&bounds.x, &bounds.y);
    // Height by the shape, between a landscape strip and a little more than a square.
    double shape = (bounds.y.high - bounds.y.low) / (bounds.x.high - bounds.x.low);
    double height = width * (0.9 * shape + 0.14);
    return (int)ib_min(ib_max(height, 0.42 * width), 0.85 * width);
}

// Widens one range until both have the same pixels per metre.
static void equalise(ib_Range *x, ib_Range *y, double width, double height)
{
    double scale = ib_max((x->high - x->low) / width, (y->high - y->low) / height); // [m/px]
    double middle_x = (x->low + x->high) / 2, middle_y = (y->low + y->high) / 2;
    *x = (ib_Range){middle_x - scale * width / 2, middle_x + scale * width / 2};
    *y = (ib_Range){middle_y - scale * height / 2, middle_y + scale * height / 2};
}

// ------------------------------------------------------------------------------------------ script

// One entry of the plot command, with a comma before all but the first.
static void entry(ib_Text *command, const char *what)
{
    ib_text_add(command, command->length ? ", " : "plot ");
    ib_text_add(command, what);
}

// Whole robots are drawn with thick lines at start and end.
enum { ENDS, PASSING, PART, OUTLINE_FORMS };

static int outline_form(const ib_PlotOutline *outline)
{
    return outline->part ? PART : outline->passing ? PASSING : ENDS;
}

// A part too thin to be told from its own two edges is not drawn. Twice the area over the
// circumference is the thickness of a strip, in any direction.
static bool is_legible(const ib_PlotOutline *o, double per_pixel)
{
    double area = 0, around = 0;
    for (int i = 0; i < o->count; i++) {
        int k = (i + 1) % o->count;
        double dx = o->x[k] - o->x[i], dy = o->y[k] - o->y[i];
        area += (o->x[i] * dy - o->y[i] * dx) / 2;
        around += sqrt(dx * dx + dy * dy);
    }
    return !o->part || 2 * fabs(area) >= THINNEST * per_pixel * around;
}

// The outlines of one series (0: of none) and one form, as lines of one colour;
// `per_pixel` is the scale [m].
static void script_outlines(const ib_Plot *plot, int series, int form, double per_pixel,
                            ib_Text *script, ib_Text *command)
{
    static const double widths[OUTLINE_FORMS] = {2.4, 1.4, 1};
    static const char *const greys[OUTLINE_FORMS] = {"#4a4a4a", "#8a8a8a", "#6e6e6e"};
    int id = OUTLINE_FORMS * series + form;
    bool any = false;
    for (int i = 0; i < plot->outline_count; i++) {
        const ib_PlotOutline *o = &plot->outlines[i];
        if (o->series != series || outline_form(o) != form || o->count == 0) continue;
        if (!is_legible(o, per_pixel)) continue;
        if (!any) ib_text_format(script, "$o%d << EOD\n", id);
        any = true;
        for (int k = 0; k <= o->count; k++)
            ib_text_format(script, "%.10g %.10g\n", o->x[k % o->count], o->y[k % o->count]);
        ib_text_add(script, "\n");
    }
    if (!any) return;
    ib_text_add(script, "EOD\n");
    bool coloured = series >= 1 && series <= plot->series_count;
    char what[120];
    snprintf(what, sizeof what, "$o%d using 1:2 with lines lw %g lc rgb '%s' notitle", id,
             widths[form], coloured ? ib__series_style(plot, series - 1).colour : greys[form]);
    entry(command, what);
}

// All shapes of one form as polygons in $f<form>, closed but for a way.
static void script_shapes(const ib_Plot *plot, ib_PlotShapeForm form, ib_Text *script,
                          ib_Text *command)
{
    static const char *const styles[] = {
        [IB_PLOT_RIDGE] = "filledcurves closed fs solid 1 noborder lc rgb '#efe9df' notitle",
        [IB_PLOT_CREST] = "filledcurves closed fs solid 1 noborder lc rgb '#ddd0ba' notitle",
        [IB_PLOT_WALL] = "lines lw 4 lc rgb '#444444' notitle",
        [IB_PLOT_OBSTACLE] =
            "filledcurves closed fs solid 1 border rgb '#444444' lc rgb '#cfccc4' notitle",
        [IB_PLOT_MOVED] = "lines lw 2 dt 2 lc rgb '#444444' notitle",
        [IB_PLOT_WAY] = "lines lw 1.6 dt '-' lc rgb '#111111' title 'planned'",
    };
    bool any = false;
    for (int i = 0; i < plot->shape_count; i++) {
        const ib_PlotShape *shape = &plot->shapes[i];
        if (shape->form != form || shape->count == 0) continue;
        if (!any) ib_text_format(script, "$f%d << EOD\n", (int)form);
        any = true;
        for (int k = 0; k < shape->count + (form != IB_PLOT_WAY); k++)
            ib_text_format(script, "%.10g %.10g\n", shape->x[k % shape->count],
                           shape->y[k % shape->count]);
        ib_text_add(script, "\n");
    }
    if (!any) return;
    ib_text_add(script, "EOD\n");
    char what[160];
    snprintf(what, sizeof what, "$f%d using 1:2 with %s", (int)form, styles[form]);
    entry(command, what);
}

// The place of a zone's name: in the middle from left to right, near its lower edge, so that
// objects in its middle do not cover it. Zones are convex.
static void zone_middle(const ib_PlotShape *zone, double *x, double *y)
{
    ib_Range high = ib__range_empty(), wide = ib__range_empty();
    for (int k = 0; k < zone->count; k++) high = ib__range_with(high, zone->y[k]);
    *y = high.low + 0.22 * (high.high - high.low);
    for (int k = 0; k < zone->count; k++) {
        int next = (k + 1) % zone->count;
        double from = zone->y[k] - *y, to = zone->y[next] - *y;
        if ((from > 0) == (to > 0)) continue;
        double share = from / (from - to);
        wide = ib__range_with(wide, zone->x[k] + share * (zone->x[next] - zone->x[k]));
    }
    *x = (wide.low + wide.high) / 2;
}

// Zones, each with a tint, a thin line of its colour around it and its name, below everything else.
static void script_zones(const ib_Plot *plot, ib_Text *script, ib_Text *command)
{
    enum { FIRST_LABEL = 1000 };
    for (int i = 0; i < plot->shape_count; i++) {
        const ib_PlotShape *zone = &plot->shapes[i];
        unsigned rgb = zone->rgb;
        double x, y;
        if (zone->form != IB_PLOT_ZONE || zone->count == 0) continue;
        ib_text_format(script, "$z%d << EOD\n", i);
        for (int k = 0; k <= zone->count; k++)
            ib_text_format(script, "%.10g %.10g\n", zone->x[k % zone->count],
                           zone->y[k % zone->count]);
        ib_text_format(script, "EOD\nset label %d ", FIRST_LABEL + i);
        ib__script_quote(script, zone->label ? zone->label : "", 32);
        zone_middle(zone, &x, &y);
        ib_text_format(script, " at %.10g,%.10g center norotate back textcolor rgb '#%06x'\n", x, y,
                       rgb);
        char what[200];
        snprintf(what, sizeof what,
                 "$z%d using 1:2 with filledcurves closed fs transparent solid 0.12 border rgb "
                 "'#%06x' lc rgb '#%06x' notitle",
                 i, rgb, rgb);
        entry(command, what);
    }
}

// Arrows of one series as x, y, dx, dy in $vN; returns how many.
static int script_arrows(const ib_PlotSeries *series, int index, double scale, ib_Text *script)
{
    int count = 0, last = -1;
    ib_text_format(script, "$v%d << EOD\n", index);
    for (int k = 0; k < ARROWS && series->count > 0; k++) {
        int i = arrow_index(series, k);
        if (i == last || !has_arrow(series, i) || !(scale > 0)) continue;
        last = i;
        // An arrow too short to see has no direction worth showing.
        double length = scale * speed(series, i);
        if (!(length > 0)) continue;
        ib_text_format(script, "%.10g %.10g %.10g %.10g\n", series->x[i], series->y[i],
                       scale * series->u[i], scale * series->v[i]);
        count++;
    }
    ib_text_add(script, "EOD\n");
    return count;
}

// The first and the last point that can be drawn, in $eN; false: there is none.
static bool script_ends(const ib_PlotSeries *series, int index, ib_Text *script)
{
    int first = 0, last = series->count - 1;
    while (first < series->count && !point(series, first)) first++;
    if (first == series->count) return false;
    while (!point(series, last)) last--;
    ib_text_format(script, "$e%d << EOD\n%.10g %.10g\n%.10g %.10g\nEOD\n", index, series->x[first],
                   series->y[first], series->x[last], series->y[last]);
    return true;
}

// Paths that are driven, not measured: one needs no name.
static int path_count(const ib_Plot *plot)
{
    int count = 0;
    for (int i = 0; i < plot->series_count; i++) count += plot->series[i].style != IB_PLOT_POINTS;
    return count;
}

// The arrows of a single path must not look like it.
static const char *arrow_colour(const ib_PlotSeries *path)
{
    return ib__colour(ib__colour_is_near(path, 2) ? 1 : 2);
}

static void script_series(const ib_Plot *plot, int index, double scale, bool named, ib_Text *script,
                          ib_Text *command)
{
    const ib_PlotSeries *series = &plot->series[index];
    // Points beside a single path must not look like its arrows.
    bool points = series->style == IB_PLOT_POINTS;
    const ib_SeriesStyle look = ib__series_style(plot, index);
    const char *colour = points && !named ? ib__colour(7) : look.colour;
    if (!ib__script_data(plot, series, index, -1, script)) return;
    int arrows = script_arrows(series, index, scale, script);
    char what[200];
    snprintf(what, sizeof what, "$s%d using 1:2 with %s lw 3.2 lc rgb '%s' title ", index,
             points ? "points pt 7 ps 0.7" : "lines", colour);
    entry(command, what);
    if (named || points)
        ib__script_quote(command, series->label, 48);
    else
        ib_text_add(command, "'path'");
    if (arrows > 0) {
        snprintf(what, sizeof what,
                 "$v%d using 1:2:3:4 with vectors head filled size screen 0.011,18 lw 2 lc rgb "
                 "'%s' notitle",
                 index, named ? colour : arrow_colour(series));
        entry(command, what);
    }
}

// Start and end of a driven path, over all paths.
static void script_marks(const ib_Plot *plot, int index, ib_Text *script, ib_Text *command)
{
    const ib_PlotSeries *series = &plot->series[index];
    if (series->style == IB_PLOT_POINTS || !script_ends(series, index, script)) return;
    char what[200];
    bool first = index == 0;
    snprintf(what, sizeof what,
             "$e%d using 1:2 every ::0::0 with points pt 6 ps 1.5 lw 3 lc rgb '#009e73' %s", index,
             first ? "title 'start'" : "notitle");
    entry(command, what);
    snprintf(what, sizeof what,
             "$e%d using 1:2 every ::1::1 with points pt 5 ps 1.2 lc rgb '#000000' %s", index,
             first ? "title 'end'" : "notitle");
    entry(command, what);
}

static bool has_form(const ib_Plot *plot, ib_PlotShapeForm form)
{
    for (int i = 0; i < plot->shape_count; i++)
        if (plot->shapes[i].form == form) return true;
    return false;
}

// The meaning of the longest arrow: the scale of all.
static void script_legend(const Bounds *bounds, const ib_Plot *plot, ib_Text *command)
{
    if (has_form(plot, IB_PLOT_MOVED))
        entry(command,
              "keyentry with lines lw 2 dt 2 lc rgb '#444444' title 'obstacle, at the end'");
    if (!(arrow_scale(bounds) > 0)) return;
    char words[100];
    snprintf(words, sizeof words, "keyentry with lines lw 2 lc rgb '%s' title ",
             path_count(plot) == 1 ? arrow_colour(&plot->series[0]) : "#888888");
    entry(command, words);
    snprintf(words, sizeof words, "velocity, longest arrow %.3g m/s", bounds->fastest);
    ib__script_quote(command, words, 0);
}

ib_Status ib__plot_trajectory(const ib_Plot *plot, const ib_Canvas *canvas, ib_Text *script,
                              ib_Error *error)
{
    (void)error;
    Bounds path = path_bounds(plot), bounds = all_bounds(plot);
    ib_Frame frame = {.left = canvas->left,
                      .right = canvas->width - canvas->right,
                      .bottom = canvas->bottom,
                      .legend_columns = 2}; // the entry about the arrows is long
    int entries =
        plot->series_count + 3 + has_form(plot, IB_PLOT_MOVED) + has_form(plot, IB_PLOT_WAY);
    frame.legend_rows = (entries + frame.legend_columns - 1) / frame.legend_columns;
    frame.top = canvas->height - canvas->top - IB_LEGEND_ROW * frame.legend_rows * canvas->em;
    ib__script_frame(canvas, &frame, script);
    ib__script_x_label(canvas, &frame, "x", "m", script);
    ib__script_y_label(canvas, &frame, "y", "m", script);
    if (!(bounds.x.low <= bounds.x.high)) {
        ib__script_nothing(script);
        return IB_OK;
    }

    pad(&bounds.x, &bounds.y);
    equalise(&bounds.x, &bounds.y, frame_width(canvas), frame.top - frame.bottom);
    ib_text_format(script, "set xrange [%.10g:%.10g]\nset yrange [%.10g:%.10g]\n", bounds.x.low,
                   bounds.x.high, bounds.y.low, bounds.y.high);
    // The same ticks both ways let the eye see that the axes are equal.
    double step;
    ib__range_pad(bounds.x, 10, &step);
    ib_text_format(script, "set xtics %.10g\nset ytics %.10g\n", step, step);

    ib_Text command = {0};
    double per_pixel = (bounds.x.high - bounds.x.low) / frame_width(canvas);
    script_zones(plot, script, &command);
    for (int form = IB_PLOT_RIDGE; form <= IB_PLOT_MOVED; form++)
        script_shapes(plot, (ib_PlotShapeForm)form, script, &command);
    for (int i = 0; i <= plot->series_count; i++) {
        for (int form = PART; form >= ENDS; form--)
            script_outlines(plot, i, form, per_pixel, script, &command);
    }
    for (int i = 0; i < plot->series_count; i++)
        script_series(plot, i, arrow_scale(&path), path_count(plot) > 1, script, &command);
    script_shapes(plot, IB_PLOT_WAY, script, &command); // over the driven path
    for (int i = 0; i < plot->series_count; i++) script_marks(plot, i, script, &command);
    script_legend(&path, plot, &command);
    ib_text_add(&command, "\n");
    script->failed |= command.failed;
    if (command.bytes) ib_text_add_n(script, command.bytes, command.length);
    ib_text_destroy(&command);
    return IB_OK;
}
