// test/control/test_path_controller.c: the loop of kind `path` from a file to the motion: what it
// says before the run, what it refuses, and what it does when things go wrong.
#include "cmocka_all.h"
#include "mistakes.h"
#include "scenario/scenario.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Run {
    ib_Arena mistakes;
    ib_Diagnostics diagnostics;
    ib_Scenario *scenario;
    double deviation, fastest, end_speed, done_at, across; // worst of the run, or at its end
    bool lost;
    int64_t failed; // periods
} Run;

static const char document_path[] = "path: [line 2 m, circle 1 m left, line 2 m]";

static void open_run(Run *run, const char *text)
{
    *run = (Run){0};
    run->diagnostics.arena = &run->mistakes;
    run->scenario = ib_scenario_read_text("test.yaml", text, strlen(text), &(ib_ScenarioOptions){0},
                                          &run->diagnostics);
}

static void close_run(Run *run)
{
    ib_scenario_destroy(run->scenario);
    ib_arena_reset(&run->mistakes);
}

static const ib_Controller *loop_of(const Run *run)
{
    assert_non_null(run->scenario);
    return run->scenario->model->config->robots[0].controllers[0];
}

static double see(const Run *run, const double *signals, const char *name)
{
    int at = ib_signals_find(&run->scenario->model->signals, name);
    if (at < 0) fail_msg("no signal %s", name);
    return signals[at];
}

static void look(Run *run, const double *y, const char *loop, double t)
{
    char name[4][60];
    static const char *const own[4] = {"done", "lost", "error.across", "pace"};
    for (int i = 0; i < 4; i++) snprintf(name[i], sizeof name[i], "%s.%s", loop, own[i]);
    run->deviation = fmax(run->deviation, see(run, y, "path.deviation"));
    run->end_speed = fabs(see(run, y, "velocity.forward"));
    run->fastest = fmax(run->fastest, run->end_speed);
    run->across = see(run, y, name[2]);
    run->lost = see(run, y, name[1]) != 0;
    if (run->done_at == 0 && see(run, y, name[0]) != 0) run->done_at = t;
}

// Looks every 20 ms. `loop`: how its signals begin.
static void drive(Run *run, const char *loop, double duration)
{
    ib_Error error;
    ib_Sim *sim;
    int count = 0;
    print_mistakes(&run->diagnostics);
    assert_non_null(run->scenario);
    assert_int_equal(ib_sim_create(run->scenario->model, &sim, &error), IB_OK);
    double *y = ib_arena_array(&run->scenario->yaml.arena,
                               (size_t)run->scenario->model->signals.count, sizeof *y);
    for (double t = 0; t < duration; t += 0.02) {
        if (ib_sim_advance(sim, ib_time_from_seconds(t), &error) != IB_OK)
            fail_msg("%s", error.text);
        ib_sim_sample(sim, y);
        look(run, y, loop, t);
    }
    const ib_LoopTrouble *troubles = ib_sim_troubles(sim, &count);
    run->failed = troubles[0].count[IB_CONTROL_FAILED];
    ib_sim_destroy(sim);
}

static void open_tank(Run *run, const char *robot, const char *control, const char *rest)
{
    char text[2000];
    snprintf(text, sizeof text, "robot: {kind: tank%s}\ncontrol: {%s}\nrun: {duration: 60 s}\n%s",
             robot, control, rest);
    open_run(run, text);
}

// Encoders and gyro with these periods [ms].
static const char *sensors(double left, double right, double gyro)
{
    static char text[500];
    snprintf(text, sizeof text,
             ", sensors: {left: {kind: encoder, signal: wheel.left.speed, counts: 1440, radius: 3 "
             "in, period: %g ms}, right: {kind: encoder, signal: wheel.right.speed, counts: 1440, "
             "radius: 3 in, period: %g ms}, gyro: {kind: gyro, noise: 0.005 rad/s, period: %g ms}}",
             left, right, gyro);
    return text;
}

// ----------------------------------------------------------------------------------------- periods

// Goal: whatever the periods of the sensors, no old sample is taken for a new one. Method: periods
// that are longer than the usual 5 ms, no part of it, or unlike each other; the loop's own must be
// the shortest from 5 ms on that is a multiple of the encoders' and not below the gyro's, and the
// path is followed within 3 cm.
static void sensors_set_the_period(void **state)
{
    (void)state;
    static const double cases[][4] = {{1, 1, 1, 5},    {2, 2, 2, 6},   {10, 10, 10, 10},
                                      {7, 7, 10, 14},  {10, 5, 1, 10}, {20, 20, 20, 20},
                                      {33, 33, 33, 33}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i += IB_ROUNDS(1, 3)) {
        const double *c = cases[i];
        Run run;
        open_tank(&run, sensors(c[0], c[1], c[2]), document_path, "");
        assert_close(ib_time_to_seconds(loop_of(&run)->period), 1e-3 * c[3], 1e-12);
        drive(&run, "control", 13);
        print_message("sensors every %g, %g, %g ms: %.1f mm\n", c[0], c[1], c[2],
                      1e3 * run.deviation);
        assert_true(run.deviation < 0.03);
        assert_true(run.done_at > 0);
        close_run(&run);
    }
}

