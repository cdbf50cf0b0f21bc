// sim/contact/bodies.h: robots as the bodies of the world, and where they are. Internal to sim/.
#ifndef IB_SIM_CONTACT_BODIES_H
#define IB_SIM_CONTACT_BODIES_H

#include "sim/contact/contact.h"

const ib_RobotModel *ib__robot_of(const ib_Model *model, int body);

// Places and velocities of all bodies.
void ib__bodies_find(const ib_Model *model, const double *state, ib_BodyState *bodies);

// The offsets of the moving elements `t` seconds after `input`.
void ib__bodies_find_movers(const ib_Sim *sim, const double *input, double t, ib_BodyState *movers);

// Bodies, movers and inverse masses at an instant, `t` seconds after `input`, into sim->contact.
void ib__bodies_find_all(const ib_Sim *sim, const double *input, double t, const double *state);

// Accelerations without the forces of contacts, into sim->contact->free; rates of all robots are
// left in sim->course_state.
void ib__bodies_find_free(const ib_Sim *sim, const double *state, const double *input);

#endif
