// control/path/trajectory_shape.c: a drawn path without jumps of curvature, row by row.
// The derivation is in docs/control/trajectory.md.
#include "control/path/trajectory_inside.h"

#include "base/extreme.h"
#include "control/path/blend.h"

#include <math.h>

enum { PARTS = 4 }; ///< between two rows

#define SHIFT   5e-3 ///< about how far a blend may leave the drawn path [m]
#define LONGEST 0.6  ///< blend [m]

// A blend of length L without its hump leaves the path by about 0.012 |dk|
// L^2 (docs/control/path.md).
double ib__trajectory_blend(const ib_PathConfig *path)
{
    double jump = 0;
    for (int i = 1; i < path->count; i++)
        if (!path->waypoints[i].given && !path->waypoints[i - 1].given)
            jump =
                ib_max(jump, fabs(path->elements[i].curvature - path->elements[i - 1].curvature));
    return jump > 0 ? ib_min(LONGEST, sqrt(SHIFT / (0.012 * jump))) : LONGEST;
}

// A row at a point.
static void put(ib_TrajectoryRow *row, double s, ib_PathPoint p)
{
    *row = (ib_TrajectoryRow){
        .s = s, .x = p.x, .y = p.y, .course = p.course, .curvature = p.curvature};
}

// A run of lines and arcs, elements first .. behind - 1, from s0 on; lays its rows from `row` on,
// and returns their number. The shift of the blends is taken back gradually, so that it ends at its
// drawn end.
static int shape_run(const ib_PathConfig *path, int first, int behind, ib_PathPoint from, double s0,
                     double length, double blend, double spacing, int row, int count,
                     ib_TrajectoryRow *rows)
{
    ib_BlendedPath blended;
    ib_PathConfig part = {.count = behind - first, .end = IB_PATH_COAST, .blend = blend};
    ib_PathPoint end = from, p = from;
    for (int i = first; i < behind; i++) {
        part.elements[i - first] = path->elements[i];
        end = ib_path_end(path, i, end);
    }
    ib_blend_path(&part, 0, &blended);
    double s = 0;
    int at = row;
    p.curvature = ib_blend_curvature(&blended, 0);
    while (at < count && (at * spacing - s0 < length || behind == path->count)) {
        double step = (at * spacing - s0 - s) / PARTS;
        for (int k = 0; k < PARTS; k++, s += step)
            p = ib_path_go(p, ib_blend_curvature(&blended, s + 0.5 * step), step);
        s = at * spacing - s0;
        p.curvature = ib_blend_curvature(&blended, s);
        put(&rows[at++], s0 + s, p);
    }
    double step = (length - s) / PARTS;
    for (int k = 0; k < PARTS; k++, s += step)
        p = ib_path_go(p, ib_blend_curvature(&blended, s + 0.5 * step), step);
    for (int i = row; i < at; i++) {
        double share = (rows[i].s - s0) / length;
        rows[i].x += share * (end.x - p.x);
        rows[i].y += share * (end.y - p.y);
    }
    return at - row;
}

void ib__trajectory_shape(const ib_PathConfig *path, ib_PathPoint start, double blend, int count,
                          double spacing, ib_TrajectoryRow *rows)
{
    double s0 = 0;
    int row = 0;
    for (int i = 0; i < path->count;) {
        int behind = i + 1;
        double length = path->elements[i].length;
        if (path->waypoints[i].given) {
            // Curves have no jumps.
            bool last = behind == path->count;
            for (; row < count && (row * spacing - s0 < length || last); row++)
                put(&rows[row], row * spacing,
                    ib_path_along(path, i, start, ib_min(length, row * spacing - s0)));
        } else {
            for (; behind < path->count && !path->waypoints[behind].given; behind++)
                length += path->elements[behind].length;
            row += shape_run(path, i, behind, start, s0, length, blend, spacing, row, count, rows);
        }
        for (; i < behind; i++) start = ib_path_end(path, i, start);
        s0 += length;
    }
}
