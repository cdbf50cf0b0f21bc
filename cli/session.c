#include "session.h"

#include "report/session/session_report.h"
#include "report/session/session_text.h"

#include <string.h>
#include <unistd.h>

// ----------------------------------------------------------------------------------------- options

enum { O_AT, O_SIGNALS };

static const Option options_table[] = {
    {.common = COMMON_SET},
    {.common = COMMON_DURATION},
    {"--at", "TIMES", "print the rows at these times, too, up to the end: '0.5 s,2 s' (repeatable)",
     .repeatable = true, .item = O_AT},
    {"--all", NULL, "print all signals, and how far each expectation was from failing",
     INTO_FLAG(SessionRequest, all)},
    {"--signals", "PATTERN", "print these, in the JSON too: 'battery.*,pose.x' (repeatable)",
     .repeatable = true, .item = O_SIGNALS},
    {.common = COMMON_JSON, .sentence = "print the summary as JSON, and nothing else, to stdout"},
    {"--csv", "FILE", "record as CSV, whatever the file is called", INTO_TEXT(SessionRequest, csv)},
    {"--log", "FILE", "record as WPILOG: x.wpilog", INTO_TEXT(SessionRequest, log)},
    {"--report|-o", "FILE", "write a self-contained HTML report",
     INTO_TEXT(SessionRequest, report)},
    {"--diagram", "TIME", "time of the report's free-body diagram: '1 s'; without it: half way",
     INTO_TEXT(SessionRequest, diagram)},
    {"--realtime", NULL, "keep pace with the wall clock, and say how late steps were",
     INTO_FLAG(SessionRequest, realtime)},
    {.common = COMMON_SEED},
    {.common = COMMON_PLUGINS},
    {.common = COMMON_QUIET,
     .sentence = "print no progress, table or warnings; errors all the same"},
    {0},
};

static bool take_item(const Options *options, int item, const char *value)
{
    SessionRequest *request = options->request;
    if (item == OPTION_ARGUMENT && request->replays && !request->recording) {
        request->recording = value;
        return true;
    }
    if (item == OPTION_ARGUMENT) return take_only(options, "scenario", value, &request->scenario);
    int *count = item == O_AT ? &request->at_count : &request->pattern_count;
    if (*count == MAX_PATTERNS) {
        bad_usage(options, "%s: more than %d of them", item == O_AT ? "--at" : "--signals",
                  MAX_PATTERNS);
        return false;
    }
    (item == O_AT ? request->at : request->patterns)[(*count)++] = value;
    return true;
}

// Checks that need several options together.
static int check_options(const SessionRequest *request, const Options *options)
{
    if (request->replays && !request->recording)
        return bad_usage(options, "no recording was named");
    if (!request->replays && !request->scenario) return bad_usage(options, "no scenario was named");
    if (request->diagram && !request->report)
        return bad_usage(options, "--diagram goes with a report: add --report FILE.html");
    if (!request->log || ib_log_format(request->log) == IB_LOG_WPILOG) return EXIT_DONE;
    const char *ending = strrchr(request->log, '.');
    const char *hint = ending && !strcmp(ending, ".mcap") ? "; MCAP is not written yet"
                       : ending && !strcmp(ending, ".csv")
                           ? "; for CSV there is --csv FILE"
                           : "; for a pipe, make one with such a name: mkfifo x.wpilog";
    return bad_usage(options, "--log: expected a name that ends in .wpilog, got '%s'%s",
                     request->log, hint);
}

// ---------------------------------------------------------------------------------------- progress

// One line on a terminal: how far, how fast, how long still.
static void progress(void *self, ib_Time time, double wall)
{
    const ib_Scenario *scenario = self;
    double end = ib_time_to_seconds(scenario->sim.duration);
    double now = ib_time_to_seconds(time), speed = wall > 0 ? now / wall : 0;
    enum { WIDTH = 30 };
    int full = end > 0 ? (int)(WIDTH * now / end) : 0;
    if (wall < 0.5) return; // a short run needs no bar
    fprintf(stderr, "\r[%.*s%*s] %.4g of %.4g s, %.3gx real time, %.0f s left  ", full,
            "##############################", WIDTH - full, "", now, end, speed,
            speed > 0 ? (end - now) / speed : 0);
    fflush(stderr);
}

static void print_warnings(const ib_Session *session)
{
    char text[IB_WARNING_TEXT];
    ib_Time time;
    for (int i = 0; ib_session_warning(session, i, &time, text, sizeof text); i++)
        ib_tell(stderr, "ironbird: warning: %s\n", text);
}

// --------------------------------------------------------------------------------------------- run

