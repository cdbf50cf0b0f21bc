// Tests of the desk's verdicts: whether a loop is stable, its poles and its margins are those of
// the loop that runs: the runtime of control/feedback/state_feedback.h on the plant itself,
// with its latency.
#include "cmocka_all.h"
#include "control/feedback/state_feedback.h"
#include "design/analysis/analysis.h"
#include "design_rig.h"
#include "linear/complex.h"
#include "linear/discretise.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static ib_Error error;
static ib_Design design;
static ib_AnalysisRefusals refusals;
static ib_Loop loop;

// --------------------------------------------------------------------------------------- the truth

// A running loop: its continuous plant, what each input is multiplied with and delayed
// by beyond the latency.
typedef struct Running {
    const ib_Loop *loop;
    ib_StateSpace early,
        late; ///< the plant over the part of a period under the old input, the rest
    int whole, extra[IB_INPUTS_MAX];
    double factor[IB_INPUTS_MAX];
} Running;

enum { EXTRA = 3 };

static Running start_running(const ib_Loop *of, const ib_StateSpace *plant, double latency)
{
    Running running = {.loop = of};
    double periods = latency / of->period;
    running.whole = (int)floor(periods + 1e-9);
    double part = fmax(periods - running.whole, 0);
    if (part < 1e-9) part = 0;
    assert_int_equal(ib_discretise(plant, (1 - part) * of->period, &running.late, &error), IB_OK);
    running.early.states = 0;
    if (part > 0)
        assert_int_equal(ib_discretise(plant, part * of->period, &running.early, &error), IB_OK);
    for (int i = 0; i < IB_INPUTS_MAX; i++) running.factor[i] = 1;
    return running;
}

// What acts on the plant: `given` are the inputs of this period and those before, newest first.
static void take_inputs(const Running *running, const double *given, int age, double *u)
{
    int m = running->loop->inputs;
    for (int i = 0; i < m; i++)
        u[i] = running->factor[i] * given[(running->whole + running->extra[i] + age) * m + i];
}

static void go_on(const ib_StateSpace *plant, const double *u, double *x)
{
    double after[IB_STATES_MAX] = {0};
    int n = plant->states, m = plant->inputs;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) after[i] += plant->A[i * n + j] * x[j];
        for (int j = 0; j < m; j++) after[i] += plant->B[i * m + j] * u[j];
    }
    memcpy(x, after, (size_t)n * sizeof *x);
}

// One period. `s`: x, the inputs given before (newest first), x^, z, the last u.
static void run_period(const Running *running, int queue, double *s)
{
    const ib_Loop *of = running->loop;
    const ib_StateSpace *plant = &running->late;
    int n = plant->states, m = of->inputs, p = of->outputs, kept = of->states + of->integrals;
    double *x = s, *given = s + n, *inside = given + queue * m;
    double state[IB_FEEDBACK_STATES_MAX] = {0}, y[IB_STATES_MAX] = {0}, r[IB_STATES_MAX] = {0};
    double all[64] = {0}, u[IB_INPUTS_MAX];
    ib_FeedbackParts parts = ib_feedback_parts(of);
    memcpy(all + m, given, (size_t)(queue * m) * sizeof *all);
    memcpy(state + parts.x, inside, (size_t)kept * sizeof *state);
    memcpy(state + parts.u, inside + kept, (size_t)m * sizeof *state);
    take_inputs(running, all, 1, u); // the one that still acts
    for (int i = 0; of->observer && i < p; i++) {
        for (int j = 0; j < n; j++) y[i] += plant->C[i * n + j] * x[j];
        for (int j = 0; j < m; j++) y[i] += plant->D[i * m + j] * u[j];
    }
    if (!of->observer) memcpy(y, x, (size_t)n * sizeof *y);
    ib_feedback_step(of, y, r, NULL, 0, all, state);
    if (running->early.states) go_on(&running->early, u, x);
    take_inputs(running, all, 0, u);
    go_on(plant, u, x);
    memcpy(given, all, (size_t)(queue * m) * sizeof *given);
    memcpy(inside, state + parts.x, (size_t)kept * sizeof *state);
    memcpy(inside + kept, state + parts.u, (size_t)m * sizeof *state);
}

