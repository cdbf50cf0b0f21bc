// world/rest.c: contacts that rest: their modes, and their forces. docs/world/world.md, "Rest"
//
// The law of world/law.h for forces: at each point a force lambda pushes the two apart,
//   gap'' >= 0,   lambda >= 0,   one of them 0
// A pair that slides has its full friction against the slide. One that does not slide sticks, as
// far as mu lambda reaches:
//   slide'' = 0   or   |friction| = mu lambda against it
// Speeds that a contact does not allow, left by a step, are removed at its end, which never adds
// energy; penetration, which stores none, is shifted out.
#include "base/extreme.h"
#include "world/contact.h"
#include "world/pile.h"
#include "world/workspace.h"

#include <math.h>
#include <string.h>

enum {
    SHIFTS = 60, ///< sweeps for their shifts, at most
    TAKES = 4,   ///< times that points which were left out are taken in, at most
    PARTS = 16,  ///< a swing takes at least this part of the rest of a step
};

#define STILL   1e-9  ///< a slide this slow is none [m/s]
#define SHORT   1e-9  ///< a slide that would end within this way ends at once [m]
#define LEFT    1e-11 ///< less of a speed that a contact does not allow is none [m/s]
#define LONGEST 5e-3  ///< piece with many bodies [s]
#define OBEYED  1e-6  ///< a speed against a contact that is left, at most [m/s]
#define PRESSED 1e-4  ///< a point of a pile that comes closer faster than this is pressed [m/s]
#define SOON    1e-3  ///< one with a gap is, if it closes within this time [s]
#define SUNK    1e-7  ///< IB_REST_SLACK of a pile [m]
#define SWINGS  0.2   ///< angle of a swing that a piece may be long, at most [rad]
#define JAMS    1e-6  ///< full friction that leaves less than this of a push's answer jams

// ------------------------------------------------------------------------------------------- modes

// A push with full friction against the slide that would press the two together, or nearly (the
// case of Painlevé): no force can be found, and the slide ends in a jolt.
static bool jams(const ib__Contact *contact, int slide)
{
    double share = slide > 0 ? -contact->friction : contact->friction;
    for (int p = 0; p < contact->points; p++) {
        double knt = 0;
        for (int side = 0; side < 2 && contact->body[side] >= 0; side++)
            knt += ib__dot(contact->hn[p].on[side], contact->ht.on[side]);
        if (contact->kn[p] + share * knt < JAMS * contact->kn[p]) return true;
    }
    return false;
}

// Keeps facts of a pair from the last forces: the points that push, whether a sticking pair has
// begun to slide, and the course of a slide.
void ib_world_remember(ib_WorldWorkspace *workspace, ib_Rests *rests)
{
    for (int k = 0, i = 0; k < rests->count; k++) {
        ib_Rest *rest = &rests->items[k];
        workspace->brakes[k] = 0;
        rest->fresh = false;
        while (i < workspace->touch_count && workspace->touches[i].pair < rest->pair) i++;
        if (i == workspace->touch_count || workspace->touches[i].pair != rest->pair) continue;
        const ib__Contact *contact = &workspace->law.contacts[workspace->contact_of[i]];
        const ib__Law *law = &workspace->islands[workspace->home[workspace->touches[i].frame[0]]];
        if (law->held) continue;
        rest->crowded |= law->laboured && ib__law_is_large(law);
        rest->closed = contact->is.closed[0] | contact->is.closed[1] << 1;
        rest->points = contact->points;
        memcpy(rest->push, contact->jn, sizeof rest->push);
        rest->friction_force = contact->jt;
        bool slips = rest->slide == 0 && rest->closed != 0 && contact->friction > 0;
        rest->strain = !slips || contact->is.grip == IB__STICKS ? 0
                       : contact->is.grip == IB__SLIDES_UP      ? 1
                                                                : -1;
        if (ib__law_is_pile(law)) continue; // its slides have no modes
        if (slips) rest->slide = rest->strain;
        workspace->brakes[k] = -rest->slide * ib__law_tangent(law, contact);
        if (rest->slide == 0) continue;
        if (law->wedged || (!law->found && jams(contact, rest->slide)))
            workspace->brakes[k] = INFINITY;
    }
}

