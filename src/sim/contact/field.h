// sim/contact/field.h: the world of contacts as part of a model. Internal to sim/.
#ifndef IB_SIM_CONTACT_FIELD_H
#define IB_SIM_CONTACT_FIELD_H

#include "sim/model.h"

// Signals of a robot that can have contacts: docs/scenario/signals.md, "Contacts". From its
// contact_signal on:
enum {
    IB_CONTACT_HITS,
    IB_CONTACT_IMPULSE,
    IB_CONTACT_TOUCHING,
    IB_CONTACT_FORCE,
    IB_CONTACT_FORCE_X,
    IB_CONTACT_FORCE_Y,
    IB_CONTACT_TORQUE,
    IB_CONTACT_COUNT,
    IB_CONTACT_HIT_X,
    IB_CONTACT_HIT_Y,
    IB_CONTACT_HIT_IMPULSE_X,
    IB_CONTACT_HIT_IMPULSE_Y,
    IB_CONTACT_HIT_TAKEN,
    IB_CONTACT_HIT_TIME,
    IB_CONTACT_SLOT, ///< the first of IB_CONTACT_SLOTS, each of IB_SLOT_SIGNALS
};

// Signals of a point at which it is pushed.
enum {
    IB_SLOT_X,
    IB_SLOT_Y,
    IB_SLOT_NORMAL,
    IB_SLOT_FRICTION,
    IB_SLOT_FORCE_X,
    IB_SLOT_FORCE_Y,
    IB_SLOT_POWER,
    IB_SLOT_SIGNALS,
};

enum {
    IB_CONTACT_SLOTS = 4, ///< a box that is wedged into a corner has as many
    IB_CONTACT_SIGNALS = IB_CONTACT_SLOT + IB_CONTACT_SLOTS * IB_SLOT_SIGNALS,
};
extern const ib_SignalDef ib_contact_signals[IB_CONTACT_SIGNALS];

// The outline of a robot, about its origin; no corners: it has none.
ib_Shape ib__field_outline(const ib_RobotPorts *ports);

// Called in this order, from ib_model_create: the world from field and robots; its signals; its
// share of the state and input arrays.
ib_Status ib__field_create(ib_Model *model, ib_Arena *arena, ib_Error *error);
ib_Status ib__field_signals(ib_Model *model, ib_Arena *arena, ib_Error *error);
ib_Status ib__field_lay_out(ib_Model *model, ib_Arena *arena, ib_Error *error);

// Name of a body in messages, and of an element of the field.
const char *ib__field_body_name(const ib_Model *model, int body);
const char *ib__field_element_name(const ib_Model *model, int element);

#endif
