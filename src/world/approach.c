// world/approach.c: the first instant at which two outlines meet. docs/world.md, "Time of impact"
//
// Along a fixed direction n, two convex outlines a and b are apart by
//   G(t) = min over corners i of a, k of b of  n . (a_i(t) - b_k(t)) - radii
// and no farther than they really are: G is a lower bound of the gap. Each term is smooth:
//   G_ik(t + h) >= G_ik(t) + h G_ik'(t) - h^2 A/2,   A >= |a_i''| + |b_k''|
// so that from any instant a step h follows in which nothing can happen. Near the contact these
// steps converge like Newton's, from the safe side only.
//
// Time inside a piece is u = 0 .. 4, since poses are quartics through five instants.
#include "world/scene.h"

#include <math.h>

enum {
    SAMPLES = 5,
    LAST = SAMPLES - 1,
    LIMIT = 4096, ///< steps along one pair; hovering within a nanometre may need hundreds
};

#define SUNK 1e-5 ///< a resting pair deeper than this is looked at more often [m]

// ----------------------------------------------------------------------------------------- courses

// One coordinate over a piece: c[0] + c[1] u + … + c[4] u^4.
typedef struct Quartic {
    double c[SAMPLES];
} Quartic;

// The quartic through values at u = 0, 1, 2, 3, 4, by forward differences.
static Quartic through(const double *f)
{
    double d1 = f[1] - f[0], d2 = (f[2] - f[1]) - d1;
    double d2b = (f[3] - f[2]) - (f[2] - f[1]), d2c = (f[4] - f[3]) - (f[3] - f[2]);
    double d3 = d2b - d2, d4 = (d2c - d2b) - d3;
    return (Quartic){{f[0], d1 - d2 / 2 + d3 / 3 - d4 / 4, d2 / 2 - d3 / 2 + d4 * (11.0 / 24),
                      d3 / 6 - d4 / 4, d4 / 24}};
}

static double value(const Quartic *q, double u)
{
    const double *c = q->c;
    return c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * c[4])));
}

static double slope(const Quartic *q, double u)
{
    const double *c = q->c;
    return c[1] + u * (2 * c[2] + u * (3 * c[3] + u * (4 * c[4])));
}

static double largest(double a, double b, double c, double d)
{
    return ib__larger(ib__larger(fabs(a), fabs(b)), ib__larger(fabs(c), fabs(d)));
}

// A polynomial lies between its Bernstein coefficients. For a + b s + c s^2 + d s^3, s = 0 .. 1:
//   a, a + b/3, a + 2b/3 + c/3, a + b + c + d
static double slope_bound(const Quartic *q)
{
    double a = q->c[1], b = 2 * q->c[2] * LAST, c = 3 * q->c[3] * (LAST * LAST);
    double d = 4 * q->c[4] * (LAST * LAST * LAST);
    return largest(a, a + b / 3, a + b * 2 / 3 + c / 3, a + b + c + d);
}

// For a + b s + c s^2:  a, a + b/2, a + b + c
static double curve_bound(const Quartic *q)
{
    double a = 2 * q->c[2], b = 6 * q->c[3] * LAST, c = 12 * q->c[4] * (LAST * LAST);
    return largest(a, a + b / 2, a + b + c, 0);
}

typedef struct Path {
    Quartic x, y, heading;
    double speed, curve; ///< |velocity|, |acceleration| of the origin at most
    double spin, twist;  ///< |yaw rate|, |yaw acceleration| at most
} Path;

static void trace(const double *x, const double *y, const double *heading, Path *path)
{
    path->x = through(x);
    path->y = through(y);
    path->heading = through(heading);
    double ax = curve_bound(&path->x), ay = curve_bound(&path->y);
    double vx = slope_bound(&path->x), vy = slope_bound(&path->y);
    path->speed = sqrt(vx * vx + vy * vy);
    path->curve = sqrt(ax * ax + ay * ay);
    path->spin = slope_bound(&path->heading);
    path->twist = curve_bound(&path->heading);
}

