// What is known of a system (ib_solver_set_blocks), and what else a step need not work out.
#include "cmocka_all.h"
#include "solver/solver.h"

#include <math.h>
#include <string.h>

enum { COUNT = 7, SUM_FROM = 1, SUM_TO = 4 };

// A swing in x0 and x5, x6 follows; x1 .. x3 sum up what it does, and are NaN's prey if asked.
static void swing_rate(const void *context, double t, const double *x, double *dx)
{
    (void)context;
    dx[0] = x[5];
    dx[1] = x[0] * x[0];
    dx[2] = x[5] * x[0] + t;
    dx[3] = x[6];
    dx[4] = -x[4];
    dx[5] = -4 * x[0];
    dx[6] = x[0] - x[6];
}

// A swing, a decay that has no sums, and one more swing.
enum { DECAY = COUNT, SECOND = DECAY + 2, ALL = SECOND + COUNT };
static const ib_Block swing_block = {0, COUNT, SUM_FROM, SUM_TO};
static const ib_Block blocks[] = {
    {0, COUNT, SUM_FROM, SUM_TO},
    {DECAY, SECOND, SECOND, SECOND},
    {SECOND, ALL, SECOND + SUM_FROM, SECOND + SUM_TO},
};
static const double start[ALL] = {1, 0, 0, 0, 1, 0.3, 0.1, 2, -1, 0.5, 0, 0, 0, -1, 0.7, 0.2};

static void three_rates(const void *context, double t, const double *x, double *dx)
{
    int *calls = *(int *const *)context;
    *calls += 1;
    swing_rate(NULL, t, x, dx);
    dx[DECAY] = -3 * x[DECAY] + x[DECAY + 1];
    dx[DECAY + 1] = -x[DECAY] * x[DECAY + 1];
    swing_rate(NULL, t, x + SECOND, dx + SECOND);
}

// Goal: leaving out what is known changes no bit. Method: 50 steps with and without, every method;
// then the state between two steps.
static void blocks_change_no_bit(void **unused)
{
    (void)unused;
    int calls = 0, *counter = &calls;
    ib_System system = {ALL, three_rates, NULL, &counter};
    for (int kind = IB_EULER; kind < IB_SOLVER_COUNT; kind++) {
        double end[2][ALL], between[2][ALL];
        for (int with = 0; with < 2; with++) {
            ib_Arena arena = {0};
            ib_SolverConfig config = {(ib_SolverKind)kind, 1e-8, 1e-9};
            ib_Solver *solver = ib_solver_create(&config, ALL, &arena);
            double a[ALL], b[ALL];
            memcpy(a, start, sizeof a);
            if (with) ib_solver_set_blocks(solver, blocks, 3);
            for (int i = 0; i < 50; i++) {
                assert_int_equal(ib_solver_step(solver, &system, 0.01, a, b), 0);
                ib_solver_dense(solver, 0.4, between[with]);
                memcpy(a, b, sizeof a);
            }
            memcpy(end[with], a, sizeof a);
            ib_arena_reset(&arena);
        }
        assert_memory_equal(end[0], end[1], sizeof end[0]);
        assert_memory_equal(between[0], between[1], sizeof between[0]);
    }
}

// Goal: the sums are right. Method: the integral of x0^2 of the swing x0 = cos 2t, by hand:
// t/2 + sin(4t)/8; RK4 at 1 ms is right to 1e-12 there.
static void sum_is_the_integral(void **unused)
{
    (void)unused;
    ib_Arena arena = {0};
    ib_SolverConfig config = ib_solver_default();
    ib_System system = {COUNT, swing_rate, NULL, NULL};
    ib_Solver *solver = ib_solver_create(&config, COUNT, &arena);
    double a[COUNT] = {1}, b[COUNT];
    ib_solver_set_blocks(solver, &swing_block, 1);
    for (int i = 0; i < 1000; i++) {
        ib_solver_step(solver, &system, 1e-3, a, b);
        memcpy(a, b, sizeof a);
    }
    assert_true(fabs(a[1] - (0.5 + sin(4) / 8)) < 1e-12);
    ib_arena_reset(&arena);
}

// The same swing with its sums behind it: x1, x2 and the decay x3 first.
enum { CORE = 4, WITH_SUMS = 7 };
static void rate_with_sums(const void *context, double t, const double *x, double *dx)
{
    (void)context;
    dx[0] = x[1];
    dx[1] = -4 * x[0] * (1 + x[0] * x[0]);
    dx[2] = x[0] - x[2];
    dx[3] = -900 * x[3] + t;
    dx[4] = x[0] * x[0] + t * t;
    dx[5] = x[1] * x[0] + t;
    dx[6] = x[3] * x[2] + x[1];
}

