// Claims about src/control/driving/mixing.c: the three laws on an X-drive against reference C2 and
// C4, the standard one on other wheels, and what is refused. (10) to (34) as printed:
// test_xdrive.c; dead zone, curve and frame: test_stick.c.
#include "cmocka_all.h"

#include "control/driving/mixing.h"
#include "control/driving/xdrive.h"
#include "spread.h"

#include <string.h>

enum { MOTORS = IB_XDRIVE_MOTORS };

static const double PI = 3.14159265358979323846;

static ib_MixingModel mixing(int law, int count, const double (*roll)[3])
{
    ib_MixingModel model;
    ib_Error error = {0};
    if (ib_mixing_init(&(ib_MixingConfig){.law = law}, count, roll, &model, &error) != IB_OK)
        fail_msg("%s", error.text);
    return model;
}

static ib_MixingModel xdrive(int law)
{
    return mixing(law, MOTORS, ib_xdrive_roll);
}

static void assert_outputs(const ib_MixingModel *model, ib_Stick stick, const double *expected,
                           double tolerance)
{
    double output[IB_MIXING_MOTORS];
    ib_mixing_outputs(model, &stick, output);
    for (int i = 0; i < model->count; i++) assert_close(output[i], expected[i], tolerance);
}

// -------------------------------------------------------------------------------------- an X-drive

// Goal: the nine points of the table, (9) mended, under every law. Method: reference C1.
static void every_law_has_the_table(void **state)
{
    (void)state;
    static const double rows[9][6] = {
        {0, 0, 0, 0, 0, 0},    {1, 1, 0, -1, 0, 1},   {1, 0, -1, -1, 1, 1},
        {1, -1, -1, 0, 1, 0},  {0, -1, -1, 1, 1, -1}, {-1, -1, 0, 1, 0, -1},
        {-1, 0, 1, 1, -1, -1}, {-1, 1, 1, 0, -1, 0},  {0, 1, 1, -1, -1, 1},
    };
    for (int law = IB_MIXING_STANDARD; law <= IB_MIXING_CORRECTED; law++) {
        ib_MixingModel model = xdrive(law);
        for (int row = 0; row < 9; row++)
            assert_outputs(&model, (ib_Stick){rows[row][0], rows[row][1], 0}, rows[row] + 2, 0);
    }
}

// Goal: sticks that turn, under every law. Method: reference C4's table; thirds are rounded there
// to nine digits.
static void turns_are_the_references(void **state)
{
    (void)state;
    static const struct {
        ib_Stick stick;
        double published[4], corrected[4], standard[4];
    } rows[] = {
        {{-1, 0, 1}, {0, 1, -1, -1}, {-1, 1, -1, -1}, {0, 0, -1, -1}},
        {{-1, 0, 0.5}, {0.5, 1, -1, -1}, {0, 1, -1, -1}, {0.333333333, 0.333333333, -1, -1}},
        {{0, 1, 1}, {1, -1, -1, 3}, {1, -1, -1, -1}, {0, -1, -1, 0}},
        {{0.5, 0.5, -0.5},
         {0.25, -0.25, 0.25, 0.75},
         {0.25, -0.25, 0.25, 0.75},
         {0.333333333, -0.333333333, 0.333333333, 1}},
        {{1, 1, 1}, {0, -1, 0, 1}, {0, -1, 0, 1}, {-0.333333333, -1, -0.333333333, 0.333333333}},
        {{0, 0, 1}, {1, 1, 1, 1}, {-1, -1, -1, -1}, {-1, -1, -1, -1}},
        {{0, 0, -0.4}, {0.4, 0.4, 0.4, 0.4}, {0.4, 0.4, 0.4, 0.4}, {0.4, 0.4, 0.4, 0.4}},
    };
    ib_MixingModel published = xdrive(IB_MIXING_PUBLISHED), corrected = xdrive(IB_MIXING_CORRECTED);
    ib_MixingModel standard = xdrive(IB_MIXING_STANDARD);
    for (int row = 0; row < 7; row++) {
        assert_outputs(&published, rows[row].stick, rows[row].published, 1e-15);
        assert_outputs(&corrected, rows[row].stick, rows[row].corrected, 1e-15);
        assert_outputs(&standard, rows[row].stick, rows[row].standard, 4e-10);
    }
}

