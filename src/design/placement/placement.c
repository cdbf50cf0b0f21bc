#include "design/placement/placement.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "base/matrix.h"
#include "design/controllability.h"
#include "design/placement/placement_inside.h"
#include "linear/balance.h"
#include "linear/singular.h"

#include <stdlib.h>
#include <string.h>

enum { N = IB_STATES_MAX, M = IB_INPUTS_MAX };

// -------------------------------------------------------------------------------- the wanted poles

static double distance(ib_Complex a, ib_Complex b)
{
    return ib_complex_size(ib_complex_subtract(a, b));
}

// Each pair side by side, the positive imaginary part first, the rest as given.
static ib_Status pair_up(int n, const ib_Complex *poles, ib_Complex *ordered, ib_Error *error)
{
    bool used[N] = {false};
    int count = 0;
    for (int i = 0; i < n; i++)
        if (!isfinite(poles[i].re) || !isfinite(poles[i].im))
            return ib_error_set(error, IB_BAD_INPUT, "pole %d is not a number", i + 1);
    for (int i = 0; i < n; i++) {
        if (used[i]) continue;
        used[i] = true;
        ib_Complex pole = poles[i], wanted = {pole.re, -pole.im};
        if (pole.im == 0) {
            ordered[count++] = pole;
            continue;
        }
        int mate = -1;
        for (int k = i + 1; k < n && mate < 0; k++)
            if (!used[k] && distance(poles[k], wanted) <= 1e-12 * ib_complex_size(pole)) mate = k;
        if (mate < 0)
            return ib_error_set(error, IB_BAD_INPUT,
                                "the pole %.6g %+.6gi has no conjugate: complex poles come in "
                                "pairs, here also %.6g %+.6gi",
                                pole.re, pole.im, wanted.re, wanted.im);
        used[mate] = true;
        ordered[count++] = (ib_Complex){pole.re, fabs(pole.im)};
        ordered[count++] = (ib_Complex){pole.re, -fabs(pole.im)};
    }
    return IB_OK;
}

// The largest multiplicity of a pole.
static int most_repeated(int n, const ib_Complex *poles, ib_Complex *which)
{
    int most = 0;
    for (int i = 0; i < n; i++) {
        int count = 0;
        for (int k = 0; k < n; k++)
            count += distance(poles[i], poles[k]) <= 1e-9 * (1e-3 + ib_complex_size(poles[i]));
        if (count > most) {
            most = count;
            *which = poles[i];
        }
    }
    return most;
}

ib_Complex ib_placement_pole(ib_Complex s, double period)
{
    double size = ib_exp(s.re * period), angle = s.im * period;
    return (ib_Complex){size * ib_cos(angle), size * ib_sin(angle)};
}

// ----------------------------------------------------------------------------------------- solving

// K from F = A - B K, or from k' with B = (U0 sigma) v' of rank 1. B = U0 S V': U' B has orthogonal
// rows s_i v_i'.
//   K = V S^-1 U0' (A - F): the least of all K where inputs overlap
static void input_gain(int n, int m, int rank, const double *rows, const double *sigma,
                       const double *wanted, double *K)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            K[i * n + j] = 0;
            for (int r = 0; r < rank; r++)
                K[i * n + j] += rows[r * m + i] / (sigma[r] * sigma[r]) * wanted[r * n + j];
        }
}

// wanted = S V' K (rank x n), by the method that fits.
static ib_Status find_wanted(int n, int rank, const double *A_, const double *U, double sigma,
                             const ib_Complex *poles, double *wanted, ib_Placement *placement,
                             ib_Error *error)
{
    double A[N * N], F[N * N], b[N];
    memcpy(A, A_, (size_t)(n * n) * sizeof *A);
    if (rank == 1) {
        placement->method = "deflation";
        for (int i = 0; i < n; i++) b[i] = U[i * n] * sigma;
        ib_Status status = ib__placement_deflate(n, A, b, poles, wanted, error);
        for (int j = 0; j < n; j++) wanted[j] *= sigma;
        return status;
    }
    placement->method = "robust";
    ib_Status status = ib__placement_robust(n, rank, A, U, poles, F, &placement->sweeps, error);
    if (status != IB_OK) return status;
    for (int r = 0; r < rank; r++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int i = 0; i < n; i++) sum += U[i * n + r] * (A_[i * n + j] - F[i * n + j]);
            wanted[r * n + j] = sum;
        }
    return IB_OK;
}

// With one input K is unique, and computed in balanced units. With several, the independence of
// eigenvectors depends on the units: those given are used.
static ib_Status solve(const ib_StateSpace *plant, const ib_Complex *poles, ib_Placement *placement,
                       ib_Error *error)
{
    int n = plant->states, m = plant->inputs, rank = 0;
    double A[N * N], B[N * M], scale[N], U[N * N], sigma[N], wanted[N * N];
    memcpy(A, plant->A, (size_t)(n * n) * sizeof *A);
    memcpy(B, plant->B, (size_t)(n * m) * sizeof *B);
    for (int i = 0; i < n; i++) scale[i] = 1;
    if (m == 1) ib_balance(n, m, 0, A, B, NULL, scale);
    ib_singular_values(n, m, B, U, sigma);
    while (rank < n && rank < m && sigma[rank] > 1e-12 * sigma[0]) rank++;

    ib_Complex often = {0, 0};
    int most = most_repeated(n, poles, &often);
    if (rank > 1 && most > rank)
        return ib_error_set(error, IB_BAD_INPUT,
                            "the pole %.6g %+.6gi is there %d times: with %d independent inputs at "
                            "most %d equal poles can be placed; move the others a little",
                            often.re, often.im, most, rank, rank);
    ib_Status status = find_wanted(n, rank, A, U, sigma[0], poles, wanted, placement, error);
    if (status != IB_OK) return status;
    input_gain(n, m, rank, B, sigma, wanted, placement->K);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) placement->K[i * n + j] /= scale[j];
    return IB_OK;
}

