// Routines as a file has them, on robots: what they set, what they wait for, when they give up.
#include "robot/holonomic_rig.h"

// A lift of 6 kg on a bench, which a brake holds.
#define BENCH                                                                                      \
    "robot: {kind: bench, mechanisms: {lift: {kind: elevator, motor: cim, motors: 2,\n"            \
    "  reduction: 12, drum_radius: 2 cm, mass: 6 kg, travel: [0 m, 60 cm], brake: 200 N}},\n"      \
    "  sensors: {height: {signal: lift.position, period: 10 ms}}}\n"

// Goal: a robot without a drive has routines, too: inputs are neutral until a step sets them, keep
// what they were set to, words are taken, and a condition on a sensor ends its step. Method: wait
// 0.1 s, up by 8 V until 30 cm, then the brake, which holds: it stands above 30 cm and within what
// a lift of at most 1.1 m/s (the free speed of a CIM, 556 rad/s at 12 V, over 12, by 2 cm, at 8 V
// 0.62 m/s) goes on in two periods and while the brake stops it, 10 cm.
static void a_bench_is_moved_by_its_sensor(void **state)
{
    (void)state;
    Run run;
    open_run(&run,
             BENCH "control: {period: 20 ms, routine: [{wait: 0.1 s}, {set: {lift: 8 V}},\n"
                   "  {until: 'sensor.height >= 30 cm'}, {set: {lift: 0 V, lift.brake: on}}]}\n"
                   "run: {duration: 3 s}\n");
    go(&run, 0.1);
    assert_true(see(&run, "lift.position") < 1e-6 && see(&run, "control.step") == 1);
    go(&run, 0.3);
    assert_true(see(&run, "lift.velocity") > 0.1 && see(&run, "control.step") == 3);
    go(&run, 2);
    double stands = see(&run, "lift.position");
    assert_true(stands > 0.3 && stands < 0.4 && see(&run, "control.step") == 0);
    go(&run, 3);
    assert_close(see(&run, "lift.position"), stands, 1e-9);
    close_run(&run);
}

// Goal: what never comes is given up, and the routine goes on. Method: without a voltage the lift
// stays down; after 0.5 s of waiting for it the next step runs.
static void what_never_comes_is_given_up(void **state)
{
    (void)state;
    Run run;
    open_run(&run, BENCH "control:\n  period: 20 ms\n  routine:\n"
                         "    - until: 'sensor.height >= 30 cm'\n      timeout: 0.5 s\n"
                         "    - set: {lift: 8 V}\nrun: {duration: 1 s}\n");
    go(&run, 0.48);
    assert_true(see(&run, "control.step") == 1);
    go(&run, 0.9);
    assert_true(see(&run, "control.step") == 0 && see(&run, "lift.position") > 0.05);
    close_run(&run);
}

// Goal: a base that cannot be moved is told so. Method: the bench is asked to drive.
static void a_bench_does_not_drive(void **state)
{
    (void)state;
    refuse_run("a bench cannot be moved by a routine",
               BENCH "control: {period: 20 ms, routine: [{drive: {forward: 1 m}}]}\n"
                     "run: {duration: 1 s}\n");
}

// Goal: both sorts of bases follow what is drawn, from where they stand. Method: 1 m ahead, a
// quarter of a circle of 50 cm to the left, 50 cm on, from (2, 1) heading 90 deg: to (1, 2.5). An
// X-drive keeps its heading, or looks along; a tank, slow enough not to drift in the curve, looks
// along. 2 cm are `near`, 2 cm more are what odometry may be off.
static void a_drawn_path_is_followed(void **state)
{
    (void)state;
    static const struct {
        const char *robot, *keys;
        double heading;
    } rows[] = {{"kind: holonomic, preset: x-drive", "", 90},
                {"kind: holonomic, preset: x-drive", ", heading: along", 180},
                {"kind: holonomic, preset: x-drive", ", heading: 45 deg", 45},
                {"kind: tank", ", speed: 0.3 m/s", 180}};
    for (int i = 0; i < 4; i++) {
        Run run;
        open_run(&run,
                 "robot: {%s, sensors: {gyro: {kind: gyro, period: 10 ms}}}\n"
                 "start: {x: 2 m, y: 1 m, heading: 90 deg}\n"
                 "control: {period: 20 ms, routine: [{follow: {path: [line 1 m, arc 50 cm left 90 "
                 "deg, line 50 cm]%s}}]}\nrun: {duration: 12 s}\n",
                 rows[i].robot, rows[i].keys);
        go(&run, 12);
        assert_close(see(&run, "pose.x"), 1, 0.04);
        assert_close(see(&run, "pose.y"), 2.5, 0.04);
        assert_close(see(&run, "pose.heading"), rows[i].heading * RIG_PI / 180, 3 * RIG_PI / 180);
        close_run(&run);
    }
}

