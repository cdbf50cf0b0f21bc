// record/row_file.h: a recording on its way into a file, in blocks of many rows.
//
// A disk that is full takes the first part of a block: where each of its rows ends is kept until
// the block is written, so that the close can say up to which time the rows are whole.
#ifndef IB_RECORD_ROW_FILE_H
#define IB_RECORD_ROW_FILE_H

#include "base/arena.h"
#include "record/packer.h"
#include "record/sink.h"

enum {
    IB_BLOCK_SIZE = 256 * 1024, ///< bytes that are written at once
    IB_BLOCK_ROWS = 4096,       ///< rows that are written at once, at most
};

// A row that is formatted, not written: where it ends.
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
    bool kept;    ///< a row is whole in the file
    ib_Time last; ///< time of the last that is, where there is one
    bool dirty;   ///< written since the last sync
} ib_RowFile;

// Makes an empty file; `path`, the packer's layout and `arena` must outlive it. `whole`: it appears
// when it is closed. IB_BAD_INPUT when it cannot be made.
ib_Status ib__row_file_create(const char *path, bool whole, const ib_Packer *packer,
                              ib_Arena *arena, ib_RowFile *file, ib_Error *error);

// What is in front of the rows, written at once; then rows by time, with messages among them.
// After a failure nothing is done.
void ib__row_file_begin(ib_RowFile *file, const ib_LogFact *facts, int fact_count);
void ib__row_file_row(ib_RowFile *file, ib_Time time, const double *values, const bool *present);
void ib__row_file_message(ib_RowFile *file, ib_Time time, int source, ib_LogLevel level,
                          const char *text);

// Writes what is formatted; memory that ran out for it is a failure of the sink.
void ib__row_file_write(ib_RowFile *file);

// Until the disk has what is written.
void ib__row_file_sync(ib_RowFile *file);

// Writes the rest, closes the file and frees its bytes; a second time it does nothing. IB_FAILED
// names the file, the failure, what was kept and which rows are whole.
ib_Status ib__row_file_close(ib_RowFile *file, ib_Error *error);

#endif
