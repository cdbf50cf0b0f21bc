// The stops of mechanisms: when they are met, what they take, and that nothing gets past them.
#include "cmocka_all.h"
#include "robot/bench_rig.h"

// Runs to the end and returns the first instant at which the mode leaves `from` for something on
// the other side of from + 0.5.
static double first_change(const char *mode, double level)
{
    Crossing crossing;
    rig_start(&rig, 0.01);
    rig_watch(&rig, &crossing, mode, level);
    rig_finish(&rig);
    assert_true(crossing.count > 0);
    return crossing.seconds[0];
}

// -------------------------------------------------------------------------------------------- when

// Goal: a fall on a stop ends at sqrt(2 h/a). Method: a coasting carriage with its rotors, every
// solver; 1e-9 s is asked for. RK4 and its kin are exact on a parabola.
static void fall_ends_on_time(void **unused)
{
    (void)unused;
    double a = 5 * g0 / (5 + 200 * Jr / 0.0004), wanted = sqrt(2 * 0.7 / a);
    for (int i = 0; i < METHODS; i++) {
        begin(&methods[i], 2);
        rig_add(&rig, "lift", "elevator",
                "motors: 2; reduction: 10; drum_radius: 2 cm; mass: 5 kg; neutral: coast; "
                "travel: 0.3 m, 2 m; position: 1 m");
        assert_close(first_change("lift.mode", 0.5), wanted, 1e-9);
        assert_close(rig_end(&rig, "lift.mode"), IB_JOINT_LOW, 0);
        assert_close(rig_end(&rig, "lift.position"), 0.3, 0);
        assert_close(rig_end(&rig, "lift.velocity"), 0, 0);
        // All that it fell by is the stop's.
        assert_close(rig_end(&rig, "lift.energy.stop"), 5 * g0 * 0.7, 1e-9);
        rig_stop(&rig);
    }
}

// Goal: a turret whose current is held by its limit meets its stop at sqrt(2 th J/T). Method:
// constant torque N G Kt I; the duty would give more current all the way.
static void limited_turret_meets_its_stop_on_time(void **unused)
{
    (void)unused;
    double T = 50 * Kt * 20, J = 2 + 2500 * Jr, wanted = sqrt(2 * 1.5 * J / T);
    for (int i = 0; i < METHODS; i++) {
        begin(&methods[i], 1);
        rig_add(&rig, "head", "turret",
                "reduction: 50; inertia: 2 kg*m^2; current_limit: 20 A; travel: -1.5 rad, 2 rad");
        rig_hold(&rig, "head", -12);
        assert_close(first_change("head.mode", 0.5), wanted, 1e-9);
        assert_close(rig_end(&rig, "head.position"), -1.5, 0);
        rig_stop(&rig);
    }
}

// The time at which  end (t - tau (1 - e^(-t/tau))) = way,  by bisection.
static double time_of_way(double end, double tau, double way)
{
    double low = 0, high = 10;
    for (int i = 0; i < 100; i++) {
        double t = 0.5 * (low + high);
        if (end * (t + tau * expm1(-t / tau)) < way)
            low = t;
        else
            high = t;
    }
    return high;
}

// Goal: a driven carriage meets its high stop when its closed form does. Method: v = v_inf (1 -
// e^(-t/tau)); the fixed step is tau/80, whose error is far below.
static void driven_carriage_meets_its_stop_on_time(void **unused)
{
    (void)unused;
    const double N = 2, G = 10, r = 0.02, m = 5, V = 9;
    double all = m + N * G * G * Jr / (r * r), drag = N * G * G * Kt * Ke / R / (r * r);
    double end = (N * G * Kt / R * V / r - m * g0) / drag, tau = all / drag;
    for (int i = 0; i < METHODS; i++) {
        begin(&methods[i], 1);
        if (fixed(&methods[i])) rig.sim_config.step = ib_time_from_seconds(tau / 80);
        rig_add(&rig, "lift", "elevator",
                "motors: 2; reduction: 10; drum_radius: 2 cm; mass: 5 kg; travel: 0 m, 0.6 m");
        rig_hold(&rig, "lift", V);
        Crossing crossing;
        rig_start(&rig, 0.01);
        rig_watch(&rig, &crossing, "lift.mode", 1.5); // the low stop, where it starts, is 1
        rig_finish(&rig);
        assert_true(crossing.count == 1);
        assert_close(crossing.seconds[0], time_of_way(end, tau, 0.6), 1e-9);
        assert_close(rig_end(&rig, "lift.position"), 0.6, 0);
        rig_stop(&rig);
    }
}

