// Claims about src/report/statistics.c.
#include "cmocka_all.h"
#include "report/statistics.h"

#include <math.h>

// Goal: quartiles, whiskers, mean and deviation of a small sample. Method: by hand, for
// 1 2 3 4 5 6 7 8 30: position p * 8 falls on the 3rd, 5th and 7th value; 7 + 1.5 * 4 = 13 leaves
// 30 outside; mean 66/9; squares sum to 1104, so deviation^2 = (1104 - 66^2/9)/8 = 77.5.
static void five_numbers_of_nine_values(void **state)
{
    (void)state;
    const double values[] = {8, 30, 1, 3, NAN, 2, 4, 7, INFINITY, 5, 6};
    ib_Arena arena = {0};
    ib_Statistics s;
    assert_true(ib_statistics(values, 11, &arena, &s));
    assert_int_equal(s.count, 9);
    assert_true(s.min == 1 && s.max == 30);
    assert_true(s.q1 == 3 && s.median == 5 && s.q3 == 7);
    assert_true(s.low == 1 && s.high == 8);
    assert_close(s.mean, 66.0 / 9, 1e-14);
    assert_close(s.deviation, sqrt(77.5), 1e-13);
    ib_arena_reset(&arena);
}

// Goal: quartiles between values lie on the straight line. Method: by hand for 1 2 4 8: positions
// 0.75, 1.5 and 2.25.
static void quartiles_between_values_are_interpolated(void **state)
{
    (void)state;
    const double values[] = {8, 1, 4, 2};
    ib_Arena arena = {0};
    ib_Statistics s;
    assert_true(ib_statistics(values, 4, &arena, &s));
    assert_close(s.q1, 1.75, 1e-15);
    assert_close(s.median, 3, 1e-15);
    assert_close(s.q3, 5, 1e-15);
    ib_arena_reset(&arena);
}

// Goal: values fall into the right bins, the largest into the last. Method: by hand, 4 bins of
// width 2 from 0 to 8; 2 and 4 sit on edges and belong to the bin that begins there.
static void histogram_counts_by_hand(void **state)
{
    (void)state;
    const double values[] = {0, 1, 1.9, 2, 3, 4, 4, 5.5, 7, 8};
    const int expected[] = {3, 2, 3, 2};
    ib_Arena arena = {0};
    ib_Statistics s;
    assert_true(ib_statistics(values, 10, &arena, &s));
    ib_Histogram h = ib_histogram_with(&s, 4);
    assert_int_equal(h.bins, 4);
    assert_true(h.low == 0 && h.width == 2);
    for (int i = 0; i < 4; i++) assert_int_equal(h.counts[i], expected[i]);
    ib_arena_reset(&arena);
}

// Goal: the chosen bins hold every value once, whatever the values are. Method: constants, a far
// outlier, sizes near 0 and whose difference is nearly too large, and neighbours among the doubles;
// counts must add up.
static void every_value_is_counted_once(void **state)
{
    (void)state;
    enum { CASES = 7 };
    double cases[CASES][50];
    for (int i = 0; i < 50; i++) {
        cases[0][i] = 2.5;
        cases[1][i] = i == 0 ? 1e12 : i;
        cases[2][i] = 1e-300 * i;
        cases[3][i] = i < 40 ? 0 : i;
        cases[4][i] = i % 2 ? 1e100 : -1e100;
        cases[5][i] = i % 2 ? 4.9e-324 : 0;
        cases[6][i] = i % 2 ? 1 : 1 + 2.3e-16;
    }
    for (int c = 0; c < CASES; c++) {
        ib_Arena arena = {0};
        ib_Statistics s;
        assert_true(ib_statistics(cases[c], 50, &arena, &s));
        ib_Histogram h = ib_histogram(&s);
        int sum = 0;
        for (int i = 0; i < h.bins; i++) sum += h.counts[i];
        assert_int_equal(sum, 50);
        assert_true(h.bins >= 1 && h.bins <= IB_HISTOGRAM_MAX && h.width > 0);
        assert_true(h.low <= s.min && h.low + h.bins * h.width >= s.max * (1 - 1e-12));
        ib_arena_reset(&arena);
    }
}

// Goal: nothing in, nothing out. Method: no value that can be drawn: the span of the large ones is
// no number, nor is their sum; the counts are zero, the rest NaN.
static void no_finite_values_are_no_statistics(void **state)
{
    (void)state;
    const double values[] = {NAN, -INFINITY, 1e308, -1e308, 1.797e308};
    ib_Arena arena = {0};
    ib_Statistics s;
    assert_true(ib_statistics(values, 5, &arena, &s));
    assert_int_equal(s.count, 0);
    assert_true(isnan(s.median) && isnan(s.low));
    assert_int_equal(ib_histogram(&s).bins, 0);
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_numbers_of_nine_values),
        cmocka_unit_test(quartiles_between_values_are_interpolated),
        cmocka_unit_test(histogram_counts_by_hand),
        cmocka_unit_test(every_value_is_counted_once),
        cmocka_unit_test(no_finite_values_are_no_statistics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
