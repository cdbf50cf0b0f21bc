// Tests of eigenvalues: closed forms, and invariants of random matrices.
#include "base/matrix.h"
#include "cmocka_all.h"
#include "linear/eigen.h"
#include "spread.h"

#include <math.h>

static ib_Error error;

// Goal: matrices whose eigenvalues are known. Method: triangular, a rotation, the companion
// matrix of (x - 1)(x - 2)(x - 3)(x^2 + 2x + 5), a cyclic permutation (on which plain shifts
// go in circles).
static void known_matrices_have_their_eigenvalues(void **state)
{
    (void)state;
    ib_Complex v[8];
    const double triangle[9] = {1, 7, -3, 0, -4, 2, 0, 0, 2};
    assert_int_equal(ib_eigenvalues(3, triangle, v, &error), IB_OK);
    assert_close(v[0].re, -4, 1e-14);
    assert_close(v[1].re, 2, 1e-14);
    assert_close(v[2].re, 1, 1e-14);
    const double turn[4] = {0.6, -0.8, 0.8, 0.6};
    assert_int_equal(ib_eigenvalues(2, turn, v, &error), IB_OK);
    assert_close(v[0].re, 0.6, 1e-15);
    assert_close(v[0].im, 0.8, 1e-15);
    assert_close(v[1].im, -0.8, 1e-15);
    // x^5 - 4x^4 + 4x^3 - 14x^2 + 43x - 30
    const double p[5] = {-30, 43, -14, 4, -4}; // constant term first
    double companion[25] = {0};
    for (int i = 0; i < 5; i++) {
        if (i < 4) companion[(i + 1) * 5 + i] = 1;
        companion[i * 5 + 4] = -p[i];
    }
    assert_int_equal(ib_eigenvalues(5, companion, v, &error), IB_OK);
    assert_close(v[0].re, 3, 1e-12);
    assert_close(v[1].re, -1, 1e-12);
    assert_close(v[1].im, 2, 1e-12);
    assert_close(v[3].re, 2, 1e-12);
    assert_close(v[4].re, 1, 1e-12);
    double circle[64] = {0};
    for (int i = 0; i < 8; i++) circle[i * 8 + (i + 1) % 8] = 1;
    assert_int_equal(ib_eigenvalues(8, circle, v, &error), IB_OK);
    for (int i = 0; i < 8; i++) assert_close(hypot(v[i].re, v[i].im), 1, 1e-13);
}

// Goal: trace and sum of squares of random matrices. Method: sum of l = trace A and sum of l^2 =
// trace A^2, for 2000 matrices of 1 to 16 rows, some badly scaled; 1e-12 of the size of the terms.
static void sums_of_eigenvalues_are_traces(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int k = 0; k < 2000; k++) {
        int n = 1 + k % 16;
        double a[256], scale[16], trace = 0, square = 0, size = 0, sum = 0, sum2 = 0;
        ib_Complex v[16];
        for (int i = 0; i < n; i++)
            scale[i] = k % 3 ? 1 : ldexp(1, (int)(12 * spread_signed(&seed)));
        for (int i = 0; i < n * n; i++) a[i] = spread_signed(&seed) * scale[i / n] / scale[i % n];
        for (int i = 0; i < n; i++) {
            trace += a[i * n + i];
            for (int j = 0; j < n; j++) square += a[i * n + j] * a[j * n + i];
        }
        assert_int_equal(ib_eigenvalues(n, a, v, &error), IB_OK);
        for (int i = 0; i < n; i++) {
            sum += v[i].re;
            sum2 += v[i].re * v[i].re - v[i].im * v[i].im;
            size += 1 + v[i].re * v[i].re + v[i].im * v[i].im;
        }
        assert_close(sum, trace, 1e-12 * size);
        assert_close(sum2, square, 1e-12 * size);
    }
}

