// test/control/test_odometry.c: where a robot is,
// against closed forms of its way and of its errors.
#include "cmocka_all.h"

#include "base/maths.h"
#include "control/odometry.h"

#include <string.h>

#define PI 3.14159265358979323846

static const ib_OdometryConfig by_sides = {.period = 5e-3, .half_track = 0.3};

// Drives a steady circle for `steps` periods: sides v -+ w W as distances, a gyro with its rate.
static void circle(const ib_OdometryConfig *config, double v, double w, int steps, double *x)
{
    ib_odometry_reset(0, 0, 0, x);
    for (int k = 0; k <= steps; k++) {
        double t = k * config->period;
        double side[2] = {(v - 0.3 * w) * t, (v + 0.3 * w) * t};
        ib_odometry_step(config, side, config->gyro == IB_ODOMETRY_BY_HEADING ? w * t : w, NULL, x);
    }
}

// Goal: a circle is exact, whatever the period. Method: v = 1 m/s, w = 0.5 rad/s for 8 s at 0.5 s a
// step, with each source of heading: x = sin(4)/0.5, y = (1 - cos(4))/0.5.
static void circles_are_exact(void **state)
{
    (void)state;
    static const ib_OdometryGyro gyros[3] = {IB_ODOMETRY_BY_SIDES, IB_ODOMETRY_BY_RATE,
                                             IB_ODOMETRY_BY_HEADING};
    for (int i = 0; i < 3; i++) {
        ib_OdometryConfig config = {.period = 0.5, .half_track = 0.3, .gyro = gyros[i]};
        double x[IB_ODOMETRY_STATES];
        circle(&config, 1, 0.5, 16, x);
        assert_close(x[IB_ODOMETRY_X], ib_sin(4) / 0.5, 1e-14); // a dozen roundings
        assert_close(x[IB_ODOMETRY_Y], (1 - ib_cos(4)) / 0.5, 1e-14);
        assert_close(x[IB_ODOMETRY_HEADING], 4, 1e-14);
        assert_close(x[IB_ODOMETRY_FORWARD], 1, 1e-14);
        assert_close(x[IB_ODOMETRY_YAW_RATE], 0.5, 1e-13);
    }
}

// Goal: errors of the sensors do what the closed form says. Method: one side 1 % too long (circle
// of the mean speed and of the false turn), and a gyro with a bias of 0.02 rad/s on a straight line
// (x = v sin(bt)/b, y = v (1 - cos(bt))/b).
static void sensor_errors_follow_closed_forms(void **state)
{
    (void)state;
    double x[IB_ODOMETRY_STATES];
    ib_odometry_reset(0, 0, 0, x);
    for (int k = 0; k <= 1000; k++) {
        double t = k * by_sides.period, side[2] = {t, 1.01 * t};
        ib_odometry_step(&by_sides, side, 0, NULL, x);
    }
    double w = 0.01 / 0.6, v = 1.005;
    assert_close(x[IB_ODOMETRY_X], v / w * ib_sin(5 * w), 1e-12); // 1000 roundings of terms ~ 5
    assert_close(x[IB_ODOMETRY_Y], v / w * (1 - ib_cos(5 * w)), 1e-12);

    ib_OdometryConfig config = by_sides;
    config.gyro = IB_ODOMETRY_BY_RATE;
    ib_odometry_reset(0, 0, 0, x);
    for (int k = 0; k <= 1000; k++) {
        double t = k * config.period, side[2] = {t, t};
        ib_odometry_step(&config, side, 0.02, NULL, x);
    }
    assert_close(x[IB_ODOMETRY_X], ib_sin(0.1) / 0.02, 1e-12);
    assert_close(x[IB_ODOMETRY_Y], (1 - ib_cos(0.1)) / 0.02, 1e-12);
}

