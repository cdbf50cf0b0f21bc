// base/maths.h: sin cos atan2 exp log pow tanh with the same bits everywhere.
// See docs/solver/maths.md
//
// Each C library rounds these functions in its own way; a run would then depend on the machine.
// These functions use + - * /, comparisons and integer operations only, which IEEE 754 defines to
// the bit. Compile without contraction (-ffp-contract=off, nvcc -fmad=false).
//
// Every result is within 1 ulp of the true value (measured: docs/solver/maths.md). Zeros,
// infinities, NaN and domain errors give the values of C17 Annex F; errno and the exception flags
// are not promised. A NaN result is always the same quiet NaN.
//
// Symbols: a Pair is an unevaluated sum head + tail with |tail| <= ulp(head)/2, about 106 bits.
#ifndef IB_BASE_MATHS_H
#define IB_BASE_MATHS_H

#include "base/formula.h"
#include "base/maths_tables.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

#if defined(__FAST_MATH__) || (defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0)
#error "base/maths.h needs plain IEEE 754 doubles"
#endif

// Rare paths are out of line: docs/performance.md
#ifdef __CUDACC__
#define IB_MATHS_RARE static __host__ __device__ __noinline__
#else
#define IB_MATHS_RARE __attribute__((noinline, unused)) static
#endif

#define IB__SIGN_BIT    (UINT64_C(1) << 63)
#define IB__INF_BITS    UINT64_C(0x7ff0000000000000)
#define IB__NAN_BITS    UINT64_C(0x7ff8000000000000)
#define IB__ROUND_MAGIC 0x1.8p52 ///< adding it leaves the nearest integer in the low bits

// -------------------------------------------------------------------------------------------- bits

IB_MATHS_FN uint64_t ib__bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

IB_MATHS_FN double ib__from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

IB_MATHS_FN double ib__magnitude(double x)
{
    return ib__from_bits(ib__bits(x) & ~IB__SIGN_BIT);
}

// `magnitude` >= 0 with the sign of `sign`.
IB_MATHS_FN double ib__with_sign(double magnitude, double sign)
{
    return ib__from_bits(ib__bits(magnitude) | (ib__bits(sign) & IB__SIGN_BIT));
}

// 2^k, -1022 <= k <= 1023.
IB_MATHS_FN double ib__power_of_two(int64_t k)
{
    return ib__from_bits((uint64_t)(k + 1023) << 52);
}

// ------------------------------------------------------------------------------------------- pairs

typedef struct ib__Pair {
    double head; ///< the sum, rounded
    double tail; ///< the rounding error of the sum
} ib__Pair;

// a + b without error, |a| >= |b|. [Dekker 1971]
IB_MATHS_FN ib__Pair ib__pair_ordered(double a, double b)
{
    ib__Pair sum;
    sum.head = a + b;
    sum.tail = b - (sum.head - a);
    return sum;
}

// a + b without error. [Knuth, TAOCP 2, 4.2.2]
IB_MATHS_FN ib__Pair ib__pair_sum(double a, double b)
{
    ib__Pair sum;
    sum.head = a + b;
    double part = sum.head - a;
    sum.tail = (a - (sum.head - part)) + (b - part);
    return sum;
}

// a * b without error, |a|, |b| < 2^995 and no underflow: each is cut into two halves of 26 bits,
// whose products are exact. [Veltkamp 1968, Dekker 1971]
IB_MATHS_FN ib__Pair ib__pair_product(double a, double b)
{
    const double cut = 134217729.0; // 2^27 + 1
    double a_cut = a * cut, b_cut = b * cut;
    double a1 = a_cut - (a_cut - a), b1 = b_cut - (b_cut - b);
    double a2 = a - a1, b2 = b - b1;
    ib__Pair product;
    product.head = a * b;
    product.tail = ((a1 * b1 - product.head) + a1 * b2 + a2 * b1) + a2 * b2;
    return product;
}

// r^8 from r^4, for a series whose first terms have 1 and r^2 in them: below r^4 = 2^-347, where
// r^8 is negligible, a larger value keeps it from becoming subnormal, which is
// slow. docs/solver/maths.md
IB_MATHS_FN double ib__fourth_square(double z2)
{
    double w = z2 + 0x1p-400;
    return w * w;
}

// ---------------------------------------------------------------------------------------- sin, cos

