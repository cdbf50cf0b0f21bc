// design/riccati/riccati.c: the discrete Riccati equation: doubling, Newton's method, and the proof
// that the loop is stable.
#include "design/riccati/riccati.h"

#include "base/extreme.h"
#include "base/matrix.h"
#include "design/riccati/riccati_wide.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    MOST_DOUBLINGS = 60,
    MOST_CORRECTIONS = 8, ///< near the solution each step doubles the digits
    MOST_DESCENTS = 60,   ///< far from it each step halves the error
    USUAL_SQUARINGS = 22, ///< a loop that takes longer than 10^7 periods is checked again
};

static const double SURE = 1e-10;   ///< a gain with a larger possible error is computed with
                                    ///< more digits
static const double SLIGHT = 1e-13; ///< so is an X with a larger residual
static const double GOOD = 1e-6;    ///< a relative residual above it is no solution

// ---------------------------------------------------------------------------------------- doubling

// to -= factor from
static inline void subtract(int count, double factor, const double *restrict from,
                            double *restrict to)
{
    int j = 0;
    for (; j + 4 <= count; j += 4) {
        to[j] -= factor * from[j];
        to[j + 1] -= factor * from[j + 1];
        to[j + 2] -= factor * from[j + 2];
        to[j + 3] -= factor * from[j + 3];
    }
    for (; j < count; j++) to[j] -= factor * from[j];
}

// Solves W [V U] = [A G] for all columns at once, on rows [W A G] of 3 n; the largest pivot of each
// column. False: W is singular or not finite.
static bool solve_rows(int n, double *w)
{
    int width = 3 * n;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(w[i * width + k]) > fabs(w[best * width + k])) best = i;
        double *row = &w[k * width], size = fabs(w[best * width + k]);
        if (!(size > 0 && size <= DBL_MAX)) return false;
        for (int j = k; best != k && j < width; j++) {
            double held = row[j];
            row[j] = w[best * width + j];
            w[best * width + j] = held;
        }
        double inverse = 1 / row[k];
        for (int i = k + 1; i < n; i++)
            subtract(width - k - 1, w[i * width + k] * inverse, &row[k + 1], &w[i * width + k + 1]);
    }
    for (int k = n - 1; k >= 0; k--) {
        double *row = &w[k * width], inverse = 1 / row[k];
        for (int j = n; j < width; j++) row[j] *= inverse;
        for (int i = 0; i < k; i++) subtract(2 * n, w[i * width + k], &row[n], &w[i * width + n]);
    }
    return true;
}

// One step of the structure-preserving doubling algorithm:              [Chu, Fan, Lin, Wang 2004]
//   W = I + G H,   A <- A W^-1 A,   G <- G + A W^-1 G A',   H <- H + A' H W^-1 A
// H is the cost of a horizon, and the step doubles it; A goes to zero like the loop's own decay.
// `change` is the relative change of H. False: breakdown.
static bool double_once(int n, double *A, double *G, double *H, double *change)
{
    double w[3 * IB__NN], V[IB__NN], U[IB__NN], At[IB__NN], t[IB__NN], grown[IB__NN];
    for (int i = 0; i < n; i++) {
        double *row = &w[i * 3 * n];
        ib__row_times(n, n, &G[i * n], H, row, 0);
        row[i] += 1;
        for (int j = 0; j < n; j++) row[n + j] = A[i * n + j], row[2 * n + j] = G[i * n + j];
    }
    if (!solve_rows(n, w)) return false;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            V[i * n + j] = w[i * 3 * n + n + j];
            U[i * n + j] = w[i * 3 * n + 2 * n + j];
        }
    ib_matrix_transpose(n, n, A, At);
    ib__times(n, n, n, H, V, t);
    ib__times_symmetric(n, n, At, t, grown);
    ib_matrix_add(n, n, H, 1, grown, H);
    *change = ib_matrix_norm(n, n, grown) / ib_max(ib_matrix_norm(n, n, H), DBL_MIN);
    ib__times(n, n, n, U, At, t);
    ib__times_symmetric(n, n, A, t, grown);
    ib_matrix_add(n, n, G, 1, grown, G);
    ib__times(n, n, n, A, V, t);
    memcpy(A, t, (size_t)(n * n) * sizeof *t);
    return isfinite(*change);
}

