// base/output.h: files to write to, as a person names them.
//
// A name may be that of a file, of a pipe, of a device, or of the standard output itself
// (/dev/stdout). Only a file is emptied first. The standard output is written where it stands:
// opened a second time, it would have a place of its own, and one would overwrite the other.
#ifndef IB_BASE_OUTPUT_H
#define IB_BASE_OUTPUT_H

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>

// Is this the standard output, by whatever name? Devices that keep nothing (/dev/null) are not.
bool ib_output_is_standard(const char *path);

// Opens it for writing: a descriptor, or -1 with the reason in errno. A pipe waits for its reader.
int ib_output_open(const char *path);

// What it means that a file cannot be opened or written for this reason (of errno): IB_INTERRUPTED
// where somebody stopped the wait for the reader of a pipe, or else `status`; the error names both.
ib_Status ib_output_failed(const char *path, int reason, ib_Status status, ib_Error *error);

// Opens it as a stream, or says why not: IB_FAILED or IB_INTERRUPTED.
ib_Status ib_output_begin(const char *path, FILE **file, ib_Error *error);

// Closes the stream; the same two, with the reason, where not all of it could be written.
ib_Status ib_output_end(FILE *file, const char *path, ib_Error *error);

#endif
