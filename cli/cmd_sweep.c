// cli/cmd_sweep.c: `ironbird sweep`: run a scenario many times, over seeds and parameters, on
// all cores.
#include "cli.h"
#include "plugins.h"
#include "study/sweep_axis.h"
#include "study/sweep_rows.h"
#include "study/sweep_text.h"

#include "base/output.h"
#include "sim/pool.h"
#include "study/sweep_journal.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Request {
    ib_SweepPlan plan;
    CommonOptions common;
    int jobs;
    const char *csv;
    const char *journal; ///< as named; NULL: beside the CSV file, where that is one
    bool resume;
    ib_Arena arena; ///< of the axes
} Request;

enum { O_SEEDS, O_OVER, O_MEASURE, O_JOBS };

static const Option options_table[] = {
    {"--seeds", "A..B", "one run for every seed from A to B", .item = O_SEEDS},
    {"--over", "PATH=a,b,c",
     "one run for every value, PATH='4..14 by 0.5' too (repeatable: a grid)", .repeatable = true,
     .item = O_OVER},
    {"--measure", "M",
     "one row a run with this: 'min battery.voltage', 'max abs lift.error from 1 s to 3 s', "
     "'mean drive.left.current', 'final pose.x', 'first pose.x > 8 m' (repeatable)",
     .repeatable = true, .item = O_MEASURE},
    {.common = COMMON_SET, .sentence = "change the scenario for all runs (repeatable)"},
    {.common = COMMON_DURATION},
    {"--jobs|-j", "N", "number of threads; default: all cores", .item = O_JOBS},
    {"--csv", "FILE", "write the final signals of every run to a CSV file",
     INTO_TEXT(Request, csv)},
    {"--journal", "FILE",
     "keep what is done in this file, to go on with; default: the CSV file's name with .journal",
     INTO_TEXT(Request, journal)},
    {"--resume", NULL, "go on where an earlier sweep was stopped, by Ctrl-C or a kill",
     INTO_FLAG(Request, resume)},
    {.common = COMMON_JSON,
     .sentence = "print runs and statistics as JSON, and nothing else, to stdout"},
    {.common = COMMON_PLUGINS},
    {.common = COMMON_QUIET, .sentence = "print no progress and no table"},
    {0},
};

// ----------------------------------------------------------------------------------------- reading

// Reads the digits of a whole number at the start of `text`; `end` is the rest. False: none, or
// beyond `most`.
static bool read_digits(const char *text, uint64_t most, uint64_t *value, const char **end)
{
    uint64_t sum = 0;
    const char *c = text;
    for (; *c >= '0' && *c <= '9'; c++) {
        sum = 10 * sum + (uint64_t)(*c - '0');
        if (sum > most) return false;
    }
    *value = sum;
    *end = c;
    return c != text;
}

static bool read_seeds(const Options *options, const char *text, ib_SweepPlan *plan)
{
    const uint64_t largest = UINT64_C(1) << 53; // of run.seed, too
    const char *end;
    uint64_t first, last;
    bool good = read_digits(text, UINT64_MAX / 10 - 1, &first, &end);
    last = first;
    if (good && !strncmp(end, "..", 2))
        good = read_digits(end + 2, UINT64_MAX / 10 - 1, &last, &end);
    // Digits that are too many to be read are a seed that is too large.
    bool digits = strspn(text, "0123456789.") == strlen(text) && text[0] != '.';
    if ((good && !*end && (first > largest || last > largest)) || (!good && digits && *text)) {
        bad_usage(options, "--seeds: a seed is at most %" PRIu64 " (2^53), got '%s'", largest,
                  text);
        return false;
    }
    if (good && !*end && last < first) {
        bad_usage(options, "--seeds: '%s' ends before it begins: expected a range such as 0..49",
                  text);
        return false;
    }
    if (!good || *end) {
        bad_usage(options, "--seeds: expected a range such as 0..49, got '%s'", text);
        return false;
    }
    plan->has_seeds = true;
    plan->first_seed = first;
    plan->seed_count = (int64_t)(last - first) + 1;
    return true;
}

static bool read_axis(const Options *options, const char *text, Request *request)
{
    ib_SweepPlan *plan = &request->plan;
    ib_SweepAxis axis;
    ib_Error error;
    if (plan->axis_count == IB_SWEEP_MAX_AXES ||
        ib_sweep_axis_read(text, &request->arena, &axis, &error) != IB_OK) {
        bad_usage(options, "--over: %s",
                  plan->axis_count < IB_SWEEP_MAX_AXES ? error.text : "expected at most 16");
        return false;
    }
    for (int i = 0; i < plan->axis_count; i++) {
        if (strcmp(plan->axes[i].path, axis.path) != 0) continue;
        bad_usage(options, "--over: %s is there twice; write all its values after one --over",
                  axis.path);
        return false;
    }
    plan->axes[plan->axis_count++] = axis;
    return true;
}

