// base/flush_to_zero.h: states that have decayed are set to zero. See docs/solver/solver.md, "Rest"
//
// A decaying state ends among the subnormal numbers, below 2.2e-308, which a processor may handle a
// hundred times more slowly. It is set to zero long before that: the same on every machine,
// whatever its flags say about subnormal numbers.
#ifndef IB_BASE_FLUSH_TO_ZERO_H
#define IB_BASE_FLUSH_TO_ZERO_H

#include <math.h>

// A state below this is zero, in whatever SI unit: the mass of an electron is 9e-31 kg, its charge
// 2e-19 C. Its fourth power, times the other factors of a formula, is still a normal number.
#define IB_FLUSH_LIMIT 1e-60

// x, or a zero of its sign below IB_FLUSH_LIMIT. NaN stays NaN.
static inline double ib_flushed(double x)
{
    int nothing = (x < IB_FLUSH_LIMIT) & (x > -IB_FLUSH_LIMIT);
    return nothing ? copysign(0, x) : x;
}

static inline void ib_flush(double *x, int count)
{
    for (int i = 0; i < count; i++) x[i] = ib_flushed(x[i]);
}

#endif
