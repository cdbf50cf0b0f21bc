// Tests of balancing: units that differ by 2^40.
#include "cmocka_all.h"
#include "linear/balance.h"

#include <math.h>

// Goal: balancing undoes a bad choice of units. Method: a plant of ones in units that differ by
// 2^40 comes back with rows and columns within a factor of 4, and D^-1 A D exactly.
static void balancing_finds_units_of_like_size(void **state)
{
    (void)state;
    const double unit[4] = {0x1p-20, 1, 0x1p20, 0x1p5};
    double A[16], B[4], C[4], was[16], scale[4];
    for (int i = 0; i < 16; i++) A[i] = was[i] = (1 + i % 3) * unit[i / 4] / unit[i % 4];
    for (int i = 0; i < 4; i++) B[i] = unit[i], C[i] = 1 / unit[i];
    ib_balance(4, 1, 1, A, B, C, scale);
    for (int i = 0; i < 16; i++) assert_true(A[i] == was[i] * scale[i % 4] / scale[i / 4]);
    for (int i = 0; i < 4; i++) {
        double row = fabs(B[i]), column = fabs(C[i]);
        for (int j = 0; j < 4; j++) row += A[i * 4 + j], column += A[j * 4 + i];
        assert_in_range((unsigned)(4 * row / column), 1, 16);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balancing_finds_units_of_like_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
