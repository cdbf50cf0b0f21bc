// A tank robot that spins while its arm moves a load (RoboSim 3.3.2): momenta are kept.
#include "cmocka_all.h"
#include "robot/tank_rig.h"

#include <math.h>

// 60 kg and 10 kg on an arm, without any force from floor or motors.
static void rig_arm(Rig *rig, const char *wheels, double duration)
{
    rig_default(rig, duration);
    rig_set(rig, "wheels.model", wheels);
    rig_set(rig, "wheels.side_friction", "0 N*s/m");
    rig_set(rig, "wheels.mu", "0");
    rig_set(rig, "drive.neutral", "coast");
    rig->tank.payload_on = 1;
    rig->tank.payload_mass = 10;
    rig->tank.payload_x = 0.1;
    rig_drive(rig, 0, 0);
    rig_adaptive(rig, 1e-12, 0.01);
}

// Inertia about the common centre of mass with the load at r: I0 + m0 m/(m0 + m) r^2.
static double inertia_at(double r)
{
    return 4.392 + 60.0 * 10 / 70 * r * r;
}

// Goal: a spinning robot that stretches its arm turns more slowly, and angular momentum is kept.
// Method: 4 rad/s, the arm goes from 0.1 m to 0.9 m and back to 0.3 m: w = w0 I(0.1)/I(r) wherever
// the arm stands still, and the angular momentum about the common centre never changes. Wheels
// without any friction, viscous and friction circle.
static void stretched_arm_slows_the_spin_by_the_ratio_of_inertias(void **unused)
{
    (void)unused;
    static const char *const wheels[] = {"viscous", "friction_circle"};
    for (int i = 0; i < 2; i++) {
        Rig rig;
        rig_arm(&rig, wheels[i], 20);
        rig.tank.planar.velocity_heading = 4;
        rig_input(&rig, IB_TANK_PAYLOAD_X, false, (Knot[]){{0, 0.1}, {1, 0.9}, {10, 0.3}}, 3);
        rig_run(&rig, 0.1);
        double L = inertia_at(0.1) * 4;
        for (int k = 0; k < rig.rows.count; k++)
            assert_close(rig_row(&rig, k, "momentum.angular"), L, 1e-8 * L); // 1e-12 a step
        // 9 s are 45 time constants of the arm
        assert_close(rig_at(&rig, 9.9, "velocity.heading"), L / inertia_at(0.9), 1e-8);
        assert_close(rig_end(&rig, "velocity.heading"), L / inertia_at(0.3), 1e-8);
        assert_close(rig_at(&rig, 9.9, "inertia"), inertia_at(0.9), 1e-12);
        rig_stop(&rig);
    }
}

// Goal: the arm's work is the change of kinetic energy. Method: the same spin; L^2/(2 I) plus the
// motion of the common centre, which does not change.
static void arm_works_against_the_spin(void **unused)
{
    (void)unused;
    Rig rig;
    rig_arm(&rig, "viscous", 10);
    rig.tank.planar.velocity_heading = 4;
    rig_input(&rig, IB_TANK_PAYLOAD_X, false, (Knot[]){{0, 0.1}, {1, 0.9}}, 2);
    rig_run(&rig, 0.1);
    double L = inertia_at(0.1) * 4;
    double work = L * L / 2 * (1 / inertia_at(0.9) - 1 / inertia_at(0.1));
    assert_true(work < -10); // letting out gives energy back
    assert_close(rig_end(&rig, "energy.payload"), work, 1e-7);
    assert_close(rig_end(&rig, "energy.error"), 0, 1e-7);
    rig_stop(&rig);
}

// Goal: the common centre of mass moves straight on while the robot spins and its arm moves.
// Method: 1.5 m/s and 3 rad/s; centre = (60 O + 10 P)/70 in the field.
static void common_centre_moves_straight_on(void **unused)
{
    (void)unused;
    Rig rig;
    rig_arm(&rig, "viscous", 5);
    rig.tank.planar.velocity_x = 1.5;
    rig.tank.planar.velocity_heading = 3;
    rig_input(&rig, IB_TANK_PAYLOAD_X, false, (Knot[]){{0, 0.1}, {1, 0.7}, {3, -0.2}}, 3);
    rig_input(&rig, IB_TANK_PAYLOAD_Y, false, (Knot[]){{0, 0}, {1.5, 0.4}}, 2);
    rig_run(&rig, 0.05);
    // At t = 0 the load moves with the robot: v = (1.5, 3 0.1).
    for (int k = 0; k < rig.rows.count; k++) {
        double th = rig_row(&rig, k, "pose.heading"), t = rig.rows.t[k];
        double px = rig_row(&rig, k, "payload.x"), py = rig_row(&rig, k, "payload.y");
        double x = rig_row(&rig, k, "pose.x") + (px * cos(th) - py * sin(th)) / 7;
        double y = rig_row(&rig, k, "pose.y") + (px * sin(th) + py * cos(th)) / 7;
        assert_close(x, 0.1 / 7 + 1.5 * t, 1e-9);
        assert_close(y, 0.3 / 7 * t, 1e-9);
    }
    rig_stop(&rig);
}

// Goal: on wheels that roll, left and right are alike, nothing slips sideways and the book
// balances. Method: a robot that drives and spins while its arm moves, and its mirror image.
static void rolling_robots_with_mirrored_arms_move_as_mirrors(void **unused)
{
    (void)unused;
    double ends[2][3];
    for (int i = 0; i < 2; i++) {
        Rig rig;
        double sign = i ? -1 : 1;
        rig_arm(&rig, "rolling", 4);
        rig.tank.planar.velocity_heading = sign * 4;
        rig.tank.planar.velocity_x = 1;
        rig_input(&rig, IB_TANK_PAYLOAD_X, false, (Knot[]){{0, 0.1}, {1, 0.8}}, 2);
        rig_input(&rig, IB_TANK_PAYLOAD_Y, false, (Knot[]){{0, 0}, {1, sign * 0.3}}, 2);
        rig_run(&rig, 4);
        ends[i][0] = rig_end(&rig, "pose.x");
        ends[i][1] = sign * rig_end(&rig, "pose.y");
        ends[i][2] = sign * rig_end(&rig, "velocity.heading");
        assert_close(rig_end(&rig, "velocity.left"), 0, 0);
        assert_close(rig_end(&rig, "energy.error"), 0, 1e-8);
        rig_stop(&rig);
    }
    for (int k = 0; k < 3; k++) assert_close(ends[1][k], ends[0][k], 1e-12);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stretched_arm_slows_the_spin_by_the_ratio_of_inertias),
        cmocka_unit_test(arm_works_against_the_spin),
        cmocka_unit_test(common_centre_moves_straight_on),
        cmocka_unit_test(rolling_robots_with_mirrored_arms_move_as_mirrors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
