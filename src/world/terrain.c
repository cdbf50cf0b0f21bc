// world/terrain.c: the boxes of a ground, and bodies on them.
#include "world/terrain.h"

#include "base/extreme.h"
#include "base/geometry.h"
#include "base/maths.h"
#include "base/random.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum {
    STREAM = 0x7e44, ///< of the heights, used by no other draw
    STANDS = 0x7e45, ///< of the squares that stand
    SIDE = 1 << 12,  ///< rows and columns are fewer than that: one number for both
    ROUNDS = 400,    ///< of a ball's way down
};

// ------------------------------------------------------------------------------------------- check

static bool is_grid(const ib_TerrainPiece *piece)
{
    return piece->kind == IB_TERRAIN_BLOCKS || piece->kind == IB_TERRAIN_HILLS;
}

// The most boxes that a piece may have.
static int most_boxes(const ib_TerrainPiece *piece)
{
    if (piece->kind == IB_TERRAIN_FLAT) return 0;
    if (piece->kind == IB_TERRAIN_STEPS) return piece->count;
    return is_grid(piece) ? piece->rows * piece->columns : 1;
}

static ib_Status check_piece(const ib_TerrainPiece *piece, ib_Error *error)
{
    const char *at = piece->name, *dot = at[0] ? "." : "";
    if (is_grid(piece) && most_boxes(piece) > IB_TERRAIN_BOXES)
        return ib_error_set(error, IB_BAD_INPUT,
                            "terrain.%s%srows: %d x %d blocks are more than %d; make them larger, "
                            "or the ground smaller",
                            at, dot, piece->rows, piece->columns, IB_TERRAIN_BOXES);
    if (is_grid(piece) && !(piece->lowest <= piece->height))
        return ib_error_set(error, IB_BAD_INPUT,
                            "terrain.%s%slowest: %g mm are more than height, %g mm", at, dot,
                            1e3 * piece->lowest, 1e3 * piece->height);
    if (piece->kind == IB_TERRAIN_HILLS && piece->wave < 2 * piece->square)
        return ib_error_set(error, IB_BAD_INPUT,
                            "terrain.%s%swave: %g m are less than two blocks of %g m: hills would "
                            "be blocks; make one longer, or the others smaller",
                            at, dot, piece->wave, piece->square);
    return IB_OK;
}

ib_Status ib_terrain_check(const ib_TerrainConfig *config, ib_Error *error)
{
    ib_Status status = IB_OK;
    int boxes = 0;
    for (int i = 0; status == IB_OK && i < config->count; i++) {
        boxes += most_boxes(&config->pieces[i]);
        status = check_piece(&config->pieces[i], error);
    }
    if (status != IB_OK || boxes <= IB_TERRAIN_BOXES) return status;
    return ib_error_set(error, IB_BAD_INPUT,
                        "terrain: its pieces have %d boxes: expected at most %d together; fewer "
                        "rows or columns help",
                        boxes, IB_TERRAIN_BOXES);
}

// ------------------------------------------------------------------------------------------- boxes

// A number between 0 and 1 for a place of a grid.
static double chance(const ib_TerrainPiece *piece, uint64_t stream, int row, int column)
{
    uint64_t index = (uint64_t)row * SIDE + (uint64_t)column;
    return ib_random_uniform((uint64_t)piece->seed, stream, index);
}

// Waves: numbers by chance at the corners of squares of half a wave's length, and between them
// s(u) = 3 u^2 - 2 u^3, which leaves and reaches each corner level.
static double wave(const ib_TerrainPiece *piece, int row, int column)
{
    double per = 2 * piece->square / piece->wave, u = row * per, v = column * per;
    int i = (int)u, j = (int)v;
    u -= i, v -= j;
    u *= u * (3 - 2 * u), v *= v * (3 - 2 * v);
    double near = chance(piece, STREAM, i, j) * (1 - v) + chance(piece, STREAM, i, j + 1) * v;
    double far =
        chance(piece, STREAM, i + 1, j) * (1 - v) + chance(piece, STREAM, i + 1, j + 1) * v;
    return near * (1 - u) + far * u;
}

// A box that stands on the ground, from `from` on along the heading and `across` beside its middle.
static ib_TerrainBox standing(const ib_TerrainPiece *piece, double from, double across,
                              const double size[3])
{
    double s, c, along = from + 0.5 * size[0];
    ib_sincos(piece->heading, &s, &c);
    return (ib_TerrainBox){
        .place = {piece->x + c * along - s * across, piece->y + s * along + c * across,
                  0.5 * size[2]},
        .attitude = {piece->heading, 0, 0},
        .size = {size[0], size[1], size[2]},
        .friction = piece->friction,
        .slippery = piece->slippery,
    };
}