// A run of this scenario as the command line wants it.
static ib_Status configure(const SessionRequest *request, ib_Scenario *scenario, ib_Arena *arena,
                           ib_SessionConfig *config, ib_Error *error)
{
    ib_Time end = scenario->sim.duration, *times = NULL;
    ib_Status status = IB_OK;
    *config = ib_session_default();
    config->file = request->scenario;
    config->options = &request->common.scenario;
    config->csv = request->csv;
    config->log = request->log;
    config->reports = request->report != NULL;
    config->run = (ib_RunOptions){.realtime = request->realtime, .self = scenario};
    if (!request->common.quiet && isatty(STDERR_FILENO)) config->run.progress = progress;
    if (request->at_count)
        status = session_times(request, end, arena, &times, &config->time_count, error);
    config->times = times;
    if (status == IB_OK && request->diagram)
        status = session_time("--diagram", request->diagram, end, &config->diagram, error);
    return status;
}

static int exit_code(const ib_Session *session)
{
    if (session->status != IB_OK) return exit_code_of(session->status);
    return ib_session_passed(session) ? EXIT_DONE : EXIT_EXPECTATION;
}

// A report without the diagram that was asked for says why, and so does the terminal.
static void warn_of_diagram(const SessionRequest *request, const ib_Session *session)
{
    ib_Arena arena = {0};
    const char *why = ib_session_no_diagram(session, &arena);
    if (why && !request->common.quiet)
        ib_tell(stderr, "ironbird: warning: --diagram '%s': no free-body diagram: %s\n",
                request->diagram, why);
    ib_arena_reset(&arena);
}

// Runs, writes the requested outputs and prints.
static int run_and_print(const SessionRequest *request, ib_Session *session, const bool *rows)
{
    ib_Error error;
    ib_session_run(session);
    if (session->config.run.progress && session->result.wall > 0.5) fprintf(stderr, "\r%79s\r", "");
    if (!request->common.quiet) print_warnings(session);
    ib_session_finish(session);
    if (request->report && ib_session_report_write(session, request->report, &error) != IB_OK)
        ib_session_fail(session, &error);
    else if (request->report && !request->common.quiet)
        tell_of_page(request->report, &error);
    if (request->report) warn_of_diagram(request, session);
    if (request->common.json)
        ib_session_json(session, request->pattern_count > 0 ? rows : NULL, stdout);
    else if (!request->common.quiet)
        ib_session_text(session, rows, request->all, stdout);
    if (session->status != IB_OK) ib_tell(stderr, "ironbird: %s\n", session->error.text);
    return exit_code(session);
}

static int run_scenario(const SessionRequest *request, ib_Scenario *scenario, ib_Replay *replay)
{
    ib_Arena arena = {0};
    ib_Session session = {0};
    ib_SessionConfig config;
    ib_Error error;
    bool *rows = NULL;
    int code;
    Files files = {
        .inputs = {scenario->yaml.files, (const char *const[]){request->recording, NULL}},
        .outputs = {request->csv, request->log, request->report},
        .json = request->common.json};
    if (!can_write_all(request->command, &files)) return EXIT_BAD_INPUT;
    ib_SessionRows wanted = {request->patterns, request->pattern_count, request->all};
    ib_Status status = ib_session_rows(&wanted, &scenario->model->signals, &arena, &rows, &error);
    if (status == IB_OK) status = configure(request, scenario, &arena, &config, &error);
    if (status == IB_OK) {
        config.replay = replay;
        config.rows = request->common.json ? NULL : rows;
        config.run.stop = catch_interrupt();
        status = ib_session_init(&session, &config, scenario, &error);
    }
    if (status == IB_OK) {
        code = run_and_print(request, &session, rows);
    } else {
        ib_tell(stderr, "ironbird: %s\n", error.text);
        code = exit_code_of(status);
    }
    ib_session_destroy(&session);
    ib_arena_reset(&arena);
    return code;
}

static int session_main(SessionRequest *request)
{
    CommonOptions *common = &request->common;
    ib_Replay replay = {0};
    ib_Error error;
    int code = EXIT_BAD_INPUT;
    if (request->replays &&
        ib_replay_open(&replay, request->recording, &common->scenario, common->overrides,
                       MAX_OVERRIDES, &request->scenario, &error) != IB_OK) {
        ib_tell(stderr, "ironbird replay: %s\n", error.text);
        ib_replay_destroy(&replay);
        return code;
    }
    ib_Scenario *scenario = load_scenario(request->scenario, &common->scenario);
    if (scenario) code = run_scenario(request, scenario, request->replays ? &replay : NULL);
    ib_replay_destroy(&replay);
    ib_scenario_destroy(scenario);
    return code;
}

int session_command(int argc, char **argv, SessionRequest *request, Options *options)
{
    int code;
    options->options = options_table;
    options->common = &request->common;
    options->request = request;
    options->argc = argc;
    options->argv = argv;
    request->command = options->command;
    if (options_take(options, take_item, &code) &&
        (code = check_options(request, options)) == EXIT_DONE)
        code = session_main(request);
    common_destroy(&request->common);
    return code;
}
