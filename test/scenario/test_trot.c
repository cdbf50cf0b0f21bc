// A quadruped that trots as a base: along a path, and pushed.
#include "scenario/run_rig.h"

#include <math.h>

#define DEGREE (3.14159265358979323846 / 180)

// The shipped trot with other keys.
#define TROT "from: " IB_SOURCE_DIR "/scenarios/quadruped_trot.yaml\nset:\n  expect: []\n"

// Goal: a robot on legs follows a path as any base does, from where it stands, by what its legs
// tell. Method: from (1 m, 2 m), heading 90 deg, a line and a bend of 45 deg on a radius of 0.5 m
// at 0.2 m/s; at the end it is there within 3 cm and 3 deg, and never was 4 cm beside the path.
static void it_follows_a_path(void **state)
{
    (void)state;
    Run run;
    open_run(&run,
             TROT "  start: {x: 1 m, y: 2 m, heading: 90 deg}\n"
                  "  inputs: {}\n"
                  "  control.way: {path: [line 0.4 m, arc 0.5 m right 45 deg], speed: 0.2 m/s}\n"
                  "  run.duration: 8 s\n");
    double most = 0;
    for (int i = 1; i <= 80; i++) {
        go(&run, 0.1 * i);
        most = fmax(most, see(&run, "path.deviation"));
    }
    double turn = 45 * DEGREE, r = 0.5;
    assert_close(see(&run, "pose.x"), 1 + r * (1 - cos(turn)), 0.03);
    assert_close(see(&run, "pose.y"), 2 + 0.4 + r * sin(turn), 0.03);
    assert_close(see(&run, "pose.heading"), 90 * DEGREE - turn, 3 * DEGREE);
    assert_true(most < 0.04);
    close_run(&run);
}

// Goal: pushed by 7.5 N s as it trots, it does not fall and goes on. Method: 75 N for 0.1 s from
// aside and from a diagonal, in two phases; 2 s later it leans by less than 2 deg and goes 0.2 m/s
// within 0.05 m/s, by its place over a second.
static void a_push_is_taken_trotting(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        Run run;
        open_run(&run,
                 TROT "  run.duration: 9 s\n"
                      "  disturbances: [{at: %g s, for: 0.1 s, force: 75 N, direction: %d deg}]\n",
                 k ? 5.27 : 5.0, k ? 90 : 225);
        go(&run, 7.5);
        double x = see(&run, "pose.x");
        assert_true(hypot(see(&run, "pose.pitch"), see(&run, "pose.roll")) < 2 * DEGREE);
        go(&run, 8.5);
        assert_close(see(&run, "pose.x") - x, 0.2, 0.05);
        assert_close(see(&run, "control.legs.fall"), 0, 0);
        close_run(&run);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_follows_a_path),
        cmocka_unit_test(a_push_is_taken_trotting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
