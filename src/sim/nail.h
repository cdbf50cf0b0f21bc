// sim/nail.h: bodies that contacts hold where they are. Internal to sim/. docs/world.md, "Standing"
// An island of bodies that stand is nailed: its forces need not be found, and its rates are 0, for
// as long as what pulls at it is what its contacts can hold.
#ifndef IB_SIM_NAIL_H
#define IB_SIM_NAIL_H

#include "sim/contact.h"

// Nails each island that stands and can be held, before a piece.
void ib__nails_drive(ib_Sim *sim);

// The rates of nailed bodies become 0; sets contact->loose where one would not be held.
void ib__nails_hold(const ib_Sim *sim, double *rate);

// Takes all nails off. Where one was loose, what leans on each other is not tried again for
// a while.
void ib__nails_pull(ib_Sim *sim);
void ib__nails_work_loose(ib_Sim *sim);

// Takes them off if islands are others than those that were nailed.
void ib__nails_check(ib_Sim *sim);

#endif
