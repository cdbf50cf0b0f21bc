// Claims about src/control/driving/xdrive.c: the equations of FTC 12566 as printed, against its
// table, the closed forms of reference C2 and the faults that C3 finds.
#include "cmocka_all.h"

#include "control/driving/xdrive.h"
#include "spread.h"

enum { MOTORS = IB_XDRIVE_MOTORS };

static const double PI = 3.14159265358979323846;

static void drive(double x, double y, double f[MOTORS])
{
    for (int i = 0; i < MOTORS; i++) f[i] = ib_xdrive_drive(i, x, y);
}

static double degrees(double y, double x)
{
    return atan2(y, x) * 180 / PI;
}

// Direction of f's motion less that of the stick [deg].
static double direction_error(double x, double y)
{
    double f[MOTORS];
    drive(x, y, f);
    ib_Stick moved = ib_xdrive_motion(f);
    return degrees(x * moved.y - y * moved.x, x * moved.x + y * moved.y);
}

// ----------------------------------------------------------------------------------------- driving

// Goal: (10) to (13) are the table (1) to (9), but for motor 4 of (9). Method: reference C1.
static void the_table_has_one_mistake(void **state)
{
    (void)state;
    static const double rows[9][6] = {
        {0, 0, 0, 0, 0, 0},    {1, 1, 0, -1, 0, 1},   {1, 0, -1, -1, 1, 1},
        {1, -1, -1, 0, 1, 0},  {0, -1, -1, 1, 1, -1}, {-1, -1, 0, 1, 0, -1},
        {-1, 0, 1, 1, -1, -1}, {-1, 1, 1, 0, -1, 0},  {0, 1, 1, -1, -1, 0},
    };
    for (int row = 0; row < 9; row++)
        for (int i = 0; i < MOTORS; i++) {
            double wrong = row == 8 && i == 3 ? 1 : 0;
            double f = ib_xdrive_drive(i, rows[row][0], rows[row][1]);
            assert_close(f - rows[row][2 + i], wrong, 0);
        }
    // As printed it would turn right with a quarter of the full rate.
    assert_close(ib_xdrive_motion(rows[8] + 2).turn, 0.25, 0);
}

// Goal: f_i = raw_i within -m .. m. Method: reference C2, on 401 x 401 points, to the bit.
static void driving_is_saturation_at_the_larger_component(void **state)
{
    (void)state;
    for (int row = 0; row <= 400; row++)
        for (int column = 0; column <= 400; column++) {
            double x = (column - 200) / 200.0, y = (row - 200) / 200.0;
            double m = fmax(fabs(x), fabs(y)), f[MOTORS];
            const double raw[] = {y - x, -x - y, x - y, x + y};
            drive(x, y, f);
            for (int i = 0; i < MOTORS; i++) assert_true(f[i] == fmin(fmax(raw[i], -m), m));
        }
}

// Goal: f is continuous. Method: steps of 1e-9 along both axes from every point of a grid that has
// all borders of its cases; a slope of 1 allows 1e-9, roundings 1e-15.
static void driving_is_continuous(void **state)
{
    (void)state;
    const double step = 1e-9;
    for (int row = -100; row <= 100; row++)
        for (int column = -100; column <= 100; column++)
            for (int i = 0; i < MOTORS; i++) {
                double x = column / 100.0, y = row / 100.0, f = ib_xdrive_drive(i, x, y);
                assert_close(ib_xdrive_drive(i, x + step, y), f, step + 1e-15);
                assert_close(ib_xdrive_drive(i, x, y + step), f, step + 1e-15);
                assert_close(ib_xdrive_drive(i, x - step, y - step), f, 2 * step + 1e-15);
            }
}

