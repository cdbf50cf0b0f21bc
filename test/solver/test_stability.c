// test/solver/test_stability.c: fixed steps that are too long are seen in their stages.
#include "solver/problem.h"

typedef struct Linear {
    double rate, swing, push; // x' = -rate x + push, or x'' = -swing^2 x
} Linear;

static void linear_rate(const void *context, double t, const double *x, double *dx)
{
    const Linear *l = context;
    (void)t;
    dx[0] = l->swing > 0 ? x[1] : -l->rate * x[0] + l->push;
    dx[1] = l->swing > 0 ? -l->swing * l->swing * x[0] : 0;
}

// h lambda as the stages of one step tell it; 0: they are fine.
static double look(ib_SolverKind kind, const Linear *linear, double h, double x, double v)
{
    ib_Arena arena = {0};
    ib_Solver *solver = make_solver(kind, 1e-6, 2, &arena);
    ib_System system = {2, linear_rate, NULL, linear};
    double x0[2] = {x, v}, x1[2];
    ib_Instability coarse;
    assert_int_equal(ib_solver_step(solver, &system, h, x0, x1), 0);
    bool found = ib_solver_unstable(solver, &system, &coarse);
    ib_arena_reset(&arena);
    return found ? coarse.ratio : 0;
}

// Goal: h lambda is told where it is above 2, for a decay. Method: RK4 and Euler with 1.9, 2.1, 6
// and 40; the ratio of stages is h lambda itself, 1e-9.
static void decays_are_told_beyond_two(void **state)
{
    (void)state;
    static const double z[] = {0.1, 1.9, 2.1, 6, 40};
    for (int i = 0; i < 10; i++) {
        Linear decay = {.rate = z[i / 2] / 1e-3};
        double seen = look(i % 2 ? IB_EULER : IB_RK4, &decay, 1e-3, 1, 0);
        assert_near(seen, z[i / 2] > 2 ? z[i / 2] : 0, 1e-9 * z[i / 2]);
    }
}

// Goal: an oscillation is told beyond h w = 2 and never below, whatever its units and phase.
// Method: w = 10 to 1e5 with h w = 1.95, 60 phases: nothing; with h w = 2.3 some of them.
static void oscillations_are_told_beyond_two(void **state)
{
    (void)state;
    for (double w = 10; w < 2e5; w *= 10) {
        Linear swing = {.swing = w};
        int told = 0;
        for (int i = 0; i < 60; i++) {
            double x = cos(i * 0.1047), v = -w * sin(i * 0.1047);
            assert_true(look(IB_RK4, &swing, 1.95 / w, x, v) == 0);
            told += look(IB_RK4, &swing, 2.3 / w, x, v) > 2;
        }
        assert_true(told > 0);
    }
}

// Goal: what is at rest says nothing, though its rates are the rounding of large terms. Method:
// 1000 states within rounding of the equilibrium of x' = -1e4 x + 1e7, h lambda = 10.
static void rounding_at_rest_is_not_told(void **state)
{
    (void)state;
    Linear held = {.rate = 1e4, .push = 1e7};
    for (int i = 0; i < 1000; i++)
        assert_true(look(IB_RK4, &held, 1e-3, 1e3 * (1 + (i - 500) * 1e-16), 0) == 0);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decays_are_told_beyond_two),
        cmocka_unit_test(oscillations_are_told_beyond_two),
        cmocka_unit_test(rounding_at_rest_is_not_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
