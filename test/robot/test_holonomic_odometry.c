// The loop `kind: odometry` on bases, from their wheel tables to a place on the field.
#include "robot/holonomic_rig.h"

// Drives a curve for 1 s and stands at 3 s: how far the place is off then, with this period.
static double error_at_rest(const char *robot, const char *inputs, double period)
{
    Run run;
    open_run(&run,
             "robot: {%s}\n"
             "control: {where: {kind: odometry, period: %g s, start: {x: 1 m, y: 2 m, heading: "
             "30 deg}}}\ninputs: {%s}\nstart: {x: 1 m, y: 2 m, heading: 30 deg}\n"
             "run: {duration: 3 s, step: 1 ms}\n",
             robot, period, inputs);
    go(&run, 3);
    double x = see(&run, "control.where.x") - see(&run, "pose.x");
    double y = see(&run, "control.where.y") - see(&run, "pose.y");
    assert_close(hypot(x, y), see(&run, "control.where.odometry.error"), 1e-12);
    assert_true(hypot(see(&run, "pose.x") - 1, see(&run, "pose.y") - 2) > 0.1); // it has moved
    close_run(&run);
    return hypot(x, y);
}

// Goal: every base tells its wheels right: nothing but the period is between what its rims do and
// where it is. Method: each preset without slip, whose rims are sampled ideally, on a curve
// forward, sideways and turning; standing again it is off by less than 1 mm (of about 0.6 m) with
// 10 ms, and by a quarter of that with 5 ms (order 2; 3.5 to 4.5 times, as start and end jerk).
static void presets_know_where_they_are(void **state)
{
    (void)state;
    static const char *const presets[] = {"x-drive", "mecanum", "kiwi", "h-drive"};
    for (int i = 0; i < 4; i++) {
        char robot[100];
        snprintf(robot, sizeof robot, "kind: holonomic, preset: %s, wheels: {model: rolling}",
                 presets[i]);
        const char *inputs = "stick.x: [[0 s, 0.3], [1 s, 0]], stick.y: [[0 s, 0.4], [1 s, 0]], "
                             "turn: [[0 s, -0.2], [1 s, 0]]";
        double coarse = error_at_rest(robot, inputs, 0.01);
        double fine = error_at_rest(robot, inputs, 0.005);
        assert_true(coarse < 1e-3);
        assert_true(coarse > 3.5 * fine && coarse < 4.5 * fine);
    }
}

// Goal: bases that wheels hold sideways know it, whoever tells their wheels. Method: a tank, and
// four wheels without rollers of which two and two turn together, straight ahead at 30 degrees: no
// patch slides but for what a force needs (slip of 1e-3 of the way of 1 m at most), so within 2 mm.
static void wheels_without_rollers_hold(void **state)
{
    (void)state;
    double tank =
        error_at_rest("kind: tank, breaker: off",
                      "left: [[0 s, 3 V], [1 s, 0 V]], right: [[0 s, 3 V], [1 s, 0 V]]", 0.005);
    double four = error_at_rest("kind: holonomic, preset: x-drive, wheels: {at: ["
                                "{x: 5 in, y: 6 in, direction: 0 deg, roller: none, rim: 1},\n  "
                                "{x: -5 in, y: 6 in, direction: 0 deg, roller: none, rim: 1},\n  "
                                "{x: 5 in, y: -6 in, direction: 0 deg, roller: none, rim: 2},\n  "
                                "{x: -5 in, y: -6 in, direction: 0 deg, roller: none, rim: 2}]}",
                                "stick.y: [[0 s, 0.5], [1 s, 0]]", 0.005);
    double roomba = error_at_rest(
        "kind: roomba", "left: [[0 s, 2 N], [1 s, 0 N]], right: [[0 s, 2 N], [1 s, 0 N]]", 0.005);
    assert_true(tank < 2e-3);
    assert_true(roomba < 2e-3);
    assert_true(four < 2e-3);
}

// Goal: encoders may stand on the motors' shafts, before the gears, as FTC's do, or on any wheel of
// a rim. Method: an H-drive, fine encoders on motors 1 and 3 and on the rear left wheel; it is
// where ideal samples take it, to a tenth of a millimetre (1e-4 of a turn is 0.03 mm).
static void shafts_tell_as_wheels_do(void **state)
{
    (void)state;
    Run run;
    open_run(&run,
             "robot: {kind: holonomic, preset: h-drive, wheels: {model: rolling}, sensors: {\n"
             "  a: {kind: encoder, signal: motor.1.speed, counts: 10000, period: 5 ms},\n"
             "  b: {kind: encoder, signal: wheel.3.speed, counts: 10000, period: 5 ms},\n"
             "  c: {kind: encoder, signal: motor.3.speed, counts: 10000, period: 5 ms}}}\n"
             "control: {where: {kind: odometry, sensors: [a, b, c], period: 5 ms}}\n"
             "inputs: {stick.x: [[0 s, 0.3], [1 s, 0]], stick.y: [[0 s, 0.4], [1 s, 0]],\n"
             "  turn: [[0 s, -0.2], [1 s, 0]]}\nrun: {duration: 3 s}\n");
    go(&run, 3);
    assert_true(see(&run, "pose.x") > 0.2);
    assert_close(see(&run, "control.where.odometry.error"), 0, 1e-4);
    close_run(&run);
}

// Goal: what makes no odometry is refused with what was expected. Method: too few sensors, one that
// measures something else, a base that does not tell its wheels.
static void what_tells_nothing_is_refused(void **state)
{
    (void)state;
    static const char robot[] =
        "robot: {kind: holonomic, sensors: {a: {signal: motor.1.current, period: 5 ms},\n"
        "  b: {kind: encoder, signal: wheel.1.speed, counts: 100, period: 5 ms},\n"
        "  c: {kind: encoder, signal: velocity.heading, counts: 100, period: 5 ms}}}\n";
    static const char rest[] = "run: {duration: 1 s}\n";
    refuse_run("sensors", "%scontrol: {kind: odometry, sensors: [b, b], period: 5 ms}\n%s", robot,
               rest);
    refuse_run("expected the way or the speed of a rim",
               "%scontrol: {kind: odometry, sensors: [a, b, b, b], period: 5 ms}\n%s", robot, rest);
    refuse_run(
        "'sensor.b' measures wheel.1.speed, of motor 1: expected the sensors in the order of "
        "the motors, here one of motor 2",
        "%scontrol: {kind: odometry, sensors: [b, b, b, b], period: 5 ms}\n%s", robot, rest);
    refuse_run("'sensor.c' measures velocity.heading, which is no wheel: expected wheel.1.speed",
               "%scontrol: {kind: odometry, sensors: [c, b, b, b], period: 5 ms}\n%s", robot, rest);
    refuse_run("the base does not tell how its wheels turn",
               "robot: {kind: box}\ncontrol: {kind: odometry, period: 5 ms}\n%s", rest);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_know_where_they_are),
        cmocka_unit_test(wheels_without_rollers_hold),
        cmocka_unit_test(shafts_tell_as_wheels_do),
        cmocka_unit_test(what_tells_nothing_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
