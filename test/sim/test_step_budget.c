// Claims about src/sim/health/step_budget.c: an adaptive solver that hardly gets on stops,
// and says what helps.
#include "sim/point.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A swing around 1 m with a damper:  x'' = -k (x - 1) - c x'.
typedef struct Swing {
    double stiffness, damping; // per mass [1/s^2, 1/s]
} Swing;

static double swing_back(const void *of, double place, double speed)
{
    const Swing *swing = of;
    return swing->stiffness * (1 - place) - swing->damping * speed;
}

// A second of the swing.
static PointRun run_swing(Swing swing, ib_SolverKind solver, double tolerance)
{
    return run_point((Point){swing_back, &swing}, (ib_SolverConfig){solver, tolerance, 1e-9}, 1);
}

// 300 000 tries, and those of the last step.
static const char *const told[] = {"hardly gets on: 3000", "ball.speed"};

// Goal: dopri5 does not step through a stiff problem for minutes, and rosenbrock does it, as
// advised. Method: a damper of 1e7/s, where a stable step of dopri5 is 3.3/c long: 300 000 of them
// are 99 ms. The swing itself creeps to 1 m within c/k = 0.1 s: 1 - exp(-10) after a second.
static void too_stiff_a_second_is_refused(void **unused)
{
    (void)unused;
    Swing swing = {1e8, 1e7};
    PointRun slow = run_swing(swing, IB_DOPRI5, 1e-9);
    printf("  %s\n", slow.error.text);
    assert_int_equal(slow.status, IB_FAILED);
    assert_true(slow.tries > 300000 && slow.tries < 300010);
    assert_true(slow.time > 0.05 && slow.time < 0.11);
    for (int i = 0; i < 2; i++) assert_non_null(strstr(slow.error.text, told[i]));
    assert_non_null(strstr(slow.error.text, "too stiff for it; try run.solver: rosenbrock"));

    PointRun quick = run_swing(swing, IB_ROSENBROCK, 1e-9);
    assert_int_equal(quick.status, IB_OK);
    assert_true(quick.tries < 2000);
    assert_close(quick.place, 1 - exp(-10), 1e-7); // a hundred tolerances
}

// Goal: rosenbrock does not try to follow what is too fast for its tolerance, either, and the one
// that it names helps. Method: 1.6 kHz without damping, x = 1 - cos 1e4 t, at 1e-13.
static void too_fast_a_second_is_refused(void **unused)
{
    (void)unused;
    Swing swing = {1e8, 0};
    PointRun slow = run_swing(swing, IB_ROSENBROCK, 1e-13);
    printf("  %s\n", slow.error.text);
    assert_int_equal(slow.status, IB_FAILED);
    assert_true(slow.tries > 300000 && slow.tries < 300010);
    for (int i = 0; i < 2; i++) assert_non_null(strstr(slow.error.text, told[i]));
    assert_null(strstr(slow.error.text, "run.solver"));
    const char *named = strstr(slow.error.text, "try run.tolerance: ");
    assert_non_null(named);
    double tolerance = strtod(named + strlen("try run.tolerance: "), NULL);
    assert_int_equal(run_swing(swing, IB_ROSENBROCK, tolerance).status, IB_OK);
}

// Goal: rosenbrock is not advised to dopri5 where it would not get on, either. Method: a
// swing of 160 kHz without damping, of which no method makes fewer than a few steps a period.
static void what_would_not_do_is_not_advised(void **unused)
{
    (void)unused;
    Swing swing = {1e12, 0};
    PointRun slow = run_swing(swing, IB_DOPRI5, 1e-9);
    printf("  %s\n", slow.error.text);
    assert_int_equal(slow.status, IB_FAILED);
    assert_non_null(strstr(slow.error.text, "too fast to be followed"));
    assert_null(strstr(slow.error.text, "try "));
    assert_non_null(strstr(slow.error.text, "nor run.solver: rosenbrock would do"));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_stiff_a_second_is_refused),
        cmocka_unit_test(too_fast_a_second_is_refused),
        cmocka_unit_test(what_would_not_do_is_not_advised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
