#include "report/figures.h"

#include "report/diagram/diagram.h"
#include "report/field_shapes.h"
#include "report/html.h"
#include "report/pending.h"
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

void ib__figures_draw(const ib_Plot *plot, const char *caption, ib_Text *html)
{
    ib_Text script = {0};
    ib_Error error;
    ib_text_add(html, "<figure>\n");
    if (ib_plot_script(plot, IB_PLOT_SVG, &script, &error) == IB_OK)
        ib__pending_add(html, &script, plot->title[0] ? plot->title : "plot");
    else
        ib__html_element(html, "p class=\"bad\"", error.text);
    ib__html_element(html, "figcaption", caption);
    ib_text_add(html, "</figure>\n");
    ib_text_destroy(&script);
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

#define STILL 1e-3 ///< a body with a shorter way was not moved [m]

// One robot from above at one instant: its outline and its visible parts; in passing only its marks
// and moving parts, since it is often drawn over itself.
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
// the colour of its path, series n >= 1.
static void add_outlines(const ib_Report *report, const ib_ReportRobot *robot, int series,
                         ib_Arena *arena, ib_Plot *plot, ib_PlotOutline **outlines)
{
    const ib_LogSeries *x = ib_series_role(report->series, robot->name, IB_ROLE_POSE_X);
    const ib_Geometry *geometry =
        robot->ports ? ib_robot_geometry(robot->ports, robot->name, arena) : NULL;
    if (!geometry || geometry->solid_count == 0 || !x || x->count == 0) return;
    size_t room = (size_t)plot->outline_count + PLACES * ((size_t)geometry->solid_count + 1);
    ib_PlotOutline *all = ib_arena_array(arena, room, sizeof *all);
    if (!all) return;
    if (plot->outline_count > 0) memcpy(all, *outlines, (size_t)plot->outline_count * sizeof *all);
    for (int i = 0; i < PLACES; i++) {
        ib_Time start = x->times[0], span = x->times[x->count - 1] - start;
        Instant instant = {report, start + span / (PLACES - 1) * i, NULL};
        if (i == PLACES - 1) instant.time = start + span;
        ib_TopView view = ib_top_view(geometry, NULL, value_then, &instant, arena);
        ib_PlotOutline form = {.passing = i > 0 && i < PLACES - 1, .series = series};
        plot->outline_count += add_outline(&view, form, all + plot->outline_count);
    }
    plot->outlines = *outlines = all;
}

// A loose body that was never pushed has no path, only a place.
static bool lies_still(const ib_ReportRobot *robot, const ib_PlotSeries *path)
{
    ib_PlotExtent extent = ib_plot_extent(path);
    return robot->ports && !ib_robot_driven(robot->ports) && extent.width < STILL &&
           extent.height < STILL;
}

// The field, and the ways that robots meant to take.
static void add_shapes(const ib_Report *report, ib_Arena *arena, ib_Plot *plot)
{
    int field = 0;
    const ib_PlotShape *stands =
        report->field
            ? ib__field_shapes(report->field, ib_time_from_seconds(report->duration), arena, &field)
            : NULL;
    size_t room = (size_t)(field + report->way_count);
    ib_PlotShape *shapes = ib_arena_array(arena, room, sizeof *shapes);
    if (!shapes) return;
    if (stands) memcpy(shapes, stands, (size_t)field * sizeof *shapes);
    plot->shape_count = stands ? field : 0;
    for (int i = 0; i < report->way_count; i++) {
        const ib_Way *way = &report->ways[i];
        shapes[plot->shape_count++] =
            (ib_PlotShape){.form = IB_PLOT_WAY, .x = way->x, .y = way->y, .count = way->count};
    }
    plot->shapes = shapes;
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
        bool still = lies_still(robot, path);
        if (!still) plot.series_count++;
        int series = still || report->robot_count < 2 ? 0 : plot.series_count;
        add_outlines(report, robot, series, &arena, &plot, &outlines);
    }
    add_shapes(report, &arena, &plot);
    if (plot.series_count > 0 && !trouble)
        ib__figures_draw(
            &plot,
            "The path of the centre, seen from above, with equal axes. Arrows show the velocity, "
            "as long as it is large; outlines show the robot and where its front points: thick at "
            "start and end, thin at instants between. Dashes show the way that was planned, where "
            "there was one.",
            html);
    ib_arena_reset(&arena);
}

