// claims/control/control_kalman.c: values for the claims about the Kalman filter.
#include "claims/control/control.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "base/matrix.h"
#include "control/feedback/kalman.h"
#include "design/kalman_gain.h"
#include "linear/complex.h"
#include "linear/discretise.h"

#include <math.h>
#include <string.h>

enum { N = IB__DRIVE_STATES, P = 2 };

// The densities of reference D3.
static const double Qc[N * N] = {[0] = 0.0025, [5] = 1, [10] = 0.0025, [15] = 1};
static const double Rc[P * P] = {5e-11, 0, 0, 5e-11};
static const double P0[N * N] = {[0] = 1e-2, [5] = 1, [10] = 1e-2, [15] = 1};

// ------------------------------------------------------------------------------- Discretize, kalmd

// int e^(A t) Q_c e^(A' t) dt by Simpson's rule, e^(A t) from sampling with the period t.
static ib_Status integral(const ib_StateSpace *slow, double dt, double *Q, ib_Error *error)
{
    enum { PANELS = 16 };
    ib_Status status = IB_OK;
    for (int i = 0; i < N * N; i++) Q[i] = 0;
    for (int k = 0; k <= 2 * PANELS && status == IB_OK; k++) {
        double E[N * N], Et[N * N], EQ[N * N], term[N * N], t = dt * k / (2 * PANELS);
        double weight = (k == 0 || k == 2 * PANELS ? 1 : k % 2 ? 4 : 2) * dt / (6 * PANELS);
        ib_StateSpace sampled;
        ib_matrix_identity(N, E);
        if (k > 0) status = ib_discretise(slow, t, &sampled, error);
        if (k > 0) memcpy(E, sampled.A, sizeof E);
        ib_matrix_transpose(N, N, E, Et);
        ib_matrix_multiply(N, N, N, E, Qc, EQ);
        ib_matrix_multiply(N, N, N, EQ, Et, term);
        ib_matrix_add(N, N, Q, weight, term, Q);
    }
    return status;
}

static ib_Status noise(ib_ClaimValue *found, const ib_StateSpace *slow, const ib_StateSpace *plant,
                       ib_Error *error)
{
    double Qd[N * N], Rd[P * P], Q[N * N], poles[N];
    ib_KalmanGain gain;
    ib_Status status = ib_discretise_noise(slow, Qc, Rc, 0.005, Qd, Rd, error);
    if (status == IB_OK) status = integral(slow, 0.005, Q, error);
    if (status == IB_OK) status = ib_kalman_gain(plant, Qd, Rd, &gain, error);
    if (status != IB_OK) return status;
    for (int i = 0; i < N; i++) poles[i] = ib_complex_size(gain.poles[i]);
    double M = ib__control_gap(N * P, gain.M, ib__filter_M);
    found[IB__KALMAN_QD].form[IB__DESK] = ib__control_gap(N * N, Qd, ib__filter_Qd);
    found[IB__KALMAN_INTEGRAL].form[IB__DESK] = ib__control_gap(N * N, Qd, Q);
    found[IB__KALMAN_RD].form[IB__DESK] = Rd[0] * 0.005 / Rc[0];
    found[IB__KALMAN_GAIN].form[IB__DESK] = ib_max(M, ib__control_gap(N * P, gain.L, ib__filter_L));
    found[IB__KALMAN_POLES].form[IB__DESK] = ib__control_gap(N, poles, ib__filter_poles);
    return IB_OK;
}

// -------------------------------------------------------------------------------- Predict, Correct

// PredictHybridObserver and CorrectHybridObserver to the letter, for n states and p outputs: no D U
// in the innovation, P <- (I - K C) P.
typedef struct Letter {
    int n, p;
    double x[N], P[N * N];
} Letter;

static void letter_predict(Letter *l, const ib_KalmanPeriod *period, int inputs, const double *u)
{
    double At[N * N], AP[N * N], APA[N * N];
    ib__control_advance(l->n, inputs, period->A, period->B, u, l->x);
    ib_matrix_transpose(l->n, l->n, period->A, At);
    ib_matrix_multiply(l->n, l->n, l->n, period->A, l->P, AP);
    ib_matrix_multiply(l->n, l->n, l->n, AP, At, APA);
    ib_matrix_add(l->n, l->n, APA, 1, period->Q, l->P);
}

