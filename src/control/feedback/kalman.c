#include "control/feedback/kalman.h"

#include "base/formula.h"
#include "base/matrix.h"
#include "linear/discretise.h"

#include <string.h>

// Letters as in kalman.h; n states, m inputs, p outputs that were measured.

// ------------------------------------------------------------------------------------------ set up

static ib_Status check_symmetric(const char *name, int n, const double *a, ib_Error *error)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            if (!isfinite(a[i * n + j]) || a[i * n + j] != a[j * n + i])
                return ib_error_set(error, IB_BAD_INPUT,
                                    "%s: expected a symmetric matrix, row %d column %d is not",
                                    name, i + 1, j + 1);
    return IB_OK;
}

// L L' = a, in the lower triangle of a. False where a is not definite.
IB_FORMULA bool cholesky(int n, double *a)
{
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++) a[j * n + j] -= a[j * n + k] * a[j * n + k];
        if (!(a[j * n + j] > 0 && a[j * n + j] <= DBL_MAX)) return false;
        a[j * n + j] = sqrt(a[j * n + j]);
        for (int i = j + 1; i < n; i++) {
            for (int k = 0; k < j; k++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
            a[i * n + j] /= a[j * n + j];
        }
    }
    return true;
}

// Only 1 x 1 and 2 x 2 blocks are checked for negative eigenvalues: each step needs P >= 0, and
// tests S itself.
static ib_Status check_not_negative(int n, const double *Qc, ib_Error *error)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double qi = Qc[i * n + i], qj = Qc[j * n + j], q = Qc[i * n + j];
            if (qi < 0 || q * q > qi * qj * (1 + 1e-12))
                return ib_error_set(error, IB_BAD_INPUT,
                                    "process noise: negative, seen in row %d, column %d", i + 1,
                                    j + 1);
        }
    return IB_OK;
}

ib_Status ib_kalman_init(const ib_StateSpace *plant, const double *Qc, const double *Rc,
                         ib_KalmanModel *model, ib_Error *error)
{
    ib_Status status = ib_state_space_check(plant, error);
    if (status != IB_OK) return status;
    int n = plant->states, p = plant->outputs;
    if (plant->period != 0 || p < 1)
        return ib_error_set(error, IB_BAD_INPUT, "expected a continuous plant with an output");
    status = check_symmetric("process noise", n, Qc, error);
    if (status == IB_OK) status = check_symmetric("measurement noise", p, Rc, error);
    if (status == IB_OK) status = check_not_negative(n, Qc, error);
    if (status != IB_OK) return status;
    double root[IB_OUTPUTS_MAX * IB_OUTPUTS_MAX];
    memcpy(root, Rc, sizeof *Rc * (size_t)(p * p));
    if (!cholesky(p, root))
        return ib_error_set(error, IB_BAD_INPUT, "measurement noise: not positive definite");

    *model = (ib_KalmanModel){.plant = *plant};
    memcpy(model->Qc, Qc, sizeof *Qc * (size_t)(n * n));
    memcpy(model->Rc, Rc, sizeof *Rc * (size_t)(p * p));
    return IB_OK;
}

int ib_kalman_states(const ib_KalmanModel *model)
{
    return model->plant.states + model->plant.states * model->plant.states;
}

void ib_kalman_reset(const ib_KalmanModel *model, const double *x0, const double *P0, double *state)
{
    size_t n = (size_t)model->plant.states;
    memset(state, 0, sizeof *state * (n + n * n));
    if (x0) memcpy(state, x0, sizeof *state * n);
    if (P0) memcpy(state + n, P0, sizeof *state * n * n);
}

// ----------------------------------------------------------------------------------------- predict

static ib_Status discretise(const ib_KalmanModel *model, double dt, ib_KalmanPeriod *period,
                            ib_Error *error)
{
    ib_StateSpace sampled;
    double Rd[IB_OUTPUTS_MAX * IB_OUTPUTS_MAX];
    period->dt = 0;
    ib_Status status = ib_discretise(&model->plant, dt, &sampled, error);
    if (status == IB_OK)
        status = ib_discretise_noise(&model->plant, model->Qc, model->Rc, dt, period->Q, Rd, error);
    if (status != IB_OK) return status;
    memcpy(period->A, sampled.A, sizeof period->A);
    memcpy(period->B, sampled.B, sizeof period->B);
    period->dt = dt;
    return IB_OK;
}

