// world/rest.c: contacts that rest: their modes, and their forces. docs/world.md, "Rest"
//
// The law of world/law.h for forces: at each point a force lambda pushes the two apart,
//   gap'' >= 0,   lambda >= 0,   one of them 0
// A pair that slides has its full friction against the slide. One that does not slide sticks, as
// far as mu lambda reaches:
//   slide'' = 0   or   |friction| = mu lambda against it
// What a step leaves of speeds that a contact does not allow is taken away when it ends, which never
// gives energy; what has sunk in is shifted out, which has none.
#include "world/room.h"

#include <math.h>
#include <string.h>

#define STILL 1e-9  ///< a slide this slow is none [m/s]
#define SHORT 1e-9  ///< a slide that would end within this way ends at once [m]
#define LEFT  1e-11 ///< less of a speed that a contact does not allow is none [m/s]
#define JAMS  1e-6  ///< full friction that leaves less than this of a push's answer jams

// ------------------------------------------------------------------------------------------- modes

// What is known of a pair from the forces last found: the points that push, whether a pair that
// stuck has begun to slide, and how a slide goes on.
void ib_world_remember(const ib_World *world, ib_WorldRoom *room, ib_Rests *rests)
{
    for (int k = 0, i = 0; k < rests->count; k++) {
        ib_Rest *rest = &rests->items[k];
        room->brakes[k] = 0;
        while (i < room->touch_count && room->touches[i].pair < rest->pair) i++;
        if (i == room->touch_count || room->touches[i].pair != rest->pair) continue;
        const ib__Bond *bond = &room->law.bonds[room->bond_of[i]];
        const ib__Law law = ib__room_island_of(world, room, i);
        rest->closed = bond->closed[0] | bond->closed[1] << 1;
        bool slips = rest->slide == 0 && rest->closed != 0 && bond->friction > 0;
        rest->strain = !slips || bond->grip == IB__STICKS ? 0 : bond->grip == IB__SLIDES_UP ? 1 : -1;
        if (slips) rest->slide = rest->strain;
        room->brakes[k] = -rest->slide * ib__law_tangent(&law, bond);
    }
}

// Touches of the pairs that still rest; the others are dropped.
static void find_touches(const ib_World *world, ib_WorldRoom *room, ib_Rests *rests)
{
    room->touch_count = 0;
    for (int i = 0; i < rests->count; i++) {
        ib__Touch *touch = &room->touches[room->touch_count];
        if (!ib__room_touch(world, room, rests->items[i].pair, IB_REST_GAP, touch)) continue;
        room->brakes[room->touch_count] = room->brakes[i];
        rests->items[room->touch_count++] = rests->items[i];
    }
    rests->count = room->touch_count;
}

// A push with full friction against the slide that would press the two together, or nearly (the
// case of Painlevé): no force can be found, and the slide ends in a jolt.
static bool jams(const ib__Law *law, ib__Bond *bond, int slide)
{
    double share = slide > 0 ? -bond->friction : bond->friction;
    for (int p = 0; p < bond->points; p++) {
        double knn = 0, knt = 0;
        for (int side = 0; side < 2 && bond->body[side] >= 0; side++) {
            double hn[3], ht[3];
            ib__law_measure(law->root[bond->body[side]], bond->normal[p].on[side], hn);
            ib__law_measure(law->root[bond->body[side]], bond->tangent.on[side], ht);
            for (int k = 0; k < 3; k++) knn += hn[k] * hn[k], knt += hn[k] * ht[k];
        }
        if (knn + share * knt < JAMS * knn) return true;
    }
    return false;
}

static void classify(ib_WorldRoom *room, ib_Rests *rests)
{
    for (int k = 0; k < room->island_count; k++) {
        ib__Law law = ib__room_island(room, k);
        for (int at = 0; at < law.bond_count; at++) {
            int i = room->touch_of[room->island_bond[k] + at];
            ib_Rest *rest = &rests->items[i];
            double slide = room->stances[i].vt, v = slide * rest->slide;
            if (!(v > STILL) || v * v <= 2 * SHORT * room->brakes[i]) rest->slide = 0;
            if (fabs(slide) > IB_REST_SPEED) rest->slide = slide > 0 ? 1 : -1; // it was pushed
            if (rest->slide != 0 && jams(&law, &law.bonds[at], rest->slide)) rest->slide = 0;
        }
    }
}

