// Claims about src/design/response.c, by responses that have closed forms.
#include "cmocka_all.h"
#include "design/response.h"

#include <math.h>

enum { COUNT = 30001 };

static const double step = 1e-4;
static double t[COUNT], x[COUNT];

// From `start` to `goal` as s(t) = 1 - e^(-t/T).
static void fill_first_order(double start, double goal, double T)
{
    for (int i = 0; i < COUNT; i++) {
        t[i] = i * step;
        x[i] = start + (goal - start) * (1 - exp(-t[i] / T));
    }
}

// Goal: a first-order response has the figures of the textbook, whatever its size and direction.
// Method: s = 1 - e^(-t/T): rise T ln 9, settling T ln 50, no overshoot, error at the end the mean
// of e^(-t/T) over the last tenth. Straight lines between samples are off by (dt/T)^2 / 8 = 1e-7.
static void first_order_rises_in_ln_9(void **state)
{
    (void)state;
    const double T = 0.1, size[] = {1, -250}, start[] = {0, 30};
    for (int k = 0; k < 2; k++) {
        fill_first_order(start[k], start[k] + size[k], T);
        ib_Response found = ib_response_find(COUNT, t, x, start[k] + size[k]);
        assert_close(found.rise, T * log(9), 1e-6 * T);
        assert_close(found.settling, T * log(50), 1e-6 * T);
        assert_close(found.overshoot, 0, 0);
        assert_close(found.peak, fabs(size[k]), 1e-12 * fabs(size[k]));
        assert_close(found.error, 0, 1e-10 * fabs(size[k]));
    }
}

// Goal: overshoot, rise and settling of a swinging response. Method: the closed form with the
// damping 0.5 and the frequency 10 rad/s; overshoot e^(-pi d / sqrt(1 - d^2)), the times by
// bisection of that form in Python. Samples miss the peak by at most (w dt)^2 / 8 = 1.3e-7.
static void second_order_overshoots_by_its_damping(void **state)
{
    (void)state;
    const double d = 0.5, w = 10, root = sqrt(1 - d * d), pi = 3.141592653589793;
    for (int i = 0; i < COUNT; i++) {
        t[i] = i * step;
        double angle = w * root * t[i];
        x[i] = 5 - 2 * (1 - exp(-d * w * t[i]) * (cos(angle) + d / root * sin(angle)));
    }
    ib_Response found = ib_response_find(COUNT, t, x, 3);
    assert_close(found.overshoot, exp(-pi * d / root), 1e-6);
    assert_close(found.rise, 0.1637572947328348, 1e-6);
    assert_close(found.settling, 0.8076348973928, 1e-6);
}

// Goal: what did not arrive says so. Method: a response cut at a third of its way, one that ends
// outside of the band, and one without a way to go.
static void what_did_not_arrive_has_no_figures(void **state)
{
    (void)state;
    fill_first_order(0, 1, 1);
    ib_Response third = ib_response_find(4056, t, x, 1); // 1 - e^-0.4055 = 1/3
    assert_true(isnan(third.rise) && isnan(third.overshoot) && isinf(third.settling));
    ib_Response late = ib_response_find(COUNT, t, x, 1); // e^-3 = 5 % are left
    assert_close(late.rise, log(9), 1e-6);
    assert_true(isinf(late.settling) && isnan(late.overshoot));
    // The mean of e^-t over 2.7 to 3, by its integral; trapezium against mean of samples: dt / 2.
    assert_close(late.error, (exp(-2.7) - exp(-3)) / 0.3, 1e-5);
    ib_Response still = ib_response_find(COUNT, t, x, 0);
    assert_true(isnan(still.rise) && isnan(still.overshoot) && isnan(still.settling));
    assert_close(still.peak, 1 - exp(-3), 1e-12);
}

// Goal: the share of the time at a limit is counted, at both of them. Method: by hand.
static void time_at_a_limit_is_counted(void **state)
{
    (void)state;
    const double u[] = {12, 12, 3, -12, 0, 11.999, 12, -3};
    assert_close(ib_response_saturated(8, u, -12, 12), 0.5, 0);
    assert_close(ib_response_saturated(8, u, -INFINITY, 12), 0.375, 0);
    assert_close(ib_response_saturated(8, u, -INFINITY, INFINITY), 0, 0);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_order_rises_in_ln_9),
        cmocka_unit_test(second_order_overshoots_by_its_damping),
        cmocka_unit_test(what_did_not_arrive_has_no_figures),
        cmocka_unit_test(time_at_a_limit_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