// ---------------------------------------------------------------------------------------- checking

// The eigenvalues of A - B K, each given to the nearest wanted pole that is still free.
static ib_Status verify(const ib_StateSpace *plant, const ib_Complex *poles,
                        ib_Placement *placement, ib_Error *error)
{
    int n = plant->states, m = plant->inputs;
    double closed[N * N], bk[N * N], size = 0, worst = 0;
    bool used[N] = {false};
    ib_matrix_multiply(n, m, n, plant->B, placement->K, bk);
    ib_matrix_add(n, n, plant->A, -1, bk, closed);
    ib_Status status = ib_eigenvalues(n, closed, placement->poles, error);
    if (status != IB_OK) return status;
    for (int i = 0; i < n; i++) {
        int best = -1;
        for (int k = 0; k < n; k++)
            if (!used[k] && (best < 0 || distance(poles[i], placement->poles[k]) <
                                             distance(poles[i], placement->poles[best])))
                best = k;
        used[best] = true;
        worst = ib_max(worst, distance(poles[i], placement->poles[best]));
        size = ib_max(size, ib_complex_size(poles[i]));
    }
    placement->accuracy = worst;
    // A pole of multiplicity q moves by the q-th root of a rounding error.
    ib_Complex often = {0, 0};
    if (plant->period > 0) size = ib_max(size, 1);
    double allowed = ib_pow(1e-5, 1.0 / most_repeated(n, poles, &often));
    if (worst > allowed * size)
        return ib_error_set(error, IB_BAD_INPUT,
                            "these poles cannot be held: rounding alone moves them by %.2g (many "
                            "poles close together, or a mode that the inputs hardly move)",
                            worst);
    return IB_OK;
}

ib_Status ib_placement_solve(const ib_StateSpace *plant, const ib_Complex *poles,
                             ib_Placement *placement, ib_Error *error)
{
    ib_Complex ordered[N];
    ib_Controllability controllability;
    memset(placement, 0, sizeof *placement);
    ib_Status status = ib_controllability_find(plant, &controllability, error);
    if (status == IB_OK) status = pair_up(plant->states, poles, ordered, error);
    if (status != IB_OK) return status;
    if (!controllability.input.full)
        return ib_error_set(error, IB_BAD_INPUT, "poles cannot be placed: %s",
                            controllability.input.text);
    status = solve(plant, ordered, placement, error);
    return status == IB_OK ? verify(plant, ordered, placement, error) : status;
}

// ---------------------------------------------------------------------------------------- observer

// A M = L, unless A is singular (to rounding).
static bool find_filter(int n, int p, const double *A, const double *L, double *filter)
{
    double lu[N * N], column[N], least = INFINITY, most = 0;
    int pivot[N];
    memcpy(lu, A, (size_t)(n * n) * sizeof *lu);
    if (ib_matrix_factor(n, lu, pivot)) return false;
    for (int i = 0; i < n; i++) {
        least = ib_min(least, fabs(lu[i * n + i]));
        most = ib_max(most, fabs(lu[i * n + i]));
    }
    if (!(least > 1e-13 * most)) return false;
    for (int j = 0; j < p; j++) {
        for (int i = 0; i < n; i++) column[i] = L[i * p + j];
        ib_matrix_solve(n, lu, pivot, column);
        for (int i = 0; i < n; i++) filter[i * p + j] = column[i];
    }
    return true;
}

ib_Status ib_placement_observer(const ib_StateSpace *plant, const ib_Complex *poles,
                                ib_ObserverPlacement *placement, ib_Error *error)
{
    int n = plant->states, p = plant->outputs;
    ib_Placement dual;
    ib_Controllability controllability;
    memset(placement, 0, sizeof *placement);
    ib_Status status = ib_controllability_find(plant, &controllability, error);
    if (status != IB_OK) return status;
    if (!controllability.output.full)
        return ib_error_set(error, IB_BAD_INPUT, "observer poles cannot be placed: %s",
                            controllability.output.text);
    ib_StateSpace turned = ib_state_space_default(n, p, 0);
    turned.period = plant->period;
    ib_matrix_transpose(n, n, plant->A, turned.A);
    ib_matrix_transpose(p, n, plant->C, turned.B);
    status = ib_placement_solve(&turned, poles, &dual, error);
    if (status != IB_OK) return status;
    ib_matrix_transpose(p, n, dual.K, placement->L);
    memcpy(placement->poles, dual.poles, sizeof dual.poles);
    placement->accuracy = dual.accuracy;
    placement->filter = find_filter(n, p, plant->A, placement->L, placement->M);
    return IB_OK;
}
