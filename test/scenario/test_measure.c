// Measures of a run: what a sentence asks for, and its value beside closed forms.
#include "scenario/measure.h"
#include "scenario/run_rig.h"
#include "sim/run.h"

#include <math.h>

// A disc without friction that slides up a slope of 20 deg with 3 m/s:
//   x = v t - a t^2/2,   a = g sin(20 deg),   highest at t = v/a
// A push across it moves no x.
static const double V = 3, A = 9.80665 * 0.34202014332566873;

#define SLOPE                                                                                      \
    "robot: {kind: disc, mu: 0}\n"                                                                 \
    "start: {velocity: {x: 3 m/s}}\n"                                                              \
    "disturbances: [{tilt: 20 deg, direction: 180 deg},\n"                                         \
    "               {force: 5 N, direction: 90 deg, at: 0.51 s, for: 0.5 s}]\n"

static double place(double t)
{
    return V * t - A * t * t / 2;
}

// The result of one sentence, over a whole run.
static ib_Measure measure_run(const char *settings, const char *sentence)
{
    Run run;
    ib_Error error;
    ib_RunResult result;
    ib_Measure measure;
    open_run(&run, "%srun: {duration: 2 s, %s}\n", SLOPE, settings);
    const ib_SignalTable *signals = &run.scenario->model->signals;
    ib_Status status =
        ib_measure_read(sentence, signals, &run.scenario->yaml.arena, &measure, &error);
    if (status == IB_OK)
        status = ib_measure_attach(&measure, run.scenario->sim.duration, run.sim, &error);
    if (status == IB_OK) status = ib_run(run.sim, &(ib_RunOptions){0}, &result, &error);
    if (status != IB_OK) fail_msg("%s: %s", sentence, error.text);
    ib_measure_finish(&measure);
    measure.text = sentence;
    close_run(&run);
    return measure;
}

// Goal: extremes and crossings are located within the steps, not at their ends. Method: the closed
// form, with steps of 30 ms, which meet none of these instants, by a fixed and an adaptive method;
// windows that hold no extreme have it at their ends. Near an extreme of 1.3 m a value is flat: its
// time is known to the root of its rounding, 1e-6 s, where a crossing's is known to 1e-9 s.
static void extremes_and_crossings_are_located(void **state)
{
    (void)state;
    static const char *const methods[] = {"solver: rk4, step: 30 ms", "solver: dopri5"};
    const double top = V / A, root = sqrt(V * V - 2 * A);
    const struct {
        const char *sentence;
        double value, at;
    } cases[] = {
        {"max pose.x", V * V / (2 * A), top},
        {"min pose.x", place(2), 2},
        {"max pose.x from 1.25 s", place(1.25), 1.25},
        {"max pose.x to 0.413 s", place(0.413), 0.413},
        {"min pose.x from 0.2 s to 1.1 s", place(0.2), 0.2},
        {"max abs velocity.x", A * 2 - V, 2},
        {"min abs velocity.x", 0, top},
        {"final pose.x", place(2), 2},
        {"final abs pose.x", -place(2), 2},
        {"first pose.x > 1 m", (V - root) / A, NAN},
        {"first pose.x >= 100 cm", (V - root) / A, NAN},
        {"first pose.x < 1 m from 1 s", (V + root) / A, NAN},
        {"first pose.x < 1 m", 0, NAN},
        {"first pose.x > 1 m from 0.7 s", 0.7, NAN},
        {"first abs velocity.x < 10 cm/s", (V - 0.1) / A, NAN},
        {"first pose.x > 2 m", NAN, NAN},
        {"first pose.x > 1 m to 0.3 s", NAN, NAN},
    };
    for (size_t k = 0; k < 2 * sizeof cases / sizeof cases[0]; k++) {
        const size_t i = k / 2;
        ib_Measure m = measure_run(methods[k % 2], cases[i].sentence);
        if (isnan(cases[i].value))
            assert_true(isnan(m.found));
        else
            assert_close(m.found, cases[i].value, 1e-9);
        if (!isnan(cases[i].at)) assert_close(m.found_at, cases[i].at, 1e-6);
    }
}

// Goal: means are integrals over the time, whatever the steps. Method: the integrals of a parabola
// and of its square; straight lines between points of 2 ms are off by a h^2/12 = 1.2e-6 m.
static void means_are_integrals(void **state)
{
    (void)state;
    static const char *const methods[] = {"solver: rk4, step: 30 ms", "solver: dopri5"};
    const double a = 0.25, b = 1.7;
    const double mean = ((V * b * b / 2 - A * b * b * b / 6) - (V * a * a / 2 - A * a * a * a / 6));
    double square = 0; // Simpson's rule is exact for x, Boole's for its square
    const double weights[] = {7, 32, 12, 32, 7};
    for (int i = 0; i < 5; i++)
        square += weights[i] / 90 * place(a + (b - a) * i / 4) * place(a + (b - a) * i / 4);
    for (int k = 0; k < 2; k++) {
        ib_Measure m = measure_run(methods[k], "mean pose.x from 0.25 s to 1.7 s");
        assert_close(m.found, mean / (b - a), 2e-6);
        m = measure_run(methods[k], "rms pose.x from 0.25 s to 1.7 s");
        assert_close(m.found, sqrt(square), 2e-6);
        m = measure_run(methods[k], "mean pose.x");
        assert_close(m.found, V - A * 4 / 6, 2e-6);
    }
}

