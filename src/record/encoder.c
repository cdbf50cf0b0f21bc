#include "record/encoder.h"

#include "record/csv.h"

#include <string.h>

void ib__encoder_begin(const ib_Encoder *encoder, const ib_LogFact *facts, int fact_count,
                       ib_Bytes *bytes)
{
    if (encoder->format == IB_LOG_WPILOG)
        ib_wpilog_put_layout(&encoder->layout, facts, fact_count, bytes);
    else
        ib_csv_put_header(encoder->layout.columns, encoder->layout.column_count, bytes);
}

void ib__encoder_row(const ib_Encoder *encoder, ib_Time time, const double *values,
                     const bool *present, ib_Bytes *bytes)
{
    if (encoder->format == IB_LOG_WPILOG)
        ib_wpilog_put_row(&encoder->layout, time, values, present, bytes);
    else
        ib_csv_put_row(time, values, present, encoder->layout.column_count, bytes);
}

void ib__encoder_message(const ib_Encoder *encoder, ib_Time time, int source, ib_LogLevel level,
                         const char *text, ib_Bytes *bytes)
{
    if (encoder->format == IB_LOG_WPILOG)
        ib_wpilog_put_message(&encoder->layout, time, source, level, text, bytes);
}

void ib__encoder_end(const ib_Encoder *encoder, ib_Time time, ib_Bytes *bytes)
{
    if (encoder->format == IB_LOG_WPILOG) ib_wpilog_put_end(&encoder->layout, time, bytes);
}

size_t ib__encoder_row_limit(const ib_Encoder *encoder)
{
    const ib_WpilogLayout *layout = &encoder->layout;
    if (encoder->format == IB_LOG_WPILOG)
        return (size_t)layout->column_count * (IB_WPILOG_RECORD + 8) +
               (size_t)layout->pose_count * (IB_WPILOG_RECORD + 24);
    return (size_t)(layout->column_count + 1) * IB_CSV_NUMBER;
}

static int find_column(const ib_SignalDef *columns, int count, const char *prefix, size_t length,
                       const char *field)
{
    for (int i = 0; i < count; i++)
        if (strncmp(columns[i].name, prefix, length) == 0 &&
            strcmp(columns[i].name + length, field) == 0)
            return i;
    return -1;
}

int ib__poses_find(const ib_SignalDef *columns, int count, ib_Arena *arena, ib_PosePlaces **poses)
{
    *poses = ib_arena_array(arena, (size_t)count, sizeof **poses);
    if (!*poses) return -1;
    int found = 0;
    const size_t tail = strlen("pose.x");
    for (int i = 0; i < count; i++) {
        const char *name = columns[i].name;
        size_t length = strlen(name);
        if (length < tail || strcmp(name + length - tail, "pose.x") != 0) continue;
        size_t prefix = length - tail;
        if (prefix && name[prefix - 1] != '.') continue;
        ib_PosePlaces pose = {
            .name = ib_arena_format(arena, "%.*sPose", (int)prefix, name),
            .x = i,
            .y = find_column(columns, count, name, prefix, "pose.y"),
            .heading = find_column(columns, count, name, prefix, "pose.heading"),
        };
        if (!pose.name) return -1;
        if (pose.y >= 0 && pose.heading >= 0) (*poses)[found++] = pose;
    }
    return found;
}
