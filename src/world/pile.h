// world/pile.h: the forces of a pile (world/law.h), once a piece. Internal to this folder.
#ifndef IB_WORLD_PILE_H
#define IB_WORLD_PILE_H

#include "world/workspace.h"

// Forces of island `k` for the whole of a piece that begins, from its contacts' accelerations
// without forces. The solution is approximate.
void ib__pile_solve(ib_WorldWorkspace *workspace, int k, const ib_BodyState *bodies,
                    const double *inverse_mass);

#endif
