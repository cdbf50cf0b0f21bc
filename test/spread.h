// test/spread.h: random numbers of tests: the same in every run and on every machine, unless SEED=N
// in the environment asks for others. What fails with SEED=7 fails with it again.
#ifndef IB_TEST_SPREAD_H
#define IB_TEST_SPREAD_H

#include "base/random.h"

#include <stdint.h>
#include <stdlib.h>

// Set and reset of a test of numbered cases, which are the same whatever SEED asks for:
// cmocka_unit_test_setup_teardown(name, chance_fix, chance_free).
static inline int *chance_fixed(void)
{
    static int fixed;
    return &fixed;
}

static inline int chance_fix(void **state)
{
    (void)state;
    *chance_fixed() = 1;
    return 0;
}

static inline int chance_free(void **state)
{
    (void)state;
    *chance_fixed() = 0;
    return 0;
}

// The N; 0: none.
static inline uint64_t chance_seed(void)
{
    static uint64_t seed;
    static int known;
    if (*chance_fixed()) return 0;
    if (known) return seed;
    const char *text = getenv("SEED"); // test/runner.c has judged it
    seed = text ? strtoull(text, NULL, 10) : 0;
    known = 1;
    return seed;
}

// Functions of (seed, stream, index), as those of base/random.h.
static inline double chance_uniform(uint64_t seed, uint64_t stream, uint64_t index)
{
    return ib_random_uniform(seed + (chance_seed() << 32), stream, index);
}

static inline double chance_normal(uint64_t seed, uint64_t stream, uint64_t index)
{
    return ib_random_normal(seed + (chance_seed() << 32), stream, index);
}

static inline uint64_t chance_bits(uint64_t seed, uint64_t stream, uint64_t index)
{
    return ib_random_bits(seed + (chance_seed() << 32), stream, index);
}

// The next of a sequence: a linear congruential generator; SEED makes others of its numbers.
static inline uint64_t spread_bits(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return chance_seed() ? ib_random_bits(chance_seed(), 0, *seed) : *seed;
}

// Evenly spread in low .. high.
static inline double spread(uint64_t *seed, double low, double high)
{
    return low + (high - low) * ((double)(spread_bits(seed) >> 11) * 0x1p-53);
}

// Either sign alike: -1 .. 1.
static inline double spread_signed(uint64_t *seed)
{
    return spread(seed, -1, 1);
}

#endif
