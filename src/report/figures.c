#include "report/figures.h"

#include "report/diagram.h"
#include "report/field_shapes.h"
#include "report/html.h"

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

// ------------------------------------------------------------------------------------------- path

enum { PATHS = 16, PLACES = 6 };

// Start, end and places between, where the robot is drawn as it stands. A robot among others has
// the colour of its path.
static int add_outlines(const ib_Report *report, const ib_ReportRobot *robot, int series,
                        ib_PlotOutline *outlines)
{
    const ib_LogSeries *x = ib_series_find(report->series, robot->name, "pose.x");
    const ib_LogSeries *y = ib_series_find(report->series, robot->name, "pose.y");
    const ib_LogSeries *heading = ib_series_find(report->series, robot->name, "pose.heading");
    if (!x || !y || !heading || !robot->ports || x->count == 0 || !(robot->ports->length > 0))
        return 0;
    for (int i = 0; i < PLACES; i++) {
        int64_t at = (x->count - 1) * i / (PLACES - 1);
        outlines[i] = (ib_PlotOutline){
            .x = x->values[at],
            .y = ib_series_value(y, x->times[at]),
            .heading = ib_series_value(heading, x->times[at]),
            .length = robot->ports->length,
            .width = robot->ports->width,
            .round = robot->ports->round,
            .passing = i > 0 && i<PLACES - 1, .series = report->robot_count> 1 ? series : 0,
        };
    }
    return PLACES;
}

// A path without a colour of its own gets the first that no other path has.
static void colour_paths(ib_PlotSeries *paths, int count)
{
    for (int i = 0; i < count; i++) {
        for (int colour = 1; paths[i].colour == 0; colour++) {
            bool taken = false;
            for (int k = 0; k < count; k++) taken |= paths[k].colour == colour;
            if (!taken) paths[i].colour = colour;
        }
    }
}

void ib__figures_path(const ib_Report *report, const char *trouble, ib_Text *html)
{
    ib_PlotSeries paths[PATHS];
    ib_PlotOutline outlines[PLACES * PATHS];
    ib_Arena arena = {0};
    ib_Plot plot = ib_plot_default();
    plot.kind = IB_PLOT_TRAJECTORY;
    plot.title = "Trajectory";
    plot.max_points = REPORT_POINTS;
    plot.series = paths;
    plot.outlines = outlines;
    for (int i = 0; i < report->robot_count && plot.series_count < PATHS; i++) {
        const ib_ReportRobot *robot = &report->robots[i];
        ib_PlotSeries *path = &paths[plot.series_count];
        if (!ib_series_trajectory(report->series, robot->name, &arena, path)) continue;
        plot.series_count++;
        plot.outline_count +=
            add_outlines(report, robot, plot.series_count, outlines + plot.outline_count);
    }
    colour_paths(paths, plot.series_count);
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

typedef struct Instant {
    const ib_Report *report;
    ib_Time time;
} Instant;

// The value from the row at hand, or else from the recording.
static double lookup(const void *self, const char *name)
{
    const Instant *instant = self;
    const ib_Report *report = instant->report;
    if (report->diagram_row)
        for (int i = 0; i < report->signal_count; i++)
            if (strcmp(report->signals[i].name, name) == 0) return report->diagram_row[i];
    const ib_LogSeries *series = ib_series_find(report->series, "", name);
    return series ? ib_series_value(series, instant->time) : NAN;
}

void ib__figures_forces(const ib_Report *report, ib_Text *html)
{
    double time = isfinite(report->diagram_time) ? report->diagram_time : report->duration / 2;
    Instant instant = {report, ib_time_from_seconds(time)};
    for (int i = 0; i < report->robot_count; i++) {
        const ib_ReportRobot *robot = &report->robots[i];
        if (!robot->ports) continue;
        ib_Diagram diagram = ib_diagram_from(robot->ports, robot->name, lookup, &instant);
        if (robot->ports->force_count == 0 && !diagram.disturbed) continue;
        char title[128];
        snprintf(title, sizeof title, "Forces on %s", robot->name[0] ? robot->name : "the robot");
        diagram.title = title;
        diagram.time = time;
        ib_text_add(html, "<figure>\n");
        ib_diagram_draw(&diagram, html);
        ib__html_element(html, "figcaption",
                         "Free-body diagram seen from above: all forces on the robot where they "
                         "act, to one scale, labelled with their size; the list has their signs. "
                         "X-Y is the field's frame, t-n the robot's. Velocity and the "
                         "acceleration of a slope have arrows of one length.");
        ib_text_add(html, "</figure>\n");
    }
}
