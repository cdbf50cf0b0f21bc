// robot/look.h: what the looks of robots share: colours, and the pieces that most of them have.
// docs/geometry.md
#ifndef IB_ROBOT_LOOK_H
#define IB_ROBOT_LOOK_H

#include "base/geometry.h"

// Neither white nor black, so that they stand out from a light and from a dark floor.
enum {
    IB_COLOUR_METAL = 0x9aa7b4,
    IB_COLOUR_DARK = 0x46505b,
    IB_COLOUR_TYRE = 0x555b63,
    IB_COLOUR_BUMPER = 0x1f8a9e,
    IB_COLOUR_RED = 0xd0342c,  ///< bumpers of a robot called red
    IB_COLOUR_BLUE = 0x2f62d0, ///< and of one called blue
    IB_COLOUR_FRONT = 0xffc531,
    IB_COLOUR_WARNING = 0xff4d1f, ///< a wheel that slips
    IB_COLOUR_LOAD = 0xe08a2c,
    IB_COLOUR_WOOD = 0xc49a62,
    IB_COLOUR_BATTEN = 0x8f6a3a,
};

#define IB_LOOK_LYING        1.5707963267948966 ///< a quarter turn, lays a cylinder down [rad]
#define IB_LOOK_FORCE_HEIGHT 0.02 ///< of forces that act on the floor: just above it [m]

// The frame "body" of a planar robot: at pose.x, pose.y, turned by pose.heading.
extern const ib_FrameDef ib_look_body;

// The arrow "velocity" from velocity.forward and velocity.left, at this height over its origin [m].
ib_ArrowDef ib_look_velocity(double height);

// A flat arrow that points forward: its tip at x = `tip`, its underside at `height` [m]. The
// corners go where the caller says.
enum { IB_LOOK_FRONT_CORNERS = 7 };
ib_SolidDef ib_look_front(double tip, double length, double width, double height,
                          double corners[2][IB_LOOK_FRONT_CORNERS]);

// A copy in `arena` of tables that stand on a function's stack, polygons' corners included; names
// are not copied. NULL without memory.
const ib_Geometry *ib_look_keep(const ib_Geometry *look, ib_Arena *arena);

#endif
