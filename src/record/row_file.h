// record/row_file.h: a recording on its way into a file, in blocks of many rows.
//
// A full disk takes the first part of a block: the ends of its rows are kept until the block is
// written, so that the close can name the time up to which the rows are complete.
#ifndef IB_RECORD_ROW_FILE_H
#define IB_RECORD_ROW_FILE_H

#include "base/arena.h"
#include "record/packer.h"
#include "record/sink.h"

enum {
    IB_BLOCK_SIZE = 256 * 1024, ///< bytes that are written at once
    IB_BLOCK_ROWS = 4096,       ///< rows that are written at once, at most
};

// The end of a row that is formatted, not written.
typedef struct ib_RowEnd {
    size_t at; ///< in the file's `bytes`
    ib_Time time;
} ib_RowEnd;

typedef struct ib_RowFile {
    ib_Sink sink;
    ib_Packer packer;
    ib_Bytes bytes;  ///< formatted, not written
    ib_RowEnd *ends; ///< of the rows in `bytes`, IB_BLOCK_ROWS at most
    int end_count;
    bool kept;    ///< a complete row is in the file
    ib_Time last; ///< time of the last complete row, if any
    bool dirty;   ///< written since the last sync
} ib_RowFile;

// Creates an empty file; `path`, the packer's layout and `arena` must outlive it. `whole`: it
// appears when it is closed. IB_BAD_INPUT when it cannot be created.
ib_Status ib__row_file_create(const char *path, bool whole, const ib_Packer *packer,
                              ib_Arena *arena, ib_RowFile *file, ib_Error *error);

// Writes the header at once; then rows by time, with messages among them. Does nothing after
// a failure.
void ib__row_file_begin(ib_RowFile *file, const ib_LogFact *facts, int fact_count);
void ib__row_file_row(ib_RowFile *file, ib_Time time, const double *values, const bool *present);
void ib__row_file_message(ib_RowFile *file, ib_Time time, int source, ib_LogLevel level,
                          const char *text);

// Writes the formatted bytes; a lack of memory for them is a failure of the sink.
void ib__row_file_write(ib_RowFile *file);

// Waits until the disk has the written bytes.
void ib__row_file_sync(ib_RowFile *file);

// Writes the rest, closes the file and frees its bytes; a second time it does nothing. IB_FAILED
// names the file, the failure, the part kept and the complete rows.
ib_Status ib__row_file_close(ib_RowFile *file, ib_Error *error);

#endif
