// world/urdf_inside.h: declarations shared by the files that read and write a URDF. Internal
// to them.
#ifndef IB_WORLD_URDF_INSIDE_H
#define IB_WORLD_URDF_INSIDE_H

#include "world/urdf.h"

enum { IB__URDF_LINKS = 300, IB__URDF_DEPTH = 80 };

typedef enum ib__UrdfMotion { IB__URDF_WELD, IB__URDF_HINGE, IB__URDF_SLIDE } ib__UrdfMotion;

typedef struct ib__UrdfLink {
    const ib_Xml *xml;
    const char *name;
    const ib_Xml *joint; ///< to its parent; NULL: the root
    int parent;          ///< -1: the root
    int depth;           ///< links above it; -1: not known yet
    // The inertial, in the link's axes; mass 0: none.
    double mass, centre[3], inertia[6]; ///< xx yy zz xy xz yz
    // The joint.
    ib__UrdfMotion motion;
    double at[3], rpy[3], axis[3], range[2], effort, damping, friction;
    bool limited, driven;
} ib__UrdfLink;

typedef struct ib__UrdfRobot {
    ib__UrdfLink links[IB__URDF_LINKS];
    int count, root;
    const ib_Xml *xml;
    int meshes;            ///< left out
    const char *mesh_link; ///< the first of them
} ib__UrdfRobot;

// An attribute's numbers; of an element or attribute that is not there they stay as they are.
ib_Status ib__urdf_numbers(const ib_Xml *element, const char *name, int count, double *values,
                           ib_Error *error);

// The same for one that must be there.
ib_Status ib__urdf_needed(const ib_Xml *element, const char *name, double *value, ib_Error *error);

// <origin xyz rpy> of an element, zeros without it.
ib_Status ib__urdf_origin(const ib_Xml *element, double at[3], double rpy[3], ib_Error *error);

// The MJCF text of a robot that was read and checked.
ib_Status ib__urdf_write(ib__UrdfRobot *robot, ib_UrdfBase base, ib_Arena *arena, const char **mjcf,
                         ib_Error *error);

#endif
