// Sentences that make a scenario a test.
#include "cmocka_all.h"
#include "mistakes.h"
#include "scenario/scenario.h"
#include "sim/run.h"

#include <stdio.h>
#include <string.h>

// The coast of a Roomba from 1 m/s: v = 1/(1 + q t), x = ln(1 + q t)/q, q = 2 kd / m = 6.8/2.7.
static const char coast[] = "robot: {kind: roomba}\n"
                            "start: {velocity: {x: 1 m/s}}\n"
                            "inputs: {left: 0 N, right: 0 N}\n"
                            "run: {duration: 2 s, solver: %s}\n"
                            "expect:\n  - \"%s\"\n";

static const double q = 6.8 / 2.7;

static int64_t rates; // of the run that was last judged

// Runs a scenario and judges its first expectation; false when it was refused.
static bool judge_text(const char *text, ib_Expectation *verdict)
{
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_Scenario *scenario = ib_scenario_read_text("coast.yaml", text, strlen(text),
                                                  &(ib_ScenarioOptions){0}, &diagnostics);
    ib_arena_reset(&arena);
    if (!scenario) return false;
    ib_Sim *sim;
    ib_Error error;
    ib_RunResult result;
    assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
    assert_int_equal(ib_expectation_attach(&scenario->expectations[0], sim, &error), IB_OK);
    assert_int_equal(ib_run(sim, &(ib_RunOptions){0}, &result, &error), IB_OK);
    ib_expectation_finish(&scenario->expectations[0], true);
    *verdict = scenario->expectations[0];
    rates = ib_sim_solver_counts(sim).evaluations;
    ib_sim_destroy(sim);
    ib_scenario_destroy(scenario);
    return true;
}

// Runs the coast with one expectation.
static bool judge(const char *solver, const char *sentence, ib_Expectation *verdict)
{
    char text[1024];
    snprintf(text, sizeof text, coast, solver, sentence);
    return judge_text(text, verdict);
}

// Goal: every form of a sentence is judged rightly. Method: sentences about the coast whose truth
// follows from its closed form, with a fixed and an adaptive solver.
static void sentences_are_judged_by_the_closed_form(void **unused)
{
    (void)unused;
    static const struct {
        const char *sentence;
        bool passed;
    } cases[] = {
        {"always: velocity.x <= 1 m/s", true},
        {"always: velocity.x < 1 m/s", false},
        {"always: velocity.x >= 0.2 m/s", false},
        {"always: velocity.x >= 0.16 m/s", true}, // v(2) = 0.1656
        {"never: velocity.x < 0.16 m/s", true},
        {"never: velocity.x < 0.17 m/s", false},
        {"never: pose.x > 0.71 m", false}, // x(2) = 0.7139
        {"never: pose.x > 0.72 m", true},
        {"at 1 s: pose.x = 0.49952 m +- 0.1 mm", true},
        {"at 1 s: pose.x = 49.94 cm +- 0.01 mm", false},
        {"at 1 s: pose.x = 0.49952 m ± 0.1 mm", true},
        {"at 0 s: velocity.x = 1 m/s +- 0 m/s", true},
        {"at end: pose.x > 0.7 m", true},
        {"at end: pose.x < 28 in", false}, // 0.7112 m
        {"at 2 s: pose.x > 0.7 m", true},
        {"before 1 s: pose.x >= 0.4 m", true}, // at 0.6902 s
        {"before 0.69 s: pose.x >= 0.4 m", false},
        {"before 0.691 s: pose.x >= 0.4 m", true},
        {"before 2 s: pose.x >= 1 m", false},
        {"never: pose.x = 40 cm +- 1 um", false}, // passed between two steps
        {"before 1 s: pose.x = 40 cm +- 1 um", true},
        {"before 0.5 s: pose.x = 40 cm +- 1 um", false},
        {"never: pose.x = 80 cm +- 1 um", true},
        {"after 1 s: velocity.x <= 0.29 m/s", true}, // v(1) = 0.2842
        {"after 1 s: velocity.x <= 0.28 m/s", false},
    };
    static const char *const solvers[] = {"rk4", "dopri5, tolerance: 1e-10"};
    for (int s = 0; s < 2; s++) {
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            ib_Expectation verdict;
            assert_true(judge(solvers[s], cases[i].sentence, &verdict));
            if (verdict.passed != cases[i].passed)
                print_error("%s (%s)\n", cases[i].sentence, solvers[s]);
            assert_int_equal(verdict.passed, cases[i].passed);
        }
    }
}

