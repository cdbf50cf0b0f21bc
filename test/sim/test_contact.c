// Contact in whole runs: a tank robot drives into walls, corners, boxes and another robot.
#include "cmocka_all.h"
#include "robot/box.h"
#include "robot/tank_rig.h"

#include <math.h>

static const double deg = 0.017453292519943295;
enum { NEXT_WHEELS = IB_ROUNDS(1, IB_WHEEL_BRISTLE) }; // or the first and the last model alone

static const double deepest = 1e-4; // [m], that it may be inside a wall

static const char *const wheel_names[] = {"rolling", "viscous", "friction_circle", "bristle"};

// B7's robot, 0.8 m by 0.6 m, 2 m in front of the wall at x = 4 m.
static void rig_workspace(Rig *rig, ib_FieldConfig *field, double duration)
{
    rig_default(rig, duration);
    *field = ib_field_default();
    ib_field_rectangle(field, 0, 0, 4, 3);
    rig->sim_config.field = field;
    rig->tank.planar.x = 1.6;
    rig->tank.planar.y = 1.5;
}

// Tyres without friction: nothing but hits changes the motion.
static void rig_glide(Rig *rig)
{
    rig_set(rig, "wheels.model", "friction_circle");
    rig_set(rig, "wheels.mu", "0");
    rig_set(rig, "drive.neutral", "coast");
    rig_drive(rig, 0, 0);
}

// -------------------------------------------------------------------------------------------- wall

static void assert_stands_under_power(Rig *rig, double from)
{
    double x = rig_end(rig, "pose.x"), y = rig_end(rig, "pose.y"),
           th = rig_end(rig, "pose.heading");
    for (int i = 0; i < rig->rows.count; i++) {
        if (rig->rows.t[i] < from) continue;
        assert_close(rig_row(rig, i, "velocity.x"), 0, 1e-9);
        assert_close(rig_row(rig, i, "velocity.y"), 0, 1e-9);
        assert_close(rig_row(rig, i, "velocity.heading"), 0, 1e-9);
        assert_close(rig_row(rig, i, "pose.x"), x, 1e-9);
        assert_close(rig_row(rig, i, "pose.y"), y, 1e-9);
        assert_close(rig_row(rig, i, "pose.heading"), th, 1e-9);
    }
}

// Goal: a robot driven into a wall does not enter it, gains no energy, stands still under power,
// and the wall bears what the drive pushes. Method: every wheel model at full voltage for 10 s from
// 2 m before the wall; the last 5 s must be rest. The wall bears the torque of the motors,
// which no longer speeds up wheels.
static void robot_driven_into_a_wall_stands_and_pushes(void **unused)
{
    (void)unused;
    for (int wheels = IB_WHEEL_ROLLING; wheels <= IB_WHEEL_BRISTLE; wheels += NEXT_WHEELS) {
        Rig rig;
        ib_FieldConfig field;
        rig_workspace(&rig, &field, 10);
        rig.tank.wheels.model = wheels;
        rig.tank.drive.rotor_inertia = 7.75e-5;
        rig_drive(&rig, 12, 12);
        rig_run(&rig, 0.001);
        double before = 0, book = 0;
        for (int i = 0; i < rig.rows.count; i++) {
            double lost = rig_row(&rig, i, "energy.collision");
            assert_true(rig_row(&rig, i, "pose.x") <= 4 - 0.4 + deepest);
            assert_true(lost >= before - 1e-9); // J; rounding of a 500 J hit
            book = fmax(book, fabs(rig_row(&rig, i, "energy.error")));
            before = lost;
        }
        assert_true(book < 1e-6 * rig_end(&rig, "energy.battery"));
        assert_true(rig_end(&rig, "contact.hits") >= 1);
        assert_stands_under_power(&rig, 5);
        // Four motors at their wheels' rims; geared to the floor they stall as in reference B7.
        double push = 4 * rig_end(&rig, "drive.left.torque") * 10.71 / 0.0762;
        if (wheels < IB_WHEEL_FRICTION_CIRCLE) assert_close(push, 895.07857389, 1e-8);
        if (getenv("IB_SHOW"))
            print_error("%s: x %.12g, book %.2g, hits %g, force off by %g\n", wheel_names[wheels],
                        rig_end(&rig, "pose.x"), book / rig_end(&rig, "energy.battery"),
                        rig_end(&rig, "contact.hits"), rig_end(&rig, "contact.force") - push);
        // Axles that cannot slip would bear any friction along the wall: there is none.
        assert_close(rig_end(&rig, "contact.force"), push, 1e-9 * push);
        // The wall pushes back, across its face.
        assert_close(rig_end(&rig, "contact.force.x"), -push, 1e-9 * push);
        assert_close(rig_end(&rig, "contact.force.y"), 0, 1e-9 * push);
        rig_stop(&rig);
    }
}

