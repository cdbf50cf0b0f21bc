// report/diagram_values.c: what a free-body diagram shows, before it is drawn.
#include "base/maths.h"
#include "report/diagram.h"
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
    const ib_Geometry *look = ib_robot_geometry(ports, robot, arena);
    if (!look) return (ib_TopView){.count = 0};
    const char *frame = NULL;
    for (int i = look->frame_count - 1; i >= 0; i--)
        if (look->frames[i].body) frame = look->frames[i].name;
    return ib_top_view(look, frame, source->named, source->self, arena);
}

ib_Diagram ib_diagram_from(const ib_RobotPorts *ports, const char *robot,
                           const ib_DiagramSource *source, ib_Arena *arena)
{
    ib_Diagram diagram = {.title = "", .time = NAN, .ports = ports};
    diagram.view = own_view(ports, robot, source, arena);
    for (int i = 0; i < ports->force_count && i < IB_DIAGRAM_MAX_FORCES; i++)
        diagram.forces[i] = signal_of(source, robot, ports->forces[i].signal);
    const struct {
        ib_SignalRole role;
        double *value;
    } values[] = {
        {IB_ROLE_POSE_HEADING, &diagram.heading},
        {IB_ROLE_VELOCITY_X, &diagram.velocity_x},
        {IB_ROLE_VELOCITY_Y, &diagram.velocity_y},
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
    if (!isfinite(diagram.contact_x) || !isfinite(diagram.contact_y))
        diagram.contact_x = diagram.contact_y = 0;
    diagram.disturbed = isfinite(diagram.push_x) && isfinite(diagram.push_y);
    return diagram;
}

ib_DiagramSum ib_diagram_sum(const ib_Diagram *diagram)
{
    double c, s;
    ib_sincos(diagram->heading, &s, &c);
    double known = isfinite(diagram->contact_torque) ? diagram->contact_torque : 0;
    ib_DiagramSum sum = {diagram->contact_x, diagram->contact_y, known};
    for (int i = 0; i < diagram->ports->force_count && i < IB_DIAGRAM_MAX_FORCES; i++) {
        const ib_ForceDef *force = &diagram->ports->forces[i];
        double cosine = force->in_field ? 1 : c, sine = force->in_field ? 0 : s;
        double fx = diagram->forces[i] * (cosine * force->along_x - sine * force->along_y);
        double fy = diagram->forces[i] * (sine * force->along_x + cosine * force->along_y);
        double x = c * force->x - s * force->y, y = s * force->x + c * force->y;
        sum.x += fx;
        sum.y += fy;
        sum.torque += x * fy - y * fx;
    }
    if (!diagram->disturbed) return sum;
    sum.x += diagram->push_x;
    sum.y += diagram->push_y;
    sum.torque += diagram->push_torque;
    return sum;
}
