// A sensor of a test rig by itself: lag, codes, noise, filter, its memory, its units.
#include "cmocka_all.h"
#include "sensor/sensor_rig.h"
#include "sensor/transducer.h"

#include <stdio.h>
#include <string.h>

enum { STREAM = 99, STATES = 1 + 18 };

static const double psi = 6894.757293168361; // [Pa]

// With these settings over this range; noise and bias are differences, as in a file.
static ib_SensorConfig made(const char *unit, const Setting *settings, double low, double high)
{
    ib_SensorConfig config;
    const char *key;
    ib_Error error = {0};
    char step[16];
    snprintf(step, sizeof step, "delta %s", unit);
    assert_int_equal(rig_sensor("transducer", unit, NULL, &config, &key), IB_OK);
    config.low = low;
    config.high = high;
    ib_Param rows[RIG_ROWS];
    ib_Schema schema = {.params = rows, .count = config.kind->params.count};
    for (int i = 0; i < schema.count; i++) {
        rows[i] = config.kind->params.params[i];
        if (ib_sensor_has_signals_unit(&rows[i])) rows[i].unit = step;
    }
    put_settings(&schema, settings, &config);
    if (ib_sensor_check(&config, unit, &key, &error) != IB_OK) fail_msg("%s: %s", key, error.text);
    assert_int_equal(ib_sensor_states(&config), STATES);
    return config;
}

// Goal: without faults it shows the truth, to the bit. Method: the defaults.
static void without_faults_it_shows_the_truth(void **unused)
{
    (void)unused;
    const Setting none[] = {{NULL, NULL}};
    ib_SensorConfig config = made("Pa", none, -INFINITY, INFINITY);
    double state[STATES];
    ib_sensor_reset(&config, &(double){101325.7}, state);
    assert_true(state[0] == 101325.7);
    ib_sensor_update(&config, 1, STREAM, 0, &(double){0.3}, state);
    assert_true(state[0] == 0.3);
}

// Goal: after a jump the element follows as 1 - exp(-t/tau). Method: tau = 10 ms, a jump between
// the samples 0 and 1 is taken for a ramp of T = 1 ms, so that exactly, t from sample 1 on,
//   1 - x = exp(-t/tau) (1 - exp(-T/tau)) tau/T
// and within T/(2 tau) = 5 % of the jump's own curve.
static void lag_follows_a_jump(void **unused)
{
    (void)unused;
    const Setting settings[] = {{"lag", "10 ms"}, {NULL, NULL}};
    ib_SensorConfig config = made("N", settings, -INFINITY, INFINITY);
    double state[STATES], share = (1 - exp(-0.1)) / 0.1;
    ib_sensor_reset(&config, &(double){0}, state);
    ib_sensor_update(&config, 1, STREAM, 0, &(double){0}, state);
    for (int i = 1; i < 100; i++) {
        double t = 1e-3 * (i - 1);
        ib_sensor_update(&config, 1, STREAM, i, &(double){1}, state);
        assert_close(state[0], 1 - share * exp(-t / 0.01), 1e-13);
        assert_close(state[0], 1 - exp(-t / 0.01), 0.05);
    }
}

// Goal: a converter is off by half a step at most and cut at its codes. Method: 12 bits over 0 to
// 150 psi, 36.6 mpsi a step; a pressure from -10 to 160 psi.
static void converter_rounds_to_its_codes(void **unused)
{
    (void)unused;
    const Setting settings[] = {{"bits", "12"}, {NULL, NULL}};
    ib_SensorConfig config = made("Pa", settings, 0, 150 * psi);
    double state[STATES], q = 150 * psi / 4096, worst = 0;
    ib_sensor_reset(&config, &(double){0}, state);
    for (int i = 0; i < 17000; i++) {
        double truth = (i * 0.01 - 10) * psi;
        ib_sensor_update(&config, 1, STREAM, i, &truth, state);
        assert_close(state[0] / q, rint(state[0] / q), 1e-9);
        if (truth < 0) assert_true(state[0] == 0);
        if (truth > 150 * psi) assert_close(state[0], 4095 * q, 1e-9);
        if (truth >= 0 && truth <= 4095 * q) worst = fmax(worst, fabs(state[0] - truth));
    }
    assert_true(worst <= q / 2 * (1 + 1e-9) && worst > 0.49 * q);
}

