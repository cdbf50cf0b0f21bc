// design/riccati/riccati_refine.c: Newton's method with the residual in wide numbers.
// If X is large and its gain small, the digits of K are behind the last one of a double X: X needs
// twice as many digits, its corrections do not.
#include "base/extreme.h"
#include "base/matrix.h"
#include "design/riccati/riccati_wide.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef ib__Wide Wide;

enum {
    MOST_CORRECTIONS = 24,
    FIRST_CORRECTIONS = 5, ///< the first ones may move X without bringing it nearer
};

static const double STILL = 1e-13;  ///< smaller relative changes end the iteration
static const double NEARLY = 1e-10; ///< or this one, if 31 digits allow no better

// The properties of X: its gains, its loop, and the residual.
typedef struct Standing {
    Wide K[IB__NM], F[IB__NM], closed[IB__NN], residual[IB__NN];
    double moved; ///< relative change of X, K or F by the last step
} Standing;

// S = R + B'X B,   K = S^-1 (B'X A + N'),   F = S^-1 B'X,   A - B K
static bool find_gains(const ib__Balanced *b, const Wide *X, Standing *s)
{
    int n = b->n, m = b->m;
    Wide A[IB__NN], B[IB__NM], Bt[IB__NM], BtX[IB__NM], S[IB__MM], T[IB__NM], both[2 * IB__NM];
    ib__widen(n * n, b->A, A);
    ib__widen(n * m, b->B, B);
    ib__widen(m * m, b->R, S);
    ib__wide_transpose(n, m, B, Bt);
    ib__wide_multiply(m, n, n, Bt, X, BtX);
    ib__wide_multiply(m, n, m, BtX, B, T);
    ib__wide_add(m * m, 1, T, S);
    ib__wide_multiply(m, n, n, BtX, A, T);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            both[i * 2 * n + j] = ib__wide_plus(T[i * n + j], (Wide){b->N[j * m + i], 0});
            both[i * 2 * n + n + j] = BtX[i * n + j];
        }
    if (!ib__wide_solve(m, 2 * n, S, both)) return false;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            s->K[i * n + j] = both[i * 2 * n + j];
            s->F[i * n + j] = both[i * 2 * n + n + j];
        }
    Wide part[IB__NN];
    ib__wide_multiply(n, m, n, B, s->K, part);
    memcpy(s->closed, A, sizeof A);
    ib__wide_add(n * n, -1, part, s->closed);
    return true;
}

// (A - B K)'X (A - B K) + K'R K - N K - K'N' + Q - X
static void find_residual(const ib__Balanced *b, const Wide *X, Standing *s)
{
    int n = b->n, m = b->m;
    Wide t[IB__NN], part[IB__NN], M[IB__NM], Kt[IB__NM];
    ib__wide_multiply(n, n, n, X, s->closed, t);
    ib__wide_transpose(n, n, s->closed, part);
    ib__wide_multiply(n, n, n, part, t, s->residual);
    ib__widen(m * m, b->R, M);
    ib__wide_multiply(m, m, n, M, s->K, t);
    ib__wide_transpose(m, n, s->K, Kt);
    ib__wide_multiply(n, m, n, Kt, t, part);
    ib__wide_add(n * n, 1, part, s->residual);
    if (b->cross) {
        ib__widen(n * m, b->N, M);
        ib__wide_multiply(n, m, n, M, s->K, part);
        ib__wide_transpose(n, n, part, t);
        ib__wide_add(n * n, -1, part, s->residual);
        ib__wide_add(n * n, -1, t, s->residual);
    }
    ib__widen(n * n, b->Q, t);
    ib__wide_add(n * n, 1, t, s->residual);
    ib__wide_add(n * n, -1, X, s->residual);
}

// D = M'D M + C by squaring, in wide numbers: for loops that grow so much before they decay that
// doubles have only rounding left.
static bool solve_stein(int n, const Wide *closed, const Wide *C, Wide *D)
{
    Wide M[IB__NN], Mt[IB__NN], t[IB__NN], grown[IB__NN];
    size_t bytes = (size_t)(n * n) * sizeof *M;
    memcpy(D, C, bytes);
    memcpy(M, closed, bytes);
    for (int k = 0; k < IB__SQUARINGS; k++) {
        ib__wide_transpose(n, n, M, Mt);
        ib__wide_multiply(n, n, n, D, M, t);
        ib__wide_multiply(n, n, n, Mt, t, grown);
        double change = ib__wide_grow(n, grown, D);
        if (!isfinite(change)) return false;
        if (change <= 1e-16) return true;
        ib__wide_multiply(n, n, n, M, M, t);
        memcpy(M, t, bytes);
    }
    return false;
}

