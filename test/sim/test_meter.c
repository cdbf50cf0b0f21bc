// Claims about src/sim/watch/meter.c.
#include "cmocka_all.h"

#include "sim/watch/meter.h"

// Goal: charge, what is fed back and energy of straight lines. Method: by hand: 20 A to -20 A in
// 2 s at 12 V falling to 10 V: the power is (20 - 20 t)(12 - t) W, its integral 40/3 J; then all of
// -20 A for 1 s at 10 V.
static void stretches_add_up(void **state)
{
    (void)state;
    ib_LoadSum sum = {0};
    ib_load_add(&sum, 20, -20, 12, 10, 2);
    assert_close(sum.charge, 0, 1e-12);
    assert_close(sum.fed_back, 10, 1e-12);
    assert_close(sum.energy, 40.0 / 3, 1e-12);
    ib_load_add(&sum, -20, -20, 10, 10, 1);
    assert_close(sum.charge, -20, 1e-12);
    assert_close(sum.fed_back, 30, 1e-12);
    assert_close(sum.energy, 40.0 / 3 - 200, 1e-12);
    ib_load_add(&sum, 5, 15, NAN, NAN, 1);
    assert_close(sum.charge, -10, 1e-12);
    assert_true(isnan(sum.energy));
}

// Goal: all loads and supplies are metered, each with its own robot's voltage, and nothing else.
// Method: two robots, one without a voltage; three looks half a second apart, the last one at the
// lowest voltage.
static void loads_are_metered_by_robot(void **state)
{
    (void)state;
    ib_SignalDef items[] = {
        {"red.v", "V", "", 0, IB_MEANS(.role = IB_ROLE_SUPPLY_VOLTAGE, .robot = "red")},
        {"red.i", "A", "", 0, IB_MEANS(.role = IB_ROLE_SUPPLY_CURRENT, .robot = "red")},
        {"red.a", "A", "", 0, IB_MEANS(.role = IB_ROLE_LOAD, .robot = "red")},
        {"red.x", "m", "", 0, IB_MEANS(.robot = "red")},
        {"blue.a", "A", "", 0, IB_MEANS(.role = IB_ROLE_LOAD, .robot = "blue")},
    };
    const ib_SignalTable table = {.items = items, .count = 5};
    const double rows[3][5] = {{12, 3, 2, 0, 7}, {12, 3, 2, 5, 7}, {10, 5, 4, 9, 9}};
    ib_Arena arena = {0};
    ib_Error error;
    ib_Meter *meter;
    assert_int_equal(ib_meter_create(&table, true, &arena, &meter, &error), IB_OK);
    assert_int_equal(meter->count, 3);
    ib_Probe probe = ib_meter_probe(meter);
    assert_true(probe.each_step);
    for (int i = 0; i < 3; i++) probe.sample(probe.self, i * (IB_SECOND / 2), rows[i]);
    assert_int_equal(meter->items[0].signal, 1);
    assert_close(meter->items[0].sum.charge, 3 * 0.5 + 4 * 0.5, 1e-12);
    assert_close(meter->items[1].sum.charge, 2 * 0.5 + 3 * 0.5, 1e-12);
    // 24 W for half a second, then from 2 A at 12 V to 4 A at 10 V: (24 + 4 * 33 + 40)/6 W.
    assert_close(meter->items[1].sum.energy, 12 + 196.0 / 12, 1e-12);
    assert_close(meter->supplies[meter->items[1].supply].lowest, 10, 0);
    assert_close(meter->items[1].at_lowest, 4, 0);
    assert_int_equal(meter->items[2].supply, -1);
    assert_close(meter->items[2].sum.charge, 7 * 0.5 + 8 * 0.5, 1e-12);
    assert_true(isnan(meter->items[2].sum.energy));
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stretches_add_up),
        cmocka_unit_test(loads_are_metered_by_robot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
