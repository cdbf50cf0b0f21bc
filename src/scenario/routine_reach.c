// scenario/routine_reach.c: can a robot be where its routine sends it?
//
// A point of the field (`drive: {to: …}`) is certain: behind a wall or inside an obstacle that does
// not move, nobody gets there. Where the other moves end follows from those before them, if nothing
// is missed: that is warned of, and so is a place in which the robot has no room. Elements that
// move are not judged.
#include "control/routine_outline.h"
#include "scenario/control.h"
#include "world/field.h"

#include <math.h>

#define NO_ROOM 1e-3 ///< that a robot may overlap an obstacle where it ends [m]
#define STRIDE  0.02 ///< between two looks on the way [m]

typedef struct Reach {
    ib_Reader *reader;
    const ib_FieldConfig *field;
    ib_Shape robot; ///< count 0: it has no outline
    const ib_RoutineDraft *draft;
    const ib_Node *const *nodes;
    bool told[IB_ROUTINE_STEPS]; ///< something was said of the step
} Reach;

// ------------------------------------------------------------------------------------------- field

// Is a point within the perimeter? A ray to the right crosses it an odd number of times.
static bool is_inside(const ib_FieldConfig *field, double x, double y)
{
    bool inside = field->corner_count == 0;
    for (int i = 0; i < field->corner_count; i++) {
        int k = (i + 1) % field->corner_count;
        double ax = field->corner_x[i], ay = field->corner_y[i];
        double bx = field->corner_x[k], by = field->corner_y[k];
        if ((ay > y) != (by > y) && x < ax + (y - ay) / (by - ay) * (bx - ax)) inside = !inside;
    }
    return inside;
}

static bool overlaps(const ib_ElementConfig *element, const ib_Shape *shape, double x, double y,
                     double heading, double most)
{
    ib_Shape own = ib_element_shape(element);
    ib_Placed body, obstacle;
    ib_shape_place(shape, x, y, heading, &body);
    ib_shape_place(&own, element->x, element->y, element->heading, &obstacle);
    return ib_shape_separation(&body, &obstacle).gap < -most;
}

// The obstacle that a shape overlaps by more than `most`; NULL: none.
static const ib_ElementConfig *find_obstacle(const Reach *reach, const ib_Shape *shape, double x,
                                             double y, double heading, double most)
{
    for (int i = 0; i < reach->field->element_count; i++) {
        const ib_ElementConfig *element = &reach->field->elements[i];
        if (!ib_element_moves(element) && overlaps(element, shape, x, y, heading, most))
            return element;
    }
    return NULL;
}

