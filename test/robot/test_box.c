// The box: sliding, spinning, creeping, its book.
#include "robot/passive_rig.h"

// Goal: a sliding box is slowed by mu g. Method: 3 m/s across the field for 0.5 s: far above the
// slip speed of 2 cm/s friction is full: v = 3 - mu g t, and the floor takes the rest.
static void sliding_box_is_slowed_by_friction(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, &ib_box_kind, 0.5);
    rig.body[0].box.planar.velocity_x = 3 * 0.6;
    rig.body[0].box.planar.velocity_y = 3 * 0.8;
    rig_run(&rig);
    double v = 3 - 0.5 * g * 0.5, way = 3 * 0.5 - 0.5 * g * 0.5 * 0.5 / 2;
    assert_close(seen(&rig, "velocity.x"), 0.6 * v, 1e-12);
    assert_close(seen(&rig, "velocity.y"), 0.8 * v, 1e-12);
    assert_close(seen(&rig, "pose.x"), 0.6 * way, 1e-12);
    assert_close(seen(&rig, "energy.floor"), 0.5 * 5 * (9 - v * v), 1e-11);
    assert_close(seen(&rig, "force.floor.x"), -0.6 * 0.5 * 5 * g, 1e-11);
    assert_close(seen(&rig, "energy.error"), 0, 1e-11);
    rig_stop(&rig);
}

// Goal: a spinning box is slowed by the friction of its four feet. Method: feet at the radius of
// gyration rho = sqrt((l^2 + w^2)/12): torque mu m g rho, hence w' = -mu g/rho.
static void spinning_box_is_slowed_by_its_feet(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, &ib_box_kind, 0.2);
    rig.body[0].box.length = 0.6;
    rig.body[0].box.width = 0.3;
    rig.body[0].box.planar.velocity_heading = 20;
    rig_run(&rig);
    double rho = sqrt((0.6 * 0.6 + 0.3 * 0.3) / 12);
    assert_close(seen(&rig, "velocity.heading"), 20 - 0.5 * g / rho * 0.2, 1e-9);
    assert_close(seen(&rig, "pose.x"), 0, 1e-12);
    assert_close(seen(&rig, "energy.error"), 0, 1e-9);
    rig_stop(&rig);
}

// Goal: a box comes to rest and stays there. Method: 1 m/s for 2 s; after v0/(mu g) = 0.2 s only
// the tanh's tail is left, which decays with mu g/v_s = 245 1/s: all of v0^2/(2 mu g)
// and a little more.
static void box_comes_to_rest(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, &ib_box_kind, 2);
    rig.body[0].box.planar.velocity_x = 1;
    rig_run(&rig);
    assert_close(seen(&rig, "velocity.x"), 0, 1e-12);
    // v v' = -mu g v tanh(v/vs):  way = vs/(mu g) int x/tanh(x) dx up to 50 = (1250 + pi^2/12) ...
    double way = 0.02 * 0.02 / (0.5 * g) *
                 (50 * 50 / 2.0 + 3.14159265358979323846 * 3.14159265358979323846 / 12);
    assert_close(seen(&rig, "pose.x"), way, 1e-6); // RK4 through the fade, h lambda = 0.25
    assert_close(seen(&rig, "energy.floor"), 2.5, 1e-6);
    rig_stop(&rig);
}

// Goal: pushes, sudden pushes and slopes are in the book. Method: one of each, strong enough to
// move the box (mu m g = 24.5 N).
static void pushes_are_in_the_book(void **unused)
{
    (void)unused;
    static const double sizes[RIG_PUSHES] = {40, 10, 0.7};
    rig_check_pushes(&ib_box_kind, sizes, 1e-6);
}

// Goal: rate by hand. Method: at 1 m/s along x without turning: -mu g, power mu m g v.
static void rate_matches_hand_calculation(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, &ib_box_kind, 1);
    Made box = rig_make(&rig);
    box.state[box.at->velocity[0]] = 1;
    box.input[IB_SLOPE_Y] = 0.2;
    ib_push_add(box.input, 3, 0, 0, 0.1);
    rig_rate(&box);
    assert_close(box.rate[box.at->velocity[0]], 3.0 / 5 - 0.5 * g, 1e-14);
    assert_close(box.rate[box.at->velocity[1]], 0.2, 1e-15);
    assert_close(box.rate[box.at->yaw_rate], -0.3 / (5 * 0.32 / 12),
                 1e-13); // -y F over m (l^2 + w^2)/12
    assert_close(box.rate[rig_state(&box, "energy.floor")], 0.5 * 5 * g, 1e-13);
    assert_close(box.rate[rig_state(&box, "energy.push")], 3, 1e-15);
    ib_arena_reset(&rig.arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_matches_hand_calculation),
        cmocka_unit_test(sliding_box_is_slowed_by_friction),
        cmocka_unit_test(spinning_box_is_slowed_by_its_feet),
        cmocka_unit_test(box_comes_to_rest),
        cmocka_unit_test(pushes_are_in_the_book),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
