#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void quote(FILE *file, const char *text)
{
    fputc('"', file);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(file, "\\%c", *c);
        else if (*c < 0x20)
            fprintf(file, "\\u%04x", *c);
        else
            fputc(*c, file);
    }
    fputc('"', file);
}

static void begin(ib_Json *json, const char *key)
{
    if (json->comma) fputc(',', json->file);
    json->comma = true;
    if (!key) return;
    quote(json->file, key);
    fputc(':', json->file);
}

void ib_json_open(ib_Json *json, const char *key, char bracket)
{
    begin(json, key);
    fputc(bracket, json->file);
    json->comma = false;
}

void ib_json_close(ib_Json *json, char bracket)
{
    fputc(bracket, json->file);
    json->comma = true;
}

void ib_json_text(ib_Json *json, const char *key, const char *text)
{
    begin(json, key);
    quote(json->file, text);
}

void ib_json_number(ib_Json *json, const char *key, double value)
{
    begin(json, key);
    if (isfinite(value))
        fprintf(json->file, "%.17g", value);
    else
        fputs("null", json->file);
}

void ib_json_integer(ib_Json *json, const char *key, int64_t value)
{
    begin(json, key);
    fprintf(json->file, "%" PRId64, value);
}

void ib_json_flag(ib_Json *json, const char *key, bool value)
{
    begin(json, key);
    fputs(value ? "true" : "false", json->file);
}

bool ib_json_memory_open(ib_JsonMemory *memory)
{
    *memory = (ib_JsonMemory){0};
    memory->json.file = open_memstream(&memory->text, &memory->size);
    return memory->json.file != NULL;
}

char *ib_json_memory_close(ib_JsonMemory *memory, ib_Arena *arena)
{
    bool whole = !ferror(memory->json.file);
    whole = fclose(memory->json.file) == 0 && whole;
    char *copy = whole ? ib_arena_text_n(arena, memory->text, memory->size) : NULL;
    free(memory->text);
    return copy;
}