// Goal: (14) to (21) are the slopes of (10) to (13). Method: central differences at 20000 random
// points that are farther from every border than the step.
static void the_slopes_are_those_of_driving(void **state)
{
    (void)state;
    const double h = 1e-6;
    uint64_t seed = 1;
    for (int n = 0; n < 20000;) {
        double x = spread_signed(&seed), y = spread_signed(&seed);
        if (fmin(fabs(x), fabs(y)) < 3 * h || fabs(fabs(x) - fabs(y)) < 3 * h) continue;
        n++;
        for (int i = 0; i < MOTORS; i++) {
            double right = ib_xdrive_drive(i, x + h, y) - ib_xdrive_drive(i, x - h, y);
            double ahead = ib_xdrive_drive(i, x, y + h) - ib_xdrive_drive(i, x, y - h);
            assert_close(ib_xdrive_slope(i, IB_XDRIVE_X, x, y), right / (2 * h), 1e-9);
            assert_close(ib_xdrive_slope(i, IB_XDRIVE_Y, x, y), ahead / (2 * h), 1e-9);
        }
    }
}

// Goal: motions and directions of five sticks. Method: reference C2's table.
static void sticks_move_as_the_reference_has_it(void **state)
{
    (void)state;
    static const double rows[][10] = {
        {1, 0.5, -0.5, -1, 0.5, 1, 0.75, 0.25, 18.434949, 26.565051},
        {0.5, 0.25, -0.25, -0.5, 0.25, 0.5, 0.375, 0.125, 18.434949, 26.565051},
        {0.3, 0.9, 0.6, -0.9, -0.6, 0.9, 0.15, 0.75, 78.690068, 71.565051},
        {-0.7, 0.2, 0.7, 0.5, -0.7, -0.5, -0.6, 0.1, 170.537678, 164.054604},
        {0.6, 0.8, 0.2, -0.8, -0.2, 0.8, 0.3, 0.5, 59.036243, 53.130102},
    };
    for (int row = 0; row < 5; row++) {
        const double *r = rows[row];
        double f[MOTORS];
        drive(r[0], r[1], f);
        for (int i = 0; i < MOTORS; i++) assert_close(f[i], r[2 + i], 1e-15);
        ib_Stick moved = ib_xdrive_motion(f);
        assert_close(moved.x, r[6], 1e-15);
        assert_close(moved.y, r[7], 1e-15);
        assert_close(moved.turn, 0, 1e-15);
        assert_close(degrees(moved.y, moved.x), r[8], 5e-7);
        assert_close(degrees(r[1], r[0]), r[9], 5e-7);
    }
}

// Goal: in the octant 0 <= y <= x it drives along (x - y/2, y/2), and by symmetry in all others;
// always towards the nearest axis. Method: the closed form at random sticks.
static void an_octant_bends_towards_its_axis(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int n = 0; n < 20000; n++) {
        double x = spread_signed(&seed), y = spread_signed(&seed), f[MOTORS];
        drive(x, y, f);
        ib_Stick moved = ib_xdrive_motion(f);
        double large = fmax(fabs(x), fabs(y)), small = fmin(fabs(x), fabs(y));
        double along = fabs(x) > fabs(y) ? fabs(moved.x) : fabs(moved.y);
        double beside = fabs(x) > fabs(y) ? fabs(moved.y) : fabs(moved.x);
        assert_close(along, large - small / 2, 1e-15);
        assert_close(beside, small / 2, 1e-15);
        assert_true(moved.x * x >= 0 && moved.y * y >= 0);
        assert_true(beside * large <= along * small + 1e-15);
    }
}

