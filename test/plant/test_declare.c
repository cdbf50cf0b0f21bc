// Declarations: the places that states get, who is told of them, and which signals show them.
#include "plant/declare.h"

#include "cmocka_all.h"

#include <string.h>

static const ib_SignalDef rows[] = {
    {"place", "m", "a sum", 0, IB_MEANS(.form = IB_SUM)},
    {"speed", "m/s", "a state", 0, IB_MEANS(.form = IB_STATE)},
    {"force", "N", "only shown", 0},
    {"angle", "rad", "another state", 0, IB_MEANS(.form = IB_STATE)},
};
enum { PLACE, SPEED, FORCE, ANGLE, ROWS };

// Goal: states come in the order in which they were declared, all sums behind them, and signals in
// the order of the calls. Method: two parts of the same rows with hidden states between; places by
// hand: speed 0, angle 1, three hidden 2 to 4, speed 5, angle 6, then the sums 7 and 8.
static void sums_lie_behind_all_states(void **unused)
{
    (void)unused;
    ib_Arena arena = {0};
    ib_Declarations d = {.arena = &arena, .signals = {.arena = &arena}};
    int left[ROWS], right[ROWS], hidden = -1, third = -1;
    ib_declare(&d, "left", "left", rows, ROWS, left);
    ib_declare_states(&d, 3, IB_STATE, &hidden);
    ib_declare_also(&d, &hidden, 2, &third);
    ib_declare(&d, "right", "right", rows, ROWS, right);
    assert_true(ib_declare_finish(&d));
    assert_int_equal(d.state_count, 9);
    assert_int_equal(d.sum_from, 7);
    assert_int_equal(left[SPEED], 0);
    assert_int_equal(left[ANGLE], 1);
    assert_int_equal(hidden, 2);
    assert_int_equal(third, 4);
    assert_int_equal(right[SPEED], 5);
    assert_int_equal(right[ANGLE], 6);
    assert_int_equal(left[PLACE], 7);
    assert_int_equal(right[PLACE], 8);
    assert_int_equal(left[FORCE], FORCE); // of what is no state the place among the signals
    assert_int_equal(right[FORCE], ROWS + FORCE);
    assert_string_equal(d.signals.items[right[FORCE]].name, "right.force");
    assert_string_equal(d.signals.items[right[FORCE]].means.part, "right");
    static const int shown[9] = {SPEED,        ANGLE,        -1,    -1,          -1,
                                 ROWS + SPEED, ROWS + ANGLE, PLACE, ROWS + PLACE};
    for (int i = 0; i < 9; i++) assert_int_equal(d.shown[i], shown[i]);
    ib_arena_reset(&arena);
}

// Goal: an entry of a book is found by its whole name by as many parts as ask, and -1 tells
// that there is none. Method: two who ask for a sum and one who asks for a signal, before
// the places are known.
static void entries_are_found_by_their_names(void **unused)
{
    (void)unused;
    ib_Arena arena = {0};
    ib_Declarations d = {.arena = &arena, .signals = {.arena = &arena}};
    int one = 0, two = 0, force = 0, none = 0;
    ib_declare(&d, "", NULL, rows, ROWS, NULL);
    ib_declare_find(&d, "place", &one);
    ib_declare_find(&d, "place", &two);
    ib_declare_find(&d, "force", &force);
    ib_declare_find(&d, "torque", &none);
    assert_true(ib_declare_finish(&d));
    assert_int_equal(one, 2);
    assert_int_equal(two, 2);
    assert_int_equal(force, FORCE);
    assert_int_equal(none, -1);
    ib_arena_reset(&arena);
}

// Goal: rows of a block are states side by side, whatever else is declared, each shown by its own
// signal. Method: a block behind a state.
static void blocks_lie_side_by_side(void **unused)
{
    (void)unused;
    static const ib_SignalDef breaker[] = {{"heat", "1", "heat", 0}, {"closed", "1", "closed", 0}};
    ib_Arena arena = {0};
    ib_Declarations d = {.arena = &arena, .signals = {.arena = &arena}};
    int block = -1;
    ib_declare(&d, "", NULL, rows, ROWS, NULL);
    ib_declare_block(&d, ib_declare_name(&d, "branch", "left"), "left", breaker, 2, &block);
    assert_true(ib_declare_finish(&d));
    assert_int_equal(block, 2);
    assert_string_equal(d.signals.items[d.shown[2]].name, "branch.left.heat");
    assert_string_equal(d.signals.items[d.shown[3]].name, "branch.left.closed");
    ib_arena_reset(&arena);
}

// Goal: without memory nothing is read or written beyond what there is, and the end says so.
// Method: arenas of every size up to what the declarations need.
static void missing_memory_is_told_at_the_end(void **unused)
{
    (void)unused;
    bool done = false;
    for (size_t limit = 64; limit < 1 << 16 && !done; limit += 64) {
        ib_Arena arena = {.limit = limit};
        ib_Declarations d = {.arena = &arena, .signals = {.arena = &arena}};
        int at[ROWS], block = -1, also = -1, input = -1;
        ib_declare(&d, "left", "left", rows, ROWS, at);
        ib_declare_block(&d, ib_declare_name(&d, "a", "b"), "b", rows, ROWS, &block);
        ib_declare_also(&d, &block, 1, &also);
        ib_declare_find(&d, "left.place", &also);
        ib_declare_input(&d, ib_gain_input("left.force"), &input);
        done = ib_declare_finish(&d);
        assert_true(done || limit < 1 << 15);
        assert_true(!done || input == 0);
        ib_arena_reset(&arena);
    }
    assert_true(done);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_lie_behind_all_states),
        cmocka_unit_test(entries_are_found_by_their_names),
        cmocka_unit_test(blocks_lie_side_by_side),
        cmocka_unit_test(missing_memory_is_told_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
