// test/control/test_arm_shape.c: ways of an arm through places: what they meet, and how they turn.
#include "cmocka_all.h"

#include "arm_rig.h"
#include "control/arm/arm_shape.h"

#include <stdlib.h>
#include <string.h>

static ArmWorkspace workspace;

static const double PI = 3.14159265358979323846;

// Goal: points are one way. Method: each is what the last one leads to, by its direction and bend,
// over the distance h between them; angles to `angle` h, directions to `direction`.
static void assert_one_way(double angle, double direction)
{
    for (int k = 0; k < workspace.path.count; k++) {
        const ib_ArmPoint *b = &workspace.points[k];
        assert_close(hypot(b->way[0], b->way[1]), 1, 1e-12);
        assert_close(b->way[0] * b->bend[0] + b->way[1] * b->bend[1], 0, 1e-9);
        if (k == 0) continue;
        const ib_ArmPoint *a = b - 1;
        double h = b->s - a->s;
        for (int i = 0; i < 2; i++) {
            double th =
                a->th[i] + h * (a->way[i] + b->way[i]) / 2 + h * h * (a->bend[i] - b->bend[i]) / 12;
            double way = a->way[i] + h * (a->bend[i] + b->bend[i]) / 2;
            assert_close(b->th[i], th, angle * h);
            assert_close(b->way[i], way, direction);
        }
    }
}

// Nearest point of the way to a place.
static double distance(const double th[2])
{
    double least = INFINITY;
    for (int k = 0; k < workspace.path.count; k++)
        least = fmin(least,
                     hypot(workspace.points[k].th[0] - th[0], workspace.points[k].th[1] - th[1]));
    return least;
}

// ----------------------------------------------------------------------------------------- corners

static const ib_ArmPlaces ZIGZAG = {5, {{0, 0}, {1, 0}, {1.4, 0.9}, {0.2, 1.1}, {-0.6, 0.2}}};

static void corners_are_round(void **state)
{
    double r = 0.2, sharpest = 0, turned = 0, sum = 0;
    (void)state;
    arm_workspace_init(&workspace, 2001);
    assert_int_equal(ib_arm_shape_rounded(&ZIGZAG, r, 2001, workspace.points, NULL), IB_OK);
    // A ramp of 0.05 rad begins within a cell of 0.002: th" is 0.25 off the line there.
    assert_one_way(0.002 * 0.25 / 12, 0.002 * 0.25 / 8);
    for (int i = 0; i < 2; i++) {
        assert_close(workspace.points[0].th[i], ZIGZAG.th[0][i], 0);
        assert_close(workspace.points[2000].th[i], ZIGZAG.th[4][i], 0);
    }
    for (int k = 0; k <= 2000; k++) {
        const ib_ArmPoint *at = &workspace.points[k];
        double across = at->way[0] * at->bend[1] - at->way[1] * at->bend[0];
        sharpest = fmax(sharpest, fabs(across));
        if (k > 0) turned += fabs(across) * (at->s - at[-1].s);
    }
    assert_close(sharpest, 1 / r, 1e-12);
    // All it turns by is the angles of the corners. The sum of rectangles errs with h^2 = 4e-6 at
    // each of the twelve ends of its ramps, whose slope is 1/(r 0.05) = 100.
    for (int k = 1; k < 4; k++) {
        const double(*th)[2] = &ZIGZAG.th[k];
        double a = atan2(th[0][1] - th[-1][1], th[0][0] - th[-1][0]);
        double b = atan2(th[1][1] - th[0][1], th[1][0] - th[0][0]);
        sum += fabs(remainder(b - a, 2 * PI));
    }
    assert_close(turned, sum, 12 * 4e-6 * 100 / 8);
}

