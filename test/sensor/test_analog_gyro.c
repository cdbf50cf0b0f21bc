// An analogue gyro by itself: volts by hand, codes, and what a wrong level shifter makes of them.
#include "cmocka_all.h"
#include "sensor/sensor_rig.h"

#include <string.h>

#define DEG (3.14159265358979323846 / 180)

static ib_SensorConfig make(const Setting *settings)
{
    ib_SensorConfig config;
    const char *key = NULL;
    if (rig_sensor("analog_gyro", "rad/s", settings, &config, &key) != IB_OK)
        fail_msg("refused: %s", key);
    return config;
}

// Goal: with the right wiring it shows the rate, to half a step, and no more than its volts can
// say. Method: 7 mV a deg/s, 2.5 V at rest, 5 V: 2.5/0.007 = 357.14 deg/s either way. A step of 12
// bits is 5 V/4096 of the gyro's, 0.17439 deg/s; the largest code is one step below the top. At
// rest the divider's 1.65 V is code 2048 exactly.
static void divider_shows_the_rate(void **unused)
{
    (void)unused;
    ib_SensorConfig config = make(NULL);
    double step = 5.0 / 4096 / 0.007 * DEG, most = 2.5 / 0.007 * DEG;
    assert_close(config.quantum, step, 1e-15);
    assert_close(rig_sample(&config, 0, 0), 0, 1e-14);
    for (int i = -3500; i <= 3500; i++)
        assert_close(rig_sample(&config, i + 3500, 0.1 * i * DEG), 0.1 * i * DEG,
                     step / 2 * (1 + 1e-12));
    assert_close(rig_sample(&config, 0, -10), -most, 1e-12);
    assert_close(rig_sample(&config, 0, 10), most - step, 1e-12);
}

// Goal: a wire into a port of 3.3 V shows left turns up to (3.3 - 2.5)/0.007 = 114.29 deg/s only.
// Method: without steps, so that what is below is exact.
static void a_wire_is_cut_at_the_ports_range(void **unused)
{
    (void)unused;
    const Setting wired[] = {{"shifter", "none"}, {"bits", "0"}, {NULL, NULL}};
    ib_SensorConfig config = make(wired);
    assert_close(config.quantum, 0, 0);
    assert_close(rig_sample(&config, 0, 114 * DEG), 114 * DEG, 1e-14);
    assert_close(rig_sample(&config, 0, 115 * DEG), 0.8 / 0.007 * DEG, 1e-14);
    assert_close(rig_sample(&config, 0, -300 * DEG), -300 * DEG, 1e-14);
    assert_close(rig_sample(&config, 0, -400 * DEG), -2.5 / 0.007 * DEG, 1e-14);
}

// What the program takes p volts at the port for, where it believes in 3.3/5.
static double believed(double p)
{
    return (p * 5 / 3.3 - 2.5) / 0.007 * DEG;
}

// Goal: a shifter for logic passes volts as they are below its threshold and pulls up those above.
// Method: without a band and without steps: 1.9 V below 2.2 V; 2.5 V at rest, pulled up by a diode
// to 3 V: 292 deg/s at rest; 2.9 V, pulled to the port's 3.3 V; with no diode, always to 3.3 V.
static void fet_passes_low_volts_and_pulls_up_high_ones(void **unused)
{
    (void)unused;
    Setting shifted[] = {
        {"shifter", "fet"}, {"band", "0 V"}, {"bits", "0"}, {NULL, NULL}, {NULL, NULL}};
    ib_SensorConfig config = make(shifted);
    double volt = 1 / 0.007 * DEG; // the rate that is worth one
    assert_close(rig_sample(&config, 0, -0.6 * volt), believed(1.9), 1e-12);
    assert_close(rig_sample(&config, 0, 0), believed(3), 1e-12);
    assert_close(rig_sample(&config, 0, 0), 292.2 * DEG, 0.05 * DEG);
    assert_close(rig_sample(&config, 0, 0.4 * volt), believed(3.3), 1e-12);
    shifted[3] = (Setting){"diode", "100 V"};
    config = make(shifted);
    assert_close(rig_sample(&config, 0, 0), believed(3.3), 1e-12);
    assert_close(rig_sample(&config, 0, -0.6 * volt), believed(1.9), 1e-12);
}

