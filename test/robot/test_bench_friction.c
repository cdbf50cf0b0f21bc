// Dry friction and brakes of mechanisms: what holds, what slips, when it comes to rest.
#include "cmocka_all.h"
#include "robot/bench_rig.h"

// Runs to the end with a watch on a mode.
static Crossing watch(const char *mode, double level)
{
    Crossing crossing;
    rig_start(&rig, 0.01);
    rig_watch(&rig, &crossing, mode, level);
    rig_finish(&rig);
    return crossing;
}

#define CARRIAGE "motors: 2; reduction: 10; drum_radius: 2 cm; mass: 5 kg; "

// Goal: a brake holds what is below its limit, to the bit, though the motors push. Method: weight
// 49 N, a brake of 60 N: between -11 N and 109 N of the motors it stands.
static void brake_holds_below_its_limit(void **unused)
{
    (void)unused;
    double per_volt = 20 * Kt / R / 0.02;
    const double volts[] = {-10 / per_volt, 0, 108 / per_volt};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < METHODS; i++) {
            begin(&methods[i], 1);
            rig_add(&rig, "lift", "elevator", CARRIAGE "brake: 60 N; position: 0.7 m");
            rig_hold(&rig, "lift.brake", 1);
            rig_hold(&rig, "lift", volts[k]);
            rig_run(&rig, 0.05);
            for (int row = 0; row < rig.rows.count; row++) {
                assert_close(rig_row(&rig, row, "lift.position"), 0.7, 1e-14);
                assert_close(rig_row(&rig, row, "lift.velocity"), 0, 1e-14);
                assert_close(rig_row(&rig, row, "lift.mode"), IB_JOINT_HELD, 0);
                assert_close(rig_row(&rig, row, "lift.current"), volts[k] / R, 1e-9);
            }
            rig_stop(&rig);
        }
}

// Goal: above its limit a brake slips with that force. Method: 30 N against a weight of 49 N, the
// motors coasting: x = 1 - a t^2/2, a = (m g - 30)/(m + rotors).
static void brake_slips_above_its_limit(void **unused)
{
    (void)unused;
    double a = (5 * g0 - 30) / (5 + 200 * Jr / 0.0004);
    for (int i = 0; i < METHODS; i++) {
        begin(&methods[i], 1);
        rig_add(&rig, "lift", "elevator", CARRIAGE "brake: 30 N; position: 1 m; neutral: coast");
        rig_hold(&rig, "lift.brake", 1);
        rig_run(&rig, 0.1);
        for (int row = 0; row < rig.rows.count; row++) {
            double t = rig.rows.t[row];
            assert_close(rig_row(&rig, row, "lift.position"), 1 - a * t * t / 2, 1e-11);
            assert_close(rig_row(&rig, row, "lift.energy.friction"), 30 * a * t * t / 2, 1e-9);
        }
        rig_stop(&rig);
    }
}

// Goal: what slides comes to rest at the closed form's time and stays. Method: a coasting turret,
// th = w0 t - T t^2/2J, rest at J w0/T; a wheel whose bearings rub too, rest at J/c ln(1 + c w0/T).
// Both directions; the mode changes once, no more.
static void slide_ends_on_time(void **unused)
{
    (void)unused;
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < METHODS; i++) {
            bool wheel = k & 1;
            double sign = k & 2 ? -1 : 1, w0 = wheel ? 300 : 6, T = wheel ? 0.9 : 5, c = 2e-3;
            double J = wheel ? 0.004 + 2.25 * Jr : 0.5 + 1600 * Jr;
            double rest = wheel ? J / c * log1p(c * w0 / T) : J * w0 / T;
            char settings[300];
            snprintf(settings, sizeof settings,
                     wheel ? "reduction: 1.5; inertia: 0.004 kg*m^2; friction: 2e-3 N*m*s; "
                             "neutral: coast; dry_friction: 0.2 N*m; brake: 0.7 N*m; "
                             "velocity: %g rad/s"
                           : "reduction: 40; inertia: 0.5 kg*m^2; neutral: coast; "
                             "dry_friction: 5 N*m; velocity: %g rad/s",
                     sign * w0);
            begin(&methods[i], 2);
            if (fixed(&methods[i]) && wheel) rig.sim_config.step /= 10;
            rig_add(&rig, "m", wheel ? "flywheel" : "turret", settings);
            if (wheel) rig_hold(&rig, "m.brake", 1);
            Crossing still = watch("m.mode", 3.5);
            assert_int_equal(still.count, 1);
            assert_close(still.seconds[0], rest, 1e-9);
            assert_close(rig_end(&rig, "m.velocity"), 0, 1e-14);
            if (!wheel) assert_close(rig_end(&rig, "m.position"), sign * w0 * rest / 2, 1e-9);
            rig_stop(&rig);
        }
}

