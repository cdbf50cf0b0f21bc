// report/diagram/diagram_values.c: the values of a free-body diagram, before it is drawn.
#include "base/maths.h"
#include "report/diagram/diagram_inside.h"
#include "sim/geometry.h"

#include <math.h>
#include <stdio.h>

static double signal_of(const ib_DiagramSource *source, const char *robot, const char *name)
{
    char whole[256];
    snprintf(whole, sizeof whole, "%s%s%s", robot, robot[0] ? "." : "", name);
    return source->named(source->self, whole);
}

// The robot around the first of its frames that is a body.
static ib_TopView own_view(const ib_RobotPorts *ports, const char *robot,
                           const ib_DiagramSource *source, ib_Arena *arena)
{
    const ib_Geometry *geometry = ib_robot_geometry(ports, robot, arena);
    if (!geometry) return (ib_TopView){.count = 0};
    const char *frame = NULL;
    for (int i = geometry->frame_count - 1; i >= 0; i--)
        if (geometry->frames[i].body) frame = geometry->frames[i].name;
    return ib_top_view(geometry, frame, source->named, source->self, arena);
}

static void find_force(const ib_DiagramSource *source, const char *robot, const ib_ForceDef *force,
                       double *along, double *side)
{
    *along = signal_of(source, robot, force->signal);
    *side = force->side ? signal_of(source, robot, force->side) : 0;
}

ib_Diagram ib_diagram_from(const ib_RobotPorts *ports, const char *robot,
                           const ib_DiagramSource *source, ib_Arena *arena)
{
    ib_Diagram diagram = {.title = "", .time = NAN, .ports = ports};
    diagram.view = own_view(ports, robot, source, arena);
    for (int i = 0; i < ports->force_count && i < IB_DIAGRAM_MAX_FORCES; i++)
        find_force(source, robot, &ports->forces[i], &diagram.forces[i], &diagram.sides[i]);
    const struct {
        ib_SignalRole role;
        double *value;
    } values[] = {
        {IB_ROLE_POSE_HEADING, &diagram.heading},
        {IB_ROLE_VELOCITY_X, &diagram.velocity_x},
        {IB_ROLE_VELOCITY_Y, &diagram.velocity_y},
        {IB_ROLE_CENTRE_X, &diagram.centre_x},
        {IB_ROLE_CENTRE_Y, &diagram.centre_y},
        {IB_ROLE_PUSH_X, &diagram.push_x},
        {IB_ROLE_PUSH_Y, &diagram.push_y},
        {IB_ROLE_PUSH_TORQUE, &diagram.push_torque},
        {IB_ROLE_SLOPE_X, &diagram.slope_x},
        {IB_ROLE_SLOPE_Y, &diagram.slope_y},
        {IB_ROLE_CONTACT_X, &diagram.contact_x},
        {IB_ROLE_CONTACT_Y, &diagram.contact_y},
        {IB_ROLE_CONTACT_TORQUE, &diagram.contact_torque},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        *values[i].value = source->of_role(source->self, robot, values[i].role);
    if (!isfinite(diagram.heading)) diagram.heading = 0;
    diagram.uneven = isfinite(diagram.centre_x) && isfinite(diagram.centre_y);
    if (!diagram.uneven) diagram.centre_x = diagram.centre_y = 0;
    if (!isfinite(diagram.contact_x) || !isfinite(diagram.contact_y))
        diagram.contact_x = diagram.contact_y = 0;
    diagram.disturbed = isfinite(diagram.push_x) && isfinite(diagram.push_y);
    return diagram;
}

// F = f a + s a', where a' is a, turned to the left by a quarter.
void ib_diagram_force(const ib_Diagram *diagram, int index, double *x, double *y)
{
    const ib_ForceDef *force = &diagram->ports->forces[index];
    double along = diagram->forces[index], side = diagram->sides[index], c = 1, s = 0;
    double fx = along * force->along_x - side * force->along_y;
    double fy = along * force->along_y + side * force->along_x;
    if (force->in_field) ib_sincos(-diagram->heading, &s, &c);
    *x = c * fx - s * fy;
    *y = s * fx + c * fy;
}

double ib__diagram_torque(const ib_Diagram *d, double x, double y, double torque)
{
    double c, s;
    ib_sincos(d->heading, &s, &c);
    double cx = c * d->centre_x - s * d->centre_y, cy = s * d->centre_x + c * d->centre_y;
    return torque - (cx * y - cy * x);
}

ib_DiagramSum ib_diagram_sum(const ib_Diagram *diagram)
{
    double c, s;
    ib_sincos(diagram->heading, &s, &c);
    double contact = ib__diagram_torque(diagram, diagram->contact_x, diagram->contact_y,
                                        diagram->contact_torque);
    ib_DiagramSum sum = {diagram->contact_x, diagram->contact_y, isfinite(contact) ? contact : 0};
    for (int i = 0; i < diagram->ports->force_count && i < IB_DIAGRAM_MAX_FORCES; i++) {
        const ib_ForceDef *force = &diagram->ports->forces[i];
        double fx, fy;
        ib_diagram_force(diagram, i, &fx, &fy);
        sum.x += c * fx - s * fy;
        sum.y += s * fx + c * fy;
        sum.torque += (force->x - diagram->centre_x) * fy - (force->y - diagram->centre_y) * fx;
    }
    if (!diagram->disturbed) return sum;
    sum.x += diagram->push_x;
    sum.y += diagram->push_y;
    sum.torque +=
        ib__diagram_torque(diagram, diagram->push_x, diagram->push_y, diagram->push_torque);
    return sum;
}