// The largest pole: the eigenvalues of what one period makes of each state alone.
static double farthest(const Running *running)
{
    const ib_Loop *of = running->loop;
    double closed[IB_EIGEN_MAX * IB_EIGEN_MAX];
    ib_Complex poles[IB_EIGEN_MAX];
    int m = of->inputs, queue = running->whole + 1, most = 0;
    for (int i = 0; i < m; i++) most = running->extra[i] > most ? running->extra[i] : most;
    queue += most;
    int all = running->late.states + queue * m + of->states + of->integrals + m;
    assert_true(all <= IB_EIGEN_MAX);
    for (int column = 0; column < all; column++) {
        double s[IB_EIGEN_MAX] = {0};
        s[column] = 1;
        run_period(running, queue, s);
        for (int i = 0; i < all; i++) closed[i * all + column] = s[i];
    }
    assert_int_equal(ib_eigenvalues(all, closed, poles, &error), IB_OK);
    return ib_complex_size(poles[0]);
}

static double farthest_with(Running running, int input, double factor)
{
    running.factor[input] = factor;
    return farthest(&running);
}

// Inside of the gain margins the loop is stable, just outside it is not; a longer latency within
// the delay margin does no harm. 1e-4 of the margin beside it: crossings are found to 1e-12 or so,
// but a pole that creeps over the circle is known to 1e-9 only.
static void assert_margins(const char *what, int number, Running running, const ib_Margins *margins)
{
    for (int i = 0; i < running.loop->inputs; i++) {
        const ib_Margin *m = &margins->input[i];
        double up = fmin(m->gain_up, 1e4), down = fmax(m->gain_down, 1e-4);
        const int points = 8;
        for (int k = 0; k <= points; k++) {
            double above = pow(up * (1 - 1e-4), (double)k / points);
            double below = pow(down * (1 + 1e-4), (double)k / points);
            if (above > 1 && !(farthest_with(running, i, above) < 1 + 1e-9))
                fail_msg("%s %d, input %d: unstable at %g of %g", what, number, i, above, up);
            if (below < 1 && !(farthest_with(running, i, below) < 1 + 1e-9))
                fail_msg("%s %d, input %d: unstable at %g of %g", what, number, i, below, down);
        }
        if (up < 1e4 && !(farthest_with(running, i, up * (1 + 1e-4)) > 1 - 1e-9))
            fail_msg("%s %d, input %d: stable above %g", what, number, i, up);
        if (down > 1e-4 && !(farthest_with(running, i, down * (1 - 1e-4)) > 1 - 1e-9))
            fail_msg("%s %d, input %d: stable below %g", what, number, i, down);
        Running later = running;
        for (int k = 1; k <= EXTRA && k * running.loop->period < m->delay * (1 - 1e-9); k++) {
            later.extra[i] = k;
            if (!(farthest(&later) < 1 + 1e-9))
                fail_msg("%s %d, input %d: unstable %d periods later", what, number, i, k);
        }
    }
}

// ---------------------------------------------------------------------------------- random designs

static ib_AnalysisConfig random_config(uint64_t *seed, int kind, double periods)
{
    static const DesignRange range = {4, {-2.5, -1}, {-1, 1}, {-1, 1}};
    ib_AnalysisConfig config = rig_random_design(seed, kind, &range);
    config.latency = periods * config.period;
    return config;
}

// Designs and makes a loop of it; false: refused, as some random plants must be.
static bool make(const ib_AnalysisConfig *config)
{
    const ib_Design *designs[] = {&design};
    if (ib_analysis_design(config, &design, &refusals) != IB_OK) return false;
    assert_int_equal(ib_analysis_loop("loop", 1, &config, designs, &loop, &error), IB_OK);
    return true;
}

