#include "report/optimise_figure.h"

#include "base/extreme.h"
#include "report/plot/gnuplot.h"
#include "report/sweep_slice.h"
#include "study/optimise/optimise_slices.h"
#include "study/sweep/sweep_table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { BLUE = 1, RED = 2, GREEN = 3 }; // of the palette

typedef struct Figure {
    const ib_Optimisation *optimisation;
    ib_Arena *arena;
    ib_Plot *plot;
    ib_PlotPanel *panels;
    ib_PlotSeries *series;
    bool out_told, none_told; ///< a legend above has explained it
} Figure;

// A point of a panel.
typedef struct Spot {
    double x, y; ///< NAN: no value
    bool allowed, best;
} Spot;

typedef struct Spots {
    Spot *items;
    int count;
    double low, high; ///< of their values
    double top;       ///< above them: the place of those without a value
} Spots;

// ------------------------------------------------------------------------------------------ series

// Kinds of series; those behind come first.
typedef enum Class { ALL, ALLOWED, BEST_SO_FAR, DOTS, SPECKS, OUT, NONE, BEST } Class;

// The height of a point in a series of a class; NAN: it is not one of its points.
static double height(Class class, const Spot *spot, double top)
{
    switch (class) {
    case ALLOWED:
    case DOTS:
    case SPECKS:
        return spot->allowed ? spot->y : NAN;
    case OUT:
        return spot->allowed ? NAN : spot->y;
    case NONE:
        return isnan(spot->y) ? top : NAN;
    case BEST:
        return spot->best ? spot->y : NAN;
    case ALL:
    case BEST_SO_FAR:
        break;
    }
    return spot->y;
}

// Adds the points of a class to the last panel, if there are any.
static bool add(Figure *figure, Class class, const char *label, const Spots *spots)
{
    static const struct {
        ib_PlotStyle style;
        int colour;
    } looks[] = {
        [ALL] = {IB_PLOT_DASHED, IB_PLOT_GREY},   [ALLOWED] = {IB_PLOT_LINE, BLUE},
        [BEST_SO_FAR] = {IB_PLOT_STEPS, GREEN},   [DOTS] = {IB_PLOT_DOTS, BLUE},
        [SPECKS] = {IB_PLOT_SPECKS, BLUE},        [OUT] = {IB_PLOT_CROSSES, IB_PLOT_GREY},
        [NONE] = {IB_PLOT_CIRCLES, IB_PLOT_GREY}, [BEST] = {IB_PLOT_CIRCLES, RED},
    };
    double *x = ib_arena_array(figure->arena, (size_t)spots->count + 1, sizeof *x);
    double *y = ib_arena_array(figure->arena, (size_t)spots->count + 1, sizeof *y);
    bool any = false;
    if (!x || !y || !label) return false;
    for (int i = 0; i < spots->count; i++) {
        x[i] = spots->items[i].x;
        y[i] = height(class, &spots->items[i], spots->top);
        any |= !isnan(y[i]);
    }
    if (any)
        figure->series[figure->plot->series_count++] =
            (ib_PlotSeries){.label = label,
                            .unit = "1",
                            .x = x,
                            .y = y,
                            .count = spots->count,
                            .panel = figure->plot->panel_count - 1,
                            .style = looks[class].style,
                            .colour = looks[class].colour};
    return true;
}

// The crosses and circles of points that are out; the first panel that has some explains them.
static bool add_out(Figure *figure, const Spots *spots)
{
    bool out = false, none = false;
    for (int i = 0; i < spots->count; i++) {
        none |= isnan(spots->items[i].y);
        out |= !spots->items[i].allowed && !isnan(spots->items[i].y);
    }
    const char *words = ib__words_of_out(&figure->optimisation->points);
    bool good = add(figure, OUT, figure->out_told ? "" : words, spots) &&
                add(figure, NONE, figure->none_told ? "" : "no value: at the top", spots);
    figure->out_told |= out;
    figure->none_told |= none;
    return good;
}

