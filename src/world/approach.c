// world/approach.c: the first instant at which two outlines meet. docs/world/world.md, "Time
// of impact"
//
// Along a fixed direction n, two convex outlines a and b are apart by
//   G(t) = min over corners i of a, k of b of  n . (a_i(t) - b_k(t)) - radii
// and no farther than they really are: G is a lower bound of the gap. Each term is smooth:
//   G_ik(t + h) >= G_ik(t) + h G_ik'(t) - h^2 A/2,   A >= |a_i''| + |b_k''|
// so that from any instant a step h is free of contact. Near the contact these steps converge like
// Newton's, from the safe side only.
//
// Time inside a piece is u = 0 .. 4, since poses are quartics through five instants.
#include "world/approach.h"
#include "world/workspace.h"

#include <math.h>
#include <string.h>

enum {
    SAMPLES = 5,
    LAST = SAMPLES - 1,
    LIMIT = 4096, ///< steps along one pair; hovering within a nanometre may need hundreds
    STOPS = 60,   ///< trials for the end of a slide
};

#define STOPPED    1e-12 ///< a slide this slow has come to its end [m/s]
#define PILE_DEPTH 1e-5  ///< a pair that rests in a pile is hit anew when it goes deeper [m]
#define CROSSED    1e-3  ///< restless slides that go on slower may cross their ends [m/s]
#define TOO_SOON   1e-6  ///< likewise an end before this [s]
#define SUNK       1e-5  ///< a resting pair deeper than this is checked more often [m]

// ----------------------------------------------------------------------------------------- courses

// The quartic through values at u = 0, 1, 2, 3, 4, by forward differences.
static ib__Quartic through(const double *f)
{
    double d1 = f[1] - f[0], d2 = (f[2] - f[1]) - d1;
    double d2b = (f[3] - f[2]) - (f[2] - f[1]), d2c = (f[4] - f[3]) - (f[3] - f[2]);
    double d3 = d2b - d2, d4 = (d2c - d2b) - d3;
    return (ib__Quartic){{f[0], d1 - d2 / 2 + d3 / 3 - d4 / 4, d2 / 2 - d3 / 2 + d4 * (11.0 / 24),
                          d3 / 6 - d4 / 4, d4 / 24}};
}

static double value(const ib__Quartic *q, double u)
{
    const double *c = q->c;
    return c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * c[4])));
}

static double slope(const ib__Quartic *q, double u)
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
static double slope_bound(const ib__Quartic *q)
{
    double a = q->c[1], b = 2 * q->c[2] * LAST, c = 3 * q->c[3] * (LAST * LAST);
    double d = 4 * q->c[4] * (LAST * LAST * LAST);
    return largest(a, a + b / 3, a + b * 2 / 3 + c / 3, a + b + c + d);
}

// For a + b s + c s^2:  a, a + b/2, a + b + c
static double curve_bound(const ib__Quartic *q)
{
    double a = 2 * q->c[2], b = 6 * q->c[3] * LAST, c = 12 * q->c[4] * (LAST * LAST);
    return largest(a, a + b / 2, a + b + c, 0);
}

static void trace(const double *x, const double *y, const double *heading, ib__Path *path)
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

// Everything about one piece; arrays are the workspace's.
typedef struct Piece {
    const ib_World *world;
    ib_WorldWorkspace *workspace; ///< with the frames at the start
    const ib_Course *course;
    double length;
    bool sampled; ///< between its ends, for paths
} Piece;

// Samples at u = 1, 2, 3, one after the other.
static void sample(Piece *s)
{
    ib_WorldWorkspace *workspace = s->workspace;
    int n = s->world->body_count, m = s->world->mover_count;
    for (int j = 1; j < LAST; j++)
        s->course->at(s->course->context, s->length * j / LAST, workspace->between + (j - 1) * n,
                      workspace->between_movers + (j - 1) * m);
    memset(workspace->is_traced, 0,
           (size_t)(n + s->world->element_count) * sizeof *workspace->is_traced);
    s->sampled = true;
}

