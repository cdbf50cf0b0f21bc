// test/plant/test_motor.c: a motor is what its data sheet says, and nothing more.
#include "cmocka_all.h"

#include "plant/electric/motor.h"

#include <string.h>

#define RPM (3.14159265358979323846 / 30)

// The CIM of RoboSim's section 4.2.
static const ib_MotorConfig cim = {
    .voltage = 12,
    .stall_torque = 2.429,
    .stall_current = 131.227,
    .free_speed = 5310 * RPM,
    .free_current = 2.7,
};

static ib_MotorModel motor_with(int loss)
{
    ib_MotorModel motor;
    ib_motor_init(&cim, loss, &motor);
    return motor;
}

// Goal: the constants of reference B3 to their printed digits (11). Method: compare.
static void constants_are_those_of_the_reference(void **state)
{
    (void)state;
    ib_MotorModel motor = motor_with(IB_LOSS_VISCOUS);
    assert_close(motor.Kt, 0.018509910308, 1e-12);
    assert_close(motor.R, 0.091444596005, 1e-12);
    assert_close(motor.per_R * motor.R, 1, 1e-15);
    assert_close(motor.Ke, 0.021136315215, 1e-12);
    assert_close(motor.Ke / motor.Kt, 1.1418918224, 1e-10);
    assert_close(motor.viscous, 8.9876249137e-05, 1e-15);
    assert_close(motor_with(IB_LOSS_COULOMB).coulomb, 0.049976757832, 1e-12);
    assert_close(cim.free_speed, 556.06189969, 1e-8);
}

// Goal: as published there is no loss, and the free point is wrong by 2 %. Method: reference B1,
// 4.2c: 567.743 rad/s = 5421.55 rpm with no current instead of 5310 rpm with 2.7 A.
static void without_loss_the_free_speed_is_too_high(void **state)
{
    (void)state;
    ib_MotorModel motor = motor_with(IB_LOSS_NONE);
    double w = ib_motor_free_speed(&motor, 12);
    assert_close(w, 567.743, 5e-4);
    assert_close(w / RPM, 5421.55, 5e-3);
    assert_close(ib_motor_current(&motor, 12, w), 0, 1e-12);
    assert_close(motor.viscous + motor.coulomb, 0, 0);
}

// Goal: either loss makes the free point exact. Method: torque zero and the data sheet's current
// at the data sheet's speed; 1e-14 is rounding of numbers around 0.05.
static void losses_make_the_free_point_exact(void **state)
{
    (void)state;
    for (int loss = IB_LOSS_VISCOUS; loss <= IB_LOSS_COULOMB; loss++) {
        ib_MotorModel motor = motor_with(loss);
        double I = ib_motor_current(&motor, 12, cim.free_speed);
        assert_close(I, 2.7, 1e-12);
        assert_close(ib_motor_torque(&motor, I, cim.free_speed), 0, 1e-14);
        assert_close(ib_motor_free_speed(&motor, 12), cim.free_speed, 1e-11);
        assert_close(ib_motor_free_speed(&motor, 0.01), loss == IB_LOSS_COULOMB ? 0 : 0.46338,
                     1e-4);
    }
}

// Goal: at rest the stall point, whatever the loss, both ways. Method: data sheet; the reference's
// stall force of four such motors is 1365.5952756 N.
static void stall_point_is_exact(void **state)
{
    (void)state;
    for (int loss = IB_LOSS_NONE; loss <= IB_LOSS_COULOMB; loss++) {
        ib_MotorModel motor = motor_with(loss);
        for (int sign = -1; sign <= 1; sign += 2) {
            double I = ib_motor_current(&motor, sign * 12, 0);
            assert_close(I, sign * 131.227, 1e-12);
            assert_close(ib_motor_torque(&motor, I, 0), sign * 2.429, 1e-14);
        }
    }
    ib_MotorModel motor = motor_with(IB_LOSS_NONE);
    double torque = ib_motor_torque(&motor, ib_motor_current(&motor, 12, 0), 0);
    assert_close(4 * torque * 10.71 / 0.0762, 1365.5952756, 1e-7);
}

