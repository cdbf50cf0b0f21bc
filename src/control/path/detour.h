// control/path/detour.h: the shortest way around obstacles whose places are known.
// Its page is docs/control/routine.md, "Around obstacles".
//
// A base is taken for a disc: its middle keeps a clearance from every obstacle. An obstacle grown
// by it is a convex hull, of octagons around its corners. A shortest way goes straight from corner
// to corner of such hulls, so a visibility graph of the corners is made once, and a search in it
// (Dijkstra) finds the way, without allocation.
//
// A base closer to an obstacle than that (at a lander, a depot's wall) may leave it and come to it,
// as long as it does not get closer on its way.
#ifndef IB_CONTROL_PATH_DETOUR_H
#define IB_CONTROL_PATH_DETOUR_H

#include "base/arena.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    IB_OBSTACLE_CORNERS = 8,
    IB_DETOUR_OBSTACLES = 64,
    IB_DETOUR_CORNERS = 1024, ///< of all hulls, at most
    IB_DETOUR_NODES = 256,    ///< corners that a way may touch, at most
    IB_DETOUR_VIAS = 12,      ///< of one way, at most
};

// A convex outline, rounded outwards: a disc has one corner, a board may have two.
typedef struct ib_Obstacle {
    int count;                                             ///< 1 .. IB_OBSTACLE_CORNERS
    double x[IB_OBSTACLE_CORNERS], y[IB_OBSTACLE_CORNERS]; ///< field frame [m]
    double radius;                                         ///< [m], >= 0
} ib_Obstacle;

typedef struct ib_DetourConfig {
    int obstacle_count; ///< 0 .. IB_DETOUR_OBSTACLES
    const ib_Obstacle *obstacles;
    int wall_count;                ///< corners of the perimeter, in either sense; 0: there is none
    const double *wall_x, *wall_y; ///< field frame [m]
    double clearance;              ///< of the middle from obstacles and walls [m], > 0
} ib_DetourConfig;

// An obstacle, grown: corners `first` to `first + count - 1`, counter-clockwise.
typedef struct ib_DetourHull {
    int first, count;
} ib_DetourHull;

typedef struct ib_Detour {
    int hull_count;
    const ib_DetourHull *hulls;
    const double *x, *y; ///< corners of all hulls [m]
    int node_count;
    const double *node_x, *node_y; ///< corners that a way may touch [m]
    const uint8_t *sees;           ///< node_count^2: 1 where two nodes see each other
    int wall_count;
    const double *wall_x, *wall_y;
} ib_Detour;

// The walls must live as long. IB_BAD_INPUT: more corners than there is room for.
ib_Status ib_detour_init(const ib_DetourConfig *config, ib_Arena *arena, ib_Detour *detour,
                         ib_Error *error);

// Points to pass on the way from one place to another, none where nothing is in the way; how many,
// or -1: there is no way.
int ib_detour_find(const ib_Detour *detour, const double from[2], const double to[2],
                   double via[IB_DETOUR_VIAS][2]);

#endif
