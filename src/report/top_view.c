#include "report/top_view.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <math.h>
#include <stdlib.h>

enum { ROUND = 48, CAPS = 7 }; // points of a circle; circles of one half of a ball

typedef struct Corner {
    double x, y;
} Corner;

// Points on the surface of one solid, seen in the view's frame, as they come.
typedef struct Cloud {
    Corner *corners;
    int count, room;
    double top;
} Cloud;

// ------------------------------------------------------------------------------------------ points

static void add_point(Cloud *cloud, const ib_Pose *pose, double x, double y, double z)
{
    double seen[3];
    ib_pose_point(pose, (const double[3]){x, y, z}, seen);
    if (cloud->count == cloud->room || !isfinite(seen[0] + seen[1] + seen[2])) return;
    cloud->corners[cloud->count++] = (Corner){seen[0], seen[1]};
    cloud->top = ib_max(cloud->top, seen[2]);
}

static void add_circle(Cloud *cloud, const ib_Pose *pose, double radius, double z)
{
    const double tau = 6.283185307179586;
    for (int i = 0; i < ROUND; i++) {
        double s, c;
        ib_sincos(tau * i / ROUND, &s, &c);
        add_point(cloud, pose, radius * c, radius * s, z);
    }
}

static void add_capsule(Cloud *cloud, const ib_Pose *pose, double radius, double length)
{
    const double quarter = 1.5707963267948966;
    for (int i = 0; i <= CAPS; i++) {
        double s, c;
        ib_sincos(quarter * i / CAPS, &s, &c);
        add_circle(cloud, pose, radius * c, length / 2 + radius * s);
        add_circle(cloud, pose, radius * c, -length / 2 - radius * s);
    }
}

// Number of points that add_solid adds.
static int point_count(const ib_SolidDef *solid)
{
    switch (solid->form) {
    case IB_SOLID_BOX:
        return 8;
    case IB_SOLID_CYLINDER:
        return 2 * ROUND;
    case IB_SOLID_CAPSULE:
        return 2 * ROUND * (CAPS + 1);
    case IB_SOLID_POLYGON:
        return 2 * solid->corner_count;
    }
    return 0;
}

// Points whose hull is the solid, as the pose has it.
static void add_solid(Cloud *cloud, const ib_Pose *pose, const ib_SolidDef *solid)
{
    const double *size = solid->size;
    switch (solid->form) {
    case IB_SOLID_BOX:
        for (int i = 0; i < 8; i++)
            add_point(cloud, pose, (i & 1 ? 0.5 : -0.5) * size[0], (i & 2 ? 0.5 : -0.5) * size[1],
                      (i & 4 ? 0.5 : -0.5) * size[2]);
        break;
    case IB_SOLID_CYLINDER:
        add_circle(cloud, pose, size[0], -size[1] / 2);
        add_circle(cloud, pose, size[0], size[1] / 2);
        break;
    case IB_SOLID_CAPSULE:
        add_capsule(cloud, pose, size[0], size[1]);
        break;
    case IB_SOLID_POLYGON: // the lower face, then the upper
        for (int i = 0; i < 2 * solid->corner_count; i++) {
            int k = i % solid->corner_count;
            add_point(cloud, pose, solid->corner_x[k], solid->corner_y[k],
                      i < solid->corner_count ? 0 : size[0]);
        }
        break;
    }
}

// ------------------------------------------------------------------------------------------- hulls

static int by_place(const void *a_, const void *b_)
{
    const Corner *a = a_, *b = b_;
    if (a->x != b->x) return a->x < b->x ? -1 : 1;
    return (a->y > b->y) - (a->y < b->y);
}

static double cross(Corner a, Corner b, Corner c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// The convex hull, counter-clockwise, by Andrew's chain: from the left below and back above; a
// corner that does not turn left is dropped. `hull` has room for count + 1. Sorts the corners.
static int convex_hull(Corner *corners, int count, Corner *hull)
{
    int n = 0;
    qsort(corners, (size_t)count, sizeof *corners, by_place);
    for (int pass = 0; pass < 2; pass++) {
        int first = n;
        for (int k = 0; k < count; k++) {
            Corner next = corners[pass ? count - 1 - k : k];
            while (n >= first + 2 && cross(hull[n - 2], hull[n - 1], next) <= 1e-15) n--;
            hull[n++] = next;
        }
        n--; // first of the other chain
    }
    return n;
}

// Two arrays out of one; false without memory.
static bool keep(const Corner *corners, int count, ib_Arena *arena, const double **x,
                 const double **y)
{
    double *own_x = ib_arena_array(arena, (size_t)count, sizeof *own_x);
    double *own_y = ib_arena_array(arena, (size_t)count, sizeof *own_y);
    if (!own_x || !own_y) return false;
    for (int i = 0; i < count; i++) {
        own_x[i] = corners[i].x;
        own_y[i] = corners[i].y;
    }
    *x = own_x;
    *y = own_y;
    return true;
}

// -------------------------------------------------------------------------------------------- view

// True if the point is within a convex, counter-clockwise outline.
static bool is_within(const ib_TopShape *shape, double x, double y)
{
    for (int i = 0; i < shape->count; i++) {
        int next = (i + 1) % shape->count;
        Corner a = {shape->x[i], shape->y[i]}, b = {shape->x[next], shape->y[next]};
        if (cross(a, b, (Corner){x, y}) < -1e-12) return false;
    }
    return true;
}

static bool covers(const ib_TopShape *upper, const ib_TopShape *lower)
{
    for (int i = 0; i < lower->count; i++)
        if (!is_within(upper, lower->x[i], lower->y[i])) return false;
    return true;
}

// A pose of the field relative to another one.
static ib_Pose seen_from(const ib_Pose *view, const ib_Pose *pose)
{
    ib_Pose seen = {.turn = {0}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) { // the inverse of a rotation is its transpose
            seen.place[i] += view->turn[3 * k + i] * (pose->place[k] - view->place[k]);
            for (int j = 0; j < 3; j++)
                seen.turn[3 * i + j] += view->turn[3 * k + i] * pose->turn[3 * k + j];
        }
    return seen;
}

// The longer side of a polygon's surrounding box.
static double width_of(const ib_SolidDef *solid)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < solid->corner_count; i++) {
        low[0] = ib_min(low[0], solid->corner_x[i]);
        low[1] = ib_min(low[1], solid->corner_y[i]);
        high[0] = ib_max(high[0], solid->corner_x[i]);
        high[1] = ib_max(high[1], solid->corner_y[i]);
    }
    return ib_max(high[0] - low[0], high[1] - low[1]);
}

