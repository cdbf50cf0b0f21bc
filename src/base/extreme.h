// base/extreme.h: the larger and the smaller of two numbers, with the same bits everywhere.
//
// C lets fmax of -0 and 0 be either zero: the instruction of ARM gives 0, the x86-64 C library the
// second. Here the second of two equals is taken. As with fmax and fmin, NaN gives way to numbers.
#ifndef IB_BASE_EXTREME_H
#define IB_BASE_EXTREME_H

#include "base/extreme.h"
#include "base/formula.h"

// By | and not by ||: two comparisons and a choice, without a branch.
IB_FORMULA double ib_max(double a, double b)
{
    return ((a > b) | (b != b)) ? a : b;
}

IB_FORMULA double ib_min(double a, double b)
{
    return ((a < b) | (b != b)) ? a : b;
}

#endif
