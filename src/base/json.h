// base/json.h: writes JSON: the commas and the quoting, nothing more.
#ifndef IB_BASE_JSON_H
#define IB_BASE_JSON_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct ib_Json {
    FILE *file;
    bool comma; ///< a value came before in this object or array
} ib_Json;

void ib_json_open(ib_Json *json, const char *key, char bracket); ///< '{' or '['; key NULL: none
void ib_json_close(ib_Json *json, char bracket);                 ///< '}' or ']'
void ib_json_text(ib_Json *json, const char *key, const char *text);
void ib_json_number(ib_Json *json, const char *key, double value); ///< 17 digits; not finite: null
void ib_json_integer(ib_Json *json, const char *key, int64_t value);
void ib_json_flag(ib_Json *json, const char *key, bool value);

// JSON as a text in memory: everything written to `json` between open and close.
typedef struct ib_JsonMemory {
    ib_Json json;
    char *text;
    size_t size;
} ib_JsonMemory;

bool ib_json_memory_open(ib_JsonMemory *memory); ///< false without memory

// The text in `arena`; NULL without memory.
char *ib_json_memory_close(ib_JsonMemory *memory, ib_Arena *arena);

#endif
