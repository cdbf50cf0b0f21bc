// ironbird bench: how fast a scenario runs on this machine, with nothing recorded.
#include "cli.h"
#include "plugins.h"

#include "sim/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

enum { O_REPEAT, O_SET, O_SEED, O_DURATION, O_PLUGINS, O_JSON };
enum { MAX_REPEAT = 1000000, MAX_SETS = 64 };

static const Option options_table[] = {
    [O_REPEAT] = {"--repeat", "N",
                  "number of runs, of which the fastest counts; without it: for half a second"},
    [O_SET] = {"--set", "PATH=YAML", "change the scenario: run.solver=dopri5 (repeatable)"},
    [O_SEED] = {"--seed", "N", "seed of all random values"},
    [O_DURATION] = {"--duration", "TIME", "run for this long: '5 s'"},
    [O_PLUGINS] = PLUGINS_OPTION,
    [O_JSON] = {"--json", NULL, "print the figures as JSON, and nothing else, to stdout"},
    {0},
};

typedef struct Bench {
    const char *scenario;
    ib_ScenarioOptions options;
    ib_Override overrides[MAX_SETS];
    int repeat; ///< 0: as many as fit into half a second
    bool json;
} Bench;

typedef struct Figures {
    int runs;
    double best, mean; ///< wall time of a run, from the simulation's creation to its end [s]
    int64_t steps;
    ib_SolverReport report;
    double simulated; ///< [s]
    uint64_t hash;
    double end; ///< when the last run ended, by the clock [s]
} Figures;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// --------------------------------------------------------------------------------------- measuring

static void take_figures(void *self, const ib_Sim *sim, ib_Status status,
                         const ib_RunResult *result)
{
    Figures *figures = self;
    (void)status;
    (void)result;
    figures->end = now();
    figures->steps = ib_sim_steps(sim);
    figures->report = *ib_sim_report(sim);
    figures->simulated = ib_time_to_seconds(ib_sim_time(sim));
    figures->hash = ib_sim_hash(sim);
}

static ib_Status run_once(const ib_Model *model, Figures *figures, double *seconds, ib_Error *error)
{
    ib_RunPlan plan = {.model = model, .ended = take_figures, .self = figures};
    double begin = now();
    ib_Status status = ib_run_whole(&plan, error);
    *seconds = figures->end - begin;
    return status;
}

static ib_Status measure(const Bench *bench, const ib_Model *model, Figures *figures,
                         ib_Error *error)
{
    const volatile sig_atomic_t *stop = catch_interrupt();
    double sum = 0;
    while (bench->repeat > 0 ? figures->runs < bench->repeat
                             : figures->runs < 3 || (sum < 0.5 && figures->runs < MAX_REPEAT)) {
        double seconds;
        ib_Status status = run_once(model, figures, &seconds, error);
        if (status != IB_OK) return status;
        if (*stop) return ib_error_set(error, IB_INTERRUPTED, "stopped after a run");
        if (figures->runs == 0 || seconds < figures->best) figures->best = seconds;
        figures->runs++;
        sum += seconds;
    }
    figures->mean = sum / figures->runs;
    return IB_OK;
}

// ---------------------------------------------------------------------------------------- printing

static void print_text(const Bench *bench, const Figures *f)
{
    double steps = (double)f->steps, rates = (double)f->report.evaluations;
    printf("%s: best of %d runs\n", bench->scenario, f->runs);
    printf("  %-18s %.6g ms (mean %.6g ms)\n", "a run", f->best * 1e3, f->mean * 1e3);
    printf("  %-18s %.6g s, %.4g times real time\n", "simulated", f->simulated,
           f->simulated / f->best);
    printf("  %-18s %" PRId64 ", %.4g ns each, %.4g a second\n", "steps", f->steps,
           f->best * 1e9 / steps, steps / f->best);
    printf("  %-18s %" PRId64 ", %.4g ns each\n", "rate evaluations", f->report.evaluations,
           f->best * 1e9 / rates);
    printf("  %-18s %" PRId64 "\n", "rejected steps", f->report.rejected);
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
           f->simulated / f->best, f->report.evaluations, f->report.rejected);
    printf("\"hash\":\"%016" PRIx64 "\"}\n", f->hash);
}