// Goal: near the threshold the same voltage is read in two ways, in shares that are known. Method:
// 2.2 V +- 0.5 V; 20 000 samples at 1.6, 1.8, 2.2, 2.5 and 2.8 V are pulled up in shares of 0, 0.1,
// 0.5, 0.8, 1, each within 4 sqrt(s (1 - s)/n); and each value is one of the two.
static void shares_in_the_band_are_even(void **unused)
{
    (void)unused;
    const Setting shifted[] = {{"shifter", "fet"}, {"bits", "0"}, {NULL, NULL}};
    ib_SensorConfig config = make(shifted);
    const double volts[] = {1.6, 1.8, 2.2, 2.5, 2.8}, shares[] = {0, 0.1, 0.5, 0.8, 1};
    enum { COUNT = 20000 };
    for (int k = 0; k < 5; k++) {
        double v = volts[k], low = believed(v), high = believed(fmin(3.3, v + 0.5));
        int up = 0;
        for (int i = 0; i < COUNT; i++) {
            double z = rig_sample(&config, i, (v - 2.5) / 0.007 * DEG);
            bool pulled = fabs(z - high) < 1e-9;
            assert_true(pulled || fabs(z - low) < 1e-9);
            up += pulled;
        }
        assert_close((double)up / COUNT, shares[k], 4 * sqrt(shares[k] * (1 - shares[k]) / COUNT));
    }
}

// Goal: what it shows is a function of seed and sample number, and its noise has its deviation.
// Method: the same samples again, to the bit, in another order; 0.02 rad/s without steps behind a
// divider, 20 000 samples, mean and deviation within 4 standard errors.
static void samples_are_a_function_of_seed_and_index(void **unused)
{
    (void)unused;
    const Setting shifted[] = {{"shifter", "fet"}, {"noise", "0.02 rad/s"}, {NULL, NULL}};
    const Setting noisy[] = {{"bits", "0"}, {"noise", "0.02 rad/s"}, {NULL, NULL}};
    ib_SensorConfig config = make(shifted);
    double first[100], sum = 0, squares = 0, root = sqrt(20000);
    for (int i = 0; i < 100; i++) first[i] = rig_sample(&config, i, 0);
    for (int i = 99; i >= 0; i--) assert_true(rig_sample(&config, i, 0) == first[i]);
    config = make(noisy);
    for (int i = 0; i < 20000; i++) {
        double z = rig_sample(&config, i, 0.5) - 0.5;
        sum += z;
        squares += z * z;
    }
    assert_close(sum / 20000, 0, 4 * 0.02 / root);
    assert_close(sqrt(squares / 20000), 0.02, 4 * 0.02 / root / sqrt(2));
}

static void assert_refused(const char *unit, const Setting *settings, const char *key)
{
    ib_SensorConfig config;
    const char *fault = NULL;
    assert_int_equal(rig_sensor("analog_gyro", unit, settings, &config, &fault), IB_BAD_INPUT);
    assert_string_equal(fault, key);
}

// Goal: what makes no gyro is refused by its key. Method: one thing wrong at a time.
static void impossible_wirings_are_refused(void **unused)
{
    (void)unused;
    const Setting high[] = {{"zero", "6 V"}, {NULL, NULL}};
    const Setting dead[] = {{"sensitivity", "0 V*s/rad"}, {NULL, NULL}};
    const Setting raised[] = {{"supply", "3 V"}, {NULL, NULL}};
    assert_refused("rad", NULL, "signal");
    assert_refused("rad/s", high, "zero");
    assert_refused("rad/s", dead, "sensitivity");
    assert_refused("rad/s", raised, "shifter");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(divider_shows_the_rate),
        cmocka_unit_test(a_wire_is_cut_at_the_ports_range),
        cmocka_unit_test(fet_passes_low_volts_and_pulls_up_high_ones),
        cmocka_unit_test(shares_in_the_band_are_even),
        cmocka_unit_test(samples_are_a_function_of_seed_and_index),
        cmocka_unit_test(impossible_wirings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
