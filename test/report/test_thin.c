// Claims about src/report/plot/thin.c.
#include "cmocka_all.h"
#include "report/plot/thin.h"

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

// How far point `i` is from the line between the picks around it, in units of y.
static double distance(int count, int i)
{
    int k = 0;
    while (k < count && picks[k] < i) k++;
    if (picks[k] == i) return 0;
    int a = picks[k - 1], b = picks[k];
    return fabs(y[a] + (y[b] - y[a]) * (x[i] - x[a]) / (x[b] - x[a]) - y[i]);
}

// Goal: lines lose only what lies on their way. Method: a wave with a straight part, two jumps in
// one instant and a peak; each of its points must be as near to what is drawn as was asked for
// (1e-9 of it more for rounding), the peak and both ends of the jumps must be there, and of the
// straight part nothing but its ends.
static void lines_keep_their_distance(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    const double tolerance = 1e-3;
    for (int i = 0; i < COUNT; i++) {
        x[i] = i;
        y[i] = i < 1000 ? sin(0.02 * i) : 0.25 * (i - 1000);
        if (i > 2000) y[i] = 300;
    }
    y[500] = 7;
    x[2001] = x[2000];
    ib_ThinData data = {x, y, COUNT, false, false};
    int all = ib_thin(&data, LIMIT, picks);
    assert_int_equal(all, COUNT);
    int count = ib_thin_lines(&data, tolerance, picks, all);
    assert_true(count < COUNT / 5);
    for (int i = 0; i < COUNT; i++) assert_true(distance(count, i) <= tolerance * (1 + 1e-9));
    const int kept[] = {0, 499, 500, 501, 2000, 2001, COUNT - 1};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) assert_true(picked(count, kept[i]));
    for (int i = 1002; i < 2000; i++) assert_false(picked(count, i));
}

// Goal: a line that turns back, and one with gaps, stay what they are. Method: x to and fro, so
// that no point is on the way of two that x orders; then a gap in a straight line, whose four ends
// must stay.
static void lines_that_turn_or_break_stay(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) x[i] = i % 2, y[i] = 0;
    ib_ThinData data = {x, y, 20, false, false};
    assert_int_equal(ib_thin_lines(&data, 1, picks, ib_thin(&data, LIMIT, picks)), 20);

    for (int i = 0; i < 20; i++) x[i] = i, y[i] = i == 9 ? (double)NAN : 2.0 * i;
    const int expected[] = {0, 8, IB_THIN_GAP, 10, 19};
    assert_int_equal(ib_thin_lines(&data, 0.1, picks, ib_thin(&data, LIMIT, picks)), 5);
    for (int i = 0; i < 5; i++) assert_int_equal(picks[i], expected[i]);
}

// Goal: on logarithmic axes straight is what looks straight. Method: y = x^2 is a straight line
// there, y = x + 10 is none; both the other way round on plain axes, but for the ends of the first.
static void lines_are_straight_on_their_axes(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++) x[i] = 1 + i, y[i] = x[i] * x[i];
    ib_ThinData data = {x, y, 100, true, true};
    assert_int_equal(ib_thin_lines(&data, 1e-9, picks, ib_thin(&data, LIMIT, picks)), 2);
    data.log_x = data.log_y = false;
    assert_int_equal(ib_thin_lines(&data, 1e-9, picks, ib_thin(&data, LIMIT, picks)), 100);
    for (int i = 0; i < 100; i++) y[i] = x[i] + 10;
    assert_int_equal(ib_thin_lines(&data, 1e-9, picks, ib_thin(&data, LIMIT, picks)), 2);
    data.log_x = data.log_y = true;
    assert_int_equal(ib_thin_lines(&data, 1e-9, picks, ib_thin(&data, LIMIT, picks)), 100);
}

// Goal: held values lose only samples that change nothing. Method: three levels, one for a single
// sample; the first sample of each and the last of all stay, and those at both sides of a gap.
static void steps_keep_their_changes(void **state)
{
    (void)state;
    for (int i = 0; i < 30; i++) x[i] = i, y[i] = i < 10 ? 1 : i == 10 ? 5 : 2;
    ib_ThinData data = {x, y, 30, false, false};
    const int expected[] = {0, 10, 11, 29};
    assert_int_equal(ib_thin_steps(&data, 0, picks, ib_thin(&data, LIMIT, picks)), 4);
    for (int i = 0; i < 4; i++) assert_int_equal(picks[i], expected[i]);

    y[20] = NAN;
    const int parted[] = {0, 10, 11, 19, IB_THIN_GAP, 21, 29};
    assert_int_equal(ib_thin_steps(&data, 0, picks, ib_thin(&data, LIMIT, picks)), 7);
    for (int i = 0; i < 7; i++) assert_int_equal(picks[i], parted[i]);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_peaks_survive),
        cmocka_unit_test(steps_keep_both_sides),
        cmocka_unit_test(values_not_finite_are_gaps),
        cmocka_unit_test(log_axis_keeps_the_left_decades),
        cmocka_unit_test(log_axis_leaves_out_what_is_not_positive),
        cmocka_unit_test(lines_keep_their_distance),
        cmocka_unit_test(lines_that_turn_or_break_stay),
        cmocka_unit_test(lines_are_straight_on_their_axes),
        cmocka_unit_test(steps_keep_their_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
