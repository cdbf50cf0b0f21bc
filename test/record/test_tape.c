// Claims about src/record/tape.c.
#include "record/tape.h"

#include "cmocka_all.h"

static const ib_Time ms = 1000000;

static ib_Tape *create(ib_Time every, int room, ib_Arena *arena)
{
    ib_Tape *tape = NULL;
    ib_Error error;
    if (ib_tape_create(every, room, 1, arena, &tape, &error) != IB_OK) fail_msg("%s", error.text);
    return tape;
}

// Calls the probe as a run does: at the times it asks for, and at the end of the run.
static void drive(ib_Tape *tape, ib_Time end)
{
    ib_Probe probe = ib_tape_probe(tape);
    while (probe.next < end) {
        double value = ib_time_to_seconds(probe.next);
        ib_Time next = probe.sample(probe.self, probe.next, &value);
        assert_true(next > probe.next);
        probe.next = next;
    }
    double value = ib_time_to_seconds(end);
    if (probe.next == end || probe.at_end) probe.sample(probe.self, end, &value);
}

// Goal: the end of the run is on the tape once, on the grid or not. Method: 10 ms rows; runs of 20
// and of 25 ms; the times counted by hand.
static void the_end_is_there_once(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_Tape *even = create(10 * ms, 8, &arena), *odd = create(10 * ms, 8, &arena);
    drive(even, 20 * ms);
    drive(odd, 25 * ms);
    assert_int_equal(even->count, 3);
    assert_true(even->times[2] == 20 * ms);
    assert_int_equal(odd->count, 4);
    assert_true(odd->times[2] == 20 * ms && odd->times[3] == 25 * ms);

    // Asked once more for the same end (a run that failed right there).
    double value = 0;
    ib_Probe probe = ib_tape_probe(odd);
    assert_true(probe.sample(probe.self, 25 * ms, &value) > 25 * ms);
    assert_int_equal(odd->count, 4);
    ib_arena_reset(&arena);
}

// Goal: a run of any length fits, evenly spaced, with its end. Method: room for 8 rows, 1000 ms at
// 1 ms a row: the spacing doubles to 128 or 256 ms; every row has the value of its own time.
static void long_runs_are_thinned_evenly(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_Tape *tape = create(1 * ms, 8, &arena);
    drive(tape, 1000 * ms);
    assert_in_range(tape->count, 5, 8);
    assert_true(tape->every == 128 * ms || tape->every == 256 * ms);
    for (int i = 0; i < tape->count; i++) {
        assert_true(tape->times[i] == (i == tape->count - 1 ? 1000 * ms : i * tape->every));
        assert_close(ib_tape_row(tape, i)[0], ib_time_to_seconds(tape->times[i]), 0);
    }
    ib_arena_reset(&arena);
}

// Goal: a tape of chosen times has these and no end. Method: two times, in a run that goes on.
static void chosen_times_are_all_there_is(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    const ib_Time times[] = {3 * ms, 7 * ms};
    ib_Tape *tape = NULL;
    ib_Error error;
    assert_int_equal(ib_tape_create_at(times, 2, 1, &arena, &tape, &error), IB_OK);
    drive(tape, 20 * ms);
    assert_int_equal(tape->count, 2);
    assert_true(tape->times[0] == 3 * ms && tape->times[1] == 7 * ms);
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_is_there_once),
        cmocka_unit_test(long_runs_are_thinned_evenly),
        cmocka_unit_test(chosen_times_are_all_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
