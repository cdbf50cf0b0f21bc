// control/arm/arm_track.h: the inputs of an arm's follower: the arm, its limits, named goals, timed
// ways between them, and obstacles. docs/control/arm_follow.md
//
// The desk makes it of a plan file; the follower plans its own ways in mid-motion with it.
#ifndef IB_CONTROL_ARM_TRACK_H
#define IB_CONTROL_ARM_TRACK_H

#include "control/arm/arm_plan.h"
#include "control/arm/arm_scene.h"

enum {
    IB_ARM_GOALS = 32,  ///< most of a plan
    IB_ARM_TRACKS = 64, ///< most of a plan
};

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
    ib_ArmScene scene;   ///< obstacles
    double margin;       ///< that it keeps from that [m], from limits [rad], >= 0
    int goal_count;      ///< 1 .. IB_ARM_GOALS
    const ib_ArmGoal *goals;
    int track_count; ///< 0 .. IB_ARM_TRACKS
    const ib_ArmTrack *tracks;
} ib_ArmPlan;

// IB_BAD_INPUT: names the goal, the track, the obstacle or the limit that is wrong.
ib_Status ib_arm_plan_check(const ib_ArmPlan *plan, ib_Error *error);

#endif
