// test/control/test_odometry.c: where a robot with any wheels is, against closed forms of its way
// and of its errors.
#include "cmocka_all.h"

#include "base/maths.h"
#include "control/odometry/odometry.h"
#include "spread.h"

#include <string.h>

#define DEG (3.14159265358979323846 / 180)

enum { WHEELS = 4, STATES = IB_ODOMETRY_STATES };

// A wheel at (x, y), rolling along `direction`, whose rim slides freely along `roller` from there:
// what it rolls is what the floor's velocity across the rollers leaves,
//   s = (sin(d + r) vx - cos(d + r) vy)/sin r,   vx = forward - y turn,   vy = left + x turn
// r = 90 deg: along its direction alone.
static ib_WheelRow wheel(double x, double y, double direction, double roller)
{
    double a = ib_sin((direction + roller) * DEG) / ib_sin(roller * DEG);
    double b = -ib_cos((direction + roller) * DEG) / ib_sin(roller * DEG);
    return (ib_WheelRow){a, b, b * x - a * y};
}

// Robots that are 0.4 m wide and long, or 0.25 m from the middle to a wheel.
static ib_OdometryConfig layout(const char *name)
{
    ib_OdometryConfig config = {.period = 0.25, .count = 4};
    for (int i = 0; i < 4; i++) {
        double x = i < 2 ? 0.2 : -0.2, y = i % 2 ? -0.2 : 0.2, turned = i == 0 || i == 3 ? -1 : 1;
        if (strcmp(name, "x") == 0) config.rows[i] = wheel(x, y, 45 * turned, 90);
        if (strcmp(name, "mecanum") == 0) config.rows[i] = wheel(x, y, 0, -45 * turned);
        if (strcmp(name, "tank") == 0) config.rows[i] = wheel(x, y, 0, 90);
    }
    for (int i = 0; strcmp(name, "kiwi") == 0 && i < 3; i++) {
        double at = (60 + 120 * i) * DEG;
        config.count = 3;
        config.rows[i] = wheel(0.25 * ib_cos(at), 0.25 * ib_sin(at), 150 + 120 * i, 90);
    }
    if (strcmp(name, "h") == 0) {
        config.count = 3;
        config.rows[0] = wheel(0, 0.2, 0, 90);
        config.rows[1] = wheel(0, -0.2, 0, 90);
        config.rows[2] = wheel(-0.05, 0, 90, 90);
    }
    return config;
}

static const char *const names[4] = {"x", "mecanum", "kiwi", "h"};

static ib_OdometryModel make(const ib_OdometryConfig *config)
{
    ib_OdometryModel model;
    ib_Error error;
    if (ib_odometry_init(config, &model, &error) != IB_OK) fail_msg("%s", error.text);
    return model;
}

static void assert_refused(const ib_OdometryConfig *config, const char *words)
{
    ib_OdometryModel model;
    ib_Error error;
    assert_int_equal(ib_odometry_init(config, &model, &error), IB_BAD_INPUT);
    if (!strstr(error.text, words)) fail_msg("'%s' does not say '%s'", error.text, words);
}

// What the rims roll with these ways, or speeds.
static void roll(const ib_OdometryConfig *config, double ahead, double left, double turn,
                 double *rim)
{
    for (int i = 0; i < config->count; i++)
        rim[i] = config->rows[i].forward * ahead + config->rows[i].left * left +
                 config->rows[i].turn * turn;
}

