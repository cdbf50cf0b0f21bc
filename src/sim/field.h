// sim/field.h: the world of contacts as part of a model. Internal to sim/.
#ifndef IB_SIM_FIELD_H
#define IB_SIM_FIELD_H

#include "sim/model.h"

// What a robot that can touch something shows.
enum { IB_CONTACT_SIGNALS = 6 };
extern const ib_SignalDef ib_contact_signals[IB_CONTACT_SIGNALS];

// In this order, from ib_model_create: the world from field and robots; its signals; its share of
// the state and input arrays.
ib_Status ib__field_create(ib_Model *model, ib_Arena *arena, ib_Error *error);
ib_Status ib__field_signals(ib_Model *model, ib_Arena *arena, ib_Error *error);
ib_Status ib__field_lay_out(ib_Model *model, ib_Arena *arena, ib_Error *error);

// What messages call a body, and an element of the field.
const char *ib__field_body_name(const ib_Model *model, int body);
const char *ib__field_element_name(const ib_Model *model, int element);

#endif
