// cli/cmd_sweep.c: `ironbird sweep`: run a scenario many times, over seeds and parameters, on
// all cores.
#include "cli.h"
#include "plugins.h"
#include "study/sweep/sweep_options.h"
#include "study/sweep/sweep_rows.h"
#include "study/sweep/sweep_text.h"

#include "base/output.h"
#include "report/sweep_figure.h"
#include "sim/pool.h"
#include "study/sweep/sweep_journal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Request {
    ib_SweepPlan plan;
    CommonOptions common;
    const char *best; ///< the measure; NULL: none
    bool largest;     ///< the largest is best
    const char *csv, *plot;
    const char *journal; ///< as named; NULL: beside the CSV file, where that is one
    bool resume;
    ib_Arena arena; ///< of the axes
} Request;

enum { O_SEEDS, O_OVER, O_MEASURE, O_BEST };

static const Option options_table[] = {
    {"--seeds", "A..B", "one run for every seed from A to B", .item = O_SEEDS},
    {"--over", "PATH=a,b,c",
     "one run for every value, PATH='4..14 by 0.5' too (repeatable: a grid)", .repeatable = true,
     .item = O_OVER},
    {"--measure", "M",
     "a number of each run: 'min battery.voltage', 'max abs lift.error from 1 s to 3 s', 'mean "
     "drive.left.current', 'final pose.x', 'first pose.x > 8 m'; of a design or plan a number of "
     "its --json: margins.volts.phase; default: the headlines (repeatable)",
     .repeatable = true, .item = O_MEASURE},
    {"--best", "M",
     "sort by this measure and name the best point; smallest is best, or write 'largest M'; points "
     "with a failed expectation are out",
     .item = O_BEST},
    {"--all", NULL, "add the last values of all signals to --csv and --json",
     INTO_FLAG(Request, plan.all)},
    {.common = COMMON_SET, .sentence = "change the scenario for all runs (repeatable)"},
    {.common = COMMON_DURATION},
    {.common = COMMON_JOBS},
    {"--csv", "FILE", "write every run's measures and margins to a CSV file",
     INTO_TEXT(Request, csv)},
    {"--plot", "FILE.svg", "draw the points: a line, a heat map or boxes, by what varies; or .png",
     INTO_TEXT(Request, plot)},
    {"--journal", "FILE",
     "keep what is done in this file, to go on with; default: the CSV file's name with .journal",
     INTO_TEXT(Request, journal)},
    {"--resume", NULL, "go on where an earlier sweep was stopped, by Ctrl-C or a kill",
     INTO_FLAG(Request, resume)},
    {.common = COMMON_JSON,
     .sentence = "print runs and statistics as JSON, and nothing else, to stdout"},
    {.common = COMMON_PLUGINS},
    {.common = COMMON_QUIET,
     .sentence = "print no progress and no table, only what failed and what is best"},
    {0},
};

// ----------------------------------------------------------------------------------------- reading

static bool take_item(const Options *options, int item, const char *value)
{
    static const char *const names[] = {"--seeds", "--over", "--measure", "--best"};
    Request *request = options->request;
    ib_SweepPlan *plan = &request->plan;
    ib_Error error;
    ib_Status status = IB_OK;
    switch (item) {
    case OPTION_ARGUMENT:
        return take_only(options, "scenario", value, &plan->file);
    case O_SEEDS:
        status = ib_sweep_seeds_read(value, plan, &error);
        break;
    case O_OVER:
        status = ib_sweep_axis_add(plan, value, &request->arena, &error);
        break;
    case O_MEASURE:
        status = ib_sweep_measure_add(plan, value, &error);
        break;
    default:
        request->best = value;
    }
    if (status != IB_OK) bad_usage(options, "%s: %s", names[item], error.text);
    return status == IB_OK;
}

// ----------------------------------------------------------------------------------------- journal

// The journal's name; NULL: none is kept. Beside a CSV file it needs no option; a pipe and the
// standard output have no place for one.
static const char *journal_path(Request *request)
{
    struct stat found;
    if (request->journal || !request->csv) return request->journal;
    bool plain = stat(request->csv, &found) != 0 || S_ISREG(found.st_mode);
    if (!plain || ib_output_is_standard(request->csv)) return NULL;
    return ib_arena_format(&request->arena, "%s.journal", request->csv);
}

// --------------------------------------------------------------------------------------------- run

// A sweep under way, and where its rows go.
typedef struct Course {
    const ib_Sweep *sweep;
    ib_SweepTotals totals;
    ib_SweepPoints points; ///< if they are shown
    bool has_points;
    int best_measure; ///< -1: none
    bool largest;
    ib_SweepBest best; ///< of that one, if it could be found
    bool has_best;
    ib_Arena arena;
    ib_SweepJournal journal;
    bool has_journal, has_csv, has_json;
    bool in_line; ///< the last line of the progress has not ended
    ib_SweepCsv csv;
    ib_Json json;
} Course;

