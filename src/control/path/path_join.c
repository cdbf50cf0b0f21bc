// control/path/path_join.c: smooth curves through the waypoints of a path.
// Derivation: docs/control/path.md
//
// Symbols: p a point, t = dp/dq there, h a chord, j counts the points of one run of waypoints from
// the point where it begins, j = 0. All derivatives are with respect to q, which grows by a chord
// from point to point.
#include "control/path/path.h"

#include "base/maths.h"

#include <math.h>

#define SHORTEST 1e-3 ///< least distance of two waypoints [m]
#define SLOWEST  0.05 ///< least |dp/dq|: below it a curve has a cusp

typedef struct Run {
    int first, count; // elements
    double h[IB_PATH_MAX];
    ib_CurvePoint p[IB_PATH_MAX + 1]; // where it begins, then the waypoints
    bool fixed[IB_PATH_MAX + 1];      // the direction is given
} Run;

static void direct(ib_CurvePoint *p, double heading)
{
    ib_sincos(heading, &p->dy, &p->dx);
}

static ib_Status gather(const ib_PathConfig *path, int first, ib_PathPoint from, Run *run,
                        ib_Error *error)
{
    *run = (Run){.first = first};
    run->p[0] = (ib_CurvePoint){.x = from.x, .y = from.y};
    direct(&run->p[0], from.course);
    run->fixed[0] = true;
    for (int i = first; i < path->count && path->waypoints[i].given; i++) {
        const ib_Waypoint *w = &path->waypoints[i];
        int j = ++run->count;
        double dx = w->x - run->p[j - 1].x, dy = w->y - run->p[j - 1].y;
        run->p[j] = (ib_CurvePoint){.x = w->x, .y = w->y};
        run->h[j - 1] = sqrt(dx * dx + dy * dy);
        run->fixed[j] = w->headed;
        if (w->headed) direct(&run->p[j], w->heading);
        if (!(run->h[j - 1] >= SHORTEST))
            return ib_error_set(error, IB_BAD_INPUT,
                                "element %d of the path: the waypoint (%g m, %g m) is where the "
                                "path is already: expected one that is 1 mm away or more",
                                i + 1, w->x, w->y);
    }
    return IB_OK;
}

// One row of the spline's equations, lower t[j-1] + middle t[j] + upper t[j+1] = (x, y):
//   given direction   t[j] = (cos, sin)
//   inner point       t[j-1]/h + 2 t[j] (1/h + 1/h') + t[j+1]/h' = 3 (d/h^2 + d'/h'^2)
//   last point        t[m-1] + 2 t[m] = 3 d/h: no curvature
// with h, d before and h', d' after the point, d the difference of two points.
typedef struct Row {
    double lower, middle, upper, x, y;
} Row;

static Row make_row(const Run *run, int j)
{
    const ib_CurvePoint *p = &run->p[j];
    if (run->fixed[j]) return (Row){0, 1, 0, p->dx, p->dy};
    double before = 1 / run->h[j - 1];
    double dx = 3 * before * (p->x - p[-1].x), dy = 3 * before * (p->y - p[-1].y);
    if (j == run->count) return (Row){1, 2, 0, dx, dy};
    double behind = 1 / run->h[j];
    double ex = 3 * behind * (p[1].x - p->x), ey = 3 * behind * (p[1].y - p->y);
    return (Row){before, 2 * (before + behind), behind, before * dx + behind * ex,
                 before * dy + behind * ey};
}

// Elimination from the first to the last point, then back;
// the middle element is always the largest.
static void find_tangents(Run *run)
{
    Row rows[IB_PATH_MAX + 1];
    for (int j = 0; j <= run->count; j++) {
        rows[j] = make_row(run, j);
        if (j == 0) continue;
        double factor = rows[j].lower / rows[j - 1].middle;
        rows[j].middle -= factor * rows[j - 1].upper;
        rows[j].x -= factor * rows[j - 1].x;
        rows[j].y -= factor * rows[j - 1].y;
    }
    for (int j = run->count; j >= 0; j--) {
        double x = rows[j].x, y = rows[j].y;
        if (j < run->count) {
            x -= rows[j].upper * run->p[j + 1].dx;
            y -= rows[j].upper * run->p[j + 1].dy;
        }
        run->p[j].dx = x / rows[j].middle;
        run->p[j].dy = y / rows[j].middle;
    }
}

// The second derivatives of the cubic between two points with tangents, at its two ends:
//   p'' = (6 d/h - 4 t - 2 t')/h   and   (-6 d/h + 2 t + 4 t')/h
static double cubic_bend(double d, double h, double t, double t1, bool end)
{
    return (end ? -6 * d / h + 2 * t + 4 * t1 : 6 * d / h - 4 * t - 2 * t1) / h;
}

// The bend at a point is the mean of the cubics on both sides: without a given heading they agree.
static void find_bends(Run *run)
{
    for (int j = 0; j <= run->count; j++) {
        ib_CurvePoint *p = &run->p[j];
        double x = 0, y = 0, parts = 0;
        for (int k = j - 1; k <= j; k++) {
            if (k < 0 || k >= run->count) continue;
            const ib_CurvePoint *a = &run->p[k], *b = &run->p[k + 1];
            x += cubic_bend(b->x - a->x, run->h[k], a->dx, b->dx, k < j);
            y += cubic_bend(b->y - a->y, run->h[k], a->dy, b->dy, k < j);
            parts += 1;
        }
        p->ddx = x / parts;
        p->ddy = y / parts;
    }
}

// A line or an arc next to the run sets its curvature there: p'' = k |t|^2 normal.
static void meet(ib_CurvePoint *p, double curvature)
{
    double pace = sqrt(p->dx * p->dx + p->dy * p->dy);
    p->ddx = -curvature * pace * p->dy;
    p->ddy = curvature * pace * p->dx;
}

static ib_Status join_run(ib_PathConfig *path, Run *run, ib_Error *error)
{
    int behind = run->first + run->count;
    find_tangents(run);
    find_bends(run);
    if (run->first > 0) meet(&run->p[0], path->elements[run->first - 1].curvature);
    if (behind < path->count) meet(&run->p[run->count], path->elements[behind].curvature);
    for (int j = 0; j < run->count; j++) {
        ib_Waypoint *w = &path->waypoints[run->first + j];
        w->curve = ib_curve_join(&run->p[j], &run->p[j + 1], run->h[j]);
        path->elements[run->first + j].length = ib_curve_length(&w->curve, w->curve.span);
        if (!(ib_curve_pace(&w->curve) > SLOWEST))
            return ib_error_set(error, IB_BAD_INPUT,
                                "element %d of the path: the curve to the waypoint (%g m, %g m) "
                                "turns back on the spot: expected waypoints or headings that a "
                                "robot can pass without stopping",
                                run->first + j + 1, w->x, w->y);
    }
    return IB_OK;
}

ib_Status ib_path_join(ib_PathConfig *path, ib_PathPoint start, ib_Error *error)
{
    for (int i = 0; i < path->count; i++) {
        if (path->waypoints[i].given && (i == 0 || !path->waypoints[i - 1].given)) {
            Run run;
            ib_Status status = gather(path, i, start, &run, error);
            if (!status) status = join_run(path, &run, error);
            if (status) return status;
        }
        start = ib_path_end(path, i, start);
    }
    return IB_OK;
}
