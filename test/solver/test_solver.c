// test/solver/test_solver.c: orders, error sizes, dense output, refusals.
#include "solver/problem.h"

// The observed order over six halvings from `steps` on is the claimed one within 0.3, and no single
// halving is off by more than 0.7 (at the longest steps higher terms still count).
static void assert_order(ib_SolverKind kind, const Problem *problem, int steps)
{
    double order = ib_solver_order(kind), first = fixed_error(kind, problem, steps), last = first;

    for (int i = 1; i <= 6; i++) {
        double error = fixed_error(kind, problem, steps << i);
        double observed = log2(last / error);
        if (!(fabs(observed - order) <= 0.7)) {
            fail_msg("%s on %s, halving %d: order %.3f, error %.3g", ib_solver_names[kind],
                     problem->name, i, observed, error);
        }
        last = error;
    }
    printf("  %-10s %-10s order %.3f, error at the shortest step %.2g\n", ib_solver_names[kind],
           problem->name, log2(first / last) / 6, last);
    assert_near(log2(first / last) / 6, order, 0.3);
}

// Goal: every method has its order on a linear problem. Method: oscillator against cos t, six
// halvings from a step already in the asymptotic range, 0.3 for higher terms and rounding.
static void oscillator_shows_the_order_of_every_method(void **state)
{
    (void)state;
    assert_order(IB_EULER, &OSCILLATOR, 400);
    assert_order(IB_RK4, &OSCILLATOR, 20);
    assert_order(IB_DOPRI5, &OSCILLATOR, 10);
    assert_order(IB_ROSENBROCK, &OSCILLATOR, 20);
    assert_order(IB_STIFF, &OSCILLATOR, 20);
}

// Goal: the same where f is nonlinear. Method: logistic growth, closed form.
static void logistic_growth_shows_the_order_of_every_method(void **state)
{
    (void)state;
    assert_order(IB_EULER, &LOGISTIC, 100);
    assert_order(IB_RK4, &LOGISTIC, 20);
    assert_order(IB_DOPRI5, &LOGISTIC, 10);
    assert_order(IB_ROSENBROCK, &LOGISTIC, 40);
    assert_order(IB_STIFF, &LOGISTIC, 40);
}

// Goal: the same for a nonlinear system. Method: Kepler's ellipse, against Kepler's equation, from
// the pericentre. (Not dopri5: rounding, 1e-14, comes five halvings after its asymptotic range.)
static void kepler_shows_the_order(void **state)
{
    (void)state;
    assert_order(IB_EULER, &KEPLER, 3200);
    assert_order(IB_RK4, &KEPLER, 60);
    assert_order(IB_ROSENBROCK, &KEPLER, 44);
    assert_order(IB_STIFF, &KEPLER, 44);
}

// Goal: the same where f depends on t, which tests the nodes c_i and, for rosenbrock, df/dt.
static void time_dependent_rate_shows_the_order_of_every_method(void **state)
{
    (void)state;
    assert_order(IB_EULER, &SWING, 100);
    assert_order(IB_RK4, &SWING, 10);
    assert_order(IB_DOPRI5, &SWING, 8);
    assert_order(IB_ROSENBROCK, &SWING, 20);
    assert_order(IB_STIFF, &SWING, 20);
}

// One step on the oscillator: the length of the error vector over the theoretical leading term.
static double leading_ratio(ib_SolverKind kind, double h, double leading)
{
    ib_Arena arena = {0};
    Context context = {0};
    ib_Solver *solver = make_solver(kind, 1e-6, 2, &arena);
    ib_System system = make_system(&OSCILLATOR, &context);
    double x1[2], exact[2];

    assert_int_equal(ib_solver_step(solver, &system, h, OSCILLATOR.x0, x1), 0);
    oscillator_exact(h, exact);
    ib_arena_reset(&arena);
    return hypot(x1[0] - exact[0], x1[1] - exact[1]) / leading;
}

// Goal: the size of the error is the textbook's, not only its order. Method: one step of 0.1 on the
// oscillator. With z = i h, e^z - R(z) starts with z^2/2 (Euler), z^5/120 (RK4) and, since DOPRI5
// has R = ... + z^5/120 + z^6/600, with z^6 (1/720 - 1/600) = -z^6/3600. 2 % for the next terms.
static void step_error_is_the_leading_term(void **state)
{
    (void)state;
    assert_near(leading_ratio(IB_EULER, 0.1, pow(0.1, 2) / 2), 1, 0.02);
    assert_near(leading_ratio(IB_RK4, 0.1, pow(0.1, 5) / 120), 1, 0.02);
    assert_near(leading_ratio(IB_DOPRI5, 0.1, pow(0.1, 6) / 3600), 1, 0.02);
}

