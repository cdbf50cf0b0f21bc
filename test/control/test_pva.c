// Feedback of position, velocity, acceleration and pressure: its law by hand, sampled and
// continuous, its limits, its washout and its schedule. What it shares with others: test_servo.c
#include "cmocka_all.h"
#include "control/controller_rig.h"
#include "control/servo/pva.h"

#include <math.h>
#include <string.h>

extern const ib_ControllerKind ib_pva_kind, ib_pid_kind;

static double seen(const ControllerRig *rig, const char *name)
{
    for (int i = 0; i < rig->controller.ports.signal_count; i++)
        if (strcmp(rig->controller.ports.signals[i].name, name) == 0) return rig->signals[i];
    fail_msg("no signal %s", name);
    return NAN;
}

// Goal: the output is the sum of its shares, each of which is shown, and the integral's rate is
// ki e. Method: numbers by hand, continuous; a few roundings.
static void law_is_the_sum_of_its_shares(void **unused)
{
    (void)unused;
    const Setting settings[] = {{"kp", "2 V/m"},
                                {"ki", "3 V/(m*s)"},
                                {"kv", "5 V*s/m"},
                                {"ka", "0.5 V*s^2/m"},
                                {"kpressure", "0.01 V/Pa"},
                                {"pressures", "cap.pressure"},
                                {"pressures", "rod.pressure"},
                                {"offset", "5.25 V"},
                                {"feedforward.static", "0.1 V"},
                                {"feedforward.velocity", "4 V*s/m"},
                                {"period", "continuous"},
                                {NULL, NULL}};
    ControllerRig rig;
    rig_open(&rig, &ib_pva_kind, "m", "V", 100, settings);
    const double y[] = {0.75, 0.25, -2, 300, 100};
    double rate[2];
    rig.state[IB_PVA_INTEGRAL] = 0.5;
    double u = rig_law(&rig, 1.5, 0.125, y, rate);
    assert_close(seen(&rig, "proportional"), 2 * 0.75, 1e-14);
    assert_close(seen(&rig, "integral"), 0.5, 0);
    assert_close(seen(&rig, "velocity"), 5 * (0.125 - 0.25), 1e-14);
    assert_close(seen(&rig, "acceleration"), 0.5 * 2, 1e-14);
    assert_close(seen(&rig, "pressure"), -0.01 * 200, 1e-14);
    assert_close(seen(&rig, "feedforward"), 5.25 + 0.1 + 4 * 0.125, 1e-14);
    assert_close(u, 1.5 + 0.5 - 0.625 + 1 - 2 + 5.85, 1e-13);
    assert_close(seen(&rig, "output"), u, 0);
    assert_close(rate[IB_PVA_INTEGRAL], 3 * 0.75, 1e-14);
    assert_close(rate[IB_PVA_LOW_PASSED], 0, 0);
    rig_close(&rig);
}

// Goal: with ka = 0 and no pressures it is a PID, to a few roundings. Method: the same gains and
// a hundred samples of a sine through both, without saturation.
static void without_acceleration_it_is_a_pid(void **unused)
{
    (void)unused;
    const Setting pva[] = {{"kp", "2 V/m"},          {"ki", "3 V/(m*s)"}, {"kv", "0.5 V*s/m"},
                           {"filter_time", "20 ms"}, {"period", "10 ms"}, {NULL, NULL}};
    const Setting pid[] = {{"kp", "2 V/m"},          {"ki", "3 V/(m*s)"}, {"kd", "0.5 V*s/m"},
                           {"filter_time", "20 ms"}, {"period", "10 ms"}, {NULL, NULL}};
    ControllerRig one, other;
    assert_int_equal(rig_try_about(&one, &ib_pva_kind, "m", "V", 5, 1e6, pva), IB_OK);
    assert_int_equal(rig_try_about(&other, &ib_pid_kind, "m", "V", 5, 1e6, pid), IB_OK);
    for (int k = 0; k < 100; k++) {
        double x = sin(0.1 * k);
        assert_close(rig_step(&one, 1, x), rig_step(&other, 1, x), 1e-11);
    }
    rig_close(&one);
    rig_close(&other);
}

