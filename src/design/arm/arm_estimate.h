// design/arm/arm_estimate.h: a quick estimate of an arm's time along a path: the result of
// ib_arm_plan_reach of control/arm/arm_plan.h, to about 0.3 % in a tenth of the time. A search
// calls it thousands of times; its result is timed exactly in the end.
#ifndef IB_DESIGN_ARM_ESTIMATE_H
#define IB_DESIGN_ARM_ESTIMATE_H

#include "control/arm/arm_limits.h"

// The time from rest to rest [s]; infinite: impossible. `frames` and `v`: scratch memory of as many
// as the path has points.
double ib_arm_estimate(const ib_ArmPlant *arm, const ib_ArmLimits *limits, const ib_ArmPath *path,
                       ib_ArmFrame *frames, double *v);

#endif