// Goal: verdict, poles and margins of a design are those of the loop that runs. Method: random
// plants under every combination of integral, filter, input error and latency (none, parts, whole
// periods); the loop is run by its runtime on the exact plant, one period from each state alone,
// and the eigenvalues of that are the truth, also with each input's gain at,
// within and beyond its margins.
static void margins_are_those_of_the_loop_that_runs(void **state)
{
    (void)state;
    const double latencies[] = {0, 0.4, 1, 1.7};
    enum { ROUNDS = IB_ROUNDS(400, 80) };
    uint64_t seed = 11;
    int stable = 0, unstable = 0, refused = 0;
    for (int number = 0; number < ROUNDS; number++) {
        int kind = number % RIG_KINDS;
        ib_AnalysisConfig config = random_config(&seed, kind, latencies[number / RIG_KINDS % 4]);
        if (!make(&config)) {
            refused++;
            continue;
        }
        Running running = start_running(&loop, &config.plant, config.latency);
        double truth = farthest(&running);
        if (design.stable != (truth < 1) && fabs(truth - 1) > 1e-9)
            fail_msg("%s %d: %s, with a pole of %.12g", rig_kinds[kind], number,
                     design.stable ? "called stable" : "called unstable", truth);
        assert_int_equal(design.delayed_count > 0, config.latency > 0);
        // 1e-6: poles that nearly meet are known to the root of rounding.
        if (config.latency > 0)
            assert_close(ib_complex_size(design.delayed_poles[0]), truth, 1e-6 * truth);
        assert_true(design.margined && design.margins.stable == design.stable);
        stable += design.stable;
        unstable += !design.stable;
        if (design.stable) assert_margins(rig_kinds[kind], number, running, &design.margins);
    }
    assert_true(4 * stable > 3 * ROUNDS && 80 * unstable > ROUNDS && 10 * refused < ROUNDS);
}

// Goal: the same of loops that only the runtime allows, with an integral over an observer. Method:
// gains of a design with an integral and the filter of another one of the same plant, D included;
// ib_margins_loop against the running loop.
static void integrals_over_an_observer_have_their_margins(void **state)
{
    (void)state;
    enum { ROUNDS = IB_ROUNDS(100, 20) };
    uint64_t seed = 3;
    ib_Margins margins;
    int stable = 0;
    for (int number = 0; number < ROUNDS; number++) {
        ib_AnalysisConfig config = random_config(&seed, RIG_KALMAN, 0);
        int n = config.plant.states;
        if (!make(&config)) continue;
        ib_Loop both = loop;
        config.kalman = false;
        config.integrals = 1;
        memset(config.Q, 0, sizeof config.Q);
        for (int i = 0; i <= n; i++) config.Q[i * (n + 1) + i] = rig_spread(&seed, -1, 1);
        if (!make(&config)) continue;
        both.integrals = 1;
        both.Z[0] = 1;
        memcpy(both.gear[0].K, design.K, sizeof design.K);
        memcpy(both.gear[0].G, design.G, sizeof design.G);
        Running running = start_running(&both, &config.plant, 0);
        assert_int_equal(ib_margins_loop(&both, 0, &margins, &error), IB_OK);
        assert_int_equal(margins.stable, farthest(&running) < 1);
        stable += margins.stable;
        if (margins.stable) assert_margins("both", number, running, &margins);
    }
    assert_true(5 * stable > 4 * ROUNDS);
}

