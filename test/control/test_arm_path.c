// test/control/test_arm_path.c: ways of an arm as points: closed forms, corners, few made many.
#include "cmocka_all.h"

#include "arm_rig.h"
#include "control/arm/arm_shape.h"

#include <string.h>

static ArmWorkspace workspace;

// ------------------------------------------------------------------------------------------ curves

// A step of the parameter is found to a few units in the last place; 300 of them add up.
static void an_arc_is_its_closed_form(void **state)
{
    (void)state;
    path_b(&workspace, 300);
    for (int k = 0; k <= 300; k++) {
        const ib_ArmPoint *at = &workspace.points[k];
        double p = 0.3 + 0.9 * k / 300, s = sin(p), c = cos(p);
        assert_close(at->s, 2 * 0.9 * k / 300, 1e-13);
        assert_close(at->th[0], -1.2 + 2 * c, 1e-13);
        assert_close(at->th[1], -1 + 2 * s, 1e-13);
        assert_close(at->way[0], -s, 1e-13);
        assert_close(at->way[1], c, 1e-13);
        assert_close(at->bend[0], -c / 2, 1e-13);
        assert_close(at->bend[1], -s / 2, 1e-13);
    }
}

static ib_ArmCurvePoint parabola(const void *context, double p)
{
    (void)context;
    return (ib_ArmCurvePoint){{p, p * p / 2}, {1, p}, {0, 1}};
}

// Goal: a curve whose parameter is no length. Method: th = (p, p^2/2), whose length is
// (p sqrt(1 + p^2) + asinh p)/2 and whose bend is (1 + p^2)^-1.5; it is gone along both ways.
static void a_parabola_is_measured(void **state)
{
    (void)state;
    for (int back = 0; back < 2; back++) {
        arm_workspace_init(&workspace, 101);
        double begin = back ? 1.5 : -0.5, end = back ? -0.5 : 1.5, first = 0;
        assert_int_equal(
            ib_arm_path_sampled(parabola, NULL, begin, end, 101, workspace.points, NULL), IB_OK);
        for (int k = 0; k <= 100; k++) {
            const ib_ArmPoint *at = &workspace.points[k];
            double p = at->th[0], h = sqrt(1 + p * p), length = (p * h + asinh(p)) / 2;
            if (k == 0) first = length;
            assert_close(at->th[1], p * p / 2, 1e-13);
            assert_close(at->s, fabs(length - first), 1e-11); // a rule of 5 points, 0.02 apart
            assert_close(at->way[0], (back ? -1 : 1) / h, 1e-13);
            assert_close(at->way[1], (back ? -p : p) / h, 1e-13);
            assert_close(at->bend[0], -p / (h * h * h * h), 1e-12);
            assert_close(at->bend[1], 1 / (h * h * h * h), 1e-12);
        }
        assert_close(workspace.points[100].th[0], end, 0);
        for (int k = 2; k <= 100; k++)
            assert_close(workspace.points[k].s - workspace.points[k - 1].s, workspace.points[1].s,
                         1e-12);
    }
}

enum { ROOT_FORTH = 1, ROOT_BACK = -1 };

// sqrt(p + 1/400) over p = 0 .. 1, or over 0 .. -1 of the sign that it is given.
static ib_ArmCurvePoint root(const void *context, double p)
{
    int sign = *(const int *)context;
    double x = sign * p, h = sqrt(x + 0.0025);
    assert_true(x >= 0 && x <= 1);
    return (ib_ArmCurvePoint){{h, 0}, {sign * 0.5 / h, 0}, {-0.25 / (h * h * h), 0}};
}

// Goal: a curve is asked for between its ends alone, where it is one. Method: one that slows down
// so fast that a step of Newton's from the first guess, 0.01, leads before its beginning; 100
// cells. It is straight, so that its length is the angle: within a cell of 0.0104 the rule of 5
// points errs by less than (5.8 + 5.7)^-10 = 2e-11 of it, later ones less.
static void a_curve_is_asked_for_between_its_ends(void **state)
{
    (void)state;
    for (int sign = ROOT_BACK; sign <= ROOT_FORTH; sign += ROOT_FORTH - ROOT_BACK) {
        arm_workspace_init(&workspace, 101);
        assert_int_equal(ib_arm_path_sampled(root, &sign, 0, sign, 101, workspace.points, NULL),
                         IB_OK);
        for (int k = 0; k < 100; k++)
            assert_close(workspace.points[k].th[0] - 0.05, workspace.points[k].s, 1e-11);
        assert_close(workspace.points[100].th[0], sqrt(1.0025), 1e-15);
    }
}

static ib_ArmCurvePoint cusp(const void *context, double p)
{
    (void)context;
    return (ib_ArmCurvePoint){{p * p, p * p * p}, {2 * p, 3 * p * p}, {2, 6 * p}};
}

