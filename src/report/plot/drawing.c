#include "report/plot/drawing.h"

#include "base/quote.h"
#include "base/word.h"
#include "report/series.h"
#include "study/recording.h"

#include <stdio.h>
#include <string.h>

enum { NAMES_TEXT = 400 }; ///< letters for the names of robots in a message

// The parts of the plot; the logs own the values.
typedef struct Drawing {
    const ib_DrawingConfig *config;
    ib_Arena *arena;
    ib_LogSeries chosen[IB_PLOT_MAX_SERIES]; ///< cut to the time asked for
    int chosen_count;
    ib_PlotSeries series[IB_PLOT_MAX_SERIES];
    int series_count;
} Drawing;

// ---------------------------------------------------------------------------------------- choosing

static ib_Status no_memory(ib_Error *error)
{
    return ib_error_set(error, IB_FAILED, "out of memory");
}

static ib_Status unknown_signal(const Drawing *drawing, const char *word, ib_Error *error)
{
    const ib_Log *log = drawing->config->log;
    const char **names =
        ib_arena_array(drawing->arena, (size_t)log->series_count + 1, sizeof *names);
    if (!names) return no_memory(error);
    for (int i = 0; i < log->series_count; i++) names[i] = log->series[i].name;
    const char *near = ib_nearest_word(word, names);
    const char *file = drawing->config->log_file;
    if (strchr(word, '*'))
        return ib_error_set(error, IB_BAD_INPUT, "no signal in '%s' matches '%s'", file, word);
    if (near)
        return ib_error_set(error, IB_BAD_INPUT, "'%s' has no signal '%s'; did you mean '%s'?",
                            file, word, near);
    return ib_error_set(error, IB_BAD_INPUT, "'%s' has no signal '%s'; it begins with '%s'", file,
                        word, log->series_count ? names[0] : "nothing");
}

// Adds one series, once. False: the plot is full.
static bool choose(Drawing *drawing, const ib_LogSeries *series)
{
    for (int i = 0; i < drawing->chosen_count; i++)
        if (strcmp(drawing->chosen[i].name, series->name) == 0) return true;
    if (drawing->chosen_count == IB_PLOT_MAX_SERIES) return false;
    const ib_DrawingConfig *config = drawing->config;
    drawing->chosen[drawing->chosen_count++] = ib_series_cut(series, config->from, config->to);
    return true;
}

static ib_ShownUnit unit_of(const ib_LogSeries *series)
{
    return ib_signal_shown(&series->means, series->unit);
}

// The signals that the patterns name, in their order; a pattern that names none is refused.
static ib_Status choose_all(Drawing *drawing, ib_Error *error)
{
    const ib_DrawingConfig *config = drawing->config;
    for (int w = 0; w < config->pattern_count; w++) {
        const char *word = config->patterns[w];
        int found = 0;
        for (int i = 0; i < drawing->config->log->series_count; i++) {
            const ib_LogSeries *series = &drawing->config->log->series[i];
            if (!ib_signals_match(word, series->name)) continue;
            found++;
            if (!choose(drawing, series))
                return ib_error_set(error, IB_BAD_INPUT, "more than %d signals in one plot",
                                    IB_PLOT_MAX_SERIES);
        }
        if (!found) return unknown_signal(drawing, word, error);
    }
    return IB_OK;
}

// A CSV does not have the common unit of a loop's goal, or of a sensor: such a signal is drawn
// beside the first of its unit that declares one, or they could not be compared. A unit with an
// offset (psig) is left alone: a difference has none.
static void share_units(Drawing *drawing)
{
    for (int i = 0; i < drawing->chosen_count; i++) {
        ib_LogSeries *series = &drawing->chosen[i];
        for (int k = 0; k < drawing->chosen_count && !series->means.shown; k++) {
            const ib_LogSeries *other = &drawing->chosen[k];
            if (!other->means.shown || strcmp(other->unit, series->unit) != 0) continue;
            if (unit_of(other).offset == 0) series->means.shown = other->means.shown;
        }
    }
}

// ------------------------------------------------------------------------------------------ curves

