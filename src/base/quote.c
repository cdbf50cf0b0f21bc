#include "base/quote.h"

#include <string.h>

// Bytes of the UTF-8 character at `text`, of which `left` bytes are there; 0 when it is none.
static int character_length(const unsigned char *text, int left)
{
    int length = text[0] < 0x80                       ? 1
                 : text[0] >= 0xc2 && text[0] <= 0xdf ? 2
                 : text[0] >= 0xe0 && text[0] <= 0xef ? 3
                 : text[0] >= 0xf0 && text[0] <= 0xf4 ? 4
                                                      : 0;
    if (length > left) return 0;
    for (int i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80) return 0;

    // Longer than needed, half of a surrogate pair, or beyond the last code point.
    if (text[0] == 0xe0 && text[1] < 0xa0) return 0;
    if (text[0] == 0xed && text[1] > 0x9f) return 0;
    if (text[0] == 0xf0 && text[1] < 0x90) return 0;
    if (text[0] == 0xf4 && text[1] > 0x8f) return 0;
    return length;
}

ib_Quote ib_quote_n(const char *text, int length)
{
    ib_Quote quote;
    int used = 0;
    for (int i = 0; i < length;) {
        int bytes = character_length((const unsigned char *)text + i, length - i);
        int room = bytes ? bytes : 1;
        if (used + room > IB_QUOTE_LENGTH) {
            memcpy(quote.text + used, "...", 3);
            used += 3;
            break;
        }
        int control = bytes == 1 && ((unsigned char)text[i] < 0x20 || text[i] == 0x7f);
        if (bytes == 0 || control)
            quote.text[used++] = '?';
        else
            for (int k = 0; k < bytes; k++) quote.text[used++] = text[i + k];
        i += room;
    }
    quote.text[used] = '\0';
    return quote;
}

ib_Quote ib_quote(const char *text)
{
    // One character (of up to 4 bytes) more than fits is enough to know that it must be cut.
    return ib_quote_n(text, (int)strnlen(text, IB_QUOTE_LENGTH + 4));
}
