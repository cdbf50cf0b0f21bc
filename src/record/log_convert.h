// record/log_convert.h: a recording from one file into another, in memory that does not grow with
// it. The method is in docs/scenario/record.md.
#ifndef IB_RECORD_LOG_CONVERT_H
#define IB_RECORD_LOG_CONVERT_H

#include "record/log.h"
#include "record/packer.h"

// Writes the same bytes as ib_log_write after ib_log_read. *log, which the caller destroys, is
// without samples, events and flaws; the number of events is set. It is NULL when reading failed. A
// file that can be read only once, such as a pipe, is read into memory first.
ib_Status ib_log_convert(const char *from, const char *to, ib_Log **log, ib_Error *error);

// Internal to src/record, shared with log_write.c: the columns of a log's series and the poses
// among them; that a series of a WPILOG begins at 0 or later; that a path's ending is known.
ib_Status ib__log_packer(const ib_Log *log, const char *path, ib_Arena *arena, ib_Packer *packer,
                         ib_Error *error);
ib_Status ib__log_check_begin(const ib_LogSeries *series, ib_Time first, ib_Error *error);
ib_Status ib__log_check_path(const char *path, ib_Error *error);

// Memory limits of a conversion.
typedef struct ib__ConvertLimits {
    int room;      ///< samples; at least one of each series
    size_t window; ///< bytes of the file
    size_t block;  ///< bytes of the file per block, whose span of times is known
} ib__ConvertLimits;

// The same within these limits: small ones test the behaviour for large logs.
ib_Status ib__log_convert_within(const char *from, const char *to, const ib__ConvertLimits *limits,
                                 ib_Log **log, ib_Error *error);

#endif
