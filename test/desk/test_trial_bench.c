// Tests of desk/trial/trial_bench.h: designs tried in the simulation, with what it knows and a
// linear plant does not: current limits, stops, sag.
#include "desk/design/design_loader.h"
#include "desk/trial_rig.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool has_note(const char *words)
{
    char text[160];
    for (int i = 0; ib_trial_use_note(&trials.use, i, text, sizeof text); i++)
        if (strstr(text, words)) return true;
    return false;
}

// An elevator whose motor has round numbers: R = 12 V/120 A = 0.1 ohm, Kt = 2.4/120 = 0.02 N m/A.
#define MOTOR                                                                                      \
    "motor: {stall_torque: 2.4 N*m, stall_current: 120 A, free_speed: 6000 rpm, free_current: 0 "  \
    "A, rotor_inertia: 0 kg*m^2}"
#define LIFT(more)                                                                                 \
    "plant: {kind: elevator, " MOTOR                                                               \
    ", motors: 2, reduction: 10, drum_radius: 2 cm, mass: 8 kg" more "}\n"                         \
    "period: 5 ms\n"                                                                               \
    "lqr: {tolerance: {position: 2 cm, velocity: 0.4 m/s, voltage: 12 V}}\n"                       \
    "kalman: {process: [1e-6, 0.04], measurement: [1e-9]}\n"                                       \
    "input_error: {density: [4]}\n"
#define TRY(more) "try: {goal: {position: 1 m}, duration: 2 s" more "}\n"

// Goal: a trial tells what its motors and its battery give. Method: at the start the motors stand
// and the loop asks for all 12 V: a motor's current is I = V/R with V = 12 V - Rb 2 I, so that
// I = 12/(0.1 + 2 Rb), and the battery has 12 - 2 Rb I left; with the default of 12 mohm and with
// none. 1e-3: the carriage moves within the first step of the solver.
static void a_trial_tells_currents_and_sag(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double Rb;
        bool sags;
    } cases[] = {
        {LIFT("") TRY(""), 0.012, true},
        {LIFT("") TRY(", background_current: 0 A, battery: {resistance: 0 ohm}"), 0, false},
        {LIFT("") TRY(", background_current: 0 A, battery: {resistance: 30 mohm}"), 0.03, true}};
    for (int i = 0; i < 3; i++) {
        ib_DesignFile *file = try_quietly(cases[i].text);
        double I = 12 / (0.1 + 2 * cases[i].Rb);
        assert_close(trials.use.current, I, 1e-3 * I);
        assert_close(trials.use.supply, 2 * I, 2e-3 * I);
        assert_close(trials.use.lowest, 12 - 2 * cases[i].Rb * I, 0.01);
        assert_true(has_note("sags") == cases[i].sags);
        assert_false(has_note("limit") || has_note("stop"));
        ib_design_file_destroy(file);
    }
}

// Goal: current limits and stops act, and are told. Method: a limit of 40 A, and a stop short of
// the goal: the carriage stays there.
static void limits_and_stops_act_and_are_told(void **state)
{
    (void)state;
    ib_DesignFile *file = try_quietly(LIFT(", current_limit: 40 A") TRY(""));
    assert_close(trials.use.current, 40, 1e-9);
    assert_close(trials.use.current_limit, 40, 0);
    assert_true(trials.use.limited > 0.001 && trials.use.limited < 0.5);
    assert_true(has_note("the current limit of 40 A acts"));
    ib_design_file_destroy(file);
    file = try_quietly(LIFT(", travel: [0 m, 80 cm]") TRY(""));
    const ib_TrialCurves *run = &trials.quiet;
    for (int i = 0; i < run->count; i++) assert_true(run->x[i] <= 0.8 + 1e-9);
    assert_close(run->x[run->count - 1], 0.8, 1e-9);
    assert_true(trials.use.stopped > 0.3 && has_note("at a stop"));
    assert_false(has_note("brownout"));
    assert_true(isinf(ib_trial_pair_response(&trials, 0).settling));
    ib_design_file_destroy(file);
}

