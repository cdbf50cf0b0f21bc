// ironbird design: from a design file to a controller, with everything that shows whether it is any
// good.
#include "cli.h"
#include "design_print.h"

#include "scenario/design_json.h"

enum { O_JSON, O_SET, O_QUIET };

static const Option options_table[] = {
    [O_JSON] = {"--json", NULL, "print all matrices as JSON, and nothing else, to stdout"},
    [O_SET] = {"--set", "PATH=YAML", "change the design file (repeatable)"},
    [O_QUIET] = {"--quiet|-q", NULL, "no table"},
    {0},
};

enum { MAX_SETS = 256 };

typedef struct Request {
    const char *file;
    ib_Override sets[MAX_SETS];
    ib_ScenarioOptions options;
    bool json, quiet;
    ib_Arena arena; ///< of the texts of `sets`
} Request;

static bool take_option(const Options *options, int item, const char *value, Request *request)
{
    switch (item) {
    case O_JSON:
        request->json = true;
        return true;
    case O_QUIET:
        request->quiet = true;
        return true;
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

// What was asked for, from a design that is done. What is written to files comes before the
// verdict: a check that fails does not keep anybody from looking at why.
static int deliver(const Request *request, const ib_DesignFile *design)
{
    if (request->json)
        ib_design_json_write(design, stdout);
    else if (!request->quiet)
        design_print(design, stdout);
    return design_print_failed(design, stderr) ? EXIT_EXPECTATION : EXIT_DONE;
}

static int design_main(Request *request)
{
    request->options.overrides = request->sets;
    ib_Diagnostics diagnostics = {.arena = &request->arena};
    ib_DesignFile *design = ib_design_file_read(request->file, &request->options, &diagnostics);
    if (!design) {
        print_diagnostics(request->file, &diagnostics);
        return EXIT_BAD_INPUT;
    }
    int code = deliver(request, design);
    ib_design_file_destroy(design);
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
        .example = "ironbird design designs/drivetrain.yaml --set period='10 ms' --json",
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
