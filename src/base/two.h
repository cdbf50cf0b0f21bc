// base/two.h: two doubles side by side, each with the bits that a plain double would have.
// Both share one 16-byte vector (NEON, SSE2): docs/performance.md
#ifndef IB_BASE_TWO_H
#define IB_BASE_TWO_H

#include "base/formula.h"
#include "base/maths.h"

#include <math.h>
#include <stdbool.h>

#ifdef __CUDACC__
struct ib__Two {
    double first, second;
};
#define IB__TWO_OPERATOR(op)                                                                       \
    IB_FORMULA ib__Two operator op(ib__Two a, ib__Two b)                                           \
    {                                                                                              \
        ib__Two r = {a.first op b.first, a.second op b.second};                                    \
        return r;                                                                                  \
    }                                                                                              \
    IB_FORMULA ib__Two operator op(double a, ib__Two b)                                            \
    {                                                                                              \
        ib__Two r = {a op b.first, a op b.second};                                                 \
        return r;                                                                                  \
    }
IB__TWO_OPERATOR(+)
IB__TWO_OPERATOR(-)
IB__TWO_OPERATOR(*)
IB__TWO_OPERATOR(/)

IB_FORMULA double ib__first(ib__Two v)
{
    return v.first;
}

IB_FORMULA double ib__second(ib__Two v)
{
    return v.second;
}
#else
typedef double ib__Two __attribute__((vector_size(16)));
typedef uint64_t ib__TwoBits __attribute__((vector_size(16)));
// Two neighbours of an array of doubles, wherever in it.
typedef double ib__TwoOf __attribute__((vector_size(16), aligned(8), may_alias));
// The result of a comparison of two: all bits of each, or none.
typedef int64_t ib__TwoTruths __attribute__((vector_size(16)));
typedef uint64_t ib__TwoBitsOf __attribute__((vector_size(16), aligned(8), may_alias));

// True if both are true. Combined as bits, since gcc splits combined truth values again, one
// by one.
IB_FORMULA bool ib__are_both(ib__TwoBits truths)
{
#ifdef __SSE2__
    return __builtin_ia32_movmskpd((ib__Two)truths) == 3;
#else
    return (truths[0] & truths[1]) != 0;
#endif
}

IB_FORMULA double ib__first(ib__Two v)
{
    return v[0];
}

IB_FORMULA double ib__second(ib__Two v)
{
    return v[1];
}
#endif

IB_FORMULA ib__Two ib__two(double first, double second)
{
    ib__Two r = {first, second};
    return r;
}

IB_FORMULA double ib__two_sum(ib__Two v)
{
    return ib__first(v) + ib__second(v);
}

IB_FORMULA ib__Two ib__two_sqrt(ib__Two v)
{
    return ib__two(sqrt(ib__first(v)), sqrt(ib__second(v)));
}

// Positive elements of v, else 0.
IB_FORMULA ib__Two ib__two_positive(ib__Two v)
{
#ifdef __CUDACC__
    return ib__two(v.first > 0.0 ? v.first : 0.0, v.second > 0.0 ? v.second : 0.0);
#else
    return (ib__Two)((ib__TwoBits)v & (ib__TwoBits)(v > 0.0));
#endif
}

// 2^-k from k + IB__ROUND_MAGIC, k >= 0 whole; 0 from k = 61 on.
IB_FORMULA ib__Two ib__two_halvings(ib__Two shifted)
{
#ifdef __CUDACC__
    double last = IB__ROUND_MAGIC + 60.0;
    double a = ib__from_bits((1023 - ib__bits(shifted.first)) << 52);
    double b = ib__from_bits((1023 - ib__bits(shifted.second)) << 52);
    return ib__two(shifted.first > last ? 0.0 : a, shifted.second > last ? 0.0 : b);
#else
    ib__TwoBits none = (ib__TwoBits)(shifted > IB__ROUND_MAGIC + 60.0);
    ib__TwoBits power = (1023 - (ib__TwoBits)shifted) << 52;
    return (ib__Two)(power & ~none);
#endif
}

#endif
