// test/solver/test_stiff.c: the fixed-step stiff method, against closed forms and its twin with
// error control.
#include "solver/problem.h"

// Goal: `stiff` is the method of `rosenbrock`, without control of the error. Method: steps of both
// and the states inside them, to the bit; on an orbit, and where time enters the rate.
static void stiff_steps_are_those_of_rosenbrock(void **state)
{
    const Problem *const problems[] = {&KEPLER, &SWING};
    (void)state;
    for (int p = 0; p < 2; p++) {
        ib_Arena arena = {0};
        Context context = {0};
        int count = problems[p]->count;
        ib_System system = make_system(problems[p], &context);
        ib_Solver *plain = make_solver(IB_STIFF, 1e-6, count, &arena);
        ib_Solver *twin = make_solver(IB_ROSENBROCK, 1e-6, count, &arena);
        double x[MAX_STATES], a[MAX_STATES], b[MAX_STATES], inner[2][MAX_STATES];
        size_t size = (size_t)count * sizeof *x;
        memcpy(x, problems[p]->x0, sizeof x);
        for (int i = 0; i < 50; i++, context.t0 += 0.02) {
            ib_solver_step_unchecked(plain, &system, 0.02, x, a, false, NULL);
            assert_int_equal(ib_solver_step(twin, &system, 0.02, x, b), 0);
            assert_memory_equal(a, b, size);
            ib_solver_dense(plain, 0.3, inner[0]);
            ib_solver_dense(twin, 0.3, inner[1]);
            assert_memory_equal(inner[0], inner[1], size);
            memcpy(x, a, size);
        }
        ib_arena_reset(&arena);
    }
}

// x' = -L (x - cos t). Its slow solution is a cos t + b sin t; with x' in place b = L/(1 + L^2) and
// a = L b.
static void following_rate(const void *context, double t, const double *x, double *dx)
{
    const Context *c = context;
    dx[0] = -c->stiffness * (x[0] - cos(c->t0 + t));
}

static bool following_jacobian(const void *context, double t, const double *x, double *jacobian)
{
    (void)t, (void)x;
    jacobian[0] = -((const Context *)context)->stiffness;
    return true;
}

// Goal: what settles a thousand times within a step is gone, and the slow solution is followed.
// Method: L = 1e6 at 1 ms, from the slow solution and from 1 beside it, by the formula above, from
// ten steps after the start on. Where h L is large, the order is reduced: the first neglected term
// of a step, of the size h^2 x'', is damped by 1/(h L) [Prothero, Robinson 1974], which leaves
// h/L = 1e-9. Differences are right to 1e-8 of J, which acts on the way of a step, 1e-3, with the
// coefficients of the method, of up to 34: 3.4e-10. RK4 would need steps of 2.8 us.
static void fast_decay_is_gone_and_the_slow_solution_followed(void **state)
{
    const double L = 1e6, h = 1e-3, b = L / (1 + L * L), a = L * b;
    (void)state;
    for (int i = 0; i < 4; i++) {
        bool given = i & 1;
        ib_Arena arena = {0};
        Context context = {.stiffness = L};
        ib_Solver *solver = make_solver(IB_STIFF, 1e-6, 1, &arena);
        ib_System system = {1, following_rate, given ? following_jacobian : NULL, &context};
        double x[2] = {a + i / 2, 0}, worst = 0;
        for (int k = 0; k < 3000; k++) {
            context.t0 = k * h;
            assert_int_equal(ib_solver_step(solver, &system, h, &x[k & 1], &x[~k & 1]), 0);
            double t = (k + 1) * h;
            if (k >= 10) worst = fmax(worst, fabs(x[~k & 1] - (a * cos(t) + b * sin(t))));
        }
        printf("  L = 1e6, h = 1 ms%s: error %.2g\n", given ? "" : ", differences", worst);
        assert_true(worst < h / L + (given ? 0 : 3.4e-10));
        ib_arena_reset(&arena);
    }
}

static void vanderpol_rate(const void *context, double t, const double *x, double *dx)
{
    double mu = ((const Context *)context)->stiffness;
    (void)t;
    dx[0] = x[1];
    dx[1] = mu * (1 - x[0] * x[0]) * x[1] - x[0];
}

