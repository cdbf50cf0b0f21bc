// Tests of added states: their matrices by hand, and what they are for: no error is left at rest.
#include "base/matrix.h"
#include "cmocka_all.h"
#include "design/augment.h"
#include "linear/discretise.h"
#include "linear/eigen.h"

#include <math.h>
#include <string.h>

static ib_Error error;

// x+ = 0.9 x + 0.5 u, y = x + 0.25 u, every 0.1 s.
static ib_StateSpace scalar(void)
{
    ib_StateSpace plant = ib_state_space_default(1, 1, 1);
    plant.A[0] = 0.9;
    plant.B[0] = 0.5;
    plant.C[0] = 1;
    plant.D[0] = 0.25;
    plant.period = 0.1;
    strcpy(plant.state[0], "v");
    strcpy(plant.input[0], "volts");
    return plant;
}

// --------------------------------------------------------------------------------- integral action

// Goal: the augmented matrices, by hand. Method: two states of which the first and the difference
// are integrated, discrete and continuous.
static void integrals_stand_below_the_plant(void **state)
{
    (void)state;
    ib_StateSpace plant = ib_state_space_default(2, 1, 1), both;
    const double A[4] = {0.9, 0.1, 0, 0.8}, Z[4] = {1, 0, 1, -1};
    memcpy(plant.A, A, sizeof A);
    plant.B[1] = 2;
    plant.C[1] = 3;
    plant.period = 0.5;
    assert_int_equal(ib_augment_integral(&plant, 2, Z, &both, &error), IB_OK);
    const double wanted[16] = {0.9, 0.1, 0, 0, 0, 0.8, 0, 0, 0.5, 0, 1, 0, 0.5, -0.5, 0, 1};
    const double B[4] = {0, 2, 0, 0}, C[4] = {0, 3, 0, 0};
    assert_int_equal(both.states, 4);
    assert_memory_equal(both.A, wanted, sizeof wanted);
    assert_memory_equal(both.B, B, sizeof B);
    assert_memory_equal(both.C, C, sizeof C);
    assert_string_equal(both.state[1], "x2");
    assert_string_equal(both.state[2], "integral_x1");
    assert_string_equal(both.state[3], "integral_2");
    plant.period = 0;
    assert_int_equal(ib_augment_integral(&plant, 2, Z, &both, &error), IB_OK);
    assert_true(both.A[2 * 4] == 1 && both.A[3 * 4 + 1] == -1 && both.A[3 * 4 + 3] == 0);
}

// Goal: with integral action a constant push leaves no error, without it one of known size; the
// input stays within its limits. Method: [K G] puts both poles of [0.9 0; 0.1 1] at 0.6:
//   trace: 1.9 - 0.5 K = 1.2 -> K = 1.4;   det: 0.9 - 0.5 K + 0.05 G = 0.36 -> G = 3.2
// A push of 0.3 per step is left as 0.3 / (1 - 0.2) without G. 0.6^100 k is below rounding.
static void integral_action_leaves_no_error(void **state)
{
    (void)state;
    ib_StateSpace plant = scalar(), both;
    const double Z = 1, gain[2] = {1.4, 3.2};
    double K, G, loop[4], x = 1, z = 0, alone = 1;
    ib_Complex poles[2];
    assert_int_equal(ib_augment_integral(&plant, 1, &Z, &both, &error), IB_OK);
    for (int i = 0; i < 4; i++) loop[i] = both.A[i] - both.B[i / 2] * gain[i % 2];
    assert_int_equal(ib_eigenvalues(2, loop, poles, &error), IB_OK);
    // A double pole is known to the root of rounding.
    for (int i = 0; i < 2; i++) assert_close(hypot(poles[i].re - 0.6, poles[i].im), 0, 1e-7);
    ib_augment_split(1, 1, 1, gain, &K, &G);
    for (int step = 0; step < 200; step++) {
        double u = -K * x - G * z;
        assert_true(fabs(u) <= 2);
        z += plant.period * x;
        x = 0.9 * x + 0.5 * u + 0.3;
        alone = 0.9 * alone + 0.5 * (-K * alone) + 0.3;
    }
    assert_close(x, 0, 1e-15);
    assert_close(alone, 0.375, 1e-15);
    assert_close(z, 0.6 / 3.2, 1e-15); // holds u = -0.6 against the push
}

