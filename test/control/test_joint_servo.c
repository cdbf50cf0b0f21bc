// A joint that is held at an angle by the valve of its cylinder.
#include "cmocka_all.h"
#include "control/leg/joint_servo.h"
#include "legs_rig.h"

#include <math.h>

static const ib_JointServoShared shared = {.period = 1e-3, .scheduled = true};

static ib_JointServo make(int joint, const ib_JointServoConfig *config,
                          const ib_JointServoShared *common, bool stroke)
{
    ib_JointServo servo = {.valve = true, .stroke = stroke, .low = 0, .high = 10};
    ib_LinkageModel linkage = legs_linkage(joint);
    ib_Error error;
    if (ib_joint_servo_init(config, common, &linkage, 5.25, &servo, &error) != IB_OK)
        fail_msg("%s", error.text);
    return servo;
}

// Goal: a positive gain opens the valve the right way, and by the arm. Method: kp = 20 V/rad and an
// error of 0.05 rad: 1 V where the arm is longest. Arms of the reference sheet: alpha 18.76 mm at
// its ends and 51.1867 mm at most; beta 34.2235 and 40.8068 mm; gamma 40.5653 and 17.2275 mm at its
// ends and 40.7080 mm at most, and its rod lowers the angle. Between rows of the schedule an arm is
// a chord: 0.4 %, and its longest may lie between two rows.
static void gains_go_by_the_arm_and_its_sign(void **state)
{
    (void)state;
    static const struct {
        int joint;
        double angle, volts; ///< [deg], from the valve's centre
    } rows[] = {
        {0, -46.99, 18.7600 / 51.1867}, {0, 89.99, 18.7600 / 51.1867},
        {1, -66.99, 34.2235 / 40.8068}, {1, -1.01, 34.2235 / 40.8068},
        {2, 17.01, -17.2275 / 40.7080}, {2, 94.99, -40.5653 / 40.7080},
    };
    ib_JointServoConfig config = {.gain = {[IB_PVA_KP] = 20}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ib_JointServo servo = make(rows[i].joint, &config, &shared, false);
        double own[IB_JOINT_SERVO_STATES] = {0}, y = rows[i].angle * LIMB_DEGREE;
        double volts = ib_joint_servo_step(&servo, y + 0.05, 0, &y, own);
        assert_close(volts - 5.25, rows[i].volts, 5e-3);
        assert_close(own[IB_JOINT_SERVO_OUTPUT], volts, 0);
        assert_close(ib_joint_servo_wanted(own) - ib_joint_servo_measured(own), 0.05, 1e-15);
    }
    ib_JointServoShared plain = shared;
    plain.scheduled = false;
    ib_JointServo servo = make(0, &config, &plain, false);
    double own[IB_JOINT_SERVO_STATES] = {0}, y = -46.99 * LIMB_DEGREE;
    assert_close(ib_joint_servo_step(&servo, y + 0.05, 0, &y, own) - 5.25, 1, 1e-12);
}

// Goal: a stroke that is measured gives what the angle gives. Method: the same motion of each
// joint, told once by its angle and once by the stroke that its triangle has there: outputs agree
// to 1e-9 V (1e-12 rad of the way back, times 1/T of the rate). By a straight line between the ends
// they do not: at the middle of alpha's range that is off by some degrees.
static void a_stroke_is_as_good_as_an_angle(void **state)
{
    (void)state;
    ib_JointServoConfig config = {.gain = {[IB_PVA_KP] = 20, [IB_PVA_KI] = 5, [IB_PVA_KV] = 0.5},
                                  .feed = 0.4};
    ib_JointServoShared straight = shared;
    straight.straight = true;
    for (int joint = 0; joint < 3; joint++) {
        ib_JointServo by_angle = make(joint, &config, &shared, false);
        ib_JointServo by_stroke = make(joint, &config, &shared, true);
        ib_JointServo by_line = make(joint, &config, &straight, true);
        double a[IB_JOINT_SERVO_STATES] = {0}, b[IB_JOINT_SERVO_STATES] = {0};
        double c[IB_JOINT_SERVO_STATES] = {0}, apart = 0;
        const double *range = by_angle.linkage.range;
        for (int k = 0; k < 200; k++) {
            double y = range[0] + (range[1] - range[0]) * (0.2 + 0.003 * k), goal = y + 0.02;
            double x = ib_linkage_at(&by_angle.linkage, y).x;
            double volts = ib_joint_servo_step(&by_angle, goal, 0.1, &y, a);
            assert_close(ib_joint_servo_step(&by_stroke, goal, 0.1, &x, b), volts, 1e-9);
            ib_joint_servo_step(&by_line, goal, 0.1, &x, c);
            apart = fmax(apart, fabs(ib_joint_servo_measured(c) - y));
        }
        if (joint == 0) assert_true(apart > 2 * LIMB_DEGREE);
    }
}

