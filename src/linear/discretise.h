// linear/discretise.h: discretisation of a continuous plant for a sampled controller, and its
// inverse. The derivation is in docs/design/discretise.md.
//
//   zero-order hold   [A_d B_d; 0 I] = exp([A B; 0 0] T): exact for inputs held over the period
//   Tustin            s = (z - 1) / (h (z + 1)),  h = T/2, or tan(w T/2) / w: exact at w
//   noise             Q_d = int_0^T e^(A t) Q_c e^(A' t) dt,   R_d = R_c / T      [Van Loan 1978]
// Limits: A = 0 -> A_d = I, B_d = B T, Q_d = Q_c T; T -> 0 -> A_d = I.
#ifndef IB_LINEAR_DISCRETISE_H
#define IB_LINEAR_DISCRETISE_H

#include "linear/state_space.h"

// The assumed course of the plant's input between two samples.
typedef enum ib_Hold {
    IB_HOLD_ZERO_ORDER, ///< constant, as a controller's output. For plants.
    IB_HOLD_TUSTIN,     ///< a straight line: keeps the frequency response. For filters.
} ib_Hold;

// Samples a plant whose input is held over each period. `plant` is continuous, `period` [s] > 0; C
// and D stay as they are. IB_FAILED: the plant leaves the range of a double within the period.
ib_Status ib_discretise(const ib_StateSpace *plant, double period, ib_StateSpace *discrete,
                        ib_Error *error);

// Samples a plant by either method. `prewarp` [rad/s], of Tustin only: the frequency of exact
// response, below pi / T; 0: none. The states of Tustin are not samples of the plant's: they are (I
// - h A) x - h B u. IB_BAD_INPUT also where A has the eigenvalue 1 / h.
ib_Status ib_discretise_by(const ib_StateSpace *plant, ib_Hold hold, double prewarp, double period,
                           ib_StateSpace *discrete, ib_Error *error);

// The continuous plant of which `discrete` is the sampled one; `continuous` may be the same struct.
// IB_BAD_INPUT if there is none, with the pole that forbids it: real and not above 0 for the hold,
// -1 for Tustin. Many plants have the same samples; the hold gives the slowest, with poles below pi
// / T.
ib_Status ib_undiscretise(const ib_StateSpace *discrete, ib_Hold hold, double prewarp,
                          ib_StateSpace *continuous, ib_Error *error);

// Noise densities (Q_c: states x states, R_c: outputs x outputs, both symmetric) as the covariances
// of one sample. Q_d comes out exactly symmetric. Over a long period it is doubled up from a short
// one. IB_FAILED as above.
ib_Status ib_discretise_noise(const ib_StateSpace *plant, const double *Qc, const double *Rc,
                              double period, double *Qd, double *Rd, ib_Error *error);

#endif