// Goal: a stiff system that is not linear is followed in steps a thousand times its time constant.
// Method: van der Pol's oscillator with mu = 1000 on its slow branch to t = 500, where the time
// constant is 1/(mu (x^2 - 1)) = 0.3 to 0.6 ms. Reference: RK4 with compensated sums, in a program
// of its own, at 0.4 and 0.2 ms, which agree to 5e-15. From (2, 0) x' first settles to -6.7e-4
// within a time constant, which 100 steps of 0.1 ms show and one of 0.5 s does not: such a step
// misses x by 6.7e-4 * 0.3 ms = 2e-7 at most. What follows is held to
// 1e-11: the differences' 1e-8 of J on the way of a step, 5e-4.
static void stiff_van_der_pol_keeps_to_its_slow_branch(void **state)
{
    ib_Arena arena = {0};
    Context context = {.stiffness = 1000};
    ib_Solver *solver = make_solver(IB_STIFF, 1e-6, 2, &arena);
    ib_System system = {2, vanderpol_rate, NULL, &context, .steady = true};
    (void)state;
    for (int shown = 0; shown <= 1; shown++) {
        double x[2][2] = {{2, 0}};
        int fine = shown ? 100 : 0, count = fine + 1000;
        for (int i = 0; i < count; i++) {
            double h = i < fine ? 1e-4 : (500 - fine * 1e-4) / 1000;
            assert_int_equal(ib_solver_step(solver, &system, h, x[i & 1], x[~i & 1]), 0);
        }
        double off = fabs(x[0][0] - 1.596768951052662), slow = fabs(x[0][1] + 1.030391187839357e-3);
        printf("  mu = 1000, h = 0.5 s%s: error %.2g, %.2g\n", shown ? ", start shown" : "", off,
               slow);
        assert_true(off < (shown ? 1e-11 : 2e-7));
        assert_true(slow < (shown ? 1e-11 : 2e-7)); // x' follows x, a thousandth of it
    }
    ib_arena_reset(&arena);
}

// x' = M x, five states of which two are fast.
enum { LINEAR = 5 };
static const double M[LINEAR][LINEAR] = {{-1, 2, 0, 0, 0},
                                         {-2, -1, 0, 0.5, 0},
                                         {0, 1, -4000, 0, 30},
                                         {0, 0, 10, -90, 0},
                                         {1, 0, 0, 20, -1e5}};

static void linear_rate(const void *context, double t, const double *x, double *dx)
{
    (void)t;
    count_call(context);
    for (int i = 0; i < LINEAR; i++) {
        dx[i] = 0;
        for (int j = 0; j < LINEAR; j++) dx[i] += M[i][j] * x[j];
    }
}

static bool linear_jacobian(const void *context, double t, const double *x, double *jacobian)
{
    (void)context, (void)t, (void)x;
    memcpy(jacobian, M, sizeof M);
    return true;
}

static bool unknown_jacobian(const void *context, double t, const double *x, double *jacobian)
{
    (void)context, (void)t, (void)x;
    for (int i = 0; i < LINEAR * LINEAR; i++) jacobian[i] = NAN;
    return false;
}

// One step of 10 ms under a system; the rate calls that it made.
static int64_t linear_step(ib_SolverKind kind, ib_System system, double h, int looks, double *x)
{
    static const double x0[LINEAR] = {1, -0.5, 0.2, 0.1, 0.3};
    ib_Arena arena = {0};
    int64_t calls = 0;
    Context context = {.calls = &calls};
    ib_Solver *solver = make_solver(kind, 1e-6, LINEAR, &arena);
    ib_SolverCounts counts = {0};
    double look[LINEAR];
    system.context = &context;
    ib_solver_step_unchecked(solver, &system, h, x0, x, false, &counts);
    assert_int_equal(counts.evaluations, calls);
    assert_int_equal(counts.jacobians, 1);
    assert_int_equal(counts.steps, 1);
    for (int i = 0; i < looks; i++) ib_solver_step_again(solver, &system, 0.5 * h, look);
    assert_int_equal(ib_solver_work(solver).evaluations, calls);
    ib_arena_reset(&arena);
    return calls;
}

// Goal: a step costs what is written, whatever the state. Method: by hand, one rate at the start
// and 5 for the inner stages; one a state for differences, and 2 for df/dt unless the system is
// steady. A look from the same start pays for the inner stages, and df/dt, alone.
static void a_step_costs_six_rates_and_what_is_not_known(void **state)
{
    double x[LINEAR];
    (void)state;
    for (int steady = 0; steady <= 1; steady++) {
        ib_System system = {LINEAR, linear_rate, NULL, NULL, .steady = steady};
        int slope = steady ? 0 : 2;
        assert_int_equal(linear_step(IB_STIFF, system, 0.01, 0, x), 6 + LINEAR + slope);
        assert_int_equal(linear_step(IB_STIFF, system, 0.01, 3, x),
                         6 + LINEAR + slope + 3 * (5 + slope));
        system.jacobian = linear_jacobian;
        assert_int_equal(linear_step(IB_STIFF, system, 0.01, 0, x), 6 + slope);
        system.jacobian = unknown_jacobian;
        assert_int_equal(linear_step(IB_STIFF, system, 0.01, 0, x), 6 + LINEAR + slope);
    }
}

