#include "record/row_file.h"

#include <errno.h>
#include <stdio.h>

ib_Status ib__row_file_create(const char *path, bool whole, const ib_Packer *packer,
                              ib_Arena *arena, ib_RowFile *file, ib_Error *error)
{
    *file = (ib_RowFile){.packer = *packer, .sink.fd = -1};
    file->ends = ib_arena_array(arena, IB_BLOCK_ROWS, sizeof *file->ends);
    if (!file->ends) return ib_error_set(error, IB_FAILED, "out of memory for a recording");
    return ib__sink_create(path, whole, &file->sink, error);
}

// --------------------------------------------------------------------------------------- formatted

void ib__row_file_begin(ib_RowFile *file, const ib_LogFact *facts, int fact_count)
{
    ib__packer_begin(&file->packer, facts, fact_count, &file->bytes);
    ib__row_file_write(file);
}

void ib__row_file_row(ib_RowFile *file, ib_Time time, const double *values, const bool *present)
{
    if (file->sink.failure) return;
    ib__packer_row(&file->packer, time, values, present, &file->bytes);
    file->ends[file->end_count++] = (ib_RowEnd){file->bytes.count, time};
    if (file->bytes.count >= IB_BLOCK_SIZE || file->end_count == IB_BLOCK_ROWS)
        ib__row_file_write(file);
}

void ib__row_file_message(ib_RowFile *file, ib_Time time, int source, ib_LogLevel level,
                          const char *text)
{
    if (file->sink.failure) return;
    ib__packer_message(&file->packer, time, source, level, text, &file->bytes);
    if (file->bytes.count >= IB_BLOCK_SIZE) ib__row_file_write(file);
}

// ----------------------------------------------------------------------------------------- written

void ib__row_file_write(ib_RowFile *file)
{
    if (file->bytes.failed && !file->sink.failure) file->sink.failure = ENOMEM;
    if (file->bytes.count == 0) return;
    uint64_t before = file->sink.written;
    if (ib__sink_write(&file->sink, file->bytes.data, file->bytes.count)) file->dirty = true;
    // A full disk takes the first of them.
    uint64_t written = file->sink.written - before;
    for (int i = 0; i < file->end_count && file->ends[i].at <= written; i++) {
        file->kept = true;
        file->last = file->ends[i].time;
    }
    file->bytes.count = 0;
    file->end_count = 0;
}

void ib__row_file_sync(ib_RowFile *file)
{
    if (file->dirty) ib__sink_sync(&file->sink);
    file->dirty = false;
}

ib_Status ib__row_file_close(ib_RowFile *file, ib_Error *error)
{
    ib_Error failure;
    char until[64] = "no row is whole";
    if (file->sink.fd >= 0) ib__row_file_write(file);
    ib_bytes_free(&file->bytes);
    if (ib__sink_close(&file->sink, &failure) == IB_OK) return IB_OK;
    if (file->kept)
        snprintf(until, sizeof until, "rows are whole up to %.9g s",
                 ib_time_to_seconds(file->last));
    return ib_error_set(error, IB_FAILED, "%s, %s", failure.text, until);
}
