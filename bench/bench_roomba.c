// bench/bench_roomba.c: how fast and how exactly the Roomba's 18 s schedule runs, in this process.
//
// Each run goes from a config to the final state (model, simulation, all steps) with nothing
// attached, and is repeated; the fastest one counts. Beside the whole simulation stand the solver
// alone and the rate function alone, so that the cost of each layer shows. Prints one figure a
// line, "key value unit", for bench/run.sh; bench/results.md says what was learnt.
#include "../test/robot/roomba_rig.h"

#include <stdio.h>
#include <time.h>

// The document's schedule: ahead, once round a circle, ahead, coast.       [Roomba Figure 6]
static const Segment schedule[] = {
    {0, 2.7, 2.7}, {2.4, 1.4, 2.7}, {10.6665, 2.7, 2.7}, {11.84589, 0, 0}};
enum { SEGMENTS = sizeof schedule / sizeof schedule[0] };
static const double END = 18;

// The state at its end, to ten digits, by an independent solver.           [reference A3]
static const double published[IB_ROOMBA_STATES] = {
    [IB_ROOMBA_X] = 3.9985540644,    [IB_ROOMBA_VX] = 0.060148249908,
    [IB_ROOMBA_Y] = -0.031352124698, [IB_ROOMBA_VY] = -0.0012038179764,
    [IB_ROOMBA_TH] = 6.2663925202,   [IB_ROOMBA_W] = 5.4744010664e-10,
};

typedef struct Case {
    const char *key;
    ib_SolverKind kind;
    double step;      // [s]; the longest one of an adaptive solver
    double tolerance; // adaptive solvers
} Case;

static const Case cases[] = {
    {"euler.1ms", IB_EULER, 1e-3, 1e-9},
    {"rk4.0.5ms", IB_RK4, 0.5e-3, 1e-9},
    {"rk4.1ms", IB_RK4, 1e-3, 1e-9},
    {"rk4.2ms", IB_RK4, 2e-3, 1e-9},
    {"rk4.5ms", IB_RK4, 5e-3, 1e-9},
    {"rk4.20ms", IB_RK4, 20e-3, 1e-9},
    {"dopri5.1e-6", IB_DOPRI5, 18, 1e-6},
    {"dopri5.1e-7", IB_DOPRI5, 18, 1e-7},
    {"dopri5.1e-8", IB_DOPRI5, 18, 1e-8},
    {"dopri5.1e-9", IB_DOPRI5, 18, 1e-9},
    {"dopri5.1e-10", IB_DOPRI5, 18, 1e-10},
    {"dopri5.1e-11", IB_DOPRI5, 18, 1e-11},
    {"rosenbrock.1e-6", IB_ROSENBROCK, 18, 1e-6},
    {"rosenbrock.1e-8", IB_ROSENBROCK, 18, 1e-8},
};
enum { CASES = sizeof cases / sizeof cases[0] };

