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

#endif
