#include "control/path/detour.h"

#include "base/extreme.h"

#include <math.h>
#include <string.h>

#define SKIN 1e-6 ///< shallower points of a hull count as its edge [m]

// ------------------------------------------------------------------------------------ convex hulls

typedef struct Point {
    double x, y;
} Point;

// Twice the area of a triangle; > 0: counter-clockwise.
static double area(Point a, Point b, Point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool is_before(Point a, Point b)
{
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

static void sort_points(Point *points, int count)
{
    for (int i = 1; i < count; i++) {
        Point point = points[i];
        int k = i;
        for (; k > 0 && is_before(point, points[k - 1]); k--) points[k] = points[k - 1];
        points[k] = point;
    }
}

// The lower and the upper chain of sorted points [Andrew 1979]; corners that bend by less than the
// skin are left out. `hull` has room for 2 count.
static int find_hull(const Point *points, int count, Point *hull)
{
    int used = 0;
    for (int i = 0; i < count; i++) {
        while (used >= 2 && area(hull[used - 2], hull[used - 1], points[i]) <= SKIN * SKIN) used--;
        hull[used++] = points[i];
    }
    for (int i = count - 2, lower = used + 1; i >= 0; i--) {
        while (used >= lower && area(hull[used - 2], hull[used - 1], points[i]) <= SKIN * SKIN)
            used--;
        hull[used++] = points[i];
    }
    return used - 1; // the first point again
}

// An octagon around a disc of radius r has its corners at r/cos(22.5 deg): (+-r, +-r tan(22.5 deg))
// and the same with x and y exchanged.
static int find_octagons(const ib_Obstacle *obstacle, double clearance, Point *points)
{
    double r = obstacle->radius + clearance, q = r * (sqrt(2.0) - 1.0);
    int count = 0;
    for (int i = 0; i < obstacle->count; i++)
        for (int k = 0; k < 8; k++) {
            double a = k & 1 ? r : -r, b = k & 2 ? q : -q;
            points[count++] =
                (Point){obstacle->x[i] + (k & 4 ? b : a), obstacle->y[i] + (k & 4 ? a : b)};
        }
    return count;
}

// ---------------------------------------------------------------------------------------- who sees

// Depth of a point in a hull: the way to its nearest edge [m]; < 0: outside.
static double depth(const ib_Detour *d, const ib_DetourHull *hull, Point p)
{
    double least = INFINITY;
    for (int i = 0; i < hull->count; i++) {
        int a = hull->first + i, b = hull->first + (i + 1) % hull->count;
        double ex = d->x[b] - d->x[a], ey = d->y[b] - d->y[a];
        double inward = (ex * (p.y - d->y[a]) - ey * (p.x - d->x[a])) / sqrt(ex * ex + ey * ey);
        least = ib_min(least, inward);
    }
    return least;
}

// True if the straight way from p to q goes through a hull, by more than its skin: by its part
// behind all edges.
static bool goes_through(const ib_Detour *d, const ib_DetourHull *hull, Point p, Point q)
{
    double from = 0, to = 1;
    for (int i = 0; i < hull->count && from < to; i++) {
        int a = hull->first + i, b = hull->first + (i + 1) % hull->count;
        double ex = d->x[b] - d->x[a], ey = d->y[b] - d->y[a], size = sqrt(ex * ex + ey * ey);
        double at_p = (ex * (p.y - d->y[a]) - ey * (p.x - d->x[a])) / size - SKIN;
        double at_q = (ex * (q.y - d->y[a]) - ey * (q.x - d->x[a])) / size - SKIN;
        if (at_p <= 0 && at_q <= 0) return false;
        if (at_p < 0) from = ib_max(from, at_p / (at_p - at_q));
        if (at_q < 0) to = ib_min(to, at_p / (at_p - at_q));
    }
    return from < to;
}

// A way from inside a hull is free if it does not lead deeper: depth is concave along it.
static bool leaves(const ib_Detour *d, const ib_DetourHull *hull, Point p, Point q)
{
    double way = sqrt((q.x - p.x) * (q.x - p.x) + (q.y - p.y) * (q.y - p.y));
    double now = depth(d, hull, p), share = way > SKIN ? SKIN / way : 1;
    Point next = {p.x + share * (q.x - p.x), p.y + share * (q.y - p.y)};
    return now > SKIN && depth(d, hull, next) <= now + 1e-3 * SKIN;
}

// True if the straight way crosses the walls. Both ends lie within them.
static bool crosses_walls(const ib_Detour *d, Point p, Point q)
{
    for (int i = 0, k = d->wall_count - 1; i < d->wall_count; k = i++) {
        Point a = {d->wall_x[k], d->wall_y[k]}, b = {d->wall_x[i], d->wall_y[i]};
        if (area(a, b, p) * area(a, b, q) < 0 && area(p, q, a) * area(p, q, b) < 0) return true;
    }
    return false;
}

static bool sees(const ib_Detour *d, Point p, Point q)
{
    for (int i = 0; i < d->hull_count; i++) {
        const ib_DetourHull *hull = &d->hulls[i];
        if (goes_through(d, hull, p, q) && !leaves(d, hull, p, q) && !leaves(d, hull, q, p))
            return false;
    }
    return !crosses_walls(d, p, q);
}

// --------------------------------------------------------------------------------------- the graph

static double square(double x)
{
    return x * x;
}

// Within the walls, and as far from them as the clearance says.
static bool has_room(const ib_DetourConfig *config, Point p)
{
    bool within = config->wall_count == 0;
    for (int i = 0, k = config->wall_count - 1; i < config->wall_count; k = i++) {
        double ax = config->wall_x[k], ay = config->wall_y[k];
        double bx = config->wall_x[i] - ax, by = config->wall_y[i] - ay;
        double px = p.x - ax, py = p.y - ay, all = bx * bx + by * by;
        double share = all > 0 ? ib_max(0, ib_min(1, (px * bx + py * by) / all)) : 0;
        if (square(px - share * bx) + square(py - share * by) < square(config->clearance - SKIN))
            return false;
        if ((ay > p.y) != (ay + by > p.y) && px < bx * (py / by)) within = !within;
    }
    return within;
}

static ib_Status make_hulls(const ib_DetourConfig *config, ib_Arena *arena, ib_Detour *detour,
                            ib_Error *error)
{
    Point points[8 * IB_OBSTACLE_CORNERS], hull[16 * IB_OBSTACLE_CORNERS];
    ib_DetourHull *hulls = ib_arena_array(arena, (size_t)config->obstacle_count, sizeof *hulls);
    double *x = ib_arena_array(arena, IB_DETOUR_CORNERS, sizeof *x);
    double *y = ib_arena_array(arena, IB_DETOUR_CORNERS, sizeof *y);
    int used = 0;
    if ((config->obstacle_count > 0 && !hulls) || !x || !y)
        return ib_error_set(error, IB_FAILED, "out of memory for the way around obstacles");
    for (int i = 0; i < config->obstacle_count; i++) {
        int count = find_octagons(&config->obstacles[i], config->clearance, points);
        sort_points(points, count);
        count = find_hull(points, count, hull);
        if (used + count > IB_DETOUR_CORNERS)
            return ib_error_set(error, IB_BAD_INPUT,
                                "the field's obstacles have more than %d corners: a way around "
                                "them is not looked for",
                                IB_DETOUR_CORNERS);
        hulls[i] = (ib_DetourHull){used, count};
        for (int k = 0; k < count; k++, used++) {
            x[used] = hull[k].x;
            y[used] = hull[k].y;
        }
    }
    *detour = (ib_Detour){.hull_count = config->obstacle_count,
                          .hulls = hulls,
                          .x = x,
                          .y = y,
                          .wall_count = config->wall_count,
                          .wall_x = config->wall_x,
                          .wall_y = config->wall_y};
    return IB_OK;
}

// Corners that are in no other hull and within the walls.
static ib_Status make_nodes(const ib_DetourConfig *config, ib_Arena *arena, ib_Detour *d,
                            ib_Error *error)
{
    double *x = ib_arena_array(arena, IB_DETOUR_NODES, sizeof *x);
    double *y = ib_arena_array(arena, IB_DETOUR_NODES, sizeof *y);
    int count = 0;
    if (!x || !y) return ib_error_set(error, IB_FAILED, "out of memory");
    for (int i = 0; i < d->hull_count; i++)
        for (int k = 0; k < d->hulls[i].count; k++) {
            Point p = {d->x[d->hulls[i].first + k], d->y[d->hulls[i].first + k]};
            bool open = has_room(config, p);
            for (int other = 0; other < d->hull_count && open; other++)
                open = depth(d, &d->hulls[other], p) <= SKIN;
            if (!open) continue;
            if (count == IB_DETOUR_NODES)
                return ib_error_set(error, IB_BAD_INPUT,
                                    "the field's obstacles have more than %d corners: a way "
                                    "around them is not looked for",
                                    IB_DETOUR_NODES);
            x[count] = p.x;
            y[count++] = p.y;
        }
    d->node_x = x;
    d->node_y = y;
    d->node_count = count;
    return IB_OK;
}

static Point node(const ib_Detour *d, int i)
{
    return (Point){d->node_x[i], d->node_y[i]};
}

ib_Status ib_detour_init(const ib_DetourConfig *config, ib_Arena *arena, ib_Detour *detour,
                         ib_Error *error)
{
    IB_ASSERT(config->obstacle_count <= IB_DETOUR_OBSTACLES && config->clearance > 0);
    ib_Status status = make_hulls(config, arena, detour, error);
    if (status == IB_OK) status = make_nodes(config, arena, detour, error);
    if (status != IB_OK) return status;
    size_t count = (size_t)detour->node_count;
    uint8_t *matrix = ib_arena_array(arena, count * count, sizeof *matrix);
    if (count > 0 && !matrix) return ib_error_set(error, IB_FAILED, "out of memory");
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            matrix[i * count + k] = matrix[k * count + i] =
                sees(detour, node(detour, (int)i), node(detour, (int)k));
    detour->sees = matrix;
    return IB_OK;
}

// -------------------------------------------------------------------------------------- the search

// The nodes, and behind them the start and the goal.
typedef struct Search {
    const ib_Detour *detour;
    Point from, to;
    double way[IB_DETOUR_NODES + 2]; ///< from the start [m]
    int before[IB_DETOUR_NODES + 2]; ///< the node before it; -1: none
    bool done[IB_DETOUR_NODES + 2];
} Search;

static Point place(const Search *s, int i)
{
    int count = s->detour->node_count;
    return i < count ? node(s->detour, i) : i == count ? s->from : s->to;
}

static bool joined(const Search *s, int i, int k)
{
    size_t count = (size_t)s->detour->node_count;
    if (i < (int)count && k < (int)count) return s->detour->sees[(size_t)i * count + (size_t)k];
    return sees(s->detour, place(s, i), place(s, k));
}

// Every node's neighbours, the nearest first; false: the goal is not reached.
static bool search(Search *s)
{
    int count = s->detour->node_count + 2, goal = count - 1;
    for (int i = 0; i < count; i++) {
        s->way[i] = INFINITY;
        s->before[i] = -1;
        s->done[i] = false;
    }
    s->way[goal - 1] = 0;
    for (;;) {
        int next = -1;
        for (int i = 0; i < count; i++)
            if (!s->done[i] && isfinite(s->way[i]) && (next < 0 || s->way[i] < s->way[next]))
                next = i;
        if (next < 0) return false;
        if (next == goal) return true;
        s->done[next] = true;
        Point p = place(s, next);
        for (int i = 0; i < count; i++) {
            Point q = place(s, i);
            double way = s->way[next] + sqrt(square(q.x - p.x) + square(q.y - p.y));
            if (s->done[i] || !(way < s->way[i]) || !joined(s, next, i)) continue;
            s->way[i] = way;
            s->before[i] = next;
        }
    }
}

int ib_detour_find(const ib_Detour *detour, const double from[2], const double to[2],
                   double via[IB_DETOUR_VIAS][2])
{
    Search s = {.detour = detour, .from = {from[0], from[1]}, .to = {to[0], to[1]}};
    if (sees(detour, s.from, s.to)) return 0;
    if (!search(&s)) return -1;
    int count = 0;
    for (int i = s.before[detour->node_count + 1]; i != detour->node_count; i = s.before[i])
        count++;
    if (count > IB_DETOUR_VIAS) return -1;
    int at = count;
    for (int i = s.before[detour->node_count + 1]; i != detour->node_count; i = s.before[i]) {
        via[--at][0] = detour->node_x[i];
        via[at][1] = detour->node_y[i];
    }
    return count;
}
