// Sentences that make a scenario a test.
#include "cmocka_all.h"
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
// coast reaches x = 0.4 m at (e^(0.4 q) - 1)/q and v = 0.5 m/s at 1/q.
static void instants_are_located_between_steps(void **unused)
{
    (void)unused;
    ib_Expectation verdict;
    assert_true(judge("rk4", "before 1 s: pose.x >= 0.4 m", &verdict));
    assert_close(verdict.seen_at, (exp(0.4 * q) - 1) / q, 1e-9);
    assert_true(judge("rk4", "always: velocity.x >= 0.5 m/s", &verdict));
    assert_close(verdict.seen_at, 1 / q, 1e-9);
    assert_true(judge("dopri5, tolerance: 1e-12", "always: velocity.x >= 0.5 m/s", &verdict));
    assert_close(verdict.seen_at, 1 / q, 1e-9);
}

// Goal: what begins at exactly its limit is judged by what comes next, and an excursion that starts
// and ends inside one step is seen. Method: a robot that first rolls back from x = 0 with 15 mm/s
// under full force, so that x(t) = -v t + a t^2/2 (drag below 1e-4 of it) is lowest, -v^2/(2a) =
// -5.625e-5 m, at v/a = 7.5 ms.
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
    for (size_t r = 0; r < sizeof runs / sizeof runs[0]; r++) {
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            char whole[1024];
            ib_Expectation verdict;
            snprintf(whole, sizeof whole, text, runs[r], cases[i].sentence);
            assert_true(judge_text(whole, &verdict));
            if (verdict.passed != cases[i].passed)
                print_error("%s (%s)\n", cases[i].sentence, runs[r]);
            assert_int_equal(verdict.passed, cases[i].passed);
            if (cases[i].passed && i == 2) assert_close(verdict.seen_at, 0, 1e-9);
            if (i != 2) assert_close(verdict.worst, -5.625e-5, 2e-8);
            if (i != 2) assert_close(verdict.worst_at, 7.5e-3, 1e-4);
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
        assert_close(verdict.worst, power, 1e-4); // RK4 at 20 ms: 1e-6; dopri5 at 1e-6: 1e-5
        assert_close(verdict.worst_at, 0.3, 1e-9);
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

// Goal: sentences that are none are refused. Method: one of each kind.
static void broken_sentences_are_refused(void **unused)
{
    (void)unused;
    static const char *const sentences[] = {
        "pose.x = 1 m +- 1 mm",
        "sometimes: pose.x > 1 m",
        "at 2: pose.x > 1 m",
        "at 2 m: pose.x > 1 m",
        "always: pose.z > 1 m",
        "always: pose.x > 1 s",
        "always: pose.x = 1 m",
        "always: pose.x > 1 m +- 1 mm",
        "always: pose.x 1 m",
        "always: > 1 m",
        "at end: pose.x = 1 m +- -1 mm",
        "at -1 s: pose.x > 1 m",
        "at 5 s: pose.x > 0 m", // the run ends before
        "at 2 s: pose.x > nan m",
        "",
        "always",
    };
    ib_Expectation verdict;
    for (size_t i = 0; i < sizeof sentences / sizeof sentences[0]; i++)
        assert_false(judge("rk4", sentences[i], &verdict));
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
