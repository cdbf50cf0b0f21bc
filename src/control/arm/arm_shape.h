// control/arm/arm_shape.h: ways of an arm through given places: straight with round corners, or
// smooth. Made for the planners of control/arm/arm_plan.h, whose speeds need a finite th" without
// jumps. docs/control/arm_plan.md
#ifndef IB_CONTROL_ARM_SHAPE_H
#define IB_CONTROL_ARM_SHAPE_H

#include "control/arm/arm_path.h"
#include "plant/two_link.h"

enum { IB_ARM_PLACES = 64 }; ///< most places of a way

// Places in joint space, in the order in which they are met.
typedef struct ib_ArmPlaces {
    int count; ///< 2 .. IB_ARM_PLACES
    double th[IB_ARM_PLACES][2];
} ib_ArmPlaces;

// All fill `count` points at equal distances; those with a room more where the way bends, as
// ib_arm_path_fine. IB_BAD_INPUT: there is no such way; `error` names the place, counted from 1.

// Straight lines, corners rounded with `radius` [rad], > 0. A corner that turns by d is d radius
// (1 + 0.2) long: over a sixth of that th" grows from 0 to 1/radius, and fades in the last sixth.
ib_Status ib_arm_shape_rounded(const ib_ArmPlaces *places, double radius, int count,
                               ib_ArmPoint *points, ib_Error *error);
ib_Status ib_arm_shape_rounded_fine(const ib_ArmPlaces *places, double radius,
                                    ib_ArmWorkspace *workspace, ib_Error *error);

// The same for the hand of an arm: it goes straight from place to place, with corners of `radius`
// [m], > 0; the elbow stays bent to its side. No place of the way may be out of reach or have the
// arm stretched or folded, IB_ARM_STRETCHED; at the last place the joints are where it says.
#define IB_ARM_STRETCHED 0.02 ///< least |sin(th1 - th2)|
ib_Status ib_arm_shape_hand_fine(const ib_TwoLink *arm, const ib_ArmPlaces *places, double radius,
                                 ib_ArmWorkspace *workspace, ib_Error *error);

// A cubic spline through all places, th" without jumps. `begin`, `end`: unit vectors of its
// directions there; NULL: not bent there.
ib_Status ib_arm_shape_spline(const ib_ArmPlaces *places, const double *begin, const double *end,
                              int count, ib_ArmPoint *points, ib_Error *error);
ib_Status ib_arm_shape_spline_fine(const ib_ArmPlaces *places, const double *begin,
                                   const double *end, ib_ArmWorkspace *workspace, ib_Error *error);

// A way from one pose to another by polynomials of degree 5 that have the places, directions and
// bends of both: the begin of a new plan in mid-motion. A `way` of 0, 0: along the straight line.
typedef struct ib_ArmPose {
    double th[2], way[2], bend[2]; ///< as in ib_ArmPoint
} ib_ArmPose;
ib_Status ib_arm_shape_join(const ib_ArmPose *from, const ib_ArmPose *to, int count,
                            ib_ArmPoint *points, ib_Error *error);

#endif
