// Claims about src/report/thin.c.
#include "cmocka_all.h"
#include "report/thin.h"

#include <math.h>

enum { N = 100000, LIMIT = 4000 };
static double x[N], y[N];
static int picks[2 * LIMIT];

static bool picked(int count, int index)
{
    for (int i = 0; i < count; i++)
        if (picks[i] == index) return true;
    return false;
}

// Goal: a peak of one sample survives. Method: 100 000 points of a slow wave with one spike up and
// one down; both, the first and the last point must be among at most 4000, in order.
static void single_peaks_survive(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++) {
        x[i] = i;
        y[i] = (i % 1000) * 0.001;
    }
    y[34567] = 50;
    y[71234] = -50;
    ib_ThinData data = {x, y, N, false, false};
    int count = ib_thin(&data, LIMIT, picks);
    assert_true(count <= LIMIT && count > LIMIT / 4);
    assert_true(picked(count, 34567) && picked(count, 71234));
    assert_int_equal(picks[0], 0);
    assert_int_equal(picks[count - 1], N - 1);
    for (int i = 1; i < count; i++) assert_true(picks[i] > picks[i - 1]);
}

// Goal: the edge of a step stays upright. Method: a step down and a step up; the samples on both
// sides of each must be kept.
static void steps_keep_both_sides(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++) {
        x[i] = i;
        y[i] = i < 24017 || i >= 80011 ? 2.7 : 1.4;
    }
    ib_ThinData data = {x, y, N, false, false};
    int count = ib_thin(&data, LIMIT, picks);
    assert_true(picked(count, 24016) && picked(count, 24017));
    assert_true(picked(count, 80010) && picked(count, 80011));
}

// Goal: a value that is not finite breaks the line, in long and in short series, and nothing else
// does. Method: one NaN; exactly one gap must lie between its neighbours.
static void values_not_finite_are_gaps(void **state)
{
    (void)state;
    const int counts[] = {N, 50};
    for (int c = 0; c < 2; c++) {
        for (int i = 0; i < counts[c]; i++) {
            x[i] = i;
            y[i] = i % 7;
        }
        int bad = counts[c] / 2;
        y[bad] = c ? NAN : INFINITY;
        ib_ThinData data = {x, y, counts[c], false, false};
        int count = ib_thin(&data, LIMIT, picks), gaps = 0;
        for (int i = 0; i < count; i++) {
            if (picks[i] != IB_THIN_GAP) continue;
            gaps++;
            assert_true(picks[i - 1] < bad && picks[i + 1] > bad);
        }
        assert_int_equal(gaps, 1);
    }
}

// Goal: on a logarithmic x axis the left decades keep their points. Method: x = 1 .. 100 000; at
// least 90 of the first 100 points must be drawn (with even buckets it would be about 8).
static void log_axis_keeps_the_left_decades(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++) {
        x[i] = i + 1;
        y[i] = i % 13;
    }
    ib_ThinData data = {x, y, N, true, false};
    int count = ib_thin(&data, LIMIT, picks), left = 0;
    for (int i = 0; i < count; i++) left += picks[i] >= 0 && picks[i] < 100;
    assert_true(left >= 90 && count <= LIMIT);
}

// Goal: what a logarithmic axis cannot show is left out. Method: zeros and negative values among
// positive ones; none is picked.
static void log_axis_leaves_out_what_is_not_positive(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++) {
        x[i] = i;
        y[i] = i % 3 - 1;
    }
    ib_ThinData data = {x, y, 100, true, true};
    int count = ib_thin(&data, LIMIT, picks);
    assert_true(count > 0);
    for (int i = 0; i < count; i++)
        assert_true(picks[i] == IB_THIN_GAP || (x[picks[i]] > 0 && y[picks[i]] > 0));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_peaks_survive),
        cmocka_unit_test(steps_keep_both_sides),
        cmocka_unit_test(values_not_finite_are_gaps),
        cmocka_unit_test(log_axis_keeps_the_left_decades),
        cmocka_unit_test(log_axis_leaves_out_what_is_not_positive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
