// Tests of the arm's filter: its gain in the long run against Riccati's equation, its covariance
// against the integrated one, and that an unknown load is found as its weight.
#include "control/arm_follow_rig.h"
#include "design/kalman_gain.h"
#include "linear/discretise.h"
#include "spread.h"

enum { N = IB_ARM_X };

static ib_Error error;

// Two links that do not feel each other, without gravity: a linear plant.
static ib_ArmPlant linear_arm(void)
{
    ib_ArmPlant arm = reference_arm();
    arm.link.beta = arm.link.first = arm.link.second = 0;
    return arm;
}

// ------------------------------------------------------------------------------------------ linear

// Goal: after long the gain is that of Riccati's equation. Method: a linear arm; the same plant
// written by hand, sampled exactly, its noise by Van Loan, its gain by the desk's solver. What one
// sample that is off by 1 rad moves is a column of the gain. Simpson's rule is off by (h A)^4/2880
// or 1e-8, and 1e-3 rad of 1 leave ten digits: 5e-7 of the largest.
static void gain_in_the_long_run_is_that_of_riccati(void **unused)
{
    (void)unused;
    ib_ArmPlant arm = linear_arm();
    ib_ArmEkfConfig config = ib_arm_ekf_default();
    config.encoder[1] = 2e-3;
    ib_ArmEkf ekf;
    ib_arm_ekf_init(&config, &arm, 5e-3, &ekf);

    ib_StateSpace plant = ib_state_space_default(N, 2, 2), sampled;
    const double J[2] = {arm.link.alpha, arm.link.gamma};
    double Q[N * N] = {0}, Qd[N * N], R[4] = {1e-6, 0, 0, 4e-6}, Rd[4];
    for (int i = 0; i < 2; i++) {
        int th = 2 * i, w = th + 1, e = 4 + i;
        plant.A[th * N + w] = 1;
        plant.A[w * N + w] = -arm.gear[i].drag / J[i];
        plant.A[w * N + e] = plant.B[w * 2 + i] = arm.gear[i].push / J[i];
        plant.C[i * N + th] = 1;
        Q[w * N + w] = config.speed * config.speed;
        Q[e * N + e] = config.error * config.error;
    }
    ib_KalmanGain gain;
    assert_int_equal(ib_discretise(&plant, 5e-3, &sampled, &error), IB_OK);
    assert_int_equal(ib_discretise_noise(&plant, Q, R, 5e-3, Qd, Rd, &error), IB_OK);
    assert_int_equal(ib_kalman_gain(&sampled, Qd, R, &gain, &error), IB_OK);

    double state[IB_ARM_EKF_STATES];
    const double start[2] = {0.2, -0.1}, u[2] = {1, -2};
    ib_arm_ekf_reset(&ekf, start, state);
    for (int k = 0; k < 5000; k++) {
        ib_arm_ekf_predict(&ekf, u, state);
        const double y[2] = {state[IB_ARM_TH1], state[IB_ARM_TH2]};
        ib_arm_ekf_correct(&ekf, y, state);
    }
    ib_arm_ekf_predict(&ekf, u, state);
    double largest = 0;
    for (int i = 0; i < 2 * N; i++) largest = fmax(largest, fabs(gain.M[i]));
    for (int j = 0; j < 2; j++) {
        double moved[IB_ARM_EKF_STATES];
        double y[2] = {state[IB_ARM_TH1], state[IB_ARM_TH2]};
        y[j] += 1e-3;
        memcpy(moved, state, sizeof moved);
        ib_arm_ekf_correct(&ekf, y, moved);
        for (int i = 0; i < N; i++)
            assert_close((moved[i] - state[i]) / 1e-3, gain.M[i * 2 + j], 5e-7 * largest);
    }
}

// --------------------------------------------------------------------------------------- nonlinear

// A = df/dx by central differences, without the arm's own slopes.
static void differences(const ib_ArmPlant *arm, const double *x, const double *u, double A[N * N])
{
    for (int j = 0; j < N; j++) {
        double a[N], b[N], fa[N], fb[N], d = 1e-5;
        memcpy(a, x, sizeof a);
        memcpy(b, x, sizeof b);
        a[j] += d;
        b[j] -= d;
        ib_arm_plant_rate(arm, a, u, fa);
        ib_arm_plant_rate(arm, b, u, fb);
        for (int i = 0; i < N; i++) A[i * N + j] = (fa[i] - fb[i]) / (2 * d);
    }
}

// Goal: the slopes are those of the rates. Method: differences at 200 random states; they are good
// to 1e-9 of the largest, about 100.
static void slopes_are_those_of_the_rates(void **unused)
{
    (void)unused;
    ib_ArmPlant arm = reference_arm();
    for (uint64_t n = 0; n < 200; n++) {
        double x[N], u[2], A[N * N], expected[N * N];
        for (uint64_t i = 0; i < N; i++) x[i] = -4 + 8 * chance_uniform(5, i, n);
        for (uint64_t i = 0; i < 2; i++) u[i] = -12 + 24 * chance_uniform(6, i, n);
        ib_arm_slopes(&arm, x, u, A);
        differences(&arm, x, u, expected);
        for (int i = 0; i < N * N; i++) assert_close(A[i], expected[i], 1e-7);
    }
}

