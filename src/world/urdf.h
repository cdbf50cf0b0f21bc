// world/urdf.h: a URDF as MJCF, with nothing lost that a simulation needs.
// docs/world/mujoco.md, "URDF"
//
// MuJoCo reads URDF itself, but welds the root link to the world without its mass and forgets the
// effort limits of joints. Here
//   link    -> body, with its inertia in the link's own axes; collision shapes touch, visual ones
//              do not; meshes and a block <mujoco> are left out, with a warning
//   joint   -> hinge or slide with range, damping and friction; a motor within the effort limit
//   root    -> a body of the world that is held (fixed), or floats over a floor (free)
// and joints without a form in MJCF (mimic, planar, floating) are refused at their place.
#ifndef IB_WORLD_URDF_H
#define IB_WORLD_URDF_H

#include "base/xml.h"

typedef enum ib_UrdfBase { IB_URDF_FIXED, IB_URDF_FREE } ib_UrdfBase;

// The MJCF text of <robot>, in the arena, and a sentence about the parts left out ("": none).
// Errors begin with their place.
ib_Status ib_urdf_convert(const ib_Xml *robot, ib_UrdfBase base, ib_Arena *arena, const char **mjcf,
                          const char **left_out, ib_Error *error);

#endif
