// world/impact.c: what happens in the instant in which outlines meet. docs/world.md, "Impact"
//
// The law of world/bout.h with  wanted = -e vn-  where the approach is faster than IB_REST_SPEED.
// One point alone without friction:  jn = -(1 + e) vn- /
// (1/M + (r x n)^2/I)   [B8, section 12]
#include "world/bout.h"

#include <math.h>
#include <string.h>

enum { HALVINGS = 20 }; ///< of restitution, where it would gain energy

#define STUCK 1e-6 ///< closing after it that is no rounding, against 1 m/s or what is faster

static bool solve(ib__Bout *bout, double rest_speed, double bounce)
{
    for (int i = 0; i < bout->count; i++) {
        ib__Hit *hit = &bout->hits[i];
        bool fast = -hit->vn > ib__larger(rest_speed, ib__point_rest_speed(hit->point));
        hit->wanted = fast ? -bounce * hit->point->restitution * hit->vn : 0;
    }
    return ib__bout_solve(bout);
}

// Work of the impulses on the relative motion: j . (v- + v+)/2, which is the kinetic energy gained
// less what moving elements have put in.
static double gain(const ib__Bout *bout, double *size)
{
    double sum = 0;
    *size = 0;
    for (int i = 0; i < bout->count; i++) {
        const ib__Hit *hit = &bout->hits[i];
        double n = hit->jn * (hit->vn + ib__bout_normal_after(bout, hit)) / 2;
        double t = hit->jt * (hit->vt + ib__bout_tangent_after(bout, hit)) / 2;
        sum += n + t;
        *size += fabs(hit->jn * hit->vn) + fabs(hit->jt * hit->vt);
    }
    return sum;
}

static bool gains(const ib__Bout *bout)
{
    double size, energy = gain(bout, &size);
    return energy > 2e-15 * size;
}

// Newton's restitution may gain energy where friction turns the sliding around (Kane and Levinson,
// 1985). Without bounce it cannot; in between lies the most that does not.
static double solve_without_gain(ib__Bout *bout, double rest_speed)
{
    if (solve(bout, rest_speed, 1) && !gains(bout)) return 1;
    bool bounces = false;
    for (int i = 0; i < bout->count; i++) bounces |= bout->hits[i].wanted > 0;
    double low = 0, high = 1;
    for (int i = 0; bounces && i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        if (solve(bout, rest_speed, middle) && !gains(bout))
            low = middle;
        else
            high = middle;
    }
    if (!solve(bout, rest_speed, low) || gains(bout)) ib__bout_solve_without_friction(bout);
    return low;
}

// A pair rests when none of its points has bounced or flies off.
static void settle(const ib__Bout *bout, double *resting)
{
    for (int i = 0; i < bout->count; i++) resting[bout->hits[i].point->pair] = 1;
    for (int i = 0; i < bout->count; i++) {
        const ib__Hit *hit = &bout->hits[i];
        bool leaves =
            hit->wanted > 0 || ib__bout_normal_after(bout, hit) >= ib__point_rest_speed(hit->point);
        if (leaves) resting[hit->point->pair] = 0;
    }
}

// The pair that goes on closing fastest; -1: the law holds everywhere.
static int find_stuck(const ib__Bout *bout)
{
    double most = STUCK * ib__larger(1, bout->speed);
    int pair = -1;
    for (int i = 0; i < bout->count; i++) {
        double closing = -ib__bout_normal_after(bout, &bout->hits[i]);
        if (closing > most) pair = bout->hits[i].point->pair;
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
    ib__Bout bout;
    int count = 0;
    ib__scene_init(world, bodies, movers, &scene);
    for (int i = 0; i < world->pair_count; i++) {
        double most = resting[i] != 0 ? IB_REST_GAP : IB_TOUCH_GAP;
        count = ib__scene_points(&scene, i, most, points, count);
    }
    ib__bout_init(points, count, inverse_mass, world->body_count, &bout);
    for (int i = 0; i < count; i++) {
        bout.hits[i].vn = ib__point_closing(&points[i]);
        bout.hits[i].vt = ib__point_sliding(&points[i]);
    }
    memset(impact, 0, sizeof *impact);
    impact->points = count;
    impact->bounce = solve_without_gain(&bout, rest_speed);
    impact->stuck = find_stuck(&bout);
    ib__bout_collect(&bout, impact->impulses);
    settle(&bout, resting);

    // Energy of one body: J . (v- + v+)/2.
    for (int i = 0; i < world->body_count; i++) {
        const ib_Push *J = &impact->impulses[i];
        const double *dv = bout.change[i];
        impact->lost[i] = -(J->x * (bodies[i].vx + dv[0] / 2) + J->y * (bodies[i].vy + dv[1] / 2) +
                            J->turn * (bodies[i].w + dv[2] / 2));
    }
}
