#include "design/discretise.h"

#include "base/matrix.h"
#include "design/exponential.h"

#include <math.h>

static ib_Status check(const ib_StateSpace *plant, double period, ib_Error *error)
{
    ib_Status status = ib_state_space_check(plant, error);
    if (status != IB_OK) return status;
    if (plant->period != 0)
        return ib_error_set(error, IB_BAD_INPUT, "the plant is discrete already, with %g s",
                            plant->period);
    if (period > 0 && isfinite(period)) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "period: expected more than 0 s, got %g s", period);
}

ib_Status ib_discretise(const ib_StateSpace *plant, double period, ib_StateSpace *discrete,
                        ib_Error *error)
{
    ib_Status status = check(plant, period, error);
    if (status != IB_OK) return status;
    int n = plant->states, m = plant->inputs, all = n + m;
    double block[IB_EXPONENTIAL_MAX * IB_EXPONENTIAL_MAX] = {0};
    double grown[IB_EXPONENTIAL_MAX * IB_EXPONENTIAL_MAX];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) block[i * all + j] = plant->A[i * n + j] * period;
        for (int j = 0; j < m; j++) block[i * all + n + j] = plant->B[i * m + j] * period;
    }
    status = ib_matrix_exponential(all, block, grown, error);
    if (status != IB_OK) return status;
    *discrete = *plant;
    discrete->period = period;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) discrete->A[i * n + j] = grown[i * all + j];
        for (int j = 0; j < m; j++) discrete->B[i * m + j] = grown[i * all + n + j];
    }
    return IB_OK;
}

// exp([-A Q; 0 A'] T) = [. G; 0 A_d'],   Q_d = A_d G
ib_Status ib_discretise_noise(const ib_StateSpace *plant, const double *Qc, const double *Rc,
                              double period, double *Qd, double *Rd, ib_Error *error)
{
    ib_Status status = check(plant, period, error);
    if (status != IB_OK) return status;
    int n = plant->states, p = plant->outputs, all = 2 * n;
    double block[IB_EXPONENTIAL_MAX * IB_EXPONENTIAL_MAX] = {0};
    double grown[IB_EXPONENTIAL_MAX * IB_EXPONENTIAL_MAX];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            block[i * all + j] = -plant->A[i * n + j] * period;
            block[i * all + n + j] = Qc[i * n + j] * period;
            block[(n + i) * all + n + j] = plant->A[j * n + i] * period;
        }
    status = ib_matrix_exponential(all, block, grown, error);
    if (status != IB_OK) return status;
    double product[IB_STATES_MAX * IB_STATES_MAX] = {0};
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                product[i * n + j] += grown[(n + k) * all + n + i] * grown[k * all + n + j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) Qd[i * n + j] = 0.5 * (product[i * n + j] + product[j * n + i]);
    for (int i = 0; i < p * p; i++) Rd[i] = Rc[i] / period;
    return IB_OK;
}
