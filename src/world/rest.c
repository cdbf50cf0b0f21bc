// world/rest.c: contacts that rest: their modes, and their forces. docs/world.md, "Rest"
//
// The law of world/law.h for forces: at each point a force lambda pushes the two apart,
//   gap'' >= 0,   lambda >= 0,   one of them 0
// A pair that slides has its full friction against the slide. One that does not slide sticks, as
// far as mu lambda reaches:
//   slide'' = 0   or   |friction| = mu lambda against it
// What a step leaves of speeds that a contact does not allow is taken away when it ends, which
// never gives energy; what has sunk in is shifted out, which has none.
#include "base/extreme.h"
#include "world/bond.h"
#include "world/heap.h"
#include "world/room.h"

#include <math.h>
#include <string.h>

enum {
    SHIFTS = 60, ///< sweeps for their shifts, at most
    TAKES = 4,   ///< times that points which were left out are taken in, at most
    PARTS = 16,  ///< a swing takes this part of what is left of a step at least
};

#define STILL   1e-9  ///< a slide this slow is none [m/s]
#define SHORT   1e-9  ///< a slide that would end within this way ends at once [m]
#define LEFT    1e-11 ///< less of a speed that a contact does not allow is none [m/s]
#define LONGEST 5e-3  ///< piece with many bodies [s]
#define OBEYED  1e-6  ///< a speed against a contact that is left, at most [m/s]
#define PRESSED 1e-4  ///< a point of a heap that comes closer faster than this is pressed [m/s]
#define SOON    1e-3  ///< one with a gap is, if it closes within this time [s]
#define SUNK    1e-7  ///< IB_REST_SLACK of a heap [m]
#define SWINGS  0.2   ///< angle of a swing that a piece may be long, at most [rad]
#define JAMS    1e-6  ///< full friction that leaves less than this of a push's answer jams

// ------------------------------------------------------------------------------------------- modes

// A push with full friction against the slide that would press the two together, or nearly (the
// case of Painlevé): no force can be found, and the slide ends in a jolt.
static bool jams(const ib__Bond *bond, int slide)
{
    double share = slide > 0 ? -bond->friction : bond->friction;
    for (int p = 0; p < bond->points; p++) {
        double knt = 0;
        for (int side = 0; side < 2 && bond->body[side] >= 0; side++)
            knt += ib__dot(bond->hn[p].on[side], bond->ht.on[side]);
        if (bond->kn[p] + share * knt < JAMS * bond->kn[p]) return true;
    }
    return false;
}

// What is known of a pair from the forces last found: the points that push, whether a pair that
// stuck has begun to slide, and how a slide goes on.
void ib_world_remember(ib_WorldRoom *room, ib_Rests *rests)
{
    for (int k = 0, i = 0; k < rests->count; k++) {
        ib_Rest *rest = &rests->items[k];
        room->brakes[k] = 0;
        rest->fresh = false;
        while (i < room->touch_count && room->touches[i].pair < rest->pair) i++;
        if (i == room->touch_count || room->touches[i].pair != rest->pair) continue;
        const ib__Bond *bond = &room->law.bonds[room->bond_of[i]];
        const ib__Law *law = &room->islands[room->home[room->touches[i].frame[0]]];
        if (law->held) continue;
        rest->crowded |= law->laboured && ib__law_is_large(law);
        rest->closed = bond->is.closed[0] | bond->is.closed[1] << 1;
        rest->points = bond->points;
        memcpy(rest->push, bond->jn, sizeof rest->push);
        rest->rub = bond->jt;
        bool slips = rest->slide == 0 && rest->closed != 0 && bond->friction > 0;
        rest->strain = !slips || bond->is.grip == IB__STICKS ? 0
                       : bond->is.grip == IB__SLIDES_UP      ? 1
                                                             : -1;
        if (ib__law_is_heap(law)) continue; // its slides have no modes
        if (slips) rest->slide = rest->strain;
        room->brakes[k] = -rest->slide * ib__law_tangent(law, bond);
        if (rest->slide == 0) continue;
        if (law->wedged || (!law->found && jams(bond, rest->slide))) room->brakes[k] = INFINITY;
    }
}