// Everything about one piece. Paths are traced only when some pair may meet.
typedef struct Piece {
    const ib_World *world;
    const ib_Course *course;
    const double *resting;
    double length;
    ib_BodyState start[IB_WORLD_BODIES], start_movers[IB_FIELD_ELEMENTS];
    ib_BodyState end[IB_WORLD_BODIES], end_movers[IB_FIELD_ELEMENTS];
    ib__Scene scene; ///< at the start
    bool traced;
    Path bodies[IB_WORLD_BODIES], movers[IB_FIELD_ELEMENTS];
} Piece;

static void trace_all(Piece *s)
{
    ib_BodyState at[SAMPLES][IB_WORLD_BODIES], movers[SAMPLES][IB_FIELD_ELEMENTS];
    const ib_World *world = s->world;
    for (int j = 1; j < LAST; j++)
        s->course->at(s->course->context, s->length * j / LAST, at[j], movers[j]);
    for (int i = 0; i < world->body_count; i++) {
        double turns = world->bodies[i].upright ? 0 : 1, x[SAMPLES], y[SAMPLES], heading[SAMPLES];
        at[0][i] = s->start[i];
        at[LAST][i] = s->end[i];
        for (int j = 0; j < SAMPLES; j++) {
            x[j] = at[j][i].x;
            y[j] = at[j][i].y;
            heading[j] = turns * at[j][i].heading;
        }
        trace(x, y, heading, &s->bodies[i]);
    }
    for (int k = 0; k < world->element_count; k++) {
        const ib_WorldElement *e = &world->elements[k];
        double x[SAMPLES], y[SAMPLES], heading[SAMPLES];
        if (e->mover < 0) continue;
        movers[0][e->mover] = s->start_movers[e->mover];
        movers[LAST][e->mover] = s->end_movers[e->mover];
        for (int j = 0; j < SAMPLES; j++) {
            x[j] = e->x + movers[j][e->mover].x;
            y[j] = e->y + movers[j][e->mover].y;
            heading[j] = e->heading + movers[j][e->mover].heading;
        }
        trace(x, y, heading, &s->movers[e->mover]);
    }
    s->traced = true;
}

// ------------------------------------------------------------------------------------------- steps

// One of a pair on its way. Without a path it stands where it is.
typedef struct Traveller {
    const ib_Shape *shape;
    const Path *path; ///< NULL: it never moves
    const ib_Placed *fixed;
    ib_Placed placed;
    double vx, vy, w, x, y; ///< at the instant, per u
} Traveller;

static const ib_Placed *travel(Traveller *t, double u)
{
    if (!t->path) return t->fixed;
    t->x = value(&t->path->x, u);
    t->y = value(&t->path->y, u);
    t->vx = slope(&t->path->x, u);
    t->vy = slope(&t->path->y, u);
    t->w = slope(&t->path->heading, u);
    ib_shape_place(t->shape, t->x, t->y, value(&t->path->heading, u), &t->placed);
    return &t->placed;
}

// Projection of each corner on n, and its rate.
static void project(const Traveller *t, const ib_Placed *placed, double nx, double ny,
                    double position[IB_SHAPE_CORNERS], double rate[IB_SHAPE_CORNERS])
{
    for (int i = 0; i < placed->count; i++) {
        double rx = placed->x[i] - t->x, ry = placed->y[i] - t->y;
        position[i] = nx * placed->x[i] + ny * placed->y[i];
        rate[i] = t->path ? nx * (t->vx - t->w * ry) + ny * (t->vy + t->w * rx) : 0;
    }
}

// |acceleration| of any corner: of the origin, and of the turn around it.
static double bend(const Traveller *t)
{
    if (!t->path) return 0;
    return t->path->curve + t->shape->core * (t->path->spin * t->path->spin + t->path->twist);
}