// Goal: at a limit the integral gives way: w - u -> Tt ki e, as docs/control/pva.md says, sampled
// and continuous. Method: e = 1 for ever, kp = 1, ki = 4, limits +-2, Tt = 0.5: w = kp e + I, so
// I -> 2 + 0.5 * 4 - 1 = 3, where the rate is zero.
static void integral_gives_way_to_a_limit(void **unused)
{
    (void)unused;
    const Setting sampled[] = {
        {"kp", "1 V/m"},         {"ki", "4 V/(m*s)"}, {"tracking_time", "0.5 s"},
        {"limits", "-2 V, 2 V"}, {"period", "10 ms"}, {NULL, NULL}};
    const Setting always[] = {
        {"kp", "1 V/m"},         {"ki", "4 V/(m*s)"},      {"tracking_time", "0.5 s"},
        {"limits", "-2 V, 2 V"}, {"period", "continuous"}, {NULL, NULL}};
    ControllerRig rig;
    rig_open(&rig, &ib_pva_kind, "m", "V", 12, sampled);
    for (int k = 0; k < 2000; k++) assert_true(rig_step(&rig, 1, 0) <= 2);
    assert_close(seen(&rig, "integral"), 3, 1e-9);
    rig_close(&rig);
    rig_open(&rig, &ib_pva_kind, "m", "V", 12, always);
    double rate[2];
    const double here = 0;
    rig.state[IB_PVA_INTEGRAL] = 3;
    assert_close(rig_law(&rig, 1, 0, &here, rate), 2, 0);
    assert_close(rate[IB_PVA_INTEGRAL], 0, 1e-14);
    rig.state[IB_PVA_INTEGRAL] = 0.5;
    rig_law(&rig, 1, 0, &here, rate);
    assert_close(rate[IB_PVA_INTEGRAL], 4, 0);
    rig_close(&rig);
}

// Goal: a pressure difference that lasts is forgotten with the time of the washout, one that comes
// acts at once. Method: 1 kPa from the second sample on: the share is -k (1 - l), l the discrete
// low-pass (T/(Tw + T))^k; at the start nothing acts.
static void washout_forgets_a_load(void **unused)
{
    (void)unused;
    const Setting settings[] = {{"kp", "1 V/m"},
                                {"kpressure", "0.002 V/Pa"},
                                {"pressures", "cap.pressure"},
                                {"pressures", "rod.pressure"},
                                {"pressure_washout", "190 ms"},
                                {"period", "10 ms"},
                                {NULL, NULL}};
    ControllerRig rig;
    rig_open(&rig, &ib_pva_kind, "m", "V", 1e6, settings);
    double y[] = {0, 700, 300}, left = 1000;
    rig_step_all(&rig, 0, 0, y);
    assert_close(seen(&rig, "pressure"), 0, 0);
    y[1] = 1700;
    for (int k = 0; k < 200; k++) {
        rig_step_all(&rig, 0, 0, y);
        assert_close(seen(&rig, "pressure"), -0.002 * left, 1e-12);
        left *= 0.19 / 0.2;
    }
    rig_close(&rig);
}

// Goal: gains follow their schedule, linear between rows, ends kept. Method: kp over x, kv over x
// as well, at five places.
static void gains_are_scheduled(void **unused)
{
    (void)unused;
    const Setting settings[] = {{"kp", "2 V/m"},
                                {"schedule.kp", "0 m 1, 1 m 3, 2 m 2"},
                                {"period", "continuous"},
                                {NULL, NULL}};
    const double places[] = {-1, 0.25, 1, 1.5, 9}, factors[] = {1, 1.5, 3, 2.5, 2};
    ControllerRig rig;
    rig_open(&rig, &ib_pva_kind, "m", "V", 1e6, settings);
    for (int i = 0; i < 5; i++) {
        double rate[2];
        assert_close(rig_law(&rig, places[i] + 0.5, 0, &places[i], rate), factors[i], 1e-14);
    }
    rig_close(&rig);
}

// Goal: loops without a gain, of gains that work against each other, and with a continuous integral
// that has no time to give way in, are refused by name. Method: one of each.
static void impossible_gains_are_refused(void **unused)
{
    (void)unused;
    const Setting nothing[] = {{NULL, NULL}};
    const Setting against[] = {{"kp", "1 V/m"}, {"ki", "-1 V/(m*s)"}, {NULL, NULL}};
    const Setting alone[] = {{"ki", "1 V/(m*s)"}, {"period", "continuous"}, {NULL, NULL}};
    const struct {
        const Setting *settings;
        const char *words;
    } cases[] = {{nothing, "it has no gain: expected kp, ki or kv, such as kp: 10 V/m"},
                 {against, "ki: kp is 1 and ki is -1"},
                 {alone, "'tracking_time' is missing"}};
    for (int i = 0; i < 3; i++) {
        ControllerRig rig;
        assert_int_equal(rig_try(&rig, &ib_pva_kind, "m", "V", 12, cases[i].settings),
                         IB_BAD_INPUT);
        if (!strstr(rig.error.text, cases[i].words)) fail_msg("%s", rig.error.text);
        rig_close(&rig);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(law_is_the_sum_of_its_shares),
        cmocka_unit_test(without_acceleration_it_is_a_pid),
        cmocka_unit_test(integral_gives_way_to_a_limit),
        cmocka_unit_test(washout_forgets_a_load),
        cmocka_unit_test(gains_are_scheduled),
        cmocka_unit_test(impossible_gains_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
