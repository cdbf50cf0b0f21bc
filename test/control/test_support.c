// The distance of a point from the edge of a polygon.
#include "cmocka_all.h"
#include "control/leg/support.h"

// Goal: inside it is the distance of the nearest edge, outside below 0. Method: a rectangle of 4 by
// 2 with its corners in the order of legs, which crosses over; a triangle of it, whose long side
// goes through the middle.
static void it_is_the_distance_of_the_nearest_edge(void **state)
{
    (void)state;
    double feet[4][2] = {{2, 1}, {2, -1}, {-2, 1}, {-2, -1}};
    assert_close(ib_support_margin(feet, 4, (double[]){0, 0}), 1, 1e-12);
    assert_close(ib_support_margin(feet, 4, (double[]){1.5, 0.25}), 0.5, 1e-12);
    assert_close(ib_support_margin(feet, 4, (double[]){0, 1.25}), -0.25, 1e-12);
    assert_close(ib_support_margin(feet, 3, (double[]){0, 0}), 0, 1e-12);
    assert_close(ib_support_margin(feet, 3, (double[]){1, 0.5}), 0.5, 1e-12);
    assert_true(ib_support_margin(feet, 3, (double[]){-1, -0.5}) < -0.5);
}

// Goal: without three feet there is no margin. Method: two, with the centre between them and
// beside; one; none; three on a line.
static void two_feet_have_no_margin(void **state)
{
    (void)state;
    double feet[3][2] = {{1, 0}, {-1, 0}, {3, 0}};
    assert_close(ib_support_margin(feet, 2, (double[]){0, 0}), 0, 0);
    assert_close(ib_support_margin(feet, 2, (double[]){0, 0.5}), -0.5, 1e-12);
    assert_true(ib_support_margin(feet, 1, (double[]){1, 0}) < 0);
    assert_true(ib_support_margin(feet, 0, (double[]){0, 0}) < 0);
    assert_close(ib_support_margin(feet, 3, (double[]){0, 0.5}), -0.5, 1e-12);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_distance_of_the_nearest_edge),
        cmocka_unit_test(two_feet_have_no_margin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
