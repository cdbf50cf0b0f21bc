// world/pattern.c: a pattern (closed, sticking and sliding contacts) makes the law a linear system.
// Guess it, solve, exchange wrong contacts until none is left.
//
// Each row of a pattern is given a very small compliance eps:  v+ + eps dj = target. With W = L L^T
// of each body, h = L^T g of each row g and y = L^-1 (change of motion) this is
//   (1 + sum f h^T/eps) y = sum f (target - v)/eps,     dj = (target - v - h y)/eps
// where f is h, with its share of the tangent where it slides: three unknowns a body, however many
// touch it, and a body that cannot move in some direction has h = 0 along it. Repeating the
// solution for the residual removes the compliance. It decides pushes that are not determined (a
// chair with four legs): the load is shared as by equal springs.
#include "world/pattern.h"

#include "base/extreme.h"
#include "world/contact.h"

#include <math.h>
#include <string.h>

enum {
    PASSES = 10,     ///< for a pattern, the given one first
    EXCHANGES = 40,  ///< of patterns, for one compliance
    TOGETHER = 12,   ///< of them all that is wrong at once, then one at a time
    STARTS = 100,    ///< of a wide search: every pattern of two contacts,
    SPREAD = 765437, ///< and of more contacts some, by the digits of the multiples of a prime
    FEW = 6,         ///< passes or exchanges before more is done about it
};

#define SOFT     1e-8  ///< eps, against a row's own answer
#define FIRM     1e-6  ///< eps for many bodies, and where there is no solution without
#define LOOSE    1e-3  ///< violation allowed to a firm solution that cannot be made hard
#define WRONG    1e-10 ///< a sign that is wrong by less, against the hardest push, is not
#define ACCURATE 1e-13 ///< violation allowed to a solution, against the speeds at hand
#define BOUND    1e-7  ///< the same for many bodies that are bound
#define NOISE    1e-15 ///< rounding, against the hardest push, or the motion of a step over eps
#define WEDGED   1e3   ///< pushes that are no solution, against the heaviest body and the speeds

// ----------------------------------------------------------------------------------------- pattern

static bool rubs(const ib__Law *law, const ib__Contact *contact)
{
    return ib__has_friction(law, contact) && (contact->is.closed[0] || contact->is.closed[1]);
}

static bool sticks(const ib__Law *law, const ib__Contact *contact)
{
    return rubs(law, contact) && contact->is.grip == IB__STICKS;
}

// jt as a part of jn where it slides.
static double share(const ib__Law *law, const ib__Contact *contact)
{
    if (!rubs(law, contact) || contact->is.grip == IB__STICKS) return 0;
    return contact->is.grip == IB__SLIDES_UP ? -contact->friction : contact->friction;
}

// The direction of a point's push: along the normal, and with its friction where it slides.
static void push_row(const ib__Law *law, const ib__Contact *contact, int p, ib__Row *f)
{
    double part = share(law, contact);
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 3; k++)
            f->on[side][k] = contact->hn[p].on[side][k] + part * contact->ht.on[side][k];
}

// Adds  f h^T size  to the system.
static void add_row(ib__Law *law, const ib__Contact *contact, const ib__Row *f, const ib__Row *h,
                    double size)
{
    int a = law->place[contact->body[0]];
    ib__skyline_add(&law->system, a, a, size, f->on[0], h->on[0]);
    if (contact->body[1] < 0) return;
    int b = law->place[contact->body[1]];
    ib__skyline_add(&law->system, a, b, size, f->on[0], h->on[1]);
    ib__skyline_add(&law->system, b, a, size, f->on[1], h->on[0]);
    ib__skyline_add(&law->system, b, b, size, f->on[1], h->on[1]);
}

// The pattern as included in the system.
static ib__Pattern shown(const ib__Law *law, const ib__Contact *contact)
{
    ib__Pattern is = contact->is;
    if (!rubs(law, contact)) is.grip = IB__SMOOTH;
    return is;
}

static bool slides(const ib__Law *law)
{
    bool some = false;
    for (int i = 0; i < law->contact_count; i++) some |= share(law, &law->contacts[i]) != 0;
    return some;
}

static bool is_factored(const ib__Law *law, double soft)
{
    if (law->soft != soft) return false;
    for (int i = 0; i < law->contact_count; i++) {
        ib__Pattern now = shown(law, &law->contacts[i]), then = law->contacts[i].factored;
        if (now.closed[0] != then.closed[0] || now.closed[1] != then.closed[1] ||
            now.grip != then.grip)
            return false;
    }
    return true;
}

