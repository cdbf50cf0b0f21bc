#include "report/sweep_slice.h"

#include "base/extreme.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// -------------------------------------------------------------------------------------------- axis

typedef struct Number {
    double value;
    int place;
} Number;

static int compare(const void *left, const void *right)
{
    const Number *a = left, *b = right;
    return a->value < b->value ? -1 : a->value > b->value;
}

// A quantity's number and its unit as written, `length` letters; false: it is none.
static bool read_number(const char *text, double *value, const char **unit, size_t *length)
{
    ib_Quantity quantity;
    char *end;
    if (ib_quantity_read(text, &quantity, NULL) != IB_OK) return false;
    *value = strtod(text, &end);
    *unit = end + strspn(end, " ");
    *length = strlen(*unit);
    while (*length > 0 && (*unit)[*length - 1] == ' ') --*length;
    return true;
}

// The axis' values in ascending order; false: they are not distinct numbers of one unit.
static bool read_numbers(const ib_SweepAxis *axis, Number *numbers, const char **unit,
                         size_t *length)
{
    for (int i = 0; i < axis->count; i++) {
        const char *own;
        size_t letters;
        numbers[i].place = i;
        if (!read_number(axis->values[i], &numbers[i].value, &own, &letters)) return false;
        if (i == 0) *unit = own, *length = letters;
        if (letters != *length || strncmp(own, *unit, letters) != 0) return false;
    }
    qsort(numbers, (size_t)axis->count, sizeof *numbers, compare);
    for (int i = 1; i < axis->count; i++)
        if (!(numbers[i - 1].value < numbers[i].value)) return false;
    return true;
}

// True of 1, 10, 100 and of 1, 2, 5, 10 … 100: no step is more than the square of another.
static bool is_logarithmic(const Number *numbers, int count)
{
    double least = INFINITY, most = 0;
    if (count < 3 || !(numbers[0].value > 0)) return false;
    for (int i = 1; i < count; i++) {
        double step = log(numbers[i].value / numbers[i - 1].value);
        least = ib_min(least, step);
        most = ib_max(most, step);
    }
    return numbers[count - 1].value >= 99.999 * numbers[0].value && most <= 2 * least;
}

bool ib__slice_axis(const ib_SweepAxis *axis, ib_Arena *arena, ib_SliceAxis *drawn)
{
    size_t count = (size_t)axis->count, length = 0;
    const char *unit = "";
    Number *numbers = ib_arena_array(arena, count, sizeof *numbers);
    int *order = ib_arena_array(arena, count, sizeof *order);
    double *values = ib_arena_array(arena, count, sizeof *values);
    const char **words = ib_arena_array(arena, count, sizeof *words);
    if (!numbers || !order || !values || !words) return false;
    bool read = read_numbers(axis, numbers, &unit, &length);
    for (int i = 0; i < axis->count; i++) {
        order[i] = read ? numbers[i].place : i;
        values[i] = numbers[i].value;
        words[i] = axis->values[order[i]];
    }
    *drawn = (ib_SliceAxis){.path = axis->path,
                            .count = axis->count,
                            .order = order,
                            .numbers = read ? values : NULL,
                            .words = words,
                            .logarithmic = read && is_logarithmic(numbers, axis->count)};
    if (read && length > 0) drawn->unit = ib_arena_text_n(arena, unit, length);
    return !(read && length > 0) || drawn->unit;
}

