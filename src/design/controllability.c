// design/controllability.c: controllability and observability, by a staircase of transformations.
// Symbols: n states, m inputs (or outputs, with A' for A), l an eigenvalue, w a left eigenvector.
#include "design/controllability.h"

#include "base/extreme.h"
#include "base/matrix.h"
#include "design/controllability_text.h"
#include "linear/balance.h"
#include "linear/singular.h"

#include <string.h>

enum { N = IB_STATES_MAX, M = IB_INPUTS_MAX };

_Static_assert((int)IB_OUTPUTS_MAX <= (int)IB_INPUTS_MAX, "one side fits both");
_Static_assert(2 * N <= IB_SINGULAR_MAX, "a complex matrix as a real one of twice the size");

static double frobenius(int count, const double *a)
{
    double sum = 0;
    for (int i = 0; i < count; i++) sum += a[i] * a[i];
    return sqrt(sum);
}

static void shift(int n, double *A, double by)
{
    for (int i = 0; i < n; i++) A[i * n + i] += by;
}

// --------------------------------------------------------------------------------------- staircase

// Turns rows and columns `from` .. of A, rows of B and columns of Q by the orthogonal u (k x k).
static void turn(int n, int m, int from, const double *u, double *A, double *B, double *Q)
{
    int k = n - from;
    double held[N];
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < k; i++) held[i] = A[(from + i) * n + j];
        for (int i = 0; i < k; i++) {
            A[(from + i) * n + j] = 0;
            for (int l = 0; l < k; l++) A[(from + i) * n + j] += u[l * k + i] * held[l];
        }
    }
    for (int j = 0; j < m; j++) {
        for (int i = 0; i < k; i++) held[i] = B[(from + i) * m + j];
        for (int i = 0; i < k; i++) {
            B[(from + i) * m + j] = 0;
            for (int l = 0; l < k; l++) B[(from + i) * m + j] += u[l * k + i] * held[l];
        }
    }
    double *both[2] = {A, Q};
    for (int b = 0; b < 2; b++)
        for (int i = 0; i < n; i++) {
            double *row = both[b] + i * n + from;
            for (int j = 0; j < k; j++) held[j] = row[j];
            for (int j = 0; j < k; j++) {
                row[j] = 0;
                for (int l = 0; l < k; l++) row[j] += held[l] * u[l * k + j];
            }
        }
}

// Each step finds the states moved by those of the last step: rank of A[rest, last block]. An
// element counts from a few roundings of A on, or 1e-12 of its size without the multiple of I (a
// sampled plant is I + a small part): differences of figures typed with 12 digits count as zero.
int ib_controllability_split(int n, int m, double *A, double *B, double *Q)
{
    double middle = 0, rounding = 100 * n * DBL_EPSILON;
    for (int i = 0; i < n; i++) middle += A[i * n + i] / n;
    double least = rounding * frobenius(n * n, A);
    shift(n, A, -middle);
    least = ib_max(least, 1e-12 * frobenius(n * n, A));
    ib_matrix_identity(n, Q);

    int done = 0, last = 0;
    for (int step = 0; done < n; step++) {
        double block[N * N], u[N * N], sigma[N];
        int k = n - done, columns = step == 0 ? m : done - last;
        for (int i = 0; i < k; i++)
            for (int j = 0; j < columns; j++)
                block[i * columns + j] = step == 0 ? B[i * m + j] : A[(done + i) * n + last + j];
        double limit = step == 0 ? ib_max(rounding, 1e-12) * frobenius(n * m, B) : least;
        ib_singular_values(k, columns, block, u, sigma);
        int rank = 0;
        while (rank < k && sigma[rank] > limit) rank++;
        if (rank == 0) break;
        turn(n, m, done, u, A, B, Q);
        last = done;
        done += rank;
    }
    shift(n, A, middle);
    return done;
}

// ---------------------------------------------------------------------------------------- distance