// ------------------------------------------------------------------------------------ command line

// A whole number of plain digits from `low` to `high`.
static bool read_whole(const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
    char *end;
    if (text[0] < '0' || text[0] > '9') return false;
    unsigned long long number = strtoull(text, &end, 10);
    *value = number;
    return !*end && end - text <= 16 && number >= low && number <= high;
}

static bool take_option(Bench *bench, const Options *options, int item, const char *value)
{
    uint64_t number;
    int *count = &bench->options.override_count;
    switch (item) {
    case O_REPEAT:
        if (!read_whole(value, 1, MAX_REPEAT, &number)) {
            bad_usage(options, "--repeat: expected a whole number from 1 to %d, got '%s'",
                      MAX_REPEAT, value);
            return false;
        }
        bench->repeat = (int)number;
        return true;
    case O_SET:
        // The option's text is the program's own argument, which may be split in place.
        if (*count == MAX_SETS ||
            !split_override((char *)(uintptr_t)value, &bench->overrides[*count])) {
            bad_usage(options, "--set: expected PATH=YAML, such as run.solver=dopri5, got '%s'",
                      value);
            return false;
        }
        (*count)++;
        return true;
    case O_SEED:
        if (!read_whole(value, 0, UINT64_C(1) << 53, &bench->options.seed)) {
            bad_usage(options, "--seed: expected a whole number from 0 to 2^53, got '%s'", value);
            return false;
        }
        bench->options.has_seed = true;
        return true;
    case O_DURATION:
        bench->options.duration = value;
        return true;
    case O_PLUGINS:
        bench->options.plugins = plugins_allow();
        return true;
    default:
        bench->json = true;
        return true;
    }
}

static int bench_scenario(Bench *bench)
{
    bench->options.overrides = bench->overrides;
    ib_Scenario *scenario = load_scenario(bench->scenario, &bench->options);
    if (!scenario) return EXIT_BAD_INPUT;
    Figures figures = {0};
    ib_Error error = {0};
    ib_Status status = measure(bench, scenario->model, &figures, &error);
    ib_scenario_destroy(scenario);
    plugins_print_warnings();
    if (status != IB_OK) {
        fprintf(stderr, "ironbird: %s\n", error.text);
        return status == IB_INTERRUPTED ? EXIT_INTERRUPTED : EXIT_FAILED;
    }
    if (bench->json)
        print_json(&figures);
    else
        print_text(bench, &figures);
    return EXIT_DONE;
}

int cmd_bench(int argc, char **argv)
{
    Options options = {
        .command = "bench",
        .usage = "SCENARIO [options]",
        .about = "Runs a scenario again and again, without recording and without judging its\n"
                 "expectations, and prints the time of the fastest run. Process start and reading\n"
                 "of the file are not counted.",
        .example = "ironbird bench scenarios/roomba_schedule.yaml --set run.solver=dopri5",
        .options = options_table,
        .argc = argc,
        .argv = argv,
    };
    Bench bench = {0};
    const char *value;
    for (int item; (item = options_next(&options, &value)) != OPTION_END;) {
        if (item == OPTION_HELP) return EXIT_DONE;
        if (item == OPTION_ERROR) return EXIT_BAD_INPUT;
        if (item == OPTION_ARGUMENT && bench.scenario)
            return bad_usage(&options, "one scenario at a time: '%s' is one too many", value);
        if (item == OPTION_ARGUMENT)
            bench.scenario = value;
        else if (!take_option(&bench, &options, item, value))
            return EXIT_BAD_INPUT;
    }
    if (!bench.scenario) return bad_usage(&options, "no scenario was named");
    return bench_scenario(&bench);
}