static void factor(ib__Law *law, double soft)
{
    if (is_factored(law, soft)) return;
    law->soft = soft;
    ib__skyline_clear(&law->system);
    for (int i = 0; i < law->contact_count; i++)
        law->contacts[i].factored = shown(law, &law->contacts[i]);
    for (int i = 0; i < law->contact_count; i++) {
        const ib__Contact *contact = &law->contacts[i];
        for (int p = 0; p < contact->points; p++) {
            ib__Row f;
            if (!contact->is.closed[p]) continue;
            push_row(law, contact, p, &f);
            add_row(law, contact, &f, &contact->hn[p], 1 / (soft * contact->kn[p]));
        }
        if (sticks(law, contact))
            add_row(law, contact, &contact->ht, &contact->ht, 1 / (soft * contact->kt));
    }
    ib__skyline_factor(&law->system, !slides(law));
}

// The largest that the pattern's equations are off.
static double remainder_of(const ib__Law *law)
{
    double most = 0;
    for (int i = 0; i < law->contact_count; i++) {
        const ib__Contact *contact = &law->contacts[i];
        for (int p = 0; p < contact->points; p++)
            if (contact->is.closed[p])
                most = ib_max(most, fabs(ib__missing_normal(law, contact, p)));
        if (sticks(law, contact)) most = ib_max(most, fabs(ib__tangent_after(law, contact)));
    }
    return most;
}

// One step towards the pushes of the pattern: the right side for the residual, its solution, and
//   dj = (target - v - h y)/eps
// Returns the largest |dj|, as the change of its own row.
static double approach(ib__Law *law)
{
    double most = 0;
    double(*right)[3] = (double(*)[3])law->right;
    memset(right, 0, (size_t)law->body_count * sizeof *right);
    for (int i = 0; i < law->contact_count; i++) {
        const ib__Contact *contact = &law->contacts[i];
        int a = law->place[contact->body[0]],
            b = contact->body[1] < 0 ? -1 : law->place[contact->body[1]];
        for (int p = 0; p < contact->points; p++) {
            ib__Row f;
            if (!contact->is.closed[p]) continue;
            push_row(law, contact, p, &f);
            double size = ib__missing_normal(law, contact, p) / (law->soft * contact->kn[p]);
            ib__push(&f, size, right, a, b);
        }
        if (sticks(law, contact))
            ib__push(&contact->ht, -ib__tangent_after(law, contact) / (law->soft * contact->kt),
                     right, a, b);
    }
    ib__skyline_solve(&law->system, law->right);
    for (int i = 0; i < law->contact_count; i++) {
        ib__Contact *contact = &law->contacts[i];
        int a = law->place[contact->body[0]],
            b = contact->body[1] < 0 ? -1 : law->place[contact->body[1]];
        for (int p = 0; p < contact->points; p++) {
            if (!contact->is.closed[p]) continue;
            double d = ib__missing_normal(law, contact, p) - ib__felt(&contact->hn[p], right, a, b);
            contact->jn[p] += d / (law->soft * contact->kn[p]);
            most = ib_max(most, fabs(d) / law->soft);
        }
        if (sticks(law, contact)) {
            double d = -ib__tangent_after(law, contact) - ib__felt(&contact->ht, right, a, b);
            contact->jt += d / (law->soft * contact->kt);
            most = ib_max(most, fabs(d) / law->soft);
        } else {
            contact->jt = share(law, contact) * (contact->jn[0] + contact->jn[1]);
        }
    }
    ib__law_renew_changes(law);
    return most;
}

// Sets the pushes that the pattern gives without an equation; `anew`: all begin at 0.
static void conform(ib__Law *law, bool anew)
{
    for (int i = 0; i < law->contact_count; i++) {
        ib__Contact *contact = &law->contacts[i];
        for (int p = 0; p < 2; p++)
            if (anew || !contact->is.closed[p]) contact->jn[p] = 0;
        if (anew) contact->jt = 0;
        if (!sticks(law, contact))
            contact->jt = share(law, contact) * (contact->jn[0] + contact->jn[1]);
    }
    ib__law_renew_changes(law);
}

static void note_recipe(ib__Law *law, int approaches)
{
    law->recipe = (ib__Recipe){law->soft, approaches, law->smooth};
}

// ------------------------------------------------------------------------------------------ search

// The errors of the pattern at a point, and in its friction: > 0 if wrong.
static double wrong_point(const ib__Law *law, const ib__Contact *contact, int p)
{
    if (contact->bound || !ib__can_push(contact, p)) return 0;
    return contact->is.closed[p] ? -contact->jn[p] * contact->kn[p]
                                 : ib__missing_normal(law, contact, p);
}

