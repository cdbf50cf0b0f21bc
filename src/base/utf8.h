// base/utf8.h: the character boundaries of a UTF-8 text.
#ifndef IB_BASE_UTF8_H
#define IB_BASE_UTF8_H

#include <stddef.h>
#include <string.h>

// The code point of the `bytes` bytes (1 to 4) at `text`, if they are a character.
static inline unsigned ib_utf8_code(const char *text, size_t bytes)
{
    const unsigned char *c = (const unsigned char *)text;
    unsigned code = bytes == 1 ? c[0] : c[0] & (0xffu >> (bytes + 1));
    for (size_t i = 1; i < bytes; i++) code = code << 6 | (c[i] & 0x3f);
    return code;
}

// Bytes of the UTF-8 character at `text`, which has `left` bytes (> 0); 0: invalid: cut off, longer
// than needed, half of a surrogate pair, or beyond the last code point.
static inline size_t ib_utf8_character(const char *text, size_t left)
{
    const unsigned char *c = (const unsigned char *)text;
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (c[0] < 0x80) return 1;
    size_t length = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    if (c[0] < 0xc2 || c[0] > 0xf4 || length > left) return 0;

    for (size_t i = 1; i < length; i++)
        if ((c[i] & 0xc0) != 0x80) return 0;
    unsigned code = ib_utf8_code(text, length);
    int surrogate = code >= 0xd800 && code <= 0xdfff;
    return code < least[length] || surrogate || code > 0x10ffff ? 0 : length;
}

// True if a terminal takes the character at `text`, of so many bytes, for a command, or if it
// changes the look of others: characters below space, delete, U+0080 to U+009F (U+009B begins a
// sequence as ESC [ does), ends of lines and paragraphs, and characters without width that turn the
// direction of writing or hide letters. The joiners U+200C and U+200D are part of spelling
// and allowed.
static inline int ib_utf8_is_control(const char *text, size_t bytes)
{
    static const struct {
        unsigned first, last;
    } wild[] = {{0, 0x1f},        {0x7f, 0x9f},     {0x61c, 0x61c},    {0x180e, 0x180e},
                {0x200b, 0x200b}, {0x200e, 0x200f}, {0x2028, 0x202e},  {0x2060, 0x206f},
                {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};
    unsigned code = ib_utf8_code(text, bytes);
    if (code >= ' ' && code < 0x7f) return 0; // the usual case
    for (size_t i = 0; i < sizeof wild / sizeof wild[0]; i++)
        if (code >= wild[i].first && code <= wild[i].last) return 1;
    return 0;
}

// Replaces every byte that belongs to no character by a question mark, to show a text that was cut
// or comes from a file.
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

// The same, also for every byte of a control character except those of `allowed`, with a space for
// line ends and tabs: a message is then plain text for a terminal, whatever names and
// files contain.
static inline void ib_utf8_tame(char *text, const char *allowed)
{
    while (*text >= ' ' && *text < 0x7f) text++; // most texts end here
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