// The outline of one solid; false: there is none, or no memory.
static bool outline(const ib_SolidDef *solid, const ib_Pose *pose, Corner *corners, Corner *hull,
                    ib_Arena *arena, ib_TopShape *shape)
{
    Cloud cloud = {.corners = corners, .room = point_count(solid), .top = -INFINITY};
    add_solid(&cloud, pose, solid);
    if (cloud.count < 3) return false;
    *shape = (ib_TopShape){.top = cloud.top,
                           .colour = solid->colour,
                           .opacity = solid->opacity > 0 ? solid->opacity : 1};
    bool flat = pose->turn[8] > 1 - 1e-12;
    const Corner *line = corners;
    if (solid->form == IB_SOLID_POLYGON && flat) {
        shape->count = cloud.count / 2;
        shape->painted = solid->size[0] < 0.1 * width_of(solid);
    } else {
        shape->count = convex_hull(corners, cloud.count, hull);
        line = hull;
    }
    return shape->count >= 3 && keep(line, shape->count, arena, &shape->x, &shape->y);
}

// Sorts by height; equal heights keep the order of their declaration.
static void sort(ib_TopShape *shapes, int count)
{
    for (int i = 1; i < count; i++) {
        ib_TopShape shape = shapes[i];
        int k = i;
        for (; k > 0 && shapes[k - 1].top > shape.top; k--) shapes[k] = shapes[k - 1];
        shapes[k] = shape;
    }
}

static void find_hidden(ib_TopShape *shapes, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count && !shapes[i].hidden; k++)
            shapes[i].hidden = shapes[k].top > shapes[i].top && shapes[k].opacity >= 1 &&
                               covers(&shapes[k], &shapes[i]);
}

// Around the bodies; `corners` and `hull` have room for all corners.
static bool surround(ib_TopView *view, Corner *corners, Corner *hull, ib_Arena *arena)
{
    int count = 0;
    for (int i = 0; i < view->count; i++)
        for (int k = 0; !view->shapes[i].jointed && k < view->shapes[i].count; k++)
            corners[count++] = (Corner){view->shapes[i].x[k], view->shapes[i].y[k]};
    view->hull_count = count < 3 ? 0 : convex_hull(corners, count, hull);
    return keep(hull, view->hull_count, arena, &view->hull_x, &view->hull_y);
}

ib_TopView ib_top_view(const ib_Geometry *geometry, const char *frame, ib_SignalLookup lookup,
                       const void *self, ib_Arena *arena)
{
    ib_TopView view = {.count = 0}, none = view;
    size_t room = 0;
    for (int i = 0; i < geometry->solid_count; i++)
        room += (size_t)point_count(&geometry->solids[i]);
    ib_Pose *poses = ib_arena_array(arena, (size_t)geometry->frame_count, sizeof *poses);
    ib_TopShape *shapes = ib_arena_array(arena, (size_t)geometry->solid_count, sizeof *shapes);
    Corner *corners = ib_arena_array(arena, room, sizeof *corners);
    Corner *hull = ib_arena_array(arena, room + 1, sizeof *hull);
    if (!poses || !shapes || !corners || !hull) return none;

    ib_Pose field = ib_pose_field();
    ib_geometry_poses(geometry, lookup, self, poses);
    int own = ib_geometry_frame(geometry, frame);
    for (int i = 0; i < geometry->solid_count; i++) {
        const ib_SolidDef *solid = &geometry->solids[i];
        int at = ib_geometry_frame(geometry, solid->frame);
        ib_Pose pose = ib_pose_in(at < 0 ? &field : &poses[at], solid->place, solid->attitude);
        pose = seen_from(own < 0 ? &field : &poses[own], &pose);
        if (!outline(solid, &pose, corners, hull, arena, &shapes[view.count])) continue;
        shapes[view.count++].jointed = at >= 0 && !geometry->frames[at].body;
    }
    sort(shapes, view.count);
    find_hidden(shapes, view.count);
    view.shapes = shapes;
    return surround(&view, corners, hull, arena) ? view : none;
}