// Goal: noise, bias and scale act before the converter, and a filter takes most of the noise away.
// Method: 40000 samples of a force with sd = 5 steps: mean scale y + bias, variance that of the
// noise and q^2/12, within 4 standard errors. Behind a Butterworth filter of order 2 at a hundredth
// of the rate the variance of white noise is (2/rate) pi/(2 sqrt(2)) fc of it, the noise bandwidth
// of the continuous filter; 40 s of 11 Hz are about 900 samples that do not depend on each other,
// so that the deviation is known to 2.4 %: within 4 times that.
static void noise_is_as_stated(void **unused)
{
    (void)unused;
    enum { COUNT = 40000 };
    const Setting raw[] = {
        {"bits", "10"}, {"noise", "2.5 N"}, {"bias", "3 N"}, {"scale", "1.02"}, {NULL, NULL}};
    const Setting smooth[] = {{"bits", "10"},
                              {"noise", "2.5 N"},
                              {"bias", "3 N"},
                              {"scale", "1.02"},
                              {"filter", "butterworth"},
                              {"order", "2"},
                              {"cutoff", "10 Hz"},
                              {NULL, NULL}};
    double q = 0.5, sd = sqrt(2.5 * 2.5 + q * q / 12), mean = 1.02 * 40 + 3;
    double part = sqrt(2.0 / 1000 * 10 * 3.14159265358979323846 / (2 * sqrt(2)));
    for (int k = 0; k < 2; k++) {
        ib_SensorConfig config = made("N", k ? smooth : raw, -256, 256);
        double state[STATES], sum = 0, squares = 0;
        ib_sensor_reset(&config, &(double){40}, state);
        for (int i = 0; i < COUNT; i++) {
            ib_sensor_update(&config, 7, STREAM, i, &(double){40}, state);
            sum += state[0] - mean;
            squares += (state[0] - mean) * (state[0] - mean);
        }
        assert_close(sum / COUNT, 0, 4 * sd / sqrt(COUNT));
        if (k)
            assert_close(sqrt(squares / COUNT), part * sd, 4 * 0.024 * part * sd);
        else
            assert_close(sqrt(squares / COUNT), sd, 4 * sd / sqrt(2.0 * COUNT));
    }
}

static const Setting rig_pressure[] = {
    {"lag", "2 ms"},          {"bits", "16"},        {"noise", "0.2 psi"},
    {"filter", "chebyshev2"}, {"pass", "5 Hz"},      {"stop", "7 Hz"},
    {"ripple", "1"},          {"attenuation", "40"}, {NULL, NULL}};

// Goal: it begins settled, behind its filter too. Method: all faults but noise on a pressure that
// stands at 74.3 psi: each sample is the first one, the nearest code.
static void it_begins_settled(void **unused)
{
    (void)unused;
    ib_SensorConfig config = made("Pa", rig_pressure, 0, 150 * psi);
    double state[STATES], q = 150 * psi / 65536, code = q * rint(74.3 * psi / q);
    config.noise = 0;
    ib_sensor_reset(&config, &(double){74.3 * psi}, state);
    assert_close(state[0], code, 1e-9);
    for (int i = 0; i < 100; i++) {
        ib_sensor_update(&config, 1, STREAM, i, &(double){74.3 * psi}, state);
        assert_close(state[0], code, 1e-9);
    }
}

// Goal: the filter runs at the sensor's own rate. Method: the pressure's filter loses 40 dB of 7
// Hz, whether it is read at 1 kHz or at 250 Hz.
static void filter_knows_the_period(void **unused)
{
    (void)unused;
    static const ib_Time periods[] = {1000000, 4000000};
    for (int k = 0; k < 2; k++) {
        const Setting settings[] = {{"filter", "chebyshev2"}, {"pass", "5 Hz"},
                                    {"stop", "7 Hz"},         {"ripple", "1"},
                                    {"attenuation", "40"},    {NULL, NULL}};
        ib_SensorConfig config = made("m", settings, -INFINITY, INFINITY);
        const char *key;
        ib_Error error;
        config.period = periods[k];
        assert_int_equal(ib_sensor_check(&config, "m", &key, &error), IB_OK);
        double state[STATES], most = 0, T = ib_time_to_seconds(config.period);
        ib_sensor_reset(&config, &(double){0}, state);
        for (int i = 0; i * T < 20; i++) {
            ib_sensor_update(&config, 1, STREAM, i, &(double){sin(6.283185307179586 * 7 * i * T)},
                             state);
            if (i * T > 10) most = fmax(most, fabs(state[0]));
        }
        assert_close(most, 0.01, 1e-4); // samples of a sine miss its top by 0.1 % at most
    }
}