// Goal: RK4 loses an oscillator's energy as theory says. Method: |R(ih)|^2 = 1 - h^6/72 + h^8/576,
// so that 1000 steps of 0.05 lose 1000 h^6/72 = 2.17e-7 of it; 1 % for h^8 (0.03 %) and rounding.
static void rk4_energy_falls_by_h6_over_72_a_step(void **state)
{
    ib_Arena arena = {0};
    Context context = {0};
    ib_Solver *solver = make_solver(IB_RK4, 1e-6, 2, &arena);
    ib_System system = make_system(&OSCILLATOR, &context);
    double x[2][2] = {{1, 0}}, h = 0.05;

    (void)state;
    for (int i = 0; i < 1000; i++) ib_solver_step(solver, &system, h, x[i & 1], x[~i & 1]);
    double lost = 1 - (x[0][0] * x[0][0] + x[0][1] * x[0][1]);
    assert_near(lost / (1000 * pow(h, 6) / 72), 1, 0.01);
    ib_arena_reset(&arena);
}

// The largest distance of the dense output from the exact solution within one step of h.
static double dense_error(ib_SolverKind kind, double h)
{
    ib_Arena arena = {0};
    Context context = {0};
    ib_Solver *solver = make_solver(kind, 1e-6, 4, &arena);
    ib_System system = make_system(&KEPLER, &context);
    double x1[4], x[4], worst = 0;

    ib_solver_step(solver, &system, h, KEPLER.x0, x1);
    for (int i = 1; i < 16; i++) {
        ib_solver_dense(solver, i / 16.0, x);
        worst = fmax(worst, distance(&KEPLER, i / 16.0 * h, x));
    }
    ib_arena_reset(&arena);
    return worst;
}

// Goal: the dense output has its order. Method: one step on Kepler's ellipse, 15 points inside; the
// local error falls with h^(order + 1) over three halvings, within 0.3.
static void dense_output_has_its_order(void **state)
{
    static const double claimed[] = {1, 3, 4, 3, 3};

    (void)state;
    for (int kind = IB_EULER; kind < IB_SOLVER_COUNT; kind++) {
        double h = 0.1;
        double ratio =
            dense_error((ib_SolverKind)kind, h) / dense_error((ib_SolverKind)kind, h / 8);
        printf("  %-10s dense output: order %.3f\n", ib_solver_names[kind], log2(ratio) / 3 - 1);
        assert_near(log2(ratio) / 3, claimed[kind] + 1, 0.3);
    }
}

// Goal: the ends of the dense output are the ends of the step. Method: bits at 1, 1e-15 at 0.
static void dense_output_meets_both_ends(void **state)
{
    (void)state;
    for (int kind = IB_EULER; kind < IB_SOLVER_COUNT; kind++) {
        ib_Arena arena = {0};
        Context context = {0};
        ib_Solver *solver = make_solver((ib_SolverKind)kind, 1e-6, 4, &arena);
        ib_System system = make_system(&KEPLER, &context);
        double x1[4], x[4];

        ib_solver_step(solver, &system, 0.1, KEPLER.x0, x1);
        ib_solver_dense(solver, 1, x);
        assert_memory_equal(x, x1, sizeof x);
        ib_solver_dense(solver, 0, x);
        for (int i = 0; i < 4; i++) assert_near(x[i], KEPLER.x0[i], 1e-15);
        ib_solver_dense(solver, 1 - 1e-12, x);
        for (int i = 0; i < 4; i++) assert_near(x[i], x1[i], 1e-11);
        ib_arena_reset(&arena);
    }
}

static void broken_rate(const void *context, double t, const double *x, double *dx)
{
    (void)context;
    (void)t;
    dx[0] = x[0] > 1 ? NAN : 1;
    dx[1] = 0;
}

// Goal: a rate that is not finite is reported, never stepped over. Method: NaN beyond x = 1; every
// method goes up to there, then fails and says so; attempts are counted.
static void non_finite_rate_is_reported(void **state)
{
    (void)state;
    for (int kind = IB_EULER; kind < IB_SOLVER_COUNT; kind++) {
        ib_Arena arena = {0};
        ib_Solver *solver = make_solver((ib_SolverKind)kind, 1e-6, 2, &arena);
        ib_System system = {2, broken_rate, NULL, NULL};
        double x[2] = {0, 0}, next[2], h_next = 0, taken, t = 0;
        ib_SolverCounts counts = {0};
        ib_Error error;
        ib_Status status = IB_OK;

        for (int i = 0; i < 1000 && status == IB_OK; i++) {
            status = ib_solver_step_controlled(solver, &system, 0.25, &h_next, x, next, &taken,
                                               &counts, &error);
            if (status == IB_OK) t += taken;
            if (status == IB_OK) memcpy(x, next, sizeof x);
        }
        assert_int_equal(status, IB_FAILED);
        assert_non_null(strstr(error.text, "not finite"));
        assert_non_null(strstr(error.text, ib_solver_names[kind]));
        assert_true(counts.non_finite >= 1 && counts.rejected >= counts.non_finite);
        assert_near(x[0], t, 1e-12);
        assert_true(t >= 1 - 1e-7); // rosenbrock looks 3e-8 ahead for its Jacobian
        assert_true(ib_solver_step(solver, &system, 0.1, (double[]){1.5, 0}, next));
        ib_arena_reset(&arena);
    }
}

