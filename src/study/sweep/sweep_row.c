#include "study/sweep/sweep_row.h"

#include <string.h>

enum { ERROR_SIZE = 0, WARNINGS_SIZE = 4, SEED = 8, HASH = 16, STATUS = 24, HEAD = 25 };

ib_SweepShape ib_sweep_shape(const ib_Sweep *sweep)
{
    return (ib_SweepShape){sweep->column_count, sweep->expectation_count};
}

size_t ib_sweep_row_size(ib_SweepShape shape)
{
    return HEAD + (size_t)shape.expectations + 8 * (size_t)shape.columns;
}

// On a little-endian machine a compiler makes one store of this.
static void put_word(unsigned char *at, uint64_t word, int size)
{
    for (int i = 0; i < size; i++) at[i] = (unsigned char)(word >> 8 * i);
}

void ib_sweep_row_put(ib_SweepShape shape, const ib_SweepResult *result, ib_Bytes *bytes)
{
    size_t error = result->error ? strlen(result->error) + 1 : 0;
    size_t warnings = result->warnings ? strlen(result->warnings) + 1 : 0;
    size_t size = ib_sweep_row_size(shape);
    IB_ASSERT(error <= IB_SWEEP_MAX_TEXT && warnings <= IB_SWEEP_MAX_TEXT);
    if (!ib_bytes_reserve(bytes, size + error + warnings)) {
        bytes->failed = true;
        return;
    }
    unsigned char *at = bytes->data + bytes->count;
    put_word(at + ERROR_SIZE, error, 4);
    put_word(at + WARNINGS_SIZE, warnings, 4);
    put_word(at + SEED, result->seed, 8);
    put_word(at + HASH, result->hash, 8);
    at[STATUS] = (unsigned char)result->status;
    for (int i = 0; i < shape.expectations; i++) at[HEAD + i] = result->passed[i];
    unsigned char *values = at + HEAD + shape.expectations;
    for (int i = 0; i < shape.columns; i++) {
        uint64_t word;
        memcpy(&word, &result->values[i], sizeof word);
        put_word(values + 8 * (size_t)i, word, 8);
    }
    if (error) memcpy(at + size, result->error, error);
    if (warnings) memcpy(at + size + error, result->warnings, warnings);
    bytes->count += size + error + warnings;
}

// Takes a text of so many bytes that ends with its only NUL.
static bool take_text(const unsigned char *data, size_t size, const char **text)
{
    *text = size ? (const char *)data : NULL;
    return size == 0 || (size <= IB_SWEEP_MAX_TEXT && memchr(data, 0, size) == data + size - 1);
}

size_t ib_sweep_row_get(ib_SweepShape shape, const unsigned char *data, size_t size,
                        ib_SweepResult *result)
{
    size_t fixed = ib_sweep_row_size(shape);
    if (size < fixed) return 0;
    size_t error = (size_t)ib_bytes_word(data + ERROR_SIZE, 4);
    size_t warnings = (size_t)ib_bytes_word(data + WARNINGS_SIZE, 4);
    if (error > size - fixed || warnings > size - fixed - error) return 0;
    result->seed = ib_bytes_word(data + SEED, 8);
    result->hash = ib_bytes_word(data + HASH, 8);
    result->status = (ib_Status)data[STATUS];
    if (result->status != IB_OK && result->status != IB_BAD_INPUT && result->status != IB_FAILED)
        return 0;
    if (!take_text(data + fixed, error, &result->error) ||
        !take_text(data + fixed + error, warnings, &result->warnings) ||
        (result->status == IB_OK) != (error == 0))
        return 0;
    for (int i = 0; i < shape.expectations; i++) {
        if (data[HEAD + i] > 1) return 0;
        result->passed[i] = data[HEAD + i];
    }
    const unsigned char *values = data + HEAD + shape.expectations;
    for (int i = 0; i < shape.columns; i++) {
        uint64_t word = ib_bytes_word(values + 8 * (size_t)i, 8);
        memcpy(&result->values[i], &word, sizeof word);
    }
    return fixed + error + warnings;
}
