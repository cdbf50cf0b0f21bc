// world/rest.c: the forces of contacts that rest. docs/world.md, "Rest"
//
// The law of world/contact_problem.h for forces: at each point a force lambda pushes the two apart,
//   gap'' + gap'/tau + gap/(2 tau)^2 >= 0,   lambda >= 0,   one of them 0
// and friction brings the sliding to an end within tau as far as mu lambda reaches:
//   slide'' + slide'/tau = 0  or  |friction| = mu lambda against it
// The terms with tau let a gap die out as a well-damped door closes, instead of keeping what an
// impact left behind. Gaps of IB_REST_SLACK count as none: in the corner of a field the friction of
// one wall would else fight the other wall over a nanometre.
#include "world/contact_problem.h"

#include <math.h>

#define LEAVING    1e-4 ///< faster than what rests opens by itself, unless it is deep [m/s]
#define SAME_SLIDE 1e-3 ///< points of a pair that slide alike but for this are one [m/s^2]

static const ib_Push none = {0, 0, 0};

// Second derivative of the gap with the free accelerations. The corners accelerate by
//   a + alpha x r - w^2 r
// and the direction turns: against an edge that belongs to a body with yaw rate w this adds -2 w n
// . (z x v), between two corners v_t^2/distance, v the velocity of a's corner relative to b.
static double free_opening(const ib__Point *p, const ib_Push *free)
{
    const ib__Side *a = &p->a, *b = &p->b;
    const ib_Push *fa = &free[a->body], *fb = b->body >= 0 ? &free[b->body] : &none;
    double ax = (fa->x - fa->turn * a->cy - a->w * a->w * a->cx) -
                (fb->x - fb->turn * b->cy - b->w * b->w * b->cx);
    double ay = (fa->y + fa->turn * a->cx - a->w * a->w * a->cy) -
                (fb->y + fb->turn * b->cx - b->w * b->w * b->cy);
    double vx = (a->vx - a->w * a->cy) - (b->vx - b->w * b->cy);
    double vy = (a->vy + a->w * a->cx) - (b->vy + b->w * b->cx);
    double across = p->nx * vy - p->ny * vx;
    double opening = p->nx * ax + p->ny * ay;
    if (p->feature == IB_FEATURE_CORNERS)
        return opening + across * across / ib__larger(p->distance, IB_REST_GAP);
    return opening + 2 * (p->feature == IB_FEATURE_EDGE_A ? a->w : b->w) * across;
}

// The points that rest. One that is just coming in is left to the impact that is about to happen:
// its force must not act in a part of a step that is cut off there. One that goes out is not held:
// a force on it would do work.
static int gather(const ib_World *world, const double *resting, const ib_BodyState *bodies,
                  const ib_BodyState *movers, ib__Point *points)
{
    ib__Scene scene;
    int found = 0, count = 0;
    ib__scene_init(world, bodies, movers, &scene);
    for (int i = 0; i < world->pair_count; i++)
        if (resting[i] != 0) found = ib__scene_points(&scene, i, IB_REST_GAP, points, found);
    for (int i = 0; i < found; i++) {
        double opening = ib__point_closing(&points[i]);
        double most = LEAVING + ib__larger(0, -points[i].gap) / IB_REST_TIME;
        if (opening > -ib__point_rest_speed(&points[i]) && opening < most)
            points[count++] = points[i];
    }
    return count;
}

// Second derivative of the way slid, along the tangent (-ny, nx), with the free accelerations.
static double free_sliding(const ib__Point *p, const ib_Push *free)
{
    const ib__Side *a = &p->a, *b = &p->b;
    const ib_Push *fa = &free[a->body], *fb = b->body >= 0 ? &free[b->body] : &none;
    double ax = (fa->x - fa->turn * a->ry - a->w * a->w * a->rx) -
                (fb->x - fb->turn * b->ry - b->w * b->w * b->rx);
    double ay = (fa->y + fa->turn * a->rx - a->w * a->w * a->ry) -
                (fb->y + fb->turn * b->rx - b->w * b->w * b->ry);
    return p->nx * ay - p->ny * ax;
}

