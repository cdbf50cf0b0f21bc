// test/control/test_follow.c: real robots on paths, by noisy sensors, pushed, flat, blind.
#include "cmocka_all.h"
#include "control/follow_rig.h"

enum { SEEDS = IB_ROUNDS(20, 1) };

// The Roomba document's path (scenarios/roomba_path_*.yaml), and a slalom.
static void document_path(FollowRig *rig)
{
    follow_rig_element(rig, "line 2 m");
    follow_rig_element(rig, "circle 1 m left");
    follow_rig_element(rig, "line 2 m");
}

static void slalom(FollowRig *rig)
{
    follow_rig_waypoint(rig, 1.5, 0.5);
    follow_rig_waypoint(rig, 3, -0.5);
    follow_rig_waypoint(rig, 4.5, 0.5);
    follow_rig_waypoint(rig, 6, 0);
}

static void (*const paths[2])(FollowRig *rig) = {document_path, slalom};

static void print_run(const char *what, const FollowRig *rig)
{
    print_message("%-28s %5.2f s: deviation %4.1f mm at %5.2f s, odometry %4.1f mm, end %4.1f mm, "
                  "done at %5.2f s\n",
                  what, rig->model.trajectory.duration, 1e3 * rig->deviation, rig->deviation_at,
                  1e3 * rig->lost, 1e3 * rig->end_miss, rig->done_at);
}

// Followed within `most`, and at rest at the end: it stands within 2 s, near enough, and stays.
static void assert_followed(const char *what, const FollowRig *rig, double most)
{
    if (what) print_run(what, rig);
    assert_true(rig->deviation < most);
    assert_true(rig->end_miss < most);
    assert_true(rig->done_at > 0);
    assert_true(rig->done_at < rig->model.trajectory.duration + rig->follow.odometry.settle + 2);
    assert_true(rig->late_way < 2e-3);
    if (!rig->base.coasts) assert_true(rig->late_change == 0);
}

// Goal: a tank on carpet follows the document's path and a slalom within 3 cm by encoders of 1440
// counts and a gyro with noise, whatever the seed. Method: 20 seeds; 0.005 rad/s of noise a sample
// walks to 1.2 mrad in 11 s, 1 cm at the far side; the limits are asserted at every tick.
static void a_tank_stays_within_three_centimetres(void **state)
{
    (void)state;
    for (int p = 0; p < 2; p++) {
        double worst = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            FollowRig rig;
            follow_rig_default(&rig, &ib_tank_kind);
            paths[p](&rig);
            rig.sensors = true;
            rig.seed = (uint64_t)seed;
            follow_rig_run(&rig);
            worst = fmax(worst, rig.deviation);
            assert_followed(NULL, &rig, 0.03);
            follow_rig_free(&rig);
        }
        print_message("tank, %s, worst of %d seeds: %.1f mm\n", p ? "slalom" : "document's path",
                      SEEDS, 1e3 * worst);
    }
}

// Goal: so does a Roomba. Method: the same; the Roomba is slower and slips less.
static void a_roomba_stays_within_two_centimetres(void **state)
{
    (void)state;
    for (int p = 0; p < 2; p++) {
        double worst = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            FollowRig rig;
            follow_rig_default(&rig, &ib_roomba_kind);
            paths[p](&rig);
            rig.sensors = true;
            rig.seed = (uint64_t)seed;
            rig.follow.trajectory.acceleration = rig.follow.trajectory.deceleration = 0.5;
            rig.after = 6;
            follow_rig_run(&rig);
            worst = fmax(worst, rig.deviation);
            assert_followed(NULL, &rig, 0.02);
            follow_rig_free(&rig);
        }
        print_message("roomba, %s, worst of %d seeds: %.1f mm\n", p ? "slalom" : "document's path",
                      SEEDS, 1e3 * worst);
    }
}