// The plant over dt: a recent one, or made now in the place of the oldest.
static ib_Status find_period(const ib_KalmanModel *model, ib_KalmanCache *cache, double dt,
                             const ib_KalmanPeriod **found, ib_Error *error)
{
    if (!(dt > 0 && dt <= DBL_MAX))
        return ib_error_set(error, IB_BAD_INPUT, "dt: expected more than 0 s, got %g s", dt);
    for (int i = 0; i < IB_KALMAN_RECENT; i++)
        if (cache->recent[i].dt == dt) {
            *found = &cache->recent[i];
            return IB_OK;
        }
    ib_KalmanPeriod *place = &cache->recent[cache->oldest];
    ib_Status status = discretise(model, dt, place, error);
    if (status != IB_OK) return status;
    cache->oldest = (cache->oldest + 1) % IB_KALMAN_RECENT;
    *found = place;
    return IB_OK;
}

// P <- F P F' + Q, exactly symmetric: the upper triangle is computed, the lower one mirrors it.
IB_FORMULA void spread(int n, const double *F, const double *Q, double *P)
{
    double FP[IB_STATES_MAX * IB_STATES_MAX];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = F[i * n] * P[j];
            for (int k = 1; k < n; k++) sum += F[i * n + k] * P[k * n + j];
            FP[i * n + j] = sum;
        }
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            double sum = FP[i * n] * F[j * n];
            for (int k = 1; k < n; k++) sum += FP[i * n + k] * F[j * n + k];
            P[i * n + j] = P[j * n + i] = sum + Q[i * n + j];
        }
}

IB_FORMULA void predict(int n, int m, const ib_KalmanPeriod *over, const double *u, double *state)
{
    double next[IB_STATES_MAX];
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += over->A[i * n + j] * state[j];
        for (int j = 0; j < m; j++) sum += over->B[i * m + j] * u[j];
        next[i] = sum;
    }
    for (int i = 0; i < n; i++) state[i] = next[i];
    spread(n, over->A, over->Q, state + n);
}

ib_Status ib_kalman_predict(const ib_KalmanModel *model, ib_KalmanCache *cache, const double *u,
                            double dt, double *state, ib_Error *error)
{
    const ib_KalmanPeriod *over = NULL;
    ib_Status status = find_period(model, cache, dt, &over, error);
    if (status != IB_OK) return status;
    int n = model->plant.states, m = model->plant.inputs;
    for (int i = 0; i < m; i++)
        if (!isfinite(u[i]))
            return ib_error_set(error, IB_BAD_INPUT, "input %d is not a number", i + 1);

    // The same formulas for the common sizes, with the same bits: docs/performance.md
    switch (n) {
    case 2:
        predict(2, m, over, u, state);
        break;
    case 3:
        predict(3, m, over, u, state);
        break;
    case 4:
        predict(4, m, over, u, state);
        break;
    case 6:
        predict(6, m, over, u, state);
        break;
    default:
        predict(n, m, over, u, state);
        break;
    }
    return IB_OK;
}

// ----------------------------------------------------------------------------------------- correct

// A measurement, row by row: C, R_d and the innovation e.
typedef struct Sample {
    int count;
    double C[IB_OUTPUTS_MAX * IB_STATES_MAX];
    double R[IB_OUTPUTS_MAX * IB_OUTPUTS_MAX];
    double e[IB_OUTPUTS_MAX];
} Sample;

IB_FORMULA void take(int n, const ib_KalmanModel *model, const double *y, const bool *have,
                     const double *u, double dt, const double *x, Sample *sample)
{
    const ib_StateSpace *plant = &model->plant;
    int m = plant->inputs, p = plant->outputs, row[IB_OUTPUTS_MAX], q = 0;
    for (int i = 0; i < p; i++)
        if (!have || have[i]) row[q++] = i;
    sample->count = q;
    for (int i = 0; i < q; i++) {
        const double *C = plant->C + row[i] * n, *D = plant->D + row[i] * m;
        double e = y[row[i]];
        for (int j = 0; j < n; j++) {
            sample->C[i * n + j] = C[j];
            e -= C[j] * x[j];
        }
        for (int j = 0; j < m; j++) e -= D[j] * u[j];
        sample->e[i] = e;
        for (int j = 0; j < q; j++) sample->R[i * q + j] = model->Rc[row[i] * p + row[j]] / dt;
    }
}

