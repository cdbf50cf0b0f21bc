// sim/contact/partners.h: the counts of touches between driven robots.
// docs/scenario/signals.md, "Contacts" Internal to sim/.
#ifndef IB_SIM_CONTACT_PARTNERS_H
#define IB_SIM_CONTACT_PARTNERS_H

#include "sim/model.h"

// A signal `contact.with.<robot>` for each two that have a drive; nothing where there are fewer
// than two of them, or more than IB_PARTNERS. Then their share of the state: a count for each two.
ib_Status ib__partners_create(ib_Model *model, ib_Arena *arena, ib_Error *error);
void ib__partners_lay_out(ib_Model *model);

// Counts a hit with these points; a resting pair has touched at least once.
void ib__partners_hit(const ib_Model *model, const ib_PushPoint *points, int count, double *state);
void ib__partners_rest(const ib_Model *model, const ib_Rests *rests, double *state);

void ib__partners_output(const ib_Model *model, const double *state, double *signals);

#endif