static ib_Status add_curves(Drawing *drawing, ib_Error *error)
{
    for (int i = 0; i < drawing->chosen_count; i++) {
        ib_PlotSeries *curve = &drawing->series[drawing->series_count++];
        if (!ib_series_curve(&drawing->chosen[i], drawing->arena, curve)) return no_memory(error);
    }
    return IB_OK;
}

// A signal at the times of another one, in the unit of signal `as`.
static const double *seen_at(const Drawing *drawing, const ib_LogSeries *series,
                             const ib_LogSeries *base, const ib_LogSeries *as)
{
    const ib_ShownUnit unit = unit_of(as);
    const double *values = ib_series_aligned(series, base, drawing->arena);
    return values ? ib_series_shown(&unit, values, base->count, drawing->arena) : NULL;
}

// The first signal becomes x of all others.
static ib_Status add_xy(Drawing *drawing, ib_Error *error)
{
    const ib_LogSeries *x = &drawing->chosen[0];
    if (drawing->chosen_count < 2)
        return ib_error_set(error, IB_BAD_INPUT, "--xy needs two signals: x and at least one y");
    const double *places = seen_at(drawing, x, x, x);
    for (int i = 1; i < drawing->chosen_count; i++) {
        const ib_LogSeries *y = &drawing->chosen[i];
        ib_PlotSeries *curve = &drawing->series[drawing->series_count++];
        if (!ib_series_curve(y, drawing->arena, curve)) return no_memory(error);
        curve->style = IB_PLOT_LINE; // over time alone a mode is a staircase
        curve->x = places;
        curve->y = seen_at(drawing, y, x, y);
        curve->count = (int)x->count;
        if (!curve->x || !curve->y) return no_memory(error);
    }
    return IB_OK;
}

// The name of whose place this is the x of, with a y beside it: a robot's ("": it has no name), or
// that of an element of an array, which has its parts by their names alone ("Vision.Poses.0.x").
// NULL: of none.
static const char *placed_name(const Drawing *drawing, ib_SeriesSet set, const ib_LogSeries *series)
{
    if (series->means.role == IB_ROLE_POSE_X) {
        const char *robot = series->means.robot ? series->means.robot : "";
        return ib_series_role(set, robot, IB_ROLE_POSE_Y) ? robot : NULL;
    }
    size_t length = strlen(series->name);
    if (length < 3 || strcmp(series->name + length - 2, ".x") != 0) return NULL;
    const char *name = ib_arena_text_n(drawing->arena, series->name, length - 2);
    if (!name || !ib_series_find(set, name, "y") || !ib_series_find(set, name, "heading"))
        return NULL;
    bool own = ib_series_find(set, name, "y")->means.role != IB_ROLE_NONE;
    return own ? NULL : name;
}

// Bodies with a place in a recording.
typedef struct Placed {
    int count, named;
    ib_Quote first;         // of those with a name
    char names[NAMES_TEXT]; // "'red', 'blue'", as many as there is room for
} Placed;

static Placed find_placed(const Drawing *drawing, ib_SeriesSet set)
{
    static const char nameless[] = "a robot without a name", more[] = ", …";
    Placed placed = {0};
    size_t used = 0;
    bool full = false;
    for (int i = 0; i < set.count; i++) {
        const char *name = placed_name(drawing, set, &set.items[i]);
        if (!name) continue;
        ib_Quote quote = ib_quote(name);
        if (name[0] && placed.named++ == 0) placed.first = quote;
        full |= used + strlen(quote.text) + sizeof nameless + sizeof more > NAMES_TEXT;
        if (!full)
            used += (size_t)snprintf(placed.names + used, NAMES_TEXT - used,
                                     name[0] ? "%s'%s'" : "%s%s", placed.count ? ", " : "",
                                     name[0] ? quote.text : nameless);
        placed.count++;
    }
    if (full) snprintf(placed.names + used, NAMES_TEXT - used, "%s", more);
    return placed;
}

// The name of the one robot that has a place; "": there is none, several, or one without a name.
static const char *only_robot(const Drawing *drawing, ib_SeriesSet set)
{
    const char *only = "";
    int count = 0;
    for (int i = 0; i < set.count; i++) {
        const char *name = placed_name(drawing, set, &set.items[i]);
        if (!name || set.items[i].means.role != IB_ROLE_POSE_X) continue;
        only = name;
        count++;
    }
    return count == 1 ? only : "";
}