// Goal: torque falls on a straight line, so power is greatest at half the free speed, with half the
// stall torque. Method: closed form Ts wf/4 against neighbours 1 % away. Without loss or with a
// viscous one the line is exact.
static void power_is_greatest_at_half_speed(void **state)
{
    (void)state;
    for (int loss = IB_LOSS_NONE; loss <= IB_LOSS_VISCOUS; loss++) {
        ib_MotorModel motor = motor_with(loss);
        double half = 0.5 * ib_motor_free_speed(&motor, 12), power[3];
        for (int i = 0; i < 3; i++) {
            double w = half * (0.99 + 0.01 * i);
            power[i] = w * ib_motor_torque(&motor, ib_motor_current(&motor, 12, w), w);
        }
        assert_close(power[1], 0.25 * 2.429 * 2 * half, 1e-10);
        assert_true(power[0] < power[1] && power[2] < power[1]);
        assert_close(power[0] / power[1], 1 - 1e-4, 1e-12);
    }
}

// Goal: electrical power = copper + conversion + loss torque + shaft, at every speed, driving and
// braking. Method: sum of the parts; tolerance is rounding of 1600 W.
static void power_is_accounted_for(void **state)
{
    (void)state;
    for (int loss = IB_LOSS_NONE; loss <= IB_LOSS_COULOMB; loss++) {
        ib_MotorModel motor = motor_with(loss);
        for (double w = -700; w <= 700; w += 12.5) {
            double I = ib_motor_current(&motor, 12, w);
            double shaft = w * ib_motor_torque(&motor, I, w);
            double lost = w * ib_motor_loss(&motor, w);
            double parts = motor.R * I * I + ib_motor_conversion(&motor, I, w) + lost + shaft;
            assert_close(parts, 12 * I, 1e-10);
            assert_true(lost >= 0);
        }
    }
}

// Goal: the CIM's best efficiency, 65.6 % at 0.875 of its free speed. Method: with x = w/wf the
// torque is Ts (1 - x), the current Is (1 - x) + If x, and eta = Ts wf x (1 - x) / (V I) is
// greatest at x = 1/(1 + sqrt(If/Is)); compare with a march along the curve, 0.05 rad/s at a time.
static void best_efficiency_is_the_closed_form(void **state)
{
    (void)state;
    ib_MotorModel motor = motor_with(IB_LOSS_VISCOUS);
    double best = 0, best_w = 0;
    for (double w = 1; w < cim.free_speed; w += 0.05) {
        double I = ib_motor_current(&motor, 12, w);
        double eta = w * ib_motor_torque(&motor, I, w) / (12 * I);
        if (eta > best) best_w = w;
        if (eta > best) best = eta;
    }
    double root = sqrt(2.7 / 131.227), x = 1 / (1 + root);
    double expected = 2.429 * cim.free_speed * x * (1 - x) / (12 * (131.227 * (1 - x) + 2.7 * x));
    assert_close(best, expected, 1e-8);
    assert_close(best_w, x * cim.free_speed, 0.1);
    assert_close(best, 0.656, 0.0005);
    assert_true(best < motor.Kt / motor.Ke);
}

// Goal: Coulomb friction is smooth at rest, odd, and whole from 3 rad/s on.
// Method: tanh(3) = 0.995.
static void coulomb_loss_is_smooth_and_odd(void **state)
{
    (void)state;
    ib_MotorModel motor = motor_with(IB_LOSS_COULOMB);
    assert_close(ib_motor_loss(&motor, 0), 0, 0);
    assert_close(ib_motor_loss(&motor, 1e-9), motor.coulomb * 1e-9, 1e-25);
    for (double w = 0.1; w < 600; w *= 1.7) {
        assert_true(ib_motor_loss(&motor, w) == -ib_motor_loss(&motor, -w));
        if (w >= 3) assert_true(ib_motor_loss(&motor, w) >= 0.995 * motor.coulomb);
    }
}

