// test/solver/test_step_size.c: tolerances kept, steps cut, failures named, runs restored.
#include "solver/problem.h"

#include <stdlib.h>

// Goal: the error follows the tolerance. Method: the error at the end over tolerances 1e-4 to 1e-10
// (seven decades); the slope of log error over log tolerance is 1 within 0.15, and the error stays
// below 100 tolerances (Kepler's ellipse amplifies a local error that much at most).
static void assert_proportional(ib_SolverKind kind, const Problem *problem)
{
    double first = 0, last = 0, x[MAX_STATES];

    for (int i = 4; i <= 10; i++) {
        ib_SolverCounts counts = {0};
        adaptive_run(kind, pow(10, -i), problem, x, &counts);
        last = distance(problem, problem->duration, x);
        if (i == 4) first = last;
        printf("  %-10s %-10s 1e-%02d: error %.2g, %d steps, %d rejected, %d evaluations\n",
               ib_solver_names[kind], problem->name, i, last, (int)counts.steps,
               (int)counts.rejected, (int)counts.evaluations);
        assert_true(last < 100 * pow(10, -i));
    }
    assert_near(log10(first / last) / 6, 1, 0.15);
}

static void error_is_proportional_to_the_tolerance(void **state)
{
    (void)state;
    assert_proportional(IB_DOPRI5, &KEPLER);
    assert_proportional(IB_DOPRI5, &OSCILLATOR);
    assert_proportional(IB_ROSENBROCK, &KEPLER);
    assert_proportional(IB_ROSENBROCK, &OSCILLATOR);
}

// Goal: (x, h_next) is all the state there is. Method: Kepler's ellipse straight through, and again
// with a new solver in new memory for every single step; the same bits at the end.
static void restarted_run_has_the_same_bits(void **state)
{
    (void)state;
    for (int kind = IB_DOPRI5; kind <= IB_ROSENBROCK; kind++) {
        ib_SolverCounts counts = {0};
        double straight[4], x[4], next[4], h_next = 0, taken;
        Context context = {0};
        ib_System system = make_system(&KEPLER, &context);
        int64_t now = 0, end = llround(KEPLER.duration * 1e9);

        adaptive_run((ib_SolverKind)kind, 1e-7, &KEPLER, straight, &counts);
        memcpy(x, KEPLER.x0, sizeof x);
        while (now < end) {
            ib_Arena arena = {0};
            ib_Solver *solver = make_solver((ib_SolverKind)kind, 1e-7, 4, &arena);
            context.t0 = (double)now * 1e-9;
            assert_int_equal(ib_solver_step_controlled(solver, &system, (double)(end - now) * 1e-9,
                                                       &h_next, x, next, &taken, &counts, NULL),
                             IB_OK);
            now += llround(taken * 1e9);
            memcpy(x, next, sizeof x);
            ib_arena_reset(&arena);
        }
        assert_memory_equal(x, straight, sizeof x);
    }
}

// Goal: an accepted step is exactly what ib_solver_step makes of its length. Method: the bits of
// both, for each step of an orbit (events are located by such steps).
static void accepted_step_is_the_methods_own(void **state)
{
    (void)state;
    for (int kind = IB_EULER; kind < IB_SOLVER_COUNT; kind++) {
        ib_Arena arena = {0};
        Context context = {0};
        ib_Solver *solver = make_solver((ib_SolverKind)kind, 1e-5, 4, &arena);
        ib_System system = make_system(&KEPLER, &context);
        ib_SolverCounts counts = {0};
        double x[4], next[4], again[4], h_next = 0, taken;

        system.jacobian = NULL;
        memcpy(x, KEPLER.x0, sizeof x);
        for (int i = 0; i < 50; i++) {
            ib_solver_step_controlled(solver, &system, 0.05, &h_next, x, next, &taken, &counts,
                                      NULL);
            ib_solver_step(solver, &system, taken, x, again);
            assert_memory_equal(next, again, sizeof next);
            memcpy(x, next, sizeof x);
        }
        ib_arena_reset(&arena);
    }
}

