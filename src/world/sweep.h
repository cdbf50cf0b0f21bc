// world/sweep.h: the pushes of an island, contact by contact. docs/world/world.md, "Many"
// Bonds are mended one after the other, again and again (Gauss and Seidel's way), from the pushes
// that they have. No sweep gives energy, and there is an end. Internal to this folder.
#ifndef IB_WORLD_SWEEP_H
#define IB_WORLD_SWEEP_H

#include "world/law.h"

// Sweeps `times` times at most, until no error is above `allowed`. Correct pushes stay as they are,
// to the bit. True: no error is left.
bool ib__sweep(ib__Law *law, int times, double allowed);

#endif
