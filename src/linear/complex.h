// linear/complex.h: complex arithmetic and linear equations, to the same bits everywhere.
// C's own complex division depends on each machine's library.
#ifndef IB_LINEAR_COMPLEX_H
#define IB_LINEAR_COMPLEX_H

#include "base/extreme.h"
#include "linear/eigen.h"

#include <math.h>

static inline ib_Complex ib_complex_add(ib_Complex a, ib_Complex b)
{
    return (ib_Complex){a.re + b.re, a.im + b.im};
}

static inline ib_Complex ib_complex_subtract(ib_Complex a, ib_Complex b)
{
    return (ib_Complex){a.re - b.re, a.im - b.im};
}

static inline ib_Complex ib_complex_multiply(ib_Complex a, ib_Complex b)
{
    return (ib_Complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// a / b by the larger part of b, so that |b|^2 can neither overflow nor vanish. [Smith 1962]
static inline ib_Complex ib_complex_divide(ib_Complex a, ib_Complex b)
{
    if (fabs(b.re) >= fabs(b.im)) {
        double r = b.im / b.re, d = b.re + b.im * r;
        return (ib_Complex){(a.re + a.im * r) / d, (a.im - a.re * r) / d};
    }
    double r = b.re / b.im, d = b.re * r + b.im;
    return (ib_Complex){(a.re * r + a.im) / d, (a.im * r - a.re) / d};
}

static inline double ib_complex_size(ib_Complex a)
{
    double large = ib_max(fabs(a.re), fabs(a.im)), small = ib_min(fabs(a.re), fabs(a.im));
    if (!(large > 0)) return large;
    double r = small / large;
    return large * sqrt(1 + r * r);
}

// Solves a x = b for `columns` right-hand sides at once (b: n x columns, becomes x), by elimination
// with the largest pivot of each column; a is spoilt. Returns |det a|; 0: singular, b is spoilt.
double ib_complex_solve(int n, int columns, ib_Complex *a, ib_Complex *b);

// The eigenvalues of a small matrix (n <= 8), in no order; a is spoilt. QR iterations with the
// shift of Wilkinson, at most 60 for each; a value that has not converged by then is returned as
// it is.
void ib_complex_eigenvalues(int n, ib_Complex *a, ib_Complex *values);

#endif
