// Tests of the linear-quadratic regulator and of the steady Kalman filter: the reference's
// drivetrain, limits, other ways to the same answer, and both together.
#include "base/matrix.h"
#include "cmocka_all.h"
#include "design/kalman_gain.h"
#include "design/lqr.h"
#include "linear/discretise.h"
#include "linear/drivetrain_rig.h"
#include "spread.h"

#include <stdio.h>
#include <string.h>

static ib_Error error;

// --------------------------------------------------------------------------------------- reference

// Goal: K and the poles of reference D2. Method: tolerances 0.14 m, 0.95 m/s, 12 V; 1e-9.
static void drivetrain_gain_matches_the_reference(void **state)
{
    (void)state;
    const double tolerance[4] = {0.14, 0.95, 0.14, 0.95}, volts[2] = {12, 12};
    ib_StateSpace plant = rig_sampled_drivetrain();
    double Q[16], R[4];
    ib_Lqr lqr;
    assert_int_equal(ib_lqr_weights(4, tolerance, Q, &error), IB_OK);
    assert_int_equal(ib_lqr_weights(2, volts, R, &error), IB_OK);
    assert_close(Q[5], 1 / (0.95 * 0.95), 1e-15);
    assert_int_equal(ib_lqr(&plant, Q, R, NULL, &lqr, &error), IB_OK);
    // The matrices have 12 digits, which costs the small elements a few of theirs.
    for (int i = 0; i < 8; i++)
        assert_close(lqr.K[i], ib__drive_K[i], 1e-9 * fmax(1, ib__drive_K[i]));
    assert_int_equal(lqr.pole_count, 4);
    assert_close(lqr.poles[0].re, 0.9561321131, 1e-9);
    assert_close(fabs(lqr.poles[0].im), 0.0079347031, 1e-9);
    assert_close(lqr.poles[2].re, 0.9557678407, 1e-9);
    assert_close(lqr.poles[3].re, 0.9518146042, 1e-9);
    assert_true(lqr.riccati.residual < 1e-14);
}

// Goal: the steady filter of reference D3. Method: densities as given there, through the
// discretisation of noise; gains to 1e-9, poles to the digits printed.
static void drivetrain_filter_matches_the_reference(void **state)
{
    (void)state;
    const double *M = ib__filter_M, *L = ib__filter_L;
    double Qc[16] = {0}, Rc[4] = {5e-11, 0, 0, 5e-11}, Qd[16], Rd[4];
    ib_StateSpace slow = rig_drivetrain_plant(), plant = rig_sampled_drivetrain();
    ib_KalmanGain gain;
    Qc[0] = Qc[10] = 0.0025;
    Qc[5] = Qc[15] = 1;
    assert_int_equal(ib_discretise_noise(&slow, Qc, Rc, 0.005, Qd, Rd, &error), IB_OK);
    assert_int_equal(ib_kalman_gain(&plant, Qd, Rd, &gain, &error), IB_OK);
    for (int i = 0; i < 8; i++) {
        assert_close(gain.M[i], M[i], 1e-9 * fmax(1, M[i]));
        assert_close(gain.L[i], L[i], 1e-9 * fmax(1, L[i]));
    }
    for (int i = 0; i < 4; i++) {
        ib_Complex p = gain.poles[i];
        assert_close(sqrt(p.re * p.re + p.im * p.im), ib__filter_poles[i], 1e-9);
    }
    assert_true(gain.riccati.residual < 1e-12);
}

// -------------------------------------------------------------------------------------- other ways

static double draw(uint64_t *index)
{
    return 2 * chance_uniform(11, 0, (*index)++) - 1;
}

// A random sampled plant with poles to about 1.3, and weights m m' + 0.1 I.
static ib_StateSpace random_plant(uint64_t *index, int n, int m, int p)
{
    ib_StateSpace plant = ib_state_space_default(n, m, p);
    plant.period = 0.01;
    for (int i = 0; i < n * n; i++) plant.A[i] = 2.2 / sqrt(n) * draw(index);
    for (int i = 0; i < n * m; i++) plant.B[i] = draw(index);
    for (int i = 0; i < p * n; i++) plant.C[i] = draw(index);
    return plant;
}

