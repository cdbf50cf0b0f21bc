#include "session.h"

#include "base/units.h"
#include "record/recorder.h"
#include "recording.h"
#include "replay.h"
#include "session_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ----------------------------------------------------------------------------------------- options

static const Option options_table[] = {
    {.common = COMMON_SET},
    {.common = COMMON_DURATION},
    {"--at", "TIMES", "print the rows at these times, too: '0.5 s,2 s'",
     INTO_TEXT(SessionConfig, at)},
    {"--all", NULL, "print all signals, not only the headlines", INTO_FLAG(SessionConfig, all)},
    {"--signals", "PATTERN", "print these: 'battery.*,pose.x' (repeatable)"},
    {.common = COMMON_JSON, .sentence = "print the summary as JSON, and nothing else, to stdout"},
    {"--csv", "FILE", "record as CSV, whatever the file is called", INTO_TEXT(SessionConfig, csv)},
    {"--log", "FILE", "record as WPILOG: x.wpilog", INTO_TEXT(SessionConfig, log)},
    {"--report|-o", "FILE", "write a self-contained HTML report", INTO_TEXT(SessionConfig, report)},
    {"--diagram", "TIME", "time of the report's free-body diagram: '1 s'",
     INTO_TEXT(SessionConfig, diagram)},
    {"--realtime", NULL, "keep pace with the wall clock", INTO_FLAG(SessionConfig, realtime)},
    {.common = COMMON_SEED},
    {.common = COMMON_PLUGINS},
    {.common = COMMON_QUIET, .sentence = "no progress, table or warnings; errors all the same"},
    {0},
};

static bool take_item(const Options *options, int item, const char *value)
{
    SessionConfig *config = options->request;
    if (item == OPTION_ARGUMENT && config->replays && !config->recording) {
        config->recording = value;
        return true;
    }
    if (item == OPTION_ARGUMENT) return take_only(options, "scenario", value, &config->scenario);
    if (config->pattern_count == MAX_PATTERNS) {
        bad_usage(options, "--signals: more than %d of them", MAX_PATTERNS);
        return false;
    }
    config->patterns[config->pattern_count++] = value;
    return true;
}

// ------------------------------------------------------------------------------------------- times

static ib_Status read_time(const char *option, const char *text, ib_Time end, ib_Time *time,
                           ib_Error *error)
{
    double seconds;
    ib_Error inner;
    if (ib_units_read(text, "s", &seconds, &inner) != IB_OK)
        return ib_error_set(error, IB_BAD_INPUT, "%s: %s", option, inner.text);
    if (!(seconds >= 0) || seconds > 1e7 || ib_time_from_seconds(seconds) > end)
        return ib_error_set(error, IB_BAD_INPUT, "%s: '%s' is not within the run, 0 s to %.9g s",
                            option, text, ib_time_to_seconds(end));
    *time = ib_time_from_seconds(seconds);
    return IB_OK;
}

static int compare_times(const void *a, const void *b)
{
    ib_Time x = *(const ib_Time *)a, y = *(const ib_Time *)b;
    return x < y ? -1 : x > y;
}

// "0.5 s,2 s" as a sorted list without repetitions.
static ib_Status read_times(Session *session, const char *text, ib_Time **times, int *count,
                            ib_Error *error)
{
    char *part = ib_arena_text(&session->arena, text);
    *times = ib_arena_array(&session->arena, MAX_SAMPLES, sizeof **times);
    *count = 0;
    if (!part || !*times) return ib_error_set(error, IB_FAILED, "out of memory for --at");
    for (char *next; part; part = next) {
        next = strchr(part, ',');
        if (next) *next++ = '\0';
        if (part[strspn(part, " ")] == '\0')
            return ib_error_set(error, IB_BAD_INPUT, "--at: a time is missing in '%s'", text);
        if (*count == MAX_SAMPLES)
            return ib_error_set(error, IB_BAD_INPUT, "--at: more than %d times", MAX_SAMPLES);
        ib_Status status =
            read_time("--at", part, session->scenario->sim.duration, &(*times)[*count], error);
        if (status != IB_OK) return status;
        (*count)++;
    }
    qsort(*times, (size_t)*count, sizeof **times, compare_times);
    int kept = 1;
    for (int i = 1; i < *count; i++)
        if ((*times)[i] != (*times)[kept - 1]) (*times)[kept++] = (*times)[i];
    *count = kept;
    return IB_OK;
}

