#include "world/workspace.h"

#include "base/maths.h"
#include "world/approach.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ memory

static void place_elements(const ib_World *world, ib_WorldWorkspace *workspace)
{
    for (int i = 0; i < world->element_count; i++) {
        const ib_WorldElement *e = &world->elements[i];
        ib__Frame *frame = &workspace->frames[ib__element_frame(world, i)];
        *frame = (ib__Frame){.x = e->x, .y = e->y};
        ib_sincos(e->heading, &frame->s, &frame->c);
    }
}

ib_WorldWorkspace *ib_world_workspace_create(const ib_World *world, ib_Arena *arena)
{
    size_t n = (size_t)world->body_count, m = (size_t)world->element_count,
           r = (size_t)world->rest_room;
    ib_WorldWorkspace *workspace = ib_arena_alloc(arena, sizeof *workspace);
    if (!workspace) return NULL;
    bool good = true;
#define ARRAY(what, count)                                                                         \
    good &= (workspace->what = ib_arena_array(arena, count, sizeof *workspace->what)) != NULL
    ARRAY(frames, n + m);
    ARRAY(placed, n + m);
    ARRAY(is_placed, n + m);
    ARRAY(touches, r);
    ARRAY(contact_states, r);
    ARRAY(contact_states_now, r);
    ARRAY(modes, r);
    ARRAY(island_contact, n + 1);
    ARRAY(island_body, n + 1);
    ARRAY(local, n);
    ARRAY(body_of, n);
    ARRAY(home, n);
    ARRAY(islands, n);
    ARRAY(linked, r);
    ARRAY(contact_of, r);
    ARRAY(touch_of, r);
    ARRAY(brakes, r);
    ARRAY(pushes, n);
    ARRAY(shifts, n);
    ARRAY(lost, n);
    ARRAY(free, n);
    ARRAY(start, n);
    ARRAY(looked_at, n);
    ARRAY(end, n);
    ARRAY(between, 3 * n);
    ARRAY(start_movers, m);
    ARRAY(end_movers, m);
    ARRAY(between_movers, 3 * m);
    ARRAY(paths, n + m);
    ARRAY(is_traced, n + m);
#undef ROOM
    if (!good || !ib__near_init(world, &workspace->near, arena) ||
        !ib__law_workspace_init(&workspace->law, world->body_count, world->rest_room, arena))
        return NULL;
    workspace->touch_room = world->rest_room;
    place_elements(world, workspace);
    return workspace;
}

void ib_world_workspace_pass(ib_WorldWorkspace *workspace, const uint8_t *pairs)
{
    workspace->near.passes = pairs;
}

