// base/matrix.h: small dense matrices (to about 24 x 24), row-major, on the caller's memory.
//
// Element (i, j) of a matrix with `columns` columns is a[i * columns + j]. Sums run in index order,
// so the bits are the same on every machine. Nothing here allocates or fails silently.
#ifndef IB_BASE_MATRIX_H
#define IB_BASE_MATRIX_H

#include <float.h>
#include <math.h>

// a = I, n x n.
static inline void ib_matrix_identity(int n, double *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i * n + j] = i == j ? 1.0 : 0.0;
}

// c = a b, with a: rows x inner, b: inner x columns. c must not overlap a or b.
static inline void ib_matrix_multiply(int rows, int inner, int columns, const double *a,
                                      const double *b, double *c)
{
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) c[i * columns + j] = 0.0;
        for (int k = 0; k < inner; k++) {
            double factor = a[i * inner + k];
            for (int j = 0; j < columns; j++) c[i * columns + j] += factor * b[k * columns + j];
        }
    }
}

// t = a^T, with a: rows x columns. t must not overlap a.
static inline void ib_matrix_transpose(int rows, int columns, const double *a, double *t)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) t[j * rows + i] = a[i * columns + j];
}

// c = a + scale b, rows x columns. c may be a or b.
static inline void ib_matrix_add(int rows, int columns, const double *a, double scale,
                                 const double *b, double *c)
{
    for (int i = 0; i < rows * columns; i++) c[i] = a[i] + scale * b[i];
}

// The largest sum of magnitudes in a row (the infinity norm): |a x| <= norm |x| in the largest
// element. A NaN anywhere gives NaN.
static inline double ib_matrix_norm(int rows, int columns, const double *a)
{
    double norm = 0.0;
    for (int i = 0; i < rows; i++) {
        double sum = 0.0;
        for (int j = 0; j < columns; j++) sum += fabs(a[i * columns + j]);
        if (!(sum <= norm)) norm = sum;
        if (norm != norm) break;
    }
    return norm;
}

// Swaps rows `from` and `to` of the n x n matrix a.
static inline void ib__matrix_swap_rows(int n, double *a, int from, int to)
{
    for (int j = 0; j < n; j++) {
        double held = a[from * n + j];
        a[from * n + j] = a[to * n + j];
        a[to * n + j] = held;
    }
}

// Factors P a = L U in place, by elimination with the largest pivot of each column:
//   L below the diagonal (its diagonal is 1), U on and above it;
//   step k swapped rows k and pivot[k].
// Returns 0, or 1 when a is singular (a column without any pivot) or not finite; a is then spoilt.
static inline int ib_matrix_factor(int n, double *a, int *pivot)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;

        // Not "== 0": a NaN and an infinity must fail too.
        double size = fabs(a[best * n + k]);
        if (!(size > 0.0 && size <= DBL_MAX)) return 1;
        pivot[k] = best;
        if (best != k) ib__matrix_swap_rows(n, a, k, best);

        for (int i = k + 1; i < n; i++) {
            double factor = a[i * n + k] / a[k * n + k];
            a[i * n + k] = factor;
            for (int j = k + 1; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
        }
    }
    return 0;
}

// Solves a x = b with the factors of a; b becomes x.
static inline void ib_matrix_solve(int n, const double *lu, const int *pivot, double *b)
{
    for (int k = 0; k < n; k++) {
        double held = b[k];
        b[k] = b[pivot[k]];
        b[pivot[k]] = held;
    }
    // L y = P b, downwards; U x = y, upwards.
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++) b[i] -= lu[i * n + j] * b[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= lu[i * n + j] * b[j];
        b[i] /= lu[i * n + i];
    }
}

// Solves a X = B for a whole matrix B, n x columns; b becomes X.
static inline void ib_matrix_solve_columns(int n, int columns, const double *lu, const int *pivot,
                                           double *b)
{
    for (int k = 0; k < n; k++)
        for (int j = 0; j < columns && pivot[k] != k; j++) {
            double held = b[k * columns + j];
            b[k * columns + j] = b[pivot[k] * columns + j];
            b[pivot[k] * columns + j] = held;
        }
    for (int i = 1; i < n; i++)
        for (int k = 0; k < i; k++)
            for (int j = 0; j < columns; j++)
                b[i * columns + j] -= lu[i * n + k] * b[k * columns + j];
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            for (int j = 0; j < columns; j++)
                b[i * columns + j] -= lu[i * n + k] * b[k * columns + j];
        for (int j = 0; j < columns; j++) b[i * columns + j] /= lu[i * n + i];
    }
}

#endif