// Goal: an arc, driven sideways too, is exact whatever the layout and the period, and the rims
// agree. Method: (0.8, -0.5) m/s and 0.7 rad/s for 4 s at 0.25 s, with each source of heading, as
// ways and as speeds:  x = (u sin - v (1 - cos))/w,   y = (u (1 - cos) + v sin)/w  of 2.8 rad.
static void arcs_are_exact(void **state)
{
    (void)state;
    double u = 0.8, v = -0.5, w = 0.7, s = ib_sin(2.8), c = 1 - ib_cos(2.8);
    for (int n = 0; n < 4 * 3 * 2; n++) {
        ib_OdometryConfig config = layout(names[n % 4]);
        config.gyro = (ib_OdometryGyro)(n / 4 % 3);
        config.speeds = n >= 12;
        ib_OdometryModel model = make(&config);
        double x[STATES], rim[WHEELS];
        ib_odometry_reset(0, 0, 0, x);
        for (int k = 0; k <= 16; k++) {
            double t = config.speeds ? 1 : k * config.period;
            roll(&config, u * t, v * t, w * t, rim);
            bool angle = config.gyro == IB_ODOMETRY_BY_HEADING;
            ib_odometry_step(&model, rim, angle ? 1 + w * k * config.period : w, NULL, x);
            assert_close(x[IB_ODOMETRY_RESIDUAL], 0, 1e-13);
        }
        assert_close(x[IB_ODOMETRY_X], (u * s - v * c) / w, 1e-12);
        assert_close(x[IB_ODOMETRY_Y], (u * c + v * s) / w, 1e-12);
        assert_close(x[IB_ODOMETRY_HEADING], 2.8, 1e-12);
        assert_close(x[IB_ODOMETRY_FORWARD], u, 1e-12);
        assert_close(x[IB_ODOMETRY_LEFT], v, 1e-12);
        assert_close(x[IB_ODOMETRY_YAW_RATE], w, 1e-12);
    }
}

// Goal: a rim that a module turns tells of both ways, by the module's angle. Method: the arc above
// by four modules, each of which looks along its own way, as ways and as speeds, with each source
// of heading; a module that looks back rolls back. Of one that is missed the others tell.
static void modules_tell_by_their_angles(void **state)
{
    (void)state;
    double u = 0.8, v = -0.5, w = 0.7, s = ib_sin(2.8), c = 1 - ib_cos(2.8);
    for (int n = 0; n < 3 * 2 * 2; n++) {
        ib_OdometryConfig config = {.period = 0.25, .count = WHEELS, .angled = true};
        config.gyro = (ib_OdometryGyro)(n % 3);
        config.speeds = n / 3 % 2;
        for (int i = 0; i < WHEELS; i++) {
            config.rows[2 * i] = (ib_WheelRow){1, 0, i % 2 ? 0.2 : -0.2};
            config.rows[2 * i + 1] = (ib_WheelRow){0, 1, i < 2 ? 0.2 : -0.2};
        }
        ib_OdometryModel model = make(&config);
        double x[STATES], rim[2 * WHEELS];
        ib_odometry_reset(0, 0, 0, x);
        for (int k = 0; k <= 16; k++) {
            double t = config.speeds ? 1 : k * config.period;
            for (int i = 0; i < WHEELS; i++) {
                double vx = u + config.rows[2 * i].turn * w;
                double vy = v + config.rows[2 * i + 1].turn * w, back = i == 1 ? -1 : 1;
                rim[i] = back * sqrt(vx * vx + vy * vy) * t;
                rim[WHEELS + i] = ib_atan2(back * vy, back * vx);
                if (n >= 6 && i == k % 4 && k > 0) rim[i] = NAN;
            }
            bool angle = config.gyro == IB_ODOMETRY_BY_HEADING;
            ib_odometry_step(&model, rim, angle ? w * k * config.period : w, NULL, x);
            assert_close(x[IB_ODOMETRY_RESIDUAL], 0, 1e-12);
        }
        assert_close(x[IB_ODOMETRY_X], (u * s - v * c) / w, 1e-12);
        assert_close(x[IB_ODOMETRY_Y], (u * c + v * s) / w, 1e-12);
        assert_close(x[IB_ODOMETRY_HEADING], 2.8, 1e-12);
    }
}