static void assert_refused(const char *robot, const char *control, const char *words)
{
    Run run;
    open_tank(&run, robot, control, "");
    bool found = false;
    for (int i = 0; i < run.diagnostics.count; i++)
        found |= strstr(run.diagnostics.items[i].text, words) != NULL;
    if (!found) fail_msg("expected to be refused with '%s'", words);
    assert_null(run.scenario);
    close_run(&run);
}

// Goal: what does not go together is refused, in words. Method: a period that is no multiple of the
// encoders', one shorter than the gyro's, encoders without a common period, one that is too slow,
// and inputs, which the base has itself.
static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    assert_refused(sensors(10, 10, 5), "path: [line 1 m], period: 5 ms", "sampled every 10 ms");
    assert_refused(sensors(5, 5, 20), "path: [line 1 m], period: 10 ms", "sampled every 20 ms");
    assert_refused(sensors(13, 29, 5), "path: [line 1 m]", "no common multiple");
    assert_refused(sensors(5, 5, 60), "path: [line 1 m]", "too seldom");
    assert_refused("", "path: [line 1 m], inputs: [right, left]", "the base's own");
}

// ------------------------------------------------------------------------------------------- notes

// Goal: what slows the path is told with its place, and what nobody misses is not. Method: the
// document's path with 20 A for a motor, whose circle is driven at a tenth of the speed; as it is;
// and a line so short that the acceleration asked for does not let it get to its speed.
static void what_slows_it_is_told(void **state)
{
    (void)state;
    Run run;
    open_tank(&run, ", drive: {current_limit: 20 A}", document_path, "");
    const char *note = loop_of(&run)->ports.note;
    assert_non_null(note);
    print_message("%s\n", note);
    assert_non_null(strstr(note, "m to 8.2 m: the current limit"));
    close_run(&run);
    open_tank(&run, "", document_path, "");
    assert_null(loop_of(&run)->ports.note);
    close_run(&run);
    open_tank(&run, "", "path: [line 20 cm]", "");
    assert_null(loop_of(&run)->ports.note);
    close_run(&run);
}

// Goal: what it steers by is told, and ideal samples on a robot that has sensors are a warning.
// Method: the usual sensors, only a gyro, none.
static void what_it_steers_by_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *robot, *list;
        bool warned;
    } cases[] = {{NULL, "sensor.left, sensor.right, sensor.gyro", false},
                 {", sensors: {gyro: {kind: gyro}}", "wheel.left.speed", true},
                 {"", "wheel.left.speed", false}};
    for (int i = 0; i < 3; i++) {
        Run run;
        open_tank(&run, i ? cases[i].robot : sensors(5, 5, 5), document_path, "");
        const ib_ControlPorts *ports = &loop_of(&run)->ports;
        bool listed = false;
        for (int k = 0; k < ports->fact_count; k++)
            listed |= strncmp(ports->facts[k].sentence, cases[i].list, strlen(cases[i].list)) == 0;
        assert_true(listed);
        assert_int_equal(ports->note && strstr(ports->note, "ideal samples"), cases[i].warned);
        close_run(&run);
    }
}

// ----------------------------------------------------------------------------------------- trouble

// Goal: a robot whose load moves the point around which it turns follows tight curves, and is told
// where it cannot. Method: the team's robot turns around a point 8 cm ahead of its middle. Circles
// down to 10 cm within 2 cm; one of 5 cm, which that point cannot drive, is refused.
static void a_load_in_front_turns_in_time(void **state)
{
    (void)state;
    static const char *const radii[] = {"50 cm", "20 cm", "10 cm", "5 cm"};
    for (int i = 0; i < 4; i++) {
        char text[600];
        Run run;
        snprintf(text, sizeof text,
                 "robot: {file: " IB_SOURCE_DIR "/robots/team.yaml}\n"
                 "control: {drive: {path: [line 1 m, circle %s left, line 1 m]}}\n"
                 "inputs: {lift: 0 V, arm: 0 V}\nrun: {duration: 8 s}\n",
                 radii[i]);
        open_run(&run, text);
        if (i == 3) {
            assert_null(run.scenario);
            assert_non_null(strstr(run.diagnostics.items[0].text, "around which it turns"));
        } else {
            drive(&run, "control.drive", 8);
            print_message("team's robot, circle of %s: %.1f mm\n", radii[i], 1e3 * run.deviation);
            assert_true(run.deviation < 0.02);
            assert_true(run.fastest < 1.1);
        }
        close_run(&run);
    }
}

