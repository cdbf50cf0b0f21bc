// Tests of desk/trial/trial_bench.h: the loop of a robot that was linearised, tried on a robot.
#include "desk/design/design_loader.h"
#include "desk/trial/trial_text.h"
#include "desk/trial_rig.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROBOTS IB_SOURCE_DIR "/robots/"
#define RIG(goal)                                                                                  \
    "plant:\n"                                                                                     \
    "  robot: " ROBOTS "cylinder_rig_smooth.yaml\n"                                                \
    "  states: [cylinder.position, cylinder.velocity, cap.pressure, rod.pressure]\n"               \
    "  inputs: [valve]\n"                                                                          \
    "  balance: [cap.pressure, rod.pressure, valve]\n"                                             \
    "at: {cylinder_position: 22.225 mm, cylinder_velocity: 0 m/s}\n"                               \
    "period: 1 ms\n"                                                                               \
    "lqr: {tolerance: {cylinder_position: 2 mm, cylinder_velocity: 0.5 m/s, valve: 1 V}}\n"        \
    "try: {robot: " ROBOTS "cylinder_rig_bare.yaml, start: {cylinder_position: 10 mm},\n"          \
    "      goal: {cylinder_position: " goal "}, duration: 0.5 s}\n"

// Goal: a robot begins where the trial does, with all its signals, and in balance it stays.
// Method: start and goal 12 mm from the point of the design: the balance of the rig is one at any
// place, and the pressures of the point are those that `balance` found. Within the laminar zone of
// the flow (1e-4 of a pressure) the valve is stronger than the design knows, and the pressures go
// to and fro by some pascals; the piston feels nothing of it: 10 nm.
static void a_robot_in_balance_stays(void **state)
{
    (void)state;
    ib_DesignFile *file = try_quietly(RIG("10 mm"));
    const ib_TrialCurves *quiet = &trials.quiet;
    const double *x0 = file->gears[0].config.x0;
    assert_int_equal(quiet->states, 4);
    assert_int_equal(quiet->count, 501);
    for (int k = 0; k < quiet->count; k++) {
        assert_true(fabs(quiet->x[k] - 0.01) < 1e-8);
        for (int i = 2; i < 4; i++)
            assert_true(fabs(quiet->x[i * quiet->count + k] / x0[i] - 1) < 1e-4);
    }
    ib_design_file_destroy(file);
}

// What a run shows of the rod, every period.
typedef struct Seen {
    int signal, count;
    double x[1000];
} Seen;

static ib_Time see(void *self, ib_Time time, const double *signals)
{
    Seen *seen = self;
    if (seen->count < 1000) seen->x[seen->count++] = signals[seen->signal];
    return time + IB_SECOND / 1000;
}

// Goal: the trial is the run of a scenario with the same loop. Method: designs/cylinder_rig.yaml's
// first step in a scenario, with ideal sensors, beside the trial: to rounding (the start of the
// scenario is written with ten digits: 1 um).
static void the_trial_is_the_run_of_a_scenario(void **state)
{
    (void)state;
    static const char text[] =
        "robot:\n  file: " ROBOTS "cylinder_rig_bare.yaml\n  sensors:\n"
        "    x: {signal: cylinder.position, period: 1 ms}\n"
        "    v: {signal: cylinder.velocity, period: 1 ms}\n"
        "    cap: {signal: cap.pressure, period: 1 ms}\n"
        "    rod: {signal: rod.pressure, period: 1 ms}\n"
        "start: {position: 10 mm, cap: {pressure: 160694.7212 Pa}, rod: {pressure: 173340.6734 "
        "Pa}}\n"
        "control: {design: " IB_SOURCE_DIR
        "/designs/cylinder_rig.yaml, sensors: [x, v, cap, rod], inputs: [valve]}\n"
        "inputs: {goal: {cylinder_position: 30 mm}}\nrun: {duration: 0.6 s}\n";
    static Seen seen;
    ib_DesignFile *file = try_quietly(RIG("30 mm"));
    ib_ScenarioOptions options = {.designs = &ib_design_loader};
    ib_Scenario *scenario =
        rig_there(ib_scenario_read_text("s.yaml", text, strlen(text), &options, rig_listen()));
    ib_Sim *sim;
    assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
    seen.signal = ib_signals_find(&scenario->model->signals, "cylinder.position");
    assert_int_equal(ib_sim_probe(sim, (ib_Probe){.self = &seen, .sample = see, .next = 0}, &error),
                     IB_OK);
    assert_int_equal(ib_sim_advance(sim, scenario->sim.duration, &error), IB_OK);
    for (int k = 0; k < trials.quiet.count; k++)
        assert_true(fabs(trials.quiet.x[k] - seen.x[k]) < 1e-6);
    assert_true(trials.quiet.x[500] > 0.028); // it went there
    ib_sim_destroy(sim);
    ib_scenario_destroy(scenario);
    ib_design_file_destroy(file);
}

// Goal: a trial that ends before it has settled tells what is left. Method: 0.5 s of a step that
// takes 0.67 s; the error is that of the recorded run.
static void what_is_left_is_told(void **state)
{
    (void)state;
    char *text = NULL, left[80];
    size_t size;
    ib_DesignFile *file = try_quietly(RIG("30 mm"));
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    ib_trial_text_brief(file, 0, stream);
    fclose(stream);
    snprintf(left, sizeof left, "not settled after 0.5 s, error at the end %.3g m\n",
             ib_trial_pair_response(&trials, 0).error);
    if (!strstr(text, left)) fail_msg("'%s' is not in '%s'", left, text);
    free(text);
    ib_design_file_destroy(file);
}

// Goal: a robot that is not of the plant's kind is refused. Method: a tank for the rig's loop.
static void another_robot_is_refused(void **state)
{
    (void)state;
    ib_DesignFile *file =
        rig_design("plant:\n  robot: " ROBOTS "cylinder_rig_smooth.yaml\n"
                   "  states: [cap.pressure]\n  inputs: [valve]\n  balance: [cap.pressure]\n"
                   "at: {cap_pressure: 250 kPa, valve: 5.5 V}\nperiod: 1 ms\npoles: [0.9]\n"
                   "try: {robot: " ROBOTS "kitbot.yaml, duration: 0.1 s}\n");
    assert_int_equal(ib_trial_pair_quiet(file, 0, &rig_arena, &trials, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "has not the signals"));
    ib_design_file_destroy(file);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_robot_in_balance_stays),
        cmocka_unit_test(the_trial_is_the_run_of_a_scenario),
        cmocka_unit_test(what_is_left_is_told),
        cmocka_unit_test(another_robot_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, rig_forget);
}
