// Tests of latency: the exact plant against a fine simulation, the compensated gain and the
// predictor by the poles that they give.
#include "base/matrix.h"
#include "cmocka_all.h"
#include "design/delay.h"
#include "linear/discretise.h"
#include "linear/eigen.h"

#include <math.h>
#include <string.h>

static ib_Error error;

static const double period = 0.02, latency = 1.3 * 0.02;

// A carriage: x' = v, v' = -2 v + 3 u.
static ib_StateSpace carriage(void)
{
    ib_StateSpace plant = ib_state_space_default(2, 1, 1);
    const double A[4] = {0, 1, 0, -2};
    memcpy(plant.A, A, sizeof A);
    plant.B[1] = 3;
    plant.C[0] = 1;
    strcpy(plant.input[0], "volts");
    return plant;
}

// Two LQR gains of the carriage at 20 ms, R = 1/144. With a, b of scipy.signal.cont2discrete:
//   P = solve_discrete_are(a, b, Q, R); K = solve(R + b.T @ P @ b, b.T @ P @ a)
static const double gentle[2] = {146.4445890730908, 11.708075275401914}; // Q = diag(400, 1)
static const double fierce[2] = {308.9382589189157, 15.073476258119936}; // Q = diag(2500, 1)

// The poles of the delayed carriage under u = -[k 0 0].
static void poles_under(const double *k, ib_Complex *poles)
{
    ib_StateSpace plant = carriage(), delayed;
    assert_int_equal(ib_delay_plant(&plant, period, latency, &delayed, &error), IB_OK);
    double loop[16];
    memcpy(loop, delayed.A, sizeof loop);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++) loop[i * 4 + j] -= delayed.B[i] * k[j];
    assert_int_equal(ib_eigenvalues(4, loop, poles, &error), IB_OK);
}

// The damping ratio of z = e^(s T): -Re s / |s|, the least of the poles on the right.
static double least_damping(const ib_Complex *poles, int count)
{
    double least = 1;
    for (int i = 0; i < count; i++) {
        double re = log(hypot(poles[i].re, poles[i].im)), im = atan2(poles[i].im, poles[i].re);
        if (poles[i].re > 0) least = fmin(least, -re / hypot(re, im));
    }
    return least;
}

// ------------------------------------------------------------------------------------------- plant

// Goal: the delayed plant moves as the real one. Method: 1.3 periods are 13 steps of a tenth, so a
// simulation in tenths with a queue is exact; inputs from a fixed list; both states to rounding.
static void delayed_plant_moves_as_a_fine_simulation(void **state)
{
    (void)state;
    ib_StateSpace plant = carriage(), fine, delayed;
    double x[2] = {0.3, -0.2}, d[4] = {0.3, -0.2, 0, 0}, queue[14] = {0};
    assert_int_equal(ib_discretise(&plant, period / 10, &fine, &error), IB_OK);
    assert_int_equal(ib_delay_plant(&plant, period, latency, &delayed, &error), IB_OK);
    assert_int_equal(delayed.states, 4);
    for (int step = 0; step < 50; step++) {
        double u = 12 * sin(0.7 * step), next[4];
        for (int tenth = 0; tenth < 10; tenth++) {
            memmove(queue + 1, queue, 13 * sizeof *queue);
            queue[0] = u;
            double v = fine.A[2] * x[0] + fine.A[3] * x[1] + fine.B[1] * queue[13];
            x[0] = fine.A[0] * x[0] + fine.A[1] * x[1] + fine.B[0] * queue[13];
            x[1] = v;
        }
        ib_matrix_multiply(4, 4, 1, delayed.A, d, next);
        for (int i = 0; i < 4; i++) d[i] = next[i] + delayed.B[i] * u;
        assert_close(d[0], x[0], 1e-13);
        assert_close(d[1], x[1], 1e-13);
    }
}

