// The holonomic base on wheels that never slip: how fast the presets go, against closed forms; how
// its motors are counted; what a stick becomes.
#include "robot/holonomic_rig.h"
#include "robot/parts.h"

// ---------------------------------------------------------------------------------------- straight

// Goal: strafing, driving and turning at full battery have the speed of the wheels' geometry, the
// motors and the sag, and get there as an exponential, with the inertia of wheels and rotors.
// Method: every axis of four presets, full stick, against the closed form of the rig, at 1, 2 and 4
// time constants and after 40 (e^-40 is 4e-18). RK4 at 0.5 ms leaves (h/tau)^4/120 of a start,
// below 1e-10 for the shortest tau, 36 ms.
static void speeds_follow_the_closed_form(void **state)
{
    (void)state;
    for (int i = 0; i < RIG_AXES; i++) {
        const Axis *axis = &rig_axes()[i];
        const Rise rise = rig_rise(axis, 14.2, 0.1, 0.5);
        Run run;
        open_run(&run,
                 "robot: {kind: holonomic, preset: %s, wheels: {model: rolling}, breaker: off,\n"
                 "  battery: {constant_voltage: true}, background_current: 0.5 A}\n"
                 "inputs: {%s: 1}\n"
                 "run: {duration: 10 s, step: 0.5 ms}\n",
                 axis->preset, axis->stick);
        assert_true(rise.tau > 0.03 && rise.tau < 0.25);
        for (int k = 0; k < 4; k++) {
            static const double at[] = {1, 2, 4, 40};
            double t = round(at[k] * rise.tau * 2000) / 2000; // on the grid
            go(&run, t);
            assert_close(axis->sign * see(&run, axis->velocity),
                         rise.steady * -expm1(-t / rise.tau), 1e-9 * rise.steady);
        }
        // nothing else moves: roundings of a sine, times its speed
        static const char *const all[] = {"velocity.forward", "velocity.left", "velocity.heading"};
        for (int k = 0; k < 3; k++)
            if (strcmp(all[k], axis->velocity)) assert_close(see(&run, all[k]), 0, 1e-13);
        close_run(&run);
    }
}

// Goal: so does a straight way sideways, in metres. Method: the integral of the same,
// x = steady (t - tau (1 - e^(-t/tau))), of an X-drive that looks 30 degrees to the left and
// strafes to its right: along -60 degrees.
static void a_strafe_is_straight(void **state)
{
    (void)state;
    const Rise rise = rig_rise(&rig_axes()[1], 14.2, 0.1, 0.5);
    Run run;
    open_run(&run, "robot: {kind: holonomic, preset: x-drive, wheels: {model: rolling}, breaker: "
                   "off, battery: {constant_voltage: true}}\n"
                   "start: {heading: 30 deg}\n"
                   "inputs: {stick.x: 1}\n"
                   "run: {duration: 2 s, step: 0.5 ms}\n");
    for (int k = 1; k <= 20; k++) {
        double t = 0.1 * k, way = rise.steady * (t + rise.tau * expm1(-t / rise.tau));
        go(&run, t);
        assert_close(see(&run, "pose.x"), way * 0.5, 1e-9);
        assert_close(see(&run, "pose.y"), -way * sqrt(0.75), 1e-9);
        assert_close(see(&run, "pose.heading"), RIG_PI / 6, 1e-13);
    }
    close_run(&run);
}

// ------------------------------------------------------------------------------------- the numbers

// Goal: motors 1 to 4 stand front right, front left, back left, back right, and turn forward when
// the robot turns to the left. Method: an X-drive that turns about each corner in turn: the wheel
// there stands still, the opposite one has G w 2 R/r (twice the lever of the middle), and its
// neighbours G w R/r.
static void motors_are_counted_around_from_the_front_right(void **state)
{
    (void)state;
    static const double corner[4][2] = {{7, -7}, {7, 7}, {-7, 7}, {-7, -7}}; // [in]
    const double w = 0.5, each = 40 * w * (7 * RIG_INCH * sqrt(2)) / (2 * RIG_INCH);
    for (int i = 0; i < 4; i++) {
        double x = corner[i][0] * RIG_INCH, y = corner[i][1] * RIG_INCH;
        Run run;
        open_run(&run,
                 "robot: {kind: holonomic, preset: x-drive, wheels: {model: rolling}}\n"
                 "start: {velocity: {x: %.17g m/s, y: %.17g m/s, heading: %.17g rad/s}}\n"
                 "run: {duration: 1 s}\n",
                 w * y, -w * x, w);
        for (int k = 0; k < 4; k++) {
            double times = k == i ? 0 : (k + 2) % 4 == i ? 2 : 1;
            assert_close(see_at(&run, "motor", k + 1, "speed"), times * each, 1e-12);
        }
        close_run(&run);
    }
}

