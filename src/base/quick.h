// base/quick.h: exp log tanh power seventh_root for vector lanes. See docs/solver/maths.md
//
// These functions let a compiler vectorise formulas: no tables (a gather), no calls, no branches.
// Every regime is computed and one is picked, with + - * / sqrt, comparisons and operations on the
// bits. A lane has the bits of the scalar, on every machine. The functions of base/maths.h are
// more exact.
//
// Whole numbers go to and from doubles by their bits: adding 1.5 2^52 leaves the nearest integer in
// the low bits, and the bits of 2^52 with a small integer in them are a sum. NEON and SSE2 have no
// conversion of 64-bit integers that is as quick, and SSE2 has none at all.
//
// Errors measured: test/base/test_quick.c. A NaN stays a NaN.
#ifndef IB_BASE_QUICK_H
#define IB_BASE_QUICK_H

#include "base/formula.h"
#include "base/maths.h"

#define IB__QUICK_LOG2E 0x1.71547652b82fep+0         ///< 1/ln 2
#define IB__QUICK_ROOT  UINT64_C(0x3fe6a09e667f3bcd) ///< the bits of sqrt(1/2)

// ------------------------------------------------------------------------------------- exponential

// x = k ln2 + r, |r| <= ln2/2
typedef struct ib__QuickExp {
    double power; ///< 2^k
    double less;  ///< e^r - 1, accurate when small, too
} ib__QuickExp;

// |x| <= 709. Taylor series of e^r - 1 - r to r^13, whose next term is below 2^-57:
//   r = x - k L1 - k L2,   x - k L1 exact
// The powers of r are summed in pairs, so that few of them depend on each other.
IB_FORMULA ib__QuickExp ib__quick_exp(double x)
{
    double shifted = x * IB__QUICK_LOG2E + IB__ROUND_MAGIC;
    double k = shifted - IB__ROUND_MAGIC;
    double r = (x - k * IB__LN2_HEAD) - k * IB__LN2_TAIL;
    double z = r * r, z2 = z * z, z4 = ib__fourth_square(z2);
    double low = (1.0 / 2 + r * (1.0 / 6)) + z * (1.0 / 24 + r * (1.0 / 120));
    double middle = (1.0 / 720 + r * (1.0 / 5040)) + z * (1.0 / 40320 + r * (1.0 / 362880));
    double high =
        (1.0 / 3628800 + r * (1.0 / 39916800)) + z * (1.0 / 479001600 + r * (1.0 / 6227020800));

    ib__QuickExp e;
    e.less = r + z * (low + (z2 * middle + z4 * high));
    e.power = ib__from_bits((ib__bits(shifted) + 1023) << 52);
    return e;
}

// e^x, x clamped to -708 .. 709.
IB_FORMULA double ib_quick_exp(double x)
{
    double most = x > 709 ? 709 : x;
    ib__QuickExp e = ib__quick_exp(most < -708 ? -708 : most);
    return e.power * (1 + e.less);
}

// e^-x, 0 <= x <= 708: the same without its limits.
IB_FORMULA double ib_quick_decay(double x)
{
    ib__QuickExp e = ib__quick_exp(-x);
    return e.power * (1 + e.less);
}

// tanh x = E/(E + 2), E = e^(2|x|) - 1 = 2^k (e^r - 1) + (2^k - 1): near 0, k is 0 and nothing
// cancels. From |x| = 20 on it is 1.
IB_FORMULA double ib_quick_tanh(double x)
{
    double size = ib__magnitude(x);
    ib__QuickExp e = ib__quick_exp(2 * (size > 20 ? 20 : size));
    double E = e.power * e.less + (e.power - 1);
    return ib__with_sign(E / (E + 2), x);
}

// --------------------------------------------------------------------------------------- logarithm

// ln x of a normal x > 0; undefined elsewhere.
//   x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2),   s = f/(2 + f), |s| < 0.172
//   ln(1 + f) = 2 atanh(s) = 2 s + s R,   R = 2 (s^2/3 + s^4/5 + ...) to s^22; next: 2^-60
//             = f - (f^2/2 - s (f^2/2 + R)):  f is exact, the rest is small
// x - x is 0, or NaN where x is no finite number.
IB_FORMULA double ib_quick_log(double x)
{
    const uint64_t one = UINT64_C(0x3ff0000000000000), fraction = UINT64_C(0x000fffffffffffff);
    uint64_t bits = ib__bits(x) + (one - IB__QUICK_ROOT);
    double k = ib__from_bits((bits >> 52) | ib__bits(0x1p52)) - (0x1p52 + 1023);
    double f = (ib__from_bits((bits & fraction) + IB__QUICK_ROOT) - 1) + (x - x);
    double s = f / (2 + f), half = 0.5 * f * f;
    double z = s * s, z2 = z * z, z4 = z2 * z2;
    double low = (2.0 / 3 + z * (2.0 / 5)) + z2 * (2.0 / 7 + z * (2.0 / 9));
    double middle = (2.0 / 11 + z * (2.0 / 13)) + z2 * (2.0 / 15 + z * (2.0 / 17));
    double high = (2.0 / 19 + z * (2.0 / 21)) + z2 * (2.0 / 23);
    double R = z * (low + z4 * (middle + z4 * high));
    return k * IB__LN2_HEAD - ((half - (s * (half + R) + k * IB__LN2_TAIL)) - f);
}

// x^p = e^(p ln x), x >= 0, p > 0: 0^p = 0, as is that of a subnormal x. The logarithm's rounding
// counts |p ln x| times.
IB_FORMULA double ib_quick_power(double x, double p)
{
    double power = ib_quick_exp(p * ib_quick_log(x));
    return x < DBL_MIN ? 0 : power;
}

// ------------------------------------------------------------------------------------------- roots

// r^(1/7), 1/2 <= r <= 1. A polynomial in e = 1 - r within 1e-6 (equal ripples; 1 at r = 1) is made
// exact by one step of Halley's method, which cubes the error, 4 (1e-6)^3:
//   s <- s (6 s^7 + 8 r)/(8 s^7 + 6 r) = s + 2 s (r - s^7)/(8 s^7 + 6 r)
// The second form rounds the small part only.
IB_FORMULA double ib_quick_seventh_root(double r)
{
    double e = 1 - r, e2 = e * e;
    double s =
        1 +
        e * ((-0.14293621006530255 - 0.05919661372374695 * e) +
             e2 * ((-0.054479604844114404 + 0.02930871118250524 * e) - 0.0969616955840973 * e2));
    double s2 = s * s, s7 = s2 * s2 * (s2 * s);
    return s + 2 * s * (r - s7) / (8 * s7 + 6 * r);
}

#endif
