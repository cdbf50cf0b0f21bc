// world/impact.c: the impulses at the instant at which outlines meet. docs/world/world.md, "Impact"
//
// The law of world/law.h with  wanted = -e(vn-) vn-  where the approach is faster than
// IB_REST_SPEED. One point alone without friction:  jn = -(1 + e) vn- /
// (1/M + (r x n)^2/I)   [B8, section 12]
#include "world/workspace.h"

#include <math.h>
#include <string.h>

enum {
    HALVINGS = 8, ///< of restitution, where it would gain energy
    SWEEPS = 200, ///< for many bodies
};

#define SLACK   1e-3  ///< of many bodies; closing speed that counts as rest [m/s]
#define ELASTIC 0.025 ///< 1 - e of an elastic hit
#define STUCK   1e-6  ///< closing speed beyond rounding, against 1 m/s or the largest speed

// The restitution of a yielding body falls with the speed of the hit:   e(v) = e0 (vy/v)^(1/4)
// beyond vy as in a plastic hit [Johnson, Contact Mechanics, 11.5]. Limits: v = vy -> e0; the speed
// afterwards, e v, still grows with v.
static double yielding(double restitution, double yield_speed, double v)
{
    bool yields = yield_speed > 0 && v > yield_speed;
    return yields ? restitution * sqrt(sqrt(yield_speed / v)) : restitution;
}

// Two bodies in series: the one of smaller restitution is softer and takes the hit.
static double pair_restitution(const ib_World *world, const ib__Touch *touch, double v)
{
    const ib_BodyConfig *a = &world->bodies[touch->frame[0]];
    double own = yielding(a->restitution, a->yield_speed, v);
    int element = touch->frame[1] - world->body_count;
    if (element >= 0) return ib__smaller(own, world->elements[element].restitution);
    const ib_BodyConfig *b = &world->bodies[touch->frame[1]];
    return ib__smaller(own, yielding(b->restitution, b->yield_speed, v));
}

// --------------------------------------------------------------------------------------- an island

typedef struct Hit {
    const ib_World *world;
    const ib_WorldWorkspace *workspace;
    ib_Slow slow;
    ib__Law *law;
    const int *touch_of; ///< of its contacts
} Hit;

static Hit hit_of(const ib_World *world, const ib_WorldWorkspace *workspace, ib_Slow slow,
                  int island)
{
    return (Hit){world, workspace, slow, &workspace->islands[island],
                 workspace->touch_of + workspace->island_contact[island]};
}

// Solves for the wanted speeds afterwards, with a part of the restitution; begins with the
// approaching points. False: the solution is approximate.
static bool solve(Hit *hit, double bounce)
{
    for (int k = 0; k < hit->law->contact_count; k++) {
        int i = hit->touch_of[k];
        const ib__ContactState *contact_state = &hit->workspace->contact_states[i];
        ib__Contact *contact = &hit->law->contacts[k];
        double slow = ib__larger(hit->slow.bounce, ib__contact_rest_speed(contact_state));
        contact->is.grip = IB__STICKS;
        contact->jt = 0;
        contact->friction = hit->workspace->touches[i].friction;
        for (int p = 0; p < contact->points; p++) {
            double v = -contact->vn[p];
            double e = v > slow ? pair_restitution(hit->world, &hit->workspace->touches[i], v) : 0;
            if (v * ib__larger(1 - e, ELASTIC) <= 1.5 * hit->slow.lag) e = 0;
            contact->wanted[p] = bounce * e * ib__larger(0, v);
            contact->is.closed[p] = true;
            contact->jn[p] = 0;
        }
    }
    if (!ib__law_is_pile(hit->law)) return ib__law_solve(hit->law);
    ib__law_sweep(hit->law, SWEEPS, SLACK);
    return true;
}

