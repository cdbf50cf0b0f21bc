#include "study/sweep/sweep_best.h"

#include "study/sweep/student.h"

#include <math.h>
#include <stdlib.h>

// A point among others.
typedef struct Rank {
    int64_t point, failed;
    double missed; ///< margins, each as a share of the largest miss among the points
    double value;  ///< smaller is better; NAN: none
    bool allowed;
} Rank;

static int compare(const void *left, const void *right)
{
    const Rank *a = left, *b = right;
    if (a->allowed != b->allowed) return a->allowed ? -1 : 1;
    if (a->failed != b->failed) return a->failed < b->failed ? -1 : 1;
    if (a->missed < b->missed || a->missed > b->missed) return a->missed < b->missed ? -1 : 1;
    if (isnan(a->value) != isnan(b->value)) return isnan(b->value) ? -1 : 1;
    if (a->value < b->value || a->value > b->value) return a->value < b->value ? -1 : 1;
    return a->point < b->point ? -1 : 1;
}

// By how much a point misses an expectation at its worst; 0: not.
static double miss(const ib_SweepPoints *points, int64_t point, int expectation)
{
    double least = ib_sweep_points_statistics(points, point, expectation).min;
    return least < 0 ? -least : 0;
}

static void add_misses(const ib_SweepPoints *points, Rank *ranks, int64_t count)
{
    for (int e = 0; e < points->expectations; e++) {
        double most = 0;
        for (int64_t i = 0; i < count; i++) {
            double missed = miss(points, i, e);
            if (missed > most) most = missed;
        }
        for (int64_t i = 0; i < count && most > 0; i++)
            ranks[i].missed += miss(points, i, e) / most;
    }
}

// True if the point may be as good as the best one, among `others`.
static bool is_tie(const ib_SweepPoints *points, const ib_SweepBest *best, int64_t point,
                   int64_t others)
{
    const double sure = 0.95, equal = 1e-9;
    ib_SweepSum sum = ib_sweep_sum();
    for (int64_t i = 0; i < points->seeds; i++) {
        int64_t a = best->order[0] * points->seeds + i, b = point * points->seeds + i;
        ib_sweep_sum_add(&sum, points->values[b * points->columns + best->column] -
                                   points->values[a * points->columns + best->column]);
    }
    ib_SweepStatistics d = ib_sweep_sum_statistics(&sum);
    double off = fabs(d.mean), n = (double)points->seeds;
    if (off <= equal * fabs(best->value.mean)) return true;
    if (points->seeds < 2) return false;
    double t = ib_student_quantile(1 - (1 - sure) / (double)others, (int)points->seeds - 1);
    return off < t * d.deviation / sqrt(n);
}

bool ib_sweep_best(const ib_SweepPoints *points, int column, bool largest, ib_Arena *arena,
                   ib_SweepBest *best)
{
    *best = (ib_SweepBest){.column = column,
                           .largest = largest,
                           .count = ib_sweep_points_count(points),
                           .value = {.mean = NAN, .min = NAN, .max = NAN}};
    Rank *ranks = calloc((size_t)best->count + 1, sizeof *ranks);
    best->order = ib_arena_array(arena, (size_t)best->count + 1, sizeof *best->order);
    best->ties = ib_arena_array(arena, (size_t)best->count + 1, sizeof *best->ties);
    bool room = ranks && best->order && best->ties;
    for (int64_t i = 0; room && i < best->count; i++) {
        double mean = ib_sweep_points_statistics(points, i, column).mean;
        ranks[i] = (Rank){.point = i,
                          .failed = ib_sweep_points_failed(points, i),
                          .value = largest ? -mean : mean,
                          .allowed = ib_sweep_points_allowed(points, i, column)};
        best->allowed += ranks[i].allowed;
    }
    if (room) add_misses(points, ranks, best->count);
    if (room) qsort(ranks, (size_t)best->count, sizeof *ranks, compare);
    for (int64_t i = 0; room && i < best->count; i++) best->order[i] = ranks[i].point;
    free(ranks);
    if (!room || best->allowed == 0) return room;
    best->value = ib_sweep_points_statistics(points, best->order[0], column);
    for (int64_t i = 1; i < best->allowed; i++)
        if (is_tie(points, best, best->order[i], best->allowed - 1))
            best->ties[best->tie_count++] = best->order[i];
    return true;
}
