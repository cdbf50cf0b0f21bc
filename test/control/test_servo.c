// What kinds pva, sliding_mode and impedance share: velocity and acceleration by differences or as
// they are measured, the way to a goal that steps, samples that are missing, what is refused.
#include "cmocka_all.h"
#include "control/controller_rig.h"
#include "control/servo/servo.h"

#include <math.h>
#include <string.h>

extern const ib_ControllerKind ib_pva_kind;

static int signal_of(const ControllerRig *rig, const char *name)
{
    for (int i = 0; i < rig->controller.ports.signal_count; i++)
        if (strcmp(rig->controller.ports.signals[i].name, name) == 0) return i;
    fail_msg("no signal %s", name);
    return -1;
}

// Goal: without sensors for them, v and a are filtered differences of x. Method: x = t^2 sampled
// every 0.1 s, kv = ka = 1: unfiltered v_k = (x_k - x_(k-1))/T = T (2 k - 1) and a = 2 from the
// third sample on; with Tf = T each is the mean of itself and the one before, written out.
static void differences_are_filtered(void **unused)
{
    (void)unused;
    const double T = 0.1;
    for (int filtered = 0; filtered < 2; filtered++) {
        const Setting settings[] = {{"kp", "1 V/m"},
                                    {"kv", "1 V*s/m"},
                                    {"ka", "1 V*s^2/m"},
                                    {"period", "100 ms"},
                                    {"filter_time", filtered ? "100 ms" : "0 s"},
                                    {NULL, NULL}};
        ControllerRig rig;
        rig_open(&rig, &ib_pva_kind, "m", "V", 1e9, settings);
        double x = 0, v = 0, a = 0;
        for (int k = 0; k < 6; k++) {
            double now = (k * T) * (k * T), before = v;
            double speed = (now - x) / T;
            if (k >= 1) v = filtered ? (v + speed) / 2 : speed;
            double change = (v - before) / T;
            if (k >= 2) a = filtered ? (a + change) / 2 : change;
            x = now;
            rig_step(&rig, 0, now);
            assert_close(rig.signals[signal_of(&rig, "velocity")], -v, 1e-12);
            assert_close(rig.signals[signal_of(&rig, "acceleration")], -a, 1e-11);
            if (!filtered && k >= 2) assert_close(a, 2, 1e-11);
        }
        rig_close(&rig);
    }
}

// Goal: a sample that is missing changes nothing, and the next difference is taken over the time
// that has passed. Method: x = 3 t with the third of five samples missing: v stays 3.
static void missing_samples_take_their_time(void **unused)
{
    (void)unused;
    const Setting settings[] = {{"kp", "1 V/m"},
                                {"ki", "1 V/(m*s)"},
                                {"kv", "1 V*s/m"},
                                {"period", "100 ms"},
                                {NULL, NULL}};
    ControllerRig rig;
    rig_open(&rig, &ib_pva_kind, "m", "V", 1e9, settings);
    double before = 0, integral = 0;
    for (int k = 0; k < 5; k++) {
        double u = rig_step(&rig, 0, k == 2 ? NAN : 0.3 * k);
        if (k == 2) assert_close(u, before + 0.1 * -0.3, 1e-14); // the integral of the last error
        if (k >= 1) assert_close(rig.signals[signal_of(&rig, "velocity")], -3, 1e-12);
        if (k == 3) integral = rig.signals[signal_of(&rig, "integral")];
        before = u;
    }
    assert_close(integral, 0.1 * -0.3, 1e-14); // not one of the sample that was missing
    rig_close(&rig);
}

// Goal: the way to a goal that steps is that of a critically damped system, from where the plant
// was found, with its velocity and acceleration. Method: from 1 to 3 with tau = 0.2 s:
// r = 3 - 2 (1 + t/tau) e^(-t/tau), r' = 2 t/tau^2 e^(-t/tau), r" = 2 (1 - t/tau)/tau^2 e^(-t/tau);
// exact but for rounding, whatever the period.
static void reference_is_critically_damped(void **unused)
{
    (void)unused;
    const double tau = 0.2;
    const Setting settings[] = {{"kp", "1 V/m"},
                                {"reference_time", "200 ms"},
                                {"feedforward.velocity", "1 V*s/m"},
                                {"feedforward.acceleration", "1 V*s^2/m"},
                                {"period", "50 ms"},
                                {NULL, NULL}};
    ControllerRig rig;
    rig_open(&rig, &ib_pva_kind, "m", "V", 1e9, settings);
    for (int k = 0; k < 30; k++) {
        double t = 0.05 * k, fade = exp(-t / tau);
        rig_step(&rig, 3, 1);
        double rate = 2 * t / (tau * tau) * fade, bend = 2 * (1 - t / tau) / (tau * tau) * fade;
        assert_close(rig.signals[signal_of(&rig, "reference")], 3 - 2 * (1 + t / tau) * fade,
                     1e-13);
        if (k > 0) assert_close(rig.signals[signal_of(&rig, "feedforward")], rate + bend, 1e-11);
    }
    rig_close(&rig);
}