// Touches of the pairs that still rest; the others are dropped.
static void find_touches(const ib_World *world, ib_WorldRoom *room, ib_Rests *rests)
{
    room->touch_count = 0;
    for (int i = 0; i < rests->count; i++) {
        const ib_Rest *rest = &rests->items[i];
        ib__Touch *touch = &room->touches[room->touch_count];
        if (!ib__room_touch(world, room, rest->pair, ib__rest_gap(rest), touch)) continue;
        room->brakes[room->touch_count] = room->brakes[i];
        rests->items[room->touch_count++] = rests->items[i];
    }
    rests->count = room->touch_count;
}

static bool is_heap(const ib_WorldRoom *room, int touch)
{
    return ib__law_is_heap(&room->islands[room->home[room->touches[touch].frame[0]]]);
}

static void classify(ib_WorldRoom *room, ib_Rests *rests)
{
    for (int i = 0; i < room->touch_count; i++) {
        ib_Rest *rest = &rests->items[i];
        const ib__Bond *bond = &room->law.bonds[room->bond_of[i]];
        double slide = room->stances[i].vt, v = slide * rest->slide;
        if (is_heap(room, i)) {
            rest->slide = 0;
            continue;
        }
        if (!(v > STILL) || v * v <= 2 * SHORT * room->brakes[i]) rest->slide = 0;
        if (fabs(slide) > IB_REST_SPEED) rest->slide = slide > 0 ? 1 : -1; // it was pushed
        // Of what was just hit no forces are known yet.
        bool unknown = rest->slide != 0 && rest->fresh;
        if (room->brakes[i] == INFINITY || (unknown && jams(bond, rest->slide))) rest->slide = 0;
    }
}

// ---------------------------------------------------------------------------------------- settling

// A pair that had one point and has two, or the other way round: those that touch push.
static void count_points(ib_WorldRoom *room, ib_Rests *rests)
{
    for (int i = 0; i < room->touch_count; i++) {
        const ib__Stance *stance = &room->stances[i];
        ib_Rest *rest = &rests->items[i];
        for (int p = 0; p < room->touches[i].points; p++)
            if (stance->gap[p] > IB_REST_GAP) rest->closed &= ~(1 << p); // near, in a heap
        if (rest->points == room->touches[i].points) continue;
        bool pushes = rest->closed != 0;
        rest->points = room->touches[i].points;
        rest->closed = 0;
        for (int p = 0; p < rest->points && pushes; p++)
            if (stance->gap[p] <= IB_TOUCH_GAP) rest->closed |= 1 << p;
    }
}