static bool read_measure(const Options *options, const char *text, ib_SweepPlan *plan)
{
    bool twice = false;
    for (int i = 0; i < plan->measure_count; i++) twice |= strcmp(plan->measures[i], text) == 0;
    if (twice) bad_usage(options, "--measure: '%s' is there twice", text);
    bool room = plan->measure_count < IB_SWEEP_MAX_MEASURES;
    if (!room) bad_usage(options, "--measure: expected at most %d", IB_SWEEP_MAX_MEASURES);
    if (room && !twice) plan->measures[plan->measure_count++] = text;
    return room && !twice;
}

static bool read_jobs(const Options *options, const char *text, Request *request)
{
    uint64_t number;
    bool good = read_whole(text, 1, IB_POOL_MAX_THREADS, &number);
    if (good) request->jobs = (int)number;
    if (!good)
        bad_usage(options, "--jobs: expected a number from 1 to %d, got '%s'", IB_POOL_MAX_THREADS,
                  text);
    return good;
}

static bool take_item(const Options *options, int item, const char *value)
{
    Request *request = options->request;
    switch (item) {
    case OPTION_ARGUMENT:
        return take_only(options, "scenario", value, &request->plan.file);
    case O_SEEDS:
        return read_seeds(options, value, &request->plan);
    case O_OVER:
        return read_axis(options, value, request);
    case O_MEASURE:
        return read_measure(options, value, &request->plan);
    default:
        return read_jobs(options, value, request);
    }
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

// True if the path may be written: results of an earlier sweep, this one or another, are not lost
// by a forgotten option. Opening refuses one that is being written, or is no journal.
static bool is_free(const Request *request, const char *path, const ib_Sweep *sweep)
{
    int64_t held, runs;
    ib_SweepJournalState state = ib_sweep_journal_examine(path, sweep, &held, &runs);
    if (request->resume || held == 0) return true;
    if (state == IB_SWEEP_JOURNAL_OURS)
        ib_tell(stderr,
                "ironbird sweep: '%s' has %" PRId64 " of the %" PRId64
                " runs of this sweep: --resume "
                "goes on there; to begin anew, remove it\n",
                path, held, sweep->count);
    else
        ib_tell(
            stderr,
            "ironbird sweep: '%s' has %" PRId64 " of the %" PRId64 " runs of another sweep (its "
            "scenario, its options or the version of ironbird were others): its own command with "
            "--resume goes on there; to begin anew, remove it, or name another %s\n",
            path, held, runs, request->journal ? "--journal" : "--csv or --journal");
    return false;
}

// --------------------------------------------------------------------------------------------- run

// A sweep under way, and where its rows go.
typedef struct Course {
    const ib_Sweep *sweep;
    ib_SweepTotals totals;
    ib_SweepPoints points;
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
    ib_sweep_points_add(&course->points, course->sweep, result);
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

static int verdict(const ib_SweepTotals *totals, ib_Status status)
{
    // A value drawn at random may be out of its range: one run fails, not the sweep's input.
    int code = totals->error_count > 0          ? EXIT_FAILED
               : ib_sweep_totals_broken(totals) ? EXIT_EXPECTATION
                                                : EXIT_DONE;
    return status != IB_OK ? exit_code_of(status) : code;
}

static void print_results(const Request *request, Course *course)
{
    const ib_Sweep *sweep = course->sweep;
    bool quiet = request->common.quiet;
    ib_sweep_text_errors(sweep, &course->totals, stderr);
    if (!quiet) ib_sweep_text_warnings(sweep, &course->totals, stderr);
    if (!quiet) plugins_print_warnings();
    if (course->has_json)
        ib_sweep_json_end(&course->json, sweep, &course->totals);
    else if (!quiet)
        ib_sweep_text(sweep, &course->totals, &course->points, stdout);
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
    ib_SweepRun run = {.threads = request->jobs ? request->jobs : ib_pool_cores(),
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
    print_results(request, course);
    int code = verdict(&course->totals, status);
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

// Memory of a scenario goes to the next one, and not back to the system, which would hand out empty
// pages again: half of the time of a short run.
static void keep_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}

static int sweep_main(const Options *options, Request *request)
{
    ib_SweepPlan *plan = &request->plan;
    keep_memory();
    plan->designs = design_loader();
    plan->overrides = request->common.overrides;
    plan->override_count = request->common.scenario.override_count;
    plan->duration = request->common.scenario.duration;
    plan->plugins = request->common.scenario.plugins;
    if (!plan->seed_count) plan->seed_count = 1;
    ib_Error error = {0};
    if (ib_sweep_check(plan, &error) != IB_OK) return bad_usage(options, "%s", error.text);
    if (ib_sweep_count(plan) < 0)
        return bad_usage(options, "more than %" PRId64 " (2^63 - 1) runs", INT64_MAX);
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
    Files files = {
        .inputs = {sweep->files}, .outputs = {request->csv, journal}, .json = request->common.json};
    Course course = {.sweep = sweep, .has_journal = journal != NULL};
    int code = EXIT_BAD_INPUT;
    ib_Status status = IB_OK;
    bool good = can_write_all("sweep", &files) && (!journal || is_free(request, journal, sweep));
    if (good && !ib_sweep_totals_init(&course.totals, ib_sweep_shape(sweep)))
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
            "Runs a scenario for every seed and every point of a grid of parameters, on all cores, "
            "and\n"
            "prints statistics of the final signals and the expectations that failed. The output\n"
            "is the same for any number of threads.",
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
