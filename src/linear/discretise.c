#include "linear/discretise.h"

#include "base/maths.h"
#include "base/matrix.h"
#include "linear/exponential.h"
#include "linear/logarithm.h"

#include <math.h>
#include <string.h>

enum { STATES_SQUARED = IB_STATES_MAX * IB_STATES_MAX };

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

// The error for a plant that grows beyond the largest double in one period.
static ib_Status too_long(double period, ib_Error *error)
{
    return ib_error_set(error, IB_FAILED,
                        "a period of %g s is too long for this plant: its motion in one is too "
                        "large for a number",
                        period);
}

// --------------------------------------------------------------------------------- zero-order hold

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
    if (status != IB_OK) return too_long(period, error);
    *discrete = *plant;
    discrete->period = period;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) discrete->A[i * n + j] = grown[i * all + j];
        for (int j = 0; j < m; j++) discrete->B[i * m + j] = grown[i * all + n + j];
    }
    return IB_OK;
}

// A = log(A_d) / T,   B = Phi^-1 B_d,   exp([A I; 0 0] T) = [A_d Phi; 0 I]
// Phi has an inverse, because the principal A has no eigenvalue 2 pi i / T or a multiple of it.
static ib_Status release_hold(ib_StateSpace *plant, ib_Error *error)
{
    int n = plant->states, all = 2 * n, pivot[IB_STATES_MAX] = {0};
    double block[IB_EXPONENTIAL_MAX * IB_EXPONENTIAL_MAX] = {0};
    double grown[IB_EXPONENTIAL_MAX * IB_EXPONENTIAL_MAX];
    double rate[STATES_SQUARED], phi[STATES_SQUARED];
    ib_Error why;
    ib_Status status = ib_matrix_logarithm(n, plant->A, rate, &why);
    if (status != IB_OK)
        return ib_error_set(error, status,
                            "no continuous plant moves like this one under held "
                            "inputs: in A %s",
                            why.text);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) block[i * all + j] = rate[i * n + j];
        block[i * all + n + i] = plant->period;
    }
    status = ib_matrix_exponential(all, block, grown, error);
    if (status != IB_OK) return status;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) phi[i * n + j] = grown[i * all + n + j];
    if (ib_matrix_factor(n, phi, pivot))
        return ib_error_set(error, IB_FAILED, "B cannot be brought back: the hold is singular");
    ib_matrix_solve_columns(n, plant->inputs, phi, pivot, plant->B);
    for (int i = 0; i < n * n; i++) plant->A[i] = rate[i] / plant->period;
    return IB_OK;
}

// ------------------------------------------------------------------------------------------ Tustin

// h of the header, from the period and the prewarp frequency. Limit: w -> 0: T/2.
static ib_Status half_step(double period, double prewarp, double *h, ib_Error *error)
{
    const double pi = 3.14159265358979323846;
    double angle = 0.5 * prewarp * period, sine, cosine;
    *h = 0.5 * period;
    if (!(prewarp >= 0 && angle < 0.5 * pi))
        return ib_error_set(error, IB_BAD_INPUT,
                            "prewarp: expected 0 rad/s to %g rad/s (half the sampling), got %g",
                            pi / period, prewarp);
    if (angle < 1e-9) return IB_OK; // its square is beyond a double
    ib_sincos(angle, &sine, &cosine);
    *h = sine / (cosine * prewarp);
    return IB_OK;
}

// inverse = m^-1; returns 1 if m is singular to rounding by |m| |m^-1|.
static int invert(int n, const double *m, double *inverse)
{
    static const double worst = 1e13; // three digits left
    double lu[STATES_SQUARED];
    int pivot[IB_STATES_MAX] = {0};
    memcpy(lu, m, (size_t)(n * n) * sizeof *lu);
    if (ib_matrix_factor(n, lu, pivot)) return 1;
    ib_matrix_identity(n, inverse);
    ib_matrix_solve_columns(n, n, lu, pivot, inverse);
    return !(ib_matrix_norm(n, n, m) * ib_matrix_norm(n, n, inverse) <= worst);
}

