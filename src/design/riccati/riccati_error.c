// design/riccati/riccati_error.c: bounds of the rounding errors in the gains of a candidate. A
// small residual is no proof: it may be amplified by a loop that decays slowly, or grows first, and
// by an X that is large beside R.
#include "base/extreme.h"
#include "base/matrix.h"
#include "design/riccati/riccati_inside.h"

#include <float.h>
#include <math.h>

double ib__riccati_share(const ib__Balanced *b, const double *error, const double *gain)
{
    int n = b->n, m = b->m;
    double off = 0, size = DBL_MIN, balanced_off = 0, balanced_size = DBL_MIN;
    for (int i = 0; i < m; i++) {
        double unit = b->L[i * m + i];
        for (int j = 0; j < n; j++) {
            double e = fabs(error[i * n + j]), g = fabs(gain[i * n + j]), own = 1 / b->D[j];
            off = ib_max(off, e * own), size = ib_max(size, g * own);
            balanced_off = ib_max(balanced_off, e * unit);
            balanced_size = ib_max(balanced_size, g * unit);
        }
    }
    return ib_max(off / size, balanced_off / balanced_size);
}

// y += |a| x, or with `transposed` |a|'x; a: rows x columns.
static void add_sizes(int rows, int columns, bool transposed, const double *a, const double *x,
                      double *y)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            double size = fabs(a[i * columns + j]);
            if (transposed)
                y[j] += size * x[i];
            else
                y[i] += size * x[j];
        }
}

// The row sums of the bound W of the computed residual's error, |E| <= W, so that E is between
// -diag(W 1) and diag(W 1); and of the residual itself. With Z = |A| + |B| |K| for the rounding of
// the loop C = A - B K:
//   W = eps (Z'|X| |C| + |C|'|X| Z + |K|'|R| |K| + |N| |K| + |K|'|N|' + |Q| + |X|)
void ib__riccati_rounding(const ib__Balanced *b, const ib__Candidate *c, double *sums)
{
    int n = b->n, m = b->m;
    double one[IB_STATES_MAX], loop[IB_STATES_MAX] = {0}, parts[IB_STATES_MAX] = {0};
    double effort[IB_INPUTS_MAX] = {0}, weighed[IB_INPUTS_MAX] = {0}, far[IB_STATES_MAX] = {0};
    double near[IB_STATES_MAX] = {0}, all[IB_STATES_MAX] = {0}, left[IB_STATES_MAX] = {0};
    for (int i = 0; i < n; i++) one[i] = 1;
    add_sizes(m, n, false, c->K, one, effort);    // |K| 1
    add_sizes(n, n, false, c->closed, one, loop); // |C| 1
    add_sizes(n, n, false, b->A, one, parts);     // Z 1
    add_sizes(n, m, false, b->B, effort, parts);
    add_sizes(n, n, false, c->X, loop, near);
    add_sizes(n, n, false, c->X, parts, far);
    add_sizes(n, n, true, b->A, near, all);
    add_sizes(n, n, true, c->closed, far, all);
    add_sizes(n, m, true, b->B, near, weighed); // |B|'|X| |C| 1
    add_sizes(m, m, false, b->R, effort, weighed);
    if (b->cross) {
        add_sizes(n, m, true, b->N, one, weighed);
        add_sizes(n, m, false, b->N, effort, all);
    }
    add_sizes(m, n, true, c->K, weighed, all);
    add_sizes(n, n, false, b->Q, one, all);
    add_sizes(n, n, false, c->X, one, all);
    add_sizes(n, n, false, c->residual, one, left);
    for (int i = 0; i < n; i++) sums[i] = DBL_EPSILON * all[i] + left[i];
}

// sqrt of the diagonal of V'D V, D definite, with V: n x columns.
static void spread_along(int n, int columns, const double *D, const double *V, double *spread)
{
    double DV[IB__NN];
    ib__times(n, n, columns, D, V, DV);
    for (int j = 0; j < columns; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += V[i * columns + j] * DV[i * columns + j];
        spread[j] = sqrt(ib_max(sum, 0));
    }
}

// A gain (K of A, or F of I) changes with X by S^-1 B' dX V, V = A - B K or I - B F. For dX between
// -D and D, |u'dX v| <= sqrt(u'D u) sqrt(v'D v). The rounding of its own sums adds:
//   eps |S^-1| (|B|'|X| (|A| + |B| |K|) + |R| |K|)
double ib__riccati_gain_error(const ib__Balanced *b, const ib__Candidate *c, const double *D,
                              const double *start, const double *gain)
{
    int n = b->n, m = b->m;
    double V[IB__NN], U[IB__NM], part[IB__NN], inverse[IB__MM], along[IB_STATES_MAX];
    double across[IB_INPUTS_MAX], error[IB__NM], sizes[IB__NN], own[IB__NM], BtX[IB__NM];
    IB_ASSERT(n >= 1 && m >= 1);
    ib__times(n, m, n, b->B, gain, part);
    ib_matrix_add(n, n, start, -1, part, V);
    ib_matrix_identity(m, inverse);
    ib__cholesky_forward(m, m, c->S, inverse);
    ib__cholesky_back(m, m, c->S, inverse);
    ib__times(n, m, m, b->B, inverse, U);
    spread_along(n, n, D, V, along);
    spread_along(n, m, D, U, across);

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = fabs(start[i * n + j]);
            for (int k = 0; k < m; k++) sum += fabs(b->B[i * m + k] * gain[k * n + j]);
            sizes[i * n + j] = sum;
        }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += fabs(b->B[k * m + i] * c->X[k * n + j]);
            BtX[i * n + j] = sum;
        }
    ib__times(m, n, n, BtX, sizes, own);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++) own[i * n + j] += fabs(b->R[i * m + k] * gain[k * n + j]);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < m; k++) sum += fabs(inverse[i * m + k]) * own[k * n + j];
            error[i * n + j] = across[i] * along[j] + DBL_EPSILON * sum;
        }
    return ib__riccati_share(b, error, gain);
}
