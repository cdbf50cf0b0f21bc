// A sampled measurement by itself; in a run: test/sim/test_disturbance.c.
#include "cmocka_all.h"
#include "sensor/sensor_rig.h"

#include <string.h>

static ib_SensorConfig perfect(void)
{
    return (ib_SensorConfig){.name = "s",
                             .signal = "y",
                             .scale = 1,
                             .low = -INFINITY,
                             .high = INFINITY,
                             .period = 1000000};
}

// Goal: the range cuts, has the same bits everywhere, and hides nothing. Method: values beyond both
// ends, a zero with a sign at an end that is zero, and a NaN.
static void range_cuts_without_hiding(void **unused)
{
    (void)unused;
    ib_SensorConfig config = perfect();
    config.low = 0;
    config.high = 2;
    static const double truth[] = {-1, 1, 3}, seen[] = {0, 1, 2};
    double state[1];
    for (int i = 0; i < 3; i++) {
        ib_sensor_update(&config, 1, 1, i, &(double){truth[i]}, state);
        assert_close(state[0], seen[i], 0);
    }
    ib_sensor_update(&config, 1, 1, 0, &(double){NAN}, state);
    assert_true(isnan(state[0]));
    config.quantum = 0.25;
    ib_sensor_update(&config, 1, 1, 0, &(double){-0.1}, state);
    assert_true(state[0] == 0 && signbit(state[0])); // rounded to -0, which is not below 0
}

// Goal: samples arrive in order after the latency. Method: three on their way, the numbers 1, 2, …
static void samples_arrive_after_the_latency(void **unused)
{
    (void)unused;
    ib_SensorConfig config = perfect();
    config.latency = 3 * config.period;
    double state[4];
    assert_int_equal(ib_sensor_states(&config), 4);
    ib_sensor_reset(&config, &(double){0}, state);
    for (int i = 1; i <= 10; i++) {
        ib_sensor_update(&config, 1, 1, i, &(double){i}, state);
        assert_close(state[0], i > 3 ? i - 3 : 0, 0);
    }
}

// Goal: a quantum rounds to the nearest multiple. Method: on either side of the middle of a step.
static void quantum_rounds_to_the_nearest(void **unused)
{
    (void)unused;
    ib_SensorConfig config = perfect();
    config.quantum = 0.25;
    double state[1];
    ib_sensor_update(&config, 1, 1, 0, &(double){0.374}, state);
    assert_close(state[0], 0.25, 0);
    ib_sensor_update(&config, 1, 1, 0, &(double){-0.376}, state);
    assert_close(state[0], -0.5, 0);
}

// Goal: every kind's defaults can be read and mean no fault, and it says what it is. Method: each
// table into an empty config.
static void each_kind_has_defaults_that_can_be_read(void **unused)
{
    (void)unused;
    for (int i = 0; ib_sensor_kinds[i]; i++) {
        const ib_SensorKind *kind = ib_sensor_kinds[i];
        ib_SensorConfig config = {.noise = 9, .bias = 9};
        ib_Error error;
        if (ib_sensor_default(kind, &config, &error) != IB_OK)
            fail_msg("%s: %s", kind->name, error.text);
        assert_true(kind->sentence && kind->shows &&
                    (kind->all ? kind->sample != NULL : kind->update != NULL));
        assert_ptr_equal(ib_sensor_kind_find(kind->name), kind);
        for (int k = 0; k < kind->params.count; k++) {
            const char *key = kind->params.params[k].key;
            if (strcmp(key, "noise") == 0) assert_close(config.noise, 0, 0);
            if (strcmp(key, "bias") == 0) assert_close(config.bias, 0, 0);
        }
    }
    assert_null(ib_sensor_kind_find("nose"));
}

// Goal: a kind without a reset begins with a sample without noise. Method: the plain kind, with
// every fault it can have.
static void without_a_reset_it_begins_with_a_quiet_sample(void **unused)
{
    (void)unused;
    ib_SensorConfig config = perfect();
    config.scale = 2;
    config.bias = 0.5;
    config.noise = 100;
    config.spread = 50;
    config.latency = 2 * config.period;
    double state[3];
    assert_null(ib_sensor_kind(&config)->reset);
    ib_sensor_reset(&config, &(double){3}, state);
    for (int i = 0; i < 3; i++) assert_close(state[i], 6.5, 0);
}