// Goal: what is pressed to a stop stays and leaves when the force turns. Method: the voltage of a
// carriage on its low stop rises by 3 V/s and carries its weight at V = m g r/push, then falls.
static void pressed_carriage_leaves_when_the_force_turns(void **unused)
{
    (void)unused;
    double hold = 5 * g0 * 0.02 / (20 * Kt / R);
    const Knot knots[] = {{0, 0}, {1, 3}, {2, -9}};
    for (int i = 0; i < METHODS; i++) {
        begin(&methods[i], 2);
        rig_add(&rig, "lift", "elevator",
                "motors: 2; reduction: 10; drum_radius: 2 cm; mass: 5 kg; travel: 0 m, 5 m");
        rig_input(&rig, "lift", true, knots, 3);
        Crossing crossing;
        rig_start(&rig, 0.01);
        rig_watch(&rig, &crossing, "lift.mode", 0.5);
        rig_finish(&rig);
        // Off the stop at which it begins, and down again.
        assert_int_equal(crossing.count, 2);
        assert_close(crossing.seconds[0], hold / 3, 1e-9);
        assert_close(rig_end(&rig, "lift.position"), 0, 0);
        assert_close(rig_end(&rig, "lift.mode"), IB_JOINT_LOW, 0);
        rig_stop(&rig);
    }
}

// Goal: what turns round beyond a stop within one step has hit it. Method: a carriage is thrown up,
// would rise for half a step and be back at its end; the stop is half way up. It hits it with v^2/2
// of its speed and falls from there, at every look, 200 a step.
static void turn_within_a_step_is_seen(void **unused)
{
    (void)unused;
    for (int i = 0; i < METHODS; i++) {
        double h = methods[i].step, v = g0 * h / 2, way = v * v / (4 * g0);
        double hit = (v - v * sqrt(0.5)) / g0;
        char settings[300];
        snprintf(settings, sizeof settings,
                 "mass: 50 kg; reduction: 1; drum_radius: 10 cm; rotors: false; neutral: coast; "
                 "travel: -5 m, %.17g m; velocity: %.17g m/s",
                 way, v);
        begin(&methods[i], 2 * h);
        rig_add(&rig, "lift", "elevator", settings);
        rig_run(&rig, h / 200);
        assert_close(rig_end(&rig, "lift.energy.stop"), 50 * v * v / 4, 1e-9);
        for (int row = 0; row < rig.rows.count; row++) {
            double t = rig.rows.t[row], s = t - hit;
            double x = s < 0 ? v * t - g0 * t * t / 2 : way - g0 * s * s / 2;
            assert_close(rig_row(&rig, row, "lift.position"), x, 1e-9);
            assert_true(rig_row(&rig, row, "lift.position") <= way + 2e-12);
        }
        rig_stop(&rig);
    }
}

// -------------------------------------------------------------------------------------- two joints

// Goal: while the carriage stands at its stop, the motor swings on alone and pulls it off again.
// Method: both come with speed v and no damping; the carriage meets the stop at d/v, the pulley
// then swings with sqrt(k/m_m) and half a period later the belt pulls.
static void motor_swings_on_while_the_carriage_stands(void **unused)
{
    (void)unused;
    const double mm = (2e-4 + 25 * Jr) / 4e-4, k = 20e3, v = 0.8;
    double w = sqrt(k / mm), hit = 0.2 / v, leave = hit + PI / w;
    const Method fine[] = {{IB_RK4, 1e-9, 1e-4}, {IB_DOPRI5, 1e-13, 0.05}};
    for (int i = 0; i < 2; i++) {
        begin(&fine[i], 0.35);
        rig_add(&rig, "belt", "two_mass",
                "reduction: 5; damping: 0 N*s/m; neutral: coast; travel: -1 m, 0.2 m; "
                "motor.velocity: 0.8 m/s; load.velocity: 0.8 m/s");
        Crossing crossing;
        rig_start(&rig, 1e-3);
        rig_watch(&rig, &crossing, "belt.load.mode", 1);
        rig_finish(&rig);
        assert_true(crossing.count >= 2);
        assert_close(crossing.seconds[0], hit, 1e-9);
        assert_close(crossing.seconds[1], leave, 1e-9);
        for (int row = 0; row < rig.rows.count; row++) {
            double t = rig.rows.t[row];
            if (t < hit + 1e-6 || t > leave - 1e-6) continue;
            assert_close(rig_row(&rig, row, "belt.load.position"), 0.2, 0);
            assert_close(rig_row(&rig, row, "belt.motor.position"),
                         0.2 + v / w * sin(w * (t - hit)), 1e-9);
        }
        assert_true(rig_end(&rig, "belt.load.velocity") < 0);
        rig_stop(&rig);
    }
}

