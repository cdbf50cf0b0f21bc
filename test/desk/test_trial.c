// Tests of trials: designed loops on mechanisms that hang against gravity, and on their own plants.
#include "cmocka_all.h"
#include "design/analysis/analysis.h"
#include "desk/trial/trial.h"

#include <math.h>
#include <string.h>

enum { TICKS = 1001 };

typedef struct Rig {
    ib_Mechanism mechanism;
    ib_AnalysisConfig config;
    ib_Design design;
    ib_Loop loop;
    ib_Trial trial;
    int count;
    ib_TrialTick tick[TICKS];
} Rig;

static ib_Error error;

static void set(const ib_MechanismKind *kind, const char *key, const char *text,
                ib_MechanismMemory *config)
{
    const ib_Param *param = ib_schema_find(&kind->params, key);
    assert_non_null(param);
    assert_int_equal(ib_schema_set(param, text, config, &error), IB_OK);
}

// An elevator or an arm with a CIM motor, as it is by default, and its linear plant about x0.
static void make_plant(Rig *rig, const char *kind_name, double position, double speed)
{
    const ib_MechanismKind *kind = ib_mechanism_kind_find(kind_name);
    ib_MechanismMemory config = {{0}};
    ib_StateSpace plant;
    memset(rig, 0, sizeof *rig);
    assert_int_equal(ib_schema_default(&kind->params, &config, &error), IB_OK);
    set(kind, "motor.stall_torque", "2.42 N*m", &config);
    set(kind, "motor.stall_current", "133 A", &config);
    set(kind, "motor.free_speed", "5310 rpm", &config);
    set(kind, "motor.free_current", "2.7 A", &config);
    set(kind, "motor.rotor_inertia", "7.75e-5 kg*m^2", &config);
    assert_int_equal(ib_mechanism_init(kind, &config, &rig->mechanism, &error), IB_OK);

    ib_MechanismPoint point = {{position, speed}, {0}};
    assert_int_equal(ib_mechanism_balance(&rig->mechanism, &point, &error), IB_OK);
    assert_int_equal(ib_mechanism_linearise(&rig->mechanism, &point, &plant, &error), IB_OK);
    rig->config = ib_analysis_default(&plant, 0.005);
    memcpy(rig->config.x0, point.x, sizeof point.x);
    memcpy(rig->config.u0, point.u, sizeof point.u);
    ib_mechanism_output(&rig->mechanism, point.x, rig->config.y0);
    ib_mechanism_rate(&rig->mechanism, point.x, point.u, rig->config.rate0);
}

// A loop with a filter that estimates an error of the voltage.
static void make_loop(Rig *rig, bool feedforward)
{
    static ib_AnalysisRefusals refusals;
    ib_AnalysisConfig *config = &rig->config;
    const ib_AnalysisConfig *configs[] = {config};
    const ib_Design *designs[] = {&rig->design};
    config->feedback = IB_ANALYSIS_BY_WEIGHTS;
    config->Q[0] = 1 / (0.02 * 0.02);
    config->Q[3] = 1 / (0.4 * 0.4);
    config->R[0] = 1.0 / (12 * 12);
    config->kalman = config->input_error = true;
    config->feedforward = feedforward;
    config->process[0] = 1e-6;
    config->process[3] = 0.04;
    config->measurement[0] = 1e-9;
    config->input_error_density[0] = 4;
    config->low[0] = -12;
    config->high[0] = 12;
    if (ib_analysis_design(config, &rig->design, &refusals) != IB_OK)
        fail_msg("%s", refusals.error[0].text);
    if (ib_analysis_loop("lifter", 1, configs, designs, &rig->loop, &error) != IB_OK)
        fail_msg("%s", error.text);
    rig->trial = (ib_Trial){.loop = &rig->loop, .mechanisms = {&rig->mechanism}, .duration = 2};
    rig->trial.start[0] = rig->trial.goal[0] = config->x0[0];
}

static void keep(void *self, const ib_TrialTick *tick)
{
    Rig *rig = self;
    assert_true(rig->count < TICKS);
    assert_true(fabs(tick->u[0]) <= 12); // absolute, at every tick
    rig->tick[rig->count++] = *tick;
}

static void try_out(Rig *rig)
{
    rig->count = 0;
    if (ib_trial_run(&rig->trial, keep, rig, NULL, &error) != IB_OK) fail_msg("%s", error.text);
    assert_int_equal(rig->count, (int)floor(rig->trial.duration / 0.005 + 0.5) + 1);
}

