#include "world/sweep.h"

#include "base/extreme.h"
#include "world/bond.h"

#include <math.h>

static inline double between(double low, double x, double high)
{
    return x < low ? low : x > high ? high : x;
}

static inline double right_normal(const ib__Law *law, const ib__Bond *bond, int p)
{
    double push = bond->jn[p] + ib__missing_normal(law, bond, p) * bond->per_kn[p];
    return push > 0 ? push : 0;
}

// Friction along a slide would give energy; full friction against it, whatever comes of that, may
// press the two together more than it lets go, and sweeps would never end.
static inline double right_tangent(const ib__Law *law, const ib__Bond *bond)
{
    double reach = bond->friction * (bond->jn[0] + bond->jn[1]);
    double low = bond->slide < 0 ? 0 : -reach, high = bond->slide > 0 ? 0 : reach;
    return between(low, bond->jt - ib__tangent_after(law, bond) * bond->per_kt, high);
}

// By how much the speeds of a bond's rows are wrong.
static inline double wrong(const ib__Law *law, const ib__Bond *bond)
{
    double most = 0;
    for (int p = 0; p < bond->points; p++)
        if (bond->per_kn[p] != 0)
            most = ib_max(most, fabs(right_normal(law, bond, p) - bond->jn[p]) * bond->kn[p]);
    if (bond->per_kt == 0) return most;
    return ib_max(most, fabs(right_tangent(law, bond) - bond->jt) * bond->kt);
}

// The pushes that a bond needs, as all others are. Returns by how much they were wrong.
static inline double mend(ib__Law *law, ib__Bond *bond)
{
    double most = 0;
    int a = bond->body[0], b = bond->body[1];
    for (int p = 0; p < bond->points; p++) {
        if (bond->per_kn[p] == 0) continue;
        double d = right_normal(law, bond, p) - bond->jn[p], size = fabs(d) * bond->kn[p];
        if (d == 0) continue;
        bond->jn[p] += d;
        ib__push(&bond->hn[p], d, law->change, a, b);
        most = size > most ? size : most;
    }
    if (bond->per_kt == 0) return most;
    double d = right_tangent(law, bond) - bond->jt, size = fabs(d) * bond->kt;
    if (d == 0) return most;
    bond->jt += d;
    ib__push(&bond->ht, d, law->change, a, b);
    return size > most ? size : most;
}

// Pushes that are possible, whatever they are.
static void begin(ib__Law *law)
{
    for (int i = 0; i < law->bond_count; i++) {
        ib__Bond *bond = &law->bonds[i];
        for (int p = 0; p < 2; p++) {
            bond->per_kn[p] = ib__can_push(bond, p) ? 1 / bond->kn[p] : 0;
            bond->jn[p] = bond->per_kn[p] != 0 ? ib_max(0, bond->jn[p]) : 0;
        }
        bond->per_kt = ib__can_rub(law, bond) ? 1 / bond->kt : 0;
        double reach = bond->per_kt != 0 ? bond->friction * (bond->jn[0] + bond->jn[1]) : 0;
        bond->jt = between(-reach, bond->jt, reach);
    }
    ib__law_renew_changes(law);
}

static void read_pattern(ib__Law *law)
{
    for (int i = 0; i < law->bond_count; i++) {
        ib__Bond *bond = &law->bonds[i];
        double reach = bond->friction * (bond->jn[0] + bond->jn[1]);
        for (int p = 0; p < 2; p++) bond->is.closed[p] = bond->jn[p] > 0;
        bool slips = ib__can_rub(law, bond) && fabs(bond->jt) >= reach * (1 - 1e-9);
        bond->is.grip = !slips ? IB__STICKS : bond->jt < 0 ? IB__SLIDES_UP : IB__SLIDES_DOWN;
        if (bond->slide != 0) bond->is.grip = bond->slide > 0 ? IB__SLIDES_UP : IB__SLIDES_DOWN;
    }
}

// To and fro, so that a push gets through a row of bodies in either direction at once.
bool ib__sweep(ib__Law *law, int times, double allowed)
{
    int n = law->bond_count;
    double most = 0;
    begin(law);
    for (int i = 0; i < n; i++) most = ib_max(most, wrong(law, &law->bonds[i]));
    for (int k = 0; k < times && most > allowed; k++) {
        most = 0;
        for (int i = 0; i < n; i++)
            most = ib_max(most, mend(law, &law->bonds[k % 2 == 0 ? i : n - 1 - i]));
    }
    ib__law_renew_changes(law);
    read_pattern(law);
    return most <= allowed;
}
