// sim/contact_signals.h: what robots show of their contacts. docs/signals.md, "Contacts"
// Internal to sim/.
#ifndef IB_SIM_CONTACT_SIGNALS_H
#define IB_SIM_CONTACT_SIGNALS_H

#include "sim/sim_inside.h"

// The signals of contacts (sim/field.h) and of moving elements.
void ib__contact_output(const ib_Sim *sim, const double *state, const double *input,
                        double *signals);

#endif
