// Claims about src/claims/xdrive/xdrive*.c: the figures of the X-drive document's claims against
// closed forms and reference C1 to C5.
#include "claims_rig.h"

#include "claims/xdrive/xdrive_stick.h"

#include <stdio.h>

static const double PI = 3.14159265358979323846;

static int compute(void **state)
{
    (void)state;
    return rig_compute(&ib_xdrive_claims);
}

// Goal: where driving is wrong, and by how much. Method: reference C1 and C2.
static void driving_is_off_by_eight_degrees(void **state)
{
    (void)state;
    assert_claim("(9)", "f(0, 1)", 1, 0, FALSE);
    assert_claim("(9)", "(9) drives forward", 0.25, 0, FALSE);
    assert_claim("1 Driving", "'hence", 3, 0, FALSE);
    assert_claim("1 Driving", "'the correct direction", 8.130102354, 5e-10, FALSE);
    assert_claim("reference C2", "where that is", atan(0.5) * 180 / PI, 1e-5, HOLDS);
    assert_claim("reference C2", "the largest error of the direction under", 0, 1e-9, HOLDS);
    assert_claim("1 Driving", "x is 'the speed", 0.75, 1e-12, FALSE);
    assert_claim("reference C2", "speed along a diagonal", 0.5, 1e-12, HOLDS);
}

// Goal: what is wrong with which of (22) to (29). Method: reference C3: ranges with T = 1, 2|y| at
// the corner, 1 - 1e-6 next to rest where a sector is left out, and three of 16 directions in it.
static void each_turn_function_has_its_faults(void **state)
{
    (void)state;
    static const struct {
        const char *place, *name;
        double largest, jump, holes, rest;
    } rows[] = {
        {"(22)", "t_1r", 3, 2, 0, 1},        {"(23)", "t_1l", 3, 2, 1, 1},
        {"(24)", "t_2r", 1, 1 - 1e-6, 3, 1}, {"(25)", "t_2l", 1, 0, 0, 1},
        {"(26)", "t_3r", 1, 0, 0, 1},        {"(27)", "t_3l", 1, 1 - 1e-6, 3, 1},
        {"(28)", "t_4r", 3, 0, 0, 1},        {"(29)", "t_4l", 1, 0, 0, 1},
    };
    for (int i = 0; i < 8; i++) {
        char begin[4][40];
        snprintf(begin[0], sizeof begin[0], "%s: f + t", rows[i].name);
        snprintf(begin[1], sizeof begin[1], "%s maintains", rows[i].name);
        snprintf(begin[2], sizeof begin[2], "%s: of 16", rows[i].name);
        snprintf(begin[3], sizeof begin[3], "%s turns", rows[i].name);
        assert_close(rig_claim(rows[i].place, begin[0]).computed, rows[i].largest, 1e-12);
        assert_close(rig_claim(rows[i].place, begin[1]).computed, rows[i].jump, 1e-8);
        assert_close(rig_claim(rows[i].place, begin[2]).computed, rows[i].holes, 0);
        assert_close(rig_claim(rows[i].place, begin[3]).computed, rows[i].rest, 0);
    }
}

// Goal: turning as a whole. Method: C3 and C4; in a corner f is full and 1 - m is nothing.
static void turning_bends_the_path(void **state)
{
    (void)state;
    assert_claim("2 Turning", "'only two", 2, 0, HOLDS);
    assert_claim("2 Turning", "the same at half stick", 8, 0, FALSE);
    assert_claim("2 Turning", "T is 'the speed to turn right': turn to the right at rest", -1, 0,
                 FALSE);
    assert_claim("reference C3", "the eight functions", 5, 0, FALSE);
    assert_claim("reference C3", "the same with T below 0", 3, 0, FALSE);
    assert_claim("2 Turning", "T is 'the speed to turn right': turn to the right in the corner", 0,
                 0, FALSE);
    assert_claim("2 Turning", "corrected, it still drives", 45, 1e-9, FALSE);
    assert_claim("reference C4", "corrected, a turn changes", 2, 1e-9, HOLDS);
}

// How far beyond its goal x" = slope - 25 x - D x' comes from x = 0 with 1 m/s, D < 10: with
// y = x - slope/25, y = e^(-a t) (A cos b t + B sin b t).
static double stop(double D)
{
    double middle = 9.80665 * sin(5 * PI / 180) / 25, a = D / 2, b = sqrt(25 - a * a);
    double A = -middle, B = (1 + a * A) / b, t = atan2(b * B - a * A, a * B + b * A) / b;
    return middle + exp(-a * t) * (A * cos(b * t) + B * sin(b * t));
}

// The largest deceleration of x" = -25 x - D x' from x = -1 at rest until it stops.
static double peak(double D)
{
    double a = D / 2, b = sqrt(25 - a * a), most = 0;
    for (int k = 0; k <= 100000; k++) {
        double t = k * 1e-5 * PI / b;
        double back = exp(-a * t) * 25 * (a / b * sin(b * t) - cos(b * t));
        most = fmax(most, back);
    }
    return most;
}