// Goal: a continuous loop takes the signals beside the position's, or those that are named, and its
// reference has two states. Method: the names of its measurements; rates by hand.
static void a_continuous_loop_measures_signals(void **unused)
{
    (void)unused;
    const Setting settings[] = {{"kp", "2 V/m"},          {"kv", "3 V*s/m"},
                                {"ka", "5 V*s^2/m"},      {"reference_time", "500 ms"},
                                {"period", "continuous"}, {NULL, NULL}};
    ControllerRig rig;
    rig_open(&rig, &ib_pva_kind, "m", "V", 1e9, settings);
    const ib_ControlPorts *ports = &rig.controller.ports;
    assert_true(rig.controller.continuous && rig.controller.period == 0);
    assert_int_equal(ports->measurement_count, 3);
    assert_string_equal(ports->measurements[1], "part.velocity");
    assert_string_equal(ports->measurements[2], "part.acceleration");
    assert_int_equal(ports->rate_count, 4);
    const double y[] = {1, 0.25, -0.5};
    double rate[4];
    rig.state[0] = 2;
    rig.state[1] = 0.125;
    double bend = (4 - 2) / 0.25 - 2 * 0.125 / 0.5;
    double u = rig_law(&rig, 4, 0, y, rate);
    assert_close(u, 2 * (2 - 1) + 3 * (0.125 - 0.25) + 5 * (bend + 0.5), 1e-13);
    assert_close(rate[0], 0.125, 0);
    assert_close(rate[1], bend, 1e-14);
    assert_close(rig.signals[signal_of(&rig, "reference")], 2, 0);
    assert_close(rig.signals[ports->signal_count - 1], u, 0);
    rig_close(&rig);
}

static void refused(const char *reads, const Setting *settings, const char *words)
{
    ControllerRig rig;
    assert_int_equal(rig_try(&rig, &ib_pva_kind, reads, "V", 12, settings), IB_BAD_INPUT);
    if (!strstr(rig.error.text, words)) fail_msg("expected '%s', got: %s", words, rig.error.text);
    rig_close(&rig);
}

// Goal: what cannot be measured is refused with its key. Method: one of each.
static void impossible_wiring_is_refused(void **unused)
{
    (void)unused;
    const Setting turns[] = {
        {"kp", "1 V/rad"}, {"kv", "1 V*s/rad"}, {"velocity", "part.velocity"}, {NULL, NULL}};
    const Setting one[] = {
        {"kp", "1 V/m"}, {"kpressure", "1 V/Pa"}, {"pressures", "cap.pressure"}, {NULL, NULL}};
    const Setting none[] = {{"kp", "1 V/m"}, {"kpressure", "1 V/Pa"}, {NULL, NULL}};
    const Setting late[] = {
        {"kp", "1 V/m"}, {"period", "continuous"}, {"latency", "1 ms"}, {NULL, NULL}};
    const Setting steps[] = {
        {"kp", "1 V/m"}, {"period", "continuous"}, {"output_bits", "8"}, {NULL, NULL}};
    refused("rad", turns, "velocity: 'part.velocity' is in m/s: expected one in rad/s");
    refused("m", one, "pressures: expected two names, got 1");
    refused("m", none, "'pressures' is missing");
    refused("m", late, "latency: a continuous loop acts at once");
    refused("m", steps, "output_bits: a continuous loop has no samples");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_filtered),
        cmocka_unit_test(missing_samples_take_their_time),
        cmocka_unit_test(reference_is_critically_damped),
        cmocka_unit_test(a_continuous_loop_measures_signals),
        cmocka_unit_test(impossible_wiring_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
