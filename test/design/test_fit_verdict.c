// What the motor fit says about logs that lack something, or that no motor has made.
#include "fit_rig.h"
#include "spread.h"

static ib_Error error;
static Record record;

// Goal: friction that pushes is no answer. Method: a motion with kS = -0.8 V, which no motor makes;
// the reason has the value and what may have moved it. A motor without friction is one.
static void friction_that_pushes_is_refused(void **state)
{
    (void)state;
    Bench b = rig_drive();
    ib_FitMotor fit;
    ib_FitMotorConfig config = ib_fit_motor_default();
    b.kS = -0.8;
    b.noise = 0.02;
    rig_run(&b, &record);
    ib_FitLog log = rig_velocity_log(&record);
    assert_int_equal(rig_fit(&config, &log, &fit, &error), IB_FAILED);
    assert_non_null(strstr(error.text, "kS would be -0."));
    assert_non_null(strstr(error.text, "friction does not push"));
    assert_non_null(strstr(error.text, "turns"));
    b.kS = 0.0;
    for (b.seed = 1; b.seed <= 6; b.seed++) {
        rig_run(&b, &record);
        fit = rig_fitted(&log);
        assert_true(fit.kS.value >= 0.0);
        rig_assert_inside(fit.kS, 0.0);
    }
}

// Goal: a motion that comes before its voltage has no delay, and it is said. Method: a voltage that
// is logged 50 ms late, five samples; the other constants are right.
static void late_voltage_is_named(void **state)
{
    (void)state;
    Bench b = rig_drive();
    b.delay = -0.05;
    b.noise = 0.02;
    ib_FitMotor fit = rig_fitted_run(&b, &record);
    assert_true(fit.missing & IB_FIT_EARLY);
    assert_true(!fit.delay.determined && fit.delay.half == INFINITY);
    rig_assert_inside(fit.kV, b.kV);
    rig_assert_inside(fit.kA, b.kA);
    assert_non_null(strstr(ib_fit_missing_text(IB_FIT_EARLY), "before its voltage"));
}

static double many_steps(double t)
{
    static const double level[4] = {7, 3, 9, 5};
    return t < 0.5 ? 0.0 : level[(int)((t - 0.5) / 0.5) % 4];
}

// The same, 4 ms before the samples that show it.
static double many_steps_before(double t)
{
    return many_steps(t + 0.004);
}

// 0 to 9 ms before them.
static double many_steps_between(double t)
{
    int step = (int)((t + 0.01 - 0.5) / 0.5);
    return many_steps(t + 0.001 * (step * 7 % 10));
}

// Goal: when steps of the voltage were at their samples the log shows it, and the delay is known to
// a tenth of a sample; when they were not, the interval says so. Method: 24 steps; at the samples,
// all 4 ms before, where only what comes out below 0 shows it, and 0 to 9 ms before.
static void steps_between_samples_are_known_by_their_scatter(void **state)
{
    (void)state;
    ib_FitMotor fit;
    ib_FitMotorConfig config = ib_fit_motor_default();
    Bench b = rig_drive();
    b.volts = many_steps;
    b.duration = 12;
    b.noise = 0.02;
    rig_run(&b, &record);
    ib_FitLog log = rig_velocity_log(&record);
    assert_int_equal(rig_fit(&config, &log, &fit, &error), IB_OK);
    assert_false(fit.missing & IB_FIT_STAMPS);
    rig_assert_inside(fit.delay, 0.0);
    assert_true(fit.delay.half < 0.001);
    for (int i = 0; i < 2; i++) {
        b.volts = i == 0 ? many_steps_before : many_steps_between;
        rig_run(&b, &record);
        assert_int_equal(rig_fit(&config, &log, &fit, &error), IB_OK);
        assert_true(fit.missing & IB_FIT_STAMPS);
        assert_close(fit.delay.value, 0.0, fit.delay.half);
        assert_true(fit.delay.half < 0.01);
    }
    assert_non_null(strstr(ib_fit_missing_text(IB_FIT_STAMPS), "--stamped"));
}

// Goal: nobody is told to say what he has said, and what he has said is held against the log.
// Method: 24 steps, 4 ms before the samples that show them, fitted as if they were at the samples,
// with a delay and without one; then really at the samples, where there is nothing to say.
static void steps_before_their_samples_contradict(void **state)
{
    (void)state;
    Bench b = rig_drive();
    b.duration = 12;
    b.noise = 0.02;
    ib_FitLog log = rig_velocity_log(&record);
    for (int i = 0; i < 4; i++) {
        ib_FitMotor fit;
        ib_FitMotorConfig config = ib_fit_motor_default();
        bool before = i < 2;
        config.stamped = true;
        config.delay = i % 2;
        b.volts = before ? many_steps_before : many_steps;
        rig_run(&b, &record);
        log.count = log.volt_count = record.count;
        assert_int_equal(rig_fit(&config, &log, &fit, &error), IB_OK);
        assert_int_equal(fit.missing & (IB_FIT_STAMPS | IB_FIT_UNSTAMPED | IB_FIT_EARLY),
                         before ? IB_FIT_UNSTAMPED : 0);
        rig_assert_inside(fit.kV, b.kV);
        rig_assert_inside(fit.kA, b.kA);
    }
    assert_non_null(strstr(ib_fit_missing_text(IB_FIT_UNSTAMPED), "in spite of --stamped"));
}

