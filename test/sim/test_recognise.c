// Claims about src/sim/recognise.c.
#include "cmocka_all.h"

#include "sim/recognise.h"

static ib_Arena arena;

static int forget(void **state)
{
    (void)state;
    ib_arena_reset(&arena);
    return 0;
}

static ib_SignalMeaning meaning_of(const char *name, const char *unit)
{
    ib_SignalMeaning means = {.role = IB_ROLE_NONE};
    if (!ib_signal_recognise(name, unit, &arena, &means)) fail_msg("%s is not known", name);
    return means;
}

// Goal: a name alone is taken at its word, behind any robot's name, and what only looks alike is
// not. Method: names by hand.
static void names_are_taken_at_their_word(void **state)
{
    (void)state;
    static const struct {
        const char *name, *unit;
        ib_SignalRole role;
        const char *robot;
    } known[] = {
        {"pose.x", "m", IB_ROLE_POSE_X, ""},
        {"red.pose.heading", "rad", IB_ROLE_POSE_HEADING, "red"},
        {"a.b.velocity.y", "", IB_ROLE_VELOCITY_Y, "a.b"},
        {"battery.voltage", "V", IB_ROLE_SUPPLY_VOLTAGE, ""},
        {"red.compressor.current", "A", IB_ROLE_LOAD, "red"},
        {"motor.voltage", "V", IB_ROLE_MOTOR_VOLTAGE, ""},
        {"disturbance.force.x", "N", IB_ROLE_PUSH_X, ""},
        {"wheel.left.speed", "rad/s", IB_ROLE_MOTOR_MOTION, ""}, // a tank's
        {"red.wheel.3.slip", "m/s", IB_ROLE_MOTOR_SLIP, "red"},  // of any wheels
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        ib_SignalMeaning means = meaning_of(known[i].name, known[i].unit);
        assert_int_equal(means.role, known[i].role);
        assert_true(ib_meaning_is_of(&means, known[i].robot));
    }
    static const char *const unknown[][2] = {
        {"pose.x", "ft"},
        {"mypose.x", "m"},
        {"pose.x.y", "m"},
        {"", ""},
        {".", ""},
        {"branch.closed", "1"},      // of which one?
        {"wheel.left.speed", "m/s"}, // a Roomba's, which is no motor's
        {"energy.battery", "J"},     // a name alone does not say whose book
        {"breaker.heat", "1"},
    };
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        ib_SignalMeaning means = {.role = IB_ROLE_NONE};
        if (ib_signal_recognise(unknown[i][0], unknown[i][1], &arena, &means))
            fail_msg("%s [%s] is taken for something", unknown[i][0], unknown[i][1]);
        assert_int_equal(means.role, IB_ROLE_NONE);
    }
}

// Goal: what belongs together is found together. Method: the left side of a tank; motor and wheel
// of one module, and the motor that steers it, which is another part.
static void parts_belong_together(void **state)
{
    (void)state;
    ib_SignalMeaning voltage = meaning_of("drive.left.voltage", "V");
    ib_SignalMeaning speed = meaning_of("wheel.left.speed", "rad/s");
    ib_SignalMeaning right = meaning_of("wheel.right.speed", "rad/s");
    assert_true(ib_meaning_same_part(&voltage, &speed));
    assert_false(ib_meaning_same_part(&voltage, &right));
    ib_SignalMeaning motor = meaning_of("motor.1.voltage", "V");
    ib_SignalMeaning slip = meaning_of("wheel.1.slip", "m/s");
    ib_SignalMeaning steering = meaning_of("steer.1.voltage", "V");
    assert_true(ib_meaning_same_part(&motor, &slip));
    assert_false(ib_meaning_same_part(&motor, &steering));
    assert_string_equal(steering.part, "steer.1");
}

// Goal: modes have their words, with robot and part. Method: of a base, of one of several parts, of
// the simulation itself.
static void modes_have_their_words(void **state)
{
    (void)state;
    static const struct {
        const char *name, *unit;
        double value;
        const char *sentence;
    } known[] = {
        {"breaker.closed", "1", 0, "the main breaker trips"},
        {"red.branch.left.closed", "1", 0, "red: left branch breaker trips"},
        {"branch.lift.left.closed", "", 1, "lift.left branch breaker closes again"},
        {"cylinder.arm.velocity", "m/s", 1, "the arm rod moves"},
        {"blue.contact.hits", "1", 3, "blue: a hit"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        ib_SignalMeaning means = meaning_of(known[i].name, known[i].unit);
        char text[64];
        assert_non_null(means.mode);
        ib_mode_sentence(ib_mode_meaning(means.mode, known[i].value), means.robot, means.part, text,
                         sizeof text);
        assert_string_equal(text, known[i].sentence);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_taken_at_their_word),
        cmocka_unit_test(parts_belong_together),
        cmocka_unit_test(modes_have_their_words),
    };
    return cmocka_run_group_tests(tests, NULL, forget);
}
