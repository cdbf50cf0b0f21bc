// design/arm/arm_grid.h: the joint space of an arm in a scene, on a grid: the free places, the
// connected pieces, and the shortest way between places. For design/arm/arm_detour.h.
#ifndef IB_DESIGN_ARM_GRID_H
#define IB_DESIGN_ARM_GRID_H

#include "base/arena.h"
#include "control/arm/arm_scene.h"

enum {
    IB_ARM_GRID_SIDE = 144,  ///< places along each angle
    IB_ARM_GRID_PIECES = 16, ///< largest number of pieces
    IB_ARM_GRID_WALLS = 8,   ///< largest number of lines that a way must not cross
};

// A connected set of blocked places.
typedef struct ib_ArmPiece {
    double deepest[2]; ///< its deepest place [rad]
    double depth;      ///< there, > 0 [m], [rad]
    bool edge;         ///< it extends beyond the grid
} ib_ArmPiece;

// A line that a way must not cross: from a piece to the edge of the grid. It leaves the ways on the
// other side of the piece.
typedef struct ib_ArmWall {
    double from[2], to[2];
} ib_ArmWall;

typedef struct ib_ArmGrid {
    const ib_ArmScene *scene;
    double margin;          ///< of a free place [m], [rad]
    double low[2], step[2]; ///< th = low + step k [rad]
    double *distance;       ///< of each place: SIDE x SIDE, th2 runs fastest
    double *cost;           ///< scratch of a search
    int *from, *heap, *seat;
    int pieces;
    ib_ArmPiece piece[IB_ARM_GRID_PIECES];
} ib_ArmGrid;

// Fills the grid over the box from `low` to `high`. IB_FAILED: no memory.
ib_Status ib__arm_grid_init(const ib_ArmScene *scene, double margin, const double low[2],
                            const double high[2], ib_Arena *arena, ib_ArmGrid *grid,
                            ib_Error *error);

// True if the straight line keeps the margin and crosses no wall.
bool ib__arm_grid_sees(const ib_ArmGrid *grid, const ib_ArmWall *walls, int count,
                       const double from[2], const double to[2]);

// The shortest way from place to neighbouring place, from `start` to `goal`, both included: its
// places into `way` (at most `most`). Returns their number, 0: none.
int ib__arm_grid_way(ib_ArmGrid *grid, const ib_ArmWall *walls, int count, const double start[2],
                     const double goal[2], double (*way)[2], int most);

#endif