// Goal: a gain is taken apart in the right places.
// Method: two inputs, two states, one integral, numbered.
static void gains_are_split_by_columns(void **state)
{
    (void)state;
    const double both[6] = {1, 2, 3, 4, 5, 6}, wanted[4] = {1, 2, 4, 5};
    double K[4], G[2];
    ib_augment_split(2, 2, 1, both, K, G);
    assert_memory_equal(K, wanted, sizeof K);
    assert_true(G[0] == 3 && G[1] == 6);
}

// ------------------------------------------------------------------------------------- input error

// Goal: the matrices with input errors, by hand, names and gains too.
// Method: one state, D not zero.
static void input_errors_come_in_with_the_input(void **state)
{
    (void)state;
    ib_StateSpace plant = scalar(), both;
    assert_int_equal(ib_augment_input_error(&plant, &both, &error), IB_OK);
    const double A[4] = {0.9, 0.5, 0, 1}, B[2] = {0.5, 0}, C[2] = {1, 0.25};
    assert_int_equal(both.states, 2);
    assert_memory_equal(both.A, A, sizeof A);
    assert_memory_equal(both.B, B, sizeof B);
    assert_memory_equal(both.C, C, sizeof C);
    assert_true(both.D[0] == 0.25);
    assert_string_equal(both.state[1], "error_volts");
    const double K[4] = {1, 2, 3, 4};
    const double gain[8] = {1, 2, 1, 0, 3, 4, 0, 1}, feed[8] = {1, 2, 0, 0, 3, 4, 0, 0};
    double got[8];
    ib_augment_gain(2, 2, K, got);
    assert_memory_equal(got, gain, sizeof gain);
    ib_augment_feedforward(2, 2, K, got);
    assert_memory_equal(got, feed, sizeof feed);
}

// Goal: discretising before or after adding input errors is the same. Method: a driven mass with
// two inputs, 20 ms; 1e-16: one rounding of elements below 1e-1, more where they are 1.
static void hold_and_input_errors_commute(void **state)
{
    (void)state;
    ib_StateSpace plant = ib_state_space_default(2, 2, 1), first, then, other;
    const double A[4] = {0, 1, -4, -2}, B[4] = {0, 0.1, 3, -1};
    memcpy(plant.A, A, sizeof A);
    memcpy(plant.B, B, sizeof B);
    assert_int_equal(ib_discretise(&plant, 0.02, &first, &error), IB_OK);
    assert_int_equal(ib_augment_input_error(&first, &then, &error), IB_OK);
    assert_int_equal(ib_augment_input_error(&plant, &first, &error), IB_OK);
    assert_int_equal(ib_discretise(&first, 0.02, &other, &error), IB_OK);
    for (int i = 0; i < 16; i++) assert_close(other.A[i], then.A[i], 1e-15);
    for (int i = 0; i < 8; i++) assert_close(other.B[i], then.B[i], 1e-15);
}