static void letter_correct(Letter *l, const double *C, const double *R, const double *y)
{
    int n = l->n, p = l->p, pivot[P];
    double Ct[N * P], PC[N * P], S[P * P], St[P * P], K[N * P], Kt[P * N], Cx[P], e[P], Ke[N];
    double KC[N * N], I[N * N], next[N * N];
    ib_matrix_transpose(p, n, C, Ct);
    ib_matrix_multiply(n, n, p, l->P, Ct, PC);
    ib_matrix_multiply(p, n, p, C, PC, S);
    ib_matrix_add(p, p, S, 1, R, S);
    ib_matrix_transpose(p, p, S, St); // K S = P C'  <=>  S' K' = (P C')'
    ib_matrix_transpose(n, p, PC, Kt);
    ib_matrix_factor(p, St, pivot);
    ib_matrix_solve_columns(p, n, St, pivot, Kt);
    ib_matrix_transpose(p, n, Kt, K);
    ib_matrix_multiply(p, n, 1, C, l->x, Cx);
    ib_matrix_add(p, 1, y, -1, Cx, e);
    ib_matrix_multiply(n, p, 1, K, e, Ke);
    ib_matrix_add(n, 1, l->x, 1, Ke, l->x);
    ib_matrix_identity(n, I);
    ib_matrix_multiply(n, p, n, K, C, KC);
    ib_matrix_add(n, n, I, -1, KC, I);
    ib_matrix_multiply(n, n, n, I, l->P, next);
    memcpy(l->P, next, (size_t)(n * n) * sizeof *next);
}

static double skew(const double *P_)
{
    double gap = 0, size = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            gap = ib_max(gap, fabs(P_[i * N + j] - P_[j * N + i]));
            size = ib_max(size, fabs(P_[i * N + j]));
        }
    return gap / size;
}

static const ib_KalmanPeriod *period_of(const ib_KalmanCache *cache, double dt)
{
    for (int i = 0; i < IB_KALMAN_RECENT; i++)
        if (cache->recent[i].dt == dt) return &cache->recent[i];
    return NULL;
}

// The seven rows of the reference, by the library and to the letter, beside each other.
static ib_Status uneven(ib_ClaimValue *found, const ib_KalmanModel *model, ib_Error *error)
{
    ib_KalmanCache cache = {0};
    Letter letter = {.n = N, .p = P};
    double state[IB_KALMAN_STATES_MAX], worst = 0, skews[2] = {0};
    memcpy(letter.P, P0, sizeof P0);
    ib_kalman_reset(model, NULL, P0, state);
    for (int k = 0; k < IB__FILTER_ROWS; k++) {
        const double *row = ib__filter_rows[k], *u = row + 1, *y = row + 3, dt = row[0];
        ib_Status status = ib_kalman_predict(model, &cache, u, dt, state, error);
        if (status == IB_OK) status = ib_kalman_correct(model, y, NULL, u, dt, state, NULL, error);
        if (status != IB_OK) return status;
        const double Rd[P * P] = {Rc[0] / dt, 0, 0, Rc[3] / dt};
        letter_predict(&letter, period_of(&cache, dt), 2, u);
        letter_correct(&letter, model->plant.C, Rd, y);
        for (int i = 0; i < N; i++) worst = ib_max(worst, fabs(state[i] - row[5 + i]));
        skews[IB__DESK] = ib_max(skews[IB__DESK], skew(state + N));
        skews[IB__LETTER] = ib_max(skews[IB__LETTER], skew(letter.P));
    }
    found[IB__KALMAN_TABLE].form[IB__DESK] = worst;
    for (int form = IB__DESK; form <= IB__LETTER; form++)
        found[IB__CORRECT_SKEW].form[form] = skews[form];
    return IB_OK;
}

// Bayes' rule for normal distributions: information adds up, P+^-1 = P^-1 + C' R^-1 C. The outputs
// are the positions.
static void bayes(const double *before, const double *R, double *after)
{
    double information[N * N], lu[N * N];
    int pivot[N];
    memcpy(lu, before, sizeof lu);
    ib_matrix_identity(N, information);
    ib_matrix_factor(N, lu, pivot);
    ib_matrix_solve_columns(N, N, lu, pivot, information);
    information[0] += 1 / R[0];
    information[2 * N + 2] += 1 / R[3];
    ib_matrix_identity(N, after);
    ib_matrix_factor(N, information, pivot);
    ib_matrix_solve_columns(N, N, information, pivot, after);
}

