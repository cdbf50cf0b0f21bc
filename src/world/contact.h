// world/contact.h: the shared part of the solvers of the contact law (world/law.h): the response of
// contacts to impulses. Internal to this folder.
#ifndef IB_WORLD_CONTACT_H
#define IB_WORLD_CONTACT_H

#include "world/law.h"

#define IB__DEAF 1e-12 ///< an answer below this [1/kg] is none

static inline double ib__dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The changes of two bodies' motions along a row; b = -1: no second body.
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

static inline double ib__normal_after(const ib__Law *law, const ib__Contact *contact, int p)
{
    return contact->vn[p] +
           ib__felt(&contact->hn[p], law->change, contact->body[0], contact->body[1]);
}

static inline double ib__tangent_after(const ib__Law *law, const ib__Contact *contact)
{
    return contact->vt + ib__felt(&contact->ht, law->change, contact->body[0], contact->body[1]);
}

static inline double ib__missing_normal(const ib__Law *law, const ib__Contact *contact, int p)
{
    return contact->wanted[p] - ib__normal_after(law, contact, p);
}

// True if the point can push, and if the contact has friction.
static inline bool ib__can_push(const ib__Contact *contact, int p)
{
    return p < contact->points && !contact->away[p] && contact->kn[p] > IB__DEAF;
}

static inline bool ib__has_friction(const ib__Law *law, const ib__Contact *contact)
{
    return contact->friction > 0 && contact->kt > IB__DEAF && !law->smooth;
}

// The changes anew from the pushes, so that rounding does not gather.
void ib__law_renew_changes(ib__Law *law);

#endif
