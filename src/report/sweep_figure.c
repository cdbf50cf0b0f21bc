#include "report/sweep_figure.h"

#include "base/extreme.h"
#include "report/plot/gnuplot.h"
#include "report/sweep_slice.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLUE = 1, RED = 2, ORANGE = 5 }; // of the palette

typedef struct Figure {
    const ib_SweepSlice *slice;
    ib_Arena *arena;
    ib_Plot *plot;
    ib_PlotSeries *series;
} Figure;

// ------------------------------------------------------------------------------------------ panels

static bool make_panels(Figure *figure)
{
    const ib_SweepSlice *slice = figure->slice;
    ib_PlotPanel *panels = ib_arena_array(figure->arena, IB_SLICE_MEASURES, sizeof *panels);
    figure->series = ib_arena_array(figure->arena, IB_PLOT_MAX_SERIES, sizeof *figure->series);
    if (!panels || !figure->series) return false;
    for (int i = 0; i < slice->measures; i++) {
        const ib_SweepColumn *column = &slice->sweep->columns[slice->columns[i]];
        panels[i] = (ib_PlotPanel){.name = column->name, .unit = ib__column_unit(column)};
    }
    figure->plot->panels = panels;
    figure->plot->panel_count = slice->measures;
    figure->plot->series = figure->series;
    return true;
}

static void add_series(Figure *figure, ib_PlotSeries series)
{
    series.unit = "1";
    figure->series[figure->plot->series_count++] = series;
}

// -------------------------------------------------------------------------------------------- line

// The series of a panel, those behind first. All but the spreads and the seeds have a place for
// each value of the axis, NAN where it is not one of theirs. So many values that their spreads
// would not be seen have none.
typedef enum Class { ALL, ALLOWED, SPREAD, SEEDS, DOTS, OUT, NONE, TIES, BEST, CLASSES } Class;

typedef struct Line {
    double *x[CLASSES], *y[CLASSES];
    int count[CLASSES];
    bool has[CLASSES];
} Line;

static bool make_line(const Figure *figure, Line *line)
{
    const ib_SliceAxis *axis = &figure->slice->axis[0];
    int n = axis->count, seeds = (int)figure->slice->points->seeds;
    for (int c = 0; c < CLASSES; c++) {
        line->count[c] = c == SPREAD ? 3 * n : c == SEEDS ? n * seeds : n;
        line->x[c] = ib_arena_array(figure->arena, (size_t)line->count[c], sizeof(double));
        line->y[c] = ib_arena_array(figure->arena, (size_t)line->count[c], sizeof(double));
        if (!line->x[c] || !line->y[c]) return false;
        int part = line->count[c] / n;
        for (int i = 0; i < line->count[c]; i++) {
            line->x[c][i] = axis->numbers[i / part];
            line->y[c][i] = NAN;
        }
    }
    line->count[SEEDS] = 0;
    return true;
}

static void put(Line *line, Class c, int i, double y)
{
    line->y[c][i] = y;
    line->has[c] |= !isnan(y);
}

// The place of a value's seeds, beside its spread.
static double beside(const ib_SliceAxis *axis, double x)
{
    double low = axis->numbers[0], high = axis->numbers[axis->count - 1];
    double part = ib_min(0.008, 0.25 / (axis->count - 1));
    return axis->logarithmic ? x * pow(high / low, part) : x + part * (high - low);
}

static void put_seeds(const Figure *figure, int column, int i, Line *line)
{
    const ib_SweepSlice *slice = figure->slice;
    int64_t seeds = slice->points->seeds, first = ib__slice_point(slice, i, 0) * seeds;
    for (int64_t run = first; run < first + seeds; run++) {
        double y = ib__slice_run(slice, column, run);
        if (isnan(y)) continue;
        line->x[SEEDS][line->count[SEEDS]] = beside(&slice->axis[0], slice->axis[0].numbers[i]);
        put(line, SEEDS, line->count[SEEDS]++, y);
    }
}

static void put_point(const Figure *figure, int column, int i, Line *line)
{
    const ib_SweepSlice *slice = figure->slice;
    int64_t point = ib__slice_point(slice, i, 0);
    ib_SliceValue value = ib__slice_value(slice, column, point);
    put(line, ALL, i, value.mean);
    put(line, value.allowed ? ALLOWED : OUT, i, value.mean);
    if (value.allowed) put(line, DOTS, i, value.mean);
    if (value.mark == IB_SLICE_TIE) put(line, TIES, i, value.mean);
    if (value.mark == IB_SLICE_BEST) put(line, BEST, i, value.mean);
    if (!value.done || slice->points->seeds < 2) return;
    put_seeds(figure, column, i, line);
    if (!value.allowed || line->count[SPREAD] > figure->plot->max_points) return;
    put(line, SPREAD, 3 * i, value.low);
    put(line, SPREAD, 3 * i + 1, value.high);
}

