// test/base/test_extreme.c: the larger and the smaller of two numbers.
#include "cmocka_all.h"

#include "base/extreme.h"
#include "base/maths.h"

static void assert_bits(double got, double expected)
{
    assert_true(ib__bits(got) == ib__bits(expected));
}

// Goal: what C says of fmax and fmin. Method: all pairs of awkward numbers that are not both zero,
// where C leaves no choice; a NaN gives way to a number.
static void extremes_are_those_of_c(void **state)
{
    (void)state;
    static const double numbers[] = {0.0, 1.5, -1.5, 1e-310, -1e300, INFINITY, -INFINITY, NAN};
    enum { COUNT = sizeof numbers / sizeof numbers[0] };
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < COUNT; k++) {
            double a = numbers[i], b = numbers[k];
            assert_bits(ib_max(a, b), fmax(a, b));
            assert_bits(ib_min(a, b), fmin(a, b));
        }
    }
}

// Goal: of two zeros the second, on every machine. Method: -0 and 0 in both orders, hidden from
// the compiler.
static void second_of_two_zeros(void **state)
{
    (void)state;
    volatile double minus = -0.0, plus = 0.0;
    assert_bits(ib_max(minus, plus), 0.0);
    assert_bits(ib_max(plus, minus), -0.0);
    assert_bits(ib_min(minus, plus), 0.0);
    assert_bits(ib_min(plus, minus), -0.0);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extremes_are_those_of_c),
        cmocka_unit_test(second_of_two_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
