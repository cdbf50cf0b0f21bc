// Claims about src/base/mode.c.
#include "cmocka_all.h"

#include "base/mode.h"

#include <string.h>

static const ib_Mode lamp = {.kind = IB_MODE_LIMIT,
                             .meanings = {{"the lamp goes out", IB_MODE_ERROR, true},
                                          {"the lamp glows", IB_MODE_WARNING},
                                          {"lamp shines", IB_MODE_INFO}}};
static const ib_Mode rod = {
    .kind = IB_MODE_STATE, .motion = true, .meanings = {{"the rod stands"}, {"the rod moves"}}};

// Goal: a value means what stands in its row, and the last row goes on. Method: the lamp, by hand.
static void values_mean_their_rows(void **state)
{
    (void)state;
    assert_string_equal(ib_mode_meaning(&lamp, 0).text, "the lamp goes out");
    assert_true(ib_mode_meaning(&lamp, 0).dead && !ib_mode_meaning(&lamp, 1).dead);
    assert_int_equal(ib_mode_meaning(&lamp, 1).level, IB_MODE_WARNING);
    assert_string_equal(ib_mode_meaning(&lamp, 2).text, "lamp shines");
    assert_string_equal(ib_mode_meaning(&lamp, 17).text, "lamp shines");
    assert_string_equal(ib_mode_kind_name(lamp.kind), "limit");
    assert_string_equal(ib_mode_level_name(IB_MODE_WARNING), "warning");
}

// Goal: what happens reads like a sentence. Method: by hand: with and without a robot's name, with
// a part before the noun, behind an article or without one, and cut off.
static void sentences_name_robot_and_part(void **state)
{
    (void)state;
    static const struct {
        int value;
        const char *robot, *part, *text;
    } expected[] = {
        {0, NULL, NULL, "the lamp goes out"},
        {0, "", "", "the lamp goes out"},
        {0, "red", NULL, "red: the lamp goes out"},
        {0, NULL, "left", "the left lamp goes out"},
        {2, "red", "left", "red: left lamp shines"},
        {2, "", "arm", "arm lamp shines"},
        {1, "blue", "lift.up", "blue: the lift.up lamp glows"},
    };
    char text[64];
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        ib_ModeMeaning meaning = ib_mode_meaning(&lamp, expected[i].value);
        ib_mode_sentence(meaning, expected[i].robot, expected[i].part, text, sizeof text);
        assert_string_equal(text, expected[i].text);
    }
    ib_mode_sentence(ib_mode_meaning(&lamp, 0), "red", NULL, text, 6);
    assert_string_equal(text, "red: ");
}

// Goal: a rod that moves faster has not changed its mode; values between the modes mean nothing.
// Method: two speeds; a half, a negative value, NaN; a mode without words.
static void motion_counts_only_as_motion(void **state)
{
    (void)state;
    static const ib_Mode dumb = {.kind = IB_MODE_STATE};
    assert_true(ib_mode_value(&rod, 0.1) == ib_mode_value(&rod, -0.3));
    assert_true(ib_mode_value(&rod, 0) != ib_mode_value(&rod, 0.1));
    assert_true(ib_mode_value(&lamp, 0.1) == 0.1);
    assert_string_equal(ib_mode_meaning(&lamp, 0.5).text, "");
    assert_string_equal(ib_mode_meaning(&lamp, -1).text, "");
    assert_string_equal(ib_mode_meaning(&lamp, NAN).text, "");
    assert_string_equal(ib_mode_meaning(&dumb, 0).text, "");
}

// Goal: a mode may have more meanings than its struct holds, each with a place of its own.
// Method: eight by hand: the last goes on, halves mean nothing.
static void many_meanings_each_have_their_place(void **state)
{
    (void)state;
    static const ib_ModeMeaning words[] = {{"none"}, {"a"}, {"b"}, {"c"},
                                           {"d"},    {"e"}, {"f"}, {"g", IB_MODE_WARNING}};
    static const ib_Mode steps = {.kind = IB_MODE_STATE, .many = words, .many_count = 8};
    assert_int_equal(ib_mode_count(&lamp), 3);
    assert_int_equal(ib_mode_count(&steps), 8);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(ib_mode_place(&steps, i), i);
        assert_string_equal(ib_mode_meaning(&steps, i).text, words[i].text);
    }
    assert_int_equal(ib_mode_place(&steps, 90), 7);
    assert_int_equal(ib_mode_meaning(&steps, 90).level, IB_MODE_WARNING);
    assert_string_equal(ib_mode_meaning(&steps, 6.5).text, "");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_mean_their_rows),
        cmocka_unit_test(sentences_name_robot_and_part),
        cmocka_unit_test(motion_counts_only_as_motion),
        cmocka_unit_test(many_meanings_each_have_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
