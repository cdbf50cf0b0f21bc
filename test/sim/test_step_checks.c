// Claims about src/sim/health/step_checks.c: what becomes of steps that a robot does not accept.
#include "cmocka_all.h"
#include "sim/ball.h"
#include "sim/sim_inside.h"

// A ball without a floor, which goes 1 m in a step and accepts no step of more than `longest` [m].
static double longest;

static ib_Status init(const void *config, ib_Arena *arena, void *model, ib_RobotPorts *ports,
                      ib_Error *error)
{
    ib_Status status = ball_init(config, arena, model, ports, error);
    ports->guard_count = 0;
    return status;
}

static void reset(const void *config, const void *model, double *state)
{
    (void)config, (void)model;
    state[0] = state[1] = 0;
}

static void rate(const void *model, const double *state, const double *input, double *rates)
{
    (void)model, (void)state, (void)input;
    rates[0] = 1;
    rates[1] = 0;
}

static bool accept_step(const void *model, const double *before, const double *after,
                        const double *error)
{
    (void)model, (void)error;
    return after[0] - before[0] <= longest;
}

// One step of 1 s; how often it was halved.
static ib_Status run_step(int64_t *halvings, double *place, ib_Error *error)
{
    ib_RobotKind kind = ball_kind;
    Ball ball = {0};
    kind.init = init;
    kind.reset = reset;
    kind.rate = rate;
    kind.accept_step = accept_step;
    ib_RobotConfig robot = {.name = "", .kind = &kind, .config = &ball};
    ib_SimConfig config = {.robots = &robot,
                           .robot_count = 1,
                           .solver = ib_solver_default(),
                           .step = IB_SECOND,
                           .duration = IB_SECOND};
    ib_Arena arena = {0};
    ib_Model *model;
    ib_Sim *sim;
    assert_int_equal(ib_model_create(&config, &arena, &model, error), IB_OK);
    assert_int_equal(ib_sim_create(model, &sim, error), IB_OK);
    ib_Status status = ib_sim_advance(sim, config.duration, error);
    *halvings = sim->health.counts[IB__ROBOTS_REFUSE];
    *place = ib_sim_state(sim)[0];
    ib_sim_destroy(sim);
    ib_arena_reset(&arena);
    return status;
}

// Goal: a step that a robot does not accept is halved until it does, and the rest of the step goes
// on likewise. Method: steps of at most 1/32 of the whole; the halvings are those of the rests,
// counted here. 1e-12 m: a few hundred sums.
static void steps_are_halved_until_they_are_accepted(void **unused)
{
    (void)unused;
    int64_t halvings, expected = 0;
    double place, rest = 1;
    ib_Error error;
    longest = 1.0 / 32 + 1e-12;
    assert_int_equal(run_step(&halvings, &place, &error), IB_OK);
    while (rest > 1e-9) {
        double length = rest;
        for (; length > longest; length /= 2) expected++;
        rest -= length;
    }
    assert_int_equal(halvings, expected);
    assert_close(place, 1, 1e-12);
}

// Goal: what is never accepted stands after twenty halvings, and does not go on for ever. Method:
// pieces of a millionth of a step do not end it; each of the 10 001 tried was halved twenty times.
static void twenty_halvings_are_enough(void **unused)
{
    (void)unused;
    int64_t halvings;
    double place;
    ib_Error error;
    longest = 0;
    assert_int_equal(run_step(&halvings, &place, &error), IB_FAILED);
    assert_non_null(strstr(error.text, "does not come to an end"));
    assert_int_equal(halvings, 20 * 10001);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_halved_until_they_are_accepted),
        cmocka_unit_test(twenty_halvings_are_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
