// An arm on a base that moves, with `reaction`: momentum is kept whatever happens, the books of
// both close, and without it nothing is felt.
#include "cmocka_all.h"
#include "robot/box.h"
#include "robot/equipment_rig.h"
#include "robot/tank/tank.h"

static Rig rig, other;

// The default arm: 4 kg at 50 cm of a link of 1 m, 3 kg at 40 cm of one of 80 cm.
static const double S1 = 4 * 0.5 + 3 * 1, S2 = 3 * 0.4, L1 = 1, L2 = 0.8;
static const double BOX = 20, ARM = 7;

// A box of 20 kg on ice, or on a floor.
static void box(Rig *r, double mu, const char *settings, double duration)
{
    char text[40];
    rig_default(r, &ib_box_kind, duration);
    rig_solver(r, IB_DOPRI5, 1e-12, 0.01);
    snprintf(text, sizeof text, "%g", mu);
    rig_set(r, "mass", "20 kg");
    rig_set(r, "mu", text);
    rig_add(r, "arm", "arm", settings);
}

// Horizontal momentum of all:  (M + m) U + (S1 + m l1) cos th1 w1 + (S2 + m l2) cos th2 w2.
static double momentum(const Rig *r, int row)
{
    double m = rig_row(r, row, "arm.load"), U = rig_row(r, row, "velocity.forward");
    return (BOX + ARM + m) * U +
           (S1 + m * L1) * cos(rig_row(r, row, "arm.theta1")) * rig_row(r, row, "arm.omega1") +
           (S2 + m * L2) * cos(rig_row(r, row, "arm.theta2")) * rig_row(r, row, "arm.omega2");
}

// Energy of all: the two that are shown, and what they have in common, U P.
static double energy(const Rig *r, int row)
{
    double m = rig_row(r, row, "arm.load"), U = rig_row(r, row, "velocity.forward");
    return rig_row(r, row, "energy.kinetic") + rig_row(r, row, "arm.energy.kinetic") +
           rig_row(r, row, "arm.energy.potential") + U * (momentum(r, row) - (BOX + ARM + m) * U);
}

static void books_close(const Rig *r, double within)
{
    assert_true(rig_size(r, "energy.error") < within);
    assert_true(rig_size(r, "arm.energy.error") < within);
}

// Goal: on ice momentum and energy of box and arm together never change, and the arm swings more
// quickly than on a bench. Method: the sums from the signals, every 10 ms for 3 s; motors coast.
// The solver's 1e-12 a step leaves less than 1e-9.
static void momentum_and_energy_are_kept_on_ice(void **state)
{
    (void)state;
    box(&rig, 0, "neutral: coast; reaction: true; theta1: 0.5 rad; theta2: -0.8 rad; rotors: false",
        3);
    rig_set(&rig, "velocity.x", "0.4 m/s");
    rig_run(&rig, 0.01);
    double begun = energy(&rig, 0), most = 0;
    assert_close(momentum(&rig, 0), 27 * 0.4, 1e-12);
    for (int i = 0; i < rig.rows.count; i++) {
        assert_close(momentum(&rig, i), momentum(&rig, 0), 1e-9);
        assert_close(energy(&rig, i), begun, 1e-8);
        most = fmax(most, fabs(rig_row(&rig, i, "velocity.forward") - 0.4));
    }
    assert_true(most > 0.2); // the box is thrown about
    books_close(&rig, 1e-8);
    rig_stop(&rig);
}