// Points without any value stand above all others.
static void put_none(const Figure *figure, int column, Line *line)
{
    double low = INFINITY, high = -INFINITY;
    for (int c = SPREAD; c <= OUT; c++)
        for (int i = 0; i < line->count[c]; i++) {
            if (isnan(line->y[c][i])) continue;
            low = ib_min(low, line->y[c][i]);
            high = ib_max(high, line->y[c][i]);
        }
    for (int i = 0; i < figure->slice->axis[0].count && low <= high; i++) {
        ib_SliceValue value =
            ib__slice_value(figure->slice, column, ib__slice_point(figure->slice, i, 0));
        if (value.done && isnan(value.mean)) put(line, NONE, i, ib__above(low, high));
    }
}

// The legend's words for each class of a panel.
static bool name_classes(const Figure *figure, const char *names[CLASSES])
{
    const ib_SweepSlice *slice = figure->slice;
    const ib_SweepPoints *points = slice->points;
    bool seeds = points->seeds > 1;
    names[ALL] = names[ALLOWED] = "";
    names[SPREAD] = "standard deviation";
    names[SEEDS] = "each seed";
    names[DOTS] = seeds ? ib_arena_format(figure->arena, "mean of %" PRId64 " seeds", points->seeds)
                        : "each point";
    names[OUT] = ib__words_of_out(points);
    names[NONE] = "no value: at the top";
    names[TIES] = seeds ? "not to be told from it" : "equal to it";
    names[BEST] = "best";
    if (!slice->best || slice->best->allowed == 0) return names[DOTS];
    const ib_SliceAxis *axis = &slice->axis[0];
    for (int i = 0; i < axis->count; i++)
        if (ib__slice_point(slice, i, 0) == slice->best->order[0])
            names[BEST] = ib_arena_format(figure->arena, "best: %s", axis->words[i]);
    return names[DOTS] && names[BEST];
}

// A panel has a legend for what no panel above it has explained.
static bool draw_panel(Figure *figure, int panel, bool told[CLASSES])
{
    static const struct {
        ib_PlotStyle style;
        int colour;
    } looks[CLASSES] = {
        [ALL] = {IB_PLOT_DASHED, IB_PLOT_GREY},
        [ALLOWED] = {IB_PLOT_LINE, BLUE},
        [SPREAD] = {IB_PLOT_LINE, BLUE},
        [SEEDS] = {IB_PLOT_SPECKS, IB_PLOT_GREY},
        [DOTS] = {IB_PLOT_DOTS, BLUE},
        [OUT] = {IB_PLOT_CROSSES, IB_PLOT_GREY},
        [NONE] = {IB_PLOT_CIRCLES, IB_PLOT_GREY},
        [TIES] = {IB_PLOT_CIRCLES, ORANGE},
        [BEST] = {IB_PLOT_CIRCLES, RED},
    };
    const char *names[CLASSES];
    Line line = {0};
    int column = figure->slice->columns[panel];
    if (!make_line(figure, &line) || !name_classes(figure, names)) return false;
    for (int i = 0; i < figure->slice->axis[0].count; i++) put_point(figure, column, i, &line);
    put_none(figure, column, &line);
    bool news = false;
    for (int c = 0; c < CLASSES; c++) news |= line.has[c] && !told[c];
    for (int c = 0; c < CLASSES; c++) {
        bool known = told[c] && !(news && c == DOTS);
        if (!line.has[c] && c != ALL) continue;
        add_series(figure, (ib_PlotSeries){.label = known ? "" : names[c],
                                           .x = line.x[c],
                                           .y = line.y[c],
                                           .count = line.count[c],
                                           .panel = panel,
                                           .style = looks[c].style,
                                           .colour = looks[c].colour});
        told[c] = true;
    }
    return true;
}

static bool draw_line(Figure *figure)
{
    const double room = 0.03;
    const ib_SliceAxis *axis = &figure->slice->axis[0];
    ib_Plot *plot = figure->plot;
    double low = axis->numbers[0], high = axis->numbers[axis->count - 1];
    bool told[CLASSES] = {0};
    plot->x_label = axis->path;
    plot->x_unit = axis->unit;
    plot->log_x = axis->logarithmic;
    plot->x_low = plot->log_x ? low * pow(low / high, room) : low - room * (high - low);
    plot->x_high = plot->log_x ? high * pow(high / low, room) : high + room * (high - low);
    bool good = make_panels(figure);
    for (int i = 0; i < figure->slice->measures && good; i++) good = draw_panel(figure, i, told);
    return good;
}

// ------------------------------------------------------------------------------------------- boxes

