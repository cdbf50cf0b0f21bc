// record/log_write.c: writes a log as a file, all its series in one order of time.
#include "base/quote.h"
#include "record/log_convert.h"
#include "record/row_file.h"

#include <string.h>

// The position of a walk through all series at once.
typedef struct Walk {
    const ib_Log *log;
    int64_t *next; ///< per series: its first unwritten sample
    double *values;
    bool *present;
    ib_Packer packer;
} Walk;

// The next row: the earliest time left, and every series with a sample then. A series with two
// samples at one time gets two rows. False at the end.
static bool next_row(Walk *walk, ib_Time *time)
{
    const ib_Log *log = walk->log;
    bool any = false;
    for (int i = 0; i < log->series_count; i++) {
        const ib_LogSeries *series = &log->series[i];
        if (walk->next[i] == series->count) continue;
        ib_Time candidate = series->times[walk->next[i]];
        *time = any ? ib_time_min(*time, candidate) : candidate;
        any = true;
    }
    for (int i = 0; any && i < log->series_count; i++) {
        const ib_LogSeries *series = &log->series[i];
        walk->present[i] = walk->next[i] < series->count && series->times[walk->next[i]] == *time;
        if (walk->present[i]) walk->values[i] = series->values[walk->next[i]++];
    }
    return any;
}

// A column, which is binary only if all its samples are: a table may declare any signal so.
static ib_SignalDef make_column(const ib_LogSeries *series)
{
    ib_SignalDef column = {.name = series->name,
                           .unit = series->unit,
                           .sentence = series->sentence,
                           .means = series->means};
    for (int64_t i = 0; i < series->count && column.means.binary; i++)
        column.means.binary = series->values[i] == 0 || series->values[i] == 1;
    return column;
}

ib_Status ib__log_packer(const ib_Log *log, const char *path, ib_Arena *arena, ib_Packer *packer,
                         ib_Error *error)
{
    size_t count = (size_t)log->series_count;
    ib_SignalDef *columns = ib_arena_array(arena, count, sizeof *columns);
    ib_PosePlaces *poses = NULL;
    if (!columns) return ib_error_set(error, IB_FAILED, "out of memory");
    for (size_t i = 0; i < count; i++) columns[i] = make_column(&log->series[i]);
    int pose_count = ib__poses_find(columns, log->series_count, arena, &poses);
    if (pose_count < 0) return ib_error_set(error, IB_FAILED, "out of memory");
    *packer = (ib_Packer){
        .format = ib_log_format(path),
        .layout = {columns, log->series_count, poses, pose_count, log->sources, log->source_count},
    };
    return IB_OK;
}

static ib_Status prepare(Walk *walk, ib_Arena *arena, const char *path, ib_Error *error)
{
    size_t count = (size_t)walk->log->series_count;
    walk->next = ib_arena_array(arena, count, sizeof *walk->next);
    walk->values = ib_arena_array(arena, count, sizeof *walk->values);
    walk->present = ib_arena_array(arena, count, sizeof *walk->present);
    if (!walk->next || !walk->values || !walk->present)
        return ib_error_set(error, IB_FAILED, "out of memory");
    return ib__log_packer(walk->log, path, arena, &walk->packer, error);
}

ib_Status ib__log_check_begin(const ib_LogSeries *series, ib_Time first, ib_Error *error)
{
    if (first >= 0) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "a WPILOG file has no times before 0, but '%s' begins at %g s",
                        ib_quote(series->name).text, ib_time_to_seconds(first));
}

static ib_Status check_times(const ib_Log *log, ib_Error *error)
{
    for (int i = 0; i < log->series_count; i++) {
        const ib_LogSeries *series = &log->series[i];
        ib_Status status = ib__log_check_begin(series, series->count ? series->times[0] : 0, error);
        if (status != IB_OK) return status;
    }
    if (log->event_count && log->events[0].time < 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "a WPILOG file has no times before 0, but a message has");
    return IB_OK;
}

static ib_Status write_all(Walk *walk, const char *path, ib_Arena *arena, ib_Error *error)
{
    const ib_Log *log = walk->log;
    ib_RowFile file;
    ib_Time time = 0;
    ib_Status status = ib__row_file_create(path, true, &walk->packer, arena, &file, error);
    if (status != IB_OK) return status;
    ib__row_file_begin(&file, log->facts, log->fact_count);
    for (int64_t i = 0; i < log->event_count && !file.sink.failure; i++) {
        const ib_LogEvent *event = &log->events[i];
        ib__row_file_message(&file, event->time, event->source, event->level, event->text);
    }
    while (!file.sink.failure && next_row(walk, &time))
        ib__row_file_row(&file, time, walk->values, walk->present);
    return ib__row_file_close(&file, error);
}

ib_Status ib__log_check_path(const char *path, ib_Error *error)
{
    if (ib_log_format(path) != IB_LOG_UNKNOWN) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "cannot tell the format of '%s': expected a name that ends in .csv or "
                        ".wpilog",
                        ib_quote(path).text);
}

ib_Status ib_log_write(const ib_Log *log, const char *path, ib_Error *error)
{
    Walk walk = {.log = log};
    ib_Arena arena = {0};
    ib_Status status = ib__log_check_path(path, error);
    if (status == IB_OK) status = prepare(&walk, &arena, path, error);
    if (status == IB_OK && walk.packer.format == IB_LOG_WPILOG) status = check_times(log, error);
    if (status == IB_OK) status = write_all(&walk, path, &arena, error);
    ib_arena_reset(&arena);
    return status;
}
