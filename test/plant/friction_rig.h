// test/plant/friction_rig.h: laws of a piston's friction, made by hand.
#ifndef IB_TEST_FRICTION_RIG_H
#define IB_TEST_FRICTION_RIG_H

#include "cmocka_all.h"

#include "plant/air/friction.h"

#define LBF    4.4482216152605
#define STROKE 0.04445

static inline ib_FrictionModel make(ib_FrictionConfig config)
{
    ib_FrictionModel friction;
    ib_Error error;
    assert_int_equal(ib_friction_check(&config, &error), IB_OK);
    ib_friction_init(&config, STROKE, &friction);
    return friction;
}

static inline ib_FrictionModel make_law(int law)
{
    ib_FrictionConfig config = ib_friction_default();
    config.law = law;
    return make(config);
}

// In the middle of the stroke, without a side load.
static inline double force(const ib_FrictionModel *friction, double v)
{
    return ib_friction_force(friction, v, 0.5 * STROKE, 0);
}

#endif