// Goal: the standard law without a turn. Method: reference C2, "mix normalised", to its six digits.
static void the_standard_law_divides_by_the_largest(void **state)
{
    (void)state;
    static const double rows[][6] = {
        {1, 0.5, -0.333333, -1, 0.333333, 1},   {0.5, 0.25, -0.25, -0.75, 0.25, 0.75},
        {0.3, 0.9, 0.5, -1, -0.5, 1},           {-0.7, 0.2, 0.9, 0.5, -0.9, -0.5},
        {0.6, 0.8, 0.142857, -1, -0.142857, 1},
    };
    ib_MixingModel model = xdrive(IB_MIXING_STANDARD);
    for (int row = 0; row < 5; row++)
        assert_outputs(&model, (ib_Stick){rows[row][0], rows[row][1], 0}, rows[row] + 2, 5e-7);
}

// Goal: under the standard law the motion has exactly the stick's direction and its share of
// turning, and gives up speed only where a motor is at its end. Method: random sticks; the motion
// is the stick over max(1, |x| + |y| + |turn|), since one of the four motors adds up all three.
static void the_standard_law_keeps_the_direction(void **state)
{
    (void)state;
    uint64_t seed = 3;
    ib_MixingModel model = xdrive(IB_MIXING_STANDARD);
    for (int n = 0; n < 20000; n++) {
        ib_Stick stick = {spread_signed(&seed), spread_signed(&seed), spread_signed(&seed)};
        double output[MOTORS], most = fabs(stick.x) + fabs(stick.y) + fabs(stick.turn);
        ib_mixing_outputs(&model, &stick, output);
        ib_Stick moved = ib_xdrive_motion(output);
        double share = fmax(1, most);
        assert_close(moved.x * share, stick.x, 1e-15);
        assert_close(moved.y * share, stick.y, 1e-15);
        assert_close(moved.turn * share, stick.turn, 1e-15);
    }
}

// Goal: the corrected law stays within -1 .. 1 and reaches both ends. Method: reference C4's grid,
// 321 x 321 sticks, 21 turns to either side; roundings may add 1e-15.
static void the_corrected_law_needs_no_clamp(void **state)
{
    (void)state;
    ib_MixingModel model = xdrive(IB_MIXING_CORRECTED);
    double low = 0, high = 0, output[MOTORS];
    for (int n = 0; n < 321 * 321; n++)
        for (int k = -20; k <= 20; k++) {
            ib_Stick stick = {(n % 321 - 160) / 160.0, ((int)(n / 321) - 160) / 160.0, k / 20.0};
            ib_mixing_outputs(&model, &stick, output);
            for (int i = 0; i < MOTORS; i++) {
                low = output[i] < low ? output[i] : low;
                high = output[i] > high ? output[i] : high;
            }
        }
    assert_close(low, -1, 1e-15);
    assert_close(high, 1, 1e-15);
}

// Goal: the corrected turn is continuous: along an axis of the stick it changes with at most 2 T.
// Method: random neighbours, some across a diagonal, some across rest.
static void the_corrected_turn_does_not_jump(void **state)
{
    (void)state;
    uint64_t seed = 4;
    ib_MixingModel model = xdrive(IB_MIXING_CORRECTED);
    double steepest = 0;
    for (int n = 0; n < 200000; n++) {
        double x = spread_signed(&seed), y = n % 4 ? spread_signed(&seed) : n % 8 ? x : -x;
        double T = spread_signed(&seed), step = n % 2 ? 0.1 * spread_signed(&seed) : 1e-6;
        double moved = fmin(fmax(x + step, -1), 1), with[2][MOTORS], without[2][MOTORS];
        for (int k = 0; k < 2; k++) {
            ib_mixing_outputs(&model, &(ib_Stick){k ? moved : x, y, T}, with[k]);
            ib_mixing_outputs(&model, &(ib_Stick){k ? moved : x, y, 0}, without[k]);
        }
        for (int i = 0; i < MOTORS; i++) {
            double change = fabs(with[1][i] - without[1][i] - with[0][i] + without[0][i]);
            double allowed = 2 * fabs(T) * fabs(moved - x);
            assert_true(change <= allowed + 1e-15);
            if (step > 0.01 && fabs(T) > 0.01) steepest = fmax(steepest, change / allowed);
        }
    }
    assert_close(steepest, 1, 1e-9); // 2 T is not too much
}

