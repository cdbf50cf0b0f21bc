// Claims about ib_sim_solver_counts: what a run says that it computed is what it computed.
#include "cmocka_all.h"
#include "sim/ball.h"
#include "sim/sim.h"

static int64_t calls; // of the ball's rate

static void counted_rate(const void *model, const double *state, const double *input, double *rate)
{
    calls++;
    ball_rate(model, state, input, rate);
}

static ib_Time take_sample(void *self, ib_Time time, const double *signals)
{
    (void)self, (void)signals;
    return time + 7300000;
}

static double falls(const void *self, const double *signals)
{
    (void)self;
    return signals[1];
}

static void take_crossing(void *self, double seconds, const double *signals, bool rising)
{
    (void)self, (void)seconds, (void)signals, (void)rising;
}

// The rate calls that a second of a bouncing ball says it made; `looked`: with samples between the
// steps and a watch.
static int64_t run_ball(ib_SolverKind solver, bool looked)
{
    ib_RobotKind kind = ball_kind;
    kind.rate = counted_rate;
    Ball ball = {1, 0.8, 9.81};
    ib_RobotConfig robot = {.name = "", .kind = &kind, .config = &ball};
    ib_SimConfig config = {.robots = &robot,
                           .robot_count = 1,
                           .solver = {solver, 1e-9, 1e-9},
                           .step = IB_SECOND / 100,
                           .duration = IB_SECOND};
    ib_Arena arena = {0};
    ib_Model *model;
    ib_Sim *sim;
    ib_Error error;
    const ib_Probe probe = {.next = 1000000, .sample = take_sample};
    const ib_Watch watch = {.margin = falls, .crossed = take_crossing};
    assert_int_equal(ib_model_create(&config, &arena, &model, &error), IB_OK);
    assert_int_equal(ib_sim_create(model, &sim, &error), IB_OK);
    if (looked) assert_int_equal(ib_sim_probe(sim, probe, &error), IB_OK);
    if (looked) assert_int_equal(ib_sim_watch(sim, watch, &error), IB_OK);
    calls = 0;
    assert_int_equal(ib_sim_advance(sim, IB_SECOND, &error), IB_OK);
    ib_SolverCounts counts = ib_sim_solver_counts(sim);
    ib_sim_reset(sim);
    assert_int_equal(ib_sim_solver_counts(sim).evaluations, 0);
    ib_sim_destroy(sim);
    ib_arena_reset(&arena);
    return counts.evaluations;
}

// Goal: the rate evaluations of a run are all of them: of steps, of located events and of looks.
// Method: a ball that bounces twice, of which the rate itself counts; by each solver, with somebody
// who looks and without. Whoever looks costs something, but for Euler's method: the rate at the
// start of a step, which a look needs, is known.
static void evaluations_are_all_rate_calls(void **state)
{
    (void)state;
    for (int solver = IB_EULER; solver < IB_SOLVER_COUNT; solver++) {
        int64_t alone = run_ball((ib_SolverKind)solver, false);
        assert_int_equal(alone, calls);
        int64_t looked = run_ball((ib_SolverKind)solver, true);
        assert_int_equal(looked, calls);
        assert_true(solver == IB_EULER ? looked == alone : looked > alone);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluations_are_all_rate_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
