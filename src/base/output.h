// base/output.h: files to write to, as a person names them.
//
// A name may be that of a file, of a pipe, of a device, or of the standard output itself
// (/dev/stdout). Only a file is emptied first. The standard output is written where it stands:
// opened a second time, it would have a place of its own, and one would overwrite the other.
//
// Who writes a file has locked it, from before it is emptied until it is closed: a second writer is
// refused and finds nothing changed. A lock ends with its program, even by a kill.
#ifndef IB_BASE_OUTPUT_H
#define IB_BASE_OUTPUT_H

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>

// Is this the standard output, by whatever name? Devices that keep nothing (/dev/null) are not.
bool ib_output_is_standard(const char *path);

// Opens it for writing: a descriptor, or -1 with the reason in errno, which is EBUSY where somebody
// writes the file already. A pipe waits for its reader.
int ib_output_open(const char *path);

// The same with the flags of open(2), and what is in the file stays.
int ib_output_claim(const char *path, int flags);

// Could it be opened now? What is in it stays, and what is not there is not made (but for the file
// behind a link into the void). False: the reason is in errno.
bool ib_output_try(const char *path);

// The reason as a person reads it.
const char *ib_output_reason(int reason);

// What it means that a file cannot be opened or written for this reason (of errno): IB_INTERRUPTED
// where somebody stopped the wait for the reader of a pipe, or else `status`; the error names both.
ib_Status ib_output_failed(const char *path, int reason, ib_Status status, ib_Error *error);

// Opens it as a stream, or says why not: IB_FAILED or IB_INTERRUPTED.
ib_Status ib_output_begin(const char *path, FILE **file, ib_Error *error);

// Closes the stream; the same two, with the reason, where not all of it could be written.
ib_Status ib_output_end(FILE *file, const char *path, ib_Error *error);

#endif
