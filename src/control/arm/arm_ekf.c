#include "control/arm/arm_ekf.h"

#include "base/extreme.h"
#include "base/matrix.h"

#include <math.h>
#include <string.h>

enum { N = IB_ARM_X };

ib_ArmEkfConfig ib_arm_ekf_default(void)
{
    return (ib_ArmEkfConfig){.encoder = {1e-3, 1e-3},
                             .speed = 0.3,
                             .error = 3,
                             .unknown = 2,
                             .moving = 0.1,
                             .largest = 12};
}

ib_Status ib_arm_ekf_check(const ib_ArmEkfConfig *config, ib_Error *error)
{
    const double *e = config->encoder;
    if (!(e[0] > 0 && e[1] > 0 && isfinite(e[0]) && isfinite(e[1])))
        return ib_error_set(error, IB_BAD_INPUT,
                            "encoder noise of %g and %g rad: expected above 0, so that the filter "
                            "knows how far to trust a sample",
                            e[0], e[1]);
    const double values[] = {config->speed, config->error, config->unknown, config->moving};
    for (int i = 0; i < 4; i++)
        if (!(values[i] >= 0 && isfinite(values[i])))
            return ib_error_set(error, IB_BAD_INPUT,
                                "what an arm's filter does not know is %g: expected 0 or more",
                                values[i]);
    if (!(config->largest > 0))
        return ib_error_set(error, IB_BAD_INPUT, "largest voltage error of %g V: expected above 0",
                            config->largest);
    return IB_OK;
}

void ib_arm_ekf_init(const ib_ArmEkfConfig *config, const ib_ArmPlant *plant, double period,
                     ib_ArmEkf *ekf)
{
    *ekf = (ib_ArmEkf){.plant = *plant, .period = period, .largest = config->largest};
    for (int i = 0; i < 2; i++) {
        ekf->R[i] = config->encoder[i] * config->encoder[i];
        ekf->Q[2 * i + 1] = config->speed * config->speed;
        ekf->Q[IB_ARM_E1 + i] = config->error * config->error;
        ekf->start[2 * i] = ekf->R[i];
        ekf->start[2 * i + 1] = config->moving * config->moving;
        ekf->start[IB_ARM_E1 + i] = config->unknown * config->unknown;
    }
}

void ib_arm_ekf_reset(const ib_ArmEkf *ekf, const double y[2], double *state)
{
    double *x = state, *P = state + N;
    memset(state, 0, IB_ARM_EKF_STATES * sizeof *state);
    x[IB_ARM_TH1] = y[0];
    x[IB_ARM_TH2] = y[1];
    for (int i = 0; i < N; i++) P[i * N + i] = ekf->start[i];
}

// ----------------------------------------------------------------------------------------- predict

// M += scale F D F', D diagonal
static void add_spread(const double *F, const double *D, double scale, double *M)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++) sum += F[i * N + k] * D[k] * F[j * N + k];
            M[i * N + j] += scale * sum;
            if (i != j) M[j * N + i] = M[i * N + j];
        }
}

// P <- F P F', of which the lower half counts.
static void carry(const double *F, double *P)
{
    double FP[N * N];
    ib_matrix_multiply(N, N, N, F, P, FP);
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++) sum += FP[i * N + k] * F[j * N + k];
            P[i * N + j] = P[j * N + i] = sum;
        }
}

void ib_arm_ekf_predict(const ib_ArmEkf *ekf, const double u[2], double *state)
{
    double *x = state, *P = state + N, h = ekf->period;
    double A[N * N], half[N * N], whole[N * N], one[N * N];
    ib_arm_advance(&ekf->plant, u, 0.5 * h, x);
    ib_arm_slopes(&ekf->plant, x, u, A);
    ib_arm_advance(&ekf->plant, u, 0.5 * h, x);
    ib_arm_transition(A, 0.5 * h, half);
    ib_matrix_multiply(N, N, N, half, half, whole);
    ib_matrix_identity(N, one);
    carry(whole, P);
    add_spread(one, ekf->Q, h / 6, P);
    add_spread(half, ekf->Q, 4 * h / 6, P);
    add_spread(whole, ekf->Q, h / 6, P);
}

// ----------------------------------------------------------------------------------------- correct

// K = P C' S^-1, with C that picks th1 and th2.
static void gain(const double *P, const double R[2], double S[3], double K[N][2])
{
    enum { A = IB_ARM_TH1, B = IB_ARM_TH2 };
    double a = P[A * N + A] + R[0], b = P[A * N + B], c = P[B * N + B] + R[1];
    double per = 1 / (a * c - b * b);
    S[0] = c * per, S[1] = -b * per, S[2] = a * per; // of its inverse
    for (int i = 0; i < N; i++) {
        K[i][0] = P[i * N + A] * S[0] + P[i * N + B] * S[1];
        K[i][1] = P[i * N + A] * S[1] + P[i * N + B] * S[2];
    }
}

double ib_arm_ekf_correct(const ib_ArmEkf *ekf, const double y[2], double *state)
{
    double *x = state, *P = state + N, S[3], K[N][2], left[N * N];
    if (!isfinite(y[0]) || !isfinite(y[1])) return 0;
    gain(P, ekf->R, S, K);
    double e[2] = {y[0] - x[IB_ARM_TH1], y[1] - x[IB_ARM_TH2]};
    for (int i = 0; i < N; i++) x[i] += K[i][0] * e[0] + K[i][1] * e[1];
    for (int i = IB_ARM_E1; i < N; i++) x[i] = ib_min(ib_max(x[i], -ekf->largest), ekf->largest);
    ib_matrix_identity(N, left);
    for (int i = 0; i < N; i++) {
        left[i * N + IB_ARM_TH1] -= K[i][0];
        left[i * N + IB_ARM_TH2] -= K[i][1];
    }
    carry(left, P);
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            P[i * N + j] += K[i][0] * ekf->R[0] * K[j][0] + K[i][1] * ekf->R[1] * K[j][1];
            P[j * N + i] = P[i * N + j];
        }
    return e[0] * (S[0] * e[0] + S[1] * e[1]) + e[1] * (S[1] * e[0] + S[2] * e[1]);
}
