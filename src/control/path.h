// control/path.h: a drawn path of lines and arcs, and how far a point is from it. See docs/path.md
//
// Frames as everywhere: field x, y; angles counter-clockwise. A path starts at a pose and each
// element goes on tangentially where the last one ended.
#ifndef IB_CONTROL_PATH_H
#define IB_CONTROL_PATH_H

#include "base/status.h"

enum { IB_PATH_MAX = 64 };

typedef enum ib_PathMode { IB_PATH_SCHEDULE, IB_PATH_INVERSE } ib_PathMode;
typedef enum ib_PathEnd { IB_PATH_STOP, IB_PATH_COAST } ib_PathEnd;

typedef struct ib_PathElement {
    double length;    ///< along the path [m], > 0
    double curvature; ///< [1/m], left positive; 0: a line
} ib_PathElement;

typedef struct ib_PathConfig {
    int count;
    ib_PathElement elements[IB_PATH_MAX];
    ib_PathMode mode;
    ib_PathEnd end; ///< what happens at the end of the last element
    double blend;   ///< length over which a jump of curvature is spread, inverse mode [m], >= 0
} ib_PathConfig;

typedef struct ib_PathPoint {
    double x, y;      ///< [m]
    double course;    ///< direction of travel [rad], continuous
    double curvature; ///< [1/m]
} ib_PathPoint;

// Reads one element as a person writes it: "line 2 m", "circle 1 m left" (a full turn), "arc 1 m
// right 90 deg". The error says what was expected.
ib_Status ib_path_read(const char *text, ib_PathElement *element, ib_Error *error);

double ib_path_length(const ib_PathConfig *path);

// Where a drive of constant curvature [1/m] and length s [m] ends.
ib_PathPoint ib_path_go(ib_PathPoint from, double curvature, double s);

// The point at distance s from the start pose; the last element goes on beyond the end.
ib_PathPoint ib_path_point(const ib_PathConfig *path, ib_PathPoint start, double s);

// The distance from (x, y) to the nearest point of the path [m].
double ib_path_distance(const ib_PathConfig *path, ib_PathPoint start, double x, double y);

#endif
