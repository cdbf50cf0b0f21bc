// design/riccati/riccati_checks.c: preconditions of the Riccati equation, some in balanced
// coordinates, and the verdict on a candidate.
#include "base/extreme.h"
#include "base/matrix.h"
#include "design/riccati/riccati_inside.h"
#include "linear/eigen.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double ROUNDING = 1e-10; ///< tolerance of a user's weights

// ---------------------------------------------------------------------------------------- Cholesky

bool ib__cholesky(int n, double *a)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            for (int k = 0; k < j; k++) sum -= a[i * n + k] * a[j * n + k];
            if (j < i) {
                a[i * n + j] = sum / a[j * n + j];
            } else {
                // The remainder of a diagonal that has cancelled is rounding.
                if (!(sum > 1e-15 * a[i * n + i])) return false;
                a[i * n + i] = sqrt(sum);
            }
        }
    }
    return true;
}

void ib__cholesky_forward(int n, int columns, const double *L, double *x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            for (int j = 0; j < columns; j++)
                x[i * columns + j] -= L[i * n + k] * x[k * columns + j];
        for (int j = 0; j < columns; j++) x[i * columns + j] /= L[i * n + i];
    }
}

void ib__cholesky_back(int n, int columns, const double *L, double *x)
{
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            for (int j = 0; j < columns; j++)
                x[i * columns + j] -= L[k * n + i] * x[k * columns + j];
        for (int j = 0; j < columns; j++) x[i * columns + j] /= L[i * n + i];
    }
}

// ----------------------------------------------------------------------------------------- weights

static ib_Status check_symmetric(const char *name, int n, const double *a, ib_Error *error)
{
    double size = ib_matrix_norm(n, n, a);
    if (!isfinite(size)) return ib_error_set(error, IB_BAD_INPUT, "%s is not finite", name);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (fabs(a[i * n + j] - a[j * n + i]) > ROUNDING * size)
                return ib_error_set(error, IB_BAD_INPUT,
                                    "%s is not symmetric: row %d, column %d is %g, but row %d, "
                                    "column %d is %g",
                                    name, i + 1, j + 1, a[i * n + j], j + 1, i + 1, a[j * n + i]);
    return IB_OK;
}

static ib_Status refuse_weight(const char *name, const char *wanted, int n, const double *a,
                               ib_Error *error)
{
    ib_Complex values[IB_STATES_MAX];
    double least = INFINITY;
    if (ib_eigenvalues(n, a, values, error) != IB_OK) return IB_BAD_INPUT;
    for (int i = 0; i < n; i++) least = ib_min(least, values[i].re);
    return ib_error_set(error, IB_BAD_INPUT, "%s is not %s: its smallest eigenvalue is %.6g", name,
                        wanted, least);
}

// Eliminates pivot p from the rows and columns not yet `done`.
static void eliminate(int n, int p, const bool *done, double *w)
{
    for (int i = 0; i < n; i++) {
        if (done[i]) continue;
        double factor = w[i * n + p] / w[p * n + p];
        for (int j = 0; j < n; j++)
            if (!done[j]) w[i * n + j] -= factor * w[p * n + j];
    }
}

