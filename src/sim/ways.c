#include "sim/ways.h"

#include "base/extreme.h"

#include <math.h>

#define SPACING 0.05 ///< between two points of a curved path [m]
#define SAME    1e-6 ///< two points no farther apart are one [m]

// A way as it grows: points on one spot are one.
static void add(ib_Way *way, double *x, double *y, double at_x, double at_y)
{
    int last = way->count - 1;
    if (way->count == IB_WAY_POINTS || !isfinite(at_x + at_y)) return;
    if (last >= 0 && fabs(x[last] - at_x) <= SAME && fabs(y[last] - at_y) <= SAME) return;
    x[way->count] = at_x;
    y[way->count++] = at_y;
}

static void add_path(ib_Way *way, const ib_RobotModel *robot, double *x, double *y)
{
    double length = ib_path_length(robot->path);
    int parts = (int)ib_min(IB_WAY_POINTS - 1, ib_max(1, length / SPACING));
    for (int i = 0; i <= parts; i++) {
        ib_PathPoint at = ib_path_point(robot->path, robot->path_start, length * i / parts);
        add(way, x, y, at.x, at.y);
    }
}

// Room for the points of one way.
static bool open_way(ib_Way *way, int robot, int control, int points, ib_Arena *arena, double **x,
                     double **y)
{
    *x = ib_arena_array(arena, (size_t)points, sizeof **x);
    *y = ib_arena_array(arena, (size_t)points, sizeof **y);
    *way = (ib_Way){.robot = robot, .control = control, .x = *x, .y = *y};
    return *x && *y;
}

const ib_Way *ib_model_ways(const ib_Model *model, ib_Arena *arena, int *count)
{
    size_t most = (size_t)(model->robot_count + model->control_count);
    ib_Way *ways = ib_arena_array(arena, most, sizeof *ways);
    double *x, *y;
    *count = 0;
    for (int i = 0; ways && i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        if (robot->path && open_way(&ways[*count], i, -1, IB_WAY_POINTS, arena, &x, &y)) {
            add_path(&ways[*count], robot, x, y);
            *count += ways[*count].count >= 2;
        }
        for (int k = 0; k < model->control_count; k++) {
            const ib_ControlPorts *ports = &model->controls[k].controller->ports;
            if (model->controls[k].robot != i || ports->way_count < 2) continue;
            if (!open_way(&ways[*count], i, k, ports->way_count, arena, &x, &y)) break;
            for (int p = 0; p < ports->way_count; p++)
                add(&ways[*count], x, y, ports->way[p].x, ports->way[p].y);
            *count += ways[*count].count >= 2;
        }
    }
    return *count > 0 ? ways : NULL;
}