static void corner_rate(const void *context, double t, const double *x, double *dx)
{
    (void)context, (void)t;
    dx[0] = fabs(x[0]);
}

static void branch_rate(const void *context, double t, const double *x, double *dx)
{
    (void)context, (void)t;
    dx[0] = 5 - 2 * x[0];
}

// Goal: where a system says how its rate goes on without a corner, differences are of that alone.
// Method: a rate with a corner at hand, and one that goes on in quite another way.
static void differences_keep_to_one_branch(void **state)
{
    const ib_System system = {1, corner_rate, NULL, NULL, branch_rate};
    const ib_Block whole = {0, 1, 1, 1};
    double x = 0, rate, work[3], jacobian;

    (void)state;
    system.rate(NULL, 0, &x, &rate);
    assert_int_equal(ib_system_jacobian(&system, 0, &x, &rate, &whole, 1, work, &jacobian), 2);
    assert_near(jacobian, -2, 1e-7);
}

// Goal: differences are as good as the formula. Method: Kepler's Jacobian at 1000 points of the
// orbit; 1e-6 of the largest element, where sqrt(eps) f'' promises 1e-7.
static void difference_jacobian_is_the_analytic_one(void **state)
{
    Context context = {0};
    ib_System given = make_system(&KEPLER, &context), differenced = given;
    const ib_Block whole = {0, 4, 4, 4};
    double x[4], rate[4], work[12], a[16], b[16];

    (void)state;
    differenced.jacobian = NULL;
    for (int k = 0; k < 1000; k++) {
        kepler_exact(k * 2 * PI / 1000, x);
        given.rate(&context, 0, x, rate);
        assert_int_equal(ib_system_jacobian(&given, 0, x, rate, &whole, 1, work, a), 0);
        assert_int_equal(ib_system_jacobian(&differenced, 0, x, rate, &whole, 1, work, b), 4);
        double largest = 1;
        for (int i = 0; i < 16; i++) largest = fmax(largest, fabs(a[i]));
        for (int i = 0; i < 16; i++) assert_near(a[i], b[i], 1e-6 * largest);
    }
}

// Goal: a wrong config is refused, with its key. Method: one bad value at a time.
static void wrong_config_is_refused(void **state)
{
    ib_SolverConfig good = ib_solver_default(), bad;
    ib_Error error;

    (void)state;
    assert_int_equal(ib_solver_check(&good, &error), IB_OK);
    bad = good, bad.tolerance = 1e-15;
    assert_int_equal(ib_solver_check(&bad, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "tolerance"));
    bad = good, bad.tolerance = NAN;
    assert_int_equal(ib_solver_check(&bad, &error), IB_BAD_INPUT);
    bad = good, bad.quantum = -1e-9;
    assert_int_equal(ib_solver_check(&bad, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "quantum"));
    bad = good, bad.kind = (ib_SolverKind)5;
    assert_int_equal(ib_solver_check(&bad, &error), IB_BAD_INPUT);
}

// Goal: a full arena is an answer, not a crash. Method: limits from nothing up to what it needs.
static void full_arena_gives_null(void **state)
{
    ib_SolverConfig config = {IB_ROSENBROCK, 1e-6, 1e-9};

    (void)state;
    for (size_t limit = 1; limit < 1600; limit += 100) {
        ib_Arena arena = {.limit = limit};
        assert_null(ib_solver_create(&config, 6, &arena));
        ib_arena_reset(&arena);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oscillator_shows_the_order_of_every_method),
        cmocka_unit_test(logistic_growth_shows_the_order_of_every_method),
        cmocka_unit_test(kepler_shows_the_order),
        cmocka_unit_test(time_dependent_rate_shows_the_order_of_every_method),
        cmocka_unit_test(step_error_is_the_leading_term),
        cmocka_unit_test(rk4_energy_falls_by_h6_over_72_a_step),
        cmocka_unit_test(dense_output_has_its_order),
        cmocka_unit_test(dense_output_meets_both_ends),
        cmocka_unit_test(non_finite_rate_is_reported),
        cmocka_unit_test(difference_jacobian_is_the_analytic_one),
        cmocka_unit_test(differences_keep_to_one_branch),
        cmocka_unit_test(wrong_config_is_refused),
        cmocka_unit_test(full_arena_gives_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
