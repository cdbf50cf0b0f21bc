#include "record/bytes.h"

#include <stdlib.h>
#include <string.h>

bool ib_bytes_reserve(ib_Bytes *bytes, size_t more)
{
    if (bytes->failed) return false;
    if (more <= bytes->capacity - bytes->count) return true;
    if (more > SIZE_MAX / 4 || bytes->count > SIZE_MAX / 4) {
        bytes->failed = true;
        return false;
    }
    size_t capacity = 2 * (bytes->count + more);
    unsigned char *data = realloc(bytes->data, capacity);
    if (!data) {
        bytes->failed = true;
        return false;
    }
    bytes->data = data;
    bytes->capacity = capacity;
    return true;
}

void ib_bytes_free(ib_Bytes *bytes)
{
    free(bytes->data);
    *bytes = (ib_Bytes){0};
}

void ib_bytes_put(ib_Bytes *bytes, const void *data, size_t size)
{
    if (size == 0 || !ib_bytes_reserve(bytes, size)) return;
    memcpy(bytes->data + bytes->count, data, size);
    bytes->count += size;
}

void ib_bytes_put_text(ib_Bytes *bytes, const char *text)
{
    ib_bytes_put(bytes, text, strlen(text));
}

void ib_bytes_put_char(ib_Bytes *bytes, char c)
{
    ib_bytes_put(bytes, &c, 1);
}

void ib_bytes_put_word(ib_Bytes *bytes, uint64_t word, int size)
{
    unsigned char raw[8];
    ib_bytes_store(raw, word);
    ib_bytes_put(bytes, raw, (size_t)size);
}
