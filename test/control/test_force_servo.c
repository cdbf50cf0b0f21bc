// A cylinder that shall push with a force.
#include "cmocka_all.h"
#include "control/leg/force_servo.h"
#include "legs_rig.h"

static ib_ForceServo make(void)
{
    const ib_ForceServoConfig config = {.gain = 0.03, .dead_band = 1, .feed = 8, .most = 0.9};
    const double start[3] = {0, -13, 88};
    LegsNames names;
    ib_ControlLegs legs = legs_told(start, &names);
    ib_ForceServo servo;
    legs.joints[0].area[0] = 6e-4;
    legs.joints[0].area[1] = 5e-4;
    legs.joints[0].outside = 10;
    legs.supply = 4e5;
    legs.exhaust = 1e5;
    ib_force_servo_init(&config, &legs, 0, 5.25, 0, 10, &servo);
    return servo;
}

// Goal: both pressures and the atmosphere make the force. Method: by hand, 3e5 Pa and 2e5 Pa:
// 180 - 100 - 10 N.
static void pressures_make_a_force(void **state)
{
    (void)state;
    ib_ForceServo servo = make();
    assert_close(ib_force_servo_felt(&servo, (double[]){3e5, 2e5}), 70, 1e-9);
}

// Goal: the voltage goes with the error of the force behind its dead band, and with the rod's
// wanted speed; an arm that lowers the angle turns the sign. Method: by hand. 2 N m on 4 cm are
// 50 N, 20 N more than it pushes: 5.25 + 0.03 19 V; a rate of 0.5 rad/s adds 8 0.04 0.5 V.
static void the_voltage_goes_with_the_error(void **state)
{
    (void)state;
    ib_ForceServo servo = make();
    assert_close(ib_force_servo_step(&servo, 2, 0.04, 0, 30), 5.25 + 0.57, 1e-12);
    assert_close(ib_force_servo_step(&servo, 2, 0.04, 0.5, 30), 5.25 + 0.57 + 0.16, 1e-12);
    assert_close(ib_force_servo_step(&servo, -2, -0.04, 0, 30), 5.25 + 0.57, 1e-12);
    assert_close(ib_force_servo_step(&servo, 2, 0.04, 0, 50.5), 5.25, 1e-12);
    assert_close(ib_force_servo_step(&servo, 2, 0.04, 0, 70), 5.25 - 0.57, 1e-12);
}

// Goal: it asks for no more than a part of what the supply gives, and keeps the valve's range.
// Method: 4e5 and 1e5 Pa give 240 - 50 - 10 = 180 N out and 60 - 200 - 10 = -150 N in; 0.9 of both.
static void it_asks_for_what_the_supply_gives(void **state)
{
    (void)state;
    ib_ForceServo servo = make();
    assert_close(ib_force_servo_step(&servo, 100, 0.04, 0, 162), 5.25, 1e-12);
    assert_close(ib_force_servo_step(&servo, -100, 0.04, 0, -135), 5.25, 1e-12);
    assert_close(ib_force_servo_step(&servo, 100, 0.04, 0, -300), 10, 0);
    assert_close(ib_force_servo_step(&servo, -100, 0.04, 0, 300), 0, 0);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pressures_make_a_force),
        cmocka_unit_test(the_voltage_goes_with_the_error),
        cmocka_unit_test(it_asks_for_what_the_supply_gives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
