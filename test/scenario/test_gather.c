// Loops that integrate a sensor of another period: every sample counts, and counts once.
#include "scenario/run_rig.h"

#include <math.h>

static double square_of(const char *signal, const char *text, int seed)
{
    Run run;
    open_run(&run, "%s\nrun: {duration: 1 s, seed: %d}\n", text, seed);
    go(&run, 1);
    double y = see(&run, signal);
    close_run(&run);
    return y * y;
}

// The deviation of a signal after 1 s, over seeds. That of n draws is off by 1/sqrt(2 n) of itself
// as a standard deviation; 3.5 of these happen once in 2000.
static void assert_deviation(const char *signal, const char *text, int seeds, double expected)
{
    double squares = 0;
    for (int i = 0; i < seeds; i++) squares += square_of(signal, text, 100 + i);
    double measured = sqrt(squares / seeds), most = 3.5 / sqrt(2.0 * seeds);
    if (!(fabs(measured / expected - 1) <= most))
        fail_msg("%s: %g of %g expected, for %s", signal, measured, expected, text);
}

static void assert_heading_deviation(const char *gyro, const char *loop, double expected)
{
    char text[400];
    snprintf(text, sizeof text,
             "robot: {kind: box, sensors: {gyro: {kind: gyro, noise_density: 1 rad/s, %s}}}\n"
             "control: {hd: {kind: heading, period: 20 ms%s}}",
             gyro, loop);
    assert_deviation("control.hd.heading", text, IB_ROUNDS(120, 20), expected);
}

// Goal: the heading's noise is what the gyro's density N promises, whatever the periods. Method: a
// body at rest for t = 1 s, so that it is N sqrt(t) = 1 rad, with a gyro faster than the loop, as
// fast, slower, and of no whole ratio; by both methods. Of samples of which a part p is lost the
// one before stands for each: runs of k samples with the chance (1 - p) p^(k - 1), whose squares
// add up to N^2 t (1 + p)/(1 - p).
static void noise_of_a_heading_is_that_of_the_density(void **state)
{
    (void)state;
    static const char *const periods[] = {"1 ms", "5 ms", "7 ms", "20 ms", "50 ms"};
    for (int i = 0; i < 5; i++) {
        char gyro[40];
        snprintf(gyro, sizeof gyro, "period: %s", periods[i]);
        assert_heading_deviation(gyro, "", 1);
    }
    assert_heading_deviation("period: 1 ms", ", method: sum", 1);
    assert_heading_deviation("period: 2 ms, loss: 0.3", "", sqrt(1.3 / 0.7));
}

// Goal: the bias is found from every sample, too. Method: t_s = 0.5 s of rest, then t = 0.5 s: the
// bias is off by N/sqrt(t_s), and the heading by N sqrt(t + t^2/t_s) = 1 rad.
static void noise_of_a_bias_is_that_of_the_density(void **state)
{
    (void)state;
    assert_heading_deviation("period: 1 ms, bias: 3 rad/s", ", settle: 0.51 s",
                             sqrt(0.49 + 0.49 * 0.49 / 0.5));
}

// Goal: odometry, routines and followers sum up every sample as well. Method: a tank that stands,
// holds its place, drives 10 cm; the heading by odometry, less the true one, is N sqrt(t) = 0.01.
static void every_base_gathers_its_gyro(void **state)
{
    (void)state;
#define TANK(loop)                                                                                 \
    "robot: {kind: tank, wheels: {model: rolling}, sensors: {gyro: {kind: gyro, noise_density: "   \
    "0.01 rad/s, period: 1 ms}}}\n"                                                                \
    "control: {a: {" loop "}}\n"
    static const char signal[] = "control.a.odometry.heading_error";
    int seeds = IB_ROUNDS(25, 3);
    assert_deviation(signal, TANK("kind: odometry, period: 20 ms") "inputs: {throttle: 0, turn: 0}",
                     seeds, 0.01);
    assert_deviation(signal, TANK("routine: [{hold: 1 s}], period: 20 ms"), seeds, 0.01);
    assert_deviation(signal,
                     TANK("path: [line 10 cm], period: 20 ms, sensors: [drive.left.speed, "
                          "drive.right.speed, gyro]"),
                     seeds, 0.01);
}

// Goal: speeds of rims are summed up likewise. Method: a tank that stands; the speed of each side's
// wheels, of 0.1 m radius, with the noise s = 1 rad/s in samples of h = 1 ms: either way is off by
// 0.1 m s sqrt(h t), their mean by that over sqrt(2).
static void odometry_gathers_its_speeds(void **state)
{
    (void)state;
    assert_deviation(
        "control.a.x",
        "robot: {kind: tank, wheels: {model: rolling}, drive: {wheel_diameter: 20 cm}, sensors: {\n"
        "  left: {signal: wheel.left.speed, noise: 1 rad/s, period: 1 ms},\n"
        "  right: {signal: wheel.right.speed, noise: 1 rad/s, period: 1 ms},\n"
        "  gyro: {kind: gyro, period: 20 ms}}}\n"
        "control: {a: {kind: odometry, sensors: [left, right, gyro], period: 20 ms}}\n"
        "inputs: {throttle: 0, turn: 0}",
        IB_ROUNDS(25, 3), 0.1 * sqrt(1e-3 / 2));
}

