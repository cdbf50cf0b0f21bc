#include "world/touch.h"

#include "base/extreme.h"

#include <math.h>

#define NO_CORNER 1e-6 ///< two corners this close turn about each other no faster [m]

// ----------------------------------------------------------------------------------------- finding

static ib__TouchPoint point_of(const ib_Shape *a, const ib_Shape *b, const ib_ContactPoint *contact)
{
    ib__TouchPoint point = {.feature = contact->feature};
    bool of_a = contact->feature == IB_FEATURE_EDGE_A, of_b = contact->feature == IB_FEATURE_EDGE_B;
    const ib_Shape *edge = of_a ? a : b;
    int i = of_a ? contact->a : contact->b;
    if (!of_a) point.corner_a[0] = a->x[contact->a], point.corner_a[1] = a->y[contact->a];
    if (!of_b) point.corner_b[0] = b->x[contact->b], point.corner_b[1] = b->y[contact->b];
    if (contact->feature == IB_FEATURE_CORNERS) return point;
    point.nx = edge->nx[i];
    point.ny = edge->ny[i];
    point.edge = point.nx * edge->x[i] + point.ny * edge->y[i];
    return point;
}

void ib__touch_find(const ib_Shape *shape_a, const ib_Placed *a, const ib_Shape *shape_b,
                    const ib_Placed *b, double most, ib__Touch *touch)
{
    ib_Manifold manifold = ib_shape_manifold(a, b);
    touch->points = 0;
    touch->radius[0] = shape_a->radius;
    touch->radius[1] = shape_b->radius;
    for (int i = 0; i < manifold.count; i++)
        if (manifold.contacts[i].gap <= most)
            touch->point[touch->points++] = point_of(shape_a, shape_b, &manifold.contacts[i]);
}

// ---------------------------------------------------------------------------------------- standing

typedef struct Vector {
    double x, y;
} Vector;

static Vector turned(const ib__Frame *frame, double x, double y)
{
    return (Vector){frame->c * x - frame->s * y, frame->s * x + frame->c * y};
}

// Velocity of a frame's material at `r` from its origin.
static Vector moving(const ib__Frame *frame, Vector r)
{
    return (Vector){frame->vx - frame->w * r.y, frame->vy + frame->w * r.x};
}

// A point at an instant: unit vector from b to a, the corner (of each, where two meet) and the
// place where the force acts, both seen from the two origins.
typedef struct Place {
    double nx, ny, gap;
    Vector corner[2], arm[2];
    double distance; ///< between two corners; 0: an edge is met
    double edge_w;   ///< yaw rate of the edge's frame
} Place;

static void place_corners(const ib__Touch *touch, const ib__TouchPoint *point, const ib__Frame *a,
                          const ib__Frame *b, Place *at)
{
    Vector ca = turned(a, point->corner_a[0], point->corner_a[1]);
    Vector cb = turned(b, point->corner_b[0], point->corner_b[1]);
    double dx = (a->x - b->x) + (ca.x - cb.x), dy = (a->y - b->y) + (ca.y - cb.y);
    double distance = sqrt(dx * dx + dy * dy);
    at->nx = distance > 0 ? dx / distance : 1;
    at->ny = distance > 0 ? dy / distance : 0;
    at->gap = distance - touch->radius[0] - touch->radius[1];
    at->corner[0] = ca;
    at->corner[1] = cb;
    at->arm[0] = (Vector){ca.x - touch->radius[0] * at->nx, ca.y - touch->radius[0] * at->ny};
    at->arm[1] = (Vector){cb.x + touch->radius[1] * at->nx, cb.y + touch->radius[1] * at->ny};
    at->distance = ib_max(distance, NO_CORNER);
    at->edge_w = 0;
}

// The corner of `one` stands over the edge of `two`; out: the edge's normal points at `one`.
static void place_edge(const ib__Touch *touch, const ib__TouchPoint *point, const ib__Frame *one,
                       const ib__Frame *two, int side, Place *at)
{
    const double *corner = side == 0 ? point->corner_a : point->corner_b;
    Vector c = turned(one, corner[0], corner[1]), n = turned(two, point->nx, point->ny);
    Vector over = {(one->x - two->x) + c.x, (one->y - two->y) + c.y};
    double sign = side == 0 ? 1 : -1, radius = touch->radius[side];
    at->nx = sign * n.x;
    at->ny = sign * n.y;
    at->gap = n.x * over.x + n.y * over.y - point->edge - touch->radius[0] - touch->radius[1];
    at->corner[side] = c;
    at->corner[1 - side] = over;
    at->arm[side] = (Vector){c.x - radius * n.x, c.y - radius * n.y};
    at->arm[1 - side] = (Vector){over.x - radius * n.x, over.y - radius * n.y};
    at->distance = 0;
    at->edge_w = two->w;
}