// The argument as a whole number of quarter turns and a remainder:
//   x = quarter pi/2 + r - t,   |r| <= 0.7855,   t: what r lost by rounding
// t has the sign opposite to a tail so that r - (0) keeps the sign of r = -0.
typedef struct ib__Angle {
    double r, t;      ///< [rad]
    uint64_t quarter; ///< modulo 4
} ib__Angle;

// sin(r - t) and cos(r - t) with z = r^2, S and C fitted at Chebyshev points:
//   sin(r - t) = r - (r z S(z) + t (1 - z/2))
//   cos(r - t) = 1 - z/2 + (z^2 C(z) + t r)
// The terms in t drop t z^2, below 2^-54 z^2. 1 - z/2 rounds; what it lost is added back.
IB_MATHS_FN void ib__sincos_near_zero(double r, double t, double *s, double *c)
{
    double z = r * r, z2 = z * z, z4 = ib__fourth_square(z2);
    double s_poly = (IB__SIN_0 + IB__SIN_1 * z) +
                    (z2 * (IB__SIN_2 + IB__SIN_3 * z) + z4 * (IB__SIN_4 + IB__SIN_5 * z));
    double c_poly = (IB__COS_0 + IB__COS_1 * z) +
                    (z2 * (IB__COS_2 + IB__COS_3 * z) + z4 * (IB__COS_4 + IB__COS_5 * z));
    double half = 0.5 * z;
    double c_head = 1.0 - half;
    *s = r - (r * z * s_poly + t * c_head);
    *c = c_head + (((1.0 - c_head) - half) + (z2 * c_poly + t * r));
}

// Turned by q quarters, with cos_q = cos(q pi/2) and sin_q = sin(q pi/2) made from the bits of q.
// Products with 0 and +-1 are exact:
//   sin = s0 cos_q + c0 sin_q,   cos = c0 cos_q - s0 sin_q
// For q = 0, sin_q is -0: then s0 = -0 stays -0.
IB_MATHS_FN void ib__sincos_turned(ib__Angle angle, double *s, double *c)
{
    double s0, c0;
    ib__sincos_near_zero(angle.r, angle.t, &s0, &c0);
    uint64_t q = angle.quarter, one = UINT64_C(0x3ff0000000000000);
    double cos_q = ib__from_bits((one & ((q & 1) - 1)) | (q & 2) << 62);
    double sin_q = ib__from_bits((one & (0 - (q & 1))) | ((q - 1) & 2) << 62);
    *s = s0 * cos_q + c0 * sin_q;
    *c = c0 * cos_q - s0 * sin_q;
}

// Cody and Waite: n = round(2x/pi) < 2^16, and n times the first two parts of pi/2 is exact:
//   r - t = ((x - n P1) - n P2) - n P3
// x - n P1 is exact by Sterbenz's lemma. The rounding error of x - n P1 - n P2 is exact again (zero
// where the second operand is the larger), so that only t rounds, below 2^-106.
IB_MATHS_FN ib__Angle ib__angle_near(double x)
{
    ib__Angle angle;
    double shifted = x * IB__TWO_OVER_PI + IB__ROUND_MAGIC;
    double n = shifted - IB__ROUND_MAGIC;
    double first = x - n * IB__HALF_PI_1;
    double second = n * IB__HALF_PI_2;
    angle.r = first - second;
    angle.t = (second - (first - angle.r)) + n * IB__HALF_PI_3;
    angle.quarter = ib__bits(shifted) & 3;
    return angle;
}

// The product of the mantissa m and six words of 2/pi (most significant first), modulo 2^192.
IB_MATHS_FN void ib__angle_product(uint64_t m, const uint32_t f[6], uint64_t product[3])
{
    const uint64_t low_half = UINT64_C(0xffffffff);
    uint64_t m_low = m & low_half, m_high = m >> 32, carry = 0;
    uint64_t word[6];
    for (int i = 5; i >= 0; i--) {
        uint64_t a = m_low * f[i];
        uint64_t b = i < 5 ? m_high * f[i + 1] : 0;
        uint64_t sum = (a & low_half) + (b & low_half) + carry;
        word[i] = sum & low_half;
        carry = (a >> 32) + (b >> 32) + (sum >> 32);
    }
    for (int i = 0; i < 3; i++) product[i] = word[2 * i] << 32 | word[2 * i + 1];
}

