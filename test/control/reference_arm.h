// test/control/reference_arm.h: the arm of reference D1 (plant/reference_link.h) as planners and
// followers know it.
#ifndef IB_TEST_REFERENCE_ARM_H
#define IB_TEST_REFERENCE_ARM_H

#include "control/arm/arm_plan.h"
#include "plant/reference_link.h"

#include <math.h>

// The motors are MiniCIMs behind 140 and 90: 0.95 x 1.41 N m and 89 A at stall. `first` and
// `second` of them have the windings; the reference's K3 and K4 are those of 1 and 2.
static inline ib_ArmPlant reference_arm_of(int first, int second)
{
    const double R = 12.0 / 89, Kt = 0.95 * 1.41 / 89, G[2] = {140, 90};
    const int count[2] = {first, second};
    ib_ArmPlant arm = {.link = reference_link(), .gravity = REFERENCE_GRAVITY};
    for (int i = 0; i < 2; i++) {
        double K3 = REFERENCE_K3[i], K4 = REFERENCE_K4[i];
        arm.reduction[i] = G[i];
        arm.gear[i] = (ib_GearmotorModel){.push = K3,
                                          .drag = K4,
                                          .voltage = 12,
                                          .Kv = G[i] * K3 / K4,
                                          .Kt = Kt,
                                          .R = R / count[i]};
    }
    return arm;
}

static inline ib_ArmPlant reference_arm(void)
{
    return reference_arm_of(1, 2);
}

static inline ib_ArmLimits reference_limits(double volts)
{
    return (ib_ArmLimits){.volts = {volts, volts},
                          .acceleration = {INFINITY, INFINITY},
                          .current = {INFINITY, INFINITY},
                          .speed = {INFINITY, INFINITY}};
}

#endif
