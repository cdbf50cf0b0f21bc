// Tests of the PID controller: its arithmetic by hand, closed forms of filter and anti-windup, a
// change of gains, and closed loops with noise, a disturbance and limits, watched every period.
#include "control/feedback/pid_controller.h"

#include "cmocka_all.h"
#include "spread.h"

#include <string.h>

static ib_Error error;
static ib_PidModel model;
static double memory[IB_PID_STATES];

static void assert_ok(ib_Status status)
{
    if (status != IB_OK) fail_msg("%s", error.text);
}

static void start(const ib_PidConfig *config, double period)
{
    assert_ok(ib_pid_init(config, period, &model, &error));
    ib_pid_reset(&model, memory);
}

static double step_to(double wanted, double measured)
{
    ib_ProfilePoint r = {wanted, 0, 0};
    return ib_pid_step(&model, &r, measured, 0, memory);
}

// ---------------------------------------------------------------------------------- the arithmetic

// Goal: a period is the arithmetic of control/feedback/pid.h. Method: every term, binary fractions,
// so that every number here is exact and computed by hand.
static void three_periods_by_hand(void **state)
{
    (void)state;
    ib_PidConfig config = {2,        4,   0.5,  0.125, 100, 0.25, {-10, 10},
                           INFINITY, 0.5, 0.25, 0.5,   1,   0.25};
    start(&config, 0.125);
    assert_true(model.track == 0.5 && model.fade == 0.8);
    ib_ProfilePoint r = {3, 1, 2};
    // g = 0, e = 2, f = 0.25 + 0.5 + 1 + 0.5 + 0.5, w = 4 + 0 + 0 + 2.75; I = 0.125 * 4 * 2
    assert_true(ib_pid_step(&model, &r, 1, 0.5, memory) == 6.75);
    // g = (0.125 * 0 + 0.125 - 0.5)/0.25 = -1.5, e = 1.5, w = 3 + 1 - 0.75 + 2.75; I = 1 + 0.75
    assert_true(ib_pid_step(&model, &r, 1.5, 0.5, memory) == 6);
    // g = (0.125 * -1.5 + 0.125 - 0)/0.25 = -0.25, e = 7.5, w = 15 + 1.75 - 0.125 + 2.75
    r.position = 9;
    assert_true(ib_pid_output(&model, &r, 1.5, 0.5, memory) == 10);
    ib_PidShares shares = ib_pid_shares(&model, memory);
    assert_true(shares.proportional == 15 && shares.integral == 1.75 && shares.output == 10);
    assert_true(shares.derivative == -0.125 && shares.feedforward == 2.75 && shares.carry == 0);
    assert_true(shares.wanted == 19.375);
    // I = 1.75 + 3.75 + 0.5 (10 - 19.375); had the plant got 8: with 8 and a fortieth of the span
    // of 20, by which a u may be rounded, in place of 10
    double other[IB_PID_STATES];
    memcpy(other, memory, sizeof other);
    ib_pid_update(&model, memory);
    assert_true(ib_pid_shares(&model, memory).integral == 0.8125);
    ib_pid_applied(8, other);
    ib_pid_update(&model, other);
    assert_true(ib_pid_shares(&model, other).integral == 0.0625);
}

// The mean of v' = -v + u - 0.5 after it has come to r, with u rounded down to steps and told.
static double mean_when_rounded(const ib_PidConfig *config, double size, double goal)
{
    start(config, 0.01);
    ib_ProfilePoint r = {goal, 0, 0};
    double v = 0, mean = 0;
    for (int k = 0; k < 8000; k++) {
        double u = size * floor(ib_pid_output(&model, &r, v, 0, memory) / size);
        ib_pid_applied(u, memory);
        ib_pid_update(&model, memory);
        v += 0.01 * (u - v - 0.5);
        if (k >= 4000) mean += v / 4000;
    }
    return mean;
}

// Goal: an output that is only rounded leaves no error. Method: steps of 10 mV to half a volt, of
// an output within +-12 V and of one whose integral alone is: the mean is the goal, to a tenth of
// what one step is worth, where it takes 1.5 V to be and where it takes 20 mV. (Giving way to every
// difference would leave step / (2 kp).)
static void a_rounded_output_leaves_no_error(void **state)
{
    (void)state;
    for (double size = 0.01; size <= 0.5; size *= 7) {
        ib_PidConfig config = ib_pid_default();
        config.proportional = 2, config.integral = 4;
        ib_PidConfig limited = config;
        limited.limits[0] = -12, limited.limits[1] = 12;
        config.integral_limit = 12;
        for (double goal = 1; goal > -1; goal -= 1.48) {
            assert_close(mean_when_rounded(&limited, size, goal), goal, 0.1 * size);
            assert_close(mean_when_rounded(&config, size, goal), goal, 0.1 * size);
        }
    }
}

