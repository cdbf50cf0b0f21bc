// base/converter.h: the codes of a converter between numbers and voltages, A/D and D/A alike.
#ifndef IB_BASE_CONVERTER_H
#define IB_BASE_CONVERTER_H

#include <math.h>
#include <stdint.h>

enum { IB_CONVERTER_BITS = 32 }; ///< the most

// The nearest of the 2^bits codes of a converter from `low` on, as a value; 0 bits: z itself,
// within the range.
//   code = round((z - low)/q), 0 .. 2^bits - 1,   q = (high - low)/2^bits
// so that the largest value is high - q.
static inline double ib_convert(double low, double high, int bits, double z)
{
    if (bits == 0) return z < low ? low : z > high ? high : z;
    double codes = (double)(UINT64_C(1) << bits);
    double q = (high - low) / codes;
    double code = rint((z - low) / q);
    code = code < 0 ? 0 : code > codes - 1 ? codes - 1 : code;
    return low + q * code;
}

#endif