// The path of a frame that moves: `start`, `between` and `end` of it, `count` apart, about `rest`.
static void trace_states(const ib_BodyState *start, const ib_BodyState *between, int count,
                         const ib_BodyState *end, const ib_BodyState *rest, double turns,
                         ib__Path *path)
{
    const ib_BodyState *at[SAMPLES] = {start, between, between + count, between + 2 * count, end};
    double x[SAMPLES], y[SAMPLES], heading[SAMPLES];
    for (int j = 0; j < SAMPLES; j++) {
        x[j] = rest->x + at[j]->x;
        y[j] = rest->y + at[j]->y;
        heading[j] = turns * (rest->heading + at[j]->heading);
    }
    trace(x, y, heading, path);
}

static const ib__Path *path_of(Piece *s, int frame)
{
    const ib_World *world = s->world;
    ib_WorldWorkspace *workspace = s->workspace;
    if (!s->sampled) sample(s);
    ib__Path *path = &workspace->paths[frame];
    if (workspace->is_traced[frame]) return path;
    workspace->is_traced[frame] = true;
    int element = frame - world->body_count, n = world->body_count, m = world->mover_count;
    ib_BodyState rest = {0};
    if (element < 0) {
        trace_states(&workspace->start[frame], &workspace->between[frame], n,
                     &workspace->end[frame], &rest, world->bodies[frame].upright ? 0 : 1, path);
        return path;
    }
    const ib_WorldElement *e = &world->elements[element];
    rest = (ib_BodyState){.x = e->x, .y = e->y, .heading = e->heading};
    trace_states(&workspace->start_movers[e->mover], &workspace->between_movers[e->mover], m,
                 &workspace->end_movers[e->mover], &rest, 1, path);
    return path;
}

// ------------------------------------------------------------------------------------------- steps

// One body of a pair and its path; without a path it stands still.
typedef struct Traveller {
    const ib_Shape *shape;
    const ib__Path *path; ///< NULL: it never moves
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

// Returns the largest step of both without a gap below `least`.
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
    static const ib__Path none = {.speed = 0};
    const ib__Path *e = edge->path ? edge->path : &none, *o = other->path ? other->path : &none;
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
        // Without a good axis (rounding), the gap still closes no faster than both move.
        step = ib__larger(ib__larger(step, by_edge), (axis.gap - target) / V);
        u += ib__larger(step, 1e-15);
        if (!(u < until)) return INFINITY;
    }
    return u; // a nanometre apart all the way: looking at the impact does no harm
}

// ------------------------------------------------------------------------------------------- pairs

static const ib_BodyState still = {0};

// The first and last places of the other body of a pair.
static void ends_of(const Piece *s, ib_Pair pair, const ib_BodyState **from,
                    const ib_BodyState **to)
{
    int mover = pair.other >= 0 ? -1 : s->world->elements[pair.element].mover;
    *from = *to = &still;
    if (pair.other >= 0)
        *from = &s->workspace->start[pair.other], *to = &s->workspace->end[pair.other];
    if (mover >= 0)
        *from = &s->workspace->start_movers[mover], *to = &s->workspace->end_movers[mover];
}

// Bounds the travel of a point with these ends, relative to another: a cubic with these ends and
// slopes leaves its start by |d| + 4/27 h (|v0| + |v1|) at most; here with a wide margin.
static double travel_bound(const ib_BodyState *from, const ib_BodyState *to,
                           const ib_BodyState *other_from, const ib_BodyState *other_to,
                           double length)
{
    double x = (to->x - from->x) - (other_to->x - other_from->x);
    double y = (to->y - from->y) - (other_to->y - other_from->y);
    double v = fabs(from->vx - other_from->vx) + fabs(from->vy - other_from->vy) +
               fabs(to->vx - other_to->vx) + fabs(to->vy - other_to->vy);
    return fabs(x) + fabs(y) + length * v;
}

static double turn_bound(const ib_BodyState *from, const ib_BodyState *to, double length)
{
    return fabs(to->heading - from->heading) + length * (fabs(from->w) + fabs(to->w));
}

