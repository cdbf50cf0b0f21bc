#include "report/series.h"

#include "base/geometry.h"

#include <limits.h>
#include <math.h>
#include <string.h>

const ib_LogSeries *ib_series_find(ib_SeriesSet set, const char *prefix, const char *name)
{
    size_t length = strlen(prefix);
    for (int i = 0; i < set.count; i++) {
        const char *whole = set.items[i].name;
        if (length == 0 && strcmp(whole, name) == 0) return &set.items[i];
        if (length > 0 && strncmp(whole, prefix, length) == 0 && whole[length] == '.' &&
            strcmp(whole + length + 1, name) == 0)
            return &set.items[i];
    }
    return NULL;
}

const ib_LogSeries *ib_series_role(ib_SeriesSet set, const char *robot, ib_SignalRole role)
{
    for (int i = 0; i < set.count; i++) {
        const ib_SignalMeaning *means = &set.items[i].means;
        if (means->role == role && ib_meaning_is_of(means, robot)) return &set.items[i];
    }
    return NULL;
}

// The rows of two tapes in order of time; returns how many.
static int merge_rows(const ib_Tape *tape, const ib_Tape *between, ib_Time *times,
                      const double **rows)
{
    int count = 0;
    for (int i = 0, k = 0; i < tape->count || (between && k < between->count);) {
        bool inner = between && k < between->count &&
                     (i == tape->count || between->times[k] <= tape->times[i]);
        if (inner && i < tape->count && between->times[k] == tape->times[i]) i++;
        times[count] = inner ? between->times[k] : tape->times[i];
        rows[count++] = inner ? ib_tape_row(between, k++) : ib_tape_row(tape, i++);
    }
    return count;
}

ib_SeriesSet ib_series_from_tapes(const ib_Tape *tape, const ib_Tape *between,
                                  const ib_SignalTable *signals, ib_Arena *arena)
{
    size_t room = (size_t)tape->count + (size_t)(between ? between->count : 0);
    size_t columns = (size_t)tape->signals;
    ib_LogSeries *items = ib_arena_array(arena, columns, sizeof *items);
    ib_Time *times = ib_arena_array(arena, room, sizeof *times);
    const double **merged = ib_arena_array(arena, room, sizeof *merged);
    if (!items || !times || !merged || signals->count != tape->signals) return (ib_SeriesSet){0};
    size_t rows = (size_t)merge_rows(tape, between, times, merged);
    double *values = ib_arena_array(arena, rows * columns, sizeof *values);
    if (!values) return (ib_SeriesSet){0};
    for (size_t s = 0; s < columns; s++) {
        const ib_SignalDef *def = &signals->items[s];
        items[s] = (ib_LogSeries){
            .name = def->name,
            .unit = def->unit,
            .sentence = def->sentence,
            .count = (int64_t)rows,
            .times = times,
            .values = values + s * rows,
            .means = def->means,
        };
        for (size_t r = 0; r < rows; r++) items[s].values[r] = merged[r][s];
    }
    return (ib_SeriesSet){items, tape->signals};
}