// The fraction a/2^64 + b/2^128 < 1/2 of a quarter turn in radians, as a pair.
IB_MATHS_FN ib__Pair ib__angle_radians(uint64_t a, uint64_t b)
{
    const uint64_t low_half = UINT64_C(0xffffffff);
    ib__Pair top = ib__pair_sum((double)(a >> 32) * 0x1p-32, (double)(a & low_half) * 0x1p-64);
    ib__Pair f = ib__pair_sum(top.head, (double)(b >> 32) * 0x1p-96);
    f.tail += top.tail + (double)(b & low_half) * 0x1p-128;
    ib__Pair r = ib__pair_product(f.head, IB__HALF_PI_HEAD);
    r.tail += f.head * IB__HALF_PI_TAIL + f.tail * IB__HALF_PI_HEAD;
    return ib__pair_ordered(r.head, r.tail);
}

// Payne and Hanek: |x| = m 2^e > 1e5, finite. Bits of 2/pi above weight 2^(2-e) only add multiples
// of 4 quarters, so 192 bits from there on suffice: 2 of the product are the quarter, 137 of the
// rest are exact, and no double is nearer than 2^-62 to a multiple of pi/2.
IB_MATHS_RARE ib__Angle ib__angle_far(double x)
{
    uint64_t bits = ib__bits(x);
    int e = (int)(bits >> 52 & 0x7ff) - 1075;
    uint64_t m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;

    // The window starts at bit e - 2 of 2/pi; the table has 64 zero bits in front.
    int start = e - 2 + 64;
    const uint32_t *words = ib__two_over_pi_words() + start / 32;
    uint32_t f[6];
    for (int i = 0; i < 6; i++) {
        uint64_t both = (uint64_t)words[i] << 32 | words[i + 1];
        f[i] = (uint32_t)(both << start % 32 >> 32);
    }
    uint64_t product[3];
    ib__angle_product(m, f, product);

    // Quarter and fraction; a fraction above 1/2 counts back from the next quarter.
    uint64_t quarter = product[0] >> 62;
    uint64_t a = product[0] << 2 | product[1] >> 62, b = product[1] << 2 | product[2] >> 62;
    int back = (int)(a >> 63);
    if (back) {
        quarter++;
        b = ~b + 1;
        a = ~a + (b == 0);
    }
    ib__Pair r = ib__angle_radians(a, b);

    // sin is odd: a negative x turns the other way.
    int negative = (int)(bits >> 63);
    int flip = back != negative;
    ib__Angle angle;
    angle.r = flip ? -r.head : r.head;
    angle.t = flip ? r.tail : -r.tail;
    angle.quarter = (negative ? 0 - quarter : quarter) & 3;
    return angle;
}

IB_MATHS_RARE void ib__sincos_far(double x, double *s, double *c)
{
    if (!(ib__magnitude(x) <= DBL_MAX)) {
        *s = *c = ib__from_bits(IB__NAN_BITS);
        return;
    }
    ib__sincos_turned(ib__angle_far(x), s, c);
}

// sin and cos of any x. The quarter is a branch here, the bits are those of ib__sincos_turned:
// docs/performance.md says why there are both.
IB_FORMULA void ib_sincos(double x, double *s, double *c)
{
    if ((ib__bits(x) & ~IB__SIGN_BIT) > ib__bits(1e5)) {
        // Copies keep the caller's s and c out of memory: docs/performance.md
        double s_far, c_far;
        ib__sincos_far(x, &s_far, &c_far);
        *s = s_far;
        *c = c_far;
        return;
    }
    ib__Angle angle = ib__angle_near(x);
    double s0, c0;
    ib__sincos_near_zero(angle.r, angle.t, &s0, &c0);
    switch (angle.quarter) {
    case 0:
        *s = s0;
        *c = c0;
        return;
    case 1:
        *s = c0;
        *c = -s0;
        return;
    case 2:
        *s = -s0;
        *c = -c0;
        return;
    default:
        *s = -c0;
        *c = s0;
        return;
    }
}

IB_MATHS_FN double ib_sin(double x)
{
    double s, c;
    ib_sincos(x, &s, &c);
    return s;
}

IB_MATHS_FN double ib_cos(double x)
{
    double s, c;
    ib_sincos(x, &s, &c);
    return c;
}

// --------------------------------------------------------------------------------------------- exp

// e^x in factors:  x + tail = (128 k + j) ln2/128 + r,   |r| <= 0.0028
//   e^x = 2^k 2^(j/128) (1 + r + rest),   rest = e^r - 1 - r + r_tail (1 + r)
typedef struct ib__ExpFactors {
    ib__Pair root;  ///< 2^(j/128)
    double r, rest; ///< see above
    int64_t k;
} ib__ExpFactors;