static bool jacobian_with_sums(const void *context, double t, const double *x, double *J)
{
    (void)context, (void)t;
    const double rows[WITH_SUMS][CORE] = {{0, 1, 0, 0},        {-4 - 12 * x[0] * x[0], 0, 0, 0},
                                          {1, 0, -1, 0},       {0, 0, 0, -900},
                                          {2 * x[0], 0, 0, 0}, {x[1], x[0], 0, 0},
                                          {0, 1, x[3], x[2]}};
    for (int i = 0; i < WITH_SUMS; i++)
        for (int j = 0; j < WITH_SUMS; j++) J[i * WITH_SUMS + j] = j < CORE ? rows[i][j] : 0;
    return true;
}

// Goal: the sums of a stiff step are those of its linear systems, though none is solved for them.
// Method: states that are sums, named as such and not; the rates depend on time and have curves. 40
// steps, a state inside of each, and the step that the estimated error asks for next: the same but
// for rounding, of which coefficients of up to 34 make some 1e-14.
static void sums_of_a_stiff_step_are_a_quadrature(void **unused)
{
    (void)unused;
    static const ib_Block block = {0, WITH_SUMS, CORE, WITH_SUMS};
    ib_System system = {WITH_SUMS, rate_with_sums, jacobian_with_sums, NULL};
    for (int kind = IB_ROSENBROCK; kind <= IB_STIFF; kind++) {
        double x[2][WITH_SUMS], wish[2] = {0, 0};
        for (int with = 0; with < 2; with++)
            memcpy(x[with], (double[]){1, 0.3, 0.1, 1, 0, 0, 0}, sizeof x[0]);
        ib_Arena arena = {0};
        ib_SolverConfig config = {(ib_SolverKind)kind, 1e-6, 0};
        ib_Solver *solvers[2] = {ib_solver_create(&config, WITH_SUMS, &arena),
                                 ib_solver_create(&config, WITH_SUMS, &arena)};
        ib_solver_set_blocks(solvers[1], &block, 1);
        for (int i = 0; i < 40; i++) {
            double next[2][WITH_SUMS], inner[2][WITH_SUMS], taken[2];
            ib_SolverCounts counts = {0};
            for (int with = 0; with < 2; with++) {
                assert_int_equal(ib_solver_step_controlled(solvers[with], &system, 0.01,
                                                           &wish[with], x[with], next[with],
                                                           &taken[with], &counts, NULL),
                                 IB_OK);
                ib_solver_dense(solvers[with], 0.3, inner[with]);
            }
            assert_close(wish[1], wish[0], 1e-9 * wish[0]);
            for (int j = 0; j < WITH_SUMS; j++) {
                assert_close(next[1][j], next[0][j], 1e-13);
                assert_close(inner[1][j], inner[0][j], 1e-13);
                x[0][j] = x[1][j] = next[0][j];
            }
            wish[1] = wish[0];
        }
        ib_arena_reset(&arena);
    }
}

// The swing, its rate calls counted.
static void counted_rate(const void *context, double t, const double *x, double *dx)
{
    int *calls = *(int *const *)context;
    *calls += 1;
    swing_rate(NULL, t, x, dx);
}

// Goal: the Jacobian of a stiff step needs no rate for a state that no rate depends on. Method: a
// step of rosenbrock has 8 rates and one for each of the 7 states, 3 of which are sums.
static void sums_need_no_column(void **unused)
{
    (void)unused;
    int calls = 0, *counter = &calls;
    ib_Arena arena = {0};
    ib_SolverConfig config = {IB_ROSENBROCK, 1e-8, 1e-9};
    ib_System system = {COUNT, counted_rate, NULL, &counter};
    ib_Solver *solver = ib_solver_create(&config, COUNT, &arena);
    double a[COUNT] = {1, 0, 0, 0, 1, 0.3, 0.1}, b[COUNT];
    ib_solver_step(solver, &system, 0.01, a, b);
    assert_int_equal(calls, 8 + COUNT);
    ib_solver_set_blocks(solver, &swing_block, 1);
    ib_solver_step(solver, &system, 0.01, a, b);
    assert_int_equal(calls, 2 * (8 + COUNT) - (SUM_TO - SUM_FROM));
    ib_arena_reset(&arena);
}

