// scenario/routine_reach.c: can a robot be where its routine sends it?
//
// A point of the field (`drive: {to: …}`) is certain: behind a wall or inside a fixed obstacle, it
// is out of reach. The ends of the other moves follow from those before them, if all succeed: a bad
// one is a warning, and so is a place in which the robot has no room. Elements that move are
// not judged.
#include "base/extreme.h"
#include "control/routine/routine_outline.h"
#include "scenario/control.h"
#include "world/field.h"

#include <math.h>

#define NO_ROOM 1e-3 ///< that a robot may overlap an obstacle where it ends [m]
#define STRIDE  0.02 ///< between two samples on the way [m]

typedef struct Reach {
    ib_Reader *reader;
    const ib_FieldConfig *field;
    ib_Shape robot; ///< count 0: it has no outline
    const ib_RoutineDraft *draft;
    const ib_Node *const *nodes;
    bool told[IB_ROUTINE_STEPS]; ///< something was said of the step
} Reach;

// ------------------------------------------------------------------------------------------- field

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

// A point of the field in a step: a mistake if no robot can be there.
static void check_point(Reach *reach, const ib_WayPoint *at)
{
    const ib_Node *to = ib_node_get(reach->nodes[at->step], "to");
    ib_Shape centre = ib_shape_disc(0);
    if (reach->draft->steps[at->step].move.kind != IB_MOVE_TO || !to) return;
    const ib_ElementConfig *in = find_obstacle(reach, &centre, at->x, at->y, 0, 0);
    bool outside = !ib_field_within(reach->field, at->x, at->y);
    if (outside)
        ib_wrong_value(reach->reader, to, "(%g m, %g m) lies outside the walls", at->x, at->y);
    else if (in)
        ib_wrong_value(reach->reader, to, "(%g m, %g m) lies inside '%s'", at->x, at->y, in->name);
    reach->told[at->step] |= outside || in;
}

// Checks the end of a move, if all moves before succeed.
static void check_end(Reach *reach, const ib_WayPoint *at)
{
    const ib_Node *node = reach->nodes[at->step];
    ib_Shape centre = ib_shape_disc(0);
    const ib_ElementConfig *in = find_obstacle(reach, &centre, at->x, at->y, 0, 0);
    if (!ib_field_within(reach->field, at->x, at->y)) {
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
    int parts = (int)ib_min(10000, 1 + sqrt(dx * dx + dy * dy) / STRIDE);
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

void ib__check_reach(const ib__LoopReader *loop, const ib_RoutineDraft *draft,
                     const ib_Node *const *nodes, const ib_ControlPorts *ports)
{
    const ib_RobotPorts *robot = &loop->robot->made.ports;
    const ib_WayPoint *way = ports->way;
    Reach reach = {
        .reader = loop->reader, .field = loop->scenario->field, .draft = draft, .nodes = nodes};
    if (!reach.field) return;
    if (robot->length > 0 && robot->round) reach.robot = ib_shape_disc(robot->length / 2);
    if (robot->length > 0 && robot->width > 0 && !robot->round)
        reach.robot = ib_shape_box(robot->length, robot->width);
    for (int i = 1; i < ports->way_count; i++)
        if (way[i].end && !reach.told[way[i].step]) check_point(&reach, &way[i]);
    for (int i = 1; i < ports->way_count; i++) {
        if (way[i].end && !reach.told[way[i].step]) check_end(&reach, &way[i]);
        if (!reach.told[way[i].step]) check_line(&reach, &way[i - 1], &way[i]);
    }
}