static double trace(const double *P_)
{
    return P_[0] + P_[5] + P_[10] + P_[15];
}

// One prediction and one correction, with the change of each quantity.
static ib_Status one_correction(ib_ClaimValue *found, const ib_KalmanModel *model, ib_Error *error)
{
    const double *row = ib__filter_rows[0], dt = row[0];
    const double Rd[P * P] = {Rc[0] / dt, 0, 0, Rc[3] / dt};
    double state[IB_KALMAN_STATES_MAX], before[N * N], wanted[N * N];
    ib_KalmanCache cache = {0};
    ib_kalman_reset(model, NULL, P0, state);
    ib_Status status = ib_kalman_predict(model, &cache, row + 1, dt, state, error);
    if (status != IB_OK) return status;
    ib_KalmanModel kept = *model;
    ib_KalmanPeriod period = *period_of(&cache, dt);
    memcpy(before, state + N, sizeof before);
    status = ib_kalman_correct(model, row + 3, NULL, row + 1, dt, state, NULL, error);
    if (status != IB_OK) return status;
    bayes(before, Rd, wanted);
    double Q = ib__control_gap(N * N, period_of(&cache, dt)->Q, period.Q);
    found[IB__KALMAN_LEARNT].form[IB__DESK] = ib_max(Q, ib__control_gap(P * P, model->Rc, kept.Rc));
    found[IB__KALMAN_CHANGED].form[IB__DESK] = 1 - state[N] / before[0];
    found[IB__KALMAN_SMALLER].form[IB__DESK] = trace(state + N) / trace(before);
    found[IB__KALMAN_BAYES].form[IB__DESK] = ib__control_gap(N * N, state + N, wanted);
    return IB_OK;
}

// A plant whose input reaches its output at once: x' = -x + u, y = x + u/2, u = 1 from rest.
static ib_Status direct_input(ib_ClaimValue *found, ib_Error *error)
{
    const double dt = 0.005, u = 1, one = 1, Q = 1, R = 1e-4, Rd = R / dt;
    ib_StateSpace plant = ib_state_space_default(1, 1, 1);
    ib_KalmanModel model;
    ib_KalmanCache cache = {0};
    Letter letter = {.n = 1, .p = 1, .P = {1}};
    double state[2], x = 0;
    plant.A[0] = -1, plant.B[0] = 1, plant.C[0] = 1, plant.D[0] = 0.5;
    ib_Status status = ib_kalman_init(&plant, &Q, &R, &model, error);
    ib_kalman_reset(&model, NULL, &one, state);
    for (int k = 1; k <= 1000 && status == IB_OK; k++) {
        x = 1 - ib_exp(-k * dt);
        double y = x + 0.5 * u;
        status = ib_kalman_predict(&model, &cache, &u, dt, state, error);
        if (status == IB_OK)
            status = ib_kalman_correct(&model, &y, NULL, &u, dt, state, NULL, error);
        if (status != IB_OK) break;
        letter_predict(&letter, period_of(&cache, dt), 1, &u);
        letter_correct(&letter, plant.C, &Rd, &y);
    }
    found[IB__CORRECT_BIAS].form[IB__DESK] = state[0] - x;
    found[IB__CORRECT_BIAS].form[IB__LETTER] = letter.x[0] - x;
    return status;
}

// A measurement far better than the estimate: P = 1, R = 1e-18, P+ = P R/(P + R).
static ib_Status sure(ib_ClaimValue *found, ib_Error *error)
{
    const double dt = 1, Q = 0, R = 1e-18, one = 1, y = 0, u = 0;
    ib_StateSpace plant = ib_state_space_default(1, 1, 1);
    ib_KalmanModel model;
    Letter letter = {.n = 1, .p = 1, .P = {1}};
    double state[2], expected = R / (1 + R);
    plant.C[0] = 1;
    ib_Status status = ib_kalman_init(&plant, &Q, &R, &model, error);
    ib_kalman_reset(&model, NULL, &one, state);
    if (status == IB_OK) status = ib_kalman_correct(&model, &y, NULL, &u, dt, state, NULL, error);
    letter_correct(&letter, plant.C, &R, &y);
    found[IB__CORRECT_SURE].form[IB__DESK] = state[1] / expected;
    found[IB__CORRECT_SURE].form[IB__LETTER] = letter.P[0] / expected;
    return status;
}