// Goal: the split of B, the queue and its names. Method: B_new and B_old by scipy.linalg.expm of
// [A B; 0 0] over 0.7 and 0.3 of a period; the queue by eye.
static void inputs_wait_in_a_queue(void **state)
{
    (void)state;
    ib_StateSpace plant = carriage(), delayed;
    plant.D[0] = 0.5;
    assert_int_equal(ib_delay_plant(&plant, period, latency, &delayed, &error), IB_OK);
    const double B_new[2] = {0.00029127510093516823, 0.04141744979812966};
    const double B_old[2] = {0.00030080426330723864, 0.017398391473385524};
    for (int i = 0; i < 2; i++) {
        assert_close(delayed.A[i * 4 + 2], B_new[i], 1e-16);
        assert_close(delayed.A[i * 4 + 3], B_old[i], 1e-16);
        assert_true(delayed.B[i] == 0);
    }
    assert_true(delayed.B[2] == 1 && delayed.B[3] == 0 && delayed.A[3 * 4 + 2] == 1);
    assert_true(delayed.A[2 * 4 + 2] == 0 && delayed.A[3 * 4 + 3] == 0);
    // At the sample the input of two periods ago is still there.
    assert_true(delayed.D[0] == 0 && delayed.C[2] == 0 && delayed.C[3] == 0.5);
    assert_string_equal(delayed.state[2], "volts_1_ago");
    assert_string_equal(delayed.state[3], "volts_2_ago");
    assert_true(delayed.period == period);
}

// Goal: no latency changes nothing, whole periods only queue. Method: 0, and 3 periods of which the
// quotient is not whole in binary; B then stands at the end of the queue.
static void whole_periods_leave_the_plant_as_it_is(void **state)
{
    (void)state;
    ib_StateSpace plant = carriage(), sampled, delayed;
    plant.D[0] = 0.5;
    assert_int_equal(ib_discretise(&plant, period, &sampled, &error), IB_OK);
    assert_int_equal(ib_delay_plant(&plant, period, 0, &delayed, &error), IB_OK);
    assert_int_equal(delayed.states, 2);
    assert_memory_equal(delayed.A, sampled.A, 4 * sizeof(double));
    assert_memory_equal(delayed.B, sampled.B, 2 * sizeof(double));
    assert_true(delayed.D[0] == 0.5);
    assert_int_equal(ib_delay_plant(&plant, 0.1, 0.1 + 0.1 + 0.1, &delayed, &error), IB_OK);
    assert_int_equal(ib_discretise(&plant, 0.1, &sampled, &error), IB_OK);
    assert_int_equal(delayed.states, 5);
    assert_true(delayed.A[0 * 5 + 4] == sampled.B[0] && delayed.A[1 * 5 + 4] == sampled.B[1]);
    assert_true(delayed.C[4] == 0.5 && delayed.D[0] == 0);
}

// Goal: a plant given as discrete gives the same. Method: discretised first; the way back through
// the logarithm costs a few digits: 1e-14 of 1.
static void discrete_plants_are_delayed_too(void **state)
{
    (void)state;
    ib_StateSpace plant = carriage(), sampled, one, other;
    assert_int_equal(ib_discretise(&plant, period, &sampled, &error), IB_OK);
    assert_int_equal(ib_delay_plant(&plant, period, latency, &one, &error), IB_OK);
    assert_int_equal(ib_delay_plant(&sampled, period, latency, &other, &error), IB_OK);
    for (int i = 0; i < 16; i++) assert_close(other.A[i], one.A[i], 1e-14);
}

// -------------------------------------------------------------------------------------------- gain