static void random_weight(uint64_t *index, int n, double *w)
{
    double half[64];
    for (int i = 0; i < n * n; i++) half[i] = draw(index);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            w[i * n + j] = i == j ? 0.1 : 0;
            for (int k = 0; k < n; k++) w[i * n + j] += half[i * n + k] * half[j * n + k];
        }
}

// The cost of u = -K x from x = e1, e2 … summed, by running the loop until nothing is left.
static double cost_of(const ib_StateSpace *plant, const double *Q, const double *R, const double *N,
                      const double *K)
{
    int n = plant->states, m = plant->inputs;
    double cost = 0;
    for (int start = 0; start < n; start++) {
        double x[8] = {0}, next[8], u[8], Qx[8], Ru[8], Nu[8];
        x[start] = 1;
        for (int k = 0; k < 3000 && ib_matrix_norm(n, 1, x) > 1e-9; k++) {
            ib_matrix_multiply(m, n, 1, K, x, u);
            for (int i = 0; i < m; i++) u[i] = -u[i];
            ib_matrix_multiply(n, n, 1, Q, x, Qx);
            ib_matrix_multiply(m, m, 1, R, u, Ru);
            ib_matrix_multiply(n, m, 1, N, u, Nu);
            for (int i = 0; i < n; i++) cost += x[i] * (Qx[i] + 2 * Nu[i]);
            for (int i = 0; i < m; i++) cost += u[i] * Ru[i];
            ib_matrix_multiply(n, n, 1, plant->A, x, next);
            ib_matrix_multiply(n, m, 1, plant->B, u, x);
            for (int i = 0; i < n; i++) x[i] += next[i];
        }
    }
    return cost;
}

// Goal: K is the cheapest feedback, cross weights included, and X is its cost. Method: run 20
// random loops: the cost is the trace of X to 1e-10, and a change of any element of K by 1e-3
// makes it dearer.
static void gain_is_the_cheapest_there_is(void **state)
{
    (void)state;
    uint64_t index = 0;
    for (int k = 0; k < 20; k++) {
        int n = 1 + k % 5, m = 1 + k % 2;
        double Q[64], R[64], N[64], trace = 0;
        ib_Lqr lqr;
        ib_StateSpace plant = random_plant(&index, n, m, 0);
        random_weight(&index, n, Q);
        random_weight(&index, m, R);
        for (int i = 0; i < n * m; i++) N[i] = 0.03 * draw(&index);
        assert_int_equal(ib_lqr(&plant, Q, R, N, &lqr, &error), IB_OK);
        for (int i = 0; i < n; i++) trace += lqr.X[i * n + i];
        double best = cost_of(&plant, Q, R, N, lqr.K);
        assert_close(best, trace, 1e-10 * trace);
        for (int i = 0; i < 2 * n * m; i++) {
            double K[IB_INPUTS_MAX * IB_STATES_MAX];
            memcpy(K, lqr.K, sizeof K);
            K[i / 2] += i % 2 ? 1e-3 : -1e-3;
            assert_true(cost_of(&plant, Q, R, N, K) > best);
        }
    }
}