// Goal: with an integral L has a value at z = 1 where another input holds it. Method: an unstable
// plant of two inputs, x1' = 3 x1 - x2 - u1, x2' = 3 x1 + 3 x2 + u2, with the integral of x1. At
// the edge it rests off its goal: x1 = 0, u1 = -x2, u2 = -3 x2; with u1 = -K12 x2 - G1 z and
// u2 = -g (K22 x2 + G2 z) that is   g = 3 / (K22 + G2 (1 - K12) / G1).   And by the running loop.
static void margins_see_the_state_of_rest(void **state)
{
    (void)state;
    ib_StateSpace plant = ib_state_space_default(2, 2, 0);
    const double A[4] = {3, -1, 3, 3}, B[4] = {-1, 0, 0, 1}, Q[3] = {1, 1, 100};
    memcpy(plant.A, A, sizeof A);
    memcpy(plant.B, B, sizeof B);
    ib_AnalysisConfig config = ib_analysis_default(&plant, 0.02);
    config.feedback = IB_ANALYSIS_BY_WEIGHTS;
    config.integrals = 1;
    config.Z[0] = config.R[0] = config.R[3] = 1;
    for (int i = 0; i < 3; i++) config.Q[4 * i] = Q[i];
    assert_true(make(&config));
    Running running = start_running(&loop, &plant, 0);
    assert_margins("rest", 0, running, &design.margins);
    const double *K = design.K, *G = design.G;
    double edge = 3 / (K[3] + G[1] * (1 - K[1]) / G[0]);
    assert_close(design.margins.input[1].gain_down, edge, 1e-9);
}

// -------------------------------------------------------------------------------------- one by one

// x' = v, v' = -2 v + 3 u; over the listed states, with these weights.
static ib_AnalysisConfig carriage(double period, double x, double v)
{
    ib_StateSpace plant = ib_state_space_default(2, 1, 1);
    plant.A[1] = plant.C[0] = 1;
    plant.A[3] = -2;
    plant.B[1] = 3;
    strcpy(plant.state[0], "x");
    strcpy(plant.state[1], "v");
    ib_AnalysisConfig config = ib_analysis_default(&plant, period);
    config.feedback = IB_ANALYSIS_BY_WEIGHTS;
    config.Q[0] = x;
    config.Q[3] = v;
    config.R[0] = 1.0 / 144;
    return config;
}

// Goal: a latency changes K and G together. Method: two whole periods: [K G] (A - B [K G])^2 of the
// plant with its integral, by multiplication; the poles are those of the loop that runs, also where
// it is unstable, which the design alone (all of its poles inside) does not show.
static void integrals_are_compensated_too(void **state)
{
    (void)state;
    ib_AnalysisConfig config = carriage(0.02, 0, 0);
    config.integrals = 1;
    config.Z[0] = 1;
    config.Q[0] = 1 / (0.05 * 0.05);
    config.Q[4] = 1 / (0.95 * 0.95);
    config.Q[8] = 1 / (0.002 * 0.002);
    config.latency = 0.04;
    assert_true(make(&config));
    double gain[3] = {design.uncompensated_K[0], design.uncompensated_K[1],
                      design.uncompensated_G[0]};
    const double *A = design.plant.A, *B = design.plant.B;
    double closed[9] = {A[0], A[1], 0, A[2], A[3], 0, 0.02, 0, 1}, at[3], then[3];
    for (int i = 0; i < 6; i++) closed[i] -= B[i / 3] * gain[i % 3];
    memcpy(at, gain, sizeof at);
    for (int k = 0; k < 2; k++) {
        for (int j = 0; j < 3; j++)
            then[j] = at[0] * closed[j] + at[1] * closed[3 + j] + at[2] * closed[6 + j];
        memcpy(at, then, sizeof at);
    }
    for (int j = 0; j < 3; j++) // 1e-13: sums of three products, the gains are a few hundred
        assert_close(j < 2 ? design.K[j] : design.G[0], at[j], 1e-13 * fabs(gain[0]));
    config.latency = 0.026;
    assert_true(make(&config));
    Running running = start_running(&loop, &config.plant, config.latency);
    assert_int_equal(design.stable, farthest(&running) < 1);
    assert_close(ib_complex_size(design.delayed_poles[0]), farthest(&running), 1e-9);
    for (int i = 0; i < design.pole_count; i++) assert_true(ib_complex_size(design.poles[i]) < 1);
}