// A measure of some runs: those that are as expected, or those that are not, or all.
static bool add_box(Figure *figure, int panel, const char *label, int colour, int64_t first,
                    int64_t end, const bool *expected)
{
    const ib_SweepSlice *slice = figure->slice;
    double *y = ib_arena_array(figure->arena, (size_t)(end - first) + 1, sizeof *y);
    if (!y || !label) return false;
    int count = 0;
    for (int64_t run = first; run < end; run++)
        if (!expected || *expected == (slice->points->failed[run] == 0))
            y[count++] = ib__slice_run(slice, slice->columns[panel], run);
    add_series(
        figure,
        (ib_PlotSeries){
            .label = label, .x = y, .y = y, .count = count, .panel = panel, .colour = colour});
    return true;
}

// All seeds; where some failed, the two kinds of them.
static bool add_seeds(Figure *figure, int panel)
{
    const ib_SweepPoints *points = figure->slice->points;
    int64_t failed = 0;
    for (int64_t run = 0; run < points->count; run++) failed += points->failed[run] != 0;
    const char *name = failed ? "as expected" : "seeds";
    bool good = true;
    for (int out = 0; out < 2; out++) {
        const bool expected = !out;
        int64_t count = out ? failed : points->count - failed;
        if (count == 0) continue;
        good &=
            add_box(figure, panel,
                    ib_arena_format(figure->arena, "%s: %" PRId64, out ? "failed" : name, count),
                    out ? IB_PLOT_GREY : BLUE, 0, points->count, &expected);
    }
    return good;
}

static bool add_word(Figure *figure, int panel, int i)
{
    const ib_SweepSlice *slice = figure->slice;
    int64_t point = ib__slice_point(slice, i, 0), seeds = slice->points->seeds;
    ib_SliceValue value = ib__slice_value(slice, slice->columns[panel], point);
    bool best = value.mark == IB_SLICE_BEST;
    const char *mark = !value.done                  ? "not run: "
                       : !value.allowed             ? "out: "
                       : best                       ? "best: "
                       : value.mark == IB_SLICE_TIE ? "tie: "
                                                    : "";
    int colour = !value.allowed ? IB_PLOT_GREY : best ? RED : BLUE;
    const char *label = ib_arena_format(figure->arena, "%s%s", mark, slice->axis[0].words[i]);
    int64_t first = value.done ? point * seeds : 0, end = value.done ? first + seeds : 0;
    return add_box(figure, panel, label, colour, first, end, NULL);
}

static bool draw_boxes(Figure *figure)
{
    const ib_SweepSlice *slice = figure->slice;
    figure->plot->kind = IB_PLOT_BOX;
    bool good = make_panels(figure);
    for (int panel = 0; panel < slice->measures && good; panel++) {
        if (slice->axes == 0) good = add_seeds(figure, panel);
        for (int i = 0; slice->axes && i < slice->axis[0].count && good; i++)
            good = add_word(figure, panel, i);
    }
    return good;
}

// ------------------------------------------------------------------------------------------- a map

// Numbers of even ratio get cells of one width.
static ib_PlotHeatAxis heat_axis(const ib_SliceAxis *axis)
{
    bool words = !axis->numbers || axis->logarithmic;
    return (ib_PlotHeatAxis){.name = axis->path,
                             .unit = words ? NULL : axis->unit,
                             .count = axis->count,
                             .numbers = words ? NULL : axis->numbers,
                             .words = words ? axis->words : NULL};
}

static bool draw_map(Figure *figure)
{
    const ib_SweepSlice *slice = figure->slice;
    const ib_SweepColumn *column = &slice->sweep->columns[slice->columns[0]];
    int columns = slice->axis[0].count, rows = slice->axis[1].count;
    size_t cells = (size_t)columns * (size_t)rows;
    ib_PlotHeat *heat = ib_arena_alloc(figure->arena, sizeof *heat);
    double *values = ib_arena_array(figure->arena, cells, sizeof *values);
    bool *barred = ib_arena_array(figure->arena, cells, sizeof *barred);
    if (!heat || !values || !barred) return false;
    *heat = (ib_PlotHeat){.x = heat_axis(&slice->axis[0]),
                          .y = heat_axis(&slice->axis[1]),
                          .name = column->name,
                          .unit = ib__column_unit(column),
                          .values = values,
                          .barred = barred,
                          .barred_name = ib__words_of_out(slice->points),
                          .best_column = -1,
                          .best_row = -1};
    for (int row = 0; row < rows; row++)
        for (int at = 0; at < columns; at++) {
            ib_SliceValue value =
                ib__slice_value(slice, slice->columns[0], ib__slice_point(slice, at, row));
            values[row * columns + at] = value.mean;
            barred[row * columns + at] = !value.allowed;
            if (value.mark != IB_SLICE_BEST) continue;
            heat->best_column = at;
            heat->best_row = row;
        }
    figure->plot->kind = IB_PLOT_HEAT;
    figure->plot->heat = heat;
    return true;
}

