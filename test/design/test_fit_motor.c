// Tests of the motor fit, on motions of a motor whose constants are known. How honest its intervals
// are: test_fit_coverage.c
#include "fit_rig.h"

#include <stdlib.h>

static ib_Error error;
static Record record;

// Up and down again as slowly, so that nothing ever changes fast.
static double gentle(double t)
{
    return t < 16.0 ? 0.5 * fmin(t, 16.0 - t) : -0.5 * fmin(t - 16.0, 32.0 - t);
}

// ------------------------------------------------------------------------------------------- tests

// Goal: without noise the constants come back. Method: both tests in one log; 1e-4 of the value,
// since the end of a ramp falls between two samples of the voltage.
static void clean_log_gives_the_constants_back(void **state)
{
    (void)state;
    Bench b = rig_drive();
    ib_FitMotor fit = rig_fitted_run(&b, &record);
    assert_close(fit.kS.value, b.kS, 1e-4 * b.kS);
    assert_close(fit.kV.value, b.kV, 1e-4 * b.kV);
    assert_close(fit.kA.value, b.kA, 1e-4 * b.kA);
    assert_close(fit.delay.value, 0.0, 1e-4); // a hundredth of a sample
    assert_int_equal(fit.missing, 0);
    assert_int_equal(fit.stretches, 4);
    assert_true(fit.r_squared > 0.999999);
    assert_true(fit.kG.value == 0.0 && !fit.kG.fitted);
}

// Goal: the intervals are honest. Method: 200 seeds of noise of 0.1 m/s; the truth must lie within
// the 95 % interval in 90 to 99 % of them (binomial: 190 +- 3 of 200), for each constant.
static void intervals_hold_the_truth_in_19_of_20(void **state)
{
    (void)state;
    Bench b = rig_drive();
    b.period = 0.02;
    b.duration = 5.6;
    b.volts = rig_fast;
    b.noise = 0.1;
    b.delay = 0.03;
    int inside[4] = {0};
    for (b.seed = 1; b.seed <= 200; b.seed++) {
        ib_FitMotor fit = rig_fitted_run(&b, &record);
        inside[0] += fabs(fit.kS.value - b.kS) <= fit.kS.half;
        inside[1] += fabs(fit.kV.value - b.kV) <= fit.kV.half;
        inside[2] += fabs(fit.kA.value - b.kA) <= fit.kA.half;
        inside[3] += fabs(fit.delay.value - b.delay) <= fit.delay.half;
    }
    for (int i = 0; i < 4; i++) assert_in_range(inside[i], 180, 198);
}

// Goal: the fit of one step is biased by noise, this one is not. Method: 0.1 m/s at 10 ms; noise
// of variance s^2 beside a spread S^2 of the speed shrinks `a` by 1 - s^2/S^2, and with it the
// time constant; the true kA must be in the interval, and the interval within 5 %.
static void noise_does_not_move_the_values(void **state)
{
    (void)state;
    Bench b = rig_drive();
    b.noise = 0.1;
    b.seed = 3;
    ib_FitMotor fit = rig_fitted_run(&b, &record);
    rig_assert_inside(fit.kS, b.kS);
    rig_assert_inside(fit.kV, b.kV);
    rig_assert_inside(fit.kA, b.kA);
    assert_true(fit.kA.half < 0.05 * b.kA);
    assert_close(fit.rms, b.noise, 0.05 * b.noise); // 1 800 samples: 1.7 %
    assert_true(fit.one_step.valid && fit.one_step.kA < 0.9 * b.kA);
}

// Goal: a delay that is no whole number of samples is found. Method: 1.7 samples of 10 ms, with
// noise; inside of the interval, which is narrower than a fifth of a sample.
static void delay_of_1_7_samples_is_found(void **state)
{
    (void)state;
    Bench b = rig_drive();
    b.delay = 0.017;
    b.noise = 0.02;
    ib_FitMotor fit = rig_fitted_run(&b, &record);
    rig_assert_inside(fit.delay, b.delay);
    assert_true(fit.delay.half < 0.002);
    rig_assert_inside(fit.kA, b.kA);
    rig_assert_inside(fit.kS, b.kS);
}

