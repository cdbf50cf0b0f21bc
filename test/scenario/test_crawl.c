// A quadruped that crawls on its cylinders: what its loop sees, what it does when pushed or broken.
#include "scenario/blind_loops.h"
#include "scenario/run_rig.h"

#include <math.h>

#define DEGREE (3.14159265358979323846 / 180)

// The shipped crawl with other keys.
#define CRAWL "from: " IB_SOURCE_DIR "/scenarios/quadruped_crawl.yaml\nset:\n  expect: []\n"

// Goal: the loop reads sensors alone. Method: with NaN in the place of every true signal that it
// might sample, of which there are none, 1.5 s of standing and walking give the same bits.
static void the_crawl_sees_no_truth(void **state)
{
    (void)state;
    double end[2][3];
    for (int blind = 0; blind < 2; blind++) {
        Run run;
        open_run(&run, CRAWL "  robot.sensors.dark: {signal: pose.x}\n"
                             "  inputs.legs.goal.velocity.forward: 8 cm/s\n  run.duration: 2 s\n");
        if (blind) {
            assert_int_equal(blind_loops(run.scenario->model), 0);
            ib_sim_reset(run.sim);
        }
        go(&run, 1.5);
        end[blind][0] = see(&run, "pose.x");
        end[blind][1] = see(&run, "pose.roll");
        end[blind][2] = see(&run, "control.legs.margin");
        close_run(&run);
    }
    assert_memory_equal(end[0], end[1], sizeof end[0]);
    assert_true(end[0][0] > 0.03); // it walks
}

// Goal: pushed by 5 N s while it stands, it leans by at most 2 deg and is back within 10 mm after 2
// s. Method: 50 N for 0.1 s from ahead, aside and two diagonals.
static void a_push_is_taken_standing(void **state)
{
    (void)state;
    for (int turn = 0; turn < 360; turn += 135) {
        Run run;
        open_run(&run,
                 CRAWL
                 "  inputs.legs.goal.velocity.forward: 0 cm/s\n  run.duration: 4 s\n"
                 "  disturbances: [{at: 1.5 s, for: 0.1 s, force: 50 N, direction: %d deg}]\n",
                 turn);
        go(&run, 1.5);
        double x = see(&run, "pose.x"), y = see(&run, "pose.y"), most = 0;
        for (int i = 1; i <= 50; i++) {
            go(&run, 1.5 + 0.04 * i);
            most = fmax(most, hypot(see(&run, "pose.pitch"), see(&run, "pose.roll")));
        }
        assert_true(most < 2 * DEGREE);
        assert_true(hypot(see(&run, "pose.x") - x, see(&run, "pose.y") - y) < 0.01);
        close_run(&run);
    }
}

// Goal: a valve that sticks is told, and does not tip the body. Method: beta of a front leg stays
// at its centre from 3 s on; for 5 s the margin is positive ten times a second, and a weak cylinder
// is counted.
static void a_stuck_valve_is_told(void **state)
{
    (void)state;
    Run run;
    open_run(&run, CRAWL "  inputs.legs.goal.velocity.forward: 8 cm/s\n  run.duration: 8 s\n"
                         "  disturbances: [{at: 3 s, signal: leg.fl.beta.valve, scale: 0}]\n");
    for (int i = 1; i <= 80; i++) {
        go(&run, 0.1 * i);
        assert_true(see(&run, "control.legs.margin") > 0);
    }
    assert_true(see(&run, "control.legs.weak") >= 1);
    assert_close(see(&run, "control.legs.fall"), 0, 0);
    close_run(&run);
}

// Thrown over by 40 N s from a direction, it has fallen when its true tilt passes 0.6 rad.
static void throw_over(Run *run, int turn)
{
    open_run(run,
             CRAWL "  inputs.legs.goal.velocity.forward: 8 cm/s\n  run.duration: 6 s\n"
                   "  disturbances: [{at: 1.5 s, for: 0.1 s, force: 400 N, direction: %d deg}]\n",
             turn);
}

static double tilt_of(const Run *run)
{
    return acos(cos(see(run, "pose.pitch")) * cos(see(run, "pose.roll")));
}

// Goal: a fall is seen within 50 ms, by sensors, and its valves close: the safe stop. Method:
// thrown over to four sides; the truth every 10 ms, which the loop does not see; the voltages of
// valves that work would differ.
static void a_fall_is_seen_within_50_ms(void **state)
{
    (void)state;
    for (int turn = 20; turn < 360; turn += 90) {
        Run run;
        throw_over(&run, turn);
        double truth = INFINITY, told = INFINITY;
        for (int i = 150; i < 250 && isinf(told); i++) {
            go(&run, 0.01 * i);
            if (isinf(truth) && tilt_of(&run) > 0.6) truth = 0.01 * i;
            if (see(&run, "control.legs.fall") > 0) told = 0.01 * i;
        }
        assert_true(isfinite(told) && told > 1.5);
        if (isinf(truth)) {
            go(&run, told + 0.5);
            assert_true(tilt_of(&run) > 0.6);
        }
        assert_true(told < truth + 0.05);
        go(&run, told + 0.05);
        assert_close(see(&run, "leg.fl.alpha.valve"), see(&run, "leg.rr.gamma.valve"), 1e-9);
        assert_close(see(&run, "control.legs.fall"), 1, 0);
        close_run(&run);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_crawl_sees_no_truth),
        ib_plain_test(a_push_is_taken_standing),
        ib_plain_test(a_stuck_valve_is_told),
        ib_plain_test(a_fall_is_seen_within_50_ms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