// Goal: a bias that is there from the start is found while the robot stands. Method: 0.5 s of rest,
// then the line above: the end is that of a good gyro.
static void a_bias_is_found_at_rest(void **state)
{
    (void)state;
    ib_OdometryConfig config = by_sides;
    config.gyro = IB_ODOMETRY_BY_RATE;
    config.settle = 0.5;
    double x[IB_ODOMETRY_STATES];
    ib_odometry_reset(0, 0, 0, x);
    for (int k = 0; k <= 1100; k++) {
        double t = fmax(0, k * config.period - 0.5), side[2] = {t, t};
        ib_odometry_step(&config, side, 0.02, NULL, x);
        assert_int_equal(ib_odometry_settles(&config, x), k < 99);
    }
    assert_close(x[IB_ODOMETRY_BIAS], 0.02, 1e-15);
    assert_close(x[IB_ODOMETRY_X], 5, 1e-12);
    assert_close(x[IB_ODOMETRY_Y], 0, 1e-12);
}

// Drives v = 1 + cos t, w = sin(2 t) for 3 s with a measured speed and yaw rate; the place.
static void wavy(int steps, double *x)
{
    ib_OdometryConfig config = {
        .period = 3.0 / steps, .half_track = 0.3, .speeds = true, .gyro = IB_ODOMETRY_BY_RATE};
    ib_odometry_reset(0, 0, 0, x);
    for (int k = 0; k <= steps; k++) {
        double t = k * config.period, v = 1 + ib_cos(t), w = ib_sin(2 * t);
        double side[2] = {v - 0.3 * w, v + 0.3 * w};
        ib_odometry_step(&config, side, w, NULL, x);
    }
}

// Goal: of second order where speeds vary within a period. Method: halve the period twice; the
// error against a run with 64 times as many falls fourfold, +-10 %.
static void errors_fall_fourfold(void **state)
{
    (void)state;
    double fine[IB_ODOMETRY_STATES], x[IB_ODOMETRY_STATES], error[3];
    wavy(300 * 64, fine);
    for (int n = 0; n < 3; n++) {
        wavy(75 << n, x);
        double dx = x[IB_ODOMETRY_X] - fine[IB_ODOMETRY_X];
        double dy = x[IB_ODOMETRY_Y] - fine[IB_ODOMETRY_Y];
        error[n] = sqrt(dx * dx + dy * dy);
    }
    assert_in_range((int)(100 * error[0] / error[1]), 360, 440);
    assert_in_range((int)(100 * error[1] / error[2]), 360, 440);
}

// Goal: missed samples cost nothing once an encoder comes back, and no NaN comes out. Method: on a
// circle ten samples in a row are missed by all three sensors, and each is missed alone at times;
// the motion is steady, so that the end is exact.
static void missed_samples_are_made_up_for(void **state)
{
    (void)state;
    ib_OdometryConfig config = by_sides;
    config.gyro = IB_ODOMETRY_BY_RATE;
    double x[IB_ODOMETRY_STATES];
    ib_odometry_reset(0, 0, 0, x);
    for (int k = 0; k <= 1600; k++) {
        double t = k * config.period, side[2] = {(1 - 0.15) * t, (1 + 0.15) * t}, w = 0.5;
        if ((k > 100 && k < 111) || k % 7 == 3) side[0] = NAN;
        if ((k > 100 && k < 111) || k % 11 == 3) side[1] = INFINITY;
        if ((k > 100 && k < 111) || k % 13 == 3) w = -NAN;
        if (k % 101 == 57) side[0] = 1e300, w = 1e300;
        ib_odometry_step(&config, side, w, NULL, x);
        for (int i = 0; i < IB_ODOMETRY_STATES; i++) assert_true(isfinite(x[i]));
    }
    assert_close(x[IB_ODOMETRY_X], ib_sin(4) / 0.5, 1e-10);
    assert_close(x[IB_ODOMETRY_Y], (1 - ib_cos(4)) / 0.5, 1e-10);
    // A distance that jumps while it is missed counts all the same.
    ib_odometry_reset(0, 0, 0, x);
    for (int k = 0; k <= 200; k++) {
        double d = k < 80 ? 0 : fmin(1, 0.01 * (k - 80)), side[2] = {d, d};
        if (k > 90 && k < 150) side[0] = side[1] = NAN;
        ib_odometry_step(&config, side, 0, NULL, x);
    }
    assert_close(x[IB_ODOMETRY_X], 1, 1e-12);
}

