// base/utf8.h: where the characters of a text begin and end.
#ifndef IB_BASE_UTF8_H
#define IB_BASE_UTF8_H

#include <stddef.h>
#include <string.h>

// Bytes of the UTF-8 character at `text`, of which `left` bytes (> 0) are there; 0 when it is none:
// cut off, longer than needed, half of a surrogate pair, or beyond the last code point.
static inline size_t ib_utf8_character(const char *text, size_t left)
{
    const unsigned char *c = (const unsigned char *)text;
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (c[0] < 0x80) return 1;
    size_t length = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    if (c[0] < 0xc2 || c[0] > 0xf4 || length > left) return 0;

    unsigned code = c[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((c[i] & 0xc0) != 0x80) return 0;
        code = code << 6 | (c[i] & 0x3f);
    }
    int surrogate = code >= 0xd800 && code <= 0xdfff;
    return code < least[length] || surrogate || code > 0x10ffff ? 0 : length;
}

// Would a terminal take the character at `text`, of so many bytes, for a command? Those below
// space, delete, and U+0080 to U+009F, of which U+009B begins a sequence as ESC [ does.
static inline int ib_utf8_is_control(const char *text, size_t bytes)
{
    const unsigned char *c = (const unsigned char *)text;
    return bytes == 1 ? c[0] < 0x20 || c[0] == 0x7f : bytes == 2 && c[0] == 0xc2 && c[1] < 0xa0;
}

// Puts a question mark in the place of every byte that belongs to no character: a text that was
// cut, or comes from a file, can then be shown.
static inline void ib_utf8_clean(char *text)
{
    for (size_t left = strlen(text); left > 0;) {
        size_t length = ib_utf8_character(text, left);
        if (length == 0) {
            *text = '?';
            length = 1;
        }
        text += length;
        left -= length;
    }
}

// The same, and for every byte of a control character but those of `allowed`, with a space for line
// ends and tabs: whatever names and files say, a message is text, and a terminal shows it and does
// nothing else.
static inline void ib_utf8_tame(char *text, const char *allowed)
{
    for (size_t left = strlen(text); left > 0;) {
        size_t length = ib_utf8_character(text, left);
        int wild = length == 0 || (ib_utf8_is_control(text, length) && !strchr(allowed, *text));
        if (length == 0) length = 1;
        if (wild) memset(text, strchr("\t\r\n", *text) ? ' ' : '?', length);
        text += length;
        left -= length;
    }
}

#endif