// Goal: what the rims do not tell is told by wheels that hold, and never against the rims. Method:
// two driven wheels on the rear axle, 0.3 m behind the origin, which wheels without rollers hold
// sideways: on an arc the origin moves to the left by 0.3 w. The way of the arc is exact, with and
// without a gyro, also where more is held (the turn of a skid-steered robot) than is true.
static void what_is_held_is_not_moved(void **state)
{
    (void)state;
    double u = 0.8, w = 0.7, v = 0.3 * w, s = ib_sin(2.8), c = 1 - ib_cos(2.8);
    for (int n = 0; n < 4; n++) {
        ib_OdometryConfig config = {.period = 0.25, .count = 2};
        config.rows[0] = wheel(-0.3, 0.2, 0, 90);
        config.rows[1] = wheel(-0.3, -0.2, 0, 90);
        config.hold_count = n < 2 ? 1 : 2;
        config.holds[0] = wheel(-0.3, 0, 90, 90);
        config.holds[1] = (ib_WheelRow){0.1, 0, 0.4};
        config.gyro = n % 2 ? IB_ODOMETRY_BY_RATE : IB_ODOMETRY_BY_RIMS;
        ib_OdometryModel model = make(&config);
        double x[STATES], rim[WHEELS];
        ib_odometry_reset(0, 0, 0, x);
        for (int k = 0; k <= 16; k++) {
            double t = k * config.period;
            roll(&config, u * t, v * t, w * t, rim);
            ib_odometry_step(&model, rim, w, NULL, x);
            assert_close(x[IB_ODOMETRY_RESIDUAL], 0, 1e-13);
        }
        assert_close(x[IB_ODOMETRY_X], (u * s - v * c) / w, 1e-12);
        assert_close(x[IB_ODOMETRY_Y], (u * c + v * s) / w, 1e-12);
        assert_close(x[IB_ODOMETRY_HEADING], 2.8, 1e-12);
        assert_close(x[IB_ODOMETRY_LEFT], v, 1e-12);
    }
    ib_OdometryConfig one = {.period = 0.01, .count = 1, .hold_count = 1};
    one.rows[0] = wheel(0, 0, 0, 90);
    one.holds[0] = wheel(0, 0, 90, 90);
    assert_refused(&one, "no rim tells of turning");
}

// Goal: of second order where velocities vary within a period. Method: an X-drive with (1 + cos t,
// sin 2t) m/s and cos 3t rad/s for 3 s, as speeds; halve the period twice; the error against 64
// times as many falls fourfold, +-10 %.
static void errors_fall_fourfold(void **state)
{
    (void)state;
    double end[4][2], error[3];
    static const int steps[4] = {75, 150, 300, 19200};
    for (int n = 0; n < 4; n++) {
        ib_OdometryConfig config = layout("x");
        config.period = 3.0 / steps[n];
        config.speeds = true;
        ib_OdometryModel model = make(&config);
        double x[STATES], rim[WHEELS];
        ib_odometry_reset(0, 0, 0, x);
        for (int k = 0; k <= steps[n]; k++) {
            double t = k * config.period;
            roll(&config, 1 + ib_cos(t), ib_sin(2 * t), ib_cos(3 * t), rim);
            ib_odometry_step(&model, rim, 0, NULL, x);
        }
        end[n][0] = x[IB_ODOMETRY_X], end[n][1] = x[IB_ODOMETRY_Y];
    }
    for (int n = 0; n < 3; n++) error[n] = hypot(end[n][0] - end[3][0], end[n][1] - end[3][1]);
    assert_close(error[0] / error[1], 4, 0.4);
    assert_close(error[1] / error[2], 4, 0.4);
}

// Goal: noise of the encoders does what least squares say. Method: an X-drive that stands, with a
// good gyro, ways with noise of 1 mm: A'A of forward and left is diag(2, 2), so that the place is
// off by the noise of two samples over sqrt(2), 1 mm, after any time; and of four rims two are
// left over, so that the mean square of the residual is 2/4 of that of the noise, 2 (1 mm/T)^2.
// 500 seeds of 40 samples; 4 standard errors, 13 % and, of 500*40*2 squares, 4 % with neighbours
// that share a sample.
static void noise_does_what_least_squares_say(void **state)
{
    (void)state;
    ib_OdometryConfig config = layout("x");
    config.period = 0.01;
    config.gyro = IB_ODOMETRY_BY_RATE;
    ib_OdometryModel model = make(&config);
    double squares[2] = {0}, residual = 0, s = 1e-3;
    for (uint64_t seed = 0; seed < 500; seed++) {
        double x[STATES], rim[WHEELS];
        ib_odometry_reset(0, 0, 0, x);
        for (int k = 0; k <= 40; k++) {
            for (int i = 0; i < 4; i++) rim[i] = s * chance_normal(seed, (uint64_t)i, (uint64_t)k);
            ib_odometry_step(&model, rim, 0, NULL, x);
            residual += x[IB_ODOMETRY_RESIDUAL] * x[IB_ODOMETRY_RESIDUAL] / 20000;
        }
        squares[0] += x[IB_ODOMETRY_X] * x[IB_ODOMETRY_X] / 500;
        squares[1] += x[IB_ODOMETRY_Y] * x[IB_ODOMETRY_Y] / 500;
    }
    assert_close(sqrt(squares[0]), s, 0.13 * s);
    assert_close(sqrt(squares[1]), s, 0.13 * s);
    assert_close(residual, s * s / 1e-4, 0.04 * s * s / 1e-4);
}

