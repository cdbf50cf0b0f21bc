// world/bond.h: what the ways to solve the law (world/law.h) have in common: how bonds feel pushes.
// Internal to this folder.
#ifndef IB_WORLD_BOND_H
#define IB_WORLD_BOND_H

#include "world/law.h"

#define IB__DEAF 1e-12 ///< an answer below this [1/kg] is none

static inline double ib__dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// What changes of two bodies' motions are along a row; b: -1: there is no second one.
static inline double ib__felt(const ib__Row *h, double (*change)[3], int a, int b)
{
    double sum = ib__dot(h->on[0], change[a]);
    return b >= 0 ? sum + ib__dot(h->on[1], change[b]) : sum;
}

static inline void ib__push(const ib__Row *h, double size, double (*change)[3], int a, int b)
{
    for (int k = 0; k < 3; k++) change[a][k] += size * h->on[0][k];
    for (int k = 0; k < 3 && b >= 0; k++) change[b][k] += size * h->on[1][k];
}

static inline double ib__normal_after(const ib__Law *law, const ib__Bond *bond, int p)
{
    return bond->vn[p] + ib__felt(&bond->hn[p], law->change, bond->body[0], bond->body[1]);
}

static inline double ib__tangent_after(const ib__Law *law, const ib__Bond *bond)
{
    return bond->vt + ib__felt(&bond->ht, law->change, bond->body[0], bond->body[1]);
}

static inline double ib__missing_normal(const ib__Law *law, const ib__Bond *bond, int p)
{
    return bond->wanted[p] - ib__normal_after(law, bond, p);
}

// Can the point push, and the bond rub?
static inline bool ib__can_push(const ib__Bond *bond, int p)
{
    return p < bond->points && !bond->away[p] && bond->kn[p] > IB__DEAF;
}

static inline bool ib__can_rub(const ib__Law *law, const ib__Bond *bond)
{
    return bond->friction > 0 && bond->kt > IB__DEAF && !law->smooth;
}

// The changes anew from the pushes, so that rounding does not gather.
void ib__law_renew_changes(ib__Law *law);

#endif