// Goal: the corrected law bends the path while it turns, by 45 degrees at full stick to the left.
// Method: reference C4.
static void the_corrected_law_bends_the_path(void **state)
{
    (void)state;
    ib_MixingModel model = xdrive(IB_MIXING_CORRECTED);
    double output[MOTORS];
    ib_mixing_outputs(&model, &(ib_Stick){-1, 0, 1}, output);
    ib_Stick moved = ib_xdrive_motion(output);
    assert_close(moved.x, -0.5, 0);
    assert_close(moved.y, -0.5, 0);
    assert_close(moved.turn, 0.5, 0);
}

// Goal: it is told where the published law has no case. Method: reference C3's sectors: to the
// right of (24), to the left of (27), the upper left diagonal of (23); never without a turn.
static void undefined_sectors_are_told(void **state)
{
    (void)state;
    ib_MixingModel published = xdrive(IB_MIXING_PUBLISHED), corrected = xdrive(IB_MIXING_CORRECTED);
    static const ib_Stick none[] = {{1, 0.5, 1}, {0.2, -0.1, 0.1}, {-1, 0.5, -1}, {-0.5, 0.5, -1}};
    static const ib_Stick some[] = {{1, 0.5, -1}, {-1, 0.5, 1}, {-0.5, 0.5, 1}, {0, 1, 1},
                                    {1, 0.5, 0},  {0, 0, 1},    {0, 0, -1},     {1, 1, 1}};
    for (int i = 0; i < 4; i++) {
        assert_true(ib_mixing_undefined(&published, &none[i]));
        assert_false(ib_mixing_undefined(&corrected, &none[i]));
    }
    for (int i = 0; i < 8; i++) assert_false(ib_mixing_undefined(&published, &some[i]));
    // f = [1, 0.5, -1, -0.5]; t = [1 + y, 1 + x, none, 2 (-|y| - x) + (1 + x)].
    const double expected[] = {1 + 1.5, 0.5, -1, -0.5 + 1};
    assert_outputs(&published, (ib_Stick){-1, 0.5, -1}, expected, 1e-15);
}

// Goal: dead zone and curve are in front of every law. Method: r = 0.5 with d = 0.2 and squares is
// (3/8)^2 along the same direction; within the dead zone there is nothing.
static void the_stick_is_shaped_first(void **state)
{
    (void)state;
    for (int law = IB_MIXING_STANDARD; law <= IB_MIXING_CORRECTED; law++) {
        ib_MixingModel plain = xdrive(law), shaped;
        ib_MixingConfig config = {law, 0.2, IB_STICK_SQUARED};
        double expected[MOTORS], s = 0.375 * 0.375;
        assert_int_equal(ib_mixing_init(&config, MOTORS, ib_xdrive_roll, &shaped, NULL), IB_OK);
        ib_mixing_outputs(&plain, &(ib_Stick){0.6 * s, -0.8 * s, 0.25}, expected);
        assert_outputs(&shaped, (ib_Stick){0.3, -0.4, 0.6}, expected, 1e-15);
        assert_outputs(&shaped, (ib_Stick){0.1, 0.15, 0.2}, (double[4]){0}, 0);
        // In the dead zone of the turn nothing of it is left that could be undefined.
        assert_false(ib_mixing_undefined(&shaped, &(ib_Stick){1, 0, 0.2}));
    }
}

// Goal: a stick that a frame has turned out of its square is within it again, its direction kept.
// Method: a corner turned by 45 degrees is full stick to the right.
static void a_turned_corner_is_full_stick(void **state)
{
    (void)state;
    ib_Stick turned = ib_stick_in_frame(&(ib_Stick){1, 1, 0}, PI / 4);
    for (int law = IB_MIXING_STANDARD; law <= IB_MIXING_CORRECTED; law++) {
        ib_MixingModel model = xdrive(law);
        assert_outputs(&model, turned, (double[4]){-1, -1, 1, 1}, 1e-15);
    }
}

