// cli/cmd_fit.c: `ironbird fit`: constants of a motor from recordings. docs/design/fit.md
#include "cli.h"
#include "study/fit_text.h"

#include "base/units.h"
#include "report/fit_report.h"
#include "report/origin.h"

#include <math.h>
#include <string.h>

enum { MAX_LOGS = 16 };

typedef struct Request {
    const char *files[MAX_LOGS + 1]; ///< ends with NULL
    int file_count;
    CommonOptions common;
    ib_FitWish wish;
    ib_FitMotorConfig config;
    const char *report;
    bool motor, in_step;
} Request;

enum { O_BETWEEN, O_SLOWEST, O_LIMIT };

static const Option options_table[] = {
    {"--voltage", "NAME", "signal of the voltage at the motor; else found by usual names",
     INTO_TEXT(Request, wish.voltage)},
    {"--velocity", "NAME", "signal of the speed; else found by usual names",
     INTO_TEXT(Request, wish.velocity)},
    {"--position", "NAME", "fit a position, such as an encoder's, instead",
     INTO_TEXT(Request, wish.position)},
    {"--between", "TIMES", "use this part only: '1 s,9 s'", .item = O_BETWEEN},
    {"--slowest", "NUMBER", "speed in SI below which it stands still; else from the data",
     .item = O_SLOWEST},
    {"--limit", "VOLTAGE", "drop samples at this voltage or more: '12 V'", .item = O_LIMIT},
    {"--gravity", NULL, "look for kG, the voltage that holds a weight",
     INTO_FLAG(Request, config.gravity)},
    {"--no-delay", NULL, "take voltage and motion to be in step", INTO_FLAG(Request, in_step)},
    {"--stamped", NULL, "the voltage is logged where it is set: its steps are when it says",
     INTO_FLAG(Request, config.stamped)},
    {"--report", "FILE.html", "write a report with plots of what is left over",
     INTO_TEXT(Request, report)},
    {.common = COMMON_JSON, .sentence = "print everything as JSON, and nothing else, to stdout"},
    {.common = COMMON_QUIET, .sentence = "print no table"},
    {0},
};

// ----------------------------------------------------------------------------------------- options

static bool read_value(const Options *options, const char *name, const char *text, const char *unit,
                       double *value)
{
    ib_Error error;
    if (ib_units_read(text, unit, value, &error) == IB_OK) return true;
    bad_usage(options, "%s: %s", name, error.text);
    return false;
}

static bool read_between(const Options *options, const char *text, ib_FitWish *wish)
{
    char first[64];
    const char *comma = strchr(text, ',');
    if (!comma || (size_t)(comma - text) >= sizeof first) {
        bad_usage(options, "--between: expected two times such as '1 s,9 s', got '%s'", text);
        return false;
    }
    snprintf(first, sizeof first, "%.*s", (int)(comma - text), text);
    if (!read_value(options, "--between", first, "s", &wish->from) ||
        !read_value(options, "--between", comma + 1, "s", &wish->to))
        return false;
    if (wish->from < wish->to) return true;
    bad_usage(options, "--between: the second time must be later, got '%s'", text);
    return false;
}

static bool above_zero(const Options *options, const char *name, const char *text, double value)
{
    if (value > 0.0) return true;
    bad_usage(options, "%s: expected more than 0, got '%s'", name, text);
    return false;
}

// `motor`, then recordings.
static bool take_word(const Options *options, const char *word, Request *request)
{
    if (!request->motor) {
        request->motor = !strcmp(word, "motor");
        if (!request->motor)
            bad_usage(options, "there is no fit of '%s'; expected 'motor' and recordings", word);
        return request->motor;
    }
    if (request->file_count == MAX_LOGS) {
        bad_usage(options, "at most %d recordings", MAX_LOGS);
        return false;
    }
    request->files[request->file_count++] = word;
    return true;
}

static bool take_item(const Options *options, int item, const char *value)
{
    Request *request = options->request;
    ib_FitMotorConfig *config = &request->config;
    switch (item) {
    case OPTION_ARGUMENT:
        return take_word(options, value, request);
    case O_BETWEEN:
        return read_between(options, value, &request->wish);
    case O_SLOWEST:
        return read_value(options, "--slowest", value, "1", &config->slowest) &&
               above_zero(options, "--slowest", value, config->slowest);
    default:
        return read_value(options, "--limit", value, "V", &config->voltage_limit) &&
               above_zero(options, "--limit", value, config->voltage_limit);
    }
}

// --------------------------------------------------------------------------------------------- fit

static int complain(ib_Status status, const ib_Error *error)
{
    ib_tell(stderr, "ironbird fit: %s\n", error->text);
    return exit_code_of(status);
}