// Goal: a wheel that slips shows in the residual. Method: an X-drive at 1 m/s, one rim of which is
// 0.4 m/s too fast. What no motion explains lies along one direction, (1, -1, -1, 1)/2 or so: half
// of it, 0.2 m/s, of which the root mean square of four is 0.1 m/s. With a gyro there are two such
// directions: 0.4 sqrt(1/2)/2 m/s.
static void slip_shows_in_the_residual(void **state)
{
    (void)state;
    for (int n = 0; n < 2; n++) {
        ib_OdometryConfig config = layout("x");
        config.period = 0.01;
        config.speeds = true;
        config.gyro = n == 0 ? IB_ODOMETRY_BY_RIMS : IB_ODOMETRY_BY_RATE;
        ib_OdometryModel model = make(&config);
        double x[STATES], rim[WHEELS];
        ib_odometry_reset(0, 0, 0, x);
        for (int k = 0; k < 10; k++) {
            roll(&config, 1, 0, 0, rim);
            rim[2] += 0.4;
            ib_odometry_step(&model, rim, 0, NULL, x);
        }
        assert_close(x[IB_ODOMETRY_RESIDUAL], n == 0 ? 0.1 : 0.2 * sqrt(0.5), 1e-13);
    }
}

// Goal: three rims of an X-drive do for a fourth that is missed, however the robot moves meanwhile.
// Method: a way with all speeds changing, on which each rim is missed in turn for 20 samples,
// without and with a heading: as with all four, to 1e-12; velocities, a hundredfold, to 1e-10.
static void other_rims_do_for_a_missed_one(void **state)
{
    (void)state;
    for (int n = 0; n < 4; n++) {
        ib_OdometryConfig config = layout(n % 2 ? "mecanum" : "x");
        config.period = 0.01;
        config.gyro = n < 2 ? IB_ODOMETRY_BY_RIMS : IB_ODOMETRY_BY_HEADING;
        ib_OdometryModel model = make(&config);
        double all[STATES], x[STATES], rim[WHEELS];
        ib_odometry_reset(0, 0, 0, all);
        ib_odometry_reset(0, 0, 0, x);
        for (int k = 0; k <= 300; k++) {
            double t = 0.01 * k;
            roll(&config, ib_sin(t), t * t, ib_sin(2 * t), rim);
            ib_odometry_step(&model, rim, ib_sin(2 * t), NULL, all);
            if (k > 0) rim[k / 20 % 4] = k % 3 ? NAN : 1e300;
            ib_odometry_step(&model, rim, ib_sin(2 * t), NULL, x);
            for (int i = 0; i < STATES; i++) assert_close(x[i], all[i], 1e-10);
        }
        for (int i = 0; i < 3; i++) assert_close(x[i], all[i], 1e-12);
    }
}