// ------------------------------------------------------------------------------------ other wheels

// Goal: kiwi. Method: three wheels that roll around the robot's middle at 0, 120 and 240 degrees:
// forward turns them with -sin, left with cos; wheels of 5 cm, 20 cm from the middle.
static void a_kiwi_is_mixed(void **state)
{
    (void)state;
    double roll[3][3];
    for (int i = 0; i < 3; i++) {
        double a = i * 2 * PI / 3, r = 0.05;
        roll[i][0] = -sin(a) / r, roll[i][1] = cos(a) / r, roll[i][2] = 0.2 / r;
    }
    ib_MixingModel model = mixing(IB_MIXING_STANDARD, 3, (const double(*)[3])roll);
    assert_outputs(&model, (ib_Stick){1, 0, 0}, (double[3]){-1, 0.5, 0.5}, 1e-15);
    assert_outputs(&model, (ib_Stick){0, 1, 0}, (double[3]){0, -1, 1}, 0);
    assert_outputs(&model, (ib_Stick){0, 0, 1}, (double[3]){-1, -1, -1}, 0);
    assert_outputs(&model, (ib_Stick){1, 1, 0}, (double[3]){-1 / 1.5, -0.5 / 1.5, 1}, 1e-15);
    assert_outputs(&model, (ib_Stick){-0.2, 0.3, -0.1}, (double[3]){0.3, -0.3, 0.3}, 1e-15);
}

// Goal: an H-drive: two wheels a side and one across in the middle. Method: by hand.
static void an_h_drive_is_mixed(void **state)
{
    (void)state;
    static const double roll[5][3] = {
        {20, 0, -4}, {20, 0, -4}, {20, 0, 4}, {20, 0, 4}, {0, 25, 0},
    };
    ib_MixingModel model = mixing(IB_MIXING_STANDARD, 5, roll);
    assert_outputs(&model, (ib_Stick){1, 0, 0}, (double[5]){0, 0, 0, 0, -1}, 0);
    assert_outputs(&model, (ib_Stick){0, 1, 0}, (double[5]){1, 1, 1, 1, 0}, 0);
    assert_outputs(&model, (ib_Stick){0, 0, 1}, (double[5]){1, 1, -1, -1, 0}, 0);
    assert_outputs(&model, (ib_Stick){1, 1, 1}, (double[5]){1, 1, 0, 0, -0.5}, 0);
}

// Goal: an axis that no wheel moves along does nothing, even where a sine left 1e-16 of it. Method:
// a tank's two sides, whose directions come from a cosine of 90 degrees.
static void an_axis_without_wheels_does_nothing(void **state)
{
    (void)state;
    const double roll[2][3] = {{20, 20 * cos(PI / 2), -6}, {20, -20 * cos(PI / 2), 6}};
    ib_MixingModel model = mixing(IB_MIXING_STANDARD, 2, roll);
    assert_outputs(&model, (ib_Stick){1, 0, 0}, (double[2]){0, 0}, 0);
    assert_outputs(&model, (ib_Stick){1, 0.5, 0.25}, (double[2]){0.75, 0.25}, 0);
}

// Goal: an X-drive by its angles is one, to the bit. Method: wheels of any size at 45, 135, 225 and
// 315 degrees, across their diagonals.
static void an_xdrive_by_its_angles_is_one(void **state)
{
    (void)state;
    double roll[MOTORS][3];
    for (int i = 0; i < MOTORS; i++) {
        // Front right, front left, back left, back right; all roll counter-clockwise.
        double a = (-45 + 90 * i) * PI / 180, r = 0.0508;
        roll[i][0] = -sin(a) / r, roll[i][1] = cos(a) / r, roll[i][2] = 0.21 / r;
    }
    ib_MixingModel model = mixing(IB_MIXING_CORRECTED, MOTORS, (const double(*)[3])roll);
    ib_MixingModel exact = xdrive(IB_MIXING_CORRECTED);
    assert_memory_equal(model.column, exact.column, sizeof exact.column);
}

