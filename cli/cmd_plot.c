// cli/cmd_plot.c: `ironbird plot`: signals of a recording as a picture.
#include "base/json.h"
#include "base/units.h"
#include "cli.h"
#include "report/plot/drawing.h"

#include <stdio.h>

enum { MAX_WORDS = 256 };

typedef struct Request {
    const char *log, *points, *output, *title;
    const char *words[MAX_WORDS]; ///< patterns
    ib_DrawingConfig drawing;
    bool log_x, log_y;
    int width, height;
} Request;

// -------------------------------------------------------------------------------------------- plot

static int complain(ib_Status status, const ib_Error *error)
{
    if (status == IB_OK) return EXIT_DONE;
    ib_tell(stderr, "ironbird plot: %s\n", error->text);
    return exit_code_of(status);
}

// Sizes of the paths: width, height and centre, as the Roomba document's fourth plot prints.
static void print_extents(const ib_Plot *plot, FILE *file)
{
    for (int i = 0; i < plot->series_count; i++) {
        ib_PlotExtent extent = ib_plot_extent(&plot->series[i]);
        ib_tell(file, "%s: ", plot->series[i].label);
        if (extent.points == 0)
            fprintf(file, "no point of it is a number\n");
        else
            fprintf(file, "width %.6g m, height %.6g m, centre (%.6g m, %.6g m)\n", extent.width,
                    extent.height, extent.centre[0], extent.centre[1]);
    }
}

static void print_extents_json(const ib_Plot *plot, const char *output, FILE *file)
{
    ib_Json json = {.file = file};
    ib_json_open(&json, NULL, '{');
    ib_json_text(&json, "file", output);
    ib_json_open(&json, "paths", '[');
    for (int i = 0; i < plot->series_count; i++) {
        ib_PlotExtent extent = ib_plot_extent(&plot->series[i]);
        ib_json_open(&json, NULL, '{');
        ib_json_text(&json, "path", plot->series[i].label);
        ib_json_integer(&json, "points", extent.points);
        ib_json_text(&json, "unit", "m");
        ib_json_number(&json, "width", extent.width);
        ib_json_number(&json, "height", extent.height);
        ib_json_open(&json, "centre", '[');
        for (int k = 0; k < 2; k++) ib_json_number(&json, NULL, extent.centre[k]);
        ib_json_close(&json, ']');
        ib_json_close(&json, '}');
    }
    ib_json_close(&json, ']');
    ib_json_close(&json, '}');
    fputc('\n', file);
}

// A picture without a curve is no mistake, but it should not come as a surprise.
static void warn_of_gaps(const ib_Plot *plot)
{
    for (int i = 0; i < plot->series_count; i++)
        if (!ib_plot_shows(plot, i))
            ib_tell(
                stderr,
                "ironbird plot: warning: nothing of '%s' is drawn: no value of it is a number of "
                "at most 1e100%s\n",
                plot->series[i].label,
                plot->log_x || plot->log_y ? ", and above 0 on a logarithmic axis" : "");
}

static int draw(const Options *options, const Request *request, ib_Arena *arena)
{
    ib_Plot plot;
    ib_Error error;
    ib_Status status = ib_drawing_make(&request->drawing, arena, &plot, &error);
    if (status == IB_BAD_INPUT) return bad_usage(options, "%s", error.text);
    if (status != IB_OK) return complain(status, &error);
    if (request->title) plot.title = request->title;
    plot.log_x = request->log_x;
    plot.log_y = request->log_y;
    plot.width = request->width;
    plot.height = request->height;
    int code = complain(ib_plot_write(&plot, request->output, &error), &error);
    if (code == EXIT_DONE) warn_of_gaps(&plot);
    if (code || plot.kind != IB_PLOT_TRAJECTORY) return code;
    if (options->common->json)
        print_extents_json(&plot, request->output, stdout);
    else
        print_extents(&plot, stdout);
    return EXIT_DONE;
}

static int plot_main(const Options *options, Request *request)
{
    ib_Log *log = NULL, *points = NULL;
    ib_Arena arena = {0};
    ib_Error error;
    ib_DrawingConfig *drawing = &request->drawing;
    ib_Status status = ib_log_read(request->log, &log, &error);
    if (status == IB_OK && request->points) status = ib_log_read(request->points, &points, &error);
    if (log) tell_unread("plot", request->log, log);
    if (points) tell_unread("plot", request->points, points);
    drawing->log = log;
    drawing->log_file = request->log;
    drawing->points = points;
    drawing->points_file = request->points;
    drawing->patterns = request->words;
    int code = status == IB_OK ? draw(options, request, &arena) : complain(status, &error);
    ib_arena_reset(&arena);
    ib_log_destroy(log);
    ib_log_destroy(points);
    return code;
}

// ----------------------------------------------------------------------------------------- options

enum { O_XY, O_TRAJECTORY, O_HISTOGRAM, O_BOX, O_SPECTRUM, O_SIZE, O_FROM, O_TO };