// Touches of the pairs that still rest; the others are dropped.
static void find_touches(const ib_World *world, ib_WorldWorkspace *workspace, ib_Rests *rests)
{
    workspace->touch_count = 0;
    for (int i = 0; i < rests->count; i++) {
        const ib_Rest *rest = &rests->items[i];
        ib__Touch *touch = &workspace->touches[workspace->touch_count];
        if (!ib__workspace_touch(world, workspace, rest->pair, ib__rest_gap(rest), touch)) continue;
        workspace->brakes[workspace->touch_count] = workspace->brakes[i];
        rests->items[workspace->touch_count++] = rests->items[i];
    }
    rests->count = workspace->touch_count;
}

static bool is_pile(const ib_WorldWorkspace *workspace, int touch)
{
    return ib__law_is_pile(
        &workspace->islands[workspace->home[workspace->touches[touch].frame[0]]]);
}

static void classify(ib_WorldWorkspace *workspace, ib_Rests *rests)
{
    for (int i = 0; i < workspace->touch_count; i++) {
        ib_Rest *rest = &rests->items[i];
        const ib__Contact *contact = &workspace->law.contacts[workspace->contact_of[i]];
        double slide = workspace->contact_states[i].vt, v = slide * rest->slide;
        if (is_pile(workspace, i)) {
            rest->slide = 0;
            continue;
        }
        if (!(v > STILL) || v * v <= 2 * SHORT * workspace->brakes[i]) rest->slide = 0;
        if (fabs(slide) > IB_REST_SPEED) rest->slide = slide > 0 ? 1 : -1; // it was pushed
        // Forces after a new hit are not known yet.
        bool unknown = rest->slide != 0 && rest->fresh;
        if (workspace->brakes[i] == INFINITY || (unknown && jams(contact, rest->slide)))
            rest->slide = 0;
    }
}

// ---------------------------------------------------------------------------------------- settling

// A pair that had one point and has two, or the other way round: those that touch push.
static void count_points(ib_WorldWorkspace *workspace, ib_Rests *rests)
{
    for (int i = 0; i < workspace->touch_count; i++) {
        const ib__ContactState *contact_state = &workspace->contact_states[i];
        ib_Rest *rest = &rests->items[i];
        for (int p = 0; p < workspace->touches[i].points; p++)
            if (contact_state->gap[p] > IB_REST_GAP) rest->closed &= ~(1 << p); // near, in a pile
        if (rest->points == workspace->touches[i].points) continue;
        bool pushes = rest->closed != 0;
        rest->points = workspace->touches[i].points;
        rest->closed = 0;
        for (int p = 0; p < rest->points && pushes; p++)
            if (contact_state->gap[p] <= IB_TOUCH_GAP) rest->closed |= 1 << p;
    }
}