// Goal: what the supply does is told. Method: 120 A a motor (12 V over 0.1 ohm and 30 mohm for two:
// 75 A each, 7.5 V) trip a controller whose outputs go off below 10 V.
static void a_brownout_is_told(void **state)
{
    (void)state;
    ib_DesignFile *file =
        try_quietly(LIFT("") TRY(", battery: {resistance: 30 mohm}, brownout: "
                                 "{droop: 10.5 V, off: 10 V, on: 11 V, blackout: 4 V, "
                                 "reboot: 4.5 V}"));
    assert_true(has_note("brownout: outputs off"));
    ib_design_file_destroy(file);
}

// Goal: checks may ask the trial, and fail where the linear loop would pass. Method: the linear
// loop settles in less than 0.25 s whatever the way; over 1 m with 40 A it takes longer, at least
// the way at the top speed of 12 V/(Ke G/r) = 1.2566 m/s: 0.78 s.
static void checks_may_ask_the_trial(void **state)
{
    (void)state;
    static const struct {
        const char *check;
        bool passed;
    } cases[] = {{"check: {settling: 0.25 s}\n", true},
                 {"check: {trial: {settling: 0.78 s}}\n", false},
                 {"check: {trial: {settling: 1.5 s}}\n", true},
                 {"check: {trial: {overshoot: 2 %}}\n", true},
                 {"check: {trial: {peak_current: 39 A}}\n", false},
                 {"check: {trial: {peak_current: 41 A}}\n", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[2000];
        snprintf(text, sizeof text, "%s%s", LIFT(", current_limit: 40 A") TRY(""), cases[i].check);
        ib_DesignFile *file = rig_design(text);
        assert_int_equal(file->check_count, 1);
        if (file->checks[0].passed != cases[i].passed)
            fail_msg("%s found %g", cases[i].check, file->checks[0].found);
        ib_design_file_destroy(file);
    }
}

// Goal: a design for a mechanism of a robot's file is that of its numbers written out, and is tried
// on that robot. Method: the lift of robots/team.yaml and an elevator with the same keys: K to the
// bit; the trial has the robot's limit of 120 A and its battery, which is not the bench's.
static void a_robots_mechanism_is_designed_and_tried(void **state)
{
    (void)state;
    ib_DesignFile *file =
        try_quietly("plant: {robot: " IB_SOURCE_DIR "/robots/team.yaml, mechanism: lift}\n"
                    "period: 5 ms\n"
                    "lqr: {tolerance: {position: 5 cm, velocity: 1 m/s, voltage: "
                    "12 V}}\n"
                    "try: {goal: {position: 1 m}, duration: 2 s}\n");
    assert_close(trials.use.current_limit, 120, 0);
    assert_close(trials.use.current, 120, 1e-9);
    double wanted[2] = {file->gears[0].design.K[0], file->gears[0].design.K[1]};
    double lowest = trials.use.lowest;
    ib_design_file_destroy(file);
    file = try_quietly("plant: {kind: elevator, motor: kraken-x60, motors: 2, reduction: 9, "
                       "efficiency: 90 %, drum_radius: 2 cm, mass: 6 kg, friction: 20 N*s/m, "
                       "current_limit: 120 A}\n"
                       "period: 5 ms\n"
                       "lqr: {tolerance: {x: 5 cm, v: 1 m/s, volts: 12 V}}\n"
                       "try: {goal: {x: 1 m}, duration: 2 s}\n");
    assert_memory_equal(file->gears[0].design.K, wanted, sizeof wanted);
    assert_true(fabs(trials.use.lowest - lowest) > 0.05);
    ib_design_file_destroy(file);
}

// Goal: the trial of a design is what a scenario with the same parts runs. Method: the elevator on
// a bench with its loop, from a file: the same place after 0.3 s to what two solvers differ by.
static void a_trial_is_the_run_of_a_scenario(void **state)
{
    (void)state;
    static const char scenario[] =
        "robot: {kind: bench, mechanisms: {lift: {kind: elevator, motor: cim, motors: 2, "
        "reduction: 10, drum_radius: 2 cm, mass: 8 kg}}}\n"
        "control: {lift: {design: " IB_SOURCE_DIR "/designs/elevator.yaml}}\n"
        "inputs: {lift.goal: 1 m}\nrun: {duration: 1 s, solver: dopri5, tolerance: 1e-9}\n";
    ib_DesignFile *file = rig_example("elevator.yaml");
    assert_int_equal(ib_trial_pair_quiet(file, 0, &rig_arena, &trials, &error), IB_OK);
    ib_Scenario *run = rig_there(
        ib_scenario_read_text("s.yaml", scenario, strlen(scenario),
                              &(ib_ScenarioOptions){.designs = &ib_design_loader}, rig_listen()));
    ib_Sim *sim;
    assert_int_equal(ib_sim_create(run->model, &sim, &error), IB_OK);
    assert_int_equal(ib_sim_advance(sim, ib_time_from_seconds(0.3), &error), IB_OK);
    // The state of a bench's only mechanism comes behind that of its supply.
    double signals[64];
    assert_true(run->model->signals.count <= 64);
    ib_sim_sample(sim, signals);
    double x = signals[ib_signals_find(&run->model->signals, "lift.position")];
    assert_true(x > 0.2);
    assert_close(x, trials.quiet.x[60], 1e-8);
    ib_sim_destroy(sim);
    ib_scenario_destroy(run);
    ib_design_file_destroy(file);
}

static void assert_refused(const char *text, const char *words)
{
    ib_DesignFile *file = rig_read(text);
    bool found = false;
    for (int i = 0; i < rig_told.count; i++) found |= strstr(rig_told.items[i].text, words) != NULL;
    if (file || !found) fail_msg("%s was not refused with '%s'", text, words);
}

// Goal: what makes no trial is refused by its key. Method: one of each.
static void what_cannot_be_tried_is_refused(void **state)
{
    (void)state;
    assert_refused(LIFT("") TRY(", batery: es17-12"), "did you mean 'battery'?");
    assert_refused(LIFT(", travel: [1 m, 0 m]") TRY(""), "travel");
    assert_refused(LIFT("") "check: {trial: {settle: 1 s}}\n" TRY(""), "settle");
    assert_refused("plant: {robot: " IB_SOURCE_DIR "/robots/team.yaml, mechanism: lfit}\n"
                   "period: 5 ms\n",
                   "did you mean 'lift'?");
    assert_refused("plant: {robot: " IB_SOURCE_DIR "/robots/team.yaml, mechanism: lift}\n"
                   "period: 5 ms\ntry: {battery: es17-12}\n",
                   "battery: unknown key");
    assert_refused("plant: {kind: elevator}\nperiod: 5 ms\nat: {x: 0 m, position: 1 m}\n",
                   "which is the same");
    // A start beyond a stop is refused where it is tried.
    ib_DesignFile *file =
        rig_design(LIFT(", travel: [0 m, 1 m]") "try: {start: {position: 2 m}, duration: 1 s}\n");
    assert_int_equal(ib_trial_pair_quiet(file, 0, &rig_arena, &trials, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "beyond a stop"));
    ib_design_file_destroy(file);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trial_tells_currents_and_sag),
        cmocka_unit_test(limits_and_stops_act_and_are_told),
        cmocka_unit_test(a_brownout_is_told),
        cmocka_unit_test(checks_may_ask_the_trial),
        cmocka_unit_test(a_robots_mechanism_is_designed_and_tried),
        cmocka_unit_test(a_trial_is_the_run_of_a_scenario),
        cmocka_unit_test(what_cannot_be_tried_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, rig_forget);
}
