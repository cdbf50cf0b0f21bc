#include "design/kalman_gain.h"

#include "base/matrix.h"

enum {
    NN = IB_STATES_MAX * IB_STATES_MAX,
    NP = IB_STATES_MAX * IB_OUTPUTS_MAX,
    PP = IB_OUTPUTS_MAX * IB_OUTPUTS_MAX,
};

// S = C P C' + R and M = P C' S^-1, from S M' = C P.
static ib_Status find_filter(const ib_StateSpace *plant, const double *Ct, const double *R,
                             ib_KalmanGain *gain, ib_Error *error)
{
    int n = plant->states, p = plant->outputs;
    double CP[NP], lu[PP], column[IB_OUTPUTS_MAX];
    int pivot[IB_OUTPUTS_MAX];
    ib_matrix_multiply(p, n, n, plant->C, gain->P, CP);
    ib_matrix_multiply(p, n, p, CP, Ct, gain->S);
    for (int i = 0; i < p; i++)
        for (int j = 0; j <= i; j++) {
            double mean = 0.5 * (gain->S[i * p + j] + gain->S[j * p + i]) + R[i * p + j];
            gain->S[i * p + j] = gain->S[j * p + i] = mean;
        }
    for (int i = 0; i < p * p; i++) lu[i] = gain->S[i];
    if (ib_matrix_factor(p, lu, pivot))
        return ib_error_set(error, IB_FAILED, "the covariance of the outputs is singular");
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < p; i++) column[i] = CP[i * n + j];
        ib_matrix_solve(p, lu, pivot, column);
        for (int i = 0; i < p; i++) gain->M[j * p + i] = column[i];
    }
    return IB_OK;
}

ib_Status ib_kalman_gain(const ib_StateSpace *plant, const double *Qd, const double *Rd,
                         ib_KalmanGain *gain, ib_Error *error)
{
    int n = plant->states, p = plant->outputs;
    double At[NN], Ct[NP], Lt[NP], closed[NN];
    *gain = (ib_KalmanGain){0};
    if (p < 1) return ib_error_set(error, IB_BAD_INPUT, "the plant has no outputs");
    if (!(plant->period > 0))
        return ib_error_set(error, IB_BAD_INPUT, "a Kalman gain needs a discrete plant");
    ib_matrix_transpose(n, n, plant->A, At);
    ib_matrix_transpose(p, n, plant->C, Ct);
    ib_Riccati problem = {.states = n,
                          .inputs = p,
                          .A = At,
                          .B = Ct,
                          .Q = Qd,
                          .R = Rd,
                          .names = plant->state,
                          .filter = true};
    // The gain of the dual problem is (R + C P C')^-1 C P A': the predictor's, transposed.
    ib_Status status = ib_dare(&problem, gain->P, Lt, &gain->riccati, error);
    if (status != IB_OK) return status;
    ib_matrix_transpose(p, n, Lt, gain->L);
    status = find_filter(plant, Ct, Rd, gain, error);
    if (status != IB_OK) return status;
    ib_matrix_multiply(n, p, n, gain->L, plant->C, closed);
    ib_matrix_add(n, n, plant->A, -1, closed, closed);
    return ib_eigenvalues(n, closed, gain->poles, error);
}

// The plant's state x and the estimate before a correction, x-, one period later. With
//   x^ = M C x + (I - M C) x-,   u = -K x^:
//   [x ] <- [A - B K M C     -B K (I - M C)      ] [x ]
//   [x-]    [(A - B K) M C   (A - B K) (I - M C) ] [x-]
ib_Status ib_lqg_poles(const ib_StateSpace *plant, const double *K, const double *M,
                       ib_Complex *poles, ib_Error *error)
{
    int n = plant->states, m = plant->inputs, p = plant->outputs, side = 2 * n;
    double BK[NN], closed[NN], MC[NN], rest[NN], part[NN], all[4 * NN];
    IB_ASSERT(n >= 1 && m >= 1 && p >= 1);
    ib_matrix_multiply(n, m, n, plant->B, K, BK);
    ib_matrix_multiply(n, p, n, M, plant->C, MC);
    ib_matrix_add(n, n, plant->A, -1, BK, closed);
    ib_matrix_identity(n, rest);
    ib_matrix_add(n, n, rest, -1, MC, rest);

    const double *left[4] = {BK, BK, closed, closed}, *right[4] = {MC, rest, MC, rest};
    for (int block = 0; block < 4; block++) {
        int row = block / 2, column = block % 2;
        ib_matrix_multiply(n, n, n, left[block], right[block], part);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double value = row == 0 ? -part[i * n + j] : part[i * n + j];
                if (block == 0) value += plant->A[i * n + j];
                all[(row * n + i) * side + column * n + j] = value;
            }
    }
    return ib_eigenvalues(side, all, poles, error);
}