// Goal: the estimator finds a constant input error, and [K I] takes it away: the state comes to
// where it is wanted, within limits, with noise on the measurement. Method: the scalar plant
// without D and with 0.8 V missing. Predictor poles 0.5, 0.5 of [0.9 0.5; 0 1] from y = x:
//   trace: 1.9 - L1 = 1 -> L1 = 0.9;   det: (0.9 - L1) + 0.5 L2 = 0.25 -> L2 = 0.5
static void estimated_error_is_taken_away(void **state)
{
    (void)state;
    ib_StateSpace plant = scalar(), both;
    plant.D[0] = 0;
    assert_int_equal(ib_augment_input_error(&plant, &both, &error), IB_OK);
    const double L[2] = {0.9, 0.5}, K = 1, wanted = 2, missing = -0.8;
    double gain[2], x = 0, guess[2] = {0, 0}, next[2];
    ib_augment_gain(1, 1, &K, gain);
    for (int step = 0; step < 300; step++) {
        double noise = step < 200 ? 0.01 * sin(12.9898 * step) : 0; // off at the end: exact limit
        double e = x + noise - guess[0];
        double feed = (wanted - 0.9 * wanted) / 0.5;
        double u = gain[0] * (wanted - guess[0]) - gain[1] * guess[1] + feed;
        assert_true(fabs(u) <= 3);
        ib_matrix_multiply(2, 2, 1, both.A, guess, next);
        for (int i = 0; i < 2; i++) guess[i] = next[i] + both.B[i] * u + L[i] * e;
        x = 0.9 * x + 0.5 * (u + missing);
        if (step > 50) assert_close(x, wanted, 0.03); // the noise, amplified less than 3 times
    }
    assert_close(x, wanted, 1e-14);
    assert_close(guess[1], missing, 1e-14);
}

// Goal: the density on an input error spreads into the state as it must. Method: x' = b (u + e), e
// a random walk of density q: Q_d = q [b^2 T^3/3, b T^2/2; ., T], to rounding.
static void noise_of_the_error_reaches_the_state(void **state)
{
    (void)state;
    const double b = 3, T = 0.1, q = 0.7, none = 0;
    ib_StateSpace plant = ib_state_space_default(1, 1, 0), both;
    double Q[4], Qd[4];
    plant.B[0] = b;
    assert_int_equal(ib_augment_input_error(&plant, &both, &error), IB_OK);
    assert_int_equal(ib_augment_noise(1, 1, &none, &q, Q, &error), IB_OK);
    assert_int_equal(ib_discretise_noise(&both, Q, NULL, T, Qd, NULL, &error), IB_OK);
    assert_close(Qd[0], q * b * b * T * T * T / 3, 1e-17);
    assert_close(Qd[1], q * b * T * T / 2, 1e-16);
    assert_close(Qd[3], q * T, 1e-16);
}

// ----------------------------------------------------------------------------------------- refused

// Goal: what cannot be is refused with the reason. Method: one call each.
static void bad_questions_are_refused(void **state)
{
    (void)state;
    ib_StateSpace plant = scalar(), both, large = ib_state_space_default(15, 2, 1);
    const double zero = 0, one = 1, negative = -1, nan = NAN;
    double Q[4];
    assert_int_equal(ib_augment_integral(&plant, 1, &zero, &both, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "row is zero"));
    assert_int_equal(ib_augment_integral(&plant, 1, &nan, &both, &error), IB_BAD_INPUT);
    strcpy(plant.state[0], "error_volts");
    assert_int_equal(ib_augment_input_error(&plant, &both, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "'error_volts' is there twice"));
    assert_int_equal(ib_augment_input_error(&large, &both, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "15 states and 2 more: 16 are the most"));
    assert_int_equal(ib_augment_noise(1, 1, &one, &negative, Q, &error), IB_BAD_INPUT);
    // The longest name still ends within its place.
    memset(plant.state[0], 'x', IB_STATE_NAME);
    plant.state[0][IB_STATE_NAME] = 0;
    assert_int_equal(ib_augment_integral(&plant, 1, &one, &both, &error), IB_OK);
    assert_int_equal(strlen(both.state[1]), IB_STATE_NAME);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrals_stand_below_the_plant),
        cmocka_unit_test(integral_action_leaves_no_error),
        cmocka_unit_test(gains_are_split_by_columns),
        cmocka_unit_test(input_errors_come_in_with_the_input),
        cmocka_unit_test(hold_and_input_errors_commute),
        cmocka_unit_test(estimated_error_is_taken_away),
        cmocka_unit_test(noise_of_the_error_reaches_the_state),
        cmocka_unit_test(bad_questions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
