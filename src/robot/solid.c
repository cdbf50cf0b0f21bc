#include "robot/solid.h"

#include <string.h>

const ib_FrameDef ib_frame_body = {
    .name = "body",
    .move = {"pose.x", "pose.y", NULL},
    .turn = {"pose.heading", NULL, NULL},
    .body = true,
};

ib_ArrowDef ib_arrow_velocity(double height)
{
    return (ib_ArrowDef){.name = "velocity",
                         .frame = "body",
                         .kind = IB_ARROW_VELOCITY,
                         .place = {0, 0, height},
                         .signal = {"velocity.forward", "velocity.left", NULL},
                         .along = {{1, 0, 0}, {0, 1, 0}}};
}

ib_SolidDef ib_solid_box(const char *name, double x, double y, double z, double length,
                         double width, double height, uint32_t colour)
{
    ib_SolidDef solid = ib_solid_block(name, "body", (double[]){x, y, z},
                                       (double[]){length, width, height}, colour);
    solid.livery = colour == IB_COLOUR_BUMPER;
    return solid;
}

ib_SolidDef ib_solid_block(const char *name, const char *frame, const double place[3],
                           const double size[3], uint32_t colour)
{
    return (ib_SolidDef){.name = name,
                         .frame = frame,
                         .form = IB_SOLID_BOX,
                         .place = {place[0], place[1], place[2]},
                         .size = {size[0], size[1], size[2]},
                         .colour = colour};
}

ib_SolidDef ib_solid_upright(const char *name, const char *frame, const double place[3],
                             double radius, double length, uint32_t colour)
{
    return (ib_SolidDef){.name = name,
                         .frame = frame,
                         .form = IB_SOLID_CYLINDER,
                         .place = {place[0], place[1], place[2]},
                         .size = {radius, length, length},
                         .colour = colour};
}

ib_SolidDef ib_solid_along_x(const char *name, const char *frame, const double place[3],
                             double radius, double length, uint32_t colour)
{
    ib_SolidDef solid = ib_solid_upright(name, frame, place, radius, length, colour);
    solid.attitude[1] = IB_SOLID_LYING;
    return solid;
}

ib_SolidDef ib_solid_wheel(const char *name, const char *frame, const double place[3],
                           double direction, double radius, double width)
{
    ib_SolidDef solid = ib_solid_upright(name, frame, place, radius, width, IB_COLOUR_TYRE);
    solid.attitude[0] = direction;
    solid.attitude[2] = IB_SOLID_LYING;
    return solid;
}

ib_SolidDef ib_solid_tinted(ib_SolidDef solid, const char *signal, const char *label, double full)
{
    solid.tint = signal;
    solid.tint_label = label;
    solid.tint_full = full;
    solid.tint_colour = IB_COLOUR_WARNING;
    return solid;
}

ib_SolidDef ib_solid_air(ib_SolidDef solid, const char *signal, double full)
{
    return ib_solid_tinted(solid, signal, "pressure", full);
}

ib_SolidDef ib_solid_front(double tip, double length, double width, double height,
                           double corners[2][IB_SOLID_FRONT_CORNERS])
{
    // Counter-clockwise from the tip: half the length is head, the shaft is 0.4 of the width.
    static const double x[] = {0, -0.5, -0.5, -1, -1, -0.5, -0.5};
    static const double y[] = {0, 0.5, 0.2, 0.2, -0.2, -0.2, -0.5};
    for (int i = 0; i < IB_SOLID_FRONT_CORNERS; i++) {
        corners[0][i] = tip + length * x[i];
        corners[1][i] = width * y[i];
    }
    return (ib_SolidDef){.name = "front mark",
                         .frame = "body",
                         .form = IB_SOLID_POLYGON,
                         .place = {0, 0, height},
                         .size = {0.04 * length, 0.04 * length, 0.04 * length},
                         .corner_count = IB_SOLID_FRONT_CORNERS,
                         .corner_x = corners[0],
                         .corner_y = corners[1],
                         .colour = IB_COLOUR_FRONT};
}

// A copy of an array; `good` becomes false without memory.
static void *keep(const void *items, int count, size_t size, ib_Arena *arena, bool *good)
{
    if (count == 0) return NULL;
    void *copy = ib_arena_array(arena, (size_t)count, size);
    if (copy)
        memcpy(copy, items, (size_t)count * size);
    else
        *good = false;
    return copy;
}

const ib_Geometry *ib_geometry_keep(const ib_Geometry *geometry, ib_Arena *arena)
{
    bool good = true;
    ib_Geometry *kept = ib_arena_alloc(arena, sizeof *kept);
    if (!kept) return NULL;
    *kept = *geometry;
    kept->frames =
        keep(geometry->frames, geometry->frame_count, sizeof *geometry->frames, arena, &good);
    kept->arrows =
        keep(geometry->arrows, geometry->arrow_count, sizeof *geometry->arrows, arena, &good);
    ib_MarkDef *marks =
        keep(geometry->marks, geometry->mark_count, sizeof *geometry->marks, arena, &good);
    for (int i = 0; good && i < geometry->mark_count; i++)
        marks[i].feet =
            keep(marks[i].feet, marks[i].foot_count, sizeof *marks[i].feet, arena, &good);
    kept->marks = marks;
    kept->traces =
        keep(geometry->traces, geometry->trace_count, sizeof *geometry->traces, arena, &good);
    ib_SolidDef *solids =
        keep(geometry->solids, geometry->solid_count, sizeof *geometry->solids, arena, &good);
    for (int i = 0; good && i < geometry->solid_count; i++) {
        ib_SolidDef *solid = &solids[i];
        solid->corner_x =
            keep(solid->corner_x, solid->corner_count, sizeof *solid->corner_x, arena, &good);
        solid->corner_y =
            keep(solid->corner_y, solid->corner_count, sizeof *solid->corner_y, arena, &good);
    }
    kept->solids = solids;
    return good ? kept : NULL;
}
