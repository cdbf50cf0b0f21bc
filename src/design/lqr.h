// design/lqr.h: the linear-quadratic regulator: the feedback u = -K x of least cost. The derivation
// is in docs/design/lqr.md.
//
//   cost = sum (x'Q x + 2 x'N u + u'R u)         discrete plant, by ib_dare
//   cost = int (x'Q x + 2 x'N u + u'R u) dt      continuous plant, by ib_care
// Limits: R -> infinity on a stable plant: K -> 0. One state, Q -> infinity: A - B K -> 0.
#ifndef IB_DESIGN_LQR_H
#define IB_DESIGN_LQR_H

#include "design/riccati/riccati.h"
#include "linear/eigen.h"

typedef struct ib_Lqr {
    double K[IB_INPUTS_MAX * IB_STATES_MAX]; ///< inputs x states
    double X[IB_STATES_MAX * IB_STATES_MAX]; ///< x'X x: the remaining cost
    int pole_count;                          ///< number of regulated states
    ib_Complex poles[IB_STATES_MAX];         ///< of A - B K
    ib_RiccatiAccuracy riccati;
} ib_Lqr;

// Weights from the tolerable error (or effort) of each variable:
//   W = diag(1 / tolerance^2)
// `weights` is count x count. An infinite tolerance has weight 0; IB_BAD_INPUT: one is not > 0.
ib_Status ib_lqr_weights(int count, const double *tolerance, double *weights, ib_Error *error);

// The regulator of all states. Q: states x states, R: inputs x inputs, N: states x inputs or NULL.
ib_Status ib_lqr(const ib_StateSpace *plant, const double *Q, const double *R, const double *N,
                 ib_Lqr *lqr, ib_Error *error);

// The regulator of the `count` listed states (rising) only: a velocity loop of a plant with
// positions. They must be independent of the others, A[listed, others] = 0; columns of K of the
// others are 0. Q: count x count, N: count x inputs or NULL; X is count x count. IB_BAD_INPUT names
// the coupling.
ib_Status ib_lqr_over(const ib_StateSpace *plant, int count, const int *states, const double *Q,
                      const double *R, const double *N, ib_Lqr *lqr, ib_Error *error);

#endif
