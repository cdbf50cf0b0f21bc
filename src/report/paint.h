// report/paint.h: colour of terminal output.
#ifndef IB_REPORT_PAINT_H
#define IB_REPORT_PAINT_H

#include <stdbool.h>
#include <stdio.h>

// Sequences that switch a colour on, and all of them off; all "" without colour.
typedef struct ib_Paint {
    const char *bold, *dim, *good, *bad, *off;
} ib_Paint;

// Colour if `file` is a terminal with colours and NO_COLOR (no-color.org) is not set.
ib_Paint ib_paint_for(FILE *file);

#endif
