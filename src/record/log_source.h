// record/log_source.h: a recording that is read in pieces, several times.
//
// The readers of both formats hand their samples to a taker one by one, in the order of the file.
// In memory the taker fills the series of a log; a conversion passes them on. Internal
// to src/record.
#ifndef IB_RECORD_LOG_SOURCE_H
#define IB_RECORD_LOG_SOURCE_H

#include "record/log.h"
#include "record/window.h"

// The receiver of a log's samples. A NULL function takes none of its kind; times outside of from <=
// time < until are left out.
typedef struct ib__LogTaker {
    void *self;
    ib_Time from, until;
    const bool *exact; ///< of each series: its values are needed, not only its times; NULL: all are
    void (*number)(void *self, ib_Time time, int series, double value);
    void (*hole)(void *self, ib_Time time, int series);               ///< a cell with nan or inf
    void (*event)(void *self, ib_Time time, int source, uint64_t at); ///< at: of its record
    void (*fact)(void *self, int fact, uint64_t at);
} ib__LogTaker;

#define IB__ANY_TIME .from = -IB_TIME_NEVER, .until = IB_TIME_NEVER

// A place between two records, or two rows.
typedef struct ib__LogMark {
    uint64_t at;
    int64_t count; ///< entries started before it; of a CSV the line
} ib__LogMark;

// A reader that knows the series of its log, whose samples are still in the file.
typedef struct ib__LogSource {
    void *self;
    ib__LogMark (*mark)(const void *self);
    void (*seek)(void *self, ib__LogMark mark);
    // Hands over the records that begin before `end`, at most the end of the complete part.
    ib_Status (*read)(void *self, uint64_t end, const ib__LogTaker *taker);
    // The text of an event or a fact, with a closing NUL, in the source's memory until the next
    // call; NULL: the window or the memory failed, and the error says so.
    const char *(*text)(void *self, uint64_t at);
    void (*destroy)(void *self);
} ib__LogSource;

// Opens a file as a source: finds its format, checks its structure and fills all of an empty log
// except samples, values of facts and events. `window` and `log` must outlive the source.
ib_Status ib__log_source_open(ib__Window *window, ib_Log *log, ib__LogSource *source);
ib_Status ib__wpilog_source_open(ib__Window *window, ib_Log *log, ib__LogSource *source);
ib_Status ib__csv_source_open(ib__Window *window, ib_Log *log, ib__LogSource *source);

// An event from its record: Ironbird's own messages have their level in front of the text.
ib_LogEvent ib__log_event(const ib_Log *log, ib_Time time, int source, const char *text);

#endif