// Goal: the filter's covariance is what the filter itself settles to. Method: P <- A (P - M C P) A'
// + Q from P = I, 20 000 times, on 20 random plants; 1e-9 of P. Each time takes the start's share
// down by the square of the filter's slowest pole: 1000 times leave 2e-9 of a slow one (SEED=100).
static void covariance_is_what_the_filter_settles_to(void **state)
{
    (void)state;
    uint64_t index = 5000;
    for (int k = 0; k < 20; k++) {
        int n = 2 + k % 4;
        double Q[64], R, P[64], CP[8], t[64], At[64], wide[64];
        ib_KalmanGain gain;
        ib_StateSpace plant = random_plant(&index, n, 0, 1);
        random_weight(&index, n, Q);
        random_weight(&index, 1, &R);
        assert_int_equal(ib_kalman_gain(&plant, Q, &R, &gain, &error), IB_OK);
        ib_matrix_transpose(n, n, plant.A, At);
        ib_matrix_identity(n, P);
        for (int step = 0; step < 20000; step++) {
            double S = R;
            ib_matrix_multiply(1, n, n, plant.C, P, CP);
            for (int i = 0; i < n; i++) S += CP[i] * plant.C[i];
            for (int i = 0; i < n * n; i++) P[i] -= CP[i / n] * CP[i % n] / S;
            ib_matrix_multiply(n, n, n, plant.A, P, t);
            ib_matrix_multiply(n, n, n, t, At, wide);
            ib_matrix_add(n, n, wide, 1, Q, t);
            for (int i = 0; i < n * n; i++) P[i] = 0.5 * (t[i] + t[i % n * n + i / n]);
        }
        double size = ib_matrix_norm(n, n, P);
        for (int i = 0; i < n * n; i++) assert_close(gain.P[i], P[i], 1e-9 * size);
        assert_close(gain.S[0] * gain.M[0], CP[0], 1e-9 * size);
    }
}

// Goal: L = A M, and both are the gains of P. Method: 20 random plants with 2 outputs; 1e-10.
static void predictor_is_the_filter_one_period_on(void **state)
{
    (void)state;
    uint64_t index = 9000;
    for (int k = 0; k < 20; k++) {
        int n = 2 + k % 6;
        double Q[64], R[4], AM[64];
        ib_KalmanGain gain;
        ib_StateSpace plant = random_plant(&index, n, 1, 2);
        random_weight(&index, n, Q);
        random_weight(&index, 2, R);
        assert_int_equal(ib_kalman_gain(&plant, Q, R, &gain, &error), IB_OK);
        ib_matrix_multiply(n, n, 2, plant.A, gain.M, AM);
        for (int i = 0; i < 2 * n; i++) assert_close(gain.L[i], AM[i], 1e-10 * (1 + fabs(AM[i])));
    }
}

// ------------------------------------------------------------------------------------------ limits

// Goal: effort that costs nothing stops an integrator in one step; effort that costs everything
// leaves a stable plant alone; a tolerance of infinity is no weight. Method: one state, closed
// limits; 1e-6, which is the square root of the weights' ratio.
static void gain_has_its_limits(void **state)
{
    (void)state;
    ib_StateSpace plant = ib_state_space_default(1, 1, 1);
    const double never = INFINITY, bad = 0, one = 1;
    double Q = 1, R = 1e-12, weight = -1;
    ib_Lqr lqr;
    plant.A[0] = 1, plant.B[0] = 0.5, plant.C[0] = 1, plant.period = 0.1;
    assert_int_equal(ib_lqr(&plant, &Q, &R, NULL, &lqr, &error), IB_OK);
    assert_close(lqr.K[0], 2, 1e-6);
    plant.A[0] = 0.9, R = 1e12;
    assert_int_equal(ib_lqr(&plant, &Q, &R, NULL, &lqr, &error), IB_OK);
    assert_close(lqr.K[0], 0, 1e-6);
    assert_int_equal(ib_lqr_weights(1, &never, &weight, &error), IB_OK);
    assert_true(weight == 0);
    assert_int_equal(ib_lqr_weights(1, &bad, &weight, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "expected > 0"));

    // A measurement without noise is believed, one that is all noise is not.
    ib_KalmanGain gain;
    R = 1e-12;
    assert_int_equal(ib_kalman_gain(&plant, &one, &R, &gain, &error), IB_OK);
    assert_close(gain.M[0], 1, 1e-6);
    R = 1e12;
    assert_int_equal(ib_kalman_gain(&plant, &one, &R, &gain, &error), IB_OK);
    assert_close(gain.M[0], 0, 1e-6);
}