ib_Status ib__slice_axes(const ib_SweepPlan *plan, ib_Arena *arena, ib_SweepSlice *slice,
                         ib_Error *error)
{
    int chosen[2], count = 0; // the last one first
    int64_t stride = 1, strides[2];
    for (int i = plan->axis_count - 1; i >= 0; i--) {
        slice->drawn[i] = plan->axes[i].count > 1 && count < 2;
        if (slice->drawn[i]) {
            chosen[count] = i;
            strides[count++] = stride;
        }
        stride *= plan->axes[i].count;
    }
    if (count == 0 && plan->seed_count < 2)
        return ib_error_set(error, IB_BAD_INPUT,
                            "nothing varies, this is one run: expected --over PATH=a,b,c or "
                            "--seeds 0..9");
    for (int k = 0; k < count; k++) {
        ib_SliceAxis *axis = &slice->axis[k];
        if (!ib__slice_axis(&plan->axes[chosen[count - 1 - k]], arena, axis))
            return ib_error_set(error, IB_FAILED, "out of memory for a picture");
        axis->stride = strides[count - 1 - k];
    }
    slice->axes = count;
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- slice

// True if two runs have different values of a column.
static bool differs(const ib_SweepPoints *points, int column)
{
    double first = NAN;
    for (int64_t run = 0; run < points->count; run++) {
        double value = points->values[run * points->columns + column];
        if (isnan(first)) first = value;
        if (!isnan(value) && (value < first || value > first)) return true;
    }
    return false;
}

// The measure of the best point; else those that were asked for; else a few headlines, of those
// that differ.
static void choose_measures(ib_SweepSlice *slice)
{
    const ib_Sweep *sweep = slice->sweep;
    int most = sweep->asked ? IB_SLICE_MEASURES : IB_SLICE_HEADLINES;
    slice->measures = 1;
    slice->columns[0] = slice->best ? slice->best->column : ib_sweep_column(sweep, 0);
    if (slice->best) return;
    int count = 0;
    for (int i = 0; i < sweep->plan.measure_count && count < most; i++) {
        int column = ib_sweep_column(sweep, i);
        if (sweep->asked || differs(slice->points, column)) slice->columns[count++] = column;
    }
    if (count > 0) slice->measures = count;
}

static void choose_point(ib_SweepSlice *slice)
{
    const ib_SweepPlan *plan = &slice->sweep->plan;
    const ib_SweepBest *best = slice->best;
    int64_t point = best && best->count > 0 ? best->order[0] : 0;
    uint64_t seed;
    ib_sweep_point(plan, point * plan->seed_count, slice->fixed, &seed);
    slice->first = 0;
    for (int i = 0; i < plan->axis_count; i++)
        slice->first = slice->first * plan->axes[i].count + (slice->drawn[i] ? 0 : slice->fixed[i]);
}

static bool mark_points(ib_SweepSlice *slice, ib_Arena *arena)
{
    const ib_SweepBest *best = slice->best;
    size_t count = (size_t)ib_sweep_points_count(slice->points) + 1;
    unsigned char *marks = ib_arena_alloc(arena, count);
    slice->marks = marks;
    if (!marks || !best || best->allowed == 0) return marks != NULL;
    for (int64_t i = 0; i < best->tie_count; i++) marks[best->ties[i]] = IB_SLICE_TIE;
    marks[best->order[0]] = IB_SLICE_BEST;
    return true;
}

static int places(const ib_SweepSlice *slice, int axis)
{
    return axis < slice->axes ? slice->axis[axis].count : 1;
}

static bool has_value(const ib_SweepSlice *slice)
{
    if (slice->axes == 0 && slice->points->count > 0) return true;
    for (int i = 0; i < places(slice, 0); i++)
        for (int j = 0; j < places(slice, 1); j++)
            for (int k = 0; k < slice->measures; k++)
                if (!isnan(ib__slice_value(slice, slice->columns[k], ib__slice_point(slice, i, j))
                               .mean))
                    return true;
    return false;
}

ib_Status ib__slice(const ib_Sweep *sweep, const ib_SweepPoints *points, const ib_SweepBest *best,
                    ib_Arena *arena, ib_SweepSlice *slice, ib_Error *error)
{
    *slice = (ib_SweepSlice){.sweep = sweep, .points = points, .best = best};
    ib_Status status = ib__slice_axes(&sweep->plan, arena, slice, error);
    if (status) return status;
    if (sweep->given)
        return ib_error_set(error, IB_BAD_INPUT, "points that are no grid cannot be drawn");
    if (points->lost || !mark_points(slice, arena))
        return ib_error_set(error, IB_FAILED, "out of memory for a picture");
    choose_measures(slice);
    choose_point(slice);
    slice->whole = points->count / points->seeds;
    if (slice->axes > 0 ? slice->whole == 0 : points->count == 0)
        return ib_error_set(error, IB_BAD_INPUT, "nothing to draw: no point has all of its runs");
    if (!has_value(slice))
        return ib_error_set(error, IB_BAD_INPUT, "nothing to draw: no run has a value");
    return IB_OK;
}

int64_t ib__slice_point(const ib_SweepSlice *slice, int i, int j)
{
    int64_t point = slice->first;
    int at[2] = {i, j};
    for (int k = 0; k < slice->axes; k++)
        point += slice->axis[k].order[at[k]] * slice->axis[k].stride;
    return point;
}

ib_SliceValue ib__point_value(const ib_Sweep *sweep, const ib_SweepPoints *points, int column,
                              int64_t point)
{
    ib_SliceValue value = {.mean = NAN, .low = NAN, .high = NAN};
    value.done = point < points->count / points->seeds;
    if (!value.done) return value;
    const ib_ShownUnit *shown = &sweep->columns[column].shown;
    ib_SweepStatistics s = ib_sweep_points_statistics(points, point, column);
    value.allowed = ib_sweep_points_allowed(points, point, column);
    if (s.count == 0) return value;
    value.mean = ib_signal_value(shown, s.mean);
    value.low = ib_signal_value(shown, s.mean - s.deviation);
    value.high = ib_signal_value(shown, s.mean + s.deviation);
    return value;
}

ib_SliceValue ib__slice_value(const ib_SweepSlice *slice, int column, int64_t point)
{
    ib_SliceValue value = ib__point_value(slice->sweep, slice->points, column, point);
    if (value.done) value.mark = (ib_SliceMark)slice->marks[point];
    return value;
}

const char *ib__column_unit(const ib_SweepColumn *column)
{
    const char *unit = ib_signal_unit(&column->shown);
    return unit[0] ? unit : NULL;
}

const char *ib__words_of_out(const ib_SweepPoints *points)
{
    return points->seeds > 1 ? "out: a run fails or has no value" : "out: the run fails";
}

double ib__above(double low, double high)
{
    return high + (high > low ? 0.08 * (high - low) : ib_max(0.1 * fabs(high), 1e-3));
}

double ib__slice_run(const ib_SweepSlice *slice, int column, int64_t run)
{
    const ib_SweepPoints *points = slice->points;
    return ib_signal_value(&slice->sweep->columns[column].shown,
                           points->values[run * points->columns + column]);
}