// Goal: what is said of the field is turned about its origin, what is said of the robot is not.
// Method: an X-drive at (-1, 0) m goes by 90 deg turned words to (-2, 1) and faces 120 deg, by a
// way along x to (-2, 1.5), ahead of itself 20 cm at 120 deg, then along a path that begins at
// (1, 0.5) and is 50 cm long; near enough is 2 cm, with 1 cm for odometry on its way.
static void words_of_the_field_are_turned(void **state)
{
    (void)state;
    Run run;
    open_run(&run,
             "robot: {kind: holonomic, preset: x-drive, sensors: {gyro: {kind: gyro, period: "
             "10 ms}}}\nstart: {x: -1 m}\n"
             "control: {period: 20 ms, turned: 90 deg, routine: [{drive: {to: [1 m, 2 m], "
             "heading: 30 deg}}, {drive: {x: 50 cm}}, {wait: 1 s}, {drive: {forward: 20 cm}}, "
             "{wait: 1 s}, {follow: {path: [line 50 cm], from: [1 m, 50 cm, 0 deg]}}]}\n"
             "run: {duration: 20 s}\n");
    go(&run, 20);
    assert_close(see(&run, "control.step"), 0, 0);
    assert_close(see(&run, "pose.x"), -0.5, 0.03);
    assert_close(see(&run, "pose.y"), 1.5, 0.03);
    assert_close(see(&run, "pose.heading"), 120 * RIG_PI / 180, 3 * RIG_PI / 180);
    close_run(&run);
}

// Goal: two free wheels tell of what the driven ones do not see. Method: an X-drive on dust (mu =
// 0.3) is pushed by 12 N s to the left while it holds its place: 1 m/s, of which it slides about
// v^2/(2 mu g) = 17 cm. By its free wheels it comes back within 3 cm (`near`, and 0.5 mm that an
// encoder of 1 ms misses of such a jump); by its rims it stays more than half of that away.
static void free_wheels_see_what_slides(void **state)
{
    (void)state;
    for (int sees = 0; sees < 2; sees++) {
        Run run;
        open_run(&run,
                 "robot: {kind: holonomic, preset: x-drive, wheels: {mu: 0.3}, sensors: {gyro: "
                 "{kind: gyro, period: 10 ms},\n  ahead: {kind: encoder, signal: "
                 "velocity.forward, distance_per_count: 0.05 mm, period: 1 ms},\n  aside: {kind: "
                 "encoder, signal: velocity.left, distance_per_count: 0.05 mm, period: 1 ms}}}\n"
                 "control: {period: 10 ms, routine: [{hold: 10 s}]%s}\n"
                 "disturbances: [{at: 0.5 s, impulse: 12 N*s, direction: 90 deg}]\n"
                 "run: {duration: 6 s}\n",
                 sees ? ", tracking: [ahead, aside]" : "");
        go(&run, 6);
        double off = see(&run, "pose.y");
        if (sees)
            assert_close(off, 0, 0.03);
        else
            assert_true(off > 0.08);
        assert_close(see(&run, "pose.x"), 0, 0.03);
        close_run(&run);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bench_is_moved_by_its_sensor),
        cmocka_unit_test(what_never_comes_is_given_up),
        cmocka_unit_test(a_bench_does_not_drive),
        cmocka_unit_test(a_drawn_path_is_followed),
        cmocka_unit_test(words_of_the_field_are_turned),
        cmocka_unit_test(free_wheels_see_what_slides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