// --------------------------------------------------------------------------------------- observers

enum { TAPE_ROWS = 4096 };

static ib_Status attach_report(Session *session, ib_Error *error)
{
    const ib_Scenario *scenario = session->scenario;
    int signals = scenario->model->signals.count;
    ib_Status status = ib_tape_create(scenario->record.every, TAPE_ROWS, signals, &session->arena,
                                      &session->tape, error);
    if (status == IB_OK)
        status = ib_sim_observe(session->sim, ib_tape_observer(session->tape), error);
    if (status == IB_OK)
        status =
            ib_meter_create(&scenario->model->signals, &session->arena, &session->meter, error);
    if (status == IB_OK && session->meter->count > 0)
        status = ib_sim_observe(session->sim, ib_meter_observer(session->meter), error);
    if (status != IB_OK || !session->config->diagram) return status;
    ib_Time *time = ib_arena_alloc(&session->arena, sizeof *time);
    if (!time) return ib_error_set(error, IB_FAILED, "out of memory for the diagram");
    status = read_time("--diagram", session->config->diagram, scenario->sim.duration, time, error);
    if (status == IB_OK)
        status = ib_tape_create_at(time, 1, signals, &session->arena, &session->diagram, error);
    if (status == IB_OK)
        status = ib_sim_observe(session->sim, ib_tape_observer(session->diagram), error);
    return status;
}

static ib_Status attach(Session *session, ib_Error *error)
{
    ib_Scenario *scenario = session->scenario;
    int signals = scenario->model->signals.count;
    ib_Status status =
        ib_summary_create(&scenario->model->signals, &session->arena, &session->summary, error);
    if (status == IB_OK)
        status = ib_sim_observe(session->sim, ib_summary_observer(session->summary), error);
    for (int i = 0; status == IB_OK && i < scenario->expectation_count; i++)
        status = ib_expect_attach(&scenario->expectations[i], session->sim, error);
    if (status == IB_OK && session->config->at) {
        ib_Time *times;
        int count;
        status = read_times(session, session->config->at, &times, &count, error);
        if (status == IB_OK)
            status =
                ib_tape_create_at(times, count, signals, &session->arena, &session->samples, error);
        if (status == IB_OK)
            status = ib_sim_observe(session->sim, ib_tape_observer(session->samples), error);
    }
    if (status == IB_OK && session->config->report) status = attach_report(session, error);
    return status;
}

static ib_Status start_recorder(Session *session, ib_Recorder **recorder, ib_Error *error)
{
    const SessionConfig *config = session->config;
    const char *paths[2];
    ib_LogFormat formats[2] = {IB_LOG_UNKNOWN, IB_LOG_UNKNOWN};
    int path_count = 0, count;
    if (config->csv) {
        formats[path_count] = IB_LOG_CSV; // whatever it is called
        paths[path_count++] = config->csv;
    }
    if (config->log) paths[path_count++] = config->log;
    if (path_count == 0) return IB_OK;
    const int *selected = ib_scenario_recorded(session->scenario, &session->arena, &count);
    if (!selected) return ib_error_set(error, IB_FAILED, "out of memory for the recorder");
    ib_LogFact facts[RECORDING_FACTS];
    int fact_count =
        recording_facts(session->scenario, &config->common.scenario, &session->arena, facts);
    if (fact_count < 0) return ib_error_set(error, IB_FAILED, "out of memory for the recorder");
    ib_RecorderConfig recorder_config = {.signals = &session->scenario->model->signals,
                                         .selected = selected,
                                         .selected_count = count,
                                         .every = session->scenario->record.every,
                                         .paths = paths,
                                         .formats = formats,
                                         .path_count = path_count,
                                         .facts = facts,
                                         .fact_count = fact_count,
                                         .realtime = config->realtime};
    ib_Status status = ib_recorder_create(&recorder_config, recorder, error);
    if (status != IB_OK) return status;
    return ib_sim_observe(session->sim, ib_recorder_observer(*recorder), error);
}

