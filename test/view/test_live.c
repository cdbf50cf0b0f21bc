// Tests of the live runner: pace, time controls, events.
#include "sim/input/live_input.h"
#include "view/live_rig.h"

#include <stdio.h>

// Without drag a Roomba is a point mass: v = (left + right) t/m.
static const char roomba[] = "robot: {kind: roomba, mass: 2 kg, drag: 0 N*s^2/m^2}\n"
                             "inputs: {source: viewer}\n"
                             "run: {duration: 600 s, step: 1 ms}\n";

// -------------------------------------------------------------------------------------------- pace

// Simulated seconds in one of wall time, over a stretch of `seconds`.
static double speed_over(LiveRig *rig, double seconds)
{
    int64_t begin = ib_wall_now();
    double from = rig->time;
    rig_wait(rig, seconds);
    return (rig->time - from) / ((double)(ib_wall_now() - begin) / 1e9);
}

// Do the rows of 0.6 s come about 60 times a second, in wall time?
// Half the rows and 0.25 s of lag are allowed.
static bool keeps_pace(LiveRig *rig)
{
    int64_t begin = ib_wall_now();
    double from = rig->time;
    int rows = rig->rows;
    rig_wait(rig, 0.6);
    double wall = (double)(ib_wall_now() - begin) / 1e9;
    rows = rig->rows - rows;
    return rows >= 18 && rows <= (int)(62 * wall) + 2 && fabs(rig->time - from - wall) < 0.25 &&
           fabs(rig->status.ratio - 1) < 0.25;
}

// Goal: rows come about 60 times a second, and simulated time is wall time. Method: stretches of
// 0.6 s, until one is as it should be: other programs may hold the cores in some.
static void rows_come_and_time_keeps_pace(void **state)
{
    (void)state;
    LiveRig rig;
    rig_start(&rig, roomba, (ib_LiveOptions){.speed = 1});
    rig_until(&rig, rig.rows > 0);
    bool paced = false;
    for (int i = 0; i < 20 && !paced; i++) paced = keeps_pace(&rig);
    assert_true(paced);
    assert_int_equal(rig.status.state, IB_FEED_RUNNING);
    assert_true(rig.status.late_p50 <= rig.status.late_p99 &&
                rig.status.late_p99 <= rig.status.late_p999 &&
                rig.status.late_p999 <= rig.status.late_max);
    rig_stop(&rig);
}

// Goal: pause holds time, a step makes as many steps as were asked for, play goes on. Method: the
// times of the rows; steps are exact.
static void pause_step_and_play_do_as_they_say(void **state)
{
    (void)state;
    LiveRig rig;
    rig_start(&rig, roomba, (ib_LiveOptions){.speed = 1, .paused = true});
    rig_until(&rig, rig.rows == 1);
    rig_wait(&rig, 0.1);
    assert_int_equal(rig.rows, 1); // the same row is not shown twice
    assert_close(rig.time, 0, 0);
    rig_order(&rig, IB_COMMAND_STEP, 1);
    rig_until(&rig, rig.rows == 2);
    assert_close(rig.time, 0.001, 1e-12);
    rig_order(&rig, IB_COMMAND_STEP, 250);
    rig_until(&rig, rig.time > 0.2505); // on a slow machine there are rows on the way
    assert_close(rig.time, 0.251, 1e-12);
    rig_wait(&rig, 0.03);
    assert_close(rig.time, 0.251, 1e-12);
    assert_int_equal(rig.status.state, IB_FEED_PAUSED);
    rig_order(&rig, IB_COMMAND_PLAY, 0);
    rig_until(&rig, rig.time > 0.3);
    assert_int_equal(rig.status.state, IB_FEED_RUNNING);
    rig_order(&rig, IB_COMMAND_PAUSE, 0);
    rig_until(&rig, rig.status.state == IB_FEED_PAUSED);
    rig_wait(&rig, 0.05);
    double time = rig.time;
    rig_wait(&rig, 0.1);
    assert_close(rig.time, time, 0);
    rig_stop(&rig);
}

// Goal: the speed is kept below and above real time, and as fast as possible is faster. Method:
// stretches of 0.2 s, until one has the speed asked for: other programs may hold the cores in some.
static void speed_is_kept_from_a_tenth_to_the_fastest(void **state)
{
    (void)state;
    LiveRig rig;
    rig_start(&rig, roomba, (ib_LiveOptions){.speed = 0.1});
    rig_until(&rig, rig.rows > 0);
    static const struct {
        double speed, least, most;
    } cases[] = {{0.1, 0.025, 0.25}, {5, 1.5, 10}, {0, 10, 3000}};
    for (int i = 0; i < 3; i++) {
        rig_order(&rig, IB_COMMAND_SPEED, cases[i].speed);
        rig_until(&rig, rig.status.speed == cases[i].speed);
        double speed = -1;
        for (int k = 0; k < 50 && !(speed >= cases[i].least && speed <= cases[i].most); k++)
            speed = speed_over(&rig, 0.2);
        assert_true(speed >= cases[i].least && speed <= cases[i].most);
    }
    rig_stop(&rig);
}

