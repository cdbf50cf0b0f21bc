// design/zeros.h: transmission zeros of a plant.
//
// Values z at which [A - z I, B; C, D] loses rank. States that must be zero for zero output are
// removed one group after the other until D has full rank; then
//   zeros = eigenvalues of A - B D^-1 C                             [Emami-Naeini, Van Dooren 1982]
// Any number of inputs and outputs; uncontrollable and unobservable modes are zeros, too. Limits: D
// square and regular -> at once, as many as states; a chain of integrators -> none.
#ifndef IB_DESIGN_ZEROS_H
#define IB_DESIGN_ZEROS_H

#include "linear/eigen.h"
#include "linear/state_space.h"

// zeros: room for IB_STATES_MAX; *count: their number.
ib_Status ib_zeros_find(const ib_StateSpace *plant, ib_Complex *zeros, int *count, ib_Error *error);

#endif
