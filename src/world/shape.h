// world/shape.h: outlines of planar bodies, and how far two of them are apart. docs/world/world.md
//
// A shape is a convex polygon, grown outwards by a radius: a disc is one corner with a radius, a
// robot with bumpers a rectangle, a rounded post both.
#ifndef IB_WORLD_SHAPE_H
#define IB_WORLD_SHAPE_H

#include "base/status.h"

#include <stdbool.h>

enum { IB_SHAPE_CORNERS = 8 };

typedef struct ib_Shape {
    int count;                   ///< corners of the core, 1 .. IB_SHAPE_CORNERS; never 2
    double x[IB_SHAPE_CORNERS];  ///< corners, counter-clockwise, body frame [m]
    double y[IB_SHAPE_CORNERS];  ///< the same [m]
    double nx[IB_SHAPE_CORNERS]; ///< outward unit normal of the edge from corner i to corner i + 1
    double ny[IB_SHAPE_CORNERS]; ///< (0 where there is one corner only)
    double radius;               ///< of the rounding [m], >= 0
    double core;                 ///< farthest corner from the origin [m]
    double reach;                ///< farthest point of the outline from the origin [m]
} ib_Shape;

// A disc around the origin; a rectangle around it, `length` along x.
ib_Shape ib_shape_disc(double radius);
ib_Shape ib_shape_box(double length, double width);

// A convex polygon, corners in either sense. Refused, with the reason: fewer than 3 or more than 8
// corners, corners that coincide or lie on one line, a polygon that is not convex.
ib_Status ib_shape_polygon(int count, const double *x, const double *y, double radius,
                           ib_Shape *shape, ib_Error *error);

// A shape at its place: corners and normals in the field frame.
typedef struct ib_Placed {
    int count;                                         ///< corners
    double x[IB_SHAPE_CORNERS], y[IB_SHAPE_CORNERS];   ///< [m]
    double nx[IB_SHAPE_CORNERS], ny[IB_SHAPE_CORNERS]; ///< unit vectors
    double radius;                                     ///< [m]
} ib_Placed;

void ib_shape_place(const ib_Shape *shape, double x, double y, double heading, ib_Placed *placed);

// The outline as a polygon, counter-clockwise: corners as they are, or rounded by an arc from the
// normal of one edge to that of the next. Returns the number of its points.
enum { IB_OUTLINE_ARC = 8, IB_OUTLINE_POINTS = IB_SHAPE_CORNERS * (IB_OUTLINE_ARC + 1) };
int ib_shape_outline(const ib_Placed *placed, double x[IB_OUTLINE_POINTS],
                     double y[IB_OUTLINE_POINTS]);

typedef enum ib_Feature {
    IB_FEATURE_EDGE_A,  ///< an edge of a faces a corner of b
    IB_FEATURE_EDGE_B,  ///< an edge of b faces a corner of a
    IB_FEATURE_CORNERS, ///< two corners face each other
} ib_Feature;

// The distance of a and b. Along the axis their projections are `gap` apart; no other direction has
// a larger gap.
typedef struct ib_Separation {
    double gap;         ///< > 0: distance; < 0: the shortest way out of each other [m]
    double nx, ny;      ///< unit vector from b to a
    ib_Feature feature; ///< the nearest corners or edges
    int a, b;           ///< corner, or edge by its first corner, of each
} ib_Separation;

ib_Separation ib_shape_separation(const ib_Placed *a, const ib_Placed *b);

// True if the gap of their separation is `most` at most. Quicker, if an edge separates them.
bool ib_shape_is_within(const ib_Placed *a, const ib_Placed *b, double most);

// One point of contact. The gap follows the corner `cx, cy` (the centre of its rounding) against
// the edge or the other corner.
typedef struct ib_ContactPoint {
    double x, y;        ///< where the force acts [m]
    double gap;         ///< of this point [m]
    double cx, cy;      ///< the corner; of b where two corners face each other [m]
    ib_Feature feature; ///< of this point
    int a, b;           ///< corner, or edge by its first corner, of each
} ib_ContactPoint;

typedef struct ib_Manifold {
    int count;                   ///< 1, or 2 where an edge lies along an edge
    double nx, ny;               ///< unit vector from b to a, common to the points
    ib_ContactPoint contacts[2]; ///< in the direction of (-ny, nx)
} ib_Manifold;

// The points at which a and b touch or, apart, would touch next.
ib_Manifold ib_shape_manifold(const ib_Placed *a, const ib_Placed *b);

#endif
