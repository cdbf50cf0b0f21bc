// ironbird design: from a design file to a controller, and all that shows whether it is any good.
#include "cli.h"
#include "design_export.h"
#include "design_print.h"
#include "design_try.h"

#include "desk/design_change.h"
#include "desk/design_json.h"
#include "desk/trial_run_json.h"
#include "report/design_report.h"

#include <time.h>

enum { O_JSON, O_TRY, O_REPORT, O_EXPORT, O_FORCE, O_SET, O_QUIET };

static const Option options_table[] = {
    [O_JSON] = {"--json", NULL, "print all matrices as JSON, and nothing else, to stdout"},
    [O_TRY] = {"--try", "CHANGES",
               "show the response before and after: tolerance.x=0.05, poles=0.9,0.8, goal.x=1"},
    [O_REPORT] = {"--report", "FILE.html", "write a report with plots"},
    [O_EXPORT] = {"--export", "DIR", "write the controller as C99, with a test, and as JSON"},
    [O_FORCE] = {"--force", NULL, "let --export overwrite files of others, too"},
    [O_SET] = {"--set", "PATH=YAML", "change the design file (repeatable)"},
    [O_QUIET] = {"--quiet|-q", NULL, "print no table"},
    {0},
};

enum { MAX_SETS = 256, MAX_TEXT = 1 << 20 };

typedef struct Request {
    const char *file;
    ib_Override sets[MAX_SETS];
    ib_ScenarioOptions options;
    ib_DesignTry attempt; ///< all of --try
    const char *report, *export;
    bool json, quiet, force;
    ib_Arena arena; ///< of the texts of `sets` and `attempt`
} Request;

// A design, and what it was before it was changed by --try (NULL: as it is now).
typedef struct Designs {
    ib_DesignFile *before, *after;
} Designs;

static bool take_option(const Options *options, int item, const char *value, Request *request)
{
    switch (item) {
    case O_JSON:
        request->json = true;
        return true;
    case O_QUIET:
        request->quiet = true;
        return true;
    case O_FORCE:
        request->force = true;
        return true;
    case O_REPORT:
        request->report = value;
        return true;
    case O_EXPORT:
        request->export = value;
        return true;
    case O_TRY: {
        ib_Error error;
        if (ib_design_try_add(&request->attempt, value, &request->arena, &error) == IB_OK)
            return true;
        bad_usage(options, "--try: %s", error.text);
        return false;
    }
    case O_SET: {
        char *copy = ib_arena_text(&request->arena, value);
        int *count = &request->options.override_count;
        if (copy && *count < MAX_SETS && split_override(copy, &request->sets[*count])) {
            (*count)++;
            return true;
        }
        bad_usage(options, "--set: expected PATH=YAML, got '%s'", value);
        return false;
    }
    default:
        return false;
    }
}

// ----------------------------------------------------------------------------------------- results

// What went wrong with an output, as an exit code.
static int complain(ib_Status status, const ib_Error *error)
{
    if (status == IB_OK) return EXIT_DONE;
    fprintf(stderr, "ironbird design: %s\n", error->text);
    return status == IB_BAD_INPUT ? EXIT_BAD_INPUT : EXIT_FAILED;
}

static int write_report(Request *request, const ib_DesignFile *design)
{
    char date[64] = "";
    time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local)) strftime(date, sizeof date, "%Y-%m-%d %H:%M", &local);
    char *text = ib_arena_alloc(&request->arena, MAX_TEXT + 1);
    FILE *file = text ? fopen(request->file, "r") : NULL;
    if (file) text[fread(text, 1, MAX_TEXT, file)] = '\0';
    ib_DesignReport report = {design, file ? text : NULL, IB_VERSION, date};
    if (file) fclose(file);
    ib_Error error;
    return complain(ib_design_report_write(&report, request->report, &error), &error);
}

typedef struct TryJson {
    const Request *request;
    const Designs *designs;
} TryJson;

