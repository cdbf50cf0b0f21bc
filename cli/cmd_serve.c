// cli/cmd_serve.c: `ironbird serve`: runs a scenario, plays a recording or tries out a design for
// the viewer.
#include "cli.h"

#include "base/json.h"
#include "plugins.h"
#include "study/recording.h"
#include "view/address.h"
#include "view/live.h"
#include "view/live_trial.h"
#include "view/player.h"
#include "view/server.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct Serve {
    const char *scenario, *log, *record, *host;
    CommonOptions common;
    int port;
    double speed;
    bool paused;
    int served; ///< sockets in all

    // One of them is served.
    ib_Live *live;
    ib_Player *player;
    ib_LiveTrial *live_trial;
    bool started;     ///< it listens, and runs
    ib_Status status; ///< of the start
    ib_Error error;
} Serve;

enum { O_PORT, O_SPEED };
enum { MAX_PORT = 65535 };

static const Option options_table[] = {
    {.common = COMMON_SET},
    {.common = COMMON_DURATION},
    {.common = COMMON_SEED},
    {"--port", "N", "port to listen at; 0: any free one; without it: 8971", .item = O_PORT},
    {"--host", "ADDRESS", "listen there, not on 127.0.0.1: then a token is needed",
     INTO_TEXT(Serve, host)},
    {"--record", "FILE.wpilog", "record for 'replay'; the run after a reset goes to FILE-2.wpilog",
     INTO_TEXT(Serve, record)},
    {"--paused", NULL, "wait until play is pressed", INTO_FLAG(Serve, paused)},
    {"--speed", "X", "run at so many times real time, 0.1 to 1000; 0 or max: as fast as possible",
     .item = O_SPEED},
    {"--log", "FILE", "play this recording instead of a scenario", INTO_TEXT(Serve, log)},
    {.common = COMMON_PLUGINS},
    {.common = COMMON_JSON,
     .sentence = "print the address, and the summary at the end, each as a line of JSON"},
    {0},
};

// ----------------------------------------------------------------------------------------- summary

static const char *served_file(const Serve *serve)
{
    return serve->log ? serve->log : serve->scenario;
}

static const char *served_kind(const Serve *serve)
{
    return serve->log ? "log" : serve->live_trial ? "design" : "scenario";
}

static void print_address(const Serve *serve, const char *url)
{
    ib_Json json = {.file = stdout};
    ib_json_open(&json, NULL, '{');
    ib_json_text(&json, served_kind(serve), served_file(serve));
    ib_json_text(&json, "url", url);
    ib_json_close(&json, '}');
    fputc('\n', stdout);
}

static void print_json(const Serve *serve, const ib_LiveOutcome *live)
{
    ib_Json json = {.file = stdout};
    ib_json_open(&json, NULL, '{');
    ib_json_text(&json, served_kind(serve), served_file(serve));
    ib_json_integer(&json, "clients", serve->served);
    if (serve->live_trial)
        ib_json_integer(&json, "attempts", ib_live_trial_count(serve->live_trial));
    if (live) {
        char hash[17];
        snprintf(hash, sizeof hash, "%016" PRIx64, live->hash);
        ib_json_integer(&json, "runs", live->runs);
        ib_json_integer(&json, "steps", live->steps);
        ib_json_integer(&json, "paced", live->paced);
        ib_json_integer(&json, "overruns", live->overruns);
        ib_json_number(&json, "late_p50_s", live->late_p50);
        ib_json_number(&json, "late_p99_s", live->late_p99);
        ib_json_number(&json, "late_p999_s", live->late_p999);
        ib_json_number(&json, "late_max_s", live->late_max);
        ib_json_number(&json, "time_s", live->time);
        ib_json_text(&json, "hash", hash);
        ib_json_integer(&json, "expectations_failed", live->expectations_failed);
        if (live->error.text[0]) ib_json_text(&json, "error", live->error.text);
    }
    ib_json_close(&json, '}');
    fputc('\n', stdout);
}

static void print_text(const Serve *serve, const ib_LiveOutcome *live)
{
    printf("%d client%s served\n", serve->served, serve->served == 1 ? "" : "s");
    int64_t tried = serve->live_trial ? ib_live_trial_count(serve->live_trial) : 0;
    if (serve->live_trial) printf("%" PRId64 " design%s tried\n", tried, tried == 1 ? "" : "s");
    if (!live) return;
    printf("%" PRId64 " steps in %" PRIu32 " run%s; the last one stood at %.9g s, hash %016" PRIx64
           "\n",
           live->steps, live->runs, live->runs == 1 ? "" : "s", live->time, live->hash);
    if (live->paced == 0) return;
    printf("of %" PRId64 " steps in real time or slower %" PRId64
           " overran; a step began %.3g ms late at p50, %.3g ms at p99,\n"
           "%.3g ms at p99.9, %.3g ms at most\n",
           live->paced, live->overruns, 1e3 * live->late_p50, 1e3 * live->late_p99,
           1e3 * live->late_p999, 1e3 * live->late_max);
}