// The smallest singular value of [A - l I, B]. A complex matrix X + iY has those of the real
// [X -Y; Y X], each twice.
static double smallest(int n, int m, const double *A, const double *B, ib_Complex l)
{
    double a[2 * N * 2 * (N + M)], sigma[2 * N];
    int parts = l.im != 0 ? 2 : 1, columns = parts * (n + m);
    memset(a, 0, sizeof a);
    for (int part = 0; part < parts; part++)
        for (int i = 0; i < n; i++) {
            double *row = a + (part * n + i) * columns;
            for (int j = 0; j < n; j++) row[part * n + j] = A[i * n + j] - (i == j ? l.re : 0);
            if (parts == 2) row[(1 - part) * n + i] = part == 0 ? l.im : -l.im;
            for (int j = 0; j < m; j++) row[parts * n + part * m + j] = B[i * m + j];
        }
    ib_singular_values(parts * n, columns, a, NULL, sigma);
    return sigma[parts * n - 1];
}

static double find_distance(int n, int m, const double *A, const double *B, ib_Error *error)
{
    ib_Complex values[N];
    double moved[N * N], middle = 0, least = 1;
    if (ib_eigenvalues(n, A, values, error) != IB_OK) return 0;
    memcpy(moved, A, (size_t)(n * n) * sizeof *A);
    for (int i = 0; i < n; i++) middle += A[i * n + i] / n;
    shift(n, moved, -middle);
    double size = frobenius(n * n, moved);
    if (size == 0) size = 1; // as in level_inputs
    for (int i = 0; i < n; i++)
        if (values[i].im >= 0) least = ib_min(least, smallest(n, m, A, B, values[i]) / size);
    return least;
}

// ----------------------------------------------------------------------------------------- Gramian

// P = sum of A^k B B' A'^k, doubled at every turn:  P <- P + A P A', A <- A^2.  [Smith 1968]
static void sum_powers(int n, double *A, double *P)
{
    double t[N * N], square[N * N], at[N * N], grown[N * N];
    for (int turns = 0; turns < 64 && frobenius(n * n, A) > 1e-30; turns++) {
        ib_matrix_transpose(n, n, A, at);
        ib_matrix_multiply(n, n, n, A, P, t);
        ib_matrix_multiply(n, n, n, t, at, grown);
        ib_matrix_add(n, n, P, 1, grown, P);
        ib_matrix_multiply(n, n, n, A, A, square);
        memcpy(A, square, (size_t)(n * n) * sizeof *A);
    }
}

// A continuous plant has the Gramian of this discrete one, for any a > 0:
//   Ad = (a I - A)^-1 (a I + A),   Bd = sqrt(2 a) (a I - A)^-1 B
static void to_discrete(int n, int m, const ib_Complex *values, double *A, double *B)
{
    double lu[N * N], column[N], fast = ib_complex_size(values[0]);
    double a = sqrt(fast) * sqrt(ib_complex_size(values[n - 1]));
    int pivot[N];
    for (int i = 0; i < n * n; i++) lu[i] = -A[i];
    shift(n, lu, a);
    shift(n, A, a);
    if (ib_matrix_factor(n, lu, pivot)) return; // regular: a is not an eigenvalue of a stable A
    for (int j = 0; j < n + m; j++) {
        for (int i = 0; i < n; i++)
            column[i] = j < n ? A[i * n + j] : sqrt(2 * a) * B[i * m + j - n];
        ib_matrix_solve(n, lu, pivot, column);
        for (int i = 0; i < n; i++) *(j < n ? &A[i * n + j] : &B[i * m + j - n]) = column[i];
    }
}

// The condition of the Gramian of a stable plant, in the units given.
static double gramian_condition(int n, int m, const double *A, const double *B, bool discrete,
                                const ib_Complex *values)
{
    double a[N * N], b[N * M], bt[M * N], P[N * N], sigma[N];
    memcpy(a, A, (size_t)(n * n) * sizeof *a);
    memcpy(b, B, (size_t)(n * m) * sizeof *b);
    if (!discrete) to_discrete(n, m, values, a, b);
    ib_matrix_transpose(n, m, b, bt);
    ib_matrix_multiply(n, m, n, b, bt, P);
    sum_powers(n, a, P);
    ib_singular_values(n, n, P, NULL, sigma);
    return sigma[n - 1] > 0 ? sigma[0] / sigma[n - 1] : INFINITY;
}