// Goal: a continuous plant has a regulator too, and the sampled one goes to it. Method: double
// integrator, Q = I, R = 1: K = (1, sqrt 3), poles (-sqrt 3 +- i) / 2; sampled at 1 ms and 0.5 ms
// with weights times T: its difference is halved with the period, +- 5 %.
static void sampled_regulator_goes_to_the_continuous_one(void **state)
{
    (void)state;
    ib_StateSpace plant = ib_state_space_default(2, 1, 0), sampled;
    double Q[4] = {1, 0, 0, 1}, R = 1, off[2];
    ib_Lqr lqr;
    plant.A[1] = 1, plant.B[1] = 1;
    assert_int_equal(ib_lqr(&plant, Q, &R, NULL, &lqr, &error), IB_OK);
    assert_close(lqr.K[0], 1, 1e-12);
    assert_close(lqr.K[1], sqrt(3), 1e-12);
    assert_close(lqr.poles[0].re, -sqrt(3) / 2, 1e-12);
    assert_close(lqr.poles[0].im, 0.5, 1e-12);
    for (int k = 0; k < 2; k++) {
        double T = k ? 0.0005 : 0.001, QT[4] = {T, 0, 0, T}, RT = T;
        sampled = plant;
        sampled.period = T;
        sampled.A[0] = sampled.A[3] = 1, sampled.A[1] = T;
        sampled.B[0] = T * T / 2, sampled.B[1] = T;
        assert_int_equal(ib_lqr(&sampled, QT, &RT, NULL, &lqr, &error), IB_OK);
        off[k] = fabs(lqr.K[0] - 1) + fabs(lqr.K[1] - sqrt(3));
    }
    assert_close(off[0] / off[1], 2, 0.1);
}

// ------------------------------------------------------------------------------------------ subset

// Goal: a regulator of the speeds alone. Method: over v_left, v_right it is the one of the plant
// without positions, and K has zeros for the positions; over x_left alone it is refused, since
// positions depend on speeds, with both names.
static void speeds_alone_are_regulated(void **state)
{
    (void)state;
    const int speeds[2] = {1, 3}, place[1] = {0};
    const double tolerance[2] = {0.95, 0.95}, volts[2] = {12, 12};
    double Q[4], R[4];
    ib_StateSpace plant = rig_sampled_drivetrain(), small = ib_state_space_default(2, 2, 0);
    ib_Lqr over, alone;
    assert_int_equal(ib_lqr_weights(2, tolerance, Q, &error), IB_OK);
    assert_int_equal(ib_lqr_weights(2, volts, R, &error), IB_OK);
    small.period = plant.period;
    for (int i = 0; i < 4; i++) {
        int row = speeds[i / 2], column = speeds[i % 2];
        small.A[i] = plant.A[row * 4 + column];
        small.B[i] = plant.B[row * 2 + i % 2];
    }
    assert_int_equal(ib_lqr(&small, Q, R, NULL, &alone, &error), IB_OK);
    assert_int_equal(ib_lqr_over(&plant, 2, speeds, Q, R, NULL, &over, &error), IB_OK);
    assert_int_equal(over.pole_count, 2);
    for (int i = 0; i < 2; i++) {
        assert_true(over.K[i * 4] == 0 && over.K[i * 4 + 2] == 0);
        assert_true(over.K[i * 4 + 1] == alone.K[i * 2]);
        assert_true(over.K[i * 4 + 3] == alone.K[i * 2 + 1]);
        assert_true(over.poles[i].re == alone.poles[i].re);
    }
    assert_int_equal(ib_lqr_over(&plant, 1, place, Q, R, NULL, &over, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "'x_left' depends on 'v_left'"));
}