// c = factor a b, with a: rows x inner.
static void multiply(int rows, int inner, int columns, double factor, const double *a,
                     const double *b, double *c)
{
    ib_matrix_multiply(rows, inner, columns, a, b, c);
    for (int i = 0; i < rows * columns; i++) c[i] *= factor;
}

//   S = (I - h A)^-1,   A_d = S (I + h A),   B_d = 2 h S B,   C_d = C S,   D_d = D + h C_d B
static ib_Status tustin(const ib_StateSpace *plant, double h, ib_StateSpace *discrete,
                        ib_Error *error)
{
    int n = plant->states, m = plant->inputs, p = plant->outputs;
    double minus[STATES_SQUARED], plus[STATES_SQUARED], S[STATES_SQUARED];
    double through[IB_OUTPUTS_MAX * IB_INPUTS_MAX];
    for (int i = 0; i < n * n; i++) {
        plus[i] = h * plant->A[i];
        minus[i] = -plus[i];
    }
    for (int i = 0; i < n; i++) {
        plus[i * n + i] += 1;
        minus[i * n + i] += 1;
    }
    if (invert(n, minus, S))
        return ib_error_set(error, IB_BAD_INPUT,
                            "Tustin: A has a pole at %g /s, which this period sends to infinity",
                            1 / h);
    multiply(n, n, n, 1, S, plus, discrete->A);
    multiply(n, n, m, 2 * h, S, plant->B, discrete->B);
    multiply(p, n, n, 1, plant->C, S, discrete->C);
    multiply(p, n, m, h, discrete->C, plant->B, through);
    ib_matrix_add(p, m, plant->D, 1, through, discrete->D);
    return IB_OK;
}

//   S^-1 = 2 (I + A_d)^-1,   A = S^-1 (A_d - I) / (2 h),   B = S^-1 B_d / (2 h),   C = C_d S^-1,
//   D = D_d - h C_d B
static ib_Status untustin(const ib_StateSpace *plant, double h, ib_StateSpace *continuous,
                          ib_Error *error)
{
    int n = plant->states, m = plant->inputs, p = plant->outputs;
    double plus[STATES_SQUARED], minus[STATES_SQUARED], half[STATES_SQUARED];
    double through[IB_OUTPUTS_MAX * IB_INPUTS_MAX];
    for (int i = 0; i < n * n; i++) plus[i] = minus[i] = plant->A[i];
    for (int i = 0; i < n; i++) {
        plus[i * n + i] += 1;
        minus[i * n + i] -= 1;
    }
    if (invert(n, plus, half))
        return ib_error_set(error, IB_BAD_INPUT,
                            "Tustin gives no continuous plant for a pole at -1");
    multiply(n, n, n, 1 / h, half, minus, continuous->A);
    multiply(n, n, m, 1 / h, half, plant->B, continuous->B);
    multiply(p, n, n, 2, plant->C, half, continuous->C);
    multiply(p, n, m, h, plant->C, continuous->B, through);
    ib_matrix_add(p, m, plant->D, -1, through, continuous->D);
    return IB_OK;
}

// ------------------------------------------------------------------------------------------ either

ib_Status ib_discretise_by(const ib_StateSpace *plant, ib_Hold hold, double prewarp, double period,
                           ib_StateSpace *discrete, ib_Error *error)
{
    double h = 0;
    if (hold == IB_HOLD_ZERO_ORDER) return ib_discretise(plant, period, discrete, error);
    ib_StateSpace before = *plant; // `discrete` may be `plant`
    ib_Status status = check(plant, period, error);
    if (status == IB_OK) status = half_step(period, prewarp, &h, error);
    if (status != IB_OK) return status;
    *discrete = before;
    discrete->period = period;
    return tustin(&before, h, discrete, error);
}

