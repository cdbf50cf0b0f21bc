// design/placement/placement_inside.h: the two methods of pole placement.
#ifndef IB_DESIGN_PLACEMENT_INSIDE_H
#define IB_DESIGN_PLACEMENT_INSIDE_H

#include "design/placement/placement.h"
#include "linear/complex.h"

// One input: k (n elements) so that A - b k' has the poles: real ones and pairs, of which the
// second follows the first. A (n x n) and b are spoilt. IB_FAILED: b does not reach all of A.
ib_Status ib__placement_deflate(int n, double *A, double *b, const ib_Complex *poles, double *k,
                                ib_Error *error);

// Several inputs, B of rank `rank` = U [S; 0], U (n x n) orthogonal: F = A - B K for the most
// independent eigenvectors, poles in the same order. *sweeps: their number.
ib_Status ib__placement_robust(int n, int rank, const double *A, const double *U,
                               const ib_Complex *poles, double *F, int *sweeps, ib_Error *error);

#endif