// Goal: a step of the goal kicks with kp only. Method: kd = 50, at rest; the jump is kp times 1.
static void a_step_of_the_goal_does_not_kick(void **state)
{
    (void)state;
    ib_PidConfig config = ib_pid_default();
    config.proportional = 4, config.derivative = 50, config.filter_time = 0.01;
    start(&config, 0.005);
    assert_true(step_to(0, 0) == 0 && step_to(0, 0) == 0);
    assert_true(step_to(1, 0) == 4);
}

// Goal: the filter gives the slope of a ramp, and the noise that theory says. Method: a slope of 3
// at T = 5 ms, Tf = 20 ms is reached to 1e-9 after 2 s. White noise of deviation s gives a rate of
// variance 2 s^2/((Tf + T)(2 Tf + T)): the sum over the squares of the impulse response. 40000
// samples estimate it to 1 %; 3 % are allowed.
static void the_filtered_rate_is_right(void **state)
{
    (void)state;
    const double T = 0.005, Tf = 0.02;
    ib_PidConfig config = ib_pid_default();
    config.derivative = 1, config.filter_time = Tf;
    start(&config, T);
    double u = 0, squares = 0;
    for (int k = 0; k <= 400; k++) u = step_to(0, 3 * T * k);
    assert_close(u, -3, 1e-9);

    start(&config, T);
    const int samples = 40000;
    for (int k = 0; k < samples; k++) {
        u = step_to(0, 1e-3 * chance_normal(5, 0, (uint64_t)k));
        squares += u * u;
    }
    double theory = 2e-6 / ((Tf + T) * (2 * Tf + T));
    assert_close(squares / samples / theory, 1, 0.03);
}

// Goal: where angles wrap, the error goes the shorter way and the rate does not see the seam.
// Method: wanted -170 deg, measured 170 deg: 20 deg to go. Then 1 deg a period across the seam.
static void a_heading_turns_the_shorter_way(void **state)
{
    (void)state;
    const double deg = 3.14159265358979323846 / 180;
    ib_PidConfig config = ib_pid_default();
    config.proportional = 1, config.wrap = 360 * deg;
    start(&config, 0.01);
    assert_close(step_to(-170 * deg, 170 * deg), 20 * deg, 1e-14);
    assert_close(step_to(10 * deg, 730 * deg), 0, 1e-14);
    assert_close(step_to(0, -350 * deg), -10 * deg, 1e-14);

    config.proportional = 0, config.derivative = 1;
    start(&config, 0.01);
    for (int k = 0; k < 40; k++) {
        double heading = 160 + k, u = step_to(0, (heading >= 180 ? heading - 360 : heading) * deg);
        assert_close(u, k == 0 ? 0 : -100 * deg, 1e-12);
    }
}

// Goal: missed samples hold the feedback and do no harm later. Method: NaN for three periods: the
// output stays, the integral too; then the rate is that of four periods. A goal that is not finite
// and measurements of 1e308 are missed samples too.
static void missed_samples_are_stepped_over(void **state)
{
    (void)state;
    ib_PidConfig config = ib_pid_default();
    config.proportional = 2, config.integral = 1, config.derivative = 1;
    config.limits[0] = -1e9, config.limits[1] = 1e9;
    start(&config, 0.5);
    assert_true(step_to(1, NAN) == 0); // nothing is known yet
    step_to(1, 0);
    double u = step_to(1, 0.25); // e = 0.75, g = -0.5, I = 0.5
    assert_true(u == 1.5 - 0.5 + 0.5);
    for (int k = 0; k < 3; k++) assert_true(step_to(1, k == 1 ? INFINITY : NAN) == u + 0.375);
    assert_true(step_to(1, 1.25) == -0.5 - 0.5 + 0.875); // g = -1/(4 * 0.5)

    step_to(NAN, 1);
    step_to(1, 1e308);
    step_to(1, -1e308);
    for (int k = 0; k < 3; k++) u = step_to(1, 1);
    assert_true(isfinite(u) && fabs(u) < 10);
}

// ------------------------------------------------------------------------------------- anti-windup

