// Claims about src/sim/health/inexact_step.c: an adaptive solver that misses its tolerance by
// little goes on.
#include "sim/point.h"

#include <math.h>
#include <string.h>

// A speed under a force and a friction that grows up to a corner, per mass:
//   v' = push - friction min(v/corner, 1)
typedef struct Slider {
    double push, friction; // [m/s^2]
    double corner;         // [m/s]
} Slider;

static double slide(const void *of, double place, double speed)
{
    const Slider *slider = of;
    (void)place;
    return slider->push - slider->friction * fmin(speed / slider->corner, 1);
}

static PointRun run_slider(Slider slider, ib_SolverConfig solver, double duration)
{
    return run_point((Point){slide, &slider}, solver, duration);
}

// Goal: a corner that is passed within a nanosecond is passed, and counted. Method: 1e5 m/s^2
// against 7e3 up to 0.25 mm/s, as a piston of 2 g has it, whose time constant is 36 ns. Up to
// the corner v = push tau (1 - e^(-t/tau)), tau = corner/friction, and from there on v' is
// constant. A line through a corner is off by an eighth of the step times what the slope
// changes, and a method's stages by no more: h/8 friction h push/corner = 3.5e-7 m/s. Without a
// corner none is counted.
static void a_corner_is_passed_and_counted(void **unused)
{
    (void)unused;
    Slider slider = {1e5, 7e3, 2.5e-4}, smooth = {1e5, 7e3, 1e3};
    double tau = slider.corner / slider.friction;
    double met = -tau * log(1 - slider.corner / (slider.push * tau)), end = 1e-6;
    double speed = slider.corner + (slider.push - slider.friction) * (end - met);
    for (int i = 0; i < 2; i++) {
        ib_SolverConfig solver = {i ? IB_ROSENBROCK : IB_DOPRI5, 1e-9, 1e-9};
        PointRun out = run_slider(slider, solver, end);
        assert_int_equal(out.status, IB_OK);
        assert_true(out.inexact.count >= 1 && out.inexact.count < 10 && out.inexact.state == 1);
        assert_close(ib_time_to_seconds(out.inexact.first), met,
                     1.001e-9); // the one with the corner
        assert_true(out.inexact.ratio > 1);
        assert_true(out.inexact.ratio * solver.tolerance < 1e-5);
        double h = 1e-9, most = h / 8 * slider.friction * h * slider.push / slider.corner;
        assert_close(out.speed, speed, most);
        assert_int_equal(run_slider(smooth, solver, end).inexact.count, 0);
    }
}

// Goal: a step that would be wrong by much is refused. Method: dopri5 on a drag of 5 ns with a
// tolerance of 1e-14, where every nanosecond is above it until the speed of 5 mm/s is reached to
// 1e-14, after some 150 of them: borne. 1e12 m/s^2 on a drag of 0.4 ns: the first one's error is a
// tenth of the 400 m/s and more.
static void what_is_wrong_by_much_is_refused(void **unused)
{
    (void)unused;
    ib_SolverConfig solver = {IB_DOPRI5, 1e-14, 1e-9};
    PointRun borne = run_slider((Slider){1e6, 1e9, 5}, solver, 1e-6);
    assert_int_equal(borne.status, IB_OK);
    assert_true(borne.inexact.count > 10 && borne.inexact.count < 400);
    assert_close(borne.speed, 5e-3, 1e-12);
    PointRun refused = run_slider((Slider){1e12, 1e12, 400}, solver, 1e-6);
    assert_int_equal(refused.status, IB_FAILED);
    assert_int_equal(refused.time, 0);
    assert_non_null(strstr(refused.error.text, "at 0 s: dopri5: its shortest step, 1e-09 s, has "));
    assert_non_null(strstr(refused.error.text, "too stiff for it"));
}

// Goal: what is inexact for ever is refused after a thousand nanoseconds. Method: a friction that
// pushes, v' = v/100 ns + 1e5 m/s^2, at 1e-14: relative to 1 + v a nanosecond's error is the same
// for ever, once v is large beside 1 (after 240 ns): 0.01^5/600 (the first term that dopri5's two
// orders differ in has about that factor) is 1e-13. A thousand more, and the run ends.
static void what_is_inexact_for_ever_is_refused(void **unused)
{
    (void)unused;
    PointRun out =
        run_slider((Slider){1e5, -1e12, 1e5}, (ib_SolverConfig){IB_DOPRI5, 1e-14, 1e-9}, 1e-5);
    assert_int_equal(out.status, IB_FAILED);
    assert_true(out.time > 1e-6 && out.time < 1.7e-6);
    assert_int_equal(out.inexact.count, 1000);
    assert_non_null(strstr(out.error.text, "dopri5: its shortest step, 1e-09 s, has "));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_corner_is_passed_and_counted),
        cmocka_unit_test(what_is_wrong_by_much_is_refused),
        cmocka_unit_test(what_is_inexact_for_ever_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
