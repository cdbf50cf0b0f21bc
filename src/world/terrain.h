// world/terrain.h: ground for legs: a plane at height 0, and on it pieces: ramps, steps, single
// blocks, fields of blocks, hills. Its page is docs/robot/quadruped.md.
//
// A piece consists of boxes, one form for contact, drawing and height. It begins at a place and
// extends along its heading; across that it lies evenly on both sides.
//
//   ramp     a plate whose upper side leaves the ground at the place and rises by the slope
//   steps    `count` of them, each `rise` higher than the one before and `run` deep
//   block    one box, length x width x height
//   blocks   rows x columns of squares, each of a height of its own by chance, lowest .. height
//   hills    the same, whose heights follow waves of a length by chance: neighbours are alike
//
// Chance is a function of the seed and a block's place in the grid: a longer ground begins as the
// shorter one does. Squares below IB_TERRAIN_LEAST are left out, and all but a `share` of them.
#ifndef IB_WORLD_TERRAIN_H
#define IB_WORLD_TERRAIN_H

#include "base/schema.h"

typedef enum ib_TerrainKind {
    IB_TERRAIN_FLAT,
    IB_TERRAIN_RAMP,
    IB_TERRAIN_STEPS,
    IB_TERRAIN_BLOCK,
    IB_TERRAIN_BLOCKS,
    IB_TERRAIN_HILLS,
} ib_TerrainKind;

enum {
    IB_TERRAIN_BOXES = 1024, ///< of all pieces together
    IB_TERRAIN_PIECES = 16,
};
#define IB_TERRAIN_LEAST 1e-4 ///< height of a square [m]

typedef struct ib_TerrainPiece {
    char name[IB_NAME_LENGTH + 1]; ///< its number in a file's list; "": it is no list
    int kind;                      ///< ib_TerrainKind
    double x, y;                   ///< its beginning, field frame [m]
    double heading;                ///< its direction [rad]
    double friction;               ///< coefficient of its surface, > 0
    bool slippery;                 ///< true: it counts also where that of the foot is greater
    double slope;                  ///< of a ramp, upwards [rad], 0 .. less than a quarter turn
    double length, width;          ///< of a ramp along its slope and across [m], > 0; steps: width;
                                   ///< block: both
    double thickness;              ///< of a ramp's plate [m], > 0
    int count;                     ///< of steps, 1 ..
    double rise, run;              ///< of a step [m], > 0
    int rows, columns;             ///< of blocks: along the heading, and across it
    double square;                 ///< edge of each [m], > 0
    double height, lowest;         ///< most and least that one is high [m], 0 <= lowest < height;
                                   ///< height: of a block
    double share;                  ///< of the squares that stand, 0 .. 1
    double wave;                   ///< length of the waves of hills [m], at least two squares
    int seed;                      ///< of the random parts, >= 0
} ib_TerrainPiece;

typedef struct ib_TerrainConfig {
    int count; ///< of the pieces
    ib_TerrainPiece pieces[IB_TERRAIN_PIECES];
} ib_TerrainConfig;

typedef struct ib_TerrainBox {
    double place[3];    ///< of its middle, field frame [m]
    double attitude[3]; ///< yaw, pitch, roll [rad]
    double size[3];     ///< length, width, height [m]
    double friction;    ///< of its piece
    bool slippery;      ///< the same
} ib_TerrainBox;

// A piece of this kind, by the defaults of its keys.
ib_TerrainPiece ib_terrain_piece(int kind);

ib_Status ib_terrain_check(const ib_TerrainConfig *config, ib_Error *error);

// Lists its boxes, piece after piece; returns their number. The config was checked.
int ib_terrain_boxes(const ib_TerrainConfig *config, ib_TerrainBox boxes[IB_TERRAIN_BOXES]);

// The height of a ball's centre that lies on the ground at (x, y), come from above [m].
double ib_terrain_rest(const ib_TerrainConfig *config, double x, double y, double radius);

// Distance of a point from the nearest box [m]; 0 within one; +infinity without boxes.
double ib_terrain_distance(const ib_TerrainConfig *config, const double point[3]);

// -------------------------------------------------------------------------------------- parameters

extern const ib_NamedDef ib_terrain_pieces; ///< of the row below

// The row for a config struct with an ib_TerrainConfig in `terrain`.
#define IB_TERRAIN_ROWS(config, terrain)                                                           \
    IB_ROW("terrain", IB_PARAM_NAMED, "1", NULL, 0, IB_TERRAIN_PIECES, &ib_terrain_pieces, config, \
           terrain.count, "what there is on the ground: a map, or a list of such maps")

#endif
