// Tests of the lateness statistics: shares, mean, largest, overruns.
#include "cmocka_all.h"
#include "sim/pace.h"

// Goal: shares are right to the width of a bucket (a fourth of an octave, 19 %). Method: 1000
// steps, of which 989 are 10 us late, 10 are 1 ms late and one is 100 ms late.
static void shares_are_right_to_a_bucket(void **state)
{
    (void)state;
    ib_Pace pace = {0};
    for (int i = 0; i < 1000; i++) {
        int64_t late = i < 989 ? 10000 : i < 999 ? 1000000 : 100000000;
        ib_pace_add(&pace, 5 * IB_SECOND, 5 * IB_SECOND + late, 1000000);
    }
    assert_in_range((int)(1e9 * ib_pace_percentile(&pace, 0.5)), 10000, 11900);
    assert_in_range((int)(1e9 * ib_pace_percentile(&pace, 0.99)), 1000000, 1190000);
    assert_in_range((int)(1e9 * ib_pace_percentile(&pace, 0.999)), 1000000, 1190000);
    assert_close(ib_pace_percentile(&pace, 1), 0.1, 0); // never beyond the largest
    assert_close(ib_pace_max(&pace), 0.1, 0);
    // (989 * 10 us + 10 * 1 ms + 100 ms)/1000
    assert_close(ib_pace_mean(&pace), 119.89e-6, 1e-12);
}

// Goal: a step is overrun when it is more than a step late; one that is early is not late at all.
// Method: around the edge.
static void a_whole_step_late_is_an_overrun(void **state)
{
    (void)state;
    ib_Pace pace = {0};
    ib_pace_add(&pace, 1000, 0, 100);
    ib_pace_add(&pace, 1000, 1100, 100);
    assert_true(pace.overruns == 0);
    ib_pace_add(&pace, 1000, 1101, 100);
    assert_true(pace.overruns == 1);
    assert_true(pace.steps == 3 && pace.max == 101);
}

// Goal: before the first step there is no lateness. Method: an empty one.
static void nothing_is_late_before_the_first_step(void **state)
{
    (void)state;
    ib_Pace pace = {0};
    assert_close(ib_pace_percentile(&pace, 0.99), 0, 0);
    assert_close(ib_pace_mean(&pace), 0, 0);
    assert_close(ib_pace_max(&pace), 0, 0);
}

// Goal: a sleep does not end early. Method: 20 sleeps of 1 ms by the same clock.
static void a_sleep_does_not_end_early(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        int64_t until = ib_wall_now() + IB_SECOND / 1000;
        ib_wall_sleep(until);
        assert_true(ib_wall_now() >= until);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_right_to_a_bucket),
        cmocka_unit_test(a_whole_step_late_is_an_overrun),
        cmocka_unit_test(nothing_is_late_before_the_first_step),
        cmocka_unit_test(a_sleep_does_not_end_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