// Goal: a right angle is cut off as by an arc of radius r, (sqrt(2) - 1) r from the corner. Method:
// ramps move the arc inwards by ramp^2/(24 r) from both lines, as transition curves of
// railways do.
static void a_right_angle_is_cut_off(void **state)
{
    const ib_ArmPlaces places = {3, {{0, 0}, {1, 0}, {1, 1}}};
    double r = 0.3;
    (void)state;
    arm_workspace_init(&workspace, 2001);
    assert_int_equal(ib_arm_shape_rounded(&places, r, 2001, workspace.points, NULL), IB_OK);
    double arc = (sqrt(2) - 1) * r, ramp = 0.2 * PI / 2 * r;
    assert_close(distance(places.th[1]), arc + sqrt(2) * ramp * ramp / (24 * r), 2e-5);
    // Symmetric: the middle is on the diagonal.
    const ib_ArmPoint *middle = &workspace.points[1000];
    assert_close(middle->th[0] + middle->th[1], 1, 1e-12);
    assert_close(middle->way[0], sqrt(0.5), 1e-12);
    // The length: two lines, cut by the shifted arc and half a ramp, and d r + ramp. The next term
    // is of the ramp's angle squared.
    double shift = ramp * ramp / (24 * r), trim = r + shift + ramp / 2;
    assert_close(workspace.points[2000].s, 2 * (1 - trim) + PI / 2 * r + ramp, 0.1 * shift);
}

static void a_straight_corner_is_none(void **state)
{
    const ib_ArmPlaces places = {3, {{0, 0}, {0.5, 0.5}, {2, 2}}};
    (void)state;
    arm_workspace_init(&workspace, 11);
    assert_int_equal(ib_arm_shape_rounded(&places, 0.1, 11, workspace.points, NULL), IB_OK);
    for (int k = 0; k <= 10; k++) {
        assert_close(workspace.points[k].th[0], 0.2 * k, 1e-14);
        assert_close(workspace.points[k].bend[0], 0, 0);
    }
}

static void corners_that_do_not_fit_are_refused(void **state)
{
    ib_ArmPlaces places = {4, {{0, 0}, {1, 0}, {1, 0.3}, {2, 0.3}}};
    ib_Error error;
    (void)state;
    // Both corners are right angles with 0.3 rad between them.
    assert_int_equal(ib_arm_shape_rounded(&places, 0.2, 11, workspace.points, &error),
                     IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "from place 2 to place 3"));
    // What it says is right: a little less fits.
    double most = strtod(strstr(error.text, "at most ") + strlen("at most "), NULL);
    assert_int_equal(ib_arm_shape_rounded(&places, 0.99 * most, 11, workspace.points, NULL), IB_OK);
    assert_int_equal(ib_arm_shape_rounded(&places, 1.01 * most, 11, workspace.points, NULL),
                     IB_BAD_INPUT);
    // There and back.
    const ib_ArmPlaces back = {3, {{0, 0}, {1, 0}, {0, 0}}};
    assert_int_equal(ib_arm_shape_rounded(&back, 0.01, 11, workspace.points, &error), IB_BAD_INPUT);
    places.th[2][1] = 0;
    assert_int_equal(ib_arm_shape_rounded(&places, 0.1, 11, workspace.points, &error),
                     IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "places 2 and 3"));
}

// ----------------------------------------------------------------------------------------- splines

static void splines_meet_their_places(void **state)
{
    const double begin[2] = {0, 1}, end[2] = {-1, 0};
    (void)state;
    for (int given = 0; given < 2; given++) {
        arm_workspace_init(&workspace, 2001);
        assert_int_equal(ib_arm_shape_spline(&ZIGZAG, given ? begin : NULL, given ? end : NULL,
                                             2001, workspace.points, NULL),
                         IB_OK);
        // The rule for th' errs with h^3 = 1e-8, times the rate of th" and its rate: hundreds. At
        // the places the rate of th" jumps.
        assert_one_way(1e-6, 1e-5);
        // Half a step from a point at most.
        for (int k = 0; k < ZIGZAG.count; k++) assert_true(distance(ZIGZAG.th[k]) < 2e-3);
        for (int i = 0; i < 2; i++) {
            assert_close(workspace.points[0].th[i], ZIGZAG.th[0][i], 1e-14);
            assert_close(workspace.points[2000].th[i], ZIGZAG.th[4][i], 1e-14);
            if (given) {
                assert_close(workspace.points[0].way[i], begin[i], 1e-12);
                assert_close(workspace.points[2000].way[i], end[i], 1e-12);
            } else {
                assert_close(workspace.points[0].bend[i], 0, 1e-12);
                assert_close(workspace.points[2000].bend[i], 0, 1e-12);
            }
        }
        // No jump of the bend: from point to point it changes by less than 5 %.
        double most = 0, jump = 0;
        for (int k = 1; k <= 2000; k++)
            for (int i = 0; i < 2; i++) {
                most = fmax(most, fabs(workspace.points[k].bend[i]));
                jump =
                    fmax(jump, fabs(workspace.points[k].bend[i] - workspace.points[k - 1].bend[i]));
            }
        assert_true(jump < 0.05 * most);
    }
}