static const Option options_table[] = {
    {"--output|-o", "FILE", "write the picture to this file, .svg or .png",
     INTO_TEXT(Request, output)},
    {"--xy", NULL, "draw the signals behind the first over it: it is x, they are y", .item = O_XY},
    {"--trajectory", NULL, "draw the path in the plane, with velocity arrows, and print its size",
     .item = O_TRAJECTORY},
    {.common = COMMON_JSON,
     .sentence = "with --trajectory: print width, height and centre of the path as JSON"},
    {"--robot", "NAME", "draw the path of this robot, where a recording has several",
     INTO_TEXT(Request, drawing.robot)},
    {"--histogram", NULL, "draw how often each value occurs", .item = O_HISTOGRAM},
    {"--box", NULL, "draw quartiles, whiskers and outliers side by side", .item = O_BOX},
    {"--spectrum", NULL, "draw the amplitude over the frequency", .item = O_SPECTRUM},
    {"--log-x", NULL, "make the x axis logarithmic", INTO_FLAG(Request, log_x)},
    {"--log-y", NULL, "make the y axis logarithmic", INTO_FLAG(Request, log_y)},
    {"--points", "FILE", "draw measured points over the curves: .csv or .wpilog",
     INTO_TEXT(Request, points)},
    {"--title", "TEXT", "title of the picture, instead of the recording's own",
     INTO_TEXT(Request, title)},
    {"--size", "WxH", "size of the picture in pixels: 1280x720", .item = O_SIZE},
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
    if (request->drawing.xy ||
        (request->drawing.kind != IB_PLOT_CURVES && request->drawing.kind != kind)) {
        bad_usage(options, "choose one kind of plot");
        return false;
    }
    request->drawing.kind = kind;
    request->drawing.xy = kind == IB_PLOT_CURVES;
    return true;
}

static bool take_word(const Options *options, const char *word, Request *request)
{
    if (!request->log) {
        request->log = word;
        return true;
    }
    if (request->drawing.pattern_count == MAX_WORDS) {
        bad_usage(options, "more than %d signals", MAX_WORDS);
        return false;
    }
    request->words[request->drawing.pattern_count++] = word;
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
        return read_time(options, "--from", value, &request->drawing.from);
    default:
        return read_time(options, "--to", value, &request->drawing.to);
    }
}

// Checks that need several options together.
static int check_request(const Options *options, const Request *request)
{
    ib_PlotFormat format;
    ib_Error error;
    bool path = request->drawing.kind == IB_PLOT_TRAJECTORY;
    bool curves = request->drawing.kind == IB_PLOT_CURVES;
    if (!request->log) return bad_usage(options, "expected a recording, .csv or .wpilog");
    if (!request->output) return bad_usage(options, "say where to: -o FILE.svg or FILE.png");
    if (ib_plot_format(request->output, &format, &error) != IB_OK)
        return bad_usage(options, "%s", error.text);
    if (path && request->drawing.pattern_count)
        return bad_usage(options, "--trajectory finds its signals itself: leave out '%s'",
                         request->words[0]);
    if (!path && request->drawing.pattern_count == 0)
        return bad_usage(options, "which signals? For example 'pose.*'");
    if (request->drawing.robot[0] && !path)
        return bad_usage(options, "--robot goes with --trajectory; name signals in full elsewhere");
    if (options->common->json && !path)
        return bad_usage(options, "--json goes with --trajectory: other plots print nothing");
    if (request->points && !path && !curves)
        return bad_usage(options, "--points goes with curves, --xy and --trajectory");
    if (request->drawing.from >= request->drawing.to)
        return bad_usage(options, "--from must be before --to");
    return EXIT_DONE;
}

int cmd_plot(int argc, char **argv)
{
    Request request = {.drawing = ib_drawing_default()};
    CommonOptions common = {0};
    Options options = {
        .command = "plot",
        .usage = "LOG SIGNAL... -o FILE [options]",
        .about = "Draws signals of a recording over time, in one panel for each unit. A * in a\n"
                 "signal's name stands for anything: 'pose.*'. What each kind of plot is for:\n"
                 "docs/report/plots.md",
        .example = "ironbird plot run.wpilog 'pose.*' -o pose.svg\n"
                   "  ironbird plot run.csv --trajectory -o path.png\n"
                   "  ironbird plot run.csv pose.x --points measured.csv -o compare.svg",
        .options = options_table,
        .common = &common,
        .request = &request,
        .argc = argc,
        .argv = argv,
    };
    int code;
    if (!options_take(&options, take_item, &code)) return code;
    code = check_request(&options, &request);
    if (code) return code;
    Files files = {.inputs = {(const char *const[]){request.log, request.points, NULL}},
                   .outputs = {request.output},
                   .json = options.common->json};
    if (!can_write_all("plot", &files)) return EXIT_BAD_INPUT;
    return plot_main(&options, &request);
}
