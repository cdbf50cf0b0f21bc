// 17 digits of a double, against the C library, which is exact.
#include "base/number.h"
#include "cmocka_all.h"
#include "spread.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

static void compare(double value)
{
    char own[IB_NUMBER_17 + 1], wanted[64];
    int length = ib_number_format_17(value, own);
    own[length] = '\0';
    snprintf(wanted, sizeof wanted, "%.17g", value);
    if (strcmp(own, wanted) != 0) fail_msg("%a: '%s', expected '%s'", value, own, wanted);
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Goal: every number is written as printf writes it. Method: bits at random, whatever they are, and
// numbers of usual size, of few and of many digits.
static void random_numbers_are_as_printf_has_them(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 300000; i++) {
        double any = double_of(chance_bits(1, 0, i));
        double u = 2 * chance_uniform(1, 1, i) - 1, scale = 1;
        int power = (int)(chance_bits(1, 2, i) % 60) - 40;
        for (int k = 0; k < power; k++) scale *= 10;
        for (int k = 0; k > power; k--) scale /= 10;
        if (isfinite(any)) compare(any);
        compare(u * scale);
        compare(rint(u * 1000) * scale);
        compare(rint(u * 1e6) / 1e3);
        compare(rint(u * 1e6) / 1024); // ends in fives: ties
    }
}

// Goal: the edges, where digits are carried, zeros go and forms change. Method: powers of ten and
// of two with their neighbours, zeros, whole numbers, the smallest and the largest.
static void edges_are_as_printf_has_them(void **state)
{
    (void)state;
    static const double some[] = {0.0,     -0.0,    1,      -1,     0.1,       1e-4,  9.9999e-5,
                                  DBL_MAX, DBL_MIN, 5e-324, 1e16,   1e17,      1e-38, 1e-39,
                                  1e22,    1e23,    100000, 123456, 0.5,       0.25,  1.0 / 3,
                                  1e15,    12345e5, 1e-5,   1.5e-5, -2.5e-310, 9.5,   1e2};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) compare(some[i]);
    double ten = 1e-45, two = 0x1p-140;
    for (int i = 0; i < 70; i++, ten *= 10) {
        compare(ten);
        compare(nextafter(ten, 0));
        compare(nextafter(ten, INFINITY));
    }
    for (int i = 0; i < 220; i++, two *= 2) {
        compare(two);
        compare(nextafter(two, 0));
        compare(-nextafter(two, INFINITY));
    }
    char text[IB_NUMBER_17];
    assert_int_equal(ib_number_format_17((double)NAN, text), 0);
    assert_int_equal(ib_number_format_17(-(double)INFINITY, text), 0);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        ib_plain_test(random_numbers_are_as_printf_has_them),
        cmocka_unit_test(edges_are_as_printf_has_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