// Goal: where too few are left the motion goes on as it was, and what was missed is made up for.
// Method: a kiwi on a steady arc, one of whose three rims is missed for ten samples, and all of
// them for ten; the end is exact. Then one that stops while all are missed: the place is right once
// they are back.
static void too_few_rims_roll_on(void **state)
{
    (void)state;
    ib_OdometryConfig config = layout("kiwi");
    config.period = 0.01;
    ib_OdometryModel model = make(&config);
    double x[STATES], rim[WHEELS], u = 0.8, v = -0.5, w = 0.7;
    ib_odometry_reset(0, 0, 0, x);
    for (int k = 0; k <= 400; k++) {
        double t = 0.01 * k;
        roll(&config, u * t, v * t, w * t, rim);
        for (int i = 0; i < 3; i++)
            if ((i == 0 && k > 50 && k <= 60) || (k > 100 && k <= 110)) rim[i] = NAN;
        ib_odometry_step(&model, rim, 0, NULL, x);
        for (int i = 0; i < STATES; i++) assert_true(isfinite(x[i]));
    }
    double s = ib_sin(2.8), c = 1 - ib_cos(2.8);
    assert_close(x[IB_ODOMETRY_X], (u * s - v * c) / w, 1e-11);
    assert_close(x[IB_ODOMETRY_Y], (u * c + v * s) / w, 1e-11);
    ib_odometry_reset(0, 0, 0, x);
    for (int k = 0; k <= 200; k++) {
        roll(&config, fmin(1, 0.01 * k), fmin(0.5, 0.005 * k), 0, rim);
        if (k > 90 && k < 150) rim[0] = rim[1] = rim[2] = INFINITY;
        ib_odometry_step(&model, rim, 0, NULL, x);
    }
    assert_close(x[IB_ODOMETRY_X], 1, 1e-12);
    assert_close(x[IB_ODOMETRY_Y], 0.5, 1e-12);
}

// Goal: a gyro's bias is found at rest. Method: 0.02 rad/s, 0.5 s of rest, then 1 m to the left.
static void a_bias_is_found_at_rest(void **state)
{
    (void)state;
    ib_OdometryConfig config = layout("mecanum");
    config.period = 0.005;
    config.gyro = IB_ODOMETRY_BY_RATE;
    config.settle = 0.5;
    ib_OdometryModel model = make(&config);
    double x[STATES], rim[WHEELS];
    ib_odometry_reset(0, 0, 0, x);
    for (int k = 0; k <= 300; k++) {
        roll(&config, 0, fmax(0, 0.005 * k - 0.5), 0, rim);
        ib_odometry_step(&model, rim, 0.02, NULL, x);
        assert_int_equal(ib_odometry_settles(&model, x), k < 99);
    }
    assert_close(x[IB_ODOMETRY_X], 0, 1e-12);
    assert_close(x[IB_ODOMETRY_Y], 1, 1e-12);
    assert_close(x[IB_ODOMETRY_HEADING], 0, 1e-14);
}

// Two sides, 0.3 m from the middle, which hold it sideways.
static ib_OdometryConfig two_sides(ib_OdometryGyro gyro)
{
    return (ib_OdometryConfig){.period = 5e-3,
                               .count = 2,
                               .rows = {{1, 0, -0.3}, {1, 0, 0.3}},
                               .hold_count = 1,
                               .holds = {{0, 1, 0}},
                               .gyro = gyro};
}

// Goal: errors of the sensors do what the closed form says. Method: one side 1 % too long (circle
// of the mean speed and of the false turn), and a gyro with a bias of 0.02 rad/s on a straight line
// (x = v sin(bt)/b, y = v (1 - cos(bt))/b).
static void sensor_errors_follow_closed_forms(void **state)
{
    (void)state;
    ib_OdometryConfig config = two_sides(IB_ODOMETRY_BY_RIMS);
    ib_OdometryModel model = make(&config);
    double x[STATES];
    ib_odometry_reset(0, 0, 0, x);
    for (int k = 0; k <= 1000; k++) {
        double t = k * config.period, side[2] = {t, 1.01 * t};
        ib_odometry_step(&model, side, 0, NULL, x);
    }
    double w = 0.01 / 0.6, v = 1.005;
    assert_close(x[IB_ODOMETRY_X], v / w * ib_sin(5 * w), 1e-12); // 1000 roundings of terms ~ 5
    assert_close(x[IB_ODOMETRY_Y], v / w * (1 - ib_cos(5 * w)), 1e-12);

    config = two_sides(IB_ODOMETRY_BY_RATE);
    model = make(&config);
    ib_odometry_reset(0, 0, 0, x);
    for (int k = 0; k <= 1000; k++) {
        double t = k * config.period, side[2] = {t, t};
        ib_odometry_step(&model, side, 0.02, NULL, x);
    }
    assert_close(x[IB_ODOMETRY_X], ib_sin(0.1) / 0.02, 1e-12);
    assert_close(x[IB_ODOMETRY_Y], (1 - ib_cos(0.1)) / 0.02, 1e-12);
}