// Goal: the same with every solver and with long steps. Method: 12 V into the wall, 5 degrees off
// its normal, steps of 10 ms: flat against it in the end.
static void every_solver_comes_to_rest_on_a_wall(void **unused)
{
    (void)unused;
    for (int solver = IB_EULER; solver < IB_SOLVER_COUNT; solver++) {
        Rig rig;
        ib_FieldConfig field;
        rig_workspace(&rig, &field, 10);
        rig.sim_config.solver = (ib_SolverConfig){(ib_SolverKind)solver, 1e-8, 1e-9};
        rig.sim_config.step = IB_SECOND / 100;
        rig.tank.planar.heading = 5 * deg;
        rig_drive(&rig, 12, 12);
        rig_run(&rig, 0.01);
        assert_true(rig_most(&rig, "pose.x") <= 4 - 0.4 + deepest);
        assert_close(rig_end(&rig, "pose.x"), 4 - 0.4, 1e-6);
        assert_true(rig_end(&rig, "contact.touching") == 1);
        assert_close(rig_end(&rig, "velocity.x"), 0, 1e-9);
        assert_close(rig_end(&rig, "pose.heading"), 0, 1e-6);
        rig_stop(&rig);
    }
}

// Goal: bounces come to their end with Euler's method, too, which brings back what has bounced with
// a h more than it left with. Method: head-on at 6 and 12 V, steps of 2 to 20 ms, with bumpers that
// give back little and much; in the end it stands, and the wall bears the push of motors at stall.
static void euler_comes_to_rest_head_on(void **unused)
{
    (void)unused;
    static const int steps[] = {2, 5, 20}; // ms
    for (int i = 0; i < 12; i++) {
        Rig rig;
        ib_FieldConfig field;
        double volts = i < 6 ? 6 : 12;
        rig_workspace(&rig, &field, 10);
        rig.sim_config.solver.kind = IB_EULER;
        rig.sim_config.step = steps[i % 3] * IB_SECOND / 1000;
        rig.tank.bumper.restitution = i % 6 < 3 ? 0.3 : 0.9;
        rig_drive(&rig, volts, volts);
        rig_run(&rig, 0.02);
        assert_true(rig_end(&rig, "contact.hits") < 40);
        assert_true(rig_end(&rig, "contact.touching") == 1);
        assert_true(rig_end(&rig, "velocity.x") == 0);
        double push = 4 * rig_end(&rig, "drive.left.torque") * 10.71 / 0.0762;
        assert_close(rig_end(&rig, "contact.force.x"), -push, 1e-9 * push);
        rig_stop(&rig);
    }
}

// Goal: an arm that moves its load while the robot hits and pushes the wall stays in the book.
// Method: 15 kg go out and in again during approach, hit and rest; every wheel model.
static void moving_load_at_the_wall_stays_in_the_book(void **unused)
{
    (void)unused;
    for (int wheels = IB_WHEEL_ROLLING; wheels <= IB_WHEEL_BRISTLE; wheels += NEXT_WHEELS) {
        Rig rig;
        ib_FieldConfig field;
        rig_workspace(&rig, &field, 3);
        rig.tank.wheels.model = wheels;
        rig.tank.drive.rotor_inertia = 7.75e-5;
        rig.tank.planar.heading = 8 * deg;
        rig.tank.payload_on = 1;
        rig.tank.payload_mass = 15;
        rig.sim_config.step = IB_SECOND / 2000;
        rig_drive(&rig, 12, 12);
        rig_input(&rig, IB_TANK_PAYLOAD_X, false, (Knot[]){{0, 0}, {0.7, 0.5}, {1.5, -0.3}}, 3);
        rig_input(&rig, IB_TANK_PAYLOAD_Y, false, (Knot[]){{0, 0}, {0.8, -0.3}, {1.6, 0.3}}, 3);
        rig_run(&rig, 0.01);
        assert_true(rig_end(&rig, "contact.touching") == 1);
        assert_true(rig_most(&rig, "pose.x") <= 4 - 0.4 + deepest);
        for (int i = 0; i < rig.rows.count; i++)
            assert_close(rig_row(&rig, i, "energy.error"), 0,
                         1e-6 * rig_end(&rig, "energy.battery"));
        rig_stop(&rig);
    }
}