// Goal: a side that fails for a second is survived: never much faster than asked for, and back on
// the path soon after. Method: the left motors give no torque from 2 s to 3 s, where the circle
// begins; done 4 s later than without (10.96 s), the time in which it comes back.
static void a_side_that_fails_is_survived(void **state)
{
    (void)state;
    Run run;
    open_tank(&run, "", document_path,
              "disturbances: [{at: 2 s, for: 1 s, signal: drive.left.torque, scale: 0}]\n");
    drive(&run, "control", 17);
    print_message("a side failed for 1 s: fastest %.2f m/s, done at %.2f s\n", run.fastest,
                  run.done_at);
    assert_true(run.fastest < 1.5);
    assert_true(run.done_at > 0 && run.done_at < 15.5);
    assert_true(run.failed == 0 && !run.lost);
    close_run(&run);
}

// Goal: a robot that cannot be brought back stops, and says so. Method: the left motors of a tank
// fail for good, with brakes and without: it is never much faster than asked for,
// and stands at the end.
static void a_lost_robot_stops(void **state)
{
    (void)state;
    static const char *const robots[] = {"", ", drive: {neutral: coast}"};
    for (int i = 0; i < 2; i++) {
        Run run;
        open_tank(&run, robots[i], document_path,
                  "disturbances: [{at: 2 s, signal: drive.left.torque, scale: 0}]\n");
        drive(&run, "control", 40);
        print_message("a side failed for good: fastest %.2f m/s, %.2f m off\n", run.fastest,
                      run.deviation);
        assert_true(run.lost && run.failed > 0);
        assert_true(run.fastest < 1.6);
        assert_true(run.end_speed < 0.01);
        close_run(&run);
    }
}

// Goal: a routine on a tank without sensors knows where it is: wheels that slip do not tell how far
// it has turned, so that its yaw rate is sampled as its rims are. Method: 2 m, a quarter turn, 2 m.
static void a_routine_without_sensors_knows_its_heading(void **state)
{
    (void)state;
    Run run;
    ib_Error error;
    ib_Sim *sim;
    open_tank(&run, "",
              "routine: [{drive: {forward: 2 m}}, {turn: 90 deg}, {drive: {forward: 2 m}}]", "");
    assert_non_null(run.scenario);
    assert_int_equal(ib_sim_create(run.scenario->model, &sim, &error), IB_OK);
    double *y = ib_arena_array(&run.scenario->yaml.arena,
                               (size_t)run.scenario->model->signals.count, sizeof *y);
    assert_int_equal(ib_sim_advance(sim, ib_time_from_seconds(12), &error), IB_OK);
    ib_sim_sample(sim, y);
    assert_close(see(&run, y, "pose.x"), 2, 0.02);
    assert_close(see(&run, y, "pose.y"), 2, 0.02);
    ib_sim_destroy(sim);
    close_run(&run);
}

// Goal: an error's sign is that of its sentence. Method: a push to the left while it drives along x
// leaves the robot to the left of its reference: error.across > 0. Rolling wheels, which show it.
static void errors_have_the_sign_of_their_sentences(void **state)
{
    (void)state;
    Run run;
    open_tank(&run, ", wheels: {model: rolling}", "path: [line 4 m]",
              "disturbances: [{at: 1 s, for: 0.3 s, force: 200 N, direction: 90 deg, point: [0.4 "
              "m, 0 m]}]\n");
    drive(&run, "control", 1.3);
    assert_true(run.across > 1e-4);
    const ib_ControlPorts *ports = &loop_of(&run)->ports;
    for (int i = 0; i < ports->signal_count; i++)
        if (strcmp(ports->signals[i].name, "error.across") == 0)
            assert_non_null(strstr(ports->signals[i].sentence, "to the left of the reference"));
    close_run(&run);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sensors_set_the_period),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(what_slows_it_is_told),
        cmocka_unit_test(what_it_steers_by_is_told),
        cmocka_unit_test(a_load_in_front_turns_in_time),
        cmocka_unit_test(a_side_that_fails_is_survived),
        cmocka_unit_test(a_lost_robot_stops),
        cmocka_unit_test(a_routine_without_sensors_knows_its_heading),
        cmocka_unit_test(errors_have_the_sign_of_their_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
