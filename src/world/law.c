// world/law.c: a pattern (who is closed, who sticks, who slides which way) makes the law a linear
// system. Guess it, solve, exchange what is wrong, until nothing is.
//
// Each row of a pattern is given a very small compliance eps:  v+ + eps dj = target. With W = L L^T
// of each body, h = L^T g of each row g and y = L^-1 (change of motion) this is
//   (1 + sum f h^T/eps) y = sum f (target - v)/eps,     dj = (target - v - h y)/eps
// where f is h, with its share of the tangent where it slides: three unknowns a body, however many
// touch it, and a body that cannot move in some direction has h = 0 along it. The compliance is
// taken back by repeating that for what is left. Where pushes are not determined (a chair with four
// legs) it decides: the load is shared as by equal springs.
#include "world/law.h"

#include <math.h>
#include <string.h>

enum {
    PASSES = 10,    ///< for a pattern, the given one first
    EXCHANGES = 40, ///< of patterns, for one compliance
    TOGETHER = 12,  ///< of them all that is wrong at once, then one at a time
    FEW = 6,        ///< passes or exchanges before more is done about it
    MANY = 12,      ///< bodies
};

#define SOFT     1e-10 ///< eps, against a row's own answer
#define FIRM     1e-6  ///< the least eps that is kept where there is no solution without
#define DEAF     1e-12 ///< an answer below this [1/kg] is none
#define ACCURATE 1e-13 ///< what a solution may violate, against the speeds at hand
#define LARGE    1e-10 ///< the same for many bodies, where more costs more than it is worth
#define NOISE    1e-15 ///< rounding of a step, against what it moves and over eps
#define WEDGED   1e7   ///< a push that is no solution, against what the row alone would need

// ------------------------------------------------------------------------------------------- set-up

bool ib__law_init(ib__Law *law, int body_room, int bond_room, ib_Arena *arena)
{
    size_t bodies = (size_t)body_room, bonds = (size_t)bond_room;
    size_t dense = bodies * (bodies - 1) / 2, wide = bodies * (size_t)(16 + 6 * sqrt(body_room));
    *law = (ib__Law){.body_room = body_room, .bond_room = bond_room};
    law->root = ib_arena_array(arena, bodies, sizeof *law->root);
    law->change = ib_arena_array(arena, bodies, sizeof *law->change);
    law->place = ib_arena_array(arena, bodies, sizeof *law->place);
    law->right = ib_arena_array(arena, 3 * bodies, sizeof *law->right);
    law->bonds = ib_arena_array(arena, bonds, sizeof *law->bonds);
    law->neighbour = ib_arena_array(arena, 2 * bonds + 2 * bodies + 1, sizeof *law->neighbour);
    return law->root && law->change && law->place && law->right && law->bonds && law->neighbour &&
           ib__skyline_init(&law->system, body_room, dense < wide ? dense : wide, arena);
}

// Cholesky's, with columns of what cannot move left empty.
void ib__law_root(const double W[9], double L[9])
{
    memset(L, 0, 9 * sizeof *L);
    for (int c = 0; c < 3; c++) {
        double d = W[4 * c];
        for (int k = 0; k < c; k++) d -= L[3 * c + k] * L[3 * c + k];
        if (!(d > 1e-14 * (c < 2 ? fmax(W[0], W[4]) : W[8]))) continue;
        L[4 * c] = sqrt(d);
        for (int r = c + 1; r < 3; r++) {
            double sum = W[3 * r + c];
            for (int k = 0; k < c; k++) sum -= L[3 * r + k] * L[3 * c + k];
            L[3 * r + c] = sum / L[4 * c];
        }
    }
}