// The upper side of a plate goes through the place where the ramp begins, so that its middle is
//   length/2 along the slope, thickness/2 below it, at a right angle
static ib_TerrainBox plate(const ib_TerrainPiece *piece)
{
    double s, c, up, out;
    ib_sincos(piece->heading, &s, &c);
    ib_sincos(piece->slope, &up, &out);
    double half = 0.5 * piece->length, under = 0.5 * piece->thickness;
    double along = half * out + under * up, z = half * up - under * out;
    return (ib_TerrainBox){
        .place = {piece->x + c * along, piece->y + s * along, z},
        .attitude = {piece->heading, -piece->slope, 0},
        .size = {piece->length, piece->width, piece->thickness},
        .friction = piece->friction,
        .slippery = piece->slippery,
    };
}

// A square of a grid; false: none stands there.
static bool make_square(const ib_TerrainPiece *piece, int row, int column, ib_TerrainBox *box)
{
    if (piece->share < 1 && chance(piece, STANDS, row, column) >= piece->share) return false;
    double across = (column + 0.5 - 0.5 * piece->columns) * piece->square;
    double part = piece->kind == IB_TERRAIN_HILLS ? wave(piece, row, column)
                                                  : chance(piece, STREAM, row, column);
    double size[3] = {piece->square, piece->square,
                      piece->lowest + (piece->height - piece->lowest) * part};
    *box = standing(piece, row * piece->square, across, size);
    return size[2] >= IB_TERRAIN_LEAST;
}

// Lists the boxes of one piece from boxes[count] on; returns the new count.
static int add_boxes(const ib_TerrainPiece *piece, int count, ib_TerrainBox *boxes)
{
    if (piece->kind == IB_TERRAIN_RAMP) boxes[count++] = plate(piece);
    if (piece->kind == IB_TERRAIN_BLOCK)
        boxes[count++] =
            standing(piece, 0, 0, (double[]){piece->length, piece->width, piece->height});
    for (int i = 0; piece->kind == IB_TERRAIN_STEPS && i < piece->count; i++)
        boxes[count++] = standing(piece, i * piece->run, 0,
                                  (double[]){piece->run, piece->width, (i + 1) * piece->rise});
    for (int i = 0; is_grid(piece) && i < piece->rows * piece->columns; i++)
        count += make_square(piece, i / piece->columns, i % piece->columns, &boxes[count]);
    return count;
}

int ib_terrain_boxes(const ib_TerrainConfig *config, ib_TerrainBox boxes[IB_TERRAIN_BOXES])
{
    int count = 0;
    for (int i = 0; i < config->count; i++) count = add_boxes(&config->pieces[i], count, boxes);
    return count;
}

// ----------------------------------------------------------------------------------------- surface

// Distance from a point to a box: in the box's own frame, beyond its half edges.
static double distance_to(const ib_TerrainBox *box, const double point[3])
{
    ib_Pose field = ib_pose_field(), pose = ib_pose_in(&field, box->place, box->attitude);
    double square = 0;
    for (int i = 0; i < 3; i++) {
        double own = 0;
        for (int k = 0; k < 3; k++) own += pose.turn[3 * k + i] * (point[k] - pose.place[k]);
        double beyond = ib_max(fabs(own) - 0.5 * box->size[i], 0);
        square += beyond * beyond;
    }
    return sqrt(square);
}

double ib_terrain_distance(const ib_TerrainConfig *config, const double point[3])
{
    ib_TerrainBox boxes[IB_TERRAIN_BOXES];
    int count = ib_terrain_boxes(config, boxes);
    double least = INFINITY;
    for (int i = 0; i < count; i++) least = ib_min(least, distance_to(&boxes[i], point));
    return least;
}

// The highest that a box may reach.
static double top_of(const ib_TerrainBox *box)
{
    const double *s = box->size;
    return box->place[2] + 0.5 * sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
}

// The ball falls by its distance from the box each time, and so never passes through. Beside a
// slope each fall covers a part of the remaining distance.
static double rest_on(const ib_TerrainBox *box, double x, double y, double radius)
{
    double at[3] = {x, y, top_of(box) + radius};
    for (int i = 0; i < ROUNDS && at[2] > radius; i++) {
        double free = distance_to(box, at) - radius;
        if (free < 1e-12) return at[2];
        at[2] -= free;
    }
    return radius;
}

double ib_terrain_rest(const ib_TerrainConfig *config, double x, double y, double radius)
{
    ib_TerrainBox boxes[IB_TERRAIN_BOXES];
    int count = ib_terrain_boxes(config, boxes);
    double height = radius;
    for (int i = 0; i < count; i++) {
        const ib_TerrainBox *box = &boxes[i];
        double dx = x - box->place[0], dy = y - box->place[1], reach = top_of(box) - box->place[2];
        if (dx * dx + dy * dy > (reach + radius) * (reach + radius)) continue;
        height = ib_max(height, rest_on(box, x, y, radius));
    }
    return height;
}

// -------------------------------------------------------------------------------------- parameters

static const char *const kinds[] = {"flat", "ramp", "steps", "block", "blocks", "hills", NULL};

#define SIZE(key, fallback, min, max, field, sentence)                                             \
    IB_NUMBER_OF(key, "m", fallback, min, max, ib_TerrainPiece, field, sentence)
