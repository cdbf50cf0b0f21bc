// design/riccati/riccati_inside.h: the balanced problem and products of small matrices, shared by
// the files of the Riccati solvers. Internal to this folder.
#ifndef IB_DESIGN_RICCATI_INSIDE_H
#define IB_DESIGN_RICCATI_INSIDE_H

#include "design/riccati/riccati.h"

enum {
    IB__NN = IB_STATES_MAX * IB_STATES_MAX,
    IB__NM = IB_STATES_MAX * IB_INPUTS_MAX,
    IB__MM = IB_INPUTS_MAX * IB_INPUTS_MAX,
    IB__SQUARINGS = 40, ///< of a loop; more would amplify rounding to the size of the result
};

// The problem in balanced coordinates: the state is D times the one here, so that
//   A <- D^-1 A D,   B <- D^-1 B,   Q <- D Q D,   N <- D N,   X <- D X D
// and once more without cross weights, where R = L L':
//   F = A - B R^-1 N',   E = B L'^-1,   G = E E' = B R^-1 B',   H = Q - N R^-1 N'
typedef struct ib__Balanced {
    int n, m;
    double A[IB__NN], B[IB__NM], Q[IB__NN], N[IB__NM]; ///< N zero without cross weights
    double R[IB__MM], L[IB__MM];
    double F[IB__NN], E[IB__NM], G[IB__NN], H[IB__NN];
    double D[IB_STATES_MAX]; ///< powers of two: no rounding
    bool cross;              ///< N is not zero
} ib__Balanced;

// Checks the preconditions that need no solution, and fills `b`.
ib_Status ib__riccati_prepare(const ib_Riccati *problem, ib__Balanced *b, ib_Error *error);

// Refuses if a mode prevents a solution, and names it. A mode that does not decay must be
// controllable, and one within `band` of the unit circle (continuous: of the imaginary axis) must
// be weighted too, each by more than `limit`, a share of the largest.
ib_Status ib__riccati_check_modes(const ib_Riccati *problem, const ib__Balanced *b, bool continuous,
                                  double limit, double band, ib_Error *error);

// Always refuses, for a problem whose modes are sound: the error names its difficulty, such as
// scales that are far apart.
ib_Status ib__riccati_refuse(const ib_Riccati *problem, const ib__Balanced *b, ib_Error *error);

// A candidate solution and its properties.
typedef struct ib__Candidate {
    double X[IB__NN];        ///< in balanced coordinates
    double S[IB__MM];        ///< R + B'X B = S S', the lower half
    double K[IB__NM];        ///< its gain
    double F[IB__NM];        ///< (R + B'X B)^-1 B'X; only filled on request
    double closed[IB__NN];   ///< A - B K
    double residual[IB__NN]; ///< of the equation
    double relative;         ///< its backward error
    double moved;            ///< relative change of its gains by the last wide correction
} ib__Candidate;

// Fills all of a discrete candidate except X. False: R + B'X B is not definite, or overflow.
bool ib__riccati_evaluate(const ib__Balanced *b, ib__Candidate *c);

// Completes `residual`, which holds (A - B K)'X (A - B K) - X, or in continuous time (A - B K)'X +
// X (A - B K), and fills `relative`. False: not finite.
//   residual <- residual + K'R K - N K - K'N' + Q
// This form has no large terms that cancel, and depends on errors of K only by their squares.
// `relative` is the residual over its first-order change when each of A, B, Q, R changes by its own
// size: X is exact for matrices with this relative difference. [Sun 1997]
//   2 M (dA - dB K) + dQ + K'dR K,   M = (A - B K)'X, continuous: X
bool ib__riccati_judge(const ib__Balanced *b, const double *M, ib__Candidate *c);

// Fills `relative` of a discrete candidate from all the others. False: not finite.
bool ib__riccati_compare(const ib__Balanced *b, ib__Candidate *c);

// D = M'D M + C by squaring, to ten digits. False: M does not decay.
bool ib__riccati_stein(int n, const double *M, const double *C, double *D);

// Bounds of the candidate's rounding errors: the row sums of an error of the residual, and, for an
// error of X between -D and D (D - (A - B K)'D (A - B K) is the diagonal matrix of these sums), the
// relative error of a gain: `start` is A and `gain` K, or `start` is I and `gain` F.
void ib__riccati_rounding(const ib__Balanced *b, const ib__Candidate *c, double *sums);
double ib__riccati_gain_error(const ib__Balanced *b, const ib__Candidate *c, const double *D,
                              const double *start, const double *gain);

// The largest of `error` over the largest of `gain`, both m x n: the worse one of the caller's
// units and balanced ones.
double ib__riccati_share(const ib__Balanced *b, const double *error, const double *gain);

// X and K in the caller's coordinates; either may be NULL.
ib_Status ib__riccati_finish(const ib__Balanced *b, const ib__Candidate *c, double *X, double *K,
                             ib_Error *error);

// ---------------------------------------------------------------------------------------- products

// One row: c = a b, with a: 1 x inner, b: inner x columns, each sum in index order. Four sums at a
// time: docs/performance.md
static inline void ib__row_times(int inner, int columns, const double *restrict a,
                                 const double *restrict b, double *restrict c, int first)
{
    int j = first;
    for (; j + 4 <= columns; j += 4) {
        double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (int k = 0; k < inner; k++) {
            const double *p = &b[k * columns + j];
            double f = a[k];
            s0 += f * p[0];
            s1 += f * p[1];
            s2 += f * p[2];
            s3 += f * p[3];
        }
        c[j] = s0;
        c[j + 1] = s1;
        c[j + 2] = s2;
        c[j + 3] = s3;
    }
    for (; j < columns; j++) {
        double sum = 0;
        for (int k = 0; k < inner; k++) sum += a[k] * b[k * columns + j];
        c[j] = sum;
    }
}

// c = a b, with a: rows x inner, b: inner x columns.
static inline void ib__times(int rows, int inner, int columns, const double *restrict a,
                             const double *restrict b, double *restrict c)
{
    for (int i = 0; i < rows; i++)
        ib__row_times(inner, columns, &a[i * inner], b, &c[i * columns], 0);
}

// c = a b, known to be symmetric, with a: n x inner: the upper half, mirrored.
static inline void ib__times_symmetric(int n, int inner, const double *restrict a,
                                       const double *restrict b, double *restrict c)
{
    for (int i = 0; i < n; i++) {
        ib__row_times(inner, n, &a[i * inner], b, &c[i * n], i);
        for (int j = i + 1; j < n; j++) c[j * n + i] = c[i * n + j];
    }
}

// R = L L' in place, the upper half left alone. False: not positive definite.
bool ib__cholesky(int n, double *a);

// x <- L^-1 x, with x: n x columns.
void ib__cholesky_forward(int n, int columns, const double *L, double *x);

// x <- L'^-1 x.
void ib__cholesky_back(int n, int columns, const double *L, double *x);

#endif
