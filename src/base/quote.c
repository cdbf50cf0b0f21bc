#include "base/quote.h"

#include "base/utf8.h"

#include <string.h>

ib_Quote ib_quote_n(const char *text, int length)
{
    ib_Quote quote;
    int used = 0;
    // Most texts are plain ASCII.
    while (used < length && used < IB_QUOTE_LENGTH && text[used] >= ' ' && text[used] < 0x7f) {
        quote.text[used] = text[used];
        used++;
    }
    for (int i = used; i < length;) {
        int bytes = (int)ib_utf8_character(text + i, (size_t)(length - i));
        int room = bytes ? bytes : 1;
        if (used + room > IB_QUOTE_LENGTH) {
            memcpy(quote.text + used, "...", 3);
            used += 3;
            break;
        }
        if (bytes == 0 || ib_utf8_is_control(text + i, (size_t)bytes))
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
    // One character (of up to 4 bytes) more than fits decides the cut.
    return ib_quote_n(text, (int)strnlen(text, IB_QUOTE_LENGTH + 4));
}
