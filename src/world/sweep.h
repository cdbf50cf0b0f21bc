// world/sweep.h: the pushes of an island, contact by contact. docs/world.md, "Many"
// Bonds are mended one after the other, again and again (Gauss and Seidel's way), from the pushes
// that they have. No sweep gives energy, and there is an end. Internal to this folder.
#ifndef IB_WORLD_SWEEP_H
#define IB_WORLD_SWEEP_H

#include "world/law.h"

// At most so many times, and until nothing is wrong by more than `allowed`. Pushes that are right
// stay as they are, to the bit. True: nothing is.
bool ib__sweep(ib__Law *law, int times, double allowed);

#endif