// Goal: a copy of the state goes on alike to the bit, and a latency changes nothing but the time.
// Method: lag, noise, codes, filter; a copy at sample 500; one with 3 periods of latency.
static void restoring_keeps_the_bits(void **unused)
{
    (void)unused;
    ib_SensorConfig now = made("Pa", rig_pressure, 0, 150 * psi), late = now;
    late.latency = 3 * late.period;
    double a[STATES], b[STATES + 3], copy[STATES], seen[1000];
    ib_sensor_reset(&now, &(double){20 * psi}, a);
    ib_sensor_reset(&late, &(double){20 * psi}, b);
    for (int i = 0; i < 1000; i++) {
        double truth = (20 + 0.05 * i) * psi;
        ib_sensor_update(&now, 1, STREAM, i, &truth, a);
        ib_sensor_update(&late, 1, STREAM, i, &truth, b);
        seen[i] = a[0];
        if (i >= 3) assert_true(b[0] == seen[i - 3]);
        if (i > 500) ib_sensor_update(&now, 1, STREAM, i, &truth, copy);
        if (i == 500) memcpy(copy, a, sizeof copy);
    }
    assert_memory_equal(copy, a, sizeof a);
}

// Goal: what it shows does not depend on the unit in which a person writes. Method: one sensor in
// psi, one in Pa with the same numbers converted; a signal in m that is the pressure's over 1 Pa/m.
static void units_do_not_matter(void **unused)
{
    (void)unused;
    const Setting pascal[] = {{"noise", "1378.9514586336722 Pa"},
                              {"bits", "16"},
                              {"filter", "butterworth"},
                              {"order", "3"},
                              {"cutoff", "10 Hz"},
                              {NULL, NULL}};
    const Setting pounds[] = {{"noise", "0.2 psi"},      {"bits", "16"},
                              {"filter", "butterworth"}, {"order", "3"},
                              {"cutoff", "0.01 kHz"},    {NULL, NULL}};
    const Setting metres[] = {{"noise", "1378.9514586336722 m"},
                              {"bits", "16"},
                              {"filter", "butterworth"},
                              {"order", "3"},
                              {"cutoff", "10 Hz"},
                              {NULL, NULL}};
    ib_SensorConfig config[] = {made("Pa", pascal, 0, 150 * psi), made("Pa", pounds, 0, 150 * psi),
                                made("m", metres, 0, 150 * psi)};
    double state[3][STATES];
    for (int k = 0; k < 3; k++) ib_sensor_reset(&config[k], &(double){30 * psi}, state[k]);
    for (int i = 0; i < 500; i++) {
        double truth = (30 + 20 * sin(0.01 * i)) * psi;
        for (int k = 0; k < 3; k++) ib_sensor_update(&config[k], 1, STREAM, i, &truth, state[k]);
        assert_close(state[1][0], state[0][0], 1e-9);
        assert_true(state[2][0] == state[0][0]);
    }
}

// Goal: bits without a range, and a wrong filter, are refused by their keys. Method: each once.
static void wrong_keys_are_refused(void **unused)
{
    (void)unused;
    ib_SensorConfig config;
    const char *key;
    const Setting bits[] = {{"bits", "12"}, {NULL, NULL}};
    const Setting fast[] = {
        {"filter", "butterworth"}, {"order", "2"}, {"cutoff", "500 Hz"}, {NULL, NULL}};
    const Setting idle[] = {{"attenuation", "30"}, {NULL, NULL}};
    assert_int_equal(rig_sensor("transducer", "Pa", bits, &config, &key), IB_BAD_INPUT);
    assert_string_equal(key, "bits");
    assert_int_equal(rig_sensor("transducer", "Pa", fast, &config, &key), IB_BAD_INPUT);
    assert_string_equal(key, "cutoff");
    assert_int_equal(rig_sensor("transducer", "Pa", idle, &config, &key), IB_BAD_INPUT);
    assert_string_equal(key, "attenuation");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_faults_it_shows_the_truth),
        cmocka_unit_test(lag_follows_a_jump),
        cmocka_unit_test(converter_rounds_to_its_codes),
        cmocka_unit_test(noise_is_as_stated),
        cmocka_unit_test(it_begins_settled),
        cmocka_unit_test(filter_knows_the_period),
        cmocka_unit_test(restoring_keeps_the_bits),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(wrong_keys_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
