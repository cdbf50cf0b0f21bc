// record/log.h: a recording in memory, read from a file. Formats: docs/scenario/record.md
#ifndef IB_RECORD_LOG_H
#define IB_RECORD_LOG_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/signal.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { IB_LOG_MAX_SIGNALS = 10000, IB_LOG_MAX_UNREAD = 16, IB_LOG_MAX_ELEMENTS = 256 };
#define IB_LOG_MAX_BYTES ((uint64_t)4 << 30) ///< of a file to read

typedef enum ib_LogLevel {
    IB_LEVEL_INFO,
    IB_LEVEL_WARNING,
    IB_LEVEL_ERROR,
} ib_LogLevel;

// One signal over time. Each has times of its own.
typedef struct ib_LogSeries {
    const char *name;       ///< dotted: "pose.x"
    const char *unit;       ///< as in base/signal.h; "" when the file does not say
    const char *sentence;   ///< description; "" when the file does not say
    int64_t count;          ///< samples, >= 0
    ib_Time *times;         ///< ascending; equal times stay in the file's order
    double *values;         ///< one for each time, in `unit`
    ib_SignalMeaning means; ///< from the file, else by its name (sim/recognise.h)
} ib_LogSeries;

// Flaws of a series in the file that its samples do not show any more.
typedef struct ib_LogFlaws {
    bool *late;          ///< of each sample: it followed a later one; NULL: none did
    int64_t hole_count;  ///< cells of a CSV that hold nan or inf: no samples, >= 0
    ib_Time *hole_times; ///< theirs, ascending
} ib_LogFlaws;

// A fact about the whole run: "title", "robot", …
typedef struct ib_LogFact {
    const char *key, *value;
} ib_LogFact;

// The reason why an entry of a file is not in its log.
typedef enum ib_LogUnreadReason {
    IB_UNREAD_TYPE, ///< values of an unknown type
    IB_UNREAD_LONG, ///< elements of arrays beyond the limit
    IB_UNREAD_MANY, ///< arrays without room: too many signals
    IB_UNREAD_SIZE, ///< single records longer or shorter than their type
} ib_LogUnreadReason;

// Entries of one type that were not read, or not completely. The last of IB_LOG_MAX_UNREAD also
// counts all types without a row of their own.
typedef struct ib_LogUnread {
    ib_LogUnreadReason reason;
    const char *type;    ///< in the file's words: "proto:Thing"
    const char *example; ///< name of the first one
    int entries;
    int64_t records;
} ib_LogUnread;

typedef struct ib_LogEvent {
    ib_Time time;
    ib_LogLevel level;
    int source; ///< index into ib_Log.sources
    const char *text;
} ib_LogEvent;

typedef struct ib_Log {
    ib_Arena arena; ///< owns all that follows
    ib_LogSeries *series;
    int series_count;
    ib_LogFlaws *flaws; ///< of each series; NULL: not read from a file
    ib_LogFact *facts;
    int fact_count;
    const char **sources; ///< of events; Ironbird's own is "messages"
    int source_count;
    ib_LogEvent *events; ///< by time
    int64_t event_count;
    ib_LogUnread *unread; ///< entries of the file that the log lacks
    int unread_count;
    int64_t back_line;   ///< of a CSV: the first line with an earlier time than the line above;
                         ///< 0: none
    bool truncated;      ///< the end is cut off (a killed run); all complete records are here
    uint64_t whole_size; ///< bytes of the file in this log
} ib_Log;

typedef enum ib_LogFormat {
    IB_LOG_UNKNOWN,
    IB_LOG_CSV,
    IB_LOG_WPILOG,
} ib_LogFormat;

// The format of a file name's ending, in upper or lower case.
ib_LogFormat ib_log_format(const char *path);

// Reads a file whose format is known by its ending, or else by its first bytes. IB_BAD_INPUT gives
// fault and place: "run.csv:12:3: …" or "run.wpilog: byte 345: …".
ib_Status ib_log_read(const char *path, ib_Log **log, ib_Error *error);

// The same for bytes in memory; `name` stands in for the path.
ib_Status ib_log_parse(const char *name, const unsigned char *data, size_t size, ib_Log **log,
                       ib_Error *error);

void ib_log_destroy(ib_Log *log); ///< NULL: does nothing

// The series with this name, or NULL.
const ib_LogSeries *ib_log_find(const ib_Log *log, const char *name);

// Writes a log in the format of the path's ending. CSV holds the series only: one row for each time
// of any series, with empty cells for series without a sample then.
ib_Status ib_log_write(const ib_Log *log, const char *path, ib_Error *error);

// Creates an empty log, and sorts its series and events by time: for the readers.
ib_Log *ib__log_create(void);
ib_Status ib__log_sort(ib_Log *log, ib_Error *error);

#endif
