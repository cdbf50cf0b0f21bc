// report/origin.h: the origin of a report's data.
#ifndef IB_REPORT_ORIGIN_H
#define IB_REPORT_ORIGIN_H

#include "base/arena.h"

// The text of a file, unchanged, 1 MiB at most; NULL if it cannot be read again.
const char *ib_origin_text(const char *path, ib_Arena *arena);

// The present time: "2026-01-31 12:00"; "" without a clock.
const char *ib_origin_date(ib_Arena *arena);

#endif