static void steady_rate(const void *context, double t, const double *x, double *dx)
{
    (void)context;
    (void)t;
    (void)x;
    dx[0] = 1;
}

// The length taken on x' = 1 where `wish` is wished and h_max allowed.
static double taken_of(double wish, double h_max, double *h_next)
{
    ib_Arena arena = {0};
    ib_Solver *solver = make_solver(IB_DOPRI5, 1e-6, 1, &arena);
    ib_System system = {1, steady_rate, NULL, NULL};
    ib_SolverCounts counts = {0};
    double x0 = 0, x1, taken;

    *h_next = wish;
    assert_int_equal(
        ib_solver_step_controlled(solver, &system, h_max, h_next, &x0, &x1, &taken, &counts, NULL),
        IB_OK);
    assert_near(x1, taken, 1e-15);
    ib_arena_reset(&arena);
    return taken;
}

// Goal: a step ends on the nanosecond grid or at h_max, leaves no sliver, and a cut does not make
// the solver forget. Method: a rate without error, so that only the cutting counts.
static void steps_are_cut_without_slivers(void **state)
{
    double next;

    (void)state;
    assert_true(taken_of(0.95, 1, &next) == 1);
    assert_true(taken_of(50, 1.0 / 3, &next) == 1.0 / 3); // exactly, though no whole nanosecond
    assert_true(next >= 50);
    assert_near(taken_of(0.7, 1, &next), 0.5, 1e-15);
    assert_near(taken_of(0.123456789876, 1, &next), 0.123456789, 1e-15);
    assert_near(taken_of(3e-10, 1, &next), 1e-9, 1e-24);
    assert_true(taken_of(1, 0.4e-9, &next) == 0.4e-9); // what an event leaves of a nanosecond
    assert_near(taken_of(1e-3, 1, &next), 1e-3, 1e-15);
    assert_near(next, 5e-3, 1e-12); // grows fivefold at most
}

// Goal: every accepted step is a whole number of quanta, and they add up. Method: swing, to a
// duration of 1.234567891 s; each step but the last is a multiple of 1 ns to 1e-6 of it.
static void accepted_steps_are_whole_quanta(void **state)
{
    (void)state;
    for (int kind = IB_DOPRI5; kind <= IB_ROSENBROCK; kind++) {
        ib_Arena arena = {0};
        Context context = {0};
        ib_Solver *solver = make_solver((ib_SolverKind)kind, 1e-9, 1, &arena);
        ib_System system = make_system(&SWING, &context);
        ib_SolverCounts counts = {0};
        double x = 1, next, h_next = 0, taken;
        int64_t now = 0, end = 1234567891;

        while (now < end) {
            context.t0 = (double)now * 1e-9;
            ib_solver_step_controlled(solver, &system, (double)(end - now) * 1e-9, &h_next, &x,
                                      &next, &taken, &counts, NULL);
            assert_near(taken * 1e9 - (double)llround(taken * 1e9), 0, 1e-6);
            now += llround(taken * 1e9);
            x = next;
        }
        assert_int_equal(now, end);
        assert_true(counts.steps > 10);
        assert_near(x, exp(sin(1.234567891)), 1e-7);
        ib_arena_reset(&arena);
    }
}

static void square_rate(const void *context, double t, const double *x, double *dx)
{
    (void)context;
    (void)t;
    dx[0] = x[0] * x[0];
}

static void fast_rate(const void *context, double t, const double *x, double *dx)
{
    (void)context;
    (void)t;
    dx[0] = 1e12 * (1 - x[0]);
}