// X of F, G, H. It converges like the square of the last change, so 1e-8 gives all digits; a false
// result is detected later.
static bool run_doubling(const ib__Balanced *b, ib__Candidate *c, int *steps)
{
    size_t bytes = (size_t)(b->n * b->n) * sizeof *c->X;
    double A[IB__NN], G[IB__NN], change = 1;
    memcpy(A, b->F, bytes);
    memcpy(G, b->G, bytes);
    memcpy(c->X, b->H, bytes);
    for (*steps = 0; *steps < MOST_DOUBLINGS && change > 1e-8; ++*steps)
        if (!double_once(b->n, A, G, c->X, &change)) return false;
    return true;
}

// ------------------------------------------------------------------------------------------ Newton

// The loop of X: S = R + B'X B = L L', K = S^-1 (B'X A + N'). False: S is not definite.
static bool find_gain(const ib__Balanced *b, ib__Candidate *c)
{
    int n = b->n, m = b->m;
    double XB[IB__NM], Bt[IB__NM], BtX[IB__NM], part[IB__NN], *S = c->S;
    IB_ASSERT(n >= 1 && m >= 1);
    ib_matrix_transpose(n, m, b->B, Bt);
    ib__times(n, n, m, c->X, b->B, XB);
    ib_matrix_transpose(n, m, XB, BtX);
    ib__times_symmetric(m, n, Bt, XB, S);
    ib__times(m, n, n, BtX, b->A, c->K);
    for (int i = 0; i < m * m; i++) S[i] += b->R[i];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) c->K[i * n + j] += b->N[j * m + i];
    if (!ib__cholesky(m, S)) return false;
    ib__cholesky_forward(m, n, S, c->K);
    ib__cholesky_back(m, n, S, c->K);
    ib__times(n, m, n, b->B, c->K, part);
    ib_matrix_add(n, n, b->A, -1, part, c->closed);
    return true;
}

bool ib__riccati_evaluate(const ib__Balanced *b, ib__Candidate *c)
{
    int n = b->n;
    double Ct[IB__NN], M[IB__NN];
    if (!find_gain(b, c)) return false;
    ib_matrix_transpose(n, n, c->closed, Ct);
    ib__times(n, n, n, Ct, c->X, M);
    ib__times_symmetric(n, n, M, c->closed, c->residual);
    ib_matrix_add(n, n, c->residual, -1, c->X, c->residual);
    return ib__riccati_judge(b, M, c);
}

// D <- D + M'D M, M <- M^2.
bool ib__riccati_stein(int n, const double *closed, const double *C, double *D)
{
    double M[IB__NN], Mt[IB__NN], t[IB__NN], grown[IB__NN];
    IB_ASSERT(n >= 1);
    size_t bytes = (size_t)(n * n) * sizeof *M;
    memcpy(D, C, bytes);
    memcpy(M, closed, bytes);
    for (int k = 0; k < IB__SQUARINGS; k++) {
        ib_matrix_transpose(n, n, M, Mt);
        ib__times(n, n, n, D, M, t);
        ib__times_symmetric(n, n, Mt, t, grown);
        ib_matrix_add(n, n, D, 1, grown, D);
        double size = ib_matrix_norm(n, n, grown), all = ib_matrix_norm(n, n, D);
        if (!isfinite(all)) return false;
        if (size <= 1e-10 * all) return true; // the next step corrects the rest
        ib__times(n, n, n, M, M, t);
        memcpy(M, t, bytes);
    }
    return false;
}

// Newton's step, as a correction of X, so that the digits X has are kept:            [Hewer 1971]
//   X+ = X + D,   D = (A - B K)'D (A - B K) + residual
static bool correct(const ib__Balanced *b, const ib__Candidate *c, ib__Candidate *next)
{
    double D[IB__NN];
    if (!ib__riccati_stein(b->n, c->closed, c->residual, D)) return false;
    ib_matrix_add(b->n, b->n, c->X, 1, D, next->X);
    return ib__riccati_evaluate(b, next);
}

// Newton steps while they help. The first step may lead away if X is not yet near; rounding alone
// leaves a few units of the last digit in each term.
static void polish(const ib__Balanced *b, ib__Candidate *best, int *corrections)
{
    const double enough = 4 * DBL_EPSILON, near = 1e-13;
    ib__Candidate trial[2];
    const ib__Candidate *from = best;
    int patience = 4;
    for (int k = 0; k < MOST_CORRECTIONS && best->relative > enough && patience > 0; k++) {
        ib__Candidate *next = &trial[k % 2];
        if (best->relative < near) patience = 1;
        if (!correct(b, from, next)) return;
        ++*corrections;
        from = next;
        if (!(next->relative < 0.5 * best->relative)) patience--;
        if (next->relative < best->relative) *best = *next;
    }
}

