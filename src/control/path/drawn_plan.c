// Symbols: s the way along the path [m], k its curvature [1/m], v the speed. The path is cut into
// cells of about 1 cm between rows; in each of them curvature and acceleration are constant.
#include "control/path/drawn_plan.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <math.h>

#define SPACING 0.01 ///< of two rows, unless the path is too long for that [m]
#define JUMP    0.1  ///< time in which the yaw rate of a jump of curvature comes about [s]

enum { CELLS = 14000, LEAST = 8 }; ///< of the whole, and of each element

typedef struct Row {
    ib_PathPoint at;
    double v, t; ///< [m/s], [s]
} Row;

// A cell, from one row to the next.
typedef struct Cell {
    double way, k;
} Cell;

typedef struct Work {
    const ib_DrawnPath *drawn;
    const ib_PlanLimits *limits;
    int count; ///< of cells; there is one row more
    Row *rows;
    Cell *cells;
} Work;

static int cells_of(double length, double spacing)
{
    int cells = (int)ceil(length / spacing);
    return cells < LEAST ? LEAST : cells;
}

static void lay_rows(Work *work, double spacing)
{
    const ib_PathConfig *path = &work->drawn->path;
    ib_PathPoint from = work->drawn->start;
    work->count = 0;
    work->rows[0].at = from;
    for (int i = 0; i < path->count; i++) {
        double length = path->elements[i].length;
        int cells = cells_of(length, spacing);
        for (int k = 0; k < cells; k++) {
            double a = length * k / cells, b = length * (k + 1) / cells;
            Cell *cell = &work->cells[work->count++];
            cell->way = b - a;
            cell->k = ib_path_place(path, i, from, 0.5 * (a + b)).curvature;
            work->rows[work->count].at = ib_path_along(path, i, from, b);
        }
        from = ib_path_end(path, i, from);
        work->rows[work->count].at = from;
    }
}

// Largest speed of a cell:  v <= V,  v^2 |k| <= A;  and with the heading along the course v |k|
// <= W.
static double top_of(const Work *work, const Cell *cell)
{
    const ib_PlanLimits *limits = work->limits;
    double k = fabs(cell->k), top = limits->speed;
    if (k > 0) top = ib_min(top, sqrt(limits->acceleration / k));
    if (k > 0 && work->drawn->along) top = ib_min(top, limits->yaw_rate / k);
    return top;
}

// Largest speed of a row: that of both cells beside it, and with the heading along the course and a
// jump d of k  v d <= W' JUMP.
static double row_top(const Work *work, int i)
{
    const Cell *a = &work->cells[i - 1], *b = &work->cells[i];
    double top = ib_min(top_of(work, a), top_of(work, b)), jump = fabs(b->k - a->k);
    if (!work->drawn->along || !(jump > 0)) return top;
    return ib_min(top, work->limits->yaw_quicker * JUMP / jump);
}

// The largest speeds that can be reached from rest at the start, and from which rest can be reached
// at the end:
//   v1^2 <= v0^2 + 2 A L
static void lay_speeds(Work *work)
{
    int n = work->count;
    Row *rows = work->rows;
    double a2 = 2 * work->limits->acceleration;
    rows[0].v = rows[n].v = 0;
    for (int i = 1; i < n; i++) {
        double reached = sqrt(rows[i - 1].v * rows[i - 1].v + a2 * work->cells[i - 1].way);
        rows[i].v = ib_min(row_top(work, i), reached);
    }
    for (int i = n; i-- > 0;)
        rows[i].v =
            ib_min(rows[i].v, sqrt(rows[i + 1].v * rows[i + 1].v + a2 * work->cells[i].way));
    for (int i = 0; i < n; i++)
        rows[i + 1].t = rows[i].t + 2 * work->cells[i].way / (rows[i].v + rows[i + 1].v);
}

static ib_PlannedSample sample_of(const Work *work, int i)
{
    const Row *row = &work->rows[i];
    int n = work->count;
    double s, c, k = 0.5 * (work->cells[i > 0 ? i - 1 : 0].k + work->cells[i < n ? i : n - 1].k);
    ib_sincos(row->at.course, &s, &c);
    bool along = work->drawn->along;
    return (ib_PlannedSample){.t = row->t,
                              .x = row->at.x,
                              .y = row->at.y,
                              .heading = along ? row->at.course : 0,
                              .vx = row->v * c,
                              .vy = row->v * s,
                              .yaw_rate = along ? row->v * k : 0};
}

static ib_Status plan_with(Work *work, ib_Arena *scratch, ib_Arena *arena, ib_PlannedPath *path,
                           ib_Error *error)
{
    double length = ib_path_length(&work->drawn->path), spacing = ib_max(SPACING, length / CELLS);
    size_t room = 1;
    for (int i = 0; i < work->drawn->path.count; i++)
        room += (size_t)cells_of(work->drawn->path.elements[i].length, spacing);
    work->rows = ib_arena_array(scratch, room, sizeof *work->rows);
    work->cells = ib_arena_array(scratch, room, sizeof *work->cells);
    ib_PlannedSample *samples = ib_arena_array(arena, room, sizeof *samples);
    if (!work->rows || !work->cells || !samples)
        return ib_error_set(error, IB_FAILED, "out of memory for a path");
    lay_rows(work, spacing);
    lay_speeds(work);
    for (int i = 0; i <= work->count; i++) samples[i] = sample_of(work, i);
    return ib_planned_init(work->drawn->along ? IB_PLANNED_SIDES : IB_PLANNED_ANY_DIRECTION,
                           samples, work->count + 1, path, error);
}

ib_Status ib_drawn_plan(const ib_DrawnPath *drawn, const ib_PlanLimits *limits, ib_Arena *arena,
                        ib_PlannedPath *path, ib_Error *error)
{
    ib_Arena scratch = {0};
    Work work = {.drawn = drawn, .limits = limits};
    ib_Status status = plan_with(&work, &scratch, arena, path, error);
    ib_arena_reset(&scratch);
    return status;
}