// Goal: missed samples cost nothing once an encoder comes back, and no NaN comes out. Method: on a
// circle ten samples in a row are missed by all three sensors, and each is missed alone at times;
// the motion is steady, so that the end is exact.
static void missed_samples_are_made_up_for(void **state)
{
    (void)state;
    ib_OdometryConfig config = two_sides(IB_ODOMETRY_BY_RATE);
    ib_OdometryModel model = make(&config);
    double x[STATES];
    ib_odometry_reset(0, 0, 0, x);
    for (int k = 0; k <= 1600; k++) {
        double t = k * config.period, side[2] = {(1 - 0.15) * t, (1 + 0.15) * t}, w = 0.5;
        if ((k > 100 && k < 111) || k % 7 == 3) side[0] = NAN;
        if ((k > 100 && k < 111) || k % 11 == 3) side[1] = INFINITY;
        if ((k > 100 && k < 111) || k % 13 == 3) w = -NAN;
        if (k % 101 == 57) side[0] = 1e300, w = 1e300;
        ib_odometry_step(&model, side, w, NULL, x);
        for (int i = 0; i < IB_ODOMETRY_STATES; i++) assert_true(isfinite(x[i]));
    }
    assert_close(x[IB_ODOMETRY_X], ib_sin(4) / 0.5, 1e-10);
    assert_close(x[IB_ODOMETRY_Y], (1 - ib_cos(4)) / 0.5, 1e-10);
    // A distance that jumps while it is missed counts all the same.
    ib_odometry_reset(0, 0, 0, x);
    for (int k = 0; k <= 200; k++) {
        double d = k < 80 ? 0 : fmin(1, 0.01 * (k - 80)), side[2] = {d, d};
        if (k > 90 && k < 150) side[0] = side[1] = NAN;
        ib_odometry_step(&model, side, 0, NULL, x);
    }
    assert_close(x[IB_ODOMETRY_X], 1, 1e-12);
}

// Falls back by a tenth of the sides' speed and drifts to the right with a twentieth of it.
static void slide(const ib_Locomotion *base, const double rim[2], double yaw_rate, double dt,
                  double v[2])
{
    (void)yaw_rate;
    (void)dt;
    assert_non_null(base);
    v[0] = 0.9 * 0.5 * (rim[0] + rim[1]);
    v[1] = -0.05 * 0.5 * (rim[0] + rim[1]);
}

// Goal: a robot that slides is where it slides to. Method: a circle of 1 m/s and 0.5 rad/s with a
// slide of constant share: the chord of a circle, turned and scaled by (0.9, -0.05).
static void a_slide_moves_the_robot(void **state)
{
    (void)state;
    ib_Locomotion base = {.slide = slide};
    ib_OdometryConfig config = two_sides(IB_ODOMETRY_BY_RATE);
    config.base = &base;
    ib_OdometryModel model = make(&config);
    double x[STATES], s = ib_sin(4) / 0.5, c = (1 - ib_cos(4)) / 0.5;
    ib_odometry_reset(0, 0, 0, x);
    for (int k = 0; k <= 1600; k++) {
        double t = k * config.period, side[2] = {(1 - 0.15) * t, (1 + 0.15) * t};
        ib_odometry_step(&model, side, 0.5, NULL, x);
    }
    // It began at rest: the first period has half of both, 0.112 m/s 2.5 ms.
    assert_close(x[IB_ODOMETRY_X], 0.9 * s + 0.05 * c, 2.8e-4);
    assert_close(x[IB_ODOMETRY_Y], 0.9 * c - 0.05 * s, 2.8e-4);
    assert_close(x[IB_ODOMETRY_LEFT], -0.05, 1e-13);
}