// True if the set has a place of this body, though perhaps no sample of it.
static bool has_place(const Drawing *drawing, ib_SeriesSet set, const char *robot)
{
    for (int i = 0; i < set.count; i++) {
        const char *name = placed_name(drawing, set, &set.items[i]);
        if (name && strcmp(name, robot) == 0) return true;
    }
    return false;
}

// Reports the available robots and the syntax. `robot`: the one whose path was sought.
static ib_Status refuse_path(const Drawing *drawing, const char *file, ib_SeriesSet set,
                             const char *robot, ib_Error *error)
{
    static const char *const words[2][2] = {{"the place", "the places"},
                                            {"only that", "only those"}};
    ib_Quote asked = ib_quote(drawing->config->robot);
    Placed placed = find_placed(drawing, set);
    bool several = placed.count > 1, wrong = asked.text[0] != '\0';
    if (has_place(drawing, set, robot))
        return ib_error_set(error, IB_BAD_INPUT,
                            "'%s' has a place of %s in the plane, and no sample of it between "
                            "these times",
                            file, robot[0] ? ib_quote(robot).text : "its robot");
    if (placed.count == 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "'%s' has no place of a robot in the plane, which a trajectory needs: "
                            "record its pose.x and pose.y",
                            file);
    char none[128] = "", choice[160] = "";
    if (wrong) snprintf(none, sizeof none, "no place of '%s' in the plane, ", asked.text);
    if (placed.named > 0)
        snprintf(choice, sizeof choice, "choose %s with --robot '%s'", several ? "one" : "it",
                 placed.first.text);
    bool nameless = wrong && placed.named < placed.count;
    return ib_error_set(error, IB_BAD_INPUT, "'%s' has %s%s of %s: %s%s%s", file, none,
                        words[wrong][several], placed.names, choice,
                        nameless && choice[0] ? ", or " : "", nameless ? "leave --robot out" : "");
}

// The robot's path, cut to the time asked for, from this log.
static ib_Status add_path(Drawing *drawing, const ib_Log *log, ib_PlotStyle style, ib_Error *error)
{
    const ib_DrawingConfig *config = drawing->config;
    ib_LogSeries *cut = ib_arena_array(drawing->arena, (size_t)log->series_count, sizeof *cut);
    if (!cut) return no_memory(error);
    for (int i = 0; i < log->series_count; i++)
        cut[i] = ib_series_cut(&log->series[i], config->from, config->to);
    ib_SeriesSet set = {cut, log->series_count};
    ib_PlotSeries *path = &drawing->series[drawing->series_count];
    const char *robot = config->robot[0] ? config->robot : only_robot(drawing, set);
    const char *file = log == config->log ? config->log_file : config->points_file;
    if (!ib_series_trajectory(set, robot, drawing->arena, path))
        return refuse_path(drawing, file, set, robot, error);
    drawing->series_count++;
    if (style == IB_PLOT_LINE) return IB_OK;
    path->style = style;
    path->u = path->v = NULL;
    path->label = "measured";
    return IB_OK;
}

// ------------------------------------------------------------------------------------------ points

// The measured values of one chosen signal, drawn over its curve and in its unit, the n-th; 0: the
// only one.
static ib_Status add_points(Drawing *drawing, const ib_LogSeries *own, const ib_LogSeries *measured,
                            int curve, ib_Error *error)
{
    const ib_DrawingConfig *config = drawing->config;
    if (measured->unit[0] && own->unit[0] && strcmp(measured->unit, own->unit) != 0)
        return ib_error_set(error, IB_BAD_INPUT, "'%s' has %s in %s, the recording has it in %s",
                            config->points_file, own->name, measured->unit, own->unit);
    if (drawing->series_count == IB_PLOT_MAX_SERIES)
        return ib_error_set(error, IB_BAD_INPUT, "more than %d signals in one plot",
                            IB_PLOT_MAX_SERIES);
    ib_LogSeries cut = ib_series_cut(measured, config->from, config->to);
    ib_PlotSeries *points = &drawing->series[drawing->series_count++];
    if (!ib_series_curve(&cut, drawing->arena, points)) return no_memory(error);
    points->y = seen_at(drawing, &cut, &cut, own);
    points->unit = unit_of(own).unit;
    if (!points->y) return no_memory(error);
    if (config->xy) {
        const ib_LogSeries *x = ib_log_find(drawing->config->points, drawing->chosen[0].name);
        points->x = x ? seen_at(drawing, x, &cut, &drawing->chosen[0]) : NULL;
        if (!points->x)
            return ib_error_set(error, IB_BAD_INPUT, "'%s' has no signal '%s' for the x axis",
                                config->points_file, drawing->chosen[0].name);
    }
    points->label = ib_arena_format(drawing->arena, "%s (measured)", own->name);
    points->style = IB_PLOT_POINTS;
    points->like = curve;
    // Over a single curve the points stand out; of several, each takes its curve's colour.
    if (curve == 0) points->colour = points->named ? 7 : 2;
    return points->label ? IB_OK : no_memory(error);
}

