// test/control/leg_rig.h: the thesis's leg with its masses, and its shoulders.
#ifndef IB_TEST_LEG_RIG_H
#define IB_TEST_LEG_RIG_H

#include "control/leg/leg.h"

#define LIMB_DEGREE (3.14159265358979323846 / 180)

static inline ib_LinkPart leg_capsule(double radius, double length, double density, double x,
                                      double z)
{
    return (ib_LinkPart){.form = IB_LINK_CAPSULE,
                         .radius = radius,
                         .length = length,
                         .density = density,
                         .place = {x, 0, z},
                         .attitude = {0, 90 * LIMB_DEGREE, 0}};
}

// `form`: IB_LINK_CAPSULE or as SrLib has it.
static inline ib_LegConfig leg_config(int form)
{
    ib_LegConfig config = ib_leg_default();
    ib_LinkPart parts[4] = {
        leg_capsule(0.025, 0.0961, 1200, 0.0731, 0), leg_capsule(0.025, 0, 300, 0.1212, 0.025),
        leg_capsule(0.025, 0.123, 700, 0.087, 0), leg_capsule(0.0075, 0.255, 2700, 0.152, 0)};
    for (int i = 0; i < 4; i++) parts[i].form = form;
    ib_link_init(parts, 2, &config.links[0]);
    ib_link_init(parts + 2, 1, &config.links[1]);
    ib_link_init(parts + 3, 1, &config.links[2]);
    return config;
}

static inline ib_LegModel thesis_leg(void)
{
    ib_LegConfig config = leg_config(IB_LINK_CAPSULE);
    ib_LegModel leg;
    ib_leg_init(&config, &leg);
    return leg;
}

static inline void thesis_shoulders(ib_Pose shoulders[IB_LEG_LEGS])
{
    ib_leg_shoulders(0.375, 0.046, -0.0086, 30 * LIMB_DEGREE, shoulders);
}

#endif
