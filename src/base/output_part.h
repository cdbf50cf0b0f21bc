// base/output_part.h: files that appear under their names when they are whole.
//
// What is written stands beside them as NAME.part-PID until then; a program that is stopped on the
// way removes it, and finds the file as it was. Pipes, devices and files that cannot be replaced
// (with other names or another owner, in a folder that takes no new ones) are written where they
// are. The file itself is locked all the while (base/output.h).
#ifndef IB_BASE_OUTPUT_PART_H
#define IB_BASE_OUTPUT_PART_H

#include <stdbool.h>

typedef struct ib_OutputPart ib_OutputPart;

// Opens a file for writing: a descriptor, or -1 with the reason in errno.
int ib_output_part_open(const char *path);

// The part that is written through this descriptor; NULL: the file is written where it is.
ib_OutputPart *ib_output_part_of(int descriptor);

// To be called once the descriptor is closed: puts the part in its place, or (not `keep`) removes
// it. 0, or a reason of errno. NULL: nothing is to be done.
int ib_output_part_end(ib_OutputPart *part, bool keep);

// For the handler of a signal that ends the program: removes all that is not whole, and names it on
// this descriptor. Those of another process, from which this one was forked, are left alone.
void ib_output_part_abandon(int descriptor);

#endif