// The positive root of  room + rate h - A h^2/2 = 0,  without cancellation.
static double safe_step(double room, double rate, double A)
{
    if (!(room > 0)) return 0;
    double root = sqrt(rate * rate + 2 * A * room);
    if (rate <= 0) return root - rate > 0 ? 2 * room / (root - rate) : INFINITY;
    return A > 0 ? (rate + root) / A : INFINITY;
}

// How far both may go until a gap of `least` cannot be excluded.
static double advance(const Traveller *a, const ib_Placed *at_a, const Traveller *b,
                      const ib_Placed *at_b, const ib_Separation *axis, double A, double least)
{
    double pa[IB_SHAPE_CORNERS], va[IB_SHAPE_CORNERS], pb[IB_SHAPE_CORNERS], vb[IB_SHAPE_CORNERS];
    double radii = at_a->radius + at_b->radius, step = INFINITY;
    project(a, at_a, axis->nx, axis->ny, pa, va);
    project(b, at_b, axis->nx, axis->ny, pb, vb);
    for (int i = 0; i < at_a->count; i++)
        for (int k = 0; k < at_b->count; k++) {
            double room = pa[i] - pb[k] - radii - least, rate = va[i] - vb[k];
            bool holds = step < INFINITY && room + step * (rate - step * A / 2) >= 0;
            if (!holds) step = ib__smaller(step, safe_step(room, rate, A));
        }
    return step;
}

// The same along the normal m of an edge, which turns with its body.
// Each corner b_k of the other has
//   G_k = m . (b_k - x) - constant,   G_k' = m . (b_k' - x') + m' . (b_k - x)
//   |G_k''| <= |b_k''| + |x''| + 2 |w| V + (w^2 + |alpha|) D
// with V and D the largest |b_k' - x'| and |b_k - x|. Where a long edge turns fast at a small gap,
// this step is the longer one.
static double advance_edge(const Traveller *edge, const ib_Placed *at_edge, int i,
                           const Traveller *other, const ib_Placed *at_other, double least)
{
    static const Path still = {.speed = 0};
    const Path *e = edge->path ? edge->path : &still, *o = other->path ? other->path : &still;
    double mx = at_edge->nx[i], my = at_edge->ny[i], radii = at_edge->radius + at_other->radius;
    double turn = o->spin * o->spin + o->twist, step = INFINITY;
    double V = e->speed + o->speed + o->spin * other->shape->core;
    for (int k = 0; k < at_other->count; k++) {
        double bx = at_other->x[k], by = at_other->y[k], rx = bx - other->x, ry = by - other->y;
        double dx = bx - edge->x, dy = by - edge->y;
        double vx = other->vx - other->w * ry - edge->vx + edge->w * dy;
        double vy = other->vy + other->w * rx - edge->vy - edge->w * dx;
        double D = sqrt(dx * dx + dy * dy) + V * LAST;
        double A = 1.01 * (o->curve + other->shape->core * turn + e->curve + 2 * e->spin * V +
                           (e->spin * e->spin + e->twist) * D);
        double room = mx * (bx - at_edge->x[i]) + my * (by - at_edge->y[i]) - radii - least;
        step = ib__smaller(step, safe_step(room, mx * vx + my * vy, A));
    }
    return step;
}

// No corner is faster than this.
static double fastest(const Traveller *t)
{
    return t->path ? t->path->speed + t->shape->core * t->path->spin : 0;
}

