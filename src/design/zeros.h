// design/zeros.h: transmission zeros: where a plant lets nothing through.
//
// Values z at which [A - z I, B; C, D] loses rank. States that must be zero for zero output are
// taken out one group after the other until D has full rank; then
//   zeros = eigenvalues of A - B D^-1 C                             [Emami-Naeini, Van Dooren 1982]
// Any number of inputs and outputs; modes that cannot be moved or seen are zeros, too.
// Limits: D square and regular -> at once, as many as states; a chain of integrators -> none.
#ifndef IB_DESIGN_ZEROS_H
#define IB_DESIGN_ZEROS_H

#include "linear/eigen.h"
#include "linear/state_space.h"

// zeros: room for IB_STATES_MAX; *count: how many there are.
ib_Status ib_zeros_find(const ib_StateSpace *plant, ib_Complex *zeros, int *count, ib_Error *error);

#endif