// ---------------------------------------------------------------------------------------- progress

// One line on a terminal: how far, how fast, how long still.
static void progress(void *self, ib_Time time, double wall)
{
    const Session *session = self;
    double end = ib_time_to_seconds(session->scenario->sim.duration);
    double now = ib_time_to_seconds(time), speed = wall > 0 ? now / wall : 0;
    enum { WIDTH = 30 };
    int full = end > 0 ? (int)(WIDTH * now / end) : 0;
    if (wall < 0.5) return; // a short run needs no bar
    fprintf(stderr, "\r[%.*s%*s] %.4g of %.4g s, %.3gx real time, %.0f s left  ", full,
            "##############################", WIDTH - full, "", now, end, speed,
            speed > 0 ? (end - now) / speed : 0);
    fflush(stderr);
}

static void print_warnings(const Session *session, ib_Recorder *recorder)
{
    char text[WARNING_TEXT];
    ib_Time time;
    for (int i = 0; session_warning(session, i, &time, text, sizeof text); i++) {
        if (!session->config->common.quiet) fprintf(stderr, "ironbird: warning: %s\n", text);
        if (recorder) ib_recorder_message(recorder, time, IB_LEVEL_WARNING, text);
    }
}

// --------------------------------------------------------------------------------------------- run

// The verdicts become part of the recording, at the time that decided each.
static void record_verdicts(const Session *session, ib_Recorder *recorder)
{
    double end = ib_time_to_seconds(ib_sim_time(session->sim));
    for (int i = 0; i < session->scenario->expectation_count; i++) {
        const ib_Expectation *e = &session->scenario->expectations[i];
        char why[160], text[IB_RECORDER_MESSAGE];
        if (!e->decided) continue;
        ib_expect_explain(e, &session->scenario->model->signals, why, sizeof why);
        snprintf(text, sizeof text, "%s: '%s': %s",
                 e->passed ? "expectation holds" : "expectation failed", e->text, why);
        double at = isfinite(e->seen_at) ? fmin(fmax(e->seen_at, 0), end) : end;
        ib_recorder_message(recorder, ib_time_from_seconds(at),
                            e->passed ? IB_LEVEL_INFO : IB_LEVEL_ERROR, text);
    }
}

static void finish_replay(Session *session)
{
    ib_DrivePlayer *player = &session->replay->player;
    ib_drive_player_finish(player);
    if (session->status != IB_OK || player->status == IB_OK) return;
    session->status = IB_FAILED;
    session->error = player->error;
}

static void run(Session *session, ib_Recorder *recorder)
{
    bool show = !session->config->common.quiet && isatty(STDERR_FILENO);
    ib_RunOptions options = {.realtime = session->config->realtime,
                             .stop = catch_interrupt(),
                             .progress = show ? progress : NULL,
                             .self = session};
    if (session->replay) {
        options.between = ib_drive_between;
        options.player = &session->replay->player;
    }
    session->status = ib_run(session->sim, &options, &session->result, &session->error);
    if (show && session->result.wall > 0.5) fprintf(stderr, "\r%79s\r", "");
    if (session->replay) finish_replay(session);
    for (int i = 0; i < session->scenario->expectation_count; i++)
        ib_expect_finish(&session->scenario->expectations[i], session->status == IB_OK);
    if (recorder) record_verdicts(session, recorder);
    print_warnings(session, recorder);
    if (session->status == IB_OK) return;
    if (recorder)
        ib_recorder_message(recorder, ib_sim_time(session->sim), IB_LEVEL_ERROR,
                            session->error.text);
}

