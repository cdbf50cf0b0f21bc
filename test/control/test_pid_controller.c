// A PID as a loop, without a robot: its law by hand, the names of its goal, what it refuses. The
// formulas behind it: test_pid.c; against plants, with noise: test/scenario/test_loops.c
#include "cmocka_all.h"
#include "control/controller_rig.h"

#include <string.h>

extern const ib_ControllerKind ib_pid_kind, ib_profiled_kind, ib_pva_kind, ib_sliding_mode_kind;

// Goal: the output is kp e + ki T (sum of past e), cut at the output's limits, and what is no
// number leaves no trace. Method: kp = 2, ki = 10, T = 0.1, by hand; a few roundings.
static void law_is_the_sum_of_its_shares(void **unused)
{
    (void)unused;
    const Setting settings[] = {
        {"kp", "2 V/rad"}, {"ki", "10 V/(rad*s)"}, {"period", "100 ms"}, {NULL, NULL}};
    ControllerRig rig;
    rig_open(&rig, &ib_pid_kind, "rad", "V", 12, settings);
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double e = 1 - 0.25 * i;
        assert_close(rig_step(&rig, 1, 0.25 * i), 2 * e + 10 * 0.1 * sum, 1e-14);
        sum += e;
    }
    double before = rig_step(&rig, 1, 1);
    rig_step(&rig, 1, NAN);
    assert_close(rig_step(&rig, 1, 1), before, 1e-14);
    assert_close(rig_step(&rig, 1e6, 0), 12, 0);
    assert_close(rig_step(&rig, -1e6, 0), -12, 0);
    rig_close(&rig);
}

// Goal: its goal has the names of the loop, of the robot's signal and of the desk, stays when the
// driver lets go, and what it shows begins with the goal and ends with the output. Method: a loop
// on a part whose state is part.value, x at the desk.
static void goal_has_three_names(void **unused)
{
    (void)unused;
    const Setting settings[] = {{"kp", "2 V/rad"}, {NULL, NULL}};
    ControllerRig rig;
    rig_open(&rig, &ib_pid_kind, "rad", "V", 12, settings);
    const ib_ControlPorts *ports = &rig.controller.ports;
    const ib_ControlCommand *goal = &ports->commands[0];
    assert_int_equal(ports->command_count, 1);
    assert_string_equal(goal->name, "part.goal");
    assert_string_equal(goal->also[0], "part.goal.value");
    assert_string_equal(goal->also[1], "part.goal.x");
    assert_string_equal(goal->unit, "rad");
    assert_true(goal->kept && goal->required);
    const ib_SignalDef *last = &ports->signals[ports->signal_count - 1];
    assert_string_equal(ports->signals[0].name, "goal");
    assert_string_equal(last->name, "output");
    assert_string_equal(last->unit, "V");
    double output = rig_step(&rig, 3, 2);
    assert_close(rig.signals[0], 3, 0);
    assert_close(rig.signals[ports->signal_count - 1], output, 0);
    rig_close(&rig);
}

// Goal: at no error a loop leaves what it sets at its neutral value, a valve's centre of 5.25 V,
// or gives its own offset; what a kind feeds forward comes on top; limits are absolute. Method: one
// value at its goal, by four kinds; numbers by hand.
static void no_error_is_neutral(void **unused)
{
    (void)unused;
    const Setting pid[] = {{"kp", "2 V/m"}, {NULL, NULL}};
    const Setting offset[] = {{"kp", "2 V/m"}, {"offset", "3 V"}, {NULL, NULL}};
    const Setting pushed[] = {{"kp", "2 V/m"}, {"feedforward.constant", "0.5 V"}, {NULL, NULL}};
    const Setting profiled[] = {
        {"kp", "2 V/m"}, {"velocity", "1 m/s"}, {"acceleration", "1 m/s^2"}, {NULL, NULL}};
    const Setting sliding[] = {
        {"frequency", "10 rad/s"}, {"gain", "1 V"}, {"layer", "1 m"}, {NULL, NULL}};
    const struct {
        const ib_ControllerKind *kind;
        const Setting *settings;
        double output;
    } cases[] = {{&ib_pid_kind, pid, 5.25},
                 {&ib_pid_kind, offset, 3},
                 {&ib_pid_kind, pushed, 5.75},
                 {&ib_profiled_kind, profiled, 5.25},
                 {&ib_pva_kind, pid, 5.25},
                 {&ib_pva_kind, offset, 3},
                 {&ib_sliding_mode_kind, sliding, 5.25}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ControllerRig rig;
        if (rig_try_about(&rig, cases[i].kind, "m", "V", 5.25, 4.75, cases[i].settings) != IB_OK)
            fail_msg("%s", rig.error.text);
        assert_close(rig_step(&rig, 0.3, 0.3), cases[i].output, 0);
        rig_close(&rig);
    }
    ControllerRig rig;
    assert_int_equal(rig_try_about(&rig, &ib_pid_kind, "m", "V", 5.25, 4.75, pid), IB_OK);
    assert_close(rig_step(&rig, 1.3, 0.3), 7.25, 1e-14);
    assert_close(rig_step(&rig, 100, 0), 10, 0);
    assert_close(rig_step(&rig, -100, 0), 0.5, 0);
    rig_close(&rig);
}

// Goal: a loop without a gain, and one that carries a weight where no angle is measured, are
// refused by name. Method: one of each.
static void impossible_loops_are_refused(void **unused)
{
    (void)unused;
    const Setting nothing[] = {{NULL, NULL}};
    const Setting carries[] = {{"kp", "1 V/m"}, {"feedforward.cosine", "1 V"}, {NULL, NULL}};
    ControllerRig rig;
    assert_int_equal(rig_try(&rig, &ib_pid_kind, "rad", "V", 12, nothing), IB_BAD_INPUT);
    assert_non_null(strstr(rig.error.text, "kp: 10 V/rad"));
    rig_close(&rig);
    assert_int_equal(rig_try(&rig, &ib_pid_kind, "m", "V", 12, carries), IB_BAD_INPUT);
    assert_ptr_equal(strstr(rig.error.text, "feedforward.cosine: "), rig.error.text);
    rig_close(&rig);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(law_is_the_sum_of_its_shares),
        cmocka_unit_test(goal_has_three_names),
        cmocka_unit_test(no_error_is_neutral),
        cmocka_unit_test(impossible_loops_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
