// design/arm/arm_estimate.h: how long an arm takes along a path, quickly: what ib_arm_plan_reach of
// control/arm/arm_plan.h finds, to about 0.3 % in a tenth of the time. A search asks thousands of
// times; what it finds is timed exactly in the end.
#ifndef IB_DESIGN_ARM_ESTIMATE_H
#define IB_DESIGN_ARM_ESTIMATE_H

#include "control/arm/arm_limits.h"

// From rest to rest [s]; infinite: it cannot go there. `frames` and `v`: scratch memory of as many
// as the path has points.
double ib_arm_estimate(const ib_ArmPlant *arm, const ib_ArmLimits *limits, const ib_ArmPath *path,
                       ib_ArmFrame *frames, double *v);

#endif
