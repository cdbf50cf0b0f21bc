// control/arm/arm_way.h: a new way of an arm, planned from its present pose, in the memory of its
// follower. Used by arm_follow.c; docs/control/arm_follow.md
#ifndef IB_CONTROL_ARM_WAY_H
#define IB_CONTROL_ARM_WAY_H

#include "control/arm/arm_follow.h"

// The follower's present table, and its present reference, at its pace.
ib_ArmTable ib__arm_way_table(const ib_ArmFollower *follower, const double *state);
ib_ArmReference ib__arm_way_now(const ib_ArmFollower *follower, const double *state);

// Plans from the present reference to a goal: in motion, by a way that begins with its direction
// and bend; from rest straight. True: the follower is at its begin. False: the way is not free, not
// within the limits, or it would be quicker to brake first; nothing has changed.
bool ib__arm_way_plan(const ib_ArmFollower *follower, int goal, double *state);

// Stands at `th`.
void ib__arm_way_stand(const ib_ArmFollower *follower, const double th[2], double *state);

// The pace at which the rest of the way needs no more than `limit` [V], 1 at most; 1 if the plan
// itself needs no more. The whole rest counts: late braking is too hard.
double ib__arm_way_ceiling(const ib_ArmFollower *follower, const double *state, double limit);

// The least p' within the limits of the plan at its place; -infinity: any.
double ib__arm_way_brake(const ib_ArmFollower *follower, const double *state);

#endif