static double wrong_grip(const ib__Law *law, const ib__Contact *contact)
{
    double sum = contact->jn[0] + contact->jn[1];
    if (!rubs(law, contact) || contact->slide != 0 || contact->bound) return 0;
    if (contact->is.grip == IB__STICKS)
        return (fabs(contact->jt) - contact->friction * ib_max(0, sum)) * contact->kt;
    double vt = ib__tangent_after(law, contact);
    return contact->is.grip == IB__SLIDES_UP ? -vt : vt;
}

static void exchange_one(ib__Contact *contact, int part)
{
    if (part < 2)
        contact->is.closed[part] = !contact->is.closed[part];
    else if (contact->is.grip != IB__STICKS)
        contact->is.grip = IB__STICKS;
    else
        contact->is.grip = contact->jt < 0 ? IB__SLIDES_UP : IB__SLIDES_DOWN;
}

// Exchanges all that is wrong by more than is allowed, or the worst alone; returns how much is.
static int exchange(ib__Law *law, bool all, double allowed)
{
    double most = allowed;
    int count = 0, worst = -1, worst_part = 0;
    for (int i = 0; i < law->contact_count; i++) {
        ib__Contact *contact = &law->contacts[i];
        double wrong[3] = {wrong_point(law, contact, 0), wrong_point(law, contact, 1),
                           wrong_grip(law, contact)};
        for (int part = 0; part < 3; part++) {
            if (wrong[part] <= allowed) continue; // NAN is wrong, too
            count++;
            if (wrong[part] > most) worst = i, worst_part = part, most = wrong[part];
            if (all) exchange_one(contact, part);
        }
    }
    if (!all && worst >= 0) exchange_one(&law->contacts[worst], worst_part);
    return count;
}

// The pattern for one compliance, from the one at hand; the pushes are those of soft contacts.
// False: it goes round in circles.
static bool search_soft(ib__Law *law, double soft, int exchanges, double allowed)
{
    for (int i = 0; i < exchanges; i++) {
        factor(law, soft);
        conform(law, true);
        note_recipe(law, 1);
        double noise = NOISE / soft * approach(law);
        if (exchange(law, i < TOGETHER, ib_max(allowed, noise)) == 0) return true;
    }
    return false;
}

// The largest change of a speed by one push alone: between a heavy body and a wall, a light one is
// pushed from both sides much harder than it moves. Rounding is of that size.
static double hardest_push(const ib__Law *law)
{
    double most = law->scale;
    for (int i = 0; i < law->contact_count; i++) {
        const ib__Contact *contact = &law->contacts[i];
        for (int p = 0; p < contact->points; p++)
            most = ib_max(most, fabs(contact->jn[p]) * contact->kn[p]);
        most = ib_max(most, fabs(contact->jt) * contact->kt);
    }
    return most;
}

// Among slides, pushes so much harder than the heaviest body would need are those of a pattern that
// locks itself, or is about to: full friction that presses more than it lets go. (A contact that
// may stick can be pushed as hard as that, between two that are nearly in line with it.)
static bool locks(ib__Law *law)
{
    double heaviest = 0, most = 0;
    bool slides_on = false;
    for (int i = 0; i < law->body_count; i++) {
        const double *L = law->root[i], size = L[0] * L[0] + L[3] * L[3] + L[4] * L[4];
        if (size > 0) heaviest = ib_max(heaviest, 2 / size);
    }
    for (int i = 0; i < law->contact_count; i++) {
        most = ib_max(most, fabs(law->contacts[i].jn[0]) + fabs(law->contacts[i].jn[1]));
        slides_on |= law->contacts[i].slide != 0;
    }
    bool found = slides_on && most > WEDGED * heaviest * law->scale;
    law->wedged |= found;
    return found;
}

static bool search_hard(ib__Law *law, int passes)
{
    double before = INFINITY;
    for (int i = 0, fresh = 1; i < passes; i++) {
        if (fresh) factor(law, SOFT);
        if (fresh) conform(law, i == 0);
        double moved = approach(law), left = remainder_of(law), hardest = hardest_push(law);
        note_recipe(law, i + 1);
        fresh = exchange(law, true, ib_max(WRONG * hardest, NOISE / SOFT * moved));
        bool settled = !(left < 0.9 * before);
        double rounding = ib_max(0.02 * ACCURATE * law->scale, NOISE * hardest);
        if (!fresh && (left <= rounding || (settled && left <= WRONG * hardest)))
            return !locks(law);
        if (!fresh && settled) return false; // equations that contradict each other
        before = fresh ? INFINITY : left;
    }
    return false;
}

