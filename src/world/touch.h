// world/touch.h: the touch of two outlines, by their corners and edges. docs/world/world.md A touch
// is found once; places and motion of its points follow from the frames of its two as long as the
// same corners and edges meet. Internal to this folder.
#ifndef IB_WORLD_TOUCH_H
#define IB_WORLD_TOUCH_H

#include "world/law.h"
#include "world/shape.h"

// A body or an element at an instant. An outline that never turns is touched at its origin: its
// frame has no direction and no yaw rate.
typedef struct ib__Frame {
    double x, y;      ///< origin [m]
    double c, s;      ///< direction of the outline
    double vx, vy, w; ///< [m/s, m/s, rad/s]
    bool upright;
} ib__Frame;

typedef struct ib__TouchPoint {
    ib_Feature feature;
    double corner_a[2], corner_b[2]; ///< that meet, in their own frames, 0 of an edge [m]
    double nx, ny;                   ///< of the edge that meets, in its own frame; outward
    double edge;                     ///< n . x all along it [m]
} ib__TouchPoint;

typedef struct ib__Touch {
    int pair;
    int frame[2];     ///< of a, of b
    double radius[2]; ///< of their roundings [m]
    double friction;
    int points;
    ib__TouchPoint point[2]; ///< in the direction of the tangent
} ib__Touch;

// The place and motion of a touch at an instant, beside its contact.
typedef struct ib__ContactState {
    double gap[2];     ///< of each point [m]
    double x[2], y[2]; ///< place of each [m]
    double nx, ny;     ///< unit vector from b to a, of the first point
    double vn[2], vt;  ///< opening of each point, slide of a over b [m/s]
    double an[2], at;  ///< second derivatives due to the motion [m/s^2]
    double turning;    ///< rate of turn of the contact [rad/s]
    double reach;      ///< of the farther corner from its origin [m]
} ib__ContactState;

// Finds the points of a pair with a gap of `most` at the most. `a`, `b`: outlines at their places.
void ib__touch_find(const ib_Shape *shape_a, const ib_Placed *a, const ib_Shape *shape_b,
                    const ib_Placed *b, double most, ib__Touch *touch);

// The present state, and the rows of the contact.
void ib__touch_stand(const ib__Touch *touch, const ib__Frame *frames,
                     ib__ContactState *contact_state, ib__Contact *contact);

#endif