// Goal: states that are not fed back are judged. Method: the carriage's position stays where it is
// (stable, and told); one that grows by itself (3/s) is not stable, nor has it margins; two of them
// in a chain are integrators, though their double pole is known to 1e-8 only.
static void states_left_out_are_judged(void **state)
{
    (void)state;
    ib_AnalysisConfig config = carriage(0.02, 1, 0);
    config.over = 1;
    config.over_state[0] = 1;
    assert_true(make(&config));
    assert_true(design.stable && design.margined && design.margins.stable);
    assert_string_equal(design.left_out, "positions are not held: x");
    config.latency = 0.06;
    config.Q[0] = 1 / (0.2 * 0.2);
    assert_true(make(&config));
    // Of the loop: v and three inputs on their way; the position is no part of it.
    assert_int_equal(design.delayed_count, 4);
    Running running = start_running(&loop, &config.plant, config.latency);
    double truth = farthest(&running);
    assert_int_equal(design.stable, truth < 1 + 1e-9);
    if (truth > 1 + 1e-9) assert_close(ib_complex_size(design.delayed_poles[0]), truth, 1e-9);
    config.latency = 0;
    config.plant.A[0] = 3;
    assert_true(make(&config));
    assert_false(design.stable);
    assert_true(design.margined && !design.margins.stable && design.margins.input[0].phase == 0);
    assert_non_null(strstr(design.left_out, "runs away by itself (|z| = 1.06184): x"));

    ib_StateSpace chain = ib_state_space_default(3, 1, 0);
    chain.A[1] = chain.A[5] = chain.B[2] = 1;
    config.plant = chain;
    config.over_state[0] = 2;
    assert_true(make(&config));
    assert_true(design.stable);
    assert_string_equal(design.left_out, "positions are not held: x1, x2");
}

// Goal: no name of a state that is left out is lost, however many and long they are. Method: an
// integrator that is fed back, and beside it as many as there can be with names as long as can be,
// of which the first seven grow by themselves (1/s) and eight stay: each is there, in its list.
static void all_states_left_out_are_named(void **state)
{
    (void)state;
    enum { LAST = IB_STATES_MAX - 1, GROWING = 7 };
    ib_AnalysisConfig config = carriage(0.02, 1, 0);
    config.plant = ib_state_space_default(IB_STATES_MAX, 1, 0);
    config.plant.B[LAST] = 1;
    config.over = 1;
    config.over_state[0] = LAST;
    for (int i = 0; i < LAST; i++) {
        config.plant.A[i * IB_STATES_MAX + i] = i < GROWING;
        snprintf(config.plant.state[i], sizeof config.plant.state[i], "%0*d", IB_STATE_NAME, i);
    }
    assert_true(make(&config));
    assert_false(design.stable);
    const char *staying = strstr(design.left_out, "; positions are not held: ");
    assert_non_null(staying);
    for (int i = 0; i < LAST; i++) {
        const char *name = strstr(design.left_out, config.plant.state[i]);
        assert_non_null(name);
        assert_int_equal(name < staying, i < GROWING);
    }
}

// Goal: margins are of the loop with its latency. Method: the carriage under a latency of two
// periods, its K frozen: L without latency, by the design of the same K, turned by z^-2; the delay
// margin is smaller by just the latency where both cross at the same frequency. 1e-6 of it.
static void the_delay_margin_is_what_is_left(void **state)
{
    (void)state;
    ib_AnalysisConfig config = carriage(0.02, 1 / (0.2 * 0.2), 1 / (0.3 * 0.3));
    config.latency = 0.04;
    assert_true(make(&config) && design.stable);
    ib_Margin late = design.margins.input[0], before;
    ib_Margins margins;
    assert_int_equal(ib_margins_feedback(&design.plant, design.K, &margins, &error), IB_OK);
    before = margins.input[0];
    assert_close(late.delay, before.delay - config.latency, 1e-6 * before.delay);
    assert_close(late.delay_frequency, before.delay_frequency, 1e-6 * before.delay_frequency);
    assert_close(late.phase, before.phase - 0.04 * before.phase_frequency, 1e-6);
    assert_true(late.gain_up < before.gain_up);
}