// ------------------------------------------------------------------------------------------- proof

// Squares the loop's matrix until its norm is below 1/2: then all poles are inside the circle, and
// the slowest one is the further inside the fewer squarings it took. -1: not proven. On the way, D
// becomes the possible error of X for an error of its residual by the diagonal matrix of `sums`:
//   D = M'D M + diag(sums), to a third of its size
static int prove_stable(int n, const double *closed, const double *sums, double *D)
{
    double M[IB__NN], Mt[IB__NN], t[IB__NN], grown[IB__NN];
    memcpy(M, closed, (size_t)(n * n) * sizeof *M);
    for (int i = 0; i < n * n; i++) D[i] = i / n == i % n ? sums[i / n] : 0;
    for (int k = 0; k <= IB__SQUARINGS; k++) {
        double norm = ib_matrix_norm(n, n, M);
        if (norm < 0.5) return k;
        if (!isfinite(norm)) return -1;
        ib_matrix_transpose(n, n, M, Mt);
        ib__times(n, n, n, D, M, t);
        ib__times_symmetric(n, n, Mt, t, grown);
        ib_matrix_add(n, n, D, 1, grown, D);
        ib__times(n, n, n, M, M, t);
        memcpy(M, t, (size_t)(n * n) * sizeof *M);
    }
    return -1;
}

// Finds the candidate's stability, and the possible effect of rounding on its gains. F is only
// checked, and computed, on request.
static int assess(const ib__Balanced *b, ib__Candidate *c, bool filter, double *off)
{
    int n = b->n, m = b->m;
    double sums[IB_STATES_MAX], D[IB__NN], identity[IB__NN], Bt[IB__NM];
    ib__riccati_rounding(b, c, sums);
    int squarings = prove_stable(n, c->closed, sums, D);
    if (squarings < 0) return -1;
    *off = ib__riccati_gain_error(b, c, D, b->A, c->K);
    if (!filter) return squarings;
    ib_matrix_transpose(n, m, b->B, Bt);
    ib__times(m, n, n, Bt, c->X, c->F);
    ib__cholesky_forward(m, n, c->S, c->F);
    ib__cholesky_back(m, n, c->S, c->F);
    ib_matrix_identity(n, identity);
    *off = ib_max(*off, ib__riccati_gain_error(b, c, D, identity, c->F));
    return squarings;
}

// The residual over X, by their largest elements in the caller's units.
static double compare_with_X(const ib__Balanced *b, const ib__Candidate *c)
{
    int n = b->n;
    double most = 0, size = DBL_MIN;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double own = 1 / (b->D[i] * b->D[j]);
            most = ib_max(most, fabs(c->residual[i * n + j]) * own);
            size = ib_max(size, fabs(c->X[i * n + j]) * own);
        }
    return most / size;
}

// ------------------------------------------------------------------------------------- more digits

// Doubling finds the cheapest loop, which ignores an unstable mode without weight. The stable one
// is found from the loop of heavier weights, by Newton's method, which then descends to it
// monotonically.                                                                  [Hewer 1971]
static bool descend(const ib__Balanced *b, ib__Candidate *c, ib_RiccatiAccuracy *accuracy)
{
    double added = ib_matrix_norm(b->n, b->n, b->H);
    int steps;
    ib__Wide X[IB__NN];
    if (!(added > 0)) added = 1;
    if (!ib__riccati_double_wide(b, added, X, &steps)) return false;
    accuracy->doublings += steps;
    ib__narrow(b->n * b->n, X, c->X);
    if (!ib__riccati_evaluate(b, c)) return false;
    for (int k = 0; k < MOST_DESCENTS && c->relative > GOOD; k++) {
        ib__Candidate next;
        if (!correct(b, c, &next)) return false;
        *c = next;
        accuracy->corrections++;
    }
    polish(b, c, &accuracy->corrections);
    return true;
}