// Goal: the direction is up to 8.130102354 degrees wrong. Method: atan(1/2) - atan(1/3) at the
// slopes 1/2 and 2 of all quadrants, and nothing above it along the circle in steps of 0.01 deg.
static void the_direction_is_eight_degrees_off(void **state)
{
    (void)state;
    double most = (atan(0.5) - atan(1.0 / 3)) * 180 / PI, found = 0;
    assert_close(most, 8.130102354, 5e-10);
    for (int quadrant = 0; quadrant < 4; quadrant++) {
        double c = quadrant == 0 ? 1 : quadrant == 2 ? -1 : 0;
        double s = quadrant == 1 ? 1 : quadrant == 3 ? -1 : 0;
        assert_close(direction_error(c - 0.5 * s, s + 0.5 * c), -most, 1e-9);
        assert_close(direction_error(0.5 * c - s, 0.5 * s + c), most, 1e-9);
    }
    for (int k = 0; k < 36000; k++) {
        double a = k * PI / 18000;
        found = fmax(found, fabs(direction_error(cos(a), sin(a))));
    }
    assert_true(found <= most + 1e-9 && found > most - 1e-5);
    for (int k = 0; k < 8; k++)
        assert_close(direction_error(cos(k * PI / 4), sin(k * PI / 4)), 0, 1e-13);
}

// Goal: full speed along the axes, half of it along the diagonals. Method: the stick on its circle.
static void the_diagonals_are_half_as_fast(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        double f[MOTORS];
        drive(cos(k * PI / 4), sin(k * PI / 4), f);
        ib_Stick moved = ib_xdrive_motion(f);
        assert_close(hypot(moved.x, moved.y), k % 2 ? 0.5 : 1, 1e-15);
    }
}

// ----------------------------------------------------------------------------------------- turning

// The grid of reference C3: 201 values from -1 to 1 that are off by their rounding, so that a point
// of a diagonal may be on either side of it.
static double grid(int k)
{
    return k == 200 ? 1 : k * 0.01 - 1;
}

typedef struct Turn {
    int motor, side, cases[4];
    double low[2], high[2]; ///< of f + t T, with T = 1 and T = -1
} Turn;

static const Turn turns[8] = {
    {0, IB_XDRIVE_RIGHT, {10162, 10039, 10196, 10004}, {-1, -1}, {3, 2}},
    {0, IB_XDRIVE_LEFT, {10162, 10039, 10139, 10004}, {-3, -1}, {2.99, 1}},
    {1, IB_XDRIVE_RIGHT, {10162, 10004, 10196, 0}, {-1, -1}, {1, 3}},
    {1, IB_XDRIVE_LEFT, {10197, 10004, 10161, 10039}, {-1, -3}, {1, 1}},
    {2, IB_XDRIVE_RIGHT, {10197, 10004, 10161, 10039}, {-1, -1}, {1, 3}},
    {2, IB_XDRIVE_LEFT, {10197, 10039, 10161, 0}, {-1, -3}, {1, 1}},
    {3, IB_XDRIVE_RIGHT, {10197, 10039, 10161, 10004}, {-1, -1}, {3, 1}},
    {3, IB_XDRIVE_LEFT, {10162, 10039, 10196, 10004}, {-1, -3}, {1, 1}},
};

// Goal: which case holds how often, and how far f + t goes. Method: reference C3's table. 1e-12:
// its grid is rounded.
static void cases_and_ranges_are_the_references(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        const Turn *turn = &turns[k];
        int count[5] = {0}, used;
        double low[2] = {0, 0}, high[2] = {0, 0};
        for (int n = 0; n < 201 * 201; n++) {
            double x = grid(n % 201), y = grid(n / 201), f = ib_xdrive_drive(turn->motor, x, y);
            double t = ib_xdrive_turn(turn->motor, turn->side, x, y, &used);
            count[used]++;
            if (used == 0) assert_true(t == 0);
            for (int sign = 0; sign < 2; sign++) {
                low[sign] = fmin(low[sign], f + (sign ? -t : t));
                high[sign] = fmax(high[sign], f + (sign ? -t : t));
            }
        }
        for (int i = 0; i < 4; i++) assert_int_equal(count[1 + i], turn->cases[i]);
        for (int sign = 0; sign < 2; sign++) {
            assert_close(low[sign], turn->low[sign], 1e-12);
            assert_close(high[sign], turn->high[sign], 1e-12);
        }
    }
}

