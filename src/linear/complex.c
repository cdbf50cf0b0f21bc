#include "linear/complex.h"

#include <float.h>

static void swap_rows(int columns, ib_Complex *a, int from, int to)
{
    for (int j = 0; j < columns; j++) {
        ib_Complex held = a[from * columns + j];
        a[from * columns + j] = a[to * columns + j];
        a[to * columns + j] = held;
    }
}

// Row `to` less `factor` times row `from`, from column `first` on.
static void subtract_row(int columns, int first, ib_Complex *a, int from, int to, ib_Complex factor)
{
    for (int j = first; j < columns; j++)
        a[to * columns + j] = ib_complex_subtract(
            a[to * columns + j], ib_complex_multiply(factor, a[from * columns + j]));
}

double ib_complex_solve(int n, int columns, ib_Complex *a, ib_Complex *b)
{
    double determinant = 1;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (ib_complex_size(a[i * n + k]) > ib_complex_size(a[best * n + k])) best = i;
        double size = ib_complex_size(a[best * n + k]);
        if (!(size > 0 && size <= DBL_MAX)) return 0; // a NaN fails too
        determinant *= size;
        if (best != k) {
            swap_rows(n, a, k, best);
            swap_rows(columns, b, k, best);
        }
        for (int i = k + 1; i < n; i++) {
            ib_Complex factor = ib_complex_divide(a[i * n + k], a[k * n + k]);
            subtract_row(n, k + 1, a, k, i, factor);
            subtract_row(columns, 0, b, k, i, factor);
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = 0; j < columns; j++)
            b[k * columns + j] = ib_complex_divide(b[k * columns + j], a[k * n + k]);
        for (int i = 0; i < k; i++) subtract_row(columns, 0, b, k, i, a[i * n + k]);
    }
    // The product may have run out of range although no factor is zero.
    return determinant > 0 ? determinant : DBL_MIN;
}
