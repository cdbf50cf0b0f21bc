#include "report/figures.h"

#include "report/diagram.h"
#include "report/field_shapes.h"
#include "report/html.h"
#include "sim/geometry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_FIGURES = 60,    // of signals
    FIGURE_SERIES = 16,  // in one figure
    PANEL_SERIES = 8,    // of one unit in one figure
    FIGURE_UNITS = 4,    // in one figure
    REPORT_POINTS = 3000 // a series
};

// ---------------------------------------------------------------------------------------- a figure

void ib__figures_draw(const ib_Plot *plot, int number, const char *caption, ib_Text *html)
{
    ib_Text picture = {0};
    ib_Error error;
    ib_text_add(html, "<figure>\n");
    if (ib_plot_render(plot, IB_PLOT_SVG, &picture, &error) == IB_OK)
        ib__html_svg(html, &picture, number, plot->title[0] ? plot->title : "plot");
    else
        ib__html_element(html, "p class=\"bad\"", error.text);
    ib__html_element(html, "figcaption", caption);
    ib_text_add(html, "</figure>\n");
    html->failed |= picture.failed;
    ib_text_destroy(&picture);
}

// -------------------------------------------------------------------------------------- an instant

typedef struct Instant {
    const ib_Report *report;
    ib_Time time;
    const double *row; // value of each of the report's signals then; NULL: from the recording
} Instant;

// The value from the row at hand, or else from the recording.
static double value_then(const void *self, const char *name)
{
    const Instant *instant = self;
    const ib_Report *report = instant->report;
    for (int i = 0; instant->row && i < report->signal_count; i++)
        if (strcmp(report->signals[i].name, name) == 0) return instant->row[i];
    const ib_LogSeries *series = ib_series_find(report->series, "", name);
    return series ? ib_series_value(series, instant->time) : NAN;
}

static double role_then(const void *self, const char *robot, ib_SignalRole role)
{
    const Instant *instant = self;
    const ib_ReportSignal *signal = ib__report_role(instant->report, robot, role);
    return signal ? value_then(self, signal->name) : NAN;
}

// -------------------------------------------------------------------------------------------- path

enum { PATHS = 16, PLACES = 6 };

// One robot as it is seen from above at one instant: its outline and what shows on it; in passing
// only its marks and what moves on it, since it is often drawn over itself.
static int add_outline(const ib_TopView *view, ib_PlotOutline form, ib_PlotOutline *outlines)
{
    int count = 0;
    outlines[count] = form;
    outlines[count].x = view->hull_x;
    outlines[count].y = view->hull_y;
    outlines[count++].count = view->hull_count;
    form.part = true;
    for (int i = 0; i < view->count; i++) {
        const ib_TopShape *shape = &view->shapes[i];
        if (shape->hidden || (form.passing && !shape->painted && !shape->jointed)) continue;
        outlines[count] = form;
        outlines[count].x = shape->x;
        outlines[count].y = shape->y;
        outlines[count++].count = shape->count;
    }
    return count;
}

// Start, end and places between, where the robot is drawn as it stands. A robot among others has
// the colour of its path.
static void add_outlines(const ib_Report *report, const ib_ReportRobot *robot, ib_Arena *arena,
                         ib_Plot *plot, ib_PlotOutline **outlines)
{
    const ib_LogSeries *x = ib_series_role(report->series, robot->name, IB_ROLE_POSE_X);
    const ib_Geometry *look =
        robot->ports ? ib_robot_geometry(robot->ports, robot->name, arena) : NULL;
    if (!look || look->solid_count == 0 || !x || x->count == 0) return;
    size_t room = (size_t)plot->outline_count + PLACES * ((size_t)look->solid_count + 1);
    ib_PlotOutline *all = ib_arena_array(arena, room, sizeof *all);
    if (!all) return;
    if (plot->outline_count > 0) memcpy(all, *outlines, (size_t)plot->outline_count * sizeof *all);
    for (int i = 0; i < PLACES; i++) {
        ib_Time start = x->times[0], span = x->times[x->count - 1] - start;
        Instant instant = {report, start + span / (PLACES - 1) * i, NULL};
        if (i == PLACES - 1) instant.time = start + span;
        ib_TopView view = ib_top_view(look, NULL, value_then, &instant, arena);
        ib_PlotOutline form = {.passing = i > 0 && i<PLACES - 1, .series = report->robot_count> 1
                                              ? plot->series_count
                                              : 0};
        plot->outline_count += add_outline(&view, form, all + plot->outline_count);
    }
    plot->outlines = *outlines = all;
}