static void write_trial(ib_Json *json, const void *self)
{
    ib_design_trial_json(json, "trial", self);
}

static void write_try(ib_Json *json, const void *self)
{
    const TryJson *all = self;
    ib_design_try_json(json, "try", &all->request->attempt, all->designs->before,
                       all->designs->after);
}

static int print(const Request *request, const Designs *designs)
{
    ib_Error error;
    TryJson all = {request, designs};
    bool tried = request->attempt.count > 0;
    if (tried && !designs->after->loop)
        return complain(IB_BAD_INPUT,
                        &(ib_Error){.text = "nothing to try: there is no feedback, expected lqr or "
                                            "poles"});
    if (request->json) {
        bool trial = designs->after->trial.given && designs->after->loop;
        if (tried)
            ib_design_json_write_with(designs->after, stdout, write_try, &all);
        else
            ib_design_json_write_with(designs->after, stdout, trial ? write_trial : NULL,
                                      designs->after);
    } else if (!request->quiet && tried) {
        ib_Status status =
            design_try_print(&request->attempt, designs->before, designs->after, stdout, &error);
        return complain(status, &error);
    } else if (!request->quiet) {
        design_print(designs->after, stdout);
    }
    return EXIT_DONE;
}

// What was asked for, from a design that is done. What is written to files comes before the
// verdict: a check that fails does not keep anybody from looking at why.
static int deliver(Request *request, const Designs *designs)
{
    FILE *words = request->json || request->quiet ? NULL : stdout;
    ib_Error error;
    int code = print(request, designs);
    if (code == EXIT_DONE && request->export)
        code = complain(
            design_export(designs->after, request->export, request->force, words, &error), &error);
    if (code == EXIT_DONE && request->report) code = write_report(request, designs->after);
    if (code != EXIT_DONE) return code;
    return design_print_failed(designs->after, stderr) ? EXIT_EXPECTATION : EXIT_DONE;
}

static int design_main(Request *request)
{
    Designs designs = {0};
    int code = EXIT_BAD_INPUT;
    request->options.overrides = request->sets;
    ib_Diagnostics diagnostics = {.arena = &request->arena};
    if (!ib_design_try_read(&request->attempt, request->file, &request->options, &diagnostics,
                            &designs.before, &designs.after)) {
        print_diagnostics(request->file, &diagnostics);
        return code;
    }
    Files files = {designs.after->files, {request->report}};
    if (can_write_all("design", &files)) code = deliver(request, &designs);
    ib_design_file_destroy(designs.before);
    ib_design_file_destroy(designs.after);
    return code;
}

int cmd_design(int argc, char **argv)
{
    Options options = {
        .command = "design",
        .usage = "FILE [options]",
        .about =
            "Designs the loop that a file asks for: the sampled plant, feedback by weights or\n"
            "poles, a Kalman filter, feed-forward, gears; and shows poles, margins and how exact\n"
            "it is. A check of the file that fails gives exit code 1. The file: docs/design.md",
        .example = "ironbird design designs/elevator.yaml --try tolerance.x=0.01 --export out",
        .options = options_table,
        .argc = argc,
        .argv = argv,
    };
    Request request = {0};
    const char *value;
    int code = EXIT_DONE;
    for (int item; (item = options_next(&options, &value)) != OPTION_END;) {
        bool second = item == OPTION_ARGUMENT && request.file;
        if (second) bad_usage(&options, "one design at a time: '%s' is one too many", value);
        if (item == OPTION_ARGUMENT && !second) {
            request.file = value;
        } else if (item < 0 || !take_option(&options, item, value, &request)) {
            code = item == OPTION_HELP ? EXIT_DONE : EXIT_BAD_INPUT;
            ib_arena_reset(&request.arena);
            return code;
        }
    }
    code = request.file ? design_main(&request) : bad_usage(&options, "no design was named");
    ib_arena_reset(&request.arena);
    return code;
}
