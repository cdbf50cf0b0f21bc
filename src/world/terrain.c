// world/terrain.c: the boxes of a ground, and bodies on them.
#include "world/terrain.h"

#include "base/extreme.h"
#include "base/geometry.h"
#include "base/maths.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

enum {
    STREAM = 0x7e44, ///< of the heights, used by no other draw
    SIDE = 1 << 12,  ///< rows and columns are fewer than that: one number for both
    ROUNDS = 400,    ///< of a ball's way down
};

const char *const ib_terrain_kinds[] = {"flat", "ramp", "steps", "blocks", "hills", NULL};

// ------------------------------------------------------------------------------------------- check

static bool is_grid(const ib_TerrainConfig *config)
{
    return config->kind == IB_TERRAIN_BLOCKS || config->kind == IB_TERRAIN_HILLS;
}

ib_Status ib_terrain_check(const ib_TerrainConfig *config, ib_Error *error)
{
    if (is_grid(config) && config->rows * config->columns > IB_TERRAIN_BOXES)
        return ib_error_set(error, IB_BAD_INPUT,
                            "terrain.rows: %d x %d blocks are more than %d; make them larger, or "
                            "the ground smaller",
                            config->rows, config->columns, IB_TERRAIN_BOXES);
    if (is_grid(config) && !(config->lowest < config->height))
        return ib_error_set(error, IB_BAD_INPUT,
                            "terrain.lowest: %g mm are not less than height, %g mm",
                            1e3 * config->lowest, 1e3 * config->height);
    if (config->kind == IB_TERRAIN_HILLS && config->wave < 2 * config->block)
        return ib_error_set(error, IB_BAD_INPUT,
                            "terrain.wave: %g m are less than two blocks of %g m: hills would be "
                            "blocks; make one longer, or the others smaller",
                            config->wave, config->block);
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- boxes

int ib_terrain_count(const ib_TerrainConfig *config)
{
    if (config->kind == IB_TERRAIN_FLAT) return 0;
    if (config->kind == IB_TERRAIN_RAMP) return 1;
    return config->kind == IB_TERRAIN_STEPS ? config->count : config->rows * config->columns;
}

// A number between 0 and 1 for a place of a grid.
static double chance(const ib_TerrainConfig *config, int row, int column)
{
    uint64_t index = (uint64_t)row * SIDE + (uint64_t)column;
    return ib_random_uniform((uint64_t)config->seed, STREAM, index);
}

// Waves: numbers by chance at the corners of squares of half a wave's length, and between them
// s(u) = 3 u^2 - 2 u^3, which leaves and reaches each corner level.
static double wave(const ib_TerrainConfig *config, int row, int column)
{
    double per = 2 * config->block / config->wave, u = row * per, v = column * per;
    int i = (int)u, j = (int)v;
    u -= i, v -= j;
    u *= u * (3 - 2 * u), v *= v * (3 - 2 * v);
    double near = chance(config, i, j) * (1 - v) + chance(config, i, j + 1) * v;
    double far = chance(config, i + 1, j) * (1 - v) + chance(config, i + 1, j + 1) * v;
    return near * (1 - u) + far * u;
}

// A box that stands on the ground, from `from` on along the heading and `across` beside its middle.
static ib_TerrainBox standing(const ib_TerrainConfig *config, double from, double across,
                              const double size[3])
{
    double s, c, along = from + 0.5 * size[0];
    ib_sincos(config->heading, &s, &c);
    return (ib_TerrainBox){
        .place = {config->x + c * along - s * across, config->y + s * along + c * across,
                  0.5 * size[2]},
        .attitude = {config->heading, 0, 0},
        .size = {size[0], size[1], size[2]},
    };
}

// The upper side of a plate goes through the place where the ramp begins, so that its middle is
//   length/2 along the slope, thickness/2 below it, at a right angle
static ib_TerrainBox plate(const ib_TerrainConfig *config)
{
    double s, c, up, out;
    ib_sincos(config->heading, &s, &c);
    ib_sincos(config->slope, &up, &out);
    double half = 0.5 * config->length, under = 0.5 * config->thickness;
    double along = half * out + under * up, z = half * up - under * out;
    return (ib_TerrainBox){
        .place = {config->x + c * along, config->y + s * along, z},
        .attitude = {config->heading, -config->slope, 0},
        .size = {config->length, config->width, config->thickness},
    };
}

ib_TerrainBox ib_terrain_box(const ib_TerrainConfig *config, int index)
{
    if (config->kind == IB_TERRAIN_RAMP) return plate(config);
    if (config->kind == IB_TERRAIN_STEPS) {
        double size[3] = {config->run, config->width, (index + 1) * config->rise};
        return standing(config, index * config->run, 0, size);
    }
    int row = index / config->columns, column = index % config->columns;
    double across = (column + 0.5 - 0.5 * config->columns) * config->block;
    double part =
        config->kind == IB_TERRAIN_HILLS ? wave(config, row, column) : chance(config, row, column);
    double size[3] = {config->block, config->block,
                      config->lowest + (config->height - config->lowest) * part};
    return standing(config, row * config->block, across, size);
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
    int count = ib_terrain_count(config);
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        ib_TerrainBox box = ib_terrain_box(config, i);
        least = ib_min(least, distance_to(&box, point));
    }
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
    int count = ib_terrain_count(config);
    double height = radius;
    for (int i = 0; i < count; i++) {
        ib_TerrainBox box = ib_terrain_box(config, i);
        double dx = x - box.place[0], dy = y - box.place[1], reach = top_of(&box) - box.place[2];
        if (dx * dx + dy * dy > (reach + radius) * (reach + radius)) continue;
        height = ib_max(height, rest_on(&box, x, y, radius));
    }
    return height;
}

// -------------------------------------------------------------------------------------- parameters

const char *ib_terrain_idle(const ib_TerrainConfig *config, const char *key)
{
    static const struct {
        const char *key;
        unsigned kinds; ///< in which it acts
    } rows[] = {
        {"slope", 1u << IB_TERRAIN_RAMP},
        {"length", 1u << IB_TERRAIN_RAMP},
        {"thickness", 1u << IB_TERRAIN_RAMP},
        {"width", 1u << IB_TERRAIN_RAMP | 1u << IB_TERRAIN_STEPS},
        {"count", 1u << IB_TERRAIN_STEPS},
        {"rise", 1u << IB_TERRAIN_STEPS},
        {"run", 1u << IB_TERRAIN_STEPS},
        {"rows", 1u << IB_TERRAIN_BLOCKS | 1u << IB_TERRAIN_HILLS},
        {"columns", 1u << IB_TERRAIN_BLOCKS | 1u << IB_TERRAIN_HILLS},
        {"block", 1u << IB_TERRAIN_BLOCKS | 1u << IB_TERRAIN_HILLS},
        {"height", 1u << IB_TERRAIN_BLOCKS | 1u << IB_TERRAIN_HILLS},
        {"lowest", 1u << IB_TERRAIN_BLOCKS | 1u << IB_TERRAIN_HILLS},
        {"seed", 1u << IB_TERRAIN_BLOCKS | 1u << IB_TERRAIN_HILLS},
        {"wave", 1u << IB_TERRAIN_HILLS},
    };
    const char *own = key + strlen("terrain.");
    if (strcmp(own, "kind") == 0) return NULL;
    if (config->kind == IB_TERRAIN_FLAT) return "terrain.kind";
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(own, rows[i].key) == 0)
            return rows[i].kinds >> config->kind & 1 ? NULL : "terrain.kind";
    return NULL;
}
