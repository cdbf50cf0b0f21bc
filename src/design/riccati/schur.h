// design/riccati/schur.h: Riccati equations by the ordered Schur form. docs/design/riccati.md
// It serves continuous time, and gives a second opinion on riccati.h; only this file calls LAPACK.
//
// The stabilising solution is X = V U^-1, where the columns of [U; V] span the stable invariant
// subspace of                                                                  [Laub 1979]
//   continuous   [A, -G; -Q, -A'],   G = B R^-1 B', after A - B R^-1 N' and Q - N R^-1 N'
//   discrete     the pencil [A, 0; -Q, I] - z [I, G; 0, A']                    [Pappas 1980]
#ifndef IB_DESIGN_SCHUR_H
#define IB_DESIGN_SCHUR_H

#include "design/riccati/riccati.h"

// 0 = A'X + X A - (X B + N) K + Q,   K = R^-1 (B'X + N'). As ib_dare otherwise.
ib_Status ib_care(const ib_Riccati *problem, double *X, double *K, ib_RiccatiAccuracy *accuracy,
                  ib_Error *error);

// Solves the equation of ib_dare by another method.
ib_Status ib_dare_schur(const ib_Riccati *problem, double *X, double *K,
                        ib_RiccatiAccuracy *accuracy, ib_Error *error);

#endif