// h = L^T g
void ib__law_measure(const double L[9], const double *g, double *h)
{
    h[0] = L[0] * g[0] + L[3] * g[1] + L[6] * g[2];
    h[1] = L[4] * g[1] + L[7] * g[2];
    h[2] = L[8] * g[2];
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// h of both sides; what the two answer to a push along it.
static double measure_row(const ib__Law *law, const ib__Bond *bond, const ib__Row *row,
                          ib__Row *h)
{
    ib__law_measure(law->root[bond->body[0]], row->on[0], h->on[0]);
    double k = dot(h->on[0], h->on[0]);
    if (bond->body[1] < 0) return k;
    ib__law_measure(law->root[bond->body[1]], row->on[1], h->on[1]);
    return k + dot(h->on[1], h->on[1]);
}

static void prepare(ib__Law *law)
{
    law->scale = 0;
    for (int i = 0; i < law->bond_count; i++) {
        ib__Bond *bond = &law->bonds[i];
        for (int p = 0; p < bond->points; p++) {
            bond->kn[p] = measure_row(law, bond, &bond->normal[p], &bond->hn[p]);
            if (!bond->away[p]) law->scale = fmax(law->scale, fabs(bond->vn[p] - bond->wanted[p]));
            bond->closed[p] = (bond->closed[p] || bond->bound) && bond->kn[p] > DEAF && !bond->away[p];
        }
        if (bond->points < 2) bond->closed[1] = false;
        bond->kt = measure_row(law, bond, &bond->tangent, &bond->ht);
        law->scale = fmax(law->scale, fabs(bond->vt));
        if (bond->slide != 0) bond->grip = bond->slide > 0 ? IB__SLIDES_UP : IB__SLIDES_DOWN;
        if (bond->bound && bond->slide == 0) bond->grip = IB__STICKS;
    }
}

// ------------------------------------------------------------------------------------------- order

// Lists of neighbours: those of body i are neighbour[start[i]] .. neighbour[start[i + 1] - 1].
static int *list_neighbours(ib__Law *law)
{
    int n = law->body_count, *start = law->neighbour + 2 * law->bond_count;
    memset(start, 0, (size_t)(n + 1) * sizeof *start);
    for (int i = 0; i < law->bond_count; i++) {
        const int *body = law->bonds[i].body;
        if (body[1] < 0) continue;
        start[body[0]]++;
        start[body[1]]++;
    }
    for (int i = 0, sum = 0; i <= n; i++) {
        sum += i < n ? start[i] : 0;
        start[i] = sum;
    }
    for (int i = law->bond_count - 1; i >= 0; i--) {
        const int *body = law->bonds[i].body;
        if (body[1] < 0) continue;
        law->neighbour[--start[body[0]]] = body[1];
        law->neighbour[--start[body[1]]] = body[0];
    }
    return start;
}

// Breadth first from the body with the fewest neighbours, so that neighbours stand close together
// (Cuthill and McKee).
static void find_places(ib__Law *law)
{
    const int *start = list_neighbours(law);
    int n = law->body_count, *queue = law->neighbour + 2 * law->bond_count + n + 1;
    int from = 0, done = 1;
    for (int i = 0; i < n; i++) {
        law->place[i] = -1;
        if (start[i + 1] - start[i] < start[from + 1] - start[from]) from = i;
    }
    law->place[from] = 0;
    queue[0] = from;
    for (int head = 0; head < done; head++)
        for (int k = start[queue[head]]; k < start[queue[head] + 1]; k++) {
            int next = law->neighbour[k];
            if (law->place[next] >= 0) continue;
            law->place[next] = done;
            queue[done++] = next;
        }
}

// False: there is no room for this island's system.
static bool find_order(ib__Law *law)
{
    int *first = law->system.first;
    if (law->body_count > 1) find_places(law);
    if (law->body_count == 1) law->place[0] = 0;
    for (int i = 0; i < law->body_count; i++) first[i] = i;
    for (int i = 0; i < law->bond_count; i++) {
        const int *body = law->bonds[i].body;
        if (body[1] < 0) continue;
        int a = law->place[body[0]], b = law->place[body[1]], high = a > b ? a : b;
        if (a + b - high < first[high]) first[high] = a + b - high;
    }
    return ib__skyline_lay_out(&law->system, law->body_count);
}

// ----------------------------------------------------------------------------------------- changes

static double felt(const ib__Bond *bond, const ib__Row *h, double (*change)[3])
{
    double sum = dot(h->on[0], change[bond->body[0]]);
    return bond->body[1] >= 0 ? sum + dot(h->on[1], change[bond->body[1]]) : sum;
}

double ib__law_normal(const ib__Law *law, const ib__Bond *bond, int point)
{
    return bond->vn[point] + felt(bond, &bond->hn[point], law->change);
}

double ib__law_tangent(const ib__Law *law, const ib__Bond *bond)
{
    return bond->vt + felt(bond, &bond->ht, law->change);
}

static void push(double (*change)[3], int a, int b, const ib__Row *h, double size)
{
    for (int k = 0; k < 3; k++) change[a][k] += size * h->on[0][k];
    for (int k = 0; k < 3 && b >= 0; k++) change[b][k] += size * h->on[1][k];
}

// The changes anew from the pushes, so that rounding does not gather.
static void renew(ib__Law *law)
{
    memset(law->change, 0, (size_t)law->body_count * sizeof *law->change);
    for (int i = 0; i < law->bond_count; i++) {
        const ib__Bond *bond = &law->bonds[i];
        const int *body = bond->body;
        for (int p = 0; p < bond->points; p++)
            if (bond->jn[p] != 0) push(law->change, body[0], body[1], &bond->hn[p], bond->jn[p]);
        if (bond->jt != 0) push(law->change, body[0], body[1], &bond->ht, bond->jt);
    }
}

// ----------------------------------------------------------------------------------------- pattern

static bool rubs(const ib__Law *law, const ib__Bond *bond)
{
    return bond->friction > 0 && bond->kt > DEAF && (bond->closed[0] || bond->closed[1]) &&
           !law->smooth;
}

static bool sticks(const ib__Law *law, const ib__Bond *bond)
{
    return rubs(law, bond) && bond->grip == IB__STICKS;
}

// jt as a part of jn where it slides.
static double share(const ib__Law *law, const ib__Bond *bond)
{
    if (!rubs(law, bond) || bond->grip == IB__STICKS) return 0;
    return bond->grip == IB__SLIDES_UP ? -bond->friction : bond->friction;
}

// The direction of a point's push: along the normal, and with its friction where it slides.
static void push_row(const ib__Law *law, const ib__Bond *bond, int p, ib__Row *f)
{
    double part = share(law, bond);
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 3; k++) f->on[side][k] = bond->hn[p].on[side][k] + part * bond->ht.on[side][k];
}