// |x| < 1000. The series stops at r^6: the next term is below 2^-63 r.
IB_MATHS_FN ib__ExpFactors ib__exp_factors(double x, double tail)
{
    ib__ExpFactors e;
    double shifted = x * IB__STEPS_PER_E + IB__ROUND_MAGIC;
    double n = shifted - IB__ROUND_MAGIC;
    double first = x - n * IB__STEP_1; // exact: n < 2^19
    double second = n * IB__STEP_2;
    double r = first - second;
    double r_tail = ((first - r) - second) + tail;
    double z = r * r;
    double series =
        (1.0 / 2 + r * (1.0 / 6)) + (z * (1.0 / 24 + r * (1.0 / 120)) + z * z * (1.0 / 720));
    e.r = r;
    e.rest = z * series + (r_tail + r * r_tail);

    int64_t whole = (int64_t)(ib__bits(shifted) - ib__bits(IB__ROUND_MAGIC));
    int64_t j = whole & 127;
    const double *row = ib__exp_table() + 2 * j;
    e.root.head = row[0];
    e.root.tail = row[1];
    e.k = (whole - j) / 128;
    return e;
}

// e^(x + tail), x not NaN. Beyond the clamp the result is infinite or zero. The scale is applied in
// two steps, the first of which is exact, so that a subnormal result rounds once.
IB_MATHS_FN double ib__exp_pair(double x, double tail)
{
    if (x > 710) return ib__from_bits(IB__INF_BITS);
    if (x < -746) return 0.0;
    ib__ExpFactors e = ib__exp_factors(x, tail);
    double mantissa = e.root.head + (e.root.tail + e.root.head * (e.r + e.rest));
    int64_t half = e.k / 2;
    return mantissa * ib__power_of_two(half) * ib__power_of_two(e.k - half);
}

IB_MATHS_FN double ib_exp(double x)
{
    if (x != x) return ib__from_bits(IB__NAN_BITS);
    return ib__exp_pair(x, 0.0);
}

// --------------------------------------------------------------------------------------------- log

// ln(1 + r), |r| <= 2^-8, without its first two terms:
//   r^3/3 - r^4/4 + ... + r^9/9,   the next below 2^-75 of ln(1 + r)
IB_MATHS_FN double ib__log_series(double r)
{
    double z = r * r;
    double series = (1.0 / 3 - r * (1.0 / 4)) + z * (1.0 / 5 - r * (1.0 / 6)) +
                    z * z * ((1.0 / 7 - r * (1.0 / 8)) + z * (1.0 / 9));
    return r * z * series;
}

// ln x for 0 < x < inf, to about 68 bits:
//   x = 2^k z,  0.705 <= z < 1.41;   1 + r = z c,  c a 20-bit neighbour of 1/z
//   ln x = k ln2 - ln c + r - r^2/2 + (r^3/3 - ...)
// r has no error: z is cut in two halves of 27 bits, whose products with c are exact. Around x = 1
// the table has c = 1, so that the leading terms vanish and r = x - 1 carries full precision.
IB_MATHS_FN ib__Pair ib__log_pair(double x)
{
    int subnormal = x < DBL_MIN;
    uint64_t bits = ib__bits(subnormal ? x * 0x1p54 : x);
    uint64_t above = bits - IB__LOG_FIRST;
    uint64_t exponent = above & UINT64_C(0xfff0000000000000);
    double k = (double)((int64_t)exponent / ((int64_t)1 << 52) - (subnormal ? 54 : 0));
    const double *row = ib__log_table() + 3 * (above >> 45 & 127);

    // r = z c - 1
    double z = ib__from_bits(bits - exponent), c = row[0];
    double z_high = ib__from_bits((bits - exponent) & ~((UINT64_C(1) << 27) - 1));
    ib__Pair r = ib__pair_sum(z_high * c - 1.0, (z - z_high) * c);

    // Heads are multiples of 2^-40, so k ln2 - ln c adds without error; then the terms by size.
    double base = k * IB__LN2_HEAD + row[1];
    ib__Pair square = ib__pair_product(r.head, r.head);
    ib__Pair sum = ib__pair_sum(base, r.head);
    ib__Pair next = ib__pair_sum(sum.head, -0.5 * square.head);
    double small = r.tail - r.head * r.tail - 0.5 * square.tail + ib__log_series(r.head);
    double tail = (sum.tail + next.tail) + ((k * IB__LN2_TAIL + row[2]) + small);
    return ib__pair_ordered(next.head, tail);
}

