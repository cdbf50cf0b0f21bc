#include "world/law.h"

#include "base/extreme.h"
#include "world/contact.h"
#include "world/order.h"
#include "world/pattern.h"
#include "world/sweep.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 1000 }; ///< where a small island has no pattern that is found

#define NEARLY 1e-9 ///< allowed error of them, against the present speeds

// ------------------------------------------------------------------------------------------ set-up

// Elimination fills a band whose width grows with the root of the number of bodies in a pile.
bool ib__law_workspace_init(ib__LawWorkspace *workspace, int body_room, int contact_room,
                            ib_Arena *arena)
{
    size_t bodies = (size_t)body_room, contacts = (size_t)contact_room;
    size_t dense = bodies * (bodies - 1) / 2, wide = bodies * (size_t)(16 + 6 * sqrt(body_room));
    workspace->root = ib_arena_array(arena, bodies, sizeof *workspace->root);
    workspace->change = ib_arena_array(arena, bodies, sizeof *workspace->change);
    workspace->place = ib_arena_array(arena, bodies, sizeof *workspace->place);
    workspace->right = ib_arena_array(arena, 3 * bodies, sizeof *workspace->right);
    workspace->contacts = ib_arena_array(arena, contacts, sizeof *workspace->contacts);
    workspace->neighbour =
        ib_arena_array(arena, 2 * contacts + 2 * bodies + 1, sizeof *workspace->neighbour);
    return workspace->root && workspace->change && workspace->place && workspace->right &&
           workspace->contacts && workspace->neighbour &&
           ib__skyline_workspace_init(&workspace->systems, body_room, dense < wide ? dense : wide,
                                      arena);
}

void ib__law_create(ib__LawWorkspace *workspace, int body, int body_count, int contact,
                    int contact_count, ib__Law *law)
{
    if (body == 0) ib__skyline_workspace_clear(&workspace->systems);
    *law = (ib__Law){.body_count = body_count,
                     .contact_count = contact_count,
                     .root = workspace->root + body,
                     .change = workspace->change + body,
                     .contacts = workspace->contacts + contact,
                     .place = workspace->place + body,
                     .right = workspace->right + (size_t)3 * (size_t)body,
                     .system = ib__skyline_take(&workspace->systems, body_count)};
    ib__order_find(law, workspace->neighbour);
    law->ordered = ib__skyline_lay_out(&workspace->systems, &law->system);
}