// Adds  f h^T size  to the system.
static void add_row(ib__Law *law, const ib__Bond *bond, const ib__Row *f, const ib__Row *h,
                    double size)
{
    int a = law->place[bond->body[0]];
    ib__skyline_add(&law->system, a, a, size, f->on[0], h->on[0]);
    if (bond->body[1] < 0) return;
    int b = law->place[bond->body[1]];
    ib__skyline_add(&law->system, a, b, size, f->on[0], h->on[1]);
    ib__skyline_add(&law->system, b, a, size, f->on[1], h->on[0]);
    ib__skyline_add(&law->system, b, b, size, f->on[1], h->on[1]);
}

static void factor(ib__Law *law, double soft)
{
    law->factors++;
    law->soft = soft;
    ib__skyline_lay_out(&law->system, law->body_count);
    for (int i = 0; i < law->body_count; i++) {
        double *m = law->system.diagonal[i].m;
        m[0] = m[4] = m[8] = 1;
    }
    for (int i = 0; i < law->bond_count; i++) {
        const ib__Bond *bond = &law->bonds[i];
        for (int p = 0; p < bond->points; p++) {
            ib__Row f;
            if (!bond->closed[p]) continue;
            push_row(law, bond, p, &f);
            add_row(law, bond, &f, &bond->hn[p], 1 / (soft * bond->kn[p]));
        }
        if (sticks(law, bond)) add_row(law, bond, &bond->ht, &bond->ht, 1 / (soft * bond->kt));
    }
    ib__skyline_factor(&law->system);
}

static double missing_normal(const ib__Law *law, const ib__Bond *bond, int p)
{
    return bond->wanted[p] - ib__law_normal(law, bond, p);
}

// The largest that the pattern's equations are off.
static double remainder_of(const ib__Law *law)
{
    double most = 0;
    for (int i = 0; i < law->bond_count; i++) {
        const ib__Bond *bond = &law->bonds[i];
        for (int p = 0; p < bond->points; p++)
            if (bond->closed[p]) most = fmax(most, fabs(missing_normal(law, bond, p)));
        if (sticks(law, bond)) most = fmax(most, fabs(ib__law_tangent(law, bond)));
    }
    return most;
}