// Zero, below zero, infinity, NaN.
IB_MATHS_RARE double ib__log_limit(double x)
{
    if (x == 0) return ib__from_bits(IB__INF_BITS | IB__SIGN_BIT);
    return ib__from_bits(x > 0 ? IB__INF_BITS : IB__NAN_BITS);
}

IB_MATHS_FN double ib_log(double x)
{
    if (!(x > 0 && x <= DBL_MAX)) return ib__log_limit(x);
    return ib__log_pair(x).head;
}

// --------------------------------------------------------------------------------------------- pow

// The parity of a finite or infinite y != 0. 0: not a whole number, 1: odd, 2: even (all from
// 2^53 on).
IB_MATHS_FN int ib__pow_parity(double y)
{
    double magnitude = ib__magnitude(y);
    if (magnitude < 1) return 0;
    if (magnitude >= 0x1p53) return 2;
    uint64_t whole = (uint64_t)magnitude;
    if ((double)whole != magnitude) return 0;
    return whole & 1 ? 1 : 2;
}

// |x|^y where |x| is 0 or infinite, or y is infinite: infinite when the base is pushed outward.
IB_MATHS_FN double ib__pow_limit(double magnitude, double y)
{
    if (magnitude == 1) return 1.0;
    int outward = (magnitude > 1) == (y > 0);
    return outward ? ib__from_bits(IB__INF_BITS) : 0.0;
}

// |x|^y = e^(y ln|x|), the product as a pair. A y beyond 2^70 overflows or underflows for every
// |x| != 1 (|ln x| >= 2^-54) and is cut there, so that the product stays finite.
IB_MATHS_FN double ib__pow_magnitude(double magnitude, double y)
{
    ib__Pair log = ib__log_pair(magnitude);
    y = y > 0x1p70 ? 0x1p70 : y < -0x1p70 ? -0x1p70 : y;
    ib__Pair product = ib__pair_product(y, log.head);
    return ib__exp_pair(product.head, product.tail + y * log.tail);
}

IB_MATHS_FN double ib_pow(double x, double y)
{
    if (x == 1 || y == 0) return 1.0; // even where the other is NaN
    if (x != x || y != y) return ib__from_bits(IB__NAN_BITS);
    double magnitude = ib__magnitude(x);
    int parity = ib__pow_parity(y);
    double sign = parity == 1 ? x : 1.0;
    if (magnitude == 0 || magnitude > DBL_MAX || ib__magnitude(y) > DBL_MAX)
        return ib__with_sign(ib__pow_limit(magnitude, y), sign);
    if (x < 0 && parity == 0) return ib__from_bits(IB__NAN_BITS);
    return ib__with_sign(ib__pow_magnitude(magnitude, y), sign);
}

// -------------------------------------------------------------------------------------------- tanh

// (a.head + a.tail) / (b.head + b.tail), 1 <= b < 8: the quotient, then its remainder divided. The
// remainder needs few digits: single precision will do.
IB_MATHS_FN ib__Pair ib__pair_quotient(ib__Pair a, ib__Pair b)
{
    double inverse = (double)(1.0f / (float)b.head);
    double q = a.head / b.head;
    ib__Pair back = ib__pair_product(q, b.head);
    double rest = ((a.head - back.head) - back.tail) + (a.tail - q * b.tail);
    ib__Pair quotient;
    quotient.head = q;
    quotient.tail = rest * inverse;
    return quotient;
}

// e^x - 1 for -50 < x <= 0 as a pair:  2^k 2^(j/128) (1 + r + rest) - 1
IB_MATHS_FN ib__Pair ib__exp_minus_one(double x)
{
    ib__ExpFactors e = ib__exp_factors(x, 0.0);
    double scale = ib__power_of_two(e.k);
    double power = scale * e.root.head;
    ib__Pair first = ib__pair_product(power, e.r);
    ib__Pair less = ib__pair_sum(power, -1.0);
    ib__Pair sum = ib__pair_sum(less.head, first.head);
    double tail = (less.tail + sum.tail) + (first.tail + (scale * e.root.tail + power * e.rest));
    return ib__pair_ordered(sum.head, tail);
}

