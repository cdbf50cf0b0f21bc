#include "world/room.h"

#include "base/maths.h"
#include "world/approach.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ memory

static void place_elements(const ib_World *world, ib_WorldRoom *room)
{
    for (int i = 0; i < world->element_count; i++) {
        const ib_WorldElement *e = &world->elements[i];
        ib__Frame *frame = &room->frames[ib__element_frame(world, i)];
        *frame = (ib__Frame){.x = e->x, .y = e->y};
        ib_sincos(e->heading, &frame->s, &frame->c);
    }
}

ib_WorldRoom *ib_world_room_create(const ib_World *world, ib_Arena *arena)
{
    size_t n = (size_t)world->body_count, m = (size_t)world->element_count,
           r = (size_t)world->rest_room;
    ib_WorldRoom *room = ib_arena_alloc(arena, sizeof *room);
    if (!room) return NULL;
    bool good = true;
#define ROOM(what, count)                                                                          \
    good &= (room->what = ib_arena_array(arena, count, sizeof *room->what)) != NULL
    ROOM(frames, n + m);
    ROOM(placed, n + m);
    ROOM(is_placed, n + m);
    ROOM(touches, r);
    ROOM(stances, r);
    ROOM(stances_now, r);
    ROOM(modes, r);
    ROOM(island_bond, n + 1);
    ROOM(island_body, n + 1);
    ROOM(local, n);
    ROOM(body_of, n);
    ROOM(home, n);
    ROOM(islands, n);
    ROOM(linked, r);
    ROOM(bond_of, r);
    ROOM(touch_of, r);
    ROOM(brakes, r);
    ROOM(pushes, n);
    ROOM(shifts, n);
    ROOM(lost, n);
    ROOM(free, n);
    ROOM(start, n);
    ROOM(looked_at, n);
    ROOM(end, n);
    ROOM(between, 3 * n);
    ROOM(start_movers, m);
    ROOM(end_movers, m);
    ROOM(between_movers, 3 * m);
    ROOM(paths, n + m);
    ROOM(is_traced, n + m);
#undef ROOM
    if (!good || !ib__near_init(world, &room->near, arena) ||
        !ib__law_room_init(&room->law, world->body_count, world->rest_room, arena))
        return NULL;
    room->touch_room = world->rest_room;
    place_elements(world, room);
    return room;
}

void ib_world_room_pass(ib_WorldRoom *room, const uint8_t *pairs)
{
    room->near.passes = pairs;
}

void ib_world_room_reset(ib_WorldRoom *room)
{
    room->near.spare = -1;
    room->touch_count = room->linked_count = room->island_count = 0;
    room->looked = false;
}

// ------------------------------------------------------------------------------------------ places

static void place_frame(ib__Frame *frame, const ib_BodyState *state, bool upright)
{
    *frame = (ib__Frame){
        .x = state->x, .y = state->y, .c = 1, .vx = state->vx, .vy = state->vy, .upright = upright};
    if (upright) return;
    frame->w = state->w;
    ib_sincos(state->heading, &frame->s, &frame->c);
}

static void place_body(const ib_World *world, ib_WorldRoom *room, const ib_BodyState *bodies, int i)
{
    place_frame(&room->frames[i], &bodies[i], world->bodies[i].upright);
    room->is_placed[i] = false;
}

static void place_movers(const ib_World *world, ib_WorldRoom *room, const ib_BodyState *movers)
{
    for (int i = 0; i < world->element_count && world->mover_count > 0; i++) {
        const ib_WorldElement *e = &world->elements[i];
        if (e->mover < 0) continue;
        const ib_BodyState *o = &movers[e->mover];
        ib_BodyState state = {e->x + o->x, e->y + o->y, e->heading + o->heading,
                              o->vx,       o->vy,       o->w};
        place_frame(&room->frames[ib__element_frame(world, i)], &state, false);
        room->is_placed[ib__element_frame(world, i)] = false;
    }
}

void ib__room_place(const ib_World *world, ib_WorldRoom *room, const ib_BodyState *bodies,
                    const ib_BodyState *movers)
{
    for (int i = 0; i < world->body_count; i++) place_body(world, room, bodies, i);
    place_movers(world, room, movers);
}

int ib_world_resting(const ib_WorldRoom *room, const int **bodies)
{
    *bodies = room->body_of;
    return room->island_count > 0 ? room->island_body[room->island_count] : 0;
}

void ib__room_place_resting(const ib_World *world, ib_WorldRoom *room, const ib_BodyState *bodies,
                            const ib_BodyState *movers)
{
    const int *resting;
    int count = ib_world_resting(room, &resting);
    for (int i = 0; i < count; i++)
        if (!ib_world_is_pushed(room, resting[i])) place_body(world, room, bodies, resting[i]);
    place_movers(world, room, movers);
}

