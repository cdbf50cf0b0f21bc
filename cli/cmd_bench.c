// cli/cmd_bench.c: `ironbird bench`: how fast a scenario runs on this machine, unrecorded.
#include "cli.h"
#include "plugins.h"

#include "sim/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_REPEAT = 1000000 };

static const Option options_table[] = {
    {"--repeat", "N", "number of runs, of which the fastest counts; without it: for half a second"},
    {.common = COMMON_SET,
     .sentence = "change the scenario: run.solver=dopri5 (repeatable)",
     .example = "run.solver=dopri5"},
    {.common = COMMON_SEED},
    {.common = COMMON_DURATION},
    {.common = COMMON_PLUGINS},
    {.common = COMMON_JSON, .sentence = "print the figures as JSON, and nothing else, to stdout"},
    {0},
};

typedef struct Bench {
    const char *scenario;
    CommonOptions common;
    int repeat; ///< 0: as many as fit into half a second
} Bench;

typedef struct Figures {
    int runs;
    double best, mean; ///< wall time of a run, from the simulation's creation to its end [s]
    double process_best, process_mean; ///< processor time of the same, all threads, user and system
    int64_t steps;
    ib_SolverCounts counts;
    double simulated; ///< [s]
    uint64_t hash;
    bool external;           ///< every robot has an external integrator, and no rates
    double end, process_end; ///< when the last run ended, by the clocks [s]
} Figures;

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// --------------------------------------------------------------------------------------- measuring

static void take_figures(void *self, const ib_Sim *sim, ib_Status status,
                         const ib_RunResult *result)
{
    Figures *figures = self;
    (void)status;
    (void)result;
    figures->end = now(CLOCK_MONOTONIC);
    figures->process_end = now(CLOCK_PROCESS_CPUTIME_ID);
    figures->steps = ib_sim_steps(sim);
    figures->counts = ib_sim_solver_counts(sim);
    figures->simulated = ib_time_to_seconds(ib_sim_time(sim));
    figures->hash = ib_sim_hash(sim);
}

// Times of a run.
typedef struct Times {
    double wall, process; ///< [s]
} Times;

static ib_Status run_once(const ib_Model *model, Figures *figures, Times *times, ib_Error *error)
{
    ib_RunPlan plan = {.model = model, .ended = take_figures, .self = figures};
    Times begin = {now(CLOCK_MONOTONIC), now(CLOCK_PROCESS_CPUTIME_ID)};
    ib_Status status = ib_run_whole(&plan, error);
    times->wall = figures->end - begin.wall;
    times->process = figures->process_end - begin.process;
    return status;
}

static ib_Status measure(const Bench *bench, const ib_Model *model, Figures *figures,
                         ib_Error *error)
{
    const volatile sig_atomic_t *stop = catch_interrupt();
    Times sum = {0}, times;
    while (bench->repeat > 0
               ? figures->runs < bench->repeat
               : figures->runs < 3 || (sum.wall < 0.5 && figures->runs < MAX_REPEAT)) {
        ib_Status status = run_once(model, figures, &times, error);
        if (status != IB_OK) return status;
        if (*stop) return ib_error_set(error, IB_INTERRUPTED, "stopped after a run");
        bool first = figures->runs++ == 0;
        if (first || times.wall < figures->best) figures->best = times.wall;
        if (first || times.process < figures->process_best) figures->process_best = times.process;
        sum.wall += times.wall;
        sum.process += times.process;
    }
    figures->mean = sum.wall / figures->runs;
    figures->process_mean = sum.process / figures->runs;
    return IB_OK;
}

// ---------------------------------------------------------------------------------------- printing

static void print_text(const Bench *bench, const Figures *f)
{
    double steps = (double)f->steps, rates = (double)f->counts.evaluations;
    ib_tell(stdout, "%s: best of %d run%s\n", bench->scenario, f->runs, f->runs == 1 ? "" : "s");
    printf("  %-18s %.6g ms (mean %.6g ms)\n", "a run", f->best * 1e3, f->mean * 1e3);
    printf("  %-18s %.6g ms (mean %.6g ms)\n", "its process time", f->process_best * 1e3,
           f->process_mean * 1e3);
    printf("  %-18s %.6g s, %.4g times real time\n", "simulated", f->simulated,
           f->simulated / f->best);
    printf("  %-18s %" PRId64 ", %.4g ns each, %.4g a second\n", "steps", f->steps,
           f->best * 1e9 / steps, steps / f->best);
    if (!f->external) {
        printf("  %-18s %" PRId64 ", %.4g ns each\n", "rate evaluations", f->counts.evaluations,
               f->best * 1e9 / rates);
        printf("  %-18s %" PRId64 "\n", "rejected steps", f->counts.rejected);
    } else {
        printf("  %-18s none: every robot has steps of its own\n", "rate evaluations");
    }
    printf("  %-18s %016" PRIx64 "\n", "hash", f->hash);
}