// First u < until at which the gap is `least` + `close` at most; INFINITY: none.
static double meet(Traveller *a, Traveller *b, double least, double close, double until)
{
    double A = 1.01 * (bend(a) + bend(b)), V = 1.01 * (fastest(a) + fastest(b)), u = 0;
    for (int i = 0; i < LIMIT; i++) {
        const ib_Placed *at_a = travel(a, u), *at_b = travel(b, u);
        ib_Separation axis = ib_shape_separation(at_a, at_b);
        if (!(axis.gap > least + close)) return u;
        double target = least + close / 2, by_edge = 0;
        double step = advance(a, at_a, b, at_b, &axis, A, target);
        if (axis.feature == IB_FEATURE_EDGE_A)
            by_edge = advance_edge(a, at_a, axis.a, b, at_b, target);
        if (axis.feature == IB_FEATURE_EDGE_B)
            by_edge = advance_edge(b, at_b, axis.b, a, at_a, target);
        // Where rounding leaves no good axis, the gap still closes no faster than both move.
        step = ib__larger(ib__larger(step, by_edge), (axis.gap - target) / V);
        u += ib__larger(step, 1e-15);
        if (!(u < until)) return INFINITY;
    }
    return u; // a nanometre apart all the way: looking at the impact does no harm
}

// ------------------------------------------------------------------------------------------- pairs

// How far a point of a body may get from where it starts: a cubic with these ends and slopes leaves
// its start by |d| + 4/27 h (|v0| + |v1|) at most; here with a wide margin.
static double travel_bound(const ib_BodyState *from, const ib_BodyState *to, double length)
{
    return fabs(to->x - from->x) + fabs(to->y - from->y) +
           length * (fabs(from->vx) + fabs(from->vy) + fabs(to->vx) + fabs(to->vy));
}

static double turn_bound(const ib_BodyState *from, const ib_BodyState *to, double length)
{
    return fabs(to->heading - from->heading) + length * (fabs(from->w) + fabs(to->w));
}

// What two that are `axis.gap` apart at the start may come closer at most.
static double closing_bound(const Piece *s, ib_Pair pair)
{
    const ib_World *world = s->world;
    const ib_BodyState *a = &s->start[pair.body], *to = &s->end[pair.body];
    double sum = travel_bound(a, to, s->length) +
                 world->bodies[pair.body].shape.core * turn_bound(a, to, s->length);
    if (pair.other >= 0) {
        a = &s->start[pair.other], to = &s->end[pair.other];
        return sum + travel_bound(a, to, s->length) +
               world->bodies[pair.other].shape.core * turn_bound(a, to, s->length);
    }
    const ib_WorldElement *e = &world->elements[pair.element];
    if (e->mover < 0) return sum;
    a = &s->start_movers[e->mover], to = &s->end_movers[e->mover];
    return sum + travel_bound(a, to, s->length) + e->shape.core * turn_bound(a, to, s->length);
}

// Does a point that touches at the start come closer, faster than what rests may?
static bool comes_closer(Piece *s, int pair, bool rests)
{
    ib__Point points[2];
    bool closer = false;
    int count = ib__scene_points(&s->scene, pair, IB_TOUCH_GAP, points, 0);
    for (int i = 0; i < count; i++)
        closer |= -ib__point_closing(&points[i]) >
                  (rests ? ib__point_rest_speed(&points[i]) : IB_APPROACH);
    return closer;
}

static Traveller body_traveller(const Piece *s, int body)
{
    return (Traveller){.shape = &s->world->bodies[body].shape, .path = &s->bodies[body]};
}

static Traveller element_traveller(const Piece *s, int element)
{
    const ib_WorldElement *e = &s->world->elements[element];
    return (Traveller){
        .shape = &e->shape,
        .path = e->mover < 0 ? NULL : &s->movers[e->mover],
        .fixed = &e->fixed,
    };
}

// How much deeper a resting pair may go until it is looked at again. Where a contact curves, steps
// that are straight lines (Euler's) sink a little in each of them; the deeper they are,
// the shorter they become.
static double deeper(double gap)
{
    return -gap > SUNK ? ib__larger(IB_REST_DEPTH * SUNK / -gap, 4 * IB_CONTACT_GAP)
                       : IB_REST_DEPTH;
}