// Where an edge lies on an edge both points slide by the same way, but for w^2 times their distance
// and for the micrometres between the edges. As long as that is next to nothing, friction acts on
// both along one line, at one speed: two points that shall both stick at slightly different speeds
// have no solution but one in which their frictions fight each other.
static void slide_as_one(ib__ContactProblem *problem)
{
    for (int i = 0; i + 1 < problem->count; i++) {
        ib__Touch *touches = &problem->touches[i];
        if (touches[0].point->pair != touches[1].point->pair) continue;
        if (!(fabs(touches[0].vt - touches[1].vt) < SAME_SLIDE)) continue;
        ib__Row row = touches[0].tangent;
        row.a[2] = (row.a[2] + touches[1].tangent.a[2]) / 2;
        row.b[2] = (row.b[2] + touches[1].tangent.b[2]) / 2;
        double vt = (touches[0].vt + touches[1].vt) / 2;
        for (int k = 0; k < 2; k++) {
            touches[k].vt = vt;
            ib__contact_problem_turn(problem, &touches[k], &row);
        }
    }
}

void ib_world_rest(const ib_World *world, const double *resting, const ib_BodyState *bodies,
                   const ib_BodyState *movers, const ib_Push *free, const double *inverse_mass,
                   ib_Push *forces)
{
    ib__Point points[IB_WORLD_POINTS];
    ib__ContactProblem problem;
    for (int i = 0; i < world->body_count; i++) forces[i] = none;
    int count = gather(world, resting, bodies, movers, points);
    if (count == 0) return;
    ib__contact_problem_init(points, count, inverse_mass, world->body_count, &problem);
    for (int i = 0; i < count; i++) {
        ib__Touch *touch = &problem.touches[i];
        double excess =
            points[i].gap - ib__larger(-IB_REST_SLACK, ib__smaller(points[i].gap, IB_REST_SLACK));
        touch->vn = free_opening(&points[i], free) + ib__point_closing(&points[i]) / IB_REST_TIME +
                    excess / (4 * IB_REST_TIME * IB_REST_TIME);
        touch->vt = free_sliding(&points[i], free) + ib__point_sliding(&points[i]) / IB_REST_TIME;
        touch->wanted = 0;
    }
    slide_as_one(&problem);
    if (!ib__contact_problem_solve(&problem)) ib__contact_problem_solve_without_friction(&problem);
    ib__contact_problem_collect(&problem, forces);
}

// How fast a side's corner goes round its origin; a disc may spin as it likes [rad/s].
static double spin(const ib__Side *side)
{
    return side->cx != 0 || side->cy != 0 ? fabs(side->w) : 0;
}

// How fast the contact turns: the two around each other, or a corner around a corner [rad/s].
static double turning(const ib__Point *p)
{
    const ib__Side *a = &p->a, *b = &p->b;
    double fastest = ib__larger(spin(a), spin(b));
    if (p->feature != IB_FEATURE_CORNERS) return fastest;
    double vx = (a->vx - a->w * a->cy) - (b->vx - b->w * b->cy);
    double vy = (a->vy + a->w * a->cx) - (b->vy + b->w * b->cx);
    double across = p->nx * vy - p->ny * vx;
    return ib__larger(fastest, fabs(across) / ib__larger(p->distance, IB_REST_GAP));
}

// Turning by an angle q, a corner at the distance r leaves the straight at the speed w r q^2/2,
// which must stay below what counts as an impact.
double ib_world_longest_piece(const ib_World *world, const double *resting,
                              const ib_BodyState *bodies, const ib_BodyState *movers)
{
    ib__Point points[IB_WORLD_POINTS];
    int count = gather(world, resting, bodies, movers, points);
    double shortest = INFINITY;
    for (int i = 0; i < count; i++) {
        const ib__Side *a = &points[i].a, *b = &points[i].b;
        double r2 = ib__larger(a->cx * a->cx + a->cy * a->cy, b->cx * b->cx + b->cy * b->cy);
        double w = turning(&points[i]), speed = w * sqrt(r2);
        if (!(w > 0)) continue;
        double angle = speed > 0 ? sqrt(IB_REST_SPEED / speed) : IB_REST_TURN;
        shortest = ib__smaller(shortest, ib__smaller(angle, IB_REST_TURN) / w);
    }
    return shortest;
}
