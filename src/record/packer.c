#include "record/packer.h"

#include "record/csv.h"
#include "robot/planar.h"

#include <string.h>

void ib__packer_begin(const ib_Packer *packer, const ib_LogFact *facts, int fact_count,
                      ib_Bytes *bytes)
{
    if (packer->format == IB_LOG_WPILOG)
        ib_wpilog_put_layout(&packer->layout, facts, fact_count, bytes);
    else
        ib_csv_put_header(packer->layout.columns, packer->layout.column_count, bytes);
}

void ib__packer_row(const ib_Packer *packer, ib_Time time, const double *values,
                    const bool *present, ib_Bytes *bytes)
{
    if (packer->format == IB_LOG_WPILOG)
        ib_wpilog_put_row(&packer->layout, time, values, present, bytes);
    else
        ib_csv_put_row(time, values, present, packer->layout.column_count, bytes);
}

void ib__packer_message(const ib_Packer *packer, ib_Time time, int source, ib_LogLevel level,
                        const char *text, ib_Bytes *bytes)
{
    if (packer->format == IB_LOG_WPILOG)
        ib_wpilog_put_message(&packer->layout, time, source, level, text, bytes);
}

size_t ib__packer_row_limit(const ib_Packer *packer)
{
    if (packer->format == IB_LOG_WPILOG) return ib_wpilog_row_limit(&packer->layout);
    return (size_t)(packer->layout.column_count + 1) * IB_CSV_NUMBER;
}

static int find_column(const ib_SignalDef *columns, int count, const char *robot,
                       ib_SignalRole role)
{
    const ib_SignalTable table = {.items = (ib_SignalDef *)columns, .count = count};
    return ib_signals_role(&table, robot, role);
}

// The name of the pose with this x: "red.Pose" of "red.pose.x"; "Odometry.Robot" of
// "Odometry.Robot.x" from another program.
static const char *pose_name(const char *x, ib_Arena *arena)
{
    size_t stem = ib_signal_stem(x), own = ib_signal_stem(IB_NAME_POSE_X);
    bool ours = stem >= own && strncmp(x + stem - own, IB_NAME_POSE_X, own) == 0 &&
                (stem == own || x[stem - own - 1] == '.');
    return ib_arena_format(arena, "%.*s%s", (int)(ours ? stem - own : stem), x,
                           ours ? IB_POSE_ENTRY : "");
}

int ib__poses_find(const ib_SignalDef *columns, int count, ib_Arena *arena, ib_PosePlaces **poses)
{
    *poses = ib_arena_array(arena, (size_t)count, sizeof **poses);
    if (!*poses) return -1;
    int found = 0;
    for (int i = 0; i < count; i++) {
        if (columns[i].means.role != IB_ROLE_POSE_X) continue;
        const char *robot = columns[i].means.robot ? columns[i].means.robot : "";
        ib_PosePlaces pose = {
            .name = pose_name(columns[i].name, arena),
            .x = i,
            .y = find_column(columns, count, robot, IB_ROLE_POSE_Y),
            .heading = find_column(columns, count, robot, IB_ROLE_POSE_HEADING),
        };
        if (!pose.name) return -1;
        if (pose.y >= 0 && pose.heading >= 0) (*poses)[found++] = pose;
    }
    return found;
}
