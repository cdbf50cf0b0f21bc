#include "world/world.h"

#include "base/extreme.h"

#include <math.h>
#include <string.h>

// -------------------------------------------------------------------------------------------- init

// The box around an element at rest.
static void surround(ib_WorldElement *element)
{
    const ib_Placed *placed = &element->fixed;
    double low_x = INFINITY, high_x = -INFINITY, low_y = INFINITY, high_y = -INFINITY;
    for (int k = 0; k < placed->count; k++) {
        low_x = ib_min(low_x, placed->x[k]);
        high_x = ib_max(high_x, placed->x[k]);
        low_y = ib_min(low_y, placed->y[k]);
        high_y = ib_max(high_y, placed->y[k]);
    }
    element->low_x = low_x - placed->radius;
    element->high_x = high_x + placed->radius;
    element->low_y = low_y - placed->radius;
    element->high_y = high_y + placed->radius;
}

static void add(ib_World *world, const ib_WorldElement *element)
{
    ib_WorldElement *own = &world->elements[world->element_count++];
    *own = *element;
    ib_shape_place(&own->shape, own->x, own->y, own->heading, &own->fixed);
    surround(own);
}

static void add_wall(const ib_FieldConfig *field, int i, ib_World *world)
{
    ib_WorldElement wall = {
        .x = field->corner_x[i],
        .y = field->corner_y[i],
        .restitution = field->restitution,
        .friction = field->friction,
        .mover = -1,
        .config = -1,
    };
    double corner_x[4], corner_y[4];
    ib_field_wall(field, i, corner_x, corner_y);
    IB_ASSERT(ib_shape_polygon(4, corner_x, corner_y, 0, &wall.shape, NULL) == IB_OK);
    add(world, &wall);
}

static void add_element(const ib_FieldConfig *field, int i, ib_World *world)
{
    const ib_ElementConfig *config = &field->elements[i];
    ib_WorldElement element = {
        .x = config->x,
        .y = config->y,
        .heading = config->heading,
        .restitution = config->restitution,
        .friction = config->friction,
        .mover = ib_element_moves(config) ? world->mover_count++ : -1,
        .config = i,
    };
    ib_Status status = IB_OK;
    double a = config->length / 2, b = config->width / 2;
    switch (config->form) {
    case IB_ELEMENT_DISC:
        element.shape = ib_shape_disc(config->radius);
        break;
    case IB_ELEMENT_BOX:
        status = ib_shape_polygon(4, (double[]){-a, a, a, -a}, (double[]){-b, -b, b, b},
                                  config->radius, &element.shape, NULL);
        break;
    case IB_ELEMENT_POLYGON:
        status = ib_shape_polygon(config->corner_count, config->corner_x, config->corner_y,
                                  config->radius, &element.shape, NULL);
        break;
    }
    IB_ASSERT(status == IB_OK); // ib_field_check has seen it
    add(world, &element);
}

// Outlines that touch without overlapping are drawn in the plane with a line for each touch, and no
// two lines cross: there are at most three times as many touches as outlines (Euler). Elements may
// overlap each other; twice that is enough.
static int rest_room(const ib_World *world)
{
    int most = 6 * (world->body_count + world->element_count);
    return world->pair_count < most ? world->pair_count : most;
}

