#include "world/near.h"

#include "base/extreme.h"

#include <math.h>
#include <stdlib.h>

enum {
    ALL_PAIRS = 4096, ///< so many pairs always fit
    NEIGHBOURS = 32,  ///< of a body or an element, on the average, where there are more
    ATTEMPTS = 40,    ///< with ever smaller margins, where there is no room
    FEW_PAIRS = 64,   ///< up to so many have a wide margin
};

#define MARGIN      0.05 ///< [m]
#define WIDE_MARGIN 1.0  ///< where there are few pairs [m]

bool ib__near_init(const ib_World *world, ib__Near *near, ib_Arena *arena)
{
    size_t n = (size_t)world->body_count;
    int most = NEIGHBOURS * (world->body_count + world->element_count) +
               world->body_count * world->mover_count;
    *near = (ib__Near){.room = world->pair_count, .spare = -1};
    if (near->room > ALL_PAIRS && near->room > most) near->room = most;
    near->pairs = ib_arena_array(arena, (size_t)near->room + 1, sizeof *near->pairs);
    near->order = ib_arena_array(arena, n, sizeof *near->order);
    near->low = ib_arena_array(arena, 4 * n, sizeof *near->low);
    near->who = ib_arena_array(arena, (size_t)near->room + 1, sizeof *near->who);
    near->clear = ib_arena_array(arena, (size_t)near->room + 1, sizeof *near->clear);
    near->gone = ib_arena_array(arena, n, sizeof *near->gone);
    near->seen = ib_arena_array(arena, n, sizeof *near->seen);
    if (!near->pairs || !near->who || !near->order || !near->low || !near->clear || !near->gone ||
        !near->seen)
        return false;
    near->high = near->low + n;
    near->low_across = near->high + n;
    near->high_across = near->low_across + n;
    for (int i = 0; i < world->body_count; i++) near->order[i] = i;
    return true;
}

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

// Boxes around all bodies, half a margin wider; the sweep goes along the axis on which they are
// spread wider.
static void surround(const ib_World *world, ib__Near *near, const ib_BodyState *bodies,
                     double margin)
{
    double low_x = INFINITY, high_x = -INFINITY, low_y = INFINITY, high_y = -INFINITY;
    for (int i = 0; i < world->body_count; i++) {
        low_x = ib_min(low_x, bodies[i].x), high_x = ib_max(high_x, bodies[i].x);
        low_y = ib_min(low_y, bodies[i].y), high_y = ib_max(high_y, bodies[i].y);
    }
    bool along_x = high_x - low_x >= high_y - low_y;
    for (int i = 0; i < world->body_count; i++) {
        double along = along_x ? bodies[i].x : bodies[i].y;
        double across = along_x ? bodies[i].y : bodies[i].x;
        double reach = world->bodies[i].shape.reach + margin / 2;
        near->low[i] = along - reach, near->high[i] = along + reach;
        near->low_across[i] = across - reach, near->high_across[i] = across + reach;
    }
}

// The entries are nearly in order since the last time.
static void sort(const ib_World *world, ib__Near *near)
{
    for (int i = 1; i < world->body_count; i++) {
        int moving = near->order[i], k = i;
        for (; k > 0 && near->low[near->order[k - 1]] > near->low[moving]; k--)
            near->order[k] = near->order[k - 1];
        near->order[k] = moving;
    }
}

static bool add(ib__Near *near, int pair)
{
    if (near->passes && near->passes[pair]) return true;
    if (near->count == near->room) return false;
    near->pairs[near->count++] = pair;
    return true;
}

static bool add_bodies(const ib_World *world, ib__Near *near)
{
    bool fits = true;
    for (int i = 0; i < world->body_count && fits; i++) {
        int a = near->order[i];
        for (int k = i + 1; k < world->body_count && fits; k++) {
            int b = near->order[k];
            if (near->low[b] > near->high[a]) break;
            bool apart = near->low_across[a] > near->high_across[b] ||
                         near->low_across[b] > near->high_across[a];
            if (!apart && !world->ghosts[a * world->body_count + b])
                fits = add(near, ib_world_pair_of_bodies(world, a, b));
        }
    }
    return fits;
}

// Moving elements are always checked.
static bool add_elements(const ib_World *world, ib__Near *near, const ib_BodyState *bodies,
                         double margin)
{
    bool fits = true;
    for (int i = 0; i < world->body_count; i++) {
        double reach = world->bodies[i].shape.reach + margin, x = bodies[i].x, y = bodies[i].y;
        for (int k = 0; k < world->element_count && fits; k++) {
            const ib_WorldElement *e = &world->elements[k];
            bool apart = x + reach < e->low_x || x - reach > e->high_x || y + reach < e->low_y ||
                         y - reach > e->high_y;
            if (e->mover >= 0 || !apart) fits = add(near, i * world->element_count + k);
        }
    }
    return fits;
}

void ib__near_update(const ib_World *world, ib__Near *near, const ib_BodyState *bodies,
                     double travel)
{
    near->spare -= travel;
    if (near->spare >= 0) return;
    double margin = world->pair_count > FEW_PAIRS ? MARGIN : WIDE_MARGIN;
    bool fits = false;
    for (int i = 0; i < ATTEMPTS && !fits; i++) {
        near->count = 0;
        surround(world, near, bodies, margin + 2 * travel + 4 * IB_CROWD_GAP);
        sort(world, near);
        fits = add_elements(world, near, bodies, margin / 2 + travel + 2 * IB_CROWD_GAP) &&
               add_bodies(world, near);
        if (!fits) margin /= 2;
    }
    qsort(near->pairs, (size_t)near->count, sizeof *near->pairs, by_number);
    near->spare = fits ? margin / 2 : -1;
    for (int i = 0; i < near->count; i++) {
        near->who[i] = ib_world_pair(world, near->pairs[i]);
        near->clear[i] = -INFINITY;
    }
    for (int i = 0; i < world->body_count; i++) near->gone[i] = 0;
}

void ib__near_see(const ib_World *world, ib__Near *near, const ib_BodyState *bodies)
{
    for (int i = 0; i < world->body_count; i++) {
        const ib_BodyState *now = &bodies[i], *then = &near->seen[i];
        near->gone[i] += fabs(now->x - then->x) + fabs(now->y - then->y) +
                         world->bodies[i].shape.core * fabs(now->heading - then->heading);
        near->seen[i] = *now;
    }
}

double ib__near_known(const ib__Near *near, int i, ib_Pair pair)
{
    return near->clear[i] - near->gone[pair.body] - (pair.other >= 0 ? near->gone[pair.other] : 0);
}

void ib__near_measured(ib__Near *near, int i, ib_Pair pair, double gap)
{
    near->clear[i] = gap + near->gone[pair.body] + (pair.other >= 0 ? near->gone[pair.other] : 0);
}

double ib__near_bound(const ib_World *world, ib_Pair pair, double ax, double ay, double bx,
                      double by)
{
    const ib_WorldElement *e = pair.other >= 0 ? NULL : &world->elements[pair.element];
    double dx = fabs(ax - bx), dy = fabs(ay - by), reach = world->bodies[pair.body].shape.reach;
    if (e && e->mover < 0) {
        dx = ib_max(e->low_x - ax, ax - e->high_x);
        dy = ib_max(e->low_y - ay, ay - e->high_y);
    } else {
        reach += e ? e->shape.reach : world->bodies[pair.other].shape.reach;
    }
    return ib_max(dx, dy) - reach;
}
