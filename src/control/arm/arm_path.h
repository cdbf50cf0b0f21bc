// control/arm/arm_path.h: a way of an arm of two links through its joint space, as a list of
// points: angles, how they change along the way, and how that changes. docs/control/arm_plan.md
//
// Symbols: s length of the way [rad], sqrt(dth1^2 + dth2^2) summed up; ' is d/ds here.
//   w = th' v,   a = th' v' + th" v^2           v = ds/dt, v' = dv/dt
#ifndef IB_CONTROL_ARM_PATH_H
#define IB_CONTROL_ARM_PATH_H

#include "base/error.h"

typedef struct ib_ArmPoint {
    double s;       ///< length of the way up to here [rad]; grows from point to point
    double th[2];   ///< angles [rad]
    double way[2];  ///< th': a unit vector
    double bend[2]; ///< th" [1/rad]
} ib_ArmPoint;

// In the caller's memory.
typedef struct ib_ArmPath {
    int count; ///< >= 2
    const ib_ArmPoint *points;
} ib_ArmPath;

// Where the way is at `s`, between two points by the cubic that has their angles and directions,
// bend by straight lines. `hint`: index of the point before, for a walk along the way; may be NULL.
ib_ArmPoint ib_arm_path_at(const ib_ArmPath *path, double s, int *hint);

#endif