static ib_Status add_all_points(Drawing *drawing, ib_Error *error)
{
    if (drawing->config->kind == IB_PLOT_TRAJECTORY)
        return add_path(drawing, drawing->config->points, IB_PLOT_POINTS, error);
    int first = drawing->config->xy ? 1 : 0, curves = drawing->chosen_count - first, found = 0;
    for (int i = first; i < drawing->chosen_count; i++) {
        const ib_LogSeries *measured =
            ib_log_find(drawing->config->points, drawing->chosen[i].name);
        if (!measured) continue;
        int curve = curves > 1 ? i - first + 1 : 0;
        ib_Status status = add_points(drawing, &drawing->chosen[i], measured, curve, error);
        if (status != IB_OK) return status;
        found++;
    }
    if (found) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "'%s' has none of the signals that are drawn",
                        drawing->config->points_file);
}

// -------------------------------------------------------------------------------------------- plot

// --from and --to must leave something of the recording.
static ib_Status check_window(const Drawing *drawing, ib_Error *error)
{
    const ib_DrawingConfig *config = drawing->config;
    ib_Time first = IB_TIME_NEVER, last = -IB_TIME_NEVER;
    for (int i = 0; i < drawing->config->log->series_count; i++) {
        const ib_LogSeries *series = &drawing->config->log->series[i];
        if (series->count == 0) continue;
        first = ib_time_min(first, series->times[0]);
        if (series->times[series->count - 1] > last) last = series->times[series->count - 1];
    }
    if (first > last || (config->from <= last && config->to >= first)) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "%s: '%s' has nothing there: it runs from %.9g s to %.9g s",
                        config->from > last ? "--from" : "--to", config->log_file,
                        ib_time_to_seconds(first), ib_time_to_seconds(last));
}

static ib_Status add_all(Drawing *drawing, ib_Error *error)
{
    const ib_DrawingConfig *config = drawing->config;
    ib_Status status = check_window(drawing, error);
    if (status == IB_OK) status = choose_all(drawing, error);
    if (status != IB_OK) return status;
    share_units(drawing);
    status = config->kind == IB_PLOT_TRAJECTORY
                 ? add_path(drawing, config->log, IB_PLOT_LINE, error)
             : config->xy ? add_xy(drawing, error)
                          : add_curves(drawing, error);
    if (status == IB_OK && config->points) status = add_all_points(drawing, error);
    return status;
}

ib_DrawingConfig ib_drawing_default(void)
{
    return (ib_DrawingConfig){.robot = "", .from = -IB_TIME_NEVER, .to = IB_TIME_NEVER};
}

ib_Status ib_drawing_make(const ib_DrawingConfig *config, ib_Arena *arena, ib_Plot *plot,
                          ib_Error *error)
{
    Drawing *drawing = ib_arena_alloc(arena, sizeof *drawing);
    if (!drawing) return no_memory(error);
    drawing->config = config;
    drawing->arena = arena;
    ib_Status status = add_all(drawing, error);
    if (status != IB_OK) return status;
    const char *title = ib_recording_fact(config->log, "title");
    *plot = ib_plot_default();
    plot->title = title ? title : "";
    plot->kind = config->kind;
    plot->series = drawing->series;
    plot->series_count = drawing->series_count;
    if (config->xy) {
        plot->x_label = drawing->chosen[0].name;
        plot->x_unit = unit_of(&drawing->chosen[0]).unit;
    }
    return IB_OK;
}