// ------------------------------------------------------------------------------------------ figure

// The file's title as far as there is room for it beside what the axes do not say.
static const char *make_title(const ib_SweepSlice *slice, ib_PlotKind kind, ib_Arena *arena)
{
    enum { LETTERS = 86 };
    const ib_Sweep *sweep = slice->sweep;
    const ib_SweepPoints *points = slice->points;
    int64_t count = sweep->count / points->seeds;
    ib_Text rest = {0};
    if (kind == IB_PLOT_BOX && slice->axes > 0)
        ib_text_format(&rest, ", by %s", slice->axis[0].path);
    for (int i = 0; i < sweep->plan.axis_count; i++)
        if (!slice->drawn[i])
            ib_text_format(&rest, ", %s=%s", sweep->plan.axes[i].path,
                           sweep->plan.axes[i].values[slice->fixed[i]]);
    if (kind == IB_PLOT_HEAT && points->seeds > 1)
        ib_text_format(&rest, ", mean of %" PRId64 " seeds", points->seeds);
    int shown = kind == IB_PLOT_HEAT ? 1 : slice->measures;
    if (!slice->best && shown < sweep->plan.measure_count)
        ib_text_format(&rest, ", %d of %d measures", shown, sweep->plan.measure_count);
    if (slice->axes > 0 && slice->whole < count)
        ib_text_format(&rest, ", %" PRId64 " of %" PRId64 " points", slice->whole, count);
    const char *more = rest.bytes ? rest.bytes : "";
    bool room = strlen(sweep->title) + rest.length <= LETTERS;
    const char *title = room ? ib_arena_format(arena, "%s%s", sweep->title, more)
                             : ib_arena_text(arena, rest.length ? more + 2 : sweep->title);
    bool failed = rest.failed;
    ib_text_destroy(&rest);
    return failed ? NULL : title;
}

// Words stand in one row of boxes: as many panels as there is room for.
static bool is_boxes(const ib_SweepSlice *slice)
{
    return slice->axes == 0 || (slice->axes == 1 && !slice->axis[0].numbers);
}

ib_Status ib_sweep_figure_check(const ib_SweepPlan *plan, const char *path, ib_Error *error)
{
    ib_PlotFormat format;
    ib_Arena arena = {0};
    ib_SweepSlice slice = {0};
    ib_Status status = ib_plot_format(path, &format, error);
    if (status == IB_OK) status = ib__slice_axes(plan, &arena, &slice, error);
    if (status == IB_OK && ib_sweep_count(plan) > IB_SWEEP_KEPT)
        status = ib_error_set(error, IB_BAD_INPUT, "expected at most %d runs", IB_SWEEP_KEPT);
    int most = slice.axes == 2    ? IB_PLOT_MAX_CELLS
               : is_boxes(&slice) ? IB_PLOT_MAX_SERIES
                                  : 1 << 30;
    for (int i = 0; i < slice.axes && status == IB_OK; i++)
        if (slice.axis[i].count > most)
            status = ib_error_set(error, IB_BAD_INPUT,
                                  "%d values of %s: expected at most %d for a picture",
                                  slice.axis[i].count, slice.axis[i].path, most);
    ib_arena_reset(&arena);
    return status == IB_OK ? ib_gnuplot_check(error) : status;
}

ib_Status ib_sweep_figure_plot(const ib_Sweep *sweep, const ib_SweepPoints *points,
                               const ib_SweepBest *best, ib_Arena *arena, ib_Plot *plot,
                               ib_Error *error)
{
    ib_SweepSlice slice;
    ib_Status status = ib__slice(sweep, points, best, arena, &slice, error);
    if (status) return status;
    *plot = ib_plot_default();
    Figure figure = {.slice = &slice, .arena = arena, .plot = plot};
    bool boxes = is_boxes(&slice);
    int most = boxes && slice.axes ? IB_PLOT_MAX_SERIES / slice.axis[0].count : IB_SLICE_MEASURES;
    if (slice.measures > most) slice.measures = most;
    bool good = boxes             ? draw_boxes(&figure)
                : slice.axes == 2 ? draw_map(&figure)
                                  : draw_line(&figure);
    if (good) plot->title = make_title(&slice, plot->kind, arena);
    return good && plot->title ? IB_OK
                               : ib_error_set(error, IB_FAILED, "out of memory for a picture");
}

ib_Status ib_sweep_figure(const ib_Sweep *sweep, const ib_SweepPoints *points,
                          const ib_SweepBest *best, const char *path, ib_Error *error)
{
    ib_Arena arena = {0};
    ib_Plot plot;
    ib_Status status = ib_sweep_figure_plot(sweep, points, best, &arena, &plot, error);
    if (status == IB_OK) status = ib_plot_write(&plot, path, error);
    ib_arena_reset(&arena);
    return status;
}
