#include "study/sweep/sweep_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ib_SweepPoints ib_sweep_points(const ib_Sweep *sweep)
{
    return (ib_SweepPoints){.columns = ib_sweep_column(sweep, sweep->plan.measure_count),
                            .expectations = sweep->expectation_count,
                            .seeds = sweep->plan.seed_count};
}

void ib_sweep_points_destroy(ib_SweepPoints *points)
{
    free(points->values);
    free(points->hashes);
    free(points->failed);
    *points = (ib_SweepPoints){0};
}

static bool grow(ib_SweepPoints *points)
{
    size_t room = points->room ? 2 * (size_t)points->room : 256;
    double *values = realloc(points->values, (room * (size_t)points->columns + 1) * sizeof *values);
    if (values) points->values = values;
    uint64_t *hashes = realloc(points->hashes, room * sizeof *hashes);
    if (hashes) points->hashes = hashes;
    int *failed = realloc(points->failed, room * sizeof *failed);
    if (failed) points->failed = failed;
    if (values && hashes && failed) points->room = (int64_t)room;
    return values && hashes && failed;
}

void ib_sweep_points_add(ib_SweepPoints *points, const ib_SweepResult *result)
{
    int failed = result->status == IB_OK ? 0 : -1;
    points->lost |= points->count == IB_SWEEP_KEPT;
    if (points->lost) return;
    if (points->count == points->room && !grow(points)) points->lost = true;
    if (points->lost) return;
    for (int i = 0; i < points->expectations && failed >= 0; i++) failed += !result->passed[i];
    if (points->columns > 0)
        memcpy(points->values + points->count * points->columns, result->values,
               (size_t)points->columns * sizeof *points->values);
    points->hashes[points->count] = result->hash;
    points->failed[points->count++] = failed;
}

int64_t ib_sweep_points_count(const ib_SweepPoints *points)
{
    return (points->count + points->seeds - 1) / points->seeds;
}

// The runs of a point: from its first one up to the returned one, which is not its own.
static int64_t last_of(const ib_SweepPoints *points, int64_t point)
{
    int64_t end = (point + 1) * points->seeds;
    return end < points->count ? end : points->count;
}

ib_SweepStatistics ib_sweep_points_statistics(const ib_SweepPoints *points, int64_t point,
                                              int column)
{
    ib_SweepSum sum = ib_sweep_sum();
    for (int64_t run = point * points->seeds; run < last_of(points, point); run++)
        ib_sweep_sum_add(&sum, points->values[run * points->columns + column]);
    return ib_sweep_sum_statistics(&sum);
}

int64_t ib_sweep_points_failed(const ib_SweepPoints *points, int64_t point)
{
    int64_t failed = 0;
    for (int64_t run = point * points->seeds; run < last_of(points, point); run++)
        failed += points->failed[run] != 0;
    return failed;
}

bool ib_sweep_points_allowed(const ib_SweepPoints *points, int64_t point, int column)
{
    return last_of(points, point) == (point + 1) * points->seeds &&
           ib_sweep_points_failed(points, point) == 0 &&
           ib_sweep_points_statistics(points, point, column).count == points->seeds;
}

// True if two runs came out the same, but for their seeds.
static bool same(const ib_SweepPoints *points, int64_t a, int64_t b)
{
    size_t size = (size_t)points->columns * sizeof *points->values;
    return points->hashes[a] == points->hashes[b] && points->failed[a] == points->failed[b] &&
           (size == 0 || !memcmp(points->values + a * points->columns,
                                 points->values + b * points->columns, size));
}

bool ib_sweep_points_still(const ib_SweepPoints *points, const ib_Sweep *sweep, int axis)
{
    const ib_SweepPlan *plan = &sweep->plan;
    int64_t stride = axis < 0 ? 1 : plan->seed_count;
    int64_t values = axis < 0 ? plan->seed_count : plan->axes[axis].count;
    for (int i = axis + 1; i < plan->axis_count && axis >= 0; i++) stride *= plan->axes[i].count;
    if (points->lost || values < 2) return false;
    for (int64_t run = stride; run < points->count; run++)
        if (run / stride % values > 0 && !same(points, run, run - stride)) return false;
    return points->count == sweep->count;
}
