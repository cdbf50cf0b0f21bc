// Tests of singular values: their definition, on random matrices.
#include "base/matrix.h"
#include "cmocka_all.h"
#include "linear/singular.h"
#include "spread.h"

#include <math.h>
#include <string.h>

// Goal: singular values are those of the definition. Method: U orthogonal, U' A0 = A, rows of A
// orthogonal with norms sigma; 500 random matrices, some of low rank; 1e-13 of the largest (about
// 10 n roundings).
static void singular_values_satisfy_their_definition(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int k = 0; k < 500; k++) {
        int rows = 1 + k % 12, columns = 1 + k / 12 % 12, rank = 1 + k % 5;
        double a[144] = {0}, was[144], u[144], ut[144], product[144], sigma[12];
        for (int r = 0; r < rank; r++) {
            double left[12], right[12];
            for (int i = 0; i < 12; i++)
                left[i] = spread_signed(&seed), right[i] = spread_signed(&seed);
            for (int i = 0; i < rows * columns; i++) a[i] += left[i / columns] * right[i % columns];
        }
        memcpy(was, a, sizeof a);
        ib_singular_values(rows, columns, a, u, sigma);
        ib_matrix_transpose(rows, rows, u, ut);
        ib_matrix_multiply(rows, rows, rows, ut, u, product);
        for (int i = 0; i < rows * rows; i++)
            assert_close(product[i], i % (rows + 1) == 0 ? 1 : 0, 1e-13);
        ib_matrix_multiply(rows, rows, columns, ut, was, product);
        for (int i = 0; i < rows * columns; i++) assert_close(product[i], a[i], 1e-13 * sigma[0]);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j <= i; j++) {
                double dot = 0;
                for (int c = 0; c < columns; c++) dot += a[i * columns + c] * a[j * columns + c];
                assert_close(dot, i == j ? sigma[i] * sigma[i] : 0, 1e-13 * sigma[0] * sigma[0]);
            }
        for (int i = rank; i < rows; i++) assert_close(sigma[i], 0, 1e-13 * sigma[0]);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(singular_values_satisfy_their_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
