// design/riccati/riccati_wide.h: small matrices of numbers with twice the digits of a double, for
// Riccati equations whose X needs more than a double.
//
// A number is the sum of two doubles that do not overlap, which sum and product keep exactly by
// tracking rounding errors: about 31 digits.                    [Dekker 1971, Knuth]
#ifndef IB_DESIGN_RICCATI_WIDE_H
#define IB_DESIGN_RICCATI_WIDE_H

#include "design/riccati/riccati_inside.h"

typedef struct ib__Wide {
    double high, low; ///< the number is their sum
} ib__Wide;

// -------------------------------------------------------------------------------------- arithmetic

// a + b exactly, for |a| >= |b|.
static inline ib__Wide ib__wide_join(double a, double b)
{
    double sum = a + b;
    return (ib__Wide){sum, b - (sum - a)};
}

static inline ib__Wide ib__wide_plus(ib__Wide a, ib__Wide b)
{
    double sum = a.high + b.high, part = sum - a.high;
    double lost = (a.high - (sum - part)) + (b.high - part);
    return ib__wide_join(sum, lost + (a.low + b.low));
}

// The upper half of the digits of a.
static inline double ib__wide_upper(double a)
{
    double c = 134217729.0 * a; // 2^27 + 1
    return c - (c - a);
}

static inline ib__Wide ib__wide_times(ib__Wide a, ib__Wide b)
{
    double product = a.high * b.high;
    double a1 = ib__wide_upper(a.high), a2 = a.high - a1;
    double b1 = ib__wide_upper(b.high), b2 = b.high - b1;
    double lost = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
    return ib__wide_join(product, lost + (a.high * b.low + a.low * b.high));
}

static inline ib__Wide ib__wide_minus(ib__Wide a)
{
    return (ib__Wide){-a.high, -a.low};
}

// ---------------------------------------------------------------------------------------- matrices

static inline void ib__widen(int count, const double *a, ib__Wide *w)
{
    for (int i = 0; i < count; i++) w[i] = (ib__Wide){a[i], 0};
}

static inline void ib__narrow(int count, const ib__Wide *w, double *a)
{
    for (int i = 0; i < count; i++) a[i] = w[i].high;
}

// c = a b, with a: rows x inner, b: inner x columns.
void ib__wide_multiply(int rows, int inner, int columns, const ib__Wide *a, const ib__Wide *b,
                       ib__Wide *c);

void ib__wide_transpose(int rows, int columns, const ib__Wide *a, ib__Wide *t);

// a += sign b, sign 1 or -1.
void ib__wide_add(int count, double sign, const ib__Wide *b, ib__Wide *a);

// a += b, made symmetric; returns the size of b over that of a.
double ib__wide_grow(int n, const ib__Wide *b, ib__Wide *a);

// x <- W^-1 x, with x: n x columns, by elimination above and below the largest pivot; W is spoilt.
// False: W is singular, or too large.
bool ib__wide_solve(int n, int columns, ib__Wide *W, ib__Wide *x);

// ----------------------------------------------------------------------------------------- Riccati

// X by doubling, in `steps`, with `added` on the diagonal of Q. False: breakdown.
bool ib__riccati_double_wide(const ib__Balanced *b, double added, ib__Wide *X, int *steps);

// Newton's method with the residual in wide numbers, from X, which is improved until it and its
// gains converge. Fills all of `c`, rounded once, and `squarings` that prove its loop stable.
// False: it does not converge, or the loop is not stable.
bool ib__riccati_refine(const ib__Balanced *b, ib__Wide *X, ib__Candidate *c, int *squarings,
                        int *corrections);

#endif