// Binds the speeds that must be 0: those of points that push, of points that come in too slowly for
// a hit, and slides of sticking pairs. Returns the largest remaining one.
static double bind(ib_WorldWorkspace *workspace, const ib_Rests *rests)
{
    double most = 0;
    for (int i = 0; i < workspace->touch_count; i++) {
        const ib__ContactState *contact_state = &workspace->contact_states[i];
        const ib_Rest *rest = &rests->items[i];
        ib__Contact *contact = &workspace->law.contacts[workspace->contact_of[i]];
        double own = ib__contact_rest_speed(contact_state),
               most_in = ib__larger(workspace->slow.bounce, own);
        double most_out = ib__larger(workspace->slow.leave, own);
        contact->bound = true;
        contact->slide = rest->slide;
        contact->vt = contact_state->vt;
        for (int p = 0; p < contact->points; p++) {
            double vn = contact_state->vn[p];
            bool pushes = rest->closed >> p & 1, touches = contact_state->gap[p] <= IB_TOUCH_GAP;
            contact->vn[p] = vn;
            contact->wanted[p] = 0;
            contact->away[p] =
                !(pushes || (touches && vn < -LEFT)) || vn > most_out || -vn > most_in;
            if (!contact->away[p])
                most = ib__larger(most, fabs(vn));
            else
                contact->wanted[p] = -PRESSED - ib__larger(0, contact_state->gap[p]) / SOON;
        }
        bool acts = !contact->away[0] || (contact->points > 1 && !contact->away[1]);
        bool slips = rest->slide != 0 || (is_pile(workspace, i) && rest->strain != 0);
        if (slips || !acts) contact->friction = 0;
        if (contact->friction > 0) most = ib__larger(most, fabs(contact_state->vt));
    }
    return most;
}

// L y
static ib_Push motion_of(const double *L, const double *y)
{
    return (ib_Push){L[0] * y[0], L[3] * y[0] + L[4] * y[1],
                     L[6] * y[0] + L[7] * y[1] + L[8] * y[2]};
}

// The change of motion of each body, from the law's.
static void collect_motions(const ib_World *world, const ib_WorldWorkspace *workspace,
                            ib_Push *motions)
{
    memset(motions, 0, (size_t)world->body_count * sizeof *motions);
    for (int i = 0; i < workspace->island_body[workspace->island_count]; i++)
        motions[workspace->body_of[i]] =
            motion_of(workspace->law.root[i], workspace->law.change[i]);
}

// Kinetic energy lost by each body: -J . (v- + v+)/2
void ib__workspace_lose(const ib_World *world, ib_WorldWorkspace *workspace,
                        const ib_BodyState *bodies, const double *inverse_mass)
{
    for (int i = 0; i < world->body_count; i++) {
        const double *W = inverse_mass + 9 * i;
        const ib_Push *J = &workspace->pushes[i];
        double dvx = W[0] * J->x + W[1] * J->y + W[2] * J->turn;
        double dvy = W[3] * J->x + W[4] * J->y + W[5] * J->turn;
        double dw = W[6] * J->x + W[7] * J->y + W[8] * J->turn;
        workspace->lost[i] = -(J->x * (bodies[i].vx + dvx / 2) + J->y * (bodies[i].vy + dvy / 2) +
                               J->turn * (bodies[i].w + dw / 2));
    }
}

static bool is_obeyed(const ib__Law *law)
{
    bool good = true;
    for (int i = 0; i < law->contact_count; i++)
        for (int p = 0; p < law->contacts[i].points; p++)
            if (ib__can_push(&law->contacts[i], p))
                good &= fabs(ib__law_normal(law, &law->contacts[i], p)) <= OBEYED;
    return good;
}

// Between a gate and a wall not all contacts can stay: one that leaves, leaves.
static bool let_go(ib__Law *law)
{
    bool some = false;
    for (int i = 0; i < law->contact_count; i++)
        for (int p = 0; p < law->contacts[i].points; p++) {
            if (law->contacts[i].away[p] || !(law->contacts[i].vn[p] > LEFT)) continue;
            law->contacts[i].away[p] = some = true;
        }
    return some;
}

// Includes points without a part that the others would press.
static bool take_in(ib__Law *law)
{
    bool some = false;
    for (int i = 0; i < law->contact_count; i++) {
        ib__Contact *contact = &law->contacts[i];
        for (int p = 0; p < contact->points; p++) {
            if (!contact->away[p] || ib__law_normal(law, contact, p) >= contact->wanted[p])
                continue;
            contact->away[p] = false;
            contact->wanted[p] = 0;
            some = true;
        }
    }
    return some;
}

