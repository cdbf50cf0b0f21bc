// base/maths.h against true values from mpmath, the special values of C17 Annex F, and identities.
#include "base/maths.h"

#include "cmocka_all.h"

#include "base/maths_table.h"

#include <math.h>
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

// The table's `rest` is rounded to 1/1024 ulp.
#define TABLE_RESOLUTION (0.5 / 1024)

// --------------------------------------------------------------------------------------- measuring

// Doubles numbered in order of size: neighbours differ by 1, both zeros are 0.
static int64_t rank(double x)
{
    uint64_t bits = ib__bits(x);
    int64_t magnitude = (int64_t)(bits & ~IB__SIGN_BIT);
    return bits >> 63 ? -magnitude : magnitude;
}

// The distance of `got` from the true value, in ulp.
static double error_ulp(double got, uint64_t value, int rest)
{
    int64_t steps = rank(got) - rank(ib__from_bits(value));
    double beyond = (value >> 63 ? -rest : rest) / 1024.0;
    return fabs((double)steps - beyond);
}

static double worst_unary(const UnaryCase *cases, size_t count, double (*function)(double))
{
    double worst = 0;
    for (size_t i = 0; i < count; i++) {
        double got = function(ib__from_bits(cases[i].x));
        if (got != got) return INFINITY;
        worst = fmax(worst, error_ulp(got, cases[i].value, cases[i].rest));
    }
    return worst;
}

static double worst_binary(const BinaryCase *cases, size_t count,
                           double (*function)(double, double))
{
    double worst = 0;
    for (size_t i = 0; i < count; i++) {
        double got = function(ib__from_bits(cases[i].a), ib__from_bits(cases[i].b));
        if (got != got) return INFINITY;
        worst = fmax(worst, error_ulp(got, cases[i].value, cases[i].rest));
    }
    return worst;
}

static void assert_within(double worst, double bound)
{
    print_message("  worst error %.3f ulp\n", worst);
    assert_true(worst <= bound + TABLE_RESOLUTION);
    assert_true(worst <= 1.0);
}

// Equal to the bit, so that +0 is not -0 and a NaN is the one NaN.
static void assert_same(double got, double expected)
{
    if (expected != expected) expected = ib__from_bits(IB__NAN_BITS);
    if (ib__bits(got) != ib__bits(expected)) print_error("got %a, expected %a\n", got, expected);
    assert_true(ib__bits(got) == ib__bits(expected));
}

// ---------------------------------------------------------------------------------------- accuracy

// Goal: sin and cos keep the bound of docs/solver/maths.md for every size of argument. Method: true
// values at random arguments, beside multiples of pi/4 and at the worst argument of each exponent.
static void sin_and_cos_are_within_their_bound(void **state)
{
    (void)state;
    double worst = 0;
    for (size_t i = 0; i < COUNT(sincos_cases); i++) {
        const SincosCase *k = &sincos_cases[i];
        double s, c;
        ib_sincos(ib__from_bits(k->x), &s, &c);
        assert_false(s != s || c != c);
        worst = fmax(worst, error_ulp(s, k->sin, k->sin_rest));
        worst = fmax(worst, error_ulp(c, k->cos, k->cos_rest));
    }
    assert_within(worst, 0.90);
}

// Goal: exp keeps its bound. Method: true values, dense where it overflows and is subnormal; there
// the result is rounded twice, which allows 0.75 ulp.
static void exp_is_within_its_bound(void **state)
{
    (void)state;
    assert_within(worst_unary(exp_cases, COUNT(exp_cases), ib_exp), 0.76);
}

// Goal: log keeps its bound. Method: true values over all exponents, near 1, at subnormals and
// where the table changes its row.
static void log_is_within_its_bound(void **state)
{
    (void)state;
    assert_within(worst_unary(log_cases, COUNT(log_cases), ib_log), 0.51);
}

// Goal: tanh keeps its bound. Method: true values over all exponents and around its two limits.
static void tanh_is_within_its_bound(void **state)
{
    (void)state;
    assert_within(worst_unary(tanh_cases, COUNT(tanh_cases), ib_tanh), 0.60);
}

// Goal: atan keeps its bound. Method: true values over all exponents and where the table changes.
static void atan_is_within_its_bound(void **state)
{
    (void)state;
    assert_within(worst_unary(atan_cases, COUNT(atan_cases), ib_atan), 0.51);
}

// Goal: atan2 keeps its bound in all quadrants. Method: true values for arguments of equal and very
// different size, huge, subnormal, and with a subnormal quotient.
static void atan2_is_within_its_bound(void **state)
{
    (void)state;
    assert_within(worst_binary(atan2_cases, COUNT(atan2_cases), ib_atan2), 0.51);
}

