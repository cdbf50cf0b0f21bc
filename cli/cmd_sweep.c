// cli/cmd_sweep.c: `ironbird sweep`: run a scenario many times, over seeds and parameters, on
// all cores.
#include "cli.h"
#include "plugins.h"
#include "sweep_print.h"

#include "sim/pool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Request {
    ib_SweepPlan plan;
    CommonOptions common;
    int jobs;
    const char *csv;
    ib_Arena arena; ///< of the axes
} Request;

enum { O_SEEDS, O_OVER, O_JOBS };

static const Option options_table[] = {
    {"--seeds", "A..B", "one run for every seed from A to B", .item = O_SEEDS},
    {"--over", "PATH=a,b,c", "one run for every value (repeatable: a grid)", .repeatable = true,
     .item = O_OVER},
    {.common = COMMON_SET, .sentence = "change the scenario for all runs (repeatable)"},
    {.common = COMMON_DURATION},
    {"--jobs|-j", "N", "number of threads; default: all cores", .item = O_JOBS},
    {"--csv", "FILE", "write the final signals of every run to a CSV file",
     INTO_TEXT(Request, csv)},
    {.common = COMMON_JSON,
     .sentence = "print runs and statistics as JSON, and nothing else, to stdout"},
    {.common = COMMON_PLUGINS},
    {.common = COMMON_QUIET, .sentence = "print no progress and no table"},
    {0},
};

// ----------------------------------------------------------------------------------------- reading

// The digits of a whole number at the start of `text`; what follows it is in `end`. False: none, or
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
    const char *end;
    uint64_t first, last;
    bool good = read_digits(text, UINT64_C(1) << 53, &first, &end);
    last = first;
    if (good && !strncmp(end, "..", 2)) good = read_digits(end + 2, UINT64_C(1) << 53, &last, &end);
    if (!good || *end || last < first || last - first >= IB_SWEEP_MAX_RUNS) {
        bad_usage(options, "--seeds: expected a range such as 0..49, got '%s'", text);
        return false;
    }
    plan->has_seeds = true;
    plan->first_seed = first;
    plan->seed_count = (int)(last - first) + 1;
    return true;
}

// The end of the value that starts at `text`: a comma outside of brackets and quotes, or the end.
static char *value_end(char *text)
{
    int depth = 0;
    char quote = 0;
    for (; *text; text++) {
        if (quote) {
            if (*text == quote) quote = 0;
        } else if (*text == '"' || *text == '\'') {
            quote = *text;
        } else if (*text == '[' || *text == '{') {
            depth++;
        } else if (*text == ']' || *text == '}') {
            depth--;
        } else if (*text == ',' && depth == 0) {
            break;
        }
    }
    return text;
}

static bool read_axis(const Options *options, const char *text, Request *request)
{
    ib_SweepPlan *plan = &request->plan;
    char *copy = ib_arena_text(&request->arena, text);
    ib_Override whole;
    if (!copy || plan->axis_count == IB_SWEEP_MAX_AXES || !ib_override_split(copy, &whole) ||
        !whole.yaml[0]) {
        bad_usage(options, "--over: expected PATH=a,b,c (at most %d times), got '%s'",
                  IB_SWEEP_MAX_AXES, text);
        return false;
    }
    for (int i = 0; i < plan->axis_count; i++) {
        if (strcmp(plan->axes[i].path, whole.path) != 0) continue;
        bad_usage(options, "--over: %s is there twice; write all its values after one --over",
                  whole.path);
        return false;
    }
    char *rest = copy + (whole.yaml - copy);
    const char **values = ib_arena_array(&request->arena, strlen(rest) + 1, sizeof *values);
    int count = 0;
    while (values) {
        char *end = value_end(rest);
        values[count++] = rest;
        if (!*end) break;
        *end = '\0';
        rest = end + 1;
    }
    plan->axes[plan->axis_count++] = (ib_SweepAxis){whole.path, values, count};
    return values != NULL;
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
    default:
        return read_jobs(options, value, request);
    }
}

// --------------------------------------------------------------------------------------------- run

static void progress(void *self, int done, int count)
{
    (void)self;
    fprintf(stderr, "\r%d of %d run%s%s", done, count, count == 1 ? "" : "s",
            done == count ? "\n" : "");
    fflush(stderr);
}

static int verdict(const ib_Sweep *sweep, ib_Status status)
{
    int code = EXIT_DONE;
    for (int run = 0; run < sweep->count; run++) {
        const ib_SweepResult *result = &sweep->results[run];
        for (int i = 0; i < sweep->first->expectation_count && result->status == IB_OK; i++)
            if (result->done && !result->passed[i] && code == EXIT_DONE) code = EXIT_EXPECTATION;
        // A value drawn at random may be out of its range: one run fails, not the sweep's input.
        if (result->done && result->status != IB_OK) code = EXIT_FAILED;
    }
    return status != IB_OK ? exit_code_of(status) : code;
}

static int sweep_main(const Options *options, Request *request)
{
    ib_SweepPlan *plan = &request->plan;
    plan->designs = desk_door();
    plan->overrides = request->common.overrides;
    plan->override_count = request->common.scenario.override_count;
    plan->duration = request->common.scenario.duration;
    plan->plugins = request->common.scenario.plugins;
    if (!plan->seed_count) plan->seed_count = 1;
    ib_Error error = {0};
    if (ib_sweep_check(plan, &error) != IB_OK) return bad_usage(options, "%s", error.text);
    if (ib_sweep_count(plan) < 0) return bad_usage(options, "more than %d runs", IB_SWEEP_MAX_RUNS);

    ib_Diagnostics diagnostics = {.arena = &request->arena};
    ib_Sweep *sweep = ib_sweep_create(plan, &diagnostics);
    if (!sweep) {
        print_diagnostics(plan->file, &diagnostics);
        return EXIT_BAD_INPUT;
    }
    Files files = {.inputs = sweep->first->yaml.files,
                   .outputs = {request->csv},
                   .json = request->common.json};
    if (!can_write_all("sweep", &files)) {
        ib_sweep_destroy(sweep);
        return EXIT_BAD_INPUT;
    }
    bool show = !request->common.quiet && isatty(STDERR_FILENO);
    ib_Pool pool = {.threads = request->jobs ? request->jobs : ib_pool_cores(),
                    .job = ib_sweep_run,
                    .progress = show ? progress : NULL,
                    .self = sweep,
                    .stop = catch_interrupt()};
    ib_Status status = ib_pool_run(&pool, sweep->count, &error);
    sweep_print_errors(sweep);
    if (!request->common.quiet) sweep_print_warnings(sweep);
    if (!request->common.quiet) plugins_print_warnings();
    if (request->common.json)
        sweep_print_json(sweep, stdout);
    else if (!request->common.quiet)
        sweep_print(sweep, stdout);
    int code = verdict(sweep, status);
    ib_Error unwritten;
    if (request->csv && sweep_write_csv(sweep, request->csv, &unwritten) != IB_OK) {
        tell(stderr, "ironbird sweep: %s\n", unwritten.text);
        if (code != EXIT_INTERRUPTED) code = exit_code_of(unwritten.status);
    }
    if (status != IB_OK) tell(stderr, "ironbird sweep: %s\n", error.text);
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
