// test/solver/test_rosenbrock.c: stiff problems, against closed forms and independent references.
#include "solver/problem.h"

static void decay_rate(const void *context, double t, const double *x, double *dx)
{
    (void)t;
    dx[0] = ((const Context *)context)->stiffness * x[0];
}

// What one step multiplies x by on x' = lambda x.
static double amplification(ib_SolverKind kind, double h_lambda)
{
    ib_Arena arena = {0};
    Context context = {.stiffness = h_lambda};
    ib_Solver *solver = make_solver(kind, 1e-6, 1, &arena);
    ib_System system = {1, decay_rate, NULL, &context};
    double x0 = 1, x1;

    ib_solver_step(solver, &system, 1, &x0, &x1);
    ib_arena_reset(&arena);
    return x1;
}

// Goal: rosenbrock is L-stable and the explicit methods end where their stability polynomials do.
// Method: |R(z)| on the negative real axis: below 1 down to z = -1e6 and vanishing there; for RK4
// and DOPRI5 it passes 1 at -2.785 and -3.307 (roots of the polynomials), for Euler at -2.
static void stability_ends_where_theory_says(void **state)
{
    (void)state;
    for (double z = -0.1; z > -1e6; z *= 1.3) {
        assert_true(fabs(amplification(IB_ROSENBROCK, z)) < 1);
    }
    assert_true(fabs(amplification(IB_ROSENBROCK, -1e6)) < 1e-4);
    assert_true(fabs(amplification(IB_EULER, -1.999)) < 1);
    assert_true(fabs(amplification(IB_EULER, -2.001)) > 1);
    assert_true(fabs(amplification(IB_RK4, -2.785)) < 1);
    assert_true(fabs(amplification(IB_RK4, -2.786)) > 1);
    assert_true(fabs(amplification(IB_DOPRI5, -3.306)) < 1);
    assert_true(fabs(amplification(IB_DOPRI5, -3.307)) > 1);
}

// Goal: a stiff problem is followed at steps 500 times its time constant. Method: Prothero and
// Robinson with lambda = -1e4 and h = 0.05, from the smooth solution and from 1 beside it. The
// order is reduced here (docs/solver/solver.md); claimed are stability and an error
// below h^2/|lambda| = 2.5e-7, the size of the first neglected term, after ten steps.
static void prothero_robinson_is_stable_and_accurate(void **state)
{
    ib_Arena arena = {0};
    Context context = {.stiffness = -1e4};
    ib_Solver *solver = make_solver(IB_ROSENBROCK, 1e-6, 1, &arena);
    ib_System system = {1, robinson_rate, NULL, &context};

    (void)state;
    for (double beside = 0; beside <= 1; beside += 1) {
        double x[2] = {1 + beside, 0}, h = 0.05, worst = 0;
        for (int i = 0; i < 200; i++) {
            context.t0 = i * h;
            assert_int_equal(ib_solver_step(solver, &system, h, &x[i & 1], &x[~i & 1]), 0);
            if (i >= 10) worst = fmax(worst, fabs(x[~i & 1] - cos((i + 1) * h)));
        }
        printf("  lambda = -1e4, h = 0.05, from %g: error %.2g\n", 1 + beside, worst);
        assert_true(worst < 2.5e-7);
    }
    ib_arena_reset(&arena);
}

static void vanderpol_rate(const void *context, double t, const double *x, double *dx)
{
    double mu = ((const Context *)context)->stiffness;
    (void)t;
    dx[0] = x[1];
    dx[1] = mu * (1 - x[0] * x[0]) * x[1] - x[0];
}

static bool vanderpol_jacobian(const void *context, double t, const double *x, double *j)
{
    double mu = ((const Context *)context)->stiffness;
    (void)t;
    j[0] = 0;
    j[1] = 1;
    j[2] = -2 * mu * x[0] * x[1] - 1;
    j[3] = mu * (1 - x[0] * x[0]);
    return true;
}

// Goal: van der Pol's oscillator with mu = 1000 to t = 2000, through its jumps. Method:
// x = 1.706167732170, x' = -8.928097010e-4 from scipy 1.10's Radau at rtol 1e-12, atol 1e-14 (24213
// steps; rtol 1e-10 agrees in nine digits). A jump turns a local error into a shift in time, which
// moves x along a slope of 1e-3: 50 tolerances for x; x' follows x on the slow branch, at a
// thousandth of its error: one tolerance.
static void stiff_van_der_pol_is_solved_in_few_steps(void **state)
{
    (void)state;
    for (int differences = 0; differences <= 1; differences++) {
        for (double tolerance = 1e-6; tolerance > 5e-9; tolerance /= 10) {
            Problem problem = {.name = "van der Pol",
                               .count = 2,
                               .x0 = {2, 0},
                               .duration = 2000,
                               .stiffness = 1000,
                               .rate = vanderpol_rate,
                               .jacobian = differences ? NULL : vanderpol_jacobian};
            ib_SolverCounts counts = {0};
            double x[MAX_STATES];

            adaptive_run(IB_ROSENBROCK, tolerance, &problem, x, &counts);
            printf("  mu = 1000, tolerance %g%s: %d steps, %d rejected, error %.2g\n", tolerance,
                   differences ? ", differences" : "", (int)counts.steps, (int)counts.rejected,
                   fabs(x[0] - 1.706167732170));
            assert_near(x[0], 1.706167732170, 50 * tolerance);
            assert_near(x[1], -8.928097010e-4, tolerance);
            assert_true(counts.steps < 5000);
            assert_int_equal(counts.jacobians, counts.steps);
        }
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stability_ends_where_theory_says),
        cmocka_unit_test(prothero_robinson_is_stable_and_accurate),
        cmocka_unit_test(stiff_van_der_pol_is_solved_in_few_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