// ----------------------------------------------------------------------------------------- signals

// The length of "red.pose" in "red.pose.x" where red is a robot, else of "pose" in "pose.x".
static size_t group_length(const ib_Report *report, const char *name)
{
    int owner = ib__report_owner(report, name);
    size_t start = owner < 0 ? 0 : strlen(report->robots[owner].name) + 1;
    return start + strcspn(name + start, ".");
}

// True for signals of one of several parts each: motor.1.current and motor.3.current.
static bool same_but_for_number(const char *a, const char *b)
{
    while (*a || *b) {
        size_t length_a = strcspn(a, "."), length_b = strcspn(b, ".");
        bool numbers = length_a && length_b && strspn(a, "0123456789") == length_a &&
                       strspn(b, "0123456789") == length_b;
        bool same = length_a == length_b && strncmp(a, b, length_a) == 0;
        if (!numbers && !same) return false;
        a += length_a, b += length_b;
        if (*a != *b) return false;
        if (*a) a++, b++;
    }
    return true;
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
    int part[FIGURE_SERIES]; // n >= 1: of the n-th of several parts; 0: there is one only
    int count;
} Figure;

// Would `more` series of this unit still be legible?
static bool has_room(const Figure *figure, const char *unit, int more)
{
    int same = 0, units = 0;
    for (int i = 0; i < figure->count; i++) {
        if (strcmp(figure->curves[i].unit, unit) == 0) same++;
        int first = 0;
        while (strcmp(figure->curves[first].unit, figure->curves[i].unit) != 0) first++;
        if (first == i) units++;
    }
    return figure->count + more <= FIGURE_SERIES && same + more <= PANEL_SERIES &&
           (same > 0 || units < FIGURE_UNITS);
}

// The colour of series `index` of a part, in a panel of parts: the first, the second part have
// their colours in all panels of a figure, and dashes distinguish their several signals in
// one panel.
static int colour_of_part(const Figure *figure, int index)
{
    int before = 0;
    for (int i = 0; i < figure->count; i++) {
        if (strcmp(figure->curves[i].unit, figure->curves[index].unit) != 0) continue;
        if (figure->part[i] == 0 || figure->part[i] > IB_PLOT_COLOURS) return 0;
        if (i < index && figure->part[i] == figure->part[index]) before++;
    }
    return figure->part[index] + IB_PLOT_COLOURS * before;
}

// Names and sentences of all curves; a sentence that several parts share is said once.
static void write_caption(const Figure *figure, ib_Text *caption)
{
    for (int i = 0; i < figure->count; i++) {
        bool last = i + 1 == figure->count;
        const ib_LogSeries *series = figure->series[i], *next = figure->series[last ? i : i + 1];
        const char *sentence = series->sentence ? series->sentence : "";
        ib_text_add(caption, series->name);
        bool shared = !last && same_but_for_number(series->name, next->name) && next->sentence &&
                      strcmp(sentence, next->sentence) == 0;
        if (!shared && sentence[0]) ib_text_format(caption, ": %s", sentence);
        if (!last) ib_text_add(caption, shared ? ", " : "; ");
    }
}

// Draws the curves that were gathered of a group of signals as one figure, and begins the next.
static void flush(Figure *figure_, const char *group, size_t length, int *count, ib_Text *html)
{
    if (figure_->count == 0) return;
    char title[128];
    snprintf(title, sizeof title, "%.*s", (int)length, group);
    ib_Plot plot = ib_plot_default();
    plot.title = title;
    plot.series = figure_->curves;
    plot.series_count = figure_->count;
    plot.max_points = REPORT_POINTS;

    for (int i = 0; i < figure_->count; i++)
        if (!figure_->curves[i].named) figure_->curves[i].colour = colour_of_part(figure_, i);

    ib_Text caption = {0};
    write_caption(figure_, &caption);
    ++*count;
    ib__figures_draw(&plot, caption.bytes ? caption.bytes : "", html);
    html->failed |= caption.failed;
    ib_text_destroy(&caption);
    figure_->count = 0;
}

