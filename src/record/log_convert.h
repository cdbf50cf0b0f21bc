// record/log_convert.h: a recording from one file into another, in memory that does not grow with
// it. How: docs/record.md
#ifndef IB_RECORD_LOG_CONVERT_H
#define IB_RECORD_LOG_CONVERT_H

#include "record/log.h"
#include "record/packer.h"

// Writes what ib_log_write makes of what ib_log_read reads, the same bytes. *log, which the caller
// destroys, is without samples, events and flaws; the number of events is there. It is NULL when
// reading failed. What can be read once only, such as a pipe, is read into memory first.
ib_Status ib_log_convert(const char *from, const char *to, ib_Log **log, ib_Error *error);

// Internal to src/record, shared with log_write.c: the columns of a log's series and the poses
// among them; that a series of a WPILOG begins at 0 or later; that a path's ending is known.
ib_Status ib__log_packer(const ib_Log *log, const char *path, ib_Arena *arena, ib_Packer *packer,
                         ib_Error *error);
ib_Status ib__log_check_begin(const ib_LogSeries *series, ib_Time first, ib_Error *error);
ib_Status ib__log_check_path(const char *path, ib_Error *error);

// What a conversion may have in memory.
typedef struct ib__ConvertLimits {
    int room;      ///< samples; at least one of each series
    size_t window; ///< bytes of the file
    size_t block;  ///< bytes of the file that are known by their times
} ib__ConvertLimits;

// The same within these limits: small ones show in a test what large logs would.
ib_Status ib__log_convert_within(const char *from, const char *to, const ib__ConvertLimits *limits,
                                 ib_Log **log, ib_Error *error);

#endif
