// world/terrain.h: ground for legs: a plane at height 0, and on it a ramp, steps, blocks or hills.
// Its page is docs/robot/quadruped.md.
//
// A terrain consists of boxes, one form for contact, drawing and height. It begins at a place and
// extends along its heading; across that it lies evenly on both sides.
//
//   ramp     a plate whose upper side leaves the ground at the place and rises by the slope
//   steps    `count` of them, each `rise` higher than the one before and `run` deep
//   blocks   rows x columns of squares, each of a height of its own by chance, 0 .. height
//   hills    the same, whose heights follow waves of a length by chance: neighbours are alike
//
// Chance is a function of the seed and a block's place in the grid: a longer ground begins as the
// shorter one does.
#ifndef IB_WORLD_TERRAIN_H
#define IB_WORLD_TERRAIN_H

#include "base/schema.h"

typedef enum ib_TerrainKind {
    IB_TERRAIN_FLAT,
    IB_TERRAIN_RAMP,
    IB_TERRAIN_STEPS,
    IB_TERRAIN_BLOCKS,
    IB_TERRAIN_HILLS,
} ib_TerrainKind;
extern const char *const ib_terrain_kinds[]; ///< their words in a file

enum { IB_TERRAIN_BOXES = 1024 };

typedef struct ib_TerrainConfig {
    int kind;              ///< ib_TerrainKind
    double x, y;           ///< its beginning, field frame [m]
    double heading;        ///< its direction [rad]
    double friction;       ///< coefficient of its surface, > 0
    double slope;          ///< of a ramp, upwards [rad], 0 .. less than a quarter turn
    double length, width;  ///< of a ramp along its slope and across [m], > 0; steps: width
    double thickness;      ///< of a ramp's plate [m], > 0
    int count;             ///< of steps, 1 ..
    double rise, run;      ///< of a step [m], > 0
    int rows, columns;     ///< of blocks: along the heading, and across it
    double block;          ///< edge of a block [m], > 0
    double height, lowest; ///< most and least that one is high [m], 0 < lowest < height
    double wave;           ///< length of the waves of hills [m], at least two blocks
    int seed;              ///< of the random parts, >= 0
} ib_TerrainConfig;

typedef struct ib_TerrainBox {
    double place[3];    ///< of its middle, field frame [m]
    double attitude[3]; ///< yaw, pitch, roll [rad]
    double size[3];     ///< length, width, height [m]
} ib_TerrainBox;

ib_Status ib_terrain_check(const ib_TerrainConfig *config, ib_Error *error);

// The number of its boxes, and each of them. The config was checked.
int ib_terrain_count(const ib_TerrainConfig *config);
ib_TerrainBox ib_terrain_box(const ib_TerrainConfig *config, int index);

// The height of a ball's centre that lies on the ground at (x, y), come from above [m].
double ib_terrain_rest(const ib_TerrainConfig *config, double x, double y, double radius);

// Distance of a point from the nearest box [m]; 0 within one; +infinity without boxes.
double ib_terrain_distance(const ib_TerrainConfig *config, const double point[3]);

// -------------------------------------------------------------------------------------- parameters

// The key that disables "terrain.rise", as in ib_Schema.idle.
const char *ib_terrain_idle(const ib_TerrainConfig *config, const char *key);

#define IB__TERRAIN(key, unit, fallback, min, max, config, field, sentence)                        \
    IB_PARAM_ROW("terrain." key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, config, field,   \
                 false, sentence)
#define IB__TERRAIN_COUNT(key, fallback, min, max, config, field, sentence)                        \
    IB_PARAM_ROW("terrain." key, IB_PARAM_COUNT, "1", fallback, min, max, NULL, config, field,     \
                 false, sentence)

// Rows for a config struct with an ib_TerrainConfig in `terrain`. The plate of a ramp is that of
// the thesis (C.2), and so is its friction; all other sizes are ours.
#define IB_TERRAIN_ROWS(config, terrain)                                                           \
    IB_PARAM_ROW("terrain.kind", IB_PARAM_CHOICE, "1", "flat", 0, 0, ib_terrain_kinds, config,     \
                 terrain.kind, false, "what there is on the ground"),                              \
        IB__TERRAIN("x", "m", "0.6 m", -1e4, 1e4, config, terrain.x, "where it begins"),           \
        IB__TERRAIN("y", "m", "0 m", -1e4, 1e4, config, terrain.y,                                 \
                    "the middle of where it begins"),                                              \
        IB__TERRAIN("heading", "rad", "0 deg", -100, 100, config, terrain.heading,                 \
                    "where it goes on to from there"),                                             \
        IB__TERRAIN("friction", "1", "3", 1e-3, 100, config, terrain.friction,                     \
                    "coefficient of friction of what is on the ground"),                           \
        IB__TERRAIN("slope", "rad", "10 deg", 0, 1.5, config, terrain.slope,                       \
                    "by how much a ramp rises"),                                                   \
        IB__TERRAIN("length", "m", "1.2 m", 1e-3, 1e3, config, terrain.length,                     \
                    "length of a ramp, along its slope"),                                          \
        IB__TERRAIN("width", "m", "1.2 m", 1e-3, 1e3, config, terrain.width,                       \
                    "width of a ramp or of steps"),                                                \
        IB__TERRAIN("thickness", "m", "19 mm", 1e-4, 10, config, terrain.thickness,                \
                    "thickness of a ramp's plate"),                                                \
        IB__TERRAIN_COUNT("count", "4", 1, 1000, config, terrain.count, "number of steps"),        \
        IB__TERRAIN("rise", "m", "30 mm", 1e-4, 10, config, terrain.rise,                          \
                    "height of a step above the one before"),                                      \
        IB__TERRAIN("run", "m", "0.3 m", 1e-3, 100, config, terrain.run, "depth of a step"),       \
        IB__TERRAIN_COUNT("rows", "12", 1, 1000, config, terrain.rows,                             \
                          "blocks along the heading"),                                             \
        IB__TERRAIN_COUNT("columns", "8", 1, 1000, config, terrain.columns,                        \
                          "blocks across the heading"),                                            \
        IB__TERRAIN("block", "m", "0.15 m", 1e-3, 100, config, terrain.block,                      \
                    "length and width of a block"),                                                \
        IB__TERRAIN("height", "m", "40 mm", 1e-4, 10, config, terrain.height,                      \
                    "most that a block is high"),                                                  \
        IB__TERRAIN("lowest", "m", "1 mm", 1e-5, 10, config, terrain.lowest,                       \
                    "least that a block is high"),                                                 \
        IB__TERRAIN("wave", "m", "0.6 m", 1e-3, 1e3, config, terrain.wave,                         \
                    "length of the waves of hills"),                                               \
        IB__TERRAIN_COUNT("seed", "1", 0, 1000000000, config, terrain.seed,                        \
                          "seed of the heights of blocks and hills; the run's own is not asked, "  \
                          "so that noise changes without the ground")

#endif
