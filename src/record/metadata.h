// record/metadata.h: the metadata of a WPILOG entry: a small JSON object of texts.
// Keys: docs/scenario/record.md
#ifndef IB_RECORD_METADATA_H
#define IB_RECORD_METADATA_H

#include "base/arena.h"
#include "base/signal.h"
#include "record/bytes.h"

typedef struct ib_Metadata {
    const char *unit, *sentence; ///< "": not given
    ib_SignalMeaning means;
    bool meant; ///< the entry states its meaning, perhaps none
} ib_Metadata;

// Appends {"unit":"m","units":"meters","sentence":"…","role":"pose_x", …}.
void ib__metadata_put(const char *unit, const char *sentence, const ib_SignalMeaning *means,
                      ib_Bytes *bytes);

// Reads the texts of the object's own keys; from broken JSON, those before the fault. False: out
// of memory.
bool ib__metadata_read(const char *json, size_t length, ib_Arena *arena, ib_Metadata *data);

#endif