// -------------------------------------------------------------------------------------- both sides

bool ib_controllability_dies_out(ib_Complex mode, bool discrete, double norm)
{
    double slack = 1e3 * DBL_EPSILON * norm;
    return discrete ? ib_complex_size(mode) < 1 - slack : mode.re < -slack;
}

// Scales each input so that it moves the plant as much as the plant moves itself.
static void level_inputs(int n, int m, const double *A, double *B)
{
    double middle = 0, moved[N * N];
    for (int i = 0; i < n; i++) middle += A[i * n + i] / n;
    memcpy(moved, A, (size_t)(n * n) * sizeof *A);
    shift(n, moved, -middle);
    double wanted = frobenius(n * n, moved);
    for (int j = 0; j < m; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += B[i * m + j] * B[i * m + j];
        if (sum == 0) continue;
        for (int i = 0; i < n; i++) B[i * m + j] *= (wanted > 0 ? wanted : 1) / sqrt(sum);
    }
}

// Splits a plant (or its dual) in balanced units and names the remaining modes.
static ib_Status find_side(int n, int m, const double *A_, const double *B_, bool discrete,
                           ib_ControllabilityTexts texts, ib_ControllabilitySide *side,
                           ib_Error *error)
{
    double A[N * N], B[N * M], Q[N * N], scale[N];
    memcpy(A, A_, (size_t)(n * n) * sizeof *A);
    memcpy(B, B_, (size_t)(n * m) * sizeof *B);
    ib_balance(n, m, 0, A, B, NULL, scale);
    level_inputs(n, m, A, B);
    double norm = frobenius(n * n, A);
    side->distance = find_distance(n, m, A, B, error);

    int moved = ib_controllability_split(n, m, A, B, Q);
    side->missing = n - moved;
    side->full = side->enough = true;
    if (side->missing == 0) return IB_OK;
    double rest[N * N];
    for (int i = moved; i < n; i++)
        for (int j = moved; j < n; j++)
            rest[(i - moved) * side->missing + j - moved] = A[i * n + j];
    ib_Status status = ib_eigenvalues(side->missing, rest, side->mode, error);
    if (status != IB_OK) return status;
    side->full = false;
    side->distance = 0;
    for (int i = 0; i < side->missing; i++)
        side->enough = side->enough && ib_controllability_dies_out(side->mode[i], discrete, norm);
    ib_controllability_describe(n, side->missing, rest, Q, scale, norm, texts, side);
    return IB_OK;
}

ib_Status ib_controllability_find(const ib_StateSpace *plant, ib_Controllability *controllability,
                                  ib_Error *error)
{
    int n = plant->states, m = plant->inputs, p = plant->outputs;
    double at[N * N], ct[N * M];
    ib_Complex values[N];
    ib_Status status = ib_state_space_check(plant, error);
    if (status != IB_OK) return status;
    memset(controllability, 0, sizeof *controllability);
    status = ib_eigenvalues(n, plant->A, values, error);
    if (status != IB_OK) return status;
    bool discrete = plant->period > 0;
    double norm = ib_complex_size(values[0]);
    controllability->stable = true;
    for (int i = 0; i < n; i++)
        controllability->stable =
            controllability->stable && ib_controllability_dies_out(values[i], discrete, norm);

    ib_matrix_transpose(n, n, plant->A, at);
    ib_matrix_transpose(p, n, plant->C, ct);
    ib_ControllabilityTexts in = {plant->state, false}, out = {plant->state, true};
    status = find_side(n, m, plant->A, plant->B, discrete, in, &controllability->input, error);
    if (status == IB_OK)
        status = find_side(n, p, at, ct, discrete, out, &controllability->output, error);
    controllability->input.condition = controllability->output.condition = INFINITY;
    if (status != IB_OK || !controllability->stable) return status;
    if (controllability->input.full)
        controllability->input.condition =
            gramian_condition(n, m, plant->A, plant->B, discrete, values);
    if (controllability->output.full)
        controllability->output.condition = gramian_condition(n, p, at, ct, discrete, values);
    return status;
}
