// test/control/scene_rig.h: the reference arm for tests of scenes, detours, searches and MPC.
#ifndef IB_TEST_SCENE_RIG_H
#define IB_TEST_SCENE_RIG_H

#include "control/arm/arm_plan.h"
#include "control/arm/arm_scene.h"

#include <math.h>
#include <string.h>

// FRC 971's arm of 2018 [reference D1]: alpha, beta, gamma, K3 and K4 as printed, without rotors.
// The motors are MiniCIMs, 1 and 2 of them behind 140 and 90: 0.95 x 1.41 N m and 89 A at stall.
static inline ib_ArmPlant rig_arm(void)
{
    const double inch = 0.0254, R = 12.0 / 89, Kt = 0.95 * 1.41 / 89;
    const double K3[2] = {15.627500, 20.092500}, K4[2] = {42.9296476739, 35.4826679753};
    const double G[2] = {140, 90}, count[2] = {1, 2};
    double m1 = 9.34 / 2.2, m2 = 9.77 / 2.2, l1 = 46.25 * inch, r1 = 21.64 * inch,
           r2 = 26.70 * inch;
    ib_ArmPlant arm = {.link = {.alpha = 8.278433733129,
                                .beta = 3.538036545614,
                                .gamma = 2.870855050067,
                                .first = r1 * m1 + l1 * m2,
                                .second = r2 * m2,
                                .length = {l1, 41.80 * inch}},
                       .gravity = 9.81};
    for (int i = 0; i < 2; i++) {
        arm.reduction[i] = G[i];
        arm.gear[i] = (ib_GearmotorModel){.push = K3[i],
                                          .drag = K4[i],
                                          .voltage = 12,
                                          .Kv = G[i] * K3[i] / K4[i],
                                          .Kt = Kt,
                                          .R = R / count[i]};
    }
    return arm;
}

static inline ib_ArmLimits rig_limits(double volts)
{
    return (ib_ArmLimits){.volts = {volts, volts},
                          .acceleration = {INFINITY, INFINITY},
                          .current = {INFINITY, INFINITY},
                          .speed = {INFINITY, INFINITY}};
}

// A bar whose far side is out of reach, so the hand has to pass below, and
// a lamp that the hand can pass on both sides. Both block the straight joint line.
static const double RIG_START[2] = {0.3, -0.5}, RIG_GOAL[2] = {1.3, 0.9};

static inline ib_ArmScene rig_scene(void)
{
    ib_ArmPlant arm = rig_arm();
    ib_ArmScene scene = ib_arm_scene_default(&arm.link);
    scene.radius = 0.05;
    scene.discs = 2;
    scene.disc[0] = (ib_ArmDisc){.name = "bar", .place = {0.55, 2.05}, .radius = 0.10};
    scene.disc[1] = (ib_ArmDisc){.name = "lamp", .place = {1.50, 1.35}, .radius = 0.15};
    return scene;
}

#endif
