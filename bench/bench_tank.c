// bench/bench_tank.c: how fast and how exactly the tank robot runs, in this process.
//
// Three problems whose answer is known (S1, reference B7 and B8: an arc on viscous and on slipping
// wheels) give pairs of speed and error; then the cost of a step for each kind of wheel, and a
// whole match. Each run goes from a config to the final state with nothing attached; the fastest
// one counts, in time of this process, so that a shared machine flatters nobody. Prints one figure
// a line, "key value unit", for bench/run.sh; bench/results.md says what was learnt.
//   bench_tank [MATCH.yaml]
//   bench_tank --count KEY N [MATCH.yaml]    runs one row N times, for bench/count_tank.sh
#include "../test/robot/tank_rig.h"
#include "desk/design/design_loader.h"
#include "scenario/scenario.h"
#include "sim/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void print(const char *key, const char *figure, double value, const char *unit)
{
    printf("tank.%s.%s %.6g %s\n", key, figure, value, unit);
}

// ---------------------------------------------------------------------------------------- problems

enum { X, Y, HEADING, POSE };

typedef struct Problem {
    const char *key;
    void (*fill)(Rig *rig);
    double published[POSE]; // at its end [m, m, rad]
} Problem;

// The kit robot on a stiff 12 V.                                             [reference problem S1]
static void fill_s1(Rig *rig)
{
    static const Knot left[] = {{0, 12}, {5, 6}, {8, -12}, {10, -8}, {12, 0}};
    static const Knot right[] = {{0, 12}, {3, 6}, {5, 12}, {8, -12}, {10, 8}, {12, 0}};
    rig_default(rig, 15);
    rig_set(rig, "mass", "60 lb");
    rig_set(rig, "half_track", "13 in");
    rig_set(rig, "inertia", "0.84057814 kg*m^2");
    rig_set(rig, "drive.motor.stall_torque", "2.42 N*m");
    rig_set(rig, "drive.motor.stall_current", "133 A");
    rig_set(rig, "wheels.model", "rolling");
    rig_set(rig, "battery.open_circuit", "12 V");
    rig_set(rig, "battery.resistance", "0 ohm");
    rig_set(rig, "battery.constant_voltage", "true");
    rig_input(rig, IB_TANK_LEFT, false, left, 5);
    rig_input(rig, IB_TANK_RIGHT, false, right, 6);
}

static void fill_b7(Rig *rig)
{
    rig_default(rig, 5);
    rig_drive(rig, 12, 6);
}

static void fill_b8(Rig *rig)
{
    fill_b7(rig);
    rig_set(rig, "wheels.model", "friction_circle");
    rig_set(rig, "wheels.inertia_per_side", "0.003 kg*m^2");
    rig_set(rig, "drive.rotor_inertia", "7.75e-5 kg*m^2");
}

static void fill_bristle(Rig *rig)
{
    fill_b8(rig);
    rig_set(rig, "wheels.model", "bristle");
}

static const Problem problems[] = {
    {"s1", fill_s1, {19.494507062, 1.397278198, 19.363825077}},
    {"b7", fill_b7, {1.3468447182, -1.1083268098, -14.867303455}},
    {"b8", fill_b8, {11.532159476, -6.6805543788, -1.0119485697}},
};
enum { PROBLEMS = sizeof problems / sizeof problems[0] };

typedef struct Case {
    const char *key;
    ib_SolverKind kind;
    double step;      // [s]; the longest one of an adaptive solver
    double tolerance; // adaptive solvers
} Case;

