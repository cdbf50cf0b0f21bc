// world/heap.h: the forces of a heap (world/law.h), once a piece. Internal to this folder.
#ifndef IB_WORLD_HEAP_H
#define IB_WORLD_HEAP_H

#include "world/room.h"

// Forces of island `k` for the whole of a piece that begins, whose accelerations without forces are
// in its bonds. They are found nearly.
void ib__heap_solve(ib_WorldRoom *room, int k, const ib_BodyState *bodies,
                    const double *inverse_mass);

#endif
