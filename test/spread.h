// test/spread.h: numbers that are evenly spread, and the same in every run and on every machine.
#ifndef IB_TEST_SPREAD_H
#define IB_TEST_SPREAD_H

#include <stdint.h>

// Evenly spread in low .. high.
static inline double spread(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ((double)(*seed >> 11) * 0x1p-53);
}

// Either sign alike: -1 .. 1.
static inline double spread_signed(uint64_t *seed)
{
    return spread(seed, -1, 1);
}

#endif