static bool take_run(void *self, int64_t index, const ib_SweepResult *result)
{
    Course *course = self;
    ib_sweep_totals_add(&course->totals, index, result);
    if (course->has_points) ib_sweep_points_add(&course->points, result);
    if (course->has_csv) ib_sweep_csv_row(&course->csv, index, result);
    if (course->has_json) ib_sweep_json_row(&course->json, course->sweep, index, result);
    return !course->has_csv || !course->csv.failure;
}

// The rows of some runs go out together.
static bool write_rows(void *self)
{
    Course *course = self;
    bool good = !course->has_csv || ib_sweep_csv_write(&course->csv);
    if (course->has_json && (fflush(stdout) != 0 || ferror(stdout))) good = false;
    return good;
}

static void progress(void *self, int64_t done, int64_t count)
{
    Course *course = self;
    course->in_line = done != count;
    fprintf(stderr, "\r%" PRId64 " of %" PRId64 " run%s%s", done, count, count == 1 ? "" : "s",
            done == count ? "\n" : "");
    fflush(stderr);
}

// Exit code of a sweep that went through. Points that fail what is expected are out of a search for
// the best one, and no failure then.
static int verdict(const Course *course, int unmet)
{
    const ib_SweepTotals *totals = &course->totals;
    // A value drawn at random may be out of its range: one run fails, not the sweep's input.
    if (totals->error_count > 0) return EXIT_FAILED;
    if (unmet > 0) return EXIT_BAD_INPUT;
    if (course->best_measure >= 0) return course->best.allowed > 0 ? EXIT_DONE : EXIT_BAD_INPUT;
    return totals->broken > 0 ? EXIT_EXPECTATION : EXIT_DONE;
}

// Prints the answers, and returns the exit code.
static int print_results(const Request *request, Course *course)
{
    const ib_Sweep *sweep = course->sweep;
    const ib_SweepBest *best = course->has_best ? &course->best : NULL;
    bool quiet = request->common.quiet;
    ib_sweep_text_errors(sweep, &course->totals, stderr);
    if (!quiet) ib_sweep_text_warnings(sweep, &course->totals, stderr);
    if (!quiet) plugins_print_warnings();
    if (course->has_json) {
        ib_sweep_json_end(&course->json, sweep, &course->totals);
        if (course->best_measure >= 0)
            ib_sweep_json_best(&course->json, sweep, &course->points, best);
        ib_json_close(&course->json, '}');
        fputc('\n', stdout);
    } else if (quiet && course->best_measure < 0) {
        ib_sweep_text_verdicts(sweep, &course->totals, true, stderr);
        ib_sweep_text_failed(sweep, &course->totals, stderr);
    } else if (!quiet) {
        ib_sweep_text(sweep, &course->totals, &course->points, best, stdout);
    }
    bool told = best && (best->allowed == 0 || !course->has_json);
    if (told) ib_sweep_text_best(sweep, &course->points, best, best->allowed ? stdout : stderr);
    if (!quiet) ib_sweep_text_still(sweep, &course->points, stderr);
    return verdict(course, ib_sweep_text_unmet(sweep, &course->totals, stderr));
}

// Draws what was done, and returns the exit code of that.
static int draw(const Request *request, const Course *course)
{
    ib_Error error;
    const ib_SweepBest *best = course->has_best ? &course->best : NULL;
    if (!request->plot) return EXIT_DONE;
    if (ib_sweep_figure(course->sweep, &course->points, best, request->plot, &error) == IB_OK)
        return EXIT_DONE;
    ib_tell(stderr, "ironbird sweep: --plot: %s\n", error.text);
    return exit_code_of(error.status);
}

// Tells how to resume an incomplete sweep.
static void tell_stopped(const Course *course, const ib_Error *error)
{
    ib_tell(stderr, "ironbird sweep: %s", error->text);
    if (course->has_journal && course->journal.held > 0)
        ib_tell(stderr,
                "; the same command with --resume goes on after run %" PRId64
                " ('%s' has what was done)",
                course->journal.held, course->journal.path);
    else if (!course->has_journal && error->status == IB_INTERRUPTED)
        ib_tell(stderr, "; with --csv FILE or --journal FILE it could be gone on with");
    ib_tell(stderr, "\n");
}