// Returns a bound of the pair's approach.
static double closing_bound(const Piece *s, ib_Pair pair)
{
    const ib_World *world = s->world;
    const ib_BodyState *a = &s->workspace->start[pair.body], *to = &s->workspace->end[pair.body],
                       *b, *b_to;
    ends_of(s, pair, &b, &b_to);
    double core = pair.other >= 0 ? world->bodies[pair.other].shape.core
                                  : world->elements[pair.element].shape.core;
    return travel_bound(a, to, b, b_to, s->length) +
           world->bodies[pair.body].shape.core * turn_bound(a, to, s->length) +
           core * turn_bound(b, b_to, s->length);
}

static Traveller traveller(Piece *s, int frame)
{
    int element = frame - s->world->body_count;
    const ib_WorldElement *e = element >= 0 ? &s->world->elements[element] : NULL;
    bool moves = !e || e->mover >= 0;
    return (Traveller){
        .shape = e ? &e->shape : &s->world->bodies[frame].shape,
        .path = moves ? path_of(s, frame) : NULL,
        .fixed = e ? &e->fixed : NULL,
    };
}

static double travel_along(Piece *s, ib_Pair pair, double least, double close, double until)
{
    Traveller a = traveller(s, pair.body), b = traveller(s, ib__other_frame(s->world, pair));
    return meet(&a, &b, least, close, until);
}

// Returns the further depth at which a resting pair is checked again. Straight (Euler) steps along
// a curved contact each sink a little; the deeper they are, the shorter they become.
static double deeper(double gap)
{
    return -gap > SUNK ? ib__larger(IB_REST_DEPTH * SUNK / -gap, 4 * IB_CONTACT_GAP)
                       : IB_REST_DEPTH;
}

// When a pair that rests meets anew, u < until; INFINITY: it does not.
static double rest_meets(Piece *s, ib_Pair pair, const ib__Touch *touch,
                         const ib__ContactState *contact_state, double until)
{
    double gap = INFINITY, rest_speed = ib__contact_rest_speed(contact_state);
    for (int p = 0; p < touch->points; p++) {
        gap = ib__smaller(gap, contact_state->gap[p]);
        if (contact_state->gap[p] <= IB_TOUCH_GAP && -contact_state->vn[p] > rest_speed) return 0;
    }
    // Forces in a pile are approximate; penetration is shifted out at the piece's end.
    bool pile = ib__law_is_pile(&s->workspace->islands[s->workspace->home[touch->frame[0]]]);
    double least = ib__smaller(0, gap) - (pile ? PILE_DEPTH : deeper(gap));
    if (gap - closing_bound(s, pair) > least + IB_CONTACT_GAP) return INFINITY; // it stands
    return travel_along(s, pair, least, IB_CONTACT_GAP, until);
}

// True if a touching point approaches.
static bool comes_closer(Piece *s, int index)
{
    ib__Touch touch;
    ib__ContactState contact_state;
    ib__Contact rows;
    if (!ib__workspace_touch(s->world, s->workspace, index, IB_TOUCH_GAP, &touch)) return false;
    ib__touch_stand(&touch, s->workspace->frames, &contact_state, &rows);
    return -contact_state.vn[0] > IB_APPROACH ||
           (touch.points > 1 && -contact_state.vn[1] > IB_APPROACH);
}

// When a pair that does not rest meets.
static double pair_meets(Piece *s, int i, double until)
{
    int index = s->workspace->near.pairs[i];
    ib_Pair pair = s->workspace->near.who[i];
    double closing = closing_bound(s, pair), near = closing + IB_TOUCH_GAP;
    bool stands = pair.other >= 0 || s->world->elements[pair.element].mover < 0;
    if (stands && ib__near_known(&s->workspace->near, i, pair) > near) return INFINITY;
    if (ib__workspace_bound(s->world, s->workspace, pair) > near) return INFINITY;
    const ib_Placed *a = ib__workspace_outline(s->world, s->workspace, pair.body);
    const ib_Placed *b =
        ib__workspace_outline(s->world, s->workspace, ib__other_frame(s->world, pair));
    double gap = ib_shape_separation(a, b).gap;
    ib__near_measured(&s->workspace->near, i, pair, gap);
    if (gap > near) return INFINITY;
    if (gap > IB_CONTACT_GAP) return travel_along(s, pair, 0, IB_CONTACT_GAP, until);

    // Touching already: hit at once, or apart until the gap is deeper than now.
    if (comes_closer(s, index)) return 0;
    double close = IB_CONTACT_GAP / 10, least = ib__smaller(0, gap) - 2 * close;
    if (gap - closing > least + close) return INFINITY; // it stands
    return travel_along(s, pair, least, close, until);
}

