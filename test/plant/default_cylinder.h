// test/plant/default_cylinder.h: what a file leaves out of a cylinder on a robot's air.
#ifndef IB_TEST_PLANT_DEFAULT_CYLINDER_H
#define IB_TEST_PLANT_DEFAULT_CYLINDER_H

#include "cmocka_all.h"
#include "plant/air/air.h"

static inline ib_AirCylinderConfig default_cylinder(void)
{
    ib_AirCylinderConfig config = {0};
    ib_Error error;
    assert_int_equal(ib_schema_default(ib_air_cylinders.items, &config, &error), IB_OK);
    return config;
}

#endif
