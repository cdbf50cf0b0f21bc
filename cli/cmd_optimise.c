// cli/cmd_optimise.c: `ironbird optimise`: the values for which a measure is best, in few runs.
#include "cli.h"
#include "plugins.h"
#include "report/optimise_figure.h"
#include "study/optimise/optimise_text.h"
#include "study/sweep/sweep_options.h"
#include "study/sweep/sweep_rows.h"

#include "sim/pool.h"

#include <string.h>
#include <unistd.h>

typedef struct Request {
    ib_OptimisePlan plan;
    CommonOptions common;
    const char *best, *out, *csv, *plot;
    ib_Arena arena; ///< of the values
} Request;

enum { O_VARY, O_SEEDS, O_MEASURE, O_EVALUATIONS };

static const Option options_table[] = {
    {"--vary", "PATH=a..b",
     "look for the best value in this range, '20 A..60 A', or in a list, 8.45,10.71 (repeatable)",
     .repeatable = true, .item = O_VARY},
    {"--best", "M",
     "what is to be least: 'first pose.x > 8 m', 'max abs lift.error from 1 s to 3 s'; or "
     "greatest: 'largest min battery.voltage'; points that fail an expectation are out",
     INTO_TEXT(Request, best)},
    {"--measure", "M", "another number of each run, for the table (repeatable)", .repeatable = true,
     .item = O_MEASURE},
    {"--seeds", "A..B", "judge every point by its mean over these seeds, the same for all",
     .item = O_SEEDS},
    {"--evaluations", "N", "try at most so many points; default: 40 for one range, more for more",
     .item = O_EVALUATIONS},
    {.common = COMMON_SET, .sentence = "change the scenario for all runs (repeatable)"},
    {.common = COMMON_DURATION},
    {.common = COMMON_JOBS},
    {"--out", "FILE.yaml", "write the scenario with the best values, for ironbird run",
     INTO_TEXT(Request, out)},
    {"--csv", "FILE", "write every run's measures and margins to a CSV file",
     INTO_TEXT(Request, csv)},
    {"--plot", "FILE.svg", "draw the search, and slices around the best; or .png",
     INTO_TEXT(Request, plot)},
    {.common = COMMON_JSON,
     .sentence = "print runs and the best as JSON, and nothing else, to stdout"},
    {.common = COMMON_PLUGINS},
    {.common = COMMON_QUIET, .sentence = "print no progress and no table, only what is best"},
    {0},
};

static bool take_item(const Options *options, int item, const char *value)
{
    static const char *const names[] = {"--vary", "--seeds", "--measure", "--evaluations"};
    Request *request = options->request;
    ib_OptimisePlan *plan = &request->plan;
    ib_Error error;
    ib_Status status = IB_OK;
    uint64_t number = 0;
    switch (item) {
    case OPTION_ARGUMENT:
        return take_only(options, "scenario", value, &plan->sweep.file);
    case O_VARY:
        status = ib_vary_add(plan, value, &request->arena, &error);
        break;
    case O_SEEDS:
        status = ib_sweep_seeds_read(value, &plan->sweep, &error);
        break;
    case O_MEASURE:
        status = ib_sweep_measure_add(&plan->sweep, value, &error);
        break;
    default:
        if (!read_whole(value, 1, IB_OPTIMISE_MOST, &number))
            status = ib_error_set(&error, IB_BAD_INPUT, "expected a number from 1 to %d, got '%s'",
                                  IB_OPTIMISE_MOST, value);
        plan->most = (int)number;
    }
    if (status != IB_OK) bad_usage(options, "%s: %s", names[item], error.text);
    return status == IB_OK;
}

// --------------------------------------------------------------------------------------------- run

// A search under way, and where its rows go.
typedef struct Course {
    ib_Optimisation *optimisation;
    ib_SweepTotals totals;
    ib_SweepCsv csv;
    ib_Json json;
    bool has_csv, has_json, in_line;
} Course;

static bool take_run(void *self, int64_t index, const ib_SweepResult *result)
{
    Course *course = self;
    ib_sweep_totals_add(&course->totals, course->totals.made, result);
    if (course->has_csv) ib_sweep_csv_row(&course->csv, index, result);
    if (course->has_json)
        ib_sweep_json_row(&course->json, course->optimisation->sweep, index, result);
    return !course->has_csv || !course->csv.failure;
}

static void progress(void *self, const ib_Optimisation *optimisation)
{
    Course *course = self;
    char text[200];
    ib_optimise_text_progress(optimisation, text, sizeof text);
    fprintf(stderr, "\r%s\033[K", text);
    fflush(stderr);
    course->in_line = true;
}

static void print_results(const Request *request, Course *course, ib_Status status)
{
    const ib_Optimisation *optimisation = course->optimisation;
    const ib_Sweep *sweep = optimisation->sweep;
    bool quiet = request->common.quiet;
    ib_sweep_text_errors(sweep, &course->totals, stderr);
    if (!quiet) ib_sweep_text_warnings(sweep, &course->totals, stderr);
    if (!quiet) plugins_print_warnings();
    if (course->has_json)
        ib_optimise_json_end(&course->json, optimisation);
    else
        ib_optimise_text(optimisation, &course->totals, status == IB_INTERRUPTED, quiet, stdout);
}

// The answer is a point that is allowed.
static int verdict(const Request *request, const Course *course, ib_Status status)
{
    const ib_Optimisation *optimisation = course->optimisation;
    ib_Error error;
    int code = status == IB_OK ? EXIT_DONE : exit_code_of(status);
    if (optimisation->best.allowed == 0) {
        if (course->has_json)
            ib_sweep_text_best(optimisation->sweep, &optimisation->points, &optimisation->best,
                               stderr);
        return code == EXIT_DONE ? EXIT_BAD_INPUT : code;
    }
    if (!request->out) return code;
    status = ib_optimise_write(optimisation, request->out, &error);
    if (status != IB_OK)
        ib_tell(stderr, "ironbird optimise: %s\n", error.text);
    else if (!request->common.quiet && !course->has_json)
        ib_tell(stdout, "written to %s: ironbird run %s\n", request->out, request->out);
    return status == IB_OK ? code : exit_code_of(status);
}

