// record/sink.h: a file that is being written. The first failure ends it and is kept for the close.
#ifndef IB_RECORD_SINK_H
#define IB_RECORD_SINK_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ib_Sink {
    const char *path;
    int fd;           ///< -1: not open
    int failure;      ///< errno of the first failure, 0: none
    uint64_t written; ///< bytes
    bool dropped;     ///< the file is not to appear, if it was to appear only when complete
} ib_Sink;

// Creates an empty file, or opens a pipe or device (base/output.h); `path` must outlive it.
// `whole`: it appears when it is closed (base/output_part.h). IB_BAD_INPUT when it cannot
// be created.
ib_Status ib__sink_create(const char *path, bool whole, ib_Sink *sink, ib_Error *error);

// Writes all bytes, or sets `failure`. Does nothing after a failure.
bool ib__sink_write(ib_Sink *sink, const void *data, size_t size);

// Waits until the disk has the bytes.
void ib__sink_sync(ib_Sink *sink);

// Closes it. IB_FAILED names the file, the failure and the part kept.
ib_Status ib__sink_close(ib_Sink *sink, ib_Error *error);

#endif
