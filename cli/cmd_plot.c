// ironbird plot: signals of a recording as a picture.
#include "base/units.h"
#include "base/word.h"
#include "cli.h"
#include "report/series.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 256 };

typedef struct Request {
    const char *log, *words[MAX_WORDS]; ///< file and patterns
    int word_count;
    const char *output, *points, *title, *robot;
    ib_PlotKind kind;
    bool xy, log_x, log_y;
    int width, height;
    ib_Time from, to;
} Request;

// What the plot is made of; the logs own the values.
typedef struct Drawing {
    const Options *options;
    const Request *request;
    ib_Log *log, *points;
    ib_Arena arena;
    ib_LogSeries chosen[IB_PLOT_MAX_SERIES]; ///< cut to the time asked for
    int chosen_count;
    ib_PlotSeries series[IB_PLOT_MAX_SERIES];
    int series_count;
} Drawing;

// ---------------------------------------------------------------------------------------- choosing

static int no_memory(void)
{
    fprintf(stderr, "ironbird plot: out of memory\n");
    return EXIT_FAILED;
}

static int unknown_signal(const Drawing *drawing, const char *word)
{
    const ib_Log *log = drawing->log;
    const char **names = calloc((size_t)log->series_count + 1, sizeof *names);
    if (!names) return no_memory();
    for (int i = 0; i < log->series_count; i++) names[i] = log->series[i].name;
    const char *near = ib_nearest_word(word, names);
    const char *file = drawing->request->log;
    if (strchr(word, '*'))
        bad_usage(drawing->options, "no signal in '%s' matches '%s'", file, word);
    else if (near)
        bad_usage(drawing->options, "'%s' has no signal '%s'; did you mean '%s'?", file, word,
                  near);
    else
        bad_usage(drawing->options, "'%s' has no signal '%s'; it begins with '%s'", file, word,
                  log->series_count ? names[0] : "nothing");
    free(names);
    return EXIT_BAD_INPUT;
}

// Adds one series, once. False: the plot is full.
static bool choose(Drawing *drawing, const ib_LogSeries *series)
{
    for (int i = 0; i < drawing->chosen_count; i++)
        if (strcmp(drawing->chosen[i].name, series->name) == 0) return true;
    if (drawing->chosen_count == IB_PLOT_MAX_SERIES) return false;
    const Request *request = drawing->request;
    drawing->chosen[drawing->chosen_count++] = ib_series_cut(series, request->from, request->to);
    return true;
}

static int choose_all(Drawing *drawing)
{
    const Request *request = drawing->request;
    for (int w = 0; w < request->word_count; w++) {
        const char *word = request->words[w];
        int found = 0;
        for (int i = 0; i < drawing->log->series_count; i++) {
            const ib_LogSeries *series = &drawing->log->series[i];
            if (!ib_signals_match(word, series->name)) continue;
            found++;
            if (!choose(drawing, series))
                return bad_usage(drawing->options, "more than %d signals in one plot",
                                 IB_PLOT_MAX_SERIES);
        }
        if (!found) return unknown_signal(drawing, word);
    }
    return EXIT_DONE;
}

// ------------------------------------------------------------------------------------------ curves

static int add_curves(Drawing *drawing)
{
    for (int i = 0; i < drawing->chosen_count; i++) {
        ib_PlotSeries *curve = &drawing->series[drawing->series_count++];
        if (!ib_series_curve(&drawing->chosen[i], &drawing->arena, curve)) return no_memory();
    }
    return EXIT_DONE;
}

// The first signal becomes x of all others.
static int add_xy(Drawing *drawing)
{
    const ib_LogSeries *x = &drawing->chosen[0];
    if (drawing->chosen_count < 2)
        return bad_usage(drawing->options, "--xy needs two signals: x and at least one y");
    for (int i = 1; i < drawing->chosen_count; i++) {
        ib_PlotSeries *curve = &drawing->series[drawing->series_count++];
        if (!ib_series_curve(&drawing->chosen[i], &drawing->arena, curve)) return no_memory();
        curve->x = x->values;
        curve->y = ib_series_aligned(&drawing->chosen[i], x, &drawing->arena);
        curve->count = (int)x->count;
        if (!curve->y) return no_memory();
    }
    return EXIT_DONE;
}