static void keep_pattern(ib__Law *law)
{
    for (int i = 0; i < law->contact_count; i++) {
        ib__Contact *contact = &law->contacts[i];
        contact->kept = contact->is;
    }
}

static void take_kept(ib__Law *law)
{
    for (int i = 0; i < law->contact_count; i++) {
        ib__Contact *contact = &law->contacts[i];
        contact->is = contact->kept;
    }
}

// From very soft contacts to firm ones: each pattern leads to the next.
static bool search_from_soft(ib__Law *law)
{
    if (search_soft(law, FIRM, FEW, 0)) return true;
    bool found = false;
    for (double soft = 0.1; soft > 0.9 * FIRM; soft *= 0.1)
        found = search_soft(law, soft, EXCHANGES, 0);
    return found;
}

// The start of a number, whose digits are the ten patterns of a contact: open, or one of three sets
// of points with one of three grips.
static void set_start(ib__Law *law, int number)
{
    for (int i = 0; i < law->contact_count; i++, number /= 10) {
        ib__Contact *contact = &law->contacts[i];
        int digit = number % 10, points = digit % 3 + 1;
        for (int p = 0; p < 2; p++)
            contact->is.closed[p] = digit < 9 && (points >> p & 1) && ib__can_push(contact, p);
        if (contact->slide == 0) contact->is.grip = digit < 9 ? (ib__Grip)(digit / 3) : IB__STICKS;
    }
}

// True if springs in the place of the pushes are stable. Compressed by d, they respond with A
// d/eps, A the response of the rows h to the pushes f:   d'' = -A d/eps - free,   which runs
// away where
//   det(1 + A/eps) = det(1 + sum f h^T/eps) < 0
// as under a push that with its full friction presses the two together (Painlevé).
static bool stays(const ib__Law *law)
{
    return ib__skyline_is_positive(&law->system);
}

bool ib__pattern_search_widely(ib__Law *law)
{
    if (law->contact_count > FEW) return false;
    for (int i = 0; i < law->contact_count; i++)
        if (law->contacts[i].bound) return false;
    for (int i = 0; i < STARTS; i++) {
        set_start(law, i * SPREAD);
        if (search_hard(law, FEW) && stays(law)) return true;
    }
    return false;
}

static bool search_firm(ib__Law *law)
{
    take_kept(law);
    return search_soft(law, FIRM, 1, 0) && hardest_push(law) < LOOSE / FIRM * law->scale &&
           !locks(law);
}

static bool search(ib__Law *law)
{
    if (search_hard(law, FEW)) return true;
    law->laboured = true;
    if (!search_from_soft(law)) return false;
    // As firm as possible, here or elsewhere, or as firm as found.
    keep_pattern(law);
    if (search_hard(law, PASSES)) return true;
    return search_firm(law) && (ib__pattern_search_widely(law) || search_firm(law));
}

// True if some body cannot move in some direction (wheels that do not slip sideways).
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
    for (int i = 0; i < law->contact_count; i++)
        if (law->contacts[i].slide != 0) return false;
    law->smooth = true;
    bool good = search_hard(law, FEW);
    law->smooth = false;
    for (int i = 0; i < law->contact_count && good; i++) {
        const ib__Contact *contact = &law->contacts[i];
        if (rubs(law, contact))
            good = fabs(ib__tangent_after(law, contact)) <= ACCURATE * law->scale;
    }
    return good;
}

bool ib__pattern_search(ib__Law *law)
{
    return (has_axles(law) && solve_smooth(law)) || search(law);
}

void ib__pattern_hold(ib__Law *law)
{
    law->smooth = has_axles(law); // as in solve_smooth
    factor(law, SOFT);
    conform(law, true);
    for (int i = 0; i < FEW && (i == 0 || remainder_of(law) > ACCURATE * law->scale); i++)
        approach(law);
    law->smooth = false;
}

// The recipe matters where a pattern nearly locks: friction then turns a push's answer f h around,
// so that eps + f h is next to nothing for some eps, and approaches with that eps run away.
void ib__pattern_follow(ib__Law *law)
{
    law->smooth = law->recipe.smooth;
    factor(law, law->recipe.soft);
    conform(law, true);
    for (int i = 0; i < law->recipe.approaches; i++) approach(law);
    law->smooth = false;
}

void ib__pattern_bind(ib__Law *law)
{
    factor(law, SOFT);
    for (int i = 0; i < FEW && (i == 0 || remainder_of(law) > BOUND * law->scale); i++)
        approach(law);
}
