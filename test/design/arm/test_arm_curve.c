// test/design/arm/test_arm_curve.c: B-splines in joint space against closed forms.
#include "cmocka_all.h"

#include "design/arm/arm_curve.h"
#include "spread.h"

static ib_ArmCurveShape random_shape(int controls, int seed)
{
    ib_ArmCurveShape shape = {.controls = controls};
    for (int k = 0; k < controls; k++)
        for (int i = 0; i < 2; i++)
            shape.c[k][i] = chance_uniform(7, (uint64_t)seed, (uint64_t)(2 * k + i));
    return shape;
}

// Goal: with four control points it is Bezier's cubic. Method: its value half-way, and its slopes
// and curvature at the begin, as its textbook has them.
static void four_control_points_are_a_bezier_cubic(void **state)
{
    (void)state;
    ib_ArmCurveShape s = random_shape(4, 1);
    ib_ArmCurvePoint half = ib_arm_curve_at(&s, 0.5), begin = ib_arm_curve_at(&s, 0);
    for (int i = 0; i < 2; i++) {
        double c0 = s.c[0][i], c1 = s.c[1][i], c2 = s.c[2][i], c3 = s.c[3][i];
        assert_close(half.th[i], (c0 + 3 * c1 + 3 * c2 + c3) / 8, 1e-15);
        assert_close(begin.th[i], c0, 1e-15);
        assert_close(begin.th_p[i], 3 * (c1 - c0), 1e-14);
        assert_close(begin.th_pp[i], 6 * (c0 - 2 * c1 + c2), 1e-13);
    }
}

// Goal: it reproduces straight lines. Method: control points at the knots' means (Greville) make a
// line that is gone at constant speed.
static void control_points_on_a_line_make_the_line(void **state)
{
    (void)state;
    enum { CONTROLS = 8 };
    const double greville[CONTROLS] = {0, 1.0 / 15, 0.2, 0.4, 0.6, 0.8, 14.0 / 15, 1};
    ib_ArmCurveShape shape = {.controls = CONTROLS};
    for (int k = 0; k < CONTROLS; k++)
        shape.c[k][0] = 1 + 2 * greville[k], shape.c[k][1] = 3 - greville[k];
    for (int k = 0; k <= 100; k++) {
        ib_ArmCurvePoint at = ib_arm_curve_at(&shape, k / 100.0);
        assert_close(at.th[0], 1 + 0.02 * k, 1e-14);
        assert_close(at.th[1], 3 - 0.01 * k, 1e-14);
        assert_close(at.th_p[0], 2, 1e-13);
        assert_close(at.th_pp[0], 0, 1e-11);
    }
}

// Goal: derivatives, also across knots. Method: central differences over 1e-5; the second
// derivative is continuous and its own slope is below 1e4.
static void derivatives_are_those_of_the_curve(void **state)
{
    (void)state;
    const double h = 1e-5;
    for (int controls = 4; controls <= IB_ARM_CONTROLS; controls++) {
        ib_ArmCurveShape shape = random_shape(controls, controls);
        for (int k = 1; k < 60; k++) {
            double u = k / 60.0;
            ib_ArmCurvePoint less = ib_arm_curve_at(&shape, u - h), at = ib_arm_curve_at(&shape, u),
                             more = ib_arm_curve_at(&shape, u + h);
            for (int i = 0; i < 2; i++) {
                assert_close((more.th[i] - less.th[i]) / (2 * h), at.th_p[i], 1e-5);
                assert_close((more.th_p[i] - less.th_p[i]) / (2 * h), at.th_pp[i], 1e4 * h);
            }
        }
    }
}

// Goal: the points of a table are those of the curve, with lengths and unit vectors. Method: chords
// of 200 000 steps for the length, which are too short by 1e-10 at most.
static void points_have_the_length_of_the_curve(void **state)
{
    (void)state;
    enum { COUNT = 160, STEPS = 200000 };
    static ib_ArmCurveTable table;
    static ib_ArmPoint points[COUNT];
    ib_ArmCurveShape shape = {
        .controls = 6, // smooth, as a path is
        .c = {{0.3, -0.5}, {0.5, -0.9}, {0.9, -0.7}, {1.3, 0}, {1.4, 0.6}, {1.3, 0.9}}};
    ib_arm_curve_table(6, COUNT, &table);
    assert_true(ib_arm_curve_points(&table, &shape, points));
    double length = 0;
    ib_ArmCurvePoint before = ib_arm_curve_at(&shape, 0);
    for (int k = 1; k <= STEPS; k++) {
        ib_ArmCurvePoint at = ib_arm_curve_at(&shape, (double)k / STEPS);
        double d[2] = {at.th[0] - before.th[0], at.th[1] - before.th[1]};
        length += sqrt(d[0] * d[0] + d[1] * d[1]);
        before = at;
    }
    assert_close(points[COUNT - 1].s, length, 1e-8);
    for (int k = 0; k < COUNT; k++) {
        const ib_ArmPoint *p = &points[k];
        assert_close(p->way[0] * p->way[0] + p->way[1] * p->way[1], 1, 1e-14);
        assert_close(p->way[0] * p->bend[0] + p->way[1] * p->bend[1], 0, 1e-12);
    }
    // th' changes by th" along the way: between neighbours to the square of their distance.
    for (int k = 1; k + 1 < COUNT; k++) {
        double ds = points[k + 1].s - points[k - 1].s;
        for (int i = 0; i < 2; i++)
            assert_close((points[k + 1].way[i] - points[k - 1].way[i]) / ds, points[k].bend[i],
                         0.05);
    }
    for (int k = 0; k < 6; k++) shape.c[k][0] = shape.c[k][1] = 1;
    assert_false(ib_arm_curve_points(&table, &shape, points));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_control_points_are_a_bezier_cubic),
        cmocka_unit_test(control_points_on_a_line_make_the_line),
        cmocka_unit_test(derivatives_are_those_of_the_curve),
        cmocka_unit_test(points_have_the_length_of_the_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