// Falls back by a tenth of the sides' speed and drifts to the right with a twentieth of it.
static void slide(const void *self, const double rim[2], double yaw_rate, double dt, double v[2])
{
    (void)yaw_rate;
    (void)dt;
    assert_non_null(self);
    v[0] = 0.9 * 0.5 * (rim[0] + rim[1]);
    v[1] = -0.05 * 0.5 * (rim[0] + rim[1]);
}

// Goal: a robot that slides is where it slides to. Method: the circle above with a slide of
// constant share: the chord of a circle, turned and scaled by (0.9, -0.05).
static void a_slide_moves_the_robot(void **state)
{
    (void)state;
    ib_OdometryConfig config = by_sides;
    config.gyro = IB_ODOMETRY_BY_RATE;
    config.slide = slide;
    config.self = &config;
    double x[IB_ODOMETRY_STATES], s = ib_sin(4) / 0.5, c = (1 - ib_cos(4)) / 0.5;
    circle(&config, 1, 0.5, 1600, x);
    // It began at rest: the first period has half of both, 0.112 m/s 2.5 ms.
    assert_close(x[IB_ODOMETRY_X], 0.9 * s + 0.05 * c, 2.8e-4);
    assert_close(x[IB_ODOMETRY_Y], 0.9 * c - 0.05 * s, 2.8e-4);
    assert_close(x[IB_ODOMETRY_LEFT], -0.05, 1e-13);
}

// Goal: a heading with noise gives a calm yaw rate, without lag on a ramp. Method: 0.5 rad/s with
// 2 mrad, up and down from sample to sample: the plain difference would be 0.8 rad/s off. Without
// noise the ramp must be met once the filter has settled, 1 s being 30 of its time constants.
static void a_noisy_heading_is_calmed(void **state)
{
    (void)state;
    for (int noisy = 0; noisy < 2; noisy++) {
        ib_OdometryConfig config = by_sides;
        config.gyro = IB_ODOMETRY_BY_HEADING;
        config.calm = 0.03;
        double x[IB_ODOMETRY_STATES], side[2] = {0, 0}, worst = 0;
        ib_odometry_reset(0, 0, 0, x);
        for (int k = 0; k <= 400; k++) {
            double yaw = 0.5 * k * config.period + (noisy ? (k % 2 ? 2e-3 : -2e-3) : 0);
            ib_odometry_step(&config, side, yaw, NULL, x);
            if (k > 200) worst = fmax(worst, fabs(x[IB_ODOMETRY_YAW_RATE] - 0.5));
        }
        assert_true(worst < (noisy ? 0.02 : 1e-9));
        if (!noisy) assert_close(x[IB_ODOMETRY_HEADING], 1, 1e-9);
    }
}

static void bad_configs_are_refused(void **state)
{
    (void)state;
    ib_Error error;
    ib_OdometryConfig config = by_sides;
    assert_int_equal(ib_odometry_check(&config, &error), IB_OK);
    config.period = 0;
    assert_int_equal(ib_odometry_check(&config, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "period"));
    config = by_sides, config.half_track = NAN;
    assert_int_equal(ib_odometry_check(&config, &error), IB_BAD_INPUT);
    config = by_sides, config.filter = -1;
    assert_int_equal(ib_odometry_check(&config, &error), IB_BAD_INPUT);
    config = by_sides, config.settle = -1;
    assert_int_equal(ib_odometry_check(&config, &error), IB_BAD_INPUT);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circles_are_exact),
        cmocka_unit_test(sensor_errors_follow_closed_forms),
        cmocka_unit_test(a_bias_is_found_at_rest),
        cmocka_unit_test(errors_fall_fourfold),
        cmocka_unit_test(missed_samples_are_made_up_for),
        cmocka_unit_test(a_slide_moves_the_robot),
        cmocka_unit_test(a_noisy_heading_is_calmed),
        cmocka_unit_test(bad_configs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
