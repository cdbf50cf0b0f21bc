// linear/balance.h: units for the states in which a plant's numbers are of like size.
//
//   x = D xs:   As = D^-1 A D,   Bs = D^-1 B,   Cs = C D,   D diagonal, powers of two: no rounding
// Row i of [A B] and column i of [A; C] get like size, the diagonal left aside. Rank decisions and
// distances then do not depend on the unit of a state, metres or microns. [Parlett, Reinsch 1969;
// with B and C: SLICOT's TB01ID]
#ifndef IB_LINEAR_BALANCE_H
#define IB_LINEAR_BALANCE_H

// Balances A, B and C in place. B (n x m) and C (p x n) may be NULL with m, p = 0. scale: the n
// elements of D.
void ib_balance(int n, int m, int p, double *A, double *B, double *C, double *scale);

#endif
