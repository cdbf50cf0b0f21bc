// world/scene.h: the world at one instant, and the points at which things touch there.
// Internal to this folder.
#ifndef IB_WORLD_SCENE_H
#define IB_WORLD_SCENE_H

#include "world/world.h"

// The larger and the smaller of two, neither of which is NaN: docs/performance.md
static inline double ib__larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double ib__smaller(double a, double b)
{
    return a < b ? a : b;
}

// Outlines are placed when they are first asked for.
typedef struct ib__Scene {
    const ib_World *world;
    const ib_BodyState *bodies, *movers;
    bool is_placed[IB_WORLD_BODIES];
    ib_Placed placed[IB_WORLD_BODIES];
    ib_Placed mover; ///< the moving element that was placed last
} ib__Scene;

void ib__scene_init(const ib_World *world, const ib_BodyState *bodies, const ib_BodyState *movers,
                    ib__Scene *scene);

const ib_Placed *ib__scene_body(ib__Scene *scene, int body);
const ib_Placed *ib__scene_element(ib__Scene *scene, int element);

// An element's origin and motion.
ib_BodyState ib__scene_element_state(const ib__Scene *scene, int element);

// A lower bound of the gap of body and element, or of two bodies, that costs next to nothing [m].
double ib__scene_element_bound(const ib__Scene *scene, int body, int element);
double ib__scene_body_bound(const ib__Scene *scene, int body, int other);

// One side of a contact: where it is touched, seen from its origin, and how it moves. An outline
// that never turns is touched at its origin.
typedef struct ib__Side {
    int body;         ///< -1: an element
    double rx, ry;    ///< from the origin to the point of contact [m]
    double cx, cy;    ///< from the origin to the corner that tells the gap [m]
    double vx, vy, w; ///< of the origin
} ib__Side;

typedef struct ib__Point {
    int pair;
    ib__Side a, b;   ///< a: the pair's body; b: the other body or the element
    double nx, ny;   ///< unit vector from b to a
    double gap;      ///< [m]
    double friction; ///< of the pair
    ib_Feature feature;
    double distance; ///< between the corners of IB_FEATURE_CORNERS [m]
} ib__Point;

// Appends the points of a pair with a gap of at most `most`; returns the new count. Where all
// IB_WORLD_POINTS are taken the widest gap makes room.
int ib__scene_points(ib__Scene *scene, int pair, double most, ib__Point *points, int count);

// Velocity of a relative to b at the point, along the normal and along the tangent (-ny, nx) [m/s].
double ib__point_closing(const ib__Point *point);
double ib__point_sliding(const ib__Point *point);

// Slower than this the point does not bounce: IB_REST_SPEED, or 1e-4 of a fast slide [m/s].
double ib__point_rest_speed(const ib__Point *point);

// What a unit push of a on the normal (tangent) does: its arm is the torque about a's origin.
typedef struct ib__Row {
    double a[3], b[3]; ///< on a along the direction, on b against it: x, y, turn
} ib__Row;

ib__Row ib__point_row(const ib__Point *point, double dx, double dy);

// What `push` changes of the motion of its two bodies: W push.
ib__Row ib__row_change(const ib__Row *push, const ib__Point *of, const double *inverse_mass);

// What a change of the bodies of `of` is along `row`.
double ib__row_felt(const ib__Row *row, const ib__Point *point, const ib__Row *change,
                    const ib__Point *of);

// What `push` on the bodies of `of` changes along `row`, by their inverse masses: row W push.
double ib__row_answer(const ib__Row *row, const ib__Point *point, const ib__Row *push,
                      const ib__Point *of, const double *inverse_mass);

#endif
