// desk/table_text.h: rows and facts of the tables as lines of text for a terminal.
#ifndef IB_DESK_TABLE_TEXT_H
#define IB_DESK_TABLE_TEXT_H

#include "desk/design/design_table.h"

#include <stdio.h>

enum { IB_TEXT_LABEL = 16 }; ///< characters of the label before a value

// Prints a row with its title: a matrix under its law, poles, a sentence. Nothing if the design
// lacks it.
void ib_row_text(FILE *file, const ib_DesignGear *gear, const ib_DesignRow *row);
void ib_rows_text(FILE *file, const ib_DesignGear *gear, const char *const *keys); ///< until NULL

// The layout of a column of facts; a list of them ends with a width of 0, and its last one holds
// for all further columns.
typedef struct ib_TextColumn {
    int width, digits;
    bool unsigned_zero; ///< never "-0"
} ib_TextColumn;

// Prints the facts of `of` for people, one column each, to the end of the line. NULL: their titles.
void ib_facts_text(FILE *file, const ib_Fact *table, const void *of, const ib_TextColumn *columns);

// Prints one of them in its column: "0.0123 m", or a word. `own`: the unit of its state or input.
// `of` NULL: no value.
void ib_fact_text(FILE *file, const ib_Fact *fact, const void *of, const char *own,
                  ib_TextColumn column);

#endif
