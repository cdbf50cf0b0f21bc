// world/impact.c: what happens in the instant in which outlines meet. docs/world.md, "Impact"
//
// The law of world/contact_problem.h with  wanted = -e(vn-) vn-  where the approach is faster than
// IB_REST_SPEED. One point alone without friction:  jn = -(1 + e) vn- /
// (1/M + (r x n)^2/I)   [B8, section 12]
#include "world/contact_problem.h"

#include <math.h>
#include <string.h>

enum { HALVINGS = 20 }; ///< of restitution, where it would gain energy

#define STUCK 1e-6 ///< closing after it that is no rounding, against 1 m/s or what is faster

// What yields gives back less, the faster it is hit:   e(v) = e0 (vy/v)^(1/4)  beyond vy
// as in a plastic hit [Johnson, Contact Mechanics, 11.5]. Limits: v = vy -> e0; the speed after it,
// e v, still grows with v.
static double yielding(double restitution, double yield_speed, double v)
{
    bool yields = yield_speed > 0 && v > yield_speed;
    return yields ? restitution * sqrt(sqrt(yield_speed / v)) : restitution;
}

// Of two that meet in series, the one that gives back less is the softer one, which takes the hit.
static double pair_restitution(const ib_World *world, const ib__Point *point, double v)
{
    ib_Pair pair = ib_world_pair(world, point->pair);
    const ib_BodyConfig *a = &world->bodies[pair.body];
    double own = yielding(a->restitution, a->yield_speed, v);
    if (pair.other < 0) return ib__smaller(own, world->elements[pair.element].restitution);
    const ib_BodyConfig *b = &world->bodies[pair.other];
    return ib__smaller(own, yielding(b->restitution, b->yield_speed, v));
}

static bool solve(ib__ContactProblem *problem, double rest_speed, double bounce)
{
    for (int i = 0; i < problem->count; i++) {
        ib__Touch *touch = &problem->touches[i];
        bool fast = -touch->vn > ib__larger(rest_speed, ib__point_rest_speed(touch->point));
        touch->wanted = fast ? -bounce * touch->restitution * touch->vn : 0;
    }
    return ib__contact_problem_solve(problem);
}

// Work of the impulses on the relative motion: j . (v- + v+)/2, which is the kinetic energy gained
// less what moving elements have put in.
static double gain(const ib__ContactProblem *problem, double *size)
{
    double sum = 0;
    *size = 0;
    for (int i = 0; i < problem->count; i++) {
        const ib__Touch *touch = &problem->touches[i];
        double n = touch->jn * (touch->vn + ib__contact_problem_normal_after(problem, touch)) / 2;
        double t = touch->jt * (touch->vt + ib__contact_problem_tangent_after(problem, touch)) / 2;
        sum += n + t;
        *size += fabs(touch->jn * touch->vn) + fabs(touch->jt * touch->vt);
    }
    return sum;
}

static bool gains(const ib__ContactProblem *problem)
{
    double size, energy = gain(problem, &size);
    return energy > 2e-15 * size;
}

// Newton's restitution may gain energy where friction turns the sliding around (Kane and Levinson,
// 1985). Without bounce it cannot; in between lies the most that does not.
static double solve_without_gain(ib__ContactProblem *problem, double rest_speed)
{
    if (solve(problem, rest_speed, 1) && !gains(problem)) return 1;
    bool bounces = false;
    for (int i = 0; i < problem->count; i++) bounces |= problem->touches[i].wanted > 0;
    double low = 0, high = 1;
    for (int i = 0; bounces && i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        if (solve(problem, rest_speed, middle) && !gains(problem))
            low = middle;
        else
            high = middle;
    }
    if (!solve(problem, rest_speed, low) || gains(problem))
        ib__contact_problem_solve_without_friction(problem);
    return low;
}

// A pair rests when none of its points has bounced or flies off.
static void settle(const ib__ContactProblem *problem, double *resting)
{
    for (int i = 0; i < problem->count; i++) resting[problem->touches[i].point->pair] = 1;
    for (int i = 0; i < problem->count; i++) {
        const ib__Touch *touch = &problem->touches[i];
        bool leaves = touch->wanted > 0 || ib__contact_problem_normal_after(problem, touch) >=
                                               ib__point_rest_speed(touch->point);
        if (leaves) resting[touch->point->pair] = 0;
    }
}

// The pair that goes on closing fastest; -1: the law holds everywhere.
static int find_stuck(const ib__ContactProblem *problem)
{
    double most = STUCK * ib__larger(1, problem->speed);
    int pair = -1;
    for (int i = 0; i < problem->count; i++) {
        double closing = -ib__contact_problem_normal_after(problem, &problem->touches[i]);
        if (closing > most) pair = problem->touches[i].point->pair;
        most = ib__larger(most, closing);
    }
    return pair;
}

void ib_world_impact(const ib_World *world, const ib_BodyState *bodies, const ib_BodyState *movers,
                     const double *inverse_mass, double rest_speed, double *resting,
                     ib_Impact *impact)
{
    ib__Scene scene;
    ib__Point points[IB_WORLD_POINTS];
    ib__ContactProblem problem;
    int count = 0;
    ib__scene_init(world, bodies, movers, &scene);
    for (int i = 0; i < world->pair_count; i++) {
        double most = resting[i] != 0 ? IB_REST_GAP : IB_TOUCH_GAP;
        count = ib__scene_points(&scene, i, most, points, count);
    }
    ib__contact_problem_init(points, count, inverse_mass, world->body_count, &problem);
    for (int i = 0; i < count; i++) {
        ib__Touch *touch = &problem.touches[i];
        touch->vn = ib__point_closing(&points[i]);
        touch->vt = ib__point_sliding(&points[i]);
        touch->restitution = pair_restitution(world, &points[i], -touch->vn);
    }
    memset(impact, 0, sizeof *impact);
    impact->points = count;
    impact->bounce = solve_without_gain(&problem, rest_speed);
    impact->stuck = find_stuck(&problem);
    ib__contact_problem_collect(&problem, impact->impulses);
    settle(&problem, resting);

    // Energy of one body: J . (v- + v+)/2.
    for (int i = 0; i < world->body_count; i++) {
        const ib_Push *J = &impact->impulses[i];
        const double *dv = problem.change[i];
        impact->lost[i] = -(J->x * (bodies[i].vx + dv[0] / 2) + J->y * (bodies[i].vy + dv[1] / 2) +
                            J->turn * (bodies[i].w + dv[2] / 2));
    }
}
