// Tests of what inputs move and outputs see: closed forms, plants built with a known hidden part,
// and the words for it.
#include "base/matrix.h"
#include "cmocka_all.h"
#include "design/controllability.h"
#include "linear/complex.h"
#include "linear/singular.h"
#include "spread.h"

#include <math.h>
#include <string.h>

static ib_Error error;
static ib_Controllability controllability;

static void find(const ib_StateSpace *plant)
{
    if (ib_controllability_find(plant, &controllability, &error) != IB_OK)
        fail_msg("%s", error.text);
}

// The plant x, v of the examples, discrete.
static ib_StateSpace plant_xv(const double *A, double b1, double b2, double c1, double c2)
{
    ib_StateSpace plant = ib_state_space_default(2, 1, 1);
    memcpy(plant.A, A, 4 * sizeof *A);
    plant.B[0] = b1, plant.B[1] = b2;
    plant.C[0] = c1, plant.C[1] = c2;
    plant.period = 0.01;
    strcpy(plant.state[0], "x");
    strcpy(plant.state[1], "v");
    return plant;
}

// ------------------------------------------------------------------------------------------ plants

// Goal: the words of the issue. Method: v grows by itself; what x is fed does not matter to it, and
// an output that cancels the growing shape does not see it. By hand: w' = (-0.5, 1) is the left
// eigenvector at 1.2 of the second plant and w' B = 0.
static void a_mode_out_of_reach_is_named(void **state)
{
    (void)state;
    const double A[4] = {1, 0.2, 0, 1.2};
    ib_StateSpace plant = plant_xv(A, 1, 0, 1, -1);
    find(&plant);
    assert_false(controllability.input.full || controllability.input.enough ||
                 controllability.stable);
    assert_string_equal(controllability.input.text,
                        "the mode at 1.2 (v) cannot be moved by any input");
    assert_false(controllability.output.full || controllability.output.enough);
    assert_string_equal(controllability.output.text,
                        "the mode at 1.2 (x : v = 1 : 1) does not show in any output");
    // w'A = 1.2 w' with w = (-0.5, 1), and B = (2, 1):
    // A = [a b; c d], -a/2 + c = -0.6, -b/2 + d = 1.2
    const double mixed[4] = {0.8, 0.4, -0.2, 1.4};
    plant = plant_xv(mixed, 2, 1, 1, 0);
    find(&plant);
    assert_string_equal(controllability.input.text,
                        "the mode at 1.2 (v - 0.5 x) cannot be moved by any input");
    assert_true(controllability.output.full);
    assert_int_equal(controllability.input.missing, 1);
    assert_close(controllability.input.mode[0].re, 1.2, 1e-14);
}

// Goal: "enough" separates what dies out from what does not, and the edge counts as not. Method:
// a hidden mode at 0.5, at 1 and at -1 (discrete), at -2, 0 (continuous).
static void hidden_modes_are_harmless_only_if_they_die_out(void **state)
{
    (void)state;
    const double modes[5] = {0.5, 1, -1, -2, 0}, periods[5] = {0.01, 0.01, 0.01, 0, 0};
    const bool harmless[5] = {true, false, false, true, false};
    for (int k = 0; k < 5; k++) {
        const double A[4] = {0.3, 0.1, 0, modes[k]};
        ib_StateSpace plant = plant_xv(A, 1, 0, 0, 0);
        plant.period = periods[k];
        find(&plant);
        assert_false(controllability.input.full);
        assert_int_equal(controllability.input.enough, harmless[k]);
        assert_false(controllability.output.full);
        assert_int_equal(controllability.output.missing, 2);
    }
}

// Goal: what lies within the rounding of an eigenvalue dies out for nobody. Method: beside an
// oscillation [0 100; -100 0] a mode that neither input nor output has to do with; |A| = 141, so
// that the edge is 1e3 eps |A| = 3.1e-11 to the left of 0: a mode at -1e-11 is on it, one at -1e-10
// dies out.
static void a_mode_at_the_edge_does_not_die_out(void **state)
{
    (void)state;
    ib_StateSpace plant = ib_state_space_default(3, 1, 1);
    plant.A[1] = 100, plant.A[3] = -100;
    plant.B[1] = plant.C[0] = 1;
    for (int k = 0; k < 2; k++) {
        plant.A[8] = k == 0 ? -1e-11 : -1e-10;
        find(&plant);
        assert_int_equal(controllability.input.missing, 1);
        assert_int_equal(controllability.output.missing, 1);
        assert_int_equal(controllability.input.enough, k);
        assert_int_equal(controllability.output.enough, k);
    }
}