// ------------------------------------------------------------------------------------------ corner

// Goal: a corner hit turns the robot as the impulse law says (reference B8, 12). Method: a robot
// that glides without tyre friction at 2 m/s with its heading 30 degrees off the wall's normal and
// bumpers without friction: j = (1 + e) M' v, 1/M' = 1/M + (r x n)^2/I at the corner that touches.
static void corner_hit_turns_the_robot_by_the_impulse_law(void **unused)
{
    (void)unused;
    Rig rig;
    ib_FieldConfig field;
    rig_workspace(&rig, &field, 1.5);
    rig_glide(&rig);
    rig.tank.planar.velocity_x = 2;
    rig.tank.planar.heading = 30 * deg;
    rig.tank.bumper.friction = 0;
    rig_run(&rig, 0.01);
    // The corner with the largest x: the front right one, (0.4, -0.3), is turned to r.
    double rx = 0.4 * cos(30 * deg) + 0.3 * sin(30 * deg);
    double ry = 0.4 * sin(30 * deg) - 0.3 * cos(30 * deg);
    double arm = ry, inverse = 1 / 60.0 + arm * arm / 4.392; // r x n with n = (-1, 0) is ry
    double e = 0.3 * pow(2, -0.25);                          // of bumpers that yield beyond 1 m/s
    double j = (1 + e) * 2 / inverse;
    double hit = (4 - rx - 1.6) / 2;
    assert_close(rig_end(&rig, "contact.hits"), 1, 0);
    assert_close(rig_end(&rig, "contact.impulse"), j, 1e-7 * j); // the corner stops 1 nm before
    assert_close(rig_end(&rig, "velocity.x"), 2 - j / 60, 1e-7);
    assert_close(rig_end(&rig, "velocity.y"), 0, 1e-12);
    assert_close(rig_end(&rig, "velocity.heading"), j * arm / 4.392, 1e-7);
    assert_close(rig_end(&rig, "pose.x"), 4 - rx + (2 - j / 60) * (1.5 - hit), 1e-7);
    assert_close(rig_end(&rig, "energy.error"), 0, 1e-9);
    rig_stop(&rig);
}

// Goal: friction of the bumpers acts at the corner. Method: the same hit with friction; the wall
// pulls the corner back along itself with at most mu j, and energy is lost.
static void friction_at_the_corner_stays_within_its_cone(void **unused)
{
    (void)unused;
    Rig rig;
    ib_FieldConfig field;
    rig_workspace(&rig, &field, 0.5);
    rig_glide(&rig);
    rig.tank.planar.x = 3;
    rig.tank.planar.y = 0.8;
    rig.tank.planar.velocity_x = 2;
    rig.tank.planar.velocity_y = 2.5; // it slides all through the hit
    rig.tank.planar.heading = 30 * deg;
    rig_run(&rig, 0.01);
    double normal = 60 * (2 - rig_end(&rig, "velocity.x"));
    double along = 60 * (2.5 - rig_end(&rig, "velocity.y"));
    assert_close(rig_end(&rig, "contact.hits"), 1, 0);
    assert_true(along > 0 && along <= 0.5 * normal + 1e-9); // sqrt(0.5 0.5)
    assert_true(rig_end(&rig, "energy.collision") > 0);
    assert_close(rig_end(&rig, "energy.error"), 0, 1e-9);
    rig_stop(&rig);
}

