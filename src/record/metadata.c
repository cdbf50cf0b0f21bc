#include "record/metadata.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void put_string(const char *text, ib_Bytes *bytes)
{
    ib_bytes_put_char(bytes, '"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        char escape[8];
        if (c == '"' || c == '\\')
            snprintf(escape, sizeof escape, "\\%c", c);
        else if (c < 0x20)
            snprintf(escape, sizeof escape, "\\u%04x", c);
        else
            snprintf(escape, sizeof escape, "%c", c);
        ib_bytes_put_text(bytes, escape);
    }
    ib_bytes_put_char(bytes, '"');
}

void ib__metadata_put(const char *unit, const char *sentence, ib_Bytes *bytes)
{
    ib_bytes_put_text(bytes, "{\"unit\":");
    put_string(unit, bytes);
    ib_bytes_put_text(bytes, ",\"sentence\":");
    put_string(sentence, bytes);
    ib_bytes_put_char(bytes, '}');
}

// ---- Reading ------------------------------------------------------------------------------------
// Enough of JSON to find a text by its key: strings are read, everything else is stepped over.

typedef struct Cursor {
    const char *at, *end;
} Cursor;

// Four hexadecimal digits, or -1.
static int read_hex(Cursor *cursor)
{
    int code = 0;
    if (cursor->end - cursor->at < 4) return -1;
    for (int i = 0; i < 4; i++) {
        char c = *cursor->at++;
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0) return -1;
        code = 16 * code + digit;
    }
    return code;
}

static char *put_utf8(char *to, int code)
{
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    } else {
        *to++ = (char)(0xf0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 0x3f));
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    }
    return to;
}

// \uXXXX, and the second half of a surrogate pair where one follows; halves alone become '?'.
static char *read_unicode(Cursor *cursor, char *to)
{
    int code = read_hex(cursor);
    if (code < 0) return NULL;
    bool high = code >= 0xd800 && code < 0xdc00;
    if (high && cursor->end - cursor->at >= 6 && cursor->at[0] == '\\' && cursor->at[1] == 'u') {
        Cursor second = {cursor->at + 2, cursor->end};
        int low = read_hex(&second);
        if (low >= 0xdc00 && low < 0xe000) {
            *cursor = second;
            return put_utf8(to, 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00));
        }
    }
    if (code == 0 || (code >= 0xd800 && code < 0xe000)) code = '?';
    return put_utf8(to, code);
}

// Reads a string, its opening quote already passed, into `to`, which is as long as what is left of
// the JSON: no escape gives more bytes than it has. False when it is not closed.
static bool read_string(Cursor *cursor, char *to)
{
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    while (to && cursor->at < cursor->end) {
        char c = *cursor->at++;
        if (c == '"') {
            *to = '\0';
            return true;
        }
        if (c != '\\') {
            *to++ = c ? c : '?';
            continue;
        }
        if (cursor->at == cursor->end) return false;
        c = *cursor->at++;
        const char *known = c ? strchr(from, c) : NULL;
        if (c == 'u')
            to = read_unicode(cursor, to);
        else if (known)
            *to++ = into[known - from];
        else
            return false;
    }
    return false;
}

const char *ib__metadata_find(const char *json, size_t length, const char *key, ib_Arena *arena)
{
    if (length == 0) return "";
    char *text = ib_arena_alloc(arena, length + 1);
    if (!text) return NULL;

    // A string at depth 1 before a colon is a key; the string after that colon is its text.
    Cursor cursor = {json, json + length};
    int depth = 0;
    bool found = false, colon = false;
    while (cursor.at < cursor.end) {
        char c = *cursor.at++;
        if (c == '"') {
            if (!read_string(&cursor, text)) return "";
            if (depth == 1 && colon && found) return text;
            if (depth == 1) found = !colon && strcmp(text, key) == 0;
        } else if (c == ':') {
            colon = true;
        } else if (c == ',') {
            colon = found = false;
        } else if (c == '{' || c == '[') {
            depth++;
            colon = false;
        } else if (c == '}' || c == ']') {
            depth--;
        }
    }
    return "";
}