// Goal: outputs are those of the reference. Method: its nine table points (x, y of -1, 0, 1) by
// the identity of C2, f = raw within -m .. m, raw = [y - x, -x - y, x - y, x + y], m = max(|x|,
// |y|); all sticks of its tables by `published`, `corrected` and `standard`.
static void outputs_are_those_of_the_reference(void **state)
{
    (void)state;
    static const struct {
        const char *mixing;
        double x, y, turn, output[4];
    } rows[] = {
        {"published", 0, 1, 0, {1, -1, -1, 1}},
        {"published", 1, 0.5, 0, {-0.5, -1, 0.5, 1}},
        {"published", 0.3, 0.9, 0, {0.6, -0.9, -0.6, 0.9}},
        {"published", -0.7, 0.2, 0, {0.7, 0.5, -0.7, -0.5}},
        {"published", 0.5, 0.5, -0.5, {0.25, -0.25, 0.25, 0.75}},
        {"published", 0, 0, -0.4, {0.4, 0.4, 0.4, 0.4}},
        {"published", 0, 1, 1, {1, -1, -1, 1}}, // asks motor 4 for 3, which gives 1
        {"corrected", -1, 0, 0.5, {0, 1, -1, -1}},
        {"corrected", 0, 1, 1, {1, -1, -1, -1}},
        {"corrected", 0, 0, 1, {-1, -1, -1, -1}},
        {"standard", 1, 0.5, 0, {-1.0 / 3, -1, 1.0 / 3, 1}},
        {"standard", 0.6, 0.8, 0, {1.0 / 7, -1, -1.0 / 7, 1}},
        {"standard", -1, 0, 1, {0, 0, -1, -1}},
        {"standard", 0.5, 0.5, -0.5, {1.0 / 3, -1.0 / 3, 1.0 / 3, 1}},
        {"standard", 0, 0, -0.4, {0.4, 0.4, 0.4, 0.4}},
    };
    static const char *const text =
        "robot: {kind: holonomic, preset: x-drive, mixing: %s, battery: {resistance: 0 ohm}}\n"
        "inputs: {stick.x: %.17g, stick.y: %.17g, turn: %.17g}\n"
        "run: {duration: 1 s}\n";
    Run run;
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++) {
        open_run(&run, text, rows[i].mixing, rows[i].x, rows[i].y, rows[i].turn);
        go(&run, 0.001);
        for (int k = 0; k < 4; k++)
            assert_close(see_at(&run, "motor", k + 1, "output"), rows[i].output[k], 1e-15);
        close_run(&run);
    }
    for (int i = 0; i < 9; i++) {
        double x = i % 3 - 1, y = i / 3 - 1, m = fmax(fabs(x), fabs(y));
        const double raw[4] = {y - x, -x - y, x - y, x + y};
        open_run(&run, text, "published", x, y, 0.0);
        go(&run, 0.001);
        for (int k = 0; k < 4; k++)
            assert_close(see_at(&run, "motor", k + 1, "output"), fmin(fmax(raw[k], -m), m), 1e-15);
        close_run(&run);
    }
}

// --------------------------------------------------------------------------------------- direction