// The robot's path, cut to the time asked for, from this log.
static int add_path(Drawing *drawing, const ib_Log *log, ib_PlotStyle style)
{
    const Request *request = drawing->request;
    ib_LogSeries *cut = ib_arena_array(&drawing->arena, (size_t)log->series_count, sizeof *cut);
    if (!cut) return no_memory();
    for (int i = 0; i < log->series_count; i++)
        cut[i] = ib_series_cut(&log->series[i], request->from, request->to);
    ib_SeriesSet set = {cut, log->series_count};
    ib_PlotSeries *path = &drawing->series[drawing->series_count];
    if (!ib_series_trajectory(set, request->robot, &drawing->arena, path))
        return bad_usage(drawing->options,
                         "'%s' has no place in the plane of %s%s, which a trajectory needs%s",
                         log == drawing->log ? request->log : request->points,
                         request->robot[0] ? "robot " : "a robot", request->robot,
                         request->robot[0] ? "" : "; with several robots, name one with --robot");
    drawing->series_count++;
    if (style == IB_PLOT_LINE) return EXIT_DONE;
    path->style = style;
    path->u = path->v = NULL;
    path->label = "measured";
    return EXIT_DONE;
}

// ------------------------------------------------------------------------------------------ points

// The measured values of one chosen signal, drawn over its curve.
static int add_points(Drawing *drawing, const ib_LogSeries *own, const ib_LogSeries *measured,
                      int colour)
{
    const Request *request = drawing->request;
    if (measured->unit[0] && own->unit[0] && strcmp(measured->unit, own->unit) != 0)
        return bad_usage(drawing->options, "'%s' has %s in %s, the recording has it in %s",
                         request->points, own->name, measured->unit, own->unit);
    if (drawing->series_count == IB_PLOT_MAX_SERIES)
        return bad_usage(drawing->options, "more than %d signals in one plot", IB_PLOT_MAX_SERIES);
    ib_LogSeries cut = ib_series_cut(measured, request->from, request->to);
    ib_PlotSeries *points = &drawing->series[drawing->series_count++];
    if (!ib_series_curve(&cut, &drawing->arena, points)) return no_memory();
    if (request->xy) {
        const ib_LogSeries *x = ib_log_find(drawing->points, drawing->chosen[0].name);
        points->x = x ? ib_series_aligned(x, &cut, &drawing->arena) : NULL;
        if (!points->x)
            return bad_usage(drawing->options, "'%s' has no signal '%s' for the x axis",
                             request->points, drawing->chosen[0].name);
    }
    points->unit = own->unit[0] ? own->unit : points->unit;
    points->label = ib_arena_format(&drawing->arena, "%s (measured)", own->name);
    points->style = IB_PLOT_POINTS;
    points->colour = colour;
    return points->label ? EXIT_DONE : no_memory();
}

static int add_all_points(Drawing *drawing)
{
    if (drawing->request->kind == IB_PLOT_TRAJECTORY)
        return add_path(drawing, drawing->points, IB_PLOT_POINTS);
    int first = drawing->request->xy ? 1 : 0, curves = drawing->chosen_count - first, found = 0;
    for (int i = first; i < drawing->chosen_count; i++) {
        const ib_LogSeries *measured = ib_log_find(drawing->points, drawing->chosen[i].name);
        if (!measured) continue;
        // Over a single curve the points stand out; of several, each takes its curve's colour.
        int colour = curves == 1 ? 2 : i - first + 1;
        int code = add_points(drawing, &drawing->chosen[i], measured, colour);
        if (code) return code;
        found++;
    }
    if (found) return EXIT_DONE;
    return bad_usage(drawing->options, "'%s' has none of the signals that are drawn",
                     drawing->request->points);
}

// -------------------------------------------------------------------------------------------- plot

static const char *log_title(const ib_Log *log)
{
    for (int i = 0; i < log->fact_count; i++)
        if (strcmp(log->facts[i].key, "title") == 0) return log->facts[i].value;
    return "";
}

static int exit_code(ib_Status status, const ib_Error *error)
{
    if (status == IB_OK) return EXIT_DONE;
    fprintf(stderr, "ironbird plot: %s\n", error->text);
    return status == IB_BAD_INPUT ? EXIT_BAD_INPUT : EXIT_FAILED;
}