// A platform of m = 20 kg, W = 0.4 m without rotors, its motors coasting.
#define PLATFORM "mass: 20 kg; half_width: 40 cm; rotors: false; neutral: coast; travel: 0 m, 2 m; "

// Goal: with one end on its stop the platform turns about that end. Method: the other end falls
// with a = (m g/2)/(m/4 + J/4W^2) and lands at sqrt(2 h/a); then both stand, and nothing moves.
static void platform_turns_about_the_end_that_stands(void **unused)
{
    (void)unused;
    double a = 10 * g0 / (5 + 1 / 0.64), wanted = sqrt(2 * 0.5 / a);
    for (int i = 0; i < METHODS; i++) {
        begin(&methods[i], 1);
        rig_add(&rig, "lift", "lift", PLATFORM "inertia: 1 kg*m^2; right.position: 0.5 m");
        assert_close(first_change("lift.right.mode", 0.5), wanted, 1e-9);
        for (int row = 0; row < rig.rows.count; row++) {
            double t = rig.rows.t[row], fallen = t < wanted ? a * t * t / 2 : 0.5;
            assert_close(rig_row(&rig, row, "lift.right.position"), 0.5 - fallen, 1e-10);
            assert_close(rig_row(&rig, row, "lift.left.position"), 0, 2e-12);
        }
        assert_close(rig_end(&rig, "lift.left.velocity"), 0, 0);
        assert_close(rig_end(&rig, "lift.right.velocity"), 0, 0);
        assert_close(rig_end(&rig, "lift.energy.stop"), 10 * g0 * 0.5, 1e-9);
        rig_stop(&rig);
    }
}

// Goal: a level platform that falls on both stops stands, wherever its mass is. Method: slender (J
// < m W^2, a blow at one end presses the other down) and heavy at its ends (J > m W^2, it lifts
// it); 1.5 m of free fall.
static void level_platform_lands_on_both_stops(void **unused)
{
    (void)unused;
    const char *const inertias[] = {"inertia: 0.5 kg*m^2; ", "inertia: 6 kg*m^2; "};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < METHODS; i++) {
            char settings[400];
            snprintf(settings, sizeof settings, "%s%s", inertias[k],
                     PLATFORM "left.position: 1.5 m; right.position: 1.5 m");
            begin(&methods[i], 1);
            rig_add(&rig, "lift", "lift", settings);
            assert_close(first_change("lift.left.mode", 0.5), sqrt(2 * 1.5 / g0), 1e-9);
            for (int row = 0; row < rig.rows.count; row++) {
                if (rig.rows.t[row] < 0.56) continue;
                assert_close(rig_row(&rig, row, "lift.left.mode"), IB_JOINT_LOW, 0);
                assert_close(rig_row(&rig, row, "lift.right.mode"), IB_JOINT_LOW, 0);
                assert_close(rig_row(&rig, row, "lift.left.velocity"), 0, 0);
                assert_close(rig_row(&rig, row, "lift.right.velocity"), 0, 0);
            }
            assert_close(rig_end(&rig, "lift.energy.stop"), 20 * g0 * 1.5, 1e-8);
            rig_stop(&rig);
        }
}

// Goal: a blow at one end of a platform that is heavy at its ends lifts the other one off its stop.
// Method: J = 6 > m W^2 = 3.2. Both masses of the ends and their coupling, p = m/4 + J/4W^2 and q =
// m/4 - J/4W^2, by hand: the end that lands at speed v gives the other q/p v... upwards.
static void blow_lifts_the_other_end(void **unused)
{
    (void)unused;
    double turn = 6 / 0.64, p = 5 + turn, q = 5 - turn, a = 10 * g0 / p, v = sqrt(2 * 0.5 * a);
    double lifted = -q / p * v; // M = [p -q; -q p]/(p^2 - q^2): M_lr/M_rr = -q/p
    for (int i = 0; i < METHODS; i++) {
        begin(&methods[i], 0.6);
        rig_add(&rig, "lift", "lift", PLATFORM "inertia: 6 kg*m^2; right.position: 0.5 m");
        Crossing crossing;
        rig_start(&rig, 1e-3);
        rig_watch(&rig, &crossing, "lift.right.mode", 0.5);
        rig_finish(&rig);
        double hit = crossing.seconds[0];
        assert_close(hit, sqrt(2 * 0.5 / a), 1e-9);
        int row = (int)ceil(hit / 1e-3), checked = 0;
        for (; checked < 5; checked++, row++) {
            // It turns about the end that landed, as that one did before.
            double t = rig.rows.t[row] - hit;
            assert_close(rig_row(&rig, row, "lift.left.velocity"), lifted - a * t, 1e-9);
            assert_close(rig_row(&rig, row, "lift.right.velocity"), 0, 0);
        }
        assert_close(rig_row(&rig, row, "lift.energy.stop"),
                     20 * g0 * 0.25 - 0.5 * p * lifted * lifted, 1e-8);
        rig_stop(&rig);
    }
}

