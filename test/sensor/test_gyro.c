// A gyro by itself: its noise by statistics with closed forms, its limits at every tick.
#include "cmocka_all.h"
#include "sensor/gyro.h"
#include "sensor/sensor.h"

#include <string.h>

enum { STREAM = 4711, COUNT = 1 << 16 };

static ib_GyroConfig *own(ib_SensorConfig *config)
{
    return (void *)config->own;
}

static ib_SensorConfig perfect(void)
{
    return (ib_SensorConfig){.kind = ib_sensor_kind_find("gyro"),
                             .name = "gyro",
                             .signal = "velocity.heading",
                             .scale = 1,
                             .low = -INFINITY,
                             .high = INFINITY,
                             .period = 5000000};
}

static double shown[COUNT]; ///< what a gyro at rest showed last

// A gyro that stands still: samples 0 .. count - 1 into `shown`.
static void rest(const ib_SensorConfig *config, uint64_t seed, int count)
{
    double state[8];
    ib_sensor_reset(config, &(double){0}, state);
    for (int i = 0; i < count; i++) {
        ib_sensor_update(config, seed, STREAM, i, &(double){0}, state);
        shown[i] = state[0];
    }
}

// Goal: without faults it shows the truth; scale, bias, steps and range act in this order, at every
// tick, whatever noise and drift do. Method: a rate that swings beyond the range, in quarters; the
// perfect one to the bit.
static void limits_hold_at_every_tick(void **unused)
{
    (void)unused;
    ib_SensorConfig good = perfect(), bad = perfect();
    bad.scale = 1.5;
    bad.bias = 0.25;
    bad.noise = 0.5;
    own(&bad)->drift = 0.5;
    bad.quantum = 0.25;
    bad.low = -4;
    bad.high = 5;
    double a[8], b[8];
    int at_low = 0, at_high = 0;
    ib_sensor_reset(&good, &(double){0}, a);
    ib_sensor_reset(&bad, &(double){0}, b);
    for (int i = 0; i < 20000; i++) {
        double truth = 4 * sin(0.001 * i);
        ib_sensor_update(&good, 1, STREAM, i, &truth, a);
        ib_sensor_update(&bad, 1, STREAM, i, &truth, b);
        assert_true(a[0] == truth);
        assert_true(b[0] >= -4 && b[0] <= 5 && 4 * b[0] == rint(4 * b[0]));
        at_low += b[0] == -4;
        at_high += b[0] == 5;
    }
    assert_true(at_low > 1000 && at_high > 1000); // it did saturate
    bad.noise = own(&bad)->drift = 0;
    ib_sensor_reset(&bad, &(double){1}, b);
    assert_true(b[0] == 1.75); // 1.5 * 1 + 0.25
}

// Goal: the noise of a sample has mean 0, its deviation, and no memory. Method: 65536 samples of
// 0.02 rad/s; mean, deviation and correlation with the 1 to 8 samples before, each within 4
// standard errors: sd/sqrt(n), sd/sqrt(2 n), 1/sqrt(n).
static void noise_is_white(void **unused)
{
    (void)unused;
    ib_SensorConfig config = perfect();
    config.noise = 0.02;
    rest(&config, 3, COUNT);
    double sum = 0, squares = 0, root = sqrt(COUNT);
    for (int i = 0; i < COUNT; i++) sum += shown[i];
    for (int i = 0; i < COUNT; i++) squares += shown[i] * shown[i];
    assert_close(sum / COUNT, 0, 4 * 0.02 / root);
    assert_close(sqrt(squares / COUNT), 0.02, 4 * 0.02 / root / sqrt(2));
    for (int lag = 1; lag <= 8; lag++) {
        double product = 0;
        for (int i = lag; i < COUNT; i++) product += shown[i] * shown[i - lag];
        assert_close(product / squares, 0, 4 / root);
    }
}

// Goal: a density means the same for every period: the angle summed up is off by N sqrt(t). Method:
// 500 seeds, 1 s of samples every 2, 5 and 20 ms, N = 0.003; the deviation over seeds within 4
// standard errors, 4/sqrt(1000) = 13 %.
static void density_gives_the_same_angle_for_any_period(void **unused)
{
    (void)unused;
    static const ib_Time periods[] = {2000000, 5000000, 20000000};
    for (int k = 0; k < 3; k++) {
        ib_SensorConfig config = perfect();
        own(&config)->noise_density = 0.003;
        config.period = periods[k];
        double squares = 0, T = ib_time_to_seconds(periods[k]);
        for (uint64_t seed = 0; seed < 500; seed++) {
            double angle = 0;
            int count = (int)(IB_SECOND / periods[k]);
            rest(&config, seed, count);
            for (int i = 0; i < count; i++) angle += T * shown[i];
            squares += angle * angle;
        }
        assert_close(sqrt(squares / 500), 0.003, 0.13 * 0.003);
    }
}

