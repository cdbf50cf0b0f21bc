// Claims about src/sim/watch/step_log.c, in whole runs: what routines did, the truth beside it, and
// what a person is warned of.
#include "cmocka_all.h"

#include "scenario/given.h"
#include "study/session.h"

#include <stdio.h>
#include <string.h>

typedef struct Run {
    ib_Scenario *scenario;
    ib_Session session;
} Run;

static void open_run(Run *run, const char *text)
{
    static const ib_ScenarioOptions options = {0};
    *run = (Run){0};
    run->scenario = given_with("run.yaml", text, &options);
    ib_SessionConfig config = ib_session_default();
    ib_Error error;
    config.file = "run.yaml";
    config.options = &options;
    assert_int_equal(ib_session_init(&run->session, &config, run->scenario, &error), IB_OK);
    ib_session_run(&run->session);
    assert_int_equal(run->session.status, IB_OK);
}

static void close_run(Run *run)
{
    ib_session_destroy(&run->session);
    ib_scenario_destroy(run->scenario);
}

static double final(const Run *run, const char *name)
{
    int i = ib_signals_find(&run->scenario->model->signals, name);
    assert_true(i >= 0);
    return run->session.summary->final[i];
}

#define TANK "robot: {kind: tank, sensors: {gyro: {kind: gyro, period: 10 ms}}}\n"

// Goal: the log closes: each step begins where the one before it has ended, the last one's truth is
// that of the run's end, and its error is the distance of both poses. Method: three steps
// and a long stand; all times are multiples of the period.
static void the_log_closes(void **state)
{
    (void)state;
    Run run;
    open_run(&run, TANK "control:\n"
                        "  routine: [{drive: {forward: 60 cm}}, {wait: 0.3 s}, {turn: 90 deg}]\n"
                        "  period: 20 ms\n"
                        "run: {duration: 6 s}\n");
    assert_int_equal(ib_step_log_count(run.session.steps), 3);
    ib_Time end = 0;
    for (int i = 0; i < 3; i++) {
        ib_StepRun step = ib_step_log_run(run.session.steps, i);
        assert_int_equal(step.step.outcome, IB_STEP_DONE);
        assert_int_equal(step.step.number, i + 1);
        assert_int_equal(step.round, 1);
        assert_true(step.began == end && step.ended % (20 * IB_SECOND / 1000) == 0);
        end = step.ended;
        assert_true(step.posed);
        double dx = step.where[0] - step.step.at[0], dy = step.where[1] - step.step.at[1];
        assert_close(step.error, sqrt(dx * dx + dy * dy), 1e-12);
        // 2 cm is near enough for a move, and odometry adds a few millimetres.
        if (i != 1) assert_true(step.off < 0.025 && step.most >= step.off);
        if (i == 1) assert_true(isnan(step.off) && step.ended - step.began == 3 * IB_SECOND / 10);
    }
    ib_StepRun last = ib_step_log_run(run.session.steps, 2);
    // It stands: what is left of the turn is below the speed that counts as standing.
    assert_close(last.where[0], final(&run, "pose.x"), 0.005);
    assert_close(last.where[1], final(&run, "pose.y"), 0.005);
    assert_close(last.where[2], final(&run, "pose.heading"), 0.02);
    assert_close(final(&run, "control.step"), 0, 0);
    ib_Time time;
    char text[IB_WARNING_TEXT];
    assert_false(ib_session_warning(&run.session, 0, &time, text, sizeof text));
    close_run(&run);
}