// A spline through points of a straight line is the line; through two places it is one.
static void splines_of_lines_are_lines(void **state)
{
    const ib_ArmPlaces line = {4, {{0, 1}, {0.1, 1.1}, {0.7, 1.7}, {1, 2}}};
    const ib_ArmPlaces two = {2, {{0, 1}, {1, 2}}};
    (void)state;
    for (int n = 0; n < 2; n++) {
        arm_workspace_init(&workspace, 21);
        assert_int_equal(
            ib_arm_shape_spline(n ? &two : &line, NULL, NULL, 21, workspace.points, NULL), IB_OK);
        for (int k = 0; k <= 20; k++) {
            assert_close(workspace.points[k].th[0], 0.05 * k, 1e-13);
            assert_close(workspace.points[k].th[1], 1 + 0.05 * k, 1e-13);
            assert_close(workspace.points[k].bend[1], 0, 1e-11);
        }
    }
    ib_ArmPlaces twice = line;
    ib_Error error;
    twice.th[3][0] = 0.7, twice.th[3][1] = 1.7;
    assert_int_equal(ib_arm_shape_spline(&twice, NULL, NULL, 21, workspace.points, &error),
                     IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "places 3 and 4"));
}

// ------------------------------------------------------------------------------------------- joins

static void joins_have_both_poses(void **state)
{
    const ib_ArmPose from = {{0.3, -0.5}, {0.6, -0.8}, {0.8 * 1.5, 0.6 * 1.5}};
    const ib_ArmPose to = {{1.3, 0.9}, {0, 1}, {0, 0}};
    (void)state;
    arm_workspace_init(&workspace, 1001);
    assert_int_equal(ib_arm_shape_join(&from, &to, 1001, workspace.points, NULL), IB_OK);
    assert_one_way(1e-7, 2e-6);
    const ib_ArmPoint *a = &workspace.points[0], *b = &workspace.points[1000];
    for (int i = 0; i < 2; i++) {
        assert_close(a->th[i], from.th[i], 1e-15);
        assert_close(a->way[i], from.way[i], 1e-14);
        assert_close(a->bend[i], from.bend[i], 1e-13);
        assert_close(b->th[i], to.th[i], 1e-13);
        assert_close(b->way[i], to.way[i], 1e-13);
        assert_close(b->bend[i], to.bend[i], 1e-12);
    }
    // No directions: the straight line.
    const ib_ArmPose here = {.th = {0.3, -0.5}}, there = {.th = {1.3, 0.9}};
    assert_int_equal(ib_arm_shape_join(&here, &there, 1001, workspace.points, NULL), IB_OK);
    assert_close(b->s, sqrt(1 + 1.4 * 1.4), 1e-13);
    assert_int_equal(ib_arm_shape_join(&here, &here, 1001, workspace.points, NULL), IB_BAD_INPUT);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_are_round),
        cmocka_unit_test(a_right_angle_is_cut_off),
        cmocka_unit_test(a_straight_corner_is_none),
        cmocka_unit_test(corners_that_do_not_fit_are_refused),
        cmocka_unit_test(splines_meet_their_places),
        cmocka_unit_test(splines_of_lines_are_lines),
        cmocka_unit_test(joins_have_both_poses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
