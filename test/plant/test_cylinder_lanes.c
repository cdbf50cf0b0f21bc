// test/plant/test_cylinder_lanes.c: which cylinders run in lanes. What lanes do is held
// against one by itself in test_bank.c.
#include "cmocka_all.h"

#include "plant/bank_rig.h"

// Goal: what lanes cannot do is left to one cylinder by itself. Method: one part of the model at a
// time; friction is no affair of the air's.
static void lanes_know_what_they_can(void **state)
{
    (void)state;
    static const struct {
        const char *pair[3];
        bool runs;
    } rows[] = {
        {{"leak.piston", "1e-9 m^2", NULL}, false},
        {{"leak.seal", "1e-9 m^2", NULL}, false},
        {{"cushion.length", "5 mm", NULL}, false},
        {{"heat.law", "isothermal", NULL}, false},
        {{"valve.law", "spool", NULL}, false},
        {{"orifice.law", "iso_6358", NULL}, false},
        {{"valve.lost.rule", "constant", NULL}, false},
        {{"valve.spool.dynamics", "first", NULL}, false},
        {{"valve.law", "linear", NULL}, true},
        {{"heat.law", "walls", NULL}, true},
        {{"friction.law", "lugre", NULL}, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ib_CylinderRigConfig config = rig_config(rows[i].pair);
        ib_CylinderModel cylinder;
        ib_cylinder_init(&config.cylinder, &cylinder);
        assert_int_equal(ib_cylinder_has_lane(&cylinder), rows[i].runs);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_know_what_they_can),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
