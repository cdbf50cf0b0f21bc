#include "world/scene.h"

#include <math.h>

void ib__scene_init(const ib_World *world, const ib_BodyState *bodies, const ib_BodyState *movers,
                    ib__Scene *scene)
{
    scene->world = world;
    scene->bodies = bodies;
    scene->movers = movers;
    for (int i = 0; i < world->body_count; i++) scene->is_placed[i] = false;
}

const ib_Placed *ib__scene_body(ib__Scene *scene, int body)
{
    const ib_BodyConfig *config = &scene->world->bodies[body];
    const ib_BodyState *state = &scene->bodies[body];
    if (!scene->is_placed[body])
        ib_shape_place(&config->shape, state->x, state->y, config->upright ? 0 : state->heading,
                       &scene->placed[body]);
    scene->is_placed[body] = true;
    return &scene->placed[body];
}

ib_BodyState ib__scene_element_state(const ib__Scene *scene, int element)
{
    const ib_WorldElement *e = &scene->world->elements[element];
    ib_BodyState state = {e->x, e->y, e->heading, 0, 0, 0};
    if (e->mover < 0) return state;
    const ib_BodyState *offset = &scene->movers[e->mover];
    return (ib_BodyState){e->x + offset->x, e->y + offset->y, e->heading + offset->heading,
                          offset->vx,       offset->vy,       offset->w};
}

const ib_Placed *ib__scene_element(ib__Scene *scene, int element)
{
    const ib_WorldElement *e = &scene->world->elements[element];
    if (e->mover < 0) return &e->fixed;
    ib_BodyState state = ib__scene_element_state(scene, element);
    ib_shape_place(&e->shape, state.x, state.y, state.heading, &scene->mover);
    return &scene->mover;
}

// ------------------------------------------------------------------------------------------ bounds

double ib__scene_element_bound(const ib__Scene *scene, int body, int element)
{
    const ib_World *world = scene->world;
    const ib_BodyState *state = &scene->bodies[body];
    const ib_WorldElement *e = &world->elements[element];
    double reach = world->bodies[body].shape.reach;
    if (e->mover < 0)
        return ib__larger(
                   ib__larger(world->low_x[element] - state->x, state->x - world->high_x[element]),
                   ib__larger(world->low_y[element] - state->y,
                              state->y - world->high_y[element])) -
               reach;
    double dx = fabs(state->x - (e->x + scene->movers[e->mover].x));
    double dy = fabs(state->y - (e->y + scene->movers[e->mover].y));
    return ib__larger(dx, dy) - (reach + e->shape.reach);
}

double ib__scene_body_bound(const ib__Scene *scene, int body, int other)
{
    if (scene->world->ghosts[body] >> other & 1) return INFINITY;
    const ib_BodyState *a = &scene->bodies[body], *b = &scene->bodies[other];
    const ib_BodyConfig *configs = scene->world->bodies;
    return ib__larger(fabs(a->x - b->x), fabs(a->y - b->y)) -
           (configs[body].shape.reach + configs[other].shape.reach);
}

// ------------------------------------------------------------------------------------------ points

static ib__Side side(int body, bool upright, const ib_BodyState *state, double x, double y,
                     double cx, double cy)
{
    double turns = upright ? 0 : 1;
    return (ib__Side){
        .body = body,
        .rx = turns * (x - state->x),
        .ry = turns * (y - state->y),
        .cx = turns * (cx - state->x),
        .cy = turns * (cy - state->y),
        .vx = state->vx,
        .vy = state->vy,
        .w = turns * state->w,
    };
}

static ib__Point make_point(const ib__Scene *scene, int index, ib_Pair pair,
                            const ib_Manifold *manifold, const ib_Contact *contact)
{
    const ib_World *world = scene->world;
    const ib_BodyConfig *a = &world->bodies[pair.body];
    ib_BodyState element = {0};
    const ib_BodyState *other = &element;
    double mu;
    if (pair.other >= 0) {
        other = &scene->bodies[pair.other];
        mu = world->bodies[pair.other].friction;
    } else {
        element = ib__scene_element_state(scene, pair.element);
        mu = world->elements[pair.element].friction;
    }
    // Between two corners the centre of a's rounding lies `distance` beyond that of b's.
    bool corners = manifold->feature == IB_FEATURE_CORNERS;
    double ahead = corners ? contact->distance : 0;
    return (ib__Point){
        .pair = index,
        .a = side(pair.body, a->upright, &scene->bodies[pair.body], contact->x, contact->y,
                  contact->cx + ahead * manifold->nx, contact->cy + ahead * manifold->ny),
        .b = side(pair.other, pair.other >= 0 && world->bodies[pair.other].upright, other,
                  contact->x, contact->y, contact->cx, contact->cy),
        .nx = manifold->nx,
        .ny = manifold->ny,
        .gap = contact->gap,
        .friction = sqrt(mu * a->friction),
        .feature = manifold->feature,
        .distance = contact->distance,
    };
}

