#include "report/plan_figures.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "report/plot/chart.h"
#include "report/plot/gnuplot.h"

#include <math.h>
#include <string.h>

enum { CORNERS = 73 }; ///< of a circle

// Draws into a file.
static ib_Status write_chart(const ib_Chart *chart, const char *path, ib_Error *error)
{
    ib_Text script = {0}, picture = {0};
    ib_Status status = ib__chart_script(chart, &script, error);
    if (status == IB_OK) status = ib_gnuplot_run(&script, &picture, error);
    if (status == IB_OK) status = ib_text_write(&picture, path, error);
    ib_text_destroy(&script);
    ib_text_destroy(&picture);
    return status;
}

static ib_Status out_of_memory(ib_Error *error)
{
    return ib_error_set(error, IB_FAILED, "out of memory for a picture");
}

// ------------------------------------------------------------------------------------------ passes

// Values over s at the figures' own fineness: voltages jump within a cell's length.
typedef struct Curves {
    int count;
    double *s, *volts[2];
    double *points; ///< s of the points of the path
} Curves;

static bool make_curves(const ib_PlanFile *plan, const ib_PlanWay *way, ib_Arena *arena,
                        Curves *curves)
{
    const ib_ArmTiming *timing = &way->best->timing;
    int n = way->path.count;
    double **all[] = {&curves->s, &curves->volts[0], &curves->volts[1], &curves->points};
    for (int i = 0; i < 4; i++)
        if (!(*all[i] = ib_arena_array(arena, 2 * (size_t)n, sizeof(double)))) return false;
    for (int i = 0; i < n; i++) curves->points[i] = way->path.points[i].s;
    // Both ends of each cell, for its own acceleration there.
    for (int i = 0; i < n - 1; i++)
        for (int end = 0; end < 2; end++) {
            int hint = i;
            ib_ArmSample at =
                ib_arm_sample(&plan->plan.plant, &way->path, timing, timing->t[i + end], &hint);
            curves->s[curves->count] = way->path.points[i + end].s;
            for (int k = 0; k < 2; k++) curves->volts[k][curves->count] = at.volts[k];
            curves->count++;
        }
    return true;
}

static void add_speed(ib_Chart *chart, const char *label, const Curves *curves, int count,
                      const double *v, int colour, ib_PlotStyle style)
{
    ib__chart_curve(chart, (ib_PlotSeries){.label = label,
                                           .x = curves->points,
                                           .y = v,
                                           .count = count,
                                           .colour = colour,
                                           .style = style});
}

// Values beyond the bound of the curvature pass are cut, or they would hide all others.
static void cut_above(double *values, int count, double most)
{
    for (int i = 0; i < count; i++)
        if (values[i] > most) values[i] = NAN;
}

static double largest(const double *values, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++) most = ib_max(most, values[i]);
    return most;
}

ib_Status ib_plan_figure_passes(const ib_PlanFile *plan, const ib_PlanWay *way, const char *path,
                                ib_Error *error)
{
    int n = way->path.count;
    ib_Arena arena = {0};
    ib_Chart *chart = ib_arena_alloc(&arena, sizeof *chart);
    double *curvature = ib_arena_array(&arena, (size_t)n, sizeof *curvature);
    Curves curves = {0};
    ib_Status status = IB_OK;
    if (!chart || !curvature || !make_curves(plan, way, &arena, &curves)) {
        ib_arena_reset(&arena);
        return out_of_memory(error);
    }
    chart->title = plan->yaml.title;
    chart->x_name = "length of the path s";
    chart->x_unit = "rad";
    ib__chart_panel(chart, "speed along the path", "rad/s");
    if (way->lines.forward) {
        memcpy(curvature, way->lines.curvature, (size_t)n * sizeof *curvature);
        cut_above(curvature, n, 3 * largest(way->lines.forward, n));
        add_speed(chart, "curvature", &curves, n, curvature, 3, IB_PLOT_LINE);
        add_speed(chart, "backward", &curves, n, way->lines.backward, 2, IB_PLOT_DASHED);
        add_speed(chart, "forward", &curves, n, way->lines.forward, 1, IB_PLOT_LINE);
    }
    if (way->reach.given)
        add_speed(chart, "reachability", &curves, n, way->reach.timing.v, 4, IB_PLOT_LINE);
    ib__chart_panel(chart, "voltage", "V");
    for (int k = 0; k < 2; k++)
        ib__chart_curve(chart, (ib_PlotSeries){.label = k ? "second joint" : "first joint",
                                               .x = curves.s,
                                               .y = curves.volts[k],
                                               .count = curves.count,
                                               .panel = 1,
                                               .colour = k ? 6 : 5});
    status = write_chart(chart, path, error);
    ib_arena_reset(&arena);
    return status;
}

// ------------------------------------------------------------------------------------------- scene

// A curve of the plane.
typedef struct Line {
    double *x, *z;
} Line;

static Line make_line(ib_Arena *arena, int count)
{
    double *room = ib_arena_array(arena, 2 * (size_t)count, sizeof *room);
    return (Line){room, room ? room + count : NULL};
}