// Goal: an encoder's positions suffice. Method: steps of 0.33 mm (1440 counts on a 6 in wheel), no
// velocity at all; rms of a rounding is q/sqrt(12).
static void positions_in_steps_suffice(void **state)
{
    (void)state;
    Bench b = rig_drive();
    b.quantum = 3.325e-4;
    rig_run(&b, &record);
    ib_FitLog log = rig_position_log(&record);
    ib_FitMotor fit = rig_fitted(&log);
    assert_true(fit.of_position);
    rig_assert_inside(fit.kS, b.kS);
    rig_assert_inside(fit.kV, b.kV);
    rig_assert_inside(fit.kA, b.kA);
    assert_close(fit.rms, b.quantum / sqrt(12.0), 0.1 * b.quantum);
}

// Goal: what a log cannot tell is said. Method: ramps alone hardly have a kA, one push forward has
// no kS and kV apart; the one that is there must be right. By the lag on ramps, kA/kV^2 0.5 V/s,
// and this noise kA comes out to +-0.2, and +-0.25 is of use: whether it is depends on the draw.
// One draw for which it is not has a number; any other is named, or right.
static void missing_tests_are_named(void **state)
{
    (void)state;
    Bench b = rig_drive();
    b.volts = gentle;
    b.duration = 32;
    b.noise = 0.3;
    for (int any = 0; any < 2; any++) {
        b.numbered = !any;
        ib_FitMotor fit = rig_fitted_run(&b, &record);
        bool slow = fit.kS.determined && fit.kV.determined;
        assert_true(any || (slow && !fit.kA.determined));
        assert_true(fit.kA.determined == !(fit.missing & IB_FIT_NO_DYNAMIC));
        assert_true(slow == !(fit.missing & IB_FIT_NO_SLOW));
        if (fit.kA.determined) rig_assert_inside(fit.kA, b.kA);
        if (slow) rig_assert_inside(fit.kV, b.kV);
    }
    assert_non_null(strstr(ib_fit_missing_text(IB_FIT_NO_DYNAMIC), "kA is not determined"));

    b.volts = rig_fast;
    b.duration = 1.0;
    ib_FitMotor fit = rig_fitted_run(&b, &record);
    assert_true(fit.missing & IB_FIT_NO_SLOW);
}

// A motion that needs no simulation, at 10 ms for 10 s.
static ib_FitLog plain_log(double (*volts)(double), double (*speed)(double))
{
    record.count = 1001;
    for (int i = 0; i < record.count; i++) {
        record.time[i] = 0.01 * i;
        record.volt[i] = volts(record.time[i]);
        record.velocity[i] = speed(record.time[i]);
    }
    return rig_velocity_log(&record);
}

static double six_volts(double t)
{
    (void)t;
    return 6.0;
}

static double one_speed(double t)
{
    (void)t;
    return 2.75;
}

static double settling_speed(double t)
{
    return 2.75 * (1.0 - exp(-t / 0.15));
}

static double ramp_volts(double t)
{
    return 3.0 + 0.5 * t;
}

// Long after the start of a ramp of 0.5 V/s, v = (V - kS)/kV - kA/kV^2 0.5 V/s: for kS = 0.5,
// kV = 2, kA = 0.3.
static double ramp_speed(double t)
{
    return (ramp_volts(t) - 0.5) / 2.0 - 0.3 * 0.5 / 4.0;
}

static void assert_unknown(ib_FitValue value)
{
    assert_false(value.determined);
    assert_true(value.half == INFINITY);
}

// Goal: without noise, too, a constant that any value would do for has no interval. Method: one
// voltage and one speed know none of them; one voltage and a speed that settles know kV/kA and
// (V - kS)/kV, but none alone; a ramp without its start knows kV, but only kS + kA r/kV.
static void what_samples_do_not_tell_has_no_interval(void **state)
{
    (void)state;
    ib_FitLog log = plain_log(six_volts, one_speed);
    for (int i = 0; i < 3; i++) {
        if (i == 1) log = plain_log(six_volts, settling_speed);
        if (i == 2) log = plain_log(ramp_volts, ramp_speed);
        ib_FitMotor fit = rig_fitted(&log);
        assert_unknown(fit.kS);
        assert_unknown(fit.kA);
        if (i < 2) assert_unknown(fit.kV);
        if (i == 2) rig_assert_inside(fit.kV, 2.0);
        assert_false(fit.delay.determined);
        assert_int_equal(fit.missing, IB_FIT_NO_DYNAMIC | IB_FIT_NO_SLOW | IB_FIT_NO_DELAY);
    }
}

