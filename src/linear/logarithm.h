// linear/logarithm.h: the principal logarithm and the real powers of a small matrix.
// Its page is docs/design/discretise.md.
//
// Inverse scaling and squaring:                                               [Higham 2008, ch. 11]
//   log A = 2^k log(A^(1/2^k)),   with k square roots until |A^(1/2^k) - I| is small,
//   log(I + X) = int_0^1 X (I + t X)^-1 dt, by Gauss's rule with 8 points (the Pade approximant),
// then one Newton step on e^L = A, which restores the digits lost in the roots. The principal one
// has eigenvalues with |imaginary part| < pi; it exists and is real unless an eigenvalue of A is
// real and <= 0. Limits: A = I -> 0; a rotation by w, |w| < pi -> [0 -w; w 0]; log(e^X) = X for
// small X.
#ifndef IB_LINEAR_LOGARITHM_H
#define IB_LINEAR_LOGARITHM_H

#include "base/status.h"

enum { IB_LOGARITHM_MAX = 24 }; ///< rows: a plant's states and inputs

// `result` must not overlap `a`. IB_BAD_INPUT: an element is not finite, or there is none: the
// eigenvalue is named. IB_FAILED: found, but e^L misses A by more than 1e-10 of its size.
ib_Status ib_matrix_logarithm(int n, const double *a, double *result, ib_Error *error);

// A^p = e^(p log A), the principal one; whole p >= 0 by multiplication alone, for every A.
// `result` must not overlap `a`.
ib_Status ib_matrix_power(int n, const double *a, double p, double *result, ib_Error *error);

#endif