// Goal: a step that runs out of time and one that still runs at the end are named with their
// lines; those behind it have not begun. Method: conditions that are never met.
static void hung_steps_are_named(void **state)
{
    (void)state;
    Run run;
    open_run(&run, TANK "control:\n"
                        "  routine:\n"
                        "    - until: \"sensor.gyro >= 90 deg/s\"\n"
                        "      timeout: 0.5 s\n"
                        "    - until: \"sensor.gyro <= -90 deg/s\"\n"
                        "    - drive: {forward: 1 m}\n"
                        "  period: 20 ms\n"
                        "run: {duration: 1 s}\n");
    ib_Time time;
    char text[IB_WARNING_TEXT];
    assert_true(ib_session_warning(&run.session, 0, &time, text, sizeof text));
    assert_non_null(strstr(text, "routine: step 1 '"));
    assert_non_null(strstr(text, "sensor.gyro >= 90 deg/s"));
    assert_non_null(strstr(text, "(line 4) had no more time at 0.5 s"));
    assert_true(time == IB_SECOND / 2);
    assert_true(ib_session_warning(&run.session, 1, &time, text, sizeof text));
    assert_non_null(strstr(text, "routine: step 2 '"));
    assert_non_null(strstr(text, "(line 6) was still running at the end"));
    assert_false(ib_session_warning(&run.session, 2, &time, text, sizeof text));
    assert_int_equal(ib_step_log_count(run.session.steps), 3);
    ib_StepRun last = ib_step_log_run(run.session.steps, 2);
    assert_string_equal(ib_step_run_outcome(&last), "not begun");
    assert_true(last.began == IB_TIME_NEVER && isnan(last.most) && last.round == 0);
    assert_true(isnan(ib_step_run_took(&last, IB_SECOND)));
    ib_StepRun second = ib_step_log_run(run.session.steps, 1);
    assert_close(ib_step_run_took(&second, IB_SECOND), 0.5, 1e-12);
    assert_close(final(&run, "control.late"), 1, 0);
    close_run(&run);
}

// Goal: every round of a repeat is in the log, also of steps that take no time. Method: three
// rounds of set and wait: two rows each, and one of the repeat, in the order in which they began.
static void every_round_is_kept(void **state)
{
    (void)state;
    static const int numbers[] = {1, 2, 3, 2, 3, 2, 3}, rounds[] = {1, 1, 1, 2, 2, 3, 3};
    Run run;
    open_run(&run,
             "robot: {kind: bench, mechanisms: {wheel: {kind: flywheel}}}\n"
             "control:\n"
             "  routine: [{repeat: {times: 3, steps: [{set: {wheel: 3 V}}, {wait: 0.1 s}]}}]\n"
             "  period: 20 ms\n"
             "run: {duration: 1 s}\n");
    assert_int_equal(ib_step_log_count(run.session.steps), 7);
    for (int i = 0; i < 7; i++) {
        ib_StepRun step = ib_step_log_run(run.session.steps, i);
        assert_int_equal(step.step.number, numbers[i]);
        assert_int_equal(step.round, rounds[i]);
        assert_int_equal(step.step.outcome, IB_STEP_DONE);
        assert_false(step.posed);
    }
    close_run(&run);
}

// Goal: the truth is told where odometry is wrong. Method: an X-drive whose gyro sees 5 % more than
// it turns: of a turn by 90 deg it has then turned 90/1.05 and takes itself to have done all of it:
// an error of 4.3 deg, of which the step itself knows nothing. 2 deg are near enough for the step.
static void a_wrong_gyro_shows(void **state)
{
    (void)state;
    const double degree = 3.14159265358979323846 / 180;
    Run run;
    open_run(&run, "robot: {kind: holonomic, preset: x-drive,\n"
                   "        sensors: {gyro: {kind: gyro, scale: 1.05, period: 10 ms}}}\n"
                   "control: {routine: [{turn: 90 deg}], period: 20 ms}\n"
                   "run: {duration: 4 s}\n");
    ib_StepRun step = ib_step_log_run(run.session.steps, 0);
    assert_true(fabs(step.step.missed[1]) <= 2 * degree);
    assert_close(step.error_angle, (90 - 90 / 1.05) * degree, 0.3 * degree);
    assert_close(step.off_angle, -(90 - 90 / 1.05) * degree, 2.3 * degree);
    close_run(&run);
}

