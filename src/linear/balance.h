// linear/balance.h: units for the states in which a plant's numbers are of like size.
//
//   x = D xs:   As = D^-1 A D,   Bs = D^-1 B,   Cs = C D,   D diagonal, powers of two: no rounding
// Row i of [A B] and column i of [A; C] come out of like size, the diagonal left aside. So rank
// decisions and distances do not depend on whether a state was written in metres or in microns.
// [Parlett, Reinsch 1969; with B and C: SLICOT's TB01ID]
#ifndef IB_LINEAR_BALANCE_H
#define IB_LINEAR_BALANCE_H

// Balances A, B and C in place. B (n x m) and C (p x n) may be NULL with m, p = 0. scale: the n
// elements of D.
void ib_balance(int n, int m, int p, double *A, double *B, double *C, double *scale);

#endif