// Goal: a reset begins a new run at the start, in the same state as the first one. Method: drive,
// reset while paused, look at the first row.
static void reset_begins_a_new_run(void **state)
{
    (void)state;
    LiveRig rig;
    rig_start(&rig, roomba, (ib_LiveOptions){.speed = 1});
    rig_until(&rig, rig.rows > 0);
    rig_drive(&rig, 1, 0, "left", 1);
    rig_until(&rig, rig.time > 0.15);
    rig_order(&rig, IB_COMMAND_PAUSE, 0);
    rig_until(&rig, rig.status.state == IB_FEED_PAUSED);
    assert_true(rig_value(&rig, "wheel.left.speed") > 0);
    rig.jumped = false;
    rig_order(&rig, IB_COMMAND_RESET, 0);
    rig_until(&rig, rig.run == 2);
    assert_true(rig.jumped);
    assert_close(rig.time, 0, 0);
    assert_close(rig_value(&rig, "pose.x"), 0, 0);
    assert_close(rig_value(&rig, "drive.left.force"), 0, 0);
    assert_int_equal(rig.status.state, IB_FEED_PAUSED);
    rig_order(&rig, IB_COMMAND_PLAY, 0);
    rig_until(&rig, rig.time > 0.05);
    assert_close(rig_value(&rig, "drive.left.force"), 0, 0); // nobody holds it any more
    rig_stop(&rig);
}

// Goal: a simulation that the machine cannot run in real time says so and still listens. Method: a
// tank in steps of 100 ns, ten million a second, and a pause.
static void a_loop_that_falls_behind_says_so_and_listens(void **state)
{
    (void)state;
    LiveRig rig;
    int64_t begin = ib_wall_now();
    rig_start(&rig,
              "robot: {kind: tank}\n"
              "inputs: {left: 5 V, right: 5 V}\n"
              "run: {duration: 60 s, step: 0.1 us}\n",
              (ib_LiveOptions){.speed = 1});
    rig_until(&rig, rig_event(&rig, IB_EVENT_OVERRUN, "behind the clock"));
    rig_until(&rig, rig.status.overruns > 0);
    rig_order(&rig, IB_COMMAND_PAUSE, 0);
    rig_until(&rig, rig.status.state == IB_FEED_PAUSED);
    int told = 0;
    for (int i = 0; i < rig.event_count; i++) told += rig.events[i].kind == IB_EVENT_OVERRUN;
    assert_in_range(told, 1, 1 + (ib_wall_now() - begin) / IB_SECOND); // one a second at most
    rig_stop(&rig);
}

// ------------------------------------------------------------------------------------------ events

// Goal: a breaker that trips is told, as an error, when it does. Method: a main breaker for 20 A
// that trips within a second at the current of a stalled drive (hundreds of amperes).
static void a_breaker_that_trips_is_told(void **state)
{
    (void)state;
    LiveRig rig;
    rig_start(&rig,
              "robot:\n"
              "  kind: tank\n"
              "  breaker: {rating: 20 A, trip: [[20 A, 10 s], [100 A, 0.2 s]]}\n"
              "inputs: {source: viewer}\n"
              "run: {duration: 60 s}\n",
              (ib_LiveOptions){.speed = 1});
    int kind = IB_MODE_BREAKER;
    for (int i = 0; i < 1500 && !rig_event(&rig, kind, "trips"); i++) {
        rig_drive(&rig, 1, 0, "left", 12);
        rig_drive(&rig, 1, 0, "right", 12);
        rig_wait(&rig, 0.02);
    }
    const ib_FeedEvent *event = rig_event(&rig, kind, "the main breaker trips");
    assert_non_null(event);
    assert_int_equal(event->level, IB_MODE_ERROR);
    assert_int_equal(event->run, 1);
    assert_true(event->time > 0);
    rig_until(&rig, rig.time >= event->time);
    rig_stop(&rig);
}