static double turn_at(int k, double x, double y)
{
    return ib_xdrive_turn(turns[k].motor, turns[k].side, x, y, NULL);
}

// Goal: which functions jump, where and how far. Method: 1e-9 to either side of each diagonal, at a
// size of 1/2; reference C3: 2|y| of (22) and (23) on the upper left one, and at the borders of the
// sectors that (24) and (27) leave out, where 1 - 1/2 is missing.
static void jumps_are_where_the_reference_has_them(void **state)
{
    (void)state;
    static const double jump[8][4] = {
        // upper right, upper left, lower left, lower right
        {0, 1, 0, 0}, {0, 1, 0, 0}, {0.5, 0, 0, 0.5}, {0}, {0}, {0, 0.5, 0.5, 0}, {0}, {0}};
    for (int k = 0; k < 8; k++)
        for (int diagonal = 0; diagonal < 4; diagonal++) {
            double x = diagonal == 0 || diagonal == 3 ? 0.5 : -0.5, y = diagonal < 2 ? 0.5 : -0.5;
            double inner = turn_at(k, x * (1 - 1e-9), y), outer = turn_at(k, x, y * (1 - 1e-9));
            assert_close(fabs(inner - outer), jump[k][diagonal], 1e-8);
        }
}

// Goal: what (23), (24) and (27) leave undefined. Method: points of the upper left diagonal, of the
// right and of the left sector.
static void three_functions_leave_something_out(void **state)
{
    (void)state;
    int used;
    ib_xdrive_turn(0, IB_XDRIVE_LEFT, -0.5, 0.5, &used);
    assert_int_equal(used, 0);
    ib_xdrive_turn(1, IB_XDRIVE_RIGHT, 0.5, 0.49, &used);
    assert_int_equal(used, 0);
    ib_xdrive_turn(2, IB_XDRIVE_LEFT, -0.5, -0.49, &used);
    assert_int_equal(used, 0);
}

// Goal: at rest both turns are the same one, and in a corner there is none. Method: all eight.
static void right_is_left_at_rest(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        assert_close(turn_at(k, 0, 0), 1, 0);
        assert_close(turn_at(k, 1, 1), 0, 0);
    }
}

// ------------------------------------------------------------------------------------------- frame

// Goal: (34) with C's atan2. Method: reference C5, second column; its ten digits are rounded.
static void the_printed_frame_mirrors_and_turns_with_the_robot(void **state)
{
    (void)state;
    static const double rows[][5] = {
        {0, 1, 0, 1, 0},
        {1, 0, 0, 0, 1},
        {0, 1, 90, 0, 1},
        {1, 0, 90, -1, 0},
        {0.6, 0.3, 30, -0.0401923789, 0.6696152423},
        {-0.2, 0.9, -45, 0.4949747468, -0.7778174593},
    };
    for (int i = 0; i < 6; i++) {
        const double *r = rows[i];
        ib_Stick got = ib_xdrive_in_frame(&(ib_Stick){r[0], r[1], 0}, r[2] * PI / 180);
        assert_close(got.x, r[3], 6e-11);
        assert_close(got.y, r[4], 6e-11);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_has_one_mistake),
        cmocka_unit_test(driving_is_saturation_at_the_larger_component),
        cmocka_unit_test(driving_is_continuous),
        cmocka_unit_test(the_slopes_are_those_of_driving),
        cmocka_unit_test(sticks_move_as_the_reference_has_it),
        cmocka_unit_test(an_octant_bends_towards_its_axis),
        cmocka_unit_test(the_direction_is_eight_degrees_off),
        cmocka_unit_test(the_diagonals_are_half_as_fast),
        cmocka_unit_test(cases_and_ranges_are_the_references),
        cmocka_unit_test(jumps_are_where_the_reference_has_them),
        cmocka_unit_test(three_functions_leave_something_out),
        cmocka_unit_test(right_is_left_at_rest),
        cmocka_unit_test(the_printed_frame_mirrors_and_turns_with_the_robot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
