// report/text.h: a text that grows: gnuplot scripts, SVG and HTML are written into one.
//
// Running out of memory is remembered instead of checked after every word: ask `failed` once,
// at the end.
#ifndef IB_REPORT_TEXT_H
#define IB_REPORT_TEXT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ib_Text {
    char *bytes; ///< closed by a NUL; NULL while empty
    size_t length, capacity;
    bool failed; ///< memory ran out: the text is not complete
} ib_Text;

void ib_text_destroy(ib_Text *text);

void ib_text_add(ib_Text *text, const char *words);
void ib_text_add_n(ib_Text *text, const char *bytes, size_t length);
void ib_text_format(ib_Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Adds `words` as one line of valid UTF-8: control characters become spaces, broken bytes `?`, and
// after `limit` characters the rest becomes "…" (limit 0: none). Returns the characters added.
int ib_text_line(ib_Text *text, const char *words, int limit);

// Adds `words` for HTML or SVG, as text or as a quoted attribute: < > & " ' are escaped, newlines
// and tabs kept, other control characters and broken UTF-8 replaced.
void ib_text_escape(ib_Text *text, const char *words);

// Adds a unit in print form: N*s^2/m^2 becomes N·s²/m², "1" becomes –.
void ib_text_unit(ib_Text *text, const char *unit);

// Writes the text to a file, replacing it. The error names the file and the reason.
ib_Status ib_text_write(const ib_Text *text, const char *path, ib_Error *error);

#endif
