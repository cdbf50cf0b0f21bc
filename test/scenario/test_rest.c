// Claims about robots at rest: no number that their runs make is subnormal, so that they cost no
// more than when they drove. A processor that is quick with such numbers would hide them: they are
// counted, by what is left behind and by the flag that a result below 2.2e-308 raises.
#include "cmocka_all.h"

#include "desk/design/design_loader.h"
#include "robot/planar.h"
#include "scenario/given.h"
#include "sim/sim.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// A robot that has come to rest by a time.
typedef struct Standing {
    const char *file; // of scenarios/
    const char *text; // where there is no file
    double until;     // the run goes to [s]
    double last;      // and is looked at from so long before that on [s]; 0: 1 s
} Standing;

static const Standing standing[] = {
    {"tank_s1.yaml", NULL, 60},           // rolling wheels
    {"match.yaml", NULL, 300},            // slipping wheels, air, walls
    {"tank_bristle.yaml", NULL, 60},      // tyres that hold by springs
    {"autonomous.yaml", NULL, 60},        // four wheels, a routine and its loops
    {"pushed.yaml", NULL, 120},           // loops that hold a place
    {"drive_loop.yaml", NULL, 120},       // a state feedback and its filter
    {"gyro_shifter.yaml", NULL, 60},      // an integrator that is left with what the floor hides
    {"air_cylinder.yaml", NULL, 30},      // a robot that has never moved
    {"cylinder_step.yaml", NULL, 60, 50}, // long steps
    {"cylinder_rig_lqr.yaml", NULL, 30},
    {NULL, "robot: {kind: roomba}\ninputs: {left: [[0 s, 2 N], [2 s, 0 N]], right: 0 N}\n", 900},
    {NULL,
     "robot: {kind: roomba}\ninputs: {left: [[0 s, 2 N], [2 s, 0 N]], right: 0 N}\n"
     "run: {solver: dopri5, tolerance: 1e-9, max_step: 100 ms}\n",
     900},
    {NULL,
     "robot: {kind: tank, wheels: {model: friction_circle}}\n"
     "inputs: {left: [[0 s, 6 V], [1 s, 0 V]], right: [[0 s, 3 V], [1 s, 0 V]]}\n"
     "run: {solver: stiff, step: 5 ms}\n",
     60},
    {"quadruped_stand.yaml", NULL, 5},
};

// What a run has seen in its last seconds.
typedef struct Count {
    int64_t steps, results, states, signals; // results: steps that raised the flag
} Count;

static int64_t subnormal(const double *values, int count)
{
    int64_t found = 0;
    for (int i = 0; i < count; i++) found += values[i] != 0 && fabs(values[i]) < DBL_MIN;
    return found;
}

static ib_Scenario *open_standing(const Standing *robot, ib_Sim **sim)
{
    char path[200], duration[40];
    snprintf(path, sizeof path, "%s/scenarios/%s", IB_SOURCE_DIR, robot->file ? robot->file : "");
    snprintf(duration, sizeof duration, "%g s", robot->until);
    const ib_Override none = {"expect", "[]"};
    const ib_ScenarioOptions options = {.overrides = &none,
                                        .override_count = 1,
                                        .duration = duration,
                                        .designs = &ib_design_loader};
    ib_Scenario *scenario = given_with(robot->file ? path : "rest.yaml", robot->text, &options);
    ib_Error error;
    if (ib_sim_create(scenario->model, sim, &error) != IB_OK) fail_msg("%s", error.text);
    return scenario;
}

// The end of a run, step by step, and all signals behind each step.
static Count watch_rest(const ib_Model *model, ib_Sim *sim, const Standing *robot)
{
    Count count = {0};
    ib_Error error;
    double *signals = calloc((size_t)model->signals.count, sizeof *signals);
    assert_non_null(signals);
    double from = robot->until - (robot->last > 0 ? robot->last : 1);
    if (ib_sim_advance(sim, ib_time_from_seconds(from), &error) != IB_OK)
        fail_msg("%s", error.text);
    while (!ib_sim_done(sim)) {
        feclearexcept(FE_UNDERFLOW);
        if (ib_sim_step(sim, &error) != IB_OK) fail_msg("%s", error.text);
        ib_sim_sample(sim, signals);
        count.results += fetestexcept(FE_UNDERFLOW) != 0;
        count.steps++;
        count.states += subnormal(ib_sim_state(sim), model->state_count);
        count.signals += subnormal(signals, model->signals.count);
    }
    free(signals);
    return count;
}

// Goal: a robot at rest makes no subnormal number. Method: runs of robots of all kinds go on until
// what decays would be one long since; in their last seconds no step, no state and no signal has
// any. (By the flag each of the first eight had them in every step.)
static void rest_makes_no_subnormal_number(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof standing / sizeof *standing; i++) {
        ib_Sim *sim;
        ib_Scenario *scenario = open_standing(&standing[i], &sim);
        Count count = watch_rest(scenario->model, sim, &standing[i]);
        assert_true(count.steps > 0);
        if (count.results + count.states + count.signals > 0)
            fail_msg("%s: of %d steps %d make subnormal numbers; %d in states, %d in signals",
                     standing[i].file ? standing[i].file : standing[i].text, (int)count.steps,
                     (int)count.results, (int)count.states, (int)count.signals);
        ib_sim_destroy(sim);
        ib_scenario_destroy(scenario);
    }
}

// Goal: when states are looked at belongs to a run's state. Method: S1 comes to rest from 12 s on,
// by five decades a second, so that it is nothing 12 s later; whole, step by step, and restored at
// a step between two looks, it has the same bits at every half second.
static void rest_has_the_same_bits_however_it_is_reached(void **state)
{
    (void)state;
    ib_Sim *whole, *steps, *restored;
    ib_Scenario *scenario = open_standing(&standing[0], &whole);
    ib_Error error;
    assert_int_equal(ib_sim_create(scenario->model, &steps, &error), IB_OK);
    assert_int_equal(ib_sim_create(scenario->model, &restored, &error), IB_OK);
    const ib_RobotModel *robot = &scenario->model->robots[0];
    int zeros = 0, smallest = 0, forward = robot->state + robot->ports.planar->velocity[0];
    for (double t = 12.5; t <= 40; t += 0.5) {
        ib_Time until = ib_time_from_seconds(t), before = until - 7 * IB_SECOND / 1000;
        assert_int_equal(ib_sim_advance(whole, until, &error), IB_OK);
        while (ib_sim_time(steps) < until) {
            assert_int_equal(ib_sim_step(steps, &error), IB_OK);
            if (ib_sim_time(steps) == before)
                ib_sim_restore(restored, before, ib_sim_steps(steps), ib_sim_state(steps));
        }
        assert_int_equal(ib_sim_advance(restored, until, &error), IB_OK);
        assert_true(ib_sim_hash(whole) == ib_sim_hash(steps));
        assert_true(ib_sim_hash(whole) == ib_sim_hash(restored));
        double speed = fabs(ib_sim_state(whole)[forward]);
        zeros += speed == 0;
        smallest += speed > 0 && speed < 1e-20;
    }
    assert_true(zeros > 0 && smallest > 0); // it was looked at on its way and behind it
    ib_sim_destroy(whole);
    ib_sim_destroy(steps);
    ib_sim_destroy(restored);
    ib_scenario_destroy(scenario);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        ib_plain_test(rest_makes_no_subnormal_number),
        cmocka_unit_test(rest_has_the_same_bits_however_it_is_reached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