// Goal: oscillations and several equal modes are told apart. Method: two identical carts pushed by
// one input: their difference swings on unmoved; three free integrators without any input.
static void pairs_and_equal_modes_are_named(void **state)
{
    (void)state;
    const double cart[4] = {0, 1, -4, 0};
    ib_StateSpace plant = ib_state_space_default(4, 1, 1);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            plant.A[i * 4 + j] = plant.A[(i + 2) * 4 + j + 2] = cart[i * 2 + j];
    plant.B[1] = plant.B[3] = 1;
    plant.C[0] = 1;
    find(&plant);
    assert_int_equal(controllability.input.missing, 2);
    assert_string_equal(controllability.input.text,
                        "the mode at 0 +- 2i (in x1, x2, x3, x4) cannot be moved by any input");
    assert_string_equal(controllability.output.text,
                        "the mode at 0 +- 2i (in x3, x4) does not show in any output");
    plant = ib_state_space_default(3, 0, 0);
    find(&plant);
    assert_string_equal(controllability.input.text,
                        "the mode at 0 (x1) cannot be moved by any input; "
                        "the mode at 0 (x2) cannot be moved by any input; "
                        "the mode at 0 (x3) cannot be moved by any input");
}

// Random orthogonal rows by the singular vectors of a random matrix.
static void random_turn(int n, uint64_t *seed, double *q)
{
    double a[256], sigma[16];
    for (int i = 0; i < n * n; i++) a[i] = spread_signed(seed);
    ib_singular_values(n, n, a, q, sigma);
}

// [A_m A_12; 0 A_u] with B = [B_m; 0], turned and in units between 2^-10 and 2^10. In every third
// one A_u repeats an eigenvalue of A_m, coupled: no test of single eigenvalues finds these.
static ib_StateSpace hidden_plant(int n, int m, int hidden, uint64_t *seed, double *rest)
{
    double a[256] = {0}, b[128] = {0}, q[256], qt[256], t[256], unit[16];
    ib_StateSpace plant = ib_state_space_default(n, m, 0);
    int moved = n - hidden;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i < moved || j >= moved) a[i * n + j] = spread_signed(seed);
    if (hidden == 1 && moved > 0 && *seed % 3 == 0) {
        for (int j = 0; j < moved - 1; j++) a[(moved - 1) * n + j] = 0;
        a[n * n - 1] = a[(moved - 1) * n + moved - 1];
    }
    for (int i = 0; i < moved * m; i++) b[i] = spread_signed(seed);
    for (int i = 0; i < hidden * hidden; i++)
        rest[i] = a[(moved + i / hidden) * n + moved + i % hidden];
    random_turn(n, seed, q);
    ib_matrix_transpose(n, n, q, qt);
    ib_matrix_multiply(n, n, n, qt, a, t);
    ib_matrix_multiply(n, n, n, t, q, plant.A);
    ib_matrix_multiply(n, n, m, qt, b, plant.B);
    for (int i = 0; i < n; i++) unit[i] = ldexp(1, (int)(10 * spread_signed(seed)));
    for (int i = 0; i < n * n; i++) plant.A[i] *= unit[i / n] / unit[i % n];
    for (int i = 0; i < n * m; i++) plant.B[i] *= unit[i / m];
    return plant;
}

// Goal: exactly the hidden part is found, on both sides. Method: 240 random plants of 1 to 12
// states with 0 to 4 of them hidden behind a rotation and bad units; the modes found are those put
// in. Tolerance 1e-6: rounding 1e-14 times the spread of units 2^20 on eigenvalues of order 1; a
// double eigenvalue moves by the root of that and is compared by its mean.
static void the_hidden_part_of_random_plants_is_found(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int k = 0; k < 240; k++) {
        int n = 1 + k % 12, m = 1 + k / 12 % 3, hidden = k / 36 % 5;
        if (hidden > n) hidden = n;
        double rest[16], mean = 0, wanted = 0;
        ib_StateSpace plant = hidden_plant(n, m, hidden, &seed, rest);
        find(&plant);
        assert_int_equal(controllability.input.missing, hidden);
        assert_int_equal(controllability.input.full, hidden == 0);
        assert_int_equal(strlen(controllability.input.text) == 0, hidden == 0);
        for (int i = 0; i < hidden; i++)
            mean += controllability.input.mode[i].re, wanted += rest[i * hidden + i];
        assert_close(mean, wanted, 1e-6);
        if (hidden == 0) assert_true(controllability.input.distance > 1e-9);

        // The same seen from the other side.
        ib_StateSpace dual = ib_state_space_default(n, 0, m);
        ib_matrix_transpose(n, n, plant.A, dual.A);
        ib_matrix_transpose(n, m, plant.B, dual.C);
        find(&dual);
        assert_int_equal(controllability.output.missing, hidden);
    }
}