void ib_world_workspace_reset(ib_WorldWorkspace *workspace)
{
    workspace->near.spare = -1;
    workspace->touch_count = workspace->linked_count = workspace->island_count = 0;
    workspace->looked = false;
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

static void place_body(const ib_World *world, ib_WorldWorkspace *workspace,
                       const ib_BodyState *bodies, int i)
{
    place_frame(&workspace->frames[i], &bodies[i], world->bodies[i].upright);
    workspace->is_placed[i] = false;
}

static void place_movers(const ib_World *world, ib_WorldWorkspace *workspace,
                         const ib_BodyState *movers)
{
    for (int i = 0; i < world->element_count && world->mover_count > 0; i++) {
        const ib_WorldElement *e = &world->elements[i];
        if (e->mover < 0) continue;
        const ib_BodyState *o = &movers[e->mover];
        ib_BodyState state = {e->x + o->x, e->y + o->y, e->heading + o->heading,
                              o->vx,       o->vy,       o->w};
        place_frame(&workspace->frames[ib__element_frame(world, i)], &state, false);
        workspace->is_placed[ib__element_frame(world, i)] = false;
    }
}

void ib__workspace_place(const ib_World *world, ib_WorldWorkspace *workspace,
                         const ib_BodyState *bodies, const ib_BodyState *movers)
{
    for (int i = 0; i < world->body_count; i++) place_body(world, workspace, bodies, i);
    place_movers(world, workspace, movers);
}

int ib_world_resting(const ib_WorldWorkspace *workspace, const int **bodies)
{
    *bodies = workspace->body_of;
    return workspace->island_count > 0 ? workspace->island_body[workspace->island_count] : 0;
}

void ib__workspace_place_resting(const ib_World *world, ib_WorldWorkspace *workspace,
                                 const ib_BodyState *bodies, const ib_BodyState *movers)
{
    const int *resting;
    int count = ib_world_resting(workspace, &resting);
    for (int i = 0; i < count; i++)
        if (!ib_world_is_pushed(workspace, resting[i]))
            place_body(world, workspace, bodies, resting[i]);
    place_movers(world, workspace, movers);
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

const ib_Placed *ib__workspace_outline(const ib_World *world, ib_WorldWorkspace *workspace,
                                       int frame)
{
    int element = frame - world->body_count;
    if (element >= 0 && world->elements[element].mover < 0) return &world->elements[element].fixed;
    if (!workspace->is_placed[frame])
        place_outline(shape_of(world, frame), &workspace->frames[frame], &workspace->placed[frame]);
    workspace->is_placed[frame] = true;
    return &workspace->placed[frame];
}

static double friction_of(const ib_World *world, ib_Pair pair)
{
    double own = world->bodies[pair.body].friction;
    double other = pair.other >= 0 ? world->bodies[pair.other].friction
                                   : world->elements[pair.element].friction;
    return sqrt(own * other);
}

double ib__workspace_bound(const ib_World *world, const ib_WorldWorkspace *workspace, ib_Pair pair)
{
    const ib__Frame *a = &workspace->frames[pair.body],
                    *b = &workspace->frames[ib__other_frame(world, pair)];
    return ib__near_bound(world, pair, a->x, a->y, b->x, b->y);
}

bool ib__workspace_touch(const ib_World *world, ib_WorldWorkspace *workspace, int index,
                         double most, ib__Touch *touch)
{
    ib_Pair pair = ib_world_pair(world, index);
    int a = pair.body, b = ib__other_frame(world, pair);
    if (ib__workspace_bound(world, workspace, pair) > most) return false;
    touch->pair = index;
    touch->frame[0] = a;
    touch->frame[1] = b;
    touch->friction = friction_of(world, pair);
    ib__touch_find(shape_of(world, a), ib__workspace_outline(world, workspace, a),
                   shape_of(world, b), ib__workspace_outline(world, workspace, b), most, touch);
    return touch->points > 0;
}

double ib_world_clearance(const ib_World *world, ib_WorldWorkspace *workspace,
                          const ib_BodyState *bodies, const ib_Rests *rests, double travel)
{
    ib__near_update(world, &workspace->near, bodies, travel);
    double least = workspace->near.spare;
    for (int i = 0, rest = 0; i < workspace->near.count; i++) {
        while (rest < rests->count && rests->items[rest].pair < workspace->near.pairs[i]) rest++;
        if (rest < rests->count && rests->items[rest].pair == workspace->near.pairs[i]) continue;
        ib_Pair pair = ib_world_pair(world, workspace->near.pairs[i]);
        const ib_BodyState *a = &bodies[pair.body], *b = pair.other >= 0 ? &bodies[pair.other] : a;
        if (pair.other < 0 && world->elements[pair.element].mover >= 0) return -INFINITY;
        least = ib__smaller(least, ib__near_bound(world, pair, a->x, a->y, b->x, b->y));
    }
    return least;
}

// ------------------------------------------------------------------------------------------ pushes

void ib__workspace_forget_brakes(ib_WorldWorkspace *workspace, int count)
{
    memset(workspace->brakes, 0, (size_t)count * sizeof *workspace->brakes);
}

void ib__workspace_collect(const ib_World *world, ib_WorldWorkspace *workspace, ib_Push *pushes)
{
    memset(pushes, 0, (size_t)world->body_count * sizeof *pushes);
    for (int i = 0; i < workspace->touch_count; i++) {
        const ib__Contact *contact = &workspace->law.contacts[workspace->contact_of[i]];
        for (int side = 0; side < 2; side++) {
            if (contact->body[side] < 0) continue;
            ib_Push *push = &pushes[workspace->touches[i].frame[side]];
            const double *t = contact->tangent.on[side];
            double sum[3] = {contact->jt * t[0], contact->jt * t[1], contact->jt * t[2]};
            for (int p = 0; p < contact->points; p++)
                for (int k = 0; k < 3; k++)
                    sum[k] += contact->jn[p] * contact->normal[p].on[side][k];
            push->x += sum[0];
            push->y += sum[1];
            push->turn += sum[2];
        }
    }
}