static const Case cases[] = {
    {"rk4.20ms", IB_RK4, 20e-3, 1e-9},
    {"rk4.5ms", IB_RK4, 5e-3, 1e-9},
    {"rk4.2ms", IB_RK4, 2e-3, 1e-9},
    {"rk4.1ms", IB_RK4, 1e-3, 1e-9},
    {"rk4.0.5ms", IB_RK4, 0.5e-3, 1e-9},
    {"rk4.0.25ms", IB_RK4, 0.25e-3, 1e-9},
    {"dopri5.1e-6", IB_DOPRI5, 1, 1e-6},
    {"dopri5.1e-8", IB_DOPRI5, 1, 1e-8},
    {"dopri5.1e-10", IB_DOPRI5, 1, 1e-10},
    {"rosenbrock.1e-6", IB_ROSENBROCK, 1, 1e-6},
    {"rosenbrock.1e-8", IB_ROSENBROCK, 1, 1e-8},
};
enum { CASES = sizeof cases / sizeof cases[0] };

// What one run gives.
typedef struct Result {
    double pose[POSE];
    int64_t steps, evaluations;
    double seconds;
} Result;

static void run_once(void (*fill)(Rig *), const Case *c, Result *result)
{
    Rig rig;
    fill(&rig);
    rig.sim_config.solver = (ib_SolverConfig){c->kind, c->tolerance, 1e-9};
    rig.sim_config.step = ib_time_from_seconds(c->step);
    double begin = now();
    rig_start(&rig);
    if (rig_finish(&rig) != IB_OK) abort();
    result->seconds = now() - begin;
    const double *state = ib_sim_state(rig.sim);
    const ib_PlanarModel *planar = rig.model->robots[0].ports.planar;
    result->pose[X] = state[planar->x];
    result->pose[Y] = state[planar->y];
    result->pose[HEADING] = state[planar->heading];
    result->steps = ib_sim_steps(rig.sim);
    result->evaluations = ib_sim_solver_counts(rig.sim).evaluations;
    rig_stop(&rig);
}

// The fastest of many runs: at least `least`, and on until `budget` seconds are spent.
static Result run_best(void (*fill)(Rig *), const Case *c, int least, double budget)
{
    Result best = {.seconds = INFINITY};
    double begin = now();
    for (int i = 0; i < least || now() - begin < budget; i++) {
        Result result;
        run_once(fill, c, &result);
        if (result.seconds < best.seconds) best = result;
    }
    return best;
}

