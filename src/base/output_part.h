// base/output_part.h: files that appear under their names when they are complete.
//
// Until then the output is in NAME.part-PID beside them; a stopped program removes it and leaves
// the file as it was. Pipes, devices and files that cannot be replaced (with other names or another
// owner, in a folder that takes no new ones) are written in place. The file itself is locked all
// the while (base/output.h).
#ifndef IB_BASE_OUTPUT_PART_H
#define IB_BASE_OUTPUT_PART_H

#include <stdbool.h>

typedef struct ib_OutputPart ib_OutputPart;

// Opens a file for writing: a descriptor, or -1 with the reason in errno.
int ib_output_part_open(const char *path);

// The part that is written through this descriptor; NULL: the file is written in place.
ib_OutputPart *ib_output_part_of(int descriptor);

// Puts the part in its place, or (not `keep`) removes it, once the descriptor is closed. 0, or a
// reason of errno. NULL: does nothing.
int ib_output_part_end(ib_OutputPart *part, bool keep);

// Removes all incomplete parts and names them on this descriptor, for the handler of a signal that
// ends the program. Parts of a process from which this one was forked are left alone.
void ib_output_part_abandon(int descriptor);

#endif
