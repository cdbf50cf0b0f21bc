// The signal table: names, growth, lookup, patterns.
#include "base/signal.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <string.h>

static const ib_SignalDef motor[] = {
    {"current", "A", "current into the motor", 1000},
    {"torque", "N*m", "torque at the shaft", 0},
};

// Goal: a part's signals get the prefix of their owner, and keep the rest.
// Method: two owners and none.
static void owners_give_the_prefix(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_SignalTable table = {.arena = &arena};
    assert_int_equal(ib_signals_add(&table, "drive.left", motor, 2), 0);
    assert_int_equal(ib_signals_add(&table, "drive.right", motor, 2), 2);
    assert_int_equal(ib_signals_add(&table, "", motor, 2), 4);
    assert_int_equal(table.count, 6);
    assert_string_equal(table.items[3].name, "drive.right.torque");
    assert_string_equal(table.items[4].name, "current");
    assert_string_equal(table.items[2].unit, "A");
    assert_true(table.items[2].limit == 1000);
    assert_int_equal(ib_signals_find(&table, "drive.left.torque"), 1);
    assert_int_equal(ib_signals_find(&table, "torque"), 5);
    assert_int_equal(ib_signals_find(&table, "drive.left"), -1);
    assert_int_equal(ib_signals_find(&table, ""), -1);
    ib_arena_reset(&arena);
}

// Goal: meanings come along, parts are named where there are several, and roles are found by robot.
// Method: two sides of two robots; a row that names its part itself keeps it.
static void meanings_come_along(void **state)
{
    (void)state;
    static const ib_SignalDef rows[] = {
        {"current", "A", "", 0, IB_MEANS(.role = IB_ROLE_LOAD, .headline = 2)},
        {"angle", "rad", "", 0, IB_MEANS(.shown = "deg", .part = "own")},
    };
    ib_Arena arena = {0};
    ib_SignalTable table = {.arena = &arena};
    assert_int_equal(ib_signals_add_part(&table, "drive.left", "left", rows, 2), 0);
    assert_int_equal(ib_signals_add(&table, "red", rows, 2), 2);
    table.items[2].means.robot = "red";
    assert_string_equal(table.items[0].means.part, "left");
    assert_string_equal(table.items[3].means.part, "own");
    assert_int_equal(table.items[0].means.headline, 2);
    assert_string_equal(table.items[1].means.shown, "deg");
    assert_int_equal(ib_signals_role(&table, "", IB_ROLE_LOAD), 0);
    assert_int_equal(ib_signals_role(&table, "red", IB_ROLE_LOAD), 2);
    assert_int_equal(ib_signals_role(&table, "blue", IB_ROLE_LOAD), -1);
    ib_arena_reset(&arena);
}

// Goal: every role has a name of its own, by which it is found again. Method: all of them; words
// that are none.
static void roles_have_names(void **state)
{
    (void)state;
    for (int i = 1; i < IB_SIGNAL_ROLES; i++) {
        assert_true(ib_role_name((ib_SignalRole)i)[0] != '\0');
        assert_int_equal(ib_role_find(ib_role_name((ib_SignalRole)i)), i);
    }
    assert_int_equal(ib_role_find(""), IB_ROLE_NONE);
    assert_int_equal(ib_role_find("king"), IB_ROLE_NONE);
    assert_int_equal(ib_signal_stem("lift.energy.copper"), 11);
    assert_int_equal(ib_signal_stem("inertia"), 0);
}

// Goal: the table grows without losing anything. Method: a thousand owners, every name found.
static void table_grows_without_loss(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_SignalTable table = {.arena = &arena};
    char name[32];
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "leg%d", i);
        assert_int_equal(ib_signals_add(&table, name, motor, 2), 2 * i);
    }
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "leg%d.torque", i);
        assert_int_equal(ib_signals_find(&table, name), 2 * i + 1);
    }
    ib_arena_reset(&arena);
}

// Goal: without memory the answer is -1, and the table stays sound. Method: every limit up to one
// that is enough.
static void lack_of_memory_is_reported(void **state)
{
    (void)state;
    int refused = 0;
    for (size_t limit = 1; limit < 2000; limit += 20) {
        ib_Arena arena = {.limit = limit};
        ib_SignalTable table = {.arena = &arena};
        int first = ib_signals_add(&table, "drive", motor, 2);
        refused += first == -1;
        assert_true(first == 0 || first == -1);
        for (int i = 0; i < table.count; i++) assert_non_null(table.items[i].name);
        ib_arena_reset(&arena);
    }
    assert_true(refused > 0 && refused < 100);
}

// Goal: stars stand for any run of characters. Method: pairs by hand, with the awkward ones.
static void stars_match_any_run(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *name;
        int match;
    } cases[] = {
        {"pose.x", "pose.x", 1},
        {"pose.x", "pose.xx", 0},
        {"pose.*", "pose.heading", 1},
        {"pose.*", "pose.", 1},
        {"pose.*", "pose", 0},
        {"*", "", 1},
        {"*", "a.b", 1},
        {"", "", 1},
        {"", "a", 0},
        {"*.torque", "a.torque", 1},
        {"*.torque", "a.torques", 0},
        {"a*b*c", "aXbYbZc", 1},
        {"a*b*c", "aXbYbZ", 0},
        {"**", "anything", 1},
        {"*a", "aaab", 0},
        {"*aab", "aaaab", 1},
        {"leg.*.angle", "leg.fr.alpha.angle", 1},
        {"leg.*.angle", "leg.angle", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (ib_signals_match(cases[i].pattern, cases[i].name) != cases[i].match)
            fail_msg("%s and %s", cases[i].pattern, cases[i].name);
}

// Goal: no pattern takes long. Method: the worst one for a naive matcher: 30 stars against 5000
// letters, at most 30 * 5000 comparisons.
static void many_stars_stay_cheap(void **state)
{
    (void)state;
    static char name[5001], pattern[64];
    memset(name, 'a', sizeof name - 1);
    for (int i = 0; i < 60; i += 2) memcpy(pattern + i, "*a", 2);
    pattern[60] = 'b';
    assert_false(ib_signals_match(pattern, name));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(owners_give_the_prefix),     cmocka_unit_test(table_grows_without_loss),
        cmocka_unit_test(lack_of_memory_is_reported), cmocka_unit_test(stars_match_any_run),
        cmocka_unit_test(many_stars_stay_cheap),      cmocka_unit_test(meanings_come_along),
        cmocka_unit_test(roles_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
