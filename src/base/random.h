// base/random.h: random numbers as a function of (seed, stream, index). Nothing is kept in between.
//
// A counter goes in, random bits come out, so that noise at step 1000 is the same whether or not
// the 999 before it were drawn, in any order and on any number of threads.
//
// Philox4x32-10: ten rounds that scramble a counter of 4 words with a key of 2.
// J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2,
// 3", SC11. Here the key is the seed and the counter is (index, stream), so two streams, two seeds
// or two indices never share an input.
#ifndef IB_BASE_RANDOM_H
#define IB_BASE_RANDOM_H

#include "base/maths.h"

#include <math.h>
#include <stdint.h>

// Scrambles `counter` in place. One round, with hi/lo the halves of a 32 x 32 bit product:
//   (c0, c1, c2, c3) -> (hi(M1 c2) ^ c1 ^ k0, lo(M1 c2), hi(M0 c0) ^ c3 ^ k1, lo(M0 c0))
// and the key grows by (golden ratio, sqrt(3) - 1) in 32-bit fractions between rounds.
static inline void ib_random_philox(uint32_t counter[4], uint32_t key0, uint32_t key1)
{
    for (int round = 0; round < 10; round++) {
        uint64_t product0 = (uint64_t)counter[0] * UINT32_C(0xd2511f53);
        uint64_t product1 = (uint64_t)counter[2] * UINT32_C(0xcd9e8d57);
        counter[0] = (uint32_t)(product1 >> 32) ^ counter[1] ^ key0;
        counter[1] = (uint32_t)product1;
        counter[2] = (uint32_t)(product0 >> 32) ^ counter[3] ^ key1;
        counter[3] = (uint32_t)product0;
        key0 += UINT32_C(0x9e3779b9);
        key1 += UINT32_C(0xbb67ae85);
    }
}

// Two words of 64 random bits.
static inline void ib_random_pair(uint64_t seed, uint64_t stream, uint64_t index, uint64_t bits[2])
{
    uint32_t counter[4] = {(uint32_t)index, (uint32_t)(index >> 32), (uint32_t)stream,
                           (uint32_t)(stream >> 32)};
    ib_random_philox(counter, (uint32_t)seed, (uint32_t)(seed >> 32));
    bits[0] = (uint64_t)counter[1] << 32 | counter[0];
    bits[1] = (uint64_t)counter[3] << 32 | counter[2];
}

static inline uint64_t ib_random_bits(uint64_t seed, uint64_t stream, uint64_t index)
{
    uint64_t bits[2];
    ib_random_pair(seed, stream, index, bits);
    return bits[0];
}

// The upper 53 bits as a fraction in [0, 1).
static inline double ib__random_fraction(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

// Even over [0, 1).
static inline double ib_random_uniform(uint64_t seed, uint64_t stream, uint64_t index)
{
    return ib__random_fraction(ib_random_bits(seed, stream, index));
}

// Normal with mean 0 and standard deviation 1, by Box and Muller:
//   z = sqrt(-2 ln(1 - u1)) cos(2 pi u2),   u1, u2 from the two halves of one block
// 1 - u1 is in [2^-53, 1], so |z| < 8.6. Uses the same bits as ib_random_bits: give a noise source
// that needs both a stream for each.
static inline double ib_random_normal(uint64_t seed, uint64_t stream, uint64_t index)
{
    const double two_pi = 6.283185307179586477;
    uint64_t bits[2];
    double sine, cosine;
    ib_random_pair(seed, stream, index, bits);
    ib_sincos(two_pi * ib__random_fraction(bits[1]), &sine, &cosine);
    (void)sine;
    return sqrt(-2.0 * ib_log(1.0 - ib__random_fraction(bits[0]))) * cosine;
}

#endif