// True if `a` is positive semidefinite within rounding. Each state is scaled so that its own weight
// in `whole` is 1; elimination takes the largest diagonal first: when only zeros are left of the
// diagonal, the rest must be zero. A state without weight must have no cross weight either.
static bool is_semidefinite(int n, const double *a, const double *whole)
{
    double w[IB__NN], unit[IB_STATES_MAX];
    bool done[IB_STATES_MAX] = {false};
    for (int i = 0; i < n; i++) {
        double weight = whole[i * n + i];
        if (weight < 0) return false;
        for (int j = 0; weight == 0 && j < n; j++)
            if (a[i * n + j] != 0) return false;
        unit[i] = weight > 0 ? 1 / sqrt(weight) : 0;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) w[i * n + j] = a[i * n + j] * unit[i] * unit[j];
    for (int step = 0; step < n; step++) {
        int p = -1;
        for (int i = 0; i < n; i++)
            if (!done[i] && (p < 0 || w[i * n + i] > w[p * n + p])) p = i;
        if (w[p * n + p] <= ROUNDING) break;
        done[p] = true;
        eliminate(n, p, done, w);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (!done[i] && !done[j] && fabs(w[i * n + j]) > 2 * ROUNDING) return false;
    return true;
}

// ----------------------------------------------------------------------------------------- balance

// The size of all elements that scale with state i, in units f times as large.
static double size_of(double row, double column, double g, double h, double f)
{
    return row / f + column * f + g / (f * f) + h * f * f;
}

// The best power of two for state i: rows of F and G shrink with it, columns of F and H grow.
static double best_unit(int n, int i, const double *F, const double *G, const double *H)
{
    double row = 0, column = 0, g = fabs(G[i * n + i]), h = fabs(H[i * n + i]), f = 1;
    for (int j = 0; j < n; j++) {
        if (j == i) continue;
        row += fabs(F[i * n + j]) + fabs(G[i * n + j]);
        column += fabs(F[j * n + i]) + fabs(H[i * n + j]);
    }
    if (row + g == 0 || column + h == 0) return 1; // would not terminate
    double now = size_of(row, column, g, h, 1), size = now;
    for (double to = 2; to <= 0x1p40; to *= 2) {
        double next = size_of(row, column, g, h, to);
        if (!(next < size)) break;
        size = next, f = to;
    }
    for (double to = 0.5; f <= 1 && to >= 0x1p-40; to /= 2) {
        double next = size_of(row, column, g, h, to);
        if (!(next < size)) break;
        size = next, f = to;
    }
    return size < 0.9 * now ? f : 1;
}

// Finds units for the states in which F, G and H have elements of like size, so that no part of X
// is lost in the rounding of another.                         [Benner 2000, symplectic
// balancing; Osborne]
static void balance(ib__Balanced *b)
{
    enum { MOST_SWEEPS = 12 };
    int n = b->n;
    bool changed = true;
    for (int i = 0; i < n; i++) b->D[i] = 1;
    for (int sweep = 0; changed && sweep < MOST_SWEEPS; sweep++) {
        changed = false;
        for (int i = 0; i < n; i++) {
            double f = best_unit(n, i, b->F, b->G, b->H);
            if (f == 1) continue;
            changed = true;
            b->D[i] *= f;
            for (int j = 0; j < n; j++) {
                b->F[i * n + j] /= f;
                b->F[j * n + i] *= f;
                b->G[i * n + j] /= f;
                b->G[j * n + i] /= f;
                b->H[i * n + j] *= f;
                b->H[j * n + i] *= f;
            }
        }
    }
}

// A, B, Q, N and E in these units.
static void scale(ib__Balanced *b, const ib_Riccati *p)
{
    int n = b->n, m = b->m;
    for (int i = 0; i < n; i++) {
        double d = b->D[i];
        for (int j = 0; j < n; j++) {
            b->A[i * n + j] = p->A[i * n + j] / d * b->D[j];
            b->Q[i * n + j] = 0.5 * (p->Q[i * n + j] + p->Q[j * n + i]) * d * b->D[j];
        }
        for (int j = 0; j < m; j++) {
            b->B[i * m + j] = p->B[i * m + j] / d;
            b->E[i * m + j] /= d;
            b->N[i * m + j] = p->N ? p->N[i * m + j] * d : 0;
        }
    }
}

// ----------------------------------------------------------------------------------------- prepare

// F, E, G, H. With Y = L^-1 B' and Z = L^-1 N':  E = Y', G = Y'Y, F = A - Y'Z, H = Q - Z'Z.
static void reduce(ib__Balanced *b, const ib_Riccati *p)
{
    int n = b->n, m = b->m;
    double Y[IB__NM], Z[IB__NM], Zt[IB__NM], product[IB__NN];
    IB_ASSERT(n >= 1 && m >= 1);
    ib_matrix_transpose(n, m, p->B, Y);
    ib__cholesky_forward(m, n, b->L, Y);
    ib_matrix_transpose(m, n, Y, b->E);
    ib__times_symmetric(n, m, b->E, Y, b->G);
    for (int i = 0; i < n * n; i++) b->F[i] = p->A[i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) b->H[i * n + j] = 0.5 * (p->Q[i * n + j] + p->Q[j * n + i]);
    if (!p->N) return;
    ib_matrix_transpose(n, m, p->N, Z);
    ib__cholesky_forward(m, n, b->L, Z);
    ib__times(n, m, n, b->E, Z, product);
    ib_matrix_add(n, n, b->F, -1, product, b->F);
    ib_matrix_transpose(m, n, Z, Zt);
    ib__times_symmetric(n, m, Zt, Z, product);
    ib_matrix_add(n, n, b->H, -1, product, b->H);
}

// Refuses finite matrices with products that are not finite: they need other units, not
// another plant.
static ib_Status check_scale(const ib__Balanced *b, const ib_Riccati *p, ib_Error *error)
{
    int n = b->n, m = b->m;
    double most = 0;
    for (int i = 0; i < n * m; i++) most = ib_max(most, fabs(p->B[i]));
    if (!isfinite(ib_matrix_norm(n, n, b->G)))
        return ib_error_set(error, IB_BAD_INPUT,
                            "%s is too large beside %s: with elements up to %g its square does not "
                            "fit a double: choose other units",
                            p->filter ? "C" : "B", p->filter ? "the measurement noise" : "R", most);
    if (!isfinite(ib_matrix_norm(n, n, b->F)) || !isfinite(ib_matrix_norm(n, n, b->H)))
        return ib_error_set(error, IB_BAD_INPUT,
                            "N is too large beside R: B R^-1 N' or N R^-1 N' does not fit a "
                            "double: choose other units");
    return IB_OK;
}

ib_Status ib__riccati_prepare(const ib_Riccati *p, ib__Balanced *b, ib_Error *error)
{
    int n = p->states, m = p->inputs;
    const char *Q = p->filter ? "the process noise of one period" : "Q";
    const char *R = p->filter ? "the measurement noise of one sample" : "R";
    IB_ASSERT(n >= 1 && n <= IB_STATES_MAX && m >= 1 && m <= IB_INPUTS_MAX);
    b->n = n;
    b->m = m;
    b->cross = p->N != NULL;
    if (!isfinite(ib_matrix_norm(n, n, p->A)))
        return ib_error_set(error, IB_BAD_INPUT, "A is not finite");
    if (!isfinite(ib_matrix_norm(n, m, p->B)))
        return ib_error_set(error, IB_BAD_INPUT, "%s is not finite", p->filter ? "C" : "B");
    if (p->N && !isfinite(ib_matrix_norm(n, m, p->N)))
        return ib_error_set(error, IB_BAD_INPUT, "N is not finite");
    ib_Status status = check_symmetric(R, m, p->R, error);
    if (status == IB_OK) status = check_symmetric(Q, n, p->Q, error);
    if (status != IB_OK) return status;

    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            b->R[i * m + j] = b->L[i * m + j] = 0.5 * (p->R[i * m + j] + p->R[j * m + i]);
    if (!ib__cholesky(m, b->L)) return refuse_weight(R, "positive definite", m, b->R, error);
    reduce(b, p);
    status = check_scale(b, p, error);
    if (status != IB_OK) return status;
    if (!is_semidefinite(n, b->H, p->Q))
        return refuse_weight(p->N ? "Q - N R^-1 N'" : Q, "positive semidefinite", n, b->H, error);
    balance(b);
    scale(b, p);
    return IB_OK;
}

// ----------------------------------------------------------------------------------------- verdict

// K'R K = (L'K)'(L'K), where L'K is K with inputs in units in which R = I.
static void find_effort(const ib__Balanced *b, const double *K, double *LK, double *effort)
{
    int n = b->n, m = b->m;
    double t[IB__NM];
    IB_ASSERT(n >= 1 && m >= 1);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = i; k < m; k++) sum += b->L[k * m + i] * K[k * n + j];
            LK[i * n + j] = t[j * m + i] = sum;
        }
    ib__times_symmetric(n, m, t, LK, effort);
}