// Goal: on a box that spins, with the arm beside its middle, energy is kept: the arm is thrown
// out, its own Coriolis force turns the box, and that speeds its mount up. Method: as above, with
// the mount's speed u - w y in the common part U P; 1e-8 of some joules.
static void energy_is_kept_while_it_spins(void **state)
{
    (void)state;
    box(&rig, 0,
        "neutral: coast; reaction: true; theta1: 0.5 rad; theta2: -0.8 rad; omega1: 3 rad/s; "
        "omega2: -1 rad/s; rotors: false; place.y: 10 cm",
        0.5);
    rig_set(&rig, "velocity.heading", "2 rad/s");
    rig_run(&rig, 0.01);
    double begun = 0, turned = 0;
    for (int i = 0; i < rig.rows.count; i++) {
        double w = rig_row(&rig, i, "velocity.heading");
        double U = rig_row(&rig, i, "velocity.forward") - 0.1 * w;
        double P = S1 * cos(rig_row(&rig, i, "arm.theta1")) * rig_row(&rig, i, "arm.omega1") +
                   S2 * cos(rig_row(&rig, i, "arm.theta2")) * rig_row(&rig, i, "arm.omega2");
        double E = rig_row(&rig, i, "energy.kinetic") + rig_row(&rig, i, "arm.energy.kinetic") +
                   rig_row(&rig, i, "arm.energy.potential") + U * P;
        if (i == 0) begun = E;
        assert_close(E, begun, 1e-8);
        turned = fmax(turned, fabs(w - 2));
    }
    assert_true(turned > 0.05);
    books_close(&rig, 1e-8);
    rig_stop(&rig);
}

// Goal: the same while the motors drive (they stand on the box), a joint strikes its stops,
// friction holds it, and the hand takes a load and lets it go. Method: momentum changes in one step
// alone, by what the load takes away with it.
static void momentum_is_kept_by_stops_and_loads(void **state)
{
    (void)state;
    box(&rig, 0,
        "reaction: true; theta1: 0.5 rad; theta2: -0.8 rad; joint1.travel: -1 rad, 1.2 rad; "
        "joint2.travel: -1.5 rad, 0.4 rad; joint2.dry_friction: 5 N*m",
        3);
    const Knot first[] = {{0, 6}, {0.8, -6}, {1.6, 4}}, second[] = {{0, -5}, {0.5, 6}, {1.4, -3}};
    const Knot load[] = {{0, 0}, {0.7, 2}, {2.2, 0.5}};
    rig_input(&rig, "arm.volts1", false, first, 3);
    rig_input(&rig, "arm.volts2", false, second, 3);
    rig_input(&rig, "arm.load", false, load, 3);
    rig_run(&rig, 0.01);
    int jumps = 0;
    for (int i = 1; i < rig.rows.count; i++) {
        double change = momentum(&rig, i) - momentum(&rig, i - 1);
        double gone = rig_row(&rig, i - 1, "arm.load") - rig_row(&rig, i, "arm.load");
        if (gone > 0)
            jumps++; // 1.5 kg fly on with the hand's speed
        else
            assert_close(change, 0, 1e-9);
    }
    assert_int_equal(jumps, 1);
    assert_true(rig_end(&rig, "arm.energy.stop") > 1);
    books_close(&rig, 1e-7);
    rig_stop(&rig);
}

// Momenta of box, first and second joint with all of it upright, where every cosine is 1 and the
// mass matrix is, with a load m in the hand,
//   [M + m    S1 + m l1     S2 + m l2   ]
//   [.        4.4 + m l1^2  1.2 + m l1 l2]        4.4 = 0.4 + 4*0.25 + 3*1,  1.2 = 1*0.4*3,
//   [.        .             0.68 + m l2^2]        0.68 = 0.2 + 3*0.16
static void momenta(double m, const double v[3], double p[3])
{
    const double a = S1 + m * L1, b = S2 + m * L2, cross = 1.2 + m * L1 * L2;
    p[0] = (BOX + ARM + m) * v[0] + a * v[1] + b * v[2];
    p[1] = a * v[0] + (4.4 + m * L1 * L1) * v[1] + cross * v[2];
    p[2] = b * v[0] + cross * v[1] + (0.68 + m * L2 * L2) * v[2];
}

static double work(double m, const double v[3])
{
    double p[3];
    momenta(m, v, p);
    return 0.5 * (p[0] * v[0] + p[1] * v[1] + p[2] * v[2]);
}

