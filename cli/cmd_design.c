// cli/cmd_design.c: `ironbird design`: from a design file to a controller, with the results that
// judge it.
#include "cli.h"
#include "desk/design/design_text.h"
#include "desk/trial/trial_text.h"

#include "base/utf8.h"
#include "desk/design/design_changes.h"
#include "desk/design/design_export.h"
#include "desk/design/design_json.h"
#include "desk/trial/trial_pair_json.h"
#include "report/design/design_report.h"
#include "report/origin.h"

typedef struct Request {
    const char *file;
    CommonOptions common;
    ib_DesignChanges changes; ///< all of --try
    const char *report, *export;
    bool force;
    ib_Arena arena; ///< of the texts of the changes
} Request;

// --try is the only one that the command reads itself.
static const Option options_table[] = {
    {.common = COMMON_JSON, .sentence = "print all matrices as JSON, and nothing else, to stdout"},
    {"--try", "CHANGES",
     "show the response before and after: 'tolerance.x=5 cm', poles=0.9,0.8, 'goal.x=1 m'",
     .repeatable = true},
    {"--report", "FILE.html", "write a report with plots", INTO_TEXT(Request, report)},
    {"--export", "DIR", "write the controller as C99, with a test, and as JSON",
     INTO_TEXT(Request, export)},
    {"--force", NULL, "let --export overwrite files of others, too", INTO_FLAG(Request, force)},
    {.common = COMMON_SET, .sentence = "change the design file (repeatable)"},
    {.common = COMMON_QUIET, .sentence = "print no table"},
    {0},
};

// A design, and the one before the changes of --try (NULL: no change).
typedef struct Designs {
    ib_DesignFile *before, *after;
} Designs;

static bool take_item(const Options *options, int item, const char *value)
{
    Request *request = options->request;
    ib_Error error;
    if (item == OPTION_ARGUMENT) return take_only(options, "design", value, &request->file);
    if (ib_design_changes_add(&request->changes, value, &request->arena, &error) == IB_OK)
        return true;
    bad_usage(options, "--try: %s", error.text);
    return false;
}

// ----------------------------------------------------------------------------------------- results

// Reports an output's failure and returns its exit code.
static int complain(ib_Status status, const ib_Error *error)
{
    if (status == IB_OK) return EXIT_DONE;
    ib_tell(stderr, "ironbird design: %s\n", error->text);
    return exit_code_of(status);
}

static int write_report(Request *request, const ib_DesignFile *design)
{
    ib_DesignReport report = {design, ib_origin_text(request->file, &request->arena), IB_VERSION,
                              ib_origin_date(&request->arena)};
    ib_Error error;
    ib_Status status = ib_design_report_write(&report, request->report, &error);
    if (status == IB_OK && !request->common.quiet) tell_of_page(request->report, &error);
    return complain(status, &error);
}

typedef struct TrialJson {
    const Request *request;
    const Designs *designs;
} TrialJson;

static void write_trial(ib_Json *json, const void *self)
{
    ib_trial_summary_json(json, "trial", self);
}

static void write_trials(ib_Json *json, const void *self)
{
    const TrialJson *all = self;
    ib_design_changes_json(json, "try", &all->request->changes, all->designs->before,
                           all->designs->after);
}

static int print(const Request *request, const Designs *designs)
{
    ib_Error error;
    TrialJson all = {request, designs};
    bool tried = request->changes.count > 0;
    if (tried && !designs->after->loop)
        return complain(IB_BAD_INPUT,
                        &(ib_Error){.text = "nothing to try: there is no feedback, expected lqr or "
                                            "poles"});
    if (request->common.json) {
        bool trial = designs->after->trial.given && designs->after->loop;
        if (tried)
            ib_design_json_write_with(designs->after, stdout, write_trials, &all);
        else
            ib_design_json_write_with(designs->after, stdout, trial ? write_trial : NULL,
                                      designs->after);
    } else if (!request->common.quiet && tried) {
        ib_Status status =
            ib_trial_text(&request->changes, designs->before, designs->after, stdout, &error);
        return complain(status, &error);
    } else if (!request->common.quiet) {
        ib_design_text(designs->after, stdout);
    }
    return EXIT_DONE;
}

// True for a text that a terminal may show, character for character.
static bool is_plain_text(const char *text)
{
    size_t bytes, left = strlen(text);
    for (; left > 0; text += bytes, left -= bytes) {
        bytes = ib_utf8_character(text, left);
        if (bytes == 0 || ib_utf8_is_control(text, bytes)) return false;
    }
    return true;
}