// Goal: matrices on which two real shifts each hunt another pair, in vain, are solved all the same.
// Method: four small ones found among 10^6 random ones; the sums of l, l^2 and l^3 are the traces
// of A, A^2 and A^3. 1e-13 of the terms.
static void stubborn_matrices_converge(void **state)
{
    (void)state;
    static const struct {
        int n;
        double a[36];
    } cases[] = {
        {4, {-8, -3, -1, -3, -4, 8, 0, 2, 0, 3, 0, -7, 0, 0, -8, -3}},
        {5, {9, 6, -1, -8, -4, 1, 9, 4, 9, -8, 0, 1, -8, 6, -5, 0, 0, -2, 2, -8, 0, 0, 0, -7, 0}},
        {6, {5, -1, -9, 5, 0, 2,  6, -5, -1, -6, 2, 4,  0, 3, 2, -3, -4, 1,
             0, 0,  1,  0, 0, -1, 0, 0,  0,  -4, 0, -7, 0, 0, 0, 0,  -4, -3}},
        {6, {8, -7, -4, -7, 0,  -8, -1, -8, -9, 0,  6,  -7, 0, -7, -9, 7, -3, -6,
             0, 0,  5,  -2, -2, 4,  0,  0,  0,  -5, -9, -8, 0, 0,  0,  0, -5, -8}},
    };
    for (int k = 0; k < 4; k++) {
        int n = cases[k].n;
        const double *a = cases[k].a;
        double power[36], next_power[36], size = 0;
        ib_Complex v[6], l[6];
        assert_int_equal(ib_eigenvalues(n, a, v, &error), IB_OK);
        for (int i = 0; i < n * n; i++) power[i] = i % (n + 1) == 0;
        for (int i = 0; i < n; i++) l[i] = (ib_Complex){1, 0};
        for (int exponent = 1; exponent <= 3; exponent++) {
            double trace = 0, sum = 0;
            ib_matrix_multiply(n, n, n, power, a, next_power);
            for (int i = 0; i < n; i++) {
                l[i] = (ib_Complex){l[i].re * v[i].re - l[i].im * v[i].im,
                                    l[i].re * v[i].im + l[i].im * v[i].re};
                sum += l[i].re;
                size += fabs(l[i].re);
                trace += next_power[i * n + i];
            }
            for (int i = 0; i < n * n; i++) power[i] = next_power[i];
            assert_close(sum, trace, 1e-13 * size);
        }
    }
}

// Goal: what is no number is refused. Method: a NaN.
static void a_nan_is_refused(void **state)
{
    (void)state;
    const double a[4] = {1, 2, NAN, 3};
    ib_Complex v[2];
    assert_int_equal(ib_eigenvalues(2, a, v, &error), IB_BAD_INPUT);
}

// Goal: every matrix comes to an end. Method: elements between which balancing once went to and fro
// for ever (5e-324 and 1e-323, of which one half is not a number), and 20 000 random ones from the
// smallest to the largest that there are, zeros among them; the eigenvalues are found, and their
// sum is the trace, or it is told that they are not. 1e-12 of the largest element, n = 2 to 4.
static void no_matrix_is_balanced_for_ever(void **state)
{
    (void)state;
    uint64_t seed = 8;
    ib_Complex v[4];
    const double small[4] = {0, 0x1p-1074, 0x1p-1073, 0};
    assert_int_equal(ib_eigenvalues(2, small, v, &error), IB_OK);
    for (int k = 0; k < 20000; k++) {
        int n = 2 + k % 3, from = k % 2 ? -1074 : -500, found;
        double a[16], trace = 0, sum = 0, large = 0;
        for (int i = 0; i < n * n; i++) {
            double part = 0.5 * (1 + spread_signed(&seed));
            a[i] = ldexp(spread_signed(&seed), from + (int)(part * (k % 4 < 2 ? 60 : 1500)));
            if (k % 5 == 0 && spread_signed(&seed) > 0.5) a[i] = 0;
            large = fmax(large, fabs(a[i]));
        }
        for (int i = 0; i < n; i++) trace += a[i * n + i];
        found = ib_eigenvalues(n, a, v, &error) == IB_OK;
        for (int i = 0; found && i < n; i++) sum += v[i].re;
        if (found && large < 0x1p480 && large > 0x1p-480) assert_close(sum, trace, 1e-12 * large);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_matrices_have_their_eigenvalues),
        cmocka_unit_test(sums_of_eigenvalues_are_traces),
        cmocka_unit_test(stubborn_matrices_converge),
        cmocka_unit_test(a_nan_is_refused),
        cmocka_unit_test(no_matrix_is_balanced_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
