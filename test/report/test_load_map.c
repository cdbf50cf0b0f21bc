// Claims about src/report/load_map.c: poses of a map and where they lie.
#include "cmocka_all.h"
#include "control/cylinder_legs.h"

#include "report/load_map.h"

// Goal: the poses of a map are the multiples of its pitch in the joints' ranges, each with the load
// of a robot that stands so. Method: ranges of -67 to -1 and 17 to 95 deg, every 20 deg; one cell
// computed by itself, and the start.
static void poses_are_multiples_of_the_pitch(void **state)
{
    (void)state;
    LegsNames names;
    ib_Error error;
    ib_Arena arena = {0};
    ib_LoadMap map;
    ib_CrawlLoad load;
    ib_ControlLegs legs = cylinder_legs(&names);
    assert_int_equal(ib_load_map_make(&legs, 20 * LIMB_DEGREE, &arena, &map, &error), IB_OK);
    assert_int_equal(map.rows, 3);
    assert_int_equal(map.columns, 4);
    for (int i = 0; i < 3; i++) assert_close(map.beta[i], (-60 + 20 * i) * LIMB_DEGREE, 1e-12);
    for (int i = 0; i < 4; i++) assert_close(map.gamma[i], (20 + 20 * i) * LIMB_DEGREE, 1e-12);
    const double th[3] = {0, map.beta[2], map.gamma[3]};
    assert_int_equal(ib_crawl_load_at(&legs, &map.crawl, th, &load, &error), IB_OK);
    const ib_CrawlLoad *cell = &map.cells[2 * map.columns + 3];
    assert_close(cell->crawls.mass, load.crawls.mass, 0);
    assert_close(cell->leg.most, load.leg.most, 0);
    double angles[IB_LEGS_JOINTS];
    for (int i = 0; i < IB_LEGS_JOINTS; i++) angles[i] = legs.joints[i].start;
    assert_int_equal(ib_crawl_load(&legs, &map.crawl, angles, &load, &error), IB_OK);
    assert_close(map.start.stands.mass, load.stands.mass, 0);
    ib_arena_reset(&arena);
}

// Goal: a pose whose feet are above the body does not stand, one with them below does. Method: the
// least angles of beta and gamma, whose foot is 0.38 m above the shoulder; the walking stance.
static void feet_above_the_body_do_not_stand(void **state)
{
    (void)state;
    LegsNames names;
    ib_Error error;
    ib_CrawlLoad load;
    ib_CrawlConfig config = ib_crawl_default();
    ib_ControlLegs legs = cylinder_legs(&names);
    const double up[3] = {0, -67 * LIMB_DEGREE, 17 * LIMB_DEGREE};
    const double down[3] = {0, -13 * LIMB_DEGREE, 88 * LIMB_DEGREE};
    assert_int_equal(ib_crawl_load_at(&legs, &config, up, &load, &error), IB_OK);
    assert_false(ib_load_map_stands(&load));
    assert_int_equal(ib_crawl_load_at(&legs, &config, down, &load, &error), IB_OK);
    assert_true(ib_load_map_stands(&load));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poses_are_multiples_of_the_pitch),
        cmocka_unit_test(feet_above_the_body_do_not_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