// ------------------------------------------------------------------------------------------- serve

// The server listens, and no refusal is possible any more: the run begins and its recording is
// made. The stepping thread has priority: this one yields to it if there are too few cores.
static void ready(void *self, const char *url)
{
    enum { NICE = 5 };
    Serve *serve = self;
    serve->status = serve->live     ? ib_live_start(serve->live, &serve->error)
                    : serve->player ? ib_player_start(serve->player, &serve->error)
                                    : ib_live_trial_start(serve->live_trial, &serve->error);
    if (serve->status != IB_OK) {
        raise(SIGTERM); // ends the server as Ctrl-C would
        return;
    }
    setpriority(PRIO_PROCESS, (id_t)gettid(), NICE);
    serve->started = true;
    // With --json stdout is for JSON alone: a line now, the summary at the end.
    FILE *file = serve->common.json ? stderr : stdout;
    ib_tell(file, "serving %s at %s (Ctrl-C ends it)\n", served_file(serve), url);
    if (serve->common.json) print_address(serve, url);
    fflush(stdout);
}

// Serves until Ctrl-C.
static void serve_source(Serve *serve, ib_ViewSource *source)
{
    ib_ServerConfig config = ib_server_default();
    config.stop = catch_interrupt();
    config.ready = ready;
    config.self = serve;
    config.served = &serve->served;
    if (serve->port >= 0) config.port = serve->port;
    if (serve->host) {
        config.host = serve->host;
        config.open = !ib_address_local(serve->host);
    }
    ib_Error error;
    ib_Status status = ib_server_run(&config, source, &error);
    if (status == IB_OK) return;
    serve->status = status;
    serve->error = error;
}

static int exit_code(const Serve *serve)
{
    if (serve->status == IB_OK) return EXIT_INTERRUPTED; // nothing but Ctrl-C ends it
    ib_tell(stderr, "ironbird serve: %s\n", serve->error.text);
    return serve->status == IB_BAD_INPUT && !serve->started ? EXIT_BAD_INPUT : EXIT_FAILED;
}

static void finish_live(Serve *serve)
{
    ib_LiveOutcome outcome;
    ib_live_stop(serve->live);
    ib_live_outcome(serve->live, &outcome);
    plugins_print_warnings();
    if (serve->started && serve->common.json) print_json(serve, &outcome);
    if (serve->started && !serve->common.json) print_text(serve, &outcome);
    if (serve->status != IB_OK || !outcome.error.text[0]) return;
    serve->status = IB_FAILED; // of the last run, or of its recording
    serve->error = outcome.error;
}

static int serve_scenario(Serve *serve, ib_Scenario *scenario)
{
    ib_LogFact facts[IB_RECORDING_FACTS];
    Files files = {
        .inputs = {scenario->yaml.files}, .outputs = {serve->record}, .json = serve->common.json};
    if (!can_write_all("serve", &files)) return EXIT_BAD_INPUT;
    int count = ib_recording_facts(scenario, &serve->common.scenario, &serve->common.arena, facts);
    ib_LiveOptions options = {.scenario = serve->scenario,
                              .record = serve->record,
                              .facts = facts,
                              .fact_count = count,
                              .speed = serve->speed,
                              .paused = serve->paused};
    serve->status = count < 0 ? ib_error_set(&serve->error, IB_FAILED, "out of memory")
                              : ib_live_create(scenario, &options, &serve->live, &serve->error);
    if (serve->status == IB_OK) {
        serve_source(serve, ib_live_source(serve->live));
        finish_live(serve);
    }
    ib_live_destroy(serve->live);
    return exit_code(serve);
}

static int serve_log(Serve *serve)
{
    ib_Log *log = NULL;
    ib_PlayerOptions options = {.path = serve->log, .speed = serve->speed, .paused = serve->paused};
    serve->status = ib_log_read(serve->log, &log, &serve->error);
    if (log) tell_unread("serve", serve->log, log);
    if (serve->status == IB_OK)
        serve->status = ib_player_create(log, &options, &serve->player, &serve->error);
    if (serve->status == IB_OK) serve_source(serve, ib_player_source(serve->player));
    ib_player_destroy(serve->player);
    ib_log_destroy(log);
    if (serve->started && serve->common.json) print_json(serve, NULL);
    if (serve->started && !serve->common.json) print_text(serve, NULL);
    return exit_code(serve);
}