// Goal: the compensated gain is K (A - B K)^p. Method: one state, where it is a number; whole
// periods by multiplication; and the carriage by scipy.linalg.fractional_matrix_power.
static void gain_is_that_of_the_state_to_come(void **state)
{
    (void)state;
    ib_StateSpace plant = ib_state_space_default(1, 1, 0), sampled;
    ib_DelayMethod method;
    double k = 0.4, got[2];
    plant.A[0] = 0.9;
    plant.B[0] = 0.5;
    plant.period = 0.01;
    assert_int_equal(ib_delay_gain(&plant, &k, 0.013, got, &method, &error), IB_OK);
    assert_close(got[0], 0.4 * pow(0.7, 1.3), 1e-15);
    assert_int_equal(method, IB_DELAY_POWER);
    assert_int_equal(ib_delay_gain(&plant, &k, 0.02, got, &method, &error), IB_OK);
    assert_close(got[0], 0.4 * 0.7 * 0.7, 1e-16);
    assert_int_equal(method, IB_DELAY_WHOLE);
    assert_int_equal(ib_delay_gain(&plant, &k, 0, got, NULL, &error), IB_OK);
    assert_true(got[0] == k);

    plant = carriage();
    assert_int_equal(ib_discretise(&plant, period, &sampled, &error), IB_OK);
    assert_int_equal(ib_delay_gain(&sampled, gentle, latency, got, &method, &error), IB_OK);
    assert_close(got[0], 14.001354466108525, 1e-11); // K times 1e-13
    assert_close(got[1], 3.801367508282554, 1e-12);
}

// Goal: with a real delay of 1.3 periods, the compensated gain is better damped than the raw one.
// Method: poles of the exact plant; the raw gain is at the edge (damping 0.0003 by numpy),
// the other well inside (0.934). A fast real pole at -0.18 is left out: it has no damping ratio.
static void compensated_gain_is_better_damped(void **state)
{
    (void)state;
    ib_StateSpace plant = carriage(), sampled;
    ib_Complex poles[4];
    double k[2];
    assert_int_equal(ib_discretise(&plant, period, &sampled, &error), IB_OK);
    assert_int_equal(ib_delay_gain(&sampled, gentle, latency, k, NULL, &error), IB_OK);
    poles_under(gentle, poles);
    assert_close(least_damping(poles, 4), 0.00031269393450430283, 1e-10);
    poles_under(k, poles);
    assert_close(least_damping(poles, 4), 0.9344882235425478, 1e-10);
    assert_true(hypot(poles[0].re, poles[0].im) < 0.92);
}

// Goal: a deadbeat loop has no fractional power, and is carried by the plant's own motion. Method:
// x'' = u, whose deadbeat gain is [1/T^2, 3/(2T)]; over f, A_f = [1 f; 0 1], B_f = [f^2/2; f].
static void deadbeat_is_carried_by_the_plant(void **state)
{
    (void)state;
    const double T = 0.1, f = 0.04, K[2] = {1 / (T * T), 1.5 / T};
    ib_StateSpace plant = ib_state_space_default(2, 1, 0), sampled;
    ib_DelayMethod method;
    double got[2];
    plant.A[1] = 1;
    plant.B[1] = 1;
    assert_int_equal(ib_discretise(&plant, T, &sampled, &error), IB_OK);
    // In binary the double pole at 0 may come out on either side of it; a gain a little higher
    // makes one truly negative. Both must be told from a loop that has the power.
    for (int above = 0; above < 2; above++) {
        double k[2] = {K[0] * (1 + 0.02 * above), K[1] * (1 + 0.02 * above)};
        double carry[4] = {1 - f * f / 2 * k[0], f - f * f / 2 * k[1], -f * k[0], 1 - f * k[1]};
        assert_int_equal(ib_delay_gain(&sampled, k, f, got, &method, &error), IB_OK);
        assert_int_equal(method, IB_DELAY_HELD);
        for (int j = 0; j < 2; j++)
            assert_close(got[j], k[0] * carry[j] + k[1] * carry[2 + j], 1e-11); // K is 100
    }
    assert_int_equal(ib_delay_gain(&sampled, K, 2 * T, got, &method, &error), IB_OK);
    assert_close(got[0], 0, 1e-11); // at rest after two periods: nothing to do, to rounding of K
    assert_close(got[1], 0, 1e-11);
}

// --------------------------------------------------------------------------------------- predictor

