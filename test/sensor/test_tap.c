// An analogue input by itself: codes, ends of the range, the filter's closed forms, noise.
#include "cmocka_all.h"
#include "sensor/sensor.h"
#include "sensor/tap.h"

#include <string.h>

enum { STREAM = 99 };

static ib_TapConfig *own(ib_SensorConfig *config)
{
    return (void *)config->own;
}

static ib_SensorConfig perfect(void)
{
    return (ib_SensorConfig){.kind = ib_sensor_kind_find("tap"),
                             .name = "battery",
                             .signal = "battery.voltage",
                             .scale = 1,
                             .low = -INFINITY,
                             .high = INFINITY,
                             .period = 1000000};
}

// Goal: a converter shows one of 2^bits values, the nearest, and never leaves its range. Method: 10
// bits over [-2 V, 14 V], q = 1/64 V; a voltage that swings beyond both ends; at every tick half a
// step off at most, inside.
static void converter_shows_the_nearest_code(void **unused)
{
    (void)unused;
    ib_SensorConfig config = perfect();
    config.low = -2;
    config.high = 14;
    own(&config)->bits = 10;
    double state[8], q = 1.0 / 64;
    int ends[2] = {0};
    ib_sensor_reset(&config, &(double){6}, state);
    for (int i = 0; i < 10000; i++) {
        double truth = 6 + 10 * sin(0.003 * i);
        ib_sensor_update(&config, 1, STREAM, i, &truth, state);
        double code = (state[0] + 2) / q; // exact: powers of two
        assert_true(code == rint(code) && code >= 0 && code <= 1023);
        if (truth >= -2 && truth <= 14 - q) assert_close(state[0], truth, q / 2);
        ends[0] += truth < -2 && code == 0;
        ends[1] += truth > 14 && code == 1023;
    }
    assert_true(ends[0] > 500 && ends[1] > 500);
}

// Goal: without bits it shows the truth to the bit, cut at its range; more bits, smaller steps.
// Method: no bits; then 1 to 32 bits of pi in [0, 4], off by half of 4/2^bits at most.
static void bits_set_the_step(void **unused)
{
    (void)unused;
    ib_SensorConfig config = perfect();
    const double pi = 3.14159265358979323846;
    double state[8];
    ib_sensor_reset(&config, &pi, state);
    assert_true(state[0] == pi);
    config.low = 0;
    config.high = 4;
    ib_sensor_update(&config, 1, STREAM, 0, &(double){5}, state);
    assert_true(state[0] == 4);
    for (own(&config)->bits = 2; own(&config)->bits <= 32; own(&config)->bits++) {
        ib_sensor_update(&config, 1, STREAM, 0, &pi, state);
        assert_close(state[0], pi, 4 * pow(2, -own(&config)->bits) / 2);
    }
}

// Goal: the filter solves tau x' = u - x for straight lines exactly. Method: a ramp of 7 V/s from 3
// V: x = 3 + 7 (t - tau + tau exp(-t/tau)), for periods from a tenth to ten times tau; a constant.
// 1e-13: rounding of 200 steps.
static void filter_is_exact_for_a_ramp(void **unused)
{
    (void)unused;
    static const ib_Time periods[] = {100000, 1000000, 10000000};
    for (int k = 0; k < 3; k++) {
        ib_SensorConfig config = perfect();
        own(&config)->filter = 1e-3;
        config.period = periods[k];
        double ramp[8], constant[8];
        ib_sensor_reset(&config, &(double){3}, ramp);
        ib_sensor_reset(&config, &(double){3}, constant);
        for (int i = 0; i < 200; i++) {
            double t = ib_time_to_seconds(i * periods[k]);
            ib_sensor_update(&config, 1, STREAM, i, &(double){3 + 7 * t}, ramp);
            ib_sensor_update(&config, 1, STREAM, i, &(double){3}, constant);
            assert_close(ramp[0], 3 + 7 * (t - 1e-3 + 1e-3 * exp(-t / 1e-3)), 1e-13);
            assert_close(constant[0], 3, 1e-14);
        }
    }
}