// As ib_shape_place, with the sine known.
static void place_outline(const ib_Shape *shape, const ib__Frame *f, ib_Placed *placed)
{
    placed->count = shape->count;
    placed->radius = shape->radius;
    for (int i = 0; i < shape->count; i++) {
        placed->x[i] = f->x + (f->c * shape->x[i] - f->s * shape->y[i]);
        placed->y[i] = f->y + (f->s * shape->x[i] + f->c * shape->y[i]);
        placed->nx[i] = f->c * shape->nx[i] - f->s * shape->ny[i];
        placed->ny[i] = f->s * shape->nx[i] + f->c * shape->ny[i];
    }
}

static const ib_Shape *shape_of(const ib_World *world, int frame)
{
    int element = frame - world->body_count;
    return element < 0 ? &world->bodies[frame].shape : &world->elements[element].shape;
}

const ib_Placed *ib__room_outline(const ib_World *world, ib_WorldRoom *room, int frame)
{
    int element = frame - world->body_count;
    if (element >= 0 && world->elements[element].mover < 0) return &world->elements[element].fixed;
    if (!room->is_placed[frame])
        place_outline(shape_of(world, frame), &room->frames[frame], &room->placed[frame]);
    room->is_placed[frame] = true;
    return &room->placed[frame];
}

static double friction_of(const ib_World *world, ib_Pair pair)
{
    double own = world->bodies[pair.body].friction;
    double other = pair.other >= 0 ? world->bodies[pair.other].friction
                                   : world->elements[pair.element].friction;
    return sqrt(own * other);
}

double ib__room_bound(const ib_World *world, const ib_WorldRoom *room, ib_Pair pair)
{
    const ib__Frame *a = &room->frames[pair.body], *b = &room->frames[ib__other_frame(world, pair)];
    return ib__near_bound(world, pair, a->x, a->y, b->x, b->y);
}

bool ib__room_touch(const ib_World *world, ib_WorldRoom *room, int index, double most,
                    ib__Touch *touch)
{
    ib_Pair pair = ib_world_pair(world, index);
    int a = pair.body, b = ib__other_frame(world, pair);
    if (ib__room_bound(world, room, pair) > most) return false;
    touch->pair = index;
    touch->frame[0] = a;
    touch->frame[1] = b;
    touch->friction = friction_of(world, pair);
    ib__touch_find(shape_of(world, a), ib__room_outline(world, room, a), shape_of(world, b),
                   ib__room_outline(world, room, b), most, touch);
    return touch->points > 0;
}

double ib_world_clearance(const ib_World *world, ib_WorldRoom *room, const ib_BodyState *bodies,
                          const ib_Rests *rests, double travel)
{
    ib__near_update(world, &room->near, bodies, travel);
    double least = room->near.spare;
    for (int i = 0, rest = 0; i < room->near.count; i++) {
        while (rest < rests->count && rests->items[rest].pair < room->near.pairs[i]) rest++;
        if (rest < rests->count && rests->items[rest].pair == room->near.pairs[i]) continue;
        ib_Pair pair = ib_world_pair(world, room->near.pairs[i]);
        const ib_BodyState *a = &bodies[pair.body], *b = pair.other >= 0 ? &bodies[pair.other] : a;
        if (pair.other < 0 && world->elements[pair.element].mover >= 0) return -INFINITY;
        least = ib__smaller(least, ib__near_bound(world, pair, a->x, a->y, b->x, b->y));
    }
    return least;
}

// ------------------------------------------------------------------------------------------ pushes

void ib__room_forget_brakes(ib_WorldRoom *room, int count)
{
    memset(room->brakes, 0, (size_t)count * sizeof *room->brakes);
}

void ib__room_collect(const ib_World *world, ib_WorldRoom *room, ib_Push *pushes)
{
    memset(pushes, 0, (size_t)world->body_count * sizeof *pushes);
    for (int i = 0; i < room->touch_count; i++) {
        const ib__Bond *bond = &room->law.bonds[room->bond_of[i]];
        for (int side = 0; side < 2; side++) {
            if (bond->body[side] < 0) continue;
            ib_Push *push = &pushes[room->touches[i].frame[side]];
            const double *t = bond->tangent.on[side];
            double sum[3] = {bond->jt * t[0], bond->jt * t[1], bond->jt * t[2]};
            for (int p = 0; p < bond->points; p++)
                for (int k = 0; k < 3; k++) sum[k] += bond->jn[p] * bond->normal[p].on[side][k];
            push->x += sum[0];
            push->y += sum[1];
            push->turn += sum[2];
        }
    }
}
