// base/output.h: files to write to, by the name that the user gives.
//
// A name may be that of a file, of a pipe, of a device, or of the standard output itself
// (/dev/stdout). Only a file is emptied first. The standard output is written at its present
// position: a second opening would have a position of its own, and one would overwrite the other.
//
// The writer of a file locks it, from before it is emptied until it is closed: a second writer is
// refused and has changed nothing. A lock ends with its program, even by a kill.
#ifndef IB_BASE_OUTPUT_H
#define IB_BASE_OUTPUT_H

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>

// True if `path` is the standard output, by whatever name. Devices that keep nothing (/dev/null)
// are not.
bool ib_output_is_standard(const char *path);

// Opens a file for writing: a descriptor, or -1 with the reason in errno, EBUSY if another program
// writes the file. A pipe waits for its reader.
int ib_output_open(const char *path);

// The same with the flags of open(2), without emptying the file.
int ib_output_claim(const char *path, int flags);

// True if the file could be opened now. Its content stays, and a missing file is not created
// (except behind a dangling link). False: the reason is in errno.
bool ib_output_try(const char *path);

// The reason as a person reads it.
const char *ib_output_reason(int reason);

// The status of a failure to open or write a file for this reason (of errno): IB_INTERRUPTED if the
// wait for the reader of a pipe was stopped, else `status`; the error names both.
ib_Status ib_output_failed(const char *path, int reason, ib_Status status, ib_Error *error);

// Opens a file as a stream, or gives the reason why not: IB_FAILED or IB_INTERRUPTED.
ib_Status ib_output_begin(const char *path, FILE **file, ib_Error *error);

// Closes the stream; the same two, with the reason, if not all of it could be written.
ib_Status ib_output_end(FILE *file, const char *path, ib_Error *error);

#endif
