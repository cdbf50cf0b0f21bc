#include "report/text.h"

#include "base/output.h"
#include "base/quote.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ib_text_destroy(ib_Text *text)
{
    free(text->bytes);
    *text = (ib_Text){0};
}

// Makes room for `more` bytes and the closing NUL.
static bool reserve(ib_Text *text, size_t more)
{
    if (text->failed) return false;
    if (more < text->capacity - text->length) return true;
    size_t capacity = 2 * (text->length + more) + 256;
    char *bytes = realloc(text->bytes, capacity);
    if (!bytes) {
        text->failed = true;
        return false;
    }
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

void ib_text_add_n(ib_Text *text, const char *bytes, size_t length)
{
    if (!reserve(text, length)) return;
    if (length) memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void ib_text_add(ib_Text *text, const char *words)
{
    ib_text_add_n(text, words, strlen(words));
}

void ib_text_format(ib_Text *text, const char *format, ...)
{
    // Most texts are short and fit at once.
    enum { USUAL = 80 };
    if (!reserve(text, USUAL)) return;
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    size_t room = text->capacity - text->length;
    int length = vsnprintf(text->bytes + text->length, room, format, arguments);
    if (length >= 0 && (size_t)length >= room && reserve(text, (size_t)length))
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
    if (length >= 0 && !text->failed) text->length += (size_t)length;
    text->bytes[text->length] = '\0';
    va_end(again);
    va_end(arguments);
}

// The bytes that the character at `words` claims to have, cut where the text ends.
static int character_bytes(const char *words)
{
    unsigned char first = (unsigned char)words[0];
    int claimed = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    int there = 1;
    while (there < claimed && ((unsigned char)words[there] & 0xc0) == 0x80) there++;
    return there;
}

int ib_text_line(ib_Text *text, const char *words, int limit)
{
    int count = 0;
    for (; *words; count++) {
        if (limit && count == limit) {
            ib_text_add(text, "…");
            return count + 1;
        }
        int bytes = character_bytes(words);
        bool control = (unsigned char)*words < 0x20 || *words == 0x7f;
        if (control)
            ib_text_add(text, " ");
        else
            ib_text_add(text, ib_quote_n(words, bytes).text);
        words += bytes;
    }
    return count;
}

static const char *entity(char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void ib_text_escape(ib_Text *text, const char *words)
{
    while (*words) {
        int bytes = character_bytes(words);
        if (entity(*words))
            ib_text_add(text, entity(*words));
        else if (*words == '\n' || *words == '\t')
            ib_text_add_n(text, words, 1);
        else if (*words != '\r')
            ib_text_add(text, ib_quote_n(words, bytes).text);
        words += bytes;
    }
}

void ib_text_unit(ib_Text *text, const char *unit)
{
    if (strcmp(unit, "1") == 0 || unit[0] == '\0') {
        ib_text_add(text, "–");
        return;
    }
    for (; *unit; unit++) {
        if (*unit == '*')
            ib_text_add(text, "·");
        else if (*unit == '^' && (unit[1] == '2' || unit[1] == '3'))
            ib_text_add(text, *++unit == '2' ? "²" : "³");
        else
            ib_text_add_n(text, unit, 1);
    }
}

ib_Status ib_text_write(const ib_Text *text, const char *path, ib_Error *error)
{
    if (text->failed) return ib_error_set(error, IB_FAILED, "out of memory for '%s'", path);
    FILE *file;
    ib_Status status = ib_output_begin(path, &file, error);
    if (status != IB_OK) return status;
    if (text->length) fwrite(text->bytes, 1, text->length, file);
    return ib_output_end(file, path, error);
}
