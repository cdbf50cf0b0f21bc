// world/near.h: the list of near pairs, the broad phase. docs/world/world.md, "Who is near" The
// list of all pairs with a gap below a margin stays valid until something has moved by half of it.
// It may hold too many pairs, never too few: results do not depend on the time of its making.
// Internal to this folder.
#ifndef IB_WORLD_NEAR_H
#define IB_WORLD_NEAR_H

#include "world/world.h"

typedef struct ib__Near {
    int count, room;
    int *pairs;            ///< in their order
    ib_Pair *who;          ///< each of them is
    const uint8_t *passes; ///< of all pairs: 1: skipped; NULL: none is
    double spare;          ///< way left to each body until the list is made anew [m]
    int *order;            ///< of the bodies, along the sweep
    double *low, *high, *low_across, *high_across; ///< box around each body, grown [m]

    // Gaps that were measured since the list was made, so that most are not measured again.
    double *clear;      ///< of each pair, the gap and how far the two had gone then [m]
    double *gone;       ///< largest way of each body's corners [m]
    ib_BodyState *seen; ///< the place of that
} ib__Near;

bool ib__near_init(const ib_World *world, ib__Near *near, ib_Arena *arena);

// Makes the list good for bodies that were at these places and have moved by `travel` at most.
void ib__near_update(const ib_World *world, ib__Near *near, const ib_BodyState *bodies,
                     double travel);

// Takes the bodies' places before gaps are measured there.
void ib__near_see(const ib_World *world, ib__Near *near, const ib_BodyState *bodies);

// A lower bound of the gap of the i-th pair, by how far both have gone since it was measured [m].
double ib__near_known(const ib__Near *near, int i, ib_Pair pair);
void ib__near_measured(ib__Near *near, int i, ib_Pair pair, double gap);

// A cheap lower bound of a pair's gap, by circles around moving and boxes around fixed outlines;
// bx, by: the place of the other, if it moves [m].
double ib__near_bound(const ib_World *world, ib_Pair pair, double ax, double ay, double bx,
                      double by);

#endif