// ---------------------------------------------------------------------------------------- settling

// Which speeds must be none: those of points that push, of points that come in too slowly for a
// hit, and slides of what sticks. The largest that is not.
static double bind(ib_WorldRoom *room, const ib_Rests *rests)
{
    double most = 0;
    for (int i = 0; i < room->touch_count; i++) {
        const ib__Stance *stance = &room->stances[i];
        const ib_Rest *rest = &rests->items[i];
        ib__Bond *bond = &room->law.bonds[room->bond_of[i]];
        double rest_speed = ib__larger(room->rest_speed, ib__stance_rest_speed(stance));
        bond->bound = true;
        bond->slide = rest->slide;
        bond->vt = stance->vt;
        for (int p = 0; p < bond->points; p++) {
            double vn = stance->vn[p];
            bool pushes = rest->closed >> p & 1, touches = stance->gap[p] <= IB_TOUCH_GAP;
            bond->vn[p] = vn;
            bond->wanted[p] = 0;
            bond->away[p] = !(pushes || (touches && vn < -LEFT)) || fabs(vn) > rest_speed;
            if (!bond->away[p]) most = ib__larger(most, fabs(vn));
        }
        bool acts = !bond->away[0] || (bond->points > 1 && !bond->away[1]);
        if (rest->slide != 0 || !acts) bond->friction = 0;
        if (bond->friction > 0) most = ib__larger(most, fabs(stance->vt));
    }
    return most;
}

// L y
static ib_Push motion_of(const double *L, const double *y)
{
    return (ib_Push){L[0] * y[0], L[3] * y[0] + L[4] * y[1], L[6] * y[0] + L[7] * y[1] + L[8] * y[2]};
}

