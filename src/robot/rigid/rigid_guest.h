// robot/rigid/rigid_guest.h: guests of a MuJoCo world: bodies that another integrator moves, as
// MuJoCo's contacts meet them. docs/world/mujoco.md
//
// Before every solve a guest's true place and velocity are set. MuJoCo knows its mass, and so the
// force at which the contact gives way; it finds the constraint forces on the guest, and its own
// motion of the guest is not used. The same forces, held over the step, act on the guest in its own
// integrator: momentum is exact, and a contact is as stable as in MuJoCo's own step, provided that
// the true body answers with no more than the mass and moments that are given.
// Limit: the guest's acceleration by other forces is unknown to the contact, which is deeper by
// a/k with k = 1/(time constant)^2: 10 um at 1 m/s^2 and 3 ms.
#ifndef IB_ROBOT_RIGID_GUEST_H
#define IB_ROBOT_RIGID_GUEST_H

#include "robot/rigid/rigid.h"
#include "world/mujoco_model.h"

typedef enum ib_GuestMotion {
    IB_GUEST_FLAT, ///< on the floor: x, y, heading; it neither sinks nor tilts
    IB_GUEST_FREE, ///< in space: place, quaternion w x y z
    IB_GUEST_STILL ///< it does not move
} ib_GuestMotion;

typedef struct ib_GuestGeom {
    ib_MujocoShape shape;    ///< box, cylinder, sphere, capsule, ellipsoid or mesh
    double size[3];          ///< as MJCF's
    double at[3], turned[4]; ///< in its body's frame; quaternion w x y z
    double friction;
    int point_count; ///< of a mesh
    const double *points;
} ib_GuestGeom;

// Place and velocity: x, y, heading and their rates; of a free one as those of a free joint.
typedef struct ib_GuestState {
    double position[7], velocity[6];
} ib_GuestState;

typedef struct ib_RigidGuest {
    const char *name; ///< of its robot or element
    const char *part; ///< the body's own, for people; NULL or "": it has none
    int robot;        ///< bodies of one robot do not touch each other; -1: an element of the field
    int body;         ///< its number in the robot's own world, if it has one
    ib_GuestMotion motion;
    ib_MujocoInertia inertia;
    ib_GuestState start;
    int geom_count;
    const ib_GuestGeom *geoms;
} ib_RigidGuest;

// The bodies of a robot with a world of its own (kind: mjcf) that something can touch: those that
// move, in their start, and one for all that are fixed. Their number; `guests` NULL: that alone.
// Planes and height fields are left out. -1: without memory.
int ib_rigid_guests_of(const ib_PartsModel *robot, ib_RigidGuest *guests, ib_Arena *arena);

// Room for forces from outside in a workspace of ib_rigid_integrator; false: there is none.
bool ib_rigid_guest_room(const ib_PartsModel *robot, void *workspace, ib_Arena *arena);

// Places the bodies of such a robot, then gives the state of each.
ib_Status ib_rigid_guest_place(const ib_PartsModel *robot, void *workspace, const double *x,
                               const double *input, ib_Error *error);
void ib_rigid_guest_state(const void *workspace, int body, ib_GuestState *state);

// Sets the force and torque about its origin, the world's axes, on a body behind `place`, for the
// next step or output.
void ib_rigid_guest_press(const ib_PartsModel *robot, void *workspace, int body,
                          const double wrench[6]);

#endif