// Inputs in units in which R = I, so that B is E and K is L'K:
//   change = 2 |M| (|A| + |E| |L'K|) + |Q| + |K'R K|
static bool put_in_relation(const ib__Balanced *b, const double *M, const double *LK,
                            const double *effort, ib__Candidate *c)
{
    int n = b->n, m = b->m;
    double loop =
        ib_matrix_norm(n, n, b->A) + ib_matrix_norm(n, m, b->E) * ib_matrix_norm(m, n, LK);
    double change = 2 * ib_matrix_norm(n, n, M) * loop + ib_matrix_norm(n, n, b->Q) +
                    ib_matrix_norm(n, n, effort);
    c->relative = ib_matrix_norm(n, n, c->residual) / ib_max(change, DBL_MIN);
    return isfinite(c->relative);
}

bool ib__riccati_judge(const ib__Balanced *b, const double *M, ib__Candidate *c)
{
    int n = b->n, m = b->m;
    double LK[IB__NM], effort[IB__NN], NK[IB__NN];
    find_effort(b, c->K, LK, effort);
    for (int i = 0; i < n * n; i++) c->residual[i] += effort[i] + b->Q[i];
    if (b->cross) ib__times(n, m, n, b->N, c->K, NK);
    for (int i = 0; b->cross && i < n; i++)
        for (int j = 0; j < n; j++) c->residual[i * n + j] -= NK[i * n + j] + NK[j * n + i];
    return put_in_relation(b, M, LK, effort, c);
}

bool ib__riccati_compare(const ib__Balanced *b, ib__Candidate *c)
{
    int n = b->n;
    double Ct[IB__NN], M[IB__NN], LK[IB__NM], effort[IB__NN];
    IB_ASSERT(n >= 1);
    find_effort(b, c->K, LK, effort);
    ib_matrix_transpose(n, n, c->closed, Ct);
    ib__times(n, n, n, Ct, c->X, M);
    return put_in_relation(b, M, LK, effort, c);
}