// Goal: 4.1c settles at the quasi-static current for every step. 4.2e, Euler's method on the rate,
// does not: reference B4: L = 59 uH, 50 ms: amplification 1 - Ts R/L = -76.495.
static void backward_euler_settles(void **state)
{
    (void)state;
    ib_MotorModel motor = motor_with(IB_LOSS_NONE);
    const double L = 59e-6, w = 100;
    double still = ib_motor_current(&motor, 12, w);
    assert_close(ib_motor_current_rate(&motor, L, 12, still, w), 0, 1e-7);
    for (double Ts = 1e-5; Ts < 1; Ts *= 10) {
        double I = 0;
        for (int i = 0; i < 2000; i++) I = ib_motor_current_implicit(&motor, L, Ts, 12, I, w);
        assert_close(I, still, 1e-9);
    }
    double off = 1 + 0.05 * ib_motor_current_rate(&motor, L, 12, still + 1, w);
    assert_close(off, -76.495, 1e-3);
}

// Goal: with inductance the current rises as 1 - e^(-t R/L). Method: one backward-Euler step of
// time h is I = Is h/(h + L/R); many small ones tend to the exponential, at first order.
static void small_steps_follow_the_exponential(void **state)
{
    (void)state;
    ib_MotorModel motor = motor_with(IB_LOSS_NONE);
    const double L = 59e-6, tau = L / motor.R;
    double I = 0, h = tau / 10000;
    for (int i = 0; i < 10000; i++) I = ib_motor_current_implicit(&motor, L, h, 12, I, 0);
    assert_close(I / 131.227, 1 - exp(-1), 0.5 * h / tau * exp(-1) * 1.01);
}

// Goal: where the data sheet's Kt is above Ke, Ke is taken for it: no power is made between
// electrical and mechanical, the free point stays exact, the stall torque becomes Ke Is. Method:
// the NEO as WPILib has it; Ke by hand, 12 V (1 - 1.8/105)/wf; 1e-14 is rounding.
static void torque_constant_is_at_most_ke(void **state)
{
    (void)state;
    ib_MotorConfig neo = {12, 2.6, 105, 5676 * RPM, 1.8, IB_TORQUE_BALANCED};
    double Ke = 12 * (1 - 1.8 / 105) / neo.free_speed;
    for (int loss = IB_LOSS_NONE; loss <= IB_LOSS_COULOMB; loss++) {
        ib_MotorModel motor;
        ib_motor_init(&neo, loss, &motor);
        assert_close(motor.Ke, Ke, 1e-14);
        assert_close(motor.Kt, Ke, 1e-14);
        assert_close(ib_motor_conversion(&motor, 50, 300), 0, 0);
        assert_close(ib_motor_torque(&motor, ib_motor_current(&motor, 12, 0), 0), Ke * 105, 1e-13);
        if (loss == IB_LOSS_NONE) continue;
        assert_close(ib_motor_current(&motor, 12, neo.free_speed), 1.8, 1e-12);
        assert_close(ib_motor_torque(&motor, 1.8, neo.free_speed), 0, 1e-14);
    }
    // Of the power that goes in, 12 V times the current, never more comes out.
    ib_MotorModel motor;
    ib_motor_init(&neo, IB_LOSS_NONE, &motor);
    for (double w = 1; w < 590; w++) {
        double I = ib_motor_current(&motor, 12, w);
        assert_true(w * ib_motor_torque(&motor, I, w) <= 12 * I);
    }
}