ib_Status ib_world_create(const ib_FieldConfig *field, const ib_BodyConfig *bodies, int body_count,
                          ib_Arena *arena, ib_World **made, ib_Error *error)
{
    ib_Status status = ib_field_check(field, error);
    if (status != IB_OK) return status;
    size_t n = (size_t)body_count, m = (size_t)(field->corner_count + field->element_count);
    ib_World *world = ib_arena_alloc(arena, sizeof *world);
    if (!world) return ib_error_set(error, IB_FAILED, "out of memory for the field");
    *world = (ib_World){.body_count = body_count,
                        .bodies = ib_arena_array(arena, n, sizeof *bodies),
                        .elements = ib_arena_array(arena, m, sizeof *world->elements),
                        .ghosts = ib_arena_array(arena, n, n),
                        .absent = ib_arena_array(arena, n, 1)};
    if (!world->bodies || !world->elements || !world->ghosts || !world->absent)
        return ib_error_set(error, IB_FAILED, "out of memory for the field");
    for (int i = 0; i < body_count; i++) world->bodies[i] = bodies[i];
    for (int i = 0; i < field->corner_count; i++) add_wall(field, i, world);
    for (int i = 0; i < field->element_count; i++) add_element(field, i, world);
    world->pair_count = body_count * world->element_count + body_count * (body_count - 1) / 2;
    world->rest_room = rest_room(world);
    *made = world;
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- pairs

// Pairs of bodies are numbered row by row: those of body i with all behind it begin at
//   i (n - 1) - i (i - 1)/2
static int row_start(const ib_World *world, int body)
{
    return body * (world->body_count - 1) - body * (body - 1) / 2;
}

int ib_world_pair_of_bodies(const ib_World *world, int body, int other)
{
    int a = body < other ? body : other, b = body < other ? other : body;
    return world->body_count * world->element_count + row_start(world, a) + (b - a - 1);
}

ib_Pair ib_world_pair(const ib_World *world, int pair)
{
    int first = world->body_count * world->element_count, left = pair - first;
    if (left < 0) return (ib_Pair){pair / world->element_count, -1, pair % world->element_count};
    // The root of the row's start, and the step or two that rounding may be off.
    double n = world->body_count - 0.5;
    int body = (int)(n - sqrt(n * n - 2.0 * left));
    while (body > 0 && row_start(world, body) > left) body--;
    while (row_start(world, body + 1) <= left) body++;
    return (ib_Pair){body, body + 1 + left - row_start(world, body), -1};
}

static const ib_Placed *place_body(const ib_World *world, int body, const ib_BodyState *bodies,
                                   ib_Placed *placed)
{
    const ib_BodyConfig *config = &world->bodies[body];
    const ib_BodyState *at = &bodies[body];
    ib_shape_place(&config->shape, at->x, at->y, config->upright ? 0 : at->heading, placed);
    return placed;
}

static const ib_Placed *place_element(const ib_World *world, int element,
                                      const ib_BodyState *movers, ib_Placed *placed)
{
    const ib_WorldElement *e = &world->elements[element];
    if (e->mover < 0) return &e->fixed;
    const ib_BodyState *offset = &movers[e->mover];
    ib_shape_place(&e->shape, e->x + offset->x, e->y + offset->y, e->heading + offset->heading,
                   placed);
    return placed;
}

double ib_world_gap(const ib_World *world, int index, const ib_BodyState *bodies,
                    const ib_BodyState *movers)
{
    ib_Pair pair = ib_world_pair(world, index);
    ib_Placed one, two;
    const ib_Placed *b = pair.other >= 0 ? place_body(world, pair.other, bodies, &two)
                                         : place_element(world, pair.element, movers, &two);
    return ib_shape_separation(place_body(world, pair.body, bodies, &one), b).gap;
}

void ib_world_ignore(ib_World *world, int body, int other)
{
    world->ghosts[body * world->body_count + other] = 1;
    world->ghosts[other * world->body_count + body] = 1;
}

int ib_world_overlap(const ib_World *world, const ib_BodyState *bodies, const ib_BodyState *movers,
                     double *depth)
{
    int worst = -1;
    *depth = IB_CONTACT_GAP;
    for (int i = 0; i < world->pair_count; i++) {
        ib_Pair pair = ib_world_pair(world, i);
        bool ghosts = pair.other >= 0 && world->ghosts[pair.body * world->body_count + pair.other];
        ghosts |= world->absent[pair.body] || (pair.other >= 0 && world->absent[pair.other]);
        double gap = ghosts ? 0 : ib_world_gap(world, i, bodies, movers);
        if (!(-gap > *depth)) continue;
        worst = i;
        *depth = -gap;
    }
    if (worst < 0) *depth = 0;
    return worst;
}