// Goal: `equations: published` bounces along the axes (RoboSim 12): the speed into the wall is
// reversed and reduced, at any speed by as much, and the robot does not turn. Method: the published
// robot glides into the wall with a heading of 30 degrees.
static void published_robot_bounces_without_turning(void **unused)
{
    (void)unused;
    Rig rig;
    ib_FieldConfig field;
    rig_workspace(&rig, &field, 1.1);
    rig_set(&rig, "equations", "published");
    rig_set(&rig, "wheels.side_friction", "0 N*s/m");
    rig_set(&rig, "drive.motor.stall_torque", "1e-9 N*m"); // no drive to speak of
    rig.tank.planar.heading = 30 * deg;
    rig.tank.planar.velocity_x = 2;
    rig_drive(&rig, 0, 0);
    rig_run(&rig, 0.01);
    assert_close(rig_end(&rig, "contact.hits"), 1, 0);
    assert_close(rig_end(&rig, "velocity.x"), -0.3 * 2, 1e-6);
    assert_close(rig_end(&rig, "velocity.heading"), 0, 1e-6);
    assert_close(rig_end(&rig, "pose.heading"), 30 * deg, 1e-6);
    assert_true(rig_most(&rig, "pose.x") <= 4 - 0.4 + deepest);
    rig_stop(&rig);
}

// -------------------------------------------------------------------------------------- two bodies

// Two robots without tyre friction meet head-on, 60 kg at 3/4 of the closing speed against 45 kg at
// 1/4 of it. By hand: two equal bumpers give back what one does, 0.3 to 1 m/s, beyond 0.3 v^-1/4.
static void meet_head_on(double closing)
{
    Rig rig;
    ib_RobotConfig robots[2];
    rig_default(&rig, 4 / closing + 1);
    rig_glide(&rig);
    ib_TankConfig blue = rig.tank;
    rig.tank.planar.velocity_x = 0.75 * closing;
    blue.mass = 45;
    blue.planar.x = 4;
    blue.planar.velocity_x = -0.25 * closing;
    rig_pair(&rig, robots,
             (ib_RobotConfig){.kind = &ib_tank_kind, .config = &blue, .inputs = rig.inputs});
    rig_run(&rig, 0.01);
    double reduced = 60 * 45 / 105.0, e = closing > 1 ? 0.3 * pow(closing, -0.25) : 0.3;
    double j = (1 + e) * reduced * closing, momentum = (60 * 0.75 - 45 * 0.25) * closing;
    assert_close(rig_end(&rig, "red.velocity.x"), 0.75 * closing - j / 60, 1e-12 * closing);
    assert_close(rig_end(&rig, "blue.velocity.x"), -0.25 * closing + j / 45, 1e-12 * closing);
    double lost = rig_end(&rig, "red.energy.collision") + rig_end(&rig, "blue.energy.collision");
    double all = 0.5 * reduced * closing * closing;
    assert_close(lost, all * (1 - e * e), 1e-11 * (1 + all));
    assert_close(rig_end(&rig, "red.energy.error"), 0, 1e-11 * (1 + all));
    assert_close(rig_end(&rig, "blue.energy.error"), 0, 1e-11 * (1 + all));
    for (int i = 0; i < rig.rows.count; i++)
        assert_close(60 * rig_row(&rig, i, "red.velocity.x") +
                         45 * rig_row(&rig, i, "blue.velocity.x"),
                     momentum, 1e-11 * (1 + momentum));
    rig_stop(&rig);
}

// Goal: momentum is kept and the right energy lost when two robots meet head-on, slow or fast.
// Method: closed form at a crawl, at the speed from which on bumpers yield, and beyond it.
static void head_on_hit_keeps_momentum(void **unused)
{
    (void)unused;
    static const double closing[] = {0.5, 1, 2, 4, 7.6};
    for (int i = 0; i < 5; i++) meet_head_on(closing[i]);
}