// Goal: a step that shrinks to nothing fails, and says what to try. Method: x' = x^2 from
// 1, which is infinite at t = 1; and a time constant of 1 ps, 1000 times shorter than
// dopri5's shortest step.
static void vanishing_step_fails_with_the_reason(void **state)
{
    ib_Arena arena = {0};
    ib_Solver *solver = make_solver(IB_DOPRI5, 1e-6, 1, &arena);
    ib_System runaway = {1, square_rate, NULL, NULL}, stiff = {1, fast_rate, NULL, NULL};
    ib_SolverCounts counts = {0};
    ib_Error error;
    double x = 1, next, h_next = 0, taken, t = 0;
    ib_Status status = IB_OK;

    (void)state;
    for (int i = 0; i < 10000 && status == IB_OK; i++) {
        status = ib_solver_step_controlled(solver, &runaway, 1, &h_next, &x, &next, &taken, &counts,
                                           &error);
        if (status == IB_OK) t += taken;
        if (status == IB_OK) x = next;
    }
    assert_int_equal(status, IB_FAILED);
    assert_near(t, 1, 1e-5);
    assert_non_null(strstr(error.text, "runs away"));
    assert_true(counts.rejected > 0);

    x = 0, h_next = 1e-3;
    status =
        ib_solver_step_controlled(solver, &stiff, 1, &h_next, &x, &next, &taken, &counts, &error);
    assert_int_equal(status, IB_FAILED);
    assert_non_null(strstr(error.text, "1e-09 s"));
    assert_non_null(strstr(error.text, "too stiff for it"));
    assert_true(ib_solver_error_ratio(solver) > 1 && !ib_solver_jumps(solver));

    ib_Solver *implicit = make_solver(IB_ROSENBROCK, 1e-6, 1, &arena);
    x = 1, h_next = 1e-3;
    status =
        ib_solver_step_controlled(implicit, &stiff, 1, &h_next, &x, &next, &taken, &counts, &error);
    assert_int_equal(status, IB_OK);
    ib_arena_reset(&arena);
}

// x' = -1e9 x, or with x < 0.3 another one, at once or over a width in x.
typedef struct Steep {
    double jump, width;
} Steep;

static void steep_rate(const void *context, double t, const double *x, double *dx)
{
    const Steep *steep = context;
    double past = (0.3 - x[0]) / steep->width, part = past < 0 ? 0 : past > 1 ? 1 : past;
    (void)t;
    dx[0] = -1e9 * x[0] - steep->jump * part;
}

// Goal: a rate that jumps is told from one that is steep. Method: x' = -1e9 x from 1 with 1e-9, for
// which 1 ns is a whole time constant: stiff; with the same rate for both methods and from 0.31, a
// jump of ten times the rate on the way (at 0.3, 33 ps later), and the same over half of the step.
static void jumps_are_told_from_steep_rates(void **state)
{
    static const struct {
        Steep steep;
        double from;
        bool jumps;
    } cases[] = {{{0, 1}, 1, false}, {{1e10, 1e-9}, 0.31, true}, {{1e10, 2}, 0.31, false}};
    (void)state;
    for (int i = 0; i < 6; i++) {
        ib_Arena arena = {0};
        ib_SolverKind kind = i % 2 ? IB_ROSENBROCK : IB_DOPRI5;
        ib_Solver *solver = make_solver(kind, 1e-9, 1, &arena);
        ib_System system = {1, steep_rate, NULL, &cases[i / 2].steep};
        ib_SolverCounts counts = {0};
        ib_Error error;
        double x = cases[i / 2].from, next, h_next = 0, taken;
        assert_int_equal(ib_solver_step_controlled(solver, &system, 1, &h_next, &x, &next, &taken,
                                                   &counts, &error),
                         IB_FAILED);
        assert_int_equal(ib_solver_jumps(solver), cases[i / 2].jumps);
        assert_int_equal(strstr(error.text, "jumps") != NULL, cases[i / 2].jumps);
        ib_arena_reset(&arena);
    }
}

