// test/base/test_quick.c: base/quick.h against base/maths.h, which is within 0.76 ulp of the truth.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3") // tests are compiled with -O1, which has no lanes
#endif

#include "base/quick.h"

#include "cmocka_all.h"

#include <math.h>

enum { GRID = 200000 };

// The distance of `got` from `expected` in ulp of the latter.
static double error_ulp(double got, double expected)
{
    double ulp =
        expected == 0 ? DBL_TRUE_MIN : nextafter(fabs(expected), INFINITY) - fabs(expected);
    return got == got ? fabs(got - expected) / ulp : INFINITY;
}

// The worst error on a grid from a to b, whose ends belong to it.
static double worst(double (*quick)(double), double (*exact)(double), double a, double b)
{
    double most = 0;
    for (int i = 0; i <= GRID; i++) {
        double x = a + (b - a) * i / GRID;
        most = fmax(most, error_ulp(quick(x), exact(x)));
    }
    print_message("  worst error %.2f ulp\n", most);
    return most;
}

static double quick_exp(double x)
{
    return ib_quick_exp(x);
}

static double quick_log(double x)
{
    return ib_quick_log(x);
}

static double quick_tanh(double x)
{
    return ib_quick_tanh(x);
}

static double quick_root(double r)
{
    return ib_quick_seventh_root(r);
}

static double exact_root(double r)
{
    return ib_pow(r, 1.0 / 7);
}

// Goal: exp is within 1 ulp and stops at its ends. Method: base/maths.h on dense grids; with what
// that itself may err the difference of two doubles is 1 ulp at most where both are within 1.
static void exp_is_near_the_exact_one(void **state)
{
    (void)state;
    assert_true(worst(quick_exp, ib_exp, -708, 709) <= 1);
    assert_true(worst(quick_exp, ib_exp, -2, 2) <= 1);
    assert_true(worst(quick_exp, ib_exp, -1e-3, 1e-3) <= 1);
    assert_true(ib_quick_exp(0) == 1);
    assert_true(ib_quick_exp(-0.0) == 1);
    assert_true(ib_quick_exp(-1e300) == ib_quick_exp(-708));
    assert_true(ib_quick_exp(-INFINITY) == ib_quick_exp(-708));
    assert_true(ib_quick_exp(INFINITY) == ib_quick_exp(709));
    assert_true(isnan(ib_quick_exp(NAN)));
}

// Goal: log is within 1 ulp, also where it passes 0. Method: as above; every power of two, whose
// logarithm is k ln 2.
static void log_is_near_the_exact_one(void **state)
{
    (void)state;
    assert_true(worst(quick_log, ib_log, 0.01, 10) <= 1);
    assert_true(worst(quick_log, ib_log, 0.999, 1.001) <= 1);
    assert_true(worst(quick_log, ib_log, 1e-300, 1e-290) <= 1);
    assert_true(worst(quick_log, ib_log, 1e290, 1e300) <= 1);
    for (int k = -1022; k <= 1023; k++)
        assert_true(error_ulp(ib_quick_log(ldexp(1, k)), ib_log(ldexp(1, k))) <= 1);
    assert_true(ib_quick_log(1) == 0);
    assert_true(error_ulp(ib_quick_log(DBL_MIN), ib_log(DBL_MIN)) <= 1);
    assert_true(error_ulp(ib_quick_log(DBL_MAX), ib_log(DBL_MAX)) <= 1);
    assert_true(isnan(ib_quick_log(NAN)));
}

// Goal: tanh is within 3 ulp everywhere, odd to the bit and 1 far out. Method: as above, near 0
// over all exponents: e^(2x) - 1 rounds twice, the quotient and its sum once each.
static void tanh_is_near_the_exact_one(void **state)
{
    (void)state;
    assert_true(worst(quick_tanh, ib_tanh, -22, 22) <= 3);
    assert_true(worst(quick_tanh, ib_tanh, -1, 1) <= 3);
    assert_true(worst(quick_tanh, ib_tanh, 0, 1e-8) <= 3);
    for (double x = 0x1p-1022; x < 1; x *= 1.37) {
        assert_true(error_ulp(ib_quick_tanh(x), ib_tanh(x)) <= 3);
        assert_true(ib_quick_tanh(-x) == -ib_quick_tanh(x));
    }
    assert_true(signbit(ib_quick_tanh(-0.0)) && ib_quick_tanh(-0.0) == 0);
    assert_true(ib_quick_tanh(20) == 1 && ib_quick_tanh(-1e300) == -1);
    assert_true(ib_quick_tanh(INFINITY) == 1 && ib_quick_tanh(-INFINITY) == -1);
    assert_true(isnan(ib_quick_tanh(NAN)));
}

