// design/discretise.h: from a plant in continuous time to the one that a sampled controller sees.
//
//   zero-order hold   [A_d B_d; 0 I] = exp([A B; 0 0] T): exact for inputs held over the period
//   noise             Q_d = int_0^T e^(A t) Q_c e^(A' t) dt,   R_d = R_c / T          [Van Loan
//   1978]
// Limits: A = 0 -> A_d = I, B_d = B T, Q_d = Q_c T; T -> 0 -> A_d = I.
#ifndef IB_DESIGN_DISCRETISE_H
#define IB_DESIGN_DISCRETISE_H

#include "design/state_space.h"

// By zero-order hold. `plant` is continuous, `period` [s] > 0; C and D stay as they are.
ib_Status ib_discretise(const ib_StateSpace *plant, double period, ib_StateSpace *discrete,
                        ib_Error *error);

// Noise densities (Q_c: states x states, R_c: outputs x outputs, both symmetric) as the covariances
// of one sample. Q_d comes out exactly symmetric.
ib_Status ib_discretise_noise(const ib_StateSpace *plant, const double *Qc, const double *Rc,
                              double period, double *Qd, double *Rd, ib_Error *error);

#endif