// Goal: a delay that was said not to be there is named where it is. Method: none, where there is
// nothing to say, and 25 ms, an eighth of the time constant.
static void delay_that_was_denied_is_named(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        Bench b = rig_drive();
        ib_FitMotor fit;
        ib_FitMotorConfig config = ib_fit_motor_default();
        config.delay = false;
        b.delay = 0.025 * i;
        b.noise = 0.02;
        rig_run(&b, &record);
        ib_FitLog log = rig_velocity_log(&record);
        assert_int_equal(rig_fit(&config, &log, &fit, &error), IB_OK);
        assert_int_equal(fit.missing & IB_FIT_LATE, i ? IB_FIT_LATE : 0);
        assert_true(fit.delay.value == 0.0 && !fit.delay.fitted);
    }
    assert_non_null(strstr(ib_fit_missing_text(IB_FIT_LATE), "in spite of --no-delay"));
}

// Goal: what the equation does not have is named. Method: the speed behind a filter of 0.1 s, half
// the motor's time constant: it begins to follow a step with no slope, which no delay can do.
static void motion_that_is_no_motor_is_named(void **state)
{
    (void)state;
    Bench b = rig_drive();
    b.noise = 0.005;
    rig_run(&b, &record);
    double filtered = 0.0;
    for (int i = 0; i < record.count; i++) {
        filtered += 0.1 * (record.velocity[i] - filtered);
        record.velocity[i] = filtered + 0.005 * chance_normal(9, 1, (uint64_t)i);
    }
    ib_FitLog log = rig_velocity_log(&record);
    assert_true(rig_fitted(&log).missing & IB_FIT_MISFIT);
    rig_run(&b, &record);
    assert_false(rig_fitted(&log).missing & IB_FIT_MISFIT);
}

// Goal: a stretch ends where something else moved the motor, however shortly. Method: a blow of
// 1 m/s in one sample of a slow run, which the caller marks, and which dies away (to 1e-6) before
// the run ends; a stretch more than without, and the constants stay.
static void blow_ends_a_stretch(void **state)
{
    (void)state;
    static unsigned char reasons[RIG_MOST];
    Bench b = rig_drive();
    b.noise = 0.02;
    rig_run(&b, &record);
    ib_FitLog log = rig_velocity_log(&record);
    int stretches = rig_fitted(&log).stretches;
    for (int i = 0; i < 280; i++) record.velocity[400 + i] += exp(-0.01 * i * b.kV / b.kA);
    reasons[400] = IB_FIT_PUSHED;
    log.spoilt = reasons;
    ib_FitMotor fit = rig_fitted(&log);
    reasons[400] = IB_FIT_KEPT;
    assert_int_equal(fit.stretches, stretches + 1);
    assert_int_equal(fit.dropped[IB_FIT_PUSHED], 1);
    rig_assert_inside(fit.kS, b.kS);
    rig_assert_inside(fit.kV, b.kV);
    rig_assert_inside(fit.kA, b.kA);
}

// Goal: what is left over can be looked at. Method: each used sample, with its time and its motion;
// the mean square is that of the fit, also where the fit was refused.
static void what_is_left_is_handed_over(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        Bench b = rig_drive();
        ib_FitMotor fit;
        ib_FitMotorConfig config = ib_fit_motor_default();
        ib_Arena arena = {0};
        b.noise = 0.02;
        if (i == 1) b.kS = -0.8;
        rig_run(&b, &record);
        ib_FitLog log = rig_velocity_log(&record);
        ib_Status status = ib_fit_motor(&config, &log, 1, &arena, &fit, &error);
        assert_int_equal(status, i == 0 ? IB_OK : IB_FAILED);
        double sum = 0.0;
        int firsts = 0;
        for (int k = 0; k < fit.used; k++) {
            const ib_FitLeft *left = &fit.left[k];
            sum += left->residual * left->residual;
            firsts += left->first;
            int at = (int)lround(left->time / b.period);
            assert_true(left->motion == record.velocity[at]);
        }
        assert_int_equal(firsts, fit.stretches);
        assert_close(sqrt(sum / fit.used), fit.rms, 1e-12); // one sum in another order
        ib_arena_reset(&arena);
    }
}

// Goal: rounded values are known as such. Method: steps of 0.05 m/s, in units that are no power of
// 2; none where there is noise only.
static void rounding_is_found(void **state)
{
    (void)state;
    Bench b = rig_drive();
    b.noise = 0.02;
    b.step = 0.05;
    rig_run(&b, &record);
    ib_FitLog log = rig_velocity_log(&record);
    assert_close(rig_fitted(&log).quantum, 0.05, 1e-9); // sums of tens of roundings
    b.step = 0.0;
    rig_run(&b, &record);
    assert_true(rig_fitted(&log).quantum == 0.0);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_that_pushes_is_refused),
        cmocka_unit_test(late_voltage_is_named),
        cmocka_unit_test(steps_between_samples_are_known_by_their_scatter),
        cmocka_unit_test(steps_before_their_samples_contradict),
        cmocka_unit_test(delay_that_was_denied_is_named),
        cmocka_unit_test(motion_that_is_no_motor_is_named),
        cmocka_unit_test(blow_ends_a_stretch),
        cmocka_unit_test(what_is_left_is_handed_over),
        cmocka_unit_test(rounding_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
