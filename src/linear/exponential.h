// linear/exponential.h: e^A of a small matrix: the motion of a linear plant over one period.
//
// Scaling and squaring with a Pade approximant of degree 13:                       [Higham 2005]
//   e^A = (r13(A / 2^s))^(2^s),   r13(X) = (V - U)^-1 (V + U),   s so that |A| / 2^s <= 5.37
// exact to the last digits of a double for nearly normal matrices. Limits: A = 0 -> I; A nilpotent
// -> its power series; A = [0 -w; w 0] -> rotation by w.
#ifndef IB_LINEAR_EXPONENTIAL_H
#define IB_LINEAR_EXPONENTIAL_H

#include "base/status.h"

enum { IB_EXPONENTIAL_MAX = 48 }; ///< rows: blocks of a plant's matrices fit

// `result` must not overlap `a`. IB_BAD_INPUT: an element is not finite; IB_FAILED: the result is
// too large for a double.
ib_Status ib_matrix_exponential(int n, const double *a, double *result, ib_Error *error);

#endif