void ib__figures_path(const ib_Report *report, const char *trouble, ib_Text *html)
{
    ib_PlotSeries paths[PATHS];
    ib_PlotOutline *outlines = NULL;
    ib_Arena arena = {0};
    ib_Plot plot = ib_plot_default();
    plot.kind = IB_PLOT_TRAJECTORY;
    plot.title = "Trajectory";
    plot.max_points = REPORT_POINTS;
    plot.series = paths;
    for (int i = 0; i < report->robot_count && plot.series_count < PATHS; i++) {
        const ib_ReportRobot *robot = &report->robots[i];
        ib_PlotSeries *path = &paths[plot.series_count];
        if (!ib_series_trajectory(report->series, robot->name, &arena, path)) continue;
        plot.series_count++;
        add_outlines(report, robot, &arena, &plot, &outlines);
    }
    if (report->field)
        plot.shapes = ib__field_shapes(report->field, ib_time_from_seconds(report->duration),
                                       &arena, &plot.shape_count);
    if (plot.series_count > 0 && !trouble)
        ib__figures_draw(
            &plot, IB_FIGURE_PATH,
            "The path of the centre, seen from above, with equal axes. Arrows show the velocity, "
            "as long as it is large; outlines show the robot and where its front points: thick at "
            "start and end, thin at instants between.",
            html);
    ib_arena_reset(&arena);
}

// ----------------------------------------------------------------------------------------- signals

// The length of "red.pose" in "red.pose.x" where red is a robot, else of "pose" in "pose.x".
static size_t group_length(const ib_Report *report, const char *name)
{
    size_t start = 0;
    for (int i = 0; i < report->robot_count; i++) {
        const char *prefix = report->robots[i].name;
        size_t length = strlen(prefix);
        if (length && strncmp(name, prefix, length) == 0 && name[length] == '.') start = length + 1;
    }
    return start + strcspn(name + start, ".");
}

static bool zero_throughout(const ib_LogSeries *series)
{
    for (int64_t i = 0; i < series->count; i++)
        if (series->values[i] != 0) return false;
    return true;
}

typedef struct Figure {
    ib_PlotSeries curves[FIGURE_SERIES];
    const ib_LogSeries *series[FIGURE_SERIES];
    int count;
} Figure;

// Would one more series of this unit still be legible?
static bool has_room(const Figure *figure, const char *unit)
{
    int same = 0, units = 0;
    for (int i = 0; i < figure->count; i++) {
        if (strcmp(figure->curves[i].unit, unit) == 0) same++;
        int first = 0;
        while (strcmp(figure->curves[first].unit, figure->curves[i].unit) != 0) first++;
        if (first == i) units++;
    }
    return figure->count < FIGURE_SERIES && same < PANEL_SERIES &&
           (same > 0 || units < FIGURE_UNITS);
}

// Draws the curves that were gathered of a group of signals as one figure, and begins the next.
static void flush(Figure *figure_, const char *group, size_t length, int *number, ib_Text *html)
{
    if (figure_->count == 0) return;
    char title[128];
    snprintf(title, sizeof title, "%.*s", (int)length, group);
    ib_Plot plot = ib_plot_default();
    plot.title = title;
    plot.series = figure_->curves;
    plot.series_count = figure_->count;
    plot.max_points = REPORT_POINTS;

    ib_Text caption = {0};
    for (int i = 0; i < figure_->count; i++) {
        const ib_LogSeries *series = figure_->series[i];
        ib_text_format(&caption, "%s%s", i ? "; " : "", series->name);
        if (series->sentence && series->sentence[0])
            ib_text_format(&caption, ": %s", series->sentence);
    }
    ib__figures_draw(&plot, ++*number, caption.bytes ? caption.bytes : "", html);
    html->failed |= caption.failed;
    ib_text_destroy(&caption);
    figure_->count = 0;
}

