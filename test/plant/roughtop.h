// test/plant/roughtop.h: the tyre of reference B8, and the wheels of a tank that has it.
#ifndef IB_TEST_ROUGHTOP_H
#define IB_TEST_ROUGHTOP_H

#include "plant/wheel/wheel.h"

static const ib_TyreConfig roughtop = {.law = IB_TYRE_CIRCLE,
                                       .mu = 1,
                                       .slip_speed = 0.1,
                                       .bristle_deflection = 6e-5,
                                       .bristle_relax = 0.08};

static inline ib_WheelConfig roughtop_wheels(void)
{
    return (ib_WheelConfig){
        .model = IB_WHEEL_FRICTION_CIRCLE,
        .side_friction = 200,
        .tyre = roughtop,
        .side_scale = 1,
        .contact_half_length = 0.3,
        .inertia_per_side = 0.003,
    };
}

#endif