// Goal: the error that a refusal names is the one that the step has. Method: x' = -1e9 x from 1;
// with a tolerance that many times as large, 1 ns is accepted a tenth above it and refused a tenth
// below it (two digits are named, 5 %).
static void named_error_is_the_step_s(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        ib_Arena arena = {0};
        ib_SolverKind kind = i ? IB_ROSENBROCK : IB_DOPRI5;
        ib_Solver *strict = make_solver(kind, 1e-9, 1, &arena);
        ib_System system = {1, steep_rate, NULL, &(Steep){0, 1}};
        ib_SolverCounts counts = {0};
        ib_Error error;
        double x = 1, next, h_next = 0, taken;
        ib_solver_step_controlled(strict, &system, 1, &h_next, &x, &next, &taken, &counts, &error);
        const char *named = strstr(error.text, "s, has ");
        assert_non_null(named);
        double tolerance = 1e-9 * strtod(named + strlen("s, has "), NULL);
        for (int k = 0; k < 2; k++) {
            ib_Solver *solver = make_solver(kind, 1e-9, 1, &arena);
            ib_solver_set_tolerance(solver, (k ? 0.9 : 1.1) * tolerance);
            h_next = 1e-9;
            assert_int_equal(ib_solver_step_controlled(solver, &system, 1, &h_next, &x, &next,
                                                       &taken, &counts, &error),
                             k ? IB_FAILED : IB_OK);
        }
        ib_arena_reset(&arena);
    }
}

static void root_rate(const void *context, double t, const double *x, double *dx)
{
    (void)context;
    (void)t;
    dx[0] = -1000 * x[0] * sqrt(x[0]); // NaN for a negative x
}

static void fenced_rate(const void *context, double t, const double *x, double *dx)
{
    (void)context;
    (void)t;
    dx[0] = x[0] > 0.1 ? NAN : 1;
}

// Goal: after a rejection the step does not grow at once. Method: x' = 1 up to a fence at 0.1: a
// wish of 0.3 is rejected, a fifth of it is accepted without any error, and is wished again.
static void step_does_not_grow_right_after_a_rejection(void **state)
{
    ib_Arena arena = {0};
    ib_Solver *solver = make_solver(IB_DOPRI5, 1e-6, 1, &arena);
    ib_System system = {1, fenced_rate, NULL, NULL};
    ib_SolverCounts counts = {0};
    double x = 0, next, h_next = 0.3, taken;

    (void)state;
    assert_int_equal(
        ib_solver_step_controlled(solver, &system, 1, &h_next, &x, &next, &taken, &counts, NULL),
        IB_OK);
    assert_int_equal(counts.rejected, 1);
    assert_near(taken, 0.06, 1e-15);
    assert_true(h_next == taken);
    ib_arena_reset(&arena);
}

// Goal: an attempt that is not finite is retried shorter, and counted. Method: x' = -1000 x^1.5, in
// which a first wish of 1 s makes a stage negative; exact: x = (1 + 500 t)^-2.
static void non_finite_attempt_is_retried_and_counted(void **state)
{
    ib_Arena arena = {0};
    ib_Solver *solver = make_solver(IB_DOPRI5, 1e-9, 1, &arena);
    ib_System system = {1, root_rate, NULL, NULL};
    ib_SolverCounts counts = {0};
    double x = 1, next, h_next = 1, taken;

    (void)state;
    assert_int_equal(
        ib_solver_step_controlled(solver, &system, 1, &h_next, &x, &next, &taken, &counts, NULL),
        IB_OK);
    assert_true(counts.non_finite >= 1 && counts.rejected >= counts.non_finite);
    assert_int_equal(counts.steps, 1);
    assert_int_equal(counts.evaluations, 1 + 6 * (1 + counts.rejected));
    assert_near(next, pow(1 + 500 * taken, -2), 2e-9);
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_is_proportional_to_the_tolerance),
        cmocka_unit_test(restarted_run_has_the_same_bits),
        cmocka_unit_test(accepted_step_is_the_methods_own),
        cmocka_unit_test(steps_are_cut_without_slivers),
        cmocka_unit_test(accepted_steps_are_whole_quanta),
        cmocka_unit_test(vanishing_step_fails_with_the_reason),
        cmocka_unit_test(jumps_are_told_from_steep_rates),
        cmocka_unit_test(named_error_is_the_step_s),
        cmocka_unit_test(step_does_not_grow_right_after_a_rejection),
        cmocka_unit_test(non_finite_attempt_is_retried_and_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
