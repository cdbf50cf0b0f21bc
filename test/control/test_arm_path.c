// test/control/test_arm_path.c: ways of an arm as points: closed forms, and rows that are refused.
#include "cmocka_all.h"

#include "arm_rig.h"

#include <string.h>

static ArmRoom room;

// ------------------------------------------------------------------------------------------ curves

// A step of the parameter is found to a few units in the last place; 300 of them add up.
static void an_arc_is_its_closed_form(void **state)
{
    (void)state;
    path_b(&room, 300);
    for (int k = 0; k <= 300; k++) {
        const ib_ArmPoint *at = &room.points[k];
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
        arm_room_init(&room, 101);
        double begin = back ? 1.5 : -0.5, end = back ? -0.5 : 1.5, first = 0;
        assert_int_equal(ib_arm_path_sampled(parabola, NULL, begin, end, 101, room.points, NULL),
                         IB_OK);
        for (int k = 0; k <= 100; k++) {
            const ib_ArmPoint *at = &room.points[k];
            double p = at->th[0], h = sqrt(1 + p * p), length = (p * h + asinh(p)) / 2;
            if (k == 0) first = length;
            assert_close(at->th[1], p * p / 2, 1e-13);
            assert_close(at->s, fabs(length - first), 1e-11); // a rule of 5 points, 0.02 apart
            assert_close(at->way[0], (back ? -1 : 1) / h, 1e-13);
            assert_close(at->way[1], (back ? -p : p) / h, 1e-13);
            assert_close(at->bend[0], -p / (h * h * h * h), 1e-12);
            assert_close(at->bend[1], 1 / (h * h * h * h), 1e-12);
        }
        assert_close(room.points[100].th[0], end, 0);
        for (int k = 2; k <= 100; k++)
            assert_close(room.points[k].s - room.points[k - 1].s, room.points[1].s, 1e-12);
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
    assert_int_equal(ib_arm_path_straight(here, here, 10, room.points, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "(0.25, -0.5)"));
    // A cusp has no direction.
    assert_int_equal(ib_arm_path_sampled(cusp, NULL, 0, 1, 11, room.points, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "point 1 of 11"));
    assert_int_equal(ib_arm_path_sampled(cusp, NULL, 1, 1, 11, room.points, &error), IB_BAD_INPUT);
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
        path_b(&room, cells);
        for (int k = 0; k <= 700; k++) {
            double s = 1.8 * k / 700, p = 0.3 + s / 2;
            ib_ArmPoint at = ib_arm_path_at(&room.path, s, &hint);
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
    path_b(&room, 57);
    for (int k = 0; k < 2000; k++) {
        arm_drawn = (uint64_t)k;
        // A walk with jumps, beyond both ends too.
        double s = k % 7 ? 1.9 * k / 2000 - 0.05 : arm_uniform(-0.1, 1.9);
        ib_ArmPoint with = ib_arm_path_at(&room.path, s, &hint);
        ib_ArmPoint without = ib_arm_path_at(&room.path, s, NULL);
        assert_memory_equal(&with, &without, sizeof with);
        if (k % 5 == 0) hint = (int)arm_uniform(-3, 70); // a bad hint is no harm
    }
    ib_ArmPoint before = ib_arm_path_at(&room.path, -1, NULL);
    ib_ArmPoint beyond = ib_arm_path_at(&room.path, 2, NULL);
    assert_memory_equal(&before, &room.points[0], sizeof before);
    assert_memory_equal(&beyond, &room.points[57], sizeof beyond);
}

// -------------------------------------------------------------------------------------------- rows

enum { ROWS = 91 };
static ib_ArmRow rows[ROWS];

static double rounded(double x)
{
    return round(x * 1e6) / 1e6;
}

// A straight line, an arc of 0.5 rad, 0.02 rad apart, in six digits: th" jumps in between.
static void make_rows(void)
{
    for (int k = 0; k < ROWS; k++) {
        double s = 0.02 * k, bent = fmax(s - 0.9, 0), f = bent / 0.5, line = fmin(s, 0.9);
        ib_ArmRow row = {{line + 0.5 * sin(f), 0.3 + 0.5 * (1 - cos(f))},
                         {cos(f), sin(f)},
                         {bent > 0 ? -sin(f) / 0.5 : 0, bent > 0 ? cos(f) / 0.5 : 0}};
        for (int i = 0; i < 2; i++) {
            rows[k].theta[i] = rounded(row.theta[i]);
            rows[k].omega[i] = rounded(row.omega[i]);
            rows[k].alpha[i] = rounded(row.alpha[i]);
        }
    }
}

static void good_rows_are_a_way(void **state)
{
    (void)state;
    make_rows();
    ib_ArmRowVerdict verdict = ib_arm_path_rows(rows, ROWS, 1e-3, room.points);
    assert_int_equal(verdict.fault, IB_ARM_ROWS_FINE);
    // Six digits, 90 steps.
    assert_close(room.points[ROWS - 1].s, 0.02 * (ROWS - 1), 1e-5);
    assert_close(room.points[50].bend[1], rows[50].alpha[1], 0);
}

// Goal: a wrong number is found in its row, with what it should be. Method: good rows, one number
// changed at a time.
static void bad_rows_are_found(void **state)
{
    ib_ArmRowVerdict verdict;
    (void)state;
    make_rows();
    assert_int_equal(ib_arm_path_rows(rows, 1, 1e-3, room.points).fault, IB_ARM_ROWS_FEW);
    rows[20].alpha[1] = NAN;
    verdict = ib_arm_path_rows(rows, ROWS, 1e-3, room.points);
    assert_int_equal(verdict.fault, IB_ARM_ROW_NUMBER);
    assert_int_equal(verdict.row, 20);
    assert_int_equal(verdict.joint, 1);
    // Not a unit vector: rates of time instead of way.
    make_rows();
    rows[7].omega[0] = 2;
    verdict = ib_arm_path_rows(rows, ROWS, 1e-3, room.points);
    assert_int_equal(verdict.fault, IB_ARM_ROW_LENGTH);
    assert_int_equal(verdict.row, 7);
    assert_close(verdict.got, 2, 1e-9);
    assert_close(verdict.expected, 1, 0);
    // A bend along the way.
    make_rows();
    rows[8].alpha[0] = 0.1;
    verdict = ib_arm_path_rows(rows, ROWS, 1e-3, room.points);
    assert_int_equal(verdict.fault, IB_ARM_ROW_SLANTED);
    assert_int_equal(verdict.row, 8);
    assert_close(verdict.got, 0.1, 1e-9);
    // Twice the same place.
    make_rows();
    rows[9] = rows[8];
    verdict = ib_arm_path_rows(rows, ROWS, 1e-3, room.points);
    assert_int_equal(verdict.fault, IB_ARM_ROW_STANDS);
    assert_int_equal(verdict.row, 9);
    // An angle beside the way.
    make_rows();
    rows[20].theta[1] += 0.001;
    verdict = ib_arm_path_rows(rows, ROWS, 1e-3, room.points);
    assert_int_equal(verdict.fault, IB_ARM_ROW_ANGLE);
    assert_int_equal(verdict.row, 20);
    assert_int_equal(verdict.joint, 1);
    assert_close(verdict.got - verdict.expected, 0.001, 1e-9);
    // A bend that its neighbours' directions do not have.
    make_rows();
    for (int k = 60; k < ROWS; k++)
        for (int i = 0; i < 2; i++) rows[k].alpha[i] *= 1.5;
    verdict = ib_arm_path_rows(rows, ROWS, 1e-3, room.points);
    assert_int_equal(verdict.fault, IB_ARM_ROW_DIRECTION);
    assert_int_equal(verdict.row, 61);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arc_is_its_closed_form),
        cmocka_unit_test(a_parabola_is_measured),
        cmocka_unit_test(ways_that_are_none_are_refused),
        cmocka_unit_test(in_between_it_is_a_cubic),
        cmocka_unit_test(hints_change_nothing),
        cmocka_unit_test(good_rows_are_a_way),
        cmocka_unit_test(bad_rows_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