// Goal: the distance falls as the input lets go, and a sampled plant is no nearer to losing its
// input than it is. Method: B = (1, d) on two separate modes: about d/2 for small d, by hand
// sigma_min [0 0 1; 0 -1 d] with B made 1 long is d / sqrt(1 + ...), between 0.2 d and d; a double
// integrator sampled at 1 kHz.
static void the_distance_follows_the_weakest_input(void **state)
{
    (void)state;
    const double A[4] = {0.5, 0, 0, -0.5};
    for (double d = 1; d > 1e-8; d /= 10) {
        ib_StateSpace plant = plant_xv(A, 1, d, 1, 1);
        find(&plant);
        assert_true(controllability.input.full);
        assert_true(controllability.input.distance > 0.2 * d && controllability.input.distance < d);
    }
    const double T = 1e-3, sampled[4] = {1, T, 0, 1};
    ib_StateSpace plant = plant_xv(sampled, T * T / 2, T, 1, 0);
    find(&plant);
    assert_true(controllability.input.full && controllability.output.full);
    assert_true(controllability.input.distance > 1e-4 && controllability.output.distance > 1e-4);
}

// The condition number of a symmetric positive 2 x 2 matrix.
static double condition(double a, double b, double d)
{
    double half = 0.5 * (a + d), root = sqrt(half * half - (a * d - b * b));
    return (half + root) / (half - root);
}

// Goal: Gramians. Method: A = diag(p, q), B = (1, 1): P_ij = -1/(p_i + p_j) in continuous time,
// 1/(1 - p_i p_j) in discrete time; relative 1e-12, the condition being about 100.
static void gramian_conditions_are_the_closed_form(void **state)
{
    (void)state;
    const double c[4] = {-1, 0, 0, -2}, d[4] = {0.5, 0, 0, 0.25};
    ib_StateSpace plant = plant_xv(c, 1, 1, 1, 1);
    plant.period = 0;
    find(&plant);
    double wanted = condition(1 / 2.0, 1 / 3.0, 1 / 4.0);
    assert_close(controllability.input.condition, wanted, 1e-12 * wanted);
    assert_close(controllability.output.condition, wanted, 1e-12 * wanted);
    plant = plant_xv(d, 1, 1, 1, 1);
    find(&plant);
    assert_true(controllability.stable);
    wanted = condition(1 / 0.75, 1 / 0.875, 1 / (1 - 0.0625));
    assert_close(controllability.input.condition, wanted, 1e-12 * wanted);
    const double grows[4] = {2, 0, 0, 0.5};
    plant = plant_xv(grows, 1, 1, 1, 1);
    find(&plant);
    assert_true(isinf(controllability.input.condition));
}

// Goal: no NaN, no crash. Method: a plant that is not finite, one without any size.
static void plants_that_are_none_are_refused(void **state)
{
    (void)state;
    ib_StateSpace plant = ib_state_space_default(2, 1, 1);
    plant.A[1] = NAN;
    assert_int_equal(ib_controllability_find(&plant, &controllability, &error), IB_BAD_INPUT);
    plant.A[1] = 0;
    find(&plant);
    assert_int_equal(controllability.input.missing, 2);
    assert_true(controllability.input.distance == 0);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mode_out_of_reach_is_named),
        cmocka_unit_test(hidden_modes_are_harmless_only_if_they_die_out),
        cmocka_unit_test(a_mode_at_the_edge_does_not_die_out),
        cmocka_unit_test(pairs_and_equal_modes_are_named),
        ib_plain_test(the_hidden_part_of_random_plants_is_found),
        cmocka_unit_test(the_distance_follows_the_weakest_input),
        cmocka_unit_test(gramian_conditions_are_the_closed_form),
        cmocka_unit_test(plants_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