// Goal: rubbish is dropped, counted and does no harm. Method: known numbers of it, put into
// stretches where the motor turns.
static void garbage_is_dropped_and_counted(void **state)
{
    (void)state;
    Bench b = rig_drive();
    b.noise = 0.02;
    rig_run(&b, &record);
    for (int i = 0; i < 10; i++) {
        record.velocity[300 + 20 * i] = NAN;
        record.velocity[310 + 20 * i] = i % 2 ? 1e6 : -30.0;
        record.volt[1205 + 20 * i] = INFINITY;
    }
    for (int i = 0; i < 5; i++) record.time[1500 + 7 * i] = record.time[1499 + 7 * i] - 0.1;
    ib_FitLog log = rig_velocity_log(&record);
    ib_FitMotor fit = rig_fitted(&log);
    assert_int_equal(fit.dropped[IB_FIT_NOT_FINITE], 10);
    assert_int_equal(fit.dropped[IB_FIT_SPIKE], 10);
    assert_int_equal(fit.dropped[IB_FIT_NO_VOLTAGE], 10);
    assert_int_equal(fit.dropped[IB_FIT_TIME], 5);
    int all = fit.used;
    for (int i = 0; i < IB_FIT_DROPS; i++) all += fit.dropped[i];
    assert_int_equal(all, fit.total);
    rig_assert_inside(fit.kS, b.kS);
    rig_assert_inside(fit.kV, b.kV);
    rig_assert_inside(fit.kA, b.kA);
}

// Goal: voltage and motion may be logged apart, and unevenly. Method: the voltage only where it
// changes (steps), the motion with every third sample missing.
static void uneven_logs_fit_as_well(void **state)
{
    (void)state;
    static const double times[] = {0, 0.5, 2.0, 3.5, 5.0}, volts[] = {0, 7, 0, -7, 0};
    static double time[RIG_MOST], velocity[RIG_MOST];
    Bench b = rig_drive();
    b.volts = rig_fast;
    b.duration = 6;
    b.noise = 0.01;
    rig_run(&b, &record);
    int count = 0;
    for (int i = 0; i < record.count; i++) {
        if (i % 3 == 1) continue;
        time[count] = record.time[i];
        velocity[count++] = record.velocity[i];
    }
    ib_FitLog log = {5, times, volts, count, time, velocity, NULL, NULL};
    ib_FitMotor fit = rig_fitted(&log);
    rig_assert_inside(fit.kS, b.kS);
    rig_assert_inside(fit.kV, b.kV);
    rig_assert_inside(fit.kA, b.kA);
}

// Goal: a lift's weight is found, but not from one direction. Method: kG = 0.9 V.
static void weight_needs_both_directions(void **state)
{
    (void)state;
    Bench b = rig_drive();
    b.kG = 0.9;
    b.noise = 0.02;
    rig_run(&b, &record);
    ib_FitLog log = rig_velocity_log(&record);
    ib_FitMotor fit;
    ib_FitMotorConfig config = ib_fit_motor_default();
    config.gravity = true;
    assert_int_equal(rig_fit(&config, &log, &fit, &error), IB_OK);
    rig_assert_inside(fit.kG, b.kG);
    rig_assert_inside(fit.kS, b.kS);
    log.count = log.volt_count = 800;
    assert_int_equal(rig_fit(&config, &log, &fit, &error), IB_OK);
    assert_true(fit.missing & IB_FIT_ONE_DIRECTION);
    assert_false(fit.kG.fitted);
}

// Goal: a weight that was not looked for is named, and no test is called missing for it. Method: a
// large, a small and no kG in a log with both tests; six draws of noise.
static void overlooked_weight_is_named(void **state)
{
    (void)state;
    Bench b = rig_drive();
    b.noise = 0.05;
    for (b.seed = 1; b.seed <= 6; b.seed++) {
        b.kG = b.seed % 3 == 0 ? 0.0 : b.seed % 3 == 1 ? 0.2 : -1.5;
        rig_run(&b, &record);
        ib_FitLog log = rig_velocity_log(&record);
        assert_int_equal(rig_fitted(&log).missing, b.kG == 0.0 ? 0 : IB_FIT_WEIGHT);
    }
    assert_non_null(strstr(ib_fit_missing_text(IB_FIT_WEIGHT), "--gravity"));
}