// All from the first run, or from the first that the journal does not have.
static int run_sweep(const Request *request, Course *course)
{
    const volatile sig_atomic_t *stop = catch_interrupt();
    ib_Error error = {0}, unwritten;
    ib_Status status = IB_OK;
    if (request->csv)
        status = ib_sweep_csv_open(&course->csv, request->csv, course->sweep, stop, &error);
    course->has_csv = request->csv && status == IB_OK;
    course->json.file = stdout;
    course->has_json = request->common.json;
    if (course->has_json) ib_sweep_json_begin(&course->json, course->sweep);
    ib_SweepRun run = {.threads = request->common.jobs ? request->common.jobs : ib_pool_cores(),
                       .journal = course->has_journal ? &course->journal : NULL,
                       .take = take_run,
                       .pause = write_rows,
                       .progress =
                           !request->common.quiet && isatty(STDERR_FILENO) ? progress : NULL,
                       .self = course,
                       .stop = stop};
    if (status == IB_OK) status = ib_sweep_run(course->sweep, &run, &error);
    if (course->in_line) fputc('\n', stderr);
    // If a file takes no more rows, that failure has ended the sweep.
    bool full = course->has_csv && course->csv.failure;
    if (status == IB_INTERRUPTED && !*stop && !full) status = IB_OK; // stdout: told at the end
    if (course->best_measure >= 0)
        course->has_best =
            ib_sweep_best(&course->points, ib_sweep_column(course->sweep, course->best_measure),
                          course->largest, &course->arena, &course->best);
    int code = print_results(request, course), drawn = draw(request, course);
    if (drawn > code) code = drawn;
    if (status != IB_OK) code = exit_code_of(status);
    if (course->has_csv && ib_sweep_csv_close(&course->csv, &unwritten) != IB_OK) {
        ib_tell(stderr, "ironbird sweep: %s\n", unwritten.text);
        if (code != EXIT_INTERRUPTED || full) code = exit_code_of(unwritten.status);
        course->has_csv = false;
    }
    if (status != IB_OK) tell_stopped(course, &error);
    // A journal without a name of the user's is removed when all is written.
    bool done = course->totals.made == course->sweep->count && course->has_csv;
    if (course->has_journal) ib_sweep_journal_close(&course->journal, done && !request->journal);
    return code;
}

static int sweep_main(const Options *options, Request *request)
{
    ib_SweepPlan *plan = &request->plan;
    prepare_sweep(plan, &request->common);
    ib_Error error = {0};
    if (ib_sweep_check(plan, &error) != IB_OK) return bad_usage(options, "%s", error.text);
    if (ib_sweep_count(plan) < 0)
        return bad_usage(options, "more than %" PRId64 " (2^63 - 1) runs", INT64_MAX);
    bool largest = false;
    int best = -1;
    if (request->best && ib_sweep_best_read(request->best, plan, &best, &largest, &error) != IB_OK)
        return bad_usage(options, "--best: %s", error.text);
    if (request->best && ib_sweep_count(plan) > IB_SWEEP_KEPT)
        return bad_usage(options, "--best: expected at most %d runs", IB_SWEEP_KEPT);
    if (request->plot && ib_sweep_figure_check(plan, request->plot, &error) != IB_OK) {
        ib_tell(stderr, "ironbird sweep: --plot: %s\n", error.text);
        return exit_code_of(error.status);
    }
    const char *journal = journal_path(request);
    if (request->resume && !journal)
        return bad_usage(options, "--resume: there is no journal to go on with: expected --journal "
                                  "FILE, or --csv with a file, beside it");

    ib_Diagnostics diagnostics = {.arena = &request->arena};
    ib_Sweep *sweep = ib_sweep_create(plan, &diagnostics);
    if (!sweep) {
        print_diagnostics(plan->file, &diagnostics);
        return EXIT_BAD_INPUT;
    }
    Files files = {.inputs = {sweep->files},
                   .outputs = {request->csv, journal, request->plot},
                   .json = request->common.json};
    Course course = {.sweep = sweep,
                     .points = ib_sweep_points(sweep),
                     .has_points = !request->common.quiet || request->best || request->plot,
                     .best_measure = best,
                     .largest = largest,
                     .has_journal = journal != NULL};
    int code = EXIT_BAD_INPUT;
    ib_Status status = IB_OK;
    bool good = can_write_all("sweep", &files);
    const char *other = request->journal ? "--journal" : "--csv or --journal";
    if (good && journal && !request->resume)
        status = ib_sweep_journal_free(journal, sweep, other, &error);
    if (good && status == IB_OK && !ib_sweep_totals_init(&course.totals, ib_sweep_shape(sweep)))
        status = ib_error_set(&error, IB_FAILED, "out of memory");
    if (good && status == IB_OK && journal)
        status = ib_sweep_journal_open(&course.journal, journal, sweep, request->resume, &error);
    if (status != IB_OK) {
        ib_tell(stderr, "ironbird sweep: %s\n", error.text);
        code = exit_code_of(status);
    } else if (good) {
        code = run_sweep(request, &course);
    }
    ib_sweep_totals_destroy(&course.totals);
    ib_sweep_points_destroy(&course.points);
    ib_arena_reset(&course.arena);
    ib_sweep_destroy(sweep);
    return code;
}

int cmd_sweep(int argc, char **argv)
{
    Request request = {0};
    Options options = {
        .command = "sweep",
        .usage = "SCENARIO [options]",
        .about =
            "Runs a scenario for every seed and every point of a grid of parameters, on all "
            "cores,\n"
            "and prints what is asked of each, the expectations that failed, and the best point.\n"
            "Designs and plans, too. The output is the same for any number of threads.",
        .example = "ironbird sweep scenarios/roomba_noise.yaml --seeds 0..49 --over robot.mass='2 "
                   "kg,3 kg' --csv sweep.csv",
        TAKEN_INTO(request),
    };
    int code;
    if (options_take(&options, take_item, &code))
        code = request.plan.file ? sweep_main(&options, &request)
                                 : bad_usage(&options, "no scenario was named");
    common_destroy(&request.common);
    ib_arena_reset(&request.arena);
    return code;
}