static void end_speeds(const ib_World *world, ib_WorldWorkspace *workspace,
                       const ib_BodyState *bodies, const double *inverse_mass)
{
    for (int k = 0; k < workspace->island_count; k++) {
        ib__Law *law = &workspace->islands[k];
        ib__law_bind(law);
        if (!is_obeyed(law) && let_go(law)) ib__law_bind(law);
        for (int i = 0; i < TAKES && ib__law_is_pile(law) && take_in(law); i++) ib__law_bind(law);
    }
    ib__workspace_collect(world, workspace, workspace->pushes);
    ib__workspace_lose(world, workspace, bodies, inverse_mass);
}

// The same law for places: gaps instead of speeds, shifts instead of changes of motion. Nothing
// that touches may be inside another.
static void set_gaps(const ib__ContactState *contact_state, ib__Contact *contact)
{
    contact->vt = 0;
    contact->bound = false;
    contact->slide = 0;
    contact->friction = 0;
    contact->jt = 0;
    for (int p = 0; p < contact->points; p++) {
        contact->vn[p] = contact_state->gap[p];
        contact->wanted[p] = 0;
        contact->jn[p] = 0;
        contact->is.closed[p] = contact->vn[p] < 0;
        contact->away[p] = false;
    }
}

// Shifts a pile by sweeps, as if all bodies had the same mass: a shift is no motion, and a light
// body before a heavy one would have to be swept many times.
static void shift_pile(ib__Law *law)
{
    for (int i = 0; i < law->body_count; i++) {
        double *L = law->root[i], size = sqrt(L[0] * L[0] + L[3] * L[3] + L[4] * L[4]);
        for (int k = 0; k < 9 && size > 0; k++) L[k] /= size;
    }
    ib__law_renew_rows(law);
    ib__law_sweep(law, SHIFTS, SUNK / 2);
}

static bool is_deep(const ib_WorldWorkspace *workspace, int k)
{
    const ib__Law *law = &workspace->islands[k];
    double allowed = ib__law_is_pile(law) ? SUNK : IB_REST_SLACK;
    bool deep = false;
    for (int i = 0; i < law->contact_count; i++) {
        const ib__ContactState *contact_state =
            &workspace->contact_states[workspace->touch_of[workspace->island_contact[k] + i]];
        for (int p = 0; p < law->contacts[i].points; p++) deep |= contact_state->gap[p] < -allowed;
    }
    return deep;
}

// Islands in which something has sunk in. False: there are none.
static bool shift(const ib_World *world, ib_WorldWorkspace *workspace)
{
    bool some = false;
    for (int k = 0; k < workspace->island_count; k++) {
        ib__Law *law = &workspace->islands[k];
        memset(law->change, 0, (size_t)law->body_count * sizeof *law->change);
        if (!is_deep(workspace, k)) continue;
        for (int i = 0; i < law->contact_count; i++)
            set_gaps(
                &workspace->contact_states[workspace->touch_of[workspace->island_contact[k] + i]],
                &law->contacts[i]);
        if (ib__law_is_pile(law))
            shift_pile(law);
        else
            ib__law_solve(law);
        some = true;
    }
    collect_motions(world, workspace, workspace->shifts);
    return some;
}