// Goal: two recordings of one motor are fitted together. Method: the slow and the fast test as two
// logs whose times both begin at 0.
static void two_logs_are_one_fit(void **state)
{
    (void)state;
    Record *first = malloc(sizeof *first);
    assert_non_null(first);
    Bench b = rig_drive();
    b.noise = 0.02;
    b.volts = rig_slow;
    b.duration = 20;
    rig_run(&b, &record);
    *first = record;
    b.volts = rig_fast;
    b.duration = 6;
    b.seed = 2;
    rig_run(&b, &record);
    ib_FitLog logs[2] = {{first->count, first->time, first->volt, first->count, first->time,
                          first->velocity, NULL, NULL},
                         rig_velocity_log(&record)};
    ib_FitMotor fit;
    ib_Arena arena = {0};
    ib_FitMotorConfig config = ib_fit_motor_default();
    assert_int_equal(ib_fit_motor(&config, logs, 2, &arena, &fit, &error), IB_OK);
    assert_int_equal(fit.missing, 0);
    rig_assert_inside(fit.kS, b.kS);
    rig_assert_inside(fit.kV, b.kV);
    rig_assert_inside(fit.kA, b.kA);
    ib_arena_reset(&arena);
    free(first);
}

// Goal: no answer is a reason, never a number. Method: a motor that stands; a voltage of the wrong
// sign; a log of three samples; all flagged by the caller.
static void impossible_fits_say_why(void **state)
{
    (void)state;
    static unsigned char slipped[RIG_MOST];
    Bench b = rig_drive();
    ib_FitMotor fit;
    ib_FitMotorConfig config = ib_fit_motor_default();
    rig_run(&b, &record);
    ib_FitLog log = rig_velocity_log(&record);
    memset(slipped, IB_FIT_SLIP, sizeof slipped);
    log.spoilt = slipped;
    assert_int_equal(rig_fit(&config, &log, &fit, &error), IB_FAILED);
    assert_non_null(strstr(error.text, "2601 wheels slipped"));
    assert_int_equal(fit.dropped[IB_FIT_SLIP], 2601);

    log = rig_velocity_log(&record);
    for (int i = 0; i < record.count; i++) record.volt[i] = -record.volt[i];
    assert_int_equal(rig_fit(&config, &log, &fit, &error), IB_FAILED);
    assert_non_null(strstr(error.text, "sign"));

    log.count = 3;
    assert_int_equal(rig_fit(&config, &log, &fit, &error), IB_FAILED);
    for (int i = 0; i < record.count; i++) record.velocity[i] = 0.0;
    log = rig_velocity_log(&record);
    assert_int_equal(rig_fit(&config, &log, &fit, &error), IB_FAILED);
    assert_non_null(strstr(error.text, "standing still"));
    log.count = log.volt_count = 0;
    assert_int_equal(rig_fit(&config, &log, &fit, &error), IB_FAILED);
}

// Goal: wrong calls are refused. Method: one mistake each.
static void wrong_calls_are_refused(void **state)
{
    (void)state;
    Bench b = rig_drive();
    rig_run(&b, &record);
    ib_FitMotor fit;
    ib_FitLog log = rig_velocity_log(&record);
    ib_FitMotorConfig config = ib_fit_motor_default();
    config.slowest = -1;
    assert_int_equal(rig_fit(&config, &log, &fit, &error), IB_BAD_INPUT);
    config = ib_fit_motor_default();
    config.delay_most = NAN;
    assert_int_equal(rig_fit(&config, &log, &fit, &error), IB_BAD_INPUT);
    config = ib_fit_motor_default();
    config.voltage_limit = 0;
    assert_int_equal(rig_fit(&config, &log, &fit, &error), IB_BAD_INPUT);
    config = ib_fit_motor_default();
    log.velocity = NULL;
    assert_int_equal(rig_fit(&config, &log, &fit, &error), IB_BAD_INPUT);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clean_log_gives_the_constants_back),
        ib_plain_test(intervals_hold_the_truth_in_19_of_20),
        cmocka_unit_test(noise_does_not_move_the_values),
        cmocka_unit_test(delay_of_1_7_samples_is_found),
        cmocka_unit_test(positions_in_steps_suffice),
        cmocka_unit_test(missing_tests_are_named),
        cmocka_unit_test(what_samples_do_not_tell_has_no_interval),
        cmocka_unit_test(garbage_is_dropped_and_counted),
        cmocka_unit_test(uneven_logs_fit_as_well),
        cmocka_unit_test(weight_needs_both_directions),
        cmocka_unit_test(overlooked_weight_is_named),
        cmocka_unit_test(two_logs_are_one_fit),
        cmocka_unit_test(impossible_fits_say_why),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
