// robot/solid.h: shared elements of the looks of robots: colours and common pieces. Its page
// is docs/robot/geometry.md.
#ifndef IB_ROBOT_SOLID_H
#define IB_ROBOT_SOLID_H

#include "base/geometry.h"

#define IB_FORCE_ARROW_HEIGHT 0.02 ///< of forces that act on the floor: just above it [m]

// The frame "body" of a planar robot: at pose.x, pose.y, turned by pose.heading.
extern const ib_FrameDef ib_frame_body;

// The arrow "velocity" from velocity.forward and velocity.left, at this height over its origin [m].
ib_ArrowDef ib_arrow_velocity(double height);

// A box on the frame "body", around its centre [m]; bumpers have their robot's colour.
ib_SolidDef ib_solid_box(const char *name, double x, double y, double z, double length,
                         double width, double height, uint32_t colour);

// Pieces on any frame, around their centre [m]: a box; a cylinder that stands; one along x.
ib_SolidDef ib_solid_block(const char *name, const char *frame, const double place[3],
                           const double size[3], uint32_t colour);
ib_SolidDef ib_solid_upright(const char *name, const char *frame, const double place[3],
                             double radius, double length, uint32_t colour);
ib_SolidDef ib_solid_along_x(const char *name, const char *frame, const double place[3],
                             double radius, double length, uint32_t colour);

// A wheel around its centre [m] that rolls in this direction, to the left of the frame's x [rad].
ib_SolidDef ib_solid_wheel(const char *name, const char *frame, const double place[3],
                           double direction, double radius, double width);

// The same solid as a signal warns by it, wholly from `full` on; and by an air's pressure [Pa].
ib_SolidDef ib_solid_tinted(ib_SolidDef solid, const char *signal, const char *label, double full);
ib_SolidDef ib_solid_air(ib_SolidDef solid, const char *signal, double full);

// A flat arrow that points forward: its tip at x = `tip`, its underside at `height` [m]. The
// corners go where the caller says.
enum { IB_SOLID_FRONT_CORNERS = 7 };
ib_SolidDef ib_solid_front(double tip, double length, double width, double height,
                           double corners[2][IB_SOLID_FRONT_CORNERS]);

// A copy in `arena` of tables that stand on a function's stack, corners and feet included; names
// are not copied. NULL without memory.
const ib_Geometry *ib_geometry_keep(const ib_Geometry *geometry, ib_Arena *arena);

#endif
