// record/log_survey.h: the times in each block of a recording, and properties of its series. One
// pass over all samples, after which a conversion knows the blocks with times of a span. Internal
// to src/record.
#ifndef IB_RECORD_LOG_SURVEY_H
#define IB_RECORD_LOG_SURVEY_H

#include "record/log_source.h"

enum { IB__MOST_BLOCKS = 1 << 15 }; ///< a longer file has longer blocks

// A span of time; none: first > last.
typedef struct ib__Span {
    ib_Time first, last;
} ib__Span;

// Neighbouring records, or rows.
typedef struct ib__LogBlock {
    ib__LogMark mark; ///< its begin
    uint64_t end;
    ib__Span numbers, events;
} ib__LogBlock;

typedef struct ib__LogSurvey {
    ib__LogBlock *blocks;
    int count, capacity;
    uint64_t bytes;     ///< of the file, in a block
    ib_Time *first;     ///< of each series; IB_TIME_NEVER: it has no samples
    bool *binary;       ///< of each series that may be binary: all its samples are 0 or 1
    uint64_t *facts;    ///< the last record of each fact
    ib__LogBlock *open; ///< the unfinished block
} ib__LogSurvey;

// Reads all samples of a newly opened source, in blocks of `bytes` at first. `arena` holds the
// arrays of each series.
ib_Status ib__log_survey(const ib__LogSource *source, const ib_Log *log, uint64_t bytes,
                         ib_Arena *arena, ib__LogSurvey *survey, ib_Error *error);
void ib__log_survey_free(ib__LogSurvey *survey);

#endif
