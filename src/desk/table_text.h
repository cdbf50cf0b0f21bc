// desk/table_text.h: rows and facts of the tables as lines of text, as a terminal shows them.
#ifndef IB_DESK_TABLE_TEXT_H
#define IB_DESK_TABLE_TEXT_H

#include "desk/design_table.h"

#include <stdio.h>

enum { IB_TEXT_LABEL = 16 }; ///< characters of what stands before a value

// A row with its title: a matrix under its law, poles, a sentence. Nothing where the design has
// none of it.
void ib_row_text(FILE *file, const ib_DesignGear *gear, const ib_DesignRow *row);
void ib_rows_text(FILE *file, const ib_DesignGear *gear, const char *const *keys); ///< until NULL

// How a column of facts is laid out; a list of them ends with a width of 0, and its last one
// counts for all that follow.
typedef struct ib_TextColumn {
    int width, digits;
    bool unsigned_zero; ///< never "-0"
} ib_TextColumn;

// The facts of `of` that people read, one column each, to the end of the line.
// NULL: their titles.
void ib_facts_text(FILE *file, const ib_Fact *table, const void *of, const ib_TextColumn *columns);

// One of them as it stands in its column: "0.0123 m", or a word. `own`: the unit of what it is of.
// `of` NULL: there is none.
void ib_fact_text(FILE *file, const ib_Fact *fact, const void *of, const char *own,
                  ib_TextColumn column);

#endif