// The change of motion of each body, from the law's.
static void collect_motions(const ib_World *world, const ib_WorldRoom *room, ib_Push *motions)
{
    memset(motions, 0, (size_t)world->body_count * sizeof *motions);
    for (int i = 0; i < room->law.body_count; i++)
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

static void solve_islands(ib_WorldRoom *room)
{
    for (int k = 0; k < room->island_count; k++) {
        ib__Law law = ib__room_island(room, k);
        ib__law_solve(&law);
    }
}

static void end_speeds(const ib_World *world, ib_WorldRoom *room, const ib_BodyState *bodies,
                       const double *inverse_mass)
{
    solve_islands(room);
    ib__room_collect(world, room, room->pushes);
    ib__room_lose(world, room, bodies, inverse_mass);
    for (int k = 0; k < room->island_count; k++) {
        ib__Law law = ib__room_island(room, k);
        for (int at = 0; at < law.bond_count; at++) {
            int i = room->touch_of[room->island_bond[k] + at];
            ib__Stance *stance = &room->stances[i];
            stance->vt = ib__law_tangent(&law, &law.bonds[at]);
            for (int p = 0; p < room->touches[i].points; p++)
                stance->vn[p] = ib__law_normal(&law, &law.bonds[at], p);
        }
    }
}

// The same law for places: gaps instead of speeds, shifts instead of changes of motion.
static void shift(const ib_World *world, ib_WorldRoom *room)
{
    for (int i = 0; i < room->touch_count; i++) {
        ib__Bond *bond = &room->law.bonds[room->bond_of[i]];
        bond->friction = bond->vt = 0;
        bond->bound = false;
        bond->slide = 0;
        for (int p = 0; p < bond->points; p++) {
            bond->vn[p] = room->stances[i].gap[p];
            bond->wanted[p] = 0;
            bond->away[p] = false;
            bond->closed[p] = bond->vn[p] < 0;
        }
    }
    solve_islands(room);
    collect_motions(world, room, room->shifts);
}

// The bonds as `ib_world_rest` needs them: what a search begins with, and what may push. A point
// that opens has come away.
static void make_ready(ib_WorldRoom *room, const ib_Rests *rests)
{
    for (int i = 0; i < room->touch_count; i++) {
        const ib_Rest *rest = &rests->items[i];
        const ib__Stance *stance = &room->stances[i];
        ib__Bond *bond = &room->law.bonds[room->bond_of[i]];
        bond->bound = false;
        bond->friction = room->touches[i].friction;
        bond->slide = rest->slide;
        bond->grip = rest->strain == 0 ? IB__STICKS : rest->strain > 0 ? IB__SLIDES_UP : IB__SLIDES_DOWN;
        for (int p = 0; p < bond->points; p++) {
            bool pushes = rest->closed >> p & 1;
            bond->away[p] = !pushes && (stance->gap[p] > IB_TOUCH_GAP || stance->vn[p] > STILL ||
                                        stance->vn[p] < -STILL);
            bond->closed[p] = !bond->away[p];
        }
    }
}

// Where everything is, who touches whom, and the bonds' rows.
static void look(const ib_World *world, ib_WorldRoom *room, const ib_BodyState *bodies,
                 const ib_BodyState *movers, const double *inverse_mass, ib_Rests *rests)
{
    ib__room_place(world, room, bodies, movers);
    find_touches(world, room, rests);
    ib__room_islands(world, room);
    ib__room_stand(world, room);
    ib__room_weigh(room, inverse_mass);
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
    bool deep = false;
    for (int i = 0; i < room->touch_count; i++)
        for (int p = 0; p < room->touches[i].points; p++)
            deep |= room->stances[i].gap[p] < -IB_REST_SLACK;
    if (deep) shift(world, room);
    if (deep) settling->shifts = room->shifts;
    ib__room_forget_brakes(room, rests->count);
    room->rest_speed = 0;
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

void ib_world_rest(const ib_World *world, ib_WorldRoom *room, const ib_BodyState *bodies,
                   const ib_BodyState *movers, const ib_Push *free, const double *inverse_mass,
                   ib_Push *forces)
{
    ib__room_place(world, room, bodies, movers);
    ib__room_weigh(room, inverse_mass);
    for (int i = 0; i < room->touch_count; i++) {
        const ib__Touch *touch = &room->touches[i];
        ib__Bond *bond = &room->law.bonds[room->bond_of[i]];
        ib__Stance stance;
        ib__touch_stand(touch, room->frames, &stance, bond);
        const ib_Push *a = &free[touch->frame[0]];
        const ib_Push *b = touch->frame[1] < world->body_count ? &free[touch->frame[1]] : NULL;
        for (int p = 0; p < touch->points; p++) {
            bond->vn[p] = along(&bond->normal[p], a, b) + stance.an[p];
            bond->wanted[p] = 0;
        }
        bond->vt = along(&bond->tangent, a, b) + stance.at;
    }
    for (int k = 0; k < room->island_count; k++) {
        ib__Law law = ib__room_island(room, k);
        if (!ib__law_solve(&law)) ib__law_solve_without_friction(&law);
    }
    ib__room_collect(world, room, forces);
}

// Turning by an angle q, a corner at the distance r leaves the straight at the speed w r q^2/2,
// which must stay below what counts as an impact.
double ib_world_longest_piece(const ib_World *world, const ib_WorldRoom *room)
{
    double shortest = INFINITY;
    (void)world;
    for (int i = 0; i < room->touch_count; i++) {
        const ib__Stance *stance = &room->stances[i];
        double w = stance->turning, speed = w * stance->reach;
        if (!(w > 0)) continue;
        double angle = speed > 0 ? sqrt(IB_REST_SPEED / speed) : IB_REST_TURN;
        shortest = ib__smaller(shortest, ib__smaller(angle, IB_REST_TURN) / w);
    }
    return shortest;
}
