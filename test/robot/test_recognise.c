// Claims about src/robot/recognise.c.
#include "cmocka_all.h"

#include "robot/recognise.h"

// Goal: a name alone is taken at its word, behind any robot's name, and what only looks alike is
// not. Method: names by hand; letters of the robot's name counted by hand.
static void names_are_taken_at_their_word(void **state)
{
    (void)state;
    static const struct {
        const char *name, *unit;
        ib_SignalRole role;
        size_t robot;
    } known[] = {
        {"pose.x", "m", IB_ROLE_POSE_X, 0},
        {"red.pose.heading", "rad", IB_ROLE_POSE_HEADING, 3},
        {"a.b.velocity.y", "", IB_ROLE_VELOCITY_Y, 3},
        {"battery.voltage", "V", IB_ROLE_SUPPLY_VOLTAGE, 0},
        {"red.compressor.current", "A", IB_ROLE_LOAD, 3},
        {"motor.voltage", "V", IB_ROLE_MOTOR_VOLTAGE, 0},
        {"wheel.left.speed", "rad/s", IB_ROLE_MOTOR_MOTION, 0}, // a tank's
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        ib_SignalMeaning means = {0};
        size_t robot = 99;
        assert_true(ib_robot_recognise(known[i].name, known[i].unit, &means, &robot));
        assert_int_equal(means.role, known[i].role);
        assert_int_equal(robot, known[i].robot);
    }
    static const char *const unknown[][2] = {
        {"pose.x", "ft"},
        {"mypose.x", "m"},
        {"pose.x.y", "m"},
        {"", ""},
        {".", ""},
        {"wheel.left.speed", "m/s"}, // a Roomba's, which is no motor's
        {"energy.battery", "J"},     // a name alone does not say whose book
        {"breaker.heat", "1"},
    };
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        ib_SignalMeaning means = {0};
        size_t robot;
        if (ib_robot_recognise(unknown[i][0], unknown[i][1], &means, &robot))
            fail_msg("%s [%s] is taken for something", unknown[i][0], unknown[i][1]);
        assert_int_equal(means.role, IB_ROLE_NONE);
    }
}

// Goal: what belongs together is found together, and modes have their words. Method: the left side
// of a tank; a main breaker that opens.
static void parts_and_words_come_along(void **state)
{
    (void)state;
    ib_SignalMeaning voltage = {0}, speed = {0}, right = {0}, breaker = {0};
    size_t robot;
    assert_true(ib_robot_recognise("drive.left.voltage", "V", &voltage, &robot));
    assert_true(ib_robot_recognise("wheel.left.speed", "rad/s", &speed, &robot));
    assert_true(ib_robot_recognise("wheel.right.speed", "rad/s", &right, &robot));
    assert_true(ib_meaning_same_part(&voltage, &speed));
    assert_false(ib_meaning_same_part(&voltage, &right));
    assert_true(ib_robot_recognise("breaker.closed", "1", &breaker, &robot));
    assert_non_null(breaker.mode);
    assert_string_equal(ib_mode_meaning(breaker.mode, 0).text, "the main breaker trips");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_taken_at_their_word),
        cmocka_unit_test(parts_and_words_come_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
