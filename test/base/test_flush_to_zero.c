// Claims about base/flush_to_zero.h: what is below the limit is set to zero, and all else stays.
#include "cmocka_all.h"

#include "base/flush_to_zero.h"
#include "base/maths.h"

#include <float.h>

static void is_bit_for_bit(double got, double expected)
{
    assert_true(ib__bits(got) == ib__bits(expected));
}

// Goal: below the floor there is a zero of the number's sign, from the floor on the number itself;
// infinities and NaN stay. Method: both sides of the floor, the smallest and the largest numbers.
static void nothing_is_zero_and_all_else_stays(void **state)
{
    (void)state;
    const double small[] = {0, 4.9406564584124654e-324, DBL_MIN, 1e-100,
                            nextafter(IB_FLUSH_LIMIT, 0)};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        is_bit_for_bit(ib_flushed(small[i]), 0.0);
        is_bit_for_bit(ib_flushed(-small[i]), -0.0);
    }
    const double other[] = {IB_FLUSH_LIMIT, nextafter(IB_FLUSH_LIMIT, 1), 1e-30, 1, DBL_MAX,
                            INFINITY};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        is_bit_for_bit(ib_flushed(other[i]), other[i]);
        is_bit_for_bit(ib_flushed(-other[i]), -other[i]);
    }
    assert_true(isnan(ib_flushed(NAN)));
}

// Goal: of a whole state as of each of it, for every length, and nothing behind it.
// Method: lengths to 9 of numbers on both sides of the floor, with NaN among them.
static void a_state_is_kept_as_each_of_its_numbers(void **state)
{
    (void)state;
    const double numbers[10] = {1e-61, -2, -1e-300, NAN, 1e-60, -0.0, 3e-320, -1e-59, 7, 1e-99};
    for (int count = 0; count <= 9; count++) {
        double x[10];
        for (int i = 0; i < 10; i++) x[i] = numbers[i];
        ib_flush(x, count);
        for (int i = 0; i < count; i++) is_bit_for_bit(x[i], ib_flushed(numbers[i]));
        for (int i = count; i < 10; i++) is_bit_for_bit(x[i], numbers[i]);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_zero_and_all_else_stays),
        cmocka_unit_test(a_state_is_kept_as_each_of_its_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
