// robot/rigid_group_inside.h: the world of a group, between the file that writes and compiles it
// and the one that steps it.
#ifndef IB_ROBOT_RIGID_GROUP_INSIDE_H
#define IB_ROBOT_RIGID_GROUP_INSIDE_H

#include "robot/rigid_group.h"

typedef struct ib__RigidSharer {
    ib_RigidMember is;
    const char *prefix; ///< of its names in the world
    ib_MujocoShare share;
    unsigned bit;     ///< of a robot on legs among MuJoCo's masks; 0: a loose body
    unsigned ignores; ///< bits of those that it passes through
} ib__RigidSharer;

struct ib_RigidGroup {
    const ib_Mujoco *world;
    const char *mjcf; ///< the text that it was made from
    ib_MujocoSizes sizes;
    int count;
    ib__RigidSharer *members;
    const ib_FieldConfig *field;
    bool follows; ///< some member has tendons
};

// Puts a member's share of the world's state into the whole, or takes it out.
void ib__rigid_gather(const ib_RigidGroup *group, int member, const double *own, double *whole);
void ib__rigid_scatter(const ib_RigidGroup *group, int member, const double *whole, double *own);

// Walls and elements of a field as geoms, and the meshes of those that are no boxes or discs.
// `friction`, `time`, `grip` are those of the robots that touch them.
void ib__rigid_put_meshes(const ib_FieldConfig *field, ib_RigidText *text);
void ib__rigid_put_field(const ib_FieldConfig *field, const ib_RigidWriter *robot,
                         ib_RigidText *text);

#endif
