// control/arm/arm_way.h: a new way of an arm, planned where it is, in the memory of its follower.
// Used by arm_follow.c; docs/control/arm_follow.md
#ifndef IB_CONTROL_ARM_WAY_H
#define IB_CONTROL_ARM_WAY_H

#include "control/arm/arm_follow.h"

// The table that the follower is on, and what is wanted of it now, at its pace.
ib_ArmTable ib__arm_way_table(const ib_ArmFollower *follower, const double *state);
ib_ArmReference ib__arm_way_now(const ib_ArmFollower *follower, const double *state);

// Plans from what is wanted now to a goal: as it moves, by a way that begins with its direction and
// bend; from rest straight. True: the follower is at its begin. False: it is not free, not within
// the limits, or it would be quicker to brake first; nothing has changed.
bool ib__arm_way_plan(const ib_ArmFollower *follower, int goal, double *state);

// Stands at `th`.
void ib__arm_way_stand(const ib_ArmFollower *follower, const double th[2], double *state);

// The pace at which all that is left of the way needs no more than `limit` [V], 1 at most; 1 where
// the plan counted on no more. What lies ahead must be known: to brake late is to brake too hard.
double ib__arm_way_ceiling(const ib_ArmFollower *follower, const double *state, double limit);

// The least p' that the limits of the plan allow where it is now; -infinity: any.
double ib__arm_way_brake(const ib_ArmFollower *follower, const double *state);

#endif
