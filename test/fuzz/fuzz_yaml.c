// Fuzz target: a few bytes, repeated to a quarter of a megabyte, as YAML. It is read or refused
// with located mistakes; what takes the square of its length does not end within the time that
// test/fuzz/budget.c allows (a run of blanks as long would take two minutes without its limit).
#include "base/status.h"
#include "file/yaml.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LARGEST = 1 << 18, LONGEST_UNIT = 16 };

// The first two bytes say how many of the others begin the text and how many are repeated; what is
// left ends it.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3) return 0;
    size_t before = data[0], unit = 1 + data[1] % LONGEST_UNIT, rest = size - 2;
    const uint8_t *bytes = data + 2;
    if (before > rest) before = rest;
    if (unit > rest - before) unit = rest - before;
    size_t after = rest - before - unit;
    size_t times = unit && rest < LARGEST ? (LARGEST - rest) / unit : 0;

    char *text = malloc(rest + times * unit + 1), *at = text;
    if (!text) return 0;
    memcpy(at, bytes, before);
    at += before;
    for (size_t i = 0; i <= times; i++, at += unit) memcpy(at, bytes + before, unit);
    memcpy(at, bytes + before + unit, after);
    at += after;

    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_Node *root = ib_yaml_read("fuzz.yaml", text, (size_t)(at - text), &arena, &diagnostics);
    IB_ASSERT(root || diagnostics.count > 0);
    ib_arena_reset(&arena);
    free(text);
    return 0;
}