// The number of samples earlier than `time`.
static int64_t count_before(const ib_LogSeries *series, ib_Time time)
{
    int64_t low = 0, high = series->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (series->times[middle] < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

ib_LogSeries ib_series_cut(const ib_LogSeries *series, ib_Time from, ib_Time to)
{
    ib_LogSeries part = *series;
    int64_t first = count_before(series, from);
    int64_t last = to == IB_TIME_NEVER ? series->count : count_before(series, to + 1);
    part.count = last > first ? last - first : 0;
    if (part.count > 0) {
        part.times += first;
        part.values += first;
    }
    return part;
}

double ib_series_value(const ib_LogSeries *series, ib_Time time)
{
    int64_t next = count_before(series, time);
    if (next == series->count) return NAN;
    if (series->times[next] == time) return series->values[next];
    if (next == 0) return NAN;
    double before = series->values[next - 1], after = series->values[next];
    double part = (double)(time - series->times[next - 1]) /
                  (double)(series->times[next] - series->times[next - 1]);
    return before + part * (after - before);
}

const double *ib_series_seconds(const ib_LogSeries *series, ib_Arena *arena)
{
    double *seconds = ib_arena_array(arena, (size_t)series->count, sizeof *seconds);
    for (int64_t i = 0; seconds && i < series->count; i++)
        seconds[i] = ib_time_to_seconds(series->times[i]);
    return seconds;
}

static bool same_times(const ib_LogSeries *a, const ib_LogSeries *b)
{
    if (a->count != b->count) return false;
    if (a->count == 0 || a->times == b->times) return true;
    return memcmp(a->times, b->times, (size_t)a->count * sizeof *a->times) == 0;
}

const double *ib_series_aligned(const ib_LogSeries *series, const ib_LogSeries *base,
                                ib_Arena *arena)
{
    if (same_times(series, base) && series->count > 0) return series->values;
    double *values = ib_arena_array(arena, (size_t)base->count, sizeof *values);
    for (int64_t i = 0; values && i < base->count; i++)
        values[i] = ib_series_value(series, base->times[i]);
    return values;
}

// A signal of a robot has the robot's name as its first word; if that is a colour, the curve
// has it.
static void wear_name(const char *name, ib_PlotSeries *series)
{
    char word[16];
    size_t length = strcspn(name, ".");
    if (length >= sizeof word) return;
    memcpy(word, name, length);
    word[length] = '\0';
    series->named = ib_colour_named(word, &series->rgb);
}

const double *ib_series_shown(const ib_ShownUnit *shown, const double *values, int64_t count,
                              ib_Arena *arena)
{
    if (shown->factor == 1 && shown->offset == 0) return values;
    double *seen = ib_arena_array(arena, (size_t)count, sizeof *seen);
    for (int64_t i = 0; seen && values && i < count; i++)
        seen[i] = ib_signal_value(shown, values[i]);
    return seen;
}

bool ib_series_curve(const ib_LogSeries *series, ib_Arena *arena, ib_PlotSeries *curve)
{
    const ib_ShownUnit shown = ib_signal_shown(&series->means, series->unit);
    int64_t count = series->count < INT_MAX ? series->count : INT_MAX;
    // A mode holds until it jumps, unless it is derived from a motion, which is a curve itself.
    const ib_Mode *mode = series->means.mode;
    *curve = (ib_PlotSeries){
        .label = series->name,
        .unit = shown.unit,
        .x = ib_series_seconds(series, arena),
        .y = ib_series_shown(&shown, series->values, count, arena),
        .count = (int)count,
        .style = mode && !mode->motion ? IB_PLOT_STEPS : IB_PLOT_LINE,
    };
    wear_name(series->name, curve);
    return curve->x && (curve->y || count == 0);
}

// A coordinate of a robot's place by its role, or of anything that has one by its name: "ball.x".
static const ib_LogSeries *find_place(ib_SeriesSet set, const char *robot, ib_SignalRole role,
                                      const char *name)
{
    const ib_LogSeries *series = ib_series_role(set, robot, role);
    return series || !robot[0] ? series : ib_series_find(set, robot, name);
}

bool ib_series_trajectory(ib_SeriesSet set, const char *robot, ib_Arena *arena,
                          ib_PlotSeries *trajectory)
{
    const ib_LogSeries *x = find_place(set, robot, IB_ROLE_POSE_X, "x");
    const ib_LogSeries *y = find_place(set, robot, IB_ROLE_POSE_Y, "y");
    const ib_LogSeries *u = ib_series_role(set, robot, IB_ROLE_VELOCITY_X);
    const ib_LogSeries *v = ib_series_role(set, robot, IB_ROLE_VELOCITY_Y);
    if (!x || !y || x->count == 0) return false;
    *trajectory = (ib_PlotSeries){
        .label = robot[0] ? robot : "path",
        .unit = "m",
        .x = x->values,
        .y = ib_series_aligned(y, x, arena),
        .count = (int)(x->count < INT_MAX ? x->count : INT_MAX),
        .u = u ? ib_series_aligned(u, x, arena) : NULL,
        .v = v ? ib_series_aligned(v, x, arena) : NULL,
        .times = ib_series_seconds(x, arena),
    };
    wear_name(robot, trajectory);
    return trajectory->y && trajectory->times;
}
