// linear/singular.h: singular values of a small real matrix: how far it is from losing rank.
//
// Rotations of two rows at a time until all rows are orthogonal:            [Hestenes 1958]
//   U' a = [rows orthogonal to each other, norms sigma_1 >= sigma_2 >= ...]
// Small singular values come out with as many good digits as the large ones where rows differ in
// scale. Limits: orthogonal a -> all 1; a = b c' -> |b| |c| and zeros.
#ifndef IB_LINEAR_SINGULAR_H
#define IB_LINEAR_SINGULAR_H

enum { IB_SINGULAR_MAX = 48 }; ///< rows

// a: rows x columns, becomes U' a. u: rows x rows, orthogonal, its columns belong to sigma; NULL:
// not wanted. sigma: `rows` values, falling; those beyond `columns` are zero to rounding.
void ib_singular_values(int rows, int columns, double *a, double *u, double *sigma);

#endif