static void ways_that_are_none_are_refused(void **state)
{
    const double here[2] = {0.25, -0.5};
    ib_Error error;
    (void)state;
    assert_int_equal(ib_arm_path_straight(here, here, 10, workspace.points, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "(0.25, -0.5)"));
    // A cusp has no direction.
    assert_int_equal(ib_arm_path_sampled(cusp, NULL, 0, 1, 11, workspace.points, &error),
                     IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "stops at s = 0 rad"));
    assert_int_equal(ib_arm_path_sampled(cusp, NULL, 1, 1, 11, workspace.points, &error),
                     IB_BAD_INPUT);
}

// -------------------------------------------------------------------------------------- in between

// Goal: angles and directions between points err with the fourth power of the distance, bends with
// the second. Method: the arc, twice as many points; 20 % for the next power.
static void in_between_it_is_a_cubic(void **state)
{
    double before[3] = {0};
    (void)state;
    for (int cells = 10; cells <= 40; cells *= 2) {
        double off[3] = {0};
        int hint = 0;
        path_b(&workspace, cells);
        for (int k = 0; k <= 700; k++) {
            double s = 1.8 * k / 700, p = 0.3 + s / 2;
            ib_ArmPoint at = ib_arm_path_at(&workspace.path, s, &hint);
            off[0] = fmax(off[0], fabs(at.th[0] + 1.2 - 2 * cos(p)));
            off[1] = fmax(off[1], fabs(at.way[0] + sin(p)));
            off[2] = fmax(off[2], fabs(at.bend[0] + cos(p) / 2));
        }
        for (int i = 0; i < 3 && cells > 10; i++)
            assert_close(before[i] / off[i], i < 2 ? 16 : 4, i < 2 ? 3.2 : 0.8);
        memcpy(before, off, sizeof off);
    }
}

static void hints_change_nothing(void **state)
{
    int hint = 0;
    (void)state;
    path_b(&workspace, 57);
    for (int k = 0; k < 2000; k++) {
        arm_drawn = (uint64_t)k;
        // A walk with jumps, beyond both ends too.
        double s = k % 7 ? 1.9 * k / 2000 - 0.05 : arm_uniform(-0.1, 1.9);
        ib_ArmPoint with = ib_arm_path_at(&workspace.path, s, &hint);
        ib_ArmPoint without = ib_arm_path_at(&workspace.path, s, NULL);
        assert_memory_equal(&with, &without, sizeof with);
        if (k % 5 == 0) hint = (int)arm_uniform(-3, 70); // a bad hint is no harm
    }
    ib_ArmPoint before = ib_arm_path_at(&workspace.path, -1, NULL);
    ib_ArmPoint beyond = ib_arm_path_at(&workspace.path, 2, NULL);
    assert_memory_equal(&before, &workspace.points[0], sizeof before);
    assert_memory_equal(&beyond, &workspace.points[57], sizeof beyond);
}

// ------------------------------------------------------------------------------- where a way bends

// Goal: a corner that equal distances leap over is shown. Method: a line with one corner of 1 mrad,
// its length 1.2 d r, in 101 points of 20 mrad: no cell turns by more than 0.05 rad and each step
// of th' is that of its bends (0.005: within a sixth of the corner, 6 cells, they grow to
// 1/r, by 0.05/6 in a cell); the points at equal distances are those of a way that is not halved,
// to the rounding of s; so is its end.
static void a_corner_gets_the_points_that_it_needs(void **state)
{
    (void)state;
    static const ib_ArmPlaces places = {3, {{0, 0}, {1, 0}, {1, 1}}};
    static ib_ArmPoint even[101];
    ib_ArmWorkspace fine = {101, ARM_POINTS, workspace.points};
    assert_int_equal(ib_arm_shape_rounded(&places, 1e-3, 101, even, NULL), IB_OK);
    assert_int_equal(ib_arm_shape_rounded_fine(&places, 1e-3, &fine, NULL), IB_OK);
    assert_in_range(fine.count, 101 + 31, 101 + 90);
    assert_true(ib_arm_path_is_fine(&(ib_ArmPath){fine.count, fine.points}, 0.03));
    assert_false(ib_arm_path_is_fine(&(ib_ArmPath){fine.count, fine.points}, 0.01));
    assert_false(ib_arm_path_is_fine(&(ib_ArmPath){101, even}, 0.03));
    int met = 0;
    for (int k = 0; k + 1 < fine.count; k++) {
        const ib_ArmPoint *a = &fine.points[k], *b = a + 1;
        double ds = b->s - a->s;
        assert_true(ds > 0 && hypot(b->way[0] - a->way[0], b->way[1] - a->way[1]) <= 0.05);
        for (int i = 0; i < 2; i++)
            assert_close(b->way[i] - a->way[i], 0.5 * ds * (a->bend[i] + b->bend[i]), 0.005);
        if (fabs(a->s - even[met].s) < 1e-12) assert_close(a->th[0], even[met++].th[0], 1e-12);
    }
    assert_int_equal(met, 100);
    assert_close(fine.points[fine.count - 1].s, even[100].s, 1e-12);
}

