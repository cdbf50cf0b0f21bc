// An inertial measurement unit by itself: its filter against the limits that theory gives, its
// faults by statistics with closed forms.
#include "sensor/imu.h"
#include "sensor_rig.h"

#include <string.h>

enum { STREAM = 4711, ROOM = 256 };
enum { HEADING, PITCH, ROLL, RATE_X, RATE_Y, RATE_Z, FORCE_X, FORCE_Y, FORCE_Z, SIGNALS };

static const double g = 9.80665;

// A unit with a sample each millisecond.
typedef struct Unit {
    ib_SensorConfig config;
    double state[ROOM];
    int64_t index;
} Unit;

static void make(Unit *unit, const Setting *settings)
{
    const char *key;
    assert_int_equal(rig_sensor("imu", "rad", settings, &unit->config, &key), IB_OK);
}

static void start(Unit *unit, const double *truth)
{
    assert_in_range(ib_sensor_states(&unit->config), 1, ROOM);
    ib_sensor_reset(&unit->config, truth, unit->state);
    unit->index = 0;
    ib_sensor_update(&unit->config, 1, STREAM, 0, truth, unit->state);
}

static void sample(Unit *unit, const double *truth)
{
    ib_sensor_update(&unit->config, 1, STREAM, ++unit->index, truth, unit->state);
}

static void hold(Unit *unit, const double *truth, int samples)
{
    for (int i = 0; i < samples; i++) sample(unit, truth);
}

// Attitude, rates and weight of a body that turns in its place:
//   w = (r' - h' sin p,   p' cos r + h' cos p sin r,   -p' sin r + h' cos p cos r)
static void turning(double t, double truth[SIGNALS])
{
    double h = 0.3 + 0.5 * t, p = 0.2 * sin(3 * t), r = 0.3 * sin(2 * t);
    double dh = 0.5, dp = 0.6 * cos(3 * t), dr = 0.6 * cos(2 * t);
    const double values[SIGNALS] = {h,
                                    p,
                                    r,
                                    dr - dh * sin(p),
                                    dp * cos(r) + dh * cos(p) * sin(r),
                                    -dp * sin(r) + dh * cos(p) * cos(r),
                                    -g * sin(p),
                                    g * cos(p) * sin(r),
                                    g * cos(p) * cos(r)};
    memcpy(truth, values, sizeof values);
}

// Goal: without faults it shows rates and forces to the bit and follows the attitude, whole turns
// included, by gyros alone and with the filter. Method: a known motion of 20 s; the mean of two
// rates over a period T leaves T^2/12 |w x w'| < 3e-7 rad/s of drift.
static void attitude_follows_a_known_motion(void **unused)
{
    (void)unused;
    static const char *const times[] = {"1 s", "1e6 s"};
    for (int k = 0; k < 2; k++) {
        Unit unit;
        double truth[SIGNALS];
        make(&unit, (Setting[]){{"filter_time", times[k]}, {NULL, NULL}});
        turning(0, truth);
        start(&unit, truth);
        for (int i = 1; i <= 20000; i++) {
            turning(1e-3 * i, truth);
            sample(&unit, truth);
            assert_memory_equal(unit.state + RATE_X, truth + RATE_X, 6 * sizeof *truth);
            for (int s = 0; s < 3; s++) assert_close(unit.state[s], truth[s], 6e-6);
        }
    }
}

// Goal: a gyro's bias b across the vertical tilts by asin(b tau), and along it turns the heading by
// b t. Method: b = 0.02 rad/s, tau = 2 s, at tau and at 20 tau; to b T, T the period.
static void bias_leaves_bias_times_time(void **unused)
{
    (void)unused;
    const double rest[SIGNALS] = {[FORCE_Z] = g};
    Unit unit;
    make(&unit, (Setting[]){{"gyro_bias_x", "0.02 rad/s"}, {"filter_time", "2 s"}, {NULL, NULL}});
    start(&unit, rest);
    hold(&unit, rest, 2000);
    assert_close(unit.state[ROLL], 0.04 * (1 - exp(-1)), 3e-5);
    hold(&unit, rest, 38000);
    assert_close(unit.state[ROLL], asin(0.04), 2.1e-5);
    assert_close(unit.state[PITCH], 0, 1e-12);
    make(&unit, (Setting[]){{"gyro_bias_z", "0.02 rad/s"}, {NULL, NULL}});
    start(&unit, rest);
    hold(&unit, rest, 10000);
    assert_close(unit.state[HEADING], 0.2, 1e-12);
    assert_close(unit.state[ROLL], 0, 1e-12);
}