// Goal: a Roomba stands at the end of a curve as it was drawn, though its slide dies out later than
// it stops. Method: a quarter circle with ideal speeds; the plan points at most `drift`, 10 deg,
// away from the course, of which it takes the sine, and the robot stands within 1.2 deg of 90 deg.
static void a_roomba_ends_a_curve_along_it(void **state)
{
    (void)state;
    FollowRig rig;
    follow_rig_default(&rig, &ib_roomba_kind);
    follow_rig_element(&rig, "line 1 m");
    follow_rig_element(&rig, "arc 0.5 m left 90 deg");
    follow_rig_run(&rig);
    const ib_Trajectory *t = &rig.model.trajectory;
    double most = asin(rig.follow.trajectory.drift);
    for (int i = 0; i <= 1000; i++) {
        ib_TrajectoryPoint p = ib_trajectory_at(t, t->duration * i / 1000);
        assert_close(p.heading - p.course, 0, most + 1e-9); // of rounding
    }
    assert_close(rig.x[IB_ROOMBA_TH], 0.5 * 3.14159265358979323846, 0.021);
    assert_followed("roomba, a curve at the end", &rig, 0.01);
    follow_rig_free(&rig);
}

// Goal: a swerve stays within 2 cm of the document's path with encoders and a gyro with noise, and
// is back on its end sideways, too. Method: 2 seeds; its wheels creep under force by about 1 cm,
// which no encoder shows.
static void a_swerve_stays_within_two_centimetres(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        FollowRig rig;
        follow_rig_default(&rig, &ib_swerve_kind);
        document_path(&rig);
        rig.sensors = true;
        rig.seed = seed;
        follow_rig_run(&rig);
        assert_followed("swerve", &rig, 0.02);
        assert_true(rig.end_miss < 0.01 + rig.lost);
        follow_rig_free(&rig);
    }
}

// Goal: without sensors, by ideal speeds, both are better still. Method: the same paths.
static void ideal_speeds_are_followed(void **state)
{
    (void)state;
    const ib_RobotKind *kinds[] = {&ib_tank_kind, &ib_roomba_kind};
    for (int k = 0; k < 2; k++)
        for (int p = 0; p < 2; p++) {
            FollowRig rig;
            follow_rig_default(&rig, kinds[k]);
            paths[p](&rig);
            follow_rig_run(&rig);
            assert_followed(k ? "roomba, ideal" : "tank, ideal", &rig, 0.01);
            follow_rig_free(&rig);
        }
}

typedef struct Variant {
    const char *name, *key, *value;
} Variant;

// Goal: it is the robot's own model that is followed, whatever it is made of. Method: each law of
// wheels and loss, other gears and masses, one at a time, slalom and sensors.
static void every_drive_is_followed(void **state)
{
    (void)state;
    static const Variant variants[] = {
        {"rolling", "wheels.model", "rolling"},
        {"viscous", "wheels.model", "viscous"},
        {"bristle", "wheels.model", "bristle"},
        {"coulomb", "drive.loss", "coulomb"},
        {"lossy gears", "drive.efficiency", "0.8"},
        {"coasting", "drive.neutral", "coast"},
        {"inductance", "drive.current", "implicit"},
        {"heavy", "mass", "90 kg"},
        {"short", "wheels.contact_half_length", "0.15 m"},
        {"tall", "wheels.com_height", "0.25 m"},
        {"slippery", "wheels.mu", "0.7"},
        {"limited current", "drive.current_limit", "40 A"},
        {"weak battery", "battery.resistance", "40 mohm"},
    };
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i += IB_ROUNDS(1, 2)) {
        FollowRig rig;
        follow_rig_default(&rig, &ib_tank_kind);
        const ib_Param *param = ib_schema_find(&ib_tank_kind.params, variants[i].key);
        assert_non_null(param);
        assert_int_equal(ib_schema_set(param, variants[i].value, rig.config, NULL), IB_OK);
        slalom(&rig);
        rig.sensors = true;
        follow_rig_run(&rig);
        assert_followed(variants[i].name, &rig, 0.03);
        follow_rig_free(&rig);
    }
}