// Goal: means know both sides of a jump, and where a line passes zero. Method: a push of 5 N for a
// quarter of the run; a velocity that falls evenly from 3 m/s to -3.7 m/s, of which the mean square
// is that of its size. Straight lines are exact for both.
static void means_know_jumps_and_corners(void **state)
{
    (void)state;
    static const char *const methods[] = {"solver: rk4, step: 30 ms", "solver: dopri5"};
    const double last = V - A * 2;
    const double size = (V * V + last * last) / (2 * A) / 2;
    const double root = sqrt((V * V * V - last * last * last) / (3 * A) / 2);
    const struct {
        const char *sentence;
        double value;
    } cases[] = {
        {"mean disturbance.force.y", 1.25},
        {"rms disturbance.force.y", 2.5},
        {"mean disturbance.force.y from 0.3 s to 0.55 s", 0.8},
        {"mean disturbance.force.y from 0.51 s to 1 s", 5},
        {"mean disturbance.force.y from 1.01 s", 0},
        {"mean abs velocity.x", size},
        {"rms velocity.x", root},
        {"rms abs velocity.x", root},
    };
    for (size_t k = 0; k < 2 * sizeof cases / sizeof cases[0]; k++)
        assert_close(measure_run(methods[k % 2], cases[k / 2].sentence).found, cases[k / 2].value,
                     1e-9);
}

// Goal: a located extreme is at least as extreme as any step's end. Method: a tank's battery and
// motors while it starts, with a switch of its inputs in between; every step is looked at.
static void steps_hold_nothing_more_extreme(void **state)
{
    (void)state;
    static const char *const sentences[] = {"min battery.voltage", "max drive.left.current",
                                            "max abs drive.right.supply", "max velocity.forward"};
    enum { COUNT = 4 };
    Run run;
    ib_Error error;
    ib_Measure all[COUNT];
    double seen[COUNT] = {INFINITY, -INFINITY, -INFINITY, -INFINITY};
    open_run(&run, "robot: {kind: tank, battery: es17-12-match, wheels: traction}\n"
                   "inputs: {left: [[0 s, 12 V], [0.503 s, -6 V]], right: [[0 s, 9 V], [0.7 s, 0 "
                   "V]]}\n"
                   "run: {duration: 1 s, step: 2 ms}\n");
    const ib_SignalTable *signals = &run.scenario->model->signals;
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(
            ib_measure_read(sentences[i], signals, &run.scenario->yaml.arena, &all[i], &error),
            IB_OK);
        assert_int_equal(ib_measure_attach(&all[i], IB_SECOND, run.sim, &error), IB_OK);
    }
    for (int step = 0; step <= 500; step++) {
        ib_sim_sample(run.sim, run.signals);
        for (int i = 0; i < COUNT; i++) {
            double y = run.signals[all[i].signal];
            if (all[i].absolute) y = fabs(y);
            seen[i] = i == 0 ? fmin(seen[i], y) : fmax(seen[i], y);
        }
        if (step < 500) assert_int_equal(ib_sim_step(run.sim, &error), IB_OK);
    }
    ib_sim_finish(run.sim);
    for (int i = 0; i < COUNT; i++) {
        ib_measure_finish(&all[i]);
        assert_true(i == 0 ? all[i].found <= seen[i] : all[i].found >= seen[i]);
        assert_close(all[i].found, seen[i], 0.02 * fabs(seen[i]));
    }
    close_run(&run);
}

// Goal: a wrong sentence is refused with what was expected. Method: one of each.
static void wrong_sentences_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"least pose.x", "is no measure: expected min, max"},
        {"min", "is no measure"},
        {"min pose.q", "there is no signal 'pose.q'; did you mean 'pose.x'?"},
        {"min pose.x > 3 m", "a relation goes with 'first' only"},
        {"first pose.x", "says not when"},
        {"first pose.x = 3 m", "says not when"},
        {"first pose.x > 3 s", "expected a length"},
        {"first pose.x > 3", "expected a length"},
        {"max pose.x from 3 s to 1 s", "ends before it begins"},
        {"max pose.x from 1 m", "expected a time"},
        {"max pose.x from -1 s", "is not within 0 s to 1e7 s"},
        {"final pose.x from 1 s", "the final value has no from and to"},
    };
    Run run;
    ib_Error error;
    ib_Measure m;
    open_run(&run, "%srun: {duration: 2 s}\n", SLOPE);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(ib_measure_read(cases[i][0], &run.scenario->model->signals,
                                         &run.scenario->yaml.arena, &m, &error),
                         IB_BAD_INPUT);
        if (!strstr(error.text, cases[i][1])) fail_msg("'%s': %s", cases[i][0], error.text);
    }
    close_run(&run);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extremes_and_crossings_are_located),
        cmocka_unit_test(means_are_integrals),
        cmocka_unit_test(means_know_jumps_and_corners),
        cmocka_unit_test(steps_hold_nothing_more_extreme),
        cmocka_unit_test(wrong_sentences_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