// Goal: a robot pushes a box ahead of itself with the box's friction. Method: 4 V into a 5 kg box
// (mu 0.5): after a while both go at one speed, the contact bears mu m g, both books balance and
// what contacts took from both together is not negative.
static void robot_pushes_a_box(void **unused)
{
    (void)unused;
    for (int wheels = IB_WHEEL_ROLLING; wheels <= IB_WHEEL_BRISTLE; wheels += NEXT_WHEELS) {
        Rig rig;
        ib_RobotConfig robots[2];
        ib_BoxConfig box = {0};
        ib_Error error;
        rig_default(&rig, 4);
        rig.tank.wheels.model = wheels;
        rig.tank.drive.rotor_inertia = 7.75e-5;
        rig.sim_config.step = IB_SECOND / 2000; // the hit is a shock for the tyres
        assert_int_equal(ib_schema_default(&ib_box_kind.params, &box, &error), IB_OK);
        assert_int_equal(ib_schema_default(&ib_box_kind.start, &box, &error), IB_OK);
        box.bumper = ib_bumper_foam;
        box.planar.x = 1.5;
        rig_input(&rig, IB_TANK_LEFT, true, (Knot[]){{0, 0}, {0.5, 4}}, 2); // tyres grip
        rig_input(&rig, IB_TANK_RIGHT, true, (Knot[]){{0, 0}, {0.5, 4}}, 2);
        rig_pair(&rig, robots, (ib_RobotConfig){.kind = &ib_box_kind, .config = &box});
        rig_run(&rig, 0.01);
        double friction = 0.5 * 5 * 9.80665;
        assert_close(rig_end(&rig, "blue.velocity.x"), rig_end(&rig, "red.velocity.x"), 1e-6);
        assert_true(rig_end(&rig, "red.velocity.x") > 1);
        assert_close(rig_end(&rig, "red.contact.force"), friction, 1e-4 * friction);
        assert_close(rig_end(&rig, "blue.pose.x") - rig_end(&rig, "red.pose.x"), 0.4 + 0.2,
                     deepest);
        double given = rig_end(&rig, "red.energy.battery"), before = 0;
        assert_true(fabs(rig_end(&rig, "red.energy.error")) < 1e-6 * given);
        assert_true(fabs(rig_end(&rig, "blue.energy.error")) < 1e-6 * given);
        for (int i = 0; i < rig.rows.count; i++) {
            double lost = rig_row(&rig, i, "red.energy.collision") +
                          rig_row(&rig, i, "blue.energy.collision");
            assert_true(lost >= before - 1e-9);
            before = lost;
        }
        rig_stop(&rig);
    }
}

// ----------------------------------------------------------------------------------------- restore

// Goal: a run that is restored in the middle goes on with the same bits, also while it rests on a
// wall. Method: state taken every second (before, at and after the hit, at rest, leaving), put into
// another run; both must end with one hash; quiet and single steps as well.
static void restored_runs_end_with_the_same_hash(void **unused)
{
    (void)unused;
    static const Knot volts[] = {{0, 12}, {2.5, -6}, {2.8, 9}};
    for (int wheels = IB_WHEEL_VISCOUS; wheels <= IB_WHEEL_BRISTLE; wheels += 2 * NEXT_WHEELS) {
        Rig rig, again;
        ib_FieldConfig field;
        rig_workspace(&rig, &field, 4);
        rig.tank.wheels.model = wheels;
        rig.tank.planar.heading = 10 * deg;
        rig_input(&rig, IB_TANK_LEFT, false, volts, 3);
        rig_input(&rig, IB_TANK_RIGHT, false, volts, 3);
        again = rig;
        again.robot.config = &again.tank;
        again.robot.inputs = again.inputs;
        again.sim_config.robots = &again.robot;
        rig_start(&rig);
        rig_start(&again);
        assert_int_equal(rig_finish(&again), IB_OK);
        uint64_t whole = ib_sim_hash(again.sim);
        for (int second = 1; second < 4; second++) {
            ib_Time until = second * IB_SECOND;
            while (ib_sim_time(rig.sim) < until)
                assert_int_equal(ib_sim_step(rig.sim, &rig.error), IB_OK);
            ib_sim_restore(again.sim, ib_sim_time(rig.sim), ib_sim_steps(rig.sim),
                           ib_sim_state(rig.sim));
            assert_int_equal(rig_finish(&again), IB_OK);
            assert_true(ib_sim_hash(again.sim) == whole);
        }
        assert_int_equal(rig_finish(&rig), IB_OK);
        assert_true(ib_sim_hash(rig.sim) == whole);
        rig_stop(&rig);
        rig_stop(&again);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robot_driven_into_a_wall_stands_and_pushes),
        cmocka_unit_test(every_solver_comes_to_rest_on_a_wall),
        cmocka_unit_test(euler_comes_to_rest_head_on),
        cmocka_unit_test(moving_load_at_the_wall_stays_in_the_book),
        cmocka_unit_test(corner_hit_turns_the_robot_by_the_impulse_law),
        cmocka_unit_test(friction_at_the_corner_stays_within_its_cone),
        cmocka_unit_test(published_robot_bounces_without_turning),
        cmocka_unit_test(head_on_hit_keeps_momentum),
        cmocka_unit_test(robot_pushes_a_box),
        cmocka_unit_test(restored_runs_end_with_the_same_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