// Goal: the published mixing bends the way, the standard one does not. Method: stick (1, 0.5) with
// wheels that never slip and a stiff battery: motors are linear, so that every rim reaches the
// speed of its output, and the twist that least strains them is x = (-m1 - m2 + m3 + m4)/4, y =
// (m1 - m2 - m3 + m4)/4 of the reference: 18.434949 degrees, where 26.565051 are asked for. Stick
// angles count from the right, the robot's from its front: 90 degrees less.
static void published_mixing_bends_the_way(void **state)
{
    (void)state;
    static const struct {
        const char *mixing;
        double x, y, asked, driven; // [deg], C2's table
    } rows[] = {
        {"published", 1, 0.5, 26.565051177078, 18.434948822922},
        {"published", 0.3, 0.9, 71.565051177078, 78.690067525980},
        {"published", -0.7, 0.2, 164.05460409907712, 170.53767779197437},
        {"published", 0.6, 0.8, 53.130102354155977, 59.036243467926482},
        {"standard", 1, 0.5, 26.565051177078, 26.565051177078},
        {"standard", 0.3, 0.9, 71.565051177078, 71.565051177078},
        {"standard", -0.7, 0.2, 164.05460409907712, 164.05460409907712},
    };
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++) {
        Run run;
        open_run(&run,
                 "robot: {kind: holonomic, preset: x-drive, mixing: %s, wheels: {model: rolling},\n"
                 "  battery: {resistance: 0 ohm}}\n"
                 "inputs: {stick.x: %.17g, stick.y: %.17g}\n"
                 "run: {duration: 4 s}\n",
                 rows[i].mixing, rows[i].x, rows[i].y);
        go(&run, 4);
        assert_close(see(&run, "command.direction"), (rows[i].asked - 90) * RIG_PI / 180, 1e-12);
        assert_close(see(&run, "motion.direction"), (rows[i].driven - 90) * RIG_PI / 180, 1e-12);
        assert_close(see(&run, "motion.direction_error"),
                     (rows[i].driven - rows[i].asked) * RIG_PI / 180, 1e-12);
        close_run(&run);
    }
}

// Goal: directions can be compared, also straight back, and there is none where nothing is asked
// for or moves. Method: a kiwi, whose wheels round differently, back for 1 s: 180 degrees, not
// -180; then turning on the spot; an X-drive with the stick within its dead zone, which rolls on.
static void directions_are_there_where_they_are(void **state)
{
    (void)state;
    Run run;
    open_run(&run, "robot: {kind: holonomic, preset: kiwi}\n"
                   "inputs: {stick.y: [[0 s, -0.8], [1 s, 0]], turn: [[0 s, 0], [1 s, 0.5]]}\n"
                   "run: {duration: 4 s}\n");
    for (int k = 1; k < 100; k++) {
        go(&run, 0.01 * k);
        assert_close(see(&run, "command.direction"), RIG_PI, 1e-12);
        assert_close(see(&run, "motion.direction"), RIG_PI, 1e-8);
        assert_close(see(&run, "motion.direction_error"), 0, 1e-8);
    }
    go(&run, 4);
    assert_true(fabs(see(&run, "velocity.heading")) > 1);
    assert_true(see(&run, "command.direction") == 0 && see(&run, "motion.direction") == 0);
    close_run(&run);
    open_run(&run, "robot: {kind: holonomic, preset: x-drive, stick: {dead_zone: 0.2},\n"
                   "  drive: {neutral: coast}}\n"
                   "inputs: {stick.x: 0.1, stick.y: 0.1}\nstart: {velocity: {x: 1 m/s}}\n"
                   "run: {duration: 1 s}\n");
    go(&run, 0.1);
    assert_true(see(&run, "command.direction") == 0 && see(&run, "motion.direction_error") == 0);
    assert_true(see(&run, "velocity.forward") > 0.5);
    close_run(&run);
}

