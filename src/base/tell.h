// base/tell.h: lines for people, in which names are text and nothing else.
#ifndef IB_BASE_TELL_H
#define IB_BASE_TELL_H

#include <stdio.h>

// Prints a message, or a line with a name in it. Nothing in it can command a terminal: names of
// files, words of the command line and texts of recordings are shown as text.
void ib_tell(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