// What one run gives.
typedef struct Result {
    double state[IB_ROOMBA_STATES];
    int64_t steps, evaluations;
    double seconds;
} Result;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double largest_difference(const double *a, const double *b)
{
    double largest = 0;
    for (int i = 0; i < IB_ROOMBA_STATES; i++) largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

static void print(const char *key, const char *figure, double value, const char *unit)
{
    printf("roomba.%s.%s %.6g %s\n", key, figure, value, unit);
}

// ---------------------------------------------------------------------------------- the simulation

static void rig_for(const Case *c, Rig *rig)
{
    rig_default(rig, schedule, SEGMENTS, END);
    rig->sim_config.solver = (ib_SolverConfig){c->kind, c->tolerance, 1e-9};
    rig->sim_config.step = ib_time_from_seconds(c->step);
}

// Model to final state.
static void run_once(Rig *rig, Result *result)
{
    double begin = now();
    rig_start(rig);
    const double *state = rig_run(rig, END);
    if (!state) abort();
    memcpy(result->state, state, sizeof result->state);
    result->steps = ib_sim_steps(rig->sim);
    result->evaluations = ib_sim_solver_counts(rig->sim).evaluations;
    rig_stop(rig);
    result->seconds = now() - begin;
}

// The fastest of many runs: at least `least`, and on until `budget` seconds are spent.
static void run_best(const Case *c, int least, double budget, Result *best)
{
    double begin = now();
    for (int i = 0; i < least || now() - begin < budget; i++) {
        Rig rig;
        Result result;
        rig_for(c, &rig);
        run_once(&rig, &result);
        if (i == 0 || result.seconds < best->seconds) *best = result;
    }
}

static void measure_case(const Case *c, const double *reference)
{
    Result best;
    run_best(c, 5, 0.06, &best);
    print(c->key, "time", best.seconds * 1e6, "us");
    print(c->key, "error", largest_difference(best.state, reference), "1");
    print(c->key, "steps", (double)best.steps, "1");
    print(c->key, "rates", (double)best.evaluations, "1");
    print(c->key, "step", best.seconds * 1e9 / (double)best.steps, "ns");
    print(c->key, "rate", best.seconds * 1e9 / (double)best.evaluations, "ns");
}

// What is there before the first step: model and simulation made and freed.
static void measure_creation(void)
{
    double best = INFINITY;
    for (int i = 0; i < 500; i++) {
        Rig rig;
        rig_for(&cases[0], &rig);
        double begin = now();
        rig_start(&rig);
        rig_stop(&rig);
        best = fmin(best, now() - begin);
    }
    print("creation", "time", best * 1e6, "us");
}

// -------------------------------------------------------------------------------- the layers below

typedef struct Drive {
    ib_RoombaModel model;
    double input[IB_ROOMBA_INPUTS];
} Drive;

static void drive_init(Drive *drive)
{
    Rig rig;
    rig_default(&rig, schedule, SEGMENTS, END);
    ib_roomba_init(&rig.roomba, &drive->model);
    for (int i = 0; i < IB_ROOMBA_INPUTS; i++) drive->input[i] = i < IB_ROOMBA_GAIN_LEFT ? 0 : 1;
    drive->input[IB_ROOMBA_LEFT] = 1.4;
    drive->input[IB_ROOMBA_RIGHT] = 2.7;
}

static void drive_rate(const void *context, double t, const double *state, double *rate)
{
    const Drive *drive = context;
    (void)t;
    ib_roomba_rate(&drive->model, state, drive->input, rate);
}

// The solver's RK4 without a simulation around it: no inputs to read, no limits, no integer time.
static void measure_solver(void)
{
    enum { STEPS = 18000 };
    Drive drive;
    drive_init(&drive);
    double best = INFINITY;
    for (int run = 0; run < 30; run++) {
        ib_Arena arena = {0};
        ib_SolverConfig config = ib_solver_default();
        ib_Solver *solver = ib_solver_create(&config, IB_ROOMBA_STATES, &arena);
        ib_System system = {IB_ROOMBA_STATES, drive_rate, NULL, &drive};
        double a[IB_ROOMBA_STATES] = {0}, b[IB_ROOMBA_STATES];
        double begin = now();
        for (int i = 0; i < STEPS / 2; i++) {
            ib_solver_step(solver, &system, 1e-3, a, b);
            ib_solver_step(solver, &system, 1e-3, b, a);
        }
        best = fmin(best, now() - begin);
        ib_arena_reset(&arena);
    }
    print("solver.rk4", "step", best * 1e9 / STEPS, "ns");
}

// The rate alone, each call waiting for the one before (as the stages of a step do: latency), and
// calls that do not (as a loop over many robots: throughput).
static void measure_rate(void)
{
    enum { CALLS = 20000 };
    Drive drive;
    drive_init(&drive);
    double chained = INFINITY, apart = INFINITY;
    volatile double keep = 0;
    for (int run = 0; run < 30; run++) {
        double x[IB_ROOMBA_STATES] = {0, 0.7, 0, 0.1, 0.5, 0.8}, dx[IB_ROOMBA_STATES];
        double begin = now();
        for (int i = 0; i < CALLS; i++) {
            drive_rate(&drive, 0, x, dx);
            x[IB_ROOMBA_TH] = 0.5 + 1e-9 * (dx[IB_ROOMBA_VX] + dx[IB_ROOMBA_W]);
        }
        double middle = now();
        for (int i = 0; i < CALLS; i++) {
            x[IB_ROOMBA_TH] = 1e-4 * i;
            drive_rate(&drive, 0, x, dx);
            keep = dx[IB_ROOMBA_VX] + dx[IB_ROOMBA_W];
        }
        chained = fmin(chained, middle - begin);
        apart = fmin(apart, now() - middle);
    }
    (void)keep;
    print("rate.chained", "rate", chained * 1e9 / CALLS, "ns");
    print("rate.apart", "rate", apart * 1e9 / CALLS, "ns");
}

int main(void)
{
    // The tightest tolerance is the reference for all errors; how far it is from the published one,
    // whose digits end at 5e-11, shows that it may be.
    const Case tightest = {"reference", IB_DOPRI5, 18, 1e-13};
    Result reference;
    run_best(&tightest, 1, 0, &reference);
    print("reference", "difference", largest_difference(reference.state, published), "1");

    for (int i = 0; i < CASES; i++) measure_case(&cases[i], reference.state);
    measure_creation();
    measure_solver();
    measure_rate();
    return 0;
}