// Goal: slip is that of each wheel, and what rollers let go is none. Method: a tank's wheels that
// turn on the spot, 8 in ahead of the middle and 2 in behind it, two on a rim: |r Omega e - v| by
// hand from what the robot shows; an X-drive that rolls along, whose rollers go 0.7 of its speed.
static void slip_is_that_of_a_wheel(void **state)
{
    (void)state;
    static const double x[] = {8, -2, 8, -2}, y[] = {-7, -7, 7, 7};
    Run run;
    open_run(&run, "robot: {kind: holonomic, preset: swerve, wheels: {at: [\n"
                   "  {x: 8 in, y: -7 in, direction: 0 deg, rim: 1},\n"
                   "  {x: -2 in, y: -7 in, direction: 0 deg, rim: 1},\n"
                   "  {x: 8 in, y: 7 in, direction: 0 deg, rim: 2},\n"
                   "  {x: -2 in, y: 7 in, direction: 0 deg, rim: 2}]}}\n"
                   "inputs: {turn: 1}\nrun: {duration: 1 s}\n");
    go(&run, 1);
    for (int i = 0; i < 4; i++) {
        double w = see(&run, "velocity.heading"),
               v = 2 * RIG_INCH * see_at(&run, "wheel", i + 1, "speed");
        double ahead = v - see(&run, "velocity.forward") + w * y[i] * RIG_INCH;
        double aside = see(&run, "velocity.left") + w * x[i] * RIG_INCH;
        assert_close(see_at(&run, "wheel", i + 1, "slip"), hypot(ahead, aside), 1e-12);
    }
    assert_true(see(&run, "wheel.1.slip") > 5 * see(&run, "wheel.2.slip"));
    close_run(&run);
    open_run(&run, "robot: {kind: holonomic, preset: x-drive}\ninputs: {stick.y: 1}\n"
                   "run: {duration: 2 s}\n");
    go(&run, 2);
    assert_true(see(&run, "velocity.forward") > 1 && see(&run, "wheel.1.slip") < 5e-3);
    close_run(&run);
}

// ----------------------------------------------------------------------------------------- presets

// Goal: a preset is a whole robot, and what is written beside it wins. Method: every one as it is
// runs; one with other wheels and mass shows them in what it does: load and grip.
static void presets_are_whole_robots(void **state)
{
    (void)state;
    static const char *const presets[] = {"x-drive", "mecanum", "kiwi", "h-drive", "swerve"};
    static const int motors[] = {4, 4, 3, 3, 4};
    Run run;
    for (int i = 0; i < 5; i++) {
        open_run(&run,
                 "robot: {kind: holonomic, preset: %s}\ninputs: {stick.y: 1}\n"
                 "run: {duration: 1 s}\n",
                 presets[i]);
        const ib_HolonomicModel *h = ib_parts_own(run.scenario->model->robots[0].model);
        assert_int_equal(h->rims.count, motors[i]);
        go(&run, 1);
        assert_true(see(&run, "velocity.forward") > 0.5);
        close_run(&run);
    }
    open_run(&run, "robot: {kind: holonomic, preset: x-drive, mass: 20 kg, wheels: {mu: 0.5}}\n"
                   "run: {duration: 1 s}\n");
    const ib_HolonomicConfig *config = run.scenario->model->robots[0].config;
    assert_true(config->mass == 20 && config->tyre.mu == 0.5 && config->wheel_count == 4);
    assert_true(config->roller_friction == 0.05 && config->drive.reduction == 40);
    assert_close(see(&run, "wheel.3.load"), 20 * 9.80665 / 4, 1e-12);
    close_run(&run);
    refuse_run("did you mean 'x-drive'?", "robot: {kind: holonomic, preset: xdrive}\n"
                                          "run: {duration: 1 s}\n");
}

// Goal: who writes no wheels has those of an X-drive. Method: `kind: holonomic` alone goes
// sideways and turns; its wheels are omni wheels across the corners, 0.39 of its size out.
static void without_wheels_it_is_an_x_drive(void **state)
{
    (void)state;
    Run run;
    open_run(&run, "robot: {kind: holonomic, drive: {motor: neverest}}\n"
                   "inputs: {stick.x: 0.5, turn: -0.25}\nrun: {duration: 1 s}\n");
    const ib_HolonomicModel *h = ib_parts_own(run.scenario->model->robots[0].model);
    assert_int_equal(h->rims.count, 4);
    assert_close(h->rims.patch.x[0], 0.39 * 18 * RIG_INCH, 1e-15);
    assert_close(h->rims.patch.y[0], -0.39 * 18 * RIG_INCH, 1e-15);
    go(&run, 1);
    assert_true(see(&run, "velocity.heading") > 0.5);
    close_run(&run);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speeds_follow_the_closed_form),
        cmocka_unit_test(a_strafe_is_straight),
        cmocka_unit_test(motors_are_counted_around_from_the_front_right),
        cmocka_unit_test(outputs_are_those_of_the_reference),
        cmocka_unit_test(published_mixing_bends_the_way),
        cmocka_unit_test(directions_are_there_where_they_are),
        cmocka_unit_test(slip_is_that_of_a_wheel),
        cmocka_unit_test(presets_are_whole_robots),
        cmocka_unit_test(without_wheels_it_is_an_x_drive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
