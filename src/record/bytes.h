// record/bytes.h: bytes on their way into a file. Little endian, as WPILOG requires.
#ifndef IB_RECORD_BYTES_H
#define IB_RECORD_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct ib_Bytes {
    unsigned char *data;
    size_t count, capacity;
    bool failed; ///< memory ran out; all bytes put since then are missing
} ib_Bytes;

// Reserves room for `more` bytes beyond `count`: after a large enough reservation
// nothing allocates.
bool ib_bytes_reserve(ib_Bytes *bytes, size_t more);
void ib_bytes_free(ib_Bytes *bytes);

void ib_bytes_put(ib_Bytes *bytes, const void *data, size_t size);
void ib_bytes_put_text(ib_Bytes *bytes, const char *text); ///< without its NUL
void ib_bytes_put_char(ib_Bytes *bytes, char c);

// The lowest `size` bytes of `word`, lowest first; size <= 8.
void ib_bytes_put_word(ib_Bytes *bytes, uint64_t word, int size);

// Stores all eight bytes of `word`, lowest first; `to` has room for them. A caller that needs the
// lowest few advances that far and overwrites the rest.
static inline void ib_bytes_store(unsigned char *to, uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(to, &word, sizeof word);
}

// The word from `size` <= 8 bytes, lowest first.
static inline uint64_t ib_bytes_word(const unsigned char *data, int size)
{
    uint64_t word = 0;
    for (int i = size - 1; i >= 0; i--) word = word << 8 | data[i];
    return word;
}

#endif
