// Claims about src/study/fit_signals.c: from a recording to the voltage and the motion of a motor.
#include "cmocka_all.h"

#include "study/fit_signals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const ib_FitWish anything = {.from = -INFINITY, .to = INFINITY};

// A recording with this header and three rows, of which the second has no number in
// its last column.
static ib_Log *read_table(const char *header)
{
    char path[] = "/tmp/ib_fit_XXXXXX.csv";
    int descriptor = mkstemps(path, 4);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    ib_Log *log = NULL;
    ib_Error error;
    assert_non_null(file);
    fprintf(file, "%s\n0,6,10\n0.1,7,nan\n0.2,8,12\n", header);
    fclose(file);
    assert_int_equal(ib_log_read(path, &log, &error), IB_OK);
    remove(path);
    return log;
}

// Goal: the plain names of a table are found, values are in SI, a hole stays a hole, and what is
// outside of the wished time is marked. Method: rpm over volts, from 0.15 s on. 1e-12: one product.
static void plain_names_are_found_in_si(void **state)
{
    (void)state;
    ib_Log *log = read_table("time [s],voltage [V],velocity [rpm]");
    ib_Arena arena = {0};
    ib_FitSignals signals;
    ib_FitLog fit;
    ib_Error error;
    ib_FitWish wish = anything;
    wish.from = 0.15;
    assert_int_equal(ib_fit_signals_take("x.csv", log, &wish, &arena, &signals, &fit, &error),
                     IB_OK);
    assert_string_equal(signals.voltage, "voltage");
    assert_string_equal(signals.motion, "velocity");
    assert_string_equal(signals.unit, "rad/s");
    assert_false(signals.bare);
    assert_int_equal(fit.volt_count, 3);
    assert_close(fit.volt[2], 8, 0);
    assert_int_equal(fit.count, 3);
    assert_close(fit.velocity[0], 10 * 0.10471975511965977, 1e-12);
    assert_true(isnan(fit.velocity[1]));
    assert_null(fit.position);
    assert_int_equal(fit.spoilt[0], IB_FIT_OUTSIDE);
    assert_int_equal(fit.spoilt[2], IB_FIT_KEPT);
    ib_arena_reset(&arena);
    ib_log_destroy(log);
}

// Goal: what was not meant is refused with the reason. Method: a wrong name, a wrong unit, a table
// that does not say what it holds.
static void what_was_not_meant_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *header, *velocity, *says;
    } cases[] = {
        {"time [s],voltage [V],velocity [rad/s]", "velocty",
         "'x.csv' has no signal 'velocty'; did you mean 'velocity'?"},
        {"time [s],voltage [V],velocity [rad/s]", "elsewhere", "'x.csv' has no signal 'elsewhere'"},
        {"time [s],voltage [V],velocity [kg]", NULL, "velocity is in kg, expected rad/s or m/s"},
        {"time [s],voltage [m],velocity [rad/s]", NULL, "voltage is in m, expected V"},
        {"time [s],volts [V],velocity [rad/s]", NULL,
         "which signal of 'x.csv' is the voltage? Name it with --voltage"},
        {"time [s],voltage [V],speed [rad/s]", NULL,
         "which signal of 'x.csv' is the motion? Name it with --velocity or --position"},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof cases[0]); i++) {
        ib_Log *log = read_table(cases[i].header);
        ib_Arena arena = {0};
        ib_FitSignals signals;
        ib_FitLog fit;
        ib_Error error;
        ib_FitWish wish = anything;
        wish.velocity = cases[i].velocity;
        assert_int_equal(ib_fit_signals_take("x.csv", log, &wish, &arena, &signals, &fit, &error),
                         IB_BAD_INPUT);
        assert_string_equal(error.text, cases[i].says);
        ib_arena_reset(&arena);
        ib_log_destroy(log);
    }
}

// A recording in memory with one sample every 0.1 s, of a robot on wheels.
enum { SAMPLES = 8, SERIES = 6 };

static ib_Time robot_times[SAMPLES];
static double robot_values[SERIES][SAMPLES];
static ib_LogSeries robot_series[SERIES];
static ib_LogFlaws robot_flaws[SERIES];

static ib_Log robot_log(void)
{
    static const ib_Mode hits = {.kind = IB_MODE_CONTACT, .meanings = {{"none"}, {"a hit"}}};
    static const struct {
        const char *name, *unit;
        ib_SignalMeaning means;
    } rows[SERIES] = {
        {"drive.left.voltage", "V", {.role = IB_ROLE_MOTOR_VOLTAGE, .part = "left"}},
        {"wheel.left.speed", "rad/s", {.role = IB_ROLE_MOTOR_MOTION, .part = "left"}},
        {"wheel.left.slip", "m/s", {.role = IB_ROLE_MOTOR_SLIP, .part = "left"}},
        {"velocity.heading", "rad/s", {.role = IB_ROLE_YAW_RATE}},
        {"contact.force", "N", {.role = IB_ROLE_CONTACT_FORCE}},
        {"contact.hits", "1", {.mode = &hits}},
    };
    memset(robot_values, 0, sizeof robot_values);
    for (int k = 0; k < SAMPLES; k++) robot_times[k] = k * (IB_SECOND / 10);
    for (int i = 0; i < SERIES; i++)
        robot_series[i] = (ib_LogSeries){rows[i].name, rows[i].unit,    "",           SAMPLES,
                                         robot_times,  robot_values[i], rows[i].means};
    return (ib_Log){.series = robot_series, .series_count = SERIES, .flaws = robot_flaws};
}

// Goal: samples at which something else moved the robot do not count, and why is said. Method: one
// sample each of slip, a turn to each side, a wall, and a hit that the log shows only as a count.
static void what_else_moves_a_robot_is_marked(void **state)
{
    (void)state;
    ib_Log log = robot_log();
    ib_Arena arena = {0};
    ib_FitSignals signals;
    ib_FitLog fit;
    ib_Error error;
    robot_values[2][1] = 0.3;
    robot_values[3][2] = 0.2, robot_values[3][3] = -0.2, robot_values[3][4] = 0.05;
    robot_values[4][5] = 12.0;
    robot_values[5][6] = robot_values[5][7] = 1.0;
    assert_int_equal(ib_fit_signals_take("x", &log, &anything, &arena, &signals, &fit, &error),
                     IB_OK);
    assert_string_equal(signals.motion, "wheel.left.speed");
    static const ib_FitDrop expected[SAMPLES] = {IB_FIT_KEPT,   IB_FIT_SLIP, IB_FIT_TURN,
                                                 IB_FIT_TURN,   IB_FIT_KEPT, IB_FIT_PUSHED,
                                                 IB_FIT_PUSHED, IB_FIT_KEPT};
    for (int k = 0; k < SAMPLES; k++) assert_int_equal(fit.spoilt[k], expected[k]);

    // A motor that moves no wheel over the floor does not care.
    robot_series[2].means.role = IB_ROLE_NONE;
    assert_int_equal(ib_fit_signals_take("x", &log, &anything, &arena, &signals, &fit, &error),
                     IB_OK);
    for (int k = 0; k < SAMPLES; k++) assert_int_equal(fit.spoilt[k], IB_FIT_KEPT);
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_names_are_found_in_si),
        cmocka_unit_test(what_was_not_meant_is_refused),
        cmocka_unit_test(what_else_moves_a_robot_is_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