// Goal: where the compensated gain fails, the predictor does not. Method: the fierce gain; with it
// compensated the loop is unstable (1.183 by numpy); the predictor's poles are the two of A - B K,
// 0.44565714 +- 0.23688239i by numpy, and two zeros (a double root: known to the root of rounding).
static void predictor_has_the_poles_without_latency(void **state)
{
    (void)state;
    ib_StateSpace plant = carriage(), sampled, delayed;
    ib_Complex poles[4];
    double k[2], gain[4], loop[16];
    assert_int_equal(ib_discretise(&plant, period, &sampled, &error), IB_OK);
    assert_int_equal(ib_delay_gain(&sampled, fierce, latency, k, NULL, &error), IB_OK);
    poles_under(k, poles);
    assert_close(poles[0].re, 1.183373487212263, 1e-9);
    assert_int_equal(ib_delay_plant(&plant, period, latency, &delayed, &error), IB_OK);
    assert_int_equal(ib_delay_predictor(&plant, period, latency, fierce, gain, &error), IB_OK);
    for (int i = 0; i < 16; i++) loop[i] = delayed.A[i] - delayed.B[i / 4] * gain[i % 4];
    assert_int_equal(ib_eigenvalues(4, loop, poles, &error), IB_OK);
    assert_close(poles[0].re, 0.44565714, 1e-8);
    assert_close(poles[0].im, 0.23688239, 1e-8);
    assert_close(hypot(poles[2].re, poles[2].im), 0, 1e-6);
    assert_close(hypot(poles[3].re, poles[3].im), 0, 1e-6);
    assert_int_equal(ib_delay_predictor(&plant, period, 0, fierce, gain, &error), IB_OK);
    assert_true(gain[0] == fierce[0] && gain[1] == fierce[1]);
}

// ----------------------------------------------------------------------------------------- refused

// Goal: what cannot be is refused with the reason. Method: one call each.
static void bad_questions_are_refused(void **state)
{
    (void)state;
    ib_StateSpace plant = carriage(), delayed, sampled, dead = ib_state_space_default(1, 1, 0);
    double k[2];
    assert_int_equal(ib_delay_plant(&plant, period, -0.001, &delayed, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "latency"));
    assert_int_equal(ib_delay_plant(&plant, period, NAN, &delayed, &error), IB_BAD_INPUT);
    assert_int_equal(ib_delay_plant(&plant, 0, 0.01, &delayed, &error), IB_BAD_INPUT);
    assert_int_equal(ib_delay_plant(&plant, period, 14.5 * period, &delayed, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "2 states and 15 inputs on their way"));
    assert_int_equal(ib_delay_gain(&plant, gentle, 0.01, k, NULL, &error), IB_BAD_INPUT);
    assert_int_equal(ib_discretise(&plant, period, &sampled, &error), IB_OK);
    assert_int_equal(ib_delay_plant(&sampled, 0.01, 0.01, &delayed, &error), IB_BAD_INPUT);
    // A plant that is itself a delay has no motion between the samples.
    dead.B[0] = 1;
    dead.period = 0.1;
    const double half = 0.5;
    assert_int_equal(ib_delay_gain(&dead, &half, 0.05, k, NULL, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "eigenvalue -0.5"));
    assert_int_equal(ib_delay_gain(&dead, &half, 0.1, k, NULL, &error), IB_OK);
    assert_close(k[0], -0.25, 0);
    assert_int_equal(ib_delay_plant(&dead, 0.1, 0.1, &delayed, &error), IB_OK);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delayed_plant_moves_as_a_fine_simulation),
        cmocka_unit_test(inputs_wait_in_a_queue),
        cmocka_unit_test(whole_periods_leave_the_plant_as_it_is),
        cmocka_unit_test(discrete_plants_are_delayed_too),
        cmocka_unit_test(gain_is_that_of_the_state_to_come),
        cmocka_unit_test(compensated_gain_is_better_damped),
        cmocka_unit_test(deadbeat_is_carried_by_the_plant),
        cmocka_unit_test(predictor_has_the_poles_without_latency),
        cmocka_unit_test(bad_questions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
