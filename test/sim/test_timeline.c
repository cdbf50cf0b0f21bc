// Inputs written as knots over time.
#include "cmocka_all.h"
#include "sim/input/timeline.h"

static const ib_Time times[] = {100, 200, 400};
static const double values[] = {1, 3, -1};

// Goal: a step timeline is neutral before its first knot, then holds.
// Method: every kind of instant.
static void steps_hold_until_the_next_knot(void **unused)
{
    (void)unused;
    ib_Timeline line = {3, times, values, false};
    double value, slope;
    assert_int_equal(ib_timeline_read(&line, 0, 7, &value, &slope), 100);
    assert_close(value, 7, 0);
    assert_int_equal(ib_timeline_read(&line, 100, 7, &value, &slope), 200);
    assert_close(value, 1, 0);
    assert_int_equal(ib_timeline_read(&line, 399, 7, &value, &slope), 400);
    assert_close(value, 3, 0);
    assert_true(ib_timeline_read(&line, 4000, 7, &value, &slope) == IB_TIME_NEVER);
    assert_close(value, -1, 0);
    assert_close(slope, 0, 0);
}

// Goal: a linear timeline joins its knots and keeps its ends.
// Method: the middle of each part, by hand.
static void lines_join_knots_and_keep_their_ends(void **unused)
{
    (void)unused;
    ib_Timeline line = {3, times, values, true};
    double value, slope;
    assert_int_equal(ib_timeline_read(&line, 0, 7, &value, &slope), 100);
    assert_close(value, 1, 0);
    assert_close(slope, 0, 0);
    assert_int_equal(ib_timeline_read(&line, 150, 7, &value, &slope), 200);
    assert_close(value, 2, 1e-15);
    assert_close(slope, 2 / 100e-9, 1e-7);
    assert_int_equal(ib_timeline_read(&line, 300, 7, &value, &slope), 400);
    assert_close(value, 1, 1e-15);
    assert_true(ib_timeline_read(&line, 400, 7, &value, &slope) == IB_TIME_NEVER);
    assert_close(value, -1, 0);
    assert_close(slope, 0, 0);
}

// Goal: an empty timeline leaves the input alone. Method: sentinel values.
static void empty_timelines_say_nothing(void **unused)
{
    (void)unused;
    ib_Timeline line = {0};
    double value = 5, slope = 6;
    assert_true(ib_timeline_read(&line, 10, 7, &value, &slope) == IB_TIME_NEVER);
    assert_close(value, 5, 0);
    assert_close(slope, 6, 0);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_hold_until_the_next_knot),
        cmocka_unit_test(lines_join_knots_and_keep_their_ends),
        cmocka_unit_test(empty_timelines_say_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