// Goal: an expectation is told as failed when that is known, the rest at the end, and then the run
// has ended; a reset judges anew.
// Method: one broken at 50 ms, one whose time passes, one that holds.
static void expectations_are_told_when_they_fail(void **state)
{
    (void)state;
    LiveRig rig;
    rig_start(&rig,
              "robot: {kind: roomba, mass: 2 kg, drag: 0 N*s^2/m^2}\n"
              "inputs: {left: 1 N, right: 1 N}\n" // v = 1 m/s^2 t
              "run: {duration: 0.2 s, step: 1 ms}\n"
              "expect:\n"
              "  - 'always: velocity.forward <= 0.05 m/s'\n"
              "  - 'before 0.1 s: velocity.forward >= 0.3 m/s'\n"
              "  - 'at end: velocity.forward = 0.2 m/s +- 1 um/s'\n",
              (ib_LiveOptions){.speed = 1});
    rig_until(&rig, rig.status.state == IB_FEED_ENDED);
    rig_until(&rig, rig_event(&rig, IB_EVENT_NOTE, "the run has come to its end"));
    const ib_FeedEvent *broken = rig_event(&rig, IB_EVENT_EXPECTATION, "failed: 'always");
    const ib_FeedEvent *missed = rig_event(&rig, IB_EVENT_EXPECTATION, "failed: 'before");
    const ib_FeedEvent *held = rig_event(&rig, IB_EVENT_EXPECTATION, "holds: 'at end");
    assert_non_null(broken);
    assert_non_null(missed);
    assert_non_null(held);
    assert_close(broken->time, 0.05, 0.0025); // a step or two after it was broken
    assert_close(missed->time, 0.1, 0.0025);
    assert_close(held->time, 0.2, 0);
    assert_int_equal(broken->level, IB_MODE_ERROR);
    assert_int_equal(held->level, IB_MODE_INFO);
    assert_int_equal(rig.status.expectations_failed, 2);
    assert_int_equal(rig.status.expectations_passed, 1);
    assert_close(rig.time, 0.2, 0); // the last row is the end

    rig_order(&rig, IB_COMMAND_PLAY, 0); // there is nothing to go on with
    rig_wait(&rig, 0.02);
    assert_int_equal(rig.status.state, IB_FEED_ENDED);
    rig_order(&rig, IB_COMMAND_SPEED, 0.1); // half a second of wall time to the first failure
    rig_order(&rig, IB_COMMAND_RESET, 0);
    rig_order(&rig, IB_COMMAND_PAUSE, 0);
    rig_until(&rig, rig.run == 2 && rig.status.state == IB_FEED_PAUSED);
    assert_int_equal(rig.status.expectations_failed, 0);
    rig_order(&rig, IB_COMMAND_SPEED, 1);
    rig_order(&rig, IB_COMMAND_PLAY, 0);
    rig_until(&rig, rig.status.state == IB_FEED_ENDED);
    assert_int_equal(rig.status.expectations_failed, 2);
    rig_stop(&rig);
}

// Goal: what the file may not mean as it is written is told at the start of each run. Method: a
// motor whose data sheet makes energy.
static void warnings_of_the_file_are_told(void **state)
{
    (void)state;
    LiveRig rig;
    rig_start(&rig,
              "robot: {kind: tank, drive: {motor: {preset: neo, stall_torque: 2.7 N*m}}}\n"
              "inputs: {left: 1 V, right: 1 V}\n"
              "run: {duration: 60 s}\n",
              (ib_LiveOptions){.speed = 1});
    rig_until(&rig, rig_event(&rig, IB_EVENT_NOTE, "live.yaml:1:36: robot.drive.motor: Kt"));
    const ib_FeedEvent *event = rig_event(&rig, IB_EVENT_NOTE, "is 1.296 Ke");
    assert_non_null(event);
    assert_int_equal(event->level, IB_MODE_WARNING);
    rig_stop(&rig);
}

// Goal: a step that is too long for what happens is told when it does, once, and again in the next
// run. Method: a Roomba that is thrown aside after 50 ms, with 3 m/s, and slides with
// 18 times the drag that it knows of (docs/solver/solver.md).
static void a_step_that_is_too_long_is_told(void **state)
{
    (void)state;
    LiveRig rig;
    rig_start(&rig,
              "robot: {kind: roomba}\n"
              "inputs: {left: 0 N, right: 0 N}\n"
              "disturbances: [{at: 50 ms, impulse: 8 N*s, direction: 90 deg}, {at: 0 s, signal: "
              "force.side, scale: 18}]\n"
              "run: {duration: 0.2 s}\n",
              (ib_LiveOptions){.speed = 1});
    for (uint32_t run = 1; run <= 2; run++) {
        rig_until(&rig, rig.run == run && rig.status.state == IB_FEED_ENDED);
        uint32_t told = 0;
        for (int i = 0; i < rig.event_count; i++) {
            const ib_FeedEvent *event = &rig.events[i];
            if (!strstr(event->text, "velocity.y: from 0.05 s on it moves too fast")) continue;
            told++;
            assert_int_equal(event->run, told);
            assert_int_equal(event->level, IB_MODE_WARNING);
            assert_true(event->time > 0.05 && event->time < 0.2);
        }
        assert_int_equal(told, run);
        rig_order(&rig, IB_COMMAND_RESET, 0);
    }
    rig_stop(&rig);
}