// When the pair meets, u < until; INFINITY: it does not.
static double pair_meets(Piece *s, int index, ib_Pair pair, double until)
{
    const ib_Placed *at_b = pair.other >= 0 ? ib__scene_body(&s->scene, pair.other)
                                            : ib__scene_element(&s->scene, pair.element);
    double gap = ib_shape_separation(ib__scene_body(&s->scene, pair.body), at_b).gap;
    double closing = closing_bound(s, pair);
    if (gap > closing + IB_TOUCH_GAP) return INFINITY;

    // Touching already: hit at once, or apart until it is deeper than now.
    double least = 0, close = IB_CONTACT_GAP;
    bool rests = s->resting[index] != 0;
    if (rests || gap <= IB_CONTACT_GAP) {
        if (gap <= IB_TOUCH_GAP && comes_closer(s, index, rests)) return 0;
        if (!rests) close = IB_CONTACT_GAP / 10;
        least = ib__smaller(0, gap) - (rests ? deeper(gap) : 2 * close);
        if (gap - closing > least + close) return INFINITY; // it stands
    }

    if (!s->traced) trace_all(s);
    Traveller a = body_traveller(s, pair.body);
    Traveller b =
        pair.other >= 0 ? body_traveller(s, pair.other) : element_traveller(s, pair.element);
    return meet(&a, &b, least, close, until);
}

static void look(Piece *s, int index, ib_Pair pair, ib_FirstContact *first, double *until)
{
    double u = pair_meets(s, index, pair, *until);
    if (!(u < *until)) return;
    *until = u;
    *first = (ib_FirstContact){index, s->length * (u / LAST)};
}

// Most pairs are far apart, which the box around an element shows.
static void look_at_elements(Piece *s, int body, double travel, ib_FirstContact *first,
                             double *until)
{
    const ib_World *world = s->world;
    double x = s->start[body].x, y = s->start[body].y;
    double near = world->bodies[body].shape.reach + travel + IB_TOUCH_GAP;
    for (int k = 0; k < world->element_count; k++) {
        double dx = ib__larger(world->low_x[k] - x, x - world->high_x[k]);
        double dy = ib__larger(world->low_y[k] - y, y - world->high_y[k]);
        int mover = world->elements[k].mover;
        if (mover < 0 && ib__larger(dx, dy) > near) continue;
        if (mover >= 0 &&
            ib__scene_element_bound(&s->scene, body, k) >
                travel + IB_TOUCH_GAP +
                    travel_bound(&s->start_movers[mover], &s->end_movers[mover], s->length))
            continue;
        look(s, body * world->element_count + k, (ib_Pair){body, -1, k}, first, until);
    }
}

static void look_at_bodies(Piece *s, const double *travel, ib_FirstContact *first, double *until)
{
    const ib_World *world = s->world;
    int pair = world->body_count * world->element_count;
    for (int i = 0; i < world->body_count; i++)
        for (int k = i + 1; k < world->body_count; k++, pair++)
            if (!(ib__scene_body_bound(&s->scene, i, k) > travel[i] + travel[k] + IB_TOUCH_GAP))
                look(s, pair, (ib_Pair){i, k, -1}, first, until);
}

ib_FirstContact ib_world_first_contact(const ib_World *world, const double *resting,
                                       const ib_Course *course)
{
    Piece s;
    double travel[IB_WORLD_BODIES], until = nextafter(LAST, LAST + 1);
    ib_FirstContact first = {-1, course->length};
    s.world = world;
    s.course = course;
    s.resting = resting;
    s.length = course->length;
    s.traced = false;
    course->at(course->context, 0, s.start, s.start_movers);
    course->at(course->context, course->length, s.end, s.end_movers);
    ib__scene_init(world, s.start, s.start_movers, &s.scene);

    for (int i = 0; i < world->body_count; i++) {
        travel[i] = travel_bound(&s.start[i], &s.end[i], s.length);
        look_at_elements(&s, i, travel[i], &first, &until);
    }
    look_at_bodies(&s, travel, &first, &until);
    return first;
}
