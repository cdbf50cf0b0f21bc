// world/near.h: the pairs that are near enough to be looked at. docs/world.md, "Who is near" The
// list of all pairs with a gap below a margin stays good until something has moved by half of it.
// It may hold pairs too many, never too few: nothing that comes out depends on when it was made.
// Internal to this folder.
#ifndef IB_WORLD_NEAR_H
#define IB_WORLD_NEAR_H

#include "world/world.h"

typedef struct ib__Near {
    int count, room;
    int *pairs;   ///< in their order
    double spare; ///< how far each body may still move until the list is made anew [m]
    int *order;   ///< of the bodies, along the sweep
    double *low, *high, *low_across, *high_across; ///< box around each body, grown [m]
} ib__Near;

bool ib__near_init(const ib_World *world, ib__Near *near, ib_Arena *arena);

// Makes the list good for bodies that were at these places and have moved by `travel` at most.
void ib__near_update(const ib_World *world, ib__Near *near, const ib_BodyState *bodies,
                     double travel);

// A lower bound of a pair's gap that costs next to nothing, by circles around what moves and boxes
// around what stands; bx, by: the place of the other, where it moves [m].
double ib__near_bound(const ib_World *world, ib_Pair pair, double ax, double ay, double bx,
                      double by);

#endif