// Which speeds must be none: those of points that push, of points that come in too slowly for a
// hit, and slides of what sticks. The largest that is not.
static double bind(ib_WorldRoom *room, const ib_Rests *rests)
{
    double most = 0;
    for (int i = 0; i < room->touch_count; i++) {
        const ib__Stance *stance = &room->stances[i];
        const ib_Rest *rest = &rests->items[i];
        ib__Bond *bond = &room->law.bonds[room->bond_of[i]];
        double own = ib__stance_rest_speed(stance), most_in = ib__larger(room->slow.bounce, own);
        double most_out = ib__larger(room->slow.leave, own);
        bond->bound = true;
        bond->slide = rest->slide;
        bond->vt = stance->vt;
        for (int p = 0; p < bond->points; p++) {
            double vn = stance->vn[p];
            bool pushes = rest->closed >> p & 1, touches = stance->gap[p] <= IB_TOUCH_GAP;
            bond->vn[p] = vn;
            bond->wanted[p] = 0;
            bond->away[p] = !(pushes || (touches && vn < -LEFT)) || vn > most_out || -vn > most_in;
            if (!bond->away[p])
                most = ib__larger(most, fabs(vn));
            else
                bond->wanted[p] = -PRESSED - ib__larger(0, stance->gap[p]) / SOON;
        }
        bool acts = !bond->away[0] || (bond->points > 1 && !bond->away[1]);
        bool slips = rest->slide != 0 || (is_heap(room, i) && rest->strain != 0);
        if (slips || !acts) bond->friction = 0;
        if (bond->friction > 0) most = ib__larger(most, fabs(stance->vt));
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
static void collect_motions(const ib_World *world, const ib_WorldRoom *room, ib_Push *motions)
{
    memset(motions, 0, (size_t)world->body_count * sizeof *motions);
    for (int i = 0; i < room->island_body[room->island_count]; i++)
        motions[room->body_of[i]] = motion_of(room->law.root[i], room->law.change[i]);
}

// Kinetic energy lost by each body: -J . (v- + v+)/2
void ib__room_lose(const ib_World *world, ib_WorldRoom *room, const ib_BodyState *bodies,
                   const double *inverse_mass)
{
    for (int i = 0; i < world->body_count; i++) {
        const double *W = inverse_mass + 9 * i;
        const ib_Push *J = &room->pushes[i];
        double dvx = W[0] * J->x + W[1] * J->y + W[2] * J->turn;
        double dvy = W[3] * J->x + W[4] * J->y + W[5] * J->turn;
        double dw = W[6] * J->x + W[7] * J->y + W[8] * J->turn;
        room->lost[i] = -(J->x * (bodies[i].vx + dvx / 2) + J->y * (bodies[i].vy + dvy / 2) +
                          J->turn * (bodies[i].w + dw / 2));
    }
}

static bool is_obeyed(const ib__Law *law)
{
    bool good = true;
    for (int i = 0; i < law->bond_count; i++)
        for (int p = 0; p < law->bonds[i].points; p++)
            if (ib__can_push(&law->bonds[i], p))
                good &= fabs(ib__law_normal(law, &law->bonds[i], p)) <= OBEYED;
    return good;
}

// Between a gate and a wall not all that touches can stay: what leaves, leaves.
static bool let_go(ib__Law *law)
{
    bool some = false;
    for (int i = 0; i < law->bond_count; i++)
        for (int p = 0; p < law->bonds[i].points; p++) {
            if (law->bonds[i].away[p] || !(law->bonds[i].vn[p] > LEFT)) continue;
            law->bonds[i].away[p] = some = true;
        }
    return some;
}

// Points that took no part and would be pressed by what the others do take part.
static bool take_in(ib__Law *law)
{
    bool some = false;
    for (int i = 0; i < law->bond_count; i++) {
        ib__Bond *bond = &law->bonds[i];
        for (int p = 0; p < bond->points; p++) {
            if (!bond->away[p] || ib__law_normal(law, bond, p) >= bond->wanted[p]) continue;
            bond->away[p] = false;
            bond->wanted[p] = 0;
            some = true;
        }
    }
    return some;
}

static void end_speeds(const ib_World *world, ib_WorldRoom *room, const ib_BodyState *bodies,
                       const double *inverse_mass)
{
    for (int k = 0; k < room->island_count; k++) {
        ib__Law *law = &room->islands[k];
        ib__law_bind(law);
        if (!is_obeyed(law) && let_go(law)) ib__law_bind(law);
        for (int i = 0; i < TAKES && ib__law_is_heap(law) && take_in(law); i++) ib__law_bind(law);
    }
    ib__room_collect(world, room, room->pushes);
    ib__room_lose(world, room, bodies, inverse_mass);
}

// The same law for places: gaps instead of speeds, shifts instead of changes of motion. Nothing
// that touches may be inside another.
static void set_gaps(const ib__Stance *stance, ib__Bond *bond)
{
    bond->vt = 0;
    bond->bound = false;
    bond->slide = 0;
    bond->friction = 0;
    bond->jt = 0;
    for (int p = 0; p < bond->points; p++) {
        bond->vn[p] = stance->gap[p];
        bond->wanted[p] = 0;
        bond->jn[p] = 0;
        bond->is.closed[p] = bond->vn[p] < 0;
        bond->away[p] = false;
    }
}

// In a heap by sweeps, as if all bodies had the same mass: a shift is no motion, and a light body
// before a heavy one would have to be swept many times.
static void shift_heap(ib__Law *law)
{
    for (int i = 0; i < law->body_count; i++) {
        double *L = law->root[i], size = sqrt(L[0] * L[0] + L[3] * L[3] + L[4] * L[4]);
        for (int k = 0; k < 9 && size > 0; k++) L[k] /= size;
    }
    ib__law_renew_rows(law);
    ib__law_sweep(law, SHIFTS, SUNK / 2);
}

static bool is_deep(const ib_WorldRoom *room, int k)
{
    const ib__Law *law = &room->islands[k];
    double allowed = ib__law_is_heap(law) ? SUNK : IB_REST_SLACK;
    bool deep = false;
    for (int i = 0; i < law->bond_count; i++) {
        const ib__Stance *stance = &room->stances[room->touch_of[room->island_bond[k] + i]];
        for (int p = 0; p < law->bonds[i].points; p++) deep |= stance->gap[p] < -allowed;
    }
    return deep;
}

// Islands in which something has sunk in. False: there are none.
static bool shift(const ib_World *world, ib_WorldRoom *room)
{
    bool some = false;
    for (int k = 0; k < room->island_count; k++) {
        ib__Law *law = &room->islands[k];
        memset(law->change, 0, (size_t)law->body_count * sizeof *law->change);
        if (!is_deep(room, k)) continue;
        for (int i = 0; i < law->bond_count; i++)
            set_gaps(&room->stances[room->touch_of[room->island_bond[k] + i]], &law->bonds[i]);
        if (ib__law_is_heap(law))
            shift_heap(law);
        else
            ib__law_solve(law);
        some = true;
    }
    collect_motions(world, room, room->shifts);
    return some;
}

// The bonds as `ib_world_rest` needs them: what a search begins with, and what may push. A point
// that opens has come away.
static void make_ready(ib_WorldRoom *room, ib_Rests *rests)
{
    for (int i = 0; i < room->touch_count; i++) {
        ib_Rest *rest = &rests->items[i];
        const ib__Stance *stance = &room->stances[i];
        // Impulses may have ended a slide, or turned it around.
        if (rest->slide != 0 && !(rest->slide * stance->vt > STILL))
            rest->slide = fabs(stance->vt) <= STILL ? 0 : stance->vt > 0 ? 1 : -1;
        ib__Bond *bond = &room->law.bonds[room->bond_of[i]];
        rest->crowded = is_heap(room, i);
        bond->bound = false;
        bond->friction = room->touches[i].friction;
        bond->slide = rest->slide;
        memcpy(bond->jn, rest->push, sizeof bond->jn);
        bond->jt = rest->rub;
        // Of what may stick, or begin to slide and jam at once, it sticks.
        bool sticks = rest->strain == 0 || jams(bond, rest->strain);
        bond->is.grip = sticks ? IB__STICKS : rest->strain > 0 ? IB__SLIDES_UP : IB__SLIDES_DOWN;
        for (int p = 0; p < bond->points; p++) {
            // One that leaves would give energy; one that comes closer is slowed down.
            double vn = stance->vn[p], own = ib__stance_rest_speed(stance);
            bool pushes = (rest->closed >> p & 1) && vn <= OBEYED && -vn <= own;
            bond->away[p] = !is_heap(room, i) && !pushes &&
                            (stance->gap[p] > IB_TOUCH_GAP || vn > STILL || vn < -STILL);
            bond->is.closed[p] = !bond->away[p];
        }
        bond->hint = bond->is;
    }
}

// Have the bodies that rest the places, and the pairs the order, that were last looked at? Then the
// same touch at the same points.
static bool is_where_it_was(const ib_WorldRoom *room, const ib_BodyState *bodies,
                            const ib_Rests *rests)
{
    if (rests->count != room->touch_count) return false;
    for (int i = 0; i < rests->count; i++)
        if (rests->items[i].pair != room->touches[i].pair) return false;
    const int *resting;
    int count = ib_world_resting(room, &resting);
    for (int i = 0; i < count; i++) {
        const ib_BodyState *now = &bodies[resting[i]], *then = &room->looked_at[resting[i]];
        if (now->x != then->x || now->y != then->y || now->heading != then->heading) return false;
    }
    return true;
}

// Where everything is, who touches whom, and the bonds' rows.
static void look(const ib_World *world, ib_WorldRoom *room, const ib_BodyState *bodies,
                 const ib_BodyState *movers, const double *inverse_mass, ib_Rests *rests)
{
    bool same = room->looked && is_where_it_was(room, bodies, rests);
    ib__room_place(world, room, bodies, movers);
    if (!same) find_touches(world, room, rests);
    if (!same) ib__room_islands(world, room);
    ib__room_mark_crowds(room, rests->items);
    room->looked = world->mover_count == 0;
    if (!same) memcpy(room->looked_at, bodies, (size_t)world->body_count * sizeof *bodies);
    ib__room_stand(room, inverse_mass);
    count_points(room, rests);
}

void ib_world_ready(const ib_World *world, ib_WorldRoom *room, const ib_BodyState *bodies,
                    const ib_BodyState *movers, const double *inverse_mass, ib_Rests *rests)
{
    look(world, room, bodies, movers, inverse_mass, rests);
    make_ready(room, rests);
}

bool ib_world_settle(const ib_World *world, ib_WorldRoom *room, const ib_BodyState *bodies,
                     const ib_BodyState *movers, const double *inverse_mass, ib_Rests *rests,
                     ib_Settling *settling)
{
    *settling = (ib_Settling){.lost = room->lost};
    look(world, room, bodies, movers, inverse_mass, rests);
    classify(room, rests);
    if (bind(room, rests) > LEFT) {
        end_speeds(world, room, bodies, inverse_mass);
        settling->impulses = room->pushes;
    }
    if (shift(world, room)) settling->shifts = room->shifts;
    ib__room_forget_brakes(room, rests->count);
    room->slow = (ib_Slow){0, 0, 0};
    bool changes = settling->impulses || settling->shifts;
    if (!changes) make_ready(room, rests);
    return changes;
}

// ------------------------------------------------------------------------------------------ forces

static double along(const ib__Row *row, const ib_Push *a, const ib_Push *b)
{
    const double *p = row->on[0], *q = row->on[1];
    double sum = p[0] * a->x + p[1] * a->y + p[2] * a->turn;
    return b ? sum + q[0] * b->x + q[1] * b->y + q[2] * b->turn : sum;
}

// Accelerations of the bonds without their forces.
static void set_accelerations(const ib_World *world, ib_WorldRoom *room, int k,
                              const ib__Stance *stances, const ib_Push *free)
{
    ib__Law *law = &room->islands[k];
    for (int i = 0; i < law->bond_count; i++) {
        int at = room->touch_of[room->island_bond[k] + i];
        const ib__Touch *touch = &room->touches[at];
        const ib__Stance *stance = &stances[at];
        ib__Bond *bond = &law->bonds[i];
        const ib_Push *a = &free[touch->frame[0]];
        const ib_Push *b = touch->frame[1] < world->body_count ? &free[touch->frame[1]] : NULL;
        for (int p = 0; p < touch->points; p++) {
            bond->vn[p] = along(&bond->normal[p], a, b) + stance->an[p];
            bond->wanted[p] = 0;
        }
        bond->vt = along(&bond->tangent, a, b) + stance->at;
        // Always from the same start, so that forces are a function of the state within a piece.
        if (!room->follows || !law->found) bond->is = bond->hint;
    }
}

// `ready`: the state is the one that the room was made ready for, and its bonds are known.
static void solve_island(const ib_World *world, ib_WorldRoom *room, int k, bool ready,
                         const ib_BodyState *bodies, const ib_Push *free,
                         const double *inverse_mass)
{
    ib__Law *law = &room->islands[k];
    ib__Stance *stances = ib__room_stances(room, law);
    if (ib__law_is_heap(law) && !room->begins) return;
    if (stances == room->stances_now && !ready)
        ib__room_stand_island(room, k, inverse_mass, stances);
    for (int i = 0; stances == room->stances_now && ready && i < law->bond_count; i++) {
        int at = room->touch_of[room->island_bond[k] + i];
        stances[at] = room->stances[at];
    }
    set_accelerations(world, room, k, stances, free);
    if (ib__law_is_heap(law))
        ib__heap_solve(room, k, bodies, inverse_mass);
    else if (room->follows && law->found)
        ib__law_follow(law);
    else
        ib__law_solve(law);
}

void ib_world_follow(ib_WorldRoom *room, bool follows)
{
    room->follows = follows;
}

static void rest(const ib_World *world, ib_WorldRoom *room, bool ready, const ib_BodyState *bodies,
                 const ib_Push *free, const double *inverse_mass, ib_Push *forces)
{
    for (int k = 0; k < room->island_count; k++)
        if (!room->islands[k].held) solve_island(world, room, k, ready, bodies, free, inverse_mass);
    room->begins = room->struck = false;
    ib__room_collect(world, room, forces);
}

void ib_world_rest(const ib_World *world, ib_WorldRoom *room, const ib_BodyState *bodies,
                   const ib_BodyState *movers, const ib_Push *free, const double *inverse_mass,
                   ib_Push *forces)
{
    ib__room_place_resting(world, room, bodies, movers);
    rest(world, room, false, bodies, free, inverse_mass, forces);
}

void ib_world_rest_ready(const ib_World *world, ib_WorldRoom *room, const ib_BodyState *bodies,
                         const ib_Push *free, const double *inverse_mass, ib_Push *forces)
{
    rest(world, room, true, bodies, free, inverse_mass, forces);
}

void ib_world_rest_island(const ib_World *world, ib_WorldRoom *room, int island,
                          const ib_BodyState *bodies, const ib_BodyState *movers,
                          const ib_Push *free, const double *inverse_mass, ib_Push *forces)
{
    ib__room_place_resting(world, room, bodies, movers);
    solve_island(world, room, island, false, bodies, free, inverse_mass);
    room->struck = false;
    ib__room_collect(world, room, forces);
}

bool ib_world_is_new(const ib_Rests *rests)
{
    bool some = false;
    for (int i = 0; i < rests->count; i++)
        some |= rests->items[i].fresh && !rests->items[i].crowded;
    return some;
}

void ib_world_learn(ib_WorldRoom *room)
{
    for (int i = 0; i < room->touch_count; i++) {
        ib__Bond *bond = &room->law.bonds[room->bond_of[i]];
        bond->hint = bond->is;
    }
}

// Turning by an angle q, a corner at the distance r leaves the straight at the speed w r q^2/2,
// which must stay below what counts as an impact.
static double longest_turn(double turning, double reach)
{
    double speed = turning * reach;
    double angle = speed > 0 ? sqrt(IB_REST_SPEED / speed) : IB_REST_TURN;
    return turning > 0 ? ib__smaller(angle, IB_REST_TURN) / turning : INFINITY;
}

double ib_world_turned(const ib_World *world, const ib_WorldRoom *room, const ib_BodyState *bodies)
{
    double shortest = INFINITY;
    for (int i = 0; i < room->touch_count; i++)
        for (int side = 0; side < 2 && !is_heap(room, i); side++) {
            int body = room->touches[i].frame[side];
            if (body >= world->body_count || world->bodies[body].upright) continue;
            double reach = world->bodies[body].shape.core;
            if (reach > 0)
                shortest = ib__smaller(shortest, longest_turn(fabs(bodies[body].w), reach));
        }
    return shortest;
}

// A body that is pushed at one corner, F at the distance r, swings about it as a pendulum does that
// hangs or stands on its head: turn'' = +-(F r/I) turn
static double longest_swing(const ib__Law *law, const ib__Bond *bond, double reach)
{
    double square = 0; // of the pendulum's rate [1/s^2]
    for (int side = 0; side < 2 && bond->body[side] >= 0 && bond->points == 1; side++) {
        const double *turn = law->root[bond->body[side]] + 6;
        square = ib__larger(square, bond->jn[0] * reach * ib__dot(turn, turn));
    }
    return square > 0 ? SWINGS / sqrt(square) : INFINITY;
}

double ib_world_piece(ib_WorldRoom *room, double most)
{
    double shortest = most, least = most / PARTS;
    for (int i = 0; i < room->touch_count; i++) {
        const ib__Stance *stance = &room->stances[i];
        const ib__Law *law = &room->islands[room->home[room->touches[i].frame[0]]];
        const ib__Bond *bond = &room->law.bonds[room->bond_of[i]];
        if (ib__law_is_heap(law)) continue; // its forces do not turn
        shortest = ib__smaller(shortest, longest_turn(stance->turning, stance->reach));
        shortest = ib__smaller(shortest, ib_max(least, longest_swing(law, bond, stance->reach)));
    }
    for (int k = 0; k < room->island_count; k++)
        if (ib__law_is_heap(&room->islands[k]) && !room->islands[k].held)
            shortest = ib__smaller(shortest, LONGEST);
    room->piece = shortest;
    room->begins = true;
    return shortest;
}
