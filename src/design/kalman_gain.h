// design/kalman_gain.h: the steady-state Kalman filter, with a constant gain. The derivation is
// in docs/design/kalman_gain.md.
//
//   correct   x^ <- x^ + M (y - C x^ - D u)        predict   x^ <- A x^ + B u
//   P = A P A' - A P C'(C P C' + R)^-1 C P A' + Q,   M = P C'(C P C' + R)^-1,   L = A M
// It is LQR's equation with A', C' in the places of A, B. Limits: R -> 0, C = I: M -> I, the
// measurement replaces the estimate; Q -> 0, A stable: M -> 0.
#ifndef IB_DESIGN_KALMAN_GAIN_H
#define IB_DESIGN_KALMAN_GAIN_H

#include "design/riccati/riccati.h"
#include "linear/eigen.h"

typedef struct ib_KalmanGain {
    double M[IB_STATES_MAX * IB_OUTPUTS_MAX];  ///< filter form, states x outputs
    double L[IB_STATES_MAX * IB_OUTPUTS_MAX];  ///< predictor form: A M
    double P[IB_STATES_MAX * IB_STATES_MAX];   ///< covariance of x^ before a correction
    double S[IB_OUTPUTS_MAX * IB_OUTPUTS_MAX]; ///< covariance of y - C x^ - D u: C P C' + R
    ib_Complex poles[IB_STATES_MAX];           ///< of A - L C: decay of the estimate's error
    ib_RiccatiAccuracy riccati;
} ib_KalmanGain;

// `plant` is discrete, with outputs. Qd: states x states, Rd: outputs x outputs, the covariances of
// one sample (ib_discretise_noise).
ib_Status ib_kalman_gain(const ib_StateSpace *plant, const double *Qd, const double *Rd,
                         ib_KalmanGain *gain, ib_Error *error);

// Poles of the loop with regulator and filter, u = -K x^ after each correction: 2 x states of them,
// by falling magnitude. They are those of A - B K and of A - L C: both designs are independent (the
// separation principle). K: inputs x states, M: states x outputs.
ib_Status ib_lqg_poles(const ib_StateSpace *plant, const double *K, const double *M,
                       ib_Complex *poles, ib_Error *error);

#endif