static bool hits_wall(const Reach *reach, double x, double y, double heading)
{
    const ib_FieldConfig *field = reach->field;
    ib_Placed body, wall;
    ib_shape_place(&reach->robot, x, y, heading, &body);
    for (int i = 0; i < field->corner_count; i++) {
        double corner_x[4], corner_y[4];
        ib_Shape bar;
        ib_Error error;
        ib_field_wall(field, i, corner_x, corner_y);
        if (ib_shape_polygon(4, corner_x, corner_y, 0, &bar, &error) != IB_OK) continue;
        ib_shape_place(&bar, field->corner_x[i], field->corner_y[i], 0, &wall);
        if (ib_shape_separation(&body, &wall).gap < -NO_ROOM) return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------ points

// A point of the field that a step names: a mistake where nobody can be.
static void check_point(Reach *reach, int step)
{
    const ib_LegConfig *leg = &reach->draft->steps[step].leg;
    const ib_Node *to = ib_node_get(reach->nodes[step], "to");
    ib_Shape centre = ib_shape_disc(0);
    if (leg->kind != IB_LEG_TO || !to) return;
    const ib_ElementConfig *in = find_obstacle(reach, &centre, leg->x, leg->y, 0, 0);
    bool outside = !is_inside(reach->field, leg->x, leg->y);
    reach->told[step] = outside || in;
    if (outside)
        ib_wrong_value(reach->reader, to, "(%g m, %g m) lies outside the walls", leg->x, leg->y);
    else if (in)
        ib_wrong_value(reach->reader, to, "(%g m, %g m) lies inside '%s'", leg->x, leg->y,
                       in->name);
}

// Where a move ends, if nothing is missed.
static void check_end(Reach *reach, const ib_WayPoint *at)
{
    const ib_Node *node = reach->nodes[at->step];
    ib_Shape centre = ib_shape_disc(0);
    const ib_ElementConfig *in = find_obstacle(reach, &centre, at->x, at->y, 0, 0);
    if (!is_inside(reach->field, at->x, at->y)) {
        ib_warn_value(reach->reader, node,
                      "leads to (%.3g m, %.3g m), which lies outside the walls", at->x, at->y);
    } else if (in) {
        ib_warn_value(reach->reader, node, "leads to (%.3g m, %.3g m), which lies inside '%s'",
                      at->x, at->y, in->name);
    } else if (reach->robot.count > 0) {
        in = find_obstacle(reach, &reach->robot, at->x, at->y, at->heading, NO_ROOM);
        bool wall = !in && hits_wall(reach, at->x, at->y, at->heading);
        if (!in && !wall) return;
        ib_warn_value(
            reach->reader, node,
            "leads to (%.3g m, %.3g m), where the robot has no room: %s%s%s is in its way", at->x,
            at->y, in ? "'" : "", in ? in->name : "a wall", in ? "'" : "");
    } else
        return;
    reach->told[at->step] = true;
}

// The straight line from one point to the next.
static void check_line(Reach *reach, const ib_WayPoint *from, const ib_WayPoint *to)
{
    double dx = to->x - from->x, dy = to->y - from->y;
    int parts = (int)fmin(10000, 1 + sqrt(dx * dx + dy * dy) / STRIDE);
    ib_Shape centre = ib_shape_disc(0);
    for (int i = 1; i < parts && !reach->told[to->step]; i++) {
        double x = from->x + dx * i / parts, y = from->y + dy * i / parts;
        const ib_ElementConfig *in = find_obstacle(reach, &centre, x, y, 0, 0);
        if (!in) continue;
        ib_warn_value(reach->reader, reach->nodes[to->step],
                      "leads through '%s', at (%.3g m, %.3g m)", in->name, x, y);
        reach->told[to->step] = true;
    }
}

// --------------------------------------------------------------------------------------- the check

// The way that the routine means to take.
static void check_way(Reach *reach, const ib_ControlSite *site, ib_WayPoint *points)
{
    ib_LegPose start = {.x = site->start.x, .y = site->start.y, .heading = site->start.course};
    int count =
        ib_routine_outline(reach->draft->steps, site->mover, &start, points, IB_OUTLINE_MOST);
    for (int i = 1; i < count; i++) {
        if (points[i].end && !reach->told[points[i].step]) check_end(reach, &points[i]);
        if (!reach->told[points[i].step]) check_line(reach, &points[i - 1], &points[i]);
    }
}

void ib__check_reach(const ib__LoopReader *loop, const ib_ControlSite *site,
                     const ib_RoutineDraft *draft, const ib_Node *const *nodes)
{
    const ib_RobotPorts *ports = &loop->robot->made.ports;
    Reach reach = {
        .reader = loop->reader, .field = loop->scenario->field, .draft = draft, .nodes = nodes};
    if (!reach.field || !site->mover) return;
    if (ports->length > 0 && ports->round) reach.robot = ib_shape_disc(ports->length / 2);
    if (ports->length > 0 && ports->width > 0 && !ports->round)
        reach.robot = ib_shape_box(ports->length, ports->width);
    for (int i = 0; i < draft->count; i++)
        if (draft->steps[i].kind == IB_STEP_MOVE) check_point(&reach, i);
    ib_Arena scratch = {0};
    ib_WayPoint *points = ib_arena_array(&scratch, IB_OUTLINE_MOST, sizeof *points);
    if (points) check_way(&reach, site, points);
    ib_arena_reset(&scratch);
}
