#include "linear/complex.h"

#include "base/extreme.h"
#include "base/status.h"

#include <float.h>
#include <stdbool.h>

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
    // The product may underflow although no factor is zero.
    return determinant > 0 ? determinant : DBL_MIN;
}

// ------------------------------------------------------------------------------------- eigenvalues

enum { MOST_TURNS = 60 };

static ib_Complex root(ib_Complex a)
{
    double size = ib_complex_size(a);
    ib_Complex half = {sqrt(0.5 * ib_max(size + a.re, 0)), sqrt(0.5 * ib_max(size - a.re, 0))};
    if (a.im < 0) half.im = -half.im;
    return half;
}

// Both eigenvalues of [a b; c d]: the mean plus and minus the root of the discriminant.
static void solve_pair(ib_Complex a, ib_Complex b, ib_Complex c, ib_Complex d, ib_Complex *values)
{
    ib_Complex mean = {0.5 * (a.re + d.re), 0.5 * (a.im + d.im)};
    ib_Complex half = {0.5 * (a.re - d.re), 0.5 * (a.im - d.im)};
    ib_Complex apart =
        root(ib_complex_add(ib_complex_multiply(half, half), ib_complex_multiply(b, c)));
    values[0] = ib_complex_add(mean, apart);
    values[1] = ib_complex_subtract(mean, apart);
}

// x <- x - 2 v (v* x) / v*v, for the `count` elements of x that lie `apart`; `conjugate`: x is a
// row, which the conjugate of v reflects.
static void reflect(int count, const ib_Complex *v, double square, int apart, bool conjugate,
                    ib_Complex *x)
{
    ib_Complex sum = {0, 0};
    double sign = conjugate ? 1 : -1;
    for (int i = 0; i < count; i++)
        sum = ib_complex_add(
            sum, ib_complex_multiply((ib_Complex){v[i].re, sign * v[i].im}, x[i * apart]));
    sum = (ib_Complex){2 * sum.re / square, 2 * sum.im / square};
    for (int i = 0; i < count; i++)
        x[i * apart] = ib_complex_subtract(
            x[i * apart], ib_complex_multiply(sum, (ib_Complex){v[i].re, -sign * v[i].im}));
}

// a <- R Q of a = Q R, on the first `size` rows and columns, by reflections. [Golub, Van Loan, 5.2]
static void turn(int n, int size, ib_Complex *a)
{
    ib_Complex v[8][8];
    double square[8] = {0};
    for (int k = 0; k + 1 < size; k++) {
        double norm = 0;
        for (int i = k; i < size; i++) {
            v[k][i - k] = a[i * n + k];
            norm += a[i * n + k].re * a[i * n + k].re + a[i * n + k].im * a[i * n + k].im;
        }
        norm = sqrt(norm);
        double lead = ib_complex_size(v[k][0]);
        if (!(norm > 0)) continue;
        // The first element grows along its own direction, so that nothing cancels.
        ib_Complex way =
            lead > 0 ? (ib_Complex){v[k][0].re / lead, v[k][0].im / lead} : (ib_Complex){1, 0};
        v[k][0] = ib_complex_add(v[k][0], (ib_Complex){norm * way.re, norm * way.im});
        square[k] = 2 * norm * (norm + lead);
        for (int j = k; j < size; j++) reflect(size - k, v[k], square[k], n, false, a + k * n + j);
    }
    for (int k = 0; k + 1 < size; k++)
        for (int i = 0; i < size && square[k] > 0; i++)
            reflect(size - k, v[k], square[k], 1, true, a + i * n + k);
}

// The largest of the first `rows` x `columns` from `a` on.
static double largest(int n, int rows, int columns, const ib_Complex *a)
{
    double size = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) size = ib_max(size, ib_complex_size(a[i * n + j]));
    return size;
}

void ib_complex_eigenvalues(int n, ib_Complex *a, ib_Complex *values)
{
    IB_ASSERT(n >= 1 && n <= 8);
    int size = n;
    for (int turns = 0; size > 2; turns++) {
        double off = largest(n, 1, size - 1, a + (size - 1) * n);
        if (turns == MOST_TURNS || off <= DBL_EPSILON * largest(n, size, size, a)) {
            size--;
            values[size] = a[size * n + size];
            turns = -1;
            continue;
        }
        const ib_Complex *last = &a[(size - 1) * n + size - 1];
        ib_Complex pair[2], shift;
        solve_pair(last[-n - 1], last[-n], last[-1], *last, pair);
        bool second = ib_complex_size(ib_complex_subtract(pair[1], *last)) <
                      ib_complex_size(ib_complex_subtract(pair[0], *last));
        shift = pair[second];
        // Every tenth iteration has another shift, for matrices that the usual ones leave as
        // they are.
        if (turns % 10 == 9) shift.re += off;
        for (int i = 0; i < size; i++) a[i * n + i] = ib_complex_subtract(a[i * n + i], shift);
        turn(n, size, a);
        for (int i = 0; i < size; i++) a[i * n + i] = ib_complex_add(a[i * n + i], shift);
    }
    if (size == 2)
        solve_pair(a[0], a[1], a[n], a[n + 1], values);
    else
        values[0] = a[0];
}
