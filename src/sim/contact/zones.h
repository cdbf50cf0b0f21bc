// sim/contact/zones.h: the zones of the field and the robots in them. docs/world/world.md, "Zones"
// Internal to sim/.
#ifndef IB_SIM_CONTACT_ZONES_H
#define IB_SIM_CONTACT_ZONES_H

#include "sim/model.h"

// The zones of the field as part of the model, and a signal `in_<zone>` for each robot that has a
// place on the floor. Nothing where there are none.
ib_Status ib__zones_create(ib_Model *model, ib_Arena *arena, ib_Error *error);

// Last place of a robot, and its zones.
typedef struct ib__LastZones {
    bool known;
    double motion[6]; ///< states of its pose and its velocity
    double *in;       ///< one for each zone
} ib__LastZones;

// Memory for that, one for each robot; NULL: there is none.
ib__LastZones *ib__zones_create_last(const ib_Model *model, ib_Arena *arena);

// These signals, from a state alone. Places with the bits of the last time are not evaluated again:
// most bodies stand.
void ib__zones_output(const ib_Model *model, ib__LastZones *last, const double *state,
                      double *signals);

#endif
