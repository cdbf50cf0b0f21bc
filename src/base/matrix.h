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
        double *top = a + k * n, most = fabs(top[k]), trap = 0.0;
        int best = k;
        for (int i = k + 1; i < n; i++) {
            double size = fabs(a[i * n + k]);
            best = size > most ? i : best;
            most = size > most ? size : most;
        }

        // Not "== 0": a NaN must fail too. An element that is not finite gives a NaN in the sum.
        if (!(fabs(a[best * n + k]) > 0.0)) return 1;
        pivot[k] = best;
        if (best != k) ib__matrix_swap_rows(n, a, k, best);
        for (int j = k; j < n; j++) trap += 0.0 * top[j];
        if (!(trap == 0.0)) return 1;

        // Most states of a robot are not coupled: rows with a zero in the pivot column are skipped.
        for (int i = k + 1; i < n; i++) {
            double *row = a + i * n;
            if (row[k] == 0.0) continue;
            double factor = row[k] / top[k];
            row[k] = factor;
            for (int j = k + 1; j < n; j++) row[j] -= factor * top[j];
        }
    }
    return 0;
}

// Element k of b goes where step k of the factors swapped it to.
static inline void ib__matrix_swap_elements(int n, const int *pivot, double *b)
{
    for (int k = 0; k < n; k++) {
        double held = b[k];
        b[k] = b[pivot[k]];
        b[pivot[k]] = held;
    }
}

// Solves a x = b with the factors of a; b becomes x.
static inline void ib_matrix_solve(int n, const double *lu, const int *pivot, double *b)
{
    ib__matrix_swap_elements(n, pivot, b);
    // L y = P b, downwards; U x = y, upwards.
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++) b[i] -= lu[i * n + j] * b[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= lu[i * n + j] * b[j];
        b[i] /= lu[i * n + i];
    }
}

// The factors of ib_matrix_factor without their zeros, for many right-hand sides: the rest of row i
// in columns `column[first[i] .. first[i + 1])`, in their order, the inverse of its diagonal at
// `middle[i]`; row i was row `order[i]` of the matrix. Values and columns have room for n * n,
// `first` for n + 1.
typedef struct ib_MatrixPack {
    double *value;
    int *column, *first, *middle, *order;
} ib_MatrixPack;

// Appends the elements of a row that are not zero, from <= j < to, behind `count` others; returns
// the new count.
static inline int ib__matrix_pack_row(const double *row, int from, int to, int count, double *value,
                                      int *column)
{
    for (int j = from; j < to; j++) {
        value[count] = row[j];
        column[count] = j;
        count += row[j] != 0.0;
    }
    return count;
}

static inline void ib_matrix_pack(int n, const double *lu, const int *pivot, ib_MatrixPack *pack)
{
    int count = 0;
    for (int i = 0; i < n; i++) pack->order[i] = i;
    for (int i = 0; i < n; i++) {
        int held = pack->order[i];
        pack->order[i] = pack->order[pivot[i]];
        pack->order[pivot[i]] = held;
        const double *row = lu + i * n;
        pack->first[i] = count;
        count = ib__matrix_pack_row(row, 0, i, count, pack->value, pack->column);
        pack->middle[i] = count;
        pack->value[count] = 1 / row[i];
        pack->column[count++] = i;
        count = ib__matrix_pack_row(row, i + 1, n, count, pack->value, pack->column);
    }
    pack->first[n] = count;
}

// ib_matrix_solve, but for the rounding of the inverse diagonal, from b to x, which must not
// overlap: no division depends on another.
static inline void ib_matrix_solve_packed(int n, const ib_MatrixPack *pack, const double *b,
                                          double *x)
{
    const double *value = pack->value;
    const int *column = pack->column, *first = pack->first, *middle = pack->middle;

    for (int i = 0; i < n; i++) {
        double sum = b[pack->order[i]];
        for (int k = first[i]; k < middle[i]; k++) sum -= value[k] * x[column[k]];
        x[i] = sum;
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = x[i];
        for (int k = middle[i] + 1; k < first[i + 1]; k++) sum -= value[k] * x[column[k]];
        x[i] = sum * value[middle[i]];
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
