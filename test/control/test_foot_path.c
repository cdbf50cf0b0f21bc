// test/control/test_foot_path.c: the walking motion of a foot.
#include "cmocka_all.h"

#include "control/leg/foot_path.h"
#include "leg_rig.h"

#include <string.h>

static ib_FootPath path_of(const ib_FootPathConfig *config)
{
    ib_FootPath path;
    ib_Error error = {0};
    if (ib_foot_path_check(config, &error) != IB_OK) print_error("%s\n", error.text);
    assert_int_equal(ib_foot_path_check(config, &error), IB_OK);
    ib_foot_path_init(config, &path);
    return path;
}

// A plain one: along x, up z, 0.2 m long, 0.05 m high.
static ib_FootPathConfig plain(void)
{
    return (ib_FootPathConfig){.centre = {0.3, 0.1, -0.2},
                               .along = {1, 0, 0},
                               .up = {0, 0, 1},
                               .length = 0.2,
                               .height = 0.05,
                               .duty = 0.75,
                               .paces = 3,
                               .pace = {{4, 2}, {2, 3}, {1, 2}}};
}

// Rear bottom, top, front bottom, back again: by hand, from the second cycle of each pace on. The
// arc takes a quarter of the period; halfway it is above the centre and highest.
static void corners_of_a_cycle_are_where_they_should_be(void **state)
{
    ib_FootPathConfig config = plain();
    ib_FootPath path = path_of(&config);
    (void)state;
    assert_close(path.duration, 8 + 6 + 2, 0);
    assert_int_equal(path.cycles, 7);
    const struct {
        double t, x, z, speed; ///< the speed of the drag is 0.2 m in 3/4 of the period
        bool ground;
        int cycle;
    } rows[] = {
        {4, 0.2, -0.2, -0.2 / 3, false, 1},     {4.5, 0.3, -0.15, NAN, false, 1},
        {5, 0.4, -0.2, -0.2 / 3, true, 1},      {6.5, 0.3, -0.2, -0.2 / 3, true, 1},
        {10, 0.2, -0.2, -0.2 / 1.5, false, 3},  {10.25, 0.3, -0.15, NAN, false, 3},
        {10.5, 0.4, -0.2, -0.2 / 1.5, true, 3}, {14.25, 0.4, -0.2, -0.2 / 0.75, true, 5},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ib_FootPoint point = ib_foot_path_at(&path, rows[i].t);
        assert_close(point.place[0], rows[i].x, 1e-15);
        assert_close(point.place[1], 0.1, 0);
        assert_close(point.place[2], rows[i].z, 1e-15);
        if (isfinite(rows[i].speed)) {
            assert_close(point.velocity[0], rows[i].speed, 1e-14);
            assert_close(point.velocity[2], 0, 1e-15);
        }
        assert_int_equal(point.ground, rows[i].ground);
        assert_int_equal(point.cycle, rows[i].cycle);
    }
}

// It begins and ends at rest in the rear, and stands there before and after.
static void it_begins_and_ends_at_rest(void **state)
{
    ib_FootPathConfig config = plain();
    ib_FootPath path = path_of(&config);
    const double times[] = {-1, 0, 1e-9, 16 - 1e-9, 16, 17, INFINITY, NAN};
    (void)state;
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        ib_FootPoint point = ib_foot_path_at(&path, times[i]);
        assert_close(point.place[0], 0.2, 1e-15);
        assert_close(point.place[2], -0.2, 1e-15);
        for (int k = 0; k < 3; k++) assert_close(point.velocity[k], 0, 1e-12);
    }
}

// Goal: place and velocity do not jump, and velocity and acceleration are the derivatives. Method:
// steps of 0.1 ms through everything; a step in the velocity would be 0.1 m/s and more, where the
// acceleration allows 1e-3; trapezoids of the rates, whose error is h^3/12 of the third derivative.
static void velocities_are_continuous_and_those_of_the_place(void **state)
{
    const double h = 1e-4;
    ib_FootPathConfig config = plain();
    ib_FootPath path = path_of(&config);
    ib_FootPoint last = ib_foot_path_at(&path, -h);
    (void)state;
    for (int i = 0; i <= 160010; i++) {
        ib_FootPoint now = ib_foot_path_at(&path, i * h);
        for (int k = 0; k < 3; k++) {
            double v = 0.5 * (last.velocity[k] + now.velocity[k]);
            double a = 0.5 * (last.acceleration[k] + now.acceleration[k]);
            assert_close(now.place[k] - last.place[k], v * h, 3e-10);
            assert_close(now.velocity[k] - last.velocity[k], a * h, 2e-6);
        }
        last = now;
    }
}

