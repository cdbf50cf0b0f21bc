// world/island.c: bodies that touch each other, directly or through others, and how they stand.
#include "world/room.h"

#include <string.h>

// ----------------------------------------------------------------------------------- who with whom

// The lowest body that `body` is joined to; the way there becomes shorter.
static int root_of(int *joined, int body)
{
    while (joined[body] != body) body = joined[body] = joined[joined[body]];
    return body;
}

// Bodies that touch belong together; what never gives way joins nobody. `local` first holds to whom
// each body is joined.
static void join(const ib_World *world, ib_WorldRoom *room)
{
    int *joined = room->local;
    for (int i = 0; i < world->body_count; i++) joined[i] = -1;
    for (int i = 0; i < room->touch_count; i++)
        for (int side = 0; side < 2; side++) {
            int body = room->touches[i].frame[side];
            if (body < world->body_count) joined[body] = body;
        }
    for (int i = 0; i < room->touch_count; i++) {
        const ib__Touch *touch = &room->touches[i];
        if (touch->frame[1] >= world->body_count) continue;
        int a = root_of(joined, touch->frame[0]), b = root_of(joined, touch->frame[1]);
        if (a < b) joined[b] = a;
        if (b < a) joined[a] = b;
    }
}

// How many bodies and bonds each island has, and which one a body belongs to.
static void count(const ib_World *world, ib_WorldRoom *room)
{
    int *joined = room->local, *island = room->home;
    room->island_count = 0;
    for (int i = 0; i < world->body_count; i++) {
        if (joined[i] < 0) continue;
        int root = root_of(joined, i);
        island[i] = root == i ? room->island_count++ : island[root];
        if (root == i) room->island_body[island[i]] = room->island_bond[island[i]] = 0;
        room->island_body[island[i]]++;
    }
    for (int i = 0; i < room->touch_count; i++)
        room->island_bond[island[room->touches[i].frame[0]]]++;
}

// Numbers bodies and bonds island by island, islands by their lowest body, all in their own order.
static void number(const ib_World *world, ib_WorldRoom *room)
{
    int bodies = 0, bonds = 0, *island = room->home;
    for (int k = 0; k < room->island_count; k++) {
        int body = room->island_body[k], bond = room->island_bond[k];
        room->island_body[k] = bodies;
        room->island_bond[k] = bonds;
        bodies += body;
        bonds += bond;
    }
    for (int i = 0; i < room->touch_count; i++) {
        room->bond_of[i] = room->island_bond[island[room->touches[i].frame[0]]]++;
        room->touch_of[room->bond_of[i]] = i;
    }
    for (int i = 0; i < world->body_count; i++)
        if (room->local[i] >= 0) room->local[i] = room->island_body[island[i]]++;
    // The starts have become the ends, which are the starts of the next.
    for (int k = room->island_count; k > 0; k--) {
        room->island_body[k] = room->island_body[k - 1];
        room->island_bond[k] = room->island_bond[k - 1];
    }
    room->island_body[0] = room->island_bond[0] = 0;
    for (int i = 0; i < world->body_count; i++)
        if (room->local[i] >= 0) room->body_of[room->local[i]] = i;
}

static void link(const ib_World *world, ib_WorldRoom *room)
{
    for (int i = 0; i < room->touch_count; i++) {
        const ib__Touch *touch = &room->touches[i];
        ib__Bond *bond = &room->law.bonds[room->bond_of[i]];
        bond->points = touch->points;
        for (int side = 0; side < 2; side++) {
            int body = touch->frame[side];
            bond->body[side] = body < world->body_count
                                   ? room->local[body] - room->island_body[room->home[body]]
                                   : -1;
        }
    }
    for (int k = 0; k < room->island_count; k++) {
        int body = room->island_body[k], bond = room->island_bond[k];
        ib__law_create(&room->law, body, room->island_body[k + 1] - body, bond,
                       room->island_bond[k + 1] - bond, &room->islands[k]);
    }
}

// Do the same touch as when islands were made last?
static bool is_linked(const ib_WorldRoom *room)
{
    if (room->touch_count != room->linked_count) return false;
    for (int i = 0; i < room->touch_count; i++)
        if (room->linked[i].pair != room->touches[i].pair ||
            room->linked[i].points != room->touches[i].points)
            return false;
    return true;
}

void ib__room_islands(const ib_World *world, ib_WorldRoom *room)
{
    if (is_linked(room)) return;
    room->linked_count = room->touch_count;
    for (int i = 0; i < room->touch_count; i++)
        room->linked[i] = (ib__Link){room->touches[i].pair, room->touches[i].points};
    join(world, room);
    count(world, room);
    number(world, room);
    link(world, room);
}

void ib__room_mark_crowds(ib_WorldRoom *room, const ib_Rest *modes)
{
    for (int k = 0; k < room->island_count; k++) room->islands[k].crowded = false;
    for (int i = 0; i < room->touch_count; i++)
        room->islands[room->home[room->touches[i].frame[0]]].crowded |= modes[i].crowded;
}

// ---------------------------------------------------------------------------------- how they stand

void ib__room_stand_island(ib_WorldRoom *room, int k, const double *inverse_mass,
                           ib__Stance *stances)
{
    ib__Law *law = &room->islands[k];
    for (int i = 0; i < law->body_count; i++)
        ib__law_root(inverse_mass + 9 * room->body_of[room->island_body[k] + i], law->root[i]);
    for (int i = 0; i < law->bond_count; i++) {
        int at = room->touch_of[room->island_bond[k] + i];
        ib__touch_stand(&room->touches[at], room->frames, &stances[at], &law->bonds[i]);
        law->bonds[i].friction = room->touches[at].friction;
    }
    ib__law_renew_rows(law);
}

void ib__room_stand(ib_WorldRoom *room, const double *inverse_mass)
{
    for (int k = 0; k < room->island_count; k++)
        ib__room_stand_island(room, k, inverse_mass, room->stances);
}