static void find_meeting(Piece *s, const ib_Rests *rests, ib_FirstContact *first)
{
    const ib_WorldWorkspace *workspace = s->workspace;
    double until = nextafter(LAST, LAST + 1);
    int rest = 0;
    for (int i = 0; i < workspace->near.count; i++) {
        int index = workspace->near.pairs[i];
        while (rest < rests->count && rests->items[rest].pair < index) rest++;
        bool rests_now = rest < rests->count && rests->items[rest].pair == index;
        double u = rests_now ? rest_meets(s, workspace->near.who[i], &workspace->touches[rest],
                                          &workspace->contact_states[rest], until)
                             : pair_meets(s, i, until);
        if (!(u < until)) continue;
        until = u;
        *first = (ib_FirstContact){.pair = index, .t = s->length * (u / LAST)};
    }
}

// ------------------------------------------------------------------------------------------ slides

static void place_at(Piece *s, double t)
{
    s->course->at(s->course->context, t, s->workspace->between, s->workspace->between_movers);
    ib__workspace_place(s->world, s->workspace, s->workspace->between,
                        s->workspace->between_movers);
}

static double slide_now(const Piece *s, const ib__Touch *touch)
{
    ib__ContactState contact_state;
    ib__Contact rows;
    ib__touch_stand(touch, s->workspace->frames, &contact_state, &rows);
    return contact_state.vt;
}

// The instant at which a slide comes to its end: halving, and the chord where that is better.
static double find_stop(Piece *s, const ib__Touch *touch, double before, double after, double until)
{
    double from = 0, to = until;
    for (int i = 0; i < STOPS && to - from > 1e-15; i++) {
        double chord = from + (to - from) * (before / (before - after));
        double t = i % 3 == 2 ? (from + to) / 2 : chord;
        place_at(s, t);
        double v = slide_now(s, touch);
        if (fabs(v) <= STOPPED) return t;
        if ((v > 0) == (before > 0))
            from = t, before = v;
        else
            to = t, after = v;
    }
    return to;
}

static void find_stops(Piece *s, const ib_Rests *rests, ib_FirstContact *first)
{
    bool placed = false;
    for (int i = 0; i < rests->count; i++) {
        const ib__Touch *touch = &s->workspace->touches[i];
        double before = s->workspace->contact_states[i].vt;
        if (rests->items[i].slide == 0 || !(before * rests->items[i].slide > STOPPED)) continue;
        if (!placed) place_at(s, first->t);
        placed = true;
        double after = slide_now(s, touch);
        if (after * before > 0 || (s->course->restless && fabs(after) < CROSSED)) continue;
        double t = find_stop(s, touch, before, after, first->t);
        placed = false;
        if (s->course->restless && t < TOO_SOON) continue;
        first->t = t;
        first->pair = touch->pair;
        first->stops = true;
    }
}

ib_FirstContact ib_world_first_contact(const ib_World *world, ib_WorldWorkspace *workspace,
                                       const ib_Rests *rests, const ib_Course *course)
{
    Piece s = {.world = world, .workspace = workspace, .course = course, .length = course->length};
    ib_FirstContact first = {.pair = -1, .t = course->length};
    double travel = 0;
    course->at(course->context, 0, workspace->start, workspace->start_movers);
    course->at(course->context, course->length, workspace->end, workspace->end_movers);
    for (int i = 0; i < world->body_count; i++)
        travel = ib__larger(travel, travel_bound(&workspace->start[i], &workspace->end[i], &still,
                                                 &still, s.length));
    ib__near_update(world, &workspace->near, workspace->start, travel);
    if (workspace->near.count == 0) return first;
    ib__near_see(world, &workspace->near, workspace->start);
    ib__workspace_place(world, workspace, workspace->start, workspace->start_movers);
    find_meeting(&s, rests, &first);
    find_stops(&s, rests, &first);
    return first;
}