// Goal: blocks share the rate calls of a Jacobian. Method: 8 rates of a step, and as many more as
// the largest block has states that are no sums: 4 of 16; all 16 again where nothing is known.
static void blocks_share_the_calls(void **unused)
{
    (void)unused;
    int calls = 0, *counter = &calls;
    ib_Arena arena = {0};
    ib_SolverConfig config = {IB_ROSENBROCK, 1e-8, 1e-9};
    ib_System system = {ALL, three_rates, NULL, &counter};
    ib_Solver *solver = ib_solver_create(&config, ALL, &arena);
    double end[ALL];
    ib_solver_set_blocks(solver, blocks, 3);
    ib_solver_step(solver, &system, 0.01, start, end);
    assert_int_equal(calls, 8 + 4);
    calls = 0;
    ib_solver_set_blocks(solver, NULL, 0);
    ib_solver_step(solver, &system, 0.01, start, end);
    assert_int_equal(calls, 8 + ALL);
    ib_arena_reset(&arena);
}

// Goal: looks within a step are the method's own steps, to the bit, and do not pay for its start
// again. Method: lengths around that of the step, beside fresh steps; of the rates of a step
// (euler 1, rk4 4, dopri5 7, rosenbrock and stiff 8 and 7 for the Jacobian) they save what is at
// the start: one, and the Jacobian's.
static void looks_from_one_start_pay_for_it_once(void **unused)
{
    (void)unused;
    static const double lengths[] = {0.002, 0.01, 0.0071, 0.03};
    static const int expected[] = {0, 3, 6, 7, 7};
    for (int kind = IB_EULER; kind < IB_SOLVER_COUNT; kind++) {
        int calls = 0, *counter = &calls;
        ib_Arena arena = {0};
        ib_SolverConfig config = {(ib_SolverKind)kind, 1e-8, 1e-9};
        ib_System system = {COUNT, counted_rate, NULL, &counter};
        ib_Solver *solver = ib_solver_create(&config, COUNT, &arena);
        ib_Solver *fresh = ib_solver_create(&config, COUNT, &arena);
        double end[COUNT], look[COUNT], own[COUNT];
        assert_int_equal(ib_solver_step(solver, &system, 0.01, start, end), 0);
        for (int i = 0; i < 4; i++) {
            calls = 0;
            assert_int_equal(ib_solver_step_again(solver, &system, lengths[i], look), 0);
            assert_int_equal(calls, expected[kind]);
            assert_int_equal(ib_solver_step(fresh, &system, lengths[i], start, own), 0);
            assert_memory_equal(look, own, sizeof own);
        }
        ib_arena_reset(&arena);
    }
}

// Goal: a step whose first rate was found ahead is the step that finds it itself, to the bit, and
// looks within the step before leave that rate alone. Method: 20 steps of each explicit method
// beside fresh ones, with a look within each; all calls are counted.
static void steps_may_begin_with_a_rate_found_ahead(void **unused)
{
    (void)unused;
    static const ib_SolverKind kinds[] = {IB_EULER, IB_RK4, IB_DOPRI5};
    for (int i = 0; i < 3; i++) {
        int calls = 0, *counter = &calls;
        ib_Arena arena = {0};
        ib_SolverConfig config = {kinds[i], 1e-8, 1e-9};
        ib_System system = {COUNT, counted_rate, NULL, &counter};
        ib_Solver *solver = ib_solver_create(&config, COUNT, &arena);
        ib_Solver *fresh = ib_solver_create(&config, COUNT, &arena);
        double x[2][COUNT], own[COUNT], look[COUNT];
        memcpy(x[0], start, sizeof x[0]);
        for (int k = 0; k < 20; k++) {
            double *from = x[k % 2], *to = x[1 - k % 2];
            ib_solver_step_unchecked(solver, &system, 0.01, from, to, k > 0, NULL);
            system.rate(system.context, 0, to, ib_solver_ahead(solver));
            assert_int_equal(ib_solver_work(solver).evaluations, calls);
            ib_solver_step_again(solver, &system, 0.004, look);
            int before = calls;
            assert_int_equal(ib_solver_step(fresh, &system, 0.01, from, own), 0);
            assert_memory_equal(to, own, sizeof own);
            calls = before;
        }
        ib_arena_reset(&arena);
    }
    ib_Arena arena = {0};
    ib_Solver *stiff = ib_solver_create(&(ib_SolverConfig){IB_STIFF, 1e-8, 1e-9}, COUNT, &arena);
    assert_null(ib_solver_ahead(stiff));
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_change_no_bit),
        cmocka_unit_test(sums_of_a_stiff_step_are_a_quadrature),
        cmocka_unit_test(sum_is_the_integral),
        cmocka_unit_test(sums_need_no_column),
        cmocka_unit_test(blocks_share_the_calls),
        cmocka_unit_test(looks_from_one_start_pay_for_it_once),
        cmocka_unit_test(steps_may_begin_with_a_rate_found_ahead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
