// robot/roomba/roomba_geometry.c: the geometry of the Roomba: a disc with a bumper around
// its front.
#include "robot/roomba/roomba.h"
#include "robot/solid.h"

enum { CRESCENT = 25 }; // points of one of its two arcs

// The front rim from 75 degrees right to 75 degrees left, out and back.
static void crescent(double radius, double x[2 * CRESCENT], double y[2 * CRESCENT])
{
    const double reach = 1.3089969389957472;
    for (int i = 0; i < CRESCENT; i++) {
        double s, c;
        int back = 2 * CRESCENT - 1 - i;
        ib_sincos(reach * (2.0 * i / (CRESCENT - 1) - 1), &s, &c);
        x[i] = radius * c;
        y[i] = radius * s;
        x[back] = 0.88 * x[i];
        y[back] = 0.88 * y[i];
    }
}

static ib_SolidDef disc(const char *name, double low, double radius, double height, uint32_t colour)
{
    return ib_solid_upright(name, "body", (double[]){0, 0, low + height / 2}, radius, height,
                            colour);
}

// Its wheels stand at the ends of the diameter, inside the rim. Side slip is their motion
// without rolling.
static ib_SolidDef wheel(const char *name, double d, double side)
{
    double place[] = {0, side * 0.465 * d, 0.1 * d};
    ib_SolidDef solid = ib_solid_wheel(name, "body", place, 0, 0.1 * d, 0.05 * d);
    return ib_solid_tinted(solid, "velocity.left", "side slip", 0.1);
}

const ib_Geometry *ib__roomba_geometry(const ib_RoombaConfig *config, ib_Arena *arena)
{
    double d = config->diameter, front[2][IB_SOLID_FRONT_CORNERS];
    double rim_x[2 * CRESCENT], rim_y[2 * CRESCENT];
    crescent(d / 2, rim_x, rim_y);
    const ib_SolidDef solids[] = {
        disc("body", 0.05 * d, 0.5 * d, 0.15 * d, IB_COLOUR_DARK),
        {.name = "bumper",
         .frame = "body",
         .form = IB_SOLID_POLYGON,
         .place = {0, 0, 0.2 * d},
         .size = {0.02 * d, 0.02 * d, 0.02 * d},
         .corner_count = 2 * CRESCENT,
         .corner_x = rim_x,
         .corner_y = rim_y,
         .colour = IB_COLOUR_BUMPER,
         .livery = true},
        disc("deck", 0.2 * d, 0.41 * d, 0.04 * d, IB_COLOUR_METAL),
        disc("button", 0.24 * d, 0.08 * d, 0.01 * d, IB_COLOUR_DARK),
        ib_solid_front(0.36 * d, 0.24 * d, 0.22 * d, 0.24 * d, front),
        wheel("left wheel", d, 1),
        wheel("right wheel", d, -1),
    };
    ib_ArrowDef velocity = ib_arrow_velocity(0.26 * d);
    ib_MarkDef centre = {.name = "centre of mass", .frame = "body", .place = {0, 0, 0.125 * d}};
    ib_Geometry look = {.frames = &ib_frame_body,
                        .frame_count = 1,
                        .solids = solids,
                        .solid_count = sizeof solids / sizeof solids[0],
                        .arrows = &velocity,
                        .arrow_count = 1,
                        .marks = &centre,
                        .mark_count = 1};
    return ib_geometry_keep(&look, arena);
}