// A body that two forces turn, faster and faster.
static void open_ramp(Run *run, const char *period, const char *method)
{
    open_run(run,
             "robot: {kind: box, mu: 0, sensors: {gyro: {kind: gyro, period: %s}}}\n"
             "control: {hd: {kind: heading, period: 20 ms, method: %s}}\n"
             "disturbances:\n"
             "  - {force: 30 mN, direction: 90 deg, point: [0.1 m, 0 m]}\n"
             "  - {force: 30 mN, direction: -90 deg, point: [-0.1 m, 0 m]}\n"
             "run: {duration: 1 s}\n",
             period, method);
}

// Goal: a turn that gets faster is summed up exactly, and nothing is counted twice. Method: two
// forces turn a body, whose rate is a ramp a t: the trapezoid over samples is exact up to the
// newest sample, h before the tick, and a (t - h) h is added for the rest. The sum is ahead by half
// a sample, a t/2 times 1 ms. The forces keep their direction while the body turns by 1e-3 rad, so
// that a falls by 5e-7 of itself: 1e-5 is allowed.
static void a_ramp_is_gathered_exactly(void **state)
{
    (void)state;
    static const struct {
        const char *period, *method;
        double h, sample; ///< [s]
    } rows[] = {{"1 ms", "trapezoid", 0, 0},
                {"7 ms", "trapezoid", 4e-3, 0},
                {"50 ms", "trapezoid", 0, 0},
                {"60 ms", "trapezoid", 20e-3, 0},
                {"1 ms", "sum", 0, 1e-3}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Run run;
        double t = 0.2, h = rows[i].h;
        open_ramp(&run, rows[i].period, rows[i].method);
        go(&run, t + 1e-3);
        double a = see(&run, "velocity.heading") / (t + 1e-3);
        double expected =
            0.5 * a * (t - h) * (t - h) + a * (t - h) * h + 0.5 * a * t * rows[i].sample;
        assert_true(a > 0.01);
        assert_close(see(&run, "control.hd.heading"), expected, 1e-5 * expected);
        close_run(&run);
    }
}

// Goal: the rate that a loop sees of a faster gyro is that of now. Method: the same ramp a t, whose
// mean over a period of 20 ms is a (t - 10 ms), 5 % less at t = 0.2 s; 1e-5 is allowed, as above.
static void a_rate_is_that_of_the_tick(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"1 ms", "trapezoid"}, {"1 ms", "sum"}, {"10 ms", "trapezoid"}, {"10 ms", "sum"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Run run;
        open_ramp(&run, rows[i][0], rows[i][1]);
        go(&run, 0.201);
        double expected = see(&run, "velocity.heading") * 0.2 / 0.201;
        assert_close(see(&run, "control.hd.rate"), expected, 1e-5 * expected);
        close_run(&run);
    }
}

static double turned_with(const char *period)
{
    Run run;
    open_run(&run,
             "robot: {kind: roomba, sensors: {gyro: {kind: gyro, period: %s}}}\n"
             "control: {routine: [{turn: 90 deg}], period: 20 ms}\n"
             "run: {duration: 3 s}\n",
             period);
    go(&run, 3);
    double heading = see(&run, "pose.heading");
    close_run(&run);
    return heading;
}

// Goal: a base that coasts turns no worse with a faster gyro. Method: a Roomba turns by 90 deg, by
// gyros without noise of 20 ms, the loop's period, and of less: at most 0.2 deg more are left, a
// tenth of what is near enough. By the mean rate of a period it is taken to stand while it turns
// back, and 0.7 deg more are left.
static void a_faster_gyro_turns_as_far(void **state)
{
    (void)state;
    static const char *const periods[] = {"1 ms", "5 ms", "10 ms"};
    double degree = M_PI / 180, goal = 90 * degree, left = fabs(goal - turned_with("20 ms"));
    for (int i = 0; i < 3; i++)
        assert_true(fabs(goal - turned_with(periods[i])) <= left + 0.2 * degree);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_of_a_heading_is_that_of_the_density),
        cmocka_unit_test(noise_of_a_bias_is_that_of_the_density),
        cmocka_unit_test(every_base_gathers_its_gyro),
        cmocka_unit_test(odometry_gathers_its_speeds),
        cmocka_unit_test(a_ramp_is_gathered_exactly),
        cmocka_unit_test(a_rate_is_that_of_the_tick),
        cmocka_unit_test(a_faster_gyro_turns_as_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
