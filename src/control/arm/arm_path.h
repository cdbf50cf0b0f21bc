// control/arm/arm_path.h: a way of an arm of two links through its joint space, as a list of
// points: angles, how they change along the way, and how that changes. docs/control/arm_plan.md
//
// Symbols: s length of the way [rad], sqrt(dth1^2 + dth2^2) summed up; ' is d/ds here.
//   w = th' v,   a = th' v' + th" v^2           v = ds/dt, v' = dv/dt
#ifndef IB_CONTROL_ARM_PATH_H
#define IB_CONTROL_ARM_PATH_H

#include "base/status.h"

#include <stdbool.h>

typedef struct ib_ArmPoint {
    double s;       ///< length of the way up to here [rad]; grows from point to point
    double th[2];   ///< angles [rad]
    double way[2];  ///< th': a unit vector
    double bend[2]; ///< th" [1/rad]
} ib_ArmPoint;

// A path in the caller's memory.
typedef struct ib_ArmPath {
    int count; ///< >= 2
    const ib_ArmPoint *points;
} ib_ArmPath;

// Place of the way at `s`, between two points: th by the cubic that has their th and th', th' by
// the cubic that has their th' and th", th" by a straight line. Each is exact at the points, and
// points that are rounded to a few digits do not make it shake. `hint`: index of the point before,
// for a walk along the way; may be NULL.
ib_ArmPoint ib_arm_path_at(const ib_ArmPath *path, double s, int *hint);

// The same within the cell from `a` to `b`: `part` of its length, 0 .. 1.
ib_ArmPoint ib_arm_path_within(const ib_ArmPoint *a, const ib_ArmPoint *b, double part);

// ------------------------------------------------------------------------------------ ways to make

// `count` >= 2 points at equal distances into `points`; shapes with corners and turns are in
// control/arm/arm_shape.h. IB_BAD_INPUT: there is no such way, `error` says why.
ib_Status ib_arm_path_straight(const double from[2], const double to[2], int count,
                               ib_ArmPoint *points, ib_Error *error);

// A curve of a parameter p: angles, and their first and second derivative to p.
typedef struct ib_ArmCurvePoint {
    double th[2], th_p[2], th_pp[2];
} ib_ArmCurvePoint;
typedef ib_ArmCurvePoint ib_ArmCurve(const void *context, double p);

// Samples the curve from p = `begin` to `end`. It must not stop: |th_p| > 0.
ib_Status ib_arm_path_sampled(ib_ArmCurve *curve, const void *context, double begin, double end,
                              int count, ib_ArmPoint *points, ib_Error *error);

// ------------------------------------------------------------------------------- where a way bends

// A planner sees its path only at the points. Cells that turn by more than IB_ARM_TURN are
// therefore halved repeatedly, while there is room for more points.
#define IB_ARM_TURN 0.05 ///< [rad]
typedef struct ib_ArmWorkspace {
    int count;           ///< points at equal distances, >= 2; then, all that were made
    int most;            ///< there is memory for so many, >= count; the same: none is halved
    ib_ArmPoint *points; ///< the caller's
} ib_ArmWorkspace;

// As ib_arm_path_sampled. IB_BAD_INPUT as well if a corner needs more points than there is room
// for; it is named.
ib_Status ib_arm_path_fine(ib_ArmCurve *curve, const void *context, double begin, double end,
                           ib_ArmWorkspace *workspace, ib_Error *error);

// The same for a curve whose p is its length, from 0 on: |th_p| = 1.
ib_Status ib_arm_path_natural(ib_ArmCurve *curve, const void *context, double length,
                              ib_ArmWorkspace *workspace, ib_Error *error);

// True if no cell turns by more than that, and none is longer than `longest` [rad].
bool ib_arm_path_is_fine(const ib_ArmPath *path, double longest);

// A path again from other points: one that was written as a few of them.
ib_Status ib_arm_path_again(const ib_ArmPath *path, ib_ArmWorkspace *workspace, ib_Error *error);

#endif
