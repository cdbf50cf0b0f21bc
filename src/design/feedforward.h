// design/feedforward.h: the input for a wanted motion, by plant inversion. Its page
// is docs/design/feedforward.md.
//
//   u = F (r+ - A r),   F = (B' W B)^-1 B' W
// the input for which B u comes nearest to the wanted step, in the norm of W. Limits: B square -> F
// = B^-1, the plant follows exactly; r+ = A r -> u = 0.
#ifndef IB_DESIGN_FEEDFORWARD_H
#define IB_DESIGN_FEEDFORWARD_H

#include "linear/state_space.h"

// F: inputs x states. `W`: states x states, symmetric, not negative, usually Q of the LQR; NULL: I.
// IB_BAD_INPUT: an input without effect, or one that depends on the others (with its name).
ib_Status ib_feedforward(const ib_StateSpace *plant, const double *W, double *F, ib_Error *error);

// u of one step from `r` to `next`.
// Returns the residual max |r+ - A r - B u| (0: followed exactly).
double ib_feedforward_step(const ib_StateSpace *plant, const double *F, const double *r,
                           const double *next, double *u);

// The state and the input at which the outputs stay at `y`:
//   [A - I B; C D] [x; u] = [0; y]     (continuous: A in place of A - I)
// As many outputs as inputs. IB_BAD_INPUT: no solution, or more than one.
ib_Status ib_feedforward_rest(const ib_StateSpace *plant, const double *y, double *x, double *u,
                              ib_Error *error);

#endif
