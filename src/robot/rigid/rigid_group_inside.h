// robot/rigid/rigid_group_inside.h: the world of a group, between the file that writes and compiles
// it and the one that steps it.
#ifndef IB_ROBOT_RIGID_GROUP_INSIDE_H
#define IB_ROBOT_RIGID_GROUP_INSIDE_H

#include "robot/rigid/rigid_group.h"

typedef struct ib__RigidSharer {
    ib_RigidMember is;
    const char *prefix; ///< of its names in the world
    ib_MujocoShare share;
    unsigned bit;     ///< of a robot on legs among MuJoCo's masks; 0: a loose body
    unsigned ignores; ///< bits of those that it passes through
} ib__RigidSharer;

typedef struct ib__RigidVisitor {
    ib_RigidGuest is;
    unsigned bit;                 ///< of its robot, if that has a world of its own; 0: it has none
    unsigned ignores;             ///< bits of those that it passes through
    int body, position, velocity; ///< where its share of the world begins; fixed: body 0
} ib__RigidVisitor;

// MuJoCo's masks. Each robot on legs or from a file has a bit of its own besides: those that
// a robot has in its affinity touch it.
enum {
    IB__TOUCH_LEGS = 1,
    IB__TOUCH_FIXED = 2,
    IB__TOUCH_LOOSE = 4,
    IB__TOUCH_FLOOR = 8, ///< the plane under loose bodies, whose friction they have alone
    IB__TOUCH_FIRST = 4, ///< the first robot's place
    IB__TOUCH_MOST = 27, ///< robots
};
#define IB__TOUCH_EVERY (~15u & 0x7fffffffu)

struct ib_RigidGroup {
    const ib_Mujoco *world;
    const char *mjcf; ///< the text that it was made from
    ib_MujocoSizes sizes;
    int count;
    ib__RigidSharer *members;
    int guest_count;
    ib__RigidVisitor *guests;
    const ib_FieldConfig *field;
    bool follows; ///< some member has tendons
};

// Puts a member's share of the world's state into the whole, or takes it out.
void ib__rigid_gather(const ib_RigidGroup *group, int member, const double *own, double *whole);
void ib__rigid_scatter(const ib_RigidGroup *group, int member, const double *whole, double *own);

// The state of a guest as part of the whole; the search for forces begins with none on it.
void ib__rigid_gather_guest(const ib_RigidGroup *group, int guest, const ib_GuestState *own,
                            double *whole);
// All states at the start.
void ib__rigid_gather_start(const ib_RigidGroup *group, double *whole);

// Robots that start inside one on legs or from a file pass through it. True if more do now.
bool ib__rigid_let_through(ib_RigidGroup *group);
// Loose bodies begin on the ground that robots on legs have brought with them: their starts know
// the plane alone.
void ib__rigid_lift_loose(const ib_RigidGroup *group);

// The sections of guests: meshes, what is fixed, bodies. `robot`: as below.
void ib__rigid_put_guest_meshes(const ib_RigidGroup *group, ib_RigidText *text);
void ib__rigid_put_guests(const ib_RigidGroup *group, bool still, const ib_RigidWriter *robot,
                          ib_RigidText *text);
// Finds their shares behind those of the members, and moves `at` on.
void ib__rigid_find_guests(ib_RigidGroup *group, ib_MujocoSizes *at);

// Walls and elements of a field as geoms, and the meshes of those that are no boxes or discs.
// `friction`, `time`, `grip` are those of the robots that touch them.
void ib__rigid_put_meshes(const ib_FieldConfig *field, ib_RigidText *text);
void ib__rigid_put_field(const ib_FieldConfig *field, const ib_RigidWriter *robot,
                         ib_RigidText *text);
void ib__rigid_put_surface(const ib_RigidWriter *robot, double friction, ib_RigidTouch touch,
                           ib_RigidText *text);

#endif
