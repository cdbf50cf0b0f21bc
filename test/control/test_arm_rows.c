// test/control/test_arm_rows.c: rows of a table that are a way of an arm, and such that are not.
#include "cmocka_all.h"

#include "control/arm/arm_rows.h"

#include <math.h>

enum { ROWS = 91 };
static ib_ArmRow rows[ROWS];
static ib_ArmPoint points[ROWS];

static double rounded(double x, double digit)
{
    return round(x / digit) * digit;
}

// A straight line, an arc of 0.5 rad, 0.02 rad apart, rounded: th" jumps in between.
static void make_rows_of(double digit)
{
    for (int k = 0; k < ROWS; k++) {
        double s = 0.02 * k, bent = fmax(s - 0.9, 0), f = bent / 0.5, line = fmin(s, 0.9);
        ib_ArmRow row = {{line + 0.5 * sin(f), 0.3 + 0.5 * (1 - cos(f))},
                         {cos(f), sin(f)},
                         {bent > 0 ? -sin(f) / 0.5 : 0, bent > 0 ? cos(f) / 0.5 : 0}};
        for (int i = 0; i < 2; i++) {
            rows[k].theta[i] = rounded(row.theta[i], digit);
            rows[k].omega[i] = rounded(row.omega[i], digit);
            rows[k].alpha[i] = rounded(row.alpha[i], digit);
        }
    }
}

static void make_rows(void)
{
    make_rows_of(1e-6);
}

static void good_rows_are_a_way(void **state)
{
    (void)state;
    make_rows();
    ib_ArmRowVerdict verdict = ib_arm_path_rows(rows, ROWS, 1e-3, points);
    assert_int_equal(verdict.fault, IB_ARM_ROWS_FINE);
    // Six digits, 90 steps.
    assert_close(points[ROWS - 1].s, 0.02 * (ROWS - 1), 1e-5);
    assert_close(points[50].bend[1], rows[50].alpha[1], 0);
}

// Goal: a wrong number is found in its row, with what it should be. Method: good rows, one number
// changed at a time.
static void bad_rows_are_found(void **state)
{
    ib_ArmRowVerdict verdict;
    (void)state;
    make_rows();
    assert_int_equal(ib_arm_path_rows(rows, 1, 1e-3, points).fault, IB_ARM_ROWS_FEW);
    rows[20].alpha[1] = NAN;
    verdict = ib_arm_path_rows(rows, ROWS, 1e-3, points);
    assert_int_equal(verdict.fault, IB_ARM_ROW_NUMBER);
    assert_int_equal(verdict.row, 20);
    assert_int_equal(verdict.joint, 1);
    // Not a unit vector: rates of time instead of way.
    make_rows();
    rows[7].omega[0] = 2;
    verdict = ib_arm_path_rows(rows, ROWS, 1e-3, points);
    assert_int_equal(verdict.fault, IB_ARM_ROW_LENGTH);
    assert_int_equal(verdict.row, 7);
    assert_close(verdict.got, 2, 1e-9);
    assert_close(verdict.expected, 1, 0);
    // A bend along the way.
    make_rows();
    rows[8].alpha[0] = 0.1;
    verdict = ib_arm_path_rows(rows, ROWS, 1e-3, points);
    assert_int_equal(verdict.fault, IB_ARM_ROW_SLANTED);
    assert_int_equal(verdict.row, 8);
    assert_close(verdict.got, 0.1, 1e-9);
    // Twice the same place.
    make_rows();
    rows[9] = rows[8];
    verdict = ib_arm_path_rows(rows, ROWS, 1e-3, points);
    assert_int_equal(verdict.fault, IB_ARM_ROW_STANDS);
    assert_int_equal(verdict.row, 9);
    // An angle beside the way.
    make_rows();
    rows[20].theta[1] += 0.001;
    verdict = ib_arm_path_rows(rows, ROWS, 1e-3, points);
    assert_int_equal(verdict.fault, IB_ARM_ROW_ANGLE);
    assert_int_equal(verdict.row, 20);
    assert_int_equal(verdict.joint, 1);
    assert_close(verdict.got - verdict.expected, 0.001, 1e-9);
    // A bend that its neighbours' directions do not have.
    make_rows();
    for (int k = 60; k < ROWS; k++)
        for (int i = 0; i < 2; i++) rows[k].alpha[i] *= 1.5;
    verdict = ib_arm_path_rows(rows, ROWS, 1e-3, points);
    assert_int_equal(verdict.fault, IB_ARM_ROW_DIRECTION);
    assert_int_equal(verdict.row, 61);
}

// Goal: rows of four digits are a way, too, however near they are to each other. Method: the same
// line and arc; and path B in steps of 0.01 and of 0.001 rad.
static void four_digits_are_enough(void **state)
{
    (void)state;
    static ib_ArmRow arc[1801];
    static ib_ArmPoint made[1801];
    make_rows_of(1e-4);
    assert_int_equal(ib_arm_path_rows(rows, ROWS, 1e-3, points).fault, IB_ARM_ROWS_FINE);
    for (int cells = 180; cells <= 1800; cells *= 10) {
        for (int k = 0; k <= cells; k++) {
            double p = 0.3 + 0.9 * k / cells, s = sin(p), c = cos(p);
            const double exact[6] = {-1.2 + 2 * c, -s, -c / 2, -1 + 2 * s, c, -s / 2};
            for (int i = 0; i < 2; i++) {
                arc[k].theta[i] = rounded(exact[3 * i], 1e-4);
                arc[k].omega[i] = rounded(exact[3 * i + 1], 1e-4);
                arc[k].alpha[i] = rounded(exact[3 * i + 2], 1e-4);
            }
        }
        assert_int_equal(ib_arm_path_rows(arc, cells + 1, 1e-3, made).fault, IB_ARM_ROWS_FINE);
    }
}

// Goal: the joint that is wrong is blamed. Method: a straight line in steps of 0.1 rad along
// (0.6, 0.8), in which one angle of one row is wrong by 0.01 rad: either joint, in a row within, in
// the second and in the last one.
static void the_wrong_joint_is_blamed(void **state)
{
    (void)state;
    enum { LINE = 4 };
    for (int n = 0; n < 6; n++) {
        ib_ArmRow line[LINE];
        int row = 1 + n / 2, joint = n % 2;
        for (int k = 0; k < LINE; k++)
            line[k] = (ib_ArmRow){{0.3 + 0.06 * k, -0.5 + 0.08 * k}, {0.6, 0.8}, {0, 0}};
        line[row].theta[joint] += 0.01;
        ib_ArmRowVerdict verdict = ib_arm_path_rows(line, LINE, 1e-3, points);
        assert_int_equal(verdict.fault, IB_ARM_ROW_ANGLE);
        assert_int_equal(verdict.row, row);
        if (row == 1) continue; // which, only the steps behind it could say, and the next is wrong
        assert_int_equal(verdict.joint, joint);
        assert_close(verdict.got - verdict.expected, 0.01, 1e-12);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_rows_are_a_way),
        cmocka_unit_test(bad_rows_are_found),
        cmocka_unit_test(four_digits_are_enough),
        cmocka_unit_test(the_wrong_joint_is_blamed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