static void print_json(const Figures *f)
{
    double steps = (double)f->steps;
    printf("{\"runs\":%d,\"best_s\":%.17g,\"mean_s\":%.17g,\"simulated_s\":%.17g,", f->runs,
           f->best, f->mean, f->simulated);
    printf("\"steps\":%" PRId64 ",\"ns_per_step\":%.17g,\"steps_per_s\":%.17g,", f->steps,
           f->best * 1e9 / steps, steps / f->best);
    printf("\"times_real_time\":%.17g,\"evaluations\":%" PRId64 ",\"rejected\":%" PRId64 ",",
           f->simulated / f->best, f->counts.evaluations, f->counts.rejected);
    printf("\"process_best_s\":%.17g,\"process_mean_s\":%.17g,", f->process_best, f->process_mean);
    printf("\"hash\":\"%016" PRIx64 "\"}\n", f->hash);
}

// ------------------------------------------------------------------------------------ command line

static bool take_item(const Options *options, int item, const char *value)
{
    Bench *bench = options->request;
    uint64_t number;
    if (item == OPTION_ARGUMENT) return take_only(options, "scenario", value, &bench->scenario);
    if (!read_whole(value, 1, MAX_REPEAT, &number)) {
        bad_usage(options, "--repeat: expected a whole number from 1 to %d, got '%s'", MAX_REPEAT,
                  value);
        return false;
    }
    bench->repeat = (int)number;
    return true;
}

// Expectations are not judged: those behind the end of a shorter run are no mistake.
static ib_Scenario *load_unjudged(const Bench *bench)
{
    ib_ScenarioOptions options = bench->common.scenario;
    size_t count = (size_t)options.override_count;
    if (!options.duration) return load_scenario(bench->scenario, &options);
    ib_Override *overrides = calloc(count + 1, sizeof *overrides);
    if (!overrides) return NULL;
    if (count > 0) memcpy(overrides, options.overrides, count * sizeof *overrides);
    overrides[count] = (ib_Override){"expect", "[]"};
    options.overrides = overrides;
    options.override_count++;
    ib_Scenario *scenario = load_scenario(bench->scenario, &options);
    free(overrides);
    return scenario;
}

static int bench_scenario(Bench *bench)
{
    ib_Scenario *scenario = load_unjudged(bench);
    if (!scenario) return EXIT_BAD_INPUT;
    const ib_Model *model = scenario->model;
    Figures figures = {.external = model->external_count == model->robot_count};
    ib_Error error = {0};
    ib_Status status = measure(bench, model, &figures, &error);
    ib_scenario_destroy(scenario);
    plugins_print_warnings();
    if (status != IB_OK) {
        ib_tell(stderr, "ironbird: %s\n", error.text);
        return exit_code_of(status);
    }
    if (bench->common.json)
        print_json(&figures);
    else
        print_text(bench, &figures);
    return EXIT_DONE;
}

int cmd_bench(int argc, char **argv)
{
    Bench bench = {0};
    Options options = {
        .command = "bench",
        .usage = "SCENARIO [options]",
        .about =
            "Runs a scenario again and again, without recording and without judging its\n"
            "expectations, and prints the time of the fastest run: by the wall clock, and the\n"
            "process time, which other work on the machine hardly changes. The start of the\n"
            "program and the reading of the file are not counted.",
        .example = "ironbird bench scenarios/roomba_schedule.yaml --set run.solver=dopri5",
        TAKEN_INTO(bench),
    };
    int code;
    if (options_take(&options, take_item, &code))
        code =
            bench.scenario ? bench_scenario(&bench) : bad_usage(&options, "no scenario was named");
    common_destroy(&bench.common);
    return code;
}
