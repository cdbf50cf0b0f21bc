// sim/contact.h: contact within a run: what touches when, and what it does. Internal to sim/.
#ifndef IB_SIM_CONTACT_H
#define IB_SIM_CONTACT_H

#include "sim/sim_inside.h"

// Adds the forces of contacts that rest to the rates of all robots, `t` seconds into the step.
void ib__contact_rate(const ib_Sim *sim, double t, const double *state, double *rate);

// The longest piece that the contacts which rest allow, `from` seconds into the step.
double ib__contact_longest(const ib_Sim *sim, double from);

// The first instant at which two outlines meet in the piece just integrated, in seconds from its
// start; -1: none. The piece is `length` long and begins `from` seconds into the step.
double ib__contact_find(ib_Sim *sim, double from, double length);

// Is everything so far apart that nothing can meet in the step just made, `length` long? No is no
// answer: then ib__contact_find must look. For steps that follow each other without a jump; the
// first of them sets sim->far_room to 0.
bool ib__contact_far(ib_Sim *sim, double length);

// What happens at that instant to the robots that touch, `after` seconds into the step. Fails where
// a robot is crushed: nothing it could do would keep it out of what pushes it.
ib_Status ib__contact_hit(ib_Sim *sim, double after, double *state, ib_Error *error);

// Forgets the contacts that have come apart, at the end of a step, `after` seconds from its start.
void ib__contact_release(ib_Sim *sim, double after);

// How many pairs rest; and what the rates have to take into account follows from it.
void ib__contact_count(ib_Sim *sim);

// The signals of contacts and of moving elements.
void ib__contact_output(const ib_Sim *sim, const double *state, const double *input,
                        double *signals);

#endif