// Goal: a mechanism that is at its point stays there, with the voltage that holds it, from the
// first tick on. Method: the non-linear elevator and arm, all absolute. What moves is rounding and
// what the solver allows, 1e-9 a step.
static void a_mechanism_is_held_against_gravity(void **state)
{
    (void)state;
    static Rig rig;
    static const char *const kinds[] = {"elevator", "single_arm"};
    for (int i = 0; i < 2; i++) {
        make_plant(&rig, kinds[i], 0.5, 0);
        make_loop(&rig, i == 0);
        try_out(&rig);
        double hold = rig.config.u0[0];
        assert_true(rig.loop.offset && hold > 0.1);
        for (int k = 0; k < rig.count; k++) {
            assert_close(rig.tick[k].u[0], hold, 1e-6);
            assert_close(rig.tick[k].x[0], 0.5, 1e-8);
            assert_close(rig.tick[k].y[0], rig.tick[k].x[0], 0);
        }
    }
}

// Goal: the loop's own plant is the mechanism where that is linear but for its weight, through the
// limits and with a push. Method: the elevator to 1 m; 400 periods of a solver with 1e-9: 1e-6.
static void an_elevator_is_its_linear_plant_and_its_weight(void **state)
{
    (void)state;
    static Rig rig, linear;
    make_plant(&rig, "elevator", 0.3, 0);
    make_loop(&rig, true);
    rig.trial.start[0] = 0;
    rig.trial.goal[0] = 1;
    rig.trial.known_start = true;
    rig.trial.push[0] = -2;
    rig.trial.push_at = 1;
    try_out(&rig);
    linear = rig;
    linear.trial.loop = &linear.loop;
    linear.trial.mechanisms[0] = NULL;
    try_out(&linear);
    int limited = 0;
    for (int k = 0; k < rig.count; k++) {
        assert_close(linear.tick[k].x[0], rig.tick[k].x[0], 1e-6);
        assert_close(linear.tick[k].u[0], rig.tick[k].u[0], 1e-3); // gains of about 600 V/m
        limited += fabs(rig.tick[k].u[0]) == 12;
    }
    assert_true(limited > 5);
    assert_close(rig.tick[rig.count - 1].x[0], 1, 1e-4);
}

// Goal: far from the point of its design an arm still reaches its goal, with noise and a push.
// Method: from 0.5 rad to 1.3 rad, where gravity is a third: the estimated error of the voltage
// takes that up. Noise of 1 mrad in a filter that believes it: 5 mrad.
static void an_arm_reaches_a_goal_far_from_its_point(void **state)
{
    (void)state;
    static Rig rig;
    make_plant(&rig, "single_arm", 0.5, 0);
    make_loop(&rig, false);
    rig.trial.goal[0] = 1.3;
    rig.trial.noise[0] = 1e-3;
    rig.trial.seed = 3;
    rig.trial.push[0] = -1;
    rig.trial.push_at = 2;
    rig.trial.duration = 5;
    try_out(&rig);
    for (int k = rig.count - 200; k < rig.count; k++) {
        assert_close(rig.tick[k].x[0], 1.3, 0.005);
        assert_close(rig.tick[k].estimate[0], rig.tick[k].x[0], 0.005);
    }
}

// Goal: about which point an affine plant is linearised does not matter, at rest or moving. Method:
// the elevator at rest and rising at 0.5 m/s, with feed-forward: the offsets are the same, to the
// rounding of a few terms of 10.
static void a_moving_point_gives_the_same_loop(void **state)
{
    (void)state;
    static Rig rest, moving;
    make_plant(&rest, "elevator", 0, 0);
    make_loop(&rest, true);
    make_plant(&moving, "elevator", 0.7, 0.5);
    make_loop(&moving, true);
    const ib_LoopGear *a = &rest.loop.gear[0], *b = &moving.loop.gear[0];
    assert_true(fabs(moving.config.u0[0] - rest.config.u0[0]) > 0.5);
    for (int i = 0; i < 3; i++) assert_close(b->drift[i], a->drift[i], 1e-13);
    assert_close(b->zero[0], a->zero[0], 1e-13);
    assert_close(b->hold[0], a->hold[0], 1e-11); // F is about 80 V a period and m/s
    assert_true(moving.loop.start[0] == 0.7 && moving.loop.start[1] == 0.5);
}

// Goal: ticks are what an exported loop is tested with. Method: replayed from the loop's own start
// they give the same bits of u and of the prediction.
static void ticks_replay_to_the_bit(void **state)
{
    (void)state;
    static Rig rig;
    double s[IB_FEEDBACK_STATES_MAX], u;
    make_plant(&rig, "elevator", 0.3, 0);
    make_loop(&rig, true);
    rig.trial.goal[0] = 0.8;
    rig.trial.noise[0] = 1e-4;
    try_out(&rig);
    ib_feedback_reset(&rig.loop, NULL, 0, s);
    for (int k = 0; k < rig.count; k++) {
        const ib_TrialTick *tick = &rig.tick[k];
        ib_feedback_step(&rig.loop, tick->y, tick->r, tick->r, 0, &u, s);
        assert_true(u == tick->u[0]);
        assert_memory_equal(s, tick->next, 3 * sizeof *s);
    }
}

static void go_back(void *self, int64_t k, ib_TrialAim *now)
{
    (void)self;
    now->goal[0] = k < 100 ? 0.8 : 0.3;
}