static double difference(const double *a, const double *b)
{
    double largest = 0;
    for (int i = 0; i < POSE; i++) largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

// Errors are counted from the tightest tolerance, whose difference from the published end (its
// digits end at 5e-10) is told.
static void measure_problem(const Problem *problem)
{
    const Case tightest = {"reference", IB_DOPRI5, 0.1, 1e-13};
    Result reference = run_best(problem->fill, &tightest, 1, 0);
    char key[64];
    snprintf(key, sizeof key, "%s.reference", problem->key);
    print(key, "difference", difference(reference.pose, problem->published), "1");
    for (int i = 0; i < CASES; i++) {
        Result best = run_best(problem->fill, &cases[i], 3, 0.04);
        snprintf(key, sizeof key, "%s.%s", problem->key, cases[i].key);
        print(key, "time", best.seconds * 1e6, "us");
        print(key, "error", difference(best.pose, reference.pose), "1");
        print(key, "steps", (double)best.steps, "1");
        print(key, "rates", (double)best.evaluations, "1");
        print(key, "step", best.seconds * 1e9 / (double)best.steps, "ns");
    }
}

// ------------------------------------------------------------------------------------------ wheels

static void fill_rolling(Rig *rig)
{
    fill_b7(rig);
    rig_set(rig, "wheels.model", "rolling");
}

static const struct {
    const char *key;
    void (*fill)(Rig *);
} wheels[] = {{"wheels.rolling", fill_rolling},
              {"wheels.viscous", fill_b7},
              {"wheels.friction_circle", fill_b8},
              {"wheels.bristle", fill_bristle}};
enum { WHEELS = sizeof wheels / sizeof wheels[0] };

// A step of RK4 at 1 ms for every kind of wheel, on the arc.
static void measure_wheels(void)
{
    const Case c = {"", IB_RK4, 1e-3, 1e-9};
    for (int i = 0; i < WHEELS; i++) {
        Result best = run_best(wheels[i].fill, &c, 5, 0.2);
        print(wheels[i].key, "step", best.seconds * 1e9 / (double)best.steps, "ns");
    }
}

// ------------------------------------------------------------------------------------------- match

// The book at the end of a run.
typedef struct Book {
    int error, battery; // signals
    double off, given;  // [J]
} Book;

static ib_Time look(void *self, ib_Time time, const double *signals)
{
    Book *book = self;
    (void)time;
    book->off = signals[book->error];
    book->given = signals[book->battery];
    return IB_TIME_NEVER;
}

static ib_Status attach(void *self, ib_Sim *sim, ib_Error *error)
{
    return ib_sim_probe(sim, *(ib_Probe *)self, error);
}

// What the energy balance is off by at the end, over all that the battery gave.
static double book_error(const ib_Model *model)
{
    Book book = {.error = ib_signals_find(&model->signals, "energy.error"),
                 .battery = ib_signals_find(&model->signals, "energy.battery")};
    ib_Probe probe = {.self = &book, .next = IB_TIME_NEVER, .sample = look, .at_end = true};
    ib_Error error;
    if (ib_run_whole(&(ib_RunPlan){.model = model, .attach = attach, .self = &probe}, &error) !=
        IB_OK)
        abort();
    return fabs(book.off) / book.given;
}

static void measure_match(const char *file, int times)
{
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_ScenarioOptions options = {.designs = &ib_design_loader};
    ib_Scenario *scenario = ib_scenario_read(file, &options, &diagnostics);
    if (!scenario) {
        fprintf(stderr, "bench_tank: %s cannot be read\n", file);
        exit(1);
    }
    double best = INFINITY, simulated = ib_time_to_seconds(scenario->model->config->duration);
    int64_t steps = 1;
    for (int i = 0; i < times; i++) {
        ib_Sim *sim = NULL;
        ib_Error error;
        double begin = now();
        if (ib_sim_create(scenario->model, &sim, &error) != IB_OK ||
            ib_sim_advance(sim, scenario->model->config->duration, &error) != IB_OK)
            abort();
        best = fmin(best, now() - begin);
        steps = ib_sim_steps(sim);
        ib_sim_destroy(sim);
    }
    print("match", "time", best * 1e3, "ms");
    print("match", "real", best / simulated, "1"); // the smallest is the best, as of all figures
    print("match", "steps", (double)steps, "1");
    print("match", "step", best * 1e9 / (double)steps, "ns");
    print("match", "error", book_error(scenario->model), "1");
    ib_scenario_destroy(scenario);
    ib_arena_reset(&arena);
}

// ---------------------------------------------------------------------------------------- counting

// The key of a row as measure_problem, measure_wheels and measure_match print it. False: another.
static bool run_row(const char *key, const char *match)
{
    const Case step = {"", IB_RK4, 1e-3, 1e-9};
    Result result;
    char name[64];
    for (int i = 0; i < PROBLEMS * CASES; i++) {
        const Problem *problem = &problems[i / CASES];
        snprintf(name, sizeof name, "%s.%s", problem->key, cases[i % CASES].key);
        if (strcmp(key, name) != 0) continue;
        run_once(problem->fill, &cases[i % CASES], &result);
        return true;
    }
    for (int i = 0; i < WHEELS; i++) {
        if (strcmp(key, wheels[i].key) != 0) continue;
        run_once(wheels[i].fill, &step, &result);
        return true;
    }
    if (strcmp(key, "match") != 0 || !match) return false;
    measure_match(match, 1);
    return true;
}

static int count_row(int argc, char **argv)
{
    int times = argc > 3 ? atoi(argv[3]) : 0;
    for (int i = 0; i < times; i++)
        if (!run_row(argv[2], argc > 4 ? argv[4] : NULL)) return 2;
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--count") == 0) return count_row(argc, argv);
    for (int i = 0; i < PROBLEMS; i++) measure_problem(&problems[i]);
    measure_wheels();
    if (argc > 1) measure_match(argv[1], 5);
    return 0;
}
