// file/contents.h: the bytes of a file, before they are parsed.
#ifndef IB_FILE_CONTENTS_H
#define IB_FILE_CONTENTS_H

#include "base/status.h"
#include "file/diagnostics.h"

#include <stdbool.h>
#include <stdint.h>

// Bytes of the byte order mark at the start: 3 or 0.
size_t ib_contents_mark(const char *text, size_t length);

// True if YAML can be read from the text. Refused, at its place: more than IB_YAML_MAX_SIZE bytes,
// bytes that are not UTF-8, NUL and other control characters, a tab as indent, and runs longer
// than IB_YAML_MAX_BLANKS.
bool ib_contents_check(const char *file, const char *text, size_t length,
                       ib_Diagnostics *diagnostics);

// The value of the text between two single quotes of YAML: '' is a quote, and lines fold (a line
// end with the white space around it is one space, n + 1 of them are n line ends). Writes to
// `plain` (NULL: only counts), which is never longer than `text`; returns the length.
size_t ib_contents_unquote(const char *text, size_t length, char *plain);

// Loads a plain file of at most IB_YAML_MAX_SIZE bytes into the arena.
// On failure returns NULL with the reason.
char *ib_contents_load(const char *path, ib_Arena *arena, size_t *length, ib_Error *error);

// The same for a file of at most so many MiB.
char *ib_contents_load_large(const char *path, int most_mib, ib_Arena *arena, size_t *length,
                             ib_Error *error);

// A hash of the contents of these files (NULL-terminated), names not included; a file that cannot
// be opened counts as empty.
uint64_t ib_contents_hash(uint64_t hash, const char *const *files);

#endif