// One step towards the pushes of the pattern: the right side for what is left, its solution, and
//   dj = (target - v - h y)/eps
// Returns the largest |dj|, as what it does to its own row.
static double approach(ib__Law *law)
{
    double most = 0;
    double (*right)[3] = (double (*)[3])law->right;
    memset(right, 0, (size_t)law->body_count * sizeof *right);
    for (int i = 0; i < law->bond_count; i++) {
        const ib__Bond *bond = &law->bonds[i];
        int a = law->place[bond->body[0]], b = bond->body[1] < 0 ? -1 : law->place[bond->body[1]];
        for (int p = 0; p < bond->points; p++) {
            ib__Row f;
            if (!bond->closed[p]) continue;
            push_row(law, bond, p, &f);
            push(right, a, b, &f, missing_normal(law, bond, p) / (law->soft * bond->kn[p]));
        }
        if (sticks(law, bond))
            push(right, a, b, &bond->ht, -ib__law_tangent(law, bond) / (law->soft * bond->kt));
    }
    ib__skyline_solve(&law->system, law->right);
    for (int i = 0; i < law->bond_count; i++) {
        ib__Bond *bond = &law->bonds[i];
        ib__Bond at = {.body = {law->place[bond->body[0]],
                                bond->body[1] < 0 ? -1 : law->place[bond->body[1]]}};
        for (int p = 0; p < bond->points; p++) {
            if (!bond->closed[p]) continue;
            double d = missing_normal(law, bond, p) - felt(&at, &bond->hn[p], right);
            bond->jn[p] += d / (law->soft * bond->kn[p]);
            most = fmax(most, fabs(d) / law->soft);
        }
        if (sticks(law, bond)) {
            double d = -ib__law_tangent(law, bond) - felt(&at, &bond->ht, right);
            bond->jt += d / (law->soft * bond->kt);
            most = fmax(most, fabs(d) / law->soft);
        } else {
            bond->jt = share(law, bond) * (bond->jn[0] + bond->jn[1]);
        }
    }
    renew(law);
    return most;
}

// What the pattern says of pushes without an equation; all begin at 0 where they begin anew.
static void conform(ib__Law *law, bool anew)
{
    for (int i = 0; i < law->bond_count; i++) {
        ib__Bond *bond = &law->bonds[i];
        for (int p = 0; p < 2; p++)
            if (anew || !bond->closed[p]) bond->jn[p] = 0;
        if (anew) bond->jt = 0;
        if (!sticks(law, bond)) bond->jt = share(law, bond) * (bond->jn[0] + bond->jn[1]);
    }
    renew(law);
}

// ------------------------------------------------------------------------------------------ search

// By how much the pattern is wrong at a point, and in its grip: > 0 where it is.
static double wrong_point(const ib__Law *law, const ib__Bond *bond, int p)
{
    if (p >= bond->points || !(bond->kn[p] > DEAF) || bond->bound || bond->away[p]) return 0;
    return bond->closed[p] ? -bond->jn[p] * bond->kn[p] : missing_normal(law, bond, p);
}

static double wrong_grip(const ib__Law *law, const ib__Bond *bond)
{
    double sum = bond->jn[0] + bond->jn[1];
    if (!rubs(law, bond) || bond->slide != 0 || bond->bound) return 0;
    if (bond->grip == IB__STICKS) return (fabs(bond->jt) - bond->friction * fmax(0, sum)) * bond->kt;
    double vt = ib__law_tangent(law, bond);
    return bond->grip == IB__SLIDES_UP ? -vt : vt;
}

static void exchange_one(ib__Bond *bond, int part)
{
    if (part < 2)
        bond->closed[part] = !bond->closed[part];
    else if (bond->grip != IB__STICKS)
        bond->grip = IB__STICKS;
    else
        bond->grip = bond->jt < 0 ? IB__SLIDES_UP : IB__SLIDES_DOWN;
}

// Exchanges all that is wrong, or the worst alone; returns how much is.
static int exchange(ib__Law *law, bool all, double accuracy)
{
    double allowed = accuracy * law->scale, most = allowed;
    int count = 0, worst = -1, worst_part = 0;
    for (int i = 0; i < law->bond_count; i++) {
        ib__Bond *bond = &law->bonds[i];
        double wrong[3] = {wrong_point(law, bond, 0), wrong_point(law, bond, 1),
                           wrong_grip(law, bond)};
        for (int part = 0; part < 3; part++) {
            if (!(wrong[part] > allowed)) continue;
            count++;
            if (wrong[part] > most) worst = i, worst_part = part, most = wrong[part];
            if (all) exchange_one(bond, part);
        }
    }
    if (!all && worst >= 0) exchange_one(&law->bonds[worst], worst_part);
    return count;
}