// Work of the impulses on the relative motion: j . (v- + v+)/2, which is the kinetic energy gained
// less what moving elements have put in. True if it exceeds rounding.
static bool gains(const ib__Law *law)
{
    double sum = 0, size = 0;
    for (int i = 0; i < law->contact_count; i++) {
        const ib__Contact *contact = &law->contacts[i];
        for (int p = 0; p < contact->points; p++) {
            sum += contact->jn[p] * (contact->vn[p] + ib__law_normal(law, contact, p)) / 2;
            size += fabs(contact->jn[p] * contact->vn[p]);
        }
        sum += contact->jt * (contact->vt + ib__law_tangent(law, contact)) / 2;
        size += fabs(contact->jt * contact->vt);
    }
    return sum > 2e-13 * size;
}

static bool bounces(const ib__Law *law)
{
    bool some = false;
    for (int i = 0; i < law->contact_count; i++)
        for (int p = 0; p < law->contacts[i].points; p++) some |= law->contacts[i].wanted[p] > 0;
    return some;
}

// Newton's restitution may gain energy where friction turns the sliding around (Kane and Levinson,
// 1985). Without bounce it cannot; the largest admissible part lies in between. With many bodies
// the part is 0 or 1.
static double solve_without_gain(Hit *hit)
{
    if (solve(hit, 1) && !gains(hit->law)) return 1;
    double low = 0, high = 1;
    for (int i = 0; i < HALVINGS && bounces(hit->law) && !ib__law_is_pile(hit->law); i++) {
        double middle = (low + high) / 2;
        if (solve(hit, middle) && !gains(hit->law))
            low = middle;
        else
            high = middle;
    }
    solve(hit, low);
    return low;
}

// The pair with the largest remaining closing speed; -1: the law holds everywhere.
static int find_stuck(const Hit *hit)
{
    bool pile = ib__law_is_pile(hit->law); // where sweeps leave more, which is no crush
    double most = pile ? IB_REST_SPEED : STUCK * ib__larger(1, hit->law->scale);
    int pair = -1;
    for (int k = 0; k < hit->law->contact_count; k++) {
        const ib__Contact *contact = &hit->law->contacts[k];
        for (int p = 0; p < contact->points; p++) {
            double closing = -ib__law_normal(hit->law, contact, p);
            if (closing > most) pair = hit->workspace->touches[hit->touch_of[k]].pair;
            most = ib__larger(most, closing);
        }
    }
    return pair;
}

// ------------------------------------------------------------------------------------- coming rest

// A pair rests on the points that neither have bounced nor fly off; it slides as it does after the
// hit. Separation below the threshold is none, or two corners would rock for ever on the rounding
// of a step.
static bool comes_to_rest(const Hit *hit, const ib__Contact *contact,
                          const ib__ContactState *contact_state, ib_Rest *rest)
{
    bool pushes = false;
    double slow = ib__larger(hit->slow.leave, ib__contact_rest_speed(contact_state));
    rest->closed = rest->strain = 0;
    rest->crowded = ib__law_is_pile(hit->law);
    rest->fresh = true;
    rest->points = contact->points;
    for (int p = 0; p < contact->points; p++) {
        if (contact->wanted[p] > 0) return false;
        pushes |= contact->jn[p] > 0;
        if (ib__law_normal(hit->law, contact, p) < slow) rest->closed |= 1 << p;
    }
    // In a pile the other bodies may hold it.
    if (rest->closed == 0 && !rest->crowded) return false;
    double slide = contact->friction > 0 ? ib__law_tangent(hit->law, contact) : 0;
    rest->slide = contact->is.grip == IB__STICKS || !pushes ? 0 : slide > 0 ? 1 : -1;
    return true;
}

// The modes of an island's pairs after the hit, at their touches' places; pair -1: it does
// not rest.
static void settle(const Hit *hit, ib_Rest *modes)
{
    for (int k = 0; k < hit->law->contact_count; k++) {
        int i = hit->touch_of[k];
        bool rests = comes_to_rest(hit, &hit->law->contacts[k], &hit->workspace->contact_states[i],
                                   &modes[i]);
        modes[i].pair = rests ? hit->workspace->touches[i].pair : -1;
    }
}

