// test/control/scene_rig.h: a scene of the reference arm for tests of detours, searches and MPC.
#ifndef IB_TEST_SCENE_RIG_H
#define IB_TEST_SCENE_RIG_H

#include "control/arm/arm_scene.h"
#include "control/reference_arm.h"

#include <string.h>

// A bar whose far side is out of reach, so the hand has to pass below, and
// a lamp that the hand can pass on both sides. Both block the straight joint line.
static const double RIG_START[2] = {0.3, -0.5}, RIG_GOAL[2] = {1.3, 0.9};

static inline ib_ArmScene rig_scene(void)
{
    ib_ArmPlant arm = reference_arm();
    ib_ArmScene scene = ib_arm_scene_default(&arm.link);
    scene.radius = 0.05;
    scene.discs = 2;
    scene.disc[0] = (ib_ArmDisc){.name = "bar", .place = {0.55, 2.05}, .radius = 0.10};
    scene.disc[1] = (ib_ArmDisc){.name = "lamp", .place = {1.50, 1.35}, .radius = 0.15};
    return scene;
}

#endif
