// Numbers as written, against the C library, whose strtod rounds correctly.
#include "base/number.h"
#include "cmocka_all.h"
#include "spread.h"

#include <stdio.h>
#include <stdlib.h>

// Goal: a number is the double nearest to its text, by the quick way and by the long one. Method: 1
// to 19 digits at random with a point somewhere among them and exponents from -40 to 40, on either
// side of 15 digits and of 10^22, where the quick way ends.
static void numbers_are_the_nearest_double(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 200000; i++) {
        char digits[32], text[64];
        int count = 1 + (int)(chance_bits(2, 0, i) % 19);
        int point = (int)(chance_bits(2, 1, i) % (uint64_t)(count + 1));
        int power = (int)(chance_bits(2, 2, i) % 81) - 40;
        snprintf(digits, sizeof digits, "%019llu",
                 (unsigned long long)(chance_bits(2, 3, i) % 10000000000000000000u));
        snprintf(text, sizeof text, "%s%.*s.%.*se%d", i % 2 ? "-" : "", point, digits,
                 count - point, digits + point, power);
        double value, wanted = strtod(text, NULL);
        ib_Error error;
        assert_int_equal(ib_number_read(text, &value, &error), IB_OK);
        if (value != wanted) fail_msg("'%s' is read as %a, expected %a", text, value, wanted);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_the_nearest_double),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