// The pattern for one compliance, from the one at hand; the pushes are those of soft bonds. False: it
// goes round in circles.
static bool search_soft(ib__Law *law, double soft, int exchanges)
{
    for (int i = 0; i < exchanges; i++) {
        factor(law, soft);
        conform(law, true);
        double moved = approach(law);
        if (exchange(law, i < TOGETHER, NOISE / soft * moved / law->scale) == 0) return true;
    }
    return false;
}

// The largest change of a speed by one push alone: between a heavy body and a wall, a light one is
// pushed from both sides much harder than it moves. Rounding is of that size.
static double hardest_push(const ib__Law *law)
{
    double most = law->scale;
    for (int i = 0; i < law->bond_count; i++) {
        const ib__Bond *bond = &law->bonds[i];
        for (int p = 0; p < bond->points; p++) most = fmax(most, fabs(bond->jn[p]) * bond->kn[p]);
        most = fmax(most, fabs(bond->jt) * bond->kt);
    }
    return most;
}

static bool search_hard(ib__Law *law, int passes)
{
    double before = INFINITY, accurate = law->body_count > MANY ? LARGE : ACCURATE;
    for (int i = 0, fresh = 1; i < passes; i++) {
        if (fresh) factor(law, SOFT);
        if (fresh) conform(law, i == 0);
        double moved = approach(law), left = remainder_of(law), hardest = hardest_push(law);
        fresh = exchange(law, true, fmax(accurate * hardest, NOISE / SOFT * moved) / law->scale);
        bool settled = !(left < 0.9 * before);
        if (!fresh && (left <= 0.02 * accurate * law->scale ||
                       (settled && left <= accurate * hardest)))
            return hardest < WEDGED * law->scale;
        if (!fresh && settled) return false; // equations that contradict each other
        before = fresh ? INFINITY : left;
    }
    return false;
}

static void keep_pattern(ib__Law *law)
{
    for (int i = 0; i < law->bond_count; i++) {
        ib__Bond *bond = &law->bonds[i];
        for (int p = 0; p < 2; p++) bond->kept_closed[p] = bond->closed[p];
        bond->kept_grip = bond->grip;
    }
}

static void take_kept(ib__Law *law)
{
    for (int i = 0; i < law->bond_count; i++) {
        ib__Bond *bond = &law->bonds[i];
        for (int p = 0; p < 2; p++) bond->closed[p] = bond->kept_closed[p];
        bond->grip = bond->kept_grip;
    }
}

// From very soft bonds to firm ones: each pattern leads to the next.
static bool search_from_soft(ib__Law *law)
{
    if (search_soft(law, FIRM, FEW)) return true;
    bool found = false;
    for (double soft = 0.1; soft > 0.9 * FIRM; soft *= 0.1) found = search_soft(law, soft, EXCHANGES);
    return found;
}

static bool search(ib__Law *law)
{
    if (search_hard(law, FEW)) return true;
    if (!search_from_soft(law)) return false;
    // As hard as can be, or as firm as was found.
    keep_pattern(law);
    if (search_hard(law, PASSES)) return true;
    take_kept(law);
    return search_soft(law, FIRM, 1);
}

// Can some body not move in some direction (wheels that do not slip sideways)?
static bool has_axles(const ib__Law *law)
{
    bool some = false;
    for (int i = 0; i < law->body_count; i++)
        some |= law->root[i][0] == 0 || law->root[i][4] == 0 || law->root[i][8] == 0;
    return some;
}

// Axles bear any friction along them, and equal springs would share it out: where nothing slides
// without friction, there is none.
static bool solve_smooth(ib__Law *law)
{
    for (int i = 0; i < law->bond_count; i++)
        if (law->bonds[i].slide != 0) return false;
    law->smooth = true;
    bool good = search_hard(law, FEW);
    law->smooth = false;
    for (int i = 0; i < law->bond_count && good; i++) {
        const ib__Bond *bond = &law->bonds[i];
        if (rubs(law, bond)) good = fabs(ib__law_tangent(law, bond)) <= ACCURATE * law->scale;
    }
    return good;
}

bool ib__law_solve(ib__Law *law)
{
    prepare(law);
    if (!find_order(law)) return false;
    if (!(law->scale > 0)) {
        conform(law, true);
        return true;
    }
    return (has_axles(law) && solve_smooth(law)) || search(law);
}

void ib__law_solve_without_friction(ib__Law *law)
{
    law->smooth = true;
    ib__law_solve(law);
    law->smooth = false;
}
