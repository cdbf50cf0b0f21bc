// Tests of complex arithmetic: eigenvalues of small complex matrices.
#include "cmocka_all.h"
#include "linear/complex.h"
#include "spread.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MOST = 8 };

// How far a number is from the nearest of a list that is not taken yet, which it then is.
static double take_nearest(int n, const ib_Complex *values, bool *taken, ib_Complex wanted)
{
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < n; i++) {
        double apart = ib_complex_size(ib_complex_subtract(values[i], wanted));
        if (!taken[i] && apart < least) least = apart, best = i;
    }
    if (best >= 0) taken[best] = true;
    return least;
}

// Goal: all eigenvalues are found. Method: a triangle with chosen ones on its diagonal, some of
// them twice or zero, between elementary rows and their inverses: a full matrix that is similar to
// it. 1e-9: the ones that are twice are known to the root of rounding, with room for n = 8.
static void eigenvalues_are_those_of_the_triangle(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int turn = 0; turn < 400; turn++) {
        int n = 1 + turn % MOST;
        bool twice = n > 1 && turn % 3 == 0;
        ib_Complex a[MOST * MOST] = {{0, 0}}, wanted[MOST], values[MOST];
        bool taken[MOST] = {0};
        for (int i = 0; i < n; i++) {
            wanted[i] = (ib_Complex){3 * spread_signed(&seed), 3 * spread_signed(&seed)};
            if (twice && i == 1) wanted[1] = wanted[0];
            a[i * n + i] = wanted[i];
            for (int j = i + 1; j < n; j++)
                a[i * n + j] = (ib_Complex){spread_signed(&seed), spread_signed(&seed)};
        }
        // Row i plus f times row k, then column k less f times column i.
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++) {
                ib_Complex f = {0.5 * spread_signed(&seed), 0.5 * spread_signed(&seed)};
                if (i == k) continue;
                for (int j = 0; j < n; j++)
                    a[i * n + j] =
                        ib_complex_add(a[i * n + j], ib_complex_multiply(f, a[k * n + j]));
                for (int j = 0; j < n; j++)
                    a[j * n + k] =
                        ib_complex_subtract(a[j * n + k], ib_complex_multiply(f, a[j * n + i]));
            }
        ib_complex_eigenvalues(n, a, values);
        for (int i = 0; i < n; i++) {
            double apart = take_nearest(n, values, taken, wanted[i]);
            if (!(apart < (twice ? 1e-5 : 1e-9))) fail_msg("%d x %d: off by %g", n, n, apart);
        }
    }
}

// Goal: what has no eigenvalues to turn towards ends too. Method: zero, a cycle (its eigenvalues
// are the roots of 1, all of one size), and values that are not finite come back in bounded time.
static void hard_matrices_end(void **state)
{
    (void)state;
    ib_Complex a[MOST * MOST] = {{0, 0}}, values[MOST];
    ib_complex_eigenvalues(MOST, a, values);
    for (int i = 0; i < MOST; i++) assert_true(ib_complex_size(values[i]) == 0);
    for (int i = 0; i < MOST; i++) a[i * MOST + (i + 1) % MOST].re = 1;
    ib_complex_eigenvalues(MOST, a, values);
    for (int i = 0; i < MOST; i++) assert_close(ib_complex_size(values[i]), 1, 1e-12);
    for (int i = 0; i < MOST * MOST; i++) a[i] = (ib_Complex){NAN, 0};
    ib_complex_eigenvalues(MOST, a, values);
    assert_true(isnan(values[0].re));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eigenvalues_are_those_of_the_triangle),
        cmocka_unit_test(hard_matrices_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
