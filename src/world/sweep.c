#include "world/sweep.h"

#include "base/extreme.h"
#include "world/contact.h"

#include <math.h>

static inline double between(double low, double x, double high)
{
    return x < low ? low : x > high ? high : x;
}

static inline double right_normal(const ib__Law *law, const ib__Contact *contact, int p)
{
    double push = contact->jn[p] + ib__missing_normal(law, contact, p) * contact->per_kn[p];
    return push > 0 ? push : 0;
}

// Friction along a slide would add energy; unconditional full friction against it may press the two
// together more than it releases, and sweeps would never end.
static inline double right_tangent(const ib__Law *law, const ib__Contact *contact)
{
    double reach = contact->friction * (contact->jn[0] + contact->jn[1]);
    double low = contact->slide < 0 ? 0 : -reach, high = contact->slide > 0 ? 0 : reach;
    return between(low, contact->jt - ib__tangent_after(law, contact) * contact->per_kt, high);
}

// Errors of the speeds of a contact's rows.
static inline double wrong(const ib__Law *law, const ib__Contact *contact)
{
    double most = 0;
    for (int p = 0; p < contact->points; p++)
        if (contact->per_kn[p] != 0)
            most =
                ib_max(most, fabs(right_normal(law, contact, p) - contact->jn[p]) * contact->kn[p]);
    if (contact->per_kt == 0) return most;
    return ib_max(most, fabs(right_tangent(law, contact) - contact->jt) * contact->kt);
}

// The pushes that a contact needs, as all others are. Returns by how much they were wrong.
static inline double mend(ib__Law *law, ib__Contact *contact)
{
    double most = 0;
    int a = contact->body[0], b = contact->body[1];
    for (int p = 0; p < contact->points; p++) {
        if (contact->per_kn[p] == 0) continue;
        double d = right_normal(law, contact, p) - contact->jn[p], size = fabs(d) * contact->kn[p];
        if (d == 0) continue;
        contact->jn[p] += d;
        ib__push(&contact->hn[p], d, law->change, a, b);
        most = size > most ? size : most;
    }
    if (contact->per_kt == 0) return most;
    double d = right_tangent(law, contact) - contact->jt, size = fabs(d) * contact->kt;
    if (d == 0) return most;
    contact->jt += d;
    ib__push(&contact->ht, d, law->change, a, b);
    return size > most ? size : most;
}

// Begins with admissible pushes.
static void begin(ib__Law *law)
{
    for (int i = 0; i < law->contact_count; i++) {
        ib__Contact *contact = &law->contacts[i];
        for (int p = 0; p < 2; p++) {
            contact->per_kn[p] = ib__can_push(contact, p) ? 1 / contact->kn[p] : 0;
            contact->jn[p] = contact->per_kn[p] != 0 ? ib_max(0, contact->jn[p]) : 0;
        }
        contact->per_kt = ib__has_friction(law, contact) ? 1 / contact->kt : 0;
        double reach =
            contact->per_kt != 0 ? contact->friction * (contact->jn[0] + contact->jn[1]) : 0;
        contact->jt = between(-reach, contact->jt, reach);
    }
    ib__law_renew_changes(law);
}

static void read_pattern(ib__Law *law)
{
    for (int i = 0; i < law->contact_count; i++) {
        ib__Contact *contact = &law->contacts[i];
        double reach = contact->friction * (contact->jn[0] + contact->jn[1]);
        for (int p = 0; p < 2; p++) contact->is.closed[p] = contact->jn[p] > 0;
        bool slips = ib__has_friction(law, contact) && fabs(contact->jt) >= reach * (1 - 1e-9);
        contact->is.grip = !slips ? IB__STICKS : contact->jt < 0 ? IB__SLIDES_UP : IB__SLIDES_DOWN;
        if (contact->slide != 0)
            contact->is.grip = contact->slide > 0 ? IB__SLIDES_UP : IB__SLIDES_DOWN;
    }
}

// Sweeps to and fro, so that a push gets through a row of bodies in either direction at once.
bool ib__sweep(ib__Law *law, int times, double allowed)
{
    int n = law->contact_count;
    double most = 0;
    begin(law);
    for (int i = 0; i < n; i++) most = ib_max(most, wrong(law, &law->contacts[i]));
    for (int k = 0; k < times && most > allowed; k++) {
        most = 0;
        for (int i = 0; i < n; i++)
            most = ib_max(most, mend(law, &law->contacts[k % 2 == 0 ? i : n - 1 - i]));
    }
    ib__law_renew_changes(law);
    read_pattern(law);
    return most <= allowed;
}