// Goal: over a swing without samples the covariance is that of P' = A P + P A' + Q. Method: the
// mid-point rule, 100 steps a period, A by differences. The filter keeps A over a period, in
// which the arm turns by 0.02 rad: 1e-3 of each deviation.
static void covariance_is_the_integrated_one(void **unused)
{
    (void)unused;
    ib_ArmPlant arm = reference_arm();
    ib_ArmEkfConfig config = ib_arm_ekf_default();
    ib_ArmEkf ekf;
    ib_arm_ekf_init(&config, &arm, 5e-3, &ekf);
    double state[IB_ARM_EKF_STATES], P[N * N], x[N];
    const double start[2] = {0.4, -0.7}, u[2] = {11, -9};
    ib_arm_ekf_reset(&ekf, start, state);
    state[IB_ARM_W1] = 2, state[IB_ARM_W2] = -3;
    memcpy(x, state, sizeof x);
    memcpy(P, state + N, sizeof P);
    for (int k = 0; k < 20; k++) {
        ib_arm_ekf_predict(&ekf, u, state);
        for (int s = 0; s < 100; s++) {
            double h = 5e-5, A[N * N], rate[N * N], middle[N];
            memcpy(middle, x, sizeof middle);
            ib_arm_advance(&arm, u, h / 2, middle);
            differences(&arm, middle, u, A);
            for (int stage = 0; stage < 2; stage++) {
                double at[N * N];
                for (int i = 0; i < N * N; i++) at[i] = P[i] + (stage ? 0.5 * h * rate[i] : 0);
                for (int i = 0; i < N; i++)
                    for (int j = 0; j < N; j++) {
                        double sum = i == j ? ekf.Q[i] : 0;
                        for (int l = 0; l < N; l++)
                            sum += A[i * N + l] * at[l * N + j] + at[i * N + l] * A[j * N + l];
                        rate[i * N + j] = sum;
                    }
            }
            for (int i = 0; i < N * N; i++) P[i] += h * rate[i];
            ib_arm_advance(&arm, u, h, x);
        }
    }
    for (int i = 0; i < N; i++) {
        assert_close(state[i], x[i], 1e-7); // two steps of RK4 a period instead of 100
        for (int j = 0; j < N; j++)
            assert_close(state[N + i * N + j], P[i * N + j],
                         1e-3 * sqrt(P[i * N + i] * P[j * N + j]));
    }
    assert_true(sqrt(P[0]) > 10 * config.encoder[0]); // it has grown
}

// Goal: the covariance stays one: symmetric, and of positive variances. Method: 100 000 periods
// with encoders that are exact to 1 nrad, where the short form of the correction breaks; Cholesky.
static void covariance_stays_positive(void **unused)
{
    (void)unused;
    ib_ArmPlant arm = reference_arm();
    ib_ArmEkfConfig config = ib_arm_ekf_default();
    config.encoder[0] = config.encoder[1] = 1e-9;
    ib_ArmEkf ekf;
    ib_arm_ekf_init(&config, &arm, 5e-3, &ekf);
    double state[IB_ARM_EKF_STATES], *P = state + N;
    const double start[2] = {0.4, -0.7}, u[2] = {0, 0};
    ib_arm_ekf_reset(&ekf, start, state);
    for (int k = 0; k < IB_ROUNDS(100000, 20000); k++) {
        ib_arm_ekf_predict(&ekf, u, state);
        const double y[2] = {state[IB_ARM_TH1], state[IB_ARM_TH2]};
        ib_arm_ekf_correct(&ekf, y, state);
        if (k % 1000 > 0) continue;
        double L[N][N] = {{0}};
        for (int i = 0; i < N; i++)
            for (int j = 0; j <= i; j++) {
                double sum = P[i * N + j];
                assert_true(P[i * N + j] == P[j * N + i]);
                for (int l = 0; l < j; l++) sum -= L[i][l] * L[j][l];
                if (i == j) assert_true(sum > 0);
                L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
            }
    }
}

// -------------------------------------------------------------------------------------------- load

// Goal: a load that nobody told of is found as its weight in volts: e = M g l sin th/K3. Method: it
// is held with 1.5 kg in its hand, for 4 s, after which nothing moves any more: 1 mV.
static void an_unknown_load_is_its_weight_in_volts(void **unused)
{
    (void)unused;
    ArmRig rig;
    arm_rig_init(&rig, 11);
    rig.real.link = ib_two_link_loaded(&rig.real.link, 1.5);
    arm_rig_start(&rig, 0.3, -0.5);
    ArmRun run = arm_rig_run(&rig, 0, 800, NULL);
    double l1 = 46.25 * 0.0254, l2 = 41.8 * 0.0254;
    assert_close(rig.state[IB_ARM_E1], 1.5 * 9.81 * l1 * sin(0.3) / 15.6275, 1e-3);
    assert_close(rig.state[IB_ARM_E2], 1.5 * 9.81 * l2 * sin(-0.5) / 20.0925, 1e-3);
    assert_true(run.late < 1e-5); // and the arm stands where it should
    arm_rig_close(&rig);
}

// Goal: a filter that could trust nothing, or everything, is refused. Method: one of each.
static void impossible_noises_are_refused(void **unused)
{
    (void)unused;
    ib_ArmEkfConfig config = ib_arm_ekf_default();
    assert_int_equal(ib_arm_ekf_check(&config, &error), IB_OK);
    config.encoder[1] = 0;
    assert_int_equal(ib_arm_ekf_check(&config, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "expected above 0"));
    config = ib_arm_ekf_default();
    config.error = -1;
    assert_int_equal(ib_arm_ekf_check(&config, &error), IB_BAD_INPUT);
    config = ib_arm_ekf_default();
    config.largest = 0;
    assert_int_equal(ib_arm_ekf_check(&config, &error), IB_BAD_INPUT);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gain_in_the_long_run_is_that_of_riccati),
        cmocka_unit_test(slopes_are_those_of_the_rates),
        cmocka_unit_test(covariance_is_the_integrated_one),
        cmocka_unit_test(covariance_stays_positive),
        cmocka_unit_test(an_unknown_load_is_its_weight_in_volts),
        cmocka_unit_test(impossible_noises_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