// Goal: what the desk cannot vouch for is refused at its block. Method: an integral with a filter;
// a latency of so many periods that the loop's poles cannot be had.
static void what_cannot_be_judged_is_refused(void **state)
{
    (void)state;
    ib_AnalysisConfig config = carriage(0.02, 1, 0);
    config.latency = 60 * 0.02;
    config.Q[3] = 1;
    assert_false(make(&config));
    assert_int_equal(refusals.part[0], IB_ANALYSIS_LATENCY);
    assert_non_null(strstr(refusals.error[0].text, "the loop has 62 states"));
    assert_false(design.stable);
    config.latency = 0;
    config.kalman = true;
    config.integrals = 1;
    config.Z[0] = config.Q[8] = config.measurement[0] = 1;
    config.process[0] = config.process[3] = 1;
    assert_false(make(&config));
    assert_int_equal(refusals.part[0], IB_ANALYSIS_INTEGRAL);
    assert_non_null(strstr(refusals.error[0].text, "expected input_error"));
}

// Goal: a pole on the unit circle is told as such. Method: 1 and what rounding makes of it never
// settle and have no frequency; i and its rounding swing for ever.
static void poles_on_the_circle_never_settle(void **state)
{
    (void)state;
    for (double off = -1e-10; off < 2e-10; off += 1e-10) {
        ib_PoleShape still = ib_pole_shape((ib_Complex){1 + off, 0}, 0.005);
        ib_PoleShape turning = ib_pole_shape((ib_Complex){0, 1 + off}, 0.005);
        assert_true(still.frequency == 0 && isnan(still.damping) && isinf(still.settling));
        assert_true(turning.damping == 0 && isinf(turning.settling));
        assert_close(turning.frequency, acos(0) / 0.005, 1e-9);
    }
    assert_true(isfinite(ib_pole_shape((ib_Complex){1 - 1e-8, 0}, 0.005).settling));
}

// Goal: what a plant does by itself is said right where rounding decides on which side of the
// circle a pole is found: an integrator stays, two in a row run away, a swing without damping
// stays. Method: poles by hand, off by what rounding makes; a plant x' = u at the desk.
static void an_integrator_neither_settles_nor_runs_away(void **state)
{
    (void)state;
    for (double off = -3e-12; off < 4e-12; off += 3e-12) {
        const ib_Complex one[] = {{1 + off, 0}, {0.9, 0}};
        const ib_Complex row[] = {{1, 1e-7 + off}, {1, -1e-7 - off}};
        const ib_Complex swing[] = {{0.8, 0.6 + off}, {0.8, -0.6 - off}};
        assert_int_equal(ib_plant_rest(2, one), IB_PLANT_STAYS);
        assert_int_equal(ib_plant_rest(1, one + 1), IB_PLANT_SETTLES);
        assert_int_equal(ib_plant_rest(2, row), IB_PLANT_RUNS_AWAY);
        assert_int_equal(ib_plant_rest(2, swing), IB_PLANT_STAYS);
    }
    assert_int_equal(ib_plant_rest(1, &(ib_Complex){1.001, 0}), IB_PLANT_RUNS_AWAY);
    ib_StateSpace plant = ib_state_space_default(1, 1, 1);
    plant.A[0] = -1e-11, plant.B[0] = plant.C[0] = 1;
    ib_AnalysisConfig config = ib_analysis_default(&plant, 1e-3);
    assert_int_equal(ib_analysis_design(&config, &design, &refusals), IB_OK);
    assert_false(design.stable);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        ib_plain_test(margins_are_those_of_the_loop_that_runs),
        ib_plain_test(integrals_over_an_observer_have_their_margins),
        cmocka_unit_test(margins_see_the_state_of_rest),
        cmocka_unit_test(integrals_are_compensated_too),
        cmocka_unit_test(states_left_out_are_judged),
        cmocka_unit_test(all_states_left_out_are_named),
        cmocka_unit_test(the_delay_margin_is_what_is_left),
        cmocka_unit_test(what_cannot_be_judged_is_refused),
        cmocka_unit_test(poles_on_the_circle_never_settle),
        cmocka_unit_test(an_integrator_neither_settles_nor_runs_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
