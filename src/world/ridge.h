// world/ridge.h: a low thing of the floor that a robot may mount: the rim of a crater, a ramp over
// cables. docs/world/world.md, "Ridges"
//
// A ridge has a crest, a line of straight bars. At the distance d from it the floor is raised by
//
//   z(d) = h (1 + cos(pi d/w))/2   for d < w,   0 beyond;      w: half its width, h: its height
//
// which is smooth: its slope is 0 on the crest and at the foot, and pi h/(2 w) at most, half way
// down. Corners of the crest are rounded with arcs of the radius w, so that no point less than w
// away has two nearest points on it, and the slope has no jump. Its ends are round.
#ifndef IB_WORLD_RIDGE_H
#define IB_WORLD_RIDGE_H

#include "base/status.h"

#include <stdbool.h>

enum {
    IB_RIDGE_POINTS = 16, ///< of a crest, at most
    IB_RIDGE_NAME = 32,   ///< characters of its name
    IB_RIDGE_OUTLINE = 20 ///< points of the outline of one of its parts, at most
};

#define IB_RIDGE_SLOPE 1.0 ///< at most: 45 degrees

typedef struct ib_RidgeConfig {
    char name[IB_RIDGE_NAME + 1];
    int count;                 ///< of the points of its crest, 2 .. IB_RIDGE_POINTS
    double x[IB_RIDGE_POINTS]; ///< field frame [m]; the last may be the first: it is closed
    double y[IB_RIDGE_POINTS]; ///< the same [m]
    double width;              ///< from foot to foot [m], > 0
    double height;             ///< of its crest [m], > 0
} ib_RidgeConfig;

// Checks a ridge.
ib_Status ib_ridge_check(const ib_RidgeConfig *config, ib_Error *error);

// A straight part of the crest, between the arcs.
typedef struct ib_RidgeBar {
    double x, y;   ///< where it begins [m]
    double tx, ty; ///< unit vector along it
    double length; ///< [m], >= 0
} ib_RidgeBar;

// A corner of it, as an arc of the radius w.
typedef struct ib_RidgeBend {
    double x, y;           ///< its centre [m]
    double from_x, from_y; ///< unit vector from there to where it begins,
    double to_x, to_y;     ///< and to where it ends
    double side;           ///< +1: it turns left, -1: right
} ib_RidgeBend;

typedef struct ib_Ridge {
    double half, height; ///< w, h [m]
    bool closed;
    int bar_count, bend_count;
    ib_RidgeBar bars[IB_RIDGE_POINTS];
    ib_RidgeBend bends[IB_RIDGE_POINTS];
    double low_x, high_x, low_y, high_y; ///< box around it, feet included [m]
} ib_Ridge;

// The config has been checked.
void ib_ridge_init(const ib_RidgeConfig *config, ib_Ridge *ridge);

// Height of the ridge at a place [m], and its slope there along x and y.
double ib_ridge_height(const ib_Ridge *ridge, double x, double y, double slope[2]);

// Least distance of a circle from its box; negative or 0: the circle may stand on it [m].
double ib_ridge_gap(const ib_Ridge *ridge, double x, double y, double radius);

// Parts for pictures, and the outline of one of them up to `reach` from the crest, 0 < reach <= w.
// Parts meet and do not overlap. Returns the number of points.
int ib_ridge_parts(const ib_Ridge *ridge);
int ib_ridge_outline(const ib_Ridge *ridge, int part, double reach, double *x, double *y);

#endif