// Periods until the output leaves its limit, when an error of 1 lasted for `held` periods
// and then becomes -0.5.
static int periods_at_the_limit(int held)
{
    ib_pid_reset(&model, memory);
    for (int k = 0; k < held; k++) step_to(1, 0);
    for (int k = 0; k < 1000000; k++)
        if (step_to(-0.5, 0) < 2) return k;
    return -1;
}

// Goal: how long a limit lasted does not matter for how soon it is left. Method: an integral alone,
// ki = 10, limit 2. Back-calculation lets it pass the limit by Tt ki e, and it falls back to it,
// dw/dt = -(w - 2)/Tt + ki e, in Tt ln(1 + 1/0.5). At T = 1 ms, Tt = 0.1 s that is 110 periods;
// Euler is off by T/2Tt = 0.5 %, and counting whole periods by 1. Without it, ten times as long at
// the limit takes ten times as long to leave.
static void a_limit_is_left_in_a_time_known_beforehand(void **state)
{
    (void)state;
    ib_PidConfig config = ib_pid_default();
    config.integral = 10, config.tracking_time = 0.1;
    config.limits[0] = -2, config.limits[1] = 2;
    start(&config, 0.001);
    double theory = 0.1 * log(3) / 0.001;
    assert_close(periods_at_the_limit(3000), theory, 2);
    assert_close(ib_pid_shares(&model, memory).output, 2, 0.01);
    assert_int_equal(periods_at_the_limit(3000), periods_at_the_limit(300000));

    config.tracking_time = 1e6;
    start(&config, 0.001);
    assert_close(periods_at_the_limit(3000), (30 - 2) / 5.0 * 1000, 20);

    // With kp and Tt = kp/ki, as by default, it is left at once: w - 2 -> Tt ki e = kp e, which the
    // turn of the error takes away.
    config.proportional = 1, config.tracking_time = 0;
    start(&config, 0.001);
    assert_int_equal(periods_at_the_limit(3000), 0);
}

// Goal: the integral has its own limit, and is left alone by limits where there is none. Method: a
// lasting error; and a controller without ki that was cut comes back as if nothing had been.
static void the_integral_stays_within_its_limit(void **state)
{
    (void)state;
    ib_PidConfig config = ib_pid_default();
    config.proportional = 1, config.integral = 5, config.integral_limit = 0.75;
    start(&config, 0.01);
    for (int k = 0; k < 1000; k++) assert_true(step_to(k < 500 ? 1 : -1, 0) <= 1.75);
    assert_true(ib_pid_shares(&model, memory).integral == -0.75);

    config.integral = 0, config.limits[0] = -1, config.limits[1] = 1;
    start(&config, 0.01);
    for (int k = 0; k < 100; k++) assert_true(step_to(50, 0) == 1);
    assert_true(step_to(0.5, 0) == 0.5);
}

// --------------------------------------------------------------------------------- change of gains

static double repeat_with(const ib_PidModel *gains, double measured)
{
    ib_ProfilePoint r = {1, 0.3, -0.2};
    double copy[IB_PID_STATES];
    memcpy(copy, memory, sizeof copy);
    return ib_pid_output(gains, &r, measured, 0.4, copy);
}

// Goal: new gains do not bump the output, and their trace fades. Method: with a lasting error and a
// wanted motion, everything changes three times: all gains, no integral any more, a narrower limit
// of the integral. The same inputs give the same output, to rounding (2e-14 of 20 V). What is
// carried is 1/1.01 of itself each period.
static void a_change_of_gains_does_not_bump(void **state)
{
    (void)state;
    const ib_PidConfig gains[] = {
        {8, 3, 0.5, 0.02, 5, 0, {-40, 40}, INFINITY, 1, 1, 0.2, 2, 0.1},
        {20, 30, 2, 0.02, 5, 0, {-40, 40}, INFINITY, 1, 0, 0, 0, 0},
        {2, 0, 0, 0.02, 5, 0, {-40, 40}, INFINITY, 1, 1, 0.2, 2, 0.1},
        {8, 3, 0, 0.02, 0.1, 0, {-40, 40}, INFINITY, 1, -1, 1, 3, 0},
    };
    const ib_ProfilePoint r = {1, 0.3, -0.2};
    const double y = 0.1;
    start(&gains[0], 0.01);
    for (int i = 1; i < 4; i++) {
        ib_PidModel after;
        assert_ok(ib_pid_init(&gains[i], 0.01, &after, &error));
        // So long that the filtered rate stays as it is.
        for (int k = 0; k < 2000; k++) ib_pid_step(&model, &r, y, 0.4, memory);
        double before = repeat_with(&model, y);
        ib_pid_change(&model, &after, memory);
        assert_close(repeat_with(&after, y), before, 4e-13);
        double carry = ib_pid_shares(&after, memory).carry;
        assert_true(fabs(carry) > 0.5);
        ib_pid_update(&after, memory);
        assert_close(ib_pid_shares(&after, memory).carry, carry / 1.01, 1e-14);
        model = after;
    }
}

