// The doubling algorithm with twice the digits, for the few problems where it loses too many: very
// unstable plants with few inputs. About twenty times slower than riccati.c, and only its fallback.
//
// A number is the sum of two doubles that do not overlap, which sum and product keep exactly by
// tracking what rounding takes away.                                     [Dekker 1971, Knuth]
#include "base/matrix.h"
#include "design/riccati_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct Wide {
    double high, low;
} Wide;

// -------------------------------------------------------------------------------------- arithmetic

// a + b exactly, for |a| >= |b|.
static inline Wide join(double a, double b)
{
    double sum = a + b;
    return (Wide){sum, b - (sum - a)};
}

static inline Wide plus(Wide a, Wide b)
{
    double sum = a.high + b.high, part = sum - a.high;
    double lost = (a.high - (sum - part)) + (b.high - part);
    return join(sum, lost + (a.low + b.low));
}

// The upper half of the digits of a.
static inline double upper(double a)
{
    double c = 134217729.0 * a; // 2^27 + 1
    return c - (c - a);
}

static inline Wide times(Wide a, Wide b)
{
    double product = a.high * b.high;
    double a1 = upper(a.high), a2 = a.high - a1, b1 = upper(b.high), b2 = b.high - b1;
    double lost = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
    return join(product, lost + (a.high * b.low + a.low * b.high));
}

static inline Wide minus(Wide a)
{
    return (Wide){-a.high, -a.low};
}

// The quotient of the upper parts, and that of the remainder.
static inline Wide over(Wide a, Wide b)
{
    double first = a.high / b.high;
    Wide rest = plus(a, minus(times((Wide){first, 0}, b)));
    return join(first, rest.high / b.high);
}

// ---------------------------------------------------------------------------------------- matrices

static Wide minus_product(Wide sum, Wide a, Wide b)
{
    return plus(sum, minus(times(a, b)));
}

// c = a b, with a: rows x inner, b: inner x columns.
static void multiply(int rows, int inner, int columns, const Wide *a, const Wide *b, Wide *c)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            Wide sum = {0, 0};
            for (int k = 0; k < inner; k++)
                sum = plus(sum, times(a[i * inner + k], b[k * columns + j]));
            c[i * columns + j] = sum;
        }
}

static void transpose(int rows, int columns, const Wide *a, Wide *t)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) t[j * rows + i] = a[i * columns + j];
}

static void widen(int count, const double *a, Wide *w)
{
    for (int i = 0; i < count; i++) w[i] = (Wide){a[i], 0};
}

// a += b, made symmetric; returns the size of b over that of a.
static double grow(int n, const Wide *b, Wide *a)
{
    double most = 0, size = DBL_MIN;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            Wide sum = plus(b[i * n + j], b[j * n + i]), half = {0.5 * sum.high, 0.5 * sum.low};
            a[i * n + j] = a[j * n + i] = plus(a[i * n + j], half);
            most = fmax(most, fabs(half.high));
            size = fmax(size, fabs(a[i * n + j].high));
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

// x <- W^-1 x, with x: n x columns, by elimination above and below the largest pivot; W is spoilt.
static bool solve(int n, int columns, Wide *W, Wide *x)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(W[i * n + k].high) > fabs(W[best * n + k].high)) best = i;
        double size = fabs(W[best * n + k].high);
        if (!(size > 0 && size <= 1e290)) return false; // beyond it `upper` overflows
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
    Wide B[IB__NM], Bt[IB__NM], Nt[IB__NM]; ///< N' is zero without cross weights
} Doubling;

// A - B R^-1 N', G = B R^-1 B', Q - N R^-1 N'.
static bool begin(Doubling *d, const ib__Balanced *b)
{
    int n = d->n, m = d->m;
    Wide R[IB__MM], part[2 * IB__NM], product[2 * IB__NN], N[IB__NM];
    widen(n * n, b->A, d->A);
    widen(n * n, b->Q, d->H);
    widen(n * m, b->B, d->B);
    widen(n * m, b->N, N);
    widen(m * m, b->R, R);
    transpose(n, m, d->B, d->Bt);
    transpose(n, m, N, d->Nt);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            part[i * 2 * n + j] = d->Bt[i * n + j];
            part[i * 2 * n + n + j] = d->Nt[i * n + j];
        }
    if (!solve(m, 2 * n, R, part)) return false;
    multiply(n, m, 2 * n, d->B, part, product);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            Wide *a = &d->A[i * n + j];
            d->G[i * n + j] = product[i * 2 * n + j];
            *a = plus(*a, minus(product[i * 2 * n + n + j]));
        }
    multiply(n, m, 2 * n, N, part, product);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            Wide *h = &d->H[i * n + j];
            *h = plus(*h, minus(product[i * 2 * n + n + j]));
        }
    return true;
}

// The step of riccati.c.
static bool double_once(Doubling *d, double *change)
{
    int n = d->n;
    Wide W[IB__NN], VU[2 * IB__NN], At[IB__NN], t[2 * IB__NN], product[2 * IB__NN];
    multiply(n, n, n, d->G, d->H, W);
    for (int i = 0; i < n; i++) {
        W[i * n + i] = plus(W[i * n + i], (Wide){1, 0});
        for (int j = 0; j < n; j++) {
            VU[i * 2 * n + j] = d->A[i * n + j];
            VU[i * 2 * n + n + j] = d->G[i * n + j];
        }
    }
    transpose(n, n, d->A, At);
    if (!solve(n, 2 * n, W, VU)) return false;
    multiply(n, n, 2 * n, d->A, VU, product); // A W^-1 A, A W^-1 G
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            d->A[i * n + j] = product[i * 2 * n + j];
            t[i * n + j] = product[i * 2 * n + n + j];
            W[i * n + j] = VU[i * 2 * n + j];
        }
    multiply(n, n, n, t, At, product);
    grow(n, product, d->G);
    multiply(n, n, n, d->H, W, t);
    multiply(n, n, n, At, t, product);
    *change = grow(n, product, d->H);
    return isfinite(*change);
}

// K = (R + B'X B)^-1 (B'X A + N')
static bool find_gain(const Doubling *d, const ib__Balanced *b, double *K)
{
    int n = d->n, m = d->m;
    Wide A[IB__NN], BtX[IB__NM], S[IB__MM], T[IB__NM];
    widen(n * n, b->A, A);
    multiply(m, n, n, d->Bt, d->H, BtX);
    multiply(m, n, m, BtX, d->B, S);
    multiply(m, n, n, BtX, A, T);
    for (int i = 0; i < m * m; i++) S[i] = plus(S[i], (Wide){b->R[i], 0});
    for (int i = 0; i < m * n; i++) T[i] = plus(T[i], d->Nt[i]);
    if (!solve(m, n, S, T)) return false;
    for (int i = 0; i < m * n; i++) K[i] = T[i].high;
    return true;
}

bool ib__riccati_double_wide(const ib__Balanced *b, double added, double *X, double *K, int *steps)
{
    enum { MOST_STEPS = 60 };
    Doubling d = {.n = b->n, .m = b->m};
    double change = 1;
    int n = b->n;
    if (!begin(&d, b)) return false;
    for (int i = 0; i < n; i++) d.H[i * n + i] = plus(d.H[i * n + i], (Wide){added, 0});
    for (*steps = 0; *steps < MOST_STEPS && change > 1e-12; ++*steps)
        if (!double_once(&d, &change)) return false;
    for (int i = 0; i < n * n; i++) X[i] = d.H[i].high;
    return find_gain(&d, b, K);
}