// Goal: the data sheet's reading can be had, and a Kt below Ke is nobody's to change. Method: the
// NEO's 2.6 N m at stall and 1.248 of docs/plant/motor.md; the CIM under both readings.
static void the_data_sheet_can_be_taken_as_it_is(void **state)
{
    (void)state;
    ib_MotorModel motor, other;
    ib_MotorConfig neo = {12, 2.6, 105, 5676 * RPM, 1.8, IB_TORQUE_DATA_SHEET}, sheet = cim;
    ib_motor_init(&neo, IB_LOSS_VISCOUS, &motor);
    assert_close(motor.Kt * 105, 2.6, 1e-15);
    assert_close(motor.Kt / motor.Ke, 1.248, 5e-4);
    sheet.torque_constant = IB_TORQUE_DATA_SHEET;
    ib_motor_init(&sheet, IB_LOSS_VISCOUS, &motor);
    ib_motor_init(&cim, IB_LOSS_VISCOUS, &other);
    assert_memory_equal(&motor, &other, sizeof motor);
}

// Goal: a Kt above Ke is remarked with its figures unless the file has chosen to balance it; one
// within rounding is not, and a free speed in the wrong unit is asked about. Method: the NEO; the
// Kraken X44 of WPILib, 1.005; a CIM whose 5310 rpm were written in rad/s, 0.861 x 9.549 = 8.218.
static void kt_above_ke_is_remarked(void **state)
{
    (void)state;
    const ib_RemarkDef *remark = ib_motor_presets.remark;
    ib_MotorConfig neo = {12, 2.6, 105, 5676 * RPM, 1.8, IB_TORQUE_BALANCED};
    ib_MotorConfig x44 = {12, 4.11, 279, 7758 * RPM, 2, IB_TORQUE_BALANCED};
    ib_MotorConfig fast = {12, 2.42, 133, 5310, 2.7, IB_TORQUE_BALANCED};
    char text[600];
    assert_true(remark->make(&neo, false, text, sizeof text) > 0);
    assert_non_null(strstr(text, "is 1.248 Ke"));
    assert_non_null(strstr(text, "stall torque 2.083 N*m for 2.6 N*m"));
    assert_null(strstr(text, "meant?"));
    assert_true(remark->make(&neo, true, text, sizeof text) == 0);
    neo.torque_constant = IB_TORQUE_DATA_SHEET;
    assert_true(remark->make(&neo, true, text, sizeof text) > 0);
    assert_non_null(strstr(text, "makes energy"));
    assert_true(remark->make(&cim, false, text, sizeof text) == 0);
    assert_true(remark->make(&x44, false, text, sizeof text) == 0);
    assert_true(remark->make(&fast, false, text, sizeof text) > 0);
    assert_non_null(strstr(text, "is 8.218 Ke"));
    assert_non_null(strstr(text, "is free_speed = 5310 rad/s = 50707 rpm meant?"));
}

// Goal: a data sheet that no range refuses and that cannot be is refused by name. Method: free
// currents from below the stall current to beyond it.
static void impossible_numbers_are_refused(void **state)
{
    (void)state;
    ib_MotorConfig wrong = {12, 2, 100, 500, 100, 0};
    ib_Error error;
    assert_int_equal(ib_motor_check(&cim, &error), IB_OK);
    assert_int_equal(ib_motor_check(&wrong, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "below stall_current (100 A)"));
    wrong.free_current = 99.9;
    assert_int_equal(ib_motor_check(&wrong, &error), IB_OK);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_are_those_of_the_reference),
        cmocka_unit_test(without_loss_the_free_speed_is_too_high),
        cmocka_unit_test(losses_make_the_free_point_exact),
        cmocka_unit_test(stall_point_is_exact),
        cmocka_unit_test(power_is_greatest_at_half_speed),
        cmocka_unit_test(power_is_accounted_for),
        cmocka_unit_test(best_efficiency_is_the_closed_form),
        cmocka_unit_test(coulomb_loss_is_smooth_and_odd),
        cmocka_unit_test(backward_euler_settles),
        cmocka_unit_test(small_steps_follow_the_exponential),
        cmocka_unit_test(torque_constant_is_at_most_ke),
        cmocka_unit_test(the_data_sheet_can_be_taken_as_it_is),
        cmocka_unit_test(kt_above_ke_is_remarked),
        cmocka_unit_test(impossible_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
