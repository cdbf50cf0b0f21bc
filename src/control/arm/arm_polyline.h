// control/arm/arm_polyline.h: straight lines with round corners through places of a plane, that of
// the joints [rad] or that of the hand [m]. Used by arm_corner.c and arm_hand.c.
#ifndef IB_CONTROL_ARM_POLYLINE_H
#define IB_CONTROL_ARM_POLYLINE_H

#include "control/arm/arm_shape.h"

// Lengths are in the unit of the places.
typedef struct ib_ArmCorner {
    double turn;         ///< d [rad], >= 0
    double side;         ///< 1: to the left of th1 -> th2, -1: to the right
    double radius, ramp; ///< r, e
    double length;       ///< L
    double trim;         ///< it begins and ends so far from the place
} ib_ArmCorner;

typedef struct ib_ArmPolyline {
    const ib_ArmPlaces *places;
    double way[IB_ARM_PLACES][2], length[IB_ARM_PLACES]; ///< of the line from each place
    ib_ArmCorner corner[IB_ARM_PLACES];                  ///< at each place
    double total;                                        ///< length of all
} ib_ArmPolyline;

// IB_BAD_INPUT: there is none; `error` names the place, and its lengths in `unit`.
ib_Status ib__arm_polyline_init(const ib_ArmPlaces *places, double radius, const char *unit,
                                ib_ArmPolyline *line, ib_Error *error);

// Place on a polyline after a length.
ib_ArmCurvePoint ib__arm_polyline_at(const void *line, double s);

#endif