// A second attempt, with twice the digits: K is right to the last digit of a double, and so is X,
// whose rounding alone may still be amplified by a loop that first grows before it decays. It
// starts from the candidate if it is stable; else, or after a failure, from doubling with twice the
// digits; else from heavier weights. Replaces `c`; false: no success.
static bool insist(const ib__Balanced *b, ib__Candidate *c, bool filter, int *squarings,
                   ib_RiccatiAccuracy *accuracy)
{
    int n = b->n, steps, proof;
    ib__Wide X[IB__NN];
    ib__Candidate again;
    bool found = false;
    if (*squarings >= 0) {
        ib__widen(n * n, c->X, X);
        found = ib__riccati_refine(b, X, &again, &proof, &accuracy->corrections);
    }
    if (!found && ib__riccati_double_wide(b, 0, X, &steps)) {
        accuracy->doublings += steps;
        found = ib__riccati_refine(b, X, &again, &proof, &accuracy->corrections);
    }
    if (!found && *squarings < 0 && descend(b, c, accuracy)) {
        *squarings = assess(b, c, filter, &accuracy->gain_error);
        ib__widen(n * n, c->X, X);
        found = ib__riccati_refine(b, X, &again, &proof, &accuracy->corrections);
    }
    if (!found) return false;
    *c = again;
    *squarings = proof;
    return true;
}

// -------------------------------------------------------------------------------------------- dare

ib_Status ib__riccati_finish(const ib__Balanced *b, const ib__Candidate *c, double *X, double *K,
                             ib_Error *error)
{
    int n = b->n, m = b->m;
    double x[IB__NN], k[IB__NM];
    IB_ASSERT(n >= 1 && m >= 1);
    for (int i = 0; i < n * n; i++) x[i] = c->X[i] / b->D[i / n] / b->D[i % n];
    for (int i = 0; i < m * n; i++) k[i] = c->K[i] / b->D[i % n];
    if (!isfinite(ib_matrix_norm(n, n, x)) || !isfinite(ib_matrix_norm(m, n, k)))
        return ib_error_set(error, IB_FAILED, "the solution is too large for a double");
    if (X) memcpy(X, x, (size_t)(n * n) * sizeof *x);
    if (K) memcpy(K, k, (size_t)(m * n) * sizeof *k);
    return IB_OK;
}

// True if the solution may be due to rounding: its loop hardly decays, or its cost is enormous.
static bool is_suspicious(const ib__Balanced *b, const ib__Candidate *c, int squarings)
{
    int n = b->n;
    return squarings > USUAL_SQUARINGS ||
           ib_matrix_norm(n, n, c->X) > 1e12 * ib_matrix_norm(n, n, b->H);
}

ib_Status ib_dare_gains(const ib_Riccati *p, double *X, double *K, double *F,
                        ib_RiccatiAccuracy *accuracy, ib_Error *error)
{
    ib__Balanced b;
    ib__Candidate c;
    c.relative = INFINITY;
    *accuracy = (ib_RiccatiAccuracy){.residual = INFINITY,
                                     .over_X = INFINITY,
                                     .gain_error = INFINITY,
                                     .method = "doubling+newton"};
    ib_Status status = ib__riccati_prepare(p, &b, error);
    if (status != IB_OK) return status;

    // A stable loop itself proves stabilisability: modes are only examined after a failure, or for
    // a suspicious solution.
    int squarings = -1;
    if (run_doubling(&b, &c, &accuracy->doublings) && ib__riccati_evaluate(&b, &c)) {
        polish(&b, &c, &accuracy->corrections);
        squarings = assess(&b, &c, F != NULL, &accuracy->gain_error);
    }
    if (squarings < 0 || !(c.relative < GOOD))
        status = ib__riccati_check_modes(p, &b, false, 1e-8, 1e-6, error);
    else if (is_suspicious(&b, &c, squarings))
        status = ib__riccati_check_modes(p, &b, false, 1e-12, 1e-10, error);
    if (status != IB_OK) return status;
    bool sure = squarings >= 0 && accuracy->gain_error <= SURE && compare_with_X(&b, &c) <= SLIGHT;
    if (!sure && insist(&b, &c, F != NULL, &squarings, accuracy))
        accuracy->gain_error = ib_max(c.moved, DBL_EPSILON);
    if (squarings < 0) return ib__riccati_refuse(p, &b, error);
    accuracy->residual = c.relative;
    accuracy->over_X = compare_with_X(&b, &c);
    if (!(c.relative < GOOD))
        return ib_error_set(error, IB_FAILED, "no solution: the residual stays at %g of its size",
                            c.relative);
    status = ib__riccati_finish(&b, &c, X, K, error);
    for (int i = 0; F && status == IB_OK && i < b.m * b.n; i++) F[i] = c.F[i] / b.D[i % b.n];
    return status;
}

ib_Status ib_dare(const ib_Riccati *p, double *X, double *K, ib_RiccatiAccuracy *accuracy,
                  ib_Error *error)
{
    return ib_dare_gains(p, X, K, NULL, accuracy, error);
}