ib_Status ib_undiscretise(const ib_StateSpace *discrete, ib_Hold hold, double prewarp,
                          ib_StateSpace *continuous, ib_Error *error)
{
    double h = 0;
    ib_StateSpace before = *discrete, after = *discrete;
    ib_Status status = ib_state_space_check(discrete, error);
    if (status != IB_OK) return status;
    if (discrete->period == 0)
        return ib_error_set(error, IB_BAD_INPUT, "the plant is continuous already");
    if (hold == IB_HOLD_TUSTIN) {
        status = half_step(discrete->period, prewarp, &h, error);
        if (status == IB_OK) status = untustin(&before, h, &after, error);
    } else {
        status = release_hold(&after, error);
    }
    if (status != IB_OK) return status;
    after.period = 0;
    *continuous = after;
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- noise

// c = a b'
static void multiply_by_transposed(int n, const double *a, const double *b, double *c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += a[i * n + k] * b[j * n + k];
            c[i * n + j] = sum;
        }
}

// Over a short time h, with A_d:   exp([-A Q; 0 A'] h) = [. G; 0 A_d'],   Q_d = A_d G
static ib_Status short_noise(const ib_StateSpace *plant, const double *Qc, double h, double *Ad,
                             double *Qd, ib_Error *error)
{
    int n = plant->states, all = 2 * n;
    double block[IB_EXPONENTIAL_MAX * IB_EXPONENTIAL_MAX] = {0};
    double grown[IB_EXPONENTIAL_MAX * IB_EXPONENTIAL_MAX];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            block[i * all + j] = -plant->A[i * n + j] * h;
            block[i * all + n + j] = Qc[i * n + j] * h;
            block[(n + i) * all + n + j] = plant->A[j * n + i] * h;
        }
    ib_Status status = ib_matrix_exponential(all, block, grown, error);
    if (status != IB_OK) return status;
    double product[STATES_SQUARED] = {0};
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            Ad[i * n + k] = grown[(n + k) * all + n + i];
            for (int j = 0; j < n; j++)
                product[i * n + j] += Ad[i * n + k] * grown[k * all + n + j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) Qd[i * n + j] = 0.5 * (product[i * n + j] + product[j * n + i]);
    return IB_OK;
}

// Twice the time:   Q_d <- A_d Q_d A_d' + Q_d,   A_d <- A_d^2
static void double_noise(int n, double *Ad, double *Qd)
{
    double left[STATES_SQUARED], both[STATES_SQUARED];
    ib_matrix_multiply(n, n, n, Ad, Qd, left);
    multiply_by_transposed(n, left, Ad, both);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            left[i * n + j] = Qd[i * n + j] + 0.5 * (both[i * n + j] + both[j * n + i]);
    memcpy(Qd, left, (size_t)(n * n) * sizeof *Qd);
    ib_matrix_multiply(n, n, n, Ad, Ad, both);
    memcpy(Ad, both, (size_t)(n * n) * sizeof *Ad);
}

// The block above holds e^(-A T) beside e^(A T), and their product has an error of e^(2 |A| T)
// roundings: only a time that is short for the plant gives all digits.
ib_Status ib_discretise_noise(const ib_StateSpace *plant, const double *Qc, const double *Rc,
                              double period, double *Qd, double *Rd, ib_Error *error)
{
    static const double reach = 2; // of |A| h: e^4 roundings, 14 digits
    static const int most = 2100;  // from the largest double to the smallest
    ib_Status status = check(plant, period, error);
    if (status != IB_OK) return status;
    int n = plant->states, p = plant->outputs, doublings = 0;
    double h = period, norm = ib_matrix_norm(n, n, plant->A), Ad[STATES_SQUARED];
    for (; norm * h > reach && doublings < most; doublings++) h *= 0.5;
    status = short_noise(plant, Qc, h, Ad, Qd, error);
    for (int k = 0; k < doublings && status == IB_OK; k++) double_noise(n, Ad, Qd);
    if (status != IB_OK || !isfinite(ib_matrix_norm(n, n, Qd))) return too_long(period, error);
    for (int i = 0; i < p * p; i++) Rd[i] = Rc[i] / period;
    return IB_OK;
}