// Goal: a robot unlike its model is steered all the same. Method: the truth is heavier, grips less,
// or has a battery that is flat or weak, the last two also with its voltage measured; a straight
// line and the slalom within 3 cm. With a weak battery commands run out: it comes later.
static void a_wrong_model_is_made_up_for(void **state)
{
    (void)state;
    for (int n = 0; n < 6; n++)
        for (int p = IB_ROUNDS(0, n % 2); p < 2; p += IB_ROUNDS(1, 2)) {
            FollowRig rig;
            follow_rig_default(&rig, &ib_tank_kind);
            if (p) slalom(&rig);
            if (!p) follow_rig_element(&rig, "line 4 m");
            ib_TankConfig *truth = follow_rig_truth(&rig);
            if (n == 0) truth->mass = 75;
            if (n == 1) truth->wheels.tyre.mu = 0.85;
            if (n == 2 || n == 4) truth->equipment.power.battery.open_circuit = 10.5;
            if (n == 3 || n == 5) truth->equipment.power.battery.resistance = 0.04;
            rig.tap = n >= 4;
            rig.sensors = true;
            rig.after = 4;
            follow_rig_run(&rig);
            assert_followed("unlike its model", &rig, 0.03);
            follow_rig_free(&rig);
        }
}

// Goal: a robot that is held back is waited for, and then goes on where it was. Method: 500 N (of
// 588 that the floor holds) against the tank for 1.5 s on a line; its wheels slip, so that odometry
// sees little of it, but commands stay in their range and it stands at the end of what it believes.
// A Roomba's wheels do not slip: pushed with 6 N (its wheels have 5.4 N) it falls behind by far
// more than `stop`, the reference waits, and it ends where it should.
static void the_reference_waits(void **state)
{
    (void)state;
    FollowRig rig;
    follow_rig_default(&rig, &ib_tank_kind);
    follow_rig_element(&rig, "line 4 m");
    rig.sensors = true;
    rig.push_from = 1.5;
    rig.push_to = 3;
    rig.push_x = -500;
    rig.after = 5;
    follow_rig_run(&rig);
    print_run("tank, held back", &rig);
    assert_true(rig.deviation < 0.03 + rig.lost);
    assert_true(rig.done_at > 0);
    follow_rig_free(&rig);

    follow_rig_default(&rig, &ib_roomba_kind);
    follow_rig_element(&rig, "line 3 m");
    rig.sensors = true;
    rig.push_from = 2;
    rig.push_to = 4;
    rig.push_x = -6;
    rig.after = 8;
    rig.follow.trajectory.acceleration = rig.follow.trajectory.deceleration = 0.5;
    follow_rig_run(&rig);
    print_run("roomba, held back", &rig);
    assert_true(rig.deviation < 0.01);
    assert_true(rig.end_miss < 0.01);
    assert_true(rig.done_at > rig.model.trajectory.duration + 1);
    follow_rig_free(&rig);
}

// Goal: a push that the sensors can see is driven out. Method: a tank on wheels that do not slip,
// pushed with 80 N along both axes of the field for 1 s on the circle.
static void a_push_is_driven_out(void **state)
{
    (void)state;
    FollowRig rig;
    follow_rig_default(&rig, &ib_tank_kind);
    ib_TankConfig *tank = rig.config;
    tank->wheels.model = IB_WHEEL_ROLLING;
    document_path(&rig);
    rig.sensors = true;
    rig.push_from = 4;
    rig.push_to = 5;
    rig.push_x = 80;
    rig.push_y = -80;
    follow_rig_run(&rig);
    assert_followed("tank, pushed", &rig, 0.03);
    follow_rig_free(&rig);
}

// Goal: a robot that is pushed away from the end comes back. Method: a Roomba, which has no brakes,
// pushed with 5 N for 1 s after it is done, by 18 cm.
static void a_robot_at_rest_comes_back(void **state)
{
    (void)state;
    FollowRig rig;
    follow_rig_default(&rig, &ib_roomba_kind);
    follow_rig_element(&rig, "line 1 m");
    rig.sensors = true;
    rig.push_from = 8;
    rig.push_to = 9;
    rig.push_x = -5;
    rig.after = 14;
    follow_rig_run(&rig);
    print_run("roomba, pushed at rest", &rig);
    assert_true(rig.end_miss < 0.01);
    follow_rig_free(&rig);
}

