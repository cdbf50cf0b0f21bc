// design/riccati/riccati.h: the discrete algebraic Riccati equation. docs/design/riccati.md
// It is at the heart of LQR and of the steady-state Kalman filter.
//
//   X = A'X A - (A'X B + N) K + Q,   K = (R + B'X B)^-1 (B'X A + N')
// The solution sought is the stabilising one: all poles of A - B K are inside the unit circle. It
// exists, and is unique, if every pole of A that does not decay is controllable and every pole on
// the circle is weighted.
#ifndef IB_DESIGN_RICCATI_H
#define IB_DESIGN_RICCATI_H

#include "linear/state_space.h"

// A problem. The matrices are packed row-major and stay the caller's.
typedef struct ib_Riccati {
    int states;      ///< n, 1 to IB_STATES_MAX
    int inputs;      ///< m, 1 to IB_INPUTS_MAX
    const double *A; ///< n x n
    const double *B; ///< n x m
    const double *Q; ///< n x n, symmetric; Q - N R^-1 N' positive semidefinite
    const double *R; ///< m x m, symmetric, positive definite
    const double *N; ///< n x m, weight of state times input; NULL: none
    const char (*names)[IB_STATE_NAME + 1]; ///< of the states; NULL: x1..
    bool filter; ///< refusals speak of a Kalman filter: A', C', process and measurement noise stand
                 ///< in the places of A, B, Q, R
} ib_Riccati;

// The accuracy of X before rounding to doubles, if computed with more digits, and of its K.
typedef struct ib_RiccatiAccuracy {
    double residual;    ///< relative: X is exact for A, B, Q, R that differ by this share
    double over_X;      ///< residual over X: their largest elements
    double gain_error;  ///< rounding has moved K by less than this share of its largest element
    int doublings;      ///< steps of the doubling algorithm
    int corrections;    ///< steps of Newton's method after it
    const char *method; ///< "doubling+newton", "schur"
} ib_RiccatiAccuracy;

// X is n x n and exactly symmetric, K is m x n (u = -K x); either may be NULL. IB_BAD_INPUT names
// the failed precondition, and, if it is a mode, the mode and its states: "not stabilisable: no
// input moves the mode at 1.2 (v, x)". IB_FAILED: a solution exists, but not to six digits. K is
// right to 1e-10 of its largest element, unless `gain_error` says otherwise. X and K are only
// written when the loop A - B K is proven to be stable.
ib_Status ib_dare(const ib_Riccati *problem, double *X, double *K, ib_RiccatiAccuracy *accuracy,
                  ib_Error *error);

// As ib_dare, and F = (R + B'X B)^-1 B'X, m x n: K = F A + (R + B'X B)^-1 N'. With A', C' in the
// places of A, B, F' is the gain M of a Kalman filter, with more digits than from the rounded X.
ib_Status ib_dare_gains(const ib_Riccati *problem, double *X, double *K, double *F,
                        ib_RiccatiAccuracy *accuracy, ib_Error *error);

#endif
