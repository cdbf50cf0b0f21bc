#include "design/feedforward.h"

#include "base/extreme.h"
#include "base/matrix.h"
#include "base/quote.h"

#include <math.h>
#include <string.h>

// --------------------------------------------------------------------------------- plant inversion

// Least part of an input's square, of 1, that is independent of the other inputs.
static const double least_left = 1e-12;

// Checks that W is a weight: W' = W, finite. Q of an LQR may not be.
static ib_Status check_weight(int n, const double *W, ib_Error *error)
{
    double size = W ? ib_matrix_norm(n, n, W) : 1;
    if (!isfinite(size)) return ib_error_set(error, IB_BAD_INPUT, "W is not finite");
    for (int i = 0; W && i < n; i++)
        for (int j = 0; j < i; j++)
            if (fabs(W[i * n + j] - W[j * n + i]) > 1e-12 * size)
                return ib_error_set(error, IB_BAD_INPUT,
                                    "W is not symmetric: row %d, column %d is %g, and %g across",
                                    i + 1, j + 1, W[i * n + j], W[j * n + i]);
    return IB_OK;
}

// N = s (B' W B) s with s so that its diagonal is 1, independent of the inputs' units. The name of
// an input without effect goes into `error`.
static ib_Status normal_matrix(const ib_StateSpace *plant, const double *weighted, double *N,
                               double *s, ib_Error *error)
{
    int n = plant->states, m = plant->inputs;
    ib_matrix_multiply(m, n, m, weighted, plant->B, N);
    for (int i = 0; i < m; i++) {
        double square = N[i * m + i];
        if (!(square > 0))
            return ib_error_set(error, IB_BAD_INPUT,
                                "input '%s' moves no state that has a weight: no feed-forward",
                                ib_quote(plant->input[i]).text);
        s[i] = 1 / sqrt(square);
    }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) N[i * m + j] *= s[i] * s[j];
    return IB_OK;
}

// N = L L', in place below the diagonal. Returns the dependent row, or -1.
static int factor(int m, double *N)
{
    for (int j = 0; j < m; j++) {
        double left = N[j * m + j];
        for (int k = 0; k < j; k++) left -= N[j * m + k] * N[j * m + k];
        if (!(left > least_left)) return j;
        N[j * m + j] = sqrt(left);
        for (int i = j + 1; i < m; i++) {
            double sum = N[i * m + j];
            for (int k = 0; k < j; k++) sum -= N[i * m + k] * N[j * m + k];
            N[i * m + j] = sum / N[j * m + j];
        }
    }
    return -1;
}

// x = (L L')^-1 x, for each of `columns` columns of x.
static void solve(int m, int columns, const double *L, double *x)
{
    for (int c = 0; c < columns; c++) {
        for (int i = 0; i < m; i++) {
            for (int k = 0; k < i; k++) x[i * columns + c] -= L[i * m + k] * x[k * columns + c];
            x[i * columns + c] /= L[i * m + i];
        }
        for (int i = m - 1; i >= 0; i--) {
            for (int k = i + 1; k < m; k++) x[i * columns + c] -= L[k * m + i] * x[k * columns + c];
            x[i * columns + c] /= L[i * m + i];
        }
    }
}

// F = s (s B'WB s)^-1 s B'W
ib_Status ib_feedforward(const ib_StateSpace *plant, const double *W, double *F, ib_Error *error)
{
    double across[IB_INPUTS_MAX * IB_STATES_MAX], N[IB_INPUTS_MAX * IB_INPUTS_MAX];
    double s[IB_INPUTS_MAX];
    ib_Status status = ib_state_space_check(plant, error);
    if (status != IB_OK) return status;
    int n = plant->states, m = plant->inputs;
    if (m == 0) return ib_error_set(error, IB_BAD_INPUT, "no inputs: no feed-forward");
    status = check_weight(n, W, error);
    if (status != IB_OK) return status;
    ib_matrix_transpose(n, m, plant->B, across);
    memcpy(F, across, (size_t)(m * n) * sizeof *F);
    if (W) ib_matrix_multiply(m, n, n, across, W, F);
    status = normal_matrix(plant, F, N, s, error);
    if (status != IB_OK) return status;
    int spent = factor(m, N);
    if (spent >= 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "input '%s' does nothing that the inputs before it do not (seen "
                            "through W): no feed-forward",
                            ib_quote(plant->input[spent]).text);
    for (int i = 0; i < m * n; i++) F[i] *= s[i / n];
    solve(m, n, N, F);
    for (int i = 0; i < m * n; i++) F[i] *= s[i / n];
    return IB_OK;
}