// Goal: samples that are missed do little, and no measurement makes a command that is no number or
// out of its range. Method: every seventh sample of each sensor is missed; then all of them for
// ever, and absurd ones.
static void missed_and_absurd_samples_are_borne(void **state)
{
    (void)state;
    FollowRig rig;
    follow_rig_default(&rig, &ib_tank_kind);
    document_path(&rig);
    rig.sensors = true;
    rig.blind = true;
    follow_rig_run(&rig);
    assert_followed("tank, half blind", &rig, 0.03);
    static const double wrong[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, 0, 1e6};
    ib_follow_reset(&rig.model, rig.state);
    for (int k = 0; k < IB_ROUNDS(20000, 4000); k++) {
        double side[2] = {wrong[k % 7], wrong[(k / 7) % 7]}, yaw = wrong[(k / 49) % 7], command[2];
        ib_odometry_step(&rig.model.odometry, side, yaw, NULL, rig.state);
        ib_follow_step(&rig.model, wrong[(k / 343) % 7], rig.state, command);
        for (int i = 0; i < 2; i++) assert_true(fabs(command[i]) <= rig.base.range);
        for (int i = 0; i < IB_FOLLOW_STATES; i++) assert_true(isfinite(rig.state[i]));
    }
    follow_rig_free(&rig);
}

// Goal: a gyro's bias is found at rest. Method: 1 deg/s, which would be 0.9 m aside; half a second
// of rest knows it to 0.005/sqrt(100) rad/s, 5 mrad at the end of the path.
static void a_bias_is_found_at_rest(void **state)
{
    (void)state;
    FollowRig rig;
    follow_rig_default(&rig, &ib_tank_kind);
    document_path(&rig);
    rig.sensors = true;
    rig.gyro_bias = 0.0175;
    rig.follow.odometry.settle = 0.5;
    follow_rig_run(&rig);
    assert_followed("tank, gyro with a bias", &rig, 0.03);
    follow_rig_free(&rig);
}

// Goal: when commands run out, speed gives way and the curve stays. Method: what the circle takes,
// which is within the range, and the same with 4.8 V more on both sides: cut, with the same
// difference of the sides.
static void speed_gives_way_before_the_curve(void **state)
{
    (void)state;
    FollowRig rig;
    follow_rig_default(&rig, &ib_tank_kind);
    document_path(&rig);
    follow_rig_prepare(&rig);
    ib_TrajectoryPoint p = ib_trajectory_at(&rig.model.trajectory, 5);
    ib_AxisMotion motion = ib_motion_ahead(&rig.base, p.forward, p.yaw_rate, 0, 0, 0);
    double command[IB_AXES], more[IB_AXES];
    ib_locomotion_command(&rig.base, &motion, command);
    for (int i = 0; i < 2; i++) more[i] = command[i] + 4.8;
    assert_false(ib_locomotion_limit(&rig.base, command));
    assert_true(ib_locomotion_limit(&rig.base, more));
    assert_close(more[1], rig.base.range, 1e-12);
    assert_close(more[1] - more[0], command[1] - command[0], 1e-12);
    assert_true(more[1] - more[0] > 8);
    follow_rig_free(&rig);
}

// Goal: a path begins wherever the robot stands. Method: the slalom turned by 2 rad and moved; the
// same motion, to what rounding makes of counts.
static void a_path_begins_anywhere(void **state)
{
    (void)state;
    FollowRig rig;
    follow_rig_default(&rig, &ib_tank_kind);
    ib_TankConfig *tank = rig.config;
    double s, c, x0 = 3, y0 = -7, turn = 2;
    rig.start = (ib_PathPoint){.x = x0, .y = y0, .course = turn};
    tank->planar.x = x0;
    tank->planar.y = y0;
    tank->planar.heading = turn;
    ib_sincos(turn, &s, &c);
    static const double points[4][2] = {{1.5, 0.5}, {3, -0.5}, {4.5, 0.5}, {6, 0}};
    for (int i = 0; i < 4; i++)
        follow_rig_waypoint(&rig, x0 + c * points[i][0] - s * points[i][1],
                            y0 + s * points[i][0] + c * points[i][1]);
    follow_rig_run(&rig);
    assert_followed("tank, somewhere", &rig, 0.01);
    follow_rig_free(&rig);
}

