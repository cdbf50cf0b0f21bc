// test/base/test_two.c: the lanes of an ib__Two are plain doubles.
#include "cmocka_all.h"

#include "base/two.h"

static void assert_bits(double got, double expected)
{
    assert_true(ib__bits(got) == ib__bits(expected));
}

// Goal: each lane has the bits of the plain operation. Method: + - * / and the root of awkward
// numbers, in both lanes, the other lane another number.
static void lanes_have_the_bits_of_doubles(void **state)
{
    (void)state;
    static const double numbers[] = {0.1, 3, 1e-310, 1e300, 0.7, 2e-8, 123456.789};
    enum { COUNT = sizeof numbers / sizeof numbers[0] };
    for (int i = 0; i < COUNT; i++) {
        double a = numbers[i], b = numbers[(i + 1) % COUNT], c = numbers[(i + 3) % COUNT];
        ib__Two v = ib__two(a, b), w = ib__two(c, a);
        assert_bits(ib__first(v + w), a + c);
        assert_bits(ib__second(v - w), b - a);
        assert_bits(ib__first(v * w), a * c);
        assert_bits(ib__second(v / w), b / a);
        assert_bits(ib__second(0.3 * v), 0.3 * b);
        assert_bits(ib__first(ib__two_sqrt(v)), sqrt(a));
        assert_bits(ib__two_sum(v), a + b);
    }
}

// Goal: only what is positive stays. Method: both signs, zero and NaN.
static void positive_keeps_what_is_positive(void **state)
{
    (void)state;
    ib__Two v = ib__two_positive(ib__two(2.5, -1)), w = ib__two_positive(ib__two(NAN, 0));
    assert_bits(ib__first(v), 2.5);
    assert_bits(ib__second(v), 0);
    assert_bits(ib__first(w), 0);
    assert_bits(ib__second(w), 0);
}

// Goal: 2^-k. Method: every k up to 60 against ldexp; from 61 on, 0.
static void halvings_are_powers_of_a_half(void **state)
{
    (void)state;
    for (int k = 0; k <= 60; k++) {
        ib__Two v = ib__two_halvings(ib__two(IB__ROUND_MAGIC + k, IB__ROUND_MAGIC + 61 + k));
        assert_bits(ib__first(v), ldexp(1, -k));
        assert_bits(ib__second(v), 0);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_have_the_bits_of_doubles),
        cmocka_unit_test(positive_keeps_what_is_positive),
        cmocka_unit_test(halvings_are_powers_of_a_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