double ib_feedforward_step(const ib_StateSpace *plant, const double *F, const double *r,
                           const double *next, double *u)
{
    int n = plant->states, m = plant->inputs;
    double asked[IB_STATES_MAX], done[IB_STATES_MAX], left = 0;
    ib_matrix_multiply(n, n, 1, plant->A, r, asked);
    ib_matrix_add(n, 1, next, -1, asked, asked);
    ib_matrix_multiply(m, n, 1, F, asked, u);
    ib_matrix_multiply(n, m, 1, plant->B, u, done);
    for (int i = 0; i < n; i++) left = ib_max(left, fabs(asked[i] - done[i]));
    return left;
}

// -------------------------------------------------------------------------------------------- rest

enum { ALL_MAX = IB_STATES_MAX + IB_INPUTS_MAX };

// [A - I B; C D], or with A for a continuous plant.
static void rest_matrix(const ib_StateSpace *plant, double *block)
{
    int n = plant->states, m = plant->inputs, all = n + m;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) block[i * all + j] = plant->A[i * n + j];
        for (int j = 0; j < m; j++) block[i * all + n + j] = plant->B[i * m + j];
        if (plant->period > 0) block[i * all + i] -= 1;
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) block[(n + i) * all + j] = plant->C[i * n + j];
        for (int j = 0; j < m; j++) block[(n + i) * all + n + j] = plant->D[i * m + j];
    }
}

// Rows and then columns by a power of two near their largest element, so that singularity does not
// depend on units. The unknowns are then divided by `column`.
static void equilibrate(int n, double *a, double *b, double *column)
{
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < n; i++) {
            double most = 0;
            for (int j = 0; j < n; j++) most = ib_max(most, fabs(a[pass ? j * n + i : i * n + j]));
            int exponent = most > 0 ? -ilogb(most) : 0;
            for (int j = 0; j < n; j++) {
                double *cell = &a[pass ? j * n + i : i * n + j];
                *cell = ldexp(*cell, exponent);
            }
            if (pass)
                column[i] = ldexp(1, exponent);
            else
                b[i] = ldexp(b[i], exponent);
        }
}

ib_Status ib_feedforward_rest(const ib_StateSpace *plant, const double *y, double *x, double *u,
                              ib_Error *error)
{
    static const double least_pivot = 1e-13; // of about 1
    double block[ALL_MAX * ALL_MAX], right[ALL_MAX] = {0}, column[ALL_MAX];
    int pivot[ALL_MAX] = {0};
    ib_Status status = ib_state_space_check(plant, error);
    if (status != IB_OK) return status;
    int n = plant->states, m = plant->inputs, all = n + m;
    if (plant->outputs != m)
        return ib_error_set(error, IB_BAD_INPUT,
                            "%d outputs and %d inputs: a rest needs as many of each",
                            plant->outputs, m);
    for (int i = 0; i < m; i++) right[n + i] = y[i];
    rest_matrix(plant, block);
    equilibrate(all, block, right, column);
    int bad = ib_matrix_factor(all, block, pivot);
    for (int i = 0; i < all && !bad; i++) bad = fabs(block[i * all + i]) < least_pivot;
    if (bad)
        return ib_error_set(error, IB_BAD_INPUT,
                            "no single rest: the inputs cannot hold the outputs anywhere (a zero "
                            "of the plant at rest), or a state is free to be anything");
    ib_matrix_solve(all, block, pivot, right);
    for (int i = 0; i < n; i++) x[i] = right[i] * column[i];
    for (int i = 0; i < m; i++) u[i] = right[n + i] * column[n + i];
    return IB_OK;
}