// Goal: pow keeps its bound. Method: true values over its whole range of results, dense where it
// overflows and is subnormal (rounded twice: 0.75 ulp), and for bases near 1 with large exponents.
static void pow_is_within_its_bound(void **state)
{
    (void)state;
    assert_within(worst_binary(pow_cases, COUNT(pow_cases), ib_pow), 0.76);
}

// ---------------------------------------------------------------------------------- special values

// Goal: sin, cos and sincos treat zeros, infinities and NaN as C17 F.10.1 says. Method: to the bit.
static void sin_and_cos_have_their_special_values(void **state)
{
    (void)state;
    assert_same(ib_sin(0.0), 0.0);
    assert_same(ib_sin(-0.0), -0.0);
    assert_same(ib_cos(0.0), 1.0);
    assert_same(ib_cos(-0.0), 1.0);
    const double none[] = {INFINITY, -INFINITY, NAN, -NAN};
    for (size_t i = 0; i < COUNT(none); i++) {
        double s, c;
        ib_sincos(none[i], &s, &c);
        assert_same(s, NAN);
        assert_same(c, NAN);
    }
}

// Goal: exp, log and tanh as C17 F.10.3 and F.10.2 say. Method: to the bit.
static void exp_log_and_tanh_have_their_special_values(void **state)
{
    (void)state;
    const double x[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1.0, -1.0};
    const double of_exp[] = {1, 1, INFINITY, 0, NAN};
    const double of_tanh[] = {0.0, -0.0, 1, -1, NAN};
    const double of_log[] = {-INFINITY, -INFINITY, INFINITY, NAN, NAN, 0.0, NAN};
    for (size_t i = 0; i < COUNT(of_exp); i++) assert_same(ib_exp(x[i]), of_exp[i]);
    for (size_t i = 0; i < COUNT(of_tanh); i++) assert_same(ib_tanh(x[i]), of_tanh[i]);
    for (size_t i = 0; i < COUNT(of_log); i++) assert_same(ib_log(x[i]), of_log[i]);
    assert_same(ib_exp(1e308), INFINITY);
    assert_same(ib_exp(-1e308), 0.0);
    assert_same(ib_tanh(-5e-324), -5e-324);
    assert_same(ib_log(-5e-324), NAN);
}

// Goal: atan and atan2 as C17 F.10.1.3 and F.10.1.4 say. Method: to the bit; the nearest doubles to
// multiples of pi/4 are written out.
static void atan_has_its_special_values(void **state)
{
    (void)state;
    const double pi = 0x1.921fb54442d18p1;
    const double three_quarters = 0x1.2d97c7f3321d2p1;
    assert_same(ib_atan(-0.0), -0.0);
    assert_same(ib_atan(INFINITY), pi / 2);
    assert_same(ib_atan(-INFINITY), -pi / 2);
    assert_same(ib_atan(NAN), NAN);
    for (int i = 0; i < 2; i++) { // y above and below
        double sign = i ? -1.0 : 1.0;
        assert_same(ib_atan2(sign * 0.0, 0.0), sign * 0.0);
        assert_same(ib_atan2(sign * 0.0, -0.0), sign * pi);
        assert_same(ib_atan2(sign * 0.0, 5e-324), sign * 0.0);
        assert_same(ib_atan2(sign * 0.0, -5e-324), sign * pi);
        assert_same(ib_atan2(sign * 5e-324, 0.0), sign * pi / 2);
        assert_same(ib_atan2(sign * 5e-324, -0.0), sign * pi / 2);
        assert_same(ib_atan2(sign * 3, INFINITY), sign * 0.0);
        assert_same(ib_atan2(sign * 3, -INFINITY), sign * pi);
        assert_same(ib_atan2(sign * INFINITY, -3), sign * pi / 2);
        assert_same(ib_atan2(sign * INFINITY, INFINITY), sign * pi / 4);
        assert_same(ib_atan2(sign * INFINITY, -INFINITY), sign * three_quarters);
        assert_same(ib_atan2(sign * 5e-324, 1e10), sign * 0.0); // underflow keeps the sign
        assert_same(ib_atan2(sign * 1e308, 1e308), sign * pi / 4);
    }
    assert_same(ib_atan2(NAN, 1), NAN);
    assert_same(ib_atan2(1, NAN), NAN);
}

