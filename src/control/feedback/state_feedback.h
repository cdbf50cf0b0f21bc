// control/feedback/state_feedback.h: runs a designed loop. docs/control/state_feedback.md
// That is state feedback with observer, feed-forward, integrals, limits and gears. The arithmetic
// is that of control/loop.h, to the bit.
//
// Calls of every period: correct with the measurement, output, applied if the plant's input differs
// from the output, predict. No function allocates; the state is in the caller's doubles:
//
//   [x^: states][z: integrals][w: inputs][u: inputs][carry: inputs][gear: 1]
//
// x^ the estimate, z the integrals, w the last output before its limits, u the plant's input; carry
// and gear only in loops with more than one gear. Absent parts take no place.
#ifndef IB_CONTROL_FEEDBACK_STATE_FEEDBACK_H
#define IB_CONTROL_FEEDBACK_STATE_FEEDBACK_H

#include "control/loop.h"

enum { IB_FEEDBACK_STATES_MAX = IB_STATES_MAX + IB_INTEGRALS_MAX + 3 * IB_INPUTS_MAX + 1 };

// Index of the double at which each part of the state begins; an absent one has the index of the
// next part.
typedef struct ib_FeedbackParts {
    int x, z, w, u, carry, gear;
    int count; ///< of all doubles
} ib_FeedbackParts;

ib_FeedbackParts ib_feedback_parts(const ib_Loop *loop);

// Number of a loop's states.
int ib_feedback_states(const ib_Loop *loop);

// State of rest in `gear`: x^ = x0 (NULL: the loop's start), everything else zero.
void ib_feedback_reset(const ib_Loop *loop, const double *x0, int gear, double *state);

// Takes in a measurement y: outputs, or without an observer the states.
// A missed sample is a call left out.
void ib_feedback_correct(const ib_Loop *loop, const double *y, double *state);

// Computes the output into `u` (may be NULL) and the state. `r` is the wanted state now, `r_next`
// one period later (NULL: the same as r). `gear` counts from 0. A NaN in r or y gives NaN.
void ib_feedback_output(const ib_Loop *loop, const double *r, const double *r_next, int gear,
                        double *u, double *state);

// The plant got `u` instead (a sagging battery, another limit): the estimate follows the true input
// and integrals do not wind up. Called between output and predict.
void ib_feedback_applied(const ib_Loop *loop, const double *u, double *state);

// Proceeds to the next period; `r` as given to output.
void ib_feedback_predict(const ib_Loop *loop, const double *r, double *state);

// correct (skipped when y is NULL: a missed sample), output, predict.
void ib_feedback_step(const ib_Loop *loop, const double *y, const double *r, const double *r_next,
                      int gear, double *u, double *state);

#endif
