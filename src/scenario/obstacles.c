// scenario/obstacles.c: the fixed objects of a field, for the planner of detours.
#include "base/maths.h"
#include "scenario/control.h"

#include <math.h>

#define SPARE 0.03 ///< that a robot keeps from an obstacle [m]

// Its corners at rest, field frame.
static ib_Obstacle obstacle_of(const ib_ElementConfig *element)
{
    static const double corner_x[] = {-0.5, 0.5, 0.5, -0.5}, corner_y[] = {-0.5, -0.5, 0.5, 0.5};
    ib_Obstacle obstacle = {.radius = element->radius, .count = 1};
    double s, c;
    if (element->form == IB_ELEMENT_BOX) obstacle.count = 4;
    if (element->form == IB_ELEMENT_POLYGON) obstacle.count = element->corner_count;
    ib_sincos(element->heading, &s, &c);
    for (int i = 0; i < obstacle.count; i++) {
        double x = 0, y = 0;
        if (element->form == IB_ELEMENT_BOX) {
            x = corner_x[i] * element->length;
            y = corner_y[i] * element->width;
        } else if (element->form == IB_ELEMENT_POLYGON) {
            x = element->corner_x[i];
            y = element->corner_y[i];
        }
        obstacle.x[i] = element->x + c * x - s * y;
        obstacle.y[i] = element->y + s * x + c * y;
    }
    return obstacle;
}

const ib_DetourConfig *ib__find_obstacles(const ib_FieldConfig *field, const ib_RobotPorts *ports,
                                          ib_Arena *arena)
{
    if (!field) return NULL;
    ib_DetourConfig *config = ib_arena_alloc(arena, sizeof *config);
    ib_Obstacle *obstacles = ib_arena_array(arena, IB_DETOUR_OBSTACLES, sizeof *obstacles);
    if (!config || !obstacles) return NULL;
    double length = ports->length, width = ports->round ? 0 : ports->width;
    *config = (ib_DetourConfig){.obstacles = obstacles,
                                .wall_count = field->corner_count,
                                .wall_x = field->corner_x,
                                .wall_y = field->corner_y,
                                .clearance = 0.5 * sqrt(length * length + width * width) + SPARE};
    for (int i = 0; i < field->element_count && config->obstacle_count < IB_DETOUR_OBSTACLES; i++)
        if (!ib_element_moves(&field->elements[i]))
            obstacles[config->obstacle_count++] = obstacle_of(&field->elements[i]);
    return config;
}