static void place(const ib__Touch *touch, const ib__TouchPoint *point, const ib__Frame *a,
                  const ib__Frame *b, Place *at)
{
    if (point->feature == IB_FEATURE_CORNERS)
        place_corners(touch, point, a, b, at);
    else if (point->feature == IB_FEATURE_EDGE_B)
        place_edge(touch, point, a, b, 0, at);
    else
        place_edge(touch, point, b, a, 1, at);
}

// The motion of the two by a unit push along d at the arms.
static void set_row(const ib__Frame *a, const ib__Frame *b, const Place *at, double dx, double dy,
                    ib__Row *row)
{
    double turn_a = a->upright ? 0 : at->arm[0].x * dy - at->arm[0].y * dx;
    double turn_b = b->upright ? 0 : at->arm[1].y * dx - at->arm[1].x * dy;
    *row = (ib__Row){{{dx, dy, turn_a}, {-dx, -dy, turn_b}}};
}

// Second derivative of the gap without accelerations. Corners go round their origins, -w^2 c, and
// the direction turns: against an edge of the yaw rate w this adds 2 w v_t, between two corners
// v_t^2/distance; v_t: velocity across n of a's corner relative to b's.
static void set_normal(const ib__Frame *a, const ib__Frame *b, const Place *at, int p,
                       ib__ContactState *contact_state)
{
    Vector va = moving(a, at->corner[0]), vb = moving(b, at->corner[1]);
    double vx = va.x - vb.x, vy = va.y - vb.y, across = at->nx * vy - at->ny * vx;
    double wa = a->w * a->w, wb = b->w * b->w;
    double round = at->nx * (wb * at->corner[1].x - wa * at->corner[0].x) +
                   at->ny * (wb * at->corner[1].y - wa * at->corner[0].y);
    contact_state->gap[p] = at->gap;
    contact_state->vn[p] = at->nx * vx + at->ny * vy;
    contact_state->an[p] =
        round + (at->distance > 0 ? across * across / at->distance : 2 * at->edge_w * across);
    if (at->distance > 0)
        contact_state->turning = ib_max(contact_state->turning, fabs(across) / at->distance);
    for (int side = 0; side < 2; side++) {
        Vector c = at->corner[side];
        double reach = sqrt(c.x * c.x + c.y * c.y);
        // A corner goes round its origin; a disc may spin as it likes.
        if (reach > 0)
            contact_state->turning = ib_max(contact_state->turning, fabs(side == 0 ? a->w : b->w));
        contact_state->reach = ib_max(contact_state->reach, reach);
    }
}

static void set_tangent(const ib__Frame *a, const ib__Frame *b, const Place *at,
                        ib__ContactState *contact_state)
{
    Vector va = moving(a, at->arm[0]), vb = moving(b, at->arm[1]);
    double tx = -at->ny, ty = at->nx, wa = a->w * a->w, wb = b->w * b->w;
    contact_state->nx = at->nx;
    contact_state->ny = at->ny;
    contact_state->vt = tx * (va.x - vb.x) + ty * (va.y - vb.y);
    contact_state->at =
        tx * (wb * at->arm[1].x - wa * at->arm[0].x) + ty * (wb * at->arm[1].y - wa * at->arm[0].y);
}

void ib__touch_stand(const ib__Touch *touch, const ib__Frame *frames,
                     ib__ContactState *contact_state, ib__Contact *contact)
{
    const ib__Frame *a = &frames[touch->frame[0]], *b = &frames[touch->frame[1]];
    contact_state->turning = contact_state->reach = 0;
    for (int p = 0; p < touch->points; p++) {
        Place at;
        place(touch, &touch->point[p], a, b, &at);
        set_row(a, b, &at, at.nx, at.ny, &contact->normal[p]);
        set_normal(a, b, &at, p, contact_state);
        contact_state->x[p] = a->x + at.arm[0].x;
        contact_state->y[p] = a->y + at.arm[0].y;
        if (p > 0) continue;
        set_row(a, b, &at, -at.ny, at.nx, &contact->tangent);
        set_tangent(a, b, &at, contact_state);
    }
}
