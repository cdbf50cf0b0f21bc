// control/path/path.h: a drawn path of lines, arcs and waypoints, and how far a point is from it.
// Its page is docs/control/path.md.
//
// The frame is the field's x, y; angles counter-clockwise. A path starts at a pose and each element
// goes on tangentially where the last one ended. A waypoint is an element too: the curve from there
// to it. The curves of a path follow from its start: ib_path_join.
#ifndef IB_CONTROL_PATH_PATH_H
#define IB_CONTROL_PATH_PATH_H

#include "base/status.h"
#include "control/path/curve.h"

#include <stdbool.h>

enum { IB_PATH_MAX = 64 };

typedef enum ib_PathMode { IB_PATH_SCHEDULE, IB_PATH_INVERSE } ib_PathMode;
typedef enum ib_PathEnd { IB_PATH_STOP, IB_PATH_COAST } ib_PathEnd;

typedef struct ib_PathElement {
    double length;    ///< along the path [m], > 0; of a waypoint set by ib_path_join
    double curvature; ///< [1/m], left positive; 0: a line, or a waypoint
} ib_PathElement;

typedef struct ib_Waypoint {
    bool given;     ///< the element of this number is a waypoint
    bool headed;    ///< the path has this heading here; otherwise the smoothest one
    double x, y;    ///< field frame [m]
    double heading; ///< direction of travel there [rad]
    ib_Curve curve; ///< to it, set by ib_path_join
} ib_Waypoint;

typedef struct ib_PathConfig {
    int count;
    ib_PathElement elements[IB_PATH_MAX];
    ib_Waypoint waypoints[IB_PATH_MAX]; ///< not given: the element is a line or an arc
    ib_PathMode mode;
    ib_PathEnd end; ///< motion at the end of the last element
    double blend;   ///< length over which a jump of curvature is spread, inverse mode [m], >= 0
} ib_PathConfig;

typedef struct ib_PathPoint {
    double x, y;      ///< [m]
    double course;    ///< direction of travel [rad], continuous
    double curvature; ///< [1/m]
} ib_PathPoint;

// An element of a path that begins at a known pose, with the data for distances to it.
typedef struct ib_PathPiece {
    double x, y;                          ///< where it begins [m]
    double sine, cosine;                  ///< of its course there
    double centre_x, centre_y;            ///< of an arc [m]
    double to_x, to_y;                    ///< where an arc ends [m]
    double samples[2 * IB_CURVE_SAMPLES]; ///< of a curve (ib_curve_sample)
} ib_PathPiece;

// Reads one element of a file: "line 2 m", "circle 1 m left" (a full turn), "arc 1 m right 90 deg".
// The error has the expected forms.
ib_Status ib_path_read(const char *text, ib_PathElement *element, ib_Error *error);

// Reads a waypoint from its parts in a file: "1 m", "50 cm", "90 deg" or NULL.
ib_Status ib_path_read_waypoint(const char *x, const char *y, const char *heading,
                                ib_Waypoint *waypoint, ib_Error *error);

// One more element that is a waypoint; false: the path is full.
bool ib_path_add(ib_PathConfig *path, const ib_Waypoint *waypoint);

// The first waypoint, counted from 1; 0: there is none.
int ib_path_first_waypoint(const ib_PathConfig *path);

// Lays smooth curves through the waypoints of a path that begins at `start`, and sets their
// lengths. Curvature is continuous there, and where a curve meets a line or an arc. A path without
// waypoints does not change. Waypoints on one spot or a curve that turns back on itself
// are refused.
ib_Status ib_path_join(ib_PathConfig *path, ib_PathPoint start, ib_Error *error);

double ib_path_length(const ib_PathConfig *path);

// End of a drive of constant curvature [1/m] and length s [m].
ib_PathPoint ib_path_go(ib_PathPoint from, double curvature, double s);

// The point at distance s [m] along element i (counted from 0), which begins at `from`.
ib_PathPoint ib_path_along(const ib_PathConfig *path, int i, ib_PathPoint from, double s);

// The same, faster: a curve's point has the course of `from` in the place of its own.
ib_PathPoint ib_path_place(const ib_PathConfig *path, int i, ib_PathPoint from, double s);

// The end of element i.
ib_PathPoint ib_path_end(const ib_PathConfig *path, int i, ib_PathPoint from);

// The point at distance s from the start pose; a line or an arc goes on beyond the end,
// a curve ends there.
ib_PathPoint ib_path_point(const ib_PathConfig *path, ib_PathPoint start, double s);

// Pieces of the elements of a path that begins at `start`, one for each.
void ib_path_lay(const ib_PathConfig *path, ib_PathPoint start, ib_PathPiece *pieces);

// The distance from (x, y) to the nearest point of the path [m], of a path whose pieces are known
// and of one that begins at `start`.
double ib_path_distance_to(const ib_PathConfig *path, const ib_PathPiece *pieces, double x,
                           double y);
double ib_path_distance(const ib_PathConfig *path, ib_PathPoint start, double x, double y);

#endif
