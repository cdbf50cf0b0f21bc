// design/arm/arm_detour.h: the shortest ways of an arm round obstacles, as straight lines in joint
// space, and the same with round corners. docs/design/arm_search.md
//
// A way may pass each obstacle on either side. In joint space an obstacle is a piece of blocked
// places (a disc makes one piece for each way to bend the elbow, or one for both); with k pieces
// there are 2^k kinds of ways, and each has its shortest. A planner finds the fastest of them.
#ifndef IB_DESIGN_ARM_DETOUR_H
#define IB_DESIGN_ARM_DETOUR_H

#include "control/arm/arm_scene.h"
#include "control/arm/arm_shape.h"

enum {
    IB_ARM_DETOURS = 16,       ///< largest number of detours
    IB_ARM_DETOUR_POINTS = 96, ///< cells for the check of a detour with round corners
};

// Largest distance of ways beyond the box of start and goal [rad].
#define IB_ARM_DETOUR_ROOM 1.6

typedef struct ib_ArmErrand {
    double start[2], goal[2]; ///< angles [rad]
    double margin;            ///< distance to keep [m], from limits [rad]; >= 0
} ib_ArmErrand;

typedef struct ib_ArmDetour {
    ib_ArmPlaces places; ///< start, corners, goal
    double length;       ///< [rad]
    double radius;       ///< of its corners [rad], 0: sharp
} ib_ArmDetour;

// Checks that start and goal keep the margin; IB_BAD_INPUT names the nearest obstacle.
ib_Status ib_arm_errand_check(const ib_ArmScene *scene, const ib_ArmErrand *errand,
                              ib_Error *error);

// The shortest way of each kind, the shortest first; none is three times as long as the first. A
// clear straight line is the only one. IB_BAD_INPUT: start or goal is blocked, or no way exists.
ib_Status ib_arm_detours_find(const ib_ArmScene *scene, const ib_ArmErrand *errand,
                              ib_ArmDetour detours[IB_ARM_DETOURS], int *count, ib_Error *error);

// The shortest way of lines and round corners of `radius` near a detour with sharp ones: a rounded
// corner would cut into its obstacle, so corners move outwards, and close ones merge. Without room
// for `radius` the largest possible one is taken: see `rounded->radius`. IB_BAD_INPUT: none.
ib_Status ib_arm_detour_round(const ib_ArmScene *scene, const ib_ArmErrand *errand,
                              const ib_ArmDetour *sharp, double radius, ib_ArmDetour *rounded,
                              ib_Error *error);

// `count` points of a detour at equal distances; in a room more of them in bends.
ib_Status ib_arm_detour_path(const ib_ArmDetour *detour, int count, ib_ArmPoint *points,
                             ib_Error *error);
ib_Status ib_arm_detour_fine(const ib_ArmDetour *detour, ib_ArmWorkspace *workspace,
                             ib_Error *error);

#endif