// The points of a sweep in their order, at x = 0, 1, 2 …
static bool read_spots(const Figure *figure, const ib_SweepPoints *points, int64_t best,
                       Spots *spots)
{
    const ib_Optimisation *optimisation = figure->optimisation;
    *spots =
        (Spots){.count = (int)(points->count / points->seeds), .low = INFINITY, .high = -INFINITY};
    spots->items = ib_arena_array(figure->arena, (size_t)spots->count + 1, sizeof *spots->items);
    for (int i = 0; i < spots->count && spots->items; i++) {
        ib_SliceValue value =
            ib__point_value(optimisation->sweep, points, optimisation->best.column, i);
        spots->items[i] = (Spot){i, value.mean, value.allowed, value.allowed && i == best};
        if (isnan(value.mean)) continue;
        spots->low = ib_min(spots->low, value.mean);
        spots->high = ib_max(spots->high, value.mean);
    }
    spots->top = spots->low <= spots->high ? ib__above(spots->low, spots->high) : 0;
    return spots->items;
}

// ------------------------------------------------------------------------------------------ panels

// A panel of the measure, which may be named on its left.
static ib_PlotPanel *add_panel(Figure *figure, bool named)
{
    const ib_Optimisation *optimisation = figure->optimisation;
    const ib_SweepColumn *column = &optimisation->sweep->columns[optimisation->best.column];
    ib_PlotPanel *panel = &figure->panels[figure->plot->panel_count++];
    *panel = (ib_PlotPanel){.name = named ? column->name : "", .unit = ib__column_unit(column)};
    return panel;
}

// "best: 7.66"; NULL: no memory.
static const char *best_label(const Figure *figure, int variable)
{
    const ib_Optimisation *optimisation = figure->optimisation;
    const ib_SweepBest *best = &optimisation->best;
    const ib_SweepColumn *column = &optimisation->sweep->columns[best->column];
    char number[IB_SIGNAL_NUMBER], unit[64];
    if (best->allowed == 0) return "";
    int count = optimisation->plan.sweep.axis_count;
    if (variable >= 0)
        return ib_arena_format(figure->arena, "best: %s",
                               optimisation->values[best->order[0] * count + variable]);
    ib_sweep_number(column, best->value.mean, false, number);
    return ib_arena_format(figure->arena, "best: %s%s", number, ib_sweep_unit(column, unit));
}

// The best value so far, from the first allowed point to the last one.
static bool add_best_so_far(Figure *figure, const Spots *spots)
{
    Spot *steps = ib_arena_array(figure->arena, (size_t)spots->count + 1, sizeof *steps);
    double best = NAN;
    if (!steps) return false;
    for (int i = 0; i < spots->count; i++) {
        const Spot *spot = &spots->items[i];
        bool larger = spot->y > best;
        if (spot->allowed && (isnan(best) || larger == figure->optimisation->best.largest))
            best = spot->y;
        steps[i] = (Spot){.x = spot->x, .y = best};
    }
    return add(figure, BEST_SO_FAR, "best so far", &(Spots){.items = steps, .count = spots->count});
}

static bool draw_search(Figure *figure)
{
    enum { FEW = 300 };
    const ib_Optimisation *optimisation = figure->optimisation;
    const ib_SweepBest *best = &optimisation->best;
    int64_t seeds = optimisation->points.seeds;
    const char *each =
        seeds > 1 ? ib_arena_format(figure->arena, "each point, mean of %" PRId64 " seeds", seeds)
                  : "each point";
    Spots spots;
    ib_PlotPanel *panel = add_panel(figure, true);
    panel->x_name = "number of the point";
    panel->x_whole = true;
    panel->span = figure->plot->columns;
    if (!read_spots(figure, &optimisation->points, best->order[0], &spots)) return false;
    for (int i = 0; i < spots.count; i++) spots.items[i].x = i + 1;
    return add_best_so_far(figure, &spots) &&
           add(figure, spots.count > FEW ? SPECKS : DOTS, each, &spots) &&
           add_out(figure, &spots) && add(figure, BEST, best_label(figure, -1), &spots);
}

