// Claims about src/record/change_tape.c.
#include "record/change_tape.h"

#include "cmocka_all.h"

static const ib_Time ms = 1000000;
static const ib_Mode stage = {.meanings = {{"fine"}, {"sags"}, {"off"}}};
static ib_SignalDef defs[] = {
    {.name = "current", .unit = "A", .sentence = ""},
    {.name = "stage", .unit = "1", .sentence = "", .means = {.mode = &stage}},
};
static const ib_SignalTable table = {.items = defs, .count = 2};

static ib_ChangeTape *create(const ib_SignalTable *signals, int room, ib_Arena *arena)
{
    ib_ChangeTape *tape = NULL;
    ib_Error error;
    if (ib_change_tape_create(signals, room, arena, &tape, &error) != IB_OK)
        fail_msg("%s", error.text);
    return tape;
}

// Outputs that are on (stage 1, 200 A) for 1 ms of every 21 ms, else off (stage 2, 3 A), looked at
// every half a millisecond, as a run with that step does.
static void drive(ib_ChangeTape *tape, ib_Time end)
{
    ib_Probe probe = ib_change_tape_probe(tape);
    assert_true(probe.each_step && probe.each_jump);
    for (ib_Time time = 0; time <= end; time += ms / 2) {
        bool on = time % (21 * ms) >= 20 * ms;
        const double signals[] = {on ? 200 : 3, on ? 1 : 2};
        assert_true(probe.sample(probe.self, time, signals) == IB_TIME_NEVER);
    }
}

// Goal: every pulse is on the tape with its true edges, and so is the current that jumps with it.
// Method: 10 pulses that a row every 10 ms sees one of; by hand: on at 20 ms + 21 ms k, off at
// 21 ms + 21 ms k; a row half a millisecond before each and one at it.
static void short_pulses_have_their_edges(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_ChangeTape *tape = create(&table, 100, &arena);
    drive(tape, 210 * ms);
    assert_int_equal(tape->rows.count, 4 * 10);
    assert_true(tape->until == IB_TIME_NEVER);
    for (int k = 0; k < 10; k++) {
        static const double currents[] = {3, 200, 200, 3}, stages[] = {2, 1, 1, 2};
        const ib_Time on = (20 + 21 * k) * ms, edges[] = {on - ms / 2, on, on + ms / 2, on + ms};
        for (int i = 0; i < 4; i++) {
            assert_true(tape->rows.times[4 * k + i] == edges[i]);
            assert_close(ib_tape_row(&tape->rows, 4 * k + i)[0], currents[i], 0);
            assert_close(ib_tape_row(&tape->rows, 4 * k + i)[1], stages[i], 0);
        }
    }
    ib_arena_reset(&arena);
}

// Goal: changes at neighbouring looks share their rows, and two at one time are both there.
// Method: three changes in a row, the last two at the same nanosecond: four rows.
static void neighbours_share_their_rows(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_ChangeTape *tape = create(&table, 10, &arena);
    ib_Probe probe = ib_change_tape_probe(tape);
    const ib_Time times[] = {0, 1 * ms, 2 * ms, 2 * ms};
    for (int i = 0; i < 4; i++) probe.sample(probe.self, times[i], (const double[]){i, i % 3});
    assert_int_equal(tape->rows.count, 4);
    for (int i = 0; i < 4; i++) {
        assert_true(tape->rows.times[i] == times[i]);
        assert_close(ib_tape_row(&tape->rows, i)[0], i, 0);
    }
    ib_arena_reset(&arena);
}

// Goal: a full tape keeps the first changes whole and says from when on there are none.
// Method: room for 9 rows: two pulses (8 rows); the next change, at 62 ms, needs two more.
static void full_tape_says_so(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_ChangeTape *tape = create(&table, 9, &arena);
    drive(tape, 210 * ms);
    assert_int_equal(tape->rows.count, 8);
    assert_true(tape->until == 62 * ms);
    ib_arena_reset(&arena);
}

// Goal: signals without a mode need no rows. Method: the current alone, with room for 2^30 rows.
static void without_modes_there_is_nothing(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    const ib_SignalTable one = {.items = defs, .count = 1};
    ib_ChangeTape *tape = create(&one, 1 << 30, &arena);
    assert_int_equal(tape->watched_count, 0);
    assert_int_equal(tape->rows.room, 0);
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_pulses_have_their_edges),
        cmocka_unit_test(neighbours_share_their_rows),
        cmocka_unit_test(full_tape_says_so),
        cmocka_unit_test(without_modes_there_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