// The drag is a straight line on the ground at an even speed, in every cycle but the last.
static void drag_is_even(void **state)
{
    ib_FootPathConfig config = plain();
    ib_FootPath path = path_of(&config);
    (void)state;
    for (int i = 0; i < 15000; i++) {
        ib_FootPoint point = ib_foot_path_at(&path, i * 1e-3);
        if (!point.ground) continue;
        double period = point.cycle < 2 ? 4 : point.cycle < 5 ? 2 : 1;
        if (i > 0) assert_close(point.velocity[0], -0.2 / (0.75 * period), 1e-14);
        assert_close(point.place[2], -0.2, 0);
        assert_close(point.acceleration[0], 0, 1e-12);
    }
}

// The walking motion of the thesis's leg can be followed, in its shoulder's frame and, with the
// shoulder of the right front leg, in the body's; by its joints' ranges it stays a closed curve.
static void the_default_can_be_followed(void **state)
{
    ib_FootPathConfig config = ib_foot_path_default();
    ib_FootPath path = path_of(&config);
    ib_LegModel leg = thesis_leg();
    ib_Pose shoulders[IB_LEG_LEGS];
    ib_Error error = {0};
    (void)state;
    thesis_shoulders(shoulders);
    if (ib_foot_path_reach(&path, &leg, NULL, &error) != IB_OK) fail_msg("%s", error.text);
    double centre[3];
    ib_pose_point(&shoulders[IB_LEG_FR], config.centre, centre);
    ib_FootPathConfig body = config;
    memcpy(body.centre, centre, sizeof centre);
    memcpy(body.along, (double[3]){1, 0, 0}, sizeof body.along);
    memcpy(body.up, (double[3]){0, 0, 1}, sizeof body.up);
    ib_FootPath in_body = path_of(&body);
    assert_int_equal(ib_foot_path_reach(&in_body, &leg, &shoulders[IB_LEG_FR], &error), IB_OK);
    for (int i = 0; i < 210; i++) {
        ib_FootPoint a = ib_foot_path_at(&path, 0.1 * i), b = ib_foot_path_at(&in_body, 0.1 * i);
        double own[3];
        ib_leg_point_into(&shoulders[IB_LEG_FR], b.place, own);
        for (int k = 0; k < 3; k++) assert_close(own[k], a.place[k], 1e-14);
    }
}

// What cannot be followed is told with its time, its place and its limit: a drag of 0.9 m begins
// too far back; an arc of 0.5 m leaves a joint's range on its way up.
static void what_is_out_of_reach_is_placed(void **state)
{
    ib_LegModel leg = thesis_leg();
    ib_Error error = {0};
    (void)state;
    ib_FootPathConfig wide = ib_foot_path_default(), high = wide;
    wide.length = 0.9;
    ib_FootPath path = path_of(&wide);
    assert_int_equal(ib_foot_path_reach(&path, &leg, NULL, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "0 s after its start, in the arc of cycle 1 (of 9), "
                                       "it is out of reach: foot at (0.548372, -0.45, "));
    assert_non_null(strstr(error.text, "too far"));
    high.height = 0.5;
    path = path_of(&high);
    assert_int_equal(ib_foot_path_reach(&path, &leg, NULL, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "in the arc of cycle 1"));
    assert_non_null(strstr(error.text, "joint "));
}

static void wrong_paths_are_refused_by_name(void **state)
{
    ib_FootPathConfig wrong[10];
    static const char *const words[10] = {
        "length: expected more than 0 m, got 0 m",
        "height: expected 0 m or more, got -1 m",
        "duty: expected more than 0 and less than 1, got 1",
        "paces: expected 1 to 8, got 0",
        "period: expected more than 0 s, got 0 s",
        "count: expected 1 to 1000000 cycles, got 0",
        "along: expected a direction of length 1, got 2",
        "up: expected a direction of length 1, got 0",
        "up: expected a direction at right angles to `along`, got 1 as their product",
        "centre: expected a place",
    };
    (void)state;
    for (int i = 0; i < 10; i++) wrong[i] = plain();
    wrong[0].length = 0;
    wrong[1].height = -1;
    wrong[2].duty = 1;
    wrong[3].paces = 0;
    wrong[4].pace[2].period = 0;
    wrong[5].pace[1].count = 0;
    wrong[6].along[0] = 2;
    wrong[7].up[2] = 0;
    wrong[8].up[0] = 1, wrong[8].up[2] = 0;
    wrong[9].centre[1] = NAN;
    for (int i = 0; i < 10; i++) {
        ib_Error error = {0};
        assert_int_equal(ib_foot_path_check(&wrong[i], &error), IB_BAD_INPUT);
        if (!strstr(error.text, words[i])) fail_msg("'%s' does not say '%s'", error.text, words[i]);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_of_a_cycle_are_where_they_should_be),
        cmocka_unit_test(it_begins_and_ends_at_rest),
        cmocka_unit_test(velocities_are_continuous_and_those_of_the_place),
        cmocka_unit_test(drag_is_even),
        cmocka_unit_test(the_default_can_be_followed),
        cmocka_unit_test(what_is_out_of_reach_is_placed),
        cmocka_unit_test(wrong_paths_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
