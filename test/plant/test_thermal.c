// How a winding warms up: rates by hand, closed forms, the book of heat, refused parameters.
#include "cmocka_all.h"
#include "plant/electric/thermal.h"

#include <math.h>
#include <string.h>

enum { LEFT, RIGHT, DRIVES };

// A case that holds 4 times what its winding does, and 20 degC around it.
static const ib_ThermalConfig warm = {
    .on = 1,
    .winding_capacity = 50,
    .case_capacity = 200,
    .winding_to_case = 2,
    .case_to_air = 3,
    .coefficient = 0.00393,
    .reference = 293.15,
    .air = 293.15,
    .insulation = 428.15,
};

static ib_ThermalModel make(const ib_ThermalConfig *config, int drives, double motors, int *states)
{
    ib_ThermalModel thermal;
    ib_Arena arena = {0};
    ib_Declarations d = {.arena = &arena};
    int before;
    ib_thermal_init(config, &thermal);
    ib_declare_states(&d, *states, IB_STATE, &before);
    ib_thermal_declare(config, drives, motors, &thermal, &d);
    assert_true(ib_declare_finish(&d));
    *states = d.state_count;
    ib_arena_reset(&arena);
    return thermal;
}

// Constant powers for a time, by RK4 of the test's own.
static void heat_for(const ib_ThermalModel *t, const double *power, double seconds, int steps,
                     double *x, int states)
{
    double h = seconds / steps, k[4][16], y[16];
    for (int n = 0; n < steps; n++) {
        for (int s = 0; s < 4; s++) {
            double part = s == 0 ? 0 : s == 3 ? h : 0.5 * h;
            for (int i = 0; i < states; i++) y[i] = x[i] + (s ? part * k[s - 1][i] : 0);
            ib_thermal_rate(t, y, power, k[s]);
        }
        for (int i = 0; i < states; i++)
            x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

// Goal: the rates are those of two masses and two resistances. Method: by hand, of two drives of
// three motors: winding 333.15 K, case 303.15 K, 40 W; 293.15 K, 297.15 K, 0 W.
//   (40 - 30/2)/50 = 0.5 K/s,  (15 - 10/3)/200 = 0.058333 K/s,  given 3 (10/3 + 4/3) = 14 W
//   (0 + 4/2)/50 = 0.04 K/s,   (-2 - 4/3)/200 = -0.016667 K/s
static void rate_matches_hand_computation(void **state)
{
    (void)state;
    int states = 1; // one of the robot's own before them
    ib_ThermalModel t = make(&warm, DRIVES, 3, &states);
    assert_int_equal(states, 1 + 2 * DRIVES + 1);
    double x[6] = {7, 333.15, 303.15, 293.15, 297.15, 0}, dx[6] = {0};
    ib_thermal_rate(&t, x, (double[DRIVES]){40, 0}, dx);
    assert_close(dx[1], 0.5, 1e-12);
    assert_close(dx[2], (15 - 10.0 / 3) / 200, 1e-12);
    assert_close(dx[3], 0.04, 1e-12);
    assert_close(dx[4], (-2 - 4.0 / 3) / 200, 1e-12);
    assert_close(dx[5], 14, 1e-11);
}

// Goal: one mass under constant power is an exponential. Method: closed form,
//   T = Ta + P (Rw + Rc) (1 - exp(-t/tau)),  tau = (Rw + Rc) Cw = 250 s
static void one_mass_is_an_exponential(void **state)
{
    (void)state;
    ib_ThermalConfig config = warm;
    config.case_capacity = 0;
    int states = 0;
    ib_ThermalModel t = make(&config, 1, 1, &states);
    assert_int_equal(states, 2);
    double x[2];
    ib_thermal_reset(&t, x);
    for (int i = 1; i <= 4; i++) {
        heat_for(&t, (double[]){20}, 100, 1000, x, states);
        // RK4 at h/tau = 4e-4 is exact to rounding.
        assert_close(x[0], 293.15 + 20 * 5 * (1 - exp(-i * 100 / 250.0)), 1e-9);
    }
}

// Goal: two masses end at T = Ta + P (Rw + Rc), case at Ta + P Rc. Method: run for 20 of the
// slowest time constants, which is below Rc (Cw + Cc) + Rw Cw = 850 s.
static void two_masses_end_where_resistances_say(void **state)
{
    (void)state;
    int states = 0;
    ib_ThermalModel t = make(&warm, 1, 1, &states);
    double x[3], dx[3];
    ib_thermal_reset(&t, x);
    heat_for(&t, (double[]){20}, 17000, 17000, x, states);
    assert_close(x[0], 293.15 + 20 * 5, 1e-5); // exp(-20) of 100 K is 2e-7 K
    assert_close(x[1], 293.15 + 20 * 3, 1e-5);
    double there[3] = {393.15, 353.15, 0};
    ib_thermal_rate(&t, there, (double[]){20}, dx);
    assert_close(dx[0], 0, 1e-13);
    assert_close(dx[1], 0, 1e-13);
    assert_close(dx[2], 20, 1e-12);
}

// Goal: heat is neither made nor lost. Method: at any state, N (Cw Tw' + Cc Tc') + given' = N P;
// and over a run, copper = stored + given to 1e-9.
static void heat_is_conserved(void **state)
{
    (void)state;
    int states = 0;
    ib_ThermalModel t = make(&warm, DRIVES, 2, &states);
    double x[5], dx[5], y[IB_HEAT_SIGNALS], power[DRIVES] = {30, 7};
    ib_thermal_reset(&t, x);
    for (int i = 1; i <= 10; i++) {
        heat_for(&t, power, 60, 600, x, states);
        ib_thermal_rate(&t, x, power, dx);
        double kept = 50 * (dx[0] + dx[2]) + 200 * (dx[1] + dx[3]);
        assert_close(2 * kept + dx[4], 2 * 37, 1e-11);
        double copper = 2 * 37 * 60.0 * i;
        ib_heat_output(&t, x, copper, y);
        assert_close(y[IB_HEAT_SIGNAL_STORED] + y[IB_HEAT_SIGNAL_GIVEN], copper, 1e-9 * copper);
        assert_true(y[IB_HEAT_SIGNAL_STORED] > 0 && y[IB_HEAT_SIGNAL_GIVEN] > 0);
    }
}

// Goal: what a winding takes up at once is in the book. Method: 100 J into one motor of two.
static void heat_taken_up_at_once_is_stored(void **state)
{
    (void)state;
    int states = 0;
    ib_ThermalModel t = make(&warm, DRIVES, 1, &states);
    double x[5], y[IB_HEAT_SIGNALS];
    ib_thermal_reset(&t, x);
    ib_thermal_absorb(&t, RIGHT, 100, x);
    assert_close(x[0], 293.15, 0);
    assert_close(x[2], 295.15, 1e-12);
    ib_heat_output(&t, x, 100, y);
    assert_close(y[IB_HEAT_SIGNAL_STORED], 100, 1e-11);
    assert_close(y[IB_HEAT_SIGNAL_GIVEN], 0, 0);
}

// Goal: R = R0 (1 + a (T - T0)), and off is the data sheet's motor to the bit. Method: by hand,
// 120 degC has 1.393 R0; 1/R goes with it.
static void resistance_follows_the_winding(void **state)
{
    (void)state;
    int states = 0;
    ib_ThermalModel t = make(&warm, 1, 1, &states);
    const ib_MotorModel cold = {.R = 0.0902, .per_R = 11.1, .Kt = 0.018, .Ke = 0.021};
    double x[3] = {393.15, 300, 0};
    ib_MotorModel motor = ib_thermal_motor_of(&t, x, 0, &cold);
    assert_close(motor.R, 1.393 * 0.0902, 1e-12);
    assert_close(motor.per_R, 1 / (1.393 * 0.0902), 1e-12);
    assert_close(motor.Kt, cold.Kt, 0);
    assert_close(motor.Ke, cold.Ke, 0);
    x[0] = warm.reference;
    assert_close(ib_thermal_motor_of(&t, x, 0, &cold).R, cold.R, 0);
    t.state = -1;
    motor = ib_thermal_motor_of(&t, NULL, 0, &cold);
    assert_memory_equal(&motor, &cold, sizeof cold);
}

// Goal: what is off takes nothing: no state, no signal, no step. Method: lay it out.
static void off_takes_nothing(void **state)
{
    (void)state;
    ib_ThermalConfig config = warm;
    config.on = 0;
    int states = 5;
    ib_ThermalModel t = make(&config, DRIVES, 2, &states);
    assert_int_equal(states, 5);
    assert_false(ib_thermal_on(&t));
    assert_int_equal(ib_thermal_signal_count(&t), 0);
    assert_true(isinf(ib_thermal_resolution(&t, 1e3)));
    ib_thermal_reset(&t, NULL);
}

// Goal: a fixed step follows the fastest part. Method: the bound against the larger eigenvalue of
// the two masses, by the formula for 2 x 2: with -a = 1/(Rw Cw), -d = 1/(Rw Cc) + 1/(Rc Cc).
static void steps_are_short_enough(void **state)
{
    (void)state;
    int states = 0;
    ib_ThermalModel t = make(&warm, 1, 1, &states);
    double a = -1 / (2.0 * 50), d = -1 / (2.0 * 200) - 1 / (3.0 * 200), bc = -a / (2.0 * 200);
    double fastest = 0.5 * (-(a + d) + sqrt((a - d) * (a - d) + 4 * bc));
    double step = ib_thermal_resolution(&t, 0);
    assert_true(step * fastest < 0.5);
    assert_true(step * fastest > 0.05); // and not wasteful
    assert_true(ib_thermal_resolution(&t, 1e4) < step);
}

// Goal: signals say what they mean. Method: hot and cold windings, one mass and two.
static void signals_show_the_warmth(void **state)
{
    (void)state;
    int states = 0;
    ib_ThermalModel t = make(&warm, DRIVES, 1, &states);
    double x[5] = {428.16, 330, 428.14, 320, 0}, y[IB_THERMAL_SIGNALS];
    ib_thermal_output(&t, x, LEFT, y);
    assert_close(y[IB_THERMAL_SIGNAL_WINDING], 428.16, 0);
    assert_close(y[IB_THERMAL_SIGNAL_CASE], 330, 0);
    assert_close(y[IB_THERMAL_SIGNAL_OVERHEATED], 1, 0);
    ib_thermal_output(&t, x, RIGHT, y);
    assert_close(y[IB_THERMAL_SIGNAL_OVERHEATED], 0, 0);
    assert_int_equal(ib_thermal_signal_count(&t), 3);
    t.nodes = 1;
    assert_int_equal(ib_thermal_signal_count(&t), 2);
}

// Goal: impossible numbers are refused by name; off, they do not matter. Method: one at a time.
static void impossible_motors_are_refused(void **state)
{
    (void)state;
    static const char *const says[] = {"start: at ", "air: at "};
    ib_ThermalConfig wrong[2] = {warm, warm};
    ib_Error error;
    assert_int_equal(ib_thermal_check(&warm, &error), IB_OK);
    wrong[0].start = 50; // 1 + 0.00393 (50 - 293) = 0.044
    wrong[1].air = 80;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ib_thermal_check(&wrong[i], &error), IB_BAD_INPUT);
        if (!strstr(error.text, says[i])) fail_msg("'%s' does not say '%s'", error.text, says[i]);
        wrong[i].on = 0;
        assert_int_equal(ib_thermal_check(&wrong[i], &error), IB_OK);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_matches_hand_computation),
        cmocka_unit_test(one_mass_is_an_exponential),
        cmocka_unit_test(two_masses_end_where_resistances_say),
        cmocka_unit_test(heat_is_conserved),
        cmocka_unit_test(heat_taken_up_at_once_is_stored),
        cmocka_unit_test(resistance_follows_the_winding),
        cmocka_unit_test(off_takes_nothing),
        cmocka_unit_test(steps_are_short_enough),
        cmocka_unit_test(signals_show_the_warmth),
        cmocka_unit_test(impossible_motors_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