// Goal: a body that is shaken forward is taken to pitch, by (a/g)/sqrt(1 + (W tau)^2); forces
// whose size is off g by more than the band are left out. Method: a = 0.5 m/s^2, W = 3 rad/s, tau =
// 1 s, the largest pitch of a cycle after 20 tau, to 1 % ((a/g)^2/2 = 0.13 %, T/tau = 0.1 %); then
// 5 m/s^2, at which |f|/g = 1.122.
static void shaking_is_taken_for_pitch(void **unused)
{
    (void)unused;
    double truth[SIGNALS] = {[FORCE_Z] = g}, most = 0;
    Unit unit;
    make(&unit, NULL);
    start(&unit, truth);
    for (int i = 1; i <= 22500; i++) {
        truth[FORCE_X] = 0.5 * sin(3e-3 * i);
        sample(&unit, truth);
        if (i > 20000) most = fmax(most, fabs(unit.state[PITCH]));
    }
    assert_close(most, 0.5 / g / sqrt(10), 0.01 * 0.5 / g / sqrt(10));
    truth[FORCE_X] = 0;
    start(&unit, truth);
    truth[FORCE_X] = 5;
    hold(&unit, truth, 5000);
    assert_close(unit.state[PITCH], 0, 0);
}

// Goal: off the origin the turn is felt. Method: 0.2 m ahead, at w = 3 rad/s about z and growing by
// 4 rad/s^2:  -w^2 x forward, w' x to the left.
static void turn_is_felt_off_the_origin(void **unused)
{
    (void)unused;
    double truth[SIGNALS] = {[RATE_Z] = 3 - 4e-3, [FORCE_Z] = g};
    Unit unit;
    make(&unit, (Setting[]){{"x", "0.2 m"}, {NULL, NULL}});
    start(&unit, truth);
    truth[RATE_Z] = 3;
    sample(&unit, truth);
    assert_close(unit.state[FORCE_X], -9 * 0.2, 1e-12);
    assert_close(unit.state[FORCE_Y], 4 * 0.2, 1e-9);
    assert_close(unit.state[FORCE_Z], g, 0);
}

// Goal: scale, bias, steps and range act in this order on each axis. Method: by hand.
static void faults_act_in_order(void **unused)
{
    (void)unused;
    const double truth[SIGNALS] = {[RATE_X] = 1, [RATE_Y] = 10, [FORCE_Y] = -30, [FORCE_Z] = g};
    Unit unit;
    make(&unit, (Setting[]){{"gyro_scale", "1.5"},
                            {"gyro_bias_x", "0.2 rad/s"},
                            {"gyro_quantum", "0.25 rad/s"},
                            {"gyro_range", "5 rad/s"},
                            {"accelerometer_bias_z", "0.1 m/s^2"},
                            {"accelerometer_range", "20 m/s^2"},
                            {NULL, NULL}});
    start(&unit, truth);
    assert_close(unit.state[RATE_X], 1.75, 0); // 1.7, to the nearest quarter
    assert_close(unit.state[RATE_Y], 5, 0);
    assert_close(unit.state[FORCE_Y], -20, 0);
    assert_close(unit.state[FORCE_Z], g + 0.1, 0);
}