// Goal: a stop and a load do to box and arm what the momenta of the three bodies say. Method: at
// the very start, upright and without weight. The stop of the first joint takes its speed and
// leaves the other two momenta; a load at rest leaves all three.
static void blows_keep_the_other_momenta(void **state)
{
    (void)state;
    static const double begun[3] = {0.3, 2, -1};
    for (int load = 0; load < 2; load++) {
        char text[200];
        snprintf(
            text, sizeof text,
            "reaction: true; rotors: false; neutral: coast; gravity: 0 m/s^2; omega1: 2 rad/s; "
            "omega2: -1 rad/s; %s",
            load ? "" : "joint1.travel: -1 rad, 0 rad");
        box(&rig, 0, text, 1e-3);
        rig_set(&rig, "velocity.x", "0.3 m/s");
        if (load) rig_hold(&rig, "arm.load", 5);
        rig_run(&rig, 1e-3);
        double m = load ? 5 : 0, before[3], after[3];
        const double v[3] = {rig_row(&rig, 0, "velocity.forward"), rig_row(&rig, 0, "arm.omega1"),
                             rig_row(&rig, 0, "arm.omega2")};
        momenta(0, begun, before);
        momenta(m, v, after);
        assert_close(after[0], before[0], 1e-12);
        assert_close(after[2], before[2], 1e-12);
        if (load)
            assert_close(after[1], before[1], 1e-12);
        else
            assert_close(v[1], 0, 0);
        if (!load)
            assert_close(rig_row(&rig, 0, "arm.energy.stop"), work(0, begun) - work(0, v), 1e-12);
        assert_true(fabs(v[0] - 0.3) > 1e-3);
        books_close(&rig, 1e-9);
        rig_stop(&rig);
    }
}

// Goal: a push from outside is felt by both. Method: 30 N on the box for 1 s add 30 N s; an impulse
// of -8 N s takes 8; the books close.
static void pushes_are_felt_by_both(void **state)
{
    (void)state;
    box(&rig, 0,
        "neutral: coast; reaction: true; theta1: 0.5 rad; theta2: -0.8 rad; place.x: 10 cm", 2);
    const ib_Disturbance pushes[] = {
        {.type = IB_DISTURBANCE_FORCE,
         .robot = -1,
         .at = ib_time_from_seconds(0.2),
         .until = ib_time_from_seconds(1.2),
         .size = 30},
        {.type = IB_DISTURBANCE_IMPULSE, .robot = -1, .at = ib_time_from_seconds(1.5), .size = -8}};
    rig.sim_config.disturbances = pushes;
    rig.sim_config.disturbance_count = 2;
    rig_run(&rig, 0.1);
    assert_close(momentum(&rig, 10), 30 * 0.8, 1e-9);
    assert_close(momentum(&rig, 14), 30, 1e-9);
    assert_close(momentum(&rig, 20), 22, 1e-9);
    books_close(&rig, 1e-8);
    rig_stop(&rig);
}

// Goal: a slope pulls box and arm alike. Method: on ice, the arm hanging straight to the floor: it
// goes on hanging so, while the box slides down ever faster.
static void slope_does_not_swing_the_arm(void **state)
{
    (void)state;
    box(&rig, 0, "neutral: coast; reaction: true; theta1: 180 deg; theta2: 180 deg", 1);
    const ib_Disturbance slope[] = {
        {.type = IB_DISTURBANCE_TILT, .robot = -1, .until = ib_time_from_seconds(9), .size = 0.2}};
    rig.sim_config.disturbances = slope;
    rig.sim_config.disturbance_count = 1;
    rig_run(&rig, 0.1);
    assert_true(fabs(rig_end(&rig, "velocity.forward")) > 1);
    assert_true(rig_size(&rig, "arm.omega1") < 1e-9);
    rig_stop(&rig);
}

