// base/hash.h: a 64-bit fingerprint of a state, equal on every machine (multiply, then fold).
#ifndef IB_BASE_HASH_H
#define IB_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define IB_HASH_START UINT64_C(0xcbf29ce484222325)

// Every word is multiplied in and the high half folded onto the low one, so that all bits count.
static inline uint64_t ib_hash_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 32);
}

static inline uint64_t ib_hash_doubles(uint64_t hash, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t word;
        memcpy(&word, &values[i], sizeof word);
        hash = ib_hash_word(hash, word);
    }
    return hash;
}

static inline uint64_t ib_hash_text(uint64_t hash, const char *text)
{
    for (; *text; text++) hash = ib_hash_word(hash, (unsigned char)*text);
    return hash;
}

#endif
