// States that are only summed up (ib_solver_set_sums).
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

// Goal: leaving the sums out of the inner stages changes no bit. Method: 50 steps with and without,
// every method; then the state between two steps.
static void sums_change_no_bit(void **unused)
{
    (void)unused;
    ib_System system = {COUNT, swing_rate, NULL, NULL};
    for (int kind = IB_EULER; kind <= IB_ROSENBROCK; kind++) {
        double end[2][COUNT], between[2][COUNT];
        for (int with = 0; with < 2; with++) {
            ib_Arena arena = {0};
            ib_SolverConfig config = {(ib_SolverKind)kind, 1e-8, 1e-9};
            ib_Solver *solver = ib_solver_create(&config, COUNT, &arena);
            double a[COUNT] = {1, 0, 0, 0, 1, 0.3, 0.1}, b[COUNT];
            if (with) ib_solver_set_sums(solver, SUM_FROM, SUM_TO);
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
    ib_solver_set_sums(solver, SUM_FROM, SUM_TO);
    for (int i = 0; i < 1000; i++) {
        ib_solver_step(solver, &system, 1e-3, a, b);
        memcpy(a, b, sizeof a);
    }
    assert_true(fabs(a[1] - (0.5 + sin(4) / 8)) < 1e-12);
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_change_no_bit),
        cmocka_unit_test(sum_is_the_integral),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
