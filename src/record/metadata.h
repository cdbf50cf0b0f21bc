// record/metadata.h: what a WPILOG entry says about itself: a small JSON object of texts.
#ifndef IB_RECORD_METADATA_H
#define IB_RECORD_METADATA_H

#include "base/arena.h"
#include "record/bytes.h"

// Appends {"unit":"m","sentence":"…"}.
void ib__metadata_put(const char *unit, const char *sentence, ib_Bytes *bytes);

// The text at the object's own key, or "" when the JSON has none or is none. NULL: out of memory.
const char *ib__metadata_find(const char *json, size_t length, const char *key, ib_Arena *arena);

#endif
