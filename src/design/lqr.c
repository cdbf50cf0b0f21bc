#include "design/lqr.h"

#include "base/extreme.h"
#include "base/quote.h"
#include "design/riccati/schur.h"

#include <math.h>
#include <string.h>

ib_Status ib_lqr_weights(int count, const double *tolerance, double *weights, ib_Error *error)
{
    for (int i = 0; i < count; i++) {
        if (!(tolerance[i] > 0))
            return ib_error_set(error, IB_BAD_INPUT, "tolerance number %d is %g: expected > 0",
                                i + 1, tolerance[i]);
        for (int j = 0; j < count; j++) weights[i * count + j] = 0;
        weights[i * count + i] = 1 / (tolerance[i] * tolerance[i]);
        if (!isfinite(weights[i * count + i]))
            return ib_error_set(error, IB_BAD_INPUT, "tolerance number %d is too small: %g", i + 1,
                                tolerance[i]);
    }
    return IB_OK;
}

// Poles of A - B K.
static ib_Status find_poles(int n, int m, const double *A, const double *B, ib_Lqr *lqr,
                            ib_Error *error)
{
    double closed[IB_STATES_MAX * IB_STATES_MAX];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = A[i * n + j];
            for (int k = 0; k < m; k++) sum -= B[i * m + k] * lqr->K[k * n + j];
            closed[i * n + j] = sum;
        }
    lqr->pole_count = n;
    return ib_eigenvalues(n, closed, lqr->poles, error);
}

ib_Status ib_lqr(const ib_StateSpace *plant, const double *Q, const double *R, const double *N,
                 ib_Lqr *lqr, ib_Error *error)
{
    int n = plant->states, m = plant->inputs;
    *lqr = (ib_Lqr){0};
    if (m < 1) return ib_error_set(error, IB_BAD_INPUT, "the plant has no inputs");
    ib_Riccati problem = {.states = n,
                          .inputs = m,
                          .A = plant->A,
                          .B = plant->B,
                          .Q = Q,
                          .R = R,
                          .N = N,
                          .names = plant->state};
    ib_Status status = plant->period > 0 ? ib_dare(&problem, lqr->X, lqr->K, &lqr->riccati, error)
                                         : ib_care(&problem, lqr->X, lqr->K, &lqr->riccati, error);
    if (status != IB_OK) return status;
    return find_poles(n, m, plant->A, plant->B, lqr, error);
}

// ------------------------------------------------------------------------------------------ subset

// Checks that no listed state depends on others: its feedback would miss their effect. The rounding
// error of a zero (1e-12 of the row) does not count.
static ib_Status check_alone(const ib_StateSpace *plant, const bool *listed, ib_Error *error)
{
    int n = plant->states;
    for (int i = 0; i < n; i++) {
        double most = 0;
        for (int j = 0; j < n; j++) most = ib_max(most, fabs(plant->A[i * n + j]));
        for (int j = 0; listed[i] && j < n; j++)
            if (!listed[j] && fabs(plant->A[i * n + j]) > 1e-12 * most)
                return ib_error_set(error, IB_BAD_INPUT,
                                    "the states of the regulator are no plant of their own: '%s' "
                                    "depends on '%s', which is not one of them",
                                    ib_quote(plant->state[i]).text, ib_quote(plant->state[j]).text);
    }
    return IB_OK;
}

ib_Status ib_lqr_over(const ib_StateSpace *plant, int count, const int *states, const double *Q,
                      const double *R, const double *N, ib_Lqr *lqr, ib_Error *error)
{
    int n = plant->states, m = plant->inputs;
    bool listed[IB_STATES_MAX] = {false};
    IB_ASSERT(count >= 1 && count <= n);
    for (int k = 0; k < count; k++) {
        IB_ASSERT(states[k] >= 0 && states[k] < n && (k == 0 || states[k] > states[k - 1]));
        listed[states[k]] = true;
    }
    *lqr = (ib_Lqr){0};
    ib_Status status = check_alone(plant, listed, error);
    if (status != IB_OK) return status;

    ib_StateSpace part = ib_state_space_default(count, m, 0);
    part.period = plant->period;
    for (int i = 0; i < count; i++) {
        int from = states[i];
        memcpy(part.state[i], plant->state[from], sizeof part.state[i]);
        for (int j = 0; j < count; j++) part.A[i * count + j] = plant->A[from * n + states[j]];
        for (int j = 0; j < m; j++) part.B[i * m + j] = plant->B[from * m + j];
    }
    status = ib_lqr(&part, Q, R, N, lqr, error);

    // K over all states: zero for the others.
    double K[IB_INPUTS_MAX * IB_STATES_MAX] = {0};
    for (int i = 0; i < m; i++)
        for (int j = 0; j < count; j++) K[i * n + states[j]] = lqr->K[i * count + j];
    memcpy(lqr->K, K, sizeof K);
    return status;
}