// ---------------------------------------------------------------------------------------- refusals

static void assert_refused(ib_MixingConfig config, int count, const double (*roll)[3],
                           const char *begin, const char *words)
{
    ib_MixingModel model;
    ib_Error error = {0};
    assert_int_equal(ib_mixing_init(&config, count, roll, &model, &error), IB_BAD_INPUT);
    if (strncmp(error.text, begin, strlen(begin)) || !strstr(error.text, words))
        fail_msg("'%s' does not begin with '%s' or say '%s'", error.text, begin, words);
}

// Goal: the laws for an X-drive refuse other wheels, and say what they expected. Method: three
// wheels, five, mecanum wheels (whose motors turn backwards on one side), a robot longer than wide.
static void other_wheels_are_refused(void **state)
{
    (void)state;
    static const double mecanum[4][3] = {{1, -1, -1}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}};
    static const double slanted[4][3] = {{1, 0.9, 1}, {-1, 0.9, 1}, {-1, -1, 1}, {1, -1, 1}};
    static const double five[5][3] = {{1, 1, 1}, {-1, 1, 1}, {-1, -1, 1}, {1, -1, 1}, {0, 1, 0}};
    for (int law = IB_MIXING_PUBLISHED; law <= IB_MIXING_CORRECTED; law++) {
        ib_MixingConfig config = {.law = law};
        assert_refused(config, 3, ib_xdrive_roll, "mixing: ", "expected 4 motors, got 3");
        assert_refused(config, 5, five, "mixing: ", "expected 4 motors, got 5");
        assert_refused(config, 4, mecanum, "mixing: ", "expected motor 1 to turn with -1, 1, -1");
        assert_refused(config, 4, slanted, "mixing: ", "got -0.9, 1, -1");
        assert_refused(config, 4, mecanum, "mixing: ", ib_mixing_laws[law]);
    }
}

// Goal: numbers out of range are refused by their key. Method: each in turn.
static void bad_numbers_are_refused(void **state)
{
    (void)state;
    static const double endless[1][3] = {{1, INFINITY, 0}};
    const struct {
        ib_MixingConfig config;
        const char *begin;
    } bad[] = {{{.law = 3}, "mixing: expected standard"},
               {{.law = -1}, "mixing: expected standard"},
               {{.dead_zone = 1}, "dead_zone: expected 0 to below 1, got 1"},
               {{.dead_zone = -0.1}, "dead_zone: "},
               {{.dead_zone = NAN}, "dead_zone: "},
               {{.curve = 3}, "curve: expected linear"}};
    for (int i = 0; i < 6; i++)
        assert_refused(bad[i].config, MOTORS, ib_xdrive_roll, bad[i].begin, "expected");
    assert_refused(ib_mixing_default(), 0, ib_xdrive_roll, "mixing: expected 1 to 16", "got 0");
    assert_refused(ib_mixing_default(), 17, ib_xdrive_roll, "mixing: expected 1 to 16", "got 17");
    assert_refused(ib_mixing_default(), 1, endless, "mixing: expected finite", "motor 1");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_law_has_the_table),
        cmocka_unit_test(turns_are_the_references),
        cmocka_unit_test(the_standard_law_divides_by_the_largest),
        cmocka_unit_test(the_standard_law_keeps_the_direction),
        cmocka_unit_test(the_corrected_law_needs_no_clamp),
        cmocka_unit_test(the_corrected_turn_does_not_jump),
        cmocka_unit_test(the_corrected_law_bends_the_path),
        cmocka_unit_test(undefined_sectors_are_told),
        cmocka_unit_test(the_stick_is_shaped_first),
        cmocka_unit_test(a_turned_corner_is_full_stick),
        cmocka_unit_test(a_kiwi_is_mixed),
        cmocka_unit_test(an_h_drive_is_mixed),
        cmocka_unit_test(an_axis_without_wheels_does_nothing),
        cmocka_unit_test(an_xdrive_by_its_angles_is_one),
        cmocka_unit_test(other_wheels_are_refused),
        cmocka_unit_test(bad_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