// Goal: a spread is a bound, and even within it. Method: 20000 samples with 3 cm: none is beyond,
// the farthest are within 0.1 % of it, mean and deviation are 0 and 3 cm/sqrt(3) within five of
// their own deviations, which are sd/sqrt(n) and, of a flat law, sd sqrt((9/5 - 1)/(4 n)).
static void a_spread_is_a_bound(void **unused)
{
    (void)unused;
    enum { COUNT = 20000 };
    ib_SensorConfig config;
    const char *key;
    double sum = 0, squares = 0, low = 9, high = -9, sd = 0.03 / sqrt(3);
    const Setting settings[] = {{"spread", "3 cm"}, {NULL, NULL}};
    assert_int_equal(rig_sensor("sampled", "m", settings, &config, &key), IB_OK);
    for (int i = 0; i < COUNT; i++) {
        double error = rig_sample(&config, i, 2) - 2;
        sum += error;
        squares += error * error;
        low = fmin(low, error);
        high = fmax(high, error);
    }
    assert_true(low >= -0.03 - 1e-15 && low < -0.03 * 0.999);
    assert_true(high <= 0.03 + 1e-15 && high > 0.03 * 0.999);
    assert_close(sum / COUNT, 0, 5 * sd / sqrt(COUNT));
    assert_close(sqrt(squares / COUNT), sd, 5 * sd * sqrt(0.8 / (4.0 * COUNT)));
}

// Goal: a message that is lost leaves what was seen, and nothing else is lost with it. Method: the
// truth is the number of the sample, which arrives a period late: each value is that of the sample
// before or one that was seen already. Of 20000 the lost ones are 5 % within five deviations of a
// binomial number; with `loss` 0 and 1 none and all are.
static void a_lost_sample_leaves_the_one_before(void **unused)
{
    (void)unused;
    enum { COUNT = 20000 };
    ib_SensorConfig config = perfect();
    double state[2], before = 0;
    int lost = 0;
    config.latency = config.period;
    config.loss = 0.05;
    ib_sensor_reset(&config, &(double){0}, state);
    for (int i = 1; i <= COUNT; i++) {
        ib_sensor_update(&config, 7, 3, i, &(double){i}, state);
        if (state[0] != i - 1) {
            assert_close(state[0], before, 0);
            lost++;
        }
        before = state[0];
    }
    assert_close(lost, 0.05 * COUNT, 5 * sqrt(COUNT * 0.05 * 0.95));
    config.loss = 1;
    ib_sensor_reset(&config, &(double){4}, state);
    for (int i = 1; i < 9; i++) ib_sensor_update(&config, 7, 3, i, &(double){i}, state);
    assert_close(state[0], 4, 0);
}

// Goal: an encoder counts on while its messages are lost. Method: half of them are; the last one
// arrives, whichever that is, with all counts.
static void an_encoder_counts_on_while_messages_are_lost(void **unused)
{
    (void)unused;
    const Setting settings[] = {{"distance_per_count", "1 mm"}, {NULL, NULL}};
    ib_SensorConfig config;
    const char *key;
    double state[8];
    int seen = 0;
    assert_int_equal(rig_sensor("encoder", "m", settings, &config, &key), IB_OK);
    assert_in_range(ib_sensor_states(&config), 1, 8);
    config.loss = 0.5;
    ib_sensor_reset(&config, &(double){0}, state);
    for (int i = 1; i <= 100; i++) {
        double before = state[0], truth = 1e-3 * i + 1e-4;
        ib_sensor_update(&config, 7, 3, i, &truth, state);
        if (state[0] == before) continue;
        assert_close(state[0], 1e-3 * i, 1e-12);
        seen++;
    }
    assert_in_range(seen, 25, 75); // 50, and five deviations of 5
}

// Goal: keys in the unit of the signal take what a person writes for it, and a signal that a kind
// cannot measure is refused by its key. Method: a tap on a voltage, the plain kind on an angle, a
// gyro on a length.
static void keys_have_the_unit_of_the_signal(void **unused)
{
    (void)unused;
    const Setting noisy[] = {{"noise", "10 mV"}, {"scale", "2"}, {NULL, NULL}};
    const Setting stepped[] = {{"quantum", "90 deg"}, {"bias", "180 deg"}, {NULL, NULL}};
    ib_SensorConfig config;
    const char *key = NULL;
    assert_int_equal(rig_sensor("tap", "V", noisy, &config, &key), IB_OK);
    assert_close(config.noise, 0.01, 1e-17);
    assert_close(config.scale, 2, 0);
    assert_int_equal(rig_sensor("sampled", "rad", stepped, &config, &key), IB_OK);
    assert_close(rig_sample(&config, 0, 0.1), 3.141592653589793, 1e-15);
    assert_int_equal(rig_sensor("gyro", "m", NULL, &config, &key), IB_BAD_INPUT);
    assert_string_equal(key, "signal");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_has_defaults_that_can_be_read),
        cmocka_unit_test(without_a_reset_it_begins_with_a_quiet_sample),
        cmocka_unit_test(a_spread_is_a_bound),
        cmocka_unit_test(a_lost_sample_leaves_the_one_before),
        cmocka_unit_test(an_encoder_counts_on_while_messages_are_lost),
        cmocka_unit_test(keys_have_the_unit_of_the_signal),
        cmocka_unit_test(range_cuts_without_hiding),
        cmocka_unit_test(samples_arrive_after_the_latency),
        cmocka_unit_test(quantum_rounds_to_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