// Goal: what cannot be designed is named in the plant's words. Method: a drivetrain whose right
// side has no motor, one whose right position is not measured,
// and plants without inputs or outputs.
static void refusals_speak_of_the_plant(void **state)
{
    (void)state;
    ib_StateSpace plant = rig_sampled_drivetrain();
    double Q[16], R[4] = {1, 0, 0, 1};
    ib_Lqr lqr;
    ib_KalmanGain gain;
    ib_matrix_identity(4, Q);
    plant.A[1 * 4 + 3] = plant.A[3 * 4 + 1] = plant.A[3] = plant.A[2 * 4 + 1] = 0;
    for (int i = 4; i < 8; i++) plant.B[i] = 0;
    assert_int_equal(ib_lqr(&plant, Q, R, NULL, &lqr, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "not stabilisable: no input moves the mode at 1 ("));
    assert_non_null(strstr(error.text, "x_right"));
    assert_null(strstr(error.text, "left"));
    plant.C[4 + 2] = 0;
    assert_int_equal(ib_kalman_gain(&plant, Q, R, &gain, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "not detectable: no output sees the mode at 1 (x_right)"));
    plant.inputs = plant.outputs = 0;
    assert_int_equal(ib_lqr(&plant, Q, R, NULL, &lqr, &error), IB_BAD_INPUT);
    assert_int_equal(ib_kalman_gain(&plant, Q, R, &gain, &error), IB_BAD_INPUT);
    plant = rig_drivetrain_plant();
    assert_int_equal(ib_kalman_gain(&plant, Q, R, &gain, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "discrete"));
}

// -------------------------------------------------------------------------------------------- both

// Goal: the separation principle: the loop that both close has the poles of A - B K and of A - L C.
// Method: 20 random plants of 2 to 6 states; the product and the sum of all poles, and the largest
// one, to 1e-8 of their size (poles that lie close together are known to fewer digits each).
static void regulator_and_filter_do_not_disturb_each_other(void **state)
{
    (void)state;
    uint64_t index = 20000;
    for (int k = 0; k < 20; k++) {
        int n = 2 + k % 5;
        double Q[64], R[64], sum = 0, most = 0, wanted_sum = 0, wanted_most = 0;
        ib_Lqr lqr;
        ib_KalmanGain gain;
        ib_Complex poles[2 * IB_STATES_MAX];
        ib_StateSpace plant = random_plant(&index, n, 2, 2);
        random_weight(&index, n, Q);
        random_weight(&index, 2, R);
        assert_int_equal(ib_lqr(&plant, Q, R, NULL, &lqr, &error), IB_OK);
        assert_int_equal(ib_kalman_gain(&plant, Q, R, &gain, &error), IB_OK);
        assert_int_equal(ib_lqg_poles(&plant, lqr.K, gain.M, poles, &error), IB_OK);
        for (int i = 0; i < 2 * n; i++) {
            sum += poles[i].re;
            most = fmax(most, poles[i].re * poles[i].re + poles[i].im * poles[i].im);
        }
        for (int i = 0; i < n; i++) {
            ib_Complex p = lqr.poles[i], q = gain.poles[i];
            wanted_sum += p.re + q.re;
            wanted_most =
                fmax(wanted_most, fmax(p.re * p.re + p.im * p.im, q.re * q.re + q.im * q.im));
        }
        assert_close(sum, wanted_sum, 1e-8);
        assert_close(most, wanted_most, 1e-8);
        assert_true(most < 1);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drivetrain_gain_matches_the_reference),
        cmocka_unit_test(drivetrain_filter_matches_the_reference),
        cmocka_unit_test(gain_is_the_cheapest_there_is),
        cmocka_unit_test(covariance_is_what_the_filter_settles_to),
        cmocka_unit_test(predictor_is_the_filter_one_period_on),
        cmocka_unit_test(gain_has_its_limits),
        cmocka_unit_test(sampled_regulator_goes_to_the_continuous_one),
        cmocka_unit_test(speeds_alone_are_regulated),
        cmocka_unit_test(refusals_speak_of_the_plant),
        cmocka_unit_test(regulator_and_filter_do_not_disturb_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