// Goal: a heading with noise gives a calm yaw rate, without lag on a ramp. Method: 0.5 rad/s with
// 2 mrad, up and down from sample to sample: the plain difference would be 0.8 rad/s off. Without
// noise the ramp must be met once the filter has settled, 1 s being 30 of its time constants.
static void a_noisy_heading_is_calmed(void **state)
{
    (void)state;
    for (int noisy = 0; noisy < 2; noisy++) {
        ib_OdometryConfig config = two_sides(IB_ODOMETRY_BY_HEADING);
        config.calm = 0.03;
        ib_OdometryModel model = make(&config);
        double x[STATES], side[2] = {0, 0}, worst = 0;
        ib_odometry_reset(0, 0, 0, x);
        for (int k = 0; k <= 400; k++) {
            double yaw = 0.5 * k * config.period + (noisy ? (k % 2 ? 2e-3 : -2e-3) : 0);
            ib_odometry_step(&model, side, yaw, NULL, x);
            if (k > 200) worst = fmax(worst, fabs(x[IB_ODOMETRY_YAW_RATE] - 0.5));
        }
        assert_true(worst < (noisy ? 0.02 : 1e-9));
        if (!noisy) assert_close(x[IB_ODOMETRY_HEADING], 1, 1e-9);
    }
}

// Goal: wheels that cannot tell a motion are refused, and the motion is named. Method: all
// parallel, ahead, across and at 30 deg; on axes that meet in one point; with a gyro, which tells a
// turn but no way.
static void layouts_that_miss_a_motion_are_refused(void **state)
{
    (void)state;
    ib_OdometryConfig config = layout("tank"), one = {.period = 0.01, .count = 1};
    assert_refused(&config, "rows: no rim tells of moving sideways");
    config.gyro = IB_ODOMETRY_BY_RATE;
    assert_refused(&config, "moving sideways");
    for (int i = 0; i < 4; i++) config.rows[i] = wheel(0.2 * i, 0.1 * i, 90, 90);
    assert_refused(&config, "moving forward");
    for (int i = 0; i < 4; i++) config.rows[i] = wheel(0.2 * i, 0.1 * i, 30, 90);
    assert_refused(&config, "moving in the direction of"); // 120 or -60 deg
    config.gyro = IB_ODOMETRY_BY_RIMS;
    for (int i = 0; i < 4; i++) config.rows[i] = wheel(0, 0, 40 * i, 90);
    assert_refused(&config, "turning: expected one that rolls then, or a gyro");
    for (int i = 0; i < 4; i++) config.rows[i] = wheel(0.3, -0.2, 40 * i, 90);
    assert_refused(&config, "turning about x = 0.3 m, y = -0.2 m");
    config.gyro = IB_ODOMETRY_BY_HEADING;
    make(&config);
    one.rows[0] = wheel(0, 0, 0, 90);
    assert_refused(&one, "sideways");
}

// Goal: other things that make no odometry are refused by their keys. Method: one at a time.
static void impossible_values_are_refused(void **state)
{
    (void)state;
    ib_OdometryConfig config = layout("x");
    config.count = 17;
    assert_refused(&config, "count:");
    config = layout("x");
    config.rows[2].left = NAN;
    assert_refused(&config, "rows.2:");
    config = layout("x");
    config.period = 0;
    assert_refused(&config, "period:");
    config = layout("x");
    config.filter = -1;
    assert_refused(&config, "filter:");
    config = layout("x");
    config.gyro = IB_ODOMETRY_BY_RATE;
    config.settle = -1;
    assert_refused(&config, "settle:");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arcs_are_exact),
        cmocka_unit_test(modules_tell_by_their_angles),
        cmocka_unit_test(what_is_held_is_not_moved),
        cmocka_unit_test(errors_fall_fourfold),
        cmocka_unit_test(noise_does_what_least_squares_say),
        cmocka_unit_test(slip_shows_in_the_residual),
        cmocka_unit_test(other_rims_do_for_a_missed_one),
        cmocka_unit_test(too_few_rims_roll_on),
        cmocka_unit_test(a_bias_is_found_at_rest),
        cmocka_unit_test(sensor_errors_follow_closed_forms),
        cmocka_unit_test(missed_samples_are_made_up_for),
        cmocka_unit_test(a_slide_moves_the_robot),
        cmocka_unit_test(a_noisy_heading_is_calmed),
        cmocka_unit_test(layouts_that_miss_a_motion_are_refused),
        cmocka_unit_test(impossible_values_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