// Goal: under a voltage that rises a joint sticks until push V = T, then slides as the closed form
// says. Method: 2 V/s on a turret with 6 N m; from t0 = T/(2 push) on
//   w = 2 push/drag (s - tau (1 - e^(-s/tau))),  s = t - t0,  tau = J/drag
static void joint_breaks_away_on_time(void **unused)
{
    (void)unused;
    double push = 40 * Kt / R, drag = 1600 * Kt * Ke / R, J = 0.5 + 1600 * Jr, tau = J / drag;
    double t0 = 6 / (2 * push);
    const Knot knots[] = {{0, 0}, {2, 4}};
    for (int i = 0; i < METHODS; i++) {
        begin(&methods[i], 2);
        if (fixed(&methods[i])) rig.sim_config.step = IB_SECOND / 5000;
        rig_add(&rig, "m", "turret", "reduction: 40; inertia: 0.5 kg*m^2; dry_friction: 6 N*m");
        rig_input(&rig, "m", true, knots, 2);
        Crossing loose = watch("m.mode", 3.5);
        assert_int_equal(loose.count, 1);
        assert_close(loose.seconds[0], t0, 1e-9);
        for (int row = 0; row < rig.rows.count; row++) {
            double s = rig.rows.t[row] - t0, w = 2 * push / drag * (s + tau * expm1(-s / tau));
            assert_close(rig_row(&rig, row, "m.velocity"), s > 0 ? w : 0, 1e-9);
        }
        rig_stop(&rig);
    }
}

// Goal: the force that just holds does not chatter, whatever acts. Method: a voltage on the very
// limit of dry friction, a hair below, a hair above; steps of the solver beyond those of the grid
// are jumps, and there may be a handful.
static void limit_of_friction_does_not_chatter(void **unused)
{
    (void)unused;
    const double hairs[] = {0, -1e-12, 1e-12, 1e-9, -1e-9};
    for (int k = 0; k < 5; k++) {
        begin(&methods[0], 1);
        rig_add(&rig, "m", "turret", "reduction: 40; inertia: 0.5 kg*m^2; dry_friction: 6 N*m");
        rig_hold(&rig, "m", 6 / (40 * Kt / R) * (1 + hairs[k]));
        rig_run(&rig, 0.1);
        double grid = 1e9 / (double)rig.model->step;
        assert_true((double)ib_sim_solver_counts(rig.sim).steps - grid <= 4);
        assert_true(fabs(rig_end(&rig, "m.velocity")) < 1e-8);
        rig_stop(&rig);
    }
}

// Goal: a voltage that swings sticks and slips as often as it should. Method: a triangle of 4 V, 2
// Hz; friction of 1.5 V: each half period breaks loose once and stands once.
static void swinging_voltage_sticks_and_slips_in_step(void **unused)
{
    (void)unused;
    Knot knots[17];
    for (int k = 0; k < 17; k++) knots[k] = (Knot){k * 0.25, k % 2 ? (k % 4 == 1 ? 4 : -4) : 0};
    for (int i = 0; i < METHODS; i++) {
        begin(&methods[i], 4);
        rig_add(&rig, "m", "turret", "reduction: 40; inertia: 0.2 kg*m^2; dry_friction: 12.1 N*m");
        rig_input(&rig, "m", true, knots, 17);
        Crossing slides = watch("m.mode", 3.5);
        assert_int_equal(slides.count, 16); // 8 half periods, loose and still
        rig_stop(&rig);
    }
}

// Goal: a brake that lets go leaves everything as it is, one that is put on at a stop changes
// nothing. Method: a carriage held, let fall, stopped, braked, driven off.
static void brake_is_put_on_and_let_go(void **unused)
{
    (void)unused;
    const Knot brake[] = {{0, 1}, {0.5, 0}, {1.5, 1}, {2, 0}}, volts[] = {{0, 0}, {1.75, 3}};
    double a = 5 * g0 / (5 + 200 * Jr / 0.0004), fall = 0.5 + sqrt(2 * 0.3 / a);
    for (int i = 0; i < METHODS; i++) {
        begin(&methods[i], 2.2);
        rig_add(&rig, "lift", "elevator",
                CARRIAGE "brake: 900 N; travel: 0 m, 1 m; position: 0.3 m; neutral: coast");
        rig_input(&rig, "lift.brake", false, brake, 4);
        rig_input(&rig, "lift", false, volts, 2);
        rig_run(&rig, 0.01);
        for (int row = 0; row < rig.rows.count; row++) {
            double t = rig.rows.t[row], mode = rig_row(&rig, row, "lift.mode"), s = t - 0.5;
            double x = t < 0.5 ? 0.3 : t < fall ? 0.3 - a * s * s / 2 : 0;
            if (t >= 2) continue; // the motors take over
            assert_close(rig_row(&rig, row, "lift.position"), x, 1e-11);
            assert_close(mode,
                         t < 0.5    ? IB_JOINT_HELD
                         : t < fall ? IB_JOINT_FREE
                                    : IB_JOINT_LOW,
                         0);
        }
        assert_true(rig_end(&rig, "lift.position") > 0.01);
        rig_stop(&rig);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brake_holds_below_its_limit),
        cmocka_unit_test(brake_slips_above_its_limit),
        cmocka_unit_test(slide_ends_on_time),
        cmocka_unit_test(joint_breaks_away_on_time),
        cmocka_unit_test(limit_of_friction_does_not_chatter),
        cmocka_unit_test(swinging_voltage_sticks_and_slips_in_step),
        cmocka_unit_test(brake_is_put_on_and_let_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
