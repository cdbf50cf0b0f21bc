// Tests of base/ordinary.h.
#include "base/ordinary.h"

#include "base/flush_to_zero.h"
#include "cmocka_all.h"

#include <float.h>
#include <math.h>

// The plain twin.
static bool is_ordinary(double x, double most)
{
    return x == 0 || (fabs(x) >= IB_FLUSH_LIMIT && fabs(x) <= most);
}

// Goal: one odd number among any others is seen at every place, and ordinary ones pass. Method: the
// plain twin, on numbers beside every limit, in rows of 1 to 9.
static void one_odd_number_is_seen(void **state)
{
    (void)state;
    static const double values[] = {0,
                                    IB_FLUSH_LIMIT,
                                    0.999999 * IB_FLUSH_LIMIT,
                                    DBL_MIN,
                                    4.9e-324,
                                    1,
                                    1e150,
                                    1.0000001e150,
                                    DBL_MAX,
                                    INFINITY,
                                    NAN};
    static const double limits[] = {1e150, DBL_MAX};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        for (int sign = -1; sign < 2; sign += 2)
            for (int count = 1; count < 10; count++)
                for (int at = 0; at < count; at++)
                    for (int k = 0; k < 2; k++) {
                        double row[9] = {1, -2, 0, 1e-59, 3, -0.0, 1e149, 5, -1e-30};
                        row[at] = sign * values[i];
                        assert_int_equal(ib_are_ordinary(row, count, limits[k]),
                                         is_ordinary(row[at], limits[k]));
                    }
    assert_true(ib_are_ordinary(NULL, 0, 1));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_odd_number_is_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