// S = C P C' + R = L L', and PC = (P C')' with its rows as P is symmetric.
IB_FORMULA bool innovation(int n, int q, const Sample *s, const double *P, double *PC, double *S)
{
    for (int i = 0; i < q; i++)
        for (int j = 0; j < n; j++) {
            double sum = s->C[i * n] * P[j];
            for (int k = 1; k < n; k++) sum += s->C[i * n + k] * P[k * n + j];
            PC[i * n + j] = sum;
        }
    for (int i = 0; i < q; i++)
        for (int j = 0; j <= i; j++) {
            double sum = PC[i * n] * s->C[j * n];
            for (int k = 1; k < n; k++) sum += PC[i * n + k] * s->C[j * n + k];
            S[i * q + j] = sum + s->R[i * q + j];
        }
    return cholesky(q, S);
}

// K' = S^-1 (C P) in the place of C P, by L and then L'; returns e' S^-1 e = |L^-1 e|^2.
IB_FORMULA double gain(int n, int q, const double *L, const double *e, double *K)
{
    double half[IB_OUTPUTS_MAX], nis = 0;
    for (int i = 0; i < q; i++) {
        double inverse = 1 / L[i * q + i];
        half[i] = e[i];
        for (int k = 0; k < i; k++) {
            half[i] -= L[i * q + k] * half[k];
            for (int j = 0; j < n; j++) K[i * n + j] -= L[i * q + k] * K[k * n + j];
        }
        half[i] *= inverse;
        for (int j = 0; j < n; j++) K[i * n + j] *= inverse;
        nis += half[i] * half[i];
    }
    for (int i = q - 1; i >= 0; i--) {
        double inverse = 1 / L[i * q + i];
        for (int k = i + 1; k < q; k++)
            for (int j = 0; j < n; j++) K[i * n + j] -= L[k * q + i] * K[k * n + j];
        for (int j = 0; j < n; j++) K[i * n + j] *= inverse;
    }
    return nis;
}

// F = I - K C and N = K R K'; K is kept transposed, outputs x states.
IB_FORMULA void joseph(int n, int q, const Sample *s, const double *K, double *F, double *N)
{
    double RK[IB_OUTPUTS_MAX * IB_STATES_MAX];
    for (int i = 0; i < q; i++)
        for (int j = 0; j < n; j++) {
            double sum = s->R[i * q] * K[j];
            for (int k = 1; k < q; k++) sum += s->R[i * q + k] * K[k * n + j];
            RK[i * n + j] = sum;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double f = i == j ? 1 : 0, sum = 0;
            for (int k = 0; k < q; k++) {
                f -= K[k * n + i] * s->C[k * n + j];
                sum += K[k * n + i] * RK[k * n + j];
            }
            F[i * n + j] = f;
            N[i * n + j] = sum;
        }
}

// One correction; returns NIS, or -1 where S is not definite and nothing was changed.
IB_FORMULA double correct(int n, int q, const Sample *s, double *state)
{
    double K[IB_OUTPUTS_MAX * IB_STATES_MAX], S[IB_OUTPUTS_MAX * IB_OUTPUTS_MAX];
    double F[IB_STATES_MAX * IB_STATES_MAX], N[IB_STATES_MAX * IB_STATES_MAX];
    if (!innovation(n, q, s, state + n, K, S)) return -1;
    double nis = gain(n, q, S, s->e, K);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < q; k++) state[i] += K[k * n + i] * s->e[k];
    joseph(n, q, s, K, F, N);
    spread(n, F, N, state + n);
    return nis;
}

// The common sizes by name: docs/performance.md
static double correct_sized(int n, const Sample *s, double *state)
{
    int q = s->count;
    if (n == 2 && q == 1) return correct(2, 1, s, state);
    if (n == 4 && q == 2) return correct(4, 2, s, state);
    if (n == 4 && q == 3) return correct(4, 3, s, state);
    if (n == 6 && q == 2) return correct(6, 2, s, state);
    return correct(n, q, s, state);
}

ib_Status ib_kalman_correct(const ib_KalmanModel *model, const double *y, const bool *have,
                            const double *u, double dt, double *state, double *nis, ib_Error *error)
{
    if (!(dt > 0 && dt <= DBL_MAX))
        return ib_error_set(error, IB_BAD_INPUT, "dt: expected more than 0 s, got %g s", dt);
    Sample sample;
    take(model->plant.states, model, y, have, u, dt, state, &sample);
    for (int i = 0; i < sample.count; i++)
        if (!isfinite(sample.e[i]))
            return ib_error_set(error, IB_BAD_INPUT, "measurement %d is not a number", i + 1);
    double found = sample.count > 0 ? correct_sized(model->plant.states, &sample, state) : 0;
    if (found < 0)
        return ib_error_set(error, IB_FAILED, "the covariance of the measurement is not definite");
    if (nis) *nis = found;
    return IB_OK;
}
