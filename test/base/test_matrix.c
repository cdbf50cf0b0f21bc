// Small matrices: products by hand, factors against known inverses and random systems.
#include "base/matrix.h"

#include "cmocka_all.h"
#include "spread.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { LARGEST = 24 };

static void random_matrix(int rows, int columns, uint64_t stream, double *a)
{
    for (int i = 0; i < rows * columns; i++) a[i] = 2 * chance_uniform(11, stream, (uint64_t)i) - 1;
}

// Goal: products, sums and transposes are those of the textbook. Method: whole numbers, by hand.
static void products_match_hand_computation(void **state)
{
    (void)state;
    const double a[] = {1, 2, 3, 4, 5, 6};    // 2 x 3
    const double b[] = {7, 8, 9, 10, 11, 12}; // 3 x 2
    const double ab[] = {58, 64, 139, 154};   // rows (58, 64), (139, 154)
    const double at[] = {1, 4, 2, 5, 3, 6};
    const double sum[] = {-13, -14, -15, -16, -17, -18}; // a - 2 b, element by element
    double c[6];
    ib_matrix_multiply(2, 3, 2, a, b, c);
    assert_memory_equal(c, ab, sizeof ab);
    ib_matrix_transpose(2, 3, a, c);
    assert_memory_equal(c, at, sizeof at);
    memcpy(c, a, sizeof a);
    ib_matrix_add(2, 3, c, -2, b, c); // in place
    assert_memory_equal(c, sum, sizeof sum);
    ib_matrix_identity(2, c);
    assert_true(c[0] == 1 && c[1] == 0 && c[2] == 0 && c[3] == 1);
}

// Goal: the norm is the largest row sum and does not hide a NaN. Method: by hand.
static void norm_is_the_largest_row_sum(void **state)
{
    (void)state;
    double a[] = {1, -2, 3, -4, 5, 0};
    assert_true(ib_matrix_norm(2, 3, a) == 9);
    assert_true(ib_matrix_norm(3, 2, a) == 7);
    a[0] = NAN;
    assert_true(isnan(ib_matrix_norm(2, 3, a)));
    a[0] = 0;
    a[5] = NAN;
    assert_true(isnan(ib_matrix_norm(2, 3, a)));
}

// Goal: systems of every size are solved to rounding. Method: random a and x, b = a x; the residual
// |a y - b| of the computed y stays below n^2 ulp of |a| |y| (partial pivoting is backward stable;
// the growth factor of random matrices of this size is below n).
static void random_systems_leave_a_residual_of_rounding(void **state)
{
    (void)state;
    for (int n = 1; n <= LARGEST; n++) {
        for (uint64_t trial = 0; trial < 20; trial++) {
            double a[LARGEST * LARGEST], lu[LARGEST * LARGEST];
            double x[LARGEST], b[LARGEST] = {0}, y[LARGEST], again[LARGEST];
            int pivot[LARGEST];
            random_matrix(n, n, trial * 100 + (uint64_t)n, a);
            random_matrix(n, 1, trial * 100 + 50 + (uint64_t)n, x);
            ib_matrix_multiply(n, n, 1, a, x, b);

            memcpy(lu, a, sizeof a);
            memcpy(y, b, sizeof b);
            assert_int_equal(ib_matrix_factor(n, lu, pivot), 0);
            ib_matrix_solve(n, lu, pivot, y);
            ib_matrix_multiply(n, n, 1, a, y, again);
            ib_matrix_add(n, 1, again, -1, b, again);
            double scale = ib_matrix_norm(n, n, a) * ib_matrix_norm(n, 1, y);
            assert_true(ib_matrix_norm(n, 1, again) <= n * n * 0x1p-52 * scale);
        }
    }
}

// Goal: P a = L U.
// Method: multiply the factors and undo the swaps; |L| <= 1 by the choice of pivot.
static void factors_multiply_back(void **state)
{
    (void)state;
    enum { N = 7 };
    double a[N * N], lu[N * N], lower[N * N], upper[N * N], product[N * N];
    int pivot[N];
    random_matrix(N, N, 5, a);
    memcpy(lu, a, sizeof a);
    assert_int_equal(ib_matrix_factor(N, lu, pivot), 0);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            lower[i * N + j] = i > j ? lu[i * N + j] : i == j;
            upper[i * N + j] = i <= j ? lu[i * N + j] : 0;
            assert_true(fabs(lower[i * N + j]) <= 1);
        }
    }
    ib_matrix_multiply(N, N, N, lower, upper, product);
    for (int k = N - 1; k >= 0; k--) ib__matrix_swap_rows(N, product, k, pivot[k]);
    ib_matrix_add(N, N, product, -1, a, product);
    assert_true(ib_matrix_norm(N, N, product) < N * N * 0x1p-52 * ib_matrix_norm(N, N, a));
}