// Goal: a power is as near as the logarithm in it allows: 2 + 1.5 |p ln x| ulp (the logarithm's
// error and that of the product count |p ln x| times). Method: base/maths.h on a grid of both.
static void power_is_near_the_exact_one(void **state)
{
    (void)state;
    for (int i = 1; i <= 2000; i++) {
        for (int j = 1; j <= 40; j++) {
            double x = ib_exp((i - 1000) * 0.03), p = j * 0.1, exponent = p * ib_log(x);
            double bound = 2 + 1.5 * fabs(exponent);
            assert_true(error_ulp(ib_quick_power(x, p), ib_pow(x, p)) <= bound);
        }
    }
    assert_true(ib_quick_power(0, 0.5) == 0 && ib_quick_power(0, 3) == 0);
    assert_true(ib_quick_power(0x1p-1040, 0.5) == 0);
    assert_true(ib_quick_power(1, 0.7) == 1);
    assert_true(isnan(ib_quick_power(NAN, 0.5)));
}

// Goal: the seventh root is within 1.5 ulp, and 1 of 1 exactly. Method: as above, 1/7 rounded.
static void seventh_root_is_near_the_exact_one(void **state)
{
    (void)state;
    assert_true(worst(quick_root, exact_root, 0.5, 1) <= 1.5);
    assert_true(worst(quick_root, exact_root, 0.9999, 1) <= 1.5);
    assert_true(ib_quick_seventh_root(1) == 1);
    // (13/14)^7 has the root 13/14; rounding of the power counts a seventh.
    double s = 13.0 / 14, s7 = s * s * s * s * s * s * s;
    assert_true(fabs(ib_quick_seventh_root(s7) - s) <= 2 * 0x1p-53);
}

// Goal: a lane has the bits of the scalar. Method: a loop over arrays, which gcc vectorises,
// against calls whose argument the compiler cannot see beside others.
static void lanes_have_the_bits_of_the_scalar(void **state)
{
    double x[64], y[5][64];
    (void)state;
    for (int i = 0; i < 64; i++) x[i] = 0.5 + i / 128.0;
    for (int i = 0; i < 64; i++) y[0][i] = ib_quick_exp(x[i]);
    for (int i = 0; i < 64; i++) y[1][i] = ib_quick_log(x[i]);
    for (int i = 0; i < 64; i++) y[2][i] = ib_quick_tanh(x[i]);
    for (int i = 0; i < 64; i++) y[3][i] = ib_quick_power(x[i], 0.7);
    for (int i = 0; i < 64; i++) y[4][i] = ib_quick_seventh_root(x[i]);
    for (int i = 0; i < 64; i++) {
        volatile double alone = x[i];
        assert_true(y[0][i] == ib_quick_exp(alone));
        assert_true(y[1][i] == ib_quick_log(alone));
        assert_true(y[2][i] == ib_quick_tanh(alone));
        assert_true(y[3][i] == ib_quick_power(alone, 0.7));
        assert_true(y[4][i] == ib_quick_seventh_root(alone));
    }
}

// Goal: the decay is the exponential. Method: to the bit, over its range.
static void decay_is_the_exponential(void **state)
{
    (void)state;
    for (int i = 0; i <= 7080; i++) assert_true(ib_quick_decay(0.1 * i) == ib_quick_exp(-0.1 * i));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decay_is_the_exponential),
        cmocka_unit_test(exp_is_near_the_exact_one),
        cmocka_unit_test(log_is_near_the_exact_one),
        cmocka_unit_test(tanh_is_near_the_exact_one),
        cmocka_unit_test(power_is_near_the_exact_one),
        cmocka_unit_test(seventh_root_is_near_the_exact_one),
        cmocka_unit_test(lanes_have_the_bits_of_the_scalar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
