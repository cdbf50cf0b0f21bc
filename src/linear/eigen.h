// linear/eigen.h: eigenvalues of a small real matrix: the poles of a plant.
//
// Balanced, reduced to upper Hessenberg form, then QR iterations with the double shift of Francis:
// real arithmetic throughout, complex eigenvalues come as pairs. [Golub, Van Loan, 7.4, 7.5]
#ifndef IB_LINEAR_EIGEN_H
#define IB_LINEAR_EIGEN_H

#include "base/status.h"

enum { IB_EIGEN_MAX = 48 }; ///< rows

typedef struct ib_Complex {
    double re, im;
} ib_Complex;

// By falling magnitude; of a pair the one with positive imaginary part first. IB_BAD_INPUT: an
// element is not finite; IB_FAILED: no convergence (not seen yet).
ib_Status ib_eigenvalues(int n, const double *a, ib_Complex *values, ib_Error *error);

#endif