// Goal: a brake cannot hold against a blow: the end that it holds comes loose and slides to rest.
// Method: left held by 400 N in mid-air, right pulled down by 3 V against its own 400 N,
// turning the platform about the left end: v = v_inf (1 - e^(-t/tau)) with the mass
// p = m/4 + J/4W^2. Its landing gives the left end q/p of its speed, which weight and brake end
// after p v/(400 N - m g/2).
static void blow_tears_a_held_end_loose(void **unused)
{
    (void)unused;
    const double turn = 1 / 0.64, p = 5 + turn, q = 5 - turn, r = 0.02, G = 20, net = 400 - 10 * g0;
    double drag = G * G * Kt * Ke / R / (r * r), tau = p / drag;
    double end = (G * Kt / R * 3 / r - net) / drag, hit = time_of_way(end, tau, 0.02);
    double kick = q / p * -end * expm1(-hit / tau), rest = hit + kick * p / net;
    begin(&methods[2], 0.5);
    rig_add(&rig, "lift", "lift",
            PLATFORM "inertia: 1 kg*m^2; brake: 400 N; left.position: 1 m; right.position: 2 cm");
    rig_hold(&rig, "lift.brake", 1);
    rig_hold(&rig, "lift.right", -3);
    Crossing loose;
    rig_start(&rig, 1e-3);
    rig_watch(&rig, &loose, "lift.left.mode", 4.5);
    rig_finish(&rig);
    assert_int_equal(loose.count, 2);
    assert_close(loose.seconds[0], hit, 1e-9);
    assert_close(loose.seconds[1], rest, 1e-9);
    for (int row = 0; row < rig.rows.count; row++) {
        double t = rig.rows.t[row], v = t < hit || t > rest ? 0 : -kick + net / p * (t - hit);
        assert_close(rig_row(&rig, row, "lift.left.velocity"), v, 1e-9);
        assert_close(rig_row(&rig, row, "lift.energy.error"), 0, 1e-9);
    }
    assert_close(rig_end(&rig, "lift.left.mode"), IB_JOINT_HELD, 0);
    assert_close(rig_end(&rig, "lift.left.position"), 1 - kick * kick * p / net / 2, 1e-9);
    rig_stop(&rig);
}

// Goal: a platform between a low and a high stop comes to rest, and does not rattle. Method: 9 V
// press the left end up, the right one hangs; each blow of one end throws the other off, by q/p of
// its speed. Steps of the solver beyond the grid's are jumps.
static void ends_at_opposite_stops_come_to_rest(void **unused)
{
    (void)unused;
    const char *const inertias[] = {"inertia: 1 kg*m^2", "inertia: 0.1 kg*m^2; motors_per_side: 3"};
    for (int k = 0; k < 2; k++) {
        char settings[200];
        snprintf(settings, sizeof settings, "travel: 0 m, 0.2 m; %s", inertias[k]);
        begin(&methods[0], 1);
        rig_add(&rig, "lift", "lift", settings);
        rig_hold(&rig, "lift.left", 9);
        rig_run(&rig, 0.1);
        double jumps = (double)ib_sim_solver_counts(rig.sim).steps - 1e9 / (double)rig.model->step;
        assert_true(jumps < 40);
        assert_close(rig_end(&rig, "lift.left.mode"), IB_JOINT_HIGH, 0);
        assert_close(rig_end(&rig, "lift.right.mode"), IB_JOINT_LOW, 0);
        assert_close(rig_end(&rig, "lift.left.velocity"), 0, 0);
        rig_stop(&rig);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fall_ends_on_time),
        cmocka_unit_test(limited_turret_meets_its_stop_on_time),
        cmocka_unit_test(driven_carriage_meets_its_stop_on_time),
        cmocka_unit_test(pressed_carriage_leaves_when_the_force_turns),
        cmocka_unit_test(turn_within_a_step_is_seen),
        cmocka_unit_test(motor_swings_on_while_the_carriage_stands),
        cmocka_unit_test(platform_turns_about_the_end_that_stands),
        cmocka_unit_test(level_platform_lands_on_both_stops),
        cmocka_unit_test(blow_lifts_the_other_end),
        cmocka_unit_test(blow_tears_a_held_end_loose),
        cmocka_unit_test(ends_at_opposite_stops_come_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