// Goal: what a move that ran out of time was off its plan is told of the time in which it ran, not
// of the goal that it had not promised to reach by then. Method: 2.5 m in 1 s at 1 m/s^2 are at
// most 0.5 m of the way, so more than 2 m are left. Along the way the plan is kept to a few
// centimetres (battery, tyres, a period of 20 ms at 1 m/s); 10 cm are far from both. The same of
// one that is stopped with the steps around it.
static void a_late_move_is_compared_while_it_runs(void **state)
{
    (void)state;
    static const char *const late[] = {
        "{drive: {forward: 2.5 m}, timeout: 1 s}",
        "{timeout: {after: 1 s, steps: [{drive: {forward: 2.5 m}}]}}",
    };
    for (int i = 0; i < 2; i++) {
        Run run;
        char text[512];
        snprintf(text, sizeof text,
                 "robot: {kind: holonomic, preset: x-drive,\n"
                 "        sensors: {gyro: {kind: gyro, period: 10 ms}}}\n"
                 "control: {routine: [%s], period: 20 ms}\n"
                 "run: {duration: 2 s}\n",
                 late[i]);
        open_run(&run, text);
        ib_StepRun step = ib_step_log_run(run.session.steps, i);
        assert_string_equal(ib_step_run_outcome(&step), i == 0 ? "timed out" : "stopped");
        assert_true(step.off > 1.9 && step.off < 2.5);
        assert_true(step.most > 0 && step.most < 0.1);
        assert_true(step.most_time < IB_SECOND);
        close_run(&run);
    }
}

// Goal: a move that is done and in truth far from its goal, or turned elsewhere, is a warning,
// once, of its worst round. Method: an X-drive whose gyro sees half of what it turns: it has turned
// by 180 deg where it takes itself to have turned by 90, within 4 deg. Each way of 1 m then goes to
// -x and not to y: sqrt(2) m off, and 2 sqrt(2) m after the second one. 4 deg of the turn are near
// enough in truth (2 deg as it sees them), 14 cm in 2 m, and 2 cm of the way.
static void a_lost_move_is_named(void **state)
{
    (void)state;
    Run run;
    open_run(&run, "robot: {kind: holonomic, preset: x-drive,\n"
                   "        sensors: {gyro: {kind: gyro, scale: 0.5, period: 10 ms}}}\n"
                   "control:\n"
                   "  period: 20 ms\n"
                   "  routine:\n"
                   "    - turn: 90 deg\n"
                   "    - repeat: {times: 2, steps: [{drive: {forward: 1 m}}]}\n"
                   "run: {duration: 10 s}\n");
    ib_Time time;
    char text[IB_WARNING_TEXT];
    for (int i = 1; i <= 2; i++) {
        ib_StepRun way = ib_step_log_run(run.session.steps, 1 + i);
        assert_int_equal(way.round, i);
        assert_int_equal(way.step.outcome, IB_STEP_DONE);
        assert_true(fabs(way.step.missed[0]) <= 0.02 && way.lost == (i == 2));
        assert_close(way.off, i * sqrt(2), 0.17);
    }
    assert_true(ib_session_warning(&run.session, 0, &time, text, sizeof text));
    double turned = 0;
    assert_int_equal(sscanf(text,
                            "routine: step 1 'turn 90 deg' (line 6) took itself to be at its goal, "
                            "and was turned %lf deg from it",
                            &turned),
                     1);
    assert_close(turned, 90, 4);
    assert_true(ib_session_warning(&run.session, 1, &time, text, sizeof text));
    assert_non_null(strstr(text, "routine: step 3 'drive forward 1 m' (line 7), the 2. time, took "
                                 "itself to be at its goal, and was 2."));
    assert_true(time == ib_step_log_run(run.session.steps, 3).ended);
    assert_false(ib_session_warning(&run.session, 2, &time, text, sizeof text));
    close_run(&run);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_log_closes),
        cmocka_unit_test(hung_steps_are_named),
        cmocka_unit_test(every_round_is_kept),
        cmocka_unit_test(a_wrong_gyro_shows),
        cmocka_unit_test(a_late_move_is_compared_while_it_runs),
        cmocka_unit_test(a_lost_move_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