// Draws the search, and unless it was stopped slices, which take more runs.
static int draw(const Request *request, Course *course, const ib_OptimiseRun *run, bool sliced)
{
    ib_Optimisation *optimisation = course->optimisation;
    ib_Error error;
    if (!request->plot || optimisation->best.count == 0) return EXIT_DONE;
    ib_Status status = ib_optimise_figure(optimisation, sliced ? run : NULL, request->plot, &error);
    if (course->in_line) fputc('\n', stderr);
    if (status != IB_OK)
        ib_tell(stderr, "ironbird optimise: --plot: %s\n", error.text);
    else if (!request->common.quiet && !course->has_json)
        ib_optimise_text_drawn(optimisation, request->plot, stdout);
    return status == IB_OK ? EXIT_DONE : exit_code_of(status);
}

static int search(const Request *request, Course *course)
{
    const volatile sig_atomic_t *stop = catch_interrupt();
    ib_Error error = {0}, unwritten;
    ib_Status status = IB_OK;
    const ib_Sweep *sweep = course->optimisation->sweep;
    if (request->csv) status = ib_sweep_csv_open(&course->csv, request->csv, sweep, stop, &error);
    course->has_csv = request->csv && status == IB_OK;
    course->json.file = stdout;
    course->has_json = request->common.json;
    if (course->has_json) ib_optimise_json_begin(&course->json, course->optimisation);
    bool told = !request->common.quiet && isatty(STDERR_FILENO);
    ib_OptimiseRun run = {.threads = request->common.jobs ? request->common.jobs : ib_pool_cores(),
                          .take = take_run,
                          .progress = told ? progress : NULL,
                          .self = course,
                          .stop = stop};
    if (status == IB_OK) status = ib_optimise(course->optimisation, &run, &error);
    if (course->in_line) fputc('\n', stderr);
    course->in_line = false;
    print_results(request, course, status);
    if (status == IB_INTERRUPTED)
        ib_tell(stderr, "ironbird optimise: stopped; what was found so far counts\n");
    else if (status != IB_OK)
        ib_tell(stderr, "ironbird optimise: %s\n", error.text);
    int code = verdict(request, course, status);
    if (course->has_csv && ib_sweep_csv_close(&course->csv, &unwritten) != IB_OK) {
        ib_tell(stderr, "ironbird optimise: %s\n", unwritten.text);
        code = exit_code_of(unwritten.status);
    }
    int drawn = draw(request, course, &run, status == IB_OK);
    return code == EXIT_DONE ? drawn : code;
}

static int optimise_main(const Options *options, Request *request)
{
    ib_OptimisePlan *plan = &request->plan;
    ib_Error error;
    prepare_sweep(&plan->sweep, &request->common);
    if (plan->sweep.axis_count == 0)
        return bad_usage(options, "nothing varies: expected --vary PATH=a..b");
    if (!request->best)
        return bad_usage(options, "nothing to look for: expected --best M, such as 'first pose.x > "
                                  "8 m'");
    if (ib_sweep_best_read(request->best, &plan->sweep, &plan->measure, &plan->largest, &error) !=
        IB_OK)
        return bad_usage(options, "--best: %s", error.text);
    if (ib_optimise_check(plan, &error) != IB_OK) return bad_usage(options, "%s", error.text);
    if (request->plot && ib_optimise_figure_check(plan, request->plot, &error) != IB_OK) {
        ib_tell(stderr, "ironbird optimise: --plot: %s\n", error.text);
        return exit_code_of(error.status);
    }

    ib_Diagnostics diagnostics = {.arena = &request->arena};
    Course course = {.optimisation = ib_optimise_create(plan, &diagnostics)};
    if (!course.optimisation) {
        print_diagnostics(plan->sweep.file, &diagnostics);
        return EXIT_BAD_INPUT;
    }
    const ib_Sweep *sweep = course.optimisation->sweep;
    Files files = {.inputs = {sweep->files},
                   .outputs = {request->csv, request->out, request->plot},
                   .json = request->common.json};
    int code = EXIT_BAD_INPUT;
    if (can_write_all("optimise", &files))
        code = ib_sweep_totals_init(&course.totals, ib_sweep_shape(sweep))
                   ? search(request, &course)
                   : EXIT_FAILED;
    ib_sweep_totals_destroy(&course.totals);
    ib_optimise_destroy(course.optimisation);
    return code;
}

int cmd_optimise(int argc, char **argv)
{
    Request request = {0};
    Options options = {
        .command = "optimise",
        .usage = "SCENARIO --vary PATH=a..b --best M [options]",
        .about =
            "Finds the values for which a measure is best, in few runs on all cores; points that\n"
            "fail what the scenario expects are out. The answer is the same for any number of\n"
            "threads. Ctrl-C keeps the best so far.",
        .example =
            "ironbird optimise scenarios/tank_straight.yaml --vary robot.drive.reduction=4..14 "
            "--best 'first pose.x > 1 m' --set expect=[]",
        TAKEN_INTO(request),
    };
    int code;
    if (options_take(&options, take_item, &code))
        code = request.plan.sweep.file ? optimise_main(&options, &request)
                                       : bad_usage(&options, "no scenario was named");
    common_destroy(&request.common);
    ib_arena_reset(&request.arena);
    return code;
}