// As many of a path's last parts as `letters` allow.
static const char *short_path(const char *path, int letters, ib_Arena *arena)
{
    const char *from = path;
    for (const char *dot; (int)strlen(from) > letters && (dot = strchr(from, '.'));) from = dot + 1;
    return from == path ? path : ib_arena_format(arena, "…%s", from);
}

// The name of an axis that is a column wide.
static const char *path_name(const Figure *figure, const char *path, const char *unit)
{
    static const int letters[] = {60, 60, 36, 30}; // for so many columns
    int more = unit ? (int)strlen(unit) + 3 : 0;
    return short_path(path, letters[figure->plot->columns] - more, figure->arena);
}

// The spots of each slice; all have one range and one top, so that slices can be compared.
static bool read_slices(const Figure *figure, Spots spots[])
{
    const ib_Optimisation *optimisation = figure->optimisation;
    double low = INFINITY, high = -INFINITY;
    bool none = false;
    for (int i = 0; i < optimisation->slice_count; i++) {
        const ib_OptimiseSlice *slice = &optimisation->slices[i];
        if (!read_spots(figure, &slice->points, slice->best, &spots[i])) return false;
        for (int k = 0; k < spots[i].count; k++) none |= isnan(spots[i].items[k].y);
        low = ib_min(low, spots[i].low);
        high = ib_max(high, spots[i].high);
    }
    for (int i = 0; i < optimisation->slice_count; i++) {
        spots[i].top = ib__above(low, high);
        spots[i].low = low;
        spots[i].high = none ? spots[i].top : high;
    }
    return true;
}

static bool draw_slice(Figure *figure, int variable, const Spots *spots)
{
    const ib_OptimiseSlice *slice = &figure->optimisation->slices[variable];
    ib_SliceAxis axis;
    if (!ib__slice_axis(&slice->axis, figure->arena, &axis)) return false;
    ib_PlotPanel *panel = add_panel(figure, variable % figure->plot->columns == 0);
    panel->y_low = spots->low;
    panel->y_high = spots->high;
    panel->x_name = path_name(figure, axis.path, axis.unit);
    panel->x_unit = axis.unit;
    if (!axis.numbers) {
        panel->x_words = axis.words;
        panel->x_word_count = axis.count;
    }
    Spots sorted = *spots;
    sorted.items = ib_arena_array(figure->arena, (size_t)axis.count, sizeof *sorted.items);
    if (!sorted.items || !panel->x_name) return false;
    for (int i = 0; i < axis.count; i++) {
        sorted.items[i] = spots->items[axis.order[i]];
        sorted.items[i].x = axis.numbers ? axis.numbers[i] : i;
    }
    bool list = !figure->optimisation->plan.vary[variable].range;
    return (!axis.numbers || add(figure, ALL, "", &sorted)) &&
           (!axis.numbers || add(figure, ALLOWED, "", &sorted)) &&
           (!list || add(figure, DOTS, "", &sorted)) && add_out(figure, &sorted) &&
           add(figure, BEST, best_label(figure, variable), &sorted);
}

// ------------------------------------------------------------------------------------------- plane

// Two ranges have a picture of the points in their plane.
static bool has_plane(const ib_Optimisation *optimisation)
{
    const ib_OptimisePlan *plan = &optimisation->plan;
    return optimisation->slice_count == 2 && plan->vary[0].range && plan->vary[1].range;
}

static bool draw_plane(Figure *figure)
{
    const ib_Optimisation *optimisation = figure->optimisation;
    const ib_SweepAxis *axes = optimisation->plan.sweep.axes;
    const ib_Vary *vary = optimisation->plan.vary;
    const char *units[2];
    Spots spots;
    for (int i = 0; i < 2; i++) units[i] = vary[i].unit[0] ? vary[i].unit : NULL;
    if (!read_spots(figure, &optimisation->points, optimisation->best.order[0], &spots))
        return false;
    for (int i = 0; i < spots.count; i++) {
        const double *at = ib_search_values(optimisation->search, i);
        spots.items[i].x = at[0];
        spots.items[i].y = at[1];
    }
    ib_PlotPanel *panel = add_panel(figure, false);
    panel->name = path_name(figure, axes[1].path, units[1]);
    panel->unit = units[1];
    panel->x_name = path_name(figure, axes[0].path, units[0]);
    panel->x_unit = units[0];
    return panel->name && panel->x_name && add(figure, SPECKS, "", &spots) &&
           add_out(figure, &spots) && add(figure, BEST, "", &spots);
}