// ---------------------------------------------------------------------------------------- the loop

// A carriage: x' = v, v' = -2 v + 3 (u + d), exact over a period with u and d held:
//   v -> c + (v - c) q,   x -> x + c T + (v - c)(1 - q)/2,    c = 1.5 (u + d), q = e^-2T
typedef struct Carriage {
    double x, v;
} Carriage;

static void drive(Carriage *carriage, double input, double T)
{
    double c = 1.5 * input, q = exp(-2 * T), v = carriage->v;
    carriage->v = c + (v - c) * q;
    carriage->x += c * T + (v - c) * (1 - q) / 2;
}

// Three poles at -6/s:  s^3 + (2 + 3 kd) s^2 + 3 kp s + 3 ki = (s + 6)^3
static ib_PidConfig carriage_gains(void)
{
    ib_PidConfig config = ib_pid_default();
    config.proportional = 36, config.integral = 72, config.derivative = 16.0 / 3;
    config.filter_time = 0.01;
    config.limits[0] = -12, config.limits[1] = 12;
    config.integral_limit = 10;
    return config;
}

// Goal: the closed loop holds its goal with noise, a constant disturbance and saturation. Method:
// 1 m at 200 Hz, encoder noise of 0.1 mm, and from 4 s on a drag worth 3 V; limits watched every
// period. The linear loop would overshoot by 5 e^-3 (y = 1 + (36 t^2 - 6 t - 1) e^-6t at 0.5 s);
// cut off, it shall not be more. At the end the mean error over 2 s is below 0.05 mm (the noise of
// the mean, 0.1 mm times 2 s worth of correlated samples, is a third of it), and the integral's
// share is the drag's 3 V.
static void holds_its_goal_with_noise_and_drag(void **state)
{
    (void)state;
    const double T = 0.005;
    ib_PidConfig config = carriage_gains();
    start(&config, T);
    Carriage carriage = {0};
    double beyond = 0, mean = 0, integral = 0;
    int cut = 0;
    for (int k = 0; k < 1600; k++) {
        double y = carriage.x + 1e-4 * chance_normal(3, 0, (uint64_t)k);
        double u = step_to(1, y);
        ib_PidShares shares = ib_pid_shares(&model, memory);
        assert_true(u >= -12 && u <= 12 && fabs(shares.integral) <= 10);
        cut += fabs(u) == 12;
        drive(&carriage, u - (k < 800 ? 0 : 3), T);
        if (k < 800) beyond = fmax(beyond, carriage.x - 1);
        if (k == 799) assert_close(carriage.x, 1, 1e-3); // ten noises
        if (k >= 1200) mean += (carriage.x - 1) / 400, integral += shares.integral / 400;
    }
    assert_true(cut > 20);
    assert_true(beyond < 5 * exp(-3));
    assert_close(mean, 0, 5e-5);
    assert_close(integral, 3, 0.03);
}

// The most that the carriage passes 2 m by, from rest, with this tracking time.
static double overshoot(double tracking_time)
{
    ib_PidConfig config = carriage_gains();
    config.tracking_time = tracking_time, config.integral_limit = INFINITY;
    start(&config, 0.005);
    Carriage carriage = {0};
    double most = 0;
    for (int k = 0; k < 1600; k++) {
        drive(&carriage, step_to(2, carriage.x), 0.005);
        most = fmax(most, carriage.x - 2);
    }
    return most;
}

// Goal: anti-windup is worth having. Method: the same step of 2 m, which saturates, with and
// without it; it shall take away at least two thirds of the overshoot.
static void anti_windup_takes_the_overshoot_away(void **state)
{
    (void)state;
    assert_true(overshoot(0) < overshoot(1e6) / 3);
}

