// sim/contact/contact_signals.h: signals of the robots' contacts.
// docs/scenario/signals.md, "Contacts" Internal to sim/.
#ifndef IB_SIM_CONTACT_CONTACT_SIGNALS_H
#define IB_SIM_CONTACT_CONTACT_SIGNALS_H

#include "sim/contact/field.h"
#include "sim/sim_inside.h"

// The strongest points of a body, in their order.
typedef struct ib__Slots {
    int all;   ///< points that it has
    int count; ///< of those that have a place here
    const ib_PushPoint *points[IB_CONTACT_SLOTS];
} ib__Slots;

// The signals of contacts (sim/contact/field.h), if wanted with their forces, and of
// moving elements.
void ib__contact_output(const ib_Sim *sim, const double *state, const double *input, bool forces,
                        double *signals);

#endif