// All signals that share the group of series `first`, in as many figures as they need.
static void draw_group(const ib_Report *report, int first, int *number, ib_Text *idle,
                       ib_Text *html)
{
    const ib_SeriesSet set = report->series;
    const char *group = set.items[first].name;
    size_t length = group_length(report, group);
    ib_Arena arena = {0};
    Figure current = {.count = 0};
    for (int i = first; i < set.count; i++) {
        const ib_LogSeries *series = &set.items[i];
        if (group_length(report, series->name) != length) continue;
        if (strncmp(series->name, group, length) != 0 || series->count == 0) continue;
        if (zero_throughout(series)) {
            ib_text_format(idle, "%s%s", idle->length ? ", " : "", series->name);
            continue;
        }
        ib_PlotSeries curve;
        if (!ib_series_curve(series, &arena, &curve)) continue;
        if (!has_room(&current, curve.unit)) flush(&current, group, length, number, html);
        current.curves[current.count] = curve;
        current.series[current.count++] = series;
    }
    flush(&current, group, length, number, html);
    ib_arena_reset(&arena);
}

// Is series `index` the first of its group?
static bool leads_group(const ib_Report *report, int index)
{
    const char *name = report->series.items[index].name;
    size_t length = group_length(report, name);
    for (int i = 0; i < index; i++) {
        const char *other = report->series.items[i].name;
        if (group_length(report, other) == length && strncmp(other, name, length) == 0)
            return false;
    }
    return true;
}

void ib__figures_signals(const ib_Report *report, const char *trouble, ib_Text *html)
{
    if (report->series.count == 0) {
        ib__html_element(html, "p", "Nothing was recorded.");
        return;
    }
    if (trouble) {
        ib_text_add(html, "<p class=\"bad\">The plots are missing: ");
        ib_text_escape(html, trouble);
        ib_text_add(html, "</p>\n");
        return;
    }
    if (report->sampling) ib__html_element(html, "p class=\"soft\"", report->sampling);
    ib_Text idle = {0};
    int number = IB_FIGURE_PATH;
    for (int i = 0; i < report->series.count && number < MAX_FIGURES; i++)
        if (leads_group(report, i)) draw_group(report, i, &number, &idle, html);
    if (number >= MAX_FIGURES)
        ib__html_element(html, "p", "There are more signals than figures here: see the log.");
    if (idle.length) {
        ib_text_add(html, "<p class=\"soft\">Not drawn, because zero throughout: ");
        ib_text_escape(html, idle.bytes);
        ib_text_add(html, ".</p>\n");
    }
    html->failed |= idle.failed;
    ib_text_destroy(&idle);
}

// ------------------------------------------------------------------------------------------ forces

void ib__figures_forces(const ib_Report *report, ib_Text *html)
{
    if (report->no_diagram) {
        ib_text_add(html, "<p>No free-body diagram: ");
        ib_text_escape(html, report->no_diagram);
        ib_text_add(html, ".</p>\n");
        return;
    }
    double time = isfinite(report->diagram_time) ? report->diagram_time : report->duration / 2;
    Instant instant = {report, ib_time_from_seconds(time), report->diagram_row};
    ib_Arena arena = {0};
    for (int i = 0; i < report->robot_count; i++) {
        const ib_ReportRobot *robot = &report->robots[i];
        if (!robot->ports) continue;
        const ib_DiagramSource source = {value_then, role_then, &instant};
        ib_Diagram diagram = ib_diagram_from(robot->ports, robot->name, &source, &arena);
        if (robot->ports->force_count == 0 && !diagram.disturbed) continue;
        char title[128];
        snprintf(title, sizeof title, "Forces on %s", robot->name[0] ? robot->name : "the robot");
        diagram.title = title;
        diagram.time = time;
        ib_text_add(html, "<figure>\n");
        ib_diagram_draw(&diagram, html);
        ib__html_element(
            html, "figcaption",
            "Free-body diagram seen from above: all forces on the robot where they "
            "act, to one scale, labelled with their size; the list has their parts "
            "along t and n, with signs, and their sums. Forces of contacts are one "
            "arrow on their line of action. X-Y is the field's frame, t-n the robot's. Velocity "
            "and the acceleration of a slope have arrows of one length.");
        ib_text_add(html, "</figure>\n");
    }
    ib_arena_reset(&arena);
}