static int serve_design(Serve *serve)
{
    ib_Diagnostics diagnostics = {.arena = &serve->common.arena};
    ib_DesignKnobs *knobs =
        ib_design_knobs_create(serve->scenario, &serve->common.scenario, &diagnostics);
    if (!knobs) {
        print_diagnostics(serve->scenario, &diagnostics);
        return EXIT_BAD_INPUT;
    }
    print_file_warnings(diagnostics.warnings, diagnostics.warning_count);
    serve->status = ib_live_trial_create(knobs, serve->scenario, &serve->live_trial, &serve->error);
    if (serve->status == IB_OK) {
        serve_source(serve, ib_live_trial_source(serve->live_trial));
        ib_live_trial_stop(serve->live_trial);
    }
    if (serve->started && serve->common.json) print_json(serve, NULL);
    if (serve->started && !serve->common.json) print_text(serve, NULL);
    ib_live_trial_destroy(serve->live_trial);
    ib_design_knobs_destroy(knobs);
    return exit_code(serve);
}

// ------------------------------------------------------------------------------------ command line

static bool read_speed(const char *text, double *speed)
{
    char *end;
    *speed = 0;
    if (strcmp(text, "max") == 0 || strcmp(text, "0") == 0) return true;
    if (!*text || text[strspn(text, "0123456789.")]) return false;
    *speed = strtod(text, &end);
    return !*end && *speed >= IB_SLOWEST && *speed <= IB_FASTEST;
}

static bool take_item(const Options *options, int item, const char *value)
{
    Serve *serve = options->request;
    uint64_t number;
    if (item == OPTION_ARGUMENT) return take_only(options, "scenario", value, &serve->scenario);
    if (item == O_SPEED) {
        if (read_speed(value, &serve->speed)) return true;
        bad_usage(options, "--speed: expected a number from %g to %g, 0 or max, got '%s'",
                  IB_SLOWEST, IB_FASTEST, value);
        return false;
    }
    if (!read_whole(value, 0, MAX_PORT, &number)) {
        bad_usage(options, "--port: expected a whole number from 0 to %d, got '%s'", MAX_PORT,
                  value);
        return false;
    }
    serve->port = (int)number;
    return true;
}

// Checks that need several options together.
static int check_options(const Serve *serve, const Options *options)
{
    const ib_ScenarioOptions *own = &serve->common.scenario;
    if (!serve->scenario && !serve->log) return bad_usage(options, "no scenario was named");
    if (serve->log && serve->scenario)
        return bad_usage(options, "a scenario or --log, not both: '%s' is one too many",
                         serve->scenario);
    if (serve->log && (own->override_count || own->duration || own->has_seed || serve->record))
        return bad_usage(options,
                         "--set, --duration, --seed and --record go with a scenario, not with "
                         "--log");
    if (serve->record && ib_log_format(serve->record) != IB_LOG_WPILOG)
        return bad_usage(options, "--record: expected a name that ends in .wpilog, got '%s'",
                         serve->record);
    return EXIT_DONE;
}

// A design has no time of its own.
static int check_design(const Serve *serve, const Options *options)
{
    const ib_ScenarioOptions *own = &serve->common.scenario;
    bool timed =
        own->duration || own->has_seed || serve->record || serve->paused || serve->speed != 1;
    if (!timed) return EXIT_DONE;
    return bad_usage(options,
                     "%s is a design: --duration, --seed, --record, --paused and --speed go with a "
                     "scenario",
                     serve->scenario);
}

static int serve_all(Serve *serve, const Options *options)
{
    if (serve->log) return serve_log(serve);
    if (ib_design_file_is(serve->scenario))
        return check_design(serve, options) == EXIT_DONE ? serve_design(serve) : EXIT_BAD_INPUT;
    // A plan of the scenario may take seconds to compute: no client is connected yet.
    ib_tell(stderr, "reading %s; it listens when that is done\n", serve->scenario);
    ib_Scenario *scenario = load_scenario(serve->scenario, &serve->common.scenario);
    if (!scenario) return EXIT_BAD_INPUT;
    print_file_warnings(scenario->yaml.warnings, scenario->yaml.warning_count);
    int code = serve_scenario(serve, scenario);
    ib_scenario_destroy(scenario);
    return code;
}

int cmd_serve(int argc, char **argv)
{
    static Serve serve = {.port = -1, .speed = 1};
    Options options = {
        .command = "serve",
        .usage = "SCENARIO [options], serve DESIGN, or serve --log FILE",
        .about = "Runs a scenario in real time, or plays a recording, and serves the viewer: a "
                 "page to watch\nit, to drive it (inputs: {source: viewer}) and to change it while "
                 "it runs. A design file\n(one with plant:) gets a page with sliders and the "
                 "response. Ends with Ctrl-C (exit code 130).\n2: bad input, or the port is in "
                 "use; 3: failed while running.",
        .example = "ironbird serve scenarios/drive.yaml --record drive.wpilog",
        TAKEN_INTO(serve),
    };
    int code;
    if (options_take(&options, take_item, &code) &&
        (code = check_options(&serve, &options)) == EXIT_DONE)
        code = serve_all(&serve, &options);
    common_destroy(&serve.common);
    return code;
}