// Goal: with noise, a disturbance and saturation an integral does not wind up: no overshoot at
// all, where the law allows none. Method: the carriage's speed, v' = -2 v + 3 (u - d), by a PI
// whose kp/ki is its time constant, with Tt = kp/ki by default. Then I' = 2 (u - I): whatever the
// limits do, v comes to be 1.5 (I - d), so that the loop asks for 2 v/3 + d + kp (r - v), and v'
// has the sign of r - v. 5 s at 0, then 15 m/s, which cannot be had beyond 1.5 (12 - d), for 5 s,
// then 6 m/s for 5 s; d = 3, speeds with noise of 5 mm/s. The speed is off by less than the noise
// that the loop passes on, 5 mm/s sqrt(kp 3 T/2) = 0.9 mm/s, of which five.
static void noise_and_a_push_wind_nothing_up(void **state)
{
    (void)state;
    const double T = 0.005, goals[3] = {0, 15, 6};
    ib_PidConfig config = ib_pid_default();
    config.proportional = 4, config.integral = 8;
    config.limits[0] = -12, config.limits[1] = 12;
    start(&config, T);
    Carriage carriage = {0};
    for (int k = 0; k < 3000; k++) {
        double goal = goals[k / 1000];
        double u = step_to(goal, carriage.v + 5e-3 * chance_normal(5, 0, (uint64_t)k));
        assert_true(u >= -12 && u <= 12);
        drive(&carriage, u - 3, T);
        if (k >= 800 && k < 1000) assert_close(carriage.v, 0, 5 * 0.9e-3);
        if (k >= 1000 && k < 2000) assert_true(carriage.v <= 13.5);
        if (k == 1999) assert_close(carriage.v, 13.5, 13.5 * exp(-10) + 0.01);
        if (k == 2000) assert_true(u < -11.9); // kp (6 - 13.5) + 12: the other limit, at once
        if (k >= 2000) assert_true(carriage.v >= 6 - 5 * 0.9e-3);
    }
    assert_close(carriage.v, 6, 5 * 0.9e-3);
}

// Goal: in a loop with noise and drag a step of the goal kicks with kp only. Method: the carriage
// holds 0 against 3 V for 2 s, then is sent 0.2 m away: the output jumps by 36 times 0.2 = 7.2 V,
// but for the noise of two samples, 0.1 mm kd/(Tf + T) sqrt(6) = 0.09 V, of which five. A
// derivative of the error would ask for 71 V more.
static void a_step_in_a_loop_does_not_kick(void **state)
{
    (void)state;
    const double T = 0.005;
    ib_PidConfig config = carriage_gains();
    start(&config, T);
    Carriage carriage = {0};
    double before = 0;
    for (int k = 0; k <= 400; k++) {
        double y = carriage.x + 1e-4 * chance_normal(4, 0, (uint64_t)k);
        double u = step_to(k < 400 ? 0 : 0.2, y);
        if (k == 400) assert_close(u - before, 7.2, 5 * 0.09);
        drive(&carriage, u - 3, T);
        before = u;
    }
}

// The largest error while a trapezoid of 2 m is followed.
static double following_error(double share)
{
    ib_PidConfig config = carriage_gains();
    config.feed_velocity = share * 2 / 3, config.feed_acceleration = share / 3;
    start(&config, 0.005);
    ib_ProfileLimits limits = {1.5, 3, 0};
    ib_ProfilePoint r = {0}, goal = {2, 0, 0};
    Carriage carriage = {0};
    double most = 0;
    for (int k = 0; k < 600; k++) {
        drive(&carriage, ib_pid_step(&model, &r, carriage.x, 0, memory), 0.005);
        assert_ok(ib_profile_next(&limits, &goal, 0.005, &r, &error));
        most = fmax(most, fabs(r.position - carriage.x));
    }
    return most;
}

// Goal: feed-forward follows a profile, feedback only mends. Method: kv = 2/3, ka = 1/3 invert the
// carriage exactly; held over a period they are late by T/2, at 3 m/s^2 and 5 ms less than 1 mm in
// all. Without them the error is at least ten times as large.
static void feed_forward_follows_a_profile(void **state)
{
    (void)state;
    double with = following_error(1), without = following_error(0);
    assert_true(with < 1e-3);
    assert_true(without > 10 * with);
}

// -------------------------------------------------------------------------------------- parameters

extern const ib_ControllerKind ib_pid_kind;