// The variance of the yaw rate (v_r - v_l)/2W in the steady filter, with or without a gyro that
// measures it (density 1e-7, a good one).
static ib_Status yaw_variance(const ib_StateSpace *slow, bool gyro, double *variance,
                              ib_Error *error)
{
    const double yaw[N] = {0, -1 / 0.616, 0, 1 / 0.616};
    ib_StateSpace seen = *slow, sampled;
    double Qd[N * N], Rd[9], R[9] = {0}, Pyaw[N];
    ib_KalmanGain gain;
    int outputs = seen.outputs = gyro ? 3 : 2;
    if (gyro) memcpy(seen.C + 2 * N, yaw, sizeof yaw);
    if (gyro) strcpy(seen.output[2], "gyro");
    for (int i = 0; i < outputs; i++) R[i * outputs + i] = i < 2 ? Rc[0] : 1e-7;
    ib_Status status = ib_discretise(&seen, 0.005, &sampled, error);
    if (status == IB_OK) status = ib_discretise_noise(&seen, Qc, R, 0.005, Qd, Rd, error);
    if (status == IB_OK) status = ib_kalman_gain(&sampled, Qd, Rd, &gain, error);
    if (status != IB_OK) return status;
    ib_matrix_multiply(N, N, 1, gain.P, yaw, Pyaw);
    *variance = yaw[1] * Pyaw[1] + yaw[3] * Pyaw[3];
    return IB_OK;
}

static ib_Status gyro(ib_ClaimValue *found, const ib_StateSpace *slow, ib_Error *error)
{
    double with = NAN, without = NAN;
    ib_Status status = yaw_variance(slow, true, &with, error);
    if (status == IB_OK) status = yaw_variance(slow, false, &without, error);
    found[IB__KALMAN_GYRO].form[IB__DESK] = with / without;
    return status;
}

// ------------------------------------------------------------------------- who minimises the error

// A step to 1 m: the error after 2 s, with the filter and no feedback, and with feedback of the
// state itself and no filter.
static ib_Status who(ib_ClaimValue *found, const ib_KalmanModel *model, const ib_Design *design,
                     ib_Error *error)
{
    ib_KalmanCache cache = {0};
    const double nothing[2] = {0}, still[2] = {0};
    double state[IB_KALMAN_STATES_MAX], x[N] = {0};
    ib_kalman_reset(model, NULL, P0, state);
    for (int k = 0; k < 400; k++) {
        ib_Status status = ib_kalman_predict(model, &cache, nothing, 0.005, state, error);
        if (status == IB_OK)
            status = ib_kalman_correct(model, still, NULL, nothing, 0.005, state, NULL, error);
        if (status != IB_OK) return status;
        ib__control_towards(&design->plant, design->K, x);
    }
    found[IB__FILTER_ALONE].form[IB__DESK] = 1 - state[0];
    found[IB__FEEDBACK_ALONE].form[IB__DESK] = 1 - x[0];
    return IB_OK;
}

ib_Status ib__control_claims_kalman(ib_ClaimValue *found, ib_Error *error)
{
    ib_DesignFile *file = ib__control_drivetrain("5 ms", error);
    if (!file) return IB_FAILED;
    const ib_StateSpace *slow = &file->gears[0].config.plant;
    const ib_Design *design = &file->gears[0].design;
    ib_KalmanModel model;
    ib_Status status = noise(found, slow, &design->plant, error);
    if (status == IB_OK) status = ib_kalman_init(slow, Qc, Rc, &model, error);
    if (status == IB_OK) status = uneven(found, &model, error);
    if (status == IB_OK) status = one_correction(found, &model, error);
    if (status == IB_OK) status = direct_input(found, error);
    if (status == IB_OK) status = sure(found, error);
    if (status == IB_OK) status = gyro(found, slow, error);
    if (status == IB_OK) status = who(found, &model, design, error);
    ib_design_file_destroy(file);
    return status;
}
