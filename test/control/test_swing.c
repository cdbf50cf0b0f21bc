// A foot in the air: where it begins, ends and how high it gets.
#include "cmocka_all.h"
#include "control/leg/swing.h"

static const ib_Swing step = {.from = {-0.1, 0.3, -0.37},
                              .to = {0.1, 0.28, -0.35},
                              .ground = {-0.08, 0.01, 0},
                              .height = 0.03,
                              .duration = 0.35};

// Goal: it leaves and meets the ground at rest beside it, at its ends. Method: u = 0 and 1.
static void both_ends_go_with_the_ground(void **state)
{
    (void)state;
    for (int end = 0; end < 2; end++) {
        double place[3], velocity[3];
        ib_swing_at(&step, end, place, velocity);
        for (int k = 0; k < 3; k++) {
            assert_close(place[k], end ? step.to[k] : step.from[k], 1e-15);
            assert_close(velocity[k], step.ground[k], 1e-12);
        }
    }
}

// Goal: half way it is its height above the line between its ends; the velocity is the derivative
// of the place. Method: u = 1/2; differences of 1e-6 in u at 0.3, whose error is some 1e-9.
static void it_is_highest_half_way(void **state)
{
    (void)state;
    double before[3], place[3], after[3], velocity[3], other[3], h = 1e-6;
    ib_swing_at(&step, 0.5, place, velocity);
    assert_close(place[2], -0.36 + 0.03, 1e-12);
    ib_swing_at(&step, 0.3 - h, before, other);
    ib_swing_at(&step, 0.3 + h, after, other);
    ib_swing_at(&step, 0.3, place, velocity);
    for (int k = 0; k < 3; k++)
        assert_close(velocity[k], (after[k] - before[k]) / (2 * h * step.duration), 1e-8);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ends_go_with_the_ground),
        cmocka_unit_test(it_is_highest_half_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
