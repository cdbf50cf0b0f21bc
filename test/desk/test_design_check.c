// Tests of desk/design/design_check.c: what `check:` says about the loop as it runs, in words.
#include "desk/desk_rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLANT RIG_MASS "period: 20 ms\n"

static void assert_words(const ib_DesignFile *file, ib_DesignLimit what, bool passed,
                         const char *words)
{
    char text[160];
    for (int i = 0; i < file->check_count; i++) {
        const ib_DesignCheck *check = &file->checks[i];
        if (check->what != what) continue;
        ib_design_check_describe(check, text, sizeof text);
        if (!strstr(text, words)) fail_msg("'%s' is not in '%s'", words, text);
        assert_int_equal(check->passed, passed);
        return;
    }
    fail_msg("there is no check of %s", ib_design_limit_names[what]);
}

// Goal: checks are of the loop with its latency, not of the one it was designed for. Method: poles
// by hand: x+ = 0.5 x + u, placed at -0.4 by K = 0.9; one period of latency makes it 0.9 * -0.4 =
// -0.36, and z^2 - 0.5 z - 0.36 = 0 has 0.9 and -0.4. Settled after ln(0.02)/ln(0.9) = 37.13
// periods and not after ln(0.02)/ln(0.4) = 4.27.
static void checks_are_of_the_loop_with_its_latency(void **state)
{
    (void)state;
    ib_DesignFile *file = rig_design("plant: {A: [[0.5]], B: [[1]], time: discrete}\nperiod: 1 s\n"
                                     "poles: [-0.4]\nlatency: 1 s\n"
                                     "check: {stable: true, settling: 10 s, delay_margin: 1 ms}\n");
    const ib_Design *design = &file->gears[0].design;
    assert_int_equal(design->delayed_count, 2);
    assert_close(design->K[0], -0.36, 1e-15);
    assert_close(design->delayed_poles[0].re, 0.9, 1e-14);
    assert_close(design->delayed_poles[1].re, -0.4, 1e-14);
    assert_words(file, IB_DESIGN_STABLE, true, "yes");
    assert_words(file, IB_DESIGN_SETTLING, false, "37.1299 s, expected at most 10 s");
    ib_design_file_destroy(file);
}

// Goal: an unstable loop fails all that it is asked, in words that say so. Method: the fierce
// carriage under 26 ms of latency, whose largest pole is 1.183 by numpy (docs/design/delay.md).
static void an_unstable_loop_passes_nothing(void **state)
{
    (void)state;
    ib_DesignFile *file = rig_design(
        PLANT "lqr: {tolerance: {x: 0.02, v: 0.95, volts: 12}}\nlatency: 26 ms\n"
              "check: {stable: true, damping: 0, settling: 1 s, gain_margin: 1, phase_margin: 30 "
              "deg, delay_margin: 1 ms}\n");
    assert_false(file->gears[0].design.stable);
    assert_words(file, IB_DESIGN_STABLE, false, "no, expected yes");
    assert_words(file, IB_DESIGN_DAMPING, false, "-1, expected");
    assert_words(file, IB_DESIGN_SETTLING, false, "never, expected at most 1 s");
    assert_words(file, IB_DESIGN_GAIN_MARGIN, false, "0, expected");
    assert_words(file, IB_DESIGN_PHASE_MARGIN, false, "0 deg, expected at least 30 deg");
    assert_words(file, IB_DESIGN_DELAY_MARGIN, false, "0 s, expected");
    ib_design_file_destroy(file);
}

// Goal: angles are told in degrees, though kept in radians. Method: a limit that cannot be reached.
static void angles_are_told_in_degrees(void **state)
{
    (void)state;
    ib_DesignFile *file = rig_design(PLANT "lqr: {tolerance: {x: 0.1, v: 0.95, volts: 12}}\n"
                                           "check: {phase_margin: 179 deg}\n");
    assert_close(file->checks[0].limit, 179 / 57.29577951308232, 1e-14);
    assert_true(file->checks[0].found < 2);
    assert_words(file, IB_DESIGN_PHASE_MARGIN, false, "deg, expected at least 179 deg");
    ib_design_file_destroy(file);
}

// Goal: what cannot be judged fails with its reason. Method: margins without any feedback, and the
// residual of a loop by poles.
static void what_is_not_there_fails_with_its_reason(void **state)
{
    (void)state;
    ib_DesignFile *file = rig_design(PLANT "check: {gain_margin: 2, damping: 0.5}\n");
    assert_words(file, IB_DESIGN_GAIN_MARGIN, false, "not known: there is no feedback to judge");
    assert_words(file, IB_DESIGN_DAMPING, false, "not known: there is no feedback to judge");
    ib_design_file_destroy(file);
    file = rig_design(PLANT "poles: [0.8, 0.7]\ncheck: {residual: 1e-9}\n");
    assert_words(file, IB_DESIGN_RESIDUAL, false, "there is no Riccati equation");
    ib_design_file_destroy(file);
}

// Goal: loops that had no margins have them. Method: input errors with a direct term D; a loop over
// one state with its integral; neither is null in JSON, and the states not held are told there.
static void every_loop_has_margins(void **state)
{
    (void)state;
    static const char *const loops[] = {
        "plant: {A: [[0, 1], [0, -2]], B: [[0], [3]], C: [[1, 0]], D: [[0.5]]}\nperiod: 20 ms\n"
        "lqr: {tolerance: {x1: 0.1, x2: 0.95, u1: 12}}\n"
        "kalman: {process: [1e-4, 1], measurement: [1e-6]}\ninput_error: {density: [1]}\n",
        PLANT "lqr: {states: [v], tolerance: {v: 0.2, volts: 12, integral_v: 1}}\n"
              "integral: [v]\n"};
    for (int i = 0; i < 2; i++) {
        char text[600];
        size_t length;
        snprintf(text, sizeof text, "%scheck: {stable: true, gain_margin: 1.05}\n", loops[i]);
        ib_DesignFile *file = rig_design(text);
        assert_words(file, IB_DESIGN_STABLE, true, "yes");
        assert_words(file, IB_DESIGN_GAIN_MARGIN, true, "expected at least 1.05");
        char *json = rig_json(file, &length);
        assert_null(strstr(json, "\"margins\":null"));
        assert_non_null(
            strstr(json, i ? "\"not_held\":\"positions are not held: x\"" : "\"not_held\":\"\""));
        free(json);
        ib_design_file_destroy(file);
    }
}

// Goal: an integral beside a filter is refused where it stands. Method: the place and the words.
static void an_integral_of_estimates_is_refused(void **state)
{
    (void)state;
    static const char text[] =
        PLANT "lqr: {tolerance: {x: 0.1, v: 0.95, volts: 12, integral_x: 0.1}}\n"
              "integral: [x]\nkalman: {process: [1e-4, 1], measurement: [1e-6]}\n";
    assert_null(rig_read(text));
    assert_int_equal(rig_told.count, 1);
    assert_int_equal(rig_told.items[0].line, 5);
    assert_non_null(strstr(rig_told.items[0].text, "expected input_error"));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checks_are_of_the_loop_with_its_latency),
        cmocka_unit_test(an_unstable_loop_passes_nothing),
        cmocka_unit_test(angles_are_told_in_degrees),
        cmocka_unit_test(what_is_not_there_fails_with_its_reason),
        cmocka_unit_test(every_loop_has_margins),
        cmocka_unit_test(an_integral_of_estimates_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, rig_forget);
}
