// Field-oriented driving of the holonomic base, from a gyro to the way it drives: closed forms with
// a perfect gyro, and what a noisy one leaves.
#include "robot/holonomic_rig.h"

// An X-drive without inertia in wheels and rotors, which would bend its way while it turns, on
// wheels that never slip and a stiff battery: motors are linear, so that its velocity over the
// field follows the stick S of the driver, who sees the robot under the angle q of a tick,
//   V' = (steady S e^(i (heading - q)) - V)/tau
#define LINEAR                                                                                     \
    "robot: {kind: holonomic, preset: x-drive, breaker: off,\n"                                    \
    "  battery: {resistance: 0 ohm, constant_voltage: true},\n"                                    \
    "  drive: {rotor_inertia: 0 kg*m^2}, wheels: {model: rolling, inertia: 0 kg*m^2},\n"           \
    "  sensors: {gyro: {kind: gyro, period: 5 ms}}}\n"
#define CONTROL "control: {kind: field_oriented, sensors: gyro, period: 5 ms"

// Steady speed at full stick with this battery: Kt (V - Ke w)/R = b w, w = G v/(sqrt 2 r) ahead
// and G R/r times the yaw rate, R = 7 sqrt 2 in.
static double full_motor(void)
{
    const Motor m = rig_neverest();
    return m.Kt * 14.2 / (m.Kt * m.Ke + m.R * m.b);
}

static double full_speed(void)
{
    return full_motor() / 40 * 2 * RIG_INCH * sqrt(2);
}

static double full_turn(void)
{
    return full_motor() / 40 * 2 * RIG_INCH / (7 * RIG_INCH * sqrt(2));
}

// ------------------------------------------------------------------------------------ closed forms

// Goal: with a perfect gyro the way is straight away from the driver while the robot turns. Method:
// stick 0.4 ahead, turning at the steady w = 0.3 of full from the start. Once the start has died
// away (40 tau), each period T the command lags by 0 to w T, so that the mean velocity over whole
// periods is 0.4 steady sin(w T/2)/(w T/2), turned by w T/2 = 0.5 degrees to the left of `away`;
// to 1e-9 (RK4 at 1 ms; one tau is 22 ms).
static void the_way_is_straight_while_it_turns(void **state)
{
    (void)state;
    const double w = 0.3 * full_turn(), half = 0.5 * w * 5e-3;
    const double v = 0.4 * full_speed() * sin(half) / half;
    static const double away[] = {0, 90, -150};
    for (int i = 0; i < 3; i++) {
        double along = away[i] * RIG_PI / 180 + half;
        Run run;
        open_run(&run,
                 LINEAR CONTROL ", heading: 50 deg, away: %g deg}\n"
                                "inputs: {stick.y: 0.4, turn: -0.3, field_oriented: on}\n"
                                "start: {heading: 50 deg, velocity: {heading: %.17g rad/s}}\n"
                                "run: {duration: 3 s, step: 1 ms}\n",
                 away[i], w);
        go(&run, 1);
        double x = see(&run, "pose.x"), y = see(&run, "pose.y");
        for (int k = 1; k <= 10; k++) {
            go(&run, 1 + 0.2 * k);
            assert_close(see(&run, "velocity.heading"), w, 1e-12);
            assert_close(see(&run, "pose.x"), x + v * cos(along) * 0.2 * k, 1e-9);
            assert_close(see(&run, "pose.y"), y + v * sin(along) * 0.2 * k, 1e-9);
        }
        assert_true(see(&run, "pose.heading") > RIG_PI); // it has turned well around
        close_run(&run);
    }
}

// Goal: a gyro without faults knows the heading, and the loop shows by how much it is off. Method:
// turning steadily (the trapezoid is exact), 0 at every tick; with a team that set it down 3
// degrees off, -3 degrees; over a period heading_error grows by what was turned since the tick.
static void the_heading_error_is_shown(void **state)
{
    (void)state;
    const double w = 0.3 * full_turn(), off = 3 * RIG_PI / 180;
    for (int i = 0; i < 2; i++) {
        Run run;
        open_run(&run,
                 LINEAR CONTROL ", heading: %d deg}\n"
                                "inputs: {turn: -0.3, field_oriented: on}\n"
                                "start: {heading: 50 deg, velocity: {heading: %.17g rad/s}}\n"
                                "run: {duration: 1 s}\n",
                 i ? 47 : 50, w);
        for (int k = 1; k < 100; k++) {
            // the look is before the tick of this instant: a whole period has been turned since
            go(&run, 0.01 * k);
            assert_close(see(&run, "control.heading_error"), -w * 5e-3 - (i ? off : 0), 1e-12);
            go(&run, 0.01 * k + 0.002);
            assert_close(see(&run, "control.heading_error"), -w * 2e-3 - (i ? off : 0), 1e-12);
        }
        close_run(&run);
    }
}

// Goal: red's driver stands opposite to blue's, who stands as one without an alliance. Method:
// three runs with a stick that goes anywhere: the way of red is minus that of blue.
static void red_is_the_opposite_of_blue(void **state)
{
    (void)state;
    static const char *const alliances[] = {"none", "blue", "red"};
    static const double sign[] = {1, 1, -1};
    double x[3], y[3];
    for (int i = 0; i < 3; i++) {
        Run run;
        open_run(&run,
                 LINEAR CONTROL ", away: 70 deg, alliance: %s}\n"
                                "inputs: {field_oriented: on, turn: 0.2,\n  stick.x: [[0 s, 0.3], "
                                "[1 s, -0.2]], stick.y: [[0 s, 0.2], [0.7 s, 0.5]]}\n"
                                "run: {duration: 2 s}\n",
                 alliances[i]);
        go(&run, 2);
        x[i] = see(&run, "pose.x");
        y[i] = see(&run, "pose.y");
        close_run(&run);
        assert_close(sign[i] * x[i], x[0], 1e-12);
        assert_close(sign[i] * y[i], y[0], 1e-12);
    }
    assert_true(hypot(x[0], y[0]) > 0.3);
}

