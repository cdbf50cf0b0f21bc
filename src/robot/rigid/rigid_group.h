// robot/rigid/rigid_group.h: several bodies that MuJoCo moves in one world, with the walls and
// obstacles of the field: robots on legs, and loose bodies beside them. docs/world/mujoco.md
//
// Each member keeps its own model (numbers, parts, signals) and its own state, as if it were alone.
// The world is one MuJoCo model of all of them, in which each has its bodies, joints … in one
// piece. An instant goes as that of one robot (robot/rigid/rigid.c):
//
//   every member's offers -> states gathered, bodies placed -> every member's pushes ->
//   accelerations and contact forces -> one step -> states scattered, every member's parts
//
// Guests (robot/rigid/rigid_guest.h) stand behind the members: robots on wheels, bodies of robots
// with a world of their own, elements of the field that move.
#ifndef IB_ROBOT_RIGID_GROUP_H
#define IB_ROBOT_RIGID_GROUP_H

#include "robot/rigid/rigid_guest.h"
#include "world/field.h"

typedef struct ib_RigidMember {
    const char *name; ///< "": it is the only robot
    const ib_PartsModel *robot;
} ib_RigidMember;

typedef struct ib_RigidGroup ib_RigidGroup;

typedef struct ib_RigidWorld {
    const ib_RigidMember *members; ///< at least one
    int count;
    const ib_RigidGuest *guests;
    int guest_count;
    const ib_FieldConfig *field; ///< its walls and elements that do not move; NULL: none
} ib_RigidWorld;

// The world of these, which must outlive it. Without walls and elements, robots that start inside
// one on legs pass through it, being meant for comparison; if all do, the group is NULL.
ib_Status ib_rigid_group_create(const ib_RigidWorld *of, ib_Arena *arena,
                                const ib_RigidGroup **group, ib_Error *error);

// True if something of the field stands in such a world.
bool ib_rigid_group_wants(const ib_FieldConfig *field);

// True if a workspace of one suits the other. Either may be NULL.
bool ib_rigid_group_compatible(const ib_RigidGroup *a, const ib_RigidGroup *b);

// The member that starts more than a millimetre inside something, or the number of members and a
// guest's, with the reason; -1: none.
int ib_rigid_group_overlap(const ib_RigidGroup *group, ib_Error *error);

size_t ib_rigid_group_memory(const ib_RigidGroup *group); ///< of a workspace [bytes]

// The world as the text of an MJCF file, in its start position.
const char *ib_rigid_group_mjcf(const ib_RigidGroup *group, ib_Arena *arena);

// Memory of one simulation, given back with the arena; NULL: there is none left.
void *ib_rigid_group_workspace(const ib_RigidGroup *group, ib_Arena *arena);

// States and inputs of all members, and the guests where they are.
typedef struct ib_RigidNow {
    const double *const *states, *const *inputs;
    const ib_GuestState *guests;
} ib_RigidNow;

// As ib_ExternalIntegrator's. What is solved for the same `now` is not solved again.
ib_Status ib_rigid_group_advance(const ib_RigidGroup *group, void *workspace,
                                 const ib_RigidNow *now, double h, double *const *next,
                                 ib_Error *error);
void ib_rigid_group_output(const ib_RigidGroup *group, void *workspace, int member,
                           const ib_RigidNow *now, double *signals);

// What the contacts do to each guest, the field's axes: force, torque about its origin.
ib_Status ib_rigid_group_wrenches(const ib_RigidGroup *group, void *workspace,
                                  const ib_RigidNow *now, double (*wrenches)[6], ib_Error *error);

#endif