// Goal: more points are put only where they are needed. Method: path B with room for more: not a
// bit differs.
static void what_is_smooth_enough_stays_as_it_is(void **state)
{
    (void)state;
    static ib_ArmPoint even[101];
    ib_ArmWorkspace fine = {101, ARM_POINTS, workspace.points};
    assert_int_equal(ib_arm_path_sampled(arc_b, NULL, 0.3, 1.2, 101, even, NULL), IB_OK);
    assert_int_equal(ib_arm_path_fine(arc_b, NULL, 0.3, 1.2, &fine, NULL), IB_OK);
    assert_int_equal(fine.count, 101);
    assert_memory_equal(fine.points, even, sizeof even);
}

// Goal: a way that turns on the spot is refused at its place, and one that is too sharp for the
// memory. Method: a spline there and back, by its second place; a corner of 1 mrad in room for ten
// more points.
static void what_no_points_show_is_refused(void **state)
{
    (void)state;
    static const ib_ArmPlaces back = {3, {{0, 0}, {1, 0}, {0, 0}}};
    static const ib_ArmPlaces places = {3, {{0, 0}, {1, 0}, {1, 1}}};
    ib_ArmWorkspace fine = {100, ARM_POINTS, workspace.points},
                    tight = {101, 111, workspace.points};
    ib_Error error;
    assert_int_equal(ib_arm_shape_spline_fine(&back, NULL, NULL, &fine, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "place 2 of a way"));
    assert_non_null(strstr(error.text, "(1, "));
    assert_int_equal(ib_arm_shape_rounded_fine(&places, 1e-3, &tight, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "too sharply at s = 0.99"));
}

// Goal: a few points of a way are the way. Method: n points of path B, then 201 of the way between
// them, against its closed form: the polynomial of degree 5 over the length h is off by at most
// h^6 |d6 th|/(6! 64), with radius 2 and a reserve of two for what the length is off by; of points
// that are near, 0.02 rad, in four digits, by their rounding and little more.
static void a_few_points_are_made_many(void **state)
{
    (void)state;
    static const int counts[] = {3, 5, 10, 91};
    static ib_ArmPoint many[201];
    for (int n = 0; n < 4; n++) {
        double h = 1.8 / (counts[n] - 1), digit = n == 3 ? 1e-4 : 0;
        double within = 2 * h * h * h * h * h * h / (32 * 720 * 64) + 1e-12 + 2 * digit;
        path_b(&workspace, counts[n] - 1);
        for (int k = 0; digit > 0 && k < counts[n]; k++)
            for (int i = 0; i < 2; i++) {
                workspace.points[k].th[i] = round(workspace.points[k].th[i] / digit) * digit;
                workspace.points[k].way[i] = round(workspace.points[k].way[i] / digit) * digit;
                workspace.points[k].bend[i] = round(workspace.points[k].bend[i] / digit) * digit;
            }
        ib_ArmWorkspace to = {201, 201, many};
        assert_int_equal(ib_arm_path_again(&workspace.path, &to, NULL), IB_OK);
        for (int k = 0; k <= 200; k++) {
            double p = 0.3 + 0.5 * many[k].s, s = sin(p), c = cos(p);
            assert_close(many[k].th[0], -1.2 + 2 * c, within);
            assert_close(many[k].th[1], -1 + 2 * s, within);
            // One and two derivatives: 1/h of it each; rounded directions bend by 3 e/h.
            assert_close(many[k].way[0], -s, 20 * within / h);
            assert_close(many[k].bend[0], -c / 2,
                         200 * (within - 2 * digit) / (h * h) + 3 * digit / h);
        }
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arc_is_its_closed_form),
        cmocka_unit_test(a_parabola_is_measured),
        cmocka_unit_test(a_curve_is_asked_for_between_its_ends),
        cmocka_unit_test(ways_that_are_none_are_refused),
        cmocka_unit_test(in_between_it_is_a_cubic),
        cmocka_unit_test(hints_change_nothing),
        cmocka_unit_test(a_corner_gets_the_points_that_it_needs),
        cmocka_unit_test(what_is_smooth_enough_stays_as_it_is),
        cmocka_unit_test(what_no_points_show_is_refused),
        cmocka_unit_test(a_few_points_are_made_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
