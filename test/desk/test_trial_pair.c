// Tests of desk/trial/trial_pair.h: what the trial of a design shows.
#include "desk/desk_rig.h"
#include "desk/trial/trial_pair.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ib_TrialPair trials;
static ib_Error error;

static ib_DesignFile *try_file(const char *name)
{
    ib_DesignFile *file = rig_example(name);
    assert_int_equal(ib_trial_pair_run(file, 0, NULL, &rig_arena, &trials, &error), IB_OK);
    return file;
}

// Goal: what the noise does to a loop is told where the loop is settled, not on its way there at
// the limit. Method: the stationary covariance of plant and filter under the measurement's noise,
// from the A, B, C, K, M and Rd of `ironbird design FILE --json` by scipy 1.10.1,
// solve_discrete_lyapunov: x+ = A x - B K c, e = y - C x^, c = x^ + M e, x^+ = (A - B K) c (with
// the input errors in x^). 10 %: some 300 independent values are good to about 3 to 5 %.
static void noise_is_that_of_the_settled_loop(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        double sigma[4];
    } wanted[] = {
        {"elevator.yaml", {2.0195e-4, 1.308827e-2}},
        {"two_mass.yaml", {5.40651e-5, 6.00282e-3, 6.05755e-5, 3.32598e-3}},
        {"drivetrain.yaml", {1.80273e-5, 3.24296e-4, 1.80273e-5, 3.24296e-4}},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        ib_DesignFile *file = try_file(wanted[i].file);
        for (int k = 0; k < trials.quiet.states; k++) {
            double sigma = ib_trial_pair_facts(&trials, k).noise;
            if (!(fabs(sigma / wanted[i].sigma[k] - 1) < 0.1))
                fail_msg("%s: %g is not %g", wanted[i].file, sigma, wanted[i].sigma[k]);
        }
        ib_design_file_destroy(file);
    }
}

// Goal: a loop without a filter has no noise to tell of. Method: the flywheel.
static void without_a_filter_there_is_no_noise(void **state)
{
    (void)state;
    ib_DesignFile *file = try_file("flywheel.yaml");
    assert_false(trials.noisy);
    assert_true(isnan(ib_trial_pair_facts(&trials, 0).noise));
    ib_design_file_destroy(file);
}

// Goal: a trial has the latency that the file states. Method: a mass at rest one unit away, two
// periods of latency: nothing moves until the first input arrives, and then it does.
static void a_trial_has_the_latency_of_the_file(void **state)
{
    (void)state;
    static const char text[] = "plant: {A: [[0, 1], [0, -2]], B: [[0], [3]], states: [x, v]}\n"
                               "period: 5 ms\npoles: [0.97, 0.95]\nlatency: 10 ms\n"
                               "try: {start: {x: 1}, duration: 1 s}\n";
    ib_DesignFile *file = rig_design(text);
    assert_int_equal(ib_trial_pair_run(file, 0, NULL, &rig_arena, &trials, &error), IB_OK);
    const double *x = trials.quiet.x, *u = trials.quiet.u;
    assert_true(u[0] < 0);
    for (int i = 0; i <= 2; i++) assert_true(x[i] == 1);
    assert_true(x[3] < 1);
    ib_design_file_destroy(file);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_is_that_of_the_settled_loop),
        cmocka_unit_test(without_a_filter_there_is_no_noise),
        cmocka_unit_test(a_trial_has_the_latency_of_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, rig_forget);
}