// Goal: pow as every line of C17 F.10.4.4 says. Method: to the bit.
static void pow_has_its_special_values(void **state)
{
    (void)state;
    static const double cases[][3] = {
        {0.0, -3, INFINITY},
        {-0.0, -3, -INFINITY},
        {0.0, -2, INFINITY},
        {-0.0, -2, INFINITY},
        {-0.0, -2.5, INFINITY},
        {0.0, -INFINITY, INFINITY},
        {-0.0, -INFINITY, INFINITY},
        {0.0, 3, 0.0},
        {-0.0, 3, -0.0},
        {-0.0, 2, 0.0},
        {-0.0, 2.5, 0.0},
        {0.0, INFINITY, 0.0},
        {-1, INFINITY, 1},
        {-1, -INFINITY, 1},
        {1, NAN, 1},
        {1, INFINITY, 1},
        {1, -7.5, 1},
        {NAN, 0.0, 1},
        {NAN, -0.0, 1},
        {0.0, 0.0, 1},
        {INFINITY, -0.0, 1},
        {-2, 0.5, NAN},
        {-5e-324, -0.3, NAN},
        {-DBL_MAX, 1.5, NAN},
        {0.5, -INFINITY, INFINITY},
        {-0.5, -INFINITY, INFINITY},
        {2, -INFINITY, 0.0},
        {-2, -INFINITY, 0.0},
        {0.5, INFINITY, 0.0},
        {-2, INFINITY, INFINITY},
        {-INFINITY, -3, -0.0},
        {-INFINITY, -2, 0.0},
        {-INFINITY, -2.5, 0.0},
        {-INFINITY, 3, -INFINITY},
        {-INFINITY, 2, INFINITY},
        {-INFINITY, 2.5, INFINITY},
        {INFINITY, -1, 0.0},
        {INFINITY, 0.1, INFINITY},
        {NAN, 1, NAN},
        {2, NAN, NAN},
        {-1, 0x1p53, 1},
        {-1, 0x1.fffffffffffffp52, -1},
        {2, 1e308, INFINITY},
        {2, -1e308, 0.0},
        {-2, -1e308, 0.0},
        {2, -1074, 5e-324},
        {-2, -1073, -1e-323},
        {2, 1023, 0x1p1023},
        {3, 5e-324, 1},
        {10, 15, 1e15},
        {-3, 5, -243},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_same(ib_pow(cases[i][0], cases[i][1]), cases[i][2]);
}

// -------------------------------------------------------------------------------------- properties

// Goal: the path for large arguments meets the common one. Method: both reductions of the same
// arguments just below 1e5 give the same r - t; each is good to 2^-105,
// so they may differ by 2^-100.
static void both_angle_reductions_agree(void **state)
{
    (void)state;
    for (int i = 0; i < 5000; i++) {
        double x = (i & 1 ? -1 : 1) * (99000 + 0.137 * i);
        ib__Angle near = ib__angle_near(x), far = ib__angle_far(x);
        assert_true(near.quarter == far.quarter);
        assert_true(fabs((near.r - far.r) - (near.t - far.t)) < 0x1p-100);
    }
}

// Goal: the functions keep the exact symmetries of the true ones. Method: to the bit, over
// arguments of every size.
static void odd_and_even_functions_are_so_exactly(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(atan_cases); i++) {
        double x = ib__from_bits(atan_cases[i].x);
        assert_same(ib_sin(-x), -ib_sin(x));
        assert_same(ib_cos(-x), ib_cos(x));
        assert_same(ib_atan(-x), -ib_atan(x));
        assert_same(ib_tanh(-x), -ib_tanh(x));
        assert_same(ib_pow(x, 1), x);
    }
}

// Goal: this program was compiled as maths.h asks, without fused multiply-add. Method: 1 + 2^-30
// squared, minus its rounded square, is 0 with two roundings and 2^-60 when fused.
static void products_round_before_they_are_added(void **state)
{
    (void)state;
    volatile double source = 1 + 0x1p-30;
    double a = source, square = source * source;
    volatile double keep = square;
    double rest = a * a - keep;
    assert_true(rest == 0);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sin_and_cos_are_within_their_bound),
        cmocka_unit_test(exp_is_within_its_bound),
        cmocka_unit_test(log_is_within_its_bound),
        cmocka_unit_test(tanh_is_within_its_bound),
        cmocka_unit_test(atan_is_within_its_bound),
        cmocka_unit_test(atan2_is_within_its_bound),
        cmocka_unit_test(pow_is_within_its_bound),
        cmocka_unit_test(sin_and_cos_have_their_special_values),
        cmocka_unit_test(exp_log_and_tanh_have_their_special_values),
        cmocka_unit_test(atan_has_its_special_values),
        cmocka_unit_test(pow_has_its_special_values),
        cmocka_unit_test(both_angle_reductions_agree),
        cmocka_unit_test(odd_and_even_functions_are_so_exactly),
        cmocka_unit_test(products_round_before_they_are_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