// Goal: every axis has noise of its own, and a bias that wanders as K sqrt(t). Method: 4096 samples
// at rest, deviations and correlations of the axes within 4 standard errors; 400 units for 1 s, K =
// 0.01, the deviation within 4/sqrt(800) = 14 %.
static void noise_of_the_axes_is_their_own(void **unused)
{
    (void)unused;
    enum { COUNT = 4096 };
    const double rest[SIGNALS] = {[FORCE_Z] = g};
    static double seen[6][COUNT];
    Unit unit;
    make(&unit, (Setting[]){{"gyro_noise", "0.02 rad/s"},
                            {"accelerometer_noise", "0.02 m/s^2"},
                            {NULL, NULL}});
    start(&unit, rest);
    for (int i = 0; i < COUNT; i++) {
        sample(&unit, rest);
        for (int a = 0; a < 6; a++) seen[a][i] = unit.state[RATE_X + a] - rest[RATE_X + a];
    }
    for (int a = 0; a < 6; a++)
        for (int b = 0; b <= a; b++) {
            double sum = 0;
            for (int i = 0; i < COUNT; i++) sum += seen[a][i] * seen[b][i] / (0.02 * 0.02);
            assert_close(sum / COUNT, a == b, (a == b ? 4 * sqrt(2) : 4) / sqrt(COUNT));
        }
    double squares = 0;
    make(&unit, (Setting[]){{"gyro_drift", "0.01 rad/s"}, {NULL, NULL}});
    for (uint64_t seed = 0; seed < 400; seed++) {
        ib_sensor_reset(&unit.config, rest, unit.state);
        for (int i = 0; i <= 1000; i++)
            ib_sensor_update(&unit.config, seed, STREAM, i, rest, unit.state);
        squares += unit.state[RATE_Y] * unit.state[RATE_Y];
    }
    assert_close(sqrt(squares / 400), 0.01, 0.14 * 0.01);
}

// Goal: all its signals are late by the latency, a lost sample keeps all of them, and a copy of the
// state goes on with the same bits. Method: beside a unit that is not late.
static void values_are_late_together(void **unused)
{
    (void)unused;
    enum { LATE = 3, COUNT = 50 };
    double truth[SIGNALS], now[COUNT][SIGNALS];
    Unit unit, late, copy;
    make(&unit, (Setting[]){{"gyro_noise", "0.02 rad/s"}, {NULL, NULL}});
    late = unit;
    late.config.latency = LATE * late.config.period;
    turning(0, truth);
    start(&unit, truth);
    start(&late, truth);
    for (int i = 0; i < COUNT; i++) {
        turning(1e-3 * (i + 1), truth);
        sample(&unit, truth);
        sample(&late, truth);
        memcpy(now[i], unit.state, sizeof now[i]);
        if (i >= LATE) assert_memory_equal(late.state, now[i - LATE], sizeof now[i]);
        if (i == 20) copy = late;
        if (i > 20) sample(&copy, truth);
    }
    assert_memory_equal(copy.state, late.state,
                        (size_t)ib_sensor_states(&late.config) * sizeof *copy.state);
    unit.config.loss = 1;
    hold(&unit, (double[SIGNALS]){0}, 10);
    assert_memory_equal(unit.state, now[COUNT - 1], sizeof now[0]);
}

static void impossible_filters_are_refused(void **unused)
{
    (void)unused;
    ib_SensorConfig config;
    const char *key;
    const Setting quick[] = {{"filter_time", "0.5 ms"}, {NULL, NULL}};
    assert_int_equal(rig_sensor("imu", "rad", quick, &config, &key), IB_BAD_INPUT);
    assert_string_equal(key, "filter_time");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attitude_follows_a_known_motion),
        cmocka_unit_test(bias_leaves_bias_times_time),
        cmocka_unit_test(shaking_is_taken_for_pitch),
        cmocka_unit_test(turn_is_felt_off_the_origin),
        cmocka_unit_test(faults_act_in_order),
        cmocka_unit_test(noise_of_the_axes_is_their_own),
        cmocka_unit_test(values_are_late_together),
        cmocka_unit_test(impossible_filters_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