// True if the group of signals of `group` has this one too.
static bool in_group(const ib_Report *report, const char *group, const char *name)
{
    size_t length = group_length(report, group);
    return group_length(report, name) == length && strncmp(name, group, length) == 0;
}

// One group of signals on its way into figures.
typedef struct Group {
    const ib_Report *report;
    const char *name; // of the first signal
    Figure figure;
    int *count; // of figures
    ib_Arena arena;
    ib_Text *idle, *html;
} Group;

static void next_figure(Group *group)
{
    flush(&group->figure, group->name, group_length(group->report, group->name), group->count,
          group->html);
}

static void add_series(Group *group, const ib_LogSeries *series, int part)
{
    Figure *figure = &group->figure;
    ib_PlotSeries curve;
    if (!ib_series_curve(series, &group->arena, &curve)) return;
    if (!has_room(figure, curve.unit, 1)) next_figure(group);
    figure->curves[figure->count] = curve;
    figure->part[figure->count] = part;
    figure->series[figure->count++] = series;
}

// The series and those of other parts with the same name but for a number, together in one panel
// where they have room there.
static void add_parts(Group *group, int first)
{
    const ib_SeriesSet set = group->report->series;
    const ib_LogSeries **parts = ib_arena_array(&group->arena, (size_t)set.count, sizeof *parts);
    int *place = ib_arena_array(&group->arena, (size_t)set.count, sizeof *place);
    int count = 0, drawn = 0;
    group->html->failed |= !parts || !place;
    for (int i = first; i < set.count && parts && place; i++) {
        const ib_LogSeries *series = &set.items[i];
        if (series->count == 0 || !same_but_for_number(series->name, set.items[first].name))
            continue;
        count++;
        if (zero_throughout(series)) {
            ib_text_format(group->idle, "%s%s", group->idle->length ? ", " : "", series->name);
            continue;
        }
        place[drawn] = count;
        parts[drawn++] = series;
    }
    ib_PlotSeries curve;
    if (drawn > 0 && ib_series_curve(parts[0], &group->arena, &curve) &&
        !has_room(&group->figure, curve.unit, drawn))
        next_figure(group);
    for (int i = 0; i < drawn; i++) add_series(group, parts[i], count > 1 ? place[i] : 0);
}

// True if series `index` is the first of those that differ by a number only.
static bool leads_parts(const ib_Report *report, int index)
{
    const ib_LogSeries *items = report->series.items;
    for (int i = 0; i < index; i++)
        if (same_but_for_number(items[i].name, items[index].name)) return false;
    return true;
}

// All signals that share the group of series `first`, in as many figures as they need.
static void draw_group(const ib_Report *report, int first, int *count, ib_Text *idle, ib_Text *html)
{
    Group group = {.report = report,
                   .name = report->series.items[first].name,
                   .count = count,
                   .idle = idle,
                   .html = html};
    for (int i = first; i < report->series.count; i++)
        if (in_group(report, group.name, report->series.items[i].name) && leads_parts(report, i))
            add_parts(&group, i);
    next_figure(&group);
    ib_arena_reset(&group.arena);
}

// True if series `index` is the first of its group.
static bool leads_group(const ib_Report *report, int index)
{
    const ib_LogSeries *items = report->series.items;
    for (int i = 0; i < index; i++)
        if (in_group(report, items[index].name, items[i].name)) return false;
    return true;
}

// All figures of one robot; -1: of the field, or of the only robot.
static void draw_robot(const ib_Report *report, int robot, int *count, ib_Text *idle, ib_Text *html)
{
    ib_Text part = {0};
    for (int i = 0; i < report->series.count && *count < MAX_FIGURES; i++)
        if (ib__report_owns(report, robot, report->series.items[i].name) && leads_group(report, i))
            draw_group(report, i, count, idle, &part);
    ib__report_fold(report, robot, &part, html);
    ib_text_destroy(&part);
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
    int count = 0;
    for (int robot = -1; robot < report->robot_count; robot++)
        draw_robot(report, robot, &count, &idle, html);
    if (count >= MAX_FIGURES)
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
            "and the acceleration of a slope have arrows of one length. C, where there is one, is "
            "the "
            "centre of mass of a robot with masses off its middle: moments are about it.");
        ib_text_add(html, "</figure>\n");
    }
    ib_arena_reset(&arena);
}