// Goal: the bias wanders as K sqrt(t), from 0 at the start, with a mean of 0. Method: 500 seeds, K
// = 0.01, at 1 s and 4 s; deviations of 0.01 and 0.02 within 13 % (4 standard errors), means within
// 4/sqrt(500) of them.
static void drift_grows_with_the_root_of_time(void **unused)
{
    (void)unused;
    ib_SensorConfig config = perfect();
    own(&config)->drift = 0.01;
    double mean[2] = {0}, squares[2] = {0};
    for (uint64_t seed = 0; seed < 500; seed++) {
        rest(&config, seed, 801);
        assert_true(shown[0] == 0);
        for (int k = 0; k < 2; k++) {
            double b = shown[k ? 800 : 200];
            mean[k] += b / 500;
            squares[k] += b * b / 500;
        }
    }
    for (int k = 0; k < 2; k++) {
        double sd = k ? 0.02 : 0.01;
        assert_close(sqrt(squares[k]), sd, 0.13 * sd);
        assert_close(mean[k], 0, 4 / sqrt(500) * sd);
    }
}

// Half the mean square of the difference of neighbouring means over m samples each.
static double allan_variance(int m)
{
    double sum = 0, before = 0;
    int groups = COUNT / m;
    for (int g = 0; g < groups; g++) {
        double mean = 0;
        for (int i = 0; i < m; i++) mean += shown[g * m + i] / m;
        if (g > 0) sum += (mean - before) * (mean - before) / 2;
        before = mean;
    }
    return sum / (groups - 1);
}

// Goal: noise and drift together have the Allan variance that a data sheet draws: N^2/tau, then
// K^2 tau/3. Method: for m samples, tau = m T, it is exactly
//   N^2/tau + K^2 T (2 m^2 + 1)/(6 m);
// 65536 samples, m = 1 to 256; bound 4 sqrt(3 m/65536) relative (the variance of a mean of squares
// with correlated neighbours).
static void allan_variance_has_its_closed_form(void **unused)
{
    (void)unused;
    ib_SensorConfig config = perfect();
    double N = 0.003, K = 0.02, T = 0.005;
    own(&config)->noise_density = N;
    own(&config)->drift = K;
    rest(&config, 8, COUNT);
    for (int m = 1; m <= 256; m *= 2) {
        double expected = N * N / (m * T) + K * K * T * (2.0 * m * m + 1) / (6.0 * m);
        assert_close(allan_variance(m) / expected, 1, 4 * sqrt(3.0 * m / COUNT));
    }
}

// Goal: the noise is a function of seed and sample number; the drift is restored with the state.
// Method: the same run again to the bit, another seed, and a copy of the state taken in the middle,
// with a latency of two periods.
static void noise_is_a_function_of_seed_and_index(void **unused)
{
    (void)unused;
    ib_SensorConfig config = perfect();
    config.noise = 0.1;
    own(&config)->drift = 0.1;
    config.latency = 2 * config.period;
    double state[8], copy[8], first[200];
    rest(&config, 5, 200);
    memcpy(first, shown, sizeof first);
    rest(&config, 6, 200);
    assert_true(memcmp(first, shown, sizeof first) != 0);
    ib_sensor_reset(&config, &(double){0}, state);
    assert_int_equal(ib_sensor_states(&config), 4);
    for (int i = 0; i < 200; i++) {
        ib_sensor_update(&config, 5, STREAM, i, &(double){0}, state);
        assert_true(state[0] == first[i]);
        assert_true(i >= 2 || state[0] == 0);
        if (i == 100) memcpy(copy, state, sizeof copy);
        if (i > 100) ib_sensor_update(&config, 5, STREAM, i, &(double){0}, copy);
    }
    assert_memory_equal(copy, state, 4 * sizeof *copy);
}

// Goal: it measures angular velocities, and its noise is given once. Method: each refusal.
static void wrong_keys_are_refused(void **unused)
{
    (void)unused;
    ib_SensorConfig config = perfect();
    const char *key;
    ib_Error error = {0};
    assert_int_equal(ib_sensor_check(&config, "rad/s", &key, &error), IB_OK);
    assert_int_equal(ib_sensor_check(&config, "m/s", &key, &error), IB_BAD_INPUT);
    assert_string_equal(key, "signal");
    config.noise = own(&config)->noise_density = 1;
    assert_int_equal(ib_sensor_check(&config, "rad/s", &key, &error), IB_BAD_INPUT);
    assert_string_equal(key, "noise_density");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_hold_at_every_tick),
        cmocka_unit_test(noise_is_white),
        cmocka_unit_test(density_gives_the_same_angle_for_any_period),
        cmocka_unit_test(drift_grows_with_the_root_of_time),
        cmocka_unit_test(allan_variance_has_its_closed_form),
        cmocka_unit_test(noise_is_a_function_of_seed_and_index),
        cmocka_unit_test(wrong_keys_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
