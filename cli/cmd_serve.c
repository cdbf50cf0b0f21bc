// ironbird serve: runs a scenario, plays a recording or tries out a design for the viewer.
#include "cli.h"

#include "base/json.h"
#include "plugins.h"
#include "recording.h"
#include "view/address.h"
#include "view/live.h"
#include "view/player.h"
#include "view/server.h"
#include "view/tryout.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    O_SET,
    O_DURATION,
    O_SEED,
    O_PORT,
    O_HOST,
    O_RECORD,
    O_PAUSED,
    O_SPEED,
    O_LOG,
    O_PLUGINS,
    O_JSON,
};
enum { MAX_SETS = 256, MAX_PORT = 65535 };

static const Option options_table[] = {
    [O_SET] = {"--set", "PATH=YAML", "change the scenario: robot.mass='120 lb' (repeatable)"},
    [O_DURATION] = {"--duration", "TIME", "run for this long: '5 s'"},
    [O_SEED] = {"--seed", "N", "seed of all random values"},
    [O_PORT] = {"--port", "N", "port to listen at; 0: any free one; without it: 8971"},
    [O_HOST] = {"--host", "ADDRESS", "listen there, not on 127.0.0.1: then a token is needed"},
    [O_RECORD] = {"--record", "FILE.wpilog", "record signals, inputs and changes: for 'replay'"},
    [O_PAUSED] = {"--paused", NULL, "wait for somebody to press play"},
    [O_SPEED] = {"--speed", "X",
                 "run at so many times real time, 0.1 to 1000; 0 or max: as fast as possible"},
    [O_LOG] = {"--log", "FILE", "play this recording instead of a scenario"},
    [O_PLUGINS] = PLUGINS_OPTION,
    [O_JSON] = {"--json", NULL, "print the summary at the end as JSON"},
    {0},
};

typedef struct Serve {
    ib_Arena arena;
    const char *scenario, *log, *record, *host;
    ib_ScenarioOptions options;
    ib_Override overrides[MAX_SETS];
    int port;
    double speed;
    bool paused, json;
    int served; ///< sockets in all

    // One of them is served.
    ib_Live *live;
    ib_Player *player;
    ib_Tryout *tryout;
    bool started;     ///< it listens, and runs
    ib_Status status; ///< of the start
    ib_Error error;
} Serve;

// ----------------------------------------------------------------------------------------- summary

