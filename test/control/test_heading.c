// test/control/test_heading.c: a heading summed up from a rate gyro, against closed forms of the
// turn and of its errors.
#include "cmocka_all.h"

#include "base/maths.h"
#include "control/driving/heading.h"
#include "spread.h"

static const ib_HeadingMethod methods[2] = {IB_HEADING_SUM, IB_HEADING_TRAPEZOID};

// Sums up the rate at + b + c cos t, from 0 to `until`.
static double turn(ib_HeadingMethod method, int steps, double until, double a, double b, double c)
{
    ib_HeadingConfig config = {.period = until / steps, .method = method};
    double x[IB_HEADING_STATES];
    ib_heading_reset(0, x);
    for (int k = 0; k <= steps; k++) {
        double t = k * config.period;
        ib_heading_step(&config, a * t + b + c * ib_cos(t), NAN, x);
    }
    return x[IB_HEADING_ANGLE];
}

// Goal: a constant rate, such as a bias b, gives b t whatever the method and the period. Method:
// 0.02 rad/s for 10 s, at 5 and 500 ms.
static void a_bias_gives_an_angle_that_grows_with_time(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_close(turn(methods[i], 2000, 10, 0, 0.02, 0), 0.2, 1e-14); // 2000 roundings of 0.2
        assert_close(turn(methods[i], 20, 10, 0, 0.02, 0), 0.2, 1e-15);
    }
}

// Goal: where the rate is a ramp, the trapezoid is exact and the sum off by half a period of what
// the rate has changed. Method: 3 t + 1 for 2 s: 8 rad, and 8 + T/2 6 rad.
static void a_ramp_is_exact_by_the_trapezoid(void **state)
{
    (void)state;
    for (int steps = 4; steps <= 400; steps *= 10) {
        double T = 2.0 / steps;
        assert_close(turn(IB_HEADING_TRAPEZOID, steps, 2, 3, 1, 0), 8, 1e-13);
        assert_close(turn(IB_HEADING_SUM, steps, 2, 3, 1, 0), 8 + 3 * T, 1e-13);
    }
}

// Goal: the sum is of first order in the period, the trapezoid of second. Method: cos t for 2 s is
// sin 2; halve the period: the errors fall twofold and fourfold, +-1 % at 50 samples a radian.
static void orders_are_one_and_two(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        double coarse = turn(methods[i], 100, 2, 0, 0, 1) - ib_sin(2);
        double fine = turn(methods[i], 200, 2, 0, 0, 1) - ib_sin(2);
        assert_close(coarse / fine, i == 0 ? 2 : 4, 0.02 * (i + 1));
    }
}

// Goal: white noise of density N gives an angle that is off by N sqrt(t), for any period. Method:
// 500 seeds, samples of deviation N/sqrt(T), N = 0.003, 4 s at 5 and 20 ms: deviation over seeds
// 0.006 within 4 standard errors, 13 %.
static void noise_gives_an_angle_that_grows_with_the_root_of_time(void **state)
{
    (void)state;
    static const double periods[2] = {5e-3, 20e-3};
    for (int i = 0; i < 4; i++) {
        ib_HeadingConfig config = {.period = periods[i / 2], .method = methods[i % 2]};
        double squares = 0, sd = 0.003 / sqrt(config.period);
        for (uint64_t seed = 0; seed < 500; seed++) {
            double x[IB_HEADING_STATES];
            ib_heading_reset(0, x);
            for (int k = 0; k * config.period <= 4; k++)
                ib_heading_step(&config, sd * chance_normal(seed, 1, (uint64_t)k), NAN, x);
            squares += x[IB_HEADING_ANGLE] * x[IB_HEADING_ANGLE];
        }
        assert_close(sqrt(squares / 500), 0.006, 0.13 * 0.006);
    }
}

// Goal: a bias that is there from the start is found while the robot stands, also where samples are
// missed. Method: 0.02 rad/s, 0.5 s of rest, in which every third sample is missed, the first one
// too; then 1 rad/s more for 1 s, on a heading of 0.3 rad.
static void a_bias_is_found_at_rest(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        ib_HeadingConfig config = {.period = 5e-3, .method = methods[i], .settle = 0.5};
        double x[IB_HEADING_STATES];
        ib_heading_reset(0.3, x);
        for (int k = 0; k <= 300; k++) {
            double rate = k <= 100 ? 0.02 : 1.02;
            ib_heading_step(&config, k % 3 == 0 && k < 99 ? NAN : rate, NAN, x);
            assert_int_equal(ib_heading_settles(&config, x), k < 99);
            if (k <= 100) assert_close(x[IB_HEADING_ANGLE], 0.3, 1e-15);
        }
        assert_close(x[IB_HEADING_BIAS], 0.02, 1e-15);
        // The rate jumps between two samples: the trapezoid takes half a period of it.
        assert_close(x[IB_HEADING_ANGLE], 1.3 - (i == 0 ? 0 : 0.5 * 5e-3), 1e-12);
        assert_close(x[IB_HEADING_RATE], 1, 1e-15);
    }
}

// Goal: a missed rate is taken as the last one, and nothing that is no number stays. Method: a
// steady turn, of which samples are missing or absurd in turn: the end is exact.
static void missed_rates_are_taken_as_the_last(void **state)
{
    (void)state;
    static const double bad[4] = {NAN, INFINITY, -1e300, 1001};
    for (int i = 0; i < 2; i++) {
        ib_HeadingConfig config = {.period = 5e-3, .method = methods[i]};
        double x[IB_HEADING_STATES];
        ib_heading_reset(0, x);
        for (int k = 0; k <= 400; k++) {
            ib_heading_step(&config, k % 5 == 3 ? bad[k / 5 % 4] : 2, NAN, x);
            for (int j = 0; j < IB_HEADING_STATES; j++) assert_true(isfinite(x[j]));
        }
        assert_close(x[IB_HEADING_ANGLE], 4, 1e-13);
    }
}

// Goal: what it tells a caller is what it adds. Method: the turns of a wavy rate, summed up.
static void a_step_returns_the_turn(void **state)
{
    (void)state;
    ib_HeadingConfig config = {.period = 0.01};
    double x[IB_HEADING_STATES], sum = 1;
    ib_heading_reset(1, x);
    for (int k = 0; k < 100; k++) sum += ib_heading_step(&config, ib_sin(0.1 * k), NAN, x);
    assert_close(x[IB_HEADING_ANGLE], sum, 1e-15);
}

// Goal: what makes no summing is refused by its key. Method: one thing wrong at a time.
static void impossible_times_are_refused(void **state)
{
    (void)state;
    ib_Error error;
    assert_int_equal(ib_heading_check(&(ib_HeadingConfig){.period = 0.01}, &error), IB_OK);
    assert_int_equal(ib_heading_check(&(ib_HeadingConfig){0}, &error), IB_BAD_INPUT);
    assert_memory_equal(error.text, "period:", 7);
    assert_int_equal(ib_heading_check(&(ib_HeadingConfig){.period = 1, .settle = NAN}, &error),
                     IB_BAD_INPUT);
    assert_memory_equal(error.text, "settle:", 7);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bias_gives_an_angle_that_grows_with_time),
        cmocka_unit_test(a_ramp_is_exact_by_the_trapezoid),
        cmocka_unit_test(orders_are_one_and_two),
        cmocka_unit_test(noise_gives_an_angle_that_grows_with_the_root_of_time),
        cmocka_unit_test(a_bias_is_found_at_rest),
        cmocka_unit_test(missed_rates_are_taken_as_the_last),
        cmocka_unit_test(a_step_returns_the_turn),
        cmocka_unit_test(impossible_times_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