// ------------------------------------------------------------------------------------------ figure

static const char *make_title(const Figure *figure)
{
    const ib_Optimisation *optimisation = figure->optimisation;
    const char *slices = optimisation->slice_count == 0  ? ""
                         : optimisation->slice_count > 1 ? ", slices through the best"
                                                         : ", a slice through the best";
    return ib_arena_format(figure->arena, "%s: %" PRId64 " points%s", optimisation->sweep->title,
                           optimisation->best.count, slices);
}

ib_Status ib_optimise_figure_check(const ib_OptimisePlan *plan, const char *path, ib_Error *error)
{
    ib_PlotFormat format;
    ib_Status status = ib_plot_format(path, &format, error);
    for (int i = 0; i < plan->sweep.axis_count && status == IB_OK; i++)
        if (plan->sweep.axes[i].count > IB_PLOT_MAX_CELLS)
            status = ib_error_set(
                error, IB_BAD_INPUT, "%d values of %s: expected at most %d for a picture",
                plan->sweep.axes[i].count, plan->sweep.axes[i].path, IB_PLOT_MAX_CELLS);
    return status == IB_OK ? ib_gnuplot_check(error) : status;
}

// The search is as wide as the picture; below it are rows of slices.
static bool draw(Figure *figure)
{
    static const int columns[IB_SEARCH_MOST_VARIABLES + 1] = {1, 1, 2, 3, 2, 3, 3, 3, 3};
    Spots spots[IB_SEARCH_MOST_VARIABLES];
    int slices = figure->optimisation->slice_count;
    bool plane = has_plane(figure->optimisation);
    figure->plot->columns = columns[slices + plane];
    bool good = draw_search(figure) && read_slices(figure, spots);
    for (int i = 0; i < slices && good; i++) good = draw_slice(figure, i, &spots[i]);
    return good && (!plane || draw_plane(figure));
}

ib_Status ib_optimise_figure_plot(const ib_Optimisation *optimisation, ib_Arena *arena,
                                  ib_Plot *plot, ib_Error *error)
{
    *plot = ib_plot_default();
    Figure figure = {.optimisation = optimisation, .arena = arena, .plot = plot};
    if (optimisation->points.count < optimisation->points.seeds)
        return ib_error_set(error, IB_BAD_INPUT, "nothing to draw: no point has all of its runs");
    figure.panels = ib_arena_array(arena, IB_PLOT_MAX_PANELS, sizeof *figure.panels);
    figure.series = ib_arena_array(arena, IB_PLOT_MAX_SERIES, sizeof *figure.series);
    plot->panels = figure.panels;
    plot->series = figure.series;
    bool good = figure.panels && figure.series && draw(&figure);
    if (good) plot->title = make_title(&figure);
    return good && plot->title ? IB_OK
                               : ib_error_set(error, IB_FAILED, "out of memory for a picture");
}

ib_Status ib_optimise_figure(ib_Optimisation *optimisation, const ib_OptimiseRun *run,
                             const char *path, ib_Error *error)
{
    ib_Arena arena = {0};
    ib_Plot plot;
    ib_Error undrawn;
    ib_Status made = run ? ib_optimise_slices(optimisation, run, error) : IB_OK;
    if (made != IB_OK && made != IB_INTERRUPTED) return made;
    ib_Status status = ib_optimise_figure_plot(optimisation, &arena, &plot, &undrawn);
    if (status == IB_OK) status = ib_plot_write(&plot, path, &undrawn);
    ib_arena_reset(&arena);
    return status == IB_OK ? made : ib_error_set(error, status, "%s", undrawn.text);
}