static int write_plot(const Drawing *drawing)
{
    const Request *request = drawing->request;
    ib_Plot plot = ib_plot_default();
    plot.title = request->title ? request->title : log_title(drawing->log);
    plot.kind = request->kind;
    plot.series = drawing->series;
    plot.series_count = drawing->series_count;
    plot.log_x = request->log_x;
    plot.log_y = request->log_y;
    plot.width = request->width;
    plot.height = request->height;
    if (request->xy) {
        plot.x_label = drawing->chosen[0].name;
        plot.x_unit = drawing->chosen[0].unit;
    }
    ib_Error error;
    ib_Status status = ib_plot_write(&plot, request->output, &error);
    return exit_code(status, &error);
}

// --from and --to must leave something of the recording.
static int check_window(const Drawing *drawing)
{
    const Request *request = drawing->request;
    ib_Time first = IB_TIME_NEVER, last = -IB_TIME_NEVER;
    for (int i = 0; i < drawing->log->series_count; i++) {
        const ib_LogSeries *series = &drawing->log->series[i];
        if (series->count == 0) continue;
        first = ib_time_min(first, series->times[0]);
        if (series->times[series->count - 1] > last) last = series->times[series->count - 1];
    }
    if (first > last || (request->from <= last && request->to >= first)) return EXIT_DONE;
    return bad_usage(drawing->options, "%s: '%s' has nothing there: it runs from %.9g s to %.9g s",
                     request->from > last ? "--from" : "--to", request->log,
                     ib_time_to_seconds(first), ib_time_to_seconds(last));
}

static int draw(Drawing *drawing)
{
    const Request *request = drawing->request;
    ib_Error error;
    ib_Status status = ib_log_read(request->log, &drawing->log, &error);
    if (status == IB_OK && request->points)
        status = ib_log_read(request->points, &drawing->points, &error);
    if (status) return exit_code(status, &error);

    int code = check_window(drawing);
    if (!code) code = choose_all(drawing);
    if (code) return code;
    code = request->kind == IB_PLOT_TRAJECTORY ? add_path(drawing, drawing->log, IB_PLOT_LINE)
           : request->xy                       ? add_xy(drawing)
                                               : add_curves(drawing);
    if (!code && request->points) code = add_all_points(drawing);
    return code ? code : write_plot(drawing);
}

// ----------------------------------------------------------------------------------------- options

enum { O_XY, O_TRAJECTORY, O_HISTOGRAM, O_BOX, O_SPECTRUM, O_SIZE, O_FROM, O_TO };

static const Option options_table[] = {
    {"--output|-o", "FILE", "the picture, .svg or .png", INTO_TEXT(Request, output)},
    {"--xy", NULL, "the first signal is x, the others are y", .item = O_XY},
    {"--trajectory", NULL, "the path in the plane, with velocity arrows", .item = O_TRAJECTORY},
    {"--robot", "NAME", "whose path, where a recording has several robots",
     INTO_TEXT(Request, robot)},
    {"--histogram", NULL, "how often which value", .item = O_HISTOGRAM},
    {"--box", NULL, "quartiles, whiskers and outliers side by side", .item = O_BOX},
    {"--spectrum", NULL, "amplitude over frequency", .item = O_SPECTRUM},
    {"--log-x", NULL, "a logarithmic x axis", INTO_FLAG(Request, log_x)},
    {"--log-y", NULL, "a logarithmic y axis", INTO_FLAG(Request, log_y)},
    {"--points", "FILE", "measured points over the curves: .csv or .wpilog",
     INTO_TEXT(Request, points)},
    {"--title", "TEXT", "instead of the recording's own", INTO_TEXT(Request, title)},
    {"--size", "WxH", "in pixels: 1280x720", .item = O_SIZE},
    {"--from", "TIME", "leave out what is earlier: '2 s'", .item = O_FROM},
    {"--to", "TIME", "leave out what is later: '5 s'", .item = O_TO},
    {0},
};

static bool read_time(const Options *options, const char *name, const char *text, ib_Time *time)
{
    double seconds;
    ib_Error error;
    if (ib_units_read(text, "s", &seconds, &error) != IB_OK) {
        bad_usage(options, "%s: %s", name, error.text);
        return false;
    }
    if (!(seconds >= -9e9 && seconds <= 9e9)) {
        bad_usage(options, "%s: expected at most 9e9 s, got '%s'", name, text);
        return false;
    }
    *time = ib_time_from_seconds(seconds);
    return true;
}