// Goal: a zero on the diagonal is no obstacle. Method: a swap and a rotation of axes, exactly.
static void zero_on_the_diagonal_is_pivoted_away(void **state)
{
    (void)state;
    double swap[] = {0, 1, 1, 0}, b[] = {3, 4};
    double turn[] = {0, 0, 2, 4, 0, 0, 0, 8, 0}, c[] = {2, 4, 8}; // 2 z = 2, 4 x = 4, 8 y = 8
    int pivot[3];
    assert_int_equal(ib_matrix_factor(2, swap, pivot), 0);
    ib_matrix_solve(2, swap, pivot, b);
    assert_true(b[0] == 4 && b[1] == 3);
    assert_int_equal(ib_matrix_factor(3, turn, pivot), 0);
    ib_matrix_solve(3, turn, pivot, c);
    assert_true(c[0] == 1 && c[1] == 1 && c[2] == 1);
}

// Goal: what has no solution is reported. Method: zero, dependent rows, a zero column, and NaN or
// infinity at every place.
static void singular_and_non_finite_are_reported(void **state)
{
    (void)state;
    double zero[] = {0}, rows[] = {1, 2, 2, 4}, column[] = {1, 0, 2, 3, 0, 4, 5, 0, 7};
    int pivot[3];
    assert_int_equal(ib_matrix_factor(1, zero, pivot), 1);
    assert_int_equal(ib_matrix_factor(2, rows, pivot), 1);
    assert_int_equal(ib_matrix_factor(3, column, pivot), 1);
    for (int place = 0; place < 9; place++) {
        double a[] = {4, 1, 2, 1, 5, 3, 2, 1, 6};
        a[place] = NAN;
        assert_int_equal(ib_matrix_factor(3, a, pivot), 1);
        double b[] = {4, 1, 2, 1, 5, 3, 2, 1, 6};
        b[place] = place % 2 ? INFINITY : -INFINITY;
        assert_int_equal(ib_matrix_factor(3, b, pivot), 1);
    }
}

// Goal: zeros are passed over, and nothing else. Method: an infinity or NaN in a row whose column
// is empty below is still seen; 200 random matrices, of whose elements a fifth are not zero,
// solved with and without their zeros: the same but for the rounding of the diagonal's inverse,
// which counts as often as the condition says, and of these matrices it is below 1e6.
static void zeros_are_passed_over(void **state)
{
    (void)state;
    enum { N = 12 };
    double lone[] = {1, INFINITY, 0, 1}, last[] = {1, 0, 0, NAN}, values[N * N];
    int pivot[N], columns[N * N], first[N + 1], middle[N], order[N];
    ib_MatrixPack pack = {values, columns, first, middle, order};
    assert_int_equal(ib_matrix_factor(2, lone, pivot), 1);
    assert_int_equal(ib_matrix_factor(2, last, pivot), 1);
    for (uint64_t m = 0; m < 200; m++) {
        double a[N * N], b[N], c[N], x[N];
        for (uint64_t i = 0; i < N * N; i++) {
            bool kept = i % (N + 1) == 0 || chance_uniform(5, m, 2 * i) < 0.2;
            a[i] = kept ? chance_uniform(5, m, 2 * i + 1) - 0.5 : 0;
        }
        for (uint64_t i = 0; i < N; i++) b[i] = c[i] = chance_uniform(6, m, i);
        assert_int_equal(ib_matrix_factor(N, a, pivot), 0);
        ib_matrix_pack(N, a, pivot, &pack);
        assert_true(first[N] < N * N);
        ib_matrix_solve(N, a, pivot, b);
        ib_matrix_solve_packed(N, &pack, c, x);
        double most = 0;
        for (int i = 0; i < N; i++) most = fmax(most, fabs(b[i]));
        for (int i = 0; i < N; i++) assert_true(fabs(b[i] - x[i]) <= 1e6 * 0x1p-52 * most);
    }
}

// Goal: the solution of an ill-conditioned system is as good as theory allows. Method: the Hilbert
// matrix of order 6 (condition 2.9e7), solution of ones: error below condition * 10 ulp.
static void hilbert_solution_is_within_its_condition(void **state)
{
    (void)state;
    enum { N = 6 };
    double a[N * N], b[N] = {0};
    int pivot[N];
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            a[i * N + j] = 1.0 / (i + j + 1);
            b[i] += a[i * N + j];
        }
    }
    assert_int_equal(ib_matrix_factor(N, a, pivot), 0);
    ib_matrix_solve(N, a, pivot, b);
    for (int i = 0; i < N; i++) assert_true(fabs(b[i] - 1) < 2.9e7 * 10 * 0x1p-52);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_match_hand_computation),
        cmocka_unit_test(norm_is_the_largest_row_sum),
        cmocka_unit_test(random_systems_leave_a_residual_of_rounding),
        cmocka_unit_test(factors_multiply_back),
        cmocka_unit_test(zero_on_the_diagonal_is_pivoted_away),
        cmocka_unit_test(singular_and_non_finite_are_reported),
        cmocka_unit_test(zeros_are_passed_over),
        cmocka_unit_test(hilbert_solution_is_within_its_condition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
