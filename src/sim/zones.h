// sim/zones.h: who is in which zone of the field. docs/world.md, "Zones"
// Internal to sim/.
#ifndef IB_SIM_ZONES_H
#define IB_SIM_ZONES_H

#include "sim/model.h"

// The zones of the field as part of the model, and a signal `in_<zone>` for each robot that has a
// place on the floor. Nothing where there are none.
ib_Status ib__zones_create(ib_Model *model, ib_Arena *arena, ib_Error *error);

// These signals, from a state alone.
void ib__zones_output(const ib_Model *model, const double *state, double *signals);

#endif