// X <- X + D, D = (A - B K)'D (A - B K) + residual; `moved` is the size of D over that of X.
static bool correct(int n, const Standing *s, bool thorough, Wide *X, double *moved)
{
    Wide D[IB__NN];
    if (thorough) {
        if (!solve_stein(n, s->closed, s->residual, D)) return false;
    } else {
        double closed[IB__NN], residual[IB__NN], correction[IB__NN];
        ib__narrow(n * n, s->closed, closed);
        ib__narrow(n * n, s->residual, residual);
        if (!ib__riccati_stein(n, closed, residual, correction)) return false;
        ib__widen(n * n, correction, D);
    }
    *moved = ib__wide_grow(n, D, X);
    return isfinite(*moved);
}

static double difference(const ib__Balanced *b, const Wide *now, const Wide *before)
{
    double error[IB__NM], gain[IB__NM];
    for (int i = 0; i < b->n * b->m; i++) {
        error[i] = fabs(ib__wide_plus(now[i], ib__wide_minus(before[i])).high);
        gain[i] = now[i].high;
    }
    return ib__riccati_share(b, error, gain);
}

// Corrects X until X, K and F converge; the remaining error is the last change times the
// convergence factor of a step.
static bool converge(const ib__Balanced *b, bool thorough, Wide *X, Standing *s, int *corrections)
{
    double before = INFINITY;
    if (!find_gains(b, X, s)) return false;
    for (int k = 0; k < MOST_CORRECTIONS; k++) {
        Standing next;
        double moved;
        find_residual(b, X, s);
        if (!correct(b->n, s, thorough, X, &moved)) return false;
        ++*corrections;
        if (!find_gains(b, X, &next)) return false;
        moved = ib_max(moved, ib_max(difference(b, next.K, s->K), difference(b, next.F, s->F)));
        *s = next;
        s->moved = moved;
        if (moved <= STILL) return true;
        if (k >= FIRST_CORRECTIONS && !(moved < 0.5 * before)) return moved <= NEARLY;
        before = moved;
    }
    return false;
}

// Squares the loop of the rounded K, in wide numbers. -1: not proven.
static int prove_stable(const ib__Balanced *b, const double *K)
{
    int n = b->n, m = b->m;
    Wide M[IB__NN], t[IB__NN], B[IB__NM], gain[IB__NM];
    double norm[IB__NN];
    ib__widen(n * n, b->A, M);
    ib__widen(n * m, b->B, B);
    ib__widen(m * n, K, gain);
    ib__wide_multiply(n, m, n, B, gain, t);
    ib__wide_add(n * n, -1, t, M);
    for (int k = 0; k <= IB__SQUARINGS; k++) {
        ib__narrow(n * n, M, norm);
        double size = ib_matrix_norm(n, n, norm);
        if (size < 0.5) return k;
        if (!(size < 1e140)) return -1;
        ib__wide_multiply(n, n, n, M, M, t);
        memcpy(M, t, sizeof t);
    }
    return -1;
}

bool ib__riccati_refine(const ib__Balanced *b, Wide *X, ib__Candidate *c, int *squarings,
                        int *corrections)
{
    int n = b->n, m = b->m;
    Standing s;
    Wide start[IB__NN];
    memcpy(start, X, (size_t)(n * n) * sizeof *X);
    if (!converge(b, false, X, &s, corrections)) {
        memcpy(X, start, (size_t)(n * n) * sizeof *X);
        if (!converge(b, true, X, &s, corrections)) return false;
    }
    ib__narrow(n * n, X, c->X);
    ib__narrow(m * n, s.K, c->K);
    ib__narrow(m * n, s.F, c->F);
    ib__narrow(n * n, s.closed, c->closed);
    c->moved = s.moved;
    find_residual(b, X, &s);
    ib__narrow(n * n, s.residual, c->residual);
    *squarings = prove_stable(b, c->K);
    return *squarings >= 0 && ib__riccati_compare(b, c);
}
