// test/control/legs_rig.h: the legs of the thesis's robot as a loop knows them, without a robot:
// names, linkages and a start.
#ifndef IB_TEST_LEGS_RIG_H
#define IB_TEST_LEGS_RIG_H

#include "control/leg/legs.h"
#include "leg_rig.h"

#include <stdio.h>

// Linkages of data/linkages.yaml: thesis-alpha, thesis-beta, thesis-gamma.
static inline ib_LinkageModel legs_linkage(int joint)
{
    static const double sides[3][3] = {{0.22, 0.1715736836, 0.0511866947},
                                       {0.1462, 0.1199129335, 0.0408068437},
                                       {0.165, 0.1565311498, 0.0407079677}};
    static const double offsets[3] = {63.60829562, 110.46219763, 165.97033460};
    static const double ranges[3][2] = {{-47, 90}, {-67, -1}, {17, 95}};
    static const double strokes[3] = {0.09525, 0.04445, 0.04445};
    ib_LinkageConfig config = {
        .form = IB_LINKAGE_OFFSET,
        .l1 = sides[joint][0],
        .l2 = sides[joint][1],
        .l3 = sides[joint][2],
        .offset = offsets[joint] * LIMB_DEGREE,
        .extension = joint == 2 ? IB_LINKAGE_LOWERS : IB_LINKAGE_RAISES,
        .range = {ranges[joint][0] * LIMB_DEGREE, ranges[joint][1] * LIMB_DEGREE},
        .stroke = strokes[joint]};
    ib_LinkageModel linkage;
    ib_linkage_init(&config, &linkage);
    return linkage;
}

typedef struct LegsNames {
    char text[IB_LEGS_JOINTS][5][32];
} LegsNames;

// Four legs that start at these angles [deg]; `valves`: moved by cylinders, else by servos.
static inline ib_ControlLegs legs_told(const double start[3], LegsNames *names)
{
    static const char *const legs[] = {"fl", "fr", "rl", "rr"};
    static const char *const tails[] = {"", ".angle", ".position", ".cap.pressure",
                                        ".rod.pressure"};
    ib_ControlLegs told = {.count = IB_LEG_LEGS, .leg_model = thesis_leg()};
    thesis_shoulders(told.shoulders);
    for (int i = 0; i < IB_LEG_LEGS; i++) told.names[i] = legs[i];
    for (int i = 0; i < IB_LEGS_JOINTS; i++) {
        ib_LegJoint *joint = &told.joints[i];
        for (int k = 0; k < 5; k++)
            snprintf(names->text[i][k], sizeof names->text[i][k], "leg.%s.%s%s", legs[i / 3],
                     ib_leg_joints[i % 3], tails[k]);
        *joint = (ib_LegJoint){.name = names->text[i][0] + 4,
                               .angle = names->text[i][1],
                               .stroke = names->text[i][2],
                               .pressures = {names->text[i][3], names->text[i][4]},
                               .command = names->text[i][0],
                               .start = start[i % 3] * LIMB_DEGREE,
                               .linkage = legs_linkage(i % 3)};
    }
    return told;
}

#endif