// Goal: the instant of a violation and of a fulfilment is located between the steps. Method: the
// coast reaches x = 0.4 m at (e^(0.4 q) - 1)/q and v = 0.5 m/s at 1/q. Between the steps instants
// are found to rounding: what is left is the solver's error, of rk4 below (q h)^4 = 4e-11 with its
// steps of 1 ms, of dopri5 some times its tolerance.
static void instants_are_located_between_steps(void **unused)
{
    (void)unused;
    ib_Expectation verdict;
    assert_true(judge("rk4", "before 1 s: pose.x >= 0.4 m", &verdict));
    assert_close(verdict.seen_at, (exp(0.4 * q) - 1) / q, 4e-11);
    assert_true(judge("rk4", "always: velocity.x >= 0.5 m/s", &verdict));
    assert_close(verdict.seen_at, 1 / q, 4e-11);
    assert_true(judge("dopri5, tolerance: 1e-12", "always: velocity.x >= 0.5 m/s", &verdict));
    assert_close(verdict.seen_at, 1 / q, 4e-11);
}

// Goal: what begins at exactly its limit is judged by what comes next, and an excursion that starts
// and ends inside one step is seen. Method: a robot that first rolls back from x = 0 with 15 mm/s
// under full force, m v' = 2 F + 2 kd v^2, so that x is lowest, -m/(4 kd) ln(1 + kd v^2/F), at
// m/(2 sqrt(F kd)) atan(v sqrt(kd/F)) = 7.5 ms. The search for it ends within a thousandth of what
// it looks at, a step of 20 ms at most: 2e-5 s, and a dt^2/2 = 4e-10 m for a = 2 m/s^2; solvers err
// by less than 1e-9 of the way. Where x leaves 0 is found to a rounding of the step's length.
static void limits_met_at_the_start_are_judged_rightly(void **unused)
{
    (void)unused;
    static const char text[] = "robot: {kind: roomba}\n"
                               "start: {velocity: {x: -15 mm/s}}\n"
                               "inputs: {left: 2.7 N, right: 2.7 N}\n"
                               "run: {duration: 1 s, %s}\n"
                               "expect: [\"%s\"]\n";
    static const char *const runs[] = {"step: 20 ms", "step: 1 ms", "solver: dopri5",
                                       "solver: rosenbrock"};
    static const struct {
        const char *sentence;
        bool passed;
    } cases[] = {{"always: pose.x >= 0 m", false},
                 {"never: pose.x < 0 m", false},
                 {"before 0.9 s: pose.x < 0 m", true},
                 {"always: pose.x >= -57 um", true}};
    const double lowest = -2.7 / (4 * 3.4) * log(1 + 3.4 * 0.015 * 0.015 / 2.7);
    const double turns = 2.7 / (2 * sqrt(2.7 * 3.4)) * atan(0.015 * sqrt(3.4 / 2.7));
    for (size_t r = 0; r < sizeof runs / sizeof runs[0]; r++) {
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            char whole[1024];
            ib_Expectation verdict;
            snprintf(whole, sizeof whole, text, runs[r], cases[i].sentence);
            assert_true(judge_text(whole, &verdict));
            if (verdict.passed != cases[i].passed)
                print_error("%s (%s)\n", cases[i].sentence, runs[r]);
            assert_int_equal(verdict.passed, cases[i].passed);
            if (cases[i].passed && i == 2) assert_close(verdict.seen_at, 0, 1e-17);
            if (i != 2) assert_close(verdict.worst, lowest, 4e-10);
            if (i != 2) assert_close(verdict.worst_at, turns, 2e-5);
        }
    }
}

// Goal: the worst value is the true one, also just before a switch. Method: both wheels 2.7 N until
// 0.3 s; the power 2 F v is largest just before, with v = vt tanh(0.3/tau), whatever the steps.
static void worst_value_is_seen_before_a_switch(void **unused)
{
    (void)unused;
    static const char text[] =
        "robot: {kind: roomba}\n"
        "inputs: {left: [[0 s, 2.7 N], [0.3 s, 0 N]], right: [[0 s, 2.7 N], [0.3 s, 0 N]]}\n"
        "run: {duration: 1 s, %s}\n"
        "expect: [\"always: power.drive <= 3 W\"]\n";
    static const char *const runs[] = {"step: 1 ms", "step: 20 ms",
                                       "solver: dopri5, tolerance: 1e-6"};
    double vt = sqrt(2.7 / 3.4), tau = 2.7 * vt / (2 * 2.7), power = 2 * 2.7 * vt * tanh(0.3 / tau);
    for (size_t r = 0; r < sizeof runs / sizeof runs[0]; r++) {
        char whole[1024];
        ib_Expectation verdict;
        snprintf(whole, sizeof whole, text, runs[r]);
        assert_true(judge_text(whole, &verdict));
        assert_true(verdict.passed);
        assert_close(verdict.worst, power, 1e-4);  // RK4 at 20 ms: 1e-6; dopri5 at 1e-6: 1e-5
        assert_close(verdict.worst_at, 0.3, 1e-9); // times of switches are nanoseconds
    }
}