// Goal: parameters have the units of what is measured and put out, and the defaults of
// ib_pid_default. Method: tables for several pairs of units, values written in other units.
static void parameters_carry_their_units(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"m/s", "V"}, {"1", "1"}, {"Pa", "1"}, {"1", "N*m"}};
    ib_Arena arena = {0};
    ib_Schema table;
    ib_PidControllerConfig *config = ib_arena_alloc(&arena, ib_pid_kind.config_size);
    ib_PidConfig plain = ib_pid_default();
    assert_non_null(config);
    for (int i = 0; i < 4; i++) {
        config->pid = plain;
        config->pid.proportional = 9;
        assert_true(ib_controller_params(&ib_pid_kind, pairs[i][0], pairs[i][1], &arena, &table));
        assert_ok(ib_schema_default(&table, config, &error));
        assert_memory_equal(&config->pid, &plain, sizeof plain);
    }
    assert_true(ib_controller_params(&ib_pid_kind, "rad", "V", &arena, &table));
    const struct {
        const char *key, *unit, *text;
        double value;
    } read[] = {
        {"kp", "V/rad", "2 V/rad", 2},
        {"ki", "V/(rad*s)", "3 V/rad/s", 3},
        {"kd", "V*s/rad", "0.5 V*s/rad", 0.5},
        {"feedforward.acceleration", "V*s^2/rad", "1 V*s^2/rad", 1},
        {"filter_time", "s", "20 ms", 0.02},
        {"integral_limit", "V", "off", INFINITY},
        {"wrap", "rad", "1 rev", 6.283185307179586},
    };
    for (int i = 0; i < 7; i++) {
        const ib_Param *param = ib_schema_find(&table, read[i].key);
        assert_string_equal(param->unit, read[i].unit);
        assert_ok(ib_schema_set(param, read[i].text, config, &error));
        double value;
        memcpy(&value, (const char *)config + param->offset, sizeof value);
        assert_true(value == read[i].value);
    }
    const ib_Param *kp = ib_schema_find(&table, "kp");
    assert_ok(ib_schema_set(kp, "2 V/deg", config, &error));
    assert_close(config->pid.proportional, 2 * 57.29577951308232, 1e-13);
    assert_int_equal(ib_schema_set(kp, "2", config, &error), IB_BAD_INPUT);
    assert_int_equal(ib_schema_set(kp, "2 V/m", config, &error), IB_BAD_INPUT);
    ib_arena_reset(&arena);
}

// Goal: what makes no controller is refused, by name. Method: one thing wrong at a time.
static void refuses_what_makes_no_controller(void **state)
{
    (void)state;
    ib_PidConfig bad[8];
    static const char *const named[] = {"one sign",       "filter_time", "limits", "wrap",
                                        "integral_limit", "kp:",         "period", "feedforward"};
    for (int i = 0; i < 8; i++) bad[i] = carriage_gains();
    bad[0].derivative = -1;
    bad[1].filter_time = -1;
    bad[2].limits[1] = -12;
    bad[3].wrap = 0;
    bad[4].integral_limit = NAN;
    bad[5].proportional = NAN;
    bad[7].feed_static = INFINITY;
    for (int i = 0; i < 8; i++) {
        assert_int_equal(ib_pid_init(&bad[i], i == 6 ? 0 : 0.01, &model, &error), IB_BAD_INPUT);
        assert_non_null(strstr(error.text, named[i]));
    }
    // A controller that acts in reverse is one.
    ib_PidConfig reverse = carriage_gains();
    reverse.proportional *= -1, reverse.integral *= -1, reverse.derivative *= -1;
    assert_ok(ib_pid_init(&reverse, 0.01, &model, &error));
    assert_close(model.track, 0.01 / sqrt(reverse.derivative / reverse.integral), 1e-15);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_periods_by_hand),
        cmocka_unit_test(a_rounded_output_leaves_no_error),
        cmocka_unit_test(a_step_of_the_goal_does_not_kick),
        cmocka_unit_test(the_filtered_rate_is_right),
        cmocka_unit_test(a_heading_turns_the_shorter_way),
        cmocka_unit_test(missed_samples_are_stepped_over),
        cmocka_unit_test(a_limit_is_left_in_a_time_known_beforehand),
        cmocka_unit_test(the_integral_stays_within_its_limit),
        cmocka_unit_test(a_change_of_gains_does_not_bump),
        cmocka_unit_test(holds_its_goal_with_noise_and_drag),
        cmocka_unit_test(anti_windup_takes_the_overshoot_away),
        cmocka_unit_test(noise_and_a_push_wind_nothing_up),
        cmocka_unit_test(a_step_in_a_loop_does_not_kick),
        cmocka_unit_test(feed_forward_follows_a_profile),
        cmocka_unit_test(parameters_carry_their_units),
        cmocka_unit_test(refuses_what_makes_no_controller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
