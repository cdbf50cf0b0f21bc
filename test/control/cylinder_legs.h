// test/control/cylinder_legs.h: the thesis's four legs with the cylinders of its appendix C.1.1 at
// 50 psig: areas by bore, rod and slot.
#ifndef IB_TEST_CYLINDER_LEGS_H
#define IB_TEST_CYLINDER_LEGS_H

#include "legs_rig.h"

static inline ib_ControlLegs cylinder_legs(LegsNames *names)
{
    const double inch = 0.0254, quarter_pi = 0.25 * 3.14159265358979323846;
    const double bore = 1.0625 * inch, rod = 0.375 * inch, slot = 11.25e-6;
    const double shaft = quarter_pi * rod * rod, cap = quarter_pi * bore * bore - slot;
    ib_ControlLegs legs = legs_told((const double[]){0, -13, 88}, names);
    legs.gravity = 9.8;
    legs.mass = 8;
    legs.foot_radius = 0.0075;
    legs.supply = 448159.4;
    legs.exhaust = 108247.732;
    for (int i = 0; i < IB_LEGS_JOINTS; i++) {
        legs.joints[i].area[0] = cap;
        legs.joints[i].area[1] = cap - shaft;
        legs.joints[i].outside = 101352.972 * shaft;
    }
    return legs;
}

#endif
