// control/arm/arm_track.h: what a follower of an arm is given: the arm, its limits, named goals,
// timed ways between them, and what it must keep clear of. docs/control/arm_follow.md
//
// The desk makes it of a plan file; the follower plans its own ways in mid-motion with it.
#ifndef IB_CONTROL_ARM_TRACK_H
#define IB_CONTROL_ARM_TRACK_H

#include "control/arm/arm_plan.h"

#include <stdbool.h>

enum {
    IB_ARM_GOALS = 32,     ///< most of a plan
    IB_ARM_TRACKS = 64,    ///< most of a plan
    IB_ARM_OBSTACLES = 16, ///< most of a plan
};

// A disc in the plane of the arm.
typedef struct ib_ArmObstacle {
    const char *name;
    double x, z;      ///< of its centre, forward and up from the first joint [m]
    double radius;    ///< [m], > 0
    double clearance; ///< that is left between its edge and the hand's centre, or a link's middle
                      ///< line: half their width included [m], >= 0
} ib_ArmObstacle;

// Where an arm may be.
typedef struct ib_ArmRoom {
    double low[2], high[2];       ///< of the angles [rad]; infinite: no limit
    double elbow_low, elbow_high; ///< of th1 - th2 [rad]; infinite: no limit
    bool links;                   ///< the links must stay clear too, not the hand alone
    int obstacle_count;
    const ib_ArmObstacle *obstacles;
} ib_ArmRoom;

// A room without walls.
ib_ArmRoom ib_arm_room_default(void);

typedef struct ib_ArmGoal {
    const char *name; ///< a word such as "home"
    double th[2];     ///< [rad]
} ib_ArmGoal;

// A way from one goal to another, with its times, from rest to rest. It begins and ends at the
// goals to 1e-6 rad. `timing.work` may be NULL.
typedef struct ib_ArmTrack {
    int from, to; ///< indices of goals
    ib_ArmPath path;
    ib_ArmTiming timing;
} ib_ArmTrack;

// All of it in the caller's memory, which lives as long. Immutable, shared by threads.
typedef struct ib_ArmPlan {
    const char *name;
    ib_ArmPlant plant;
    ib_ArmLimits limits; ///< of its ways, and of those that are planned in mid-motion
    ib_ArmRoom room;
    int goal_count; ///< 1 .. IB_ARM_GOALS
    const ib_ArmGoal *goals;
    int track_count; ///< 0 .. IB_ARM_TRACKS
    const ib_ArmTrack *tracks;
} ib_ArmPlan;

// IB_BAD_INPUT: names the goal, the track or the obstacle that is wrong.
ib_Status ib_arm_plan_check(const ib_ArmPlan *plan, ib_Error *error);

// What a way meets that the room does not allow.
typedef enum ib_ArmHindrance {
    IB_ARM_FREE,
    IB_ARM_MEETS_OBSTACLE, ///< `index`: which
    IB_ARM_MEETS_LIMIT,    ///< `index`: of the joint; 2: of the elbow
} ib_ArmHindrance;

typedef struct ib_ArmMeeting {
    ib_ArmHindrance hindrance;
    int index;
    int point;      ///< of the path, at or before which
    double missing; ///< of the clearance [m], or beyond the limit [rad]
} ib_ArmMeeting;

// The first hindrance on a path, checked everywhere, not at its points alone.
ib_ArmMeeting ib_arm_room_along(const ib_ArmRoom *room, const ib_TwoLink *arm,
                                const ib_ArmPath *path);

#endif