// The factor of Cholesky, with empty columns for blocked motions.
void ib__law_root(const double W[9], double L[9])
{
    memset(L, 0, 9 * sizeof *L);
    for (int c = 0; c < 3; c++) {
        double d = W[4 * c];
        for (int k = 0; k < c; k++) d -= L[3 * c + k] * L[3 * c + k];
        if (!(d > 1e-14 * (c < 2 ? ib_max(W[0], W[4]) : W[8]))) continue;
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

// h of both sides, and the response of the two to a push along it.
static double measure_row(const ib__Law *law, const ib__Contact *contact, const ib__Row *row,
                          ib__Row *h)
{
    ib__law_measure(law->root[contact->body[0]], row->on[0], h->on[0]);
    double k = ib__dot(h->on[0], h->on[0]);
    if (contact->body[1] < 0) return k;
    ib__law_measure(law->root[contact->body[1]], row->on[1], h->on[1]);
    return k + ib__dot(h->on[1], h->on[1]);
}

void ib__law_renew_rows(ib__Law *law)
{
    law->soft = 0;
    for (int i = 0; i < law->contact_count; i++) {
        ib__Contact *contact = &law->contacts[i];
        for (int p = 0; p < contact->points; p++)
            contact->kn[p] = measure_row(law, contact, &contact->normal[p], &contact->hn[p]);
        contact->kt = measure_row(law, contact, &contact->tangent, &contact->ht);
    }
}

// ----------------------------------------------------------------------------------------- changes

double ib__law_normal(const ib__Law *law, const ib__Contact *contact, int point)
{
    return ib__normal_after(law, contact, point);
}

double ib__law_tangent(const ib__Law *law, const ib__Contact *contact)
{
    return ib__tangent_after(law, contact);
}

void ib__law_weaken(ib__Law *law, double share)
{
    for (int i = 0; i < law->contact_count; i++) {
        ib__Contact *contact = &law->contacts[i];
        for (int p = 0; p < contact->points; p++) contact->jn[p] *= share;
        contact->jt *= share;
    }
    ib__law_renew_changes(law);
}

// ----------------------------------------------------------------------------------------- solving

// Begins with the present impulses and an admissible pattern.
static void begin(ib__Law *law)
{
    law->scale = 0;
    for (int i = 0; i < law->contact_count; i++) {
        ib__Contact *contact = &law->contacts[i];
        for (int p = 0; p < 2; p++) {
            bool can = ib__can_push(contact, p);
            contact->is.closed[p] = can && (contact->is.closed[p] || contact->bound);
            if (can) law->scale = ib_max(law->scale, fabs(contact->vn[p] - contact->wanted[p]));
        }
        law->scale = ib_max(law->scale, fabs(contact->vt));
        if (contact->slide != 0)
            contact->is.grip = contact->slide > 0 ? IB__SLIDES_UP : IB__SLIDES_DOWN;
        if (contact->bound && contact->slide == 0) contact->is.grip = IB__STICKS;
    }
}

static void push_nothing(ib__Law *law)
{
    for (int i = 0; i < law->contact_count; i++)
        law->contacts[i].jn[0] = law->contacts[i].jn[1] = law->contacts[i].jt = 0;
    ib__law_renew_changes(law);
}

// A pattern that contradicts itself may end in numbers that are none.
static bool search(ib__Law *law)
{
    double sum = 0;
    if (!law->ordered || !ib__pattern_search(law)) return false;
    for (int i = 0; i < law->body_count; i++)
        for (int k = 0; k < 3; k++) sum += law->change[i][k];
    return fabs(sum) < INFINITY;
}

// Bonds that may all stick have an answer, at least without bounce. A slide that is there may have
// none, step after step, and a wide search would be in vain each time.
static bool may_stick(const ib__Law *law)
{
    bool free = law->ordered;
    for (int i = 0; i < law->contact_count; i++) free &= law->contacts[i].slide == 0;
    return free;
}

// Sweeps come near where a search fails, and mostly show the pattern.
static bool find(ib__Law *law)
{
    push_nothing(law);
    if (!(law->scale > 0) || search(law)) return true;
    push_nothing(law);
    if (ib__sweep(law, SWEEPS, NEARLY * law->scale) && search(law)) return true;
    if (may_stick(law) && ib__pattern_search_widely(law)) return true;
    push_nothing(law);
    ib__sweep(law, SWEEPS, NEARLY * law->scale);
    return false;
}

bool ib__law_solve(ib__Law *law)
{
    begin(law);
    law->wedged = false;
    law->laboured = false;
    law->recipe = (ib__Recipe){0};
    law->found = find(law);
    law->wedged &= !law->found;
    return law->found;
}

// Bonds that are all bound are one pattern, a linear system: where some of it contradicts itself,
// or nearly, its solution still is the nearest, which sweeps would not find.
void ib__law_bind(ib__Law *law)
{
    begin(law);
    push_nothing(law);
    if (!(law->scale > 0) || !law->ordered) return;
    if (!ib__law_is_pile(law) && search(law)) return;
    push_nothing(law);
    ib__pattern_bind(law);
}

void ib__law_hold(ib__Law *law)
{
    begin(law);
    push_nothing(law);
    if (law->scale > 0 && law->ordered) ib__pattern_hold(law);
}

void ib__law_follow(ib__Law *law)
{
    begin(law);
    push_nothing(law);
    if (!(law->scale > 0) || !law->ordered) return;
    if (law->recipe.approaches > 0)
        ib__pattern_follow(law);
    else
        ib__pattern_hold(law);
}

bool ib__law_sweep(ib__Law *law, int times, double allowed)
{
    begin(law);
    return ib__sweep(law, times, allowed);
}