#define COUNT(key, fallback, min, max, field, sentence)                                            \
    IB_ROW(key, IB_PARAM_COUNT, "1", fallback, min, max, NULL, ib_TerrainPiece, field, sentence)

// The plate of a ramp is that of the thesis (C.2), and so is its friction; other sizes are ours.
static const ib_Param params[] = {
    IB_CHOICE_OF("kind", "flat", kinds, ib_TerrainPiece, kind, "what it is"),
    SIZE("x", "0.6 m", -1e4, 1e4, x, "where it begins"),
    SIZE("y", "0 m", -1e4, 1e4, y, "the middle of where it begins"),
    IB_NUMBER_OF("heading", "rad", "0 deg", -100, 100, ib_TerrainPiece, heading,
                 "where it goes on to from there"),
    IB_NUMBER_OF("friction", "1", "3", 1e-3, 100, ib_TerrainPiece, friction,
                 "coefficient of friction of its surface"),
    IB_ROW("slippery", IB_PARAM_FLAG, "1", "false", 0, 1, NULL, ib_TerrainPiece, slippery,
           "true: its friction counts also where that of the foot is greater, as on ice"),
    IB_NUMBER_OF("slope", "rad", "10 deg", 0, 1.5, ib_TerrainPiece, slope,
                 "by how much a ramp rises"),
    SIZE("length", "1.2 m", 1e-3, 1e3, length, "length of a block, or of a ramp along its slope"),
    SIZE("width", "1.2 m", 1e-3, 1e3, width, "width of a ramp, a block or of steps"),
    SIZE("thickness", "19 mm", 1e-4, 10, thickness, "thickness of a ramp's plate"),
    COUNT("count", "4", 1, 1000, count, "number of steps"),
    SIZE("rise", "30 mm", 1e-4, 10, rise, "height of a step above the one before"),
    SIZE("run", "0.3 m", 1e-3, 100, run, "depth of a step"),
    COUNT("rows", "12", 1, 1000, rows, "blocks along the heading"),
    COUNT("columns", "8", 1, 1000, columns, "blocks across the heading"),
    SIZE("block", "0.15 m", 1e-3, 100, square, "length and width of each of many blocks"),
    SIZE("height", "40 mm", 1e-4, 10, height,
         "height of a block, or the most that one of many is high"),
    SIZE("lowest", "1 mm", 0, 10, lowest,
         "least that one of many blocks is high; one of less than 0.1 mm is left out"),
    IB_NUMBER_OF("share", "1", "1", 0, 1, ib_TerrainPiece, share,
                 "chance of each of many blocks to be there"),
    SIZE("wave", "0.6 m", 1e-3, 1e3, wave, "length of the waves of hills"),
    COUNT("seed", "1", 0, 1000000000, seed,
          "seed of the heights of blocks and hills; the run's own is not asked, so that noise "
          "changes without the ground"),
};

// The kinds in which a key acts.
static const char *idle(const void *config, const char *key)
{
    enum {
        RAMP = 1 << IB_TERRAIN_RAMP,
        STEPS = 1 << IB_TERRAIN_STEPS,
        BLOCK = 1 << IB_TERRAIN_BLOCK,
        HILLS = 1 << IB_TERRAIN_HILLS,
        GRID = 1 << IB_TERRAIN_BLOCKS | HILLS,
    };
    static const struct {
        const char *key;
        int kinds;
    } rows[] = {
        {"slope", RAMP},
        {"length", RAMP | BLOCK},
        {"thickness", RAMP},
        {"count", STEPS},
        {"width", RAMP | STEPS | BLOCK},
        {"rise", STEPS},
        {"run", STEPS},
        {"rows", GRID},
        {"columns", GRID},
        {"block", GRID},
        {"height", BLOCK | GRID},
        {"lowest", GRID},
        {"share", GRID},
        {"seed", GRID},
        {"wave", HILLS},
    };
    int kind = ((const ib_TerrainPiece *)config)->kind;
    if (strcmp(key, "kind") == 0) return NULL;
    if (kind == IB_TERRAIN_FLAT) return "kind";
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(key, rows[i].key) == 0) return rows[i].kinds >> kind & 1 ? NULL : "kind";
    return NULL;
}

static const ib_Schema schema = {.params = params,
                                 .count = sizeof params / sizeof params[0],
                                 .idle = idle,
                                 .presets = "terrains"};
const ib_NamedDef ib_terrain_pieces = {
    .items = &schema,
    .offset = offsetof(ib_TerrainConfig, pieces) - offsetof(ib_TerrainConfig, count),
    .size = sizeof(ib_TerrainPiece),
    .most = IB_TERRAIN_PIECES,
    .listed = true,
    .single = true,
};

ib_TerrainPiece ib_terrain_piece(int kind)
{
    ib_TerrainPiece piece = {0};
    ib_Status status = ib_schema_default(&schema, &piece, NULL);
    IB_ASSERT(status == IB_OK);
    piece.kind = kind;
    return piece;
}