// Everything that touches: near pairs, and those that rest, with their modes.
static void find_touches(const ib_World *world, ib_WorldWorkspace *workspace, const ib_Rests *rests)
{
    int rest = 0;
    workspace->touch_count = 0;
    for (int i = 0; i < workspace->near.count && workspace->touch_count < workspace->touch_room;
         i++) {
        int pair = workspace->near.pairs[i];
        while (rest < rests->count && rests->items[rest].pair < pair) rest++;
        bool rests_now = rest < rests->count && rests->items[rest].pair == pair;
        ib__Touch *touch = &workspace->touches[workspace->touch_count];
        double most = rests_now ? ib__rest_gap(&rests->items[rest]) : IB_TOUCH_GAP;
        if (!ib__workspace_touch(world, workspace, pair, most, touch)) continue;
        workspace->modes[workspace->touch_count++] =
            rests_now ? rests->items[rest] : (ib_Rest){.pair = -1};
    }
}

// Speeds before it. Returns how many points there are.
static int set_speeds(ib_WorldWorkspace *workspace)
{
    int points = 0;
    for (int i = 0; i < workspace->touch_count; i++) {
        ib__Contact *contact = &workspace->law.contacts[workspace->contact_of[i]];
        contact->slide = 0;
        contact->bound = contact->away[0] = contact->away[1] = false;
        memcpy(contact->vn, workspace->contact_states[i].vn, sizeof contact->vn);
        contact->vt = workspace->contact_states[i].vt;
        contact->jn[0] = contact->jn[1] = contact->jt = 0;
        points += contact->points;
    }
    return points;
}

static bool comes_closer(const ib__Law *law, double faster)
{
    bool some = false;
    for (int i = 0; i < law->contact_count; i++)
        for (int p = 0; p < law->contacts[i].points; p++) some |= law->contacts[i].vn[p] < -faster;
    return some;
}

// Islands in which something comes closer are hit; where nothing does, those that sink in.
static bool hit_islands(const ib_World *world, ib_WorldWorkspace *workspace, ib_Slow slow,
                        double faster, ib_Impact *impact)
{
    bool some = false;
    for (int k = 0; k < workspace->island_count; k++) {
        if (!comes_closer(&workspace->islands[k], faster)) continue;
        Hit hit = hit_of(world, workspace, slow, k);
        impact->bounce = ib__smaller(impact->bounce, solve_without_gain(&hit));
        int stuck = find_stuck(&hit);
        if (stuck >= 0) impact->stuck = stuck;
        settle(&hit, workspace->modes);
        some = true;
    }
    return some;
}

void ib_world_impact(const ib_World *world, ib_WorldWorkspace *workspace,
                     const ib_BodyState *bodies, const ib_BodyState *movers,
                     const double *inverse_mass, ib_Slow slow, ib_Rests *rests, ib_Impact *impact)
{
    workspace->slow = slow;
    workspace->looked = false;
    workspace->struck = true;
    *impact = (ib_Impact){
        .impulses = workspace->pushes, .lost = workspace->lost, .bounce = 1, .stuck = -1};
    ib__near_update(world, &workspace->near, bodies, 0);
    ib__workspace_place(world, workspace, bodies, movers);
    find_touches(world, workspace, rests);
    ib__workspace_islands(world, workspace);
    ib__workspace_mark_crowds(workspace, workspace->modes);
    ib__workspace_stand(workspace, inverse_mass);
    impact->points = set_speeds(workspace);
    if (!hit_islands(world, workspace, slow, IB_APPROACH, impact))
        hit_islands(world, workspace, slow, 0, impact);
    ib__workspace_collect(world, workspace, workspace->pushes);
    ib__workspace_lose(world, workspace, bodies, inverse_mass);
    rests->count = 0;
    for (int i = 0; i < workspace->touch_count; i++)
        if (workspace->modes[i].pair >= 0) rests->items[rests->count++] = workspace->modes[i];
    ib__workspace_forget_brakes(workspace, rests->count);
}