// Goal: a ripple is weakened by 1/sqrt(1 + (w tau)^2). Method: w tau = 3 and w T = 0.1, once it has
// settled; straight lines between samples cost (w T)^2/12 = 0.08 %, so 0.2 %.
static void filter_weakens_a_ripple(void **unused)
{
    (void)unused;
    ib_SensorConfig config = perfect();
    double w = 100, most = 0, state[8]; // [rad/s]
    own(&config)->filter = 0.03;
    ib_sensor_reset(&config, &(double){0}, state);
    for (int i = 0; i < 1000; i++) {
        ib_sensor_update(&config, 1, STREAM, i, &(double){sin(w * 1e-3 * i)}, state);
        if (i > 500) most = fmax(most, fabs(state[0]));
    }
    assert_close(most, 1 / sqrt(10), 0.002 / sqrt(10));
}

// Goal: noise comes before the converter, offset and scale as stated. Method: 20 000 samples with a
// deviation of 3 steps: the variance is that of the noise and q^2/12 of the rounding; the mean is
// 1.1 * 2 + 0.3; within 4 standard errors.
static void noise_is_converted_too(void **unused)
{
    (void)unused;
    ib_SensorConfig config = perfect();
    config.low = -8;
    config.high = 8;
    own(&config)->bits = 8;
    config.scale = 1.1;
    config.bias = 0.3;
    double q = 16.0 / 256, sum = 0, squares = 0, state[8];
    config.noise = 3 * q;
    double sd = sqrt(9 * q * q + q * q / 12), root = sqrt(20000);
    ib_sensor_reset(&config, &(double){2}, state);
    for (int i = 0; i < 20000; i++) {
        ib_sensor_update(&config, 1, STREAM, i, &(double){2}, state);
        sum += state[0];
        squares += (state[0] - 2.5) * (state[0] - 2.5);
        assert_true(state[0] >= -8 && state[0] <= 8 - q);
    }
    assert_close(sum / 20000, 2.5, 4 * sd / root);
    assert_close(sqrt(squares / 20000), sd, 4 * sd / root / sqrt(2));
}

// Goal: a value comes after its latency, and a copy of the state goes on alike to the bit. Method:
// a filtered, noisy tap of 4 periods' latency beside one without.
static void latency_and_restoring_keep_the_value(void **unused)
{
    (void)unused;
    ib_SensorConfig now = perfect(), late;
    own(&now)->filter = 2e-3;
    now.noise = 0.1;
    late = now;
    late.latency = 4 * late.period;
    double a[8], b[8], copy[8], seen[100];
    assert_int_equal(ib_sensor_states(&late), 7);
    ib_sensor_reset(&now, &(double){1}, a);
    ib_sensor_reset(&late, &(double){1}, b);
    for (int i = 0; i < 100; i++) {
        ib_sensor_update(&now, 1, STREAM, i, &(double){i}, a);
        ib_sensor_update(&late, 1, STREAM, i, &(double){i}, b);
        seen[i] = a[0];
        assert_true(b[0] == (i < 4 ? 1 : seen[i - 4]));
        if (i == 50) memcpy(copy, b, sizeof copy);
        if (i > 50) ib_sensor_update(&late, 1, STREAM, i, &(double){i}, copy);
    }
    assert_memory_equal(copy, b, 7 * sizeof *b);
}

// Goal: bits need a range. Method: with none, with half of one, with both ends.
static void bits_without_a_range_are_refused(void **unused)
{
    (void)unused;
    ib_SensorConfig config = perfect();
    const char *key;
    ib_Error error = {0};
    assert_int_equal(ib_sensor_check(&config, "A", &key, &error), IB_OK);
    own(&config)->bits = 12;
    assert_int_equal(ib_sensor_check(&config, "A", &key, &error), IB_BAD_INPUT);
    assert_string_equal(key, "bits");
    config.low = 0;
    assert_int_equal(ib_sensor_check(&config, "A", &key, &error), IB_BAD_INPUT);
    config.high = 1;
    assert_int_equal(ib_sensor_check(&config, "A", &key, &error), IB_OK);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(converter_shows_the_nearest_code),
        cmocka_unit_test(bits_set_the_step),
        cmocka_unit_test(filter_is_exact_for_a_ramp),
        cmocka_unit_test(filter_weakens_a_ripple),
        cmocka_unit_test(noise_is_converted_too),
        cmocka_unit_test(latency_and_restoring_keep_the_value),
        cmocka_unit_test(bits_without_a_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