// Goal: a sample that is missing moves nothing. Method: a stroke that is no number between two that
// are: the joint is where it was, and the output is held by the shares that it had.
static void a_missing_stroke_moves_nothing(void **state)
{
    (void)state;
    ib_JointServoConfig config = {.gain = {[IB_PVA_KP] = 20, [IB_PVA_KI] = 5}};
    ib_JointServo servo = make(1, &config, &shared, true);
    double own[IB_JOINT_SERVO_STATES] = {0}, x = 0.02, none = NAN;
    double angle = ib_linkage_angle(&servo.linkage, x);
    ib_joint_servo_step(&servo, angle + 0.01, 0, &x, own);
    double before = ib_joint_servo_step(&servo, angle + 0.01, 0, &x, own);
    double integral = own[IB_SERVO_STATES + IB_PVA_INTEGRAL];
    double after = ib_joint_servo_step(&servo, angle + 0.01, 0, &none, own);
    assert_close(ib_joint_servo_measured(own), angle, 0);
    assert_close(own[IB_SERVO_STATES + IB_PVA_INTEGRAL], integral, 0);
    assert_close(after, before, 20 * 0.01 * 5e-3); // one more period of the integral
}

// Goal: the pressures act on the rod, whichever way that turns the joint. Method: 10 kPa more on
// the cap side and 2e-5 V/Pa: 0.2 V less, of alpha and of gamma alike.
static void pressures_act_on_the_rod(void **state)
{
    (void)state;
    ib_JointServoConfig config = {.gain = {[IB_PVA_KP] = 20, [IB_PVA_KPRESSURE] = 2e-5}};
    for (int joint = 0; joint < 3; joint += 2) {
        ib_JointServo servo = make(joint, &config, &shared, false);
        double own[IB_JOINT_SERVO_STATES] = {0}, y[3] = {0.7, 210e3, 200e3};
        assert_int_equal(ib_joint_servo_reads(&servo), 3);
        assert_close(ib_joint_servo_step(&servo, 0.7, 0, y, own), 5.25 - 0.2, 1e-12);
    }
}

// Goal: a joint with a servo of its own gets its angle, within its range. Method: goals within and
// beyond it.
static void a_servo_gets_its_angle(void **state)
{
    (void)state;
    ib_JointServo servo = {.low = -1, .high = 1};
    ib_JointServoConfig config = {.gain = {[IB_PVA_KP] = 20, [IB_PVA_KPRESSURE] = 1}};
    ib_LinkageModel linkage = legs_linkage(0);
    ib_Error error;
    double own[IB_JOINT_SERVO_STATES] = {0}, y = 0.3;
    assert_int_equal(ib_joint_servo_init(&config, &shared, &linkage, 0, &servo, &error), IB_OK);
    assert_int_equal(ib_joint_servo_reads(&servo), 1);
    assert_close(ib_joint_servo_step(&servo, 0.25, 3, &y, own), 0.25, 0);
    assert_close(ib_joint_servo_step(&servo, 1.25, 3, &y, own), 1, 0);
}

// Goal: the valve's range holds at every tick, with noise, a constant push and goals that saturate.
// Method: a joint whose rate follows the valve with a push on it, 5 s; it reaches its goal, the
// integral against the push, to three deviations of a noise of 1e-4 rad passed by kp.
static void limits_hold_and_the_push_is_found(void **state)
{
    (void)state;
    ib_JointServoConfig config = {.gain = {[IB_PVA_KP] = 20, [IB_PVA_KI] = 20}};
    ib_JointServo servo = make(2, &config, &shared, false);
    double own[IB_JOINT_SERVO_STATES] = {0}, angle = 1.6;
    for (int k = 0; k < 5000; k++) {
        double noise = 1e-4 * ((k * 7919) % 13 - 6) / 6.0, y = angle + noise;
        double volts = ib_joint_servo_step(&servo, 0.5, 0, &y, own);
        assert_true(volts >= 0 && volts <= 10);
        angle += 1e-3 * (-0.5 * (volts - 5.25) + 0.2); // the rod lowers the angle
    }
    assert_close(angle, 0.5, 3e-3);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gains_go_by_the_arm_and_its_sign),
        cmocka_unit_test(a_stroke_is_as_good_as_an_angle),
        cmocka_unit_test(a_missing_stroke_moves_nothing),
        cmocka_unit_test(pressures_act_on_the_rod),
        cmocka_unit_test(a_servo_gets_its_angle),
        cmocka_unit_test(limits_hold_and_the_push_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
