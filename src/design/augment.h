// design/augment.h: states added to a plant for its controller: integrals, which a controller
// drives to zero, and input errors, which an observer estimates. docs/design/augment.md
//
//   integral action   z+ = z + T Z x:         [A 0; T Z I],  [B; 0],  [C 0]
//                     K and G are designed together as one gain [K G]: u = -K x - G z
//   input error       x+ = A x + B (u + e):   [A B; 0 I],    [B; 0],  [C D]
//                     and the gain [K I] compensates it: u = K (r - x^) - e^
#ifndef IB_DESIGN_AUGMENT_H
#define IB_DESIGN_AUGMENT_H

#include "linear/state_space.h"

// `plant` is discrete, or continuous: then z' = Z x. Z is integrals x states. The new states are
// `integral_<state>`, or `integral_<number>` if a row of Z mixes states. IB_BAD_INPUT: too many
// states, a row of zeros, a name that is taken. `augmented` must not be `plant`.
ib_Status ib_augment_integral(const ib_StateSpace *plant, int integrals, const double *Z,
                              ib_StateSpace *augmented, ib_Error *error);

// Takes the gain of the augmented plant apart. `both`: inputs x (states + integrals).
void ib_augment_split(int inputs, int states, int integrals, const double *both, double *K,
                      double *G);

// `plant` is discrete, or continuous: then e' = 0. The new states are `error_<input>`, one for each
// input. Discretising by zero-order hold before or after gives the same.
ib_Status ib_augment_input_error(const ib_StateSpace *plant, ib_StateSpace *augmented,
                                 ib_Error *error);

// The process noise of the plant with input errors, (states + inputs) squared: diag(Q, density).
// Densities with the continuous plant, covariances of one period with the discrete one;
// each density >= 0: the drift of that error [input^2/s].
ib_Status ib_augment_noise(int states, int inputs, const double *Q, const double *density,
                           double *augmented, ib_Error *error);

// The gain and the feed-forward over the plant with input errors: [K I] and [F 0], inputs x (states
// + inputs). The reference of the errors is zero.
void ib_augment_gain(int inputs, int states, const double *K, double *augmented);
void ib_augment_feedforward(int inputs, int states, const double *F, double *augmented);

#endif