static bool read_size(const Options *options, const char *text, Request *request)
{
    char rest;
    if (sscanf(text, "%5dx%5d%c", &request->width, &request->height, &rest) == 2 &&
        request->width > 0 && request->height > 0)
        return true;
    bad_usage(options, "--size: expected WIDTHxHEIGHT such as 1280x720, got '%s'", text);
    return false;
}

static bool take_kind(const Options *options, ib_PlotKind kind, Request *request)
{
    if (request->xy || (request->kind != IB_PLOT_CURVES && request->kind != kind)) {
        bad_usage(options, "choose one kind of plot");
        return false;
    }
    request->kind = kind;
    request->xy = kind == IB_PLOT_CURVES;
    return true;
}

static bool take_word(const Options *options, const char *word, Request *request)
{
    if (!request->log) {
        request->log = word;
        return true;
    }
    if (request->word_count == MAX_WORDS) {
        bad_usage(options, "more than %d signals", MAX_WORDS);
        return false;
    }
    request->words[request->word_count++] = word;
    return true;
}

static bool take_item(const Options *options, int item, const char *value)
{
    Request *request = options->request;
    switch (item) {
    case OPTION_ARGUMENT:
        return take_word(options, value, request);
    case O_XY:
        return take_kind(options, IB_PLOT_CURVES, request);
    case O_TRAJECTORY:
        return take_kind(options, IB_PLOT_TRAJECTORY, request);
    case O_HISTOGRAM:
        return take_kind(options, IB_PLOT_HISTOGRAM, request);
    case O_BOX:
        return take_kind(options, IB_PLOT_BOX, request);
    case O_SPECTRUM:
        return take_kind(options, IB_PLOT_SPECTRUM, request);
    case O_SIZE:
        return read_size(options, value, request);
    case O_FROM:
        return read_time(options, "--from", value, &request->from);
    default:
        return read_time(options, "--to", value, &request->to);
    }
}

// What the options say only together.
static int check_request(const Options *options, const Request *request)
{
    ib_PlotFormat format;
    ib_Error error;
    bool path = request->kind == IB_PLOT_TRAJECTORY;
    bool curves = request->kind == IB_PLOT_CURVES;
    if (!request->log) return bad_usage(options, "expected a recording, .csv or .wpilog");
    if (!request->output) return bad_usage(options, "say where to: -o FILE.svg or FILE.png");
    if (ib_plot_format(request->output, &format, &error) != IB_OK)
        return bad_usage(options, "%s", error.text);
    if (path && request->word_count)
        return bad_usage(options, "--trajectory finds its signals itself: leave out '%s'",
                         request->words[0]);
    if (!path && request->word_count == 0)
        return bad_usage(options, "which signals? For example 'pose.*'");
    if (request->robot[0] && !path)
        return bad_usage(options, "--robot goes with --trajectory; name signals in full elsewhere");
    if (request->points && !path && !curves)
        return bad_usage(options, "--points goes with curves, --xy and --trajectory");
    if (request->from >= request->to) return bad_usage(options, "--from must be before --to");
    return EXIT_DONE;
}

int cmd_plot(int argc, char **argv)
{
    Request request = {.robot = "", .from = -IB_TIME_NEVER, .to = IB_TIME_NEVER};
    Options options = {
        .command = "plot",
        .usage = "LOG SIGNAL... -o FILE [options]",
        .about = "Draws signals of a recording over time, in one panel for each unit. A * in a\n"
                 "signal's name stands for anything: 'pose.*'. What each kind of plot is for:\n"
                 "docs/plots.md",
        .example = "ironbird plot run.wpilog 'pose.*' -o pose.svg\n"
                   "  ironbird plot run.csv --trajectory -o path.png\n"
                   "  ironbird plot run.csv pose.x --points measured.csv -o compare.svg",
        .options = options_table,
        .request = &request,
        .argc = argc,
        .argv = argv,
    };
    int code;
    if (!options_take(&options, take_item, &code)) return code;
    code = check_request(&options, &request);
    if (code) return code;
    Files files = {.inputs = (const char *const[]){request.log, request.points, NULL},
                   .outputs = {request.output}};
    if (!can_write_all("plot", &files)) return EXIT_BAD_INPUT;

    Drawing drawing = {.options = &options, .request = &request};
    code = draw(&drawing);
    ib_arena_reset(&drawing.arena);
    ib_log_destroy(drawing.log);
    ib_log_destroy(drawing.points);
    return code;
}