// Goal: a goal that changes on the way is known to the feed-forward one period before, and ticks
// replay then as well. Method: back at period 100; the same bits with the next tick's goal.
static void a_planned_goal_is_known_a_period_before(void **state)
{
    (void)state;
    static Rig rig;
    double s[IB_FEEDBACK_STATES_MAX], u;
    make_plant(&rig, "elevator", 0.3, 0);
    make_loop(&rig, true);
    rig.trial.plan = go_back;
    try_out(&rig);
    assert_true(rig.tick[99].r[0] == 0.8 && rig.tick[100].r[0] == 0.3);
    ib_feedback_reset(&rig.loop, NULL, 0, s);
    for (int k = 0; k + 1 < rig.count; k++) {
        const ib_TrialTick *tick = &rig.tick[k];
        ib_feedback_step(&rig.loop, tick->y, tick->r, tick[1].r, 0, &u, s);
        assert_true(u == tick->u[0]);
        assert_memory_equal(s, tick->next, 3 * sizeof *s);
    }
    // Gone back and at rest again, to what the solver's 1e-9 a step and the filter leave.
    assert_close(rig.tick[rig.count - 1].x[0], 0.3, 1e-3);
}

static void count_ticks(void *self, const ib_TrialTick *tick)
{
    (void)tick;
    ++*(int *)self;
}

// Goal: a loop that does not hold is reported, not run to infinity. Method: the gain's sign turned
// and no limits.
static void a_plant_that_runs_away_is_reported(void **state)
{
    (void)state;
    static Rig rig;
    make_plant(&rig, "elevator", 0, 0);
    make_loop(&rig, false);
    for (int i = 0; i < 2; i++) rig.loop.gear[0].K[i] *= -1;
    rig.loop.low[0] = -INFINITY;
    rig.loop.high[0] = INFINITY;
    rig.trial.mechanisms[0] = NULL;
    rig.trial.goal[0] = 1e-3;
    rig.trial.duration = 5;
    int ticks = 0;
    assert_int_equal(ib_trial_run(&rig.trial, count_ticks, &ticks, NULL, &error), IB_FAILED);
    assert_non_null(strstr(error.text, "runs away"));
    assert_in_range(ticks, 1, 1000);
}

// Goal: an input acts when the latency is over, not before. Method: two runs that differ in their
// goal; they are the same until the first input acts, 2 and 2.5 periods later; with half a period
// more the speed that the first one gives within the third is the half, +- 5 %: voltage makes speed
// almost at once. On the mechanism and on its linear plant.
static void an_input_acts_after_the_latency(void **state)
{
    (void)state;
    static Rig rig, other;
    double gained[2][2];
    for (int linear = 0; linear < 2; linear++) {
        for (int i = 0; i < 2; i++) {
            make_plant(&rig, "elevator", 0.5, 0);
            make_loop(&rig, false);
            rig.trial.latency = i == 0 ? 0.010 : 0.0125;
            if (linear) rig.trial.mechanisms[0] = NULL;
            memcpy(&other, &rig, sizeof rig);
            other.trial.loop = &other.loop;
            if (!linear) other.trial.mechanisms[0] = &other.mechanism;
            other.trial.goal[0] += 0.01;
            try_out(&rig);
            try_out(&other);
            for (int k = 0; k <= 2; k++) assert_close(other.tick[k].x[1], rig.tick[k].x[1], 0);
            gained[linear][i] = other.tick[3].x[1] - rig.tick[3].x[1];
            assert_true(gained[linear][i] > 1e-3);
        }
        assert_close(gained[linear][1] / gained[linear][0], 0.5, 0.05);
    }
}

static bool never_again(void *self)
{
    return ++*(int *)self == 10;
}

// Goal: a trial is given up when it is asked to be. Method: at the tenth period.
static void a_trial_may_be_given_up(void **state)
{
    (void)state;
    static Rig rig;
    int asked = 0, ticks = 0;
    make_plant(&rig, "elevator", 0, 0);
    make_loop(&rig, false);
    rig.trial.give_up = never_again;
    rig.trial.give_up_self = &asked;
    assert_int_equal(ib_trial_run(&rig.trial, count_ticks, &ticks, NULL, &error), IB_FAILED);
    assert_non_null(strstr(error.text, "too long"));
    assert_int_equal(ticks, 10);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mechanism_is_held_against_gravity),
        cmocka_unit_test(an_elevator_is_its_linear_plant_and_its_weight),
        cmocka_unit_test(an_arm_reaches_a_goal_far_from_its_point),
        cmocka_unit_test(a_moving_point_gives_the_same_loop),
        cmocka_unit_test(ticks_replay_to_the_bit),
        cmocka_unit_test(a_planned_goal_is_known_a_period_before),
        cmocka_unit_test(a_plant_that_runs_away_is_reported),
        cmocka_unit_test(an_input_acts_after_the_latency),
        cmocka_unit_test(a_trial_may_be_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