// Goal: what is known of a system changes no bit but those of the Jacobian. Method: of a linear
// system differences are right to rounding, 1e-8 of the largest rate coefficient, which reaches x
// multiplied by h and by x itself: 1e-8 is claimed. A Jacobian that is not known here, and
// df/dt that nobody looked for, give the same bits.
static void jacobian_given_is_the_one_by_differences(void **state)
{
    double given[LINEAR], differenced[LINEAR], unknown[LINEAR], steady[LINEAR];
    (void)state;
    for (int kind = IB_ROSENBROCK; kind <= IB_STIFF; kind++) {
        ib_System system = {LINEAR, linear_rate, NULL, NULL};
        linear_step((ib_SolverKind)kind, system, 0.01, 0, differenced);
        system.jacobian = unknown_jacobian;
        linear_step((ib_SolverKind)kind, system, 0.01, 0, unknown);
        system.jacobian = linear_jacobian;
        linear_step((ib_SolverKind)kind, system, 0.01, 0, given);
        system.steady = true;
        linear_step((ib_SolverKind)kind, system, 0.01, 0, steady);
        assert_memory_equal(unknown, differenced, sizeof unknown);
        assert_memory_equal(steady, given, sizeof steady);
        for (int i = 0; i < LINEAR; i++) assert_near(given[i], differenced[i], 1e-8);
    }
}

// x' = 4 x: with h = 1 s and gamma = 1/4 the matrix I/(h gamma) - J is zero.
static void growing_rate(const void *context, double t, const double *x, double *dx)
{
    (void)context, (void)t;
    dx[0] = 4 * x[0];
    dx[1] = -x[1];
}

static bool growing_jacobian(const void *context, double t, const double *x, double *jacobian)
{
    (void)context, (void)t, (void)x;
    memcpy(jacobian, (const double[]){4, 0, 0, -1}, 4 * sizeof *jacobian);
    return true;
}

static void sour_rate(const void *context, double t, const double *x, double *dx)
{
    (void)context, (void)t;
    dx[0] = -x[0];
    dx[1] = x[1] > 1 ? NAN : 0;
}

// Goal: a step that cannot be made is told, also to who looks at the end of it alone. Method: a
// matrix that is singular, of which all states are to blame, and a rate that is not a number, of
// which one is.
static void step_that_cannot_be_made_is_told(void **state)
{
    ib_Arena arena = {0};
    ib_Solver *solver = make_solver(IB_STIFF, 1e-6, 2, &arena);
    ib_System singular = {2, growing_rate, growing_jacobian, NULL, .steady = true};
    ib_System sour = {2, sour_rate, NULL, NULL, .steady = true};
    double x0[2] = {1, 2}, x1[2] = {5, 5}, taken, wish = 0;
    ib_SolverCounts counts = {0};
    ib_Error error;

    (void)state;
    ib_solver_step_unchecked(solver, &singular, 1, x0, x1, false, NULL);
    assert_true(isnan(x1[0]) && isnan(x1[1]));
    assert_int_equal(ib_solver_step(solver, &singular, 0.9, x0, x1), 0);
    ib_solver_step_unchecked(solver, &sour, 0.1, x0, x1, false, NULL);
    assert_true(x1[0] == x0[0] && isnan(x1[1]));
    assert_int_equal(ib_solver_step(solver, &sour, 0.1, x0, x1), 1);
    assert_int_equal(
        ib_solver_step_controlled(solver, &sour, 0.1, &wish, x0, x1, &taken, &counts, &error),
        IB_FAILED);
    assert_non_null(strstr(error.text, "stiff: the state is not finite"));
    assert_int_equal(counts.non_finite, 1);
    ib_arena_reset(&arena);
}

// Goal: no step is said to be too long, since none is unstable. Method: 500 time constants a step,
// from a start that is thrown; RK4 beside it is told at once.
static void no_step_is_too_long(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        ib_Arena arena = {0};
        Context context = {.stiffness = 1e4};
        ib_Solver *solver = make_solver(i ? IB_RK4 : IB_STIFF, 1e-6, 1, &arena);
        ib_System system = {1, following_rate, NULL, &context};
        double x0 = 100, x1;
        ib_Instability coarse;
        ib_solver_step(solver, &system, 0.05, &x0, &x1);
        assert_int_equal(ib_solver_unstable(solver, &system, &coarse), i);
        ib_arena_reset(&arena);
    }
    assert_false(ib_solver_adaptive(IB_STIFF));
    assert_true(ib_solver_implicit(IB_STIFF) && ib_solver_implicit(IB_ROSENBROCK));
    assert_false(ib_solver_implicit(IB_RK4) || ib_solver_implicit(IB_DOPRI5));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiff_steps_are_those_of_rosenbrock),
        cmocka_unit_test(fast_decay_is_gone_and_the_slow_solution_followed),
        cmocka_unit_test(stiff_van_der_pol_keeps_to_its_slow_branch),
        cmocka_unit_test(a_step_costs_six_rates_and_what_is_not_known),
        cmocka_unit_test(jacobian_given_is_the_one_by_differences),
        cmocka_unit_test(step_that_cannot_be_made_is_told),
        cmocka_unit_test(no_step_is_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