// Goal: a run that fails is told with its reason, and can be started anew. Method: a Roomba at the
// edge of its plausible speed.
static void a_run_that_fails_says_why(void **state)
{
    (void)state;
    LiveRig rig;
    rig_start(&rig,
              "robot: {kind: roomba, mass: 1 g, drag: 0 N*s^2/m^2, max_force: 1000000 N}\n"
              "inputs: {left: 1000000 N, right: 1000000 N}\n"
              "run: {duration: 60 s, step: 1 ms}\n",
              (ib_LiveOptions){.speed = 1});
    rig_until(&rig, rig.status.state == IB_FEED_FAILED);
    rig_until(&rig, rig_event(&rig, IB_EVENT_FAILURE, ""));
    const ib_FeedEvent *event = rig_event(&rig, IB_EVENT_FAILURE, "");
    assert_non_null(event);
    assert_int_equal(event->level, IB_MODE_ERROR);
    rig_order(&rig, IB_COMMAND_RESET, 0);
    rig_until(&rig, rig.run == 2 && rig.status.state == IB_FEED_FAILED);
    ib_live_stop(rig.live);
    ib_LiveOutcome outcome;
    ib_live_outcome(rig.live, &outcome);
    assert_int_equal(outcome.status, IB_FAILED);
    assert_int_equal(outcome.runs, 2);
    assert_true(outcome.error.text[0]);
    rig_stop(&rig);
}

// Goal: neither pace nor pauses nor looks change the run. Method: steps, pauses and three speeds on
// the way to the end; the hash is that of a run that nobody watched, for both kinds of solver. (An
// adaptive one makes shorter steps where it is asked live; so the other run is, too.)
static void pacing_does_not_change_the_bits(void **state)
{
    (void)state;
    static const char *const solvers[] = {"rk4", "dopri5"};
    for (int i = 0; i < 2; i++) {
        char yaml[400];
        snprintf(yaml, sizeof yaml,
                 "robot: {kind: tank}\n"
                 "inputs: {left: [[0 s, 3 V], [0.7 s, 8 V]], right: 5 V}\n"
                 "run: {duration: 2 s, step: 1 ms, solver: %s}\n",
                 solvers[i]);
        LiveRig rig;
        rig_start(&rig, yaml, (ib_LiveOptions){.speed = 1, .paused = true});
        rig_order(&rig, IB_COMMAND_STEP, 7);
        rig_order(&rig, IB_COMMAND_PLAY, 0);
        rig_wait(&rig, 0.05);
        rig_order(&rig, IB_COMMAND_SPEED, 10);
        rig_wait(&rig, 0.05);
        rig_order(&rig, IB_COMMAND_PAUSE, 0);
        rig_order(&rig, IB_COMMAND_SPEED, 0);
        rig_wait(&rig, 0.02);
        rig_order(&rig, IB_COMMAND_PLAY, 0);
        rig_until(&rig, rig.status.state == IB_FEED_ENDED);
        ib_live_stop(rig.live);
        ib_LiveOutcome outcome;
        ib_live_outcome(rig.live, &outcome);
        ib_Sim *sim;
        ib_Error error;
        ib_Arena arena = {0};
        ib_LiveInput nobody;
        assert_int_equal(ib_sim_create(rig.scenario->model, &sim, &error), IB_OK);
        assert_int_equal(ib_live_input_init(rig.scenario->model, &arena, &nobody, &error), IB_OK);
        if (i == 1) ib_sim_connect(sim, ib_live_input_source(&nobody));
        assert_int_equal(ib_sim_advance(sim, 2 * IB_SECOND, &error), IB_OK);
        assert_true(ib_sim_hash(sim) == outcome.hash);
        ib_arena_reset(&arena);
        ib_sim_destroy(sim);
        rig_stop(&rig);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_and_time_keeps_pace),
        cmocka_unit_test(pause_step_and_play_do_as_they_say),
        cmocka_unit_test(speed_is_kept_from_a_tenth_to_the_fastest),
        cmocka_unit_test(reset_begins_a_new_run),
        cmocka_unit_test(a_loop_that_falls_behind_says_so_and_listens),
        cmocka_unit_test(a_breaker_that_trips_is_told),
        cmocka_unit_test(expectations_are_told_when_they_fail),
        cmocka_unit_test(warnings_of_the_file_are_told),
        cmocka_unit_test(a_step_that_is_too_long_is_told),
        cmocka_unit_test(a_run_that_fails_says_why),
        cmocka_unit_test(pacing_does_not_change_the_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