static bool add_line(ib_Chart *chart, Line line, int count, const char *label, int colour,
                     ib_PlotStyle style)
{
    if (!line.x) return false;
    ib__chart_curve(chart, (ib_PlotSeries){.label = label,
                                           .x = line.x,
                                           .y = line.z,
                                           .count = count,
                                           .colour = colour,
                                           .style = style});
    return true;
}

static bool add_circle(ib_Chart *chart, ib_Arena *arena, const double place[2], double radius,
                       const char *label, int colour, ib_PlotStyle style)
{
    Line line = make_line(arena, CORNERS);
    for (int i = 0; line.x && i < CORNERS; i++) {
        double s, c;
        ib_sincos(6.283185307179586 * i / (CORNERS - 1), &s, &c);
        line.x[i] = place[0] + radius * c;
        line.z[i] = place[1] + radius * s;
    }
    return add_line(chart, line, CORNERS, label, colour, style);
}

static bool add_discs(ib_Chart *chart, ib_Arena *arena, const ib_PlanFile *plan)
{
    const ib_ArmScene *scene = &plan->plan.scene;
    double around = scene->radius + plan->plan.margin;
    bool good = true;
    for (int i = 0; i < scene->discs && i < 8; i++) {
        const ib_ArmDisc *disc = &scene->disc[i];
        good &= add_circle(chart, arena, disc->place, disc->radius, i ? "" : "obstacles", 6,
                           IB_PLOT_LINE);
        if (around > 0)
            good &=
                add_circle(chart, arena, disc->place, disc->radius + around, "", 6, IB_PLOT_DASHED);
        // Its name stands behind it.
        double beside = disc->place[0] + disc->radius + around;
        ib__chart_note(chart, (ib_PlotNote){disc->name, beside, disc->place[1], 0, false, true});
    }
    return good;
}

// First joint, elbow and hand.
static bool add_links(ib_Chart *chart, ib_Arena *arena, const ib_PlanFile *plan,
                      const ib_ArmPoint *at, const char *label, int colour)
{
    const ib_TwoLink *arm = &plan->plan.plant.link;
    Line line = make_line(arena, 3);
    double place[2];
    if (!line.x) return false;
    ib_two_link_elbow(arm, at->th, place);
    line.x[1] = place[0], line.z[1] = place[1];
    ib_two_link_hand(arm, at->th, place);
    line.x[2] = place[0], line.z[2] = place[1];
    return add_line(chart, line, 3, label, colour, IB_PLOT_LINE);
}

// Sets the ranges to those of the values, with a margin.
static void set_ranges(ib_Chart *chart)
{
    const double room = 0.1;
    chart->x_low = chart->y_low = INFINITY;
    chart->x_high = chart->y_high = -INFINITY;
    for (int i = 0; i < chart->curves; i++)
        for (int k = 0; k < chart->curve[i].count; k++) {
            chart->x_low = ib_min(chart->x_low, chart->curve[i].x[k] - room);
            chart->x_high = ib_max(chart->x_high, chart->curve[i].x[k] + room);
            chart->y_low = ib_min(chart->y_low, chart->curve[i].y[k] - room);
            chart->y_high = ib_max(chart->y_high, chart->curve[i].y[k] + room);
        }
    ib__chart_fill(chart);
}

// The way of the hand along some points.
static bool add_way(ib_Chart *chart, ib_Arena *arena, const ib_PlanFile *plan,
                    const ib_ArmPath *path, const char *label, int colour, ib_PlotStyle style)
{
    int n = path->count;
    Line hand = make_line(arena, n);
    for (int i = 0; hand.x && i < n; i++) {
        double place[2];
        ib_two_link_hand(&plan->plan.plant.link, path->points[i].th, place);
        hand.x[i] = place[0];
        hand.z[i] = place[1];
    }
    return add_line(chart, hand, n, label, colour, style);
}

static bool fill_scene(ib_Chart *chart, ib_Arena *arena, const ib_PlanFile *plan,
                       const ib_PlanWay *way)
{
    int n = way->path.count;
    bool good = add_discs(chart, arena, plan);
    good &= add_links(chart, arena, plan, &way->path.points[0], "links at the start", 0);
    good &= add_links(chart, arena, plan, &way->path.points[n - 1], "links at the end", 3);
    if (way->search.given)
        good &=
            add_way(chart, arena, plan, &way->search.detour, "shortest detour", 2, IB_PLOT_DASHED);
    return good && add_way(chart, arena, plan, &way->path, "way of the hand", 1, IB_PLOT_LINE);
}

ib_Status ib_plan_figure_scene(const ib_PlanFile *plan, const ib_PlanWay *way, const char *path,
                               ib_Error *error)
{
    ib_Arena arena = {0};
    ib_Chart *chart = ib_arena_alloc(&arena, sizeof *chart);
    ib_Status status = IB_OK;
    if (chart) {
        chart->title = plan->yaml.title;
        chart->x_name = "forward of the first joint";
        chart->x_unit = "m";
        chart->equal = true;
        ib__chart_panel(chart, "above it", "m");
    }
    if (!chart || !fill_scene(chart, &arena, plan, way)) {
        status = out_of_memory(error);
    } else {
        set_ranges(chart);
        status = write_chart(chart, path, error);
    }
    ib_arena_reset(&arena);
    return status;
}
