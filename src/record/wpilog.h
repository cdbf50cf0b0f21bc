// record/wpilog.h: recordings in WPILib's data log format 1.0, which AdvantageScope opens. Layout,
// names and losses: docs/scenario/record.md
#ifndef IB_RECORD_WPILOG_H
#define IB_RECORD_WPILOG_H

#include "base/clock.h"
#include "base/signal.h"
#include "record/bytes.h"
#include "record/log.h"

enum { IB_WPILOG_RECORD = 17 }; ///< most bytes in front of a record's payload

// --------------------------------------------------------------------- writing: records one by one

// Times are whole microseconds on the wire.

void ib_wpilog_put_header(const char *extra, ib_Bytes *bytes);

// A record with the shortest possible lengths.
void ib_wpilog_put_record(uint32_t entry, uint64_t micros, const void *payload, size_t size,
                          ib_Bytes *bytes);
void ib_wpilog_put_double(uint32_t entry, uint64_t micros, double value, ib_Bytes *bytes);
void ib_wpilog_put_text(uint32_t entry, uint64_t micros, const char *text, ib_Bytes *bytes);

// Start of an entry; `metadata` is JSON or "". Dots of `name` become slashes: "pose.x" -> "pose/x".
void ib_wpilog_put_start(uint32_t entry, const char *name, const char *type, const char *metadata,
                         ib_Bytes *bytes);

// Nearest microsecond; time >= 0.
static inline uint64_t ib_wpilog_micros(ib_Time time)
{
    return ((uint64_t)time + 500) / 1000;
}

// ------------------------------------------------------------------------ writing: rows of a table

#define IB_POSE_ENTRY "Pose" ///< behind the robot's name: "red.Pose"

// A robot's pose, as places in the row.
typedef struct ib_PosePlaces {
    const char *name; ///< dotted: "Pose", "red.Pose"
    int x, y, heading;
} ib_PosePlaces;

typedef struct ib_WpilogLayout {
    const ib_SignalDef *columns;
    int column_count;
    const ib_PosePlaces *poses;
    int pose_count;
    const char *const *sources; ///< of messages
    int source_count;
} ib_WpilogLayout;

// Header, schemas and facts, then the start of every entry. No entry has a finish record: the end
// of the log suffices, and AdvantageScope drops entries that are finished within a second of
// their start.
void ib_wpilog_put_layout(const ib_WpilogLayout *layout, const ib_LogFact *facts, int fact_count,
                          ib_Bytes *bytes);

// A double, or a boolean of a binary signal, for each value `present` (NULL: all), and each pose
// with all parts present.
void ib_wpilog_put_row(const ib_WpilogLayout *layout, ib_Time time, const double *values,
                       const bool *present, ib_Bytes *bytes);

// Largest size of a row in bytes.
size_t ib_wpilog_row_limit(const ib_WpilogLayout *layout);

void ib_wpilog_put_message(const ib_WpilogLayout *layout, ib_Time time, int source,
                           ib_LogLevel level, const char *text, ib_Bytes *bytes);

// ----------------------------------------------------------------------------------------- reading

// True if the bytes begin like a WPILOG file.
bool ib_wpilog_recognise(const unsigned char *data, size_t size);

// Reading itself: record/log_source.h. Entries of numbers become series, arrays one for each
// element, structs one for each number unless plain ones have their names, string entries become
// events or facts; other types are skipped and named in `unread`.

#endif
