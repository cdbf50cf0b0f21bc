// A model from its config, and from robots that were made before.
#include "cmocka_all.h"
#include "robot/roomba_rig.h"

// Goal: robots that were made already are taken over as they are, and give the same run. Method: a
// Roomba, once made by the model and once before; its memory is the very same, and so is the hash
// after 0.2 s.
static void made_robots_are_taken_over(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, (Segment[]){{0, 2.7, 1}}, 1, 0.2);
    rig_start(&rig);
    assert_non_null(rig_run(&rig, 0.2));

    ib_Error error;
    ib_Robot made;
    ib_Model *wired;
    ib_Sim *sim;
    assert_int_equal(ib_robot_init(&ib_roomba_kind, &rig.roomba, &rig.arena, &made, &error), IB_OK);
    assert_int_equal(ib_model_wire(&rig.sim_config, &made, &rig.arena, &wired, &error), IB_OK);
    assert_ptr_equal(wired->robots[0].model, made.model);
    assert_int_equal(wired->signals.count, rig.model->signals.count);
    assert_int_equal(ib_sim_create(wired, &sim, &error), IB_OK);
    assert_int_equal(ib_sim_advance(sim, IB_SECOND / 5, &error), IB_OK);
    assert_true(ib_sim_hash(sim) == ib_sim_hash(rig.sim));
    ib_sim_destroy(sim);
    rig_stop(&rig);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(made_robots_are_taken_over)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
