// file/catalogue.h: the data files (data/*.yaml, data/*/*.yaml), compiled into the program.
//
// A data file is a block map of entries, each beginning at the start of a line:
//   cim: {voltage: 12 V, stall_torque: 2.42 N*m, …, source: "data sheet", sure: "as printed"}
// An entry holds keys of the parameter that names it, and the origin of its values: `source`,
// `sure` (their certainty) and `note` are for people. The build turns all files into one table, so
// that the program needs none of them at run time. Only the wanted entry is parsed, since a sweep
// reads its scenario once a run. Presets under a scenario: docs/scenario/scenario.md
#ifndef IB_FILE_CATALOGUE_H
#define IB_FILE_CATALOGUE_H

#include "file/node.h"

#include <stddef.h>

typedef struct ib_DataFile {
    const char *name; ///< "motors", "fields/frc_2015"; NULL: behind the last one
    const char *path; ///< "data/motors.yaml", for messages
    const char *text; ///< ends with a NUL
    size_t length;    ///< of `text`, without it
} ib_DataFile;

// All files of the program, sorted by name; the last one has no name. Made by cmake/embed.cmake.
extern const ib_DataFile ib_data_files[];

// The file of this name in a table such as ib_data_files, or NULL.
const ib_DataFile *ib_catalogue_find(const ib_DataFile *files, const char *name);

// The whole file as a tree whose places are "data/motors.yaml:12:3". NULL with the mistakes named.
ib_Node *ib_catalogue_read(const ib_DataFile *file, ib_Arena *arena, ib_Diagnostics *diagnostics);

// The names of all entries in the order of the file, NULL-terminated; NULL: out of memory.
const char **ib_catalogue_names(const ib_DataFile *file, ib_Arena *arena);

// One entry as a node without a key, at its place in the file, `source`, `sure` and `note` taken
// out. NULL if there is none of this name, or with the mistakes named.
ib_Node *ib_catalogue_entry(const ib_DataFile *file, const char *name, ib_Arena *arena,
                            ib_Diagnostics *diagnostics);

// The name of one entry of a file: "motor" for "motors", "battery" for "batteries".
void ib_catalogue_singular(const char *name, char *text, size_t size);

#endif