// Goal: more D brakes more, downhill too. Method: the closed forms of the damped oscillator. 1e-6:
// the first step at which the speed is not above 0 may be 0.1 ms late, where it hardly moves.
static void more_damping_stops_sooner(void **state)
{
    (void)state;
    double slope = 9.80665 * sin(5 * PI / 180);
    assert_claim("3 PID", "'a higher D", (8 - slope) / (2 - slope), 1e-12, FALSE);
    assert_claim("3 PID", "the same: way", stop(8) / stop(2), 1e-6, FALSE);
    assert_claim("3 PID", "'useful", stop(8) / stop(0), 1e-6, HOLDS);
    assert_claim("3 PID", "the same, of the largest", peak(8) / peak(2), 1e-4, HOLDS);
}

// Goal: P stops short, I arrives. Method: x" = -25 x - 8 x' - 1 swings about -0.04 m and comes to
// its first stop e^(-pi zeta/sqrt(1 - zeta^2)) beyond it, where friction holds it; steps of 0.1 ms
// of first order leave 1e-4.
static void the_integral_overcomes_friction(void **state)
{
    (void)state;
    assert_claim("3 PID", "'very little power", 0.04 - 0.96 * exp(-PI * 0.8 / 0.6), 1e-4, HOLDS);
    assert_true(rig_claim("3 PID", "the integral is used").computed < 1e-4);
}

// Goal: sums of rates, and a stick in the driver's frame. Method: half of a sample's way, 180 deg/s
// x 20 ms/2; 300 deg/s for 150 s are 500 quarter turns; reference C5.
static void sums_and_frames(void **state)
{
    (void)state;
    assert_claim("4 Gyro", "(33) is the angle", 0, 1e-12, HOLDS);
    assert_claim("4 Gyro", "(33) in the middle", 1.8, 1e-9, HOLDS);
    assert_claim("4 Gyro", "the sum was", log10(500), 1e-12, FALSE);
    assert_claim("4.1", "(34), the robot as it started", 0, 1e-15, FALSE);
    assert_claim("4.1", "(34), a quarter", 0, 1e-15, FALSE);
    assert_claim("4.1", "the same where atan2", -1, 1e-15, FALSE);
    assert_claim("4.1", "the same, and a counted clockwise", 1, 1e-15, HOLDS);
}

// Goal: route 6.1 needs no turn, unless forward is what (9) has. Method: a quarter of the full turn
// for two seconds.
static void the_first_route_needs_no_turn(void **state)
{
    (void)state;
    assert_claim("6.1", "'requires no turns'", 0, 0, HOLDS);
    assert_claim("6.1", "the same route", 0.5, 0, FALSE);
}

static void assert_answer(int law, ib_Stick stick, double driven, double error, double speed,
                          double turn)
{
    ib_XdriveAnswer answer;
    ib_xdrive_answer(law, &stick, &answer);
    assert_close(answer.driven, driven, 5e-7); // six digits behind the point
    assert_close(answer.error, error, 5e-7);
    assert_close(answer.speed, speed, 1e-12);
    assert_close(answer.turn, turn, 1e-12);
}

// Goal: the answer to one stick. Method: reference C2 and C4; [1, -1, -1, 3] is cut to
// [1, -1, -1, 1], which drives straight on and turns nothing.
static void one_stick_is_answered(void **state)
{
    (void)state;
    double slow = sqrt(0.5);
    assert_answer(IB_MIXING_PUBLISHED, (ib_Stick){0.6, 0.8, 0}, 59.036243, 5.906141,
                  hypot(0.3, 0.5), 0);
    assert_answer(IB_MIXING_STANDARD, (ib_Stick){0.6, 0.8, 0}, 53.130102, 0, 1 / 1.4, 0);
    assert_answer(IB_MIXING_CORRECTED, (ib_Stick){-1, 0, 1}, -135, 45, slow, 0.5);
    assert_answer(IB_MIXING_STANDARD, (ib_Stick){-1, 0, 1}, 180, 0, 0.5, 0.5);
    assert_answer(IB_MIXING_PUBLISHED, (ib_Stick){0, 1, 1}, 90, 0, 1, 0);
    ib_XdriveAnswer answer;
    ib_xdrive_answer(IB_MIXING_PUBLISHED, &(ib_Stick){0, 0, 1}, &answer);
    assert_true(isnan(answer.commanded) && isnan(answer.driven) && isnan(answer.error));
    assert_false(answer.undefined);
    ib_xdrive_answer(IB_MIXING_PUBLISHED, &(ib_Stick){1, 0.5, 1}, &answer);
    assert_true(answer.undefined);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(driving_is_off_by_eight_degrees),
        cmocka_unit_test(each_turn_function_has_its_faults),
        cmocka_unit_test(turning_bends_the_path),
        cmocka_unit_test(more_damping_stops_sooner),
        cmocka_unit_test(the_integral_overcomes_friction),
        cmocka_unit_test(sums_and_frames),
        cmocka_unit_test(the_first_route_needs_no_turn),
        cmocka_unit_test(one_stick_is_answered),
    };
    return cmocka_run_group_tests(tests, compute, rig_forget);
}
