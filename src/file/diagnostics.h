// file/diagnostics.h: every mistake of a file, each at its place, all of them in one pass.
// Warnings stand beside them: text that is perhaps not meant as written, which is accepted.
#ifndef IB_FILE_DIAGNOSTICS_H
#define IB_FILE_DIAGNOSTICS_H

#include "base/arena.h"

enum { IB_MAX_DIAGNOSTICS = 100, IB_MAX_WARNINGS = 40 };

// A place in a file.
typedef struct ib_Place {
    const char *file;
    int line, column; ///< from 1; 1:1 if unknown
} ib_Place;

// One mistake (or warning): its place, the fault and the expected form.
typedef struct ib_Diagnostic {
    const char *file;
    int line, column; ///< from 1; 1:1 if unknown
    const char *text;
} ib_Diagnostic;

typedef struct ib_Diagnostics {
    ib_Arena *arena;
    int count;    ///< kept here, sorted by place once reading is done
    int dropped;  ///< found after the list was full
    int repeated; ///< found again, by another reading of the same file
    ib_Diagnostic items[IB_MAX_DIAGNOSTICS];
    int warning_count; ///< as above; those that find no room are not counted
    ib_Diagnostic warnings[IB_MAX_WARNINGS];
} ib_Diagnostics;

// Adds one mistake; the same text at the same place counts once. Texts live in the list's arena.
void ib_diagnostics_add(ib_Diagnostics *diagnostics, ib_Place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The same for a warning, which does not count as a mistake.
void ib_diagnostics_warn(ib_Diagnostics *diagnostics, ib_Place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Copies the warnings from number `first` on, texts included, sorted by place; returns their
// number. Warnings that do not fit into the arena are left out.
int ib_diagnostics_keep_warnings(const ib_Diagnostics *diagnostics, int first, ib_Arena *arena,
                                 const ib_Diagnostic **warnings);

// The number of mistakes found so far, those that did not fit included.
int ib_diagnostics_total(const ib_Diagnostics *diagnostics);

// The same with repeated mistakes: grows with every mistake, known or new.
int ib_diagnostics_seen(const ib_Diagnostics *diagnostics);

// Sorts mistakes by line and column within each file; files stay in the order in which each of them
// first appears.
void ib_diagnostics_sort(ib_Diagnostics *diagnostics);

// Prints "file:line:col: text", as editors understand it.
void ib_diagnostic_format(const ib_Diagnostic *diagnostic, char *text, size_t size);

#endif
