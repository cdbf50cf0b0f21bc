#include "world/world.h"

#include "world/scene.h"

#include <math.h>
#include <string.h>

// -------------------------------------------------------------------------------------------- init

// The box around an element at rest.
static void surround(ib_World *world, int i)
{
    const ib_Placed *placed = &world->elements[i].fixed;
    double low_x = INFINITY, high_x = -INFINITY, low_y = INFINITY, high_y = -INFINITY;
    for (int k = 0; k < placed->count; k++) {
        low_x = fmin(low_x, placed->x[k]);
        high_x = fmax(high_x, placed->x[k]);
        low_y = fmin(low_y, placed->y[k]);
        high_y = fmax(high_y, placed->y[k]);
    }
    world->low_x[i] = low_x - placed->radius;
    world->high_x[i] = high_x + placed->radius;
    world->low_y[i] = low_y - placed->radius;
    world->high_y[i] = high_y + placed->radius;
}

static void add(ib_World *world, const ib_WorldElement *element)
{
    int i = world->element_count++;
    world->elements[i] = *element;
    ib_shape_place(&element->shape, element->x, element->y, element->heading,
                   &world->elements[i].fixed);
    surround(world, i);
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

ib_Status ib_world_init(const ib_FieldConfig *field, const ib_BodyConfig *bodies, int body_count,
                        ib_World *world, ib_Error *error)
{
    ib_Status status = ib_field_check(field, error);
    if (status != IB_OK) return status;
    if (body_count < 0 || body_count > IB_WORLD_BODIES)
        return ib_error_set(error, IB_BAD_INPUT,
                            "%d bodies that can touch, at most %d are possible", body_count,
                            IB_WORLD_BODIES);
    memset(world, 0, sizeof *world);
    world->body_count = body_count;
    for (int i = 0; i < body_count; i++) world->bodies[i] = bodies[i];
    for (int i = 0; i < field->corner_count; i++) add_wall(field, i, world);
    for (int i = 0; i < field->element_count; i++) add_element(field, i, world);
    world->pair_count = body_count * world->element_count + body_count * (body_count - 1) / 2;
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- pairs

ib_Pair ib_world_pair(const ib_World *world, int pair)
{
    int first = world->body_count * world->element_count;
    if (pair < first)
        return (ib_Pair){pair / world->element_count, -1, pair % world->element_count};
    int left = pair - first, body = 0;
    for (int row = world->body_count - 1; left >= row; row--) {
        left -= row;
        body++;
    }
    return (ib_Pair){body, body + 1 + left, -1};
}

static double gap_in(ib__Scene *scene, int index)
{
    ib_Pair pair = ib_world_pair(scene->world, index);
    const ib_Placed *b = pair.other >= 0 ? ib__scene_body(scene, pair.other)
                                         : ib__scene_element(scene, pair.element);
    return ib_shape_separation(ib__scene_body(scene, pair.body), b).gap;
}

double ib_world_gap(const ib_World *world, int pair, const ib_BodyState *bodies,
                    const ib_BodyState *movers)
{
    ib__Scene scene;
    ib__scene_init(world, bodies, movers, &scene);
    return gap_in(&scene, pair);
}

void ib_world_ignore(ib_World *world, int body, int other)
{
    world->ghosts[body] |= UINT64_C(1) << other;
    world->ghosts[other] |= UINT64_C(1) << body;
}

int ib_world_overlap(const ib_World *world, const ib_BodyState *bodies, const ib_BodyState *movers,
                     double *depth)
{
    ib__Scene scene;
    int worst = -1;
    *depth = IB_CONTACT_GAP;
    ib__scene_init(world, bodies, movers, &scene);
    for (int i = 0; i < world->pair_count; i++) {
        ib_Pair pair = ib_world_pair(world, i);
        bool ghosts = pair.other >= 0 && (world->ghosts[pair.body] >> pair.other & 1);
        double gap = ghosts ? 0 : gap_in(&scene, i);
        if (!(-gap > *depth)) continue;
        worst = i;
        *depth = -gap;
    }
    if (worst < 0) *depth = 0;
    return worst;
}

int ib_world_release(const ib_World *world, const ib_BodyState *bodies, const ib_BodyState *movers,
                     double *resting)
{
    ib__Scene scene;
    int left = 0;
    ib__scene_init(world, bodies, movers, &scene);
    for (int i = 0; i < world->pair_count; i++) {
        if (resting[i] == 0) continue;
        if (gap_in(&scene, i) > IB_REST_GAP) resting[i] = 0;
        left += resting[i] != 0;
    }
    return left;
}
