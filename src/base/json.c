#include "base/json.h"

#include "base/number.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

// JSON is UTF-8 (RFC 8259, 8.1), but a file's name need not be: each byte that belongs to no
// character is written as U+FFFD, the replacement character.
static void quote(FILE *file, const char *text)
{
    fputc('"', file);
    for (size_t left = strlen(text); left > 0;) {
        size_t bytes = ib_utf8_character(text, left);
        if (bytes == 0)
            fputs("\\ufffd", file);
        else if (*text == '"' || *text == '\\')
            fprintf(file, "\\%c", *text);
        else if (bytes == 1 && (*text < 0x20 || *text == 0x7f))
            fprintf(file, "\\u%04x", (unsigned)*text);
        else
            fwrite(text, 1, bytes, file);
        if (bytes == 0) bytes = 1;
        text += bytes;
        left -= bytes;
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
    char text[IB_NUMBER_17];
    int length = ib_number_format_17(value, text);
    begin(json, key);
    if (length > 0)
        fwrite(text, 1, (size_t)length, json->file);
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