// ------------------------------------------------------------------------------------ its switches

// The direction in which the robot drives over the field, steadily.
static double course(const Run *run)
{
    return atan2(see(run, "velocity.y"), see(run, "velocity.x"));
}

// Goal: off, the stick counts from the robot; on, from the driver; after a press of rezero, from
// where the robot looked then, once a press, however long it is held. Method: a robot that looks
// along 50 degrees and does not turn, stick ahead, switched every second; the course after 0.9 s of
// each (40 tau). Held down over a turn of the robot, rezero counts where it looked at the press.
static void switches_do_what_they_say(void **state)
{
    (void)state;
    static const double expected[] = {50, 20, 50, 50, 50}; // [deg]
    Run run;
    open_run(&run,
             LINEAR CONTROL ", heading: 50 deg, away: 20 deg}\n"
                            "inputs: {stick.y: 0.5, field_oriented: [[0 s, off], [1 s, on], [3 s, "
                            "off], [4 s, on]],\n  rezero: [[0 s, off], [2 s, on], [2.1 s, off]]}\n"
                            "start: {heading: 50 deg}\nrun: {duration: 5 s}\n");
    for (int k = 0; k < 5; k++) {
        go(&run, k + 0.9);
        assert_close(course(&run), expected[k] * RIG_PI / 180, 1e-9);
        assert_close(see(&run, "control.on"), k == 1 || k == 2 || k == 4, 0);
    }
    close_run(&run);
    open_run(&run, LINEAR CONTROL ", heading: 50 deg}\n"
                                  "inputs: {stick.y: 0.5, field_oriented: on, turn: [[0 s, 0], [1 "
                                  "s, -0.4], [1.5 s, 0]],\n  rezero: [[0 s, off], [0.5 s, on]]}\n"
                                  "start: {heading: 50 deg}\nrun: {duration: 3 s}\n");
    go(&run, 3);
    assert_true(see(&run, "pose.heading") > 1.2 * 50 * RIG_PI / 180);
    // the gyro's rates are ramps neither at the start of the turn nor at its end: T^2/12 w'' each
    assert_close(course(&run), 50 * RIG_PI / 180, 2e-3);
    assert_close(course(&run), 50 * RIG_PI / 180 - see(&run, "control.heading_error"), 1e-9);
    close_run(&run);
}

// Goal: a gyro with noise, bias and steps leaves a heading that is known to its drift. Method: 20 s
// at rest: bias is found in the first 2 s, noise of 0.05 deg/s at 5 ms: sqrt(20 s * 5 ms) 0.05
// deg/s of noise summed up, and the bias found to 0.05 deg/s sqrt(5 ms/2 s), times 18 s; three
// deviations of both. Turned by that, the stick still goes where it should.
static void noise_leaves_the_drift_that_it_must(void **state)
{
    (void)state;
    const double each = 0.05 * RIG_PI / 180;
    double drift = each * sqrt(18 * 5e-3), bias = each * sqrt(5e-3 / 2) * 18;
    Run run;
    open_run(&run, "robot: {kind: holonomic, preset: mecanum,\n"
                   "  sensors: {gyro: {kind: gyro, noise: 0.05 deg/s, bias: 0.4 deg/s, period: 5 "
                   "ms}}}\n" CONTROL ", settle: 2 s, away: 90 deg, alliance: red}\n"
                   "inputs: {field_oriented: on, stick.y: [[0 s, 0], [19 s, 0.3]]}\n"
                   "start: {heading: 0 deg}\n"
                   "run: {duration: 20 s, seed: 5}\n");
    go(&run, 20);
    double error = see(&run, "control.heading_error");
    assert_true(fabs(error) < 3 * hypot(drift, bias) && error != 0);
    assert_close(course(&run), -RIG_PI / 2 - error, 2e-3); // red: against `away`; rollers drag
    close_run(&run);
}

// Goal: what it cannot drive is refused. Method: a base without a stick, a sensor that is no gyro.
static void what_cannot_be_driven_so_is_refused(void **state)
{
    (void)state;
    refuse_run("the robot has no command 'stick.frame': expected a base that is driven by a stick",
               "robot: {kind: tank, sensors: {gyro: {kind: gyro, period: 5 ms}}}\n" CONTROL "}\n"
               "inputs: {left: 1 V, right: 1 V}\nrun: {duration: 1 s}\n");
    refuse_run("expected a gyro, in rad/s", "robot: {kind: holonomic, sensors: {gyro: {signal: "
                                            "velocity.forward, period: 5 ms}}}\n" CONTROL "}\n"
                                            "run: {duration: 1 s}\n");
    refuse_run("stick.frame", LINEAR CONTROL "}\n"
                                             "inputs: {stick.frame: 10 deg}\n"
                                             "run: {duration: 1 s}\n");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_way_is_straight_while_it_turns),
        cmocka_unit_test(the_heading_error_is_shown),
        cmocka_unit_test(red_is_the_opposite_of_blue),
        cmocka_unit_test(switches_do_what_they_say),
        cmocka_unit_test(noise_leaves_the_drift_that_it_must),
        cmocka_unit_test(what_cannot_be_driven_so_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
