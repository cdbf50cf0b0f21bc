// base/quote.h: a piece of the user's text, made fit for an error message.
#ifndef IB_BASE_QUOTE_H
#define IB_BASE_QUOTE_H

enum { IB_QUOTE_LENGTH = 60 };

typedef struct ib_Quote {
    char text[IB_QUOTE_LENGTH + 4]; ///< room for "..." and the closing NUL
} ib_Quote;

// Copies `text`, cut after IB_QUOTE_LENGTH bytes, with `?` for control characters and for bytes
// that are not UTF-8: a message stays one line of valid text for every input.
ib_Quote ib_quote(const char *text);

// The same for its first `length` bytes.
ib_Quote ib_quote_n(const char *text, int length);

#endif