// Goal: without `reaction` the arm swings as on a bench, to the bit, and the base stands. Method:
// the same arm on both.
static void nothing_is_felt_without_it(void **state)
{
    (void)state;
    const char *settings = "neutral: coast; theta1: 0.5 rad; theta2: -0.8 rad";
    rig_default(&other, &ib_bench_kind, 1);
    rig_add(&other, "arm", "arm", settings);
    rig_default(&rig, &ib_box_kind, 1);
    rig_add(&rig, "arm", "arm", settings);
    rig_run(&other, 0.1);
    rig_run(&rig, 0.1);
    for (int i = 0; i < rig.rows.count; i++)
        assert_true(rig_row(&rig, i, "arm.theta1") == rig_row(&other, i, "arm.theta1") &&
                    rig_row(&rig, i, "velocity.forward") == 0);
    rig_stop(&rig);
    rig_stop(&other);
}

// Goal: on a bench every joule of a driven arm is booked, with one motor at the first joint and two
// at the second. Method: windings with inductance that warm up, stops, a brake, friction, a load.
// RK4 at 0.1 ms leaves less than 1e-4 J of some hundred.
static void driven_arm_is_accounted_for(void **state)
{
    (void)state;
    const Knot first[] = {{0, 6}, {0.8, -6}, {1.4, 0}}, second[] = {{0, -8}, {0.7, 8}, {1.5, 0}};
    const Knot load[] = {{0, 0}, {0.5, 2}, {1.2, 0}}, brake[] = {{0, 0}, {1.4, 1}};
    rig_default(&rig, &ib_bench_kind, 2);
    rig_solver(&rig, IB_RK4, 1e-9, 1e-4);
    rig_add(&rig, "arm", "arm",
            "joint2.motors: 2; current: implicit; joint1.travel: -1 rad, 1.4 rad; "
            "joint2.travel: -1.7 rad, 1.7 rad; joint1.brake: 200 N*m; joint2.dry_friction: 4 N*m; "
            "joint1.efficiency: 0.9; loss: viscous; joint1.current_limit: 60 A");
    ib_MechanismSpec *spec = &((ib_EquipmentConfig *)rig.config)->mechanisms.items[0];
    void *config = &spec->config;
    ((ib_MechanismConfig *)config)->act.thermal.on = true;
    rig_input(&rig, "arm.volts1", false, first, 3);
    rig_input(&rig, "arm.volts2", false, second, 3);
    rig_input(&rig, "arm.load", false, load, 3);
    rig_input(&rig, "arm.joint1.brake", false, brake, 2);
    rig_run(&rig, 0.01);
    books_close(&rig, 1e-4);
    assert_true(rig_size(&rig, "arm.heat.error") < 1e-6);
    assert_true(rig_end(&rig, "arm.energy.copper") > 100 && rig_end(&rig, "arm.energy.stop") > 1);
    assert_true(rig_size(&rig, "arm.joint1.current") < 60 + 1e-6);
    rig_stop(&rig);
}

static void refuse(const ib_RobotKind *kind, int arms, const char *words)
{
    ib_Robot robot;
    rig_default(&rig, kind, 1);
    for (int i = 0; i < arms; i++) rig_add(&rig, i ? "two" : "one", "arm", "reaction: true");
    assert_int_equal(ib_robot_init(kind, rig.config, &rig.arena, &robot, &rig.error), IB_BAD_INPUT);
    if (!strstr(rig.error.text, words)) fail_msg("'%s' does not say '%s'", rig.error.text, words);
    rig_stop(&rig);
}

// Goal: what cannot be felt is refused. Method: a bench; two arms.
static void reaction_needs_a_base_that_moves(void **state)
{
    (void)state;
    refuse(&ib_bench_kind, 1, "mechanisms.one.reaction: a bench does not move");
    refuse(&ib_box_kind, 2, "mechanisms.two.reaction: the base feels 'one' already");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_and_energy_are_kept_on_ice),
        cmocka_unit_test(energy_is_kept_while_it_spins),
        cmocka_unit_test(momentum_is_kept_by_stops_and_loads),
        cmocka_unit_test(blows_keep_the_other_momenta),
        cmocka_unit_test(pushes_are_felt_by_both),
        cmocka_unit_test(slope_does_not_swing_the_arm),
        cmocka_unit_test(nothing_is_felt_without_it),
        cmocka_unit_test(driven_arm_is_accounted_for),
        cmocka_unit_test(reaction_needs_a_base_that_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
