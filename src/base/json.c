#include "base/json.h"

#include "base/number.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// The gathered output of one call: a stream takes a lock and a dozen checks for every single byte,
// which was more than half of the time of a sweep's JSON.
typedef struct Piece {
    FILE *file;
    size_t count;
    char text[256];
} Piece;

static void flush(Piece *piece)
{
    if (piece->count > 0) fwrite(piece->text, 1, piece->count, piece->file);
    piece->count = 0;
}

static void put(Piece *piece, const char *text, size_t size)
{
    if (size > sizeof piece->text - piece->count) flush(piece);
    if (size > sizeof piece->text) {
        fwrite(text, 1, size, piece->file);
        return;
    }
    memcpy(piece->text + piece->count, text, size);
    piece->count += size;
}

static void put_char(Piece *piece, char c)
{
    if (piece->count == sizeof piece->text) flush(piece);
    piece->text[piece->count++] = c;
}

// The number of bytes at the start of `text` that JSON leaves as they are, each a character of
// its own.
static size_t plain_bytes(const char *text)
{
    size_t i = 0;
    while (text[i] >= 0x20 && text[i] < 0x7f && text[i] != '"' && text[i] != '\\') i++;
    return i;
}

// JSON is UTF-8 (RFC 8259, 8.1), but a file's name need not be: each byte that belongs to no
// character is written as U+FFFD, the replacement character.
static void put_quoted(Piece *piece, const char *text)
{
    put_char(piece, '"');
    for (;;) {
        size_t plain = plain_bytes(text);
        put(piece, text, plain);
        text += plain;
        if (!*text) break;
        char escape[8];
        size_t bytes = ib_utf8_character(text, strnlen(text, 4));
        if (bytes == 0)
            put(piece, "\\ufffd", 6);
        else if (bytes > 1)
            put(piece, text, bytes);
        else if (*text == '"' || *text == '\\')
            put(piece, (const char[]){'\\', *text}, 2);
        else
            put(piece, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", (unsigned)*text));
        text += bytes == 0 ? 1 : bytes;
    }
    put_char(piece, '"');
}

// The comma and the key of a value; the caller appends the value and calls flush().
static Piece begin(ib_Json *json, const char *key)
{
    Piece piece;
    piece.file = json->file;
    piece.count = 0;
    if (json->comma) put_char(&piece, ',');
    json->comma = true;
    if (!key) return piece;
    put_quoted(&piece, key);
    put_char(&piece, ':');
    return piece;
}

void ib_json_open(ib_Json *json, const char *key, char bracket)
{
    Piece piece = begin(json, key);
    put_char(&piece, bracket);
    flush(&piece);
    json->comma = false;
}

void ib_json_close(ib_Json *json, char bracket)
{
    fputc(bracket, json->file);
    json->comma = true;
}

void ib_json_text(ib_Json *json, const char *key, const char *text)
{
    Piece piece = begin(json, key);
    put_quoted(&piece, text);
    flush(&piece);
}

void ib_json_number(ib_Json *json, const char *key, double value)
{
    char text[IB_NUMBER_17];
    int length = ib_number_format_17(value, text);
    Piece piece = begin(json, key);
    if (length > 0)
        put(&piece, text, (size_t)length);
    else
        put(&piece, "null", 4);
    flush(&piece);
}

void ib_json_integer(ib_Json *json, const char *key, int64_t value)
{
    char text[32];
    Piece piece = begin(json, key);
    put(&piece, text, (size_t)snprintf(text, sizeof text, "%" PRId64, value));
    flush(&piece);
}

void ib_json_flag(ib_Json *json, const char *key, bool value)
{
    Piece piece = begin(json, key);
    put(&piece, value ? "true" : "false", value ? 4 : 5);
    flush(&piece);
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