// Goal: the worst value between two steps is the true one, however far away its limit is. Method: a
// Roomba at 1 m/s that brakes with 2 N a wheel turns round at x = m/(4 kd) ln(1 + kd v^2/F), and is
// held to limits of 0.2 m and 10 m. 1e-8 m: the solver's tolerance, ten times; rk4 at 20 ms has
// (20 ms/0.4 s)^4 of the way.
static void worst_value_is_seen_far_from_its_limit(void **unused)
{
    (void)unused;
    static const char text[] = "robot: {kind: roomba}\nstart: {velocity: {x: 1 m/s}}\n"
                               "inputs: {left: -2 N, right: -2 N}\nrun: {duration: 1 s, %s}\n"
                               "expect: [\"always: pose.x <= %s\"]\n";
    static const char *const runs[] = {"step: 20 ms", "solver: dopri5, tolerance: 1e-9",
                                       "solver: rosenbrock, tolerance: 1e-9"};
    double way = 2.7 / (4 * 3.4) * log(1 + 3.4 / 2);
    for (int i = 0; i < 6; i++) {
        char whole[1024];
        ib_Expectation verdict;
        snprintf(whole, sizeof whole, text, runs[i / 2], i % 2 ? "10 m" : "0.2 m");
        assert_true(judge_text(whole, &verdict));
        assert_true(verdict.passed);
        assert_close(verdict.worst, way, i / 2 ? 1e-8 : 1e-6);
    }
}

// Goal: a sentence about what is nothing but rounding costs no more than one about a smooth signal.
// Method: a cylinder's book of air, 1e-18 kg around zero, within 1e-15 kg, against its place below
// a limit far away, by rate calls; a tenth more for a new worst value now and then.
static void roundings_are_not_chased(void **unused)
{
    (void)unused;
    static const char text[] =
        "robot: {kind: cylinder_rig, preset: thesis-50psig}\n"
        "inputs: {valve: [[0 s, 0 V], [0.5 s, 6.25 V]]}\n"
        "run: {duration: 1 s, solver: rosenbrock}\nexpect: [\"always: %s\"]\n";
    static const char *const sentences[] = {"cylinder.position < 1 m",
                                            "air.error = 0 kg +- 1e-15 kg"};
    int64_t calls[2];
    for (int i = 0; i < 2; i++) {
        char whole[1024];
        ib_Expectation verdict;
        snprintf(whole, sizeof whole, text, sentences[i]);
        assert_true(judge_text(whole, &verdict));
        assert_true(verdict.passed);
        calls[i] = rates;
    }
    print_message("  %lld and %lld rates\n", (long long)calls[0], (long long)calls[1]);
    assert_true((double)calls[1] < 1.1 * (double)calls[0]);
}

// Goal: sentences that are none are refused, each for what is wrong with it. Method: one of each
// kind, whose only mistake is at its line and says so.
static void broken_sentences_are_refused(void **unused)
{
    (void)unused;
    static const char *const cases[][2] = {
        {"pose.x = 1 m +- 1 mm", "expected 'WHEN: SIGNAL RELATION VALUE'"},
        {"sometimes: pose.x > 1 m", "'sometimes' says no time"},
        {"at 2: pose.x > 1 m", "a unit is missing: expected a time"},
        {"at 2 m: pose.x > 1 m", "expected a time, such as '2.4 s', got '2 m'"},
        {"always: pose.z > 1 m", "there is no signal 'pose.z'; did you mean 'pose.x'?"},
        {"always: pose.x > 1 s", "expected a length, such as '0.15 m', got '1 s'"},
        {"always: pose.x = 1 m", "'=' needs a tolerance"},
        {"always: pose.x > 1 m +- 1 mm", "a tolerance goes with '=' only"},
        {"always: pose.x 1 m", "expected 'WHEN: SIGNAL RELATION VALUE'"},
        {"always: > 1 m", "expected 'WHEN: SIGNAL RELATION VALUE'"},
        {"at end: pose.x = 1 m +- -1 mm", "the tolerance '-1 mm' is negative"},
        {"at -1 s: pose.x > 1 m", "the time '-1 s' is not within 0 s to 1e7 s"},
        {"at 5 s: pose.x > 0 m", "is after the end of the run, 2 s"},
        {"at 2 s: pose.x > nan m", "'nan m' does not begin with a plain decimal number"},
        {"", "got nothing"},
        {"always", "expected 'WHEN: SIGNAL RELATION VALUE'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        ib_Arena arena = {0};
        ib_Diagnostics diagnostics = {.arena = &arena};
        snprintf(text, sizeof text, coast, "rk4", cases[i][0]);
        assert_null(ib_scenario_read_text("coast.yaml", text, strlen(text),
                                          &(ib_ScenarioOptions){0}, &diagnostics));
        assert_int_equal(diagnostics.count, 1);
        assert_mistake(&diagnostics, 6, 5, cases[i][1]);
        ib_arena_reset(&arena);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_are_judged_by_the_closed_form),
        cmocka_unit_test(instants_are_located_between_steps),
        cmocka_unit_test(limits_met_at_the_start_are_judged_rightly),
        cmocka_unit_test(worst_value_is_seen_before_a_switch),
        cmocka_unit_test(worst_value_is_seen_far_from_its_limit),
        cmocka_unit_test(roundings_are_not_chased),
        cmocka_unit_test(broken_sentences_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
