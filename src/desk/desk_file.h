// desk/desk_file.h: what a design file and a plan file have in common: how they are read.
// Internal to desk/.
#ifndef IB_DESK_DESK_FILE_H
#define IB_DESK_DESK_FILE_H

#include "file/reader.h"
#include "scenario/scenario.h"

// A kind of file.
typedef struct ib__DeskKind {
    const char *const *keys; ///< at its top, NULL-terminated
    const char *expected;    ///< "a map with keys such as plant and period"
    // Reads the parts of the tree into what is made of it.
    void (*read)(ib_Reader *reader, ib_Node *root, void *made);
} ib__DeskKind;

// One that is read.
typedef struct ib__DeskFile {
    const char *name;
    const char *text; ///< `length` bytes of it; NULL: the file itself
    size_t length;
    const ib_ScenarioOptions *options; ///< overrides and data files count; may be NULL
    int warned;                        ///< warnings from this number on are the file's own
    // Set by ib__desk_file_read, in the arena.
    const char *file;
    const char *const *files; ///< all that were read, NULL-terminated
    const ib_Diagnostic *warnings;
    int warning_count;
} ib__DeskFile;

// Fills `made`, whose arena it is. False: its mistakes are in `diagnostics`, sorted by place.
bool ib__desk_file_read(const ib__DeskKind *kind, ib__DeskFile *file, ib_Diagnostics *diagnostics,
                        ib_Arena *arena, void *made);

#endif