// The contacts as `ib_world_rest` needs them: the start of a search, and the points that may push.
// A point that opens has separated.
static void make_ready(ib_WorldWorkspace *workspace, ib_Rests *rests)
{
    for (int i = 0; i < workspace->touch_count; i++) {
        ib_Rest *rest = &rests->items[i];
        const ib__ContactState *contact_state = &workspace->contact_states[i];
        // Impulses may have ended a slide, or turned it around.
        if (rest->slide != 0 && !(rest->slide * contact_state->vt > STILL))
            rest->slide = fabs(contact_state->vt) <= STILL ? 0 : contact_state->vt > 0 ? 1 : -1;
        ib__Contact *contact = &workspace->law.contacts[workspace->contact_of[i]];
        rest->crowded = is_pile(workspace, i);
        contact->bound = false;
        contact->friction = workspace->touches[i].friction;
        contact->slide = rest->slide;
        memcpy(contact->jn, rest->push, sizeof contact->jn);
        contact->jt = rest->friction_force;
        // A contact that may stick, or begin to slide and jam at once, sticks.
        bool sticks = rest->strain == 0 || jams(contact, rest->strain);
        contact->is.grip = sticks ? IB__STICKS : rest->strain > 0 ? IB__SLIDES_UP : IB__SLIDES_DOWN;
        for (int p = 0; p < contact->points; p++) {
            // One that leaves would give energy; one that comes closer is slowed down.
            double vn = contact_state->vn[p], own = ib__contact_rest_speed(contact_state);
            bool pushes = (rest->closed >> p & 1) && vn <= OBEYED && -vn <= own;
            contact->away[p] = !is_pile(workspace, i) && !pushes &&
                               (contact_state->gap[p] > IB_TOUCH_GAP || vn > STILL || vn < -STILL);
            contact->is.closed[p] = !contact->away[p];
        }
        contact->hint = contact->is;
    }
}

// If the resting bodies have the places, and the pairs the order, of the last call, the same touch
// at the same points.
static bool is_where_it_was(const ib_WorldWorkspace *workspace, const ib_BodyState *bodies,
                            const ib_Rests *rests)
{
    if (rests->count != workspace->touch_count) return false;
    for (int i = 0; i < rests->count; i++)
        if (rests->items[i].pair != workspace->touches[i].pair) return false;
    const int *resting;
    int count = ib_world_resting(workspace, &resting);
    for (int i = 0; i < count; i++) {
        const ib_BodyState *now = &bodies[resting[i]], *then = &workspace->looked_at[resting[i]];
        if (now->x != then->x || now->y != then->y || now->heading != then->heading) return false;
    }
    return true;
}

// Updates places, touches, and the contacts' rows.
static void look(const ib_World *world, ib_WorldWorkspace *workspace, const ib_BodyState *bodies,
                 const ib_BodyState *movers, const double *inverse_mass, ib_Rests *rests)
{
    bool same = workspace->looked && is_where_it_was(workspace, bodies, rests);
    ib__workspace_place(world, workspace, bodies, movers);
    if (!same) find_touches(world, workspace, rests);
    if (!same) ib__workspace_islands(world, workspace);
    ib__workspace_mark_crowds(workspace, rests->items);
    workspace->looked = world->mover_count == 0;
    if (!same) memcpy(workspace->looked_at, bodies, (size_t)world->body_count * sizeof *bodies);
    ib__workspace_stand(workspace, inverse_mass);
    count_points(workspace, rests);
}

void ib_world_ready(const ib_World *world, ib_WorldWorkspace *workspace, const ib_BodyState *bodies,
                    const ib_BodyState *movers, const double *inverse_mass, ib_Rests *rests)
{
    look(world, workspace, bodies, movers, inverse_mass, rests);
    make_ready(workspace, rests);
}

bool ib_world_settle(const ib_World *world, ib_WorldWorkspace *workspace,
                     const ib_BodyState *bodies, const ib_BodyState *movers,
                     const double *inverse_mass, ib_Rests *rests, ib_Settling *settling)
{
    *settling = (ib_Settling){.lost = workspace->lost};
    look(world, workspace, bodies, movers, inverse_mass, rests);
    classify(workspace, rests);
    if (bind(workspace, rests) > LEFT) {
        end_speeds(world, workspace, bodies, inverse_mass);
        settling->impulses = workspace->pushes;
    }
    if (shift(world, workspace)) settling->shifts = workspace->shifts;
    ib__workspace_forget_brakes(workspace, rests->count);
    workspace->slow = (ib_Slow){0, 0, 0};
    bool changes = settling->impulses || settling->shifts;
    if (!changes) make_ready(workspace, rests);
    return changes;
}