static void print_json(const Serve *serve, const ib_LiveReport *live)
{
    ib_Json json = {.file = stdout};
    const char *what = serve->log ? "log" : serve->tryout ? "design" : "scenario";
    ib_json_open(&json, NULL, '{');
    ib_json_text(&json, what, serve->log ? serve->log : serve->scenario);
    ib_json_integer(&json, "clients", serve->served);
    if (serve->tryout) ib_json_integer(&json, "attempts", ib_tryout_count(serve->tryout));
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

static void print_text(const Serve *serve, const ib_LiveReport *live)
{
    printf("%d client%s served\n", serve->served, serve->served == 1 ? "" : "s");
    if (serve->tryout) printf("%" PRId64 " designs tried\n", ib_tryout_count(serve->tryout));
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

// It listens: only now, when nothing can be refused any more, the run begins and its recording is
// made. The thread that steps comes first: this one yields to it where there are too few cores.
static void ready(void *self, const char *url)
{
    enum { NICE = 5 };
    Serve *serve = self;
    serve->status = serve->live     ? ib_live_start(serve->live, &serve->error)
                    : serve->player ? ib_player_start(serve->player, &serve->error)
                                    : ib_tryout_start(serve->tryout, &serve->error);
    if (serve->status != IB_OK) {
        raise(SIGTERM); // ends the server as Ctrl-C would
        return;
    }
    setpriority(PRIO_PROCESS, (id_t)gettid(), NICE);
    serve->started = true;
    // With --json stdout is for the summary alone.
    FILE *file = serve->json ? stderr : stdout;
    fprintf(file, "serving %s at %s (Ctrl-C ends it)\n", serve->log ? serve->log : serve->scenario,
            url);
    fflush(file);
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
    fprintf(stderr, "ironbird serve: %s\n", serve->error.text);
    return serve->status == IB_BAD_INPUT && !serve->started ? EXIT_BAD_INPUT : EXIT_FAILED;
}

static void finish_live(Serve *serve)
{
    ib_LiveReport report;
    ib_live_stop(serve->live);
    ib_live_report(serve->live, &report);
    plugins_print_warnings();
    if (serve->started && serve->json) print_json(serve, &report);
    if (serve->started && !serve->json) print_text(serve, &report);
    if (serve->status != IB_OK || !report.error.text[0]) return;
    serve->status = IB_FAILED; // of the last run, or of its recording
    serve->error = report.error;
}

static int serve_scenario(Serve *serve, ib_Scenario *scenario)
{
    ib_LogFact facts[RECORDING_FACTS];
    Files files = {.inputs = scenario->files, .outputs = {serve->record}};
    if (!can_write_all("serve", &files)) return EXIT_BAD_INPUT;
    int count = recording_facts(scenario, &serve->options, &serve->arena, facts);
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
    if (serve->status == IB_OK)
        serve->status = ib_player_create(log, &options, &serve->player, &serve->error);
    if (serve->status == IB_OK) serve_source(serve, ib_player_source(serve->player));
    ib_player_destroy(serve->player);
    ib_log_destroy(log);
    if (serve->started && serve->json) print_json(serve, NULL);
    if (serve->started && !serve->json) print_text(serve, NULL);
    return exit_code(serve);
}

static int serve_design(Serve *serve)
{
    ib_Diagnostics diagnostics = {.arena = &serve->arena};
    serve->options.overrides = serve->overrides;
    ib_DesignKnobs *knobs = ib_design_knobs_create(serve->scenario, &serve->options, &diagnostics);
    if (!knobs) {
        print_diagnostics(serve->scenario, &diagnostics);
        return EXIT_BAD_INPUT;
    }
    serve->status = ib_tryout_create(knobs, serve->scenario, &serve->tryout, &serve->error);
    if (serve->status == IB_OK) {
        serve_source(serve, ib_tryout_source(serve->tryout));
        ib_tryout_stop(serve->tryout);
    }
    if (serve->started && serve->json) print_json(serve, NULL);
    if (serve->started && !serve->json) print_text(serve, NULL);
    ib_tryout_destroy(serve->tryout);
    ib_design_knobs_destroy(knobs);
    return exit_code(serve);
}

// ------------------------------------------------------------------------------------ command line

// A whole number of plain digits up to `high`.
static bool read_whole(const char *text, uint64_t high, uint64_t *value)
{
    char *end;
    if (text[0] < '0' || text[0] > '9') return false;
    *value = strtoull(text, &end, 10);
    return !*end && end - text <= 16 && *value <= high;
}

static bool read_speed(const char *text, double *speed)
{
    char *end;
    *speed = 0;
    if (strcmp(text, "max") == 0 || strcmp(text, "0") == 0) return true;
    if (!*text || text[strspn(text, "0123456789.")]) return false;
    *speed = strtod(text, &end);
    return !*end && *speed >= IB_SLOWEST && *speed <= IB_FASTEST;
}

static bool take_set(Serve *serve, const Options *options, const char *value)
{
    int *count = &serve->options.override_count;
    char *copy = *count < MAX_SETS ? ib_arena_text(&serve->arena, value) : NULL;
    if (copy && split_override(copy, &serve->overrides[*count])) {
        (*count)++;
        return true;
    }
    bad_usage(options, "--set: expected PATH=YAML, such as robot.mass='3 kg', got '%s'", value);
    return false;
}

static bool take_number(Serve *serve, const Options *options, int item, const char *value)
{
    uint64_t number;
    if (item == O_SPEED) {
        if (read_speed(value, &serve->speed)) return true;
        bad_usage(options, "--speed: expected a number from %g to %g, 0 or max, got '%s'",
                  IB_SLOWEST, IB_FASTEST, value);
        return false;
    }
    uint64_t most = item == O_PORT ? MAX_PORT : UINT64_C(1) << 53;
    if (!read_whole(value, most, &number)) {
        bad_usage(options, "%s: expected a whole number from 0 to %s, got '%s'",
                  options_table[item].name, item == O_PORT ? "65535" : "2^53", value);
        return false;
    }
    if (item == O_PORT) {
        serve->port = (int)number;
    } else {
        serve->options.seed = number;
        serve->options.has_seed = true;
    }
    return true;
}

static bool take_option(Serve *serve, const Options *options, int item, const char *value)
{
    switch (item) {
    case O_SET:
        return take_set(serve, options, value);
    case O_SEED:
    case O_PORT:
    case O_SPEED:
        return take_number(serve, options, item, value);
    case O_DURATION:
        serve->options.duration = value;
        return true;
    case O_HOST:
        serve->host = value;
        return true;
    case O_RECORD:
        serve->record = value;
        return true;
    case O_LOG:
        serve->log = value;
        return true;
    case O_PAUSED:
        serve->paused = true;
        return true;
    case O_PLUGINS:
        serve->options.plugins = plugins_allow();
        return true;
    default:
        serve->json = true;
        return true;
    }
}

// What the options say only together.
static int check_options(const Serve *serve, const Options *options)
{
    const ib_ScenarioOptions *own = &serve->options;
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
    const ib_ScenarioOptions *own = &serve->options;
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
    serve->options.overrides = serve->overrides;
    ib_Scenario *scenario = load_scenario(serve->scenario, &serve->options);
    if (!scenario) return EXIT_BAD_INPUT;
    int code = serve_scenario(serve, scenario);
    ib_scenario_destroy(scenario);
    return code;
}

int cmd_serve(int argc, char **argv)
{
    Options options = {
        .command = "serve",
        .usage = "SCENARIO [options], serve DESIGN, or serve --log FILE",
        .about = "Runs a scenario in real time, or plays a recording, and serves the viewer: a "
                 "page to watch\nit, to drive it (inputs: {source: viewer}) and to change it while "
                 "it runs. A design file\n(one with plant:) gets a page with sliders and the "
                 "response. Ends with Ctrl-C (exit code 130).\n2: bad input, or the port is in "
                 "use; 3: failed while running.",
        .example = "ironbird serve scenarios/drive.yaml --record drive.wpilog",
        .options = options_table,
        .argc = argc,
        .argv = argv,
    };
    static Serve serve = {.port = -1, .speed = 1};
    const char *value;
    for (int item; (item = options_next(&options, &value)) != OPTION_END;) {
        if (item == OPTION_HELP) return EXIT_DONE;
        if (item == OPTION_ERROR) return EXIT_BAD_INPUT;
        if (item == OPTION_ARGUMENT && serve.scenario)
            return bad_usage(&options, "one scenario at a time: '%s' is one too many", value);
        if (item == OPTION_ARGUMENT)
            serve.scenario = value;
        else if (!take_option(&serve, &options, item, value))
            return EXIT_BAD_INPUT;
    }
    if (check_options(&serve, &options) != EXIT_DONE) return EXIT_BAD_INPUT;
    int code = serve_all(&serve, &options);
    ib_arena_reset(&serve.arena);
    return code;
}