// Prints one word of a command line: in quotes if a shell would split it, or take it for an option.
// In $'…' every byte that is no plain letter has a number: the line is printable, and bash (zsh,
// ksh) reads the exact name.
static void print_for_shell(const char *text, FILE *file)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./-+,:@%=";
    if (text[0] == '-') fputs("./", file);
    if (text[0] && text[strspn(text, plain)] == '\0') {
        fputs(text, file);
        return;
    }
    bool numbered = !is_plain_text(text);
    fputs(numbered ? "$'" : "'", file);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (numbered && (*c < ' ' || *c >= 0x7f))
            fprintf(file, "\\%03o", *c);
        else if (numbered && strchr("'\\", *c))
            fprintf(file, "\\%c", *c);
        else
            fputs(*c == '\'' ? "'\\''" : (char[2]){(char)*c, 0}, file);
    }
    fputc('\'', file);
}

// Prints the files of an export, and how to try them.
static void print_exported(const ib_DesignFile *design, const char *folder,
                           const ib_DesignExported *exported, FILE *file)
{
    const char *name = design->name;
    ib_tell(file, "\nwritten to %s, in %s\n", folder, design->single ? "float" : "double");
    fprintf(file,
            "  src/%s.h, src/%s.c   the controller; how to call it and build it for boards is in "
            "the header\n"
            "  library.properties, library.json   for the Arduino IDE and PlatformIO, which take "
            "the folder as a library\n",
            name, name);
    fprintf(file, "  extras/%s_test.c   replays %d periods of a run with noise, %s\n", name,
            exported->steps, design->single ? "within a bound that is in it" : "to the last bit");
    if (exported->recorded > exported->steps)
        fprintf(
            file,
            "    (of %d: the controller alone, without its plant, is unstable or nearly so, and "
            "in a replay float leaves double)\n",
            exported->recorded);
    fprintf(file,
            "  extras/%s_plugin.c   runs it in the simulation, through the interface for plug-ins\n"
            "  extras/%s.json   for control: {design: %s.json} in a scenario\n  cd ",
            name, name, name);
    print_for_shell(folder, file);
    fprintf(file,
            " && cc -std=c99 -O2 -ffp-contract=off -Isrc src/%s.c extras/%s_test.c -o %s_test && "
            "./%s_test\n",
            name, name, name, name);
}

static int export(const Request *request, const ib_DesignFile *design)
{
    ib_DesignExported exported;
    ib_Error error;
    ib_Status status = ib_design_export(design, request->export, request->force, &exported, &error);
    if (status == IB_OK && !request->common.json && !request->common.quiet)
        print_exported(design, request->export, &exported, stdout);
    return complain(status, &error);
}

// Delivers the requested outputs of a design. Files are written before the verdict: a failed check
// still leaves the data that explain it.
static int deliver(Request *request, const Designs *designs)
{
    int code = print(request, designs);
    if (code == EXIT_DONE && request->export) code = export(request, designs->after);
    if (code == EXIT_DONE && request->report) code = write_report(request, designs->after);
    if (code != EXIT_DONE) return code;
    return ib_design_text_failed(designs->after, stderr) ? EXIT_EXPECTATION : EXIT_DONE;
}

static int design_main(Request *request)
{
    Designs designs = {0};
    int code = EXIT_BAD_INPUT;
    ib_Diagnostics diagnostics = {.arena = &request->arena};
    if (!ib_design_changes_read(&request->changes, request->file, &request->common.scenario,
                                &diagnostics, &designs.before, &designs.after)) {
        print_diagnostics(request->file, &diagnostics);
        return code;
    }
    if (!request->common.quiet)
        print_file_warnings(designs.after->yaml.warnings, designs.after->yaml.warning_count);
    Files files = {{designs.after->yaml.files, designs.before ? designs.before->yaml.files : NULL},
                   {request->report},
                   request->common.json};
    if (can_write_all("design", &files)) code = deliver(request, &designs);
    ib_design_file_destroy(designs.before);
    ib_design_file_destroy(designs.after);
    return code;
}

int cmd_design(int argc, char **argv)
{
    Request request = {0};
    Options options = {
        .command = "design",
        .usage = "FILE [options]",
        .about =
            "Designs the loop that a file asks for: the sampled plant, feedback by weights or\n"
            "poles, a Kalman filter, feed-forward, gears; and shows poles, margins and how exact\n"
            "it is. A check of the file that fails gives exit code 1. The file: "
            "docs/design/design.md",
        .example = "ironbird design designs/elevator.yaml --try tolerance.x=0.01 --export out",
        TAKEN_INTO(request),
    };
    int code;
    if (options_take(&options, take_item, &code))
        code = request.file ? design_main(&request) : bad_usage(&options, "no design was named");
    common_destroy(&request.common);
    ib_arena_reset(&request.arena);
    return code;
}