// ------------------------------------------------------------------------------------------ forces

static double along(const ib__Row *row, const ib_Push *a, const ib_Push *b)
{
    const double *p = row->on[0], *q = row->on[1];
    double sum = p[0] * a->x + p[1] * a->y + p[2] * a->turn;
    return b ? sum + q[0] * b->x + q[1] * b->y + q[2] * b->turn : sum;
}

// Accelerations of the contacts without their forces.
static void set_accelerations(const ib_World *world, ib_WorldWorkspace *workspace, int k,
                              const ib__ContactState *contact_states, const ib_Push *free)
{
    ib__Law *law = &workspace->islands[k];
    for (int i = 0; i < law->contact_count; i++) {
        int at = workspace->touch_of[workspace->island_contact[k] + i];
        const ib__Touch *touch = &workspace->touches[at];
        const ib__ContactState *contact_state = &contact_states[at];
        ib__Contact *contact = &law->contacts[i];
        const ib_Push *a = &free[touch->frame[0]];
        const ib_Push *b = touch->frame[1] < world->body_count ? &free[touch->frame[1]] : NULL;
        for (int p = 0; p < touch->points; p++) {
            contact->vn[p] = along(&contact->normal[p], a, b) + contact_state->an[p];
            contact->wanted[p] = 0;
        }
        contact->vt = along(&contact->tangent, a, b) + contact_state->at;
        // Always from the same start, so that forces are a function of the state within a piece.
        if (!workspace->follows || !law->found) contact->is = contact->hint;
    }
}

// `ready`: the state is the one that the workspace was made ready for, and its contacts are known.
static void solve_island(const ib_World *world, ib_WorldWorkspace *workspace, int k, bool ready,
                         const ib_BodyState *bodies, const ib_Push *free,
                         const double *inverse_mass)
{
    ib__Law *law = &workspace->islands[k];
    ib__ContactState *contact_states = ib__room_contact_states(workspace, law);
    if (ib__law_is_pile(law) && !workspace->begins) return;
    if (contact_states == workspace->contact_states_now && !ready)
        ib__workspace_stand_island(workspace, k, inverse_mass, contact_states);
    for (int i = 0;
         contact_states == workspace->contact_states_now && ready && i < law->contact_count; i++) {
        int at = workspace->touch_of[workspace->island_contact[k] + i];
        contact_states[at] = workspace->contact_states[at];
    }
    set_accelerations(world, workspace, k, contact_states, free);
    if (ib__law_is_pile(law))
        ib__pile_solve(workspace, k, bodies, inverse_mass);
    else if (workspace->follows && law->found)
        ib__law_follow(law);
    else
        ib__law_solve(law);
}

void ib_world_follow(ib_WorldWorkspace *workspace, bool follows)
{
    workspace->follows = follows;
}

static void rest(const ib_World *world, ib_WorldWorkspace *workspace, bool ready,
                 const ib_BodyState *bodies, const ib_Push *free, const double *inverse_mass,
                 ib_Push *forces)
{
    for (int k = 0; k < workspace->island_count; k++)
        if (!workspace->islands[k].held)
            solve_island(world, workspace, k, ready, bodies, free, inverse_mass);
    workspace->begins = workspace->struck = false;
    ib__workspace_collect(world, workspace, forces);
}

void ib_world_rest(const ib_World *world, ib_WorldWorkspace *workspace, const ib_BodyState *bodies,
                   const ib_BodyState *movers, const ib_Push *free, const double *inverse_mass,
                   ib_Push *forces)
{
    ib__workspace_place_resting(world, workspace, bodies, movers);
    rest(world, workspace, false, bodies, free, inverse_mass, forces);
}