// Reads all recordings; `logs` are to be destroyed in any case.
static int take_all(const Options *options, const Request *request, ib_Arena *arena, ib_Log **logs,
                    ib_FitSignals *signals, ib_FitLog *fits)
{
    ib_Error error;
    for (int i = 0; i < request->file_count; i++) {
        ib_FitSignals own;
        const char *file = request->files[i];
        ib_Status status = ib_log_read(file, &logs[i], &error);
        if (status != IB_OK) return complain(status, &error);
        if (logs[i]->truncated)
            ib_tell(stderr, "ironbird fit: warning: the end of '%s' is cut off\n", file);
        tell_unread("fit", file, logs[i]);
        status = ib_fit_signals_take(file, logs[i], &request->wish, arena, &own, &fits[i], &error);
        if (status == IB_BAD_INPUT) return bad_usage(options, "%s", error.text);
        if (status != IB_OK) return complain(status, &error);
        if (i > 0 && strcmp(own.unit, signals->unit) != 0)
            return bad_usage(options, "'%s' has its motion in %s, the one before in %s", file,
                             own.unit, signals->unit);
        *signals = own;
    }
    return EXIT_DONE;
}

// The names of all recordings, one behind the other.
static const char *list_files(const Request *request, ib_Arena *arena)
{
    size_t size = 1;
    for (int i = 0; i < request->file_count; i++) size += strlen(request->files[i]) + 2;
    char *text = ib_arena_array(arena, size, 1);
    for (int i = 0; text && i < request->file_count; i++) {
        if (i > 0) strcat(text, ", ");
        strcat(text, request->files[i]);
    }
    return text ? text : "";
}

static int write_report(const Request *request, const ib_FitMotor *fit,
                        const ib_FitSignals *signals, const char *refusal, ib_Arena *arena)
{
    ib_Error error;
    ib_FitReport report = {
        fit, signals, refusal, list_files(request, arena), IB_VERSION, ib_origin_date(arena)};
    ib_Status status = ib_fit_report_write(&report, request->report, &error);
    if (status == IB_OK && !request->common.quiet) tell_of_page(request->report, &error);
    return status == IB_OK ? EXIT_DONE : complain(status, &error);
}

static int fit_all(const Options *options, const Request *request, ib_Arena *arena, ib_Log **logs)
{
    ib_FitLog fits[MAX_LOGS];
    ib_FitSignals signals = {0};
    ib_FitMotor fit;
    ib_Error error;
    int code = take_all(options, request, arena, logs, &signals, fits);
    if (code) return code;
    ib_Status status =
        ib_fit_motor(&request->config, fits, request->file_count, arena, &fit, &error);
    if (status != IB_OK) ib_tell(stderr, "ironbird fit: %s\n", error.text);
    if (request->common.json)
        ib_fit_json(&fit, &signals, status == IB_OK ? NULL : error.text, stdout);
    else if (status == IB_OK && !request->common.quiet)
        ib_fit_text(&fit, &signals, stdout);
    const char *refusal = status == IB_OK ? NULL : error.text;
    if (request->report) code = write_report(request, &fit, &signals, refusal, arena);
    if (code) return code;
    return exit_code_of(status);
}

int cmd_fit(int argc, char **argv)
{
    Request request = {.wish = {.from = -INFINITY, .to = INFINITY},
                       .config = ib_fit_motor_default()};
    Options options = {
        .command = "fit",
        .usage = "motor LOG... [options]",
        .about =
            "Finds kS, kV, kA and the delay of V(t - delay) = kS sgn(v) + kV v + kA dv/dt in\n"
            "recordings (.wpilog, .csv) of voltage and motion, with 95 % intervals; says which\n"
            "samples it dropped and what a recording cannot tell. Several recordings of one\n"
            "motor are fitted together. The method: docs/design/fit.md",
        .example = "ironbird run scenarios/fit_quasistatic.yaml --log slow.wpilog\n"
                   "  ironbird run scenarios/fit_dynamic.yaml --log fast.wpilog\n"
                   "  ironbird fit motor slow.wpilog fast.wpilog --velocity sensor.speed",
        TAKEN_INTO(request),
    };
    int code;
    if (!options_take(&options, take_item, &code)) return code;
    if (request.in_step) request.config.delay = false;
    if (!request.file_count) return bad_usage(&options, "no recording was named");
    Files files = {{request.files}, {request.report}, request.common.json};
    if (!can_write_all("fit", &files)) return EXIT_BAD_INPUT;
    ib_Arena arena = {0};
    ib_Log *logs[MAX_LOGS] = {0};
    code = fit_all(&options, &request, &arena, logs);
    for (int i = 0; i < request.file_count; i++) ib_log_destroy(logs[i]);
    ib_arena_reset(&arena);
    return code;
}