static int exit_code(const Session *session)
{
    if (session->status == IB_INTERRUPTED) return EXIT_INTERRUPTED;
    if (session->status != IB_OK) return EXIT_FAILED;
    if (session->replay && !replay_same(session->replay)) return EXIT_EXPECTATION;
    for (int i = 0; i < session->scenario->expectation_count; i++)
        if (!session->scenario->expectations[i].passed) return EXIT_EXPECTATION;
    return EXIT_DONE;
}

static int run_and_print(Session *session)
{
    const SessionConfig *config = session->config;
    ib_Recorder *recorder = NULL;
    ib_Error error = {0};
    Files files = {.inputs = session->scenario->files,
                   .outputs = {config->csv, config->log, config->report}};
    if (!can_write_all(config->command, &files)) return EXIT_BAD_INPUT;
    ib_Status status = rows_choose(session, &error);
    if (status == IB_OK) status = ib_sim_create(session->scenario->model, &session->sim, &error);
    if (status == IB_OK && session->replay)
        status = replay_attach(session->replay, session, &error);
    if (status == IB_OK) status = attach(session, &error);
    if (status == IB_OK) status = start_recorder(session, &recorder, &error);
    if (status != IB_OK) {
        fprintf(stderr, "ironbird: %s\n", error.text);
        if (recorder) ib_recorder_close(recorder, NULL, NULL);
        return status == IB_BAD_INPUT ? EXIT_BAD_INPUT : EXIT_FAILED;
    }
    run(session, recorder);
    ib_RecorderReport recorded = {0};
    ib_Error written = {0};
    if (recorder && ib_recorder_close(recorder, &recorded, &written) != IB_OK &&
        session->status == IB_OK) {
        session->status = IB_FAILED;
        session->error = written;
    }
    session->dropped = recorded.dropped;
    if (config->report && session_report(session, config->report, &written) != IB_OK &&
        session->status == IB_OK) {
        session->status = IB_FAILED;
        session->error = written;
    }
    if (config->common.json)
        session_print_json(session, stdout);
    else if (!config->common.quiet)
        session_print(session, stdout);
    if (session->status != IB_OK) fprintf(stderr, "ironbird: %s\n", session->error.text);
    return exit_code(session);
}

static int session_main(SessionConfig *config)
{
    Session session = {.config = config};
    Replay replay = {0};
    if (config->replays) {
        session.replay = &replay;
        if (!replay_open(&replay, config)) {
            replay_destroy(&replay);
            return EXIT_BAD_INPUT;
        }
    }
    session.scenario = load_scenario(config->scenario, &config->common.scenario);
    int code = session.scenario ? run_and_print(&session) : EXIT_BAD_INPUT;
    ib_sim_destroy(session.sim);
    if (config->replays) replay_destroy(&replay);
    ib_scenario_destroy(session.scenario);
    ib_arena_reset(&session.arena);
    return code;
}

// What the options say only together.
static int check_options(const SessionConfig *config, const Options *options)
{
    if (config->replays && !config->recording) return bad_usage(options, "no recording was named");
    if (!config->replays && !config->scenario) return bad_usage(options, "no scenario was named");
    if (config->diagram && !config->report)
        return bad_usage(options, "--diagram goes with a report: add --report FILE.html");
    if (!config->log || ib_log_format(config->log) == IB_LOG_WPILOG) return EXIT_DONE;
    const char *ending = strrchr(config->log, '.');
    const char *hint = ending && !strcmp(ending, ".mcap")  ? "; MCAP is not written yet"
                       : ending && !strcmp(ending, ".csv") ? "; for CSV there is --csv FILE"
                                                           : "";
    return bad_usage(options, "--log: expected a name that ends in .wpilog, got '%s'%s",
                     config->log, hint);
}

int session_command(int argc, char **argv, SessionConfig *config, Options *options)
{
    int code;
    options->options = options_table;
    options->common = &config->common;
    options->request = config;
    options->argc = argc;
    options->argv = argv;
    config->command = options->command;
    if (options_take(options, take_item, &code) &&
        (code = check_options(config, options)) == EXIT_DONE)
        code = session_main(config);
    common_destroy(&config->common);
    return code;
}
