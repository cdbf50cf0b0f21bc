// world/complementarity.h: small problems of contact: forces that only push, gaps that only open.
// Internal to this folder. docs/world.md, "Rest"
#ifndef IB_WORLD_COMPLEMENTARITY_H
#define IB_WORLD_COMPLEMENTARITY_H

#include <stdbool.h>

enum { IB__UNKNOWNS = 128 };

// Solves A x = b by elimination with row exchange; A (rows of `columns`) and b are used up, b
// becomes x. A column that depends on those before it gets x = 0.
void ib__linear_solve(int n, int columns, double *A, double *b);

// The same in two parts, for several b: A (rows of n) becomes its factors.
typedef struct ib__Order {
    int pivot[IB__UNKNOWNS]; ///< the row that changed places with this one
    bool kept[IB__UNKNOWNS];
} ib__Order;
void ib__linear_factor(int n, int columns, double *A, ib__Order *order);
void ib__linear_apply(int n, int columns, const double *A, const ib__Order *order, double *b);

// z >= 0,  w = M z + q >= 0,  z w = 0 in each row. M is n x n (rows of n), its diagonal positive.
// By principal pivoting: guess which z are positive, solve for them, exchange what has the wrong
// sign. Where M is positive definite it ends with the solution; where the exchanges run out the
// rows are relaxed in turn. z is a first guess, or 0. n <= IB__UNKNOWNS/2.
void ib__complementarity(int n, const double *M, const double *q, double *z);

// The same for any M for which a solution exists by the geometry of friction (copositive), by
// Lemke's method with lexicographic order. False: no solution found. n <= IB__LEMKE_MOST.
enum { IB__LEMKE_MOST = 96 };
bool ib__lemke(int n, const double *M, const double *q, double *z);

#endif