// tanh a = -m / (2 + m),  m = e^(-2a) - 1, a = |x|. Limits: a < 2^-28 -> a (the next term a^3/3 is
// below 2^-57 a); a > 20 -> 1 (2 e^-40 is below 2^-56).
IB_MATHS_FN double ib_tanh(double x)
{
    if (x != x) return ib__from_bits(IB__NAN_BITS);
    double a = ib__magnitude(x);
    if (a < 0x1p-28) return x;
    if (a > 20) return ib__with_sign(1.0, x);
    ib__Pair m = ib__exp_minus_one(-2 * a);
    ib__Pair over = ib__pair_sum(2.0, m.head);
    over.tail += m.tail;
    m.head = -m.head;
    m.tail = -m.tail;
    ib__Pair ratio = ib__pair_quotient(m, over);
    return ib__with_sign(ratio.head + ratio.tail, x);
}

// ------------------------------------------------------------------------------------- atan2, atan

// base + sign atan(small/large) for 0 <= small <= large, large in [2, 4), base a pair:
//   atan(small/large) = atan g + atan t,   g = k/32 nearest to the ratio,
//   t = (small - g large) / (large + g small),   |t| <= 1/64
//   atan t = t - t^3/3 + t^5/5 - t^7/7 + t^9/9,   the next below 2^-63 t
IB_MATHS_FN double ib__atan_ratio(double small, double large, ib__Pair base, double sign)
{
    int k = (int)((float)small / (float)large * 32.0f + 0.5f); // near enough to the nearest
    double g = k * (1.0 / 32);
    const double *row = ib__atan_table() + 2 * k;

    // t as a pair, from numerator and denominator as pairs.
    ib__Pair down = ib__pair_product(g, large), up = ib__pair_product(g, small);
    ib__Pair num = ib__pair_sum(small, -down.head), den = ib__pair_ordered(large, up.head);
    num.tail -= down.tail;
    den.tail += up.tail;
    ib__Pair t = ib__pair_quotient(num, den);
    double z = t.head * t.head;
    double series = (-1.0 / 3 + z * (1.0 / 5)) + z * z * (-1.0 / 7 + z * (1.0 / 9));

    // The sum by size, each rounding kept: base, table, t, then all that is small.
    ib__Pair first = ib__pair_sum(base.head, sign * row[0]);
    ib__Pair second = ib__pair_sum(first.head, sign * t.head);
    double tail = base.tail + sign * (row[1] + (t.tail + t.head * z * series));
    return second.head + (first.tail + second.tail + tail);
}

// The octant of (y, x) fixes base and sign:
//   |y| <= |x|:  0 + a    for x > 0,  pi - a    for x < 0
//   |y| >  |x|:  pi/2 - a for x > 0,  pi/2 + a  for x < 0
// with a = atan(small/large), small and large the lesser and greater of |y|, |x|.
IB_MATHS_FN double ib_atan2(double y, double x)
{
    if (x != x || y != y) return ib__from_bits(IB__NAN_BITS);
    double ax = ib__magnitude(x), ay = ib__magnitude(y);
    int steep = ay > ax, left = (int)(ib__bits(x) >> 63);
    double large = steep ? ay : ax, small = steep ? ax : ay;

    // Equal infinities have the ratio 1, other infinities and two zeros the ratio 0.
    if (large > DBL_MAX || large == 0) {
        small = large > 0 && small == large ? 1.0 : 0.0;
        large = 1.0;
    }
    // A ratio below 2^-30 is its own arc tangent, and must round only once where it is subnormal.
    double quarters = steep ? 1.0 : left ? 2.0 : 0.0;
    if (quarters == 0 && small < large * 0x1p-30) return ib__with_sign(small / large, y);

    // Scaled so that 2 <= large < 4; `small` may lose bits only where it no longer counts.
    if (large < 0x1p-900) {
        large *= 0x1p120;
        small *= 0x1p120;
    }
    double scale = ib__power_of_two(1024 - (int64_t)(ib__bits(large) >> 52));
    ib__Pair base;
    base.head = quarters * IB__HALF_PI_HEAD;
    base.tail = quarters * IB__HALF_PI_TAIL;
    double sign = steep != left ? -1.0 : 1.0;
    return ib__with_sign(ib__atan_ratio(small * scale, large * scale, base, sign), y);
}

IB_MATHS_FN double ib_atan(double x)
{
    return ib_atan2(x, 1.0);
}

#endif
