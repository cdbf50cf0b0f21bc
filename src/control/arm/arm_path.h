// control/arm/arm_path.h: a way of an arm of two links through its joint space, as a list of
// points: angles, how they change along the way, and how that changes. docs/control/arm_plan.md
//
// Symbols: s length of the way [rad], sqrt(dth1^2 + dth2^2) summed up; ' is d/ds here.
//   w = th' v,   a = th' v' + th" v^2           v = ds/dt, v' = dv/dt
#ifndef IB_CONTROL_ARM_PATH_H
#define IB_CONTROL_ARM_PATH_H

#include "base/status.h"

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

// Where the way is at `s`, between two points: th by the cubic that has their th and th', th' by
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

// From p = `begin` to `end`. The curve must not stop: |th_p| > 0.
ib_Status ib_arm_path_sampled(ib_ArmCurve *curve, const void *context, double begin, double end,
                              int count, ib_ArmPoint *points, ib_Error *error);

// --------------------------------------------------------------------------------- rows of a table

// A row as the source writes them: th1, th1', th1", th2, th2', th2".           [FRC 971, 2018]
typedef struct ib_ArmRow {
    double theta[2], omega[2], alpha[2];
} ib_ArmRow;

typedef enum ib_ArmRowFault {
    IB_ARM_ROWS_FINE,
    IB_ARM_ROWS_FEW,    ///< fewer than 2
    IB_ARM_ROW_NUMBER,  ///< not a finite number
    IB_ARM_ROW_LENGTH,  ///< |th'| is `got`, not 1
    IB_ARM_ROW_SLANTED, ///< th' and th" are not at right angles: th'.th" is `got`, not 0
    IB_ARM_ROW_STANDS,  ///< it is where the row before is
    IB_ARM_ROW_ANGLE,   ///< `theta` of `joint` is `got`; the row before and th' lead to `expected`
    IB_ARM_ROW_DIRECTION, ///< `omega` of `joint` is `got`; with th" it would be `expected`
} ib_ArmRowFault;

typedef struct ib_ArmRowVerdict {
    ib_ArmRowFault fault;
    int row, joint;       ///< from 0
    double got, expected; ///< SI
} ib_ArmRowVerdict;

// Are rows one way? `tolerance` is relative to a step: an angle may be off by `tolerance` times the
// distance from the row before, a direction by `tolerance`. th" may jump from row to row (an arc
// begins); a direction must change by something between both. 1e-3 suits rows of six digits that
// are 0.01 rad apart. If they are, `points` is filled.
ib_ArmRowVerdict ib_arm_path_rows(const ib_ArmRow *rows, int count, double tolerance,
                                  ib_ArmPoint *points);

#endif