void ib_world_rest_ready(const ib_World *world, ib_WorldWorkspace *workspace,
                         const ib_BodyState *bodies, const ib_Push *free,
                         const double *inverse_mass, ib_Push *forces)
{
    rest(world, workspace, true, bodies, free, inverse_mass, forces);
}

void ib_world_rest_island(const ib_World *world, ib_WorldWorkspace *workspace, int island,
                          const ib_BodyState *bodies, const ib_BodyState *movers,
                          const ib_Push *free, const double *inverse_mass, ib_Push *forces)
{
    ib__workspace_place_resting(world, workspace, bodies, movers);
    solve_island(world, workspace, island, false, bodies, free, inverse_mass);
    workspace->struck = false;
    ib__workspace_collect(world, workspace, forces);
}

bool ib_world_is_new(const ib_Rests *rests)
{
    bool some = false;
    for (int i = 0; i < rests->count; i++)
        some |= rests->items[i].fresh && !rests->items[i].crowded;
    return some;
}

void ib_world_learn(ib_WorldWorkspace *workspace)
{
    for (int i = 0; i < workspace->touch_count; i++) {
        ib__Contact *contact = &workspace->law.contacts[workspace->contact_of[i]];
        contact->hint = contact->is;
    }
}

// Turning by an angle q, a corner at the distance r leaves the straight at the speed w r q^2/2,
// which must stay below the threshold of an impact.
static double longest_turn(double turning, double reach)
{
    double speed = turning * reach;
    double angle = speed > 0 ? sqrt(IB_REST_SPEED / speed) : IB_REST_TURN;
    return turning > 0 ? ib__smaller(angle, IB_REST_TURN) / turning : INFINITY;
}

double ib_world_turned(const ib_World *world, const ib_WorldWorkspace *workspace,
                       const ib_BodyState *bodies)
{
    double shortest = INFINITY;
    for (int i = 0; i < workspace->touch_count; i++)
        for (int side = 0; side < 2 && !is_pile(workspace, i); side++) {
            int body = workspace->touches[i].frame[side];
            if (body >= world->body_count || world->bodies[body].upright) continue;
            double reach = world->bodies[body].shape.core;
            if (reach > 0)
                shortest = ib__smaller(shortest, longest_turn(fabs(bodies[body].w), reach));
        }
    return shortest;
}

// A body that is pushed at one corner, F at the distance r, swings about it as a pendulum does that
// hangs or stands on its head: turn'' = +-(F r/I) turn
static double longest_swing(const ib__Law *law, const ib__Contact *contact, double reach)
{
    double square = 0; // of the pendulum's rate [1/s^2]
    for (int side = 0; side < 2 && contact->body[side] >= 0 && contact->points == 1; side++) {
        const double *turn = law->root[contact->body[side]] + 6;
        square = ib__larger(square, contact->jn[0] * reach * ib__dot(turn, turn));
    }
    return square > 0 ? SWINGS / sqrt(square) : INFINITY;
}

double ib_world_piece(ib_WorldWorkspace *workspace, double most)
{
    double shortest = most, least = most / PARTS;
    for (int i = 0; i < workspace->touch_count; i++) {
        const ib__ContactState *contact_state = &workspace->contact_states[i];
        const ib__Law *law = &workspace->islands[workspace->home[workspace->touches[i].frame[0]]];
        const ib__Contact *contact = &workspace->law.contacts[workspace->contact_of[i]];
        if (ib__law_is_pile(law)) continue; // its forces do not turn
        shortest =
            ib__smaller(shortest, longest_turn(contact_state->turning, contact_state->reach));
        shortest =
            ib__smaller(shortest, ib_max(least, longest_swing(law, contact, contact_state->reach)));
    }
    for (int k = 0; k < workspace->island_count; k++)
        if (ib__law_is_pile(&workspace->islands[k]) && !workspace->islands[k].held)
            shortest = ib__smaller(shortest, LONGEST);
    workspace->piece = shortest;
    workspace->begins = true;
    return shortest;
}