int ib__scene_points(ib__Scene *scene, int index, double most, ib__Point *points, int count)
{
    ib_Pair pair = ib_world_pair(scene->world, index);
    double bound = pair.other >= 0 ? ib__scene_body_bound(scene, pair.body, pair.other)
                                   : ib__scene_element_bound(scene, pair.body, pair.element);
    if (bound > most) return count;
    const ib_Placed *b = pair.other >= 0 ? ib__scene_body(scene, pair.other)
                                         : ib__scene_element(scene, pair.element);
    ib_Manifold manifold = ib_shape_manifold(ib__scene_body(scene, pair.body), b);
    for (int i = 0; i < manifold.count; i++) {
        const ib_Contact *contact = &manifold.contacts[i];
        if (!(contact->gap <= most)) continue;
        int at = count;
        for (int k = 0; count == IB_WORLD_POINTS && k < count; k++)
            if (at == count || points[k].gap > points[at].gap) at = k;
        if (count == IB_WORLD_POINTS && !(contact->gap < points[at].gap)) continue;
        points[at] = make_point(scene, index, pair, &manifold, contact);
        if (count < IB_WORLD_POINTS) count++;
    }
    return count;
}

// Velocity of the material of a relative to that of b.
static double relative(const ib__Point *point, double dx, double dy)
{
    const ib__Side *a = &point->a, *b = &point->b;
    double x = (a->vx - a->w * a->ry) - (b->vx - b->w * b->ry);
    double y = (a->vy + a->w * a->rx) - (b->vy + b->w * b->rx);
    return dx * x + dy * y;
}

double ib__point_closing(const ib__Point *point)
{
    return relative(point, point->nx, point->ny);
}

double ib__point_sliding(const ib__Point *point)
{
    return relative(point, -point->ny, point->nx);
}

double ib__point_rest_speed(const ib__Point *point)
{
    return ib__larger(IB_REST_SPEED, 1e-4 * fabs(ib__point_sliding(point)));
}

// -------------------------------------------------------------------------------------------- rows

ib__Row ib__point_row(const ib__Point *point, double dx, double dy)
{
    return (ib__Row){
        {dx, dy, point->a.rx * dy - point->a.ry * dx},
        {-dx, -dy, point->b.ry * dx - point->b.rx * dy},
    };
}

// W push for one body, W symmetric 3 x 3.
static void change_of(const double *W, const double *push, double *change)
{
    for (int i = 0; i < 3; i++)
        change[i] = W[3 * i] * push[0] + W[3 * i + 1] * push[1] + W[3 * i + 2] * push[2];
}

ib__Row ib__row_change(const ib__Row *push, const ib__Point *of, const double *inverse_mass)
{
    ib__Row change = {{0, 0, 0}, {0, 0, 0}};
    if (of->a.body >= 0) change_of(inverse_mass + 9 * of->a.body, push->a, change.a);
    if (of->b.body >= 0) change_of(inverse_mass + 9 * of->b.body, push->b, change.b);
    return change;
}

static double along(const double *row, const double *change)
{
    return row[0] * change[0] + row[1] * change[1] + row[2] * change[2];
}

double ib__row_felt(const ib__Row *row, const ib__Point *point, const ib__Row *change,
                    const ib__Point *of)
{
    int a = point->a.body, b = point->b.body;
    double sum = 0;
    if (a >= 0 && a == of->a.body) sum += along(row->a, change->a);
    if (a >= 0 && a == of->b.body) sum += along(row->a, change->b);
    if (b >= 0 && b == of->a.body) sum += along(row->b, change->a);
    if (b >= 0 && b == of->b.body) sum += along(row->b, change->b);
    return sum;
}

double ib__row_answer(const ib__Row *row, const ib__Point *point, const ib__Row *push,
                      const ib__Point *of, const double *inverse_mass)
{
    ib__Row change = ib__row_change(push, of, inverse_mass);
    return ib__row_felt(row, point, &change, of);
}
