// world/skyline.h: linear systems of 3 x 3 blocks, one row of blocks a body.
// docs/world/world.md, "Many" Two bodies have a block together where they touch, so most blocks are
// empty. Rows reach from their first block to the diagonal (a skyline); elimination fills
// nothing outside. Internal to this folder.
#ifndef IB_WORLD_SKYLINE_H
#define IB_WORLD_SKYLINE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ib__Block {
    double m[9]; ///< rows of 3
} ib__Block;

// Structure and numbers. Row i has the blocks (i, first[i]) .. (i, i - 1) in `lower`, the blocks
// (first[i], i) .. (i - 1, i) in `upper`, both from start[i] on, and its own in `diagonal`.
typedef struct ib__Skyline {
    int count;
    int *first, *start; ///< `start` has an entry more: the number of all blocks
    ib__Block *lower, *upper, *diagonal;
    int (*pivots)[3]; ///< of the factored diagonal: its rows in the order of their pivots
} ib__Skyline;

// Memory for several, one behind the other.
typedef struct ib__SkylineWorkspace {
    ib__Skyline all;
    int used_rows, used_systems;
    size_t used_blocks, block_room;
} ib__SkylineWorkspace;

bool ib__skyline_workspace_init(ib__SkylineWorkspace *workspace, int row_room, size_t block_room,
                                ib_Arena *arena);

// Forgets all systems.
void ib__skyline_workspace_clear(ib__SkylineWorkspace *workspace);

// Another system of `count` rows, whose `first` the caller sets before he lays it out.
ib__Skyline ib__skyline_take(ib__SkylineWorkspace *workspace, int count);

// Finds a place for the blocks of the system taken last. False: there is no room.
bool ib__skyline_lay_out(ib__SkylineWorkspace *workspace, ib__Skyline *s);

// Ones on the diagonal, and nothing else.
void ib__skyline_clear(ib__Skyline *s);

// Adds  x y^T  times `size` to the block (i, k).
void ib__skyline_add(ib__Skyline *s, int i, int k, double size, const double *x, const double *y);

// Eliminates: lower becomes L with ones on its diagonal, upper U, diagonal the factors of U's. A
// symmetric system needs no `upper`, and half of the work.
void ib__skyline_factor(ib__Skyline *s, bool symmetric);

// True if the determinant of the factored matrix is positive.
bool ib__skyline_is_positive(const ib__Skyline *s);

// The system's solution, in the place of its right side b, 3 count doubles.
void ib__skyline_solve(const ib__Skyline *s, double *b);

#endif