// Goal: a gyro that is late is borne. Method: 10 ms, which shift a circle by 1 cm at 1 m/s.
static void a_late_gyro_is_borne(void **state)
{
    (void)state;
    FollowRig rig;
    follow_rig_default(&rig, &ib_tank_kind);
    document_path(&rig);
    rig.sensors = true;
    rig.late = 0.01;
    follow_rig_run(&rig);
    assert_followed("tank, late gyro", &rig, 0.03);
    follow_rig_free(&rig);
}

// Goal: what is asked too much is slowed and followed. Method: 20 m/s and 4 m/s^2, sensors.
static void twenty_metres_a_second_are_slowed(void **state)
{
    (void)state;
    FollowRig rig;
    follow_rig_default(&rig, &ib_tank_kind);
    document_path(&rig);
    rig.sensors = true;
    rig.follow.trajectory.speed = 20;
    rig.follow.trajectory.sideways = 3;
    rig.follow.trajectory.acceleration = rig.follow.trajectory.deceleration = 4;
    follow_rig_run(&rig);
    assert_followed("tank, 20 m/s", &rig, 0.03);
    assert_non_null(rig.model.trajectory.top.by);
    assert_true(rig.top_speed < 4);
    assert_true(rig.model.trajectory.slow_count > 0);
    char text[100];
    ib_trajectory_say(&rig.model.trajectory.slow[0], text, sizeof text);
    print_message("%s\n", text);
    follow_rig_free(&rig);
}

// Goal: what cannot be followed is refused by name. Method: omni wheels on all corners, a config
// out of range.
static void what_cannot_be_followed_is_refused(void **state)
{
    (void)state;
    ib_Error error = {0};
    FollowRig rig;
    follow_rig_default(&rig, &ib_tank_kind);
    document_path(&rig);
    follow_rig_prepare(&rig);
    ib_TankConfig *tank = rig.config;
    tank->wheels.side_scale = 0.08;
    follow_rig_renew(&rig);
    assert_int_equal(ib_follow_init(&rig.follow, &rig.path, (ib_PathPoint){0}, &rig.base,
                                    &rig.arena, &rig.model, &error),
                     IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "sideways"));
    ib_FollowConfig config = ib_follow_default();
    config.rest = 0;
    assert_int_equal(ib_follow_check(&config, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "rest"));
    config = ib_follow_default(), config.stop = config.wait;
    assert_int_equal(ib_follow_check(&config, &error), IB_BAD_INPUT);
    follow_rig_free(&rig);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tank_stays_within_three_centimetres),
        cmocka_unit_test(a_roomba_stays_within_two_centimetres),
        cmocka_unit_test(a_roomba_ends_a_curve_along_it),
        cmocka_unit_test(a_swerve_stays_within_two_centimetres),
        cmocka_unit_test(ideal_speeds_are_followed),
        cmocka_unit_test(every_drive_is_followed),
        ib_plain_test(a_wrong_model_is_made_up_for),
        cmocka_unit_test(the_reference_waits),
        cmocka_unit_test(a_push_is_driven_out),
        cmocka_unit_test(a_robot_at_rest_comes_back),
        cmocka_unit_test(missed_and_absurd_samples_are_borne),
        cmocka_unit_test(a_bias_is_found_at_rest),
        cmocka_unit_test(speed_gives_way_before_the_curve),
        cmocka_unit_test(a_path_begins_anywhere),
        cmocka_unit_test(a_late_gyro_is_borne),
        cmocka_unit_test(twenty_metres_a_second_are_slowed),
        cmocka_unit_test(what_cannot_be_followed_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
