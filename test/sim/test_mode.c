// Claims about src/sim/mode.c.
#include "cmocka_all.h"

#include "sim/mode.h"

#include <string.h>

// Goal: modes are found behind any robot's name, and other signals are none. Method: names with and
// without a prefix, with parts in the middle, and names that only look alike.
static void modes_are_found_by_name(void **state)
{
    (void)state;
    assert_non_null(ib_mode_of("breaker.closed"));
    assert_ptr_equal(ib_mode_of("red.breaker.closed"), ib_mode_of("breaker.closed"));
    assert_ptr_equal(ib_mode_of("branch.left.closed"), ib_mode_of("blue.branch.right.closed"));
    assert_ptr_not_equal(ib_mode_of("branch.left.closed"), ib_mode_of("breaker.closed"));
    assert_non_null(ib_mode_of("cylinder.arm.velocity"));
    assert_null(ib_mode_of("breaker.heat"));
    assert_null(ib_mode_of("mybreaker.closed"));
    assert_null(ib_mode_of("velocity"));
    assert_null(ib_mode_of(""));
}

// Goal: what a person is told, how loud and of what kind. Method: the table, by hand: losing all
// power or the outputs is an error, losing a part or a sag a warning, a hit is news.
static void meanings_have_kind_and_level(void **state)
{
    (void)state;
    static const struct {
        const char *signal;
        double value;
        const char *text, *kind, *level;
    } expected[] = {
        {"breaker.closed", 0, "the main breaker trips", "breaker", "error"},
        {"breaker.closed", 1, "the main breaker closes", "breaker", "info"},
        {"branch.left.closed", 0, "branch breaker trips", "breaker", "warning"},
        {"brownout.stage", 0, "supply is fine again", "brownout", "info"},
        {"brownout.stage", 1, "brownout: the servo rail sags", "brownout", "warning"},
        {"brownout.stage", 2, "brownout: outputs off", "brownout", "error"},
        {"brownout.stage", 3, "blackout: the controller is off", "brownout", "error"},
        {"battery.collapsed", 1, "no voltage serves all loads", "brownout", "error"},
        {"contact.hits", 1, "a hit", "contact", "info"},
        {"contact.hits", 17, "a hit", "contact", "info"},
        {"drive.gear", 1, "second gear", "state", "info"},
        {"cylinder.arm.velocity", 1, "the rod moves", "state", "info"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const ib_Mode *mode = ib_mode_of(expected[i].signal);
        assert_non_null(mode);
        ib_ModeMeaning meaning = ib_mode_meaning(mode, expected[i].value);
        assert_string_equal(meaning.text, expected[i].text);
        assert_string_equal(ib_mode_kind_name(mode->kind), expected[i].kind);
        assert_string_equal(ib_mode_level_name(meaning.level), expected[i].level);
    }
}

// Goal: what happens reads like a sentence. Method: by hand: with and without a robot's name, where
// several robots are there and where one is, with a part left open by the pattern, and cut off.
static void sentences_name_robot_and_part(void **state)
{
    (void)state;
    static const struct {
        const char *signal;
        double value;
        bool several;
        const char *text;
    } expected[] = {
        {"red.contact.hits", 3, true, "red: a hit"},
        {"red.contact.hits", 3, false, "a hit"},
        {"contact.hits", 3, true, "a hit"},
        {"breaker.closed", 0, false, "the main breaker trips"},
        {"blue.branch.left.closed", 0, true, "blue: left branch breaker trips"},
        {"branch.right.closed", 1, false, "right branch breaker closes again"},
        {"red.cylinder.arm.velocity", 1, true, "red: the arm rod moves"},
    };
    char text[64];
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const ib_Mode *mode = ib_mode_of(expected[i].signal);
        ib_ModeMeaning meaning = ib_mode_meaning(mode, expected[i].value);
        ib_mode_sentence(mode, expected[i].signal, expected[i].several, meaning, text, sizeof text);
        assert_string_equal(text, expected[i].text);
    }
    const ib_Mode *hits = ib_mode_of("red.contact.hits");
    assert_int_equal(ib_mode_robot(hits, "red.contact.hits"), 3);
    assert_int_equal(ib_mode_robot(hits, "contact.hits"), 0);
    ib_mode_sentence(hits, "red.contact.hits", true, ib_mode_meaning(hits, 1), text, 6);
    assert_string_equal(text, "red: ");
}

// Goal: a rod that moves faster has not changed its mode; values between the modes mean nothing.
// Method: two speeds; a half, a negative value, NaN.
static void motion_counts_only_as_motion(void **state)
{
    (void)state;
    const ib_Mode *rod = ib_mode_of("cylinder.arm.velocity"), *gear = ib_mode_of("drive.gear");
    assert_true(ib_mode_value(rod, 0.1) == ib_mode_value(rod, -0.3));
    assert_true(ib_mode_value(rod, 0) != ib_mode_value(rod, 0.1));
    assert_true(ib_mode_value(gear, 0.1) == 0.1);
    assert_string_equal(ib_mode_meaning(gear, 0.5).text, "");
    assert_string_equal(ib_mode_meaning(gear, -1).text, "");
    assert_string_equal(ib_mode_meaning(gear, NAN).text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_are_found_by_name),
        cmocka_unit_test(meanings_have_kind_and_level),
        cmocka_unit_test(sentences_name_robot_and_part),
        cmocka_unit_test(motion_counts_only_as_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
