#include "base/ordinary.h"

#include "base/flush_to_zero.h"

#include <stdint.h>
#include <string.h>

static int64_t bits_of(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// Without its sign a double grows with its bits, read as a whole number u, and NaN is above all:
//   u < low, but not 0:   the sign of (u - low) & -u        u > high:   the sign of high - u
// Whole numbers are compared two at a time on any machine, and raise no flags.
bool ib_are_ordinary(const double *values, int count, double most)
{
    int64_t low = bits_of(IB_FLUSH_LIMIT), high = bits_of(most), odd = 0;
    for (int i = 0; i < count; i++) {
        int64_t u = bits_of(values[i]) & INT64_MAX;
        odd |= ((u - low) & -u) | (high - u);
    }
    return odd >= 0;
}
