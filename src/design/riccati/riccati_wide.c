// design/riccati/riccati_wide.c: doubling with twice the digits, for very unstable plants with few
// inputs, for which a double loses too many. It is about twenty times slower than riccati.c, and
// only its fallback.
#include "design/riccati/riccati_wide.h"

#include "base/extreme.h"

#include <float.h>
#include <math.h>

typedef ib__Wide Wide;

// ---------------------------------------------------------------------------------------- matrices

// The quotient of the upper parts, and that of the remainder.
static inline Wide over(Wide a, Wide b)
{
    double first = a.high / b.high;
    Wide rest = ib__wide_plus(a, ib__wide_minus(ib__wide_times((Wide){first, 0}, b)));
    return ib__wide_join(first, rest.high / b.high);
}

static inline Wide minus_product(Wide sum, Wide a, Wide b)
{
    return ib__wide_plus(sum, ib__wide_minus(ib__wide_times(a, b)));
}

void ib__wide_multiply(int rows, int inner, int columns, const Wide *a, const Wide *b, Wide *c)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            Wide sum = {0, 0};
            for (int k = 0; k < inner; k++)
                sum = ib__wide_plus(sum, ib__wide_times(a[i * inner + k], b[k * columns + j]));
            c[i * columns + j] = sum;
        }
}

void ib__wide_transpose(int rows, int columns, const Wide *a, Wide *t)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) t[j * rows + i] = a[i * columns + j];
}

void ib__wide_add(int count, double sign, const Wide *b, Wide *a)
{
    for (int i = 0; i < count; i++)
        a[i] = ib__wide_plus(a[i], (Wide){sign * b[i].high, sign * b[i].low});
}

double ib__wide_grow(int n, const Wide *b, Wide *a)
{
    double most = 0, size = DBL_MIN;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            Wide sum = ib__wide_plus(b[i * n + j], b[j * n + i]);
            Wide half = {0.5 * sum.high, 0.5 * sum.low};
            a[i * n + j] = a[j * n + i] = ib__wide_plus(a[i * n + j], half);
            most = ib_max(most, fabs(half.high));
            size = ib_max(size, fabs(a[i * n + j].high));
        }
    return most / size;
}

static void swap_rows(int columns, Wide *a, int from, int to)
{
    for (int j = 0; j < columns; j++) {
        Wide held = a[from * columns + j];
        a[from * columns + j] = a[to * columns + j];
        a[to * columns + j] = held;
    }
}

bool ib__wide_solve(int n, int columns, Wide *W, Wide *x)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(W[i * n + k].high) > fabs(W[best * n + k].high)) best = i;
        double size = fabs(W[best * n + k].high);
        if (!(size > 0 && size <= 1e290)) return false; // beyond it products overflow
        swap_rows(n, W, k, best);
        swap_rows(columns, x, k, best);
        for (int i = 0; i < n; i++) {
            if (i == k) continue;
            Wide f = over(W[i * n + k], W[k * n + k]);
            for (int j = k; j < n; j++) W[i * n + j] = minus_product(W[i * n + j], f, W[k * n + j]);
            for (int j = 0; j < columns; j++)
                x[i * columns + j] = minus_product(x[i * columns + j], f, x[k * columns + j]);
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < columns; j++)
            x[i * columns + j] = over(x[i * columns + j], W[i * n + i]);
    return true;
}

// ---------------------------------------------------------------------------------------- doubling

typedef struct Doubling {
    int n, m;
    Wide A[IB__NN], G[IB__NN], H[IB__NN];
} Doubling;

// A - B R^-1 N', G = B R^-1 B', Q - N R^-1 N'.
static bool begin(Doubling *d, const ib__Balanced *b)
{
    int n = d->n, m = d->m;
    Wide R[IB__MM], B[IB__NM], N[IB__NM], part[2 * IB__NM], product[2 * IB__NN];
    ib__widen(n * n, b->A, d->A);
    ib__widen(n * n, b->Q, d->H);
    ib__widen(n * m, b->B, B);
    ib__widen(n * m, b->N, N);
    ib__widen(m * m, b->R, R);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            part[i * 2 * n + j] = B[j * m + i];
            part[i * 2 * n + n + j] = N[j * m + i];
        }
    if (!ib__wide_solve(m, 2 * n, R, part)) return false;
    ib__wide_multiply(n, m, 2 * n, B, part, product);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            Wide *a = &d->A[i * n + j];
            d->G[i * n + j] = product[i * 2 * n + j];
            *a = ib__wide_plus(*a, ib__wide_minus(product[i * 2 * n + n + j]));
        }
    ib__wide_multiply(n, m, 2 * n, N, part, product);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            Wide *h = &d->H[i * n + j];
            *h = ib__wide_plus(*h, ib__wide_minus(product[i * 2 * n + n + j]));
        }
    return true;
}

// The same step as in riccati.c.
static bool double_once(Doubling *d, double *change)
{
    int n = d->n;
    Wide W[IB__NN], VU[2 * IB__NN], At[IB__NN], t[2 * IB__NN], product[2 * IB__NN];
    ib__wide_multiply(n, n, n, d->G, d->H, W);
    for (int i = 0; i < n; i++) {
        W[i * n + i] = ib__wide_plus(W[i * n + i], (Wide){1, 0});
        for (int j = 0; j < n; j++) {
            VU[i * 2 * n + j] = d->A[i * n + j];
            VU[i * 2 * n + n + j] = d->G[i * n + j];
        }
    }
    ib__wide_transpose(n, n, d->A, At);
    if (!ib__wide_solve(n, 2 * n, W, VU)) return false;
    ib__wide_multiply(n, n, 2 * n, d->A, VU, product); // A W^-1 A, A W^-1 G
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            d->A[i * n + j] = product[i * 2 * n + j];
            t[i * n + j] = product[i * 2 * n + n + j];
            W[i * n + j] = VU[i * 2 * n + j];
        }
    ib__wide_multiply(n, n, n, t, At, product);
    ib__wide_grow(n, product, d->G);
    ib__wide_multiply(n, n, n, d->H, W, t);
    ib__wide_multiply(n, n, n, At, t, product);
    *change = ib__wide_grow(n, product, d->H);
    return isfinite(*change);
}

bool ib__riccati_double_wide(const ib__Balanced *b, double added, Wide *X, int *steps)
{
    enum { MOST_STEPS = 60 };
    Doubling d = {.n = b->n, .m = b->m};
    double change = 1;
    int n = b->n;
    if (!begin(&d, b)) return false;
    for (int i = 0; i < n; i++) d.H[i * n + i] = ib__wide_plus(d.H[i * n + i], (Wide){added, 0});
    for (*steps = 0; *steps < MOST_STEPS && change > 1e-16; ++*steps)
        if (!double_once(&d, &change)) return false;
    for (int i = 0; i < n * n; i++) X[i] = d.H[i];
    return true;
}
